"""The rows of a match that moves here, checked value by value.

Everything the log tells is compared with the log. A fault names its place, and what would be right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from hashlib import sha256
from typing import Any, Final, TypeAlias

from jsonschema import Draft202012Validator, FormatChecker

from referee import resources
from referee.bots import BOTS
from referee.desk.desk import Desk
from referee.desk.matches.time import hours
from referee.games.game import LANGUAGES, AnyGame, Unreadable
from referee.games.play import canonical_json
from referee.mail import addressing
from referee.matches import record, standing_orders, strict
from referee.matches.events import DOERS
from referee.matches.luck import Luck
from referee.matches.terms import Terms
from referee.matches.time.calendar import parse_days_off
from referee.matches.time.moments import parse_moment
from referee.matches.time.pace import LONGEST, MOST_GRACE, Pace
from referee.render.layout import clean
from referee.render.parts import NAME_LENGTH
from referee.render.words.moments import known_zones
from referee.store.play import moves

MOST_SECONDS: Final = LONGEST.days * 86_400
"""The most a clock holds or owes, in seconds."""

MOST_REASON: Final = 1000
"""Characters of the reason why mail does not reach an address."""

Fault: TypeAlias = str
"""The place of a fault in the second line, its value, and what would be right."""

Row: TypeAlias = Mapping[str, Any]

FORMATS: Final = FormatChecker(formats=())


@FORMATS.checks(moves.MOMENT, raises=ValueError)
def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or bool(datetime.fromisoformat(value))


@dataclass(frozen=True, slots=True)
class Arriving:
    """A match that moves, from its file: state, rows, terms, game.

    It goes on in that state.
    """

    state: str
    rows: Mapping[str, moves.Rows]
    terms: Terms
    game: AnyGame

    @property
    def match(self) -> dict[str, Any]:
        """The row of the match itself."""
        return self.rows["matches"][0]


@cache
def part_validator(kind: str) -> Draft202012Validator:
    """Return the schema of a part of the file that is JSON."""
    schema = {"$ref": f"#/$defs/{kind}", "$defs": resources.schema("move")["$defs"]}
    return Draft202012Validator(schema, format_checker=FORMATS)


def faults(desk: Desk, head: Row, found: Arriving) -> Iterator[Fault]:
    """Yield the faults of the rows, the first one first."""
    # First of all: the others look things up by the references between rows.
    if misfit := moves.first_misfit(found.rows):
        yield _wrong(*misfit)
    yield from _of_match(head, found)
    yield from _of_clock(found)
    yield from _of_seats(found)
    yield from _of_log(found)
    yield from _of_advance(found)
    yield from _of_stand_ins(found)
    yield from _of_messages(found)
    yield from _of_people(found)
    yield from _of_addresses(desk, found)


def _of_match(head: Row, found: Arriving) -> Iterator[Fault]:
    """Yield disagreements between the match's row and its header."""
    terms, row, at = found.terms, found.match, "$.rows.matches[0]"
    # Everything the header tells is compared with it, so that a file cannot say two things.
    expected = {
        "name": head["match"],
        "game": terms.game,
        "edition": terms.edition,
        "options": canonical_json(dict(terms.options)),
        "words": Luck(terms.words, terms.promised).to_text(),
        "board": canonical_json(terms.board),
        "commitment": terms.commitment,
        "practice": terms.practice,
        "header_hash": terms.header_hash(),
        "state": "moved",
        "result": None,
        "released": False,
    }
    for name, should in expected.items():
        if row[name] != should:
            yield _wrong(f"{at}.{name}", row[name], strict.short(json.dumps(should)))
    if terms.match != head["match"]:
        yield _wrong(f"{at}.header", terms.match, f"{head['match']}, as the first line says")
    began = row["started"] and datetime.fromisoformat(row["started"]).replace(microsecond=0)
    if began != parse_moment(terms.started):
        yield _wrong(f"{at}.started", row["started"], f"{terms.started}, as its header says")
    if row["seating"] is not None:
        yield from _of_json(f"{at}.seating", row["seating"], part_validator("seating"))


