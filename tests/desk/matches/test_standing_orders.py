"""Orders given in advance by mail: noted, shown to their owner alone, played, ended with a word."""

from __future__ import annotations

import json

import pytest
from support.club import ALICE, BOB, CAROL, SEATS, Club, Mail, letter, open_club

from referee.desk.letters.understand import understand
from referee.desk.letters.words.phrases import Tongue
from referee.desk.letters.words.places import Said
from referee.desk.matches import ledger, standing_orders
from referee.desk.matches.standing_orders import Cancel, Queue
from referee.games import registry
from referee.mail.incoming import marks
from referee.mail.incoming.lines import WrittenLine
from referee.matches import private
from referee.store.people import players
from referee.store.play import matches

GAME = registry.find_installed("pebbles", 2)


def begun(club: Club, *seats: str) -> Mail:
    """Begin a match and return red's first report; the others' first mails are taken."""
    club.new_match("pebbles", *(seats or SEATS))
    club.work()
    for address in (BOB, CAROL):
        club.mails(address)
    return club.last(ALICE, "report")


def write(club: Club, address: str, seat: str, text: str) -> None:
    """Send a letter of a seat with its code of now, as an answer to its latest mail would be."""
    row = club.match("pebbles-1")
    code = club.code(row.name, seat)
    top, _, bottom = marks.box_lines(row.name, row.turn, seat, code, "en", "")
    club.put(letter(address, f"{top}\n{text}\n{bottom}", number=club.uid))


def puts(club: Club, seat: str) -> list[str]:
    """Return what a seat could put on the first cell of the first row, were it its turn."""
    with club.desk.reading() as change:
        position = ledger.load_match(change, club.match("pebbles-1")).live.position
    return [f"put {weight}" for weight in position.hand(seat)]


def logged(club: Club) -> list[tuple[str, str]]:
    """Return seat and order of everything played, chance left out."""
    row = club.match("pebbles-1")
    with club.desk.store.reading() as connection:
        bodies = [json.loads(each.body) for each in matches.events(connection, row.id)]
    return [(each["seat"], each["order"]) for each in bodies if each["kind"] == "order"]


def waiting(club: Club) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return what waits: seat, kind and lines."""
    with club.desk.reading() as change:
        loaded = ledger.load_match(change, club.match("pebbles-1"))
        found = standing_orders.kept_standing_orders(change.connection, loaded)
    return [(each.seat, each.kind, each.lines) for each in found]


def test_a_queue_is_played_as_soon_as_the_turn_comes(club: Club) -> None:
    """Noted out of turn under any code of the seat, played when its turn comes, and reported."""
    begun(club)
    first, second = puts(club, "blue")
    write(club, BOB, "blue", f"queue\n{first} A2\n{second} B1\nend")
    receipt = club.last(BOB, "receipt").flat
    assert "noted for later" in receipt
    assert f"· 1: as soon as it is your turn, {first} A2; {second} B1" in receipt
    write(club, ALICE, "red", f"{puts(club, 'red')[0]} A1")
    club.work()
    assert logged(club)[1:] == [("blue", f"{first} A2")]
    report = club.last(BOB, "report").flat
    assert f"· 1: as soon as it is your turn, {second} B1" in report
    assert "Red (alice) is to act" in report


@pytest.mark.fast
def test_a_queue_skips_what_has_become_impossible_and_its_owner_is_told(club: Club) -> None:
    """The next of the list is put; the report names what was skipped and why."""
    begun(club)
    held = puts(club, "blue")[0]
    write(club, BOB, "blue", f"queue {held} A1; {held} A2")
    write(club, ALICE, "red", f"{puts(club, 'red')[0]} A1")
    club.work()
    assert logged(club)[1:] == [("blue", f"{held} A2")]
    report = club.last(BOB, "report").flat
    skipped = f"Skipped, as it has become impossible: {held} A1. That cell is not the first free"
    assert skipped in report.replace("… ", "")
    assert f"Played, as you had ordered in advance: {held} A2" in report
    assert waiting(club) == []
    write(club, ALICE, "red", f"{puts(club, 'red')[0]} A3")
    club.work()
    assert "Skipped" not in club.last(BOB, "report").text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Played, as you had ordered in advance:"),
        ("de", "Gespielt, wie du es im Voraus befohlen hattest:"),
    ],
)
def test_only_the_owner_is_told_that_a_queue_was_played(
    club: Club, language: str, said: str
) -> None:
    """The next report says which order that was, once; the others' mails say nothing of it."""
    begun(club, *SEATS, f"green={CAROL}")
    with club.desk.store.writing() as connection:
        for each in players.all_players(connection):
            players.update_player(connection, each.id, language=language)
    club.mails(ALICE)
    write(club, BOB, "blue", f"queue {puts(club, 'blue')[0]} A2")
    write(club, ALICE, "red", f"{puts(club, 'red')[0]} A1")
    club.work()
    assert said in club.last(BOB, "report").flat
    others = [*club.mails(ALICE), *club.mails(CAROL)]
    assert "report" in {each.kind for each in others}
    assert all(said not in each.flat for each in others)
    write(club, CAROL, "green", f"{puts(club, 'green')[0]} A3")
    club.work()
    assert said not in club.last(BOB, "report").flat


