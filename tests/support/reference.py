"""Pages made from the program and its games: ``make reference`` writes them.

They are the command reference, the man page, and the rules of each game in German.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import typer
from support import pages
from typer.main import get_command

from referee.cli import app
from referee.cli.output.help_pages import UNBROKEN, HelpPage, Rows, read_help_page
from referee.games.play import complete_options, opening_order
from referee.games.registry import find_installed
from referee.render.words.rules import AN_ORDER

HELP: Final = "-h, --help"
"""The option of every command; it is told once."""

MADE: Final = "Made by `make reference`"

GAMES: Final = {"nord": "Nord", "origo": "Origo"}


@dataclass(frozen=True, slots=True)
class Command:
    """A command or a group, by its whole name, and its help."""

    name: str
    help: HelpPage


def read_commands(command: Any = None, above: Any = None) -> Iterator[Command]:
    """Yield the program, its groups and its commands, each group before its commands."""
    command = command or get_command(app)
    name = command.name if above else "referee"
    ctx = typer.Context(command, info_name=name, parent=above, **command.context_settings)
    inner = getattr(command, "commands", None)
    names = [] if inner is None else command.list_commands(ctx)
    below = [command.get_command(ctx, each) for each in names]
    rows = [(each.name, each.help.partition("\n")[0]) for each in below]
    yield Command(ctx.command_path, read_help_page(command, ctx, rows))
    for each in below:
        yield from read_commands(each, ctx)


def write_markdown() -> str:
    """Return the command reference, ``docs/commands.md``."""
    program, *commands = read_commands()
    lines = [
        "# Commands",
        "",
        f"Every command of the program, with its arguments and options. {MADE} from the help of",
        "the program, which says the same after `--help`. For what to do with them see",
        "[Running a referee](organisers.md).",
        *_table("option", program.help.options, "of every command"),
        *_contents(commands),
    ]
    for each in commands:
        lines += ["", f"{'##' if _is_top(each) else '###'} {each.name}", ""]
        lines += [f"`{each.help.usage}`"]
        for paragraph in each.help.paragraphs:
            lines += ["", _markdown(paragraph)]
        if each.help.examples:
            lines += ["", "```", *each.help.examples, "```"]
        lines += _table("argument", each.help.arguments)
        lines += _table("option", _own(each.help.options))
    return "\n".join([*lines, ""])


def _is_top(command: Command) -> bool:
    return command.name.count(" ") == 1


def _own(options: Rows) -> Rows:
    return [(name, text) for name, text in options if name != HELP]


def _contents(commands: list[Command]) -> Iterator[str]:
    yield ""
    for each in commands:
        about = _markdown(each.help.paragraphs[0]).partition("\n")[0]
        indent = "" if _is_top(each) else "  " * (each.name.count(" ") - 1)
        yield f"{indent}- [{each.name}](#{each.name.replace(' ', '-')}): {about}"


def _table(title: str, rows: Rows, more: str = "meaning") -> Iterator[str]:
    if rows:
        yield from ("", f"| {title} | {more} |", "|---|---|")
        for name, text in rows:
            cell = name.replace("|", r"\|")
            yield f"| `{cell}` | {_markdown(text)} |"


def _markdown(text: str) -> str:
    plain = " ".join(text.split()).replace(UNBROKEN, " ")
    return re.sub(r"([|<>*_\[\]])", r"\\\1", plain)


def write_man_page() -> str:
    """Return the man page of the program, ``referee.1``, in the macros of man(7)."""
    program, *commands = read_commands()
    lines = [
        r'.\" Made by "make reference" from the help of the program.',
        '.TH REFEREE 1 "" "referee" "User Commands"',
        ".SH NAME",
        r"referee \- referee for slow board games that are played by email",
        ".SH SYNOPSIS",
        ".B referee",
        f"{_roff(program.help.usage.removeprefix('referee '))}",
        ".SH DESCRIPTION",
        "The referee reads a mailbox, checks orders by the rules of a game, and mails every",
        "player of a match.",
        "A new installation is set up with",
        '.BR "referee init" ,',
        "checked with",
        '.BR "referee doctor" ,',
        "and works while",
        ".B referee run",
        "does.",
        ".SH OPTIONS",
        *_roff_rows(program.help.options),
        ".SH COMMANDS",
    ]
    for each in commands:
        lines += _roff_command(each)
    lines += [
        ".SH ENVIRONMENT",
        *_roff_rows([("REFEREE_CONFIG", "The referee.toml to use, where no --config names one.")]),
        ".SH EXIT STATUS",
        *_roff_rows(_exit_statuses()),
        ".SH FILES",
        *_roff_rows([("referee.toml", "The settings of an installation, in its folder.")]),
    ]  # fmt: skip
    return "\n".join([*lines, ""])


def _exit_statuses() -> Rows:
    """Return each exit status and its meaning, as the page on formats tells them."""
    text = pages.read("docs/format.md").partition("## Exit status")[2]
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", text, re.MULTILINE)
    return [(status, _sentence(meaning.replace("`", ""))) for status, meaning in rows]


def _sentence(text: str) -> str:
    plain = text.removesuffix("; which is told below")
    return f"{plain[0].upper()}{plain[1:]}."


def _roff_command(command: Command) -> Iterator[str]:
    yield f'.SS "{_roff(command.name)}"'
    yield f".B {_roff(command.help.usage)}"
    for paragraph in command.help.paragraphs:
        yield from (".PP", _roff(" ".join(paragraph.split())))
    yield from _roff_rows([*command.help.arguments, *_own(command.help.options)])
    if command.help.examples:
        yield from (".PP", ".EX", *map(_roff, command.help.examples), ".EE")


def _roff_rows(rows: Rows) -> Iterator[str]:
    for name, text in rows:
        yield from (".TP", f".B {_roff(name)}", _roff(text) or r"\&")


def _roff(text: str) -> str:
    r"""Return a text for roff: backslashes, hyphens and leading dots are escaped."""
    plain = text.replace(UNBROKEN, " ").replace("\\", r"\e").replace("-", r"\-")
    plain = plain.replace("'", r"\(aq").replace("`", r"\(ga").replace("^", r"\(ha")
    plain = plain.replace("~", r"\(ti")
    plain = "".join(each if each.isascii() else rf"\[u{ord(each):04X}]" for each in plain)
    return rf"\&{plain}" if plain.startswith(".") else plain


def write_german_rules(game: str) -> str:
    """Return the rules of a game in German, with its orders: ``docs/de/rules/GAME.md``."""
    short = pages.read(f"referee/games/{game}/rules.de.md").strip()
    found = find_installed(game)
    order = opening_order(found, found.colours[:2], complete_options(found))
    short = short.replace(AN_ORDER, found.format(order, "de"))
    number = 1 + max(int(each) for each in re.findall(r"^## (\d+)\.", short, re.MULTILINE))
    return "\n".join([
        f"# {GAMES[game]}: die Regeln",
        "",
        "Dies sind die Regeln, wie der Referee sie dir auf das Kommando `regeln` schickt, und alle",
        "Befehle. Jede Einzelheit mit den Entscheidungen, Beispielen und Begründungen steht auf",
        f"Englisch in [{GAMES[game]}](../../rules/{game}.md); darauf verweisen auch die Kürzel,",
        "mit denen eine Ablehnung ihren Paragraphen nennt. Wie man per Mail spielt:",
        "[Spielen per E-Mail](../players.md).",
        "",
        f"<!-- {MADE} from referee/games/{game}/rules.de.md and the words of the game. -->",
        "",
        short,
        "",
        f"## {number}. Alle Befehle",
        "",
        "Einer je Zeile. Großschreibung ist gleich, und Englisch und Deutsch dürfen gemischt sein.",
        "",
        "| Befehl | wofür | Englisch |",
        "|---|---|---|",
        *_german_orders(game, "orders"),
        *_german_policies(game, number + 1),
        "",
    ])  # fmt: skip


def _german_policies(game: str, number: int) -> list[str]:
    """Return the part on answers in advance, if the game has any."""
    rows = list(_german_orders(game, "policies"))
    head = ["", f"## {number}. Antworten im Voraus", "",
            "Wie sie gelten: [Befehle im Voraus](../players.md#befehle-im-voraus).", "",
            "| Antwort | wofür | Englisch |", "|---|---|---|"]  # fmt: skip
    return [*head, *rows] if rows else []


def _german_orders(game: str, part: str) -> Iterator[str]:
    words = [
        pages.table(f"referee/games/{game}/words/{language}.toml")["help"].get(part, [])
        for language in ("de", "en")
    ]
    for german, english in zip(*words, strict=True):
        yield f"| `{german['order']}` | {german['about']} | `{english['order']}` |"


def written() -> dict[Path, str]:
    """Return every page that is made, by its place."""
    rules = {f"docs/de/rules/{game}.md": write_german_rules(game) for game in GAMES}
    made = {"docs/commands.md": write_markdown(), "deploy/referee.1": write_man_page(), **rules}
    return {pages.TREE / place: text for place, text in made.items()}


def write() -> None:
    """Write every page that is made."""
    for place, text in written().items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
