"""Words for chance that nobody can answer to: promised by hash, asked for, told or forfeited."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from support.club import Club

from referee.desk import desk, health
from referee.desk.archive.record import record_bytes
from referee.desk.matches import ledger
from referee.desk.plans.apply import apply_act
from referee.desk.plans.end import End
from referee.desk.plans.seat import HandOver
from referee.desk.players import parse_holder
from referee.desk.seats import setup, vacancies
from referee.desk.seats.setup import TELLING, MatchSetup, read_options
from referee.desk.service import chores
from referee.games import registry
from referee.games.game import AnyGame
from referee.matches import croupier
from referee.matches.croupier import draw_outcome
from referee.matches.luck import Luck, hash_of_words
from referee.matches.record import verify_record
from referee.store.play import seats

ALICE, BOB = "alice@example.test", "bob@example.test"
SWANS, GEESE = hash_of_words("seven swans"), hash_of_words("nine geese")


def invited(club: Club, edition: int = 1) -> str:
    """Invite Alice (red) and Bob (blue) to a match with a secret seed; return its name."""
    game = registry.find_installed("pebbles", edition)
    holders = tuple(parse_holder(each, game) for each in (f"red={ALICE}", f"blue={BOB}"))
    plan = MatchSetup(game, holders, read_options(game, []))
    with club.desk.writing() as change:
        return setup.set_up_match(change, plan).name


def asked(
    club: Club,
    red: str = f"luck sha256:{SWANS}",
    blue: str = f"luck {GEESE}",
    edition: int = 1,
) -> str:
    """Let both agree and give something for chance; return the match's name."""
    name = invited(club, edition)
    club.answer(club.last(ALICE, "invitation"), f"agree\n{red}", ALICE)
    club.answer(club.last(BOB, "invitation"), f"{blue}\nagree", BOB)
    return name


def luck(club: Club, name: str) -> Luck:
    """Return what was given for chance."""
    return Luck.from_text(club.match(name).words)


def text(club: Club, who: str, kind: str | None = None) -> str:
    """Return the last mail to somebody, on one line."""
    return " ".join(club.last(who, kind).text.split())


def polled(club: Club) -> None:
    """Let the mailbox be read now, and do what is due."""
    health.note_poll(club.desk, club.desk.now())
    club.later(seconds=1)
    chores.do_chores(club.desk)
    club.work()


def test_promised_words_are_asked_for_and_begin_the_match(club: Club) -> None:
    """Nobody tells any before all have given theirs; told by all, they are mixed into the seed."""
    name = asked(club)
    row = club.match(name)
    assert (row.state, row.due) == ("invited", club.desk.now() + TELLING)
    red, blue = club.last(ALICE, "notice"), club.last(BOB, "notice")
    assert (SWANS in red.text, GEESE in blue.text) == (True, True)
    assert (SWANS in blue.text, GEESE in red.text) == (False, False)
    club.answer(blue, "luck nine geese", BOB)
    assert "hey will be mixed into the seed" in text(club, BOB, "answer")
    assert club.match(name).state == "invited"
    club.answer(red, "luck seven swans", ALICE)
    row = club.match(name)
    assert (row.state, luck(club, name).words) == (
        "running",
        {"red": "seven swans", "blue": "nine geese"},
    )
    with club.desk.reading() as change:
        live = ledger.load_match(change, row).live
    assert live.terms.promised == {"red": SWANS, "blue": GEESE}
    assert live.key == croupier.chance_key(row.seed, {"red": "seven swans", "blue": "nine geese"})
    club.work()
    assert "Each was promised by its hash before any was told." in text(club, ALICE, "report")


@pytest.mark.parametrize(
    "given", [f"sha256:{SWANS}", "the wind over all the roofs of a town at sea"]
)
def test_an_agreement_below_words_that_fill_their_line_counts(club: Club, given: str) -> None:
    """It may stand above or below them, as the invitation shows both."""
    name = invited(club)
    club.answer(club.last(ALICE, "invitation"), f"luck {given}\nagree", ALICE)
    with club.desk.store.reading() as connection:
        red = seats.find_seat(connection, club.match(name).id, "red")
    assert red is not None
    assert red.agreed == "yes"
    found = luck(club, name)
    assert "red" in {**found.words, **found.promised}


def test_words_that_do_not_fit_are_refused_and_may_be_sent_again(club: Club) -> None:
    """The answer shows the hash and what arrived; the right ones still count."""
    name = asked(club)
    mail = club.last(ALICE, "notice")
    club.answer(mail, "luck seven storks", ALICE)
    said = text(club, ALICE, "answer")
    assert "these are not the words you promised" in said
    assert SWANS in said
    assert "seven storks" in said
    assert luck(club, name).words == {}
    club.answer(mail, "luck  Seven  swans", ALICE)
    assert luck(club, name).words == {}
    club.answer(mail, "luck seven swans", ALICE)
    assert luck(club, name).words == {"red": "seven swans"}
    club.answer(mail, "luck something better", ALICE)
    assert luck(club, name).words == {"red": "seven swans"}


