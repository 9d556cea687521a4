"""The places of a letter: where it says something, and what is understood there.

They are order boxes, free text and JSON. That is held against its schema, and what breaks it is a
fault with its path.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import field

from referee import resources
from referee.desk.letters.words.keywords import Command
from referee.desk.matches.standing_orders import Cancel, Given, advance_lines
from referee.games.game import AnyGame, Document, Json, Order, Unreadable
from referee.games.policies import Policy
from referee.mail.codes import parse_code
from referee.mail.incoming import marks
from referee.mail.incoming.letter import Letter
from referee.mail.incoming.lines import Thread, WrittenLine, parse_lines
from referee.matches.standing_orders import ListedOrder, write_line
from referee.render.layout import Joined
from referee.render.words.wording import Catalogue
from referee.value import Value, replace

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

MOST_LINES: Final = 200
"""Lines read in one place of a letter; a turn takes a handful."""

MOST_BOXES: Final = 20
"""Filled order boxes read in one letter; people answer a few matches at once."""

MINE: Final = frozenset({"own", "lead", "hint", "aside"})
"""Where lines stand that are their writer's if they say something to the referee."""

LONGEST: Final = 60
"""Characters shown of a value or name in a document."""

PREVIEW: Final = Command("preview")
DRAW: Final = Command("draw")
RESIGN: Final = Command("resign")

CUT: Final = "cut"
"""Second argument of a message whose text was interrupted by text of ours."""


class Said(Value):
    """The content of one place of a letter: an order box, free text or JSON.

    ``code``, ``match`` and ``seq``, the match's last event when a box was written, stand in that
    place itself, if at all. ``cut``: it goes on beyond the lines that are read; ``broken``: text of
    ours or a quotation stands below the last of its writer's lines.
    """

    source: str
    code: str | None = None
    match: str | None = None
    turn: int | None = None
    seq: int | None = None
    lines: tuple[WrittenLine, ...] = ()
    document: Document | None = None
    cut: bool = False
    broken: bool = False

    @property
    def own(self) -> tuple[WrittenLine, ...]:
        """The lines that are surely its writer's."""
        return tuple(line for line in self.lines if line.where == "own")


class SchemaFault(Value):
    """A fault in a JSON document: its path, a keyword of JSON Schema or a code of ours, fields."""

    path: str
    code: str
    fields: Mapping[str, Json] = field(default_factory=dict)


class ReadLine(Value):
    """One line and its meaning; exactly one field is set, or none for talk.

    ``policy`` may come with an order whose line also orders something in advance; ``ahead``: the
    fault lies in an order in advance; ``hint`` is the keyword that talk begins with, if any.
    ``spoken`` is the sentence that its order is part of, or one about another order than those
    beside it; ``open_text`` is that of a message, note or ``luck`` as far as it may be about orders
    around it, with blank lines above what may be none of it. ``gap``: a blank line or the end of a
    block stands above; ``runs``: it may go on from the line above.
    """

    text: str
    order: Order | None = None
    command: Command | None = None
    fault: Unreadable | None = None
    given: Given | None = None
    policy: Policy | None = None
    ahead: bool = False
    hint: str | None = None
    spoken: str = ""
    open_text: str = ""
    gap: bool = False
    runs: bool = False

    @property
    def entry(self) -> ListedOrder | None:
        """Its order, with the policy it also gives."""
        return None if self.order is None else ListedOrder(self.order, self.policy)

    @property
    def is_talk(self) -> bool:
        """Return whether the line means nothing to the referee."""
        meanings = (self.order, self.command, self.fault, self.given)
        return all(meaning is None for meaning in meanings)

    @property
    def is_prose(self) -> bool:
        """Return whether the line is talk, or only nearly a command."""
        return self.is_talk or (self.command is not None and self.command.word == "unclear")


def ordering_line(text: str, entry: ListedOrder) -> ReadLine:
    """Return a line of a text that gives an order."""
    return ReadLine(text, order=entry.order, policy=entry.policy)


class Company(Value):
    """The way of a place's orders, and the words of the letter that decided it."""

    way: Literal["alone", "company", "contradicted", "alternatives"]
    words: str = ""


ALONE: Final = Company("alone")


