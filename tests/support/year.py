"""A club over a year of its own time: members who read and answer when they find the time.

The referee's desk is the real one, on a real database; the mail server is a list.
"""

from __future__ import annotations

import asyncio
import email.policy
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.parser import BytesParser
from random import Random
from typing import Any

from support.club import REFEREE, Club, letter

from referee.desk import health
from referee.desk.letters import queue
from referee.desk.mails.delivery import Sending
from referee.desk.matches import ledger
from referee.desk.matches.time import outages
from referee.games.game import CHANCE, AnyGame
from referee.mail.transport.postman import DeliveryOutcome
from referee.mail.transport.servers import Server
from referee.matches.record import unpacked
from referee.store import leases, notes
from referee.store.play import matches
from referee.store.post import letters as post_letters
from referee.store.store import Store
from referee.value import Value, replace

TICK = timedelta(hours=8)
"""How often anybody sits down."""

MINUTE = timedelta(minutes=1)

RECORD = ".record.jsonl.gz"

MOST_AT_ONCE = 8
"""Orders a member writes into one letter at most."""


class Known(Value):
    """The last mail about a match that showed its board: where it was, and whose turn."""

    message_id: str
    head: str
    turn: dict[str, Any]


@dataclass
class Member:
    """One who plays: how often he sits down, from when to when he is gone, what he has read."""

    name: str
    diligence: float = 0.9
    gone: tuple[datetime, datetime] | None = None
    known: dict[str, Known] = field(default_factory=dict)
    answered: set[str] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    records: dict[str, bytes] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"{self.name}@example.test"

    def sits_down(self, now: datetime, rng: Random) -> bool:
        """Whether he reads and writes mail now."""
        if self.gone and self.gone[0] <= now < self.gone[1]:
            return False
        return rng.random() < self.diligence

    def receive(self, raw: bytes) -> None:
        """Read a mail; the last one of a match with a turn file is what he answers to."""
        message = BytesParser(policy=email.policy.default).parsebytes(raw)
        body = message.get_body(("plain",))
        self.texts.append("" if body is None else " ".join(str(body.get_content()).split()))
        turn = _turn_file(message)
        if turn is not None:
            self.records |= _records(message)
            mail_id = str(message["Message-ID"]).strip()
            self.known[turn["match"]] = Known(mail_id, str(message["X-Referee-Head"]), turn)

    def waiting(self) -> Iterator[Known]:
        """Yield the matches in which it is his turn and he has not written yet."""
        for known in list(self.known.values()):
            mine = known.turn["to_act"] == known.turn["seat"]
            if mine and known.message_id not in self.answered:
                yield known


@dataclass
class Arrived:
    """A letter as the mail server keeps it."""

    uid: int
    moment: datetime
    raw: bytes


@dataclass
class PostOffice:
    """The mail server of the club: it takes every mail and keeps every letter."""

    server: Server = field(default_factory=lambda: Server("plain", "a list", 25))
    delivered: list[tuple[str, bytes]] = field(default_factory=list)
    kept: list[Arrived] = field(default_factory=list)
    read: int = 0

    async def log_in(self, sender: str) -> None:
        """Let the referee in, as it does when it looks whether it could send."""
        del sender

    async def close(self) -> None:
        """End a connection."""

    async def send(self, recipient: str, envelope_from: str, raw: bytes) -> DeliveryOutcome:
        """Take a mail."""
        del envelope_from
        self.delivered.append((recipient, raw))
        return DeliveryOutcome("sent", 250, "taken")

    def drop(self, raw: bytes, moment: datetime) -> None:
        """Let a letter arrive."""
        self.kept.append(Arrived(len(self.kept) + 1, moment, raw))


