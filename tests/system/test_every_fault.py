"""Each answer that a mail server can give wrong, one by one, while an order is played.

The soak tries all of them, the tests of every day each fifteenth.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from random import Random

import pytest
from support.installation import Installation
from support.smtpd import Fault, Stage
from support.wayward import Rule, Wayward

from referee.daemon.daemon import Daemon
from referee.desk.desk import Desk, utc_now
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder
from referee.desk.service.status import read_status
from referee.errors import RefereeError
from referee.games import registry
from referee.mail.transport.servers import Timing
from referee.store.play import matches
from referee.store.post import outbox
from referee.value import replace

pytestmark = pytest.mark.mail

ALICE, BOB = "alice@example.test", "bob@example.test"

QUICK = Timing(answer=0.5, envelope=0.5, taken=0.5)
"""How long a server may be silent here."""


@dataclass
class Evening:
    """A match of two players, in which it is Alice's turn, on servers of which one misbehaves."""

    installation: Installation
    wayward: Wayward
    match_id: int
    later: timedelta = field(default_factory=timedelta)

    def read(self) -> str:
        """Let a daemon begin, read, play and send; return why it could not, if so."""
        settings = self.installation.settings
        settings = replace(settings, imap=replace(settings.imap, port=self.wayward.port))
        desk = replace(Desk(self.installation.store, settings), now=lambda: utc_now() + self.later)
        try:
            Daemon(desk, QUICK).once()
        except RefereeError as error:
            return str(error)
        return ""

    def troubles(self) -> str:
        """Return what an organiser is told of."""
        desk = replace(self.installation.daemon().desk, now=lambda: utc_now() + self.later)
        return "\n".join(concern.text for concern in read_status(desk).concerns)

    def orders(self) -> list[str]:
        """Return the seats whose orders were played."""
        with self.installation.store.reading() as connection:
            events = matches.events(connection, self.match_id)
        return [event.seat or "" for event in events if event.kind == "order"]

    def reports(self, to: str) -> dict[str, EmailMessage]:
        """Return the different reports that came to somebody, by their Message-IDs."""
        with self.installation.store.reading() as connection:
            rows = outbox.latest_mails(connection, limit=100)
        reports = {row.message_id for row in rows if row.kind == "report"}
        came = {str(mail["Message-ID"]): mail for mail in self.installation.received(to)}
        return {name: mail for name, mail in came.items() if name in reports}

    def failed(self) -> list[int]:
        """Return the numbers of the mails that were refused for good."""
        with self.installation.store.reading() as connection:
            return [row.id for row in outbox.latest_mails(connection, "failed")]

    def answer(self) -> int:
        """Let Alice answer her report with an order; return how many reports each player has."""
        (first,) = self.reports(ALICE).values()
        (turn,) = [
            json.loads(part.get_payload(decode=True) or b"")
            for part in first.iter_attachments()
            if part.get_filename() == "turn.json"
        ]
        assert turn["to_act"] == turn["seat"]
        self.installation.send(ALICE, turn["legal"][0], answers=str(first["Message-ID"]))
        return len(self.reports(BOB))


@pytest.fixture
def evening(installation: Installation) -> Iterator[Evening]:
    """Return a match whose players have their first reports."""
    game = registry.find_installed("pebbles", 1)
    holders = tuple(parse_holder(f"{seat}={who}", game) for seat, who in zip(
        game.colours, (ALICE, BOB), strict=False))  # fmt: skip
    plan = MatchSetup(game, holders, setup.read_options(game, []), seed=bytes(32), begins=True)
    with installation.daemon().desk.writing() as change:
        row = setup.set_up_match(change, plan)
    with Wayward(installation.settings.imap.port) as wayward:
        found = Evening(installation, wayward, row.id)
        assert found.read() == found.read() == ""
        yield found


COMMANDS = {
    "CAPABILITY": "^CAPABILITY",
    "LOGIN": "^LOGIN",
    "NAMESPACE": "^NAMESPACE",
    "LIST": "^LIST",
    "SELECT": "^SELECT",
    "SEARCH for the mark": "^UID SEARCH SUBJECT",
    "SEARCH for letters": "^UID SEARCH ALL",
    "FETCH of the mark": r"^UID FETCH .*BODY.PEEK\[HEADER",
    "FETCH of sizes": r"^UID FETCH (?!.*BODY)",
    "FETCH of letters": r"^UID FETCH .*BODY.PEEK\[\]",
    "APPEND": "^APPEND",
    "STORE": "^UID STORE",
    "EXPUNGE": "^UID EXPUNGE",
    "MOVE": "^UID MOVE",
    "SEARCH for what was moved": "^UID SEARCH UID",
    "LOGOUT": "^LOGOUT",
}
"""Everything that a daemon asks of its mailbox in one pass."""

