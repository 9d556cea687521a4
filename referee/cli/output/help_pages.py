"""Help pages: usage, text, examples, arguments, options, on at most 80 columns.

Typer's own pages name Python types (``<list[str]>``), and break examples over lines, so that they
cannot be copied.
"""

from __future__ import annotations

import inspect
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, Final

from referee.value import Value

EXAMPLE: Final = "Example: "
"""The beginning of an example in a docstring."""

_WIDEST: Final = 80
"""Columns a page has at most."""

NARROWEST: Final = 50

FIRST_COLUMN: Final = 26
"""Columns for names; a longer name has its text below."""

UNBROKEN: Final = "\N{NO-BREAK SPACE}"

Rows = Sequence[tuple[str, str]]


class HelpPage(Value):
    """A help page in its parts: rows are a name and its explanation."""

    usage: str
    paragraphs: Sequence[str]
    examples: Sequence[str]
    arguments: Rows
    options: Rows
    commands: Rows


def read_help_page(command: Any, ctx: Any, commands: Rows = ()) -> HelpPage:
    """Return the help of a command, or a group with ``commands``."""
    usage, arguments, options = [ctx.command_path, "[OPTIONS]"], [], []
    for parameter in command.get_params(ctx):
        if parameter.hidden:
            continue
        choices = parameter.type_descriptor.choices
        name = parameter.metavar or (
            "|".join(map(str, choices)) if choices else parameter.name.upper()
        )
        said, default = parameter.help or "", parameter.get_default(ctx, call=False)
        if parameter.param_type_name == "option" and parameter.required:
            said += " [required]"
        elif parameter.show_default and default not in (None, "", False):
            said += f" [default:{UNBROKEN}{default}]"
        if parameter.param_type_name == "argument":
            arguments.append((name, said))
            word = name + ("..." if parameter.nargs != 1 else "")
            usage.append(word if parameter.required else f"[{word}]")
        else:
            # The short form of an option first.
            ways = ", ".join(sorted(parameter.opts, key=len))
            if parameter.secondary_opts:
                ways = f"{ways} / {', '.join(parameter.secondary_opts)}"
            options.append((ways if parameter.is_flag else f"{ways} {name}", said))
    if commands and not arguments:
        usage.append("COMMAND")
    text = inspect.cleandoc(command.help or "")
    lines = [line for line in text.splitlines() if line.startswith(EXAMPLE)]
    return HelpPage(
        " ".join(usage),
        [paragraph for paragraph in text.split("\n\n") if not paragraph.startswith(EXAMPLE)],
        [line.removeprefix(EXAMPLE) for line in lines],
        arguments,
        options,
        commands,
    )


def page(command: Any, ctx: Any, commands: Rows = ()) -> str:
    """Return the help page of a command or group as text."""
    parts = read_help_page(command, ctx, commands)
    lines = _filled(f"Usage: {parts.usage}", " " * len("Usage: "))
    for paragraph in parts.paragraphs:
        lines += ["", *_filled(paragraph)]
    if parts.examples:
        lines += ["", "Examples:", *(f"  {example}" for example in parts.examples)]
    lines += _section("Arguments", parts.arguments)
    lines += _section("Options", parts.options)
    lines += _section("Commands", parts.commands)
    return "\n".join(lines)


def _section(title: str, rows: Rows) -> Iterator[str]:
    if not rows:
        return
    yield from ("", f"{title}:")
    column = max((len(name) for name, _ in rows if len(name) <= FIRST_COLUMN), default=FIRST_COLUMN)
    for name, text in rows:
        lines = _filled(text, " " * (column + 4), " " * (column + 4)) if text else [""]
        if len(name) <= column:
            yield f"  {name.ljust(column)}  {lines[0].lstrip()}".rstrip()
            yield from lines[1:]
        else:
            yield f"  {name}"
            yield from lines


def _filled(text: str, later: str = "", first: str = "") -> list[str]:
    """Return a text in lines that fit the terminal, words unbroken."""
    width = max(min(shutil.get_terminal_size().columns, _WIDEST) - 1, NARROWEST)
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=later,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return [line.replace(UNBROKEN, " ") for line in lines]
