"""`referee match undo|redo|fix|act` and `match show --turn`, `--full`, without servers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.given import GIVEN, SEATED

NAME = "pebbles-1"
WHY = ("--why", "a slip")

Run = Callable[..., Any]


@pytest.fixture
def played(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Set up an installation in the current folder with a match in which red has passed."""
    monkeypatch.chdir(tmp_path)
    assert run("init", tmp_path, *GIVEN).status == 0
    assert run("match", "new", "pebbles", *SEATED, "--seed", "17" * 32, "--start").status == 0
    assert run("match", "act", NAME, "red", "pass", "--why", "he called", "--yes").status == 0
    return run


def described(run: Run, *more: object) -> dict[str, Any]:
    """Return the match as `show --json` prints it."""
    found: dict[str, Any] = json.loads(run("match", "show", NAME, "--json", *more).out)
    return found


def test_an_undo_is_planned_and_applied(played: Run) -> None:
    """The plan shows the board, what changes of it, and what to mind; applied, red is to act."""
    planned = played("match", "undo", NAME, *WHY)
    shown = (played("match", "show", NAME, *turn).out for turn in ((), ("--turn", "1")))
    # Above the seed stand turn and time.
    now, then = (text.partition("SHA-256 of the seed")[2].splitlines()[1:] for text in shown)
    board, _, changes = planned.out.partition("What changes of it (- now, + then):\n")
    told = changes.partition("\n\n")[0].splitlines()
    assert "The board then, as a spectator sees it:\n" in board
    assert {line[2:] for line in told if line[0] == "-"} == {*now} - {*then}
    assert {line[2:] for line in told if line[0] == "+"} == {*then} - {*now}
    assert "Plan 2: undo pebbles-1" in planned.out
    assert "Then: running, turn 1, red to act" in planned.out
    assert described(played)["to_act"] == "blue"
    assert played("apply", 2).status == 0
    assert described(played)["to_act"] == "red"


def test_the_reports_of_an_undo_are_shown_as_they_will_be(played: Run) -> None:
    """Each with the subject its reader has chosen, and its first sentence."""
    assert played("player", "set", "bob@example.test", "subjects", "plain").status == 0
    _, _, told = played("match", "undo", NAME, *WHY).out.partition("Reports:\n")
    lines = told.splitlines()
    assert lines[0].startswith(f"  To alice: [{NAME}] It is your turn, red: until")
    assert lines[1] == "  days left."
    assert lines[2].startswith("     It is your turn, red: until")
    (bobs,) = [at for at, line in enumerate(lines) if line.startswith("  To bob: ")]
    assert lines[bobs] == f"  To bob: [{NAME}] Pebbles with alice"
    assert "alice" in lines[bobs + 1]
    assert "No mails" not in told
    assert "--- " not in told.partition("Nothing has been done")[0]


def test_a_redo_undoes_an_undo(played: Run) -> None:
    """Once; the second finds nothing."""
    assert played("match", "undo", NAME, *WHY, "--yes").status == 0
    assert played("match", "redo", NAME, *WHY, "--yes").status == 0
    assert described(played)["turn"] == 2
    again = played("match", "redo", NAME, *WHY)
    assert (again.status, "nothing was taken back" in again.err) == (2, True)


def test_show_full_tells_and_fix_takes_it_back_edited(played: Run, tmp_path: Path) -> None:
    shown = played("match", "show", NAME, "--full", *WHY)
    document = json.loads(shown.out)
    hands = document["position"]["hands"]
    assert hands["red"] != hands["blue"]
    hands["red"], hands["blue"] = hands["blue"], hands["red"]
    file = tmp_path / "position.json"
    file.write_text(json.dumps(document))
    fixed = played("match", "fix", NAME, file, *WHY, "--yes", "--json")
    assert (fixed.status, json.loads(fixed.out)["state"]) == (0, "applied")
    assert "notice" in played("outbox", "list").out


