"""Tables are for eyes in a terminal and for programs in a pipe."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

PROGRAM = """
from datetime import datetime, UTC
from referee.cli import output
rows = [(1, "[red]550[/red] " + "no such user " * 12), (2, None)]
output.print_table(("mail", "answer"), rows, "")
output.print_fields({"mail": 1, "sent": datetime(2026, 11, 21, 12, tzinfo=UTC)})
output.print_marked("!", "mail fails [bold]", "warning")
output.print_fields({"held": False, "of": ["nord-1", "nord-2"], "in": []})
output.print_table(("mail", "since"), [("x" * 48, datetime(2026, 11, 21, 12, tzinfo=UTC))], "")
import sys; print("rich" in sys.modules)
"""

CROWDED = """
from datetime import datetime, UTC
from referee.cli import output
row = ["match-1", *["one two three"] * 4, datetime(2026, 11, 21, 12, tzinfo=UTC)]
output.print_table(("match", *"abcd", "since"), [row], "")
"""

LONG = """
from referee.cli import output
row = (1, "alice@example.test", "cannot be played: go-5 is broken: " + "is installed; " * 9)
output.print_table(("letter", "sender", "reason"), [row], "", cut="reason")
"""

FOREIGN = """
from referee.cli import output
output.print_table(("player", "match"), [("漢字", "nord-1"), ("e\u0301va", "nord-2")], "")
"""


def in_terminal(program: str, **environ: str) -> str:
    """Run a program in a terminal of 60 columns and return what it showed."""
    master, slave = pty.openpty()
    env = {**os.environ, "COLUMNS": "60", "TERM": "xterm-256color", **environ}
    env.pop("NO_COLOR", None)
    with subprocess.Popen([sys.executable, "-c", program], stdout=slave, env=env) as process:
        os.close(slave)
        shown = b""
        while True:
            try:
                piece = os.read(master, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    os.close(master)
    assert process.returncode == 0
    return shown.decode().replace("\r\n", "\n")


def piped(program: str) -> str:
    """Run a program and return what it wrote into a pipe."""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return ran.stdout


def test_a_pipe_gets_a_row_a_line_uncut() -> None:
    """Plain text without colours, every cell whole, and rich is not even imported."""
    table, *rest = piped(PROGRAM).split("\nmail  1\n")
    title, first, second = table.splitlines()
    assert title.split() == ["mail", "answer"]
    assert first == "1     [red]550[/red] " + ("no such user " * 12).rstrip()
    assert second == "2     –"
    said = "sent  2026-11-21T12:00:00Z\n! mail fails [bold]\n"
    assert len(rest) == 1
    assert rest[0].startswith(said)
    assert rest[0].endswith(" 2026-11-21T12:00:00Z\nFalse\n")


def test_values_are_shown_as_words() -> None:
    """What is true or false is yes or no; several things stand in a row; none is a dash."""
    assert "\nheld  no\nof    nord-1, nord-2\nin    –\n" in piped(PROGRAM)


def test_a_terminal_gets_a_table_that_fits() -> None:
    """Long cells are folded and not cut, what looks like markup is shown, signs have colour."""
    shown = in_terminal(PROGRAM)
    assert "\x1b[" in shown
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown).splitlines()
    assert max(map(len, lines)) <= 60
    assert " ".join(" ".join(lines).split()).count("no such user") == 12
    assert "[red]550[/red]" in shown
    assert "mail fails [bold]" in shown
    assert "2026-11-21 12:00 " in shown


def test_a_terminal_that_is_narrow_folds_no_day() -> None:
    """Between day and minute a moment may be parted, nowhere else."""
    shown = re.sub(r"\x1b\[[0-9;]*m", "", in_terminal(CROWDED))
    assert {"2026-11-21", "12:00"} <= {*shown.split()}


def test_a_column_may_be_cut_to_a_line() -> None:
    """In a terminal, where other columns keep their room; a pipe has it whole."""
    shown = re.sub(r"\x1b\[[0-9;]*m", "", in_terminal(LONG)).splitlines()
    (line,) = [line for line in shown if "broken" in line or "…" in line]
    assert len(line) <= 60
    assert line.split()[:2] == ["1", "alice@example.test"]
    assert "cannot be played" in line
    assert ("is installed; " * 9).strip() in piped(LONG)


def test_a_dumb_terminal_gets_plain_text() -> None:
    """A terminal that knows no colours is treated as a pipe."""
    assert in_terminal(PROGRAM, TERM="dumb") == piped(PROGRAM)


def test_columns_stand_below_each_other_under_wide_names() -> None:
    """Two columns for an East Asian character, none for an accent of its own."""
    done = subprocess.run(
        [sys.executable, "-c", FOREIGN], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines() == [
        "player  match",
        "漢字    nord-1",
        "e\u0301va     nord-2",
    ]
