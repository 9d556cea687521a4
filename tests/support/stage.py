"""A match in memory that hears one letter after another and forgets each again."""

from __future__ import annotations

import atexit
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email import message_from_bytes
from functools import cache, cached_property
from pathlib import Path
from tempfile import mkdtemp

from sqlalchemy import Connection, select
from support.club import Club, Mail, letter, open_club, undone
from support.unclosed import keep_open

from referee.desk.desk import Change
from referee.games.game import AnyGame
from referee.matches.events import ORDER
from referee.store import tables as t
from referee.store.play import matches
from referee.store.post import outbox
from referee.store.tables.play import EventRow, MatchRow
from referee.store.tables.post import OutboxRow
from referee.value import Value

ALICE, BOB = "alice@example.org", "bob@example.test"
SEATS = {"nord": ("red", "green"), "origo": ("red", "blue")}

KEPT = (
    t.players, t.addresses, t.away, t.seats, t.standing_orders, t.questions, t.watchers, t.messages,
    t.private_events,
)  # fmt: skip
"""What a letter may change besides the board, as far as it matters whose will it was."""

_COUNTERS = frozenset({
    "id", "created", "letter_id", "at", "noted", "expires", "hash", "body",
})  # fmt: skip

_SALT = re.compile(r"[0-9a-f]{32}\\n")
"""What a kept text begins with, another each time."""


class Outcome(Value):
    """What became of a letter: the orders played, what others got, what its writer was answered.

    ``changed`` is everything else that stands otherwise than before, and how the match goes on;
    ``held``: orders wait for their moment or a yes.
    """

    orders: tuple[str, ...]
    relayed: tuple[str, ...]
    answers: tuple[str, ...]
    changed: tuple[str, ...]
    held: bool = False


class Stage:
    """A match of two in which alice is to act; ``report`` is the mail that told her so."""

    def __init__(self, game: str, language: str = "en", turns: int = 0) -> None:
        self.club: Club = open_club(keep_open(Path(mkdtemp(prefix="stage-"))))
        atexit.register(self.club.desk.store.close)
        self.name, self.language = f"{game}-1", language
        mine, other = SEATS[game]
        self.mine, self.other = mine, other
        self.club.new_match(game, f"{mine}={ALICE}", f"{other}={BOB}")
        self.club.work()
        self._take_turns(turns)
        if language != "en":
            report = self.club.last(ALICE, "report").message["Message-ID"]
            self.club.put(letter(ALICE, f"set language {language}", answers=report, number=91))
            self.club.mails(ALICE)
            self.club.put(letter(ALICE, "show", answers=report, number=92))
        mails = self.club.mails(ALICE)
        self.report = [each for each in mails if each.kind in {"report", "answer"}][-1]
        self.others = {each.kind: each for each in self.club.mails(BOB)}
        self.store = self.club.desk.store

    def _take_turns(self, turns: int) -> None:
        for number in range(turns):
            row = self.club.match(self.name)
            who = ALICE if row.to_act == self.mine else BOB
            mail = self.club.last(who, "report")
            self.club.put(
                letter(who, mail.turn_file["legal"][0], answers=mail.message["Message-ID"],
                       number=number)
            )  # fmt: skip
            self.club.work()

    @cached_property
    def game(self) -> AnyGame:
        """The game that is played."""
        row = self.club.match(self.name)
        return self.club.desk.find_game(row.game, row.edition)

    @cached_property
    def orders(self) -> tuple[str, ...]:
        """Legal orders that alice's report does not list; the listed ones where there are none."""
        from referee.desk.matches import ledger

        row = self.club.match(self.name)
        with self.store.reading() as connection:
            live = ledger.load_match(Change(self.club.desk, connection), row).live
        legal = [self.game.format(each, self.language) for each in self.game.orders(live.position)]
        hidden = [each for each in legal if f"· {each}\n" not in self.report.text + "\n"
                  and f"· {each} " not in self.report.text]  # fmt: skip
        return tuple(hidden or legal)

    @property
    def hint(self) -> str:
        """What stands in the empty box of the report."""
        lines = self.report.text.split("\n")
        head = next(at for at, line in enumerate(lines) if line.startswith("==="))
        return lines[head + 1]

    def hear(self, raw: bytes) -> Outcome:
        """Let a letter arrive, see what becomes of it, and undo it all."""
        with self.undone() as scene:
            return scene.hear(raw)

    @contextmanager
    def undone(self) -> Iterator[Scene]:
        """Open a scene on this stage; whatever happens in it is undone at its end."""
        with undone(self.club) as club:
            yield Scene(self, club)