@pytest.mark.parametrize(
    "line",
    [f"luck sha256:{SWANS[:-1]}", f"luck {SWANS[:-1]}", "luck SHA-256"],
)
def test_a_hash_that_is_none_is_not_taken_for_words(club: Club, line: str) -> None:
    """Its line may have been broken on the way; what is written in its place is told."""
    name = invited(club)
    club.answer(club.last(ALICE, "invitation"), f"agree\n{line}", ALICE)
    assert luck(club, name) == Luck()
    assert "64 digits" in text(club, ALICE, "answer")


def test_words_not_told_in_time_are_forfeited_publicly(club: Club) -> None:
    """The match begins without; report, record, `match show` and both verifiers tell whose."""
    name = asked(club)
    mail = club.last(BOB, "notice")
    club.answer(club.last(ALICE, "notice"), "luck seven swans", ALICE)
    club.later(days=3)
    chores.do_chores(club.desk)
    assert club.match(name).state == "invited"
    club.later(seconds=1)
    polled(club)
    row = club.match(name)
    assert row.state == "running"
    assert luck(club, name) == Luck({"red": "seven swans"}, {"red": SWANS, "blue": GEESE})
    told = text(club, ALICE, "report")
    assert "Not told in time, and so not mixed in, were the words promised by blue." in told
    club.answer(mail, "luck nine geese", BOB)
    assert "come too late" in text(club, BOB, "answer")


def test_match_whose_game_is_gone_keeps_no_other_from_beginning(club: Club) -> None:
    """Its time is looked at again a day later; the others begin without what was not told."""
    gone, name = asked(club, edition=2), asked(club)

    def find(game: str, edition: int | None) -> AnyGame:
        return desk.find_game(game, 99 if edition == 2 else edition)

    club.desk = replace(club.desk, find_game=find)
    club.later(days=3, seconds=1)
    polled(club)
    assert (club.match(gone).state, club.match(name).state) == ("invited", "running")
    assert chores.do_chores(club.desk) == 0


def test_letter_that_came_too_late_does_not_count(club: Club) -> None:
    """Its words are answered, although the match has not begun without them yet."""
    name = asked(club)
    mail = club.last(BOB, "notice")
    club.later(days=3, seconds=1)
    club.answer(mail, "luck nine geese", BOB)
    assert "the time for your words was up" in text(club, BOB, "answer")
    assert luck(club, name).words == {}


def test_once_asked_for_nobody_gives_other_words(club: Club) -> None:
    """Who has promised none cannot answer to those that are told now; nor can who joins later."""
    name = asked(club, blue="luck plain words")
    assert luck(club, name) == Luck({"blue": "plain words"}, {"red": SWANS})
    club.answer(club.last(ALICE, "notice"), "luck seven storks", ALICE)
    club.answer(club.last(BOB, "answer"), "luck better ones", BOB)
    assert "only words that were promised before are awaited now" in text(club, BOB, "answer")
    assert luck(club, name) == Luck({"blue": "plain words"}, {"red": SWANS})
    club.answer(club.last(ALICE), "luck seven swans", ALICE)
    club.work()
    said = text(club, ALICE, "report")
    assert "Words of the seats are mixed into the seed of this match." in said
    assert "promised" not in said


def test_promise_stays_when_its_seat_is_given_back(club: Club) -> None:
    """Leaving is no way to take words back unseen: they stand in the record as not told."""
    name = asked(club)
    club.answer(club.last(ALICE, "notice"), "luck seven swans", ALICE)
    with club.desk.store.writing() as connection:
        vacancies.free_seat(connection, club.match(name), "red")
    assert luck(club, name) == Luck({}, {"red": SWANS, "blue": GEESE})


def test_words_told_after_somebody_declined_are_kept(club: Club) -> None:
    """The letter is answered; the match begins once the seat has a player who agrees."""
    name = asked(club, blue="luck plain words")
    mail = club.last(ALICE, "notice")
    club.answer(club.last(BOB, "answer"), "decline", BOB)
    assert club.answer(mail, "luck seven swans", ALICE).state == "handled"
    assert "hey will be mixed into the seed" in text(club, ALICE, "answer")
    assert (club.match(name).state, luck(club, name).pending) == ("invited", ())
    club.answer(club.last(BOB, "answer"), "agree", BOB)
    assert club.match(name).state == "running"


def test_whoever_gets_a_seat_while_words_are_awaited_is_asked_first(club: Club) -> None:
    """Neither the last words told nor the end of their time begins a match without that yes."""
    carol = "carol@example.test"
    name = asked(club, blue="luck plain words")
    apply_act(club.desk, HandOver(name, "blue", address=carol), "Bob cannot")
    invitation = club.last(carol, "invitation")
    club.answer(club.last(ALICE), "luck seven swans", ALICE)
    assert club.match(name).state == "invited"
    club.later(days=3, seconds=1)
    polled(club)
    assert club.match(name).state == "invited"
    club.answer(invitation, "agree", carol)
    assert club.match(name).state == "running"


