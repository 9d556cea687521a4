"""`referee match pause …`, `apply`, `match history` and `list`, without servers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, select
from support.given import GIVEN, SEATED

from referee.cli import output
from referee.mail.codes import codes_in
from referee.store import tables as t
from referee.store.play import matches
from referee.store.post import outbox
from referee.store.store import Store, open_store


@pytest.fixture
def store(run: Callable[..., Any], tmp_path: Path, monkeypatch: Any) -> Iterator[Store]:
    """Set up an installation in the current folder with a running match; return its store."""
    monkeypatch.chdir(tmp_path)
    assert run("init", tmp_path, *GIVEN).status == 0
    assert run("match", "new", "pebbles", *SEATED, "--start").status == 0
    with open_store(f"sqlite:///{tmp_path / 'referee.db'}") as found:
        yield found


def state(store: Store) -> str:
    """Return the state of the match."""
    with store.reading() as connection:
        row = matches.find_match(connection, "pebbles-1")
    assert row is not None
    return row.state


def test_a_plan_fits_a_terminal(run: Callable[..., Any], store: Store) -> None:
    """The first words of mails are folded at 80 columns."""
    assert state(store) == "running"
    for act, *more in (("extend", "3d"), ("pause",), ("seat", "red", "bot:greedy")):
        name = ("pebbles-1", *more)
        planned = run("match", act, *name, "--why", "rain")
        mails = run("plan", "show", planned.out.split()[1].rstrip(":"), "--mails")
        assert (planned.status, mails.status) == (0, 0)
        assert max(map(len, (planned.out + mails.out).splitlines())) < 80


def test_a_plan_is_printed_and_applied(run: Callable[..., Any], store: Store) -> None:
    """It shows stands, events and whom mails go to, and ends with the lines to type."""
    planned = run("match", "pause", "pebbles-1", "--why", "rain on the roof")
    assert planned.status == 0
    for said in (
        "Plan 1: pause pebbles-1",
        "Now:  running, turn 1, red to act",
        "Then: paused, turn 1",
        "The board stays as it is.",
        " pause\n",
        "To alice: [pebbles-1]",
        "     The organiser has paused pebbles-1.",
        "To carry it out: referee apply 1\n",
    ):
        assert said in planned.out
    assert "rain on the roof" not in planned.out.partition("Mails:")[2]
    assert planned.out.endswith("referee plan show 1 --mails\n")
    assert state(store) == "running"
    applied = run("apply", 1)
    assert applied.status == 0
    assert applied.out.endswith("Done.\n")
    assert without_now(applied.out)[:-1] == without_now(planned.out)[:-2]
    assert state(store) == "paused"


def test_the_mails_of_a_plan_are_read_whole(run: Callable[..., Any], store: Store) -> None:
    """Notices to the last line, reports without what only a seat may see; nothing is done."""
    planned = run("match", "resend", "pebbles-1", "--why", "rain on the roof")
    assert planned.err == ""
    shown = run("plan", "show", 1, "--mails")
    assert shown.status == 0
    for said in (
        "To alice: [pebbles-1]",
        "| · rain on the roof",
        "| === pebbles-1 · turn 1 · red · e5 · ····-···· ===",
        "| [red's own part is not shown here]",
        "| --- referee · pebbles-1 ---",
        "Reports leave when the match rests",
    ):
        assert said in shown.out
    assert state(store) == "running"
    assert run("apply", 1).status == 0
    for more in ((), ("--mails",)):
        ended = run("plan", "show", 1, *more)
        assert ended.out.startswith("Plan 1: resend\nWhy: rain on the roof\nPlanned 20")
        assert "; nothing is done now\n" in ended.out
        assert "Done." not in ended.out


def test_a_plan_that_is_shown_again_says_when_it_was_made(
    run: Callable[..., Any], store: Store
) -> None:
    """It can be applied for a week from then; programs read it as well."""
    del store
    planned = run("match", "pause", "pebbles-1", "--why", "rain on the roof")
    assert "Planned" not in planned.out
    (said,) = [each for each in run("plan", "show", 1).out.splitlines() if "Planned" in each]
    created = json.loads(run("plan", "show", 1, "--json").out)["created"]
    assert said == f"Planned {created} by organiser"


def without_now(text: str) -> list[str]:
    """Return the lines that do not change while the clock of a turn has not started."""
    return [each for each in text.splitlines() if not each.startswith("Now:")]


def test_bots_that_are_alone_are_said_to_be(run: Callable[..., Any], store: Store) -> None:
    """The output holds the name alone; beside it stands what becomes of the match."""
    assert state(store) == "running"
    bots = ("match", "new", "pebbles", "--seat", "red=bot:random", "--seat", "blue=bot:random")
    waits, begun = run(*bots), run(*bots, "--start")
    assert (waits.out, begun.out) == ("pebbles-2\n", "pebbles-3\n")
    assert "bots alone are to play pebbles-2: referee match start pebbles-2 begins it" in waits.err
    assert "bots alone play pebbles-3" in begun.err
    told = json.loads(run(*bots, "--json").out)
    assert told == {"match": "pebbles-4", "bots_alone": True}


def test_a_plan_as_json_holds_the_same(run: Callable[..., Any], store: Store) -> None:
    """Everything the text says, by name, and no reply code."""
    shown = json.loads(run("match", "note", "pebbles-1", "hello", "--json").out)
    assert (shown["plan"], shown["state"], shown["act"]) == (1, "open", "note")
    assert [each["to"] for each in shown["mails"]] == ["alice", "bob"]
    assert "hello" in shown["mails"][0]["text"]
    assert [each["kind"] for each in shown["events"]] == ["notice"]
    with store.reading() as connection:
        row = matches.find_match(connection, "pebbles-1")
        assert row is not None
        codes = {*connection.execute(select(t.codes.c.code)).scalars()}
    assert codes
    assert not codes & set(codes_in(json.dumps(shown)))


def test_at_once_it_is_done(run: Callable[..., Any], store: Store) -> None:
    """With --yes the mails wait to be sent when the command ends, and the agenda is due."""
    done = run("match", "pause", "pebbles-1", "--why", "rain", "--yes")
    assert done.out.endswith("Done.\n")
    assert state(store) == "paused"
    with store.reading() as connection:
        row = matches.find_match(connection, "pebbles-1")
        waiting = outbox.latest_mails(connection, "waiting")
    assert row is not None
    assert row.agenda_at is not None
    assert {each.recipient for each in waiting} == {"alice@example.test", "bob@example.test"}


def test_plans_are_listed_and_withdrawn(run: Callable[..., Any], store: Store) -> None:
    """As a table and as JSON."""
    assert run("plan", "list").out == "There are no plans.\n"
    run("match", "pause", "pebbles-1", "--why", "rain")
    assert "is withdrawn" in run("plan", "withdraw", 1).out
    assert "withdrawn" in run("plan", "list").out
    (listed,) = json.loads(run("plan", "list", "--json").out)
    assert (listed["plan"], listed["act"], listed["state"]) == (1, "pause", "withdrawn")
    shown = json.loads(run("plan", "show", 1, "--json").out)
    assert shown | listed == shown | {"created": listed["created"]}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("pause", "pebbles-1"), "give --why: say in a few words why"),
        (("pause", "pebbles-1", "--why", "  "), "give --why: say in a few words why"),
        (("pause", "pebbles-9", "--why", "x"), "there is no match pebbles-9"),
        (("resume", "pebbles-1", "--why", "x"), "pebbles-1 is running, not paused"),
        (("extend", "pebbles-1", "soon", "--why", "x"), "TIME: 'soon' is no duration"),
        (("extend", "pebbles-1", "3d", "--seat", "blue", "--why", "x"), "blue is not to act"),
        (("seat", "pebbles-1", "red", "nobody@", "--why", "x"), "an address, bot:greedy, or"),
        (("seat", "pebbles-1", "red", "bot:best", "--why", "x"), "the bots are"),
        (
            ("seat", "pebbles-1", "red", "c@example.test", "--from", "2026-12-01", "--why", "x"),
            "give both --from and --to",
        ),
        (
            (
                "seat", "pebbles-1", "red", "c@example.test", "--from", "31.11.", "--to",
                "2026-12-01", "--why", "x",
            ),
            "--from 31.11.: write the day like",
        ),
        (("end", "pebbles-1", "--why", "x"), "give either --abandon or a --result"),
        (("end", "pebbles-1", "--result", "red=first", "--why", "x"), "write it like red=1"),
        (("history", "pebbles-9"), "there is no match pebbles-9"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_one_line(
    run: Callable[..., Any], store: Store, words: tuple[str, ...], says: str
) -> None:
    """Exit status 2, one line, no plan kept, nothing changed."""
    ran = run("match", *words)
    assert ran.status == 2
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1
    assert state(store) == "running"
    assert run("plan", "list").out == "There are no plans.\n"


def test_a_plan_that_is_not_there(run: Callable[..., Any], store: Store) -> None:
    """One line says where plans are listed."""
    assert state(store) == "running"
    assert "there is no plan 7: see referee plan list" in run("apply", 7).err
    assert "Missing argument 'PLAN'" in run("apply").err


def test_history_tells_who_did_what_and_why(run: Callable[..., Any], store: Store) -> None:
    """In text and as JSON; orders as they were written only when the record is released."""
    assert state(store) == "running"
    run("match", "pause", "pebbles-1", "--why", "rain on the roof", "--yes")
    run("match", "end", "pebbles-1", "--result", "red=1", "--result", "blue=2", "--why", "over",
        "--yes")  # fmt: skip
    told = run("match", "history", "pebbles-1")
    assert "pause, by the organiser: rain on the roof" in told.out
    assert "end, by the organiser: over" in told.out
    assert "declared blue 2., red 1." in told.out
    listed = json.loads(run("match", "history", "pebbles-1", "--json").out)
    paused = next(each for each in listed if each["kind"] == "pause")
    assert (paused["by"], paused["why"], paused["undone"]) == (
        "organiser", "rain on the roof", False,
    )  # fmt: skip
    assert {each["order"] for each in listed} == {None}


def test_history_names_who_got_a_seat(run: Callable[..., Any], store: Store) -> None:
    """A player who got a seat stands there by name, and from when to when he sits for another."""
    assert state(store) == "running"
    first, last = (datetime.now(UTC).date() + timedelta(days=each) for each in (30, 37))
    for who, *days in (
        ("carol@example.test",),
        ("dave@example.test", "--from", f"{first}", "--to", f"{last}"),
    ):
        assert run("player", "add", who, "--name", who.partition("@")[0].title()).status == 0
        ran = run("match", "seat", "pebbles-1", "red", who, *days, "--why", "rain", "--yes")
        assert ran.status == 0
    told = run("match", "history", "pebbles-1").out
    assert " seat red Carol, by the organiser: rain" in told
    assert f" red sit Dave from {first} to {last}, by the organiser: rain" in told


def test_history_names_everybody_who_got_a_seat(run: Callable[..., Any], store: Store) -> None:
    """Of a seat that went through several hands each by name; who was erased is named no more."""
    assert state(store) == "running"
    people = ("carol@example.test", "dave@example.test")
    for who in (people[0], "bot:greedy", people[1]):
        assert run("match", "seat", "pebbles-1", "red", who, "--why", "x", "--yes").status == 0
    seats = [
        line.split(" seat ")[1].split(",")[0]
        for line in run("match", "history", "pebbles-1").out.splitlines()
        if " seat " in line
    ]
    assert seats == ["red carol", "red bot greedy", "red dave"]
    assert run("player", "erase", people[0], "--yes").status == 0
    told = run("match", "history", "pebbles-1").out
    assert "carol" not in told
    assert " seat red dave" in told


def test_history_tells_no_places_of_a_match_broken_off(
    run: Callable[..., Any], store: Store
) -> None:
    """It says that it was, and nothing that reads like a result."""
    assert state(store) == "running"
    assert run("match", "end", "pebbles-1", "--abandon", "--why", "over", "--yes").status == 0
    told = run("match", "history", "pebbles-1").out
    assert " end abandoned\n" in told
    assert "1." not in told


def test_the_list_says_who_is_late_with_few_queries(run: Callable[..., Any], store: Store) -> None:
    """However many matches there are, two queries bring them; nothing is replayed."""
    for _ in range(3):
        run("match", "new", "pebbles", *SEATED, "--start")
    with store.writing() as connection:
        row = matches.find_match(connection, "pebbles-2")
        assert row is not None
        assert row.started is not None
        matches.change_match(
            connection, row.id, due=row.started, time_per_turn=row.time_per_turn, clock=row.clock
        )
    asked: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        listed = json.loads(run("match", "list", "--json").out)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert [(each["match"], each["who"], each["late"]) for each in listed] == [
        ("pebbles-1", "alice", False),
        ("pebbles-2", "alice", True),
        ("pebbles-3", "alice", False),
        ("pebbles-4", "alice", False),
    ]
    assert sum("FROM matches" in each for each in asked) == 2
    assert not any("FROM events" in each or "FROM snapshots" in each for each in asked)
    late = run("match", "list", "--late").out.splitlines()
    assert len(late) == 2
    assert late[1].startswith("pebbles-2")
    assert late[1].endswith("late")


def test_an_empty_note_is_refused_by_what_is_empty(run: Callable[..., Any], store: Store) -> None:
    """That is its text, not its reason."""
    refused = run("match", "note", "pebbles-1", " ")
    assert (refused.status, "TEXT is empty" in refused.err) == (2, True)
    assert "--why" not in refused.err


def test_a_long_note_is_its_own_reason(run: Callable[..., Any], store: Store) -> None:
    """It may be longer than a reason, and is told whole; beyond its own measure it is refused."""
    assert state(store) == "running"
    told = run("match", "note", "pebbles-1", "rain " * 500 + "and sun")
    mails = run("plan", "show", 1, "--mails").out
    shown = " ".join(mails.replace("|", " ").replace("·", " ").split())
    assert (told.status, "rain and sun" in shown) == (0, True)
    refused = run("match", "note", "pebbles-1", "rain " * 900)
    assert (refused.status, "at most 4000 characters" in refused.err) == (2, True)


def test_who_has_not_answered_an_invitation_is_listed(
    run: Callable[..., Any], store: Store
) -> None:
    """The match waits for them, and not for a bot or for who has agreed."""
    assert state(store) == "running"
    assert run("match", "new", "pebbles", *SEATED).status == 0
    assert "not answered: alice, bob" in run("match", "list").out
    listed = json.loads(run("match", "list", "--json").out)
    assert [each["asked"] for each in listed] == [[], ["alice", "bob"]]
    assert "referee match resend pebbles-2 sends" in run("match", "show", "pebbles-2").out


def test_a_match_called_off_is_said_to_be(run: Callable[..., Any], store: Store) -> None:
    """It never begins, so nobody is told to begin it or to wait for its record."""
    assert run("match", "new", "pebbles", *SEATED).status == 0
    assert run("match", "end", "pebbles-2", "--abandon", "--why", "rain", "--yes").status == 0
    assert "pebbles-2 was called off before it began." in run("match", "show", "pebbles-2").out
    past = run("match", "history", "pebbles-2").out
    assert past.startswith("pebbles-2 was called off 20")
    assert past.endswith(" before it began, by the organiser: rain\n")
    for command in (("match", "start"), ("record", "export"), ("match", "undo", "--why", "sun")):
        refused = run(*command, "pebbles-2")
        assert (refused.status, "pebbles-2 was called off" in refused.err) == (2, True)


def test_a_match_that_was_broken_off_is_said_to_be(run: Callable[..., Any], store: Store) -> None:
    """Lists, the board and the record name its ending; the word finds it again."""
    assert state(store) == "running"
    run("match", "open", "pebbles")
    for name in ("pebbles-1", "pebbles-2"):
        run("match", "end", name, "--abandon", "--why", "Bob does not answer", "--yes")
    assert "  over: abandoned  " in run("match", "list").out
    (over,) = json.loads(run("match", "list", "--state", "over", "--json").out)
    assert (over["match"], over["state"], over["ending"]) == ("pebbles-1", "over", "abandoned")
    found = json.loads(run("match", "list", "--state", "abandoned", "--json").out)
    assert [each["match"] for each in found] == ["pebbles-1", "pebbles-2"]
    shown = run("match", "show", "pebbles-1").out
    assert "It ended (abandoned): it was broken off, and nobody has won or lost." in shown
    assert "until" not in shown.splitlines()[0]
    assert json.loads(run("match", "show", "pebbles-1", "--json").out)["result"]["ending"]
    assert "It ended" not in run("match", "show", "pebbles-1", "--turn", "1").out
    run("record", "export", "pebbles-1", "--to", "p.jsonl")
    assert "it was broken off (abandoned)" in run("record", "verify", "p.jsonl").out
    assert json.loads(run("record", "verify", "p.jsonl", "--json").out)["ending"] == "abandoned"


def test_who_will_sit_for_somebody_is_shown(run: Callable[..., Any], store: Store) -> None:
    """Days agreed ahead stand above the board, in JSON by name; not in the board of a past turn."""
    first = datetime.now(UTC).date() + timedelta(days=10)
    days = ("--from", first.isoformat(), "--to", (first + timedelta(days=2)).isoformat())
    sits = ("match", "seat", "pebbles-1", "red", "bot:greedy", *days, "--why", "ill", "--yes")
    assert run(*sits).status == 0
    line = f"bot greedy will sit for alice as red, {days[1]} to {days[3]}\n"
    assert line in run("match", "show", "pebbles-1").out
    assert line not in run("match", "show", "pebbles-1", "--turn", "1").out
    (shown,) = json.loads(run("match", "show", "pebbles-1", "--json").out)["stand_ins"]
    assert (shown["seat"], shown["owner"], shown["sits"]) == ("red", "alice", False)
    assert state(store) == "running"


def test_a_player_is_shown_with_the_matches_of_stand_ins(
    run: Callable[..., Any], store: Store
) -> None:
    """The match stays hers whose seat it is, and who sits in only does that."""
    first = datetime.now(UTC).date()
    days = ("--from", first.isoformat(), "--to", (first + timedelta(days=2)).isoformat())
    given = ("match", "seat", "pebbles-1", "red", "carol@example.test", *days, "--why", "ill")
    assert run(*given, "--yes").status == 0
    sits = f"pebbles-1: carol sits for alice as red, {days[1]} to {days[3]}"
    for who in ("alice", "carol"):
        shown = json.loads(run("player", "show", f"{who}@example.test", "--json").out)
        assert (shown["matches"], shown["stand_ins"]) == (["pebbles-1"], [sits])
    assert json.loads(run("player", "show", "bob@example.test", "--json").out)["stand_ins"] == []
    assert sits in run("player", "show", "carol@example.test").out
    assert state(store) == "running"


def test_days_of_a_stand_in_are_read_as_in_a_mail(run: Callable[..., Any], store: Store) -> None:
    """Without a year they are the next such days."""
    assert state(store) == "running"
    first, last = (datetime.now(UTC).date() + timedelta(days=days) for days in (20, 22))
    days = ("--from", f"{first.day} {first:%B}", "--to", f"{last.day}.{last.month}.")
    given = ("match", "seat", "pebbles-1", "red", "carol@example.test", *days, "--why", "ill")
    assert run(*given, "--yes").status == 0
    sits = f"carol will sit for alice as red, {first} to {last}"
    assert sits in run("match", "show", "pebbles-1").out


def test_a_list_that_is_filtered_says_that_nothing_is_so(
    run: Callable[..., Any], store: Store
) -> None:
    """There are matches and mails, if none in that state."""
    assert state(store) == "running"
    assert run("match", "list", "--late").out == "No match is late.\n"
    assert run("match", "list", "--state", "paused").out == "No match is paused.\n"
    assert run("outbox", "list", "--state", "failed").out == "No mail is failed.\n"
    assert run("letter", "list", "--state", "ignored").out == "No letter is ignored.\n"
    assert run("letter", "list").out == "There are no letters.\n"


def test_time_that_was_given_is_told_in_days(run: Callable[..., Any], store: Store) -> None:
    """In JSON it stays in seconds."""
    assert state(store) == "running"
    assert run("match", "extend", "pebbles-1", "3d", "--why", "ill", "--yes").status == 0
    assert "time: 3 days" in run("plan", "show", 1).out.splitlines()
    assert json.loads(run("plan", "show", 1, "--json").out)["arguments"]["seconds"] == 259_200


def test_a_plan_is_listed_on_one_line_of_a_terminal(
    run: Callable[..., Any], store: Store, monkeypatch: Any
) -> None:
    """However long its reason is, which `plan show` has whole."""
    assert state(store) == "running"
    assert run("match", "pause", "pebbles-1", "--why", "rain on the roof " * 20).status == 0
    monkeypatch.setattr(output, "on_terminal", lambda: True)
    lines = [line for line in run("plan", "list").out.splitlines() if "rain" in line]
    assert (len(lines), "…" in lines[0]) == (1, True)
    monkeypatch.setattr(output, "on_terminal", lambda: False)
    assert ("rain on the roof " * 20).strip() in run("plan", "list").out


TERMS = ("--bank", "30d", "--increment", "12h", "--reminder", "1d", "--talk", "none",
         "--late", "bot:random")  # fmt: skip


@pytest.mark.parametrize("begins", [True, False])
def test_who_holds_the_seats_and_what_was_agreed_is_shown(
    run: Callable[..., Any], store: Store, *, begins: bool
) -> None:
    """Before a match begins and after, in the words of its invitation, in JSON by name."""
    given = ("--option", "hand=3", *TERMS, *(["--start"] if begins else []))
    holders = ("--seat", "red=alice@example.test", "--seat", "blue=bot:greedy")
    assert run("match", "new", "pebbles", *holders, *given).status == 0
    shown = run("match", "show", "pebbles-2").out.splitlines()
    assert ("Who plays:" in shown) is begins
    assert any("blue" in line.casefold() and "bot greedy" in line for line in shown)
    agreed = shown[shown.index("What was agreed:") :]
    for said in (
        "3",
        "30 days for all turns together, and 12 hours more with each turn",
        "a bot plays this one turn",
        "reminded when this much",
        "played at once",
    ):
        assert any(said in line for line in agreed), said  # fmt: skip
    document = json.loads(run("match", "show", "pebbles-2", "--json").out)
    assert document["seats"] == [
        {"seat": "red", "holder": "player", "name": "alice"},
        {"seat": "blue", "holder": "bot", "name": "bot greedy"},
    ]
    terms = document["terms"]
    assert (terms["bank"], terms["time_per_turn"], terms["talk"]) == (30 * 86_400, None, 0)
    assert (terms["late"], terms["bot"], terms["reminders"]) == ("bot", "random", [86_400])
    assert terms["options"]["hand"] == 3
    assert state(store) == "running"


def test_who_declined_is_listed(run: Callable[..., Any], store: Store) -> None:
    """In the list of matches and by status, until the seat is somebody else's."""
    assert run("match", "new", "pebbles", *SEATED).status == 0
    with store.writing() as connection:
        row = matches.find_match(connection, "pebbles-2")
        assert row is not None
        matches.change_seat(connection, row.id, "red", agreed="no")
    assert "declined: alice" in run("match", "list").out
    listed = json.loads(run("match", "list", "--json").out)
    assert [each["declined"] for each in listed] == [[], ["alice"]]
    assert "pebbles-2: alice has declined red" in run("status").out
    way = "red declined; give the seat to somebody: referee match seat pebbles-2 red …"
    for act in ("show", "start", "pause", "remind", "resend", "undo"):
        words = () if act in {"show", "start"} else ("--why", "rain")
        words += ("--seat", "red") if act == "resend" else ()
        ran = run("match", act, "pebbles-2", *words)
        assert way in ran.out + ran.err, act
    given = ("match", "seat", "pebbles-2", "red", "carol@example.test", "--why", "new", "--yes")
    assert run(*given).status == 0
    assert "declined" not in run("match", "list").out
