"""`referee record export|import|audit|prune|site` on installations without servers."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired
from typing import Any

import pytest
from sqlalchemy import text
from support.given import GIVEN
from support.installation import until
from support.pbl import give_files

from referee.cli.record import site
from referee.config import load_settings
from referee.desk import agenda
from referee.desk.archive import audit
from referee.desk.archive.site.pages import Site
from referee.desk.desk import opened_desk
from referee.store.play import matches

BOTS = ("--seat", "red=bot:random", "--seat", "blue=bot:random", "--start")
Run = Callable[..., Any]


@pytest.fixture
def here(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up an installation with two matches that are over, and work in its folder."""
    folder = installed(run, tmp_path / "here")
    monkeypatch.chdir(folder)
    for _ in range(2):
        assert run("match", "new", "pebbles", *BOTS).status == 0
    with opened_desk(load_settings(folder / "referee.toml", {})) as desk:
        while agenda.do_due_steps(desk):
            pass
    return folder


def installed(run: Run, folder: Path) -> Path:
    """Set up an installation in a folder."""
    assert run("init", folder, *GIVEN).status == 0
    return folder


def test_archive_goes_to_another_installation(run: Run, here: Path, tmp_path: Path) -> None:
    """All records exported, imported elsewhere, listed and shown there, and exported alike."""
    there = ("--config", installed(run, tmp_path / "there"))
    assert "2 records written, 0 stood" in run("record", "export", "--all", "--dir", "out").out
    assert "0 records written, 2 stood" in run("record", "export", "--all", "--dir", "out").out
    assert run("record", "export", "pebbles-1", "--json").out.count('"seq"') > 5
    records = sorted((here / "out").iterdir())
    ran = run("record", "import", *records, *there)
    assert (ran.status, ran.out.count(" is in")) == (0, 2)
    again = run("record", "import", *records, "--json", *there)
    assert [each["outcome"] for each in json.loads(again.out)] == ["there", "there"]
    assert run("match", "list", *there).out.count("over") == 2
    assert "turn" in run("match", "show", "pebbles-2", *there).out
    assert run("record", "export", "pebbles-2", *there).out == records[1].read_text()
    assert run("record", "audit", *there).status == 0


