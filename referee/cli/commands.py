"""Which commands there are, and their modules, each imported only when its command is called."""

from __future__ import annotations

import os
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any, Final, TypeAlias, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from referee.cli.completion import VARIABLE, equip
from referee.cli.session import JSON

AnyCommand: TypeAlias = TyperCommand | TyperGroup


@dataclass(frozen=True, slots=True)
class Entry:
    """A command of the first level: one line about it, its module, and what to take from there.

    The attribute is a function, or a Typer application that becomes a group of commands.
    """

    about: str
    module: str
    attribute: str = "app"

    @property
    def path(self) -> str:
        return f"referee.cli.{self.module}"


COMMANDS: Final = {
    "init": Entry("Set up an installation in a folder.", "init", "init"),
    "demo": Entry("Show a match by mail on this machine, without any account.", "demo", "demo"),
    "run": Entry("Read mail, play, and write mail until stopped.", "run", "run"),
    "doctor": Entry("Look for what is wrong with this installation.", "doctor", "doctor"),
    "status": Entry("Show what the referee is doing and what waits.", "status", "status"),
    "clock": Entry("Show when no clock ran; say that the clock is right.", "status", "clock"),
    "backup": Entry("Write a consistent copy of the database.", "backup", "backup"),
    "restore": Entry("Put a backup back in place.", "backup", "restore"),
    "match": Entry("Start, show, mend and end matches.", "match"),
    "apply": Entry("Carry out a plan that was printed before.", "plan", "apply"),
    "player": Entry("Add, show, merge and erase players.", "player"),
    "letter": Entry("Look at letters and try set-aside ones again.", "letter"),
    "outbox": Entry("Look at mail that leaves, hold it, send it again.", "outbox"),
    "record": Entry("The archive: records in and out, audit, pages.", "record"),
    "auth": Entry("Log in to a mail provider that wants a browser.", "auth", "auth"),
    "completion": Entry("Print what makes a shell complete names.", "completion", "completion"),
    "try": Entry("Play orders on a position file, without a match.", "try_", "try_position"),
}


class Shelf(MutableMapping[str, Any]):
    """Commands by name; taking one down imports its module."""

    def __init__(self, entries: dict[str, Entry]) -> None:
        self.entries = {name: each for name, each in entries.items() if find_spec(each.path)}
        self.taken: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self.taken:
            self.taken[name] = _take(name, self.entries[name])
        return self.taken[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self.taken[name] = command

    def __delitem__(self, name: str) -> None:
        del self.entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def _take(name: str, entry: Entry) -> AnyCommand:
    """Return a command made of what its module offers, in plain text, without completion."""
    offered = getattr(import_module(entry.path), entry.attribute)
    parent = typer.Typer(rich_markup_mode=None, add_completion=False)
    if isinstance(offered, typer.Typer):
        parent.add_typer(offered, name=name, help=entry.about, no_args_is_help=True)
    else:
        parent.command(name)(offered)
    command = cast("AnyCommand", get_group(parent).commands[name])
    _give_json(command)
    if VARIABLE in os.environ:
        equip(command)
    return command


def _give_json(command: Any) -> None:
    """Let a command, or every command of a group, take ``--json``."""
    for each in getattr(command, "commands", {}).values():
        _give_json(each)
    if not hasattr(command, "commands"):
        command.params.append(_json_option())


@cache
def _json_option() -> Any:
    """Return the option; all commands share it, as making one takes a while."""
    one = typer.Typer(add_completion=False)
    one.command()(_only_json)
    return get_command(one).params[0]


def _wants_json(*, value: bool) -> None:
    JSON.set(value)


def _only_json(
    *,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print JSON.", callback=_wants_json, expose_value=False),
    ] = False,
) -> None:
    """Take the option that every command takes."""


class LazyGroup(TyperGroup):
    """The program: its help is written without importing a single command."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.shelf = Shelf(COMMANDS)
        self.commands = self.shelf

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - Typer's signature
        return list(self.shelf)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return what a word could be; commands are offered without being imported."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        item: Any = import_module("typer.core").CompletionItem
        entries = self.shelf.entries.items()
        return [item(name, help=it.about) for name, it in entries if name.startswith(incomplete)]

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        rows = [(name, entry.about) for name, entry in self.shelf.entries.items()]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)
