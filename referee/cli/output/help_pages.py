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

WIDEST: Final = 80
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
    shown = [each for each in command.get_params(ctx) if not each.hidden]
    arguments = [each for each in shown if each.param_type_name == "argument"]
    options = [each for each in shown if each.param_type_name == "option"]
    words = [_in_usage(each) for each in arguments] or (["COMMAND"] if commands else [])
    text, examples = _apart(inspect.cleandoc(command.help or ""))
    return HelpPage(
        " ".join([ctx.command_path, "[OPTIONS]", *words]),
        text,
        examples,
        [(_name(each), _said(each, ctx)) for each in arguments],
        [(_names(each), _said(each, ctx)) for each in options],
        commands,
    )


def page(command: Any, ctx: Any, commands: Rows = ()) -> str:
    """Return the help page of a command or group as text."""
    parts = read_help_page(command, ctx, commands)
    lines = _filled(f"Usage: {parts.usage}", " " * len("Usage: "))
    for paragraph in parts.paragraphs:
        lines += ["", *_filled(paragraph)]
    if parts.examples:
        lines += ["", "Examples:", *(f"  {each}" for each in parts.examples)]
    lines += _section("Arguments", parts.arguments)
    lines += _section("Options", parts.options)
    lines += _section("Commands", parts.commands)
    return "\n".join(lines)


def _apart(text: str) -> tuple[list[str], list[str]]:
    """Return the paragraphs of a docstring, and the command lines it shows."""
    paragraphs = text.split("\n\n")
    examples = [
        line.removeprefix(EXAMPLE)
        for each in paragraphs
        for line in each.splitlines()
        if line.startswith(EXAMPLE)
    ]
    return [each for each in paragraphs if not each.startswith(EXAMPLE)], examples


def _in_usage(argument: Any) -> str:
    name = _name(argument) + ("..." if argument.nargs != 1 else "")
    return name if argument.required else f"[{name}]"


def _name(parameter: Any) -> str:
    """Return the word for a value: its choices, or capitals."""
    choices = parameter.type_descriptor.choices
    if choices and not parameter.metavar:
        return "|".join(map(str, choices))
    return str(parameter.metavar or parameter.name.upper())


def _names(option: Any) -> str:
    """Return the names of an option, short form first, and its value."""
    ways = ", ".join(sorted(option.opts, key=len))
    if option.secondary_opts:
        ways = f"{ways} / {', '.join(option.secondary_opts)}"
    return ways if option.is_flag else f"{ways} {_name(option)}"


def _said(parameter: Any, ctx: Any) -> str:
    """Return the help of a parameter, with its default."""
    text = str(parameter.help or "")
    default = parameter.get_default(ctx, call=False)
    if parameter.param_type_name == "option" and parameter.required:
        return f"{text} [required]"
    if parameter.show_default and default not in (None, "", False):
        return f"{text} [default:{UNBROKEN}{default}]"
    return text


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
    width = max(min(shutil.get_terminal_size().columns, WIDEST) - 1, NARROWEST)
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=later,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return [each.replace(UNBROKEN, " ") for each in lines]
