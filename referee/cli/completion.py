"""`referee completion`: what makes a shell complete the program's commands and names."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from referee.errors import RefereeError

if TYPE_CHECKING:
    from sqlalchemy import Connection


SHELLS: Final = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> None:
    """Print what makes a shell complete commands, options, matches, players and seats.

    Example: referee completion bash > ~/.local/share/bash-completion/completions/referee

    Example: referee completion zsh > ~/.zfunc/_referee

    Example: referee completion fish > ~/.config/fish/completions/referee.fish
    """
    from referee.cli import output

    if shell not in SHELLS:
        raise RefereeError(f"{shell} is no shell known here; there are {', '.join(SHELLS)}")
    script = _SCRIPTS[shell].replace("VARIABLE", VARIABLE)
    output.result({"shell": shell, "script": script}, script)


_SCRIPTS: Final = {
    "bash": """\
_referee_completion() {
    local IFS=$'\\n'
    COMPREPLY=($(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD \\
        VARIABLE=complete_bash "$1" 2>/dev/null))
    return 0
}
complete -o default -F _referee_completion referee""",
    "zsh": """\
#compdef referee
_referee_completion() {
    eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" VARIABLE=complete_zsh \\
        "${words[1]}" 2>/dev/null)
}
compdef _referee_completion referee""",
    "fish": """\
function _referee_completion
    set -lx VARIABLE complete_fish
    set -lx _TYPER_COMPLETE_FISH_ACTION $argv[1]
    set -lx _TYPER_COMPLETE_ARGS (commandline -cp)
    referee 2>/dev/null
end
complete --command referee --no-files --condition '_referee_completion is-args' \\
    --arguments '(_referee_completion get-args)'""",
}

VARIABLE: Final = "_REFEREE_COMPLETE"
"""What a shell's function sets to ask what a word could be."""

MOST: Final = 200

# Shells put what they are offered into the line as it is. An address may hold what a shell would
# carry out, and its owner chose it: whoever means that one types it, in quotation marks.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@+-]*")

Names = Callable[["Connection", "list[str]"], Iterable[str]]
"""Return what a word could be; the list holds the words before it."""


def equip(command: Any) -> None:
    """Give the arguments of a command, or of every command of a group, their names."""
    for each in getattr(command, "commands", {}).values():
        equip(each)
    for parameter in command.params:
        names = NAMES.get(parameter.metavar or "")
        if names is not None and parameter._custom_shell_complete is None:  # noqa: SLF001
            parameter._custom_shell_complete = _offered(names)  # noqa: SLF001


def _line() -> str:
    """Return the command line so far, as bash or another shell hands it over."""
    return os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")


def _offered(names: Names) -> Callable[[Any, Any, str], list[str]]:
    def offer(ctx: Any, parameter: Any, incomplete: str) -> list[str]:
        del parameter
        root = ctx.find_root().params.get("config")
        words = _line().split()
        try:
            with _reading(root) as connection:
                found = [
                    each
                    for each in names(connection, words)
                    if each.startswith(incomplete) and _PLAIN.fullmatch(each)
                ]
        except Exception:  # noqa: BLE001 - a shell that asks wants no complaints
            return []
        return found[:MOST]

    return offer


@contextmanager
def _reading(config: Path | None) -> Iterator[Connection]:
    from referee.config import find_config, load
    from referee.store.store import open_store

    settings = load(find_config(config, os.environ), os.environ)
    with open_store(settings.database, patience=0.2) as store, store.reading() as connection:
        yield connection


def _matches(connection: Connection, words: list[str]) -> Iterable[str]:
    from referee.store.play import matches

    del words
    return [row.name for row in reversed(matches.list_matches(connection))]


def _players(connection: Connection, words: list[str]) -> Iterable[str]:
    from referee.store.people import players

    del words
    for row in players.list_players(connection):
        yield from (each.address for each in players.addresses_of(connection, row.id))


def _seats(connection: Connection, words: list[str]) -> Iterable[str]:
    from referee.store.play import matches

    row = next(filter(None, (matches.get(connection, word) for word in words)), None)
    return [] if row is None else [each.seat for each in matches.seats(connection, row.id)]


def _letters(connection: Connection, words: list[str]) -> Iterable[str]:
    from referee.store.post import letters

    del words
    return [str(row.id) for row in letters.list_letters(connection, limit=50)]


def _mails(connection: Connection, words: list[str]) -> Iterable[str]:
    from referee.store.post import outbox

    del words
    return [str(row.id) for row in outbox.list_outbox(connection, limit=50)]


NAMES: Final[Mapping[str, Names]] = {
    "MATCH": _matches,
    "PLAYER": _players,
    "SEAT": _seats,
    "LETTER": _letters,
    "MAIL": _mails,
}
"""What each argument is called in help, and where its names come from."""