class Understood(Value):
    """A place of a letter with its lines read.

    ``faults`` are those of JSON that breaks the schema. ``doubtful`` are its lines that would order
    something, but may not be meant. ``previewed``: ``preview`` stands elsewhere in the letter.
    ``company`` is the talk around it.
    """

    said: Said
    lines: tuple[ReadLine, ...]
    faults: tuple[SchemaFault, ...] = ()
    doubtful: tuple[WrittenLine, ...] = ()
    previewed: bool = False
    company: Company = ALONE

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders, in sequence."""
        return tuple(line.order for line in self.lines if line.order is not None)

    @property
    def entries(self) -> tuple[ListedOrder, ...]:
        """The orders, in sequence, each with the policy its line also gives."""
        return tuple(entry for line in self.lines if (entry := line.entry) is not None)

    @property
    def given(self) -> tuple[Given, ...]:
        """Orders in advance and cancellations, in sequence."""
        return tuple(line.given for line in self.lines if line.given is not None)

    @property
    def all_ahead(self) -> bool:
        """Return whether everything here is for later, so welcome any time."""
        faults = [line.ahead for line in self.lines if line.fault is not None]
        return not self.orders and all(faults) and bool(faults or self.given)

    @property
    def all_withdrawn(self) -> bool:
        """Return whether everything here takes back orders in advance."""
        return self.all_ahead and all(isinstance(given, Cancel) for given in self.given)

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands, in sequence."""
        return tuple(line.command for line in self.lines if line.command is not None)

    @property
    def talk(self) -> tuple[ReadLine, ...]:
        """The lines that mean nothing to the referee."""
        return tuple(line for line in self.lines if line.is_talk)

    @property
    def sets(self) -> tuple[tuple[ListedOrder, ...], ...]:
        """Its orders, parted where talk stands between them."""
        found: list[list[ListedOrder]] = [[]]
        for line in self.lines:
            if (entry := line.entry) is not None:
                found[-1].append(entry)
            elif line.is_talk and found[-1]:
                found.append([])
        return tuple(map(tuple, filter(None, found)))

    @property
    def unreadable(self) -> bool:
        """Return whether an order among the lines cannot be read."""
        return any(line.fault is not None for line in self.lines)

    @property
    def holds_talk(self) -> bool:
        """Return whether a line meant as an order, since it stands in a box, is rather talk."""
        return any(line.fault is not None and line.fault.chatter for line in self.lines)

    @property
    def previews(self) -> bool:
        """Return whether its orders are only to be tried.

        A line that is nearly a preview counts: rather try than play by mistake. What is taken back
        or kept for later is not in doubt.
        """
        return self.previewed or any(
            command == PREVIEW or command.is_nearly(PREVIEW.word) for command in self.commands
        )

    @property
    def orders_something(self) -> bool:
        """Whether a line orders something, or was meant to."""
        return bool(self.orders or self.given or self.unreadable or self.faults)

    @property
    def says_something(self) -> bool:
        """Return whether there is anything to act on; ``preview`` alone is nothing.

        Lines cut off from a box count, since they were meant as orders.
        """
        missing = self.said.cut and self.said.source == "box"
        return bool(self.faults or missing) or any(
            not line.is_talk and line.command != PREVIEW for line in self.lines
        )


def text_of(line: ReadLine, game: AnyGame, language: str) -> str:
    """Return the text of a line, with its orders worded in a language."""
    if (entry := line.entry) is not None:
        return write_line(game, entry, language)
    if line.given is None or isinstance(line.given, Cancel):
        return line.text
    listed = "; ".join(advance_lines(game, line.given, language))
    # Never the player's own word for it: "then queue:" begins with another one.
    word = "" if isinstance(line.given, Policy) else f"{Catalogue(language).keyword('queue')} "
    return Joined(f"{word}{listed}")


def places_of(letter: Letter) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
    """Return the places of a letter's text part and of its HTML.

    The HTML is there to fall back to. Lines quoted in the text part count as quoted in the HTML
    part too, whatever its tags say; lines struck out in the HTML part count as struck out in the
    text part, which cannot show it.
    """
    text = _of_blocks(letter.text, letter.thread, letter.struck)
    if not letter.html_text:
        return text, ()
    # Lines that stand in the text part, but not among those written there, are quoted ones.
    lines = {line.text for block in letter.text for line in parse_lines(block)}
    written = {line.text for said in text for line in said.lines if line.where in MINE}
    return text, _of_blocks(letter.html_text, letter.thread, frozenset(lines - written))


