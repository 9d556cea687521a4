"""The mail domain's DNS records: MX, SPF, DKIM, DMARC."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from dns.exception import DNSException
from dns.resolver import NXDOMAIN, NoAnswer, Resolver

from referee.desk.service.doctor import Finding, failure, ok, warning
from referee.errors import RefereeError

Ask: TypeAlias = Callable[[str, str], Sequence[str]]
"""Return the records of a name and type, if any. Raises DnsUnreachable."""

SELECTORS: Final = ("default", "mail", "dkim", "selector1", "selector2", "google", "s1", "k1")
"""Usual names of keys; a key may have any name, and none can be listed (RFC 6376 3.1)."""

_KEY: Final = re.compile(r"(?:^|;)\s*p\s*=\s*[^;\s]")
"""A public key in a record; one that was taken back is empty (RFC 6376 section 3.6.1)."""

SECONDS: Final = 8.0


class DnsUnreachable(RefereeError):
    """No name server answers."""


def make_asker(servers: Sequence[str] = (), port: int = 53) -> Ask:
    """Return a function that asks name servers, by default this machine's."""
    try:
        resolver = Resolver(configure=not servers)
    except DNSException as fault:
        raise DnsUnreachable(f"no name server is known here ({fault})") from None
    if servers:
        resolver.nameservers, resolver.port = list(servers), port
    resolver.lifetime = SECONDS

    def ask(name: str, kind: str) -> list[str]:
        try:
            records = [
                (record, getattr(record, "strings", None))
                for record in resolver.resolve(name, kind)
            ]
        # That there is no such record is an answer, too.
        except (NXDOMAIN, NoAnswer):
            return []
        except DNSException as fault:
            raise DnsUnreachable(f"no name server answers ({type(fault).__name__})") from None
        # The pieces of a TXT record belong together (RFC 7208 section 3.3).
        return [
            str(record) if pieces is None else b"".join(pieces).decode("utf-8", "replace")
            for record, pieces in records
        ]

    return ask


def domain_checks(domain: str, make: Callable[[], Ask] = make_asker) -> Iterator[Finding]:
    """Judge a domain's mail records; ``make`` gives the function that asks."""
    for name, check in {"MX": mx, "SPF": spf, "DKIM": dkim, "DMARC": dmarc}.items():
        try:
            yield check(domain, make())
        except DnsUnreachable as fault:
            advice = "see that this machine can reach a name server, or ask with --offline"
            yield failure(f"DNS {name}", str(fault), advice)


def mx(domain: str, ask: Ask) -> Finding:
    """Judge the servers that take the domain's mail (RFC 5321 section 5.1, RFC 7505)."""
    hosts = ask(domain, "MX")
    # A null MX: the domain refuses all mail (RFC 7505).
    if any(host.split()[-1] == "." for host in hosts):
        advice = f"have the MX record of {domain} name your mail server"
        return failure("DNS MX", f"{domain} says that it takes no mail", advice)
    if hosts:
        return ok("DNS MX", ", ".join(host.split()[-1].rstrip(".") for host in sorted(hosts)))
    advice = f"add an MX record for {domain} that names your mail server"
    # Without an MX record mail goes to the address of the name itself.
    if ask(domain, "A") or ask(domain, "AAAA"):
        return warning("DNS MX", f"none: mail goes to {domain} itself", advice)
    return failure("DNS MX", f"none, and no address of {domain}: mail cannot reach it", advice)


def spf(domain: str, ask: Ask) -> Finding:
    """Judge the servers allowed to send for the domain (RFC 7208)."""
    records = [record for record in ask(domain, "TXT") if record.lower().split(" ")[0] == "v=spf1"]
    if len(records) > 1:
        advice = "keep one record: several count as an error (RFC 7208 section 3.2)"
        return failure("DNS SPF", f"{len(records)} records", advice)
    if not records:
        advice = f'add a TXT record for {domain}, such as "v=spf1 mx -all"'
        return warning("DNS SPF", "none: others may take your mail for spam", advice)
    if records[0].lower().split()[-1] in {"+all", "all", "?all"}:
        advice = "end it with -all or ~all"
        return warning("DNS SPF", f"{records[0]}: anybody may send as {domain}", advice)
    return ok("DNS SPF", records[0])


def dkim(domain: str, ask: Ask) -> Finding:
    """Look for the key that signs the domain's mail (RFC 6376), under usual names."""
    for selector in SELECTORS:
        if _has_key(f"{selector}._domainkey.{domain}", ask):
            return ok("DNS DKIM", f"a key is called {selector}")
    if ask(f"_domainkey.{domain}", "TXT"):
        return ok("DNS DKIM", "the domain says that its mail is signed")
    advice = "see in a mail you got from the referee whether it has a DKIM-Signature; if not, "
    advice += "have your mail server sign what it sends"
    return warning("DNS DKIM", "no key under a usual name; it may have another", advice)


def _has_key(place: str, ask: Ask) -> bool:
    return any(_KEY.search(record) for record in ask(place, "TXT"))


def signing_keys(domain: str, signatures: Sequence[str]) -> list[str]:
    """Return where DNS is to have the keys of a letter's signatures (RFC 6376 section 3.6.2.1).

    Only those of the domain itself, or of one above it, say that the letter is from there.
    """
    places = []
    for signature in signatures:
        tags = dict(tag.partition("=")[::2] for tag in "".join(signature.split()).split(";"))
        owner = tags.get("d", "").lower()
        if tags.get("s") and owner and f".{domain}".endswith(f".{owner}"):
            places.append(f"{tags['s']}._domainkey.{owner}")
    return places


def first_without_key(places: Sequence[str]) -> str | None:
    """Return the first place where DNS has no key; None also if no name server answers."""
    try:
        return next((place for place in places if not _has_key(place, make_asker())), None)
    except DnsUnreachable:
        return None


def dmarc(domain: str, ask: Ask) -> Finding:
    """Judge the domain's advice about forged mail (RFC 7489 section 6.6.3)."""
    parts = domain.split(".")
    # A subdomain without a record of its own follows its parents.
    for start in range(max(1, len(parts) - 1)):
        name = ".".join(parts[start:])
        records = [
            record for record in ask(f"_dmarc.{name}", "TXT") if record.startswith("v=DMARC1")
        ]
        if len(records) == 1:
            return ok("DNS DMARC", f"{name}: {records[0]}")
        if records:
            return failure("DNS DMARC", f"{name}: {len(records)} records", "keep one record")
    advice = f'add a TXT record for _dmarc.{domain}, such as "v=DMARC1; p=none"'
    return warning("DNS DMARC", "none: some providers refuse such mail", advice)
