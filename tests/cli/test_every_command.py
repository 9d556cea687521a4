"""What holds for each command of the program alike: help with an example, JSON, refusals."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.commands import EVERY

from referee.config import load_settings
from referee.desk import agenda
from referee.desk.desk import opened_desk
from referee.desk.matches import ledger
from referee.errors import UNFIT
from referee.store.play import matches
from referee.store.post import letters

Run = Callable[..., Any]


@pytest.mark.parametrize("name", EVERY)
def test_a_command_takes_json_and_shows_an_example(name: str) -> None:
    """Its help has a line that can be copied, and one option that every command has."""
    options = [option for each in EVERY[name].params for option in each.opts]
    assert options.count("--json") == 1
    examples = re.findall(r"Example: (referee .*)", EVERY[name].help)
    assert examples
    assert all(f"{each} ".startswith(f"referee {name} ") for each in examples)


WRONG = {
    "init": ("init", "there"),
    "demo": ("demo", "--game", "chess", "--dir", "there"),
    "completion": ("completion", "tcsh"),
    "doctor": ("doctor", "--patience", "0"),
    "try": ("try", "none.json"),
    "record verify": ("record", "verify", "none.jsonl"),
}
"""What needs no installation, as it is refused."""


def meant(name: str) -> tuple[str, ...]:
    """Return a line of the command with every argument it cannot do without."""
    given = []
    for each in EVERY[name].params:
        if each.required:
            given += [each.opts[0]] if each.opts[0].startswith("-") else []
            given.append("1")
    return (*name.split(), *given)


@pytest.mark.parametrize("name", EVERY)
def test_a_refusal_is_one_line_with_and_without_json(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """An unknown option, or a folder without an installation: nothing on the output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").touch()
    for words in ((*name.split(), "--zzz"), (*WRONG.get(name, meant(name)), "--json")):
        ran = run(*words)
        assert (ran.out, ran.err.count("\n")) == ("", 1), ran
        assert ran.status in {2, UNFIT}
        assert ran.err.startswith("referee: ")


LINES = """
init . --address referee@example.test --imap imaps://r:x@127.0.0.1 --smtp smtps://r:x@127.0.0.1
completion bash
service referee-backup.timer
status
clock
doctor --offline
player add alice@example.test
player add bob@example.test
player add bobby@example.test
player set alice@example.test zone Europe/Berlin
player set alice@example.test subjects telling
player address add alice@example.test new@example.test
player address prefer alice@example.test alice@example.test
player address remove alice@example.test new@example.test
player block alice@example.test
player unblock alice@example.test
player merge bobby@example.test bob@example.test
apply 1
player erase alice@example.test
player list
player show alice@example.test
player export alice@example.test alice.zip
match new pebbles --seat red=alice@example.test --seat blue=bob@example.test
match start pebbles-1
match open pebbles
match list
match show pebbles-1
match history pebbles-1
match pause pebbles-1 --why rain
plan list
plan show 2
plan withdraw 2
match pause pebbles-1 --why rain
plan apply 3
match resume pebbles-1 --why sun --yes
player away add alice@example.test DAY --why rain --yes
player away list alice@example.test
player away clear alice@example.test 1 --why rain --yes
match extend pebbles-1 3d --why rain
match remind pebbles-1 --why rain
match resend pebbles-1 --why rain
match note pebbles-1 hello
match seat pebbles-1 blue bot:random --why rain
match act pebbles-1 red pass --why rain --yes
match undo pebbles-1 --why rain --yes
match redo pebbles-1 --why rain
match fix pebbles-1 patch.json --why rain
outbox list
outbox show 1
outbox hold 1
outbox release 1
outbox retry 1
outbox hold 1
outbox drop 1
letter list
letter show 1
letter show 1 --raw
letter retry 1
letter drop 2
match end pebbles-1 --abandon --why rain -y
record export pebbles-1
record export pebbles-1 --to pebbles-1.jsonl
record export --all --dir records
record verify pebbles-1.jsonl
record import pebbles-1.jsonl
record audit
record site pages
composer pages
upgrade
record prune records
try position.json
backup copy.db
restore copy.db --replace
"""
ELSEWHERE = {"auth", "demo", "run"}
"""What needs a provider or servers; their own tests look at it."""


def test_every_command_prints_one_document(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that only changes something; nothing else stands on the output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patch.json").write_text('[{"op": "replace", "path": "/hand", "value": 3}]')
    seen = set(ELSEWHERE)
    soon = (datetime.now(UTC) + timedelta(days=30)).date()
    for line in LINES.replace("DAY", str(soon)).strip().splitlines():
        words = line.split()
        if line.startswith("letter list"):
            set_aside(tmp_path)
        ran = run(*words, "--json")
        assert ran.status == 0 or words[0] in {"status", "doctor"}, (line, ran)
        document = json.loads(ran.out)
        assert isinstance(document, dict | list), line
        seen |= {name for name in EVERY if f"{line} ".startswith(f"{name} ")}
        if line.startswith("match show"):
            view = {"game": "pebbles", "edition": 1, **position(tmp_path)}
            (tmp_path / "position.json").write_text(json.dumps(view))
    assert seen == set(EVERY)


def set_aside(folder: Path) -> None:
    """Lay two letters into quarantine."""
    settings = load_settings(folder / "referee.toml", {})
    with opened_desk(settings) as desk:
        while agenda.do_due_steps(desk):
            pass
        with desk.store.writing() as connection:
            for number in (1, 2):
                row = letters.keep_letter(
                    connection, folder="INBOX", uidvalidity=1, uid=number, arrived=desk.now(),
                    size=4, truncated=False, raw=b"\n\nhi", now=desk.now(),
                    mailbox=settings.address,
                )  # fmt: skip
                assert row is not None
                letters.finish_letter(connection, row.id, "quarantined", "broken", desk.now())


def position(folder: Path) -> dict[str, Any]:
    """Return the position of the match as the game writes it."""
    settings = load_settings(folder / "referee.toml", {})
    with opened_desk(settings) as desk, desk.reading() as change:
        row = matches.find_match(change.connection, "pebbles-1")
        assert row is not None
        live = ledger.load_match(change, row).live
    return live.game.dump(live.position)
