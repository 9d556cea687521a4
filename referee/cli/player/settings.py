"""``referee player set|address|away``: settings that players can also change by mail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from referee.cli import output, session
from referee.cli.options import PlayerName, Why, Yes, argument
from referee.cli.plan import decide
from referee.desk.desk import opened_desk
from referee.desk.directory import require_player
from referee.desk.letters.words import keywords
from referee.desk.mails import settings as mails_settings
from referee.desk.matches.time import away as matches_away
from referee.desk.overview.players import describe_away, describe_player
from referee.desk.plans.act import Act
from referee.desk.plans.player import AddAddress, Away, Back, RemoveAddress, Zone, prefer
from referee.desk.players import GONE, SETTINGS, BadPlayer, nearest_values
from referee.errors import RefereeError
from referee.text import did_you_mean

Address = Annotated[str, argument("ADDRESS", "A mail address.")]


def add_address(who: PlayerName, address: Address, *, why: Why = "", yes: Yes = False) -> None:
    """Give a player another address.

    It counts as confirmed, and the other addresses are told. If the player's clock stands still
    in a match because no mail reached them, this makes a plan.

    Example: referee player address add alice@example.test alice@example.org
    """
    _decide(who, lambda player: AddAddress(player, address), why, yes=yes)


def remove_address(who: PlayerName, address: Address, *, why: Why = "", yes: Yes = False) -> None:
    """Take an address from a player.

    The player is told; a confirmed address must remain. If no mail reaches them then, so that
    their clock stands still in a match, this makes a plan.

    Example: referee player address remove alice@example.test alice@example.org
    """
    _decide(who, lambda player: RemoveAddress(player, address), why, yes=yes)


def prefer_address(who: PlayerName, address: Address) -> None:
    """Send a player's mail to this address.

    Example: referee player address prefer alice@example.test alice@example.org
    """
    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        player = require_player(connection, who)
        goes = prefer(connection, player, address)
        document = describe_player(connection, player.id)
    output.result(document, f"{player.name}'s mail goes to {goes}.")


def set_(
    who: PlayerName,
    what: Annotated[
        str | None, argument("SETTING", "A setting; none shows them all.", offered=True)
    ] = None,
    value: Annotated[
        list[str] | None, argument("VALUE", "Its new value, as in a mail.", offered=True)
    ] = None,
    *,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Show or change what players set by mail.

    The words are those of a mail's set, in any language of the referee: name, language, zone,
    format, subjects, mails, digest, reminders, quiet, grace, talk and composer. Without any
    the settings are shown. If a clock in a match depends on the zone, that makes a plan.

    Example: referee player set alice@example.test

    Example: referee player set alice@example.test name "Alice L."

    Example: referee player set alice@example.test digest daily 18:00

    Example: referee player set alice@example.test reminders 24h 2h
    """
    if what is None:
        with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
            player = require_player(connection, who)
        kept = mails_settings.settings_of(player)
        output.result(kept, *(f"{key} {text}" for key, text in kept.items()))
        return
    words = " ".join([what, *(value or ())]).split() or [what]
    setting = keywords.SETTINGS.get(words[0].casefold(), "")
    if setting == "address":
        raise BadPlayer("a player's addresses: see referee player address --help")
    if setting not in {*SETTINGS, *GONE}:
        known = did_you_mean(words[0], SETTINGS)
        raise BadPlayer(f"there is no setting {words[0]}{known}: they are {', '.join(SETTINGS)}")
    read = keywords.setting_in(tuple(words))
    if read is None and setting in SETTINGS:
        near = " or ".join(nearest_values(setting, ""))
        wanted = f"one value of {setting} after it, such as {near}"
        # A name may be anything but nothing.
        wanted = wanted if near else f"the new {setting} after it; it cannot be empty"
        raise BadPlayer(f"{' '.join(words)}: write {wanted}")
    good = read[1] if read else ""
    if setting == "zone":
        _decide(who, lambda player: Zone(player, good), why, yes=yes)
        return
    with opened_desk(session.settings()) as desk, desk.writing() as change:
        player = require_player(change.connection, who)
        told = mails_settings.change_player(change, player, setting, good)
        document = describe_player(change.connection, player.id)
    output.result(document, f"{player.name}: {setting} is {told}.")


def list_away(who: PlayerName) -> None:
    """List the days a player has noted.

    Example: referee player away list alice@example.test
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = require_player(connection, who)
        entries = describe_away(connection, player)
    titles = ("number", "from", "to")
    output.result_list(entries, titles, f"{player.name} has noted no days away.")


def add_away(
    who: PlayerName,
    first: Annotated[str, argument("FIRST", "The first day, such as 2026-12-20.")],
    last: Annotated[str | None, argument("LAST", "The last day; default: the first.")] = None,
    *,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Stop a player's clock on these days.

    It stands still in all their matches. If a clock in a match depends on it, this makes a plan.
    Days are read as in a mail: 2026-12-20, 20.12.2026 or "20 December"; without a year the next.

    Example: referee player away add alice@example.test 2026-12-20 2027-01-03 --why "on holiday"
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = require_player(connection, who)
    days = matches_away.parse_days(first, last or first, matches_away.today_of(desk, player))
    if None in days:
        shown = " ".join(filter(None, (first, last)))
        raise RefereeError(f"{shown}: write days like 2026-12-20 2027-01-03, or “20 December”")
    decide(Away(player.id, *map(str, days)), why, yes=yes)


def clear_away(
    who: PlayerName,
    number: Annotated[int, argument("NUMBER", "As away list shows it.")],
    *,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Clear an entry, by its number.

    Days that have passed or begun stay. If a clock in a match depends on it, this makes a plan.

    Example: referee player away clear alice@example.test 3 --why "back earlier"
    """
    _decide(who, lambda player: Back(player, number), why, yes=yes)


def _decide(who: str, act: Callable[[int], Act], why: str, *, yes: bool) -> None:
    """Plan an act on a player, or carry it out with ``yes``."""
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        player = require_player(connection, who)
    decide(act(player.id), why, yes=yes)
