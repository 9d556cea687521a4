"""How much a seat may say for later, for itself and to others, and that it costs nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.club import ALICE, BOB, CAROL, Club, Mail, letter, open_club
from support.cost import statements

from referee.desk.letters.commands.message import MOST_NOTES_A_DAY
from referee.desk.letters.understand import understand
from referee.desk.letters.words import advance
from referee.desk.letters.words.keywords import MOST_COMMANDS
from referee.desk.letters.words.phrases import Tongue
from referee.desk.letters.words.places import Said
from referee.desk.matches import ledger, standing_orders
from referee.desk.matches.standing_orders import MOST_A_DAY, MOST_QUEUED, MOST_WAITING, Queue
from referee.games import registry
from referee.mail.incoming import marks
from referee.mail.incoming.lines import WrittenLine
from referee.matches import private
from referee.matches.standing_orders import StandingOrder
from referee.store.people import players

SEATS = (f"red={ALICE}", f"blue={BOB}", f"green={CAROL}")
NAME = "pebbles-1"


def begun(club: Club) -> Mail:
    """Begin a match of three and return red's first report."""
    club.new_match("pebbles", *SEATS)
    club.work()
    return club.last(ALICE, "report")


def write(club: Club, address: str, seat: str, text: str) -> None:
    """Send a letter of a seat with its code of now."""
    row = club.match(NAME)
    top, _, bottom = marks.box_lines(row.name, row.turn, seat, club.code(NAME, seat), "en", "")
    club.put(letter(address, f"{top}\n{text}\n{bottom}", number=club.uid))


def receipt(club: Club, address: str) -> str:
    """Return the last answer or receipt on one line."""
    return club.mails(address)[-1].flat


def waiting(club: Club, seat: str) -> list[StandingOrder]:
    """Return what a seat has waiting."""
    with club.desk.reading() as change:
        loaded = ledger.load_match(change, club.match(NAME))
        return standing_orders.kept_standing_orders(change.connection, loaded, seat)


def different(count: int, first: int = 0) -> list[str]:
    """Return so many queues of one order each, no two the same."""
    every = [f"put {weight} {row}{cell}" for weight in range(1, 10) for row in "ABC"
             for cell in range(1, 6)]  # fmt: skip
    return [f"queue {order}" for order in every[first : first + count]]


def by_letters(club: Club, lines: list[str]) -> None:
    """Send green's lines, as many in a letter as are carried out."""
    for start in range(0, len(lines), MOST_COMMANDS):
        write(club, CAROL, "green", "\n".join(lines[start : start + MOST_COMMANDS]))


def test_orders_in_advance_count_as_commands(club: Club) -> None:
    """Of a letter so many are kept; the receipt names the bound at each one beyond it."""
    begun(club)
    write(club, CAROL, "green", "\n".join(different(MOST_COMMANDS + 1)))
    assert len(waiting(club, "green")) == MOST_COMMANDS
    said = receipt(club, CAROL)
    assert said.count("not noted: a mail can have 20 commands") == 1
    write(club, CAROL, "green", "\n".join(["help", *different(MOST_COMMANDS, MOST_COMMANDS)]))
    assert len(waiting(club, "green")) == 2 * MOST_COMMANDS - 1


def test_orders_in_advance_of_several_places_count_together(club: Club) -> None:
    """A second box of the letter has no room of its own."""
    club.new_match("pebbles", f"red={CAROL}", f"blue={BOB}")
    begun_again = club.new_match("pebbles", f"red={CAROL}", f"blue={BOB}").name
    club.work()
    boxes = []
    for name in (NAME, begun_again):
        top, _, bottom = marks.box_lines(name, 1, "red", club.code(name, "red"), "en", "")
        boxes += [top, *["queue pass; pass", "guard up to 3"][: 2 if name == NAME else 1]]
        boxes += ["cancel 9"] * (MOST_COMMANDS - 2 if name == NAME else 0) + [bottom]
    club.put(letter(CAROL, "\n".join(boxes), number=1))
    said = " ".join(each.flat for each in club.mails(CAROL))
    assert said.count("not noted: a mail can have 20 commands") == 1


def test_so_many_orders_in_advance_wait_at_once(club: Club) -> None:
    """The next one is refused with what to do, in either language; taking one back makes room."""
    begun(club)
    by_letters(club, different(MOST_WAITING))
    club.mails(CAROL)
    (more,) = different(1, MOST_WAITING)
    write(club, CAROL, "green", more)
    assert len(waiting(club, "green")) == MOST_WAITING
    assert f"at most {MOST_WAITING} of your orders in advance can wait" in receipt(club, CAROL)
    with club.desk.store.writing() as connection:
        carol = players.by_address(connection, CAROL)
        assert carol is not None
        players.update_player(connection, carol.id, language="de")
    write(club, CAROL, "green", more)
    assert "können höchstens 40 Befehle von dir im Voraus gelten" in receipt(club, CAROL)
    write(club, CAROL, "green", f"cancel 1\n{more}")
    assert [each.number for each in waiting(club, "green")] == [*range(2, MOST_WAITING + 2)]