@pytest.mark.parametrize("fate", ["open", "stale", "withdrawn", "applied"])
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_no_plan_shows_what_is_hidden(
    played: Run, tmp_path: Path, fate: str, more: tuple[str, ...]
) -> None:
    """Neither the position of a fix nor the orders for a seat, whatever became of their plan."""
    document = json.loads(played("match", "show", NAME, "--full", *WHY).out)
    hands = document["position"]["hands"]
    hands["red"], hands["blue"] = hands["blue"], hands["red"]
    file = tmp_path / "position.json"
    file.write_text(json.dumps(document))
    played("match", "act", NAME, "blue", "pass", *WHY)
    planned = played("match", "fix", NAME, file, *WHY, *more)
    match fate:
        case "stale":
            played("match", "note", NAME, "hello", "--yes")
        case "withdrawn":
            played("plan", "withdraw", 4)
            played("plan", "withdraw", 3)
        case "applied":
            planned = played("apply", 4, *more)
    ran = [planned, played("plan", "show", 4, *more), played("plan", "show", 3, *more)]
    for shown in ran:
        assert shown.status == 0
        assert document["made_from"] not in shown.out
        assert re.search(r"hands['\"]:", shown.out) is None
    if more:
        assert json.loads(ran[1].out)["arguments"]["given"].startswith("[not shown here: ")
        assert json.loads(ran[2].out)["arguments"]["lines"].startswith("[not shown here: ")


@pytest.mark.parametrize(
    ("words", "changed", "says"),
    [
        (("undo", NAME, *WHY, "--yes"), {}, "has moved on since"),
        (("note", NAME, "hello", "--yes"), {"match": "pebbles-2"}, "position of pebbles-2"),
    ],
)
def test_fix_takes_no_position_of_another_moment_or_match(
    played: Run, tmp_path: Path, words: tuple[str, ...], changed: dict[str, Any], says: str
) -> None:
    """What was played since it was printed is not lost by it."""
    document = json.loads(played("match", "show", NAME, "--full", *WHY).out) | changed
    document["position"]["hands"]["red"], document["position"]["hands"]["blue"] = (
        document["position"]["hands"]["blue"],
        document["position"]["hands"]["red"],
    )
    file = tmp_path / "position.json"
    file.write_text(json.dumps(document))
    assert played("match", *words).status == 0
    ran = played("match", "fix", NAME, file, *WHY, "--yes")
    assert (ran.status, says in ran.err, ran.out) == (2, True, "")


def test_show_full_without_why_is_refused(played: Run) -> None:
    """The players would not know why."""
    shown = played("match", "show", NAME, "--full")
    assert (shown.status, "--why" in shown.err, shown.out) == (2, True, "")


def test_show_at_a_turn(played: Run) -> None:
    """The board as that turn began; a turn to come is refused."""
    assert described(played, "--turn", 1)["to_act"] == "red"
    assert described(played, "--turn", 2)["to_act"] == "blue"
    late = played("match", "show", NAME, "--turn", 3)
    assert (late.status, "is at turn 2" in late.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("undo", NAME), "--why"),
        (("undo", NAME, "--to", "9", *WHY), "from 1 to 2"),
        (("undo", "pebbles-9", *WHY), "no match pebbles-9"),
        (("fix", NAME, "nowhere.json", *WHY), "nowhere.json"),
        (("act", NAME, "Red", "pass", *WHY), "it is blue's turn, not red's"),
        (("act", NAME, "blue", "dance", *WHY), "'dance' cannot be read"),
        (
            ("act", NAME, "blue", "put", "1", "B2", *WHY),
            '. Each order stands in quotes: "put 1 B2"',
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    played: Run, words: tuple[str, ...], says: str
) -> None:
    """Status 2, and a line that says what is wrong."""
    ran = played("match", *words)
    assert (ran.status, ran.out) == (2, "")
    assert says in ran.err
    assert ran.err.count("\n") == 1


def test_fix_with_a_file_that_is_no_json_is_refused(played: Run, tmp_path: Path) -> None:
    """The file is named."""
    file = tmp_path / "patch.json"
    file.write_text("{")
    ran = played("match", "fix", NAME, file, *WHY)
    assert (ran.status, "no JSON" in ran.err) == (2, True)


def test_patch_without_its_brackets_is_told_to_be_a_list(played: Run, tmp_path: Path) -> None:
    """One operation is no position with faults."""
    file = tmp_path / "patch.json"
    file.write_text('{"op": "replace", "path": "/points/red", "value": 1}')
    ran = played("match", "fix", NAME, file, *WHY)
    assert ran.status == 2
    assert "a JSON Patch is a list of them, so put it into [ ]" in ran.err
