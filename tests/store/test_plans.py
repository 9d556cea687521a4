"""Plans, texts kept by hash, and who sits for whom."""

from __future__ import annotations

from datetime import timedelta

from support.club import club_settings
from support.storing import NOW, SECOND, a_match, a_player

from referee.desk.desk import Change, Desk
from referee.desk.plans import plan
from referee.store import plans
from referee.store.play import matches, messages, standins
from referee.store.store import Store


def test_a_plan_is_listed_and_ended(store: Store) -> None:
    """Newest first; what was applied says when."""
    with store.writing() as connection:
        match = a_match(connection).match
        first = plans.add_plan(connection, match, {}, NOW)
        second = plans.add_plan(connection, match, {}, NOW, state="applied")
        plans.end_plan(connection, first, "dropped", NOW)
    with store.reading() as connection:
        listed = plans.latest_plans(connection)
    assert [(each.id, each.state, each.ended_at) for each in listed] == [
        (second, "applied", NOW),
        (first, "dropped", NOW),
    ]


def test_a_plan_that_is_not_there_is_none(store: Store) -> None:
    """Neither read nor locked."""
    with store.writing() as connection:
        assert plans.find_plan(connection, 7) is None
        assert plans.lock_plan(connection, 7) is None


def test_a_text_is_found_by_its_hash(store: Store) -> None:
    """In its match only."""
    with store.writing() as connection:
        one, other = a_match(connection).match, a_match(connection).match
        messages.add_message(
            connection, one, seat="red", player_id=None, recipients=[], hash="ab",
            text="hello", created=NOW,
        )  # fmt: skip
        found = messages.find_message(connection, one, "ab")
        assert messages.find_message(connection, other, "ab") is None
    assert found is not None
    assert (found.seat, found.text) == ("red", "hello")


def test_messages_of_a_seat_are_counted(store: Store) -> None:
    """Of its match, to others, since a moment; reasons that went to nobody are none."""
    with store.writing() as connection:
        one, other = a_match(connection).match, a_match(connection).match

        def write(match: int, seat: str, to: list[str], seconds: int) -> None:
            moment = NOW + seconds * SECOND
            messages.add_message(
                connection, match, seat=seat, player_id=None, recipients=to, hash="ab", text="x",
                created=moment,
            )  # fmt: skip

        for seconds in range(3):
            write(one, "red", ["blue"], seconds)
        write(one, "blue", ["red"], 9)
        write(one, "red", [], 9)
        write(other, "red", ["blue"], 9)
        assert messages.written_since(connection, one, "red", NOW) == 2


def test_who_sits_for_somebody_is_known_until_it_is_over(store: Store) -> None:
    """The earliest first; what is over is not listed."""
    with store.writing() as connection:
        match, owner = a_match(connection).match, a_player(connection, "carol")
        for days in (5, 1):
            standins.add_stand_in(
                connection,
                match,
                "red",
                owner_id=owner,
                player_id=None,
                bot="greedy",
                begins=NOW + timedelta(days=days),
                ends=NOW + timedelta(days=days + 2),
                details={},
                created=NOW,
            )
        early, late = standins.stand_ins(connection, match)
        assert early.begins < late.begins
        standins.set_stand_in(connection, early.id, "over")
        standins.set_stand_in(connection, late.id, "sitting")
        assert [each.state for each in standins.stand_ins(connection, match)] == ["sitting"]


def test_a_seat_counts_how_often_it_was_handed_on(store: Store) -> None:
    with store.writing() as connection:
        match = a_match(connection).match
        matches.set_holder(connection, match, "red")
        matches.set_holder(connection, match, "red", bot="random")
        counts = [each.handed_on for each in matches.seats(connection, match)]
    assert counts == [2, 0]


def test_who_got_a_seat_is_known_by_the_event(store: Store) -> None:
    """Of one match, by each event of which it was kept."""
    with store.writing() as connection:
        one, other = a_match(connection).match, a_match(connection).match
        carol, dave = a_player(connection, "carol"), a_player(connection, "dave")
        for match, seq, player in ((one, 3, carol), (one, 9, dave), (other, 3, dave)):
            matches.add_seat_holder(connection, match, seq, player)
        assert matches.seat_holders(connection, one) == {3: carol, 9: dave}


def test_plans_are_listed_by_who_may_only_read(store: Store) -> None:
    """No row is locked for it, which a database open for reading alone would refuse."""
    desk = Desk(store, club_settings())
    with store.writing() as connection:
        row = matches.get_match(connection, a_match(connection).match)
        document = {
            "match": row.name, "act": "pause", "arguments": {"match": row.name},
            "by": "organiser", "why": "rain", "stands": {row.name: plan.state_of(connection, row)},
        }  # fmt: skip
        plans.add_plan(connection, row.id, document, desk.now())
    with store.reading() as connection:
        (listed,) = plan.listed_plans(Change(desk, connection))
    assert (listed["match"], listed["act"], listed["state"]) == (row.name, "pause", "open")
