"""The record: what it holds, and that whatever is changed in it is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from support.matches import (
    ARRIVAL,
    GAME,
    SEED,
    WHY,
    events,
    exported,
    forged,
    orders,
    played,
    terms,
)

from referee.games import registry
from referee.games.game import Board, Document, Result
from referee.games.play import canonical_json
from referee.matches import croupier, record
from referee.matches.log import annotate, conclude
from referee.matches.match import new_match, submit
from referee.matches.record import finished_of, verify_record
from referee.value import replace

pytestmark = pytest.mark.fast


UNPROVABLE = {"given", "practice"}
"""What the header claims against the referee's own interest; heads in mails bind it."""


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """Return the record of a short match: both draw their hands, red puts, peeks and all pass."""
    match, logged = new_match(GAME, terms(words={"red": "glück"}), SEED)
    weight = match.position.hand("red")[0]
    log = list(logged)
    for seat, given in (
        ("red", orders("peek blue", f"put {weight} A1")),
        ("blue", orders("pass")),
        ("red", orders("pass")),
    ):
        done = submit(match, seat, given, ARRIVAL)
        match, log = done.match, [*log, *done.logged]
    return exported(match, log)


def _verdict(lines: list[str]) -> record.Verdict:
    return verify_record(lines, registry.find_installed)


@pytest.mark.parametrize("choice", range(6))
@pytest.mark.parametrize("seats", [("red", "blue"), ("green", "red", "blue")])
def test_record_of_a_match_verifies(choice: int, seats: tuple[str, ...]) -> None:
    """What was played is consistent in itself; orders and draws are counted."""
    match, log = played(terms(seats), choice)
    verdict = _verdict(exported(match, log))
    draws = sum(each.event.kind == "chance" for each in log)
    found = (verdict.ok, verdict.match, verdict.orders, verdict.draws)
    assert found == (True, "pebbles-7", len(log) - draws, draws)


def test_record_may_be_read_as_bytes_with_line_ends(lines: list[str]) -> None:
    """A file opened in binary verifies as the lines it was written from."""
    assert verify_record(
        [f"{line}\n".encode() for line in lines], registry.find_installed
    ) == _verdict(lines)


def test_record_is_header_events_and_closing_line(lines: list[str]) -> None:
    """The lines are canonical JSON; seed, result and number of events come last."""
    documents = [json.loads(line) for line in lines]
    assert [canonical_json(each) for each in documents] == lines
    assert [each["kind"] for each in documents] == [
        "header",
        *["chance"] * 4,
        "order",
        "order",
        "chance",
        "order",
        "order",
        "close",
    ]
    assert (documents[-1]["events"], documents[-1]["seed"]) == (9, SEED.hex())
    before = "".join(f"{line}\n" for line in lines[:-1]).encode()
    assert documents[-1]["seal"] == sha256(before).hexdigest()


def test_dropped_line_is_found(lines: list[str]) -> None:
    """Without any one of its lines the record does not verify."""
    for index in range(len(lines)):
        assert not _verdict([*lines[:index], *lines[index + 1 :]]).ok


def test_doubled_line_is_found(lines: list[str]) -> None:
    """With any one of its lines twice the record does not verify."""
    for index, line in enumerate(lines):
        assert not _verdict([*lines[:index], line, *lines[index:]]).ok


def test_swapped_lines_are_found(lines: list[str]) -> None:
    for one in range(len(lines)):
        for other in range(one):
            swapped = list(lines)
            swapped[one], swapped[other] = lines[other], lines[one]
            assert not _verdict(swapped).ok


def test_event_of_another_match_is_found(lines: list[str]) -> None:
    """An event inserted from another match, even of the same seed, does not fit."""
    match, log = played(terms(match="pebbles-8"))
    other = exported(match, log)
    for index in range(1, len(lines)):
        assert not _verdict([*lines[:index], other[index], *lines[index:]]).ok


def test_shortened_record_is_found(lines: list[str]) -> None:
    """A record cut off anywhere, or empty, does not verify."""
    for end in range(len(lines)):
        assert not _verdict(lines[:end]).ok