def test_an_answer_given_in_advance_is_told_its_owner(club: Club) -> None:
    """The report says what was answered in the owner's place."""
    begun(club)
    write(club, BOB, "blue", "guard never")
    write(club, ALICE, "red", "peek blue")
    club.work()
    assert "Answered, as you had ordered in advance: let" in club.last(BOB, "report").flat
    assert all("in advance: let" not in each.flat for each in club.mails(ALICE))


def test_a_queue_that_cannot_be_played_ends_and_its_owner_is_asked(club: Club) -> None:
    """Nothing of it is played in another order's place."""
    begun(club)
    write(club, BOB, "blue", "queue\nput 9 A1\npass\nend")
    write(club, ALICE, "red", f"{puts(club, 'red')[0]} A1")
    club.work()
    assert [seat for seat, _ in logged(club)] == ["red"]
    report = club.last(BOB, "report").flat
    assert "Your queue has ended, because this was impossible: put 9 A1." in report
    assert "Dropped with it: pass" in report.replace("… ", "")
    assert "It is your turn, blue" in report


def test_a_queue_in_ones_own_turn_is_played_at_once(club: Club) -> None:
    """The receipt tells what was played and what waits."""
    begun(club)
    first, second = puts(club, "red")
    write(club, ALICE, "red", f"queue {first} A1; {second} A2")
    receipt = club.last(ALICE, "receipt").flat
    assert f"as soon as it is your turn, {second} A2" in receipt
    assert "What happened: · Red put a pebble" in receipt
    assert logged(club) == [("red", f"{first} A1")]


def test_orders_behind_an_interruption_wait_and_are_played(club: Club) -> None:
    """What the letter held after the peek is played when blue has answered."""
    begun(club)
    line = f"{puts(club, 'red')[0]} A1"
    write(club, ALICE, "red", f"peek blue\n{line}")
    receipt = club.last(ALICE, "receipt").flat
    assert f"{line} — waits until its moment comes" in receipt
    assert f"· 1: when your turn goes on, {line}" in receipt
    assert "Your mail has been carried out." in receipt
    club.work()
    write(club, BOB, "blue", "let")
    club.work()
    assert logged(club) == [("red", "peek blue"), ("blue", "let"), ("red", line)]
    assert waiting(club) == []


