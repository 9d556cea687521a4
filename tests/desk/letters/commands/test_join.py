"""Open matches: who joins, who leaves, and when they begin."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from support.club import ALICE, BOB, CAROL, Club, letter

from referee.desk import names
from referee.desk.seats.vacancies import Seating
from referee.store.people import players
from referee.store.play import matches
from referee.store.tables.play import SeatRow


@pytest.fixture
def house(club: Club) -> Club:
    """Return a club that is open to strangers."""
    club.settle(open=True)
    return club


def known(club: Club, *addresses: str) -> None:
    """Make players of some addresses."""
    with club.desk.store.writing() as connection:
        for each in addresses:
            players.insert_player(
                connection, name=each.partition("@")[0], language="en", zone="UTC", address=each,
                now=club.desk.now(),
            )  # fmt: skip


def opened(club: Club, *seats: str, **more: Any) -> str:
    """Open a match of pebbles; its name."""
    seats = seats or ("red=open", "blue=open")
    return club.new_match("pebbles", *seats, begins=False, **more).name


def seats(club: Club, name: str = "pebbles-1") -> list[SeatRow]:
    """Return the seats of a match."""
    with club.desk.store.reading() as connection:
        row = matches.find_match(connection, name)
        assert row is not None
        return list(matches.seats(connection, row.id))


def holders(club: Club, name: str = "pebbles-1") -> list[str]:
    """Return who sits on the seats of a match."""
    found = []
    with club.desk.store.reading() as connection:
        for each in seats(club, name):
            who = players.find_player(connection, each.player_id) if each.player_id else None
            found.append(who.name if who else each.bot or "-")
    return found


def told(club: Club, who: str) -> str:
    """Return what somebody was answered last, on one line."""
    return club.last(who, "answer").flat


def joins(club: Club, who: str, text: str = "join", answer: str = "yes") -> None:
    """Let a player join: he asks, and answers what he is asked."""
    club.put(letter(who, text, number=club.uid))
    club.answer(club.last(who, "answer"), answer, who)


def test_a_player_joins_with_a_yes_to_the_terms(club: Club) -> None:
    """He is shown the commitment first; his yes seats him, and the last one begins the match."""
    known(club, ALICE, BOB)
    name = opened(club)
    club.put(letter(ALICE, f"join {name} blue"))
    asked = club.last(ALICE, "answer")
    assert club.match(name).commitment in asked.text
    assert asked.message["Subject"] == f"[{name}] Take a seat in a match of Pebbles?"
    assert "You get blue." in asked.text
    assert holders(club) == ["-", "-"]
    club.answer(asked, "yes", ALICE)
    assert holders(club) == ["-", "alice"]
    assert "You play blue" in club.last(ALICE, "invitation").text
    joins(club, BOB)
    assert holders(club) == ["bob", "alice"]
    assert club.match(name).state == "running"
    club.work()
    assert club.last(BOB, "report")


def test_words_for_chance_come_after_the_commitment(club: Club) -> None:
    """With the yes or later, until the match begins; those of the last one too."""
    known(club, ALICE, BOB)
    name = opened(club)
    joins(club, ALICE)
    club.answer(club.last(ALICE, "invitation"), "luck seven swans", ALICE)
    joins(club, BOB, answer="luck nine geese\nyes")
    row = club.match(name)
    assert row.state == "running"
    assert "seven swans" in row.words.values()
    assert "nine geese" in row.words.values()


@pytest.mark.parametrize("stranger", [False, True])
def test_whoever_joins_with_a_hash_is_asked_for_words_first(house: Club, stranger: bool) -> None:
    """That yes takes no seat, as the match might begin with it; a stranger's neither."""
    name = opened(house, "red=open", "blue=bot:random")
    if not stranger:
        known(house, ALICE)
    house.put(letter(ALICE, "join"))
    asked = house.last(ALICE)
    house.answer(asked, f"yes\nluck sha256:{'ab' * 32}", ALICE)
    again = house.last(ALICE)
    assert "They are given in the clear" in again.flat
    assert holders(house) == ["-", "random"]
    assert (house.match(name).commitment in again.text) == stranger
    house.answer(again if stranger else asked, "yes\nluck seven swans", ALICE)
    row = house.match(name)
    assert (row.state, row.words) == ("running", {"red": "seven swans"})


