"""One match that is broken keeps no other one waiting, and is named with what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from support import bounced
from support.club import ALICE, BOB, CAROL, REFEREE, Club, letter

from referee.desk import desk as desk_desk
from referee.desk import health
from referee.desk import players as desk_players
from referee.desk.letters import queue
from referee.desk.mails import summary
from referee.desk.matches import broken
from referee.desk.matches.time import clock
from referee.desk.overview.matches import describe_matches
from referee.desk.plans import plan as plans_plan
from referee.desk.plans.board import Undo
from referee.desk.plans.match import End, Extend
from referee.desk.plans.plan import apply_act, apply_plan
from referee.desk.plans.player import Away, Merge, Zone
from referee.desk.plans.seat import SitIn
from referee.desk.service import chores, status
from referee.desk.service.doctor import machine
from referee.errors import RefereeError
from referee.games import registry
from referee.games.game import AnyGame
from referee.store.database.errors import StoreLocked
from referee.store.people import players, questions
from referee.store.post import letters, outbox
from referee.store.tables.play import QuestionDocument
from referee.value import replace

OLGA = "olga@example.test"
BAD = "pebbles-2"


def no_edition(club: Club) -> None:
    """Let the edition of the bad match be installed no more."""

    def find(name: str, edition: int | None) -> AnyGame:
        return desk_desk.find_game(name, 99 if edition == 2 else edition)

    club.desk = replace(club.desk, find_game=find)


def damaged(club: Club) -> None:
    """Damage the position of the bad match, and what it could be replayed from."""
    damage(club, "UPDATE snapshots SET position = '{' WHERE match_id = 2")
    damage(club, "UPDATE events SET body = '[]' WHERE match_id = 2")


def failing(club: Club) -> None:
    """Let the rules of the bad match fail at whatever they are asked."""

    class Failing:
        def __getattr__(self, name: str) -> Any:
            raise ZeroDivisionError("secret")

    bad: Any = Failing()

    def find(name: str, edition: int | None) -> AnyGame:
        return bad if edition == 2 else registry.find_installed(name, edition)

    club.desk = replace(club.desk, find_game=find)


def damage(club: Club, statement: str) -> None:
    """Change the database as no referee does."""
    with club.desk.store.writing() as connection:
        connection.execute(text(statement))


BREAKS: Mapping[str, tuple[Callable[[Club], None], str]] = {
    "no edition": (no_edition, "install its package again"),
    "damaged": (damaged, "restore a backup"),
    "failing": (failing, "install the game again"),
}


def begin(club: Club) -> list[str]:
    """Let three matches begin, the second of another edition; return Alice's reports of them."""
    for edition in (1, 2, 1):
        club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", edition=edition)
    club.work()
    club.mails(BOB)
    reports = [each for each in club.mails(ALICE) if each.kind == "report"]
    found = sorted(reports, key=lambda each: str(each.message["Subject"]))
    return [str(each.message["Message-ID"]) for each in found]


def keep(club: Club, number: int, report: str) -> None:
    """Let a letter of Alice arrive that answers a report."""
    desk = club.desk
    raw = letter(ALICE, f"pass\n\n{number}", answers=report, number=number)
    with desk.store.writing() as connection:
        letters.keep_letter(
            connection, folder="INBOX", uidvalidity=9, uid=number, size=len(raw), raw=raw,
            arrived=desk.now(), mailbox=REFEREE, now=desk.now(),
        )  # fmt: skip


def concerns(club: Club) -> list[str]:
    """Return what `referee status` says of the bad match."""
    return [each.text for each in status.read_status(club.desk).concerns if BAD in each.text]


@pytest.fixture(params=BREAKS)
def three(club: Club, request: pytest.FixtureRequest) -> Club:
    """Return a club in which Alice is to act in three matches, the second of which is broken."""
    club.settle(organiser=OLGA)
    begin(club)
    summary.write_if_due(club.desk)
    BREAKS[request.param][0](club)
    request.node.advice = BREAKS[request.param][1]
    return club


@pytest.fixture
def advice(three: Club, request: pytest.FixtureRequest) -> str:
    """Return what is to be done about the broken match."""
    del three
    return str(request.node.advice)


def wake(club: Club) -> None:
    """Let every match be attended to."""
    damage(club, "UPDATE matches SET agenda_at = created")
    damage(club, "UPDATE seats SET reported_turn = 0, reported_seq = 0")


def test_the_agenda_goes_on_with_the_others(three: Club, advice: str) -> None:
    """They get their reports; the broken one is set aside, its clock stands, and it is named."""
    wake(three)
    three.work()
    told = [each.message["Subject"] for each in three.mails(ALICE)]
    assert ["[pebbles-1]" in each or "[pebbles-3]" in each for each in told] == [True, True]
    assert three.match(BAD).due is None
    assert three.match("pebbles-1").due is not None
    (line,) = concerns(three)
    assert line.startswith(f"{BAD} is broken: ")
    assert advice in line
    assert "\n" not in line
    assert "secret" not in line
    assert status.read_status(three.desk).document()["broken"] == [line]


