"""What waits for a yes, and who watches."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection
from support.storing import NOW, a_match, a_player

from referee.store.people import players, questions
from referee.store.play import watchers
from referee.store.states import QuestionKind
from referee.store.store import Store
from referee.store.tables.play import QuestionDocument, QuestionRow

LATER = NOW + timedelta(days=7)
WANTED = QuestionDocument((("set", ("zone", "Europe/Berlin"), ""),), ("nord-1",), "de")


def put(
    connection: Connection,
    code: str = "K7PQM2XD",
    address: str = "new@example.test",
    player_id: int | None = None,
    kind: QuestionKind = "command",
) -> QuestionRow:
    """Keep a question to an address."""
    return questions.add_question(
        connection, kind, WANTED, created=NOW, expires=LATER,
        player_id=player_id, code=code, address=address,
    )  # fmt: skip


def test_a_question_is_settled_once(store: Store) -> None:
    """What was granted cannot be declined any more."""
    with store.writing() as connection:
        row = put(connection, player_id=a_player(connection))
        assert questions.questions_put_to(connection, "new@example.test") == (row,)
        assert questions.ending_questions(connection, NOW) == ()
        assert questions.ending_questions(connection, LATER) == (row,)
        assert questions.settle_question(connection, row.id, "granted")
        assert not questions.settle_question(connection, row.id, "declined")
        assert questions.ending_questions(connection, LATER) == ()
        found = questions.find_question(connection, "K7PQM2XD")
        assert found is not None
        assert found.state == "granted"


def test_what_a_question_is_about_is_kept(store: Store) -> None:
    """Its document comes back as it was, tuples as tuples."""
    with store.writing() as connection:
        row = put(connection)
        assert row.document == WANTED
        assert questions.find_question(connection, "K7PQM2XD") == row


def test_what_somebody_asked_is_found_by_himself_alone(store: Store) -> None:
    """Not what others asked, nor of another kind, nor asked before the moment that is named."""
    before = NOW - timedelta(seconds=1)
    with store.writing() as connection:
        alice, bob = a_player(connection, "alice"), a_player(connection, "bob")
        for number, (who, address) in enumerate(
            [(alice, "a@example.test"), (bob, "b@example.test"), (None, "c@example.test")]
        ):
            put(connection, f"K7PQM2X{number}", address, who)
        for who in (alice, bob):
            found = questions.questions_of(connection, who, "command", before)
            assert [each.player_id for each in found] == [who]
        assert questions.questions_of(connection, bob, "command", NOW) == ()
        assert questions.questions_of(connection, bob, "address", before) == ()


def test_seats_that_said_yes_are_kept_with_the_question_in_their_match(store: Store) -> None:
    """One is open in its match until it is settled; play may end it at any time."""
    with store.writing() as connection:
        match, carol = a_match(connection).match, a_player(connection, "carol")
        row = questions.add_question(
            connection, "undo", QuestionDocument(turn=3, seq=12), created=NOW, expires=LATER,
            player_id=carol, match_id=match, seat="red",
        )  # fmt: skip
        assert questions.open_question_in(connection, match) == row
        assert questions.ending_questions(connection, NOW) == (row,)
        questions.change_question(connection, row.id, answered={"green", "blue"})
        found = questions.open_question_in(connection, match)
        assert found is not None
        assert found.answered == ("blue", "green")
        assert questions.settle_question(connection, row.id, "declined")
        assert questions.open_question_in(connection, match) is None


def test_who_watches_is_known_by_match_and_by_player(store: Store) -> None:
    """Watching twice is once; how far a watcher has been told is kept."""
    with store.writing() as connection:
        match, carol = a_match(connection).match, a_player(connection, "carol")
        watchers.add_watcher(connection, match, carol, NOW)
        watchers.add_watcher(connection, match, carol, NOW)
        watchers.set_watcher_told(connection, match, carol, 12, 3)
        (row,) = watchers.watchers_of(connection, match)
        assert (row.reported_seq, row.reported_turn) == (12, 3)
        assert watchers.watched_by(connection, carol) == (row,)
        watchers.drop_watcher(connection, match, carol)
        assert watchers.watchers_of(connection, match) == ()


def test_nobody_is_known_by_an_unconfirmed_address(store: Store) -> None:
    """Until it is confirmed an address is nobody's; then it is found."""
    with store.writing() as connection:
        alice = a_player(connection)
        players.give_address(connection, alice, "new@example.test", now=NOW, state="unconfirmed")
        assert players.by_address(connection, "new@example.test") is None
        players.set_address(connection, "new@example.test", "ok")
        assert players.by_address(connection, "new@example.test") is not None
        players.drop_address(connection, "new@example.test")
        assert players.find_address(connection, "new@example.test") is None


def test_settled_questions_are_forgotten_in_the_end(store: Store) -> None:
    """Those that wait stay, and so do those that were settled of late."""
    with store.writing() as connection:
        one, other = (put(connection, f"K7PQM2X{n}") for n in range(2))
        assert questions.settle_question(connection, one.id, "granted")
        assert not questions.any_settled(connection, NOW)
        questions.drop_settled(connection, NOW)
        assert questions.find_question(connection, "K7PQM2X0") is not None
        assert questions.any_settled(connection, LATER)
        questions.drop_settled(connection, LATER)
        assert questions.find_question(connection, "K7PQM2X0") is None
        assert questions.find_question(connection, "K7PQM2X1") == other