def test_a_join_without_a_yes_does_nothing(club: Club) -> None:
    """Neither a forged one, which its supposed sender hears of, nor one declined or too late."""
    known(club, ALICE)
    opened(club)
    club.put(letter(ALICE, "join"))
    asked = club.last(ALICE, "answer")
    club.answer(asked, "no", ALICE)
    assert "as you wish" in told(club, ALICE)
    club.answer(asked, "yes", ALICE, Subject2="again")
    assert "answered already" in told(club, ALICE)
    club.put(letter(ALICE, "join", number=9))
    asked = club.last(ALICE, "answer")
    club.later(days=8)
    club.answer(asked, "yes", ALICE)
    assert "too long ago" in told(club, ALICE)
    assert holders(club) == ["-", "-"]


@pytest.mark.parametrize("stranger", [False, True])
def test_a_yes_to_a_join_counts_by_its_arrival(house: Club, stranger: bool) -> None:
    """It came in time and was read late; a stranger's and a player's alike."""
    opened(house)
    if not stranger:
        known(house, ALICE)
    house.put(letter(ALICE, "join"))
    question = house.last(ALICE).message["Message-ID"]
    house.later(days=8)
    in_time = house.desk.now() - timedelta(days=2)
    house.put(letter(ALICE, "yes", answers=question), arrived=in_time)
    assert "alice" in holders(house)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("join pebbles-9", "pebbles-9 is no match that you can join now"),
        ("join chess", "chess is no match that you can join now. Open are: pebbles-1"),
        ("join pebbles-1 mauve", "“mauve” is no free seat of pebbles-1. Free are: blue"),
        ("join pebbles red", "“red” is no free seat of pebbles-1"),
    ],
)
def test_what_cannot_be_joined_is_said(club: Club, text: str, said: str) -> None:
    """With what could be."""
    known(club, ALICE, BOB)
    opened(club, f"red={ALICE}", "blue=open")
    club.put(letter(BOB, text))
    assert said in told(club, BOB)


def test_nobody_sits_twice(club: Club) -> None:
    """Who sits in a match cannot join it; he joins another."""
    known(club, ALICE)
    opened(club, f"red={ALICE}", "blue=open")
    club.put(letter(ALICE, "join pebbles-1"))
    assert "you have a seat in pebbles-1" in told(club, ALICE)
    opened(club)
    joins(club, ALICE, "join pebbles", "ja")
    assert holders(club, "pebbles-2")[0] == "alice"


def test_who_is_invited_to_an_open_match_agrees_himself(club: Club) -> None:
    """It begins when it is full and everybody has agreed, whatever comes last."""
    known(club, ALICE, BOB)
    name = opened(club, f"red={ALICE}", "blue=open")
    joins(club, BOB)
    assert club.match(name).state == "invited"
    club.answer(club.last(ALICE, "invitation"), "agree", ALICE)
    assert club.match(name).state == "running"
    name = opened(club, f"red={ALICE}", "blue=open")
    club.answer(club.last(ALICE, "invitation"), "agree", ALICE)
    assert club.match(name).state == "invited"
    joins(club, BOB)
    assert club.match(name).state == "running"


def test_who_has_joined_need_do_nothing_and_all_wait_until_it_is_full(club: Club) -> None:
    """What gives the seat back is no answer asked for; whoever is invited reads what is awaited."""
    known(club, ALICE, BOB)
    opened(club, f"red={ALICE}", "blue=open", "green=open")
    joins(club, BOB)
    joined, invited = (club.last(who, "invitation").flat for who in (BOB, ALICE))
    to_leave = "You need do nothing now. To give the seat back before the match begins, answer:"
    assert f"{to_leave} · leave" in joined
    assert "Answer with one of these lines: · agree" in invited
    for mail in (joined, invited):
        assert "still free" in mail
        assert "The match begins when it has all its players." in mail
        assert "when everybody has agreed." not in mail.partition("SHA-256")[0]