def _of_clock(found: Arriving) -> Iterator[Fault]:
    """Yield faults of the agreement about time and of the clock."""
    row, at = found.match, "$.rows.matches[0]"
    yield from _of_json(f"{at}.clock", row["clock"], part_validator("clock"))
    clock = _json(row["clock"])
    yield from _within(at, row, "time_per_turn", 1, MOST_SECONDS)
    try:
        parse_days_off(" ".join(clock.get("days_off", ())))
        Pace.from_document(row["time_per_turn"], clock)
    except ValueError as fault:
        yield _wrong(f"{at}.clock", row["clock"], f"what can be agreed: {strict.short(str(fault))}")
    if clock.get("bot") not in {None, *BOTS}:
        yield _wrong(f"{at}.clock.bot", clock["bot"], f"one of {', '.join(sorted(BOTS))}")
    # Between turns no clock runs, and the match's own numbers stand in.
    run = clock.get("run") or {"turn": row["turn"], "began": row["turn_began_seq"]}
    yield from _within(f"{at}.clock.run", run, "turn", 0, row["turn"])
    yield from _within(f"{at}.clock.run", run, "began", 0, row["seq"])
    zone = run.get("zone", ["UTC"])[0]
    if zone not in known_zones():
        yield _wrong(f"{at}.clock.run.zone[0]", zone, "a time zone such as Europe/Berlin")


def _of_seats(found: Arriving) -> Iterator[Fault]:
    """Yield faults of seats: each occurs once, held by one kind."""
    seq, turn = found.match["seq"], found.match["turn"]
    rows = found.rows["seats"]
    if len(rows) != len(found.terms.seats):
        yield _wrong(
            "$.rows.seats", len(rows), f"{len(found.terms.seats)} seats, as its header says"
        )
    for number, row in enumerate(rows):
        at = f"$.rows.seats[{number}]"
        yield from _within(at, row, "number", 0, len(found.terms.seats) - 1)
        seat = found.terms.seats[row["number"]]
        if row["seat"] != seat:
            yield _wrong(f"{at}.seat", row["seat"], f"{seat}, the seat of number {row['number']}")
        if (row["player_id"] is not None) != (row["holder"] == "player"):
            yield _wrong(
                f"{at}.player_id", row["player_id"], "a player if, and only if, one holds it"
            )
        if row["bot"] not in (BOTS if row["holder"] == "bot" else {None}):
            yield _wrong(
                f"{at}.bot", row["bot"], f"one of {', '.join(sorted(BOTS))} if a bot holds it"
            )
        yield from _within(at, row, "reported_seq", 0, seq)
        yield from _within(at, row, "reported_turn", 0, turn + 1)
        yield from _within(at, row, "bank", -MOST_SECONDS, MOST_SECONDS)
        yield from _within(at, row, "handed_on", 0, seq)
    for number, row in enumerate(found.rows["watchers"]):
        yield from _within(f"$.rows.watchers[{number}]", row, "reported_seq", 0, seq)
        yield from _within(f"$.rows.watchers[{number}]", row, "reported_turn", 0, turn + 1)
    for number, row in enumerate(found.rows["seat_holders"]):
        yield from _within(f"$.rows.seat_holders[{number}]", row, "seq", 0, seq)


