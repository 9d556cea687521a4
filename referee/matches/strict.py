"""Lines of a foreign file, read as strictly as ours are written."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from referee.games.play import canonical_json

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

LONGEST_QUOTE: Final = 160
"""Characters of a wrong value that a message repeats."""

MOST_FAULTS: Final = 100
"""Faults of one line compared to find the most telling one."""


class BadLine(ValueError):
    """A line is faulty. Names the place in it, and the right content."""


def read_strictly(
    line: str | bytes | None, kind: str, validator: Draft202012Validator
) -> dict[str, Any]:
    """Return a line as canonical JSON that fits its schema.

    Raises BadLine. ``line`` is None if it is not UTF-8.
    """
    try:
        text = line.decode() if isinstance(line, bytes) else line
    except UnicodeDecodeError:
        text = None
    if text is None:
        raise BadLine("the line is not UTF-8")
    try:
        document = json.loads(text)
        canonical = canonical_json(document)
    except (ValueError, RecursionError) as error:
        raise BadLine(f"the line is no canonical JSON: {short(str(error))}") from None
    # One text for one content; else two records could differ and both be right.
    if canonical != text:
        raise BadLine("the line is not in its canonical form: sorted keys, none twice, no spaces")
    check_document(document, kind, validator)
    valid: dict[str, Any] = document
    return valid


def check_document(document: object, kind: str, validator: Draft202012Validator) -> None:
    """Raise BadLine unless a document fits its schema."""
    # Checking is rare, and every start would pay for what does it.
    from jsonschema.exceptions import best_match  # noqa: PLC0415

    # Bounded: a hostile line may break the schema in a million places.
    wrong = best_match(islice(validator.iter_errors(document), MOST_FAULTS))
    if wrong is not None:
        raise BadLine(f"no {kind}: {wrong.json_path}: {_told(wrong)}")


def short(text: str) -> str:
    """Return a foreign text for a message: short, printable, on one line."""
    if not text.isprintable():
        text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:LONGEST_QUOTE])
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def wrong_value(found: object, should: str) -> str:
    """Return in words that a value is not the right one."""
    return f"{short(json.dumps(found, ensure_ascii=False))} is not {should}"


def _told(error: ValidationError) -> str:
    """Return the fault in words. The schema's own description is used if it helps more."""
    schema: Any = error.schema
    told = isinstance(schema, dict) and schema.get("$comment")
    # These two name the missing or surplus field better than the description of the object.
    if told and error.validator not in {"required", "additionalProperties"}:
        return wrong_value(error.instance, str(told))
    return short(error.message)
