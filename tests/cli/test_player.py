"""`referee player …`: what an organiser sets, blocks, merges, exports and erases."""

from __future__ import annotations

import json
import shutil
import stat
import sys
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.given import GIVEN

from referee.cli import main
from referee.desk.letters.words import keywords
from referee.desk.players import GONE, SETTINGS
from referee.store.people import players
from referee.store.store import open_store

ALICE, BOB, NEW = "alice@example.test", "bob@example.test", "new@example.test"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an installation and two players, to be copied."""
    folder = tmp_path_factory.mktemp("made")
    config = ("--config", str(folder / "referee.toml"))
    for words in (
        ("init", str(folder), *GIVEN),
        (*config, "player", "add", ALICE, "--name", "Alice"),
        (*config, "player", "add", BOB, "--name", "Bob"),
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["referee", *words])
            with pytest.raises(SystemExit) as ended:
                main()
        assert not ended.value.code
    return folder


@pytest.fixture
def home(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with an installation and two players."""
    folder = tmp_path / "home"
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def unchanged(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder with an installation that no test changes."""
    monkeypatch.chdir(made)
    return made


def shown(run: Callable[..., Any], who: str = ALICE) -> dict[str, Any]:
    """Return what is shown of a player."""
    found: dict[str, Any] = json.loads(run("player", "show", who, "--json").out)
    return found


def test_a_failing_address_is_shown_with_its_reason(run: Callable[..., Any], home: Path) -> None:
    """Why a player hears nothing is seen where one looks first."""
    assert shown(run)["failing"] == []
    with open_store(f"sqlite:///{home / 'referee.db'}") as store, store.writing() as connection:
        players.set_address(connection, ALICE, "failing", "mailbox full")
    assert shown(run)["failing"] == [f"{ALICE} (mailbox full)"]


@pytest.mark.parametrize("what", ["name", "language", "zone", "format", "digest"])
def test_a_command_that_set_one_setting_names_the_one_that_sets_all(
    run: Callable[..., Any], what: str
) -> None:
    """Whoever still writes it reads what to write instead."""
    ran = run("player", what, ALICE, "de")
    assert ran.status == 2
    assert f"referee player set PLAYER {what} VALUE" in ran.err


@pytest.mark.parametrize(
    ("words", "what", "kept"),
    [
        ("digest daily 18:00", "digest", "daily 18:00"),
        ("sammelmail aus", "digest", "off"),
        ("reminders 2h, 1d", "reminders", "24h 2h"),
        ("quiet from 22 to 7", "quiet", "22:00-07:00"),
        ("subjects telling", "subjects", "telling"),
        ("mails few", "mails", "few"),
        ("format spoken", "format", "spoken"),
        ("grace 90m", "grace", "1h 30m"),
        ("grace yes", "grace", "yes"),
        ("talk 30 minutes", "talk", "30m"),
        ("talk match", "talk", "match"),
        ("composer off", "composer", "off"),
        ("language deutsch", "language", "de"),
        ("zone europe/berlin", "zone", "Europe/Berlin"),
        ("name Alice the Great", "name", "Alice the Great"),
    ],
)
def test_whatever_a_player_can_set_an_organiser_can(
    run: Callable[..., Any], home: Path, words: str, what: str, kept: str
) -> None:
    """With the words of a mail, in any language and one or several arguments."""
    for given in (words.split(), words.split(maxsplit=1)):
        ran = run("player", "set", ALICE, *given)
        assert (ran.status, f"{what} is {kept}." in ran.out) == (0, True)
        assert f"\n{what} {kept}\n" in f"\n{run('player', 'set', ALICE).out}"


def test_the_settings_are_those_of_the_mail(home: Path) -> None:
    """No setting that a mail takes is missing, but the address, which has commands of its own."""
    assert {*SETTINGS, *GONE, "address"} == {*keywords.SETTINGS.values()}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("set", ALICE, "zone", "berlin"), "Europe/Berlin"),
        (("set", ALICE, "zone", "Europe/Berln"), "Europe/Berlin"),
        (("set", ALICE, "language", "fr"), "You could write: en or de."),
        (("set", ALICE, "format", "pdf"), "html, text, phone or spoken"),
        (("set", ALICE, "digest", "hourly"), "daily 18:00 or off"),
        (("add", "Referee@example.test"), "referee@example.test is the referee's own address"),
        (("set", ALICE, "digest", "at", "noon"), "“at noon” is nothing that can be set here"),
        (("set", ALICE, "reminders", "2h", "99d"), "up to 5, each from 10m to 30d"),
        (("set", ALICE, "grace", "13h"), "at most 12h"),
        (("set", ALICE, "subjekts", "plain"), "did you mean subjects?"),
        (("set", ALICE, "subjects"), "plain or telling"),
        (("set", ALICE, "confirm", "on"), "write “set grace yes” for “on”"),
        (("set", ALICE, "address", NEW), "referee player address"),
        (("set", ALICE, "calendar", "on"), "Every report says when your time ends."),
        (("set", ALICE, "kalender"), "there is no entry for your calendar any more"),
        (("set", ALICE, "name", " "), "name: write the new name after it; it cannot be empty"),
        (("show", "alice"), f"by an address or their number, such as {ALICE}"),
        (("show", "zoe"), "by an address or their number, see referee player list"),
        (("set", ALICE, "name", "bob"), "somebody else goes by that name"),
        (("set", "alicee@example.test", "zone", "UTC"), ALICE),
        (("block", "77"), "there is no player 77"),
        (("address", "add", ALICE, "new"), "is no mail address"),
        (("address", "add", ALICE, BOB), "referee player merge 2 1"),
        (("address", "add", ALICE, ALICE), "already"),
        (("address", "add", ALICE, "referee@example.test"), "own address"),
        (("address", "remove", ALICE, BOB), f"they have {ALICE}"),
        (("address", "remove", ALICE, ALICE), "only address"),
        (("address", "prefer", ALICE, NEW), f"they have {ALICE}"),
        (("merge", ALICE, ALICE), "the same player"),
        (("export", ALICE, "referee.toml"), "there already"),
        (("export", ALICE, "nowhere/a.zip"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    run: Callable[..., Any], unchanged: Path, arguments: tuple[str, ...], said: str
) -> None:
    """With what would be right."""
    ran = run("player", *arguments)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert said in ran.err


def test_days_away_that_are_taken_back_are_said(run: Callable[..., Any], home: Path) -> None:
    """From when to when they were."""
    day = (datetime.now(UTC) + timedelta(days=30)).date()
    assert run("player", "away", "add", ALICE, day).status == 0
    ran = run("player", "away", "clear", ALICE, "1")
    assert ran.out == f"Alice is not away from {day} to {day} any more.\n"


@pytest.mark.parametrize("written", ["{:%d %B}", "{:%B %d}", "{:%d.%m.}"])
def test_days_away_are_read_as_in_a_mail(run: Callable[..., Any], home: Path, written: str) -> None:
    """Without a year they are the next such days."""
    first = (datetime.now(UTC) + timedelta(days=30)).date()
    last = first + timedelta(days=2)
    ran = run("player", "away", "add", ALICE, written.format(first), written.format(last))
    assert f"away from {first} to {last}" in ran.out
    ran = run("player", "away", "add", ALICE, "soon")
    assert ran.status
    assert "“20 December”" in ran.err


def test_addresses_are_added_preferred_and_removed(run: Callable[..., Any], home: Path) -> None:
    """A new one is confirmed by the organiser's word; mail goes where he says."""
    assert run("player", "address", "add", ALICE, NEW).status == 0
    assert shown(run)["addresses"] == [ALICE, NEW]
    assert f"goes to {NEW}" in run("player", "address", "prefer", ALICE, NEW).out
    assert shown(run)["addresses"] == [NEW, ALICE]
    assert f"goes to {ALICE}" in run("player", "address", "remove", ALICE, NEW).out
    assert shown(run)["addresses"] == [ALICE]


def test_a_player_is_blocked_and_heard_again(run: Callable[..., Any], home: Path) -> None:
    """Where he still sits is said."""
    run("match", "new", "nord", "--seat", f"red={ALICE}", "--seat", f"blue={BOB}")
    assert "Alice still sits in nord-1" in run("player", "block", ALICE).out
    assert shown(run)["blocked"] is True
    run("player", "unblock", ALICE)
    assert shown(run)["blocked"] is False


def test_the_list_marks_who_is_blocked_and_whom_no_mail_reaches(
    run: Callable[..., Any], home: Path
) -> None:
    """One address that works is enough; with none each letter and mail is lost."""
    run("player", "block", ALICE)
    run("player", "address", "add", BOB, NEW)

    def remarks(*failing: str) -> list[str]:
        with open_store(f"sqlite:///{home / 'referee.db'}") as store, store.writing() as connection:
            for address in failing:
                players.set_address(connection, address, "failing", "550 no such user")
        lines = run("player", "list").out.splitlines()[1:]
        return [line.rpartition("  ")[2] for line in lines]

    assert remarks() == ["blocked", "–"]
    assert remarks(BOB) == ["blocked", "–"]
    assert remarks(ALICE, NEW) == ["blocked, no mail reaches them", "no mail reaches them"]
    assert shown(run)["reached"] is False


def test_two_players_become_one(run: Callable[..., Any], home: Path) -> None:
    """First it is said what would be done; --yes does it."""
    run("match", "new", "nord", "--seat", f"red={BOB}", "--seat", "blue=bot:greedy")
    ran = run("player", "merge", BOB, ALICE)
    assert "nord-1 (red)" in ran.out
    assert "Nothing has been done" in ran.out
    # The match has not begun, so nobody is written to.
    assert "--mails" not in ran.out
    assert shown(run, BOB)["player"] == 2
    assert run("player", "merge", BOB, ALICE, "--yes").status == 0
    assert shown(run, BOB) == shown(run, ALICE)
    assert shown(run)["matches"] == ["nord-1"]
    assert shown(run)["addresses"] == [ALICE, BOB]


def test_opponents_are_not_one(run: Callable[..., Any], home: Path) -> None:
    """Who sit in the same match are never merged."""
    run("match", "new", "nord", "--seat", f"red={ALICE}", "--seat", f"blue={BOB}")
    ran = run("player", "merge", BOB, ALICE, "--yes")
    assert (ran.status, "both sit in nord-1" in ran.err) == (2, True)


def test_all_about_a_player_is_exported(run: Callable[..., Any], home: Path) -> None:
    """JSON and mails in a file only its owner may read."""
    run("match", "new", "nord", "--seat", f"red={ALICE}", "--seat", f"blue={BOB}")
    assert run("player", "export", ALICE, "alice.zip").status == 0
    assert stat.S_IMODE((home / "alice.zip").stat().st_mode) == 0o600
    with zipfile.ZipFile(home / "alice.zip") as archive:
        document = json.loads(archive.read("player.json"))
        mails = [archive.read(name) for name in archive.namelist() if name.endswith(".eml")]
    assert document["player"]["name"] == "Alice"
    assert [each["match"] for each in document["matches"]] == ["nord-1"]
    assert [each["address"] for each in document["rows"]["addresses"]] == [ALICE]
    assert len(mails) == 1
    assert b"To: <alice@example.test>" in mails[0]


def test_who_plays_is_not_erased(run: Callable[..., Any], home: Path) -> None:
    """The refusal says what to do first."""
    run("match", "new", "nord", "--seat", f"red={ALICE}", "--seat", f"blue={BOB}")
    ran = run("player", "erase", ALICE, "--yes")
    assert ran.status == 2
    assert "referee match end nord-1" in ran.err


def test_a_player_is_erased(run: Callable[..., Any], home: Path) -> None:
    """Only with --yes; then nobody knows him."""
    assert "Nothing has been done" in run("player", "erase", ALICE).out
    assert shown(run)["name"] == "Alice"
    assert run("player", "erase", ALICE, "--yes").status == 0
    assert run("player", "show", ALICE).status == 2
    assert shown(run, "1")["addresses"] == []
    assert shown(run, "1")["name"] == "player 1"


def test_what_erasing_would_do_is_told_while_others_write(
    run: Callable[..., Any], home: Path
) -> None:
    """It looks through all mails, and locks nothing."""
    with open_store(f"sqlite:///{home / 'referee.db'}") as daemon, daemon.writing() as connection:
        players.update_player(connection, 2, zone="Europe/Berlin")
        assert "Nothing has been done" in run("player", "erase", ALICE).out


def test_an_erased_player_is_in_no_file(run: Callable[..., Any], home: Path) -> None:
    """Neither database nor write-ahead log holds his name, though a daemon has them open."""
    run("player", "add", "mauve@example.test", "--name", "Maud Uncommon")

    def traces() -> int:
        found = (each.read_bytes() for each in home.glob("referee.db*"))
        return sum(each.count(b"mauve@") + each.count(b"Uncommon") for each in found)

    with open_store(f"sqlite:///{home / 'referee.db'}") as daemon:
        with daemon.writing() as connection:
            players.update_player(connection, 3, zone="Europe/Berlin")
        assert traces() > 0
        assert run("player", "erase", "mauve@example.test", "--yes").status == 0
        with daemon.reading() as connection:
            assert players.get_player(connection, 3).name == "player 3"
        assert traces() == 0


def test_what_a_reader_keeps_in_the_log_is_said(run: Callable[..., Any], home: Path) -> None:
    """Who erases while somebody reads is told that the log holds it, and how it goes."""
    assert "write-ahead log" not in run("player", "erase", BOB, "--yes").out
    with open_store(f"sqlite:///{home / 'referee.db'}") as daemon, daemon.reading() as connection:
        players.get_player(connection, 1)
        ran = run("player", "erase", ALICE, "--yes")
    assert ran.status == 0
    assert "write-ahead log" in ran.out
    assert "Stop that and start it again" in ran.out


def test_an_invited_match_tells_who_has_not_answered(run: Callable[..., Any], home: Path) -> None:
    """Of players only: a bot and a free seat have nobody who could be asked."""
    run(
        "match",
        "open",
        "nord",
        "--seats",
        "3",
        "--seat",
        f"red={ALICE}",
        "--seat",
        "green=bot:greedy",
    )
    shown = run("match", "show", "nord-1").out
    (waits,) = [line for line in shown.splitlines() if "not answered yet" in line]
    assert waits.startswith("red")
    agreed = json.loads(run("match", "show", "nord-1", "--json").out)["agreed"]
    assert agreed == {"red": "asked", "blue": "unasked", "green": "unasked"}


@pytest.mark.parametrize(
    ("arguments", "seats"),
    [
        ((), {"red": "unasked", "blue": "unasked"}),
        (("--seats", "3"), 3),
        (("--seats", "3", "--seat", "green=bot:greedy"), 3),
        (("--seats", "3", "--drawn", "--players", "2", "--fill", "greedy"), 3),
    ],
)
def test_a_match_is_opened(
    run: Callable[..., Any], home: Path, arguments: tuple[str, ...], seats: object
) -> None:
    """The name is said, and how players join; nobody is mailed, and no seat is waited for."""
    ran = run("match", "open", "nord", *arguments)
    assert "join nord-1" in ran.out
    shown = run("match", "show", "nord-1").out
    assert "open" in shown
    agreed = json.loads(run("match", "show", "nord-1", "--json").out)["agreed"]
    assert len(agreed) == (seats if isinstance(seats, int) else 2)
    assert "not answered yet" not in shown
    assert {*agreed.values()} == {"unasked"}
    assert json.loads(run("outbox", "list", "--json").out) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--seats", "9"), "is for 2 to 4 seats"),
        (("--seat", "mauve=open"), "has the seats"),
        (("--fill", "deep"), "the bots are"),
        (("--seat", f"red={ALICE}", "--seat", f"blue={BOB}"), "no seat is open"),
        (("--seat", f"red={ALICE}", "--seat", f"red={BOB}"), "--seat red is given twice"),
        (("--players", "9"), "at most 2"),
        (("--seats", "3", "--players", "2"), "with --fill"),
    ],
)
def test_what_cannot_be_opened_is_said(
    run: Callable[..., Any], unchanged: Path, arguments: tuple[str, ...], said: str
) -> None:
    """One line, and no match."""
    ran = run("match", "open", "nord", *arguments)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert said in ran.err
    assert json.loads(run("match", "list", "--json").out) == []