@pytest.mark.parametrize("fault", [StoreLocked, OSError, MemoryError])
def test_trouble_of_all_sets_no_match_aside(club: Club, fault: type[Exception]) -> None:
    """Faults of database, disk and memory stop the pass; later all goes on as ever."""
    begin(club)
    find = club.desk.find_game

    def failing(name: str, edition: int | None) -> AnyGame:
        raise fault("trouble")

    club.desk = replace(club.desk, find_game=failing)
    wake(club)
    with pytest.raises(fault, match="trouble"):
        club.work()
    club.desk = replace(club.desk, find_game=find)
    assert concerns(club) == []
    assert club.work() == 3


def test_what_was_mended_goes_on(club: Club) -> None:
    """It is tried again, and its seat has what was left of its time; nothing is said of it then."""
    begin(club)
    due = club.match(BAD).due
    no_edition(club)
    wake(club)
    club.work()
    assert len(concerns(club)) == 1
    club.desk = replace(club.desk, find_game=registry.find_installed)
    club.later(minutes=9)
    club.work()
    assert len(concerns(club)) == 1
    club.later(minutes=1)
    club.work()
    assert due is not None
    assert club.match(BAD).due == due + timedelta(minutes=10)
    assert concerns(club) == []


def test_a_daemon_that_starts_tries_at_once(club: Club) -> None:
    """Who installed the game again need not wait."""
    begin(club)
    no_edition(club)
    wake(club)
    club.work()
    club.desk = replace(club.desk, find_game=registry.find_installed)
    with club.desk.store.writing() as connection:
        broken.wake_broken(connection, club.desk.now())
    club.work()
    assert concerns(club) == []


def test_what_is_tried_again_in_the_same_pass_goes_on(club: Club) -> None:
    """Whenever its next step comes, its clock goes on with it, and nothing is said of it then."""
    begin(club)
    failed: list[str] = []

    def find(name: str, edition: int | None) -> AnyGame:
        if edition == 2 and not failed:
            failed.append(name)
            raise ZeroDivisionError
        if edition == 1 and failed:
            club.clock[0] += broken.AGAIN
        return registry.find_installed(name, edition)

    club.desk = replace(club.desk, find_game=find)
    damage(club, "UPDATE matches SET agenda_at = created WHERE id <> 1")
    club.work()
    assert failed
    assert concerns(club) == []
    assert club.match(BAD).due is not None


def test_an_organiser_is_told_in_words_which_match_is_broken(three: Club) -> None:
    """By `match list` as by `status`, without the words of a programming language."""
    wake(three)
    three.work()
    listed = {
        each["match"]: each["broken"] for each in describe_matches(three.desk, None, late=False)
    }
    (said,) = concerns(three)
    assert listed.pop(BAD) == said
    assert set(listed.values()) == {None}
    assert "Error" not in said


def test_a_damaged_moment_is_told_as_damage(club: Club) -> None:
    """A database that holds no moment where one should be is named, not the line of a program."""
    begin(club)
    damage(club, "UPDATE matches SET due = 'soon'")
    with pytest.raises(RefereeError, match="the database is damaged, 'soon' is no moment"):
        describe_matches(club.desk, None, late=False)


def test_the_list_of_matches_names_all(three: Club) -> None:
    """A player is told of the broken one that it stands still; the others are as ever."""
    three.put(letter(ALICE, "matches"))
    said = three.last(ALICE, "answer").text
    lines = [" ".join(each.split()) for each in said.split("·")]
    (bad,) = [each for each in lines if BAD in each and "broken" not in each and "you are" in each]
    assert "stands still until the organiser has mended it" in bad
    assert sum("it is your turn" in each for each in lines) == 2


def test_rules_come_for_the_games_there_are(club: Club) -> None:
    """A game that is not installed any more has none; that of the other match is sent."""
    for edition in (1, 2):
        club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", edition=edition)
    no_edition(club)
    club.put(letter(ALICE, "rules"))
    assert "pebbles" in club.last(ALICE, "answer").text.casefold()


def test_the_summary_is_written_and_names_it(three: Club) -> None:
    """With what else is new; once, as long as nothing else goes wrong."""
    wake(three)
    three.work()
    three.put(letter("eve@example.test", "hello"))
    three.later(days=1)
    assert summary.write_if_due(three.desk)
    said = three.last(OLGA).text
    assert f"{BAD} is broken" in said
    assert "eve@example.test" in said
    three.later(days=1)
    assert not summary.write_if_due(three.desk)


