"""A running match goes to another installation once, whole, and in secret."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from support.archived import ALICE, BOB, by_bots, by_mail, record_of
from support.club import Club, Mail
from support.timed import MATCH, begin

from referee.desk.archive import audit, take_in
from referee.desk.archive.take_in import BadRecord
from referee.desk.matches import ledger
from referee.desk.plans import move, plan
from referee.desk.plans.apply import apply_act, apply_plan
from referee.desk.plans.move import Move
from referee.desk.plans.nudge import Extend
from referee.desk.plans.outcome import GIVEN_BACK
from referee.desk.plans.pause import Pause
from referee.desk.plans.seat import HandOver
from referee.desk.players import add_player
from referee.desk.work import Refused
from referee.errors import RefereeError
from referee.games.play import canonical_json
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import outbox

WHY = "The club has a new server"


def moved(club: Club, name: str, folder: Path) -> list[bytes]:
    """Move a match away; return the lines of the file."""
    path = folder / f"{name}.move"
    apply_act(club.desk, Move(name, str(path)), WHY)
    return path.read_bytes().splitlines()


def arrived(club: Club, lines: list[bytes]) -> str:
    """Let a match go on at a club; return its name."""
    with club.desk.writing() as change:
        return move.take_match(change, lines)


def fault_of(club: Club, name: str) -> str | None:
    """Return what an audit finds wrong in a match."""
    with club.desk.reading() as change:
        return audit.audit_match(change, club.match(name)).fault


@pytest.mark.parametrize("game", ["pebbles", "nord"])
def test_match_goes_on_elsewhere(club: Club, other: Club, game: str, tmp_path: Path) -> None:
    """Board, turn, hands and players arrive; the record at the end is one chain."""
    name = by_mail(club, game, most=4)
    idle = next(each for each in seats_of(club, name) if each != club.match(name).to_act)
    club.answer(last(club, idle), f"queue {some_order(club, name)}", whose(idle))
    before = club.match(name)
    lines = moved(club, name, tmp_path)
    assert arrived(other, lines) == name
    after = other.match(name)
    assert (after.state, after.turn, after.to_act) == ("running", before.turn, before.to_act)
    with other.desk.store.reading() as connection:
        assert [each.seat for each in matches.standing_orders_of(connection, after.id)] == [idle]
    assert fault_of(other, name) is None
    other.work()
    report = other.last(whose(after.to_act), "report")
    other.answer(report, some_order(other, name), whose(after.to_act))
    assert other.match(name).seq > after.seq
    assert fault_of(other, name) is None


@pytest.mark.parametrize("held", [False, True])
def test_a_match_out_of_time_or_with_orders_held_goes_on_elsewhere(
    club: Club, other: Club, held: bool, tmp_path: Path
) -> None:
    """Leeway that has passed stays passed; a bank still pays up to the orders' arrival."""
    terms = (
        {"per_turn": None, "bank": timedelta(days=2), "grace": timedelta(hours=1)} if held
        else {"per_turn": timedelta(days=1), "leeway": timedelta(days=9)}
    )  # fmt: skip
    begin(club, **terms)
    if held:
        club.answer(club.last(ALICE, "report"), "pass", ALICE)
    else:
        club.later(days=3)
    assert arrived(other, moved(club, MATCH, tmp_path)) == MATCH
    clocks = [json.loads(each.match(MATCH).clock)["run"] for each in (club, other)]
    assert ("held" in clocks[1], clocks[1]["left"] < 0) == (held, not held)


def seats_of(club: Club, name: str) -> list[str]:
    """Return the seats of a match."""
    with club.desk.store.reading() as connection:
        return [each.seat for each in matches.seats(connection, club.match(name).id)]


def whose(seat: str | None) -> str:
    """Return who holds a seat of the matches played here."""
    return BOB if seat in {"blue", "green"} else ALICE


def last(club: Club, seat: str | None) -> Mail:
    """Return the last mail to a seat that can be answered."""
    with club.desk.store.reading() as connection:
        rows = outbox.latest_mails(connection, limit=100)
        row = next(r for r in rows if r.seat == seat and r.kind in {"report", "receipt"})
        raw = outbox.raw_mail(connection, row.id)
    return Mail(row.id, row.kind, raw)


def some_order(club: Club, name: str) -> str:
    """Return a legal order of the seat to act."""
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(name)).live
    return str(live.game.format(live.game.orders(live.position)[0], "en"))


