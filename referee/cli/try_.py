"""`referee try`: orders played on a position file, told as text or as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from referee.cli import show
from referee.errors import RefereeError

if TYPE_CHECKING:
    from referee.cli.trial import Line, Trial
    from referee.games.game import AnyGame, Document, Fact, Refusal, Seat
    from referee.render.wording import Wording

SPECTATOR: Final = "spectator"
REFUSED: Final = 1
SHOWN: Final = 40
"""How many legal orders are shown as text; JSON holds all."""


def try_position(
    path: Annotated[Path, typer.Argument(metavar="POSITION.json", help="- is standard input.")],
    *,
    seat: Annotated[str | None, typer.Option(help="Whose orders; default: who is to act.")] = None,
    order: Annotated[list[str] | None, typer.Option(help="An order; may be repeated.")] = None,
    orders: Annotated[Path | None, typer.Option(help="A file of orders, played first.")] = None,
    seed: Annotated[int, typer.Option(help="The seed chance is drawn from.")] = 0,
    view: Annotated[str | None, typer.Option(help="Show what SEAT or spectator sees.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Is the document complete?")] = False,
    language: Annotated[str, typer.Option(help="The language of the texts.")] = "en",
) -> None:
    """Play orders on a position: what happens, or why they are refused, and what is legal.

    Status 0: played; 1: refused, or incomplete under --check; 2: something cannot be read.

    Example: referee try position.json --order "place B3 B4"
    """
    from referee.cli import trial
    from referee.render.wording import Wording

    document = trial.read_document(path)
    game = trial.find_game(path, document)
    position = trial.read_position(path, document, game)
    seats = _seats(game, position)
    _known_seat("--seat", seat, [*seats, "chance"])
    _known_seat("--view", view, [*seats, SPECTATOR])
    lines = trial.read_orders(game, orders, order or [])
    teller = Teller(game, Wording(game, language), view, bool(lines))
    if check:
        _check(game, document, done=not lines)
    outcome = trial.run_trial(game, position, lines, seat, seed)
    if not show.printed(teller.document(outcome, lines)):
        typer.echo("\n".join(teller.text(outcome, lines)))
    raise typer.Exit(REFUSED if outcome.refusal else 0)


def _seats(game: AnyGame, position: Any) -> list[Seat]:
    return list(game.points(position))


def _known_seat(option: str, name: str | None, known: list[str]) -> None:
    if name is not None and name not in known:
        raise RefereeError(f"{option}: {name!r} has no seat here; there are: {', '.join(known)}")


def _check(game: AnyGame, document: Document, *, done: bool) -> None:
    """Tell whether a document is complete; go on only if it is and orders are to be played."""
    faults = list(game.check(document))
    if not faults and not done:
        return
    told = [{"path": each.path, "message": each.message} for each in faults]
    said = [f"{each.path}: {each.message}" for each in faults]
    show.result({"ok": not faults, "faults": told}, *(said or ["complete"]))
    raise typer.Exit(REFUSED if faults else 0)


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells what came of a trial to who sees all (``view`` None), to a seat, or a spectator."""

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
        """Return why an order is refused, and what could be played there."""
        return {
            "order": at + 1,
            "line": line.text,
            "code": why.code,
            "rule": why.rule,
            "text": self._why(why),
            "legal": [self.wording.order(each) for each in why.legal],
        }

    def legal(self, position: Any) -> list[str]:
        """Return what is legal as text, to who may know it: who is to act, or who sees all."""
        to_act = self.game.to_act(position)
        if to_act is None or self.view not in (None, to_act):
            return []
        return [self.wording.order(each) for each in self.game.orders(position)]

    def _why(self, why: Refusal) -> str:
        """Return the reason in the game's words, else in the core's."""
        if self.wording.has("refusal", why.code):
            return self.wording.refusal(why)
        if actor := why.fields.get("seat"):
            return self._to_act(str(actor))
        return self.wording.catalogue.say("turn.over")

    def _to_act(self, seat: Seat) -> str:
        from referee.render.layout import capital

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
        from referee.cli.trial import write_position

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
        """Yield the board and what stands beside it, as the seat to act sees it by default."""
        from referee.render.board import text_board

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
