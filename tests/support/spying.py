"""Matches played by mail as people play them, and what nobody else may come to know of them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from support.club import Club, Mail
from support.tables import Table

from referee.desk.matches import ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder, read_options
from referee.games.game import Fact, Seat
from referee.mail.codes import codes_in
from referee.render.words.wording import Wording
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters
from referee.value import replace

LANGUAGES = ("en", "de")


def plain(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


@dataclass
class Spied:
    """A match by mail: its people, everything each of them was mailed, and chance for moves."""

    club: Club
    table: Table
    name: str
    chance: Random
    mailed: dict[Seat, list[Mail]] = field(default_factory=dict)

    @classmethod
    def begin(cls, club: Club, table: Table, seed: int) -> Spied:
        """Set up a match with a seed no mail tells; its people read English and German in turn."""
        people = {seat: f"{seat}@example.test" for seat in table.seats}
        with club.desk.writing() as change:
            for n, (seat, address) in enumerate(people.items()):
                players.insert_player(
                    change.connection, name=f"p-{seat}", language=LANGUAGES[n % 2], zone="UTC",
                    address=address, now=club.desk.now(),
                )  # fmt: skip
            holders = tuple(
                parse_holder(f"{seat}={who}", table.game) for seat, who in people.items()
            )
            options = read_options(table.game, [])
            secret = Random(seed).randbytes(32)
            plan = MatchSetup(table.game, holders, options, begins=True, seed=secret)
            row = setup.set_up_match(change, plan)
        return cls(club, table, row.name, Random(seed))

    def moves(self, most: int) -> Iterator[LoadedMatch]:
        """Let the people play, write and err; yield the match each time it rests."""
        for _ in range(most):
            self.club.work()
            self.read()
            loaded = self.load()
            yield loaded
            if loaded.live.turn.over:
                return
            self._somebody_writes(loaded)

    def read(self) -> None:
        """Take everybody's mails."""
        for seat in self.table.seats:
            self.mailed.setdefault(seat, []).extend(self.club.mails(f"{seat}@example.test"))

    def load(self) -> LoadedMatch:
        """Return the match as it stands."""
        with self.club.desk.reading() as change:
            return ledger.load_match(change, self.club.match(self.name))

    def facts(self, begun: int = 0) -> list[Fact]:
        """Return all that ever happened, private things included; or from so many facts on."""
        row = self.club.match(self.name)
        with self.club.desk.store.reading() as connection:
            every = matches.events(connection, row.id)
        return [fact for each in every for fact in ledger.facts_from_json(each.facts)][begun:]

    def language(self, seat: Seat) -> str:
        return LANGUAGES[self.table.seats.index(seat) % 2]

    def _somebody_writes(self, loaded: LoadedMatch) -> None:
        actor = loaded.live.turn.seat
        assert actor is not None
        game, language = loaded.game, self.language(actor)
        legal = list(game.orders(loaded.live.position))
        order = game.format(self.chance.choice(legal), language)
        text = self.chance.choices(
            [order, f"{order}\n{order}", f"preview\n{order}", "show", "message all: hello", "help"],
            [20, 3, 1, 1, 1, 1],
        )[0]
        self._answer(actor, text)
        others = [seat for seat in self.table.seats if seat != actor]
        if self.chance.random() < 0.15:
            other = self.chance.choice(others)
            theirs = game.format(self.chance.choice(legal), self.language(other))
            self._answer(other, self.chance.choice([theirs, f"queue {theirs}", "cancel", "show"]))

    def _answer(self, seat: Seat, text: str) -> None:
        self.read()
        # The same words to the same mail are a repeat, also where they are due again.
        newest = next(
            mail for mail in reversed(self.mailed[seat]) if mail.kind in {"report", "receipt"}
        )
        self.club.answer(newest, text, f"{seat}@example.test")


def private_words(game: Any, facts: list[Fact], language: str, seat: Seat | None) -> set[str]:
    """Return the sentences that tell what a seat (None: everybody) may not know.

    A sentence that also tells something it may know is none of them.
    """
    return _private(Wording(game, language), facts, seat)


def _private(wording: Wording, facts: list[Fact], seat: Seat | None) -> set[str]:
    private = {plain(wording.fact(each)) for each in facts if not each.known_to(seat)}
    for other in {each for fact in facts for each in fact.audience or ()}:
        private |= _sentences(wording, facts, other)
    return private - _sentences(wording, facts, seat)


