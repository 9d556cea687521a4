"""The daemon's log: lines for people and the journal, or JSON, and never a secret."""

from __future__ import annotations

import json
import logging
import subprocess
import sys

import pytest

from referee.cli.output.logs import FIELDS, DiscreetFormatter, JsonLog, TextLog

pytestmark = pytest.mark.fast

SECRET = "code=ABCD-1234"


def record(level: int = logging.WARNING, **extra: object) -> logging.LogRecord:
    """Return a record about a letter, with a fault whose message is secret."""
    found = logging.LogRecord("referee.desk", level, "x.py", 1, "letter %d: %s", (7, "kept"), None)
    found.__dict__.update(extra)
    found.created = 0.25
    return found


def with_fault() -> logging.LogRecord:
    """Return a record of a fault that came from another."""
    try:
        try:
            raise ValueError(SECRET)  # noqa: TRY301
        except ValueError as fault:
            raise KeyError(SECRET) from fault
    except KeyError as fault:
        found = record(logging.ERROR, letter=7)
        found.exc_info = (type(fault), fault, fault.__traceback__)
        return found


def test_json_holds_what_the_record_carries() -> None:
    """A record is one line: moment, level, sentence, and the ids it was given."""
    line = JsonLog().format(record(action="intake", letter=7, match="nord-1"))
    assert json.loads(line) == {
        "time": "1970-01-01T00:00:00.250Z", "level": "warning", "logger": "referee.desk",
        "message": "letter 7: kept", "action": "intake", "match": "nord-1", "letter": 7,
    }  # fmt: skip


def test_text_names_the_ids_behind_the_sentence() -> None:
    """Of the fields only the ids are told, and nothing stands there without any."""
    assert TextLog().format(record(action="send", mail=3)).endswith("letter 7: kept (mail=3)")
    assert TextLog().format(record(action="send")).endswith("letter 7: kept")


@pytest.mark.parametrize(
    ("level", "mark"),
    [(logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6)],
)
def test_the_journal_gets_priorities(level: int, mark: int) -> None:
    """Each line for the journal begins with its priority, and bears no moment of ours."""
    assert TextLog(journal=True).format(record(level)) == f"<{mark}>letter 7: kept"


@pytest.mark.parametrize("form", [JsonLog(), TextLog(), TextLog(journal=True)])
def test_no_form_tells_the_message_of_a_fault(form: DiscreetFormatter) -> None:
    """Type and place of each fault of a chain are told, its message never."""
    line = form.format(with_fault())
    assert SECRET not in line
    assert "ValueError at test_logs.py:" in line
    assert "KeyError at test_logs.py:" in line
    assert "7" in line


def test_every_line_of_a_fault_has_its_priority() -> None:
    """A chain over several lines is read by the journal with one priority."""
    lines = TextLog(journal=True).format(with_fault()).splitlines()
    assert len(lines) == 3
    assert {each[:3] for each in lines} == {"<3>"}
    assert "(letter=7)" in lines[0]


def test_nothing_else_a_record_carries_is_told() -> None:
    """A field that is not one of ours stays out, whatever a library puts there."""
    assert FIELDS == ("action", "match", "letter", "mail")
    assert SECRET not in JsonLog().format(record(password=SECRET, action="poll"))


def test_the_form_asked_for_on_the_command_line_is_written() -> None:
    """The word ``json`` sets up JSON, as plain text just as well as its member."""
    program = """
import logging
from referee.cli.output.logs import set_up_log
set_up_log("info", "json")
logging.getLogger("x").info("hello")
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stderr)["message"] == "hello"
