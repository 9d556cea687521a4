"""People as a whole: blocked, merged, exported, erased; and their new addresses."""

from __future__ import annotations

import json
import zipfile
from datetime import timedelta
from email import policy
from email.parser import BytesParser
from io import BytesIO
from typing import Any

import pytest
from sqlalchemy import Connection, select
from support import bounced
from support.club import Club, letter
from support.moving import ALICE, BOB, begun, told, who
from support.records import record_of, verified

from referee.desk.archive import prune
from referee.desk.desk import Change
from referee.desk.mails import summary
from referee.desk.matches.time import away
from referee.desk.matches.time import clock as matches_clock
from referee.desk.plans import person
from referee.desk.plans import plan as plans_plan
from referee.desk.plans.match import End, Note
from referee.desk.plans.plan import apply_act, apply_plan
from referee.desk.plans.seat import HandOver, SitIn
from referee.desk.players import BadPlayer
from referee.desk.work import Refused
from referee.store import notes
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox
from referee.store.tables import metadata
from referee.store.tables.people import PlayerRow
from referee.value import replace

NEW, MALLORY = "new@example.test", "mallory@example.test"


def joined(club: Club, connection: Connection, name: str, language: str = "en") -> PlayerRow:
    """Return a new player, who sits nowhere."""
    now = club.desk.now()
    players.insert_player(
        connection, name=name, language=language, zone="UTC", address=NEW, now=now
    )
    return who(connection, NEW)


def everything(club: Club) -> str:
    """Return every column of every row as text."""
    with club.desk.store.reading() as connection:
        rows = [
            tuple(row)
            for table in metadata.sorted_tables
            for row in connection.execute(select(*table.columns))
        ]
    return "\n".join(
        each.decode("utf-8", "replace") if isinstance(each, bytes) else str(each)
        for row in rows
        for each in row
    ).lower()


def in_time(club: Club) -> None:
    """Let the time pass after which what was written is kept no more."""
    club.later(days=15)
    with club.desk.writing() as change:
        prune.make_room(change)


def test_a_blocked_players_letters_are_left_unheard(club: Club) -> None:
    """The organiser reads in his summary how many there were."""
    club.settle(organiser="o@example.test")
    report = begun(club)
    with club.desk.store.writing() as connection:
        players.update_player(connection, who(connection, ALICE).id, blocked=True)
    verdict = club.answer(report, "pass", ALICE)
    assert (verdict.state, club.mails(ALICE), club.match("pebbles-1").to_act) == (
        "ignored", [], "red",
    )  # fmt: skip
    club.later(days=1)
    summary.write_if_due(club.desk)
    assert f"{ALICE} (alice.miller): 1 letter" in club.last("o@example.test").text


def test_merged_players_are_one_everywhere(club: Club) -> None:
    """Seats, addresses and letters go over, and a code of the old one's seat is the new one's."""
    report = begun(club)
    with club.desk.writing() as change:
        other = joined(club, change.connection, "Alice", "de")
        person.merge_players(change, who(change.connection, ALICE), other)
        assert [each.name for each in players.all_players(change.connection)] == ["bob", "Alice"]
        assert players.address_for(change.connection, other.id) == NEW
    club.answer(report, "pass", ALICE)
    assert club.match("pebbles-1").to_act == "blue"
    assert "ausgeführt" in club.last(NEW, "receipt").text
    with club.desk.store.reading() as connection, pytest.raises(BadPlayer, match="both sit in"):
        person.check_merge(connection, who(connection, ALICE), who(connection, BOB))


@pytest.mark.parametrize("days", [0, 2])
def test_who_is_sat_for_is_neither_erased_nor_merged_with_an_opponent(
    club: Club, days: int
) -> None:
    """The seat returns to its owner, who then would see both hands, or be nobody."""
    begun(club)
    first = club.desk.now().date() + timedelta(days=days)
    sits = SitIn("pebbles-1", "red", first, first + timedelta(days=3), bot="greedy")
    apply_act(club.desk, sits, "so")
    with club.desk.store.reading() as connection:
        alice, bob = who(connection, ALICE), who(connection, BOB)
        with pytest.raises(BadPlayer, match=r"sits in pebbles-1 \(red\)"):
            person.check_erase(connection, alice)
        for one, other in ((alice, bob), (bob, alice)):
            with pytest.raises(BadPlayer, match="both sit in pebbles-1"):
                person.check_merge(connection, one, other)
    apply_act(club.desk, HandOver("pebbles-1", "red", NEW), "so")
    with club.desk.store.reading() as connection:
        assert person.check_erase(connection, alice)