def _of_log(found: Arriving) -> Iterator[Fault]:
    """Yield faults of events and turns by themselves.

    Whether they fit together is for the replay.
    """
    seq, turn = found.match["seq"], found.match["turn"]
    for number, row in enumerate(found.rows["events"]):
        event = record.line_validator("event")
        yield from _of_json(f"$.rows.events[{number}].body", row["body"], event)
    for number, row in enumerate(found.rows["private_events"]):
        at = f"$.rows.private_events[{number}].body"
        yield from _of_json(at, row["body"], part_validator("entry"))
        entry = _json(row["body"])
        for name in ("seat", "seq", "kind", "hash"):
            if entry[name] != row[name]:
                yield _wrong(f"{at}.{name}", entry[name], strict.short(json.dumps(row[name])))
        yield from _within(at, entry, "board", 0, seq)
    for number, row in enumerate(found.rows["turns"]):
        at = f"$.rows.turns[{number}]"
        yield from _seated(at, row, found.terms)
        yield from _within(at, row, "number", 0, max(turn, seq))
        yield from _within(at, row, "began_seq", 0, seq)
        yield from _within(at, row, "ended_seq", 0, seq)
        yield from _within(at, row, "credit", -MOST_SECONDS, MOST_SECONDS)
        if row["state"] != "undone" and row["number"] > turn:
            yield _wrong(f"{at}.number", row["number"], f"a turn up to {turn}")


def _of_advance(found: Arriving) -> Iterator[Fault]:
    """Yield faults of orders in advance."""
    for number, row in enumerate(found.rows["standing_orders"]):
        at = f"$.rows.standing_orders[{number}]"
        yield from _seated(at, row, found.terms)
        for each in row["text"].splitlines() or [""]:
            try:
                standing_orders.read_line(found.game, each)
            except Unreadable as fault:
                yield _wrong(f"{at}.text", each, f"an order of {found.terms.game}: {fault.code}")


def _of_stand_ins(found: Arriving) -> Iterator[Fault]:
    """Yield faults of stand-ins."""
    for number, row in enumerate(found.rows["stand_ins"]):
        at = f"$.rows.stand_ins[{number}]"
        yield from _seated(at, row, found.terms)
        if row["bot"] not in {None, *BOTS} or (row["bot"] is None) == (row["player_id"] is None):
            yield _wrong(
                f"{at}.bot", row["bot"], f"one of {', '.join(sorted(BOTS))}, or a player's number"
            )
        if row["begins"] >= row["ends"]:
            yield _wrong(f"{at}.ends", row["ends"], "later than its beginning")
        yield from _of_json(f"{at}.details", row["details"], part_validator("sitting"))
        details = _json(row["details"])
        if details["by"] not in {*DOERS, *found.terms.seats}:
            yield _wrong(f"{at}.details.by", details["by"], f"one of {', '.join(DOERS)}, or a seat")
        for name in ("first", "last"):
            yield from _day(f"{at}.details.{name}", details[name])


def _of_messages(found: Arriving) -> Iterator[Fault]:
    """Yield faults of texts that the log names by hash."""
    for number, row in enumerate(found.rows["messages"]):
        at = f"$.rows.messages[{number}]"
        yield from _seated(at, row, found.terms)
        text, to = row["text"], _json(row["recipients"])
        if not isinstance(to, list) or not {str(each) for each in to} <= {*found.terms.seats}:
            yield _wrong(f"{at}.recipients", row["recipients"], "a list of seats")
        if text is not None and sha256(text.encode()).hexdigest() != row["hash"]:
            yield _wrong(f"{at}.hash", row["hash"], "the SHA-256 of the text")


def _of_people(found: Arriving) -> Iterator[Fault]:
    """Yield faults of the players by themselves."""
    for number, row in enumerate(found.rows["players"]):
        at = f"$.rows.players[{number}]"
        # Names are shown in mails, so they must be as clean as those given here.
        if clean(row["name"], NAME_LENGTH) != row["name"] or not row["name"]:
            yield _wrong(
                f"{at}.name", row["name"], f"a name of at most {NAME_LENGTH} plain characters"
            )
        if row["language"] not in LANGUAGES:
            yield _wrong(f"{at}.language", row["language"], f"one of {', '.join(LANGUAGES)}")
        if row["zone"] not in known_zones():
            yield _wrong(f"{at}.zone", row["zone"], "a time zone such as Europe/Berlin")
        yield from _of_hours(at, row)
        box = row["mailbox"]
        if box is not None and addressing.valid_address(box) != box:
            yield _wrong(f"{at}.mailbox", box, "an address such as referee@example.org, or null")


