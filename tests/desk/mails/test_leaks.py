"""Matches by mail: nobody is told what they may not know, in mails, logs or reasons."""

from __future__ import annotations

import ast
import inspect
import logging
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, TypeAlias

import pytest
from support.club import Club, letter
from support.leaks import InView
from support.spying import (
    Secrets,
    Spied,
    Unknown,
    check_found,
    content,
    letters_of,
    plain,
    redealt,
    words_of_hands,
    words_told,
)
from support.tables import Table, tables

from referee import desk, matches, render
from referee.cli.output.logs import DiscreetFormatter
from referee.desk.letters import case, intake, orders, steps
from referee.desk.letters.orders import PlayedPlace
from referee.desk.letters.words.places import Said, Understood
from referee.desk.mails import composer
from referee.desk.mails import report as mails_report
from referee.desk.mails.post import Binding
from referee.desk.matches import codes as matches_codes
from referee.desk.matches import ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.players import players_of
from referee.games.game import AnyGame, Fact, Seat
from referee.matches import turnfile
from referee.matches.match import Submitted
from referee.render.words.wording import Wording
from referee.store.post import letters, outbox
from referee.value import replace

SMALLEST = [table for table in tables() if len(table.seats) == min(table.game.seats)]

MOVES = 5_000
"""More than any match has."""

FIRST_MOVES = 20
"""Moves of a match that need not come to its end."""

LOGGED = 60
"""Moves of a match whose log is looked through."""

ALL_SEATS = 60
"""Moves of a match after each of which every seat is compared."""

Check: TypeAlias = Generator[None, LoadedMatch | None, None]
"""What looks at a match: sent it after each move, and nothing when it is over."""


class Undo(Exception):
    """Ends a block of which nothing is to remain."""


def report(spied: Spied, loaded: LoadedMatch, seat: Seat) -> list[tuple[str, bytes]]:
    """Return the report a seat would get now; nothing is sent."""
    found: list[tuple[str, bytes]] = []
    with suppress(Undo), spied.club.desk.writing() as change:
        mails_report.write_again(change, loaded, loaded.seat(seat))
        newest = outbox.latest_mails(change.connection, limit=1)[0]
        found += content(outbox.raw_mail(change.connection, newest.id))
        raise Undo
    return found


def receipt(spied: Spied, loaded: LoadedMatch, seat: Seat) -> tuple[str, str | None]:
    """Return the receipt a seat would get now for nothing."""
    live, played = loaded.live, PlayedPlace(loaded, Submitted(loaded.live, (), 0, None, None))
    with spied.club.desk.reading() as change:
        code = matches_codes.code_of(change, loaded.row, loaded.seat(seat))
        binding = Binding(loaded.row, loaded.seat(seat), live.turn.number, code)
        player = players_of(change.connection, loaded.seats)[seat]
        nothing = Understood(Said("text"), ())
        found = orders.receipt_of(change, player, binding, nothing, played)
    return found.text, found.html


def same_to_the_byte(spied: Spied) -> Check:
    """Report, turn file and receipt stay the same to the byte when the rest is dealt anew."""
    chance, compared, number, seats = Random(4), 0, 0, spied.table.seats
    while loaded := (yield):
        # Later on one after another: by then each has been compared in every kind of position.
        compare = seats if number < ALL_SEATS else seats[number % len(seats) :][:1]
        for seat in () if loaded.live.turn.over else compare:
            other = redealt(loaded, seat, chance)
            assert report(spied, loaded, seat) == report(spied, other, seat)
            assert receipt(spied, loaded, seat) == receipt(spied, other, seat)
            compared += other.live.position != loaded.live.position
        number += 1
    hides = any(fact.audience is not None for fact in spied.facts())
    assert compared > 0 or not hides