def test_who_will_sit_in_is_neither_erased_nor_merged_with_an_opponent(club: Club) -> None:
    """Their day comes by itself."""
    begun(club)
    first = club.desk.now().date() + timedelta(days=2)
    apply_act(club.desk, SitIn("pebbles-1", "red", first, first, NEW), "so")
    with club.desk.store.reading() as connection:
        sitter = who(connection, NEW)
        with pytest.raises(BadPlayer, match=r"sits in pebbles-1 \(red\)"):
            person.check_erase(connection, sitter)
        with pytest.raises(BadPlayer, match="both sit in pebbles-1"):
            person.check_merge(connection, sitter, who(connection, BOB))


def test_a_match_in_which_both_sit_is_named_once(club: Club) -> None:
    """Also where one of them has several of its seats."""
    row = club.new_match("pebbles", f"red={ALICE}", f"green={BOB}", "blue=bot:random")
    with club.desk.writing() as change:
        bob = who(change.connection, BOB)
        matches.set_holder(change.connection, row.id, "blue", player_id=bob.id)
        for one, other in ((ALICE, bob), (BOB, who(change.connection, ALICE))):
            with pytest.raises(BadPlayer, match="both sit in pebbles-1, where"):
                person.check_merge(change.connection, who(change.connection, one), other)


def test_merging_gives_nobody_time(club: Club) -> None:
    """Days one of them was away do not count afterwards for the clock of the other."""
    begun(club)
    with club.desk.writing() as change:
        other = joined(club, change.connection, "Alice")
        first, last = club.desk.now().date(), club.desk.now().date() + timedelta(days=1)
        away.note_away(change, other, first, last)
    club.later(days=3)
    before = club.match("pebbles-1").due
    with club.desk.writing() as change:
        person.merge_players(change, who(change.connection, ALICE), who(change.connection, NEW))
    assert before is not None
    assert club.match("pebbles-1").due == before
    with club.desk.reading() as change:
        clock = matches_clock.clock_of(change, club.match("pebbles-1"))
    assert clock.left == before - club.desk.now()


def test_an_export_holds_letters_mails_and_notes(club: Club) -> None:
    """And nobody else's."""
    report = begun(club)
    club.answer(report, "note the west is weak", ALICE)
    club.answer(club.last(BOB, "report"), "note the east is weak", BOB)
    with club.desk.reading() as change:
        packed = person.export_person(change, who(change.connection, ALICE))
    with zipfile.ZipFile(BytesIO(packed)) as archive:
        names = archive.namelist()
        document = json.loads(archive.read("player.json"))
        contents = b"".join(archive.read(name) for name in names)
    assert document["texts"] == ["the west is weak"]
    assert [each.partition("/")[0] for each in names].count("letters") == 1
    assert b"the east is weak" not in contents


def test_texts_stay_with_their_writer_when_the_seat_passes_on(club: Club) -> None:
    """The next holder exports none of them; erasing either leaves the other's."""
    report = begun(club)
    club.answer(report, "note remember Springfield", ALICE)
    club.answer(report, "message blue: I live in Springfield", ALICE)
    apply_act(club.desk, HandOver("pebbles-1", "red", NEW), "so")
    club.answer(club.last(NEW, "report"), "note remember Shelbyville", NEW)
    assert club.last(NEW, "answer").text.count("Shelbyville") == 1
    club.work()
    club.mails(BOB)
    with club.desk.reading() as change:
        documents = [exported(change, each) for each in (ALICE, NEW)]
    assert [each["texts"] for each in documents] == [
        ["remember Springfield", "I live in Springfield"], ["remember Shelbyville"],
    ]  # fmt: skip
    assert "Springfield" not in json.dumps(documents[1])
    with club.desk.store.writing() as connection:
        person.erase_person(connection, who(connection, ALICE))
    in_time(club)
    left = everything(club)
    assert ("springfield" in left, "shelbyville" in left) == (False, True)


def test_erasing_the_next_holder_leaves_the_texts_of_the_one_before(club: Club) -> None:
    """They are somebody else's."""
    club.answer(begun(club), "note remember Springfield", ALICE)
    for address in (NEW, MALLORY):
        apply_act(club.desk, HandOver("pebbles-1", "red", address), "so")
    with club.desk.writing() as change:
        person.erase_person(change.connection, who(change.connection, NEW))
        assert exported(change, ALICE)["texts"] == ["remember Springfield"]


def exported(change: Change, address: str) -> dict[str, Any]:
    """Return the JSON document of a player's export."""
    packed = person.export_person(change, who(change.connection, address))
    with zipfile.ZipFile(BytesIO(packed)) as archive:
        found: dict[str, Any] = json.loads(archive.read("player.json"))
    return found