@dataclass
class Year:
    """The club, its members, its mail server, and what goes on between them."""

    club: Club
    rng: Random
    members: dict[str, Member]
    post: PostOffice = field(default_factory=PostOffice)
    outage: bool = False
    was_out: bool = False
    letters: int = 0

    @property
    def now(self) -> datetime:
        return self.club.clock[0]

    def running(self) -> list[str]:
        """Return the names of the matches that are not over."""
        with self.club.desk.store.reading() as connection:
            rows = matches.select_matches(connection)
        return [row.name for row in rows if row.state in {"running", "paused"}]

    def reopened(self, store: Store) -> None:
        """Go on with another database."""
        self.club.desk = replace(self.club.desk, store=store)

    def read_again(self) -> None:
        """Read all letters again that the mail server keeps, as after a restore."""
        self.post.read = 0
        with self.club.desk.store.writing() as connection:
            notes.REREAD.remove(connection)
            leases.note_polled(connection, self.now - MINUTE)
        self.referee()

    def pass_days(self, days: float) -> None:
        """Let days pass, everybody doing what he does."""
        until = self.now + timedelta(days=days)
        while self.now < until:
            self.club.clock[0] += TICK
            self.tick()

    def tick(self) -> None:
        """Let everybody write once and the referee, unless it is down, make one pass."""
        for member in self.members.values():
            if member.sits_down(self.now, self.rng):
                for known in member.waiting():
                    self._write(member, known)
        if not self.outage:
            if not self.was_out:
                self._polled_all_along()
            self.referee()
        self.was_out = self.outage

    def _polled_all_along(self) -> None:
        with self.club.desk.store.writing() as connection:
            leases.note_polled(connection, self.now - MINUTE)

    def referee(self) -> None:
        """Read what arrived, do what is due, send, and let it be delivered."""
        while self.post.read < len(self.post.kept):
            self._keep(self.post.kept[self.post.read])
            self.post.read += 1
        outages.note_outage(self.club.desk, self.now)
        queue.handle_waiting(self.club.desk, lambda _: self.club.work())
        health.note_poll(self.club.desk, self.now)
        self.club.work()
        asyncio.run(Sending(self.club.desk, self.post).send_due())  # type: ignore[arg-type]
        taken, self.post.delivered = self.post.delivered, []
        for recipient, raw in taken:
            member = self.members.get(recipient.partition("@")[0])
            if member is not None:
                member.receive(raw)

    def say(self, name: str, match: str, text: str) -> None:
        """Let a member answer the last mail of a match with a text."""
        member = self.members[name]
        self._post(member, text, member.known[match].message_id)

    def write_again(self, match: str) -> None:
        """Let who wrote in vain, while the match was paused, write once more."""
        for member in self.members.values():
            if match in member.known:
                member.answered.discard(member.known[match].message_id)

    def _write(self, member: Member, known: Known) -> None:
        member.answered.add(known.message_id)
        orders = self._orders(known.turn["match"], known.turn["seat"])
        if orders:
            self._post(member, "\n".join(orders), known.message_id)

    def _post(self, member: Member, text: str, answers: str) -> None:
        self.letters += 1
        raw = letter(member.address, f"{text}\n", answers=answers, number=self.letters)
        self.post.drop(raw, self.now)

    def _orders(self, name: str, seat: str) -> list[str]:
        """Return what the seat may play until chance or somebody else acts, by lot."""
        desk = self.club.desk
        with desk.reading() as change:
            row = matches.find_match(change.connection, name)
            assert row is not None
            if row.state != "running" or row.to_act != seat:
                return []
            live = ledger.load_match(change, row).live
        return _turn(live.game, live.position, self.rng)

    def _keep(self, arrived: Arrived) -> None:
        with self.club.desk.store.writing() as connection:
            post_letters.keep_letter(
                connection,
                folder="INBOX",
                uidvalidity=1,
                uid=arrived.uid,
                arrived=arrived.moment,
                size=len(arrived.raw),
                truncated=False,
                raw=arrived.raw,
                mailbox=REFEREE,
                now=self.now,
            )


def _turn(game: AnyGame, position: Any, rng: Random) -> list[str]:
    actor = game.to_act(position)
    orders: list[str] = []
    while len(orders) < MOST_AT_ONCE and game.to_act(position) == actor != CHANCE:
        order = rng.choice(list(game.orders(position)))
        position, facts = game.apply(position, order)
        orders.append(game.format(order, "en"))
        if any(each.news for each in facts):
            break
    return orders


def _records(message: EmailMessage) -> dict[str, bytes]:
    """Return the records that came with a mail, by match."""
    named = {str(part.get_filename()): part for part in message.iter_attachments()}
    return {
        name.removesuffix(RECORD): unpacked(part.get_payload(decode=True))
        for name, part in named.items()
        if name.endswith(RECORD)
    }


def _turn_file(message: EmailMessage) -> dict[str, Any] | None:
    for part in message.iter_attachments():
        if part.get_filename() == "turn.json":
            document: dict[str, Any] = json.loads(part.get_payload(decode=True))
            return document
    return None
