"""A table where people write honestly and others write in their name, at any level of trust."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from support.club import Club, Mail, undone

from referee.desk.plans.board import Undo
from referee.desk.plans.plan import apply_act
from referee.mail.addressing import addresses
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import outbox

US = "mx.referee.test"
ALICE, BOB, MALLORY = "alice@wonder.test", "bob@builder.test", "mallory@elsewhere.test"
LEVELS = ("code", "dmarc")

SAID = {
    "played": "our mail has been carried out",
    "no-code": "your mail bears no reply code",
    "old-code": "your mail answers turn",
    "foreign-code": "does not belong to you",
    "other-history": "is of another history of the match, or mistyped",
    "codes-disagree": "reply codes that do not belong together",
    "wrong-match": "your mail names the match",
    "not-your-turn": "it is not your turn. You will get a report",
    "no-orders": "nothing in your mail looked like an order",
    "no-dmarc": "it is not proved that the mail is from",
    "encrypted": "your mail is encrypted",
    "agreed": "You have agreed to play",
    "confirm": "answer this mail with the one word “yes”",
    "set-done": "Von jetzt an kommen deine Mails auf Deutsch",
    "digest-done": "From now on you get one mail a day",
    "join-none": "is no match that you can join now",
    "watch-none": "there is no match",
    "stop-nothing": "you watch no match",
    "taken-back": "was taken back on",
    "which-match": "not clear which match you mean",
    "help": "You can write these commands",
    "matches": "These are the matches you take part in",
    "rules": "as the referee enforces them",
    "show": "as you may see it. Nothing was changed",
    "message": ") writes to ",
    "message-sent": "Your message was sent to",
    "message-empty": "no text follows it",
    "message-cut": "text of the referee's own",
    "message-held": "holds a reply code or an order box",
    "note-kept": "You alone see it",
    "away-noted": "no time of yours runs then",
    "named": "the others see you as",
}


@dataclass
class Table:
    """A club at a level of trust, with what Alice and Bob were mailed last."""

    club: Club
    level: str
    number: int = 0
    mails: dict[tuple[str, str], list[Mail]] = field(default_factory=dict)

    @contextmanager
    def undone(self) -> Iterator[Table]:
        """Open this table once more; whatever happens at it is undone at the end."""
        with undone(self.club) as club:
            mails = {key: [*found] for key, found in self.mails.items()}
            yield Table(club, self.level, self.number, mails)

    def begin(self, *, begins: bool = True) -> None:
        """Set up two matches of Alice (red) and Bob (blue)."""
        self.club.settle(trust=self.level, authserv_id=US)
        for _ in range(2):
            self.club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=begins)
        self.look()

    def turn_three(self) -> None:
        """Let both play a turn in the first match; Alice is to act again."""
        for who in (ALICE, BOB):
            report = self.report(who)
            line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
            assert self.outcome(self.letter(who, line, answers=report)) == "played"
            self.look()

    def take_back(self) -> None:
        """Let the organiser take back the last turn of the first match; new reports go out."""
        apply_act(self.club.desk, Undo("pebbles-1", revealed=True), "a slip")
        self.look()

    def look(self) -> None:
        """Do what is due and take the mails."""
        self.club.work()
        for who in (ALICE, BOB):
            for each in self.club.mails(who):
                match = each.message["Subject"].partition("]")[0].lstrip("[")
                self.mails.setdefault((who, match), []).append(each)

    def report(self, who: str, match: str = "pebbles-1", back: int = 1) -> Mail:
        """Return the last report (or invitation) to somebody, or an earlier one."""
        kinds = {"report", "invitation"}
        return [each for each in self.mails[who, match] if each.kind in kinds][-back]

    def code(self, who: str, match: str = "pebbles-1", back: int = 1) -> str:
        """Return the reply code in the box of a report."""
        lines = self.report(who, match, back).text.splitlines()
        line = next(each for each in lines if each.startswith(f"=== {match}"))
        return line.removesuffix(" ===").rpartition(" ")[2]

    def letter(
        self,
        by: str,
        text: str,
        *,
        sender: str | None = None,
        answers: Mail | None = None,
        quotes: Mail | None = None,
        headers: Iterable[str] = (),
        seal: Callable[[str], str] = str,
    ) -> bytes:
        """Return a letter as it arrives, written from ``by``'s account.

        ``sender`` is the From header, ``answers`` what In-Reply-To names and, unless ``quotes``
        says otherwise, what stands below the text; ``headers`` come with the letter, below what
        our server adds. ``seal`` is done with its whole text, as by a program that signs.
        """
        self.number += 1
        quotes = quotes or answers
        below = "".join(f"> {line}\n" for line in quotes.text.splitlines()) if quotes else ""
        said = f"{text}\n\nThe referee wrote:\n{below}" if below else f"{text}\n"
        sender = by if sender is None else sender
        top = [self.stamp(by, sender), *headers, *([f"From: {sender}"] if sender else [])]
        top += ["To: referee@example.test", f"Message-ID: <{self.number}@{self.level}.test>"]
        if answers is not None:
            top += [f"In-Reply-To: {answers.message['Message-ID']}"]
        kind = ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
        return "\n".join([*top, *kind, "", seal(said)]).encode()

    @staticmethod
    def stamp(by: str, sender: str) -> str:
        """Return what our mail server finds out: whether From's domain is the true one."""
        domain = addresses(sender)[-1].partition("@")[2] if addresses(sender) else "none.test"
        good = domain == by.partition("@")[2]
        found = f"dmarc={'pass' if good else 'fail'} header.from={domain}"
        return f"Authentication-Results: {US}; {found}"

    def outcome(self, raw: bytes) -> str:
        """Let a letter arrive; return what its supposed sender is told, answers joined by plus.

        Nobody but Alice and Bob is ever mailed, and unless something is played or agreed to,
        nothing at all has changed.
        """
        before = self.state()
        with self.club.desk.store.reading() as connection:
            last = max((each.id for each in outbox.latest_mails(connection)), default=0)
        self.club.put(raw)
        told = []
        with self.club.desk.store.reading() as connection:
            for row in reversed(outbox.latest_mails(connection)):
                if row.id > last:
                    assert row.recipient in {ALICE, BOB}
                    told += _keys(outbox.raw_mail(connection, row.id))
        answers = [each for each in told if each != "message"]
        changing = {"played", "agreed", "set-done", "digest-done", "named"}
        assert (self.state() != before) == bool(changing & set(answers))
        return "+".join(answers) or "silence"

    def state(self) -> object:
        """Return all that a letter could change in either match."""
        with self.club.desk.store.reading() as connection:
            rows = [matches.find_match(connection, f"pebbles-{n}") for n in (1, 2)]
            seats = [matches.seats(connection, row.id) for row in rows if row]
            everybody = players.all_players(connection)
        kept = [(row.seq, row.state, row.words, row.clock, row.due) for row in rows if row]
        agreed = [(each.seat, each.agreed, each.player_id) for some in seats for each in some]
        return kept, agreed, everybody


def _keys(raw: bytes) -> list[str]:
    """Return what a mail says, one thing or, where it says so, several in their sequence."""
    from email import message_from_bytes, policy

    body = message_from_bytes(raw, policy=policy.default).get_body(("plain",))
    text = " ".join(body.get_content().split())
    found = sorted((text.index(phrase), key) for key, phrase in SAID.items() if phrase in text)
    heads = ("asked for several things", "Part of your mail has been carried out", "Your orders: ·")
    several = any(each in text for each in heads)
    assert len(found) == 1 or (found and several), (found, text)
    return [key for _, key in found]