def test_an_open_match_begins_when_told_only_if_bots_fill_it(
    run: Callable[..., Any], home: Path
) -> None:
    """Free seats are named otherwise."""
    run("match", "open", "nord", "--seat", f"red={ALICE}")
    ran = run("match", "start", "nord-1")
    assert (ran.status, "still open" in ran.err) == (2, True)
    run("match", "open", "nord", "--seat", f"red={ALICE}", "--fill", "greedy")
    assert run("match", "start", "nord-2").status == 0


def test_the_list_has_a_heading_for_each_column(run: Callable[..., Any], unchanged: Path) -> None:
    """Every value stands below its own heading."""
    heading, *rows = run("player", "list").out.splitlines()
    at = {title: heading.index(title) for title in ("language", "zone", "format")}
    alice = next(each for each in rows if ALICE in each)
    assert [alice[at[title] :].split()[0] for title in at] == ["en", "UTC", "html"]


def test_show_tells_every_setting(run: Callable[..., Any], unchanged: Path) -> None:
    """Those that only players change are among them."""
    document = json.loads(run("player", "show", ALICE, "--json").out)
    shown = dict(line.split(None, 1) for line in run("player", "show", ALICE).out.splitlines())
    for line in run("player", "set", ALICE).out.splitlines():
        name, value = line.split(" ", 1)
        assert shown[name] == value
    found = {name: document[name] for name in ("grace", "talk", "composer")}
    assert found == {"grace": 0, "talk": None, "composer": True}