def test_a_match_goes_out_and_comes_in_as_a_file_of_its_game(
    run: Run, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is known by its ending, or by the game that is named; what does not fit is answered."""
    give_files(monkeypatch)
    assert "one.pbl" in run("record", "export", "pebbles-1", "--as", "pbl", "--to", "one.pbl").out
    printed = run("record", "export", "pebbles-1", "--as", ".PBL").out
    assert printed == (here / "one.pbl").read_text()
    (here / "one.txt").write_text(printed)
    there = ("--config", installed(run, tmp_path / "there"))
    ran = run("record", "import", "one.txt", *there)
    assert (ran.status, "one.txt: refused" in ran.out) == (1, True)
    assert "no game that is installed has files that end in .txt" in ran.out
    ran = run("record", "import", "one.txt", "--game", "pebbles", *there)
    assert (ran.status, "pebbles-1 is in; nobody is named" in ran.out) == (0, True)
    assert "is here already" in run("record", "import", "one.pbl", *there).out
    run("player", "add", "alice@example.test", *there)
    named = ("record", "import", "one.pbl", "--seat", "red=alice@example.test", *there)
    assert "is here already; its players are named now" in run(*named).out
    assert "nothing was changed" in run(*named).out
    assert "its players are named already; nothing" in run(*named).out
    assert run("record", "audit", *there).status == 0
    ran = run("record", "export", "pebbles-1", "--as", "pgn")
    assert (ran.status, "--as pgn: pebbles has no such files; there are: pbl" in ran.err) == (
        2,
        True,
    )
    ran = run("record", "import", "one.pbl", "--game", "nord", *there)
    assert "--game nord: it has no files that end in .pbl; it has none" in ran.out


def test_a_damaged_match_keeps_no_other_from_going_out(run: Run, here: Path) -> None:
    """Records and pages of the others are written; it is named in a line, with exit status 1."""
    with (
        opened_desk(load_settings(here / "referee.toml", {})) as desk,
        desk.store.writing() as connection,
    ):
        connection.execute(text("UPDATE events SET body = '{' WHERE match_id = 1 AND seq = 2"))
    ran = run("record", "export", "--all", "--dir", "out")
    assert ran.status == 1
    assert [each.name for each in (here / "out").iterdir()] == ["pebbles-2.jsonl"]
    assert "1 record written" in ran.out
    assert "pebbles-1 is broken: " in ran.out
    ran = run("record", "site", "pages", "--json")
    found = json.loads(ran.out)
    assert (ran.status, [*found["broken"]]) == (1, ["pebbles-1"])
    assert (here / "pages" / "matches" / "pebbles-2.html").is_file()
    assert run("match", "list").out.count("over") == 2
    ran = run("match", "history", "pebbles-1")
    assert "pebbles-1 is broken: " in ran.err
    assert ran.err.count("\n") == 1


def test_what_is_there_is_not_written_over(run: Run, here: Path) -> None:
    """A file named, or one in the folder that is another, stays unless --force is given."""
    (here / "out").mkdir()
    for file, words in (
        (here / "mine", ("--to", "mine")),
        (here / "out" / "pebbles-1.jsonl", ("--dir", "out")),
    ):
        file.write_text("mine")
        ran = run("record", "export", "pebbles-1", *words)
        assert ran.status in {1, 2}
        assert "--force replaces" in ran.out + ran.err
        assert file.read_text() == "mine"
        assert run("record", "export", "pebbles-1", *words, "--force").status == 0
        assert file.read_text() == run("record", "export", "pebbles-1").out
    told = json.loads(run("record", "export", "--all", "--dir", "out", "--json").out)
    assert (told["written"], told["unchanged"], told["others"]) == (1, 1, [])


def test_refused_record_leaves_the_others_in(run: Run, here: Path, tmp_path: Path) -> None:
    """A file that is no record is named and the status is 1; the record beside it is in."""
    there = ("--config", installed(run, tmp_path / "there"))
    run("record", "export", "pebbles-1", "--dir", "out")
    wrong = here / "wrong.jsonl"
    wrong.write_text("{}\n{}\n")
    ran = run(
        "record", "import", wrong, here / "none.jsonl", here / "out" / "pebbles-1.jsonl", *there
    )
    assert ran.status == 1
    assert f"{wrong}: refused: line 1: no header" in ran.out
    assert "none.jsonl: refused" in ran.out
    assert f"{here / 'none.jsonl'}: refused: cannot be read: No such file" in ran.out
    assert "pebbles-1 is in" in ran.out
    assert "Traceback" not in ran.out + ran.err


def test_a_running_match_in_a_file_is_not_taken_in(run: Run, here: Path) -> None:
    """Files of matches that moved while they ran are answered with what moves instead."""
    file = here / "nord-1.move"
    file.write_text('{"edition":1,"game":"nord","kind":"move","match":"nord-1"}\n{"rows":{}}\n')
    ran = run("record", "import", file)
    assert ran.status == 1
    assert f"{file}: refused: line 1: this is no record but a running match" in ran.out
    assert "a whole installation moves by backup and restore" in ran.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("export",), "which match?"),
        (("export", "pebbles-9"), "there is no match pebbles-9"),
        (("export", "--all"), "where to"),
        (("move", "pebbles-1", "--to", "x", "--why", "x"), "installation moves by backup"),
        (("import", "x", "y", "--seat", "red=alice@example.test"), "import its record alone"),
        (("prune", "nowhere"), "no such folder"),
        (("site", "pages", "--language", "fr"), "not one of 'en', 'de'"),
        (("site", "referee.toml"), "referee.toml"),
    ],
)
def test_wrong_words_are_answered(run: Run, here: Path, words: tuple[str, ...], said: str) -> None:
    """What cannot be done is one line that says what to do."""
    assert here
    ran = run("record", *words)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_seats_are_named_by_players_known(run: Run, here: Path, tmp_path: Path) -> None:
    """A player known by address is shown at his seat; an unknown one refuses the record."""
    there = ("--config", installed(run, tmp_path / "there"))
    record = here / "out" / "pebbles-1.jsonl"
    run("record", "export", "pebbles-1", "--dir", "out")
    unknown = run("record", "import", record, "--seat", "red=alice@example.test", *there)
    assert (unknown.status, "no player here has this address" in unknown.out) == (1, True)
    run("player", "add", "alice@example.test", "--name", "Alice", *there)
    colour = run("record", "import", record, "--seat", "pink=alice@example.test", *there)
    assert "the seats of this record are red, blue" in colour.out
    assert run("record", "import", record, "--seat", "red=alice@example.test", *there).status == 0
    run("record", "site", tmp_path / "pages", *there)
    assert "Alice (red), blue" in (tmp_path / "pages" / "index.html").read_text()


def test_audit_names_what_does_not_fit(run: Run, here: Path) -> None:
    """The audit tells how many orders it replayed, and ends with status 1 for a fault."""
    ran = run("record", "audit", "--json")
    found = json.loads(ran.out)
    assert (ran.status, found["matches"], found["faults"]) == (0, 2, [])
    assert found["orders"] > 5
    assert found["orders_per_second"] > 0
    with (
        opened_desk(load_settings(here / "referee.toml", {})) as desk,
        desk.store.writing() as connection,
    ):
        connection.execute(text("DELETE FROM snapshots WHERE match_id = 1"))
        matches.save_snapshot(connection, 2, 99, "{}")
    ran = run("record", "audit")
    assert ran.status == 1
    assert "pebbles-2: a position is kept after event 99" in ran.out
    assert "1 does not fit" in ran.out


def test_interrupted_audit_is_gone_on_with(run: Run, here: Path) -> None:
    """An audit goes on where one was interrupted, unless told to begin anew; then that is over."""
    with opened_desk(load_settings(here / "referee.toml", {})) as desk:
        progress, _ = next(audit.audit_matches(desk, audit.Progress()))
        audit.keep_progress(desk, progress)
    assert "2 matches, " in run("record", "audit", "--anew").out
    with opened_desk(load_settings(here / "referee.toml", {})) as desk:
        audit.keep_progress(desk, progress)
    ran = run("record", "audit")
    assert ran.status == 0
    assert "going on after 1 match seen" in ran.out
    assert "2 matches, " in ran.out
    assert "going on" not in run("record", "audit").out


def test_prune_tells_before_it_does(run: Run, here: Path) -> None:
    """Without --yes nothing goes; with it, what has a record that verifies, and nothing else."""
    run("record", "export", "pebbles-1", "--dir", "out")
    told = run("record", "prune", "out", "--events")
    assert "would go" in told.out
    # Five columns, five headings; the last says why a match stays.
    heading, _, row = told.out.splitlines()[:3]
    assert heading.split() == ["match", "letters", "mails", "events", "outcome"]
    assert row.split("  ")[-1].strip() == "no record"
    assert run("record", "export", "pebbles-1").status == 0
    done = run("record", "prune", "out", "--events", "--yes", "--json")
    found = {each["match"]: each["why"] for each in json.loads(done.out)["matches"]}
    assert found == {"pebbles-1": "", "pebbles-2": "no record"}
    assert "was pruned" in run("record", "export", "pebbles-1").err
    for words in (("history", "pebbles-1"), ("show", "pebbles-1", "--turn", "1")):
        seen = run("match", *words)
        assert (seen.status, seen.out) == (2, "")
        assert "pebbles-1 was pruned: import its record" in seen.err
    assert run("match", "show", "pebbles-1").status == 0
    assert run("record", "export", "pebbles-2").status == 0
    assert "1 of them pruned" in run("record", "audit").out
    pages = run("record", "site", "pages")
    assert (pages.status, "were pruned: pebbles-1" in pages.out) == (0, True)
    assert "1 record written" in run("record", "export", "--all", "--dir", "all").out
    told = run("record", "export", "--all", "--dir", "all").out
    assert "1 match was pruned: see the files exported before" in told
    back = run("record", "import", here / "out" / "pebbles-1.jsonl")
    assert "has its events again" in back.out


def test_pages_are_written_and_left_alone(run: Run, here: Path) -> None:
    """The summary counts pages written and unchanged; interrupted, the command says how far."""
    first = json.loads(run("record", "site", "pages", "--json").out)
    assert (first["matches"], first["unchanged"], first["without"]) == (2, 0, [])
    assert "0 pages written" in run("record", "site", "pages").out
    assert (here / "pages" / "matches" / "pebbles-2.html").is_file()
    assert 'lang="de"' in _german(run, here)


def _german(run: Run, here: Path) -> str:
    run("record", "site", "seiten", "--language", "de")
    return (here / "seiten" / "index.html").read_text(encoding="utf-8")


def interrupted(process: Popen[str]) -> tuple[str, str]:
    """Send Ctrl-C to a process that waits in a call, again if it was lost before the call."""
    status = Path(f"/proc/{process.pid}/status")
    for _ in range(12):
        until(lambda: process.poll() is not None or "(sleeping)" in status.read_text(), "a wait")
        process.send_signal(signal.SIGINT)
        try:
            return process.communicate(timeout=15)
        except TimeoutExpired:
            continue
    process.kill()
    raise AssertionError("a process does not end")


@pytest.fixture
def heeded() -> Iterator[None]:
    """Let processes heed Ctrl-C, whether or not it was ignored by who started the tests."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded")
