"""JSON documents in a letter: attachments, and objects written into its text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from msgspec import field

from referee.value import Value

MOST_DOCUMENTS: Final = 5
"""JSON documents of a letter that are read; an answer needs one for each match."""

DEEPEST: Final = 40
"""Levels of nesting in a document. Orders need few, and the parser recurses."""

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
"""A string of JSON, or one that never ends; its brackets nest nothing."""


class JsonFault(Value):
    """A fault that keeps a JSON document from being read: a code, and its fields."""

    code: str
    fields: Mapping[str, str | int] = field(default_factory=dict)


class JsonDocument(Value):
    """A JSON document of a letter: its place, its value or fault."""

    source: str
    value: Any = None
    fault: JsonFault | None = None


class _Unfit(ValueError):
    """The document is valid JSON but unusable here; the fault says why."""

    def __init__(self, code: str, **fields: str | int) -> None:
        super().__init__(code)
        self.fault = JsonFault(code, fields)


def parse_json(source: str, text: str) -> JsonDocument:
    """Return a text's document, with a fault for an unusable value.

    Keys given twice, NaN, nesting beyond 40 levels and characters that cannot be stored are faults.
    """
    # Before the parser, which recurses: how deep it may is up to the interpreter.
    nesting = ((sign in "[{") - (sign in "]}") for sign in _STRING.sub("", text))
    if max(accumulate(nesting), default=0) > DEEPEST:
        return JsonDocument(source, fault=JsonFault("deep", {"most": DEEPEST}))
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_constant
        )
        # Lone surrogates pass the parser but not the database.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        return JsonDocument(source, fault=JsonFault("syntax", place))
    except _Unfit as error:
        return JsonDocument(source, fault=error.fault)
    except (UnicodeError, ValueError, RecursionError):
        return JsonDocument(source, fault=JsonFault("range"))
    # PostgreSQL stores no NUL in a text; rejected here, where the writer is told.
    if "\\u0000" in text:
        return JsonDocument(source, fault=JsonFault("nul"))
    return JsonDocument(source, value)


def written_json(lines: Sequence[str]) -> Iterator[JsonDocument]:
    """Yield the JSON objects among written lines, bare or between ``` fences, at most five."""
    count = at = 0
    # Bounded, because an object that never ends is looked through to the end of the text.
    while at < len(lines) and count < MOST_DOCUMENTS:
        line = lines[at]
        # Typographic quotes are accepted as a beginning, so that their writer is told the fault.
        if line.startswith("{") and line[1:].lstrip()[:1] in {"", '"', "}", "“", "„"}:
            end = _end_of_object(lines, at)
            yield parse_json("text", "\n".join(lines[at:end]))
            count += 1
            at = end
        else:
            at += 1


def _end_of_object(lines: Sequence[str], start: int) -> int:
    """Return the index after the line that ends an object or fence."""
    depth, quoted, escaped = 0, False, False
    for at in range(start, len(lines)):
        # A fence ends the object even if its braces do not match.
        if lines[at].startswith("```"):
            return at
        for sign in lines[at]:
            if escaped:
                escaped = False
            elif quoted:
                escaped = sign == "\\"
                quoted = sign != '"'
            elif sign == '"':
                quoted = True
            else:
                depth += (sign == "{") - (sign == "}")
        if depth <= 0 and not quoted:
            return at + 1
    return len(lines)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in pairs:
        # Python keeps the last of two equal keys, other programs the first: which was meant?
        if name in members:
            raise _Unfit("twice", name=name[:60])
        members[name] = value
    return members


def _constant(name: str) -> Any:
    raise _Unfit("number", value=name)