class Scene:
    """A stage on which letters may follow one another, until all of it is undone."""

    def __init__(self, stage: Stage, club: Club) -> None:
        self.name, self.club, self.connection = stage.name, club, club.desk.store.connection
        self.seen = {each.id for each in _outbox(self.connection)}

    def put(self, raw: bytes, to: str = ALICE) -> Mail | None:
        """Let a letter arrive; return the last new mail to somebody, if there is one."""
        self.club.put(raw)
        self.club.work()
        return self.mail(to)

    def mail(self, to: str) -> Mail | None:
        """Return the last mail to somebody that is new since the last look, if there is one."""
        rows = _outbox(self.connection)
        new = [each for each in rows if each.id not in self.seen and each.recipient == to]
        self.seen = {each.id for each in rows}
        if not new:
            return None
        return Mail(new[-1].id, new[-1].kind, outbox.raw_mail(self.connection, new[-1].id))

    def hear(self, raw: bytes) -> Outcome:
        """Let a letter arrive, see what becomes of it, and undo that."""
        block = self.connection.begin_nested()
        try:
            return self._outcome(raw)
        finally:
            block.rollback()

    def _outcome(self, raw: bytes) -> Outcome:
        before = {each.id for each in _outbox(self.connection)}
        rows, start = _rows(self.connection), self._row()
        self.club.put(raw)
        row = self._row()
        events = matches.events(self.connection, row.id)[start.seq :]
        new = [each for each in _outbox(self.connection)
               if each.id not in before and each.kind != "report"]  # fmt: skip
        texts = {each.id: _text(outbox.raw_mail(self.connection, each.id)) for each in new}
        return Outcome(
            orders=tuple(_orders(events)),
            relayed=tuple(texts[each.id] for each in new if each.recipient != ALICE),
            answers=tuple(texts[each.id] for each in new if each.recipient == ALICE),
            changed=(*sorted(_rows(self.connection) - rows), row.state, str(row.result)),
            held=any(
                order.arrived for order in matches.standing_orders_of(self.connection, row.id)
            ),
        )

    def _row(self) -> MatchRow:
        row = matches.find_match(self.connection, self.name)
        assert row is not None
        return row


def _orders(events: Sequence[EventRow]) -> Iterator[str]:
    for each in events:
        body = json.loads(each.body)
        if body["kind"] == ORDER and not body.get("forced"):
            yield str(body["order"])


def _text(raw: bytes) -> str:
    """Return the plain text of a mail, read by the older parser, which is the faster one."""
    part = next(each for each in message_from_bytes(raw).walk()
                if each.get_content_type() == "text/plain")  # fmt: skip
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode().replace("\r\n", "\n")


def _outbox(connection: Connection) -> list[OutboxRow]:
    return list(reversed(outbox.latest_mails(connection, limit=60)))


def _rows(connection: Connection) -> set[str]:
    """Return every row of what is kept, as text, without numbers and moments."""
    found = set()
    for table in KEPT:
        names = [each for each in table.columns if each.name not in _COUNTERS]
        for row in connection.execute(select(*names)):
            found.add(_SALT.sub("", f"{table.name} {tuple(row)!r}"))
    return found


@cache
def stage(game: str, language: str = "en", turns: int = 0) -> Stage:
    """Return the match every test of a process plays on."""
    return Stage(game, language, turns)
