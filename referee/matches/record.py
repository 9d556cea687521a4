"""Records: the files matches are archived as, verifiable by anybody.

JSON lines, each its own canonical form: the header, one event a line, a closing line with the
result, the seed, and a seal over all lines before. Lines are counted from 1.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from hashlib import sha256
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from referee import resources
from referee.games.game import AnyGame, Document, Result
from referee.games.play import canonical_json, complete_options
from referee.matches import croupier
from referee.matches.events import ORDER, REOPEN, BrokenLog, Event, check_chain
from referee.matches.log import AnyMatch, open_log
from referee.matches.replay import Replay
from referee.matches.takeback import UNUSABLE
from referee.matches.terms import Terms
from referee.matches.time.moments import parse_moment
from referee.text import short
from referee.value import Value, asdict

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

FindGame: TypeAlias = Callable[[str, int], AnyGame]
"""Finds a game by name and edition, or raises LookupError."""

GZIP: Final = b"\x1f\x8b"
"""The first bytes of a compressed file (RFC 1952)."""

LONGEST: Final = 64 << 20
"""Bytes of a record at most, a hundred long matches; a small file may unfold to far more."""

_MOST_FAULTS: Final = 100
"""Faults of one line compared to find the most telling one."""


def packed(data: bytes) -> bytes:
    """Return a record as mails carry it: compressed, the same bytes whenever it is done."""
    return gzip.compress(data, mtime=0)


def unpacked(data: bytes) -> bytes:
    """Return the record in a file, compressed or not.

    Raises ValueError for a file that is damaged, cut off, or unfolds to more than LONGEST.
    """
    if not data.startswith(GZIP):
        return data
    unfolding = zlib.decompressobj(wbits=31)
    try:
        unfolded = unfolding.decompress(data, LONGEST)
    except zlib.error as fault:
        raise ValueError(f"is not compressed as gzip does it: {fault}") from None
    if unfolding.unconsumed_tail:
        raise ValueError(f"unfolds to more than {LONGEST >> 20} MiB, which no record is")
    if not unfolding.eof or unfolding.unused_data:
        raise ValueError("is cut off, or has something behind its end")
    return unfolded


class Verdict(Value):
    """The verdict on a record: consistent, or its first fault.

    ``line`` counts from 1; ``seq`` is the event's. ``orders`` and ``draws`` count those recomputed.
    ``ending`` is how the match came to its end, ``abandoned`` if it was broken off.
    """

    ok: bool
    message: str
    line: int | None = None
    seq: int | None = None
    match: str | None = None
    orders: int = 0
    draws: int = 0
    ending: str | None = None


class _Fault(Exception):
    """A fault in one line of a record."""

    def __init__(self, line: int, message: str, seq: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.seq = seq


def record_lines(
    terms: Terms, events: Iterable[Event], seed: bytes, result: Result
) -> Iterator[str]:
    """Yield the lines of a record, without line ends."""
    seal, number = sha256(), 0
    lines = chain([canonical_json(terms.document())], (event.line for event in events))
    # Hashed as it streams, so that a long record need not be held in memory.
    for number, line in enumerate(lines):  # noqa: B007 - counts the events beyond the loop
        seal.update(_with_end(line))
        yield line
    yield canonical_json(
        {
            "kind": "close",
            "result": asdict(result),
            "seed": seed.hex(),
            "events": number,
            "seal": seal.hexdigest(),
        }
    )


def verify_record(lines: Iterable[str | bytes], find_game: FindGame) -> Verdict:
    """Replay a record and recompute every board, draw, salt, digest, hash and turn in it.

    Any content of the lines leads to a verdict, never to an exception.
    """
    try:
        terms, events, ending = _verified([_text(line) for line in lines], find_game)
    except _Fault as fault:
        return Verdict(ok=False, message=fault.message, line=fault.line, seq=fault.seq)
    name = terms.match
    orders = sum(event.kind == ORDER for event in events)
    draws = sum(event.draw is not None for event in events)
    message = f"{name} is consistent in itself: {orders} orders, {draws} draws"
    return Verdict(True, message, match=name, orders=orders, draws=draws, ending=ending)


class Finished(Value):
    """A record that verified, as values."""

    terms: Terms
    events: tuple[Event, ...]
    result: Mapping[str, Any]
    seed: bytes
    seal: str
    lines: tuple[bytes, ...]

    @property
    def moments(self) -> list[datetime]:
        """When it began, and each event's time: its arrival, or the moment before."""
        moments = [parse_moment(self.terms.started)]
        for event in self.events:
            moments.append(parse_moment(event.arrival) if event.arrival else moments[-1])
        return moments