def test_who_waits_in_vain_is_asked(club: Club) -> None:
    """Orders that became illegal while they waited are told and not guessed for."""
    begun(club)
    write(club, ALICE, "red", "peek blue\nput 9 A1\npass")
    club.work()
    club.mails(ALICE)
    write(club, BOB, "blue", "let")
    club.work()
    assert logged(club) == [("red", "peek blue"), ("blue", "let")]
    report = club.last(ALICE, "report").flat
    assert "This waited and has become impossible: put 9 A1." in report
    assert "Not played either: pass. Please order anew." in report.replace("… ", "")
    assert "It is your turn, red" in report


def test_a_policy_answers_for_its_seat(club: Club) -> None:
    """It stands in its owner's report until it can no longer apply, which he is told."""
    begun(club)
    write(club, BOB, "blue", "guard never")
    assert "· 1: guard never" in club.last(BOB, "receipt").text
    write(club, ALICE, "red", "peek blue")
    club.work()
    assert logged(club) == [("red", "peek blue"), ("blue", "let")]
    report = club.last(BOB, "report").flat
    assert "guard never has ended: nobody is left who could peek at you." in report
    assert waiting(club) == []


def test_an_order_and_its_policy_come_in_one_line(club: Club) -> None:
    """The line is played and stands; when barred its owner passes without being asked."""
    begun(club)
    write(club, BOB, "blue", "guard up to 3")
    write(club, ALICE, "red", "peek blue or pass")
    receipt = club.last(ALICE, "receipt").flat
    assert "peek blue or pass — accepted" in receipt
    assert "· 1: peek blue or pass" in receipt
    club.work()
    assert [order.split()[0] for _, order in logged(club)] == ["peek", "bar", "pass"]


def test_a_policy_takes_the_place_of_the_one_before(club: Club) -> None:
    """Only the last on a topic stands; its number is its own."""
    begun(club)
    write(club, BOB, "blue", "guard never")
    write(club, BOB, "blue", "guard up to 2")
    assert waiting(club) == [("blue", "policy", ("guard up to 2",))]
    assert "· 2: guard up to 2" in club.last(BOB, "receipt").text


def test_what_stands_already_is_not_kept_twice(club: Club) -> None:
    """Sending a queue again from worry leaves one."""
    begun(club)
    for _ in range(2):
        write(club, BOB, "blue", "queue pass")
    assert "already noted" in club.last(BOB, "receipt").text
    assert waiting(club) == [("blue", "queue", ("pass",))]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("cancel", []),
        ("streiche alle", []),
        ("cancel 2", [("blue", "policy", ("guard never",))]),
        ("cancel 1", [("blue", "queue", ("pass",))]),
        ("cancel 7", [("blue", "policy", ("guard never",)), ("blue", "queue", ("pass",))]),
    ],
)
def test_standing_orders_are_taken_back(club: Club, line: str, left: list[object]) -> None:
    """All or by the number shown; nobody else's are touched, and the receipt shows what stands."""
    begun(club)
    write(club, ALICE, "red", "guard never")
    write(club, BOB, "blue", "guard never\nqueue pass")
    write(club, BOB, "blue", line)
    assert waiting(club) == [("red", "policy", ("guard never",)), *left]
    expected = "nothing like that to take back" if line == "cancel 7" else "taken back"
    assert expected in club.last(BOB, "receipt").text


def test_in_advance_one_may_order_under_an_old_code(club: Club) -> None:
    """Orders need the code of the turn, what is for later any code of the seat."""
    report = begun(club)
    write(club, ALICE, "red", f"{puts(club, 'red')[0]} A1")
    club.work()
    club.answer(report, "queue pass", ALICE)
    assert waiting(club) == [("red", "queue", ("pass",))]
    club.answer(report, "pass", ALICE)
    assert "answers turn 1" in club.last(ALICE, "answer").text


def test_in_advance_one_may_not_order_for_another_seat(club: Club) -> None:
    """A code of somebody else's mail gives nothing."""
    report = begun(club)
    club.answer(report, "queue pass", BOB)
    assert waiting(club) == []
    assert "does not belong to you" in club.last(BOB, "answer").text


