"""Setting anything in the position by hand, once the game finds it complete, with every piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from referee.desk import ledger, rewinding
from referee.desk.mending.act import Plain, Refused, Work
from referee.games.game import BadDocument, Json
from referee.games.play import digest
from referee.matches import mending
from referee.matches.log import AnyMatch


@dataclass(frozen=True, slots=True)
class Fix(Plain):
    """Set the position: to a whole document of one, or to what a JSON Patch makes of it.

    ``made_from`` is the digest of the position that was edited, if it is known.
    """

    name: ClassVar[str] = "fix"
    match: str
    given: Json
    made_from: str | None = None

    def carry_out(self, work: Work) -> None:
        work.going("running", "paused")
        sitting = work.sitting()
        if self.made_from not in {None, digest(sitting.game, sitting.live.position)}:
            raise Refused(
                f"{self.match} has moved on since this position was printed; nothing was done: "
                "print it anew with show --full"
            )
        patch = patch_of(sitting.live, self.given)
        if not patch:
            raise Refused(f"{self.match}: the position is just that already")
        parts = dict.fromkeys(str(each["path"]).split("/")[1] for each in patch)
        work.warn(f"this changes in the position: {', '.join(parts)}")
        moment = ledger.stamp(work.desk.now())
        after, logged = mending.fix(sitting.live, patch, moment, by=work.by, why=work.reason)
        rewinding.set_again(work.desk, work.connection, sitting, after, logged)


def patch_of(match: AnyMatch, given: Json) -> mending.Patch:
    """Return what changes in the position's document if it is set to what was given.

    Raises Refused when the game does not accept it, or it is neither patch nor position.
    """
    game = match.game
    before = game.dump(match.position)
    asked: Any = given
    if isinstance(asked, dict):
        asked = mending.difference(before, asked)
    if not isinstance(asked, list):
        raise Refused("this is neither a JSON Patch (a list) nor a position document (an object)")
    try:
        after = game.dump(game.load(mending.patched(match, asked)))
    except BadDocument as fault:
        raise Refused(f"the game does not accept this position: {fault}") from None
    return mending.difference(before, after)
