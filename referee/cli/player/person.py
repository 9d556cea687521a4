"""``referee player block|merge|export|erase``: what only an organiser can do to a person."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from referee.cli import output, session
from referee.cli.options import PlayerName, Why, Yes, argument
from referee.cli.plan import decide
from referee.desk.archive import files
from referee.desk.desk import opened_desk
from referee.desk.directory import require_player
from referee.desk.overview.players import describe_player
from referee.desk.plans import person
from referee.desk.plans.player import Merge
from referee.desk.players import matches_of

_LEFT_IN_LOG: Final = (
    "What was erased is still in the database's write-ahead log (the file that ends in -wal): "
    "somebody was reading it, such as referee run. Stop that and start it again; then it is gone."
)


def block(who: PlayerName) -> None:
    """Ignore a player's letters from now on.

    They are counted in the daily summary. The player's seats and clocks stay as they are.

    Example: referee player block mallory@example.test
    """
    _block(who, blocked=True)


def unblock(who: PlayerName) -> None:
    """Read a player's letters again.

    Example: referee player unblock mallory@example.test
    """
    _block(who, blocked=False)


def _block(who: str, *, blocked: bool) -> None:
    with opened_desk(session.settings()) as desk, desk.store.writing() as connection:
        player = require_player(connection, who)
        person.set_blocked(connection, player, blocked=blocked)
        rows = [row.name for row in matches_of(connection, player.id)]
        document = {**describe_player(connection, player.id), "matches": rows}
    said = [f"{player.name}'s letters are {'left unheard' if blocked else 'heard again'}."]
    if rows and blocked:
        said.append(f"{player.name} still sits in {', '.join(rows)}: see referee match seat.")
    output.result(document, *said)


def merge(
    old: Annotated[str, argument("OLD", "The player that goes.")],
    into: Annotated[str, argument("INTO", "The player that remains.")],
    *,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Make two players one.

    They are the same person: INTO gets the seats and addresses of OLD. Without --yes this makes a
    plan.

    Example: referee player merge alice@example.org alice@example.test

    Example: referee player merge alice@example.org alice@example.test --yes
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        one, other = require_player(connection, old), require_player(connection, into)
    decide(Merge(one.id, other.id), why, yes=yes)


def export_player(
    who: PlayerName,
    file: Annotated[Path, argument("FILE", "A new ZIP file.")],
) -> None:
    """Write all data about a player into a file.

    It is a ZIP file of JSON documents, and the player's mails as they are stored.

    Example: referee player export alice@example.test alice.zip
    """
    with opened_desk(session.settings()) as desk, desk.reading() as change:
        player = require_player(change.connection, who)
        packed = person.export_person(change, player)
    files.write_file(file, packed, anew=True, mode=0o600)
    said = f"All about {player.name} is in {file}; only you may read it."
    output.result({"player": player.id, "file": file, "bytes": len(packed)}, said)


def erase(who: PlayerName, *, yes: Yes = False) -> None:
    """Erase a person; matches and records stay.

    Names, addresses, texts and mails are deleted. Without --yes it only says what would be deleted.

    Example: referee player erase alice@example.test

    Example: referee player erase alice@example.test --yes
    """
    with opened_desk(session.settings()) as desk:
        # Looking through all mails takes long, and the daemon would wait for a block that writes.
        with desk.store.writing() if yes else desk.store.reading() as connection:
            player = require_player(connection, who)
            lines = (person.erase_person if yes else person.check_erase)(connection, player)
        wiped = yes and desk.store.wipe()
    output.result(
        {"player": player.id, "done": yes, "what": lines, "left_in_log": yes and not wiped},
        "Done:" if yes else "This would be done:",
        *(f"  {line}" for line in lines),
        *([] if yes else ["Nothing has been done: --yes does it."]),
        *([_LEFT_IN_LOG] if yes and not wiped else []),
    )