def test_interrupted_pages_are_gone_on_with(run: Run, here: Path) -> None:
    """Ctrl-C leaves no half page and says how far it came; the same command writes the rest."""
    pages = here / "pages" / "matches"
    pages.mkdir(parents=True)
    # Whoever opens a pipe that nobody writes to waits.
    os.mkfifo(pages / "pebbles-2.html")
    command = [sys.executable, "-m", "referee", "record", "site", "pages"]
    with Popen(command, stdout=PIPE, stderr=PIPE, text=True) as process:
        first = pages / "pebbles-1.html"
        until(lambda: first.is_file() or process.poll() is not None, "the first page")
        out, err = interrupted(process)
    assert (process.returncode, out) == (130, "")
    assert err == "stopped after 1 of 2 matches; the same command goes on with the rest\n"
    assert sorted(each.name for each in pages.iterdir()) == ["pebbles-1.html", "pebbles-2.html"]
    (pages / "pebbles-2.html").unlink()
    found = json.loads(run("record", "site", "pages", "--json").out)
    assert found["unchanged"] == 1
    assert (pages / "pebbles-2.html").is_file()


def test_many_pages_are_written_by_other_processes(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are the same pages, and this process only counts them."""
    assert run("record", "site", "alone").status == 0

    def refuse(_: Site, numbers: Sequence[int], __: object) -> Iterator[int]:
        assert not numbers
        return iter(())

    monkeypatch.setattr(site, "MANY", 1)
    monkeypatch.setattr(Site, "write_matches", refuse)
    done = run("record", "site", "together")
    assert done.status == 0, done.err
    alone, together = (sorted((here / name).rglob("*.html")) for name in ("alone", "together"))
    assert [each.read_bytes() for each in alone] == [each.read_bytes() for each in together]
    assert f"{len(alone)} pages written" in done.out