def _set(index: int, **changes: Any) -> Callable[[list[Document]], None]:
    def change(documents: list[Document]) -> None:
        documents[index].update(changes)

    return change


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (_set(0, game="unknown"), 1, "no game unknown"),
        (_set(0, edition=9), 1, "edition 9"),
        (_set(0, seats=["red"]), 1, "not played by red"),
        (_set(0, seats=["red", "pink"]), 1, "not played by red, pink"),
        (_set(0, options={}), 1, "option hand is missing"),
        (_set(0, options={"hand": 7}), 1, "option hand is from 1 to 3"),
        (_set(0, board={"rows": 1, "columns": 5}), 1, "expected from the seed"),
        (_set(0, board={"rows": 9}, given=True), 1, "the board: "),
        (_set(0, words={"green": "x"}), 1, "does not play"),
        (_set(0, words={"red": "other"}), 2, "expected"),
        (_set(0, match="pebbles-8"), 2, "order is"),
        (_set(0, commitment="0" * 64), 11, "commitment"),
        (_set(0, started="yesterday"), 1, "no header: $.started"),
        (_set(0, extra=1), 1, "no header"),
        (_set(3, turn=1), 4, "event 3: turn is 1, expected 0"),
        (_set(3, salt="0" * 32), 4, "event 3: salt is"),
        (_set(3, seat="red"), 4, 'event 3: seat is "red", expected "chance"'),
        (_set(4, digest=None), 5, "event 4: digest is null"),
        (_set(5, forced=True), 6, "event 5: the order 'peek blue' was not forced"),
        (_set(5, order="peek red"), 6, "event 5: the order 'peek red' is not legal"),
        (_set(5, order="PEEK blue"), 6, 'event 5: order is "PEEK blue", expected "peek blue"'),
        (_set(5, arrival=None), 6, "event 5: arrival"),
        (_set(5, details={"a": 1}), 6, 'event 5: details is {"a":1}, expected {}'),
        (_set(5, seq=6), 6, "event 6: seq is 6, expected 5"),
        (_set(5, kind="words"), 6, "event 5: an event of kind 'words' cannot be replayed"),
        (_set(5, kind="undo"), 6, "no event: $.details: 'to' is a required property"),
        (_set(5, kind="dance"), 6, "no event: $.kind"),
        (_set(-1, events=8), 11, "events is 8, expected 9"),
        (_set(-1, seed="00" * 32), 11, "commitment"),
        (_set(-1, seed=f" {SEED.hex()}"), 11, "no close: $.seed"),
        (
            _set(-1, result={"ending": "passed", "points": {}, "places": {}}),
            11,
            'result is {"ending":"passed","places":{},"points":{}}, expected',
        ),
    ],
)
def test_forgery_with_mended_hashes_is_found(
    lines: list[str], change: Callable[[list[Document]], None], line: int, says: str
) -> None:
    """Who mends hashes and seal is found where the change is, with what was expected."""
    verdict = _verdict(forged(lines, change))
    assert not verdict.ok
    assert says in verdict.message
    assert verdict.line == line
    assert (verdict.seq is not None) == verdict.message.startswith(f"event {verdict.seq}:")


def test_changed_seal_is_found(lines: list[str]) -> None:
    """The seal covers all lines before it."""
    closing = {**json.loads(lines[-1]), "seal": "0" * 64}
    verdict = _verdict([*lines[:-1], canonical_json(closing)])
    assert (verdict.ok, verdict.line, verdict.message[:8]) == (False, len(lines), "seal is ")


def test_luckier_draw_is_found(lines: list[str]) -> None:
    """Who gives himself a better pebble and plays on consistently is found at that draw."""

    def luckier(documents: list[Document]) -> None:
        outcomes: Any = documents[1]["draw"]
        documents[1]["order"] = next(
            text for text, _ in outcomes["outcomes"] if text != documents[1]["order"]
        )

    verdict = _verdict(forged(lines, luckier))
    assert (verdict.ok, verdict.line, verdict.seq) == (False, 2, 1)


def test_running_match_is_no_record(lines: list[str]) -> None:
    """A record that closes before the match is over says so."""

    def cut(documents: list[Document]) -> None:
        del documents[-2]
        documents[-1]["events"] = 8

    verdict = _verdict(forged(lines, cut))
    assert (verdict.ok, verdict.message) == (False, "the match is not over after event 8")