def test_without_a_code_nothing_is_ordered_in_advance(club: Club) -> None:
    """A fresh letter cannot be tied to a seat."""
    begun(club)
    club.put(letter(BOB, "queue pass"))
    assert "no reply code" in club.last(BOB, "answer").text
    assert waiting(club) == []


def test_with_a_refused_order_nothing_is_kept_for_later(club: Club) -> None:
    """A letter stands as a whole: the queue behind a refused order would be played too early."""
    begun(club)
    write(club, ALICE, "red", "put 9 A1\nqueue pass\nguard never")
    receipt = club.last(ALICE, "receipt").flat
    assert "queue pass — not played, because another line could not be accepted" in receipt
    assert (waiting(club), logged(club)) == ([], [])


@pytest.mark.parametrize(
    "line", ["guard up to twelve", "queue\nput 1 Z99\nend", "queue guard never"]
)
def test_what_cannot_be_read_is_told_even_out_of_turn(club: Club, line: str) -> None:
    """A typing error in a standing order is not answered with whose turn it is."""
    begun(club)
    write(club, BOB, "blue", line)
    assert "not understood" in club.last(BOB, "receipt").flat
    assert waiting(club) == []


def test_orders_out_of_turn_keep_nothing_and_name_the_queue(club: Club) -> None:
    """Who is not to act learns how to order in advance."""
    begun(club)
    write(club, BOB, "blue", "pass\nguard never")
    assert "write “queue” before it" in club.last(BOB, "answer").flat
    assert waiting(club) == []


def test_a_preview_keeps_nothing_for_later(club: Club) -> None:
    """What stands below `preview` is tried and neither played nor noted."""
    begun(club)
    write(club, ALICE, "red", "preview\nqueue pass")
    assert "Nothing was played" in club.last(ALICE, "answer").flat
    assert waiting(club) == []


def test_when_the_match_is_over_nothing_waits(club: Club) -> None:
    """What could still be ordered in advance ends with the match."""
    begun(club)
    write(club, ALICE, "red", "guard never\nqueue pass; pass")
    write(club, BOB, "blue", "pass")
    club.work()
    assert club.match("pebbles-1").state == "over"
    assert waiting(club) == []
    assert "“cancel”" not in club.last(ALICE, "report").text


