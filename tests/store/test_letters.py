"""Letters: kept once, told apart from repeats, attempted, settled and filed; their submissions."""

from __future__ import annotations

import pytest
from support.storing import NOW, SECOND, a_letter, a_mail, a_match, a_player

from referee.store.play import submissions
from referee.store.post import letters
from referee.store.store import Store

BUT = "not counted: "


def test_a_letter_is_kept_once(store: Store) -> None:
    """The letter of a folder, UIDVALIDITY and UID is kept once, and stays as it came first."""
    with store.writing() as connection:
        first = a_letter(connection, 5, raw=b"one\r\n\x00\xff", size=9, truncated=True)
        again = letters.keep_letter(
            connection,
            folder="INBOX",
            uidvalidity=7,
            uid=5,
            arrived=NOW,
            size=3,
            raw=b"two",
            now=NOW,
        )
        assert again is None
        assert letters.raw_letter(connection, first.id) == b"one\r\n\x00\xff"
        found = letters.get_letter(connection, first.id)
    assert found == first
    assert (found.state, found.size, found.truncated, found.arrived) == ("kept", 9, True, NOW)


@pytest.mark.parametrize("place", [{"uidvalidity": 8}, {"folder": "Other"}, {"mailbox": "second"}])
def test_the_same_uid_elsewhere_is_another_letter(store: Store, place: dict[str, object]) -> None:
    """A UID means something only within its mailbox, folder and UIDVALIDITY."""
    with store.writing() as connection:
        first, second = a_letter(connection, 5), a_letter(connection, 5, **place)
        assert first.id != second.id
        assert letters.known_uids(connection, "INBOX", 7, [5, 6], "") == {5}


def test_known_uids_are_told_from_new_ones(store: Store) -> None:
    """Of many UIDs those that were kept are known, however many are asked for."""
    with store.writing() as connection:
        for uid in (3, 40_000, 70_000):
            a_letter(connection, uid)
        assert letters.known_uids(connection, "INBOX", 7, range(1, 70_000), "") == {3, 40_000}
        assert letters.known_uids(connection, "INBOX", 7, [], "") == set()
        assert letters.known_uids(connection, "INBOX", 7, [3], mailbox="second") == set()


def test_the_same_bytes_are_a_twin(store: Store) -> None:
    """A letter with the same bytes as an earlier one is its twin, the earlier is nobody's."""
    with store.writing() as connection:
        first = a_letter(connection, 1, raw=b"same")
        other = a_letter(connection, 2, raw=b"other")
        second = a_letter(connection, 3, raw=b"same")
        assert letters.twins_of(connection, second) == (first,)
        assert letters.twins_of(connection, first) == ()
        assert letters.twins_of(connection, other) == ()


def test_the_same_sender_id_and_body_are_a_twin(store: Store) -> None:
    """A copy whose bytes changed on the way is known by Message-ID, sender and body."""
    twin = letters.twin_hash("<1@a.test>", "alice@a.test", ["place D6"])
    with store.writing() as connection:
        first = a_letter(connection, 1, twin=twin)
        second = a_letter(connection, 2, twin=twin)
        third, fourth = a_letter(connection, 3), a_letter(connection, 4)
        assert letters.twins_of(connection, second) == (first,)
        assert letters.twins_of(connection, third) == ()
        assert letters.twins_of(connection, fourth) == ()


def test_of_two_copies_the_one_that_arrived_first_is_heard(store: Store) -> None:
    """The server may give the first of them last: its number is higher then."""
    twin = letters.twin_hash("<1@a.test>", "alice@a.test", ["place D6"])
    with store.writing() as connection:
        later = a_letter(connection, 1, arrived=NOW + SECOND, twin=twin)
        sooner = a_letter(connection, 2, arrived=NOW, twin=twin)
        assert letters.twins_of(connection, sooner) == ()
        assert letters.twins_of(connection, later) == (sooner,)


def test_a_copy_of_a_letter_already_heard_is_a_repeat_though_it_arrived_first(store: Store) -> None:
    """Its repeats are not heard: the letter itself, tried again, is none of theirs."""
    twin = letters.twin_hash("<1@a.test>", "alice@a.test", ["place D6"])
    with store.writing() as connection:
        later = a_letter(connection, 1, arrived=NOW + SECOND, twin=twin)
        letters.finish_letter(connection, later.id, "handled", None, NOW + SECOND)
        sooner = a_letter(connection, 2, arrived=NOW, twin=twin)
        assert [copy.id for copy in letters.twins_of(connection, sooner)] == [later.id]
        letters.finish_letter(connection, sooner.id, "repeat", None, NOW + SECOND)
        letters.reset_letter(connection, later.id)
        assert letters.twins_of(connection, letters.get_letter(connection, later.id)) == ()