@pytest.mark.parametrize("word", ["leave", "decline"])
def test_a_seat_is_given_back_before_the_match_begins(club: Club, word: str) -> None:
    """With the words given for chance; another takes it, and the old code is worth nothing."""
    known(club, ALICE, BOB, CAROL)
    name = opened(club)
    joins(club, ALICE, answer="yes\nluck mine")
    invited = club.last(ALICE, "invitation")
    club.answer(invited, word, ALICE)
    assert holders(club) == ["-", "-"]
    assert "mine" not in club.match(name).words.values()
    joins(club, BOB)
    club.answer(invited, "luck still mine", ALICE)
    assert "mine" not in club.match(name).words.values()
    joins(club, CAROL)
    assert club.match(name).state == "running"
    club.answer(club.last(CAROL, "invitation"), "leave", CAROL)
    assert "has begun" in told(club, CAROL)


def test_below_the_line_that_gives_a_seat_back_nothing_is_done_for_it(club: Club) -> None:
    """Words for chance would be the next player's."""
    known(club, ALICE)
    name = opened(club)
    joins(club, ALICE)
    club.answer(club.last(ALICE, "invitation"), "decline\nluck mine", ALICE)
    assert holders(club) == ["-", "-"]
    assert "mine" not in club.match(name).words.values()


def test_drawn_seats_cannot_be_chosen_nor_drawn_anew(club: Club) -> None:
    """Leaving and joining again brings the same seat; of many players not all get the first."""
    first = set()
    for number in range(8):
        name = opened(club, seating=Seating(drawn=True))
        who = f"p{number}@example.test"
        known(club, who)
        club.put(letter(who, f"join {name} red"))
        assert "drawn by lot" in told(club, who)
        joins(club, who, f"join {name}")
        before = holders(club, name)
        club.answer(club.last(who, "invitation"), "leave", who)
        joins(club, who, f"join {name}")
        assert holders(club, name) == before
        first.add(before.index(f"p{number}"))
    assert first == {0, 1}


def test_bots_fill_what_players_leave(club: Club) -> None:
    """With as many players as were asked for it begins, bots on the other seats."""
    known(club, ALICE, BOB)
    three = ("red=open", "blue=open", "green=open")
    name = opened(club, *three, seating=Seating(players=1, fill="random"))
    joins(club, ALICE)
    assert holders(club, name) == ["alice", "random", "random"]
    assert club.match(name).state == "running"


def test_a_stranger_becomes_a_player_by_his_answer(house: Club) -> None:
    """The answer to the fixed mail confirms his address and seats him in what was shown there."""
    name = opened(house)
    house.put(letter(ALICE, f"join {name} blue"))
    fixed = house.last(ALICE, "answer")
    assert house.match(name).commitment in fixed.text
    verdict = house.answer(fixed, "yes\nluck seven swans", ALICE)
    assert verdict.state == "handled"
    assert holders(house) == ["-", "alice"]
    assert "seven swans" in house.match(name).words.values()
    assert {each.kind for each in house.mails(ALICE)} == {"invitation"}
    house.put(letter(BOB, "help"))
    house.answer(house.last(BOB), f"join {name}", BOB)
    assert house.match(name).state == "running"


@pytest.mark.parametrize(
    "text", ["Yes, join pebbles-1 as red", "yes please\njoin pebbles-1", "Sure, I'm in!"]
)
def test_a_newcomers_yes_may_be_a_sentence(house: Club, text: str) -> None:
    """The code in it shows that the address is theirs, as one word would."""
    name = opened(house)
    house.put(letter(ALICE, f"join {name}"))
    house.answer(house.last(ALICE), text, ALICE)
    assert "alice" in holders(house)