def test_mails_do_not_tell_whether_a_standing_order_answered(
    club: Club, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Red's and green's mails are the same whether blue answered by letter or in advance."""
    other = open_club(tmp_path_factory.mktemp("other"))
    three = (*SEATS, f"green={CAROL}")
    for each in (club, other):
        begun(each, *three)
    write(other, BOB, "blue", "guard up to 3")
    line = f"{puts(club, 'red')[0]} A1"
    for each in (club, other):
        write(each, ALICE, "red", f"peek blue\n{line}")
    write(club, BOB, "blue", f"bar {puts(club, 'blue')[0].split()[1]}")
    for each in (club, other):
        each.work()
    assert logged(club) == logged(other)
    for address in (ALICE, CAROL):
        mails = [each.mails(address) for each in (club, other)]
        told = [[(mail.kind, mail.text, mail.html) for mail in found] for found in mails]
        files = [[mail.turn_file for mail in found] for found in mails]
        assert told[0] == told[1]
        assert files[0] == files[1]
        assert len(told[0]) >= 1
    other.desk.store.close()


def test_the_private_chain_holds_what_was_given_and_what_came_of_it(club: Club) -> None:
    """Each seat's entries hold together, and the board's chain knows nothing of them."""
    begun(club)
    write(club, BOB, "blue", "guard never")
    write(club, BOB, "blue", "queue pass")
    write(club, BOB, "blue", "cancel 2")
    write(club, ALICE, "red", "peek blue")
    club.work()
    with club.desk.reading() as change:
        row = club.match("pebbles-1")
        loaded = ledger.load_match(change, row)
        rows = matches.private_events(change.connection, row.id)
        chain = [private.PrivateEntry.from_document(json.loads(each.body)) for each in rows]
        board = [each.body for each in matches.events(change.connection, row.id)]
        assert {each.seat for each in chain} == {"blue"}
    private.check_chain(loaded.live, "blue", chain)
    kinds = ["given", "given", "cancelled", "played", "note"]
    assert [each.kind for each in chain] == kinds
    assert not any("guard" in each for each in board)


@pytest.mark.parametrize("language", ["en", "de"])
def test_help_lists_what_can_be_ordered_in_advance(club: Club, language: str) -> None:
    """Commands and the game's own standing orders stand in the help, in the reader's language."""
    report = begun(club)
    with club.desk.store.writing() as connection:
        alice = players.by_address(connection, ALICE)
        assert alice is not None
        players.update_player(connection, alice.id, language=language)
    club.answer(report, "help", ALICE)
    text = club.last(ALICE, "answer").flat
    words = {
        "en": ("queue", "cancel 2", "guard up to 2"),
        "de": ("einreihen", "streiche 2", "hüte"),
    }
    assert all(f"· {word}" in text for word in words[language])


@pytest.mark.parametrize(
    ("lines", "given", "rest"),
    [
        (("queue put 1 A1; put 2 A2",), 2, 0),
        (("einreihen lege 1 A1",), 1, 0),
        (("queue", "put 1 A1", "put 2 A2", "end", "pass"), 2, 1),
        (("queue", "put 1 A1", "Yours, Bob", "pass"), 1, 2),
        (("queue", "put 1 A1", "help", "pass"), 1, 2),
        (("1. queue put 1 A1",), 1, 0),
        (("please queue:", "put 1 A-1", "please put 2 A2 :-)", "end"), 2, 0),
        (("queue, please", "put 1 A1, then put 2 A2", "fine weather"), 2, 1),
        (("queue put 1 A 1; then put 2 A2",), 2, 0),
    ],
)
def test_a_queue_takes_its_own_lines(lines: tuple[str, ...], given: int, rest: int) -> None:
    """Semicolons part orders on one line; a block ends with `end` or with what is no order."""
    understood = understand(Said("text", lines=tuple(map(WrittenLine, lines))), Tongue(GAME, "en"))
    first, *others = understood.lines
    assert isinstance(first.given, Queue)
    assert (len(first.given.entries), len(others)) == (given, rest)


@pytest.mark.parametrize(
    "line",
    ["queue the music, please", "cancel my subscription", "Queue", "guard my secret well please"],
)
def test_talk_of_queues_is_talk(line: str) -> None:
    """A sentence that begins with a keyword orders nothing."""
    assert understand(Said("text", lines=(WrittenLine(line),)), Tongue(GAME, "en")).lines[0].is_talk


def test_cancel_names_numbers() -> None:
    understood = understand(Said("text", lines=(WrittenLine("cancel 2, 3"),)), Tongue(GAME, "en"))
    assert understood.given == (Cancel((2, 3)),)


@pytest.mark.parametrize(
    ("language", "said", "hint"),
    [
        ("en", "You have no orders held or in advance now", "To order something in advance, write"),
        (
            "de",
            "Du hast jetzt keine Befehle, die zurückgehalten werden",
            "schreib „einreihen“ davor",
        ),
    ],
)
def test_taking_back_what_is_not_there_says_that_there_is_none(
    club: Club, language: str, said: str, hint: str
) -> None:
    """Nothing is announced below, and who is not to act is told how to order in advance."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(BOB)
    club.answer(report, f"set language {language}", BOB)
    club.answer(report, "cancel 7", BOB)
    assert said in club.last(BOB, "receipt").flat
    club.answer(report, "pass", BOB)
    answer = club.last(BOB, "answer").flat
    assert hint in answer
    assert "Answer this mail: write your orders" not in answer