def test_what_makes_a_twin(store: Store) -> None:
    """Case of the sender and white space do not matter; who, which and what was said does."""
    del store
    twin = letters.twin_hash("<1@a.test>", "alice@a.test", ["place D6", "done"])
    assert twin is not None
    assert letters.twin_hash("<1@a.test> ", "Alice@A.test", ["place  D6\r\ndone"]) == twin
    others = [
        letters.twin_hash("<2@a.test>", "alice@a.test", ["place D6", "done"]),
        letters.twin_hash("<1@a.test>", "bob@a.test", ["place D6", "done"]),
        letters.twin_hash("<1@a.test>", "alice@a.test", ["place D7", "done"]),
    ]
    assert twin not in others
    assert letters.twin_hash(None, "alice@a.test", ["x"]) is None
    assert letters.twin_hash("<1@a.test>", None, ["x"]) is None


def test_letters_wait_by_arrival(store: Store) -> None:
    """Letters are handled by the stamp of arrival, not as they were kept; handled ones no more."""
    with store.writing() as connection:
        late = a_letter(connection, 1, arrived=NOW + SECOND)
        early = a_letter(connection, 2, arrived=NOW)
        assert [each.id for each in letters.waiting_letters(connection)] == [early.id, late.id]
        assert [each.id for each in letters.waiting_letters(connection, 1)] == [early.id]
        assert letters.waiting_before(connection, NOW + SECOND)
        letters.finish_letter(connection, early.id, "handled", None, NOW)
        assert [each.id for each in letters.waiting_letters(connection)] == [late.id]
        assert not letters.waiting_before(connection, NOW + SECOND)


def test_failed_attempts_and_kills_are_counted_apart(store: Store) -> None:
    """A failure counts as an attempt, a killed process as a kill, our own trouble as nothing."""
    with store.writing() as connection:
        failed, killed, troubled = (a_letter(connection, uid).id for uid in (1, 2, 3))
        for each in (failed, killed, troubled):
            letters.begin_attempt(connection, each)
        letters.end_attempt(connection, failed, "ValueError")
        letters.change_letter(connection, troubled, attempting=False)
        assert [each.id for each in letters.interrupted_letters(connection)] == [killed]
        letters.count_kill(connection, killed)
        assert letters.interrupted_letters(connection) == ()
        rows = [letters.get_letter(connection, each) for each in (failed, killed, troubled)]
    assert [(each.attempts, each.kills) for each in rows] == [(1, 0), (0, 1), (0, 0)]
    assert rows[0].reason == "ValueError"


def test_whose_a_letter_is_stays_with_what_became_of_it(store: Store) -> None:
    """It is noted if it is known then, and what was known before is kept."""
    with store.writing() as connection:
        alice, letter = a_player(connection, "alice"), a_letter(connection, 1).id
        letters.finish_letter(connection, letter, "handled", None, NOW, alice)
        assert letters.get_letter(connection, letter).player_id == alice
        letters.finish_letter(connection, letter, "ignored", "dropped", NOW)
        assert letters.get_letter(connection, letter).player_id == alice


def test_a_letter_is_settled_and_tried_again(store: Store) -> None:
    """What became of a letter is kept; trying it again wipes the slate, not its filing."""
    with store.writing() as connection:
        letter = a_letter(connection, 1).id
        letters.begin_attempt(connection, letter)
        letters.end_attempt(connection, letter, "ValueError")
        letters.finish_letter(connection, letter, "quarantined", "ValueError", NOW)
        letters.mark_filed(connection, [letter], "Quarantine")
        row = letters.get_letter(connection, letter)
        assert (row.state, row.reason, row.handled_at) == ("quarantined", "ValueError", NOW)
        letters.reset_letter(connection, letter)
        row = letters.get_letter(connection, letter)
        assert (row.state, row.reason, row.attempts, row.handled_at) == ("kept", None, 0, None)
        assert (row.filed, row.target) == (True, "Quarantine")


def test_unfiled_letters_belong_to_one_uidvalidity(store: Store) -> None:
    """Open moves are those of settled letters, under the UIDVALIDITY they were read with."""
    with store.writing() as connection:
        done, repeat, old, waiting, filed = (
            a_letter(connection, 1).id,
            a_letter(connection, 2).id,
            a_letter(connection, 3, uidvalidity=6).id,
            a_letter(connection, 4).id,
            a_letter(connection, 5).id,
        )
        for letter in (done, old, filed):
            letters.finish_letter(connection, letter, "handled", None, NOW)
        letters.finish_letter(connection, repeat, "repeat", "came before", NOW)
        letters.mark_filed(connection, [filed], "Handled")
        found = letters.unfiled_letters(connection, "INBOX", 7, "", 0)
        assert [each.id for each in found] == [done, repeat]
        assert waiting not in [each.id for each in found]
        letters.mark_filed(connection, [done, repeat], "Handled")
        letters.mark_filed(connection, [], "Handled")
        assert letters.unfiled_letters(connection, "INBOX", 7, "", 0) == ()
        assert [each.id for each in letters.unfiled_letters(connection, "INBOX", 6, "", 0)] == [old]


