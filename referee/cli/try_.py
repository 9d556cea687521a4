"""``referee try``: orders played on a position file, without a match."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from jsonschema import Draft202012Validator

from referee import resources
from referee.cli import output
from referee.cli.files import content_of
from referee.cli.options import Language
from referee.errors import RefereeError
from referee.games import registry
from referee.games.game import (
    CHANCE,
    LANGUAGES,
    AnyGame,
    BadDocument,
    Document,
    Fact,
    Order,
    Refusal,
    Seat,
    Unreadable,
)
from referee.games.play import refusal
from referee.matches import strict
from referee.matches.log import AnyMatch, Match, Turn, play_chance, play_order, turn_after
from referee.matches.match import settle
from referee.matches.terms import Terms
from referee.render.drawings.board import text_board
from referee.render.layout import capital
from referee.render.wording import Wording

SPECTATOR: Final = "spectator"

REFUSED: Final = 1
"""Exit status for a refused order, or an incomplete document."""

SHOWN: Final = 40
"""Legal orders shown as text; JSON holds all."""

HEADER: Final = ("game", "edition")
"""Keys of a document beside the position itself."""

MATCH: Final = "try"
"""The name of the match; chance is drawn from it."""

STARTED: Final = "2000-01-01T00:00:00Z"
"""The moment of all its orders; no rule knows the time."""


def try_position(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="A position as JSON; - reads input.")
    ],
    *,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="Default: the seat to act.")
    ] = None,
    order: Annotated[
        list[str] | None, typer.Option(metavar="ORDER", help="An order, in quotes; repeatable.")
    ] = None,
    orders: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Orders, one a line, played first.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="The seed of chance.")] = 0,
    view: Annotated[
        str | None, typer.Option(metavar="SEAT|spectator", help="As this seat, or all, see it.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check whether the document is complete.")
    ] = False,
    language: Annotated[Language, typer.Option(help="The language of the texts.")] = "en",
) -> None:
    """Play orders on a position file.

    It tells what happens, or why an order is refused, and which orders are legal. Exit status 1:
    refused, or not complete; 2: something cannot be read.

    Example: referee try position.json --order "place B3 B4"
    """
    document = read_document(path)
    game = find_game(path, document)
    position = read_position(path, document, game)
    seats = _seats(game, position)
    _known_seat("--seat", seat, [*seats, "chance"])
    _known_seat("--view", view, [*seats, SPECTATOR])
    lines = read_orders(game, orders, order or [])
    teller = Teller(game, Wording(game, language), view, bool(lines))
    if check:
        _check(game, document, done=not lines)
    outcome = run_trial(game, position, lines, seat, seed)
    if not output.printed(teller.document(outcome, lines)):
        typer.echo("\n".join(teller.text(outcome, lines)))
    raise typer.Exit(REFUSED if outcome.refusal else 0)


def _seats(game: AnyGame, position: Any) -> list[Seat]:
    return list(game.points(position))


def _known_seat(option: str, name: str | None, known: list[str]) -> None:
    if name is not None and name not in known:
        raise RefereeError(f"{option}: {name!r} has no seat here; there are: {', '.join(known)}")


def _check(game: AnyGame, document: Document, *, done: bool) -> None:
    """Print whether a document is complete, and exit.

    It returns for a complete one if orders are to be played.
    """
    faults = list(game.check(document))
    if not faults and not done:
        return
    told = [{"path": each.path, "message": each.message} for each in faults]
    said = [f"{each.path}: {each.message}" for each in faults]
    output.result({"ok": not faults, "faults": told}, *(said or ["complete"]))
    raise typer.Exit(REFUSED if faults else 0)


@dataclass(frozen=True, slots=True)
class Teller:
    """The outcome of a trial, as text or JSON.

    ``view`` is the seat it is for, ``spectator``, or None for everything.
    """

    game: AnyGame
    wording: Wording
    view: str | None
    played: bool

    def document(self, outcome: Trial, lines: list[Line]) -> dict[str, Any]:
        """Return the JSON object."""
        if outcome.refusal is not None and outcome.at is not None:
            refused = self.refused(outcome.refusal, outcome.at, lines[outcome.at])
            return {"ok": False, "refusal": refused}
        to_act = self.game.to_act(outcome.position)
        facts = [self._fact(each) for each in self._known(outcome)]
        told: dict[str, Any] = {"ok": True, "to_act": to_act, "facts": facts}
        if not self.played:
            told["legal"] = self.legal(outcome.position)
        return told | self._state(outcome.position) | {"result": self._result(outcome.position)}

    def text(self, outcome: Trial, lines: list[Line]) -> Iterator[str]:
        """Yield the lines of text."""
        if outcome.refusal is not None and outcome.at is not None:
            refused = self.refused(outcome.refusal, outcome.at, lines[outcome.at])
            rule = f" ({refused['rule']})" if refused["rule"] else ""
            yield f"{refused['line']}: {refused['text']}{rule}"
            yield from (f"  {each}" for each in refused["legal"])
            return
        yield from self._board(outcome.position)
        facts = self.wording.facts(self._known(outcome))
        yield from facts and ["", *facts]
        yield from ["", *self._whose_turn(outcome.position)]

    def refused(self, why: Refusal, at: int, line: Line) -> dict[str, Any]:
        """Return the refusal of an order, with legal ones."""
        return {
            "order": at + 1,
            "line": line.text,
            "code": why.code,
            "rule": why.rule,
            "text": self._why(why),
            "legal": [self.wording.order(each) for each in why.legal],
        }

    def legal(self, position: Any) -> list[str]:
        """Return the legal orders, if the view may know them."""
        to_act = self.game.to_act(position)
        if to_act is None or self.view not in (None, to_act):
            return []
        return [self.wording.order(each) for each in self.game.orders(position)]

    def _why(self, why: Refusal) -> str:
        """Return the reason in the game's words, or else in the core's."""
        if self.wording.has("refusal", why.code):
            return self.wording.refusal(why)
        if actor := why.fields.get("seat"):
            return self._to_act(str(actor))
        return self.wording.catalogue.say("turn.over")

    def _to_act(self, seat: Seat) -> str:
        name = capital(self.wording.seat(seat))
        return self.wording.catalogue.say("turn.theirs", seat=name, due=None, left=None)

    def _known(self, outcome: Trial) -> list[Fact]:
        return [each for each in outcome.facts if self.view is None or each.known_to(self._eyes)]

    @property
    def _eyes(self) -> Seat | None:
        return None if self.view == SPECTATOR else self.view

    def _fact(self, fact: Fact) -> dict[str, Any]:
        audience = "all" if fact.audience is None else sorted(fact.audience)
        told = {"fact": fact.fact, "audience": audience, "text": self.wording.fact(fact)}
        return told | {name: each for name, each in fact.fields.items() if name not in told}

    def _state(self, position: Any) -> dict[str, Any]:
        if self.view is None:
            return {"position": write_position(self.game, position)}
        return {"view": self.game.view(position, self._eyes).document}

    def _result(self, position: Any) -> dict[str, Any] | None:
        result = self.game.result(position)
        if result is None:
            return None
        points, places = dict(result.points), dict(result.places)
        return {"ending": result.ending, "points": points, "places": places}

    def _board(self, position: Any) -> Iterator[str]:
        """Yield the board and its panels, as the view shows them."""
        to_act = self.game.to_act(position)
        eyes = self._eyes if self.view or to_act == "chance" else to_act
        scene = self.game.scene(self.game.view(position, eyes))
        yield from text_board(scene, self.wording)
        for panel in scene.panels:
            yield from ["", self.wording.word("panel", panel.title)]
            yield from (f"  {self.wording.sentence(each)}" for each in panel.sentences)

    def _whose_turn(self, position: Any) -> Iterator[str]:
        say, to_act = self.wording.catalogue.say, self.game.to_act(position)
        result = self.game.result(position)
        if to_act is None:
            ending = result and self.wording.ending(result.ending)
            yield say("turn.over_by", ending=ending) if ending else say("turn.over")
            return
        yield self._to_act(to_act)
        legal = self.legal(position)
        yield from (f"  {each}" for each in legal[:SHOWN])
        if len(legal) > SHOWN:
            yield f"  … {len(legal)}"


@dataclass(frozen=True, slots=True)
class Line:
    """An order as it was given: its place, its text, and its meaning."""

    place: str
    text: str
    order: Order


@dataclass(frozen=True, slots=True)
class Trial:
    """The outcome of the orders: the position reached, and the facts on the way.

    ``refusal`` is the reason why the order ``lines[at]`` could not be played.
    """

    position: Any
    facts: tuple[Fact, ...]
    refusal: Refusal | None = None
    at: int | None = None


def read_document(path: Path) -> Document:
    """Return the JSON object in a file, ``-`` for standard input. Raises RefereeError."""
    try:
        document = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise RefereeError(f"{path}: is no JSON: {' '.join(str(error).split())}") from None
    if not isinstance(document, dict):
        raise RefereeError(f"{path}: $: a position is an object, {{…}}")
    return document


def _text(path: Path) -> str:
    data = content_of(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RefereeError(f"{path}: is not UTF-8 at byte {error.start}") from None


def find_game(path: Path, document: Document) -> AnyGame:
    """Return the game a document names, in its edition. Raises RefereeError."""
    name, edition = document.get("game"), document.get("edition")
    known = ", ".join(registry.names())
    if not isinstance(name, str):
        raise RefereeError(f"{path}: $.game: names the game in quotes; there are: {known}")
    if edition is not None and type(edition) is not int:
        raise RefereeError(f"{path}: $.edition: is a whole number")
    try:
        return registry.find(name, edition)
    except registry.UnknownGame as error:
        raise RefereeError(f"{path}: $.game: {strict.short(str(error))}") from None


def read_position(path: Path, document: Document, game: AnyGame) -> Any:
    """Return the position of a document. Raises RefereeError naming every place that is wrong."""
    if faults := list(_schema_faults(document, game)):
        raise RefereeError("\n".join(f"{path}: {fault}" for fault in faults))
    try:
        return game.load(document)
    except BadDocument as error:
        raise RefereeError(f"{path}: {error}") from None


def _schema_faults(document: Document, game: AnyGame) -> Iterator[str]:
    schema = json.loads(resources.of_game(game, "schemas/position.schema.json"))
    known = schema.get("properties", {})
    bare = {k: v for k, v in document.items() if k not in HEADER or k in known}
    for error in sorted(
        Draft202012Validator(schema).iter_errors(bare), key=lambda each: each.json_path
    ):
        yield f"{error.json_path}: {' '.join(error.message.split())}"


def write_position(game: AnyGame, position: Any) -> Document:
    """Return the document of a position, complete."""
    return {"game": game.name, "edition": game.edition, **game.dump(position)}


def read_orders(game: AnyGame, file: Path | None, lines: Sequence[str]) -> list[Line]:
    """Return the orders of a file, one per line, then single ones.

    Raises RefereeError.
    """
    given = [(f"--order {number}", text) for number, text in enumerate(lines, start=1)]
    if file is not None:
        numbered = enumerate(_text(file).splitlines(), start=1)
        given = [(f"{file}:{number}", text) for number, text in numbered if text.strip()] + given
    return [_read_order(game, place, text.strip()) for place, text in given]


def _read_order(game: AnyGame, place: str, text: str) -> Line:
    try:
        return Line(place, text, game.parse(text, LANGUAGES[0]))
    except Unreadable as error:
        reason = Wording(game, LANGUAGES[0]).unreadable(error)
        raise RefereeError(f"{place}: {text!r} cannot be read: {reason}") from None


def run_trial(
    game: AnyGame, position: Any, lines: Sequence[Line], seat: Seat | None, seed: int
) -> Trial:
    """Play orders as a match would, of one seat or any (None).

    Chance is drawn from the seed whenever it is due, unless the order itself is one of its
    outcomes; forced orders are played after the last one given.
    """
    match, facts = _match_at(game, position, seed), list[Fact]()
    for number, line in enumerate(lines):
        if seat != CHANCE and not (seat is None and _is_outcome(match, line.order)):
            match = _drawn(match, facts)
        if why := _refusal(match, line.order, seat):
            return Trial(position, (), why, number)
        match, logged = play_order(match, game.canonical(match.position, line.order), STARTED)
        facts += logged.facts
    match = _drawn(match, facts)
    if lines:
        match, settled = settle(match, STARTED)
        facts += [fact for each in settled for fact in each.facts]
    return Trial(match.position, tuple(facts))


def _match_at(game: AnyGame, position: Any, seed: int) -> AnyMatch:
    """Return a practice match that begins at a position."""
    secret = hashlib.sha256(f"{MATCH} {seed}".encode()).digest()
    terms = Terms(
        match=MATCH, game=game.name, edition=game.edition, board={},
        seats=tuple(game.points(position)), options={}, commitment="", practice=True, words={},
        started=STARTED,
    )  # fmt: skip
    turn = turn_after(Turn(0, None, 0, over=False), game.to_act(position), 0)
    return Match(game, terms, secret, position, 0, terms.header_hash(), 0, turn)


def _drawn(match: AnyMatch, facts: list[Fact]) -> AnyMatch:
    """Draw while chance is due; add the facts and return the match."""
    while match.to_act == CHANCE:
        match, logged = play_chance(match)
        facts += logged.facts
    return match


def _refusal(match: AnyMatch, order: Order, seat: Seat | None) -> Refusal | None:
    if seat is not None and match.to_act not in (None, seat):
        return Refusal("not-your-turn", "", {"seat": match.to_act})
    return refusal(match.game, match.position, order)


def _is_outcome(match: AnyMatch, order: Order) -> bool:
    if match.to_act != CHANCE:
        return False
    return any(order == outcome for outcome, _ in match.game.chance(match.position))