def test_notes_go_with_a_merge(club: Club) -> None:
    """The one who remains finds them in the reports."""
    report = begun(club)
    club.answer(report, "note the west is weak", ALICE)
    with club.desk.writing() as change:
        other = joined(club, change.connection, "Alice")
        person.merge_players(change, who(change.connection, ALICE), other)
    club.answer(report, "pass", NEW)
    club.work()
    club.answer(club.last(BOB, "report"), "pass", BOB)
    club.work()
    assert "the west is weak" in club.last(NEW, "report").text


def test_an_erased_player_leaves_no_trace_but_his_play(club: Club) -> None:
    """Names, addresses and texts are nowhere; the record is what it was, and verifies."""
    report = begun(club)
    club.answer(report, "message blue: I live in Springfield", ALICE)
    club.answer(report, "note remember Springfield", ALICE)
    club.answer(report, "watch pebbles-9", ALICE)
    club.put(letter("stranger@example.test", f"do you know {ALICE}?"))
    with club.desk.store.reading() as connection:
        player = who(connection, ALICE)
        with pytest.raises(BadPlayer, match="referee match end pebbles-1"):
            person.check_erase(connection, player)
    club.answer(report, "resign", ALICE)
    club.work()
    club.mails(BOB)
    before = record_of(club, "pebbles-1")
    assert "springfield" in everything(club)
    with club.desk.store.writing() as connection:
        assert person.check_erase(connection, player)
        person.erase_person(connection, player)
    in_time(club)
    left = everything(club)
    assert [word for word in (ALICE, "alice.miller", "springfield") if word in left] == []
    assert record_of(club, "pebbles-1") == before
    assert verified(club, "pebbles-1")
    club.put(letter(BOB, "matches"))
    assert "pebbles-1" in told(club, BOB)
    with club.desk.store.reading() as connection:
        assert players.by_address(connection, ALICE) is None


def test_the_reason_of_a_bounce_forgets_the_address(club: Club) -> None:
    """The mail systems of others write it there; that a mail came back is still known."""
    club.settle(plus_addressing=True)
    begun(club)
    with club.desk.store.reading() as connection:
        mail = next(each for each in outbox.latest_mails(connection) if each.recipient == ALICE)
    heard = club.put(bounced.report(mail.envelope_from, said=f"550 <{ALICE}> is unknown"))
    assert ALICE in (heard.reason or "")
    apply_act(club.desk, End("pebbles-1"), "so")
    club.work()
    club.mails(BOB)
    with club.desk.store.writing() as connection:
        person.erase_person(connection, who(connection, ALICE))
        assert outbox.get_mail(connection, mail.id).bounced_at is not None
        assert [each.reason for each in letters.latest_letters(connection)] == ["erased"]
    assert ALICE not in everything(club)


def test_of_the_erased_no_setting_is_left(club: Club) -> None:
    """Their row is that of a player who never set anything."""
    report = begun(club)
    for text in ("set grace 10m", "set talk yes", "set composer off"):
        club.answer(report, text, ALICE)
    player = set_by(club, ALICE)
    assert (player.grace, player.talk, player.no_composer) == (600, -1, True)
    club.answer(report, "resign", ALICE)
    club.work()
    with club.desk.store.writing() as connection:
        person.erase_person(connection, player)
        fresh = players.insert_player(
            connection, address="new@example.test", name="x", language=player.language, zone="UTC",
            format="html", now=player.created,
        )  # fmt: skip
        erased = players.get_player(connection, player.id)
        blank = players.get_player(connection, fresh)
    assert replace(erased, id=blank.id, name=blank.name) == blank


def set_by(club: Club, address: str) -> PlayerRow:
    """Return the player of an address."""
    with club.desk.store.reading() as connection:
        return who(connection, address)


def test_what_others_wrote_of_the_erased_goes_in_time(club: Club) -> None:
    """The plan says so. Texts that hold the address go at once, and those of nobody else."""
    report = begun(club)
    club.answer(report, "set name Jürgen", ALICE)
    other = club.last(BOB, "report")
    club.answer(other, f"message red: write to {ALICE.upper()}", BOB)
    club.answer(other, "message red: good luck", BOB)
    club.put(letter("stranger@example.test", "does Jürgen play in pebbles-1?", number=9))
    club.answer(club.last(ALICE), "resign", ALICE)
    club.work()
    club.mails(BOB)
    with club.desk.store.writing() as connection:
        plan = person.check_erase(connection, who(connection, ALICE))
        assert any("of others that name them: the text goes in time" in line for line in plan)
        person.erase_person(connection, who(connection, ALICE))
        texts = connection.execute(select(metadata.tables["messages"].c.text)).scalars()
        kept = [text for text in texts if text is not None]
    assert [("good luck" in text, ALICE in text.lower()) for text in kept] == [(True, False)]
    assert "jürgen" in decoded(club)
    in_time(club)
    assert ALICE not in everything(club)
    assert "jürgen" not in decoded(club)


