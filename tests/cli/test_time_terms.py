"""Terms of time, days away and the clock on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.given import GIVEN

from referee.config import load_settings
from referee.desk.desk import Desk
from referee.desk.matches.time import outages
from referee.store.play import matches
from referee.store.store import open_store

ALICE = "alice@example.test"
NEW = ("match", "new", "pebbles", "--seat", f"red={ALICE}", "--seat", "blue=bot:greedy")

Run = Callable[..., Any]


@pytest.fixture
def home(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up an installation in the current folder, with one player."""
    monkeypatch.chdir(tmp_path)
    assert run("init", tmp_path, *GIVEN).status == 0
    assert run("player", "add", ALICE).status == 0
    return tmp_path


def test_a_reminder_comes_within_the_time_of_a_turn(run: Run, home: Path) -> None:
    """One that is asked for; one of the installation's own may be too long for a short match."""
    ran = run(*NEW, "--time", "7d", "--reminder", "10d")
    assert (ran.status, ran.err) == (2, "referee: --reminder 10d: a turn has only 1w\n")
    assert run(*NEW, "--time", "1h").status == 0
    assert home.is_dir()


def agreed(home: Path) -> tuple[int | None, dict[str, Any]]:
    """Return the time per turn of the only match, and what else was agreed."""
    store = open_store(f"sqlite:///{home / 'referee.db'}")
    with store.reading() as connection:
        (row,) = matches.select_matches(connection)
    store.close()
    return row.time_per_turn, row.clock


def test_a_match_agrees_what_is_usual_here(run: Run, home: Path) -> None:
    """Seven days and a reminder, unless referee.toml says otherwise."""
    assert run(*NEW).status == 0
    assert agreed(home) == (604_800, {"late": "wait", "reminders": [86_400]})


def test_terms_in_the_configuration_are_the_default(run: Run, home: Path) -> None:
    """What the command line does not say is taken from there."""
    file = home / "referee.toml"
    text = file.read_text().replace("# bank = ", "bank = ")
    for default, wanted in (
        ('increment = "0h"', 'increment = "12h"'),
        ('late = "wait"', 'late = "bot"'),
        ('leeway = "0h"', 'leeway = "2h"'),
    ):
        text = text.replace(default, wanted)
    file.write_text(text)
    assert run(*NEW, "--leeway", "1h").status == 0
    per_turn, found = agreed(home)
    assert per_turn is None
    assert (found["bank"], found["increment"], found["leeway"]) == (2_592_000, 43_200, 3600)
    assert (found["late"], found["bot"]) == ("bot", "greedy")


def test_every_term_can_be_given(run: Run, home: Path) -> None:
    """As options of the match."""
    clock = ("--bank", "30d", "--increment", "12h", "--leeway", "3h", "--late", "idle")
    more = ("--reminder", "2d", "--reminder", "6h", "--days-off", "weekends", "--days-off", "12-25")
    assert run(*NEW, *clock, *more, "--grace", "10m").status == 0
    assert agreed(home) == (
        None,
        {
            "bank": 2_592_000,
            "increment": 43_200,
            "reminders": [172_800, 21_600],
            "leeway": 10_800,
            "grace": 600,
            "days_off": ["12-25", "sat", "sun"],
            "late": "idle",
        },
    )


def test_reminders_may_stand_in_one_option_with_commas_between(run: Run, home: Path) -> None:
    """As in referee.toml; and each in an option of its own."""
    assert run(*NEW, "--reminder", "1d, 2h", "--reminder", "30m").status == 0
    assert agreed(home)[1]["reminders"] == [86_400, 7200, 1800]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--time", "3d", "--bank", "30d"), "give one of them"),
        (("--time", "soon"), "--time soon: write it like 7d, 36h or 1w 2d, or none for no limit"),
        (("--bank", "0d"), "--bank 0d: write it like 7d"),
        (("--grace", "soon"), "--grace soon: write it like 7d, 36h or 1w 2d, or like 10m, or none"),
        (("--grace", "2d"), "--grace 2d: orders are held for at most 1d"),
        (("--talk", "2d"), "--talk 2d: orders with talk are held for at most 12h"),
        (("--increment", "1h"), "an increment goes into a bank"),
        (("--reminder", "often"), "--reminder often: write it like 7d, 36h or 1w2d, or none"),
        (("--reminder", "1d 2h"), "--reminder: write 1d, 2h for several reminders, 1d2h for one"),
        (("--days-off", "monday"), "'monday' is no day off; write weekends, a weekday such as fri"),
        (("--days-off", "mon tue wed thu fri sat sun"), "no clock ever ran"),
        (("--late", "never"), "--late never: one of wait, idle, bot, resign, or bot:NAME"),
        (("--late", "bot:clever"), "--late bot:clever: the bots are greedy, random"),
        (("--time", "none", "--late", "idle"), "without a limit of time nobody is ever late"),
        (("--time", "9999w"), "longer than ten years"),
    ],
)
def test_terms_that_make_no_sense_are_refused(
    run: Run, home: Path, options: tuple[str, ...], said: str
) -> None:
    """In one line that says what would be right; no match is set up."""
    ran = run(*NEW, *options)
    assert ran.status == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert json.loads(run("match", "list", "--json").out) == []
    assert home


