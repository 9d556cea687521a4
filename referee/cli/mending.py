"""`referee match pause|resume|…`: what mends a running match; first a plan, then the deed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import context, show
from referee.cli.options import Match, Why, Yes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from referee.desk.mending.act import Act, Wide
    from referee.desk.mending.foreseen import Mailed
    from referee.desk.mending.proposal import Proposal, Stand, Sweep


def add_to(app: typer.Typer) -> None:
    """Add the commands to those of matches."""
    for each in (pause, resume, extend, remind, resend, note, seat, end):
        app.command()(each)


def decide(act: Act | Wide, why: str, *, yes: bool) -> None:
    """Print what an act would do and keep it as a plan; with ``yes`` carry it out at once."""
    from referee.desk.desk import opened_desk
    from referee.desk.mending import planning

    with opened_desk(context.settings()) as desk:
        plan = planning.carry_out if yes else planning.propose
        found: Proposal | Sweep = plan(desk, act, why)
    tell(found)


def tell(found: Proposal | Sweep) -> None:
    """Print what an act would do, or did."""
    show.result(found.document(), *_lines(found))


def tell_mails(found: Proposal | Sweep) -> None:
    """Print every mail of a plan, from its first line to its last."""
    show.result(found.document(), *_whole(found))


def pause(name: Match, *, why: Why = "", yes: Yes = False) -> None:
    """Stop a match: no orders, no bots, no deadlines until it is resumed.

    Example: referee match pause nord-1 --why "holidays"
    """
    from referee.desk.mending.pausing import Pause

    decide(Pause(name), why, yes=yes)


def resume(name: Match, *, why: Why = "", yes: Yes = False) -> None:
    """Let a paused match go on; everybody has the time that was left.

    Example: referee match resume nord-1 --why "back again" --yes
    """
    from referee.desk.mending.pausing import Resume

    decide(Resume(name), why, yes=yes)


def extend(
    name: Match,
    span: Annotated[str, typer.Argument(metavar="SPAN", help="How much, such as 3d or 12h.")],
    *,
    seat: Annotated[str | None, typer.Option(help="Whose; default: to act.")] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Give the seat to act more time for its turn; where seats have banks, any seat.

    Example: referee match extend nord-1 3d --why "Alice has the flu"

    Example: referee match extend nord-1 5d --seat blue --why "Bob was without mail for a week"
    """
    from referee.desk.mending.urging import Extend
    from referee.errors import RefereeError
    from referee.matches.clock import parse_duration

    try:
        length = parse_duration(span)
    except ValueError as fault:
        raise RefereeError(f"SPAN: {fault}") from None
    decide(Extend(name, length, _colour(seat)), why, yes=yes)


def remind(name: Match, *, why: Why = "", yes: Yes = False) -> None:
    """Remind the player to act that it is his turn.

    Example: referee match remind nord-1 --why "the others wait"
    """
    from referee.desk.mending.urging import Remind

    decide(Remind(name), why, yes=yes)