def test_source_is_closed_and_says_so(club: Club, tmp_path: Path) -> None:
    """It is moved for good; log and players are told why, and no calendar keeps its deadline."""
    name = by_mail(club, most=3)
    answerable = last(club, club.match(name).to_act)
    club.mails(ALICE), club.mails(BOB)
    moved(club, name, tmp_path)
    row = club.match(name)
    assert row.state == "moved"
    with club.desk.store.reading() as connection:
        event = matches.events(connection, row.id)[-1]
    assert (event.kind, json.loads(event.body)["details"]["act"]) == ("notice", "move")
    for who in (ALICE, BOB):
        notice = club.last(who, "notice")
        assert WHY in notice.text
        assert "moved" in notice.text
        files = [each.get_payload(decode=True) for each in notice.message.iter_attachments()]
        ended = [b"STATUS:CANCELLED" in each for each in files]
        assert ended == ([True] if who == whose(row.to_act) else [])
    who = whose(row.to_act)
    club.answer(answerable, some_order(club, name), who)
    assert "this match has moved to another referee" in club.last(who).text
    assert club.match(name).seq == row.seq
    assert fault_of(club, name) is None


def test_file_is_for_its_owner_alone(club: Club, tmp_path: Path) -> None:
    """The file has mode 0600 and is never written over another."""
    name = by_mail(club, most=3)
    path = tmp_path / "there"
    path.write_text("something else")
    with pytest.raises(RefereeError, match="is there already"):
        apply_act(club.desk, Move(name, str(path)), WHY)
    assert club.match(name).state == "running"
    assert path.read_text() == "something else"
    moved(club, name, tmp_path)
    assert stat.S_IMODE((tmp_path / f"{name}.move").stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.glob(".*")] == []


def test_move_is_imported_once(club: Club, other: Club, tmp_path: Path) -> None:
    """A second import is refused, at the target and at the source; nothing changes by it."""
    name = by_mail(club, most=3)
    lines = moved(club, name, tmp_path)
    arrived(other, lines)
    row = other.match(name)
    with pytest.raises(BadRecord, match="a move is imported once"):
        arrived(other, lines)
    with pytest.raises(BadRecord, match="moved away from here with this file"):
        arrived(club, lines)
    assert other.match(name) == row


def test_match_comes_back(club: Club, other: Club, tmp_path: Path) -> None:
    """Moved on and back again it goes on where it left, and its old file stays worthless."""
    name = by_mail(club, most=3)
    first = moved(club, name, tmp_path)
    arrived(other, first)
    (tmp_path / "back").mkdir()
    second = moved(other, name, tmp_path / "back")
    assert arrived(club, second) == name
    assert club.match(name).state == "running"
    assert fault_of(club, name) is None
    with pytest.raises(BadRecord, match="a move is imported once"):
        arrived(club, first)


def test_record_of_a_moved_match_completes_it(club: Club, other: Club, tmp_path: Path) -> None:
    """The record of the end elsewhere is taken in where the match began; it exports alike."""
    name = by_mail(club, most=3)
    arrived(other, moved(club, name, tmp_path))
    other.work()
    for _ in range(60):
        row = other.match(name)
        if row.released:
            break
        who = whose(row.to_act)
        other.answer(last(other, row.to_act), some_order(other, name), who)
        other.work()
    data = record_of(other, name)
    found = take_in.read_record(club.desk, data.splitlines())
    with club.desk.writing() as change:
        assert take_in.take_record(change, found).outcome == "completed"
    assert record_of(club, name) == data
    assert fault_of(club, name) is None


def test_players_known_there_keep_their_settings(club: Club, other: Club, tmp_path: Path) -> None:
    """Who has an address there already is that player; who has not comes with all he has."""
    with other.desk.store.writing() as connection:
        players.insert_player(
            connection,
            name="Alicia",
            language="de",
            zone="UTC",
            address=ALICE,
            now=other.desk.now(),
        )
    name = by_mail(club, most=2)
    arrived(other, moved(club, name, tmp_path))
    with other.desk.store.reading() as connection:
        alice, bob = players.all_players(connection)
        seats = matches.seats(connection, other.match(name).id)
    assert (alice.name, alice.language, bob.name) == ("Alicia", "de", "bob")
    assert [each.player_id for each in seats] == [alice.id, bob.id]


def test_clock_starts_with_the_new_report(club: Club, other: Club, tmp_path: Path) -> None:
    """The time on the way is nobody's; what was left of the turn is left there."""
    name = by_mail(club, most=3)
    club.mails("nobody@example.test")
    club.later(days=2)
    lines = moved(club, name, tmp_path)
    other.later(days=40)
    arrived(other, lines)
    other.work()
    assert other.match(name).state == "running"
    run = json.loads(other.match(name).clock)["run"]
    assert run["stops"] == ["untold"]
    assert run["since"] is None
    assert run["left"] == 5 * 86_400