def test_agreeing_once_more_begins_nothing(club: Club) -> None:
    """While words are awaited the match waits, and organisers cannot hurry it."""
    name = asked(club)
    club.answer(club.last(BOB, "notice"), "agree", BOB)
    assert "Everybody has. Whoever promised words" in text(club, BOB, "answer")
    with club.desk.writing() as change:
        assert setup.begin_match(change, club.match(name)).state == "invited"
    assert club.mails(ALICE)[-1].kind == "notice"


def test_record_with_promised_words_verifies_and_a_forged_one_does_not(club: Club) -> None:
    """Words, hashes and forfeits stand in the header; others than those promised are found."""
    name = asked(club)
    club.answer(club.last(ALICE, "notice"), "luck seven swans", ALICE)
    club.later(days=4)
    polled(club)
    apply_act(club.desk, End(name), "enough")
    club.work()
    with club.desk.store.reading() as connection:
        lines = record_bytes(connection, club.match(name)).splitlines()
    header = json.loads(lines[0])
    assert header["promised"] == {"red": SWANS, "blue": GEESE}
    assert header["words"] == {"red": "seven swans"}
    assert verify_record(lines, registry.find_installed).ok
    assert checked(lines) is None
    forged = [lines[0].replace(SWANS.encode(), hash_of_words("x").encode()), *lines[1:]]
    verdict = verify_record(forged, registry.find_installed)
    assert (verdict.line, "words of red are not those promised" in verdict.message) == (1, True)
    assert str(checked(forged)).startswith("line 1: SHA-256 of words of red")
    pink = [
        lines[0].replace(b'"promised":{', b'"promised":{"pink":"' + SWANS.encode() + b'",'),
        *lines[1:],
    ]
    assert verify_record(pink, registry.find_installed).line == 1


def checked(lines: Sequence[bytes]) -> str | None:
    """Return what the program of the documentation finds wrong."""
    program = Path(__file__).parents[3] / "docs" / "verify_record.py"
    spec = importlib.util.spec_from_file_location("verify_record", program)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        module.check_record(b"".join(line + b"\n" for line in lines))
    except module.Wrong as wrong:
        return str(wrong)
    return None


def test_who_knows_the_seed_and_speaks_last_gains_nothing(club: Club) -> None:
    """Words chosen to suit: plainly given they win; promised before, they are as good as any."""
    name = invited(club)
    row = club.match(name)
    first = lambda words: draw_outcome(croupier.chance_key(row.seed, words), name, 1, [1] * 100)  # noqa: E731
    suits = next(str(n) for n in count() if first({"red": "plain", "blue": str(n)}) == 7)
    club.answer(club.last(ALICE, "invitation"), f"agree\nluck {SWANS}", ALICE)
    club.answer(club.last(BOB, "invitation"), f"agree\nluck {hash_of_words(suits)}", BOB)
    club.answer(club.last(ALICE, "notice"), "luck seven swans", ALICE)
    better = next(
        n for n in map(str, count()) if n != suits and first({"red": "seven swans", "blue": n}) == 7
    )
    mail = club.last(BOB, "notice")
    club.answer(mail, f"luck {better}", BOB)
    assert luck(club, name).words == {"red": "seven swans"}
    club.answer(mail, f"luck {suits}", BOB)
    assert club.match(name).state == "running"


@pytest.mark.parametrize(
    "line",
    [
        f"luck\nsha256:{SWANS}", f"luck sha256:\n{SWANS}", f"luck {SWANS}",
        f"luck sha256:{SWANS[:52]}\n{SWANS[52:]}", f"Glück\nSHA256:\n{SWANS.upper()}",
    ],
)  # fmt: skip
def test_a_hash_that_a_mail_program_breaks_is_still_a_promise(club: Club, line: str) -> None:
    """The line is longer than many programs let one be; its parts belong together."""
    name = invited(club)
    club.answer(club.last(ALICE, "invitation"), f"{line}\nagree", ALICE)
    assert luck(club, name).promised == {"red": SWANS}
    assert "You have agreed" in text(club, ALICE)


@pytest.mark.parametrize(
    "line",
    [f"luck sha256:{SWANS[:-1]}", "luck", "luck sha256", "luck: ravens", f"luck SHA-256 {SWANS}0"],
)
def test_what_cannot_be_read_for_chance_keeps_a_match_from_beginning(club: Club, line: str) -> None:
    """A promise that lacks a digit is no words; who agrees in that mail is asked for both again."""
    name = invited(club)
    club.answer(club.last(BOB, "invitation"), "agree", BOB)
    invitation = club.last(ALICE, "invitation")
    club.answer(invitation, f"{line}\nagree", ALICE)
    answer = text(club, ALICE)
    assert "Nothing was done with this line of your mail" in answer
    assert "that was not done either" in answer
    assert club.match(name).state == "invited"
    assert luck(club, name) == Luck()
    club.answer(invitation, "agree", ALICE)
    assert club.match(name).state == "running"