def resend(
    name: Match,
    *,
    seat: Annotated[str | None, typer.Option(help="To this seat only.")] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Send the last report again, made anew for the present state, with the reply code of now.

    Example: referee match resend nord-1 --seat red --why "lost in a spam folder" --yes
    """
    from referee.desk.mending.urging import Resend

    decide(Resend(name, _colour(seat)), why, yes=yes)


def note(
    name: Match,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What all players are told.")],
    *,
    why: Annotated[str, typer.Option(help="Why, if the text does not say it.")] = "",
    yes: Yes = False,
) -> None:
    """Write a word to all players of a match.

    Example: referee match note nord-1 "We meet on Sunday at Bob's."
    """
    from referee.desk.mending.enacting import LONGEST_WHY
    from referee.desk.mending.urging import Note
    from referee.errors import RefereeError

    if not text.strip():
        raise RefereeError("TEXT is empty: write what the players are to be told")
    decide(Note(name, text), why or text.strip()[:LONGEST_WHY], yes=yes)


def seat(
    name: Match,
    colour: Annotated[str, typer.Argument(metavar="SEAT", help="The seat, such as red.")],
    holder: Annotated[
        str, typer.Argument(metavar="HOLDER", help="An address, bot:greedy, or nobody.")
    ],
    *,
    first: Annotated[
        str | None, typer.Option("--from", metavar="DAY", help="Only from this day on.")
    ] = None,
    last: Annotated[
        str | None, typer.Option("--to", metavar="DAY", help="Up to this day, then it returns.")
    ] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Give a seat to another player, a bot, or nobody; or let somebody sit for some days.

    Example: referee match seat nord-1 red carol@example.test --why "Alice is moving house"

    Example: referee match seat nord-1 red bot:greedy --from 2026-12-20 --to 2026-12-27 --why "ill"
    """
    from referee.desk.mending.handing import HandOver
    from referee.desk.mending.sitting_in import SitIn
    from referee.errors import RefereeError

    address, bot = _holder(holder)
    if first is None and last is None:
        act: Act = HandOver(name, colour.strip().lower(), address, bot)
    elif first is None or last is None:
        raise RefereeError("somebody sits from a day to a day: give both --from and --to")
    else:
        days = _day("--from", first), _day("--to", last)
        act = SitIn(name, colour.strip().lower(), *days, address, bot)
    decide(act, why, yes=yes)


def end(
    name: Match,
    *,
    abandon: Annotated[
        bool, typer.Option("--abandon", help="Break it off: nobody has won or lost.")
    ] = False,
    result: Annotated[
        list[str] | None, typer.Option(metavar="SEAT=PLACE", help="Every seat's place, red=1.")
    ] = None,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """End a match that its rules do not end: break it off, or declare its result.

    Example: referee match end nord-1 --abandon --why "Bob does not answer any more"

    Example: referee match end nord-1 --result red=1 --result green=2 --result blue=2 --why agreed
    """
    from referee.desk.mending.ending import End, parse_places
    from referee.errors import RefereeError

    if abandon == bool(result):
        raise RefereeError("how does it end? give either --abandon or a --result for every seat")
    decide(End(name, parse_places(result) if result else None), why, yes=yes)


def _colour(seat: str | None) -> str | None:
    return None if seat is None else seat.strip().lower()


def _holder(text: str) -> tuple[str | None, str | None]:
    """Return the address or the bot that a text names; neither: nobody."""
    from referee.bots import BOTS
    from referee.errors import RefereeError
    from referee.mail import addressing

    if text.strip().lower() == "nobody":
        return None, None
    if text.startswith("bot:"):
        bot = text.removeprefix("bot:")
        if bot not in BOTS:
            raise RefereeError(f"HOLDER {text}: the bots are {', '.join(sorted(BOTS))}")
        return None, bot
    address = addressing.valid_address(text.strip())
    if address is None:
        raise RefereeError(f"HOLDER {text}: an address, bot:greedy, or nobody")
    return address, None


def _day(option: str, text: str) -> date:
    from datetime import date

    from referee.errors import RefereeError

    try:
        return date.fromisoformat(text)
    except ValueError:
        raise RefereeError(f"{option} {text}: write the day like 2026-12-20") from None


def _lines(found: Proposal | Sweep) -> Iterator[str]:
    from referee.desk.mending.proposal import Sweep

    if isinstance(found, Sweep) and not found.id:
        yield from found.done
        return
    yield f"Plan {found.id}: {' '.join((found.act, *found.names))}"
    if found.why:
        yield f"Why: {found.why}"
    yield from _bodies(found) if isinstance(found, Sweep) else _body(found)
    yield ""
    if found.state == "open":
        yield f"Nothing has been done yet. To carry it out: referee apply {found.id}"
        if _mails_of(found):
            yield f"To read its mails from first line to last: referee apply {found.id} --mails"
    else:
        yield "Done."


def _bodies(found: Sweep) -> Iterator[str]:
    """Yield what a wide act does, and what comes of it in each match."""
    yield ""
    yield from found.done
    for each in found.matches:
        yield ""
        yield f"{each.match}:"
        yield from _body(each)


def _body(found: Proposal) -> Iterator[str]:
    """Yield what an act does in a match: how it stands, events, warnings, mails."""
    yield from _stands(found.before, found.after)
    yield from _events(found)
    if found.warnings:
        yield ""
        yield "Mind:"
        yield from (f"  - {each}" for each in found.warnings)
    yield from _mails(found)


def _stands(before: Stand, after: Stand) -> Iterator[str]:
    yield ""
    one, other = _stand(before), _stand(after)
    if one == other:
        yield f"It stands, and stays: {one}"
    else:
        yield f"Now:  {one}"
        yield f"Then: {other}"
    if before.board == after.board:
        yield "The board stays as it is."
        return
    yield ""
    yield "The board then, as a spectator sees it:"
    yield from after.board
    yield ""
    yield "What changes of it (- now, + then):"
    yield from _changes(before.board, after.board)


def _changes(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Yield the lines that differ, each pair one below the other."""
    from difflib import ndiff

    for line in ndiff(before, after):
        if line[0] in "-+" and line[1:].strip():
            yield line.rstrip()


def _stand(stand: Stand) -> str:
    whose = f", {stand.to_act} to act" if stand.to_act else ""
    until = f", until {stand.due}" if stand.due else ""
    return f"{stand.state}, turn {stand.turn}{whose}{until}"


def _events(found: Proposal) -> Iterator[str]:
    yield ""
    yield "Events written:" if found.events else "No events are written."
    for each in found.events:
        yield f"  {each.seq} {each.kind}{f' {each.seat}' if each.seat else ''}"
        yield from (f"     {fact}" for fact in each.facts)


def _mails(found: Proposal) -> Iterator[str]:
    """Yield to whom mails go, and the first words of each."""
    yield ""
    yield "Mails:" if found.mails else "No mails are written by this."
    for each in found.mails:
        yield from _in_short(each)
    if found.reports:
        yield ""
        yield "Reports:"
        for each in found.reports:
            yield from _in_short(each)


def _in_short(mail: Mailed) -> Iterator[str]:
    yield f"  To {mail.to}: {mail.subject}"
    said = [" ".join(each.split()) for each in mail.text.split("\n\n")]
    yield from _folded("     ", said[min(1, len(said) - 1)])


def _folded(indent: str, text: str) -> list[str]:
    """Return a text in indented lines that a terminal of 80 columns holds."""
    import textwrap

    return textwrap.wrap(
        text, 79, initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _mails_of(found: Proposal | Sweep) -> list[Mailed]:
    return [mail for each in _proposals(found) for mail in (*each.mails, *each.reports)]


def _proposals(found: Proposal | Sweep) -> Sequence[Proposal]:
    from referee.desk.mending.proposal import Sweep

    return found.matches if isinstance(found, Sweep) else (found,)


def _whole(found: Proposal | Sweep) -> Iterator[str]:
    mails = _mails_of(found)
    if not mails:
        yield f"Plan {found.id} brings no mails."
    for mail in mails:
        yield f"To {mail.to}: {mail.subject}"
        yield ""
        yield from (f"  | {line}".rstrip() for line in mail.text.splitlines())
        yield ""
    if any(each.reports for each in _proposals(found)):
        yield "Reports leave when the match rests: what chance, a bot or an order in"
        yield "advance does before that is told in them too."
