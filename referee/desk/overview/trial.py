"""A trial in words: a position file and orders read, the outcome told."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from jsonschema import Draft202012Validator

from referee import resources
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
from referee.matches.trial import Trial, run_trial
from referee.render.drawings.board import text_board
from referee.render.layout import capital
from referee.render.words.wording import Wording
from referee.text import short
from referee.value import Value, asdict

SPECTATOR: Final = "spectator"

_SHOWN: Final = 40
"""Legal orders shown as text; JSON holds all."""

HEADER: Final = ("game", "edition")
"""Keys of a document beside the position itself."""


class TrialStart(Value):
    """A position to try orders at, and its document."""

    game: AnyGame
    position: Any
    document: Document

    def check_seats(self, seat: str | None, view: str | None) -> None:
        """Refuse seats that nobody has here. Raises RefereeError."""
        for option, name, other in (("--seat", seat, CHANCE), ("--view", view, SPECTATOR)):
            known = [*self.game.points(self.position), other]
            if name is not None and name not in known:
                there = ", ".join(known)
                raise RefereeError(f"{option}: {name!r} has no seat here; there are: {there}")

    def read_line(self, place: str, text: str) -> tuple[str, Order]:
        """Return a text with the order in it. Raises RefereeError, with its place."""
        try:
            return text, self.game.parse(text, LANGUAGES[0])
        except Unreadable as error:
            reason = Wording(self.game, LANGUAGES[0]).unreadable(error)
            raise RefereeError(f"{place}: {text!r} cannot be read: {reason}") from None

    def play(
        self,
        lines: Sequence[tuple[str, Order]],
        seat: Seat | None,
        seed: int,
        view: str | None,
        language: str,
    ) -> TrialReport:
        """Play orders of one seat, or any (None); return what comes of it."""
        orders = [order for _, order in lines]
        trial = run_trial(self.game, self.position, orders, seat, seed)
        return TrialReport(self.game, lines, trial, view, Wording(self.game, language))


def read_start(path: str, document: Document) -> TrialStart:
    """Return the position of a document, or of one that ``match show --full`` printed around it.

    Raises RefereeError naming every place that is wrong.
    """
    inner = document.get("position")
    if "game" not in document and isinstance(inner, dict):
        document = inner
    name, edition = document.get("game"), document.get("edition")
    if not isinstance(name, str):
        there = ", ".join(registry.game_names())
        raise RefereeError(f"{path}: $.game: names the game in quotes; there are: {there}")
    if edition is not None and type(edition) is not int:
        raise RefereeError(f"{path}: $.edition: is a whole number")
    try:
        game = registry.find_installed(name, edition)
    except registry.UnknownGame as error:
        raise RefereeError(f"{path}: $.game: {short(str(error))}") from None
    schema = json.loads(resources.game_resource(game, "schemas/position.schema.json"))
    known = schema.get("properties", {})
    bare = {key: part for key, part in document.items() if key not in HEADER or key in known}
    errors = Draft202012Validator(schema).iter_errors(bare)
    if faults := sorted(errors, key=lambda error: error.json_path):
        lines = (f"{fault.json_path}: {' '.join(fault.message.split())}" for fault in faults)
        raise RefereeError("\n".join(f"{path}: {line}" for line in lines))
    try:
        return TrialStart(game, game.load(document), document)
    except BadDocument as error:
        raise RefereeError(f"{path}: {error}") from None


class TrialReport(Value):
    """The outcome of a trial told; ``view`` is a seat, ``spectator``, or None for everything."""

    game: AnyGame
    lines: Sequence[tuple[str, Order]]
    trial: Trial
    view: str | None
    wording: Wording

    def document(self) -> dict[str, Any]:
        """Return the JSON object."""
        if self.trial.refusal is not None:
            return {"ok": False, "refusal": self._refused(self.trial.refusal)}
        position, facts = self.trial.position, list[dict[str, Any]]()
        for fact in self._known():
            audience = "all" if fact.audience is None else sorted(fact.audience)
            said = {"fact": fact.fact, "audience": audience, "text": self.wording.fact(fact)}
            facts.append(
                said | {name: value for name, value in fact.fields.items() if name not in said}
            )
        told: dict[str, Any] = {"ok": True, "to_act": self.game.to_act(position), "facts": facts}
        if not self.lines:
            told["legal"] = self._legal(position)
        if self.view is None:
            head = {"game": self.game.name, "edition": self.game.edition}
            told["position"] = {**head, **self.game.dump(position)}
        else:
            told["view"] = self.game.view(position, self._eyes).document
        result = self.game.result(position)
        told["result"] = result and asdict(result)
        return told

    def text(self) -> Iterator[str]:
        """Yield the lines of text."""
        if self.trial.refusal is not None:
            refused = self._refused(self.trial.refusal)
            rule = f" ({refused['rule']})" if refused["rule"] else ""
            yield f"{refused['line']}: {refused['text']}{rule}"
            yield from (f"  {legal}" for legal in refused["legal"])
            return
        position = self.trial.position
        to_act = self.game.to_act(position)
        eyes = self._eyes if self.view or to_act == "chance" else to_act
        scene = self.game.scene(self.game.view(position, eyes))
        yield from text_board(scene, self.wording)
        for panel in scene.panels:
            yield from ["", self.wording.word("panel", panel.title)]
            yield from (f"  {self.wording.sentence(sentence)}" for sentence in panel.sentences)
        facts = self.wording.facts(self._known())
        yield from facts and ["", *facts]
        yield ""
        if to_act is not None:
            yield self._to_act(to_act)
            legal = self._legal(position)
            yield from (f"  {order}" for order in legal[:_SHOWN])
            if len(legal) > _SHOWN:
                yield f"  … {len(legal)}"
            return
        say, result = self.wording.catalogue.say, self.game.result(position)
        ending = result and self.wording.ending(result)
        yield say("turn.over_by", ending=ending) if ending else say("turn.over")

    def _refused(self, why: Refusal) -> dict[str, Any]:
        """Return the refusal of an order, with legal ones."""
        # The reason in the game's words, or else in the core's.
        if self.wording.has("refusal", why.code):
            text = self.wording.refusal(why)
        elif actor := why.fields.get("seat"):
            text = self._to_act(str(actor))
        else:
            text = self.wording.catalogue.say("turn.over")
        return {
            "order": self.trial.at + 1,
            "line": self.lines[self.trial.at][0],
            "code": why.code,
            "rule": why.rule,
            "text": text,
            "legal": [self.wording.order(order) for order in why.legal],
        }

    def _legal(self, position: Any) -> list[str]:
        """Return the legal orders, if the view may know them."""
        to_act = self.game.to_act(position)
        if to_act is None or self.view not in (None, to_act):
            return []
        return [self.wording.order(order) for order in self.game.orders(position)]

    def _to_act(self, seat: Seat) -> str:
        name = capital(self.wording.seat(seat))
        return self.wording.catalogue.say("turn.theirs", seat=name, due=None, left=None)

    def _known(self) -> list[Fact]:
        facts = self.trial.facts
        return [fact for fact in facts if self.view is None or fact.known_to(self._eyes)]

    @property
    def _eyes(self) -> Seat | None:
        return None if self.view == SPECTATOR else self.view
