"""``referee completion``: the script by which a shell completes commands, and the names offered."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, Final, Literal, NamedTuple

import typer
from typer.core import TyperCommand

from referee.cli import output
from referee.cli.session import COMPLETE, CONFIG, settings


def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], typer.Argument(help="Your shell.")],
) -> None:
    """Print a script for shell completion.

    With it the shell completes commands, options, matches, players and seats.

    Example: referee completion bash > ~/.local/share/bash-completion/completions/referee

    Example: referee completion zsh > ~/.zfunc/_referee

    Example: referee completion fish > ~/.config/fish/completions/referee.fish
    """
    # By its name, as type checkers are not told that Typer offers it.
    shells: Any = import_module("typer.completion")
    script = shells.get_completion_script(prog_name="referee", complete_var=COMPLETE, shell=shell)
    output.result({"shell": shell, "script": script}, script)


_MOST: Final = 200
"""Names offered at once."""

_PATIENCE: Final = 0.2
"""Seconds to wait for the database while somebody types."""

# Shells put what they are offered into the line as it is. An address may hold what a shell would
# carry out, and its owner chose it: whoever means that one types it, in quotation marks.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@+/-]*")


class Offer(NamedTuple):
    """A word offered to a shell, with a line about it, in the form that Typer passes on."""

    value: str
    help: str = ""


class Names(TyperCommand):
    """The place of a command line where names of one kind stand."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind, context_settings={"allow_extra_args": True}, add_help_option=False)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the names that begin so."""
        return [Offer(name) for name in _offered(ctx, str(self.name), incomplete)]


def names_taken(takes: str, given: int) -> Names | None:
    """Return the names the next argument of a command takes.

    ``takes`` are its arguments, ``given`` how many of them stand before.
    None, if the command itself must be asked: it knows its options. Without it nothing need be
    imported that only its work needs, which is a third of the time.
    """
    if given >= len(takes.split()) or any(word.startswith("-") for word in _words()):
        return None
    return Names(takes.split()[given])


def offering(kind: str) -> Callable[[typer.Context, str], list[str]]:
    """Return the ``autocompletion`` of an argument that takes names of a kind."""

    def offer(ctx: typer.Context, incomplete: str) -> list[str]:
        return _offered(ctx, kind, incomplete)

    return offer


def _offered(ctx: Any, kind: str, incomplete: str) -> list[str]:
    CONFIG.set(ctx.find_root().params.get("config"))
    try:
        # Every new shell may run ``referee completion``, which needs no database.
        if kind in {"SETTING", "VALUE"}:
            from referee.desk.players import SETTINGS, values_of  # noqa: PLC0415

            # All settings, or the values of the one the line names.
            what = next((word for word in _words() if word in SETTINGS), "")
            names = [*SETTINGS] if kind == "SETTING" else [*values_of(what)]
        else:
            from referee.desk.desk import opened_desk  # noqa: PLC0415
            from referee.desk.directory import names_of_kind  # noqa: PLC0415

            with opened_desk(settings(), _PATIENCE) as desk, desk.store.reading() as connection:
                names = names_of_kind(connection, kind.lower(), _words())
    except Exception:  # noqa: BLE001 - a shell that asks wants no complaints
        return []
    plain = [name for name in names if name.startswith(incomplete) and _PLAIN.fullmatch(name)]
    return plain[:_MOST]


def _words() -> list[str]:
    """Return the words of the line the shell hands over."""
    return (os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")).split()
