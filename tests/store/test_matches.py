"""Matches and their seats: names, states, progress, and when they need attention."""

from __future__ import annotations

import pytest
from support.storing import NOW, SECOND, a_match, a_player

from referee.store.play import matches
from referee.store.store import Store


def test_each_game_counts_its_own_matches(store: Store) -> None:
    """Names are numbered through for each game by itself."""
    with store.writing() as connection:
        names = [matches.new_name(connection, game) for game in ("pebbles", "pebbles", "other")]
    assert names == ["pebbles-1", "pebbles-2", "other-1"]


def test_a_new_match_is_invited_and_has_not_begun(store: Store) -> None:
    """A match comes back as it was added, before its first event."""
    with store.writing() as connection:
        placed = a_match(connection)
        row = matches.get_match(connection, placed.match)
        assert matches.find_match(connection, "pebbles-1") == row
    assert (row.name, row.game, row.edition, row.state) == ("pebbles-1", "pebbles", 1, "invited")
    assert (row.options, row.words, row.board, row.clock) == ({"stones": 12}, {}, None, {})
    assert (row.seed, row.commitment, row.practice) == (bytes(range(32)), "c0ffee", False)
    assert (row.seq, row.head, row.draws, row.turn, row.to_act) == (0, "", 0, 0, None)
    assert (row.created, row.started, row.due, row.released) == (NOW, None, None, False)


def test_the_seed_is_not_shown(store: Store) -> None:
    """A match that ends up in a log line does not give its seed away."""
    with store.writing() as connection:
        row = matches.get_match(connection, a_match(connection).match)
    assert "seed" not in repr(row)
    assert repr(row.seed) not in repr(row)


def test_a_match_that_is_not_there_is_not_found(store: Store) -> None:
    """By name there may be none; an id that leads nowhere is our mistake."""
    with store.reading() as connection:
        assert matches.find_match(connection, "pebbles-9") is None
        with pytest.raises(KeyError):
            matches.get_match(connection, 9)


def test_a_match_begins_goes_on_and_ends(store: Store) -> None:
    """Beginning, progress, result and release are written where they belong."""
    with store.writing() as connection:
        placed = a_match(connection, begun=True)
        row = matches.get_match(connection, placed.match)
        assert (row.state, row.board, row.header, row.header_hash, row.started) == (
            "running",
            {"a": [1]},
            '{"a":1}',
            "ab",
            NOW,
        )
        matches.change_match(
            connection,
            placed.match,
            seq=3,
            head="beef",
            draws=2,
            turn=1,
            to_act="red",
            turn_began_seq=2,
            turn_began_at=NOW,
            due=NOW + SECOND,
            agenda_at=NOW,
        )
        row = matches.get_match(connection, placed.match)
        assert (row.seq, row.head, row.draws, row.turn, row.to_act) == (3, "beef", 2, 1, "red")
        assert (row.turn_began_seq, row.turn_began_at, row.due) == (2, NOW, NOW + SECOND)
        over = {"state": "over", "ended": NOW + SECOND, "released": True}
        matches.change_match(connection, placed.match, result={"ending": "full"}, **over)
        row = matches.get_match(connection, placed.match)
    assert (row.state, row.result, row.ended) == ("over", {"ending": "full"}, NOW + SECOND)
    assert row.released


def test_matches_are_listed_by_state(store: Store) -> None:
    with store.writing() as connection:
        first, second, third = (a_match(connection).match for _ in range(3))
        matches.set_match_state(connection, second, "paused", now=NOW)
        listed = [each.id for each in matches.select_matches(connection)]
        assert listed == [first, second, third]
        (paused,) = matches.select_matches(connection, "paused")
        assert (paused.id, paused.paused_at, paused.ended) == (second, NOW, None)


def test_a_pause_ends_and_an_end_is_dated(store: Store) -> None:
    """A match that runs again is paused since never; one that is abandoned has an end."""
    with store.writing() as connection:
        match_id = a_match(connection, begun=True).match
        matches.set_match_state(connection, match_id, "paused", now=NOW)
        matches.set_match_state(connection, match_id, "running", now=NOW + SECOND)
        assert matches.get_match(connection, match_id).paused_at is None
        matches.set_match_state(connection, match_id, "abandoned", now=NOW + SECOND)
        assert matches.get_match(connection, match_id).ended == NOW + SECOND