def test_many_players_are_added_at_once(home: Path, run: Callable[..., Any]) -> None:
    """By their addresses, or from a file whose first line may name its columns."""
    said = run("player", "add", "carol@example.test", "dora@example.test").out
    assert said == "carol is player 3.\ndora is player 4.\n"
    (home / "club.csv").write_text(
        "\ufeffAddress;Name;Language;Zone\nerik@example.test;Jörg;de;Europe/Berlin\n\n"
        "frida@example.test\n"
    )
    told = json.loads(run("player", "add", "--file", "club.csv", "--json").out)
    assert [(each["name"], each["language"], each["zone"]) for each in told] == [
        ("Jörg", "de", "Europe/Berlin"),
        ("frida", "en", "UTC"),
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('carol@example.test;"Meier, Carol";de\n', "Meier, Carol"),
        ("address,name\ncarol@example.test,Carol; of Bonn\n", "Carol; of Bonn"),
        ("carol@example.test,Carol; of Bonn\n", None),
    ],
)
def test_the_first_line_of_a_file_says_what_parts_its_cells(
    home: Path, run: Callable[..., Any], text: str, name: str | None
) -> None:
    """With a semicolon in it that is the sign, for all lines; otherwise it is the comma."""
    (home / "club.csv").write_text(text)
    ran = run("player", "add", "--file", "club.csv", "--json")
    if name is None:
        assert "club.csv, line 1: 'carol@example.test,Carol' is no mail address" in ran.err
    else:
        assert [each["name"] for each in json.loads(ran.out)] == [name]