def test_a_plan_that_was_erased_is_neither_listed_nor_applied(club: Club) -> None:
    """One line says why; the plans of others are listed as ever."""
    report = begun(club)
    with club.desk.store.reading() as connection:
        player = who(connection, ALICE)
    named = plans_plan.propose(club.desk, Note("pebbles-1", f"{ALICE} is late"), "so")
    other = plans_plan.propose(club.desk, Note("pebbles-1", "somebody is late"), "so")
    club.answer(report, "resign", ALICE)
    club.work()
    club.mails(BOB)
    with club.desk.store.writing() as connection:
        person.erase_person(connection, player)
    with club.desk.reading() as change:
        assert [each["plan"] for each in plans_plan.listed_plans(change)] == [other.id]
    with pytest.raises(Refused, match=f"plan {named.id} was erased"):
        apply_plan(club.desk, named.id)
    with pytest.raises(Refused, match=f"plan {named.id} was erased"):
        plans_plan.withdraw(club.desk, named.id)


def decoded(club: Club) -> str:
    """Return the texts of all mails and letters that have gone or were heard."""
    found = []
    with club.desk.store.reading() as connection:
        for name in ("outbox", "letters"):
            column = metadata.tables[name].c.raw
            for raw in connection.execute(select(column)).scalars():
                message = BytesParser(policy=policy.default).parsebytes(raw or b"")
                body = message.get_body(("plain",))
                found.append(str(body.get_content()) if body is not None else "")
    return "\n".join(found).lower()


def test_an_erased_address_stands_no_more_in_what_the_organiser_was_told(club: Club) -> None:
    """What the daily summary remembers of it goes too, and what it remembers of others stays."""
    with club.desk.store.writing() as connection:
        known = summary.Told(shown=(f"address {ALICE}", "letter 7"))
        summary.TOLD.write(connection, known)
        summary.forget_addresses(connection, [ALICE])
        told = summary.TOLD.read(connection)
    assert told == summary.Told(shown=("letter 7",))


def news(club: Club) -> list[Any]:
    """Return the names in the news kept for the organiser's next summary."""
    with club.desk.store.writing() as connection:
        return [item.fields["name"] for item in summary.NEWS.read(connection) or ()]


def test_an_erased_player_stands_no_more_in_the_organisers_news_under_any_name(club: Club) -> None:
    """Of somebody who resigned and then took another name the news goes, too."""
    report = begun(club)
    club.answer(report, "set name Jürgen", ALICE)
    club.answer(report, "resign", ALICE)
    club.work()
    assert news(club) == ["Jürgen"]
    with club.desk.store.writing() as connection:
        players.update_player(connection, who(connection, ALICE).id, name="Hans")
        person.erase_person(connection, who(connection, BOB))
    assert news(club) == ["Jürgen"]
    with club.desk.store.writing() as connection:
        person.erase_person(connection, who(connection, ALICE))
    assert news(club) == []


def test_news_about_others_stays_where_somebody_of_a_bots_name_is_erased(club: Club) -> None:
    """What is looked for is a player, and no word of the news."""
    with club.desk.store.writing() as connection:
        fields = {"match": "pebbles-1", "seat": "red", "name": "Ann", "bot": "Greedy", "player": 7}
        summary.note_news(connection, "resigned", fields)
        person.erase_person(connection, joined(club, connection, "Greedy"))
    assert news(club) == ["Ann"]


def test_news_about_a_player_goes_with_a_merge_and_is_erased_with_both(club: Club) -> None:
    report = begun(club)
    club.answer(report, "resign", ALICE)
    club.work()
    with club.desk.writing() as change:
        into = joined(club, change.connection, "Hans")
        person.merge_players(change, who(change.connection, ALICE), into)
    assert len(news(club)) == 1
    with club.desk.store.writing() as connection:
        person.erase_person(connection, into)
    assert news(club) == []


def test_what_the_organiser_was_told_is_locked_before_it_is_changed(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two people who are erased at once neither is remembered again by the other's block."""
    with club.desk.store.writing() as connection:
        summary.TOLD.write(connection, summary.Told(shown=(f"address {ALICE}",)))
        monkeypatch.setattr(notes.StoredNote, "read", lambda *_: None)
        summary.forget_addresses(connection, [ALICE])
        assert summary.TOLD.lock(connection) == summary.Told()
