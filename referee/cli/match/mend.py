"""``referee match pause|resume|…``: corrections of players, time and position."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

from referee.cli import session
from referee.cli.options import MatchName, Reason, Yes, argument, flag, json_of, option, seat_named
from referee.cli.plan import decide
from referee.desk.desk import opened_desk
from referee.desk.matches.time.away import parse_days
from referee.desk.plans.act import Act
from referee.desk.plans.board import Acting, Fix, Redo, Undo
from referee.desk.plans.match import (
    End,
    Extend,
    Note,
    Pause,
    Remind,
    Resend,
    Resume,
    parse_places,
    parse_time,
)
from referee.desk.plans.seat import HandOver, SitIn, parse_taker
from referee.errors import RefereeError


def pause(name: MatchName, *, why: Reason = "", yes: Yes = False) -> None:
    """Stop a match until it is resumed.

    Meanwhile no orders are played, no bot moves and no deadline passes.

    Example: referee match pause nord-1 --why "holidays"
    """
    decide(Pause(name), why, yes=yes)


def resume(name: MatchName, *, why: Reason = "", yes: Yes = False) -> None:
    """Let a paused match go on.

    Every player has the time that was left.

    Example: referee match resume nord-1 --why "back again" --yes
    """
    decide(Resume(name), why, yes=yes)


def extend(
    name: MatchName,
    span: Annotated[str, argument("TIME", "How much, such as 3d or 12h.")],
    *,
    seat: Annotated[str | None, option("SEAT", "Default: the seat to act.", offered=True)] = None,
    why: Reason = "",
    yes: Yes = False,
) -> None:
    """Give a seat more time.

    The seat to act gets it for this turn. Where seats have banks, --seat names any seat.

    Example: referee match extend nord-1 3d --why "Alice has the flu"

    Example: referee match extend nord-1 5d --seat blue --why "Bob was without mail for a week"
    """
    decide(Extend(name, parse_time(span), seat and seat_named(seat)), why, yes=yes)


def remind(name: MatchName, *, why: Reason = "", yes: Yes = False) -> None:
    """Remind the player to act.

    Example: referee match remind nord-1 --why "the others wait"
    """
    decide(Remind(name), why, yes=yes)


def resend(
    name: MatchName,
    *,
    seat: Annotated[str | None, option("SEAT", "Only to this seat.", offered=True)] = None,
    why: Reason = "",
    yes: Yes = False,
) -> None:
    """Send the last report again.

    It is written anew: it shows the match as it is now, with a reply code that is valid now. Before
    the match begins it is the invitation, to whoever has not answered it.

    Example: referee match resend nord-1 --seat red --why "lost in a spam folder" --yes
    """
    decide(Resend(name, seat and seat_named(seat)), why, yes=yes)


def note(
    name: MatchName,
    text: Annotated[str, argument("TEXT", "The note.")],
    *,
    why: Annotated[str, option("TEXT", "Why, if the note does not say it.")] = "",
    yes: Yes = False,
) -> None:
    """Write a note to all players of a match.

    Example: referee match note nord-1 "We meet on Sunday at Bob's."
    """
    if not text.strip():
        raise RefereeError("TEXT is empty: write what the players are to be told")
    decide(Note(name, text), why, yes=yes)


def seat(
    name: MatchName,
    colour: Annotated[str, argument("SEAT", "The seat, such as red.", offered=True)],
    holder: Annotated[str, argument("HOLDER", "An address, bot:greedy, or nobody.")],
    *,
    first: Annotated[str | None, option("DAY", "A stand-in's first day.", "--from")] = None,
    last: Annotated[str | None, option("DAY", "A stand-in's last day.", "--to")] = None,
    why: Reason = "",
    yes: Yes = False,
) -> None:
    """Give a seat to somebody else, or for some days.

    The new holder is a player, a bot, or nobody. With --from and --to it is a stand-in, and the
    seat returns to its player by itself. Days are read as in a mail: 2026-12-20, 20.12. or
    "20 December"; without a year the next.

    Example: referee match seat nord-1 red carol@example.test --why "Alice is moving house"

    Example: referee match seat nord-1 red bot:greedy --from 2026-12-20 --to 2026-12-27 --why "ill"
    """
    address, bot = parse_taker(holder)
    if first is None and last is None:
        act: Act = HandOver(name, seat_named(colour), address, bot)
    elif first is None or last is None:
        raise RefereeError("somebody sits from a day to a day: give both --from and --to")
    else:
        act = SitIn(name, seat_named(colour), *_days(first, last), address, bot)
    decide(act, why, yes=yes)


def end(
    name: MatchName,
    *,
    abandon: Annotated[bool, flag("End it without winner or loser.", "--abandon")] = False,
    result: Annotated[
        list[str] | None, option("SEAT=PLACE", "Each seat's place, such as red=1.")
    ] = None,
    why: Reason = "",
    yes: Yes = False,
) -> None:
    """Abandon a match, or declare its result.

    A result names the place of every seat; the points stay as they are on the board.

    Example: referee match end nord-1 --abandon --why "Bob does not answer any more"

    Example: referee match end nord-1 --result red=1 --result green=2 --result blue=2 --why agreed
    """
    if abandon == bool(result):
        raise RefereeError("how does it end? give either --abandon or a --result for every seat")
    decide(End(name, parse_places(result) if result else None), why, yes=yes)


def undo(
    name: MatchName,
    *,
    to: Annotated[
        int | None, option("TURN", "To the start of this turn; default: the last one.")
    ] = None,
    revealed: Annotated[
        bool, flag("Even if somebody has learnt something since.", "--reveal-known")
    ] = False,
    why: Reason = "",
    yes: Yes = False,
) -> None:
    """Take back orders, to the start of a turn.

    By default that is the last turn in which a player gave orders. Once the record of a match is
    released, chance goes on with a new seed.

    Example: referee match undo nord-1 --to 12 --why "a typing error"
    """
    decide(Undo(name, to, revealed), why, yes=yes)


def redo(name: MatchName, *, why: Reason = "", yes: Yes = False) -> None:
    """Restore the orders an undo took back.

    It is refused if anything has happened since.

    Example: referee match redo nord-1 --why "it was right after all" --yes
    """
    decide(Redo(name), why, yes=yes)


def fix(
    name: MatchName,
    file: Annotated[Path, argument("FILE", "A JSON Patch or a whole position; - reads input.")],
    *,
    why: Reason = "",
    yes: Yes = False,
) -> None:
    """Correct the position by a file.

    The file holds a JSON Patch, or an edited position from match show --full, which anything hidden
    needs. The game must find the position complete, with no piece lost or added.

    Example: referee match fix nord-1 patch.json --why "a worker stood on the wrong space"
    """
    document, made_from = json_of(file), None
    if isinstance(document, dict) and isinstance(document.get("position"), dict):
        if document.get("match", name) != name:
            raise RefereeError(f"{file}: this is the position of {document['match']}, not {name}")
        # The digest of the position that ``match show --full`` printed.
        digest = document.get("made_from")
        document, made_from = document["position"], digest if isinstance(digest, str) else None
    decide(Fix(name, document, made_from), why, yes=yes)


def act(
    name: MatchName,
    seat: Annotated[str, argument("SEAT", "The seat to act.", offered=True)],
    orders: Annotated[list[str], argument("ORDER", "As players write it, in quotes.")],
    *,
    eyes: Annotated[
        str | None, option("SEAT", "Explain refusals as to this seat.", "--as", offered=True)
    ] = None,
    why: Reason = "",
    yes: Yes = False,
) -> None:
    """Give orders for a seat.

    All of them are played, or none, and its player is told. A refusal for a reason in the seat's
    hand is explained only with --as.

    Example: referee match act nord-1 red "place D6 D7" --why "asked for by telephone"
    """
    decide(Acting(name, seat_named(seat), orders, eyes and seat_named(eyes)), why, yes=yes)


def _days(first: str, last: str) -> tuple[date, date]:
    """Return the first and last day of a stand-in, as they are written in mails."""
    with opened_desk(session.settings()) as desk:
        today = desk.now().astimezone(desk.settings.zone).date()
    begin, end = parse_days(first, last, today)
    if begin is None or end is None:
        wrong = f"--from {first}" if begin is None else f"--to {last}"
        raise RefereeError(f"{wrong}: write the day like 2026-12-20, 20.12. or “20 December”")
    return begin, end
