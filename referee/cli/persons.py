"""`referee player block|unblock|merge|export|erase`: what an organiser may do about a person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import context

if TYPE_CHECKING:
    from collections.abc import Sequence

Who = Annotated[str, typer.Argument(metavar="PLAYER", help="An address or a number.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do it.")]


def block(who: Who) -> None:
    """Leave a player's letters unheard from now on; they are counted in the daily summary.

    Example: referee player block mallory@example.test
    """
    _block(who, blocked=True)


def unblock(who: Who) -> None:
    """Hear a player's letters again.

    Example: referee player unblock mallory@example.test
    """
    _block(who, blocked=False)


def _block(who: str, *, blocked: bool) -> None:
    from referee.cli.player import find_player
    from referee.daemon import opened_desk
    from referee.desk.people import matches_of
    from referee.store import players

    with opened_desk(context.settings()) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        players.update(connection, player.id, blocked=blocked)
        rows = [row.name for row in matches_of(connection, player.id)]
    if not blocked:
        typer.echo(f"{player.name}'s letters are heard again.")
        return
    typer.echo(f"{player.name}'s letters are left unheard.")
    if rows:
        typer.echo(f"He still sits in {', '.join(rows)}: see referee match seat.")


def merge(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The player that goes.")],
    into: Annotated[str, typer.Argument(metavar="INTO", help="The player that remains.")],
    *,
    yes: Yes = False,
) -> None:
    """Make two players one who are the same person; without --yes say what would be done.

    Example: referee player merge alice@example.org alice@example.test

    Example: referee player merge alice@example.org alice@example.test --yes
    """
    from referee.cli.player import find_player
    from referee.daemon import opened_desk
    from referee.desk import persons

    with opened_desk(context.settings()) as desk, desk.store.writing() as connection:
        one, other = find_player(connection, old), find_player(connection, into)
        lines = persons.check_merge(connection, one, other)
        if yes:
            persons.merge(desk, connection, one, other)
    _tell(lines, yes=yes)


def export(
    who: Who,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A ZIP file that is not there.")],
) -> None:
    """Write all that is kept about a player into a ZIP file: JSON, and his mails as they are.

    Example: referee player export alice@example.test alice.zip
    """
    from referee.cli.player import find_player
    from referee.daemon import opened_desk
    from referee.desk import persons
    from referee.errors import RefereeError

    with opened_desk(context.settings()) as desk, desk.store.reading() as connection:
        player = find_player(connection, who)
        packed = persons.exported(desk, connection, player)
    try:
        file.touch(mode=0o600, exist_ok=False)
        file.write_bytes(packed)
    except FileExistsError:
        raise RefereeError(f"{file} is there already: name another file") from None
    except OSError as fault:
        raise RefereeError(f"{file} cannot be written ({fault.strerror})") from None
    typer.echo(f"All about {player.name} is in {file}; only you may read it.")


def erase(who: Who, *, yes: Yes = False) -> None:
    """Forget a person: names, addresses, texts and mails; games, chains and records stay valid.

    Example: referee player erase alice@example.test

    Example: referee player erase alice@example.test --yes
    """
    from referee.cli.player import find_player, forget_key
    from referee.daemon import opened_desk
    from referee.desk import persons

    settings = context.settings()
    with opened_desk(settings) as desk, desk.store.writing() as connection:
        player = find_player(connection, who)
        lines = persons.check_erase(connection, player)
        if yes:
            forget_key(connection, player, settings.keyring)
            persons.erase(connection, player)
    _tell(lines, yes=yes)


def _tell(lines: Sequence[str], *, yes: bool) -> None:
    typer.echo("Done:" if yes else "This would be done:")
    for line in lines:
        typer.echo(f"  {line}")
    if not yes:
        typer.echo("Nothing has been done: --yes does it.")
