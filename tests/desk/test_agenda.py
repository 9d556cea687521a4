"""Steps of many matches and letters take turns: nobody waits until somebody else's match rests."""

from __future__ import annotations

from support.club import ALICE, BOB, REFEREE, Club, letter

from referee.desk import agenda
from referee.desk.letters import queue
from referee.desk.matches import ledger
from referee.mail.incoming import marks
from referee.store.play import matches
from referee.store.post import letters
from referee.store.tables.post import LetterRow

BOTS = ("blue=bot:random", "green=bot:random")


def box(club: Club, name: str, seat: str, text: str) -> str:
    """Return an order box of a seat with its code of now."""
    top, _, bottom = marks.box_lines(name, club.match(name).turn, seat, club.code(name, seat), "en",
                                     "")  # fmt: skip
    return f"{top}\n{text}\n{bottom}"


def put(club: Club, name: str) -> str:
    """Return an order that red can give now."""
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(name)).live
    return f"put {live.position.hand('red')[0]} A1"


def arrive(club: Club, address: str, text: str) -> int:
    """Let a letter wait in the store, unread; return its id."""
    club.uid += 1
    raw = letter(address, text, number=club.uid)
    with club.desk.store.writing() as connection:
        row = letters.keep_letter(
            connection, folder="INBOX", uidvalidity=1, uid=club.uid, arrived=club.desk.now(),
            size=len(raw), truncated=False, raw=raw, mailbox=REFEREE, now=club.desk.now(),
        )  # fmt: skip
    assert row is not None
    return row.id


def due(club: Club) -> int:
    """Count the matches that something is due in."""
    with club.desk.store.reading() as connection:
        return len(matches.needing_attention(connection, club.desk.now()))


def test_the_agenda_gives_way_when_its_time_is_over(club: Club) -> None:
    """One step is done whatever the time, the rest the next time; in the end all of it."""
    for _ in range(3):
        club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    assert agenda.do_due_steps(club.desk, seconds=0) == 1
    assert agenda.has_due_step(club.desk)
    steps = 1
    while done := agenda.do_due_steps(club.desk, seconds=0):
        assert done == 1
        steps += 1
    assert steps == 3
    assert not agenda.has_due_step(club.desk)
    assert len([each for each in club.mails(ALICE) if each.kind == "report"]) == 3


def row_of(club: Club, which: int) -> LetterRow:
    """Return a letter as it is kept."""
    with club.desk.store.reading() as connection:
        return letters.get_letter(connection, which)


def test_a_letter_brings_the_matches_of_its_sender_to_rest_and_no_others(club: Club) -> None:
    """Whoever wrote has the answers of bots and a report; another's match goes on by itself."""
    mine = club.new_match("pebbles", f"red={ALICE}", *BOTS).name
    club.work()
    club.mails(ALICE)
    club.new_match("pebbles", f"red={BOB}", *BOTS)
    which = arrive(club, ALICE, box(club, mine, "red", put(club, mine)))
    queue.handle_waiting(club.desk)
    assert due(club) == 2
    agenda.follow_sender(club.desk, row_of(club, which))
    assert due(club) == 1
    assert club.match(mine).to_act == "red"
    assert [each.kind for each in club.mails(ALICE)] == ["report"]
    assert all(each.kind != "report" for each in club.mails(BOB))


def test_letters_that_come_together_are_judged_as_if_one_by_one(club: Club) -> None:
    """The second order of a match finds it at rest, whatever is due in the matches of others."""
    name = club.new_match("pebbles", f"red={ALICE}", *BOTS).name
    club.work()
    club.new_match("pebbles", f"red={BOB}", *BOTS)
    arrive(club, ALICE, box(club, name, "red", put(club, name)))
    arrive(club, ALICE, box(club, name, "red", "pass"))
    queue.handle_waiting(club.desk, lambda which: agenda.follow_sender(club.desk, which))
    assert club.match(name).turn > 1
    assert "answers turn 1" in club.last(ALICE, "answer").text


def test_letters_of_nobody_known_have_nothing_to_follow(club: Club) -> None:
    """What a stranger writes moves no match."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    which = arrive(club, "stranger@example.test", "help")
    queue.handle_waiting(club.desk, lambda each: agenda.follow_sender(club.desk, each))
    agenda.follow_sender(club.desk, row_of(club, which))
    assert due(club) == 1