def test_those_whose_moment_came_need_attention(store: Store) -> None:
    """Matches need attention once their moment has come, the longest waiting first."""
    with store.writing() as connection:
        soon, late, never, early = (a_match(connection).match for _ in range(4))
        matches.set_agenda(connection, soon, NOW)
        matches.set_agenda(connection, late, NOW + SECOND)
        matches.set_agenda(connection, early, NOW - SECOND)
        found = [each.id for each in matches.needing_attention(connection, NOW)]
        assert found == [early, soon]
        assert [each.id for each in matches.needing_attention(connection, NOW, limit=1)] == [early]
        matches.set_agenda(connection, early, None)
        found = [each.id for each in matches.needing_attention(connection, NOW + SECOND)]
        assert found == [soon, late]
        assert never not in found


def test_words_are_kept(store: Store) -> None:
    """What seats give for chance is kept as the text that was given."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        matches.change_match(connection, match_id, words={"blue": 'Glück "auf"'})
        words = matches.get_match(connection, match_id).words
    assert words == {"blue": 'Glück "auf"'}


def test_locks_are_taken_in_name_order(store: Store) -> None:
    """Matches are locked in name order, each once; a name of no match is passed over."""
    with store.writing() as connection:
        for _ in range(3):
            a_match(connection)
        asked = ["pebbles-3", "pebbles-1", "pebbles-9", "pebbles-3"]
        assert [each.name for each in matches.lock_matches(connection, asked)] == [
            "pebbles-1",
            "pebbles-3",
        ]


def test_time_can_be_agreed_anew(store: Store) -> None:
    """The terms of the clock and the due moment change together."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        matches.change_match(
            connection, match_id, due=NOW, time_per_turn=None, clock={"bank": "30d"}
        )
        row = matches.get_match(connection, match_id)
        assert (row.due, row.time_per_turn, row.clock) == (NOW, None, {"bank": "30d"})


def test_seats_come_in_turn_order(store: Store) -> None:
    with store.writing() as connection:
        placed = a_match(connection)
        matches.add_seat(connection, placed.match, "azure", 2, bot="greedy")
        found = matches.seats(connection, placed.match)
        assert [(each.seat, each.holder, each.player_id, each.bot) for each in found] == [
            ("red", "player", placed.alice, None),
            ("blue", "player", placed.bob, None),
            ("azure", "bot", None, "greedy"),
        ]
        assert {each.agreed for each in found} == {"unasked"}
        assert matches.find_seat(connection, placed.match, "blue") == found[1]
        assert matches.find_seat(connection, placed.match, "green") is None


def test_the_seats_of_a_player_are_found(store: Store) -> None:
    with store.writing() as connection:
        first, second = a_match(connection), a_match(connection)
        matches.set_holder(connection, second.match, "blue", player_id=second.alice)
        found = matches.seats_of_player(connection, first.alice)
        assert [(each.match_id, each.seat) for each in found] == [
            (first.match, "red"),
            (second.match, "red"),
            (second.match, "blue"),
        ]
        here = matches.seats_of_player(connection, first.bob, first.match)
        assert [each.seat for each in here] == ["blue"]
        assert matches.seats_of_player(connection, first.bob, second.match) == ()
        assert matches.seats_of_player(connection, a_player(connection, "carol")) == ()


def test_what_a_seat_was_told_is_its_own(store: Store) -> None:
    """Agreement, thread, reports and bank are noted for one seat of one match."""
    with store.writing() as connection:
        first, other = a_match(connection), a_match(connection)
        before = matches.seats(connection, other.match)
        matches.change_seat(connection, first.match, "red", agreed="yes")
        matches.change_seat(connection, first.match, "red", thread_id="<root@example.test>")
        matches.set_reported(connection, first.match, ["red"], 12, 3)
        matches.change_seat(connection, first.match, "red", bank=3600)
        red, blue = matches.seats(connection, first.match)
        assert (red.agreed, red.thread_id) == ("yes", "<root@example.test>")
        assert (red.reported_seq, red.reported_turn, red.bank) == (12, 3, 3600)
        assert (blue.agreed, blue.thread_id, blue.reported_seq) == ("unasked", None, 0)
        assert matches.seats(connection, other.match) == before


def test_a_new_holder_starts_a_new_thread(store: Store) -> None:
    """Mail to whoever takes over a seat does not lead into his predecessor's thread."""
    with store.writing() as connection:
        placed = a_match(connection)
        matches.change_seat(connection, placed.match, "red", thread_id="<root@example.test>")
        matches.set_holder(connection, placed.match, "red", bot="greedy")
        red = matches.seats(connection, placed.match)[0]
        assert (red.holder, red.player_id, red.bot, red.thread_id) == ("bot", None, "greedy", None)
