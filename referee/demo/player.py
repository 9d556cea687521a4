"""Alice, a scripted player: the referee's mail in, her answers out.

She knows no more than the mails say and how orders are written, like a person with the rules.
"""

from __future__ import annotations

import json
import re
import smtplib
from collections.abc import Sequence
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from queue import Empty, SimpleQueue
from random import Random
from threading import Thread
from typing import Any, Final

from referee.value import Value

LIKED: Final = ("challenge", "attack")
"""Kinds of order she prefers, best first."""

ONE_BY_ONE: Final = (*LIKED, "exchange")
"""Kinds of order whose outcome she waits for before she goes on."""

MOST_TRIES: Final = 40
"""Orders she tries in one turn at most."""

MOST_TURNS: Final = 120
"""The turn of a match from which on she gives up: a demo shall be short, and bots shuffle."""

FOLLOWING_SECONDS: Final = 1.5
"""Time she leaves for another mail before a ``patient`` answer."""

SMTP_SECONDS: Final = 30
"""Time she waits for the server that takes her answers."""

LUCK: Final = ("seven ravens", "salt and smoke", "a calm sea", "birch bark", "the long night")

_AGREE: Final = re.compile(r"·\s*agree\b")
_LUCK: Final = re.compile(r"·\s*luck\b")
_SUGGESTED: Final = re.compile(r"You could write:(.*(?:\n {2}.*)*)")
_STILL_MINE: Final = re.compile(r"\b(?:It is your turn|Your turn is still open)\b")
_ENDS: Final = re.compile(r"“(\w+)”\s+ends\s+it")


class ReadMail(Value):
    """A mail as its reader sees it, with any turn file."""

    message: EmailMessage
    text: str
    match: str
    turn: dict[str, Any] | None


def read_mail(raw: bytes) -> ReadMail:
    """Return the mail in some bytes, as its reader sees it."""
    message = message_from_bytes(raw, policy=policy.default)
    if not isinstance(message, EmailMessage):
        raise TypeError("the default policy makes other messages")
    body = message.get_body(("plain",))
    text = str(body.get_content()) if body is not None else ""
    turn = None
    for part in message.iter_attachments():
        if part.get_filename() == "turn.json":
            document = json.loads(part.get_content())
            turn = document if document.get("kind") == "turn" else None
    named = re.search(r"\[([a-z][a-z0-9]*-[0-9]+)\]", str(message["Subject"]))
    match = str(turn["match"]) if turn else named[1] if named else ""
    return ReadMail(message, text.replace("\r\n", "\n"), match, turn)


@dataclass(slots=True)
class Memory:
    """Her memory of a match: its last turn file and her answers."""

    turn: dict[str, Any] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    over: bool = False


class PlayerReply(Value):
    """Lines in answer to a mail. A ``patient`` reply gives way to another mail."""

    mail: ReadMail
    lines: tuple[str, ...]
    patient: bool = False


class DemoPlayer:
    """A player who remembers her matches; a seed decides her choices."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._matches: dict[str, Memory] = {}

    @property
    def finished(self) -> bool:
        """Whether she has played, and all her matches are over."""
        return bool(self._matches) and all(match.over for match in self._matches.values())

    def answer(self, mail: ReadMail) -> PlayerReply | None:
        """Return her answer to a mail of the referee's, or None."""
        if (turn := mail.turn) is not None:
            memory = self._matches.setdefault(mail.match, Memory())
            if turn.get("turn") != memory.turn.get("turn"):
                memory.written.clear()
            memory.turn = turn
            memory.over = turn.get("to_act") is None
            mine = turn.get("to_act") == turn.get("seat")
            if mine and turn["turn"] > MOST_TURNS:
                return PlayerReply(mail, ("resign",))
            return self._reply(mail, memory, turn["legal"]) if mine else None
        if _AGREE.search(mail.text):
            self._matches.setdefault(mail.match, Memory())
            words = self._random(mail.match).choice(LUCK)
            luck = (f"luck {words}",) if _LUCK.search(mail.text) else ()
            return PlayerReply(mail, ("agree", *luck))
        # Everything else is a receipt for what she wrote.
        known = self._matches.get(mail.match)
        if known is None or known.over:
            return None
        if lines := suggestions(mail.text):
            return self._reply(mail, known, lines)
        if _STILL_MINE.search(mail.text) and known.turn:
            return self._reply(mail, known, known.turn["legal"], patient=True)
        return None

    def _reply(
        self, mail: ReadMail, memory: Memory, lines: Sequence[str], *, patient: bool = False
    ) -> PlayerReply | None:
        # What was refused once would be refused again.
        fresh = [line for line in lines if line not in memory.written]
        if not fresh or len(memory.written) >= MOST_TRIES:
            return None
        rng = self._random(mail.match, memory.turn.get("turn"), len(memory.written))
        ends = _ENDS.search(mail.text)
        chosen = choose_rest(fresh, ends[1], rng) if ends else (choose(fresh, rng),)
        memory.written += chosen
        return PlayerReply(mail, chosen, patient)

    def _random(self, *what: object) -> Random:
        # By turn and try, not one generator: mails may come in another order the next time.
        return Random(f"{self._seed} {what}")