def test_a_digest_holds_the_others(three: Club) -> None:
    """Who is not to act reads of both sound matches in one mail."""
    with three.desk.store.writing() as connection:
        bob = players.by_address(connection, BOB)
        assert bob is not None
        players.update_player(connection, bob.id, digest="daily")
    wake(three)
    three.later(days=1)
    chores.do_chores(three.desk)
    said = three.last(BOB).text
    assert [f"pebbles-{number}" in said for number in (1, 2, 3)] == [True, False, True]


def test_a_question_lapses_in_the_others(club: Club) -> None:
    """What was asked in the broken match ends untold, and in the others all are told of it."""
    reports = begin(club)
    for number, report in enumerate(reports[:2], start=1):
        keep(club, number, report)
    queue.handle_waiting(club.desk)
    club.work()
    for name in (BAD, "pebbles-1"):
        row = club.match(name)
        with club.desk.store.writing() as connection:
            questions.add_question(
                connection, "undo", QuestionDocument(turn=1, seq=row.seq), player_id=None,
                match_id=row.id, seat="red",
                created=club.desk.now(), expires=club.desk.now() + timedelta(days=3),
            )  # fmt: skip
    no_edition(club)
    club.mails(BOB)
    club.later(days=4)
    health.note_poll(club.desk, club.desk.now() - timedelta(seconds=1))
    chores.do_chores(club.desk)
    (told,) = club.mails(BOB)
    assert "[pebbles-1]" in told.message["Subject"]
    assert chores.do_chores(club.desk) == 0


def test_a_mail_that_comes_back_is_told_in_the_others(club: Club) -> None:
    """Where nobody can be told the clock stands all the same, and the bounce counts."""
    club.settle(plus_addressing=True)
    begin(club)
    with club.desk.store.reading() as connection:
        rows = outbox.latest_mails(connection)
    mail = next(each for each in rows if (each.recipient, each.kind) == (ALICE, "report"))
    no_edition(club)
    assert club.put(bounced.report(mail.envelope_from)).state == "ignored"
    told = [str(each.message["Subject"]) for each in club.mails(BOB)]
    about = [any(f"[pebbles-{number}]" in each for each in told) for number in (1, 2, 3)]
    assert about == [True, False, True]
    assert clock.clock_stands(club.match(BAD), clock.UNREACHABLE)


def test_letters_about_it_stop_nobody(club: Club) -> None:
    """However many lie aside in a row for it, the letters of the others are handled."""
    reports = begin(club)
    no_edition(club)
    for number in range(1, 6):
        keep(club, number, reports[0 if number == 5 else 1])
    queue.handle_waiting(club.desk)
    assert club.match("pebbles-1").to_act == "blue"
    with club.desk.store.reading() as connection:
        aside = letters.latest_letters(connection, "quarantined")
    assert len(aside) == 4
    assert all("install its package again" in str(each.reason) for each in aside)
    # Which games are installed is of no use in a list of letters.
    assert all("there are" not in str(each.reason) for each in aside)
    assert "there are" in status.read_status(club.desk).document()["broken"][0]


def test_a_box_of_it_that_is_quoted_hinders_nobody(club: Club) -> None:
    """Left empty below an answer about another match, it is none, whatever game it was of."""
    for edition in (1, 2):
        club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", edition=edition)
    club.work()
    sound, gone = sorted(club.mails(ALICE)[-2:], key=lambda mail: str(mail.message["Subject"]))
    box = re.search(rf"^=== {BAD} .*?^=== end ===$", gone.text, re.MULTILINE | re.DOTALL)
    assert box
    no_edition(club)
    club.answer(sound, f"pass\n\n{box[0]}\n", ALICE)
    assert club.match("pebbles-1").to_act == "blue"


def test_a_day_that_comes_in_it_stops_no_letter(club: Club) -> None:
    """Somebody was to sit in the broken match from a day on; letters are handled all the same."""
    reports = begin(club)
    act = SitIn(BAD, "blue", date(2026, 11, 22), date(2026, 11, 29), bot="random")
    apply_act(club.desk, act, "a holiday")
    no_edition(club)
    club.later(days=2)
    keep(club, 1, reports[0])
    queue.handle_waiting(club.desk)
    assert club.match("pebbles-1").to_act == "blue"


