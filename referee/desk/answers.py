"""The answers to a letter that are no receipt: help, lists, boards, and what could not be done."""

from __future__ import annotations

from collections.abc import Mapping

from referee.desk import frames, ledger
from referee.desk.case import Case
from referee.desk.claims import Claim
from referee.desk.posting import Binding, post
from referee.games.game import AnyGame, Json, Refusal, Scene
from referee.render.answers import Answer
from referee.render.answers import answer as render
from referee.render.wording import Catalogue, Wording
from referee.store import matches as tables


def send(
    case: Case,
    key: str,
    fields: Mapping[str, Json],
    claim: Claim | None = None,
    *,
    scene: Scene | None = None,
    refusal: Refusal | None = None,
) -> int | None:
    """Answer the letter's sender; with a claim the answer belongs to its seat and bears its code.

    Returns the id of the mail in the outbox; None when the sender has had too many of late.
    """
    if case.muted or case.hushed or case.silent:
        return None
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
        framing=framing,
    )
    return post(
        case.desk,
        case.connection,
        case.player,
        "answer",
        render(wording, answer),
        binding=binding,
        answers=case.letter,
    )


def binding_of(case: Case, claim: Claim) -> Binding:
    """Return what a mail to the seat is bound to now, not when the letter was written."""
    row = tables.by_id(case.connection, claim.match.id)
    seat = next(s for s in tables.seats(case.connection, row.id) if s.seat == claim.seat.seat)
    code = ledger.code_of(case.desk, row, seat)
    return Binding(row, seat, row.turn, code)


def _game(case: Case, claim: Claim | None) -> AnyGame | None:
    if claim is None:
        return None
    return case.desk.find_game(claim.match.game, claim.match.edition)