def _of_blocks(blocks: Iterable[str], thread: Thread, doubtful: frozenset[str]) -> tuple[Said, ...]:
    free: list[WrittenLine] = []
    boxes: list[Said] = []
    broken = False
    for block in blocks:
        cut = marks.cut(block, thread)
        for at, line in enumerate(cut.lines):
            struck = line.where in MINE and line.text in doubtful
            where = "below" if struck else line.where
            after = at == 0 and broken
            gap, parted = line.gap or at == 0, line.broken or after
            free.append(replace(line, where=where, gap=gap, broken=parted))
        broken = cut.broken
        boxes.extend(
            _shortened(Said("box", box.code, box.match, seq=box.seq, lines=box.written))
            for box in cut.boxes
            if box.written
        )
    # The same box twice, as some clients send it, is one.
    once = tuple(dict.fromkeys(boxes))
    filled = [box for box in once if box.own]
    # One of the boxes left out stands for all, so that the answer can say so.
    left_out = [replace(box, lines=(), cut=True) for box in filled[MOST_BOXES:][:1]]
    empty = [box for box in once if not box.own]
    kept = {*filled[:MOST_BOXES], *empty[:MOST_BOXES]}
    found = [_shortened(Said("text", lines=tuple(free), broken=broken))] if free else []
    return (*found, *(box for box in once if box in kept), *left_out)


def _shortened(said: Said) -> Said:
    """Return a place with only the lines that are read: of its writer's, and of the others."""
    left = {True: MOST_LINES, False: MOST_LINES}
    read: list[WrittenLine] = []
    for line in said.lines:
        mine = line.where in MINE
        left[mine] -= 1
        if left[mine] >= 0:
            read.append(line)
    return replace(said, lines=tuple(read), cut=left[True] < 0)


def documents_of(letter: Letter) -> tuple[tuple[Said, ...], tuple[SchemaFault, ...]]:
    """Return the JSON submissions of a letter, and the faults of its documents that are none."""
    submissions: list[Said] = []
    faults: list[SchemaFault] = []
    for attached in letter.json:
        fault, document = attached.fault, attached.value
        if fault is not None:
            faults.append(SchemaFault(attached.source, fault.code, fault.fields))
        elif not isinstance(document, dict):
            faults.append(SchemaFault(attached.source, "submission"))
        # Our own turn file may be sent back along with the answer.
        elif document.get("kind") != "turn":
            code, match, turn = document.get("code"), document.get("match"), document.get("turn")
            said = Said(
                "json",
                parse_code(code) if isinstance(code, str) else None,
                match if isinstance(match, str) else None,
                turn if isinstance(turn, int) else None,
                document=document,
            )
            submissions.append(said)
    return tuple(submissions), tuple(faults)


_VALIDATORS: dict[tuple[str, int] | None, Draft202012Validator] = {}


def _validator(game: AnyGame | None) -> Draft202012Validator:
    """Return the judge of a game's orders, or of submissions."""
    key = None if game is None else (game.name, game.edition)
    if key not in _VALIDATORS:
        # Most letters hold no JSON, and every start would pay for what reads it.
        from jsonschema import Draft202012Validator  # noqa: PLC0415

        if game is None:
            schema = resources.schema("submission")
        else:
            schema = json.loads(resources.game_resource(game, "schemas/order.schema.json"))
        _VALIDATORS[key] = Draft202012Validator(schema)
    return _VALIDATORS[key]


def schema_faults(game: AnyGame | None, value: Any, path: str = "$") -> list[SchemaFault]:
    """Return the faults of a game's order that stands at a path; without a game of a submission."""
    faults: list[SchemaFault] = []
    errors = _validator(game).iter_errors(value)
    for leaf in (leaf for error in errors for leaf in _leaves(error)):
        found: Any = leaf.instance
        limit: Any = leaf.validator_value
        schema: Any = leaf.schema
        # The faulty value may be long.
        text = json.dumps(found, ensure_ascii=False)
        fields: dict[str, Json] = {"value": text if len(text) <= LONGEST else f"{text[:LONGEST]}…"}
        match leaf.validator:
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
        steps = (f"[{at}]" if isinstance(at, int) else f".{at}" for at in leaf.absolute_path)
        fault = SchemaFault("".join((path, *steps)), str(leaf.validator), fields)
        # Of several names that are missing each is an error of its own.
        if fault not in faults:
            faults.append(fault)
    return faults


def _leaves(error: ValidationError) -> Sequence[ValidationError]:
    """Return the most telling errors: of several shapes, those of the one whose order fits."""
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