def test_a_policy_in_the_place_of_another_needs_no_room(club: Club) -> None:
    """Who has all that may wait can still change what stands."""
    begun(club)
    by_letters(club, ["guard never", *different(MOST_WAITING - 1)])
    write(club, CAROL, "green", "guard up to 2")
    assert waiting(club, "green")[-1].lines == ("guard up to 2",)
    assert len(waiting(club, "green")) == MOST_WAITING


def test_queues_together_hold_so_many_orders(club: Club) -> None:
    """Two long queues are one too long."""
    begun(club)
    write(club, CAROL, "green", "queue " + "; ".join(["pass"] * (MOST_QUEUED - 1)))
    write(club, CAROL, "green", "queue pass; pass")
    assert len(waiting(club, "green")) == 1
    assert f"at most {MOST_QUEUED} orders of yours can wait in queues" in receipt(club, CAROL)
    write(club, CAROL, "green", "queue pass")
    assert len(waiting(club, "green")) == 2


def test_a_day_has_room_for_so_many_orders_in_advance(club: Club) -> None:
    """Even if each is taken back at once; what comes with an order played now is no matter."""
    begun(club)
    for _ in range(MOST_A_DAY // 2):
        write(club, CAROL, "green", "guard never\nguard up to 2")
    write(club, CAROL, "green", "guard up to 3")
    assert f"{MOST_A_DAY} things in advance a day" in receipt(club, CAROL)
    assert waiting(club, "green")[-1].lines == ("guard up to 2",)
    club.later(days=1, seconds=1)
    write(club, CAROL, "green", "guard up to 3")
    assert waiting(club, "green")[-1].lines == ("guard up to 3",)


@pytest.mark.parametrize(
    "line", ["place B1 B2", "place B1, B2", "place B1 and B2", "place B1; place B2; thanks"]
)
def test_spaces_in_a_row_are_orders_in_a_row(line: str) -> None:
    """Where an order takes one space, and "and" says nothing."""
    game = registry.find_installed("origo")
    heard = understand(Said("box", lines=(WrittenLine(f"queue {line}"),)), Tongue(game, "en"))
    (queue,) = heard.given
    assert isinstance(queue, Queue)
    assert [game.format(each.order, "en") for each in queue.entries] == ["place B1", "place B2"]


def test_a_queue_is_not_read_beyond_what_it_may_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much stands behind the word, whether it can be read or not."""
    game, count = registry.find_installed("pebbles", 2), 0

    def counting(*given: Any) -> Any:
        nonlocal count
        count += 1
        return read(*given)

    read = advance.read_line
    monkeypatch.setattr(advance, "read_line", counting)
    for line in ("pass", "nonsense"):
        lines = ("queue", *(["; ".join([line] * 100)] * 150), "end")
        heard = understand(Said("box", lines=tuple(map(WrittenLine, lines))), Tongue(game, "en"))
        assert heard.unreadable
        assert len(heard.lines) <= 20
    assert count < 5 * MOST_QUEUED


def test_a_seat_may_write_so_many_notes_a_day(club: Club) -> None:
    """The next one is refused, and so is taking them away; tomorrow there is room again."""
    begun(club)
    for number in range(MOST_NOTES_A_DAY):
        write(club, CAROL, "green", f"note number {number}")
    club.mails(CAROL)
    for line in ("note one more", "note clear"):
        write(club, CAROL, "green", line)
        assert f"can write or clear {MOST_NOTES_A_DAY} notes a day" in receipt(club, CAROL)
    club.later(days=1, seconds=1)
    write(club, CAROL, "green", "note one more")
    assert "Noted." in receipt(club, CAROL)


def report_after(club: Club, *lines: str) -> str:
    """Let red write lines and pass, and blue pass; return red's next report."""
    begun(club)
    for line in lines:
        write(club, ALICE, "red", line)
    write(club, ALICE, "red", "pass")
    club.work()
    write(club, BOB, "blue", "pass")
    club.work()
    return club.last(ALICE, "report").text


def test_notes_shown_are_the_latest_of_their_writer(club: Club) -> None:
    """Twenty of them."""
    text = report_after(club, *(f"note new {number}" for number in range(22)))
    shown = [int(line.rpartition(" ")[2]) for line in text.splitlines() if "new " in line]
    assert shown == [*range(2, 22)]


def test_notes_from_before_they_were_taken_away_are_shown_no_more(club: Club) -> None:
    """However few were written since."""
    text = report_after(club, "note ancient", "note clear", *(f"note new {n}" for n in range(3)))
    assert [f"new {n}" in text for n in range(3)] == [True] * 3
    assert "ancient" not in text


def _everything(club: Club) -> None:
    """Let green order, take back, note and write as much as it may on two days."""
    for _ in range(2):
        by_letters(club, ["guard never", "guard up to 2"] * ((MOST_A_DAY - MOST_WAITING) // 2))
        write(club, CAROL, "green", "cancel")
        by_letters(club, different(MOST_WAITING))
        for number in range(MOST_NOTES_A_DAY):
            write(club, CAROL, "green", f"note number {number}")
            write(club, CAROL, "green", f"message blue: number {number}")
        club.later(days=1, seconds=1)
    club.mails(CAROL)
    club.mails(BOB)


def test_what_one_seat_ordered_in_advance_costs_another_nothing(
    club: Club, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Red's order asks the database the same, and loads as few entries, beside a full green."""
    other = open_club(tmp_path_factory.mktemp("other"))
    load: Callable[..., private.PrivateEntry] = private.PrivateEntry.from_document
    loaded: list[object] = []

    def loading(document: Any) -> private.PrivateEntry:
        loaded.append(document)
        return load(document)

    costs = []
    for each, full in ((club, True), (other, False)):
        begun(each)
        if full:
            _everything(each)
        each.mails(ALICE)
        monkeypatch.setattr(private.PrivateEntry, "from_document", staticmethod(loading))
        loaded.clear()
        with statements() as asked:
            write(each, ALICE, "red", "pass")
            each.work()
        monkeypatch.undo()
        costs.append((len(asked), len(loaded)))
    (full_asked, full_loaded), (asked_only, loaded_only) = costs
    assert full_asked <= asked_only + 25
    assert full_loaded <= loaded_only + 60
    other.desk.store.close()


def test_the_word_before_a_queue_is_of_its_readers_language(club: Club) -> None:
    """A queue written in English is worded in German throughout for a German reader."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.put(letter(BOB, "set language de"))
    club.answer(club.last(BOB, "answer"), "yes", BOB)
    club.work()
    club.answer(club.last(BOB, "report"), "queue pass; pass", BOB)
    assert "· einreihen passe; passe" in club.last(BOB, "receipt").flat


def test_a_long_queue_is_told_whole(club: Club) -> None:
    """Where it is noted, where it waits, and where it is taken back."""
    begun(club)
    orders = [each.removeprefix("queue ") for each in different(36)]
    queue = "; ".join(orders)
    assert len(queue) > 350
    write(club, CAROL, "green", f"queue {queue}")
    told = receipt(club, CAROL)
    assert f"queue {queue} — noted" in told
    assert f"it is your turn, {queue} Nobody" in told.replace("… ", "")
    write(club, CAROL, "green", "cancel 1")
    assert f"taken back: {queue}" in receipt(club, CAROL)


def test_a_queue_is_taken_back_by_a_line_below_it(club: Club) -> None:
    """Lines are carried out in their sequence, and the receipt names what was taken back."""
    begun(club)
    write(club, BOB, "blue", "queue pass")
    write(club, BOB, "blue", "queue peek red\ncancel 2")
    told = receipt(club, BOB)
    assert "· queue peek red — noted for later" in told
    assert "· cancel 2 — taken back: peek red" in told
    assert [each.lines for each in waiting(club, "blue")] == [("pass",)]


@pytest.mark.parametrize(
    ("game", "space", "reason"),
    [
        ("nord", "Z9", "There is no space Z9 on this map."),
        ("origo", "Z9", "There is no square Z9 on this board"),
    ],
)
def test_an_order_in_advance_that_names_no_space_is_refused_at_once(
    club: Club, game: str, space: str, reason: str
) -> None:
    """It would wait in vain, whoever is to act; one that is merely not legal now is noted."""
    club.new_match(game, f"red={ALICE}", f"blue={BOB}")
    club.work()
    row = club.match(f"{game}-1")
    acting, other = (ALICE, BOB) if row.to_act == "red" else (BOB, ALICE)
    for who in (other, acting):
        report = club.last(who, "report")
        club.answer(report, f"queue place {space}", who)
        told = receipt(club, who)
        assert "none of your orders was carried out" in told
        assert f"queue place {space} — refused: {reason}" in told
    assert "You could write:" in told
    assert "noted" not in told
    club.answer(report, "queue done" if game == "origo" else "queue score", acting)
    with club.desk.reading() as change:
        rows = change.connection.exec_driver_sql("SELECT text, state FROM standing_orders").all()
    assert len(rows) == 1