def no_word_of_what_is_hidden(spied: Spied) -> Check:
    """No mail holds a sentence that its reader may not know then, in their own language."""
    unknown = {
        seat: Unknown(Wording(spied.table.game, spied.language(seat)), seat)
        for seat in spied.table.seats
    }
    facts: list[Fact] = []
    looked_for, looked_at = 0, dict.fromkeys(spied.table.seats, 0)
    while (yield):
        fresh = spied.facts(len(facts))
        facts += fresh
        for seat, hidden in unknown.items():
            hidden.learn(fresh)
            looked_for += len(hidden.words)
            for mail in spied.mailed[seat][looked_at[seat] :]:
                text = plain(mail.text) + plain(mail.html)
                assert not {word for word in hidden.words if word in text}
            looked_at[seat] = len(spied.mailed[seat])
    assert min(looked_at.values()) > 2
    assert looked_for or not any(fact.audience is not None for fact in facts)


def no_code_of_another_seat(spied: Spied) -> Check:
    """Nobody gets the means to pose as somebody else, nor the seed before the end."""
    before_the_end: dict[Seat, int] = {}
    while loaded := (yield):
        if not loaded.live.turn.over:
            before_the_end = {seat: len(mails) for seat, mails in spied.mailed.items()}
    secrets = Secrets.of(spied.club)
    with spied.club.desk.store.reading() as connection:
        seats = ledger.matches.seats(connection, spied.club.match(spied.name).id)
        own = {
            seat.seat: {row.code for row in outbox.latest_mails(connection, limit=100_000)
                        if row.seat == seat.seat and row.code}
            for seat in seats
        }  # fmt: skip
    for seat, mails in spied.mailed.items():
        for number, mail in enumerate(mails):
            every = "\n".join(part.decode("utf-8", "replace") for _, part in content(mail.raw))
            if number < before_the_end[seat] or b"record.jsonl" not in mail.raw:
                assert secrets.found_in(every) <= own[seat]


def play(spied: Spied, *checks: Callable[[Spied], Check], most: int = MOVES) -> None:
    """Let a match be played, and show each check the match whenever it rests.

    It comes to its end unless it is to stop before, after so many moves at ``most``.
    """
    looking = [check(spied) for check in checks]
    for check in looking:
        next(check)
    for loaded in spied.moves(most):
        for check in looking:
            check.send(loaded)
    assert most < MOVES or spied.load().live.turn.over
    for check in looking:
        next(check, None)


# What writes and takes back again looks last.
ALL_CHECKS = (no_word_of_what_is_hidden, no_code_of_another_seat, same_to_the_byte)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("table", tables(), ids=lambda table: table.name)
def test_whole_matches_tell_nobody_what_they_may_not_know(club: Club, table: Table) -> None:
    """At every table, in every mail."""
    play(Spied.begin(club, table, seed=8), *ALL_CHECKS)


@pytest.mark.parametrize("table", SMALLEST, ids=lambda table: table.name)
def test_the_first_moves_tell_nobody_what_they_may_not_know(club: Club, table: Table) -> None:
    """Of each game, in every mail."""
    play(Spied.begin(club, table, seed=8), *ALL_CHECKS, most=FIRST_MOVES)


def test_a_view_that_tells_more_is_caught(club: Club) -> None:
    """The very same check fails for a game whose view holds something hidden."""
    spied = Spied.begin(club, small_table(), seed=3)
    find = club.desk.find_game
    club.desk = replace(club.desk, find_game=lambda name, edition: InView(find(name, edition)))
    with pytest.raises(AssertionError, match="turn"):
        play(spied, same_to_the_byte)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("table", SMALLEST, ids=lambda table: table.name)
