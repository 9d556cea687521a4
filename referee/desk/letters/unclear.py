"""Answers to lines that cannot be read: what they probably meant, how it is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from referee.desk.letters import confirm, reply, sender
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim, Place, Problem, claim
from referee.desk.letters.confirm import ANSWERING
from referee.desk.letters.words.attempts import is_terse
from referee.desk.letters.words.keywords import KEYWORDS, Command, line_of
from referee.desk.letters.words.lines import ReadLine
from referee.desk.letters.words.places import MOST_LINES, Said
from referee.desk.matches import ledger
from referee.games.game import LANGUAGES, Json, Order
from referee.render.parts import spread
from referee.render.wording import Catalogue, Wording
from referee.store.people.questions import QuestionRow

MOST_NAMED: Final = 5
"""Lines of talk that one answer shows."""

MOST_PROPOSED: Final = 3
"""Legal orders proposed to the player whose turn it is."""


def command(case: Case, claim: Claim | None, given: Command) -> None:
    """Answer a line meant as a command with its correct form."""
    if given.arguments[0] == "luck":
        waits = claim is not None and claim.match.state == "invited"
        reply.send(case, "luck-unread", {"words": given.text, "waits": waits}, claim)
        return
    how = _commands(case, given.arguments[0])
    reply.send(case, "unclear", {"lines": [given.text], "written": how}, claim)


def silence(case: Case, places: Sequence[Place], read: Sequence[Place]) -> None:
    """Answer a letter that says nothing: why, or how to write what it may have meant.

    ``read`` are all its places, ``places`` those that count.
    """
    problem = next((each.problem for each in places if each.problem), None)
    if problem is not None:
        reply.send(case, problem.key, problem.fields)
        return
    if _doubtful(case, [line for each in read for line in each.understood.doubted], places):
        return
    carried = sender.codes(case)
    claimed = claim(case.connection, case.player, Said("text"), carried, frozenset())
    if any(each.understood.said.cut for each in places):
        good = claimed if isinstance(claimed, Claim) else None
        reply.send(case, "too-long", {"most": MOST_LINES}, good)
        return
    talk = [line for each in places for line in each.understood.talk]
    _nothing(case, talk, None if isinstance(claimed, Problem) else claimed)


def left_out(case: Case, places: Sequence[Place], read: Sequence[Place]) -> None:
    """Show lines that may not have been meant, beside those carried out.

    Those of older mails are left out: to the writer they are no news.
    """
    _doubtful(case, [line for each in read for line in each.understood.trailing], places)


def _nothing(case: Case, talk: Sequence[ReadLine], claimed: Claim | QuestionRow | None) -> None:
    """Answer a letter without a readable line: how to write one."""
    claim = claimed if isinstance(claimed, Claim) else None
    hinted = [each for each in talk if each.hint]
    legal = () if claim is None else _legal(case, claim)
    if len(talk) > 1 and talk[-1].text.endswith(":"):
        talk = talk[:-1]  # "On Sunday the referee wrote:"
    # Lines that begin with a keyword are the likelier orders.
    named = hinted or talk
    lines: list[Json] = [each.text for each in named[:MOST_NAMED]]
    if not hinted:
        invited = claim is not None and claim.match.state == "invited"
        written = [each for word in ("agree", "decline") for each in _commands(case, word)]
        read: dict[str, Json] = {"lines": lines, "written": written if invited else []}
        reply.send(case, "no-orders", read, claim, legal=legal)
        return
    hint = hinted[0].hint or ""
    fields: dict[str, Json] = {"lines": lines, "written": _written(case, hint, claim, legal)}
    meant = meaning(case, hint, claimed) if KEYWORDS.get(hint) in ANSWERING else {}
    reply.send(case, "unclear", {**fields, **meant}, claim, legal=legal)


def _doubtful(case: Case, lines: Sequence[str], places: Sequence[Place]) -> bool:
    """Show lines that may not have been meant, asking for them again; return whether any."""
    if lines:
        once = tuple(dict.fromkeys(lines))
        shown: list[Json] = list(once[:MOST_NAMED])
        claim = next((each.claim for each in places if each.claim), None)
        reply.send(case, "doubtful", {"lines": shown}, claim)
    return bool(lines)


def half_answers(case: Case, talk: Sequence[ReadLine], claimed: Claim | QuestionRow | None) -> None:
    """Answer lines that are nearly the yes or no awaited."""
    for line in talk:
        if KEYWORDS.get(line.hint or "") in ANSWERING and is_terse(line.text):
            meant = meaning(case, line.hint or "", claimed)
            if meant["meant"] != "nothing":
                claim = claimed if isinstance(claimed, Claim) else None
                fields: dict[str, Json] = {"lines": [line.text], "written": [], **meant}
                reply.send(case, "unclear", fields, claim)


def meaning(case: Case, word: str, claimed: Claim | QuestionRow | None) -> dict[str, Json]:
    """Return the question a yes or no would have answered, as fields."""
    fields: dict[str, Json] = {"word": word, "meant": "nothing"}
    if isinstance(claimed, QuestionRow):
        asked: list[Json] = [line_of(each) for each in confirm.commands_of(claimed)]
        waiting = confirm.waits(claimed, case.row.arrived)
        return fields | ({"meant": "question", "question": asked} if waiting else {})
    if claimed is not None and claimed.match.state == "invited":
        return fields | {"meant": "play"}
    put = None if claimed is None else confirm.open_to(case, claimed)
    return fields | ({} if put is None else {"meant": put.kind, "turn": put.document.turn})


def _legal(case: Case, claim: Claim) -> Sequence[Order]:
    if claim.match.state != "running" or claim.match.to_act != claim.seat.seat:
        return ()
    sitting = ledger.load(case.change, claim.match)
    return spread(tuple(sitting.game.orders(sitting.live.position)), MOST_PROPOSED)


def _written(case: Case, hint: str, claim: Claim | None, legal: Sequence[Order]) -> list[Json]:
    """Return the correct form of the command or orders hinted at."""
    if hint in KEYWORDS:
        return _commands(case, KEYWORDS[hint])
    if claim is None:
        return []
    game = case.desk.find_game(claim.match.game, claim.match.edition)
    options = json.loads(claim.match.options)
    found = [Wording(game, language) for language in (case.player.language, *LANGUAGES)]
    for each in found:
        lines = each.help_orders(options, legal) + each.help_policies(options)
        if named := [pair for pair in lines if pair[0].split()[0].casefold() == hint]:
            return [list(pair) for pair in named]
    return [list(pair) for pair in found[0].help_orders(options, legal)]


def _commands(case: Case, word: str) -> list[Json]:
    return [
        [order, about]
        for order, about in Catalogue(case.player.language).commands
        if KEYWORDS.get(order.split(maxsplit=1)[0]) == word
    ]