def test_a_wide_plan_changes_the_others(three: Club) -> None:
    """Days away count in all matches; of the broken one it is said that nobody is told."""
    with three.desk.writing() as change:
        alice = players.by_address(change.connection, ALICE)
        carol = desk_players.player_at(change, CAROL)
    assert alice is not None
    acts = (Away(alice.id, "2026-11-25", "2026-11-27"), Zone(alice.id, "Asia/Tokyo"))
    for act in acts:
        plan = plans_plan.propose(three.desk, act, "as she asked")
        done = apply_plan(three.desk, plan.id)
        assert done.names == ("pebbles-1", "pebbles-3")
        assert any(BAD in line and "not told" in line for line in done.lines)
    merged = apply_act(three.desk, Merge(alice.id, carol.id), "one person")
    assert merged.names == ("pebbles-1", "pebbles-3")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = '[' WHERE match_id = 2",
        "UPDATE matches SET clock = '[' WHERE id = 2",
    ],
)
def test_an_act_on_it_alone_says_what_is_damaged(club: Club, statement: str) -> None:
    """The position may be sound: an act that reads the log or the clock comes upon it later."""
    reports = begin(club)
    keep(club, 1, reports[1])
    queue.handle_waiting(club.desk)
    assert club.match(BAD).to_act == "blue"
    damage(club, statement)
    act = Undo(BAD) if "events" in statement else Extend(BAD, 86_400)
    for deed in (plans_plan.propose, apply_act):
        with pytest.raises(broken.BrokenMatch, match=f"{BAD} is broken.*restore a backup"):
            deed(club.desk, act, "a mistake")


def test_a_damaged_result_stops_no_list(club: Club) -> None:
    """The other matches are listed all the same."""
    begin(club)
    damage(club, "UPDATE matches SET result = '[', state = 'over' WHERE id = 2")
    endings = {row["match"]: row["ending"] for row in describe_matches(club.desk, None, late=False)}
    assert endings[BAD] == "damaged"
    assert len(endings) > 1


def test_the_doctor_names_it(three: Club, advice: str) -> None:
    """Running matches are loaded, one by one."""
    finding = machine.check_matches(three.desk)
    assert finding.grade == "failure"
    assert finding.found.startswith(f"{BAD} is broken")
    assert advice in finding.found
    assert "pebbles-3" not in finding.found


def test_a_damaged_position_is_replayed(club: Club) -> None:
    """The log holds all of it: the match goes on as if nothing had been."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    damage(club, "UPDATE snapshots SET position = '{'")
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    assert club.match("pebbles-1").to_act == "blue"
    with club.desk.store.reading() as connection:
        assert broken.broken_reasons(connection) == {}


def test_a_match_whose_position_and_log_are_both_damaged_is_broken(club: Club) -> None:
    """A log that does not follow from its beginning leads to no board that is played on."""
    reports = begin(club)
    damage(club, "UPDATE snapshots SET position = '{' WHERE match_id = 2")
    forced = "replace(body, 'false', 'true') WHERE match_id = 2 AND seq = 1"
    damage(club, f"UPDATE events SET body = {forced}")
    keep(club, 1, reports[1])
    queue.handle_waiting(club.desk)
    assert club.match(BAD).to_act == "red"
    club.work()
    assert concerns(club)


@pytest.mark.parametrize("breaks", [damaged, no_edition])
def test_a_match_that_a_letter_finds_broken_is_noted_and_its_sender_told(
    club: Club, breaks: Callable[[Club], None]
) -> None:
    """They need not send it again; `status` names the match, whose clock stands."""
    club.settle(organiser=OLGA)
    reports = begin(club)
    breaks(club)
    keep(club, 1, reports[1])
    queue.handle_waiting(club.desk)
    told = club.last(ALICE, "answer").flat
    assert f"{BAD} cannot go on at present" in told
    assert "you need not send it again" in told
    club.work()
    assert concerns(club)
    assert clock.clock_stands(club.match(BAD), clock.BROKEN)


def test_a_letter_about_a_match_that_has_ended_breaks_nothing(club: Club) -> None:
    """Its game may be gone: it need not go on, and `status` asks nobody to mend it."""
    reports = begin(club)
    apply_act(club.desk, End(BAD), "enough")
    club.work()
    no_edition(club)
    keep(club, 1, reports[1])
    queue.handle_waiting(club.desk)
    assert "cannot go on" not in club.last(ALICE, "answer").flat
    club.work()
    assert concerns(club) == []


@pytest.mark.parametrize("editions", [(2, 1), (2,)])
def test_a_command_without_a_code_is_answered_whatever_match_is_broken(
    club: Club, editions: tuple[int, ...]
) -> None:
    """Also if the player's first match is, by whose words such a mail was read."""
    for edition in editions:
        club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", edition=edition)
    club.work()
    no_edition(club)
    assert club.put(letter(ALICE, "matches")).state == "handled"
    assert "pebbles-1, pebbles, you are red: stands still" in club.last(ALICE, "answer").flat
    assert club.put(letter(ALICE, "help", number=2)).state == "handled"
    assert club.put(letter(ALICE, "pass", number=3)).state == "handled"