def test_turn_keeps_its_zone_on_the_way(club: Club, other: Club, tmp_path: Path) -> None:
    """Who has set a zone within their turn still has the days off of the one it began in."""
    name = by_mail(club, most=2)
    club.mails("nobody@example.test")
    acting = whose(club.match(name).to_act)
    club.answer(club.last(acting, "report"), "set zone Asia/Tokyo", acting)
    kept = json.loads(club.match(name).clock)["run"]["zone"]
    arrived(other, moved(club, name, tmp_path))
    assert json.loads(other.match(name).clock)["run"]["zone"] == kept == ["UTC", 0]


def test_notes_arrive_with_their_writers(club: Club, other: Club, tmp_path: Path) -> None:
    """Whatever numbers the players have there."""
    with other.desk.writing() as change:
        add_player(
            change, "dave@example.test", name="dave", language="en", zone="UTC", format="html"
        )
    name = by_mail(club, most=2)
    acting = club.match(name).to_act
    club.answer(last(club, acting), "note the west is weak", whose(acting))
    arrived(other, moved(club, name, tmp_path))
    other.work()
    assert "the west is weak" in other.last(whose(acting), "report").text
    idle = next(each for each in seats_of(other, name) if whose(each) != whose(acting))
    assert "the west is weak" not in other.last(whose(idle), "report").text


def test_zone_that_is_none_is_refused(club: Club, other: Club, tmp_path: Path) -> None:
    """The message names the place, and what would be right there."""
    name = by_mail(club, most=2)
    acting = whose(club.match(name).to_act)
    club.answer(club.last(acting, "report"), "set zone Asia/Tokyo", acting)
    lines = moved(club, name, tmp_path)
    content = json.loads(lines[1])
    row = content["rows"]["matches"][0]
    clock = json.loads(row["clock"])
    clock["run"]["zone"][0] = "Atlantis"
    row["clock"] = canonical_json(clock)
    body = canonical_json(content)
    head = canonical_json(sealed(json.loads(lines[0]), body))
    with pytest.raises(BadRecord, match=r"clock\.run\.zone\[0\]: .*a time zone such as"):
        arrived(other, [head.encode(), body.encode()])


def test_first_report_there_tells_of_the_move(club: Club, other: Club, tmp_path: Path) -> None:
    """That the match has moved, which mail to answer, and until when; the next one does not."""
    name = by_mail(club, most=2)
    club.mails("nobody@example.test")
    club.later(days=2)
    arrived(other, moved(club, name, tmp_path))
    other.work()
    acting = whose(other.match(name).to_act)
    report = other.last(acting, "report")
    told = " ".join(report.text.split())
    assert "This match has moved here from another referee" in told
    assert "Of the time for this turn as much is left as was left there" in told
    assert "5 days left" in told
    other.answer(report, some_order(other, name), acting)
    other.work()
    assert "moved here" not in other.last(whose(other.match(name).to_act), "report").text


def test_no_report_leaves_after_the_match_has(club: Club, tmp_path: Path) -> None:
    """Its code is dead; the notice of the move leaves."""
    name = by_mail(club, most=3)
    with club.desk.store.reading() as connection:
        waiting = outbox.latest_mails(connection, "waiting")
    assert "report" in {each.kind for each in waiting}
    moved(club, name, tmp_path)
    with club.desk.store.reading() as connection:
        kinds = {each.kind for each in outbox.latest_mails(connection, "waiting")}
    assert "report" not in kinds
    assert "notice" in kinds


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda head, body: (head, body.replace('"running"', '"paused"', 1)), "seal"),
        (lambda head, body: (sealed(head, body, schema="9999"), body), "another version"),
        (lambda head, body: (sealed(head, body, edition=9), body), "edition 9"),
        (lambda head, body: resealed(head, body, "deal", "lay"), "cannot be replayed"),
        (lambda head, body: resealed(head, body, '"running"', '"over"'), "no match in it"),
        (lambda head, _: (sealed(head, "[]"), "[]"), "no match in it"),
    ],
)
def test_wrong_files_are_refused(
    club: Club, other: Club, tmp_path: Path, change: Callable[..., Any], said: str
) -> None:
    """A changed file, one of another version or an unknown edition, leaves nothing behind."""
    lines = moved(club, by_mail(club, "nord", most=2), tmp_path)
    head, body = change(json.loads(lines[0]), lines[1].decode())
    with pytest.raises(BadRecord, match=said):
        arrived(other, [canonical_json(head).encode(), body.encode()])
    with other.desk.store.reading() as connection:
        assert matches.select_matches(connection) == ()
        assert players.all_players(connection) == ()


def sealed(head: dict[str, Any], body: str, **more: Any) -> dict[str, Any]:
    """Return the first line of a file with other values and the right seal."""
    return {**head, **more, "seal": sha256(body.encode()).hexdigest()}