def finished_of(lines: Sequence[bytes]) -> Finished:
    """Return a record that is known to be valid as values."""
    header, *middle, closing = [json.loads(text) for text in lines]
    events = tuple(Event.from_document(document) for document in middle)
    seed = bytes.fromhex(closing["seed"])
    terms = Terms.from_document(header)
    return Finished(terms, events, closing["result"], seed, closing["seal"], tuple(lines))


def _with_end(line: str) -> bytes:
    return f"{line}\n".encode()


def _text(line: str | bytes) -> str | None:
    """Return a line without its end; None unless it is UTF-8."""
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
    except UnicodeDecodeError:
        return None
    return text.removesuffix("\n")


def _verified(
    texts: Sequence[str | None], find_game: FindGame
) -> tuple[Terms, Sequence[Event], str]:
    """Return a valid record's header, its events and its ending. Raises _Fault."""
    if len(texts) < 2:
        raise _Fault(1, "a record has a header and a closing line")
    last = len(texts)
    terms = Terms.from_document(_document(1, texts[0], "header"))
    game = _game(terms, find_game)
    # Inside a text its quotation marks would be escaped.
    whole = (text.replace(" ", "") for text in texts if text and text.rstrip().endswith("}"))
    if not any('"kind":"close"' in text for text in whole):
        raise _Fault(last, "the record is cut off here: its closing line is missing")
    closing = _document(last, texts[-1], "close")
    # Collected first, because a seed stands at the end of the stretch whose draws it decides.
    seeds: list[tuple[int, str]] = []
    for number, text in enumerate(texts[1:-1], start=2):
        # Canonical JSON has exactly this spelling, so most lines need no parsing here.
        if f'"kind":"{REOPEN}"' in (text or ""):
            # A malformed line is reported with its own place later, when it is played.
            with suppress(_Fault):
                document = _document(number, text, "event")
                # The words may stand in the details of another event, too.
                if document["kind"] == REOPEN:
                    seeds.append((number, document["details"]["seed"]))
    seeds.append((last, closing["seed"]))
    _check_seed(terms, texts, seeds[0], terms.commitment)
    match = _opened(game, terms, bytes.fromhex(seeds[0][1]))
    replay = Replay(match, [bytes.fromhex(seed) for _, seed in seeds[1:]], stages={0: match})
    for number, text in enumerate(texts[1:-1], start=2):
        event = Event.from_document(_document(number, text, "event"))
        if event.kind == REOPEN:
            seeds.pop(0)
            _check_seed(terms, texts, seeds[0], str(event.details["commitment"]))
        try:
            replay.follow(event, check=True)
        except BrokenLog as broken:
            told = short(broken.message)
            raise _Fault(number, f"event {broken.seq}: {told}", broken.seq) from None
        except UNUSABLE as error:
            told = f"the rules cannot go on: {short(f'{type(error).__name__}: {error}')}"
            raise _Fault(number, f"event {event.seq}: {told}", event.seq) from None
    seq, result = replay.match.seq, replay.match.result
    if result is None:
        raise _Fault(last, f"the match is not over after event {seq}")
    seal = sha256(b"".join(_with_end(text or "") for text in texts[:-1])).hexdigest()
    reached: Document = {"events": seq, "result": asdict(result), "seal": seal}
    for name, value in reached.items():
        told, should = canonical_json(closing[name]), canonical_json(value)
        if told != should:
            raise _Fault(last, f"{name} is {short(told)}, expected {short(should)}")
    return terms, replay.log, result.ending


def _check_seed(
    terms: Terms, texts: Sequence[str | None], seed: tuple[int, str], committed: str
) -> None:
    """Raise _Fault unless a seed is the one promised: where it stands, or at a line amiss."""
    number, value = seed
    if croupier.commitment(bytes.fromhex(value)) == committed:
        return
    log = (
        Event.from_document(_document(line, text, "event"))
        for line, text in enumerate(texts[1:-1], start=2)
    )
    # A wrong seed may only be the consequence of a changed line, which is then the fault.
    try:
        check_chain(terms.header_hash(), log)
    except BrokenLog as fault:
        raise _Fault(fault.seq + 1, str(fault), fault.seq) from None
    raise _Fault(number, f"seed is not the one with the commitment {committed}")


