"""What the doctor says of a mail domain's records; each check sees what is missing or wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from support.nameserver import answering, silent

from referee.desk.service.doctor import Finding, domain

pytestmark = pytest.mark.fast

GOOD = {
    ("example.test", "MX"): ["10 mx.example.test."],
    ("example.test", "TXT"): ['"site=1"', '"v=spf1 mx" " -all"'],
    ("mail._domainkey.example.test", "TXT"): ['"v=DKIM1; p=abc"'],
    ("_dmarc.example.test", "TXT"): ['"v=DMARC1; p=reject"'],
}
MX, SPF, DKIM, DMARC = GOOD


def asked(records: dict[tuple[str, str], list[str]], of: str = "example.test") -> list[Finding]:
    """Return what is found when a name server on loopback knows these records."""
    with answering(records) as port:
        return list(domain.domain_checks(of, partial(domain.make_asker, ("127.0.0.1",), port)))


def changed(key: tuple[str, str], *values: str) -> dict[tuple[str, str], list[str]]:
    """Return the good records with one of them replaced, or gone."""
    rest = {each: found for each, found in GOOD.items() if each != key}
    return {**rest, key: list(values)} if values else rest


def test_a_domain_that_is_set_up_well_is_praised() -> None:
    """MX, SPF in two pieces, a DKIM key and DMARC are found and shown."""
    assert [(each.grade, each.found) for each in asked(GOOD)] == [
        ("ok", "mx.example.test"),
        ("ok", "v=spf1 mx -all"),
        ("ok", "a key is called mail"),
        ("ok", "example.test: v=DMARC1; p=reject"),
    ]


@pytest.mark.parametrize(
    ("key", "values", "grade", "found", "advice"),
    [
        (MX, (), "failure", "mail cannot reach it", "add an MX record for example.test"),
        (MX, ("0 .",), "failure", "takes no mail", "have the MX record of example.test name"),
        (SPF, ('"site=1"',), "warning", "none", '"v=spf1 mx -all"'),
        (SPF, ('"v=spf1 mx -all"', '"v=spf1 a -all"'), "failure", "2 records", "keep one"),
        (SPF, ('"v=spf1 +all"',), "warning", "anybody may send", "-all or ~all"),
        (DKIM, (), "warning", "no key under a usual name", "DKIM-Signature"),
        (DMARC, (), "warning", "none", "_dmarc.example.test"),
        (DMARC, ('"v=DMARC1; p=none"', '"v=DMARC1; p=reject"'), "failure", "2", "keep one"),
    ],
)
def test_what_is_missing_or_wrong_is_named(
    key: tuple[str, str], values: tuple[str, ...], grade: str, found: str, advice: str
) -> None:
    """Only the check of that record changes, and it says what to do."""
    findings = asked(changed(key, *values))
    (bad,) = [each for each in findings if each.grade != "ok"]
    assert (bad.grade, bad.check) == (grade, findings[list(GOOD).index(key)].check)
    assert found in bad.found
    assert advice in bad.advice


def test_mail_goes_to_the_domain_itself_without_mx() -> None:
    """An address record takes the place of MX (RFC 5321 section 5.1), which is worth a word."""
    finding = asked({**changed(MX), ("example.test", "A"): ["192.0.2.1"]})[0]
    assert (finding.grade, finding.found) == ("warning", "none: mail goes to example.test itself")


def test_dmarc_of_the_domain_above_counts() -> None:
    """A domain below takes the record of the one above it (RFC 7489 section 6.6.3)."""
    finding = asked({("_dmarc.example.test", "TXT"): GOOD[DMARC]}, "club.example.test")[3]
    assert (finding.grade, finding.found) == ("ok", "example.test: v=DMARC1; p=reject")


def test_a_silent_name_server_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can be asked nothing is claimed, and the advice names --offline."""
    monkeypatch.setattr(domain, "SECONDS", 0.05)
    with silent() as port:
        make: Callable[[], domain.Ask] = partial(domain.make_asker, ("127.0.0.1",), port)
        findings = [*domain.domain_checks("example.test", make)]
    assert {each.grade for each in findings} == {"failure"}
    assert all("--offline" in each.advice for each in findings)


@pytest.mark.parametrize("record", ['"v=DKIM1; k=rsa; p=ab" "cd"', '"k=rsa;p = ab cd;"'])
def test_a_key_is_known_however_its_record_is_written(record: str) -> None:
    """In several pieces, and with blanks."""
    assert asked(changed(DKIM, record))[2].found == "a key is called mail"


def test_a_key_that_was_taken_back_is_none() -> None:
    """It is empty then (RFC 6376 section 3.6.1)."""
    assert asked(changed(DKIM, '"v=DKIM1; p="'))[2].grade == "warning"


@pytest.mark.parametrize(
    ("signature", "places"),
    [
        ("v=1; a=rsa-sha256; d=example.test; s=mail; b=Ab=", ["mail._domainkey.example.test"]),
        ("v=1;d=Example.Test;\r\n\ts = a.b ;b=", ["a.b._domainkey.example.test"]),
        ("d=test; s=mail", ["mail._domainkey.test"]),
        ("d=club.example.test; s=mail", []),
        ("d=ample.test; s=mail", []),
        ("d=elsewhere.test; s=mail", []),
        ("d=; s=mail", []),
        ("d=example.test", []),
        ("", []),
    ],
)
def test_only_signatures_of_the_domain_count(signature: str, places: list[str]) -> None:
    """Another's, such as of the provider that sends, does not say where a letter is from."""
    assert domain.signing_keys("example.test", [signature]) == places
