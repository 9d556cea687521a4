"""A moving match's file, read as if a stranger wrote it.

Its form is checked here by JSON Schema, its rows one by one in ``arrival_rows``.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from typing import Any, Final

from jsonschema import Draft202012Validator

from referee.desk.archive.arrival_rows import FORMATS, Arriving, Row, faults, part_validator
from referee.desk.archive.take_in import BadRecord
from referee.desk.desk import Desk
from referee.matches import record, strict
from referee.store.play import moves
from referee.store.states import PLAYABLE
from referee.store.store import REVISIONS

KIND: Final = "move"

FORMAT: Final = 1


def read_arriving(desk: Desk, lines: Sequence[bytes]) -> Arriving:
    """Return the match of a file that is whole and right.

    It must be meant for this version and right in every value; only a replay can tell the rest.
    Raises BadRecord.
    """
    head = _line(1, lines[0], "first line", part_validator("head"))
    if len(lines) != 2 or sha256(lines[1]).hexdigest() != head["seal"]:
        raise BadRecord(
            "line 2: the file was changed or is cut off: its seal is not that of its content"
        )
    # The rows in the file are as the tables of one version are.
    if (head["referee"], head["schema"]) != (FORMAT, REVISIONS[-1]):
        raise BadRecord(
            "line 1: the file is of another version of the referee: use the same on both sides"
        )
    try:
        desk.find_game(head["game"], head["edition"])
    except LookupError as fault:
        raise BadRecord(f"line 1: {strict.short(str(fault.args[0]))}") from None
    content = _line(2, lines[1], "match that moves", _content())
    found = _with_terms(desk, head, content)
    # The first fault is enough: the file is refused for it.
    with suppress(StopIteration):
        raise BadRecord(f"line 2: {next(faults(desk, head, found))}")
    return found


def _line(number: int, line: bytes, kind: str, schema: Draft202012Validator) -> dict[str, Any]:
    try:
        return strict.read_strictly(line, kind, schema)
    except strict.BadLine as wrong:
        raise BadRecord(f"line {number}: {wrong}") from None


@cache
def _content() -> Draft202012Validator:
    """Return the schema of the second line, made from our tables."""
    listed = ", ".join(PLAYABLE)
    state = {"enum": list(PLAYABLE), "$comment": f"one of {listed}: no match in it goes on"}
    properties = {"state": state, "rows": moves.rows_schema()}
    schema = {
        "type": "object",
        "required": ["state", "rows"],
        "additionalProperties": False,
        "properties": properties,
        "$comment": "an object with state and rows: there is no match in it",
    }
    return Draft202012Validator(schema, format_checker=FORMATS)


def _with_terms(desk: Desk, head: Row, content: Row) -> Arriving:
    """Return the arriving match once header, game and seed agree."""
    row = content["rows"]["matches"][0]
    place = "$.rows.matches[0].header"
    try:
        terms = record.read_terms(row["header"] or "", bytes.fromhex(row["seed"]), desk.find_game)
    except ValueError as fault:
        raise BadRecord(f"line 2: {place}: {fault}") from None
    if (terms.game, terms.edition) != (head["game"], head["edition"]):
        raise BadRecord(f"line 2: {place}: it is of another game than the first line says")
    game = desk.find_game(terms.game, terms.edition)
    return Arriving(content["state"], content["rows"], terms, game)