def test_days_away_are_noted_listed_and_cleared(
    run: Run, home: Path, clock: list[datetime]
) -> None:
    """By the organiser, beyond the allowance if they like, which is said."""
    first = clock[0].date() + timedelta(days=10)
    last = first + timedelta(days=59)
    done = run("player", "away", "add", ALICE, first, last)
    assert done.status == 0
    assert f"away from {first} to {last}" in done.out
    assert "more than one may take by mail" in done.out
    (entry,) = json.loads(run("player", "away", "list", ALICE, "--json").out)
    assert (entry["from"], entry["to"]) == (first.isoformat(), last.isoformat())
    assert "already: first player away clear" in run("player", "away", "add", ALICE, last).err
    assert run("player", "away", "clear", ALICE, entry["number"]).status == 0
    assert json.loads(run("player", "away", "list", ALICE, "--json").out) == []
    assert home


def test_days_away_count_in_the_year_they_are_in(
    run: Run, home: Path, clock: list[datetime]
) -> None:
    """Over New Year as many as a year allows may lie on either side of it."""
    clock[0] = datetime(2026, 11, 22, 18, tzinfo=UTC)
    done = run("player", "away", "add", ALICE, "2026-12-02", "2027-01-30")
    assert done.out == "alice is away from 2026-12-02 to 2027-01-30 (entry 1).\n"
    assert "more than one may" in run("player", "away", "add", ALICE, "2027-01-31").out
    assert home


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("add", ALICE), "Missing argument 'FIRST'"),
        (("add", ALICE, "2020-01-01", "2020-01-02"), "what has passed stays as it was"),
        (("add", ALICE, "tomorrow"), "referee: tomorrow: write days like 2026-12-20 2027-01-03"),
        (("clear", ALICE, "7"), "no days away numbered 7"),
    ],
)
def test_days_that_cannot_be_noted_are_refused(
    run: Run, home: Path, words: tuple[str, ...], said: str
) -> None:
    """In one line."""
    ran = run("player", "away", *words)
    assert ran.status == 2
    assert said in ran.err
    assert home


def test_days_away_of_who_plays_are_planned_and_applied(
    run: Run, home: Path, clock: list[datetime]
) -> None:
    """The plan shows the clock now and then and the mails; nothing is noted before `apply`."""
    assert run(*NEW, "--start").status == 0
    first = clock[0].date() + timedelta(days=2)
    words = ("player", "away", "add", ALICE, first, first)
    refused = run(*words)
    assert (refused.status, refused.out) == (2, "")
    assert "this changes pebbles-1: say in a few words --why" in refused.err
    plan = run(*words, "--why", "at sea").out
    for said in ("Plan 1: away pebbles-1", "Why: at sea", "Now:  running", "Then: running"):
        assert said in plan
    assert "To alice: [pebbles-1]" in plan
    assert json.loads(run("player", "away", "list", ALICE, "--json").out) == []
    assert run("apply", 1).out.endswith("Done.\n")
    (entry,) = json.loads(run("player", "away", "list", ALICE, "--json").out)
    assert entry["from"] == first.isoformat()
    clear = ("player", "away", "clear", ALICE, 1)
    done = json.loads(run(*clear, "--why", "back", "-y", "--json").out)
    assert (done["state"], done["act"], len(done["matches"])) == ("applied", "back", 1)
    assert home


@pytest.mark.parametrize("option", [("--why", "the battery"), ("--yes",)])
def test_options_for_a_clock_that_is_right_are_refused_without_that(
    run: Run, home: Path, option: tuple[str, ...]
) -> None:
    """Who forgets --is-right does not believe that it was done."""
    ran = run("clock", *option)
    assert (ran.status, ran.err) == (2, f"referee: {option[0]} goes with --is-right\n")
    assert home


def test_a_clock_that_jumped_is_shown_and_put_right(run: Run, home: Path) -> None:
    """Once; without a jump there is nothing to put right."""
    assert "nothing to set right" in run("clock", "--is-right").err
    settings = load_settings(home / "referee.toml", {})
    desk = Desk(open_store(settings.database), settings)
    outages.note_jump(desk, datetime.now(UTC) - timedelta(days=3))
    desk.store.close()
    assert "referee clock --is-right" in run("status").out
    assert "no clock ran from" in run("clock", "--is-right").out
    (gap,) = json.loads(run("clock", "--json").out)
    assert gap["why"] == "jump"
    assert gap["to"] is not None
