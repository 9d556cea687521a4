"""The JSON Schemas of submissions and orders, and faults against them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from msgspec import field

from referee import resources
from referee.games.game import AnyGame, Json
from referee.value import Value

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError


LONGEST: Final = 60
"""Characters shown of a value or name in a document."""


class SchemaFault(Value):
    """A fault in a JSON document: its place as a path, a code, and fields.

    The code is the keyword of JSON Schema that is broken, or one of our own.
    """

    path: str
    code: str
    fields: Mapping[str, Json] = field(default_factory=dict)


def submission_faults(value: Json) -> Iterable[SchemaFault]:
    """Return the faults of a submission, apart from its orders."""
    return _faults(_submission_validator(), value, "$")


def order_faults(game: AnyGame, value: Json, path: str) -> Iterable[SchemaFault]:
    """Return the faults of a game's order that stands at a path."""
    validator = _ORDER_VALIDATORS.get((game.name, game.edition))
    if validator is None:
        schema = json.loads(resources.game_resource(game, "schemas/order.schema.json"))
        validator = _ORDER_VALIDATORS[game.name, game.edition] = _validator(schema)
    return _faults(validator, value, path)


@cache
def _submission_validator() -> Draft202012Validator:
    return _validator(resources.schema("submission"))


_ORDER_VALIDATORS: dict[tuple[str, int], Draft202012Validator] = {}


def _validator(schema: dict[str, Any]) -> Draft202012Validator:
    # Most letters hold no JSON, and every start would pay for what reads it.
    from jsonschema import Draft202012Validator  # noqa: PLC0415

    return Draft202012Validator(schema)


def _faults(validator: Draft202012Validator, value: Any, path: str) -> Iterable[SchemaFault]:
    found: list[SchemaFault] = []
    for error in validator.iter_errors(value):
        for leaf in _leaves(error):
            place = path + "".join(
                f"[{p}]" if isinstance(p, int) else f".{p}" for p in leaf.absolute_path
            )
            fault = SchemaFault(place, str(leaf.validator), _fields(leaf))
            # Of several names that are missing each is an error of its own.
            if fault not in found:
                found.append(fault)
    return found


def _fields(error: ValidationError) -> Mapping[str, Json]:
    """Return the fields of a fault's sentence. The faulty value may be long, and is cut."""
    found: Any = error.instance
    limit: Any = error.validator_value
    schema: Any = error.schema
    text = json.dumps(found, ensure_ascii=False)
    fields: dict[str, Json] = {"value": text if len(text) <= LONGEST else f"{text[:LONGEST]}…"}
    match error.validator:
        case "required":
            fields["names"] = [name for name in limit if name not in found]
        case "additionalProperties":
            known = schema.get("properties", {})
            fields["names"] = [name[:LONGEST] for name in found if name not in known]
        case "type" | "enum":
            fields["names"] = limit if isinstance(limit, list) else [limit]
        case _:
            plain = isinstance(limit, (str, int))
            fields["limit"] = limit if plain else json.dumps(limit)[:LONGEST]
    return fields


def _leaves(error: ValidationError) -> Sequence[ValidationError]:
    """Return the most telling errors: of several shapes, those of the shape meant.

    The shape meant is the one whose ``order`` (or other fixed word) fits.
    """
    if not error.context:
        return [error]
    branches: dict[Any, list[ValidationError]] = {}
    strays: set[Any] = set()
    for cause in error.context:
        branch = cause.schema_path[0]
        branches.setdefault(branch, []).append(cause)
        names = not cause.absolute_path or cause.absolute_path[-1] == "order"
        if names and cause.validator in {"const", "enum", "type"}:
            strays.add(branch)
    meant = [causes for branch, causes in branches.items() if branch not in strays]
    if len(meant) == 1:
        return [leaf for cause in meant[0] for leaf in _leaves(cause)]
    return [error]