def suggestions(text: str) -> list[str]:
    """Return the orders that a receipt suggests in place of refused ones."""
    orders = (order for block in _SUGGESTED.findall(text) for order in block.split("·"))
    return [line for order in orders if (line := " ".join(order.split()))]


def choose(lines: Sequence[str], rng: Random) -> str:
    """Return an order of her favourite kind, or one of the longest."""
    for word in LIKED:
        if liked := [line for line in lines if line.split()[0] == word]:
            return rng.choice(liked)
    most = max(len(line.split()) for line in lines)
    return rng.choice([line for line in lines if len(line.split()) == most])


def choose_rest(lines: Sequence[str], end: str, rng: Random) -> tuple[str, ...]:
    """Return the rest of an open turn: an order of each kind, then the word that ends it.

    Orders that share no word do not stand in each other's way.
    """
    first = choose(lines, rng)
    if first == end or first.split()[0] in ONE_BY_ONE:
        return (first,)
    chosen = [first]
    for kind in sorted({line.split()[0] for line in lines} - {end, *ONE_BY_ONE}):
        taken = {word for line in chosen for word in line.split()}
        apart = [line for line in lines if line.split()[0] == kind and not taken & {*line.split()}]
        if apart:
            chosen.append(rng.choice(apart))
    return (*chosen, end)


class Alice(Thread):
    """Alice at her mail: what comes into her inbox is answered, until every match is over."""

    def __init__(
        self,
        address: str,
        password: str,
        smtp: tuple[str, int],
        inbox: SimpleQueue[bytes],
        seed: int,
    ) -> None:
        """Make her; ``smtp`` is the server that takes her answers."""
        super().__init__(name="alice", daemon=True)
        self.player = DemoPlayer(seed)
        self._account = (address, password, smtp)
        self._inbox = inbox

    def run(self) -> None:
        """Answer mails as they come."""
        patient: PlayerReply | None = None
        while not self.player.finished:
            try:
                raw = self._inbox.get(timeout=FOLLOWING_SECONDS if patient else None)
            except Empty:
                reply, patient = patient, None
            else:
                reply, patient = self.player.answer(read_mail(raw)), None
                # A receipt is often followed by the next report, which makes its answer wrong.
                if reply and reply.patient:
                    reply, patient = None, reply
            if reply:
                send_reply(reply, *self._account)


def send_reply(reply: PlayerReply, address: str, password: str, smtp: tuple[str, int]) -> None:
    """Send an answer like a mail program, threaded and with a quotation."""
    answered = reply.mail.message
    sender, subject = answered["Reply-To"] or answered["From"], str(answered["Subject"])
    thread = f"{answered.get('References', '')} {answered['Message-ID']}"
    message = EmailMessage()
    message["From"] = address
    message["To"] = parseaddr(sender)[1]
    message["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    message["Date"] = formatdate(localtime=True)
    message["Message-ID"] = make_msgid(domain=address.partition("@")[2])
    message["In-Reply-To"] = answered["Message-ID"]
    message["References"] = " ".join(thread.split())
    quoted = "\n".join(f"> {line}".rstrip() for line in reply.mail.text.splitlines())
    said = f"On {answered['Date']}, {sender} wrote:"
    message.set_content("\n".join([*reply.lines, "", said, "", quoted, ""]))
    with smtplib.SMTP(*smtp, timeout=SMTP_SECONDS) as server:
        server.login(address, password)
        server.send_message(message)