IMAP_SAYS = {
    "NO": {"says": "NO Not today"},
    "NO, for now": {"says": "NO [UNAVAILABLE] Backend is down"},
    "NO, over quota": {"says": "NO [OVERQUOTA] Quota exceeded"},
    "BAD": {"says": "BAD Cannot parse it"},
    "BYE": {"says": "BYE", "hangs_up": True},
    "OK and nothing else": {"says": "OK Done"},
    "no word and no end": {"changes": lambda _: b""},
    "no word and the end": {"changes": lambda _: b"", "hangs_up": True},
    "nonsense": {"changes": lambda _: b"\x00\xff what? {7}\r\n"},
}
SMTP_SAYS = {
    "421": "421 4.3.2 shutting down",
    "4xx": "451 4.3.0 not now",
    "5xx": "554 5.7.1 no",
    "nonsense": "\x00 what?",
    "silence": "silence",
    "the end": "drop",
}
STAGES: tuple[Stage, ...] = ("banner", "EHLO", "MAIL", "RCPT", "DATA", "body", "dot", "taken")

FAULTS: dict[str, Rule | Fault] = {
    **{
        f"IMAP, {command}: {what}": Rule(when, **more)  # type: ignore[arg-type]
        for command, when in COMMANDS.items()
        for what, more in IMAP_SAYS.items()
    },
    **{
        f"SMTP, {stage}: {what}": Fault(stage, does)
        for stage in STAGES
        for what, does in SMTP_SAYS.items()
    },
}
CASES = [
    pytest.param(fault, id=name, marks=[] if number % 15 == 0 else [pytest.mark.soak])
    for number, (name, fault) in enumerate(FAULTS.items())
]


_chance = Random(27)

PAIRS = [
    pytest.param(
        [FAULTS[imap], FAULTS[smtp]],
        id=f"{imap}; {smtp}",
        marks=[] if number % 20 == 0 else [pytest.mark.soak],
    )
    for number, (imap, smtp) in enumerate(
        zip(
            _chance.sample([name for name in FAULTS if name.startswith("IMAP")], 48),
            _chance.sample([name for name in FAULTS if name.startswith("SMTP")], 48),
            strict=True,
        )
    )
]
"""Each wrong answer of an SMTP server, with one of an IMAP server."""


@pytest.mark.parametrize("fault", CASES)
def test_an_order_is_played_once_whatever_one_server_says(
    evening: Evening, fault: Rule | Fault
) -> None:
    """What it keeps back is told to the organiser, and comes once when the fault has ended."""
    play_through(evening, [fault])


@pytest.mark.parametrize("faults", PAIRS)
def test_an_order_is_played_once_whatever_two_servers_say(
    evening: Evening, faults: list[Rule | Fault]
) -> None:
    """Also while the mailbox and the way out both misbehave."""
    play_through(evening, faults)


def play_through(evening: Evening, faults: Sequence[Rule | Fault]) -> None:
    """Have an order played while these things go wrong, and after; nothing is lost or doubled."""
    smtp, before = evening.installation.smtp, evening.answer()
    evening.wayward.rules = [fault for fault in faults if isinstance(fault, Rule)]
    refusals = [fault for fault in faults if isinstance(fault, Fault)]
    smtp.mode = refusals[0] if refusals else "ok"
    said = evening.read()
    evening.later += timedelta(minutes=10)
    played = evening.orders() == ["red"]
    told = {who: len(evening.reports(who)) - before for who in (ALICE, BOB)}
    if not played or not all(told.values()) or said:
        assert evening.troubles(), said
    evening.wayward.rules, smtp.mode = [], "ok"
    for _ in range(4):
        evening.later += timedelta(hours=7)
        assert evening.read() == ""
    if "outbox retry" in evening.troubles():
        # Refused for good are only mails; whether they go again the organiser says.
        assert str(refusals[0].does).startswith("5")
        for number in evening.failed():
            assert evening.installation.referee("outbox", "retry", str(number)).returncode == 0
        assert evening.read() == ""
    assert evening.orders() == ["red"]
    assert evening.troubles() == ""
    assert evening.installation.folder_of("INBOX") == 0
    assert evening.installation.folder_of("Handled") == 1
    # After the last answer, or without it, nobody knows whether the mail was taken.
    most = 3 if refusals and refusals[0].stage == "taken" else 1
    for who in (ALICE, BOB):
        copies = Counter(str(mail["Message-ID"]) for mail in evening.installation.received(who))
        assert max(copies.values()) <= most
        assert len(evening.reports(who)) - before == 1