def _sentences(wording: Wording, facts: list[Fact], seat: Seat | None) -> set[str]:
    """Return the sentences that tell a seat of facts, one by one and at once."""
    learnt = [each for each in facts if each.known_to(seat)]
    return {plain(each) for each in (*map(wording.fact, learnt), *wording.facts(learnt))}


@dataclass
class Unknown:
    """The sentences that tell what a seat may not know, as far as the match has come."""

    wording: Wording
    seat: Seat
    known: set[str] = field(default_factory=set)
    private: set[str] = field(default_factory=set)

    def learn(self, facts: list[Fact]) -> None:
        """Go on by some facts."""
        self.known |= _sentences(self.wording, facts, self.seat)
        self.private |= _private(self.wording, facts, self.seat)

    @property
    def words(self) -> set[str]:
        """What no mail may have told by now."""
        return self.private - self.known


def redealt(loaded: LoadedMatch, seat: Seat, chance: Random) -> LoadedMatch:
    """Return the match with everything dealt anew that a seat cannot know."""
    live = loaded.live
    position = live.game.redeal(live.position, seat, chance)
    return replace(loaded, live=dataclasses.replace(live, position=position))


def content(raw: bytes) -> list[tuple[str, bytes]]:
    """Return a mail's headers and parts without what is new in every mail."""
    from email import message_from_bytes, policy

    message = message_from_bytes(raw, policy=policy.default)
    fresh = {"message-id", "content-type"}
    top = [(name, str(value).encode()) for name, value in message.items()]
    parts = [each for each in message.walk() if not each.is_multipart()]
    return [each for each in top if each[0].lower() not in fresh] + [
        (each.get_content_type(), each.get_payload(decode=True)) for each in parts
    ]


@dataclass
class Secrets:
    """What no log, no error and no list may hold."""

    codes: set[str]
    others: set[str]

    @classmethod
    def of(cls, club: Club, *more: str) -> Secrets:
        """Return the codes and seeds of a club's matches, its key, and more that is named."""
        from base64 import b64encode

        from sqlalchemy import text

        key = club.desk.settings.key
        others = {key.hex(), b64encode(key).decode(), key.decode("latin-1"), *more}
        with club.desk.store.reading() as connection:
            codes = set(connection.execute(text("select code from codes")).scalars())
            for row in matches.select_matches(connection):
                others |= {row.seed.hex(), b64encode(row.seed).decode(), repr(row.seed)[2:-1]}
        assert codes
        return cls(codes, others)

    def found_in(self, text: str) -> set[str]:
        """Return the secrets a text holds, codes in any writing."""
        tight = re.sub(r"\s", "", text)
        held = {each for each in self.others if each in text or each in tight}
        return held | (self.codes & set(codes_in(text)))


def words_of_hands(loaded: LoadedMatch, seats: tuple[Seat, ...]) -> set[str]:
    """Return the words in what a seat alone sees: in its view, but not in a spectator's."""
    game, position = loaded.game, loaded.live.position
    shown = game.view(position, None).document
    views = [game.view(position, seat).document for seat in seats]
    return {word for view in views for word in _words_beyond(view, shown)} - {*_words(shown)}


def _words_beyond(view: object, shown: object) -> Iterator[str]:
    """Yield the words of a view where it differs from what is shown to all.

    A field that others lack is no secret by its name, which is the game's; its value is one. Cards
    that are counted are names too, each with its number.
    """
    if isinstance(view, dict) and isinstance(shown, dict):
        for name, value in view.items():
            yield from _words_beyond(value, shown.get(name))
    elif view != shown:
        yield from _words(view)


def _words(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        if all(isinstance(each, int) for each in value.values()):
            yield from value
        for each in value.values():
            yield from _words(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _words(each)
    elif isinstance(value, str) and value:
        yield value


def words_told(words: set[str], text: str) -> set[str]:
    """Return those of the words that stand in a text as whole words, be it in JSON."""
    plain_text = re.sub(r"\\[nrt]", " ", text)
    whole = r"(?<![^\W_]){}(?![^\W_])"
    return {word for word in words if re.search(whole.format(re.escape(word)), plain_text)}


NUMBERED = {"pebbles"}
"""Games that hide numbers alone, which stand in every list and every log for other reasons."""


def check_found(spied: Spied, hidden: set[str]) -> None:
    """Check that there were words to look for, if the game hides any."""
    hides = any(fact.audience is not None for fact in spied.facts())
    assert hidden or not hides or spied.table.game.name in NUMBERED


def letters_of(club: Club) -> list[str | None]:
    """Return the reasons all letters bear."""
    with club.desk.store.reading() as connection:
        return [each.reason for each in letters.latest_letters(connection, limit=100_000)]