def _of_hours(at: str, row: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield faults of a player's hours, as clocks trust them."""
    wanted: dict[str, tuple[bool, str]] = {
        "reminders": (
            row["reminders"] in {None, hours.read_reminders(row["reminders"] or "")},
            "times left such as 24h 2h",
        ),
        "quiet": (
            row["quiet"] in {None, hours.read_quiet(row["quiet"] or "")},
            "hours such as 22:00-07:00",
        ),
        "digest_at": (
            hours.read_digest(row["digest_at"]) == f"daily {row['digest_at']}",
            "an hour such as 18:00",
        ),
        "grace": (0 <= row["grace"] <= MOST_GRACE.total_seconds(), "seconds of a day at most"),
    }
    for name, (right, what) in wanted.items():
        if not right:
            yield _wrong(f"{at}.{name}", row[name], what)


def _of_addresses(desk: Desk, found: Arriving) -> Iterator[Fault]:
    """Yield faults of players' addresses and days away."""
    for number, row in enumerate(found.rows["addresses"]):
        at = f"$.rows.addresses[{number}]"
        if addressing.valid_address(row["address"]) != row["address"]:
            yield _wrong(f"{at}.address", row["address"], "an address such as alice@example.org")
        # Our own reports would come back to us as a player's letters.
        if row["address"] in desk.addresses:
            yield _wrong(f"{at}.address", row["address"], "a player's; it is the referee's own")
        reason = row["reason"] or ""
        if not reason.isprintable() or len(reason) > MOST_REASON:
            yield _wrong(f"{at}.reason", row["reason"], "a line of plain characters, or null")
    preferred = [row["player_id"] for row in found.rows["addresses"] if row["preferred"]]
    for number, row in enumerate(found.rows["addresses"]):
        if row["preferred"] and preferred.count(row["player_id"]) > 1:
            at = f"$.rows.addresses[{number}].preferred"
            yield _wrong(at, row["preferred"], "false: mail goes to one address of a player")
    for number, row in enumerate(found.rows["away"]):
        at = f"$.rows.away[{number}]"
        yield from _day(f"{at}.first_day", row["first_day"])
        yield from _day(f"{at}.last_day", row["last_day"])
        if row["last_day"] < row["first_day"]:
            yield _wrong(
                f"{at}.last_day", row["last_day"], "a day that does not come before the first"
            )


def _of_json(at: str, text: str, schema: Draft202012Validator) -> Iterator[Fault]:
    """Yield the fault of a text that a schema refuses."""
    try:
        strict.read_strictly(text, "JSON", schema)
    except strict.BadLine as wrong:
        yield f"{at}: {wrong}"


def _wrong(at: str, value: object, should: str) -> Fault:
    return f"{at}: {strict.wrong_value(value, should)}"


def _json(text: str) -> Any:
    """Return the JSON of a text; an empty object if unreadable.

    Its faults have been yielded before.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return {}


def _within(at: str, row: Row, name: str, least: int, most: int) -> Iterator[Fault]:
    if row[name] is not None and not least <= row[name] <= most:
        yield _wrong(f"{at}.{name}", row[name], f"a whole number from {least} to {most}")


def _seated(at: str, row: Row, terms: Terms) -> Iterator[Fault]:
    if row["seat"] is not None and row["seat"] not in terms.seats:
        yield _wrong(f"{at}.seat", row["seat"], f"one of {', '.join(terms.seats)}")


def _day(at: str, text: str) -> Iterator[Fault]:
    try:
        good = date.fromisoformat(text).isoformat() == text and "1970" <= text[:4] < "3000"
    except ValueError:
        good = False
    if not good:
        yield _wrong(at, text, "a day from 1970 to 2999 such as 2026-12-24")