def test_a_first_line_names_the_columns_in_any_order(home: Path, run: Callable[..., Any]) -> None:
    """What a line leaves out is as for any player."""
    (home / "club.csv").write_text(
        "zone,address,Name,\nEurope/Paris,carol@example.test,Carol,\n,dora@example.test\n"
    )
    told = json.loads(run("player", "add", "--file", "club.csv", "--json").out)
    assert [(each["name"], each["zone"]) for each in told] == [
        ("Carol", "Europe/Paris"),
        ("dora", "UTC"),
    ]


def test_an_address_given_twice_is_told_so(home: Path, run: Callable[..., Any]) -> None:
    """It belongs to nobody yet."""
    ran = run("player", "add", "carol@example.test", "carol@example.test")
    assert ran.err == "referee: carol@example.test stands twice; nobody was added\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("carol@example.test\nno address\n", "club.csv, line 2: 'no address' is no mail address;"),
        ("carol@example.test,Carol,fr\n\n", "club.csv, line 1: language fr: one of en, de"),
        (
            "carol@example.test,Carol\ndora@example.test,Carol\n",
            "club.csv, line 2: Carol: somebody else",
        ),
        (f"carol@example.test\n\n{ALICE}\n", f"club.csv, line 3: {ALICE} belongs to a player"),
        ("", "club.csv: there is no player in it"),
        ("address,name\n", "club.csv: there is no player in it"),
        (
            'carol@example.test,Carol\ndora@example.test,"Dora\nerik@example.test\n',
            "club.csv, line 2: a quotation mark has no other end",
        ),
        (
            "address,phone\ncarol@example.test,7\n",
            "club.csv, line 1: 'phone' is no column; a first line that names",
        ),
        ("name,zone\nCarol,UTC\n", "club.csv, line 1: no column is the address; a first"),
        ("address,name,Name\n", "club.csv, line 1: 'name' stands twice; a first line"),
        (
            "carol@example.test\nCarol@example.test\n",
            "club.csv, line 2: Carol@example.test stands twice; nobody was added",
        ),
        (
            "E-Mail;Name\ncarol@example.test;Carol\n",
            (
                "club.csv, line 1: 'E-Mail' is no mail address; a first line that names the "
                "columns reads address, name, language, zone"
            ),
        ),
    ],
)
def test_a_file_with_a_fault_adds_nobody(
    home: Path, run: Callable[..., Any], text: str, says: str
) -> None:
    """The line is named, with what is wrong in it; nothing is half done."""
    (home / "club.csv").write_text(text)
    before = run("player", "list").out
    ran = run("player", "add", "--file", "club.csv")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert says in ran.err
    assert run("player", "list").out == before