def resealed(head: dict[str, Any], body: str, one: str, other: str) -> tuple[Any, str]:
    """Return a file changed by somebody who mends the seal."""
    changed = body.replace(one, other)
    return sealed(head, changed), changed


def test_match_whose_file_would_be_refused_stays(club: Club, tmp_path: Path) -> None:
    """The plan names the place; nothing is closed and nothing written."""
    name = by_mail(club, most=2)
    with club.desk.store.writing() as connection:
        player = players.all_players(connection)[0]
        players.update_player(connection, player.id, name="x" * 41)
    with pytest.raises(Refused, match=r"cannot move.*players\[0\]\.name: .*at most 40"):
        plan.propose(club.desk, Move(name, str(tmp_path / "file")), WHY)
    with pytest.raises(Refused, match="cannot move"):
        moved(club, name, tmp_path)
    assert club.match(name).state == "running"
    assert list(tmp_path.glob("*.move")) == []


def test_player_on_two_seats_moves(club: Club, other: Club, tmp_path: Path) -> None:
    """It is legal where the organiser gave a player a second seat."""
    name = by_mail(club, most=2)
    apply_act(club.desk, HandOver(name, "blue", address=ALICE), "Bob cannot")
    arrived(other, moved(club, name, tmp_path))
    with other.desk.store.reading() as connection:
        seats = matches.seats(connection, other.match(name).id)
    assert len({each.player_id for each in seats}) == 1
    assert fault_of(other, name) is None


def test_what_cannot_move_is_refused(club: Club, tmp_path: Path) -> None:
    """A match that is over, has moved, or is none stays as it is; a reason is asked for."""
    over = by_bots(club, "pebbles")
    for name, why, said in [
        (over, WHY, "is over"),
        ("pebbles-9", WHY, "there is no match"),
        (by_mail(club, most=2), "  ", "why"),
    ]:
        with pytest.raises(Refused, match=said):
            apply_act(club.desk, Move(name, str(tmp_path / "file")), why)
    assert not (tmp_path / "file").exists()


def test_plan_of_a_move_changes_nothing_until_it_is_applied(club: Club, tmp_path: Path) -> None:
    """The plan shows event, mails and receipt and writes no file; applied, the match moves."""
    name = by_mail(club, most=2)
    row = club.match(name)
    path = tmp_path / "file"
    found = plan.propose(club.desk, Move(name, str(path)), WHY)
    assert [each.kind for each in found.matches[0].events] == ["notice"]
    texts = [each.text for each in found.matches[0].mails]
    assert (len(texts), texts.count(GIVEN_BACK)) == (3, 1)
    assert (club.match(name), path.exists()) == (row, False)
    apply_plan(club.desk, found.id)
    assert club.match(name).state == "moved"
    assert move.is_move(path.read_bytes().splitlines())


def test_plan_of_a_move_is_void_when_the_match_moved_on(club: Club, tmp_path: Path) -> None:
    """Then no file is written, and none either when one came to lie there meanwhile."""
    name = by_mail(club, most=2)
    path = tmp_path / "file"
    found = plan.propose(club.desk, Move(name, str(path)), WHY)
    again = plan.propose(club.desk, Move(name, str(path)), WHY)
    path.write_text("something else")
    with pytest.raises(Refused, match="is there already"):
        apply_plan(club.desk, found.id)
    assert path.read_text() == "something else"
    path.unlink()
    apply_act(club.desk, Pause(name), "rain")
    with pytest.raises(Refused, match="has moved on"):
        apply_plan(club.desk, again.id)
    assert (club.match(name).state, path.exists()) == ("paused", False)


def test_calendars_follow_after_a_move_too(club: Club, other: Club, tmp_path: Path) -> None:
    """An entry is never numbered lower than one that was sent before, there and back again."""
    row = club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    numbers = []
    for number, place in enumerate((club, other, club)):
        place.work()
        for _ in range(2):
            apply_act(place.desk, Extend(row.name, timedelta(days=1)), WHY)
        place.work()
        numbers += [int(each) for each in sequences(place.mails(ALICE))]
        if number < 2:
            folder = tmp_path / str(number)
            folder.mkdir()
            lines = moved(place, row.name, folder)
            numbers += [int(each) for each in sequences(place.mails(ALICE))]
            assert arrived((other, club)[number], lines) == row.name
    assert len(numbers) > 6
    assert numbers == sorted(set(numbers))


def sequences(mails: list[Mail]) -> list[bytes]:
    """Return the numbers of the entries for calendars that came with mails."""
    texts = (
        part.get_payload(decode=True)
        for each in mails
        for part in each.message.iter_attachments()
        if part.get_filename() == "deadline.ics"
    )
    found = (re.search(rb"SEQUENCE:(\d+)", text) for text in texts if isinstance(text, bytes))
    return [each[1] for each in found if each]
