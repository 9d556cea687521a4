"""A club without servers: a desk on a real database, letters put in and mails taken out by hand."""

from __future__ import annotations

import email.policy
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.parser import BytesParser
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import html as lxml_html
from sqlalchemy import Connection

from referee.config import Settings
from referee.desk import agenda
from referee.desk.desk import Desk
from referee.desk.letters import intake
from referee.desk.letters.intake import LetterVerdict
from referee.desk.matches import codes
from referee.desk.matches.time import clock as matches_clock
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder, read_options
from referee.games import registry
from referee.installation import draft_settings
from referee.matches.time.pace import Pace
from referee.signs import frame_of
from referee.store.database.engine import Engines
from referee.store.play import matches
from referee.store.post import letters, outbox
from referee.store.store import create_store, open_store
from referee.store.tables.play import MatchRow
from referee.value import replace

REFEREE = "referee@example.test"
NOWHERE = "imap://referee:secret@127.0.0.1:9", "smtp://127.0.0.1:9"
ALICE, BOB, CAROL = "alice@example.test", "bob@example.test", "carol@example.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")
LATEST = 100
"""Mails looked at each time; no step of a club writes more."""

_NUMBERED = re.compile("&#([0-9]{3,});")

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Mail:
    """A mail the referee wrote, read as a player's program would."""

    id: int
    kind: str
    raw: bytes

    @cached_property
    def flat(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())

    @cached_property
    def message(self) -> EmailMessage:
        """The mail taken apart."""
        return BytesParser(policy=email.policy.default).parsebytes(self.raw)

    @property
    def text(self) -> str:
        """The plain text part, as it looks: every space is one."""
        body = self.message.get_body(("plain",))
        assert body is not None
        return str(body.get_content()).replace("\r\n", "\n").replace("\xa0", " ")

    @property
    def told(self) -> str:
        """The plain text below the first line of the frame."""
        first, _, rest = self.text.partition("\n\n")
        assert frame_of(" ".join(first.split())) == "opens"
        return rest

    @property
    def page(self) -> str:
        """The HTML part, with the characters that it gives by their numbers."""
        body = self.message.get_body(("html",))
        assert body is not None
        return _NUMBERED.sub(lambda found: chr(int(found[1])), str(body.get_content()))

    @property
    def html(self) -> str:
        """The HTML part, as it looks: every space is one."""
        return self.page.replace("\r\n", "\n").replace("\xa0", " ")

    @property
    def links(self) -> dict[str, str]:
        """The links of the HTML part by their labels without the dot; of equals the first."""
        page = lxml_html.fromstring(self.html)
        found: dict[str, str] = {}
        for each in page.iter("a"):
            found.setdefault(str(each.text_content()).removeprefix("· "), each.get("href", ""))
        return found

    @property
    def turn_file(self) -> dict[str, Any]:
        """The turn file among the attachments."""
        for part in self.message.iter_attachments():
            if part.get_filename() == "turn.json":
                document: dict[str, Any] = json.loads(part.get_payload(decode=True))
                return document
        raise AssertionError("the mail has no turn file")


@dataclass
class Club:
    """A desk with a clock that stands still, and a mailbox made of a counter."""

    desk: Desk
    clock: list[datetime]
    uid: int = 0
    taken: set[int] = field(default_factory=set)

    def settle(self, **settings: Any) -> None:
        """Change settings of the installation."""
        self.desk = replace(self.desk, settings=replace(self.desk.settings, **settings))

    def later(self, **span: float) -> None:
        """Let time pass."""
        self.clock[0] += timedelta(**span)

    def new_match(self, game: str, *seats: str, begins: bool = True, **more: Any) -> MatchRow:
        """Set up a match; seats as ``red=alice@example.test``, terms of time as in a pace."""
        found = registry.find_installed(game, more.pop("edition", None))
        options = read_options(found, more.pop("options", []))
        holders = tuple(parse_holder(each, found) for each in seats)
        agreed = {name: more.pop(name) for name in Pace.__struct_fields__ if name in more}
        pace = replace(self.desk.settings.pace, **agreed)
        plan = MatchSetup(found, holders, options, seed=bytes(32), begins=begins, pace=pace, **more)
        with self.desk.writing() as change:
            return setup.set_up_match(change, plan)

    def match(self, name: str) -> MatchRow:
        """Return a match's row as it stands."""
        with self.desk.store.reading() as connection:
            row = matches.find_match(connection, name)
        assert row is not None
        return row

    def code(self, name: str, seat: str) -> str:
        """Return the reply code that a seat of a match has now."""
        row = self.match(name)
        with self.desk.reading() as change:
            found = matches.find_seat(change.connection, row.id, seat)
            assert found is not None
            return codes.code_of(change, row, found)

    def fate(self, name: str, seat: str) -> str:
        """Return what became of a seat's orders: ``played``, ``held``, ``asked``, or ``nothing``.

        One that was played is enough, and so is one that waits.
        """
        row = self.match(name)
        with self.desk.store.reading() as connection:
            events = matches.events(connection, row.id)
            waiting = matches.standing_orders_of(connection, row.id, seat)
        if any(event.kind == "order" and event.seat == seat for event in events):
            return "played"
        held = [order for order in waiting if order.arrived is not None]
        return "nothing" if not held else "held" if any(order.until for order in held) else "asked"

    def work(self) -> int:
        """Do what is due."""
        return agenda.do_due_steps(self.desk)

    def mails(self, to: str) -> list[Mail]:
        """Take the mails to an address that left since the last look; everything waiting leaves."""
        found = []
        with self.desk.writing() as change:
            for row in reversed(outbox.latest_mails(change.connection, limit=LATEST)):
                if row.state == "waiting":
                    outbox.mark_mail(change.connection, row.id, "sent", now=self.desk.now())
                    matches_clock.start_clock(change, row)
                if row.recipient == to and row.id not in self.taken and row.state != "superseded":
                    self.taken.add(row.id)
                    found.append(Mail(row.id, row.kind, outbox.raw_mail(change.connection, row.id)))
        return found

    def last(self, to: str, kind: str | None = None) -> Mail:
        """Take the mails to an address and return the last one, of a kind if one is named."""
        found = [each for each in self.mails(to) if kind in {None, each.kind}]
        assert found, f"no mail to {to}"
        return found[-1]

    def put(
        self,
        raw: bytes,
        *,
        truncated: bool = False,
        missing: int = 0,
        arrived: datetime | None = None,
    ) -> LetterVerdict:
        """Let a letter arrive, now unless it did before, and be handled.

        The server announced it with the bytes that are ``missing``.
        """
        self.uid += 1
        with self.desk.store.writing() as connection:
            row = letters.keep_letter(
                connection,
                folder="INBOX",
                uidvalidity=1,
                uid=self.uid,
                arrived=arrived or self.desk.now(),
                size=len(raw) + missing,
                truncated=truncated,
                raw=raw,
                mailbox=REFEREE,
                now=self.desk.now(),
            )
        assert row is not None
        return intake.take_letter(self.desk, row, raw)

    def answer(self, mail: Mail, text: str, sender: str, **more: Any) -> LetterVerdict:
        """Answer a mail as a person does: a few lines, the mail quoted below."""
        quoted = "".join(f"> {line}\n" for line in mail.text.splitlines())
        return self.put(
            letter(
                sender,
                f"{text}\n\nOn Saturday the referee wrote:\n{quoted}",
                answers=mail.message["Message-ID"],
                number=self.uid,
                **more,
            )
        )

    def click(self, link: str, sender: str, added: str = "", below: str = "") -> LetterVerdict:
        """Send the answer that a link opens, with lines ``added`` to it or ``below`` it."""
        to, subject, body = opened(link)
        assert to == self.desk.settings.address
        lines = body.splitlines()
        lines[-1:-1] = added.splitlines()
        text = "\n".join(lines) + below
        return self.put(letter(sender, text, number=self.uid, subject=subject))