def _document(number: int, text: str | None, kind: str) -> dict[str, Any]:
    """Return a line as canonical JSON that fits its schema; ``text`` is None unless it is UTF-8."""
    # Checking is rare, and every start would pay for what does it.
    from jsonschema.exceptions import best_match  # noqa: PLC0415

    if text is None:
        raise _Fault(number, "the line is not UTF-8")
    if kind == "header" and not text.startswith("{"):
        raise _Fault(number, "this is no record of a match, which begins with {")
    try:
        document = json.loads(text)
        canonical = canonical_json(document)
    except (ValueError, RecursionError) as error:
        told = short(str(error))
        raise _Fault(number, f"the line is no canonical JSON: {told}") from None
    # One text for one content; else two records could differ and both be right.
    if canonical != text:
        told = "the line is not in its canonical form: sorted keys, none twice, no spaces"
        raise _Fault(number, told)
    # A pack of cards is fifty outcomes, which the validator would take longer for than the rest.
    plain = {**document, "draw": None} if _is_draw_of(document) else document
    # Bounded: a hostile line may break the schema in a million places.
    wrong = best_match(islice(_line_validator(kind).iter_errors(plain), _MOST_FAULTS))
    if wrong is not None:
        raise _Fault(number, f"no {kind}: {wrong.json_path}: {short(wrong.message)}")
    valid: dict[str, Any] = document
    return valid


def _is_draw_of(document: object) -> bool:
    """Whether a document has a draw, of the form that the schema gives it."""
    draw = document.get("draw") if isinstance(document, dict) else None
    if not isinstance(draw, dict) or draw.keys() != {"number", "outcomes"}:
        return False
    number, outcomes = draw["number"], draw["outcomes"]
    return (
        # By exact type, since true would pass for 1.
        type(number) is int
        and number > 0
        and isinstance(outcomes, list)
        and bool(outcomes)
        and all(
            isinstance(outcome, list)
            and [type(part) for part in outcome] == [str, int]
            and outcome[1] >= 0
            for outcome in outcomes
        )
    )


@cache
def _line_validator(kind: str) -> Draft202012Validator:
    """Return the schema of a kind of line: ``header``, ``event`` or ``close``."""
    # Checking is rare, and every start would pay for what does it.
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    schema = resources.schema("record")
    return Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": schema["$defs"]})


def _game(terms: Terms, find_game: FindGame) -> AnyGame:
    """Return a header's game, once seats, options and moment fit."""
    try:
        game = find_game(terms.game, terms.edition)
        complete = complete_options(game, terms.options)
        parse_moment(terms.started)
    except (LookupError, ValueError) as error:
        raise _Fault(1, short(str(error.args[0]))) from None
    # A default that a later version changes must not change old records.
    if missing := sorted(set(complete) - set(terms.options)):
        raise _Fault(1, f"option {missing[0]} is missing")
    known = set(terms.seats) <= set(game.colours) and len(set(terms.seats)) == len(terms.seats)
    if not known or len(terms.seats) not in game.seats:
        seats = short(", ".join(terms.seats))
        raise _Fault(1, f"seats: {game.name} is not played by {seats}")
    if not set(terms.words) <= set(terms.seats):
        raise _Fault(1, "words of luck from somebody who does not play")
    if not set(terms.promised) <= set(terms.seats):
        raise _Fault(1, "promised: words of luck from somebody who does not play")
    for seat, words in terms.words.items():
        if seat in terms.promised and sha256(words.encode()).hexdigest() != terms.promised[seat]:
            raise _Fault(1, f"words: the words of {seat} are not those promised by their SHA-256")
    return game


def _opened(game: AnyGame, terms: Terms, seed: bytes) -> AnyMatch:
    """Return the match before its first event, its board built by the seed.

    A board from an organiser's file cannot be built again; it must only serve to start.
    """
    rng = croupier.SeededRandom(croupier.chance_key(seed, terms.words))
    try:
        match = open_log(game, terms, seed)
        board = terms.board
        # A board made by the game must be the one that the seed builds.
        if not terms.given:
            board = game.board(terms.seats, terms.options, None, rng)
    except UNUSABLE as error:
        raise _Fault(1, f"the board: {short(str(error))}") from None
    # Compared as text, in which 1 and true differ as they do not in Python.
    found, expected = canonical_json(terms.board), canonical_json(board)
    if found != expected:
        should = f"expected from the seed {short(expected)}"
        raise _Fault(1, f"board is {short(found)}, {should}")
    return match
