"""The table of commands, and groups that import them on demand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Final, TypeAlias, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from referee.cli.completion import names_taken
from referee.cli.output import help_pages
from referee.cli.session import JSON
from referee.errors import RefereeError
from referee.value import Value

AnyCommand: TypeAlias = "TyperCommand | TyperGroup"


class Entry(Value):
    """A command: one line about it, and its function, by its place below ``referee.cli``.

    ``takes`` are its first arguments, as far as there are names to offer a shell; None: those of
    its group.
    """

    about: str
    function: str
    takes: str | None = None


class Group(Value):
    """A group of commands, and one line about it."""

    about: str
    commands: Mapping[str, Entry | Group]
    takes: str = ""


# The line about a command is the first line of its help page, too. It stands here because a list
# of commands is shown without importing any of them: that would take ten times as long.
_AWAY: Final = Group(
    "List, note and clear the days a player is away.",
    {
        "list": Entry("List the days a player has noted.", "player.settings:list_away"),
        "add": Entry("Stop a player's clock on these days.", "player.settings:add_away"),
        "clear": Entry("Clear an entry, by its number.", "player.settings:clear_away"),
    },
    takes="PLAYER",
)

_ADDRESS: Final = Group(
    "Add, remove and prefer addresses.",
    {
        "add": Entry("Give a player another address.", "player.settings:add_address"),
        "remove": Entry("Take an address from a player.", "player.settings:remove_address"),
        "prefer": Entry("Send a player's mail to this address.", "player.settings:prefer_address"),
    },
    takes="PLAYER",
)

_MATCH: Final = Group(
    "Start, show, correct and end matches.",
    {
        "new": Entry("Set up a match and invite its players.", "match.new:new", "GAME"),
        "open": Entry("Open a match that players join by mail.", "match.new:open_match", "GAME"),
        "start": Entry("Begin a match before everybody has agreed.", "match.new:start_match"),
        "list": Entry(
            "List matches: whose turn it is, and until when.", "match.list_:list_matches", ""
        ),
        "show": Entry("Show a match as a spectator or a seat sees it.", "match.show:show_match"),
        "history": Entry("Show the events of a match.", "match.show:show_history"),
        "pause": Entry("Stop a match until it is resumed.", "match.mend:pause"),
        "resume": Entry("Let a paused match go on.", "match.mend:resume"),
        "extend": Entry("Give a seat more time.", "match.mend:extend"),
        "remind": Entry("Remind the player to act.", "match.mend:remind"),
        "resend": Entry("Send the last report again.", "match.mend:resend"),
        "note": Entry("Write a note to all players of a match.", "match.mend:note"),
        "seat": Entry(
            "Give a seat to somebody else, or for some days.", "match.mend:seat", "MATCH SEAT"
        ),
        "end": Entry("Abandon a match, or declare its result.", "match.mend:end"),
        "undo": Entry("Take back orders, to the start of a turn.", "match.mend:undo"),
        "redo": Entry("Restore the orders an undo took back.", "match.mend:redo"),
        "fix": Entry("Correct the position by a file.", "match.mend:fix"),
        "act": Entry("Give orders for a seat.", "match.mend:act", "MATCH SEAT"),
    },
    takes="MATCH",
)

_PLAN: Final = Group(
    "List, show, apply and withdraw plans.",
    {
        "list": Entry("List the latest plans.", "plan:list_plans"),
        "show": Entry("Show a plan, or its mails.", "plan:show_plan"),
        "apply": Entry("Carry out a plan.", "plan:apply_listed"),
        "withdraw": Entry("Withdraw a plan.", "plan:withdraw_plan"),
    },
)

_PLAYER: Final = Group(
    "Add, show, merge and erase players.",
    {
        "add": Entry("Add players: all, or none if one cannot be added.", "player.add:add", ""),
        "list": Entry("List all players.", "player.show:list_players", ""),
        "show": Entry("Show a player and their matches.", "player.show:show_player"),
        "set": Entry(
            "Show or change what players set by mail.",
            "player.settings:set_",
            "PLAYER SETTING VALUE",
        ),
        "address": _ADDRESS,
        "away": _AWAY,
        "block": Entry("Ignore a player's letters from now on.", "player.person:block"),
        "unblock": Entry("Read a player's letters again.", "player.person:unblock"),
        "merge": Entry("Make two players one.", "player.person:merge", ""),
        "export": Entry(
            "Write all data about a player into a file.", "player.person:export_player"
        ),
        "erase": Entry("Erase a person; matches and records stay.", "player.person:erase"),
    },
    takes="PLAYER",
)

_LETTER: Final = Group(
    "Look at letters; retry or drop those in quarantine.",
    {
        "list": Entry("List letters, newest first.", "letter:list_letters", ""),
        "show": Entry("Show a letter's state and outcome.", "letter:show_letter"),
        "retry": Entry("Handle a letter in quarantine again.", "letter:retry_handling"),
        "drop": Entry("Drop a letter in quarantine.", "letter:drop"),
    },
    takes="LETTER",
)

_OUTBOX: Final = Group(
    "Look at outgoing mail, hold it, send it again.",
    {
        "list": Entry("List mails, newest first.", "outbox:list_outbox", ""),
        "show": Entry("Show a mail's delivery, without its text.", "outbox:show_mail"),
        "retry": Entry("Try to send a mail now.", "outbox:retry_sending"),
        "drop": Entry("Drop a mail that was refused, is held or uncertain.", "outbox:drop_sending"),
        "hold": Entry("Hold a mail until it is released.", "outbox:hold"),
        "release": Entry("Release a mail that is held.", "outbox:release"),
    },
    takes="MAIL",
)

_RECORD: Final = Group(
    "Export, verify, import and archive records.",
    {
        "export": Entry(
            "Write the records of finished matches.", "record.export:export_records", "MATCH"
        ),
        "verify": Entry("Verify a record, and compare it with mails.", "record.verify:verify"),
        "import": Entry("Import records.", "record.import_:import_"),
        "audit": Entry("Replay every match and check its data.", "record.audit:audit"),
        "prune": Entry("Delete the letters and mails of old matches.", "record.prune:prune"),
        "site": Entry("Write the archive as static pages.", "record.site:site"),
    },
)

COMMANDS: Final[Mapping[str, Entry | Group]] = {
    "init": Entry("Set up an installation in a folder.", "init:init"),
    "demo": Entry("Show a match by mail on this machine.", "demo:demo"),
    "run": Entry("Read mail, play, and send mail until stopped.", "run:run"),
    "doctor": Entry("Check this installation, and give advice.", "doctor:doctor"),
    "status": Entry("Show the state of the referee at a glance.", "status:status"),
    "service": Entry("Print a unit of systemd for this installation.", "service:service"),
    "clock": Entry("Show outages and jumps of the machine's clock.", "clock:clock"),
    "backup": Entry("Write a consistent copy of the database.", "backup:backup"),
    "restore": Entry("Restore the database from a backup.", "backup:restore"),
    "upgrade": Entry("Upgrade the database, and check it.", "backup:upgrade_installation"),
    "match": _MATCH,
    "plan": _PLAN,
    "apply": Entry("Carry out a plan: short for plan apply.", "plan:apply"),
    "player": _PLAYER,
    "letter": _LETTER,
    "outbox": _OUTBOX,
    "record": _RECORD,
    "composer": Entry("Write the page on which orders are clicked.", "record.site:composer"),
    "auth": Entry("Log in to a mail provider with a browser.", "auth:auth"),
    "completion": Entry("Print a script for shell completion.", "completion:completion"),
    "try": Entry("Play orders on a position file.", "try_:try_position"),
}


GONE: Final[Mapping[str, str]] = {
    **{
        f"player {setting}": f"write: referee player set PLAYER {setting} VALUE"
        for setting in ("name", "language", "zone", "format", "digest")
    },
    "player key": (
        'letters are proved by their code and address, and with trust = "dmarc" in referee.toml by '
        "the mail server"
    ),
    "record move": (
        "a whole installation moves by backup and restore, "
        "matches that are over by record export and record import"
    ),
    "--mailbox": "one mailbox is read, and its account has the token",
}
"""What to use instead of a command, ``record move``, or an option, ``--name``, that is no more."""


def make_command(name: str, entry: Entry | Group) -> AnyCommand:
    """Return a command or a group; the module of a command is imported for it."""
    if isinstance(entry, Group):
        return LazyGroup(
            entry.commands, entry.takes, name=name, help=entry.about, no_args_is_help=True,
            rich_markup_mode=None,
        )  # fmt: skip
    module, name_there = entry.function.split(":")
    function = getattr(import_module(f"referee.cli.{module}"), name_there)
    alone = typer.Typer(rich_markup_mode=None, add_completion=False)
    alone.command(name, cls=HelpedCommand)(function)
    command = cast("AnyCommand", get_command(alone))
    command.params.append(_json_option())
    return command


class LazyGroup(TyperGroup):
    """A group whose help and completion do not import its commands."""

    def __init__(
        self, entries: Mapping[str, Entry | Group] = COMMANDS, takes: str = "", **settings: Any
    ) -> None:
        super().__init__(**settings)
        self.entries, self.takes = entries, takes
        # Typer looks for their names here, and makes none.
        self.commands = cast("Any", dict.fromkeys(entries))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - Typer's signature
        """Return the command of this name, made now; None if there is none."""
        if cmd_name not in self.entries:
            return None
        return self.commands[cmd_name] or make_command(cmd_name, self.entries[cmd_name])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return a command's name, the command, and its arguments.

        Raises RefereeError for a command that is no more.
        """
        entry = self.entries.get(args[0])
        # A shell that asks wants words for the end of a line, and no complaints.
        if not ctx.resilient_parsing:
            path = ctx.command_path.split()[1:]
            if instead := GONE.get(" ".join([*path, args[0]])):
                raise RefereeError(f"{args[0]} is no more; {instead}")
        elif isinstance(entry, Entry):
            takes = self.takes if entry.takes is None else entry.takes
            if names := names_taken(takes, len(args) - 1):
                return args[0], names, args[1:]
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the commands that begin so, or options."""
        # Only their names and lines are wanted, and a shell asks once: nothing is imported for it.
        self.commands = {
            name: TyperCommand(name, short_help=entry.about) for name, entry in self.entries.items()
        }
        return super().shell_complete(ctx, incomplete)

    def get_help(self, ctx: Any) -> str:
        """Return the help page."""
        rows = [(name, entry.about) for name, entry in self.entries.items()]
        return help_pages.page(self, ctx, rows)


class HelpedCommand(TyperCommand):
    """A command with a help page of ours."""

    def get_help(self, ctx: Any) -> str:
        """Return the help page."""
        return help_pages.page(self, ctx)


@cache
def _json_option() -> Any:
    """Return ``--json``; all commands share one option, because making one is slow."""
    alone = typer.Typer(add_completion=False)

    @alone.command()
    def take_json(
        *,
        as_json: Annotated[
            bool,
            typer.Option("--json", help="Print JSON.", callback=_wants_json, expose_value=False),
        ] = False,
    ) -> None:
        """Take the option that every command takes."""

    return get_command(alone).params[0]


def _wants_json(*, value: bool) -> None:
    JSON.set(value)
