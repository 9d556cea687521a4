"""Players who write letters to a referee that is being killed, and remember what they wrote."""

from __future__ import annotations

import email.policy
import json
import smtplib
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from random import Random
from typing import Any, Literal

from support.dovecot import Dovecot
from support.smtpd import Delivered, SmtpServer

Kind = Literal["orders", "illegal", "same", "message", "chat", "stranger", "robot", "poison"]

ILLEGAL = ("put 9 A1", "put 1 Z9", "let", "bar 1")


@dataclass
class Sent:
    """A letter as its writer remembers it; ``orders`` by match, ``copies`` that were delivered."""

    number: int
    kind: Kind
    sender: str
    message_id: str
    raw: bytes
    orders: dict[str, str] = field(default_factory=dict)
    answers: str | None = None
    copies: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """What a player knows of a match: the turn file and the mail it came with.

    ``shared``: the mail is about other matches, too, so that only a box names this one.
    """

    document: dict[str, Any]
    message_id: str
    shared: bool = False

    def boxed(self, order: str) -> str:
        """Return an order in its match's box."""
        asked = self.document
        head = f"{asked['match']} · turn {asked['turn']} · {asked['seat']} · {asked['code']}"
        return f"=== {head} ===\n{order}\n=== end ===\n"

    def written(self, order: str) -> str:
        """Return an order as it has to be written in an answer to the mail."""
        return self.boxed(order) if self.shared else order

    @property
    def mine(self) -> bool:
        return bool(self.document["to_act"] == self.document["seat"])

    @property
    def moment(self) -> tuple[str, str, str]:
        # Time that is given back moves the head, and nothing that a player would write again for.
        stands = [self.document[key] for key in ("turn", "view", "legal")]
        return self.document["match"], self.document["seat"], json.dumps(stands, sort_keys=True)


@dataclass
class Correspondents:
    """Everybody who writes to one referee. ``chance`` decides what they write."""

    address: str
    dovecot: Dovecot
    smtp: SmtpServer
    chance: Random
    players: tuple[str, ...]
    sent: list[Sent] = field(default_factory=list)
    quiet: bool = False
    _read: int = 0
    _seen: set[str] = field(default_factory=set)
    _answered: set[tuple[str, str, str]] = field(default_factory=set)
    _turns: dict[tuple[str, str], Turn] = field(default_factory=dict)
    _since_poison: int = 0

    def act(self) -> int:
        """Read what came and write what there is to write; return how many letters that were."""
        self._read_mails()
        before = len(self.sent)
        for player in self.players:
            mine = [turn for (who, _), turn in self._turns.items() if who == player and turn.mine]
            waiting = [turn for turn in mine if turn.moment not in self._answered]
            if len(waiting) > 1 and self.chance.random() < 0.3:
                self._write_boxes(player, waiting)
            else:
                for turn in waiting:
                    self._write_turn(player, turn)
        if not self.quiet and self.chance.random() < 0.2:
            self._write_noise()
        return len(self.sent) - before

    def _read_mails(self) -> None:
        mails = self.smtp.delivered
        while self._read < len(mails):
            mail = mails[self._read]
            self._read += 1
            if mail.recipient in self.players:
                self._note(mail)

    def _note(self, mail: Delivered) -> None:
        message = BytesParser(policy=email.policy.default).parsebytes(mail.raw)
        assert isinstance(message, EmailMessage)
        message_id = str(message["Message-ID"])
        if message_id in self._seen:
            return
        self._seen.add(message_id)
        for part in message.iter_attachments():
            # A mail about several matches names each file after its match.
            name = str(part.get_filename())
            if name.endswith("turn.json"):
                document = json.loads(part.get_payload(decode=True) or b"")
                turn = Turn(document, message_id, shared=name != "turn.json")
                self._turns[(mail.recipient, document["match"])] = turn

    def _write_turn(self, player: str, turn: Turn) -> None:
        match = str(turn.document["match"])
        dice = self.chance.random()
        if not self.quiet and dice < 0.15:
            text = self.chance.choice(ILLEGAL)
            self.write("illegal", player, turn.written(text), {match: text}, turn.message_id)
        order = self.chance.choice(turn.document["legal"])
        text = turn.written(order)
        letter = self.write("orders", player, text, {match: order}, turn.message_id)
        self._answered.add(turn.moment)
        if not self.quiet and dice > 0.85:
            self.write("same", player, text, {match: order}, turn.message_id)
        elif not self.quiet and dice > 0.7:
            self.deliver(letter)

    def _write_boxes(self, player: str, turns: list[Turn]) -> None:
        """Answer several matches in one letter, a box for each."""
        boxes, orders = [], {}
        for turn in turns:
            order = self.chance.choice(turn.document["legal"])
            boxes.append(turn.boxed(order))
            orders[turn.document["match"]] = order
            self._answered.add(turn.moment)
        self.write("orders", player, "\n".join(boxes), orders, turns[0].message_id)

    def _write_noise(self) -> None:
        player, number = self.chance.choice(self.players), len(self.sent)
        known = [turn for (who, _), turn in self._turns.items() if who == player]
        kind = self.chance.choice(("message", "chat", "stranger", "robot", "again", "poison"))
        if kind == "message" and known:
            turn = self.chance.choice(known)
            text = f"message all\nword {number} of {player.partition('@')[0]}\nend"
            match = str(turn.document["match"])
            said = turn.written(text)
            self.write("message", player, said, {match: f"word {number}"}, turn.message_id)
        elif kind == "chat":
            self.write("chat", player, "Lovely weather, is it not? I put the lot.", {}, None)
        elif kind == "stranger":
            self.write("stranger", "eve@example.test", "help", {}, None)
        elif kind == "robot":
            self.write("robot", player, "I am away.", {}, None, Auto_Submitted="auto-replied")
        elif kind == "again" and self.sent:
            self.deliver(self.chance.choice(self.sent[-20:]))
        elif kind == "poison" and self._since_poison > 10:
            self.write_poison()

    def write_poison(self) -> None:
        """Write a letter whose handling raises."""
        self._since_poison = 0
        self.write("poison", self.players[0], "help", {}, None, X_Poison="intake")

    def write(
        self,
        kind: Kind,
        sender: str,
        text: str,
        orders: dict[str, str],
        answers: str | None,
        **headers: str,
    ) -> Sent:
        """Write a letter, deliver it, and remember it."""
        number = len(self.sent)
        message = EmailMessage()
        message["From"], message["To"] = sender, self.address
        message["Subject"] = "Re: your move"
        message["Message-ID"] = f"<{number}.{self.chance.getrandbits(64)}@example.test>"
        if answers:
            message["In-Reply-To"] = message["References"] = answers
        for name, value in headers.items():
            message[name.replace("_", "-")] = value
        message.set_content(text)
        raw = message.as_bytes()
        sent = Sent(number, kind, sender, str(message["Message-ID"]), raw, orders, answers)
        self.sent.append(sent)
        self._since_poison += 1
        self.deliver(sent)
        return sent

    def deliver(self, letter: Sent) -> None:
        """Deliver a letter, again if it was before: then it came another way."""
        letter.copies += 1
        way = f"Received: from relay{letter.copies}.example.test by mx.example.test\r\n"
        raw = letter.raw if letter.copies == 1 else way.encode() + letter.raw
        with smtplib.LMTP("127.0.0.1", self.dovecot.lmtp) as client:
            client.sendmail(letter.sender, [self.address], raw)

    def of(self, *kinds: Kind) -> Iterator[Sent]:
        """Return the letters of some kinds."""
        return (each for each in self.sent if each.kind in kinds)