@pytest.mark.parametrize(
    "text",
    [
        "I do not want to join pebbles-1",
        "Please do not join pebbles-1",
        "Ich will nicht mitspielen pebbles-1",
        "How do I join pebbles-1",
        "No, join pebbles-1 without me",
    ],
)
def test_a_sentence_about_joining_makes_nobody_a_player(house: Club, text: str) -> None:
    """Only a yes stands before the joining on its line."""
    name = opened(house)
    house.put(letter(ALICE, f"join {name}"))
    house.answer(house.last(ALICE), text, ALICE)
    assert holders(house) == ["-", "-"]


def test_a_stranger_in_german(house: Club) -> None:
    """Who writes German is answered in German, and becomes a player who reads it."""
    name = opened(house)
    house.put(letter(ALICE, "mitspielen"))
    fixed = house.last(ALICE)
    assert "Offene Partien" in fixed.text
    house.answer(fixed, f"ja\nmitspielen {name} als Blau", ALICE)
    assert holders(house) == ["-", "alice"]
    assert "Du spielst Blau" in house.last(ALICE, "invitation").text


def test_a_match_opened_later_is_shown_first(house: Club) -> None:
    """Nobody joins what he was not mailed the commitment of."""
    house.put(letter(ALICE, "help"))
    fixed = house.last(ALICE)
    assert "No match is open" in fixed.text
    name = opened(house)
    house.answer(fixed, "yes\njoin\nluck too early", ALICE)
    assert holders(house) == ["-", "-"]
    asked = house.last(ALICE, "answer")
    assert house.match(name).commitment in asked.text
    house.answer(asked, "yes", ALICE)
    assert "alice" in holders(house)


def test_only_the_address_that_was_asked_can_answer(house: Club) -> None:
    """Another stranger with the code, a robot, and an answer that comes too late do nothing."""
    opened(house)
    house.put(letter(ALICE, "join"))
    fixed = house.last(ALICE)
    house.answer(fixed, "yes", BOB)
    house.answer(fixed, "yes", ALICE, Auto_Submitted="auto-replied")
    assert holders(house) == ["-", "-"]
    house.later(days=8)
    assert house.answer(fixed, "yes", ALICE).state == "ignored"
    with house.desk.store.reading() as connection:
        assert players.all_players(connection) == ()
    assert house.mails(BOB) == []


def test_the_address_that_is_answered_bears_the_code_where_that_works(house: Club) -> None:
    """A yes counts from a mail program that names neither the mail it answers nor quotes it."""
    house.settle(plus_addressing=True)
    name = opened(house)
    house.put(letter(ALICE, f"join {name}"))
    answered = house.last(ALICE).message["Reply-To"]
    house.put(letter(ALICE, "yes", number=1, Cc=str(answered)))
    assert "alice" in holders(house)


def test_a_closed_referee_is_silent_to_strangers_and_open_to_players(club: Club) -> None:
    known(club, ALICE)
    opened(club)
    club.put(letter(BOB, "join"))
    assert club.mails(BOB) == []
    joins(club, ALICE)
    assert holders(club) == ["alice", "-"]


def test_when_the_house_is_closed_nobody_new_gets_further(house: Club) -> None:
    """Who was asked while it was open, and answers after that, becomes no player."""
    opened(house)
    house.put(letter(ALICE, "join"))
    fixed = house.last(ALICE)
    house.settle(open=False)
    assert house.answer(fixed, "yes", ALICE).state == "ignored"
    assert holders(house) == ["-", "-"]
    assert house.mails(ALICE) == []


def test_a_newcomer_gets_a_name_that_is_nobody_elses(house: Club) -> None:
    """Who would be called as somebody is, however it is written, bears a number."""
    known(house, ALICE)
    opened(house)
    for number, address in enumerate(["Alice@elsewhere.test", "alice@third.test"]):
        house.put(letter(address, "join", number=60 + number))
        house.answer(house.last(address.lower()), "yes", address)
    with house.desk.store.reading() as connection:
        called = [each.name for each in players.all_players(connection)]
        assert names.is_taken(connection, "ＡＬＩＣＥ")
    assert sorted(called) == ["alice", "alice 2", "alice 3"]