def test_all_faults_of_a_file_are_told_at_once(home: Path, run: Callable[..., Any]) -> None:
    """Each with its line, as the rest would be told one run after the other."""
    (home / "club.csv").write_text(
        "address,name,language,zone\ncarol@example.test,Carol,fr\ndora@example.test\n"
        "no address\nerik@example.test,Carol,de,Bonn\nfrida@example.test,a,en,UTC,b\n"
    )
    before = run("player", "list").out
    ran = run("player", "add", "--file", "club.csv")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        "referee: club.csv, line 2: language fr: one of en, de",
        "referee: club.csv, line 4: 'no address' is no mail address",
        "referee: club.csv, line 5: zone Bonn: a time zone such as Europe/Berlin",
        "referee: club.csv, line 6: 5 cells: write address, name, language and time zone",
        "referee: nobody was added",
    ]
    assert run("player", "list").out == before


def test_a_player_is_found_by_the_address_as_it_is_written(
    run: Callable[..., Any], home: Path
) -> None:
    """bob@straße.example is kept in ASCII, found as written, and is not bob@strasse.example."""
    assert home
    assert run("player", "add", "bob@straße.example").status == 0
    assert "bob@xn--strae-oqa.example" in str(shown(run, "Bob@STRAßE.example"))
    assert run("player", "show", "bob@strasse.example").status == 2
    assert run("player", "add", "bob@strasse.example").status == 0
