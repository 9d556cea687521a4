"""The answers of a reply other than receipts: help, lists, boards, refusals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.desk.letters import case as letters_case
from referee.desk.letters.case import Case, Part
from referee.desk.letters.claims import Claim
from referee.desk.mails import post
from referee.desk.mails.post import Binding
from referee.desk.matches import ledger
from referee.desk.players import names_of
from referee.games.game import AnyGame, Options, Order, Refusal, Scene
from referee.render.common import whose_turn
from referee.render.mails import Answer, answer_sheet
from referee.render.parts import deadline
from referee.render.wording import Catalogue, Wording
from referee.store.play import matches
from referee.store.states import ANSWERABLE

_WHOSE_TURN: Final = frozenset({"not-your-turn", "old-code", "preview", "show", "taken-back"})
"""Answers that say whose turn it is, and until when."""


def send(
    case: Case,
    key: str,
    fields: Mapping[str, Any],
    claim: Claim | None = None,
    *,
    game: AnyGame | None = None,
    options: Options | None = None,
    scene: Scene | None = None,
    refusal: Refusal | None = None,
    legal: Sequence[Order] = (),
) -> None:
    """Answer the sender; with a claim the answer bears its seat's code.

    ``game`` words an answer without a seat, for matches with ``options``. Above the daily or hourly
    limit nothing is sent.
    """
    if case.unanswered:
        return
    language = case.player.language
    binding = None if claim is None else binding_of(case, claim)
    game = game or _game(case, claim)
    wording = Wording(game, language) if game else Catalogue(language)
    if binding is None or not isinstance(wording, Wording):
        framing = post.bare_framing(language)
    else:
        framing = post.framing(
            wording,
            binding.match.name,
            binding.turn,
            binding.seat.seat,
            binding.code,
            box=binding.match.state in ANSWERABLE,
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
        turn=_turn(case, binding, wording) if key in _WHOSE_TURN else None,
        options=options if binding is None else json.loads(binding.match.options),
        waits=binding is not None
        and binding.match.state == "running"
        and binding.match.to_act != binding.seat.seat,
    )
    about = None if binding is None else (binding.match.id, binding.seat.seat)
    case.tray.put(Part(answer_sheet(wording, answer), about=about, lines=case.tray.lines))


def _turn(case: Case, binding: Binding | None, wording: Wording | Catalogue) -> str | None:
    """Return a sentence about the seat to act and its deadline.

    None if the answer has no match, or the match waits for nobody.
    """
    if binding is None or not isinstance(wording, Wording):
        return None
    row, seat = binding.match, binding.match.to_act
    if row.state != "running" or seat is None:
        return None
    fields = deadline(row.due, case.player.zone, case.desk.now(), wording)
    names = names_of(case.connection, matches.seats(case.connection, row.id))
    mine = binding.seat.seat
    asked = ledger.load(case.change, row).live.scene(mine).asked
    return whose_turn(wording, mine, seat, names, fields, asked=asked)


def binding_of(case: Case, claim: Claim) -> Binding:
    """Return the present binding of a mail to the claim's seat."""
    return letters_case.binding_of(case, (claim.match.id, claim.seat.seat))


def _game(case: Case, claim: Claim | None) -> AnyGame | None:
    if claim is None:
        return None
    return case.desk.find_game(claim.match.game, claim.match.edition)