class _Undone:
    """A store whose blocks all write into one transaction, which is undone in the end."""

    is_shared = False

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    @contextmanager
    def writing(self, *, lasting: bool = True) -> Iterator[Connection]:
        yield self.connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        yield self.connection

    def flush(self) -> None:
        """Wait for nothing."""


@contextmanager
def undone(club: Club) -> Iterator[Club]:
    """Open the same club once more; whatever happens in it is undone at the end, its clock too."""
    with club.desk.store.writing(lasting=False) as connection:
        block = connection.begin_nested()
        clock = [*club.clock]
        desk = replace(club.desk, store=_Undone(connection), now=lambda: clock[0])
        try:
            yield Club(desk, clock, club.uid, {*club.taken})
        finally:
            block.rollback()


def opened(link: str) -> tuple[str, str, str]:
    """Return recipient, subject and body of the mail a ``mailto:`` link opens."""
    parts = urlsplit(link)
    assert parts.scheme == "mailto"
    fields = dict(each.split("=") for each in parts.query.split("&"))
    return unquote(parts.path), unquote(fields["subject"]), unquote(fields["body"])


def letter(
    sender: str, text: str, *, answers: str | None = None, number: int = 0, **headers: str
) -> bytes:
    """Return a plain letter as bytes."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = REFEREE
    message["Subject"] = headers.pop("subject", "Re: your move")
    message["Message-ID"] = f"<{sender.partition('@')[0]}-{number}@example.test>"
    if answers:
        message["In-Reply-To"] = answers
        message["References"] = answers
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message.as_bytes()


def with_attachment(sender: str, text: str, document: str, answers: str | None = None) -> bytes:
    """Return a letter with a JSON attachment."""
    message = EmailMessage()
    message["From"], message["To"] = sender, REFEREE
    message["Message-ID"] = "<attached@example.test>"
    if answers:
        message["In-Reply-To"] = answers
    message.set_content(text)
    message.add_attachment(
        document.encode(), maintype="application", subtype="json", filename="orders.json"
    )
    return message.as_bytes()


@cache
def _fresh_database() -> bytes:
    """Return the file of a database with nothing in it; it is made but once."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "fresh.db"
        create_store(f"sqlite:///{file}")
        return file.read_bytes()


@cache
def _engines() -> Engines:
    """Return engines that every club takes its compiled statements from; it takes a third less."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "club.db"
        file.write_bytes(_fresh_database())
        with open_store(f"sqlite:///{file}") as store:
            for each in store._engines:
                each.connect().close()
            return store._engines


@cache
def club_settings() -> Settings:
    """Return the usual settings, but for reminders and pictures, and with a key that is known."""
    given = {"address": REFEREE, "imap": NOWHERE[0], "smtp": NOWHERE[1], "reminders": ""}
    return replace(draft_settings({**given, "pictures": False}), key=b"k" * 32)


def open_club(folder: Path) -> Club:
    """Open a club on the SQLite database of a folder, a fresh one unless one is there."""
    file = folder / "club.db"
    url = f"sqlite:///{file}"
    if not file.exists():
        file.write_bytes(_fresh_database())
    clock = [NOON]
    store = open_store(url)
    for engine, shared in zip(store._engines, _engines(), strict=True):
        engine.dialect, engine._compiled_cache = shared.dialect, shared._compiled_cache
    desk = Desk(
        store=store,
        settings=club_settings(),
        answers=(10_000, 10_000),
        unproved=(10_000, 10_000),
        now=lambda: clock[0],
    )
    return Club(desk, clock)