def test_logs_and_reasons_hold_nothing_secret(
    club: Club, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """At the chattiest level: no code, seed, key or hidden word, no word that was written."""
    spied = Spied.begin(club, table, seed=3)
    caplog.set_level(logging.DEBUG)
    hidden: set[str] = set()
    for loaded in spied.moves(LOGGED):
        hidden |= words_of_hands(loaded, spied.table.seats)
    check_found(spied, hidden)
    spied.club.put(letter(f"{spied.table.seats[0]}@example.test", "hello"))
    told = "\n".join(
        [*(record.getMessage() for record in caplog.records), *map(str, letters_of(spied.club))]
    )
    assert "letter 1: handled" in told
    assert not Secrets.of(spied.club).found_in(told)
    assert not words_told(hidden, told)
    assert "hello" not in told


class Broken:
    """A game that fails with its secrets on its lips."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def apply(self, position: Any, order: Any) -> Any:
        try:
            {}[f"cause {position!r}"]
        except KeyError as cause:
            raise ValueError(f"secret {position!r} {order!r}") from cause


def test_a_fault_tells_where_it_was_and_not_what(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    """A letter that breaks a game leaves the way and the types in the log, in its reason a type."""
    from referee.desk.letters import queue

    spied = Spied.begin(club, small_table(), seed=1)
    loaded = next(spied.moves(1))
    find = club.desk.find_game
    actor = str(loaded.live.turn.seat)
    club.desk = replace(club.desk, find_game=lambda name, edition: Broken(find(name, edition)))
    mail = next(each for each in reversed(spied.mailed[actor]) if each.kind == "report")
    raw = letter(f"{actor}@example.test", "pass", answers=mail.message["Message-ID"])
    keep(club, raw)
    for _ in range(queue.MOST_ATTEMPTS):
        queue.handle_waiting(club.desk)
    formatted = "\n".join(map(DiscreetFormatter("%(message)s").format, caplog.records))
    assert "KeyError at" in formatted
    assert "ValueError at" in formatted
    assert "secret" not in formatted
    assert "cause" not in formatted
    assert letters_of(club)[0] == "ValueError while handling it"


def small_table() -> Table:
    """Return a table of a small game that hides something."""
    return next(each for each in tables() if each.game.name == "pebbles" and len(each.seats) == 2)


def keep(club: Club, raw: bytes) -> None:
    """Put a letter into the store as it comes, to be handled later."""
    with club.desk.store.writing() as connection:
        letters.keep_letter(
            connection,
            folder="INBOX",
            uidvalidity=1,
            uid=999,
            arrived=club.desk.now(),
            size=len(raw),
            raw=raw,
            now=club.desk.now(),
        )


def test_an_error_of_the_database_repeats_no_values(club: Club) -> None:
    """A statement that fails is told without what it was to write."""
    from sqlalchemy import text
    from sqlalchemy.exc import SQLAlchemyError

    with pytest.raises(SQLAlchemyError) as failed, club.desk.store.writing() as connection:
        connection.execute(text("insert into codes (code) values (:code)"), {"code": "K7PQM2XD"})
    assert "K7PQ" not in str(failed.value)


ALLOWED = {"view", "orders", "points"}
"""What of a game may be asked about a position on its way into a mail."""


@pytest.mark.fast
@pytest.mark.parametrize("module",
                         [mails_report, composer, case, orders, steps, intake,
                          turnfile],
                         ids=lambda each: each.__name__)  # fmt: skip
def test_a_position_is_only_asked_for_views_orders_and_points(module: ModuleType) -> None:
    """Where mails are made no position is used but as what a view, orders or points are of."""
    tree = ast.parse(inspect.getsource(module))
    asked = {
        id(argument)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ALLOWED
        for argument in call.args[:1]
    }
    used = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr == "position"]
    assert [ast.unparse(each) for each in used if id(each) not in asked] == []


@pytest.mark.fast
def test_a_scene_is_drawn_from_a_view() -> None:
    """Whoever draws a board gives a game a view; a match is asked for the scene of a seat."""
    drawn = [
        (ast.unparse(call.func.value), ast.unparse(call.args[0]))
        for room in (desk, matches, render)
        for file in Path(next(iter(room.__path__))).rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "scene"
    ]
    games = [given for asked, given in drawn if asked.endswith("game")]
    assert games
    assert [each for each in games if "view" not in each] == []
    seats = [given for asked, given in drawn if not asked.endswith("game")]
    assert [each for each in seats if "position" in each] == []


@pytest.mark.fast
def test_what_words_a_mail_knows_neither_matches_nor_the_store() -> None:
    """Nothing in render imports what holds a position, a log or a row."""
    folder = Path(next(iter(render.__path__)))
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            named += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            for each in named:
                assert not each.startswith(("referee.matches", "referee.store", "referee.desk"))