def test_letters_are_listed_newest_first(store: Store) -> None:
    with store.writing() as connection:
        ids = [a_letter(connection, uid).id for uid in (1, 2, 3)]
        letters.finish_letter(connection, ids[1], "ignored", "a stranger", NOW)
        assert [each.id for each in letters.latest_letters(connection)] == ids[::-1]
        assert [each.id for each in letters.latest_letters(connection, limit=1)] == [ids[2]]
        assert [each.id for each in letters.latest_letters(connection, "ignored")] == [ids[1]]


def test_a_letter_is_found_by_its_message_id(store: Store) -> None:
    """With the sender and player that were recorded for it."""
    with store.writing() as connection:
        letter = a_letter(connection, 1, message_id="<1@a.test>").id
        alice = a_player(connection)
        who = {"sender": "alice@example.test", "player_id": alice}
        letters.change_letter(connection, letter, **who)
        found = letters.letter_by_message_id(connection, "<1@a.test>")
        assert found is not None
        assert (found.id, found.sender, found.player_id) == (letter, "alice@example.test", alice)


def test_a_letter_that_is_not_there_is_not_found(store: Store) -> None:
    """Neither its row nor its bytes."""
    with store.reading() as connection:
        with pytest.raises(KeyError):
            letters.get_letter(connection, 9)
        with pytest.raises(KeyError):
            letters.raw_letter(connection, 9)


def test_submissions_are_numbered_in_their_letter(store: Store) -> None:
    with store.writing() as connection:
        first, second = a_letter(connection, 1).id, a_letter(connection, 2).id
        placed = a_match(connection)
        receipt = a_mail(connection)
        one = submissions.add_submission(
            connection,
            letter_id=first,
            match_id=placed.match,
            seat="red",
            code="K7PQM2XD",
            turn=3,
            orders="place D6\ndone",
            digest="d1",
            outcome="accepted",
            first_seq=4,
            last_seq=6,
        )
        submissions.add_submission(
            connection, letter_id=first, orders="help", digest="d2", outcome="command"
        )
        submissions.add_submission(
            connection, letter_id=second, orders="help", digest="d2", outcome="command"
        )
        submissions.set_receipt(connection, one, receipt)
        mine = submissions.submissions_of(connection, first)
        theirs = submissions.submissions_of(connection, second)
    assert [(each.number, each.digest) for each in mine] == [(1, "d1"), (2, "d2")]
    assert [each.number for each in theirs] == [1]
    assert (mine[0].orders, mine[0].first_seq, mine[0].last_seq) == ("place D6\ndone", 4, 6)
    assert (mine[0].receipt, mine[1].match_id) == (receipt, None)


def test_a_repeat_leads_to_the_first_submission_that_was_played(store: Store) -> None:
    """Not to a repeat, nor to one that was refused or unclear: nothing has come of these yet."""
    with store.writing() as connection:
        letter = a_letter(connection, 1).id

        def add(digest: str, outcome: str) -> int:
            return submissions.add_submission(
                connection, letter_id=letter, orders="x", digest=digest, outcome=outcome
            )

        add("other", "accepted")
        for nothing in ("refused", "unclear", "command"):
            add("same", nothing)
        first = add("same", "accepted")
        add("same", "repeat")
        add("only", "repeat")
        found = submissions.repeat_of(connection, "same")
        assert found is not None
        assert found.id == first
        assert submissions.repeat_of(connection, "only") is None
        assert submissions.repeat_of(connection, "none") is None


def test_letters_set_aside_in_a_row_are_counted_from_the_last_one_back(store: Store) -> None:
    """Up to one that was handled, not before a moment, and no further than is asked."""
    states = ("quarantined", "handled", "quarantined", "quarantined", "quarantined")
    with store.writing() as connection:
        assert letters.aside_in_a_row(connection, NOW, 3, BUT) == 0
        for number, state in enumerate(states, start=1):
            row = a_letter(connection, number)
            letters.finish_letter(connection, row.id, state, None, NOW + number * SECOND)
        assert letters.aside_in_a_row(connection, NOW, 9, BUT) == 3
        assert letters.aside_in_a_row(connection, NOW, 2, BUT) == 2
        assert letters.aside_in_a_row(connection, NOW + 4 * SECOND, 9, BUT) == 1
        letters.finish_letter(connection, 4, "quarantined", f"{BUT}a fault", NOW + 4 * SECOND)
        assert letters.aside_in_a_row(connection, NOW, 9, BUT) == 2
