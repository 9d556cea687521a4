"""The answers to a letter that are no receipt: help, lists, boards, and what could not be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.desk import frames, tray
from referee.desk.case import Case
from referee.desk.claims import Claim
from referee.desk.posting import Binding
from referee.desk.tray import Part
from referee.games.game import AnyGame, Json, Order, Refusal, Scene
from referee.render.mails import Answer, answer_sheet
from referee.render.wording import Catalogue, Wording


def send(
    case: Case,
    key: str,
    fields: Mapping[str, Json],
    claim: Claim | None = None,
    *,
    scene: Scene | None = None,
    refusal: Refusal | None = None,
    legal: Sequence[Order] = (),
) -> None:
    """Answer the letter's sender; with a claim the answer belongs to its seat and bears its code.

    One who has had too many answers of late gets none.
    """
    if case.unanswered:
        return
    language = case.player.language
    binding = None if claim is None else binding_of(case, claim)
    game = _game(case, claim)
    wording = Wording(game, language) if game else Catalogue(language)
    if binding is None or not isinstance(wording, Wording):
        framing = frames.bare_framing(language)
    else:
        framing = frames.framing(
            wording,
            binding.match.name,
            binding.turn,
            binding.seat.seat,
            binding.code,
            box=binding.match.state in {"invited", "running"},
        )
    answer = Answer(
        key,
        fields,
        match=binding.match.name if binding else None,
        game_name=wording.word("game", "name") if isinstance(wording, Wording) else None,
        seat=binding.seat.seat if binding else None,
        scene=scene,
        refusal=refusal,
        legal=tuple(legal),
        framing=framing,
    )
    about = None if binding is None else (binding.match.id, binding.seat.seat)
    case.tray.put(Part(answer_sheet(wording, answer), about=about, lines=case.tray.lines))


def binding_of(case: Case, claim: Claim) -> Binding:
    """Return what a mail to the seat is bound to now, not when the letter was written."""
    return tray.binding_of(case, (claim.match.id, claim.seat.seat))


def _game(case: Case, claim: Claim | None) -> AnyGame | None:
    if claim is None:
        return None
    return case.desk.find_game(claim.match.game, claim.match.edition)
