"""Refusals of mail providers, as they word them, and the remedy for each."""

from __future__ import annotations

import pytest

from referee.mail.refusals import is_limit, with_remedy

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        (
            "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for …",
            "switch on Authenticated SMTP",
        ),
        (
            "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.",
            "use [oauth]",
        ),
        ("BAD User is authenticated but not connected.", "switch on IMAP"),
        ("[ALERT] Your account is not enabled for IMAP use. Please visit", "switch IMAP on"),
        ("[ALERT] Application-specific password required", "app password"),
        ("535-5.7.8 Username and Password not accepted. Learn more at", "app password"),
        ("554 5.2.252 SendAsDenied; a@x.test not allowed to send as b@x.test", "Send as"),
        ("530 5.7.0 Must issue a STARTTLS command first", "smtp+starttls://"),
        ("invalid_client AADSTS7000215: Invalid client secret provided.", "not its id"),
        ("invalid_grant AADSTS50173: The provided grant has expired", "password of the account"),
    ],
)
def test_a_known_refusal_has_a_remedy(said: str, remedy: str) -> None:
    """It stands behind the provider's own words."""
    words, advice = with_remedy(said)[: len(said)], with_remedy(said)[len(said) :]
    assert words == said
    assert advice.startswith("; ")
    assert remedy in advice


def test_any_other_refusal_is_passed_on() -> None:
    """Another remedy may be given for it; beyond 400 characters nothing is looked at."""
    assert with_remedy("550 5.1.1 no such user") == "550 5.1.1 no such user"
    assert with_remedy("no", "check the password") == "no; check the password"
    long = "x" * 400 + "SendAsDenied"
    assert with_remedy(long) == long


def test_a_daily_limit_is_no_refusal_of_the_mail() -> None:
    """Google and Exchange answer 550 to what they would take tomorrow."""
    assert is_limit("550-5.4.5 Daily user sending limit exceeded. For more information on")
    assert not is_limit("550 5.1.1 no such user")


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        ("4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded", True),
        ("4.7.0 Try again later, closing connection. ra1-20020a170907", True),
        ("4.7.28 Gmail has detected an unusual rate of mail", True),
        ("4.7.1 Error: too much mail from 192.0.2.1", True),
        ("4.7.0 Too many login attempts, please try again later", True),
        ("5.1.90 Your message can't be sent because you've reached your daily limit", True),
        ("4.2.1 The user you are trying to contact is receiving mail at a rate that", False),
        ("4.2.2 The recipient's mailbox is over quota", False),
        ("5.2.2 The mailbox of bob@x.test has too many messages", False),
        ("4.7.1 <bob@x.test>: Recipient address rejected: Greylisted", False),
    ],
)
def test_what_asks_for_patience_is_known(said: str, limit: bool) -> None:
    """Servers word it in many ways; what concerns one recipient is something else."""
    assert is_limit(said) is limit