@pytest.mark.parametrize(
    "junk",
    [
        [],
        [""],
        ["", ""],
        ["{}", "{}"],
        ["null", "[]"],
        [b"\xff", b"\xfe"],
        ["[" * 100_000, "1"],
        ['{"kind":"header","referee":1.0}', "{}"],
        ['"\\ud800"', '"\ud800"'],
        ["9" * 5000, "1"],
        ["NaN", "1"],
    ],
)
def test_junk_is_a_verdict_and_no_exception(junk: list[str | bytes]) -> None:
    """Whatever a file holds, the answer names a line."""
    verdict = verify_record(junk, registry.find_installed)
    assert (verdict.ok, verdict.line) == (False, 1)


def test_junk_in_every_place_is_a_verdict(lines: list[str]) -> None:
    """Each value of each line replaced by other JSON is found without an exception."""
    for index, line in enumerate(lines):
        for name in json.loads(line):
            for junk in (None, True, "x", {"x": [1]}):
                if junk == json.loads(line)[name] or (name in UNPROVABLE and junk is True):
                    continue
                changed = forged(lines, _set(index, **{name: junk}))
                if name in {"hash", "previous"} or (index == 10 and name == "seal"):
                    changed = [*lines]
                    changed[index] = canonical_json({**json.loads(line), name: junk})
                assert not _verdict(changed).ok, (index, name, junk)


def test_heads_of_a_record_are_those_mails_showed() -> None:
    """The head after every event, and the header's before the first."""
    match, log = played(terms())
    found = finished_of([line.encode() for line in exported(match, log)])
    assert found.terms.header_hash() == match.terms.header_hash()
    assert [event.hash for event in found.events] == [each.event.hash for each in log]


class _Island:
    """The test game on a board that chance builds."""

    def __getattr__(self, name: str) -> object:
        return getattr(GAME, name)

    def board(self, seats: object, options: object, given: Board | None, rng: Random) -> Board:
        drawn: Board = {"rows": 2, "columns": 1 + rng.randrange(4)}
        if given is not None:
            raise AssertionError("a complete board is no organiser's file")
        return drawn


def _island(key: bytes, **changes: Any) -> tuple[Any, list[str]]:
    """Return the game and the record of a match on the board the key builds."""
    game: Any = _Island()
    words = {"red": "rain"}
    board = game.board((), {}, None, croupier.SeededRandom(key))
    match, log = played(terms(board=board, words=words, **changes))
    return game, exported(match, log)


def test_board_is_rebuilt_from_the_seed() -> None:
    """A board built by chance verifies when seed and words build it."""
    game, lines = _island(croupier.chance_key(SEED, {"red": "rain"}))
    assert verify_record(lines, lambda *_: game).ok


def test_board_of_another_seed_is_found_unless_it_was_given() -> None:
    """A chosen board is found, unless the header says that an organiser's file was used."""
    keys = (bytes([n]) * 32 for n in range(9))
    right = _island(croupier.chance_key(SEED, {"red": "rain"}))[1][0]
    other = next(key for key in keys if _island(key)[1][0] != right)
    game, lines = _island(other)
    verdict = verify_record(lines, lambda *_: game)
    assert (verdict.ok, verdict.line) == (False, 1)
    game, lines = _island(other, given=True)
    assert verify_record(lines, lambda *_: game).ok


def test_match_ended_by_an_organiser_verifies() -> None:
    """The end event holds the result, which the closing line repeats."""
    match, log = played(terms(), most=2)
    result = Result("stopped", dict(GAME.points(match.position)), {"red": 1, "blue": 1})
    match, last = conclude(match, result, ARRIVAL)
    match, note = annotate(match, "notice", ARRIVAL, details=WHY)
    lines = exported(match, [*log, last, note])
    assert _verdict(lines).ok
    other = replace(result, ending="won")
    wrong = list(record.record_lines(match.terms, events([*log, last, note]), SEED, other))
    assert not _verdict(wrong).ok


def test_points_of_an_end_are_those_on_the_board() -> None:
    """Who writes other points into an end and mends all hashes is found there."""
    match, log = played(terms(), most=2)
    result = Result("stopped", dict(GAME.points(match.position)), {"red": 1, "blue": 1})
    match, last = conclude(match, result, ARRIVAL)
    more: Document = {"ending": "stopped", "points": {"red": 50, "blue": 0}, "places": {}}
    verdict = _verdict(forged(exported(match, [*log, last]), _set(-2, details=more)))
    assert (verdict.ok, verdict.seq) == (False, match.seq)
    assert "points" in verdict.message
