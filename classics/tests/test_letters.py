"""Letters in games without keywords: what is a move, what is talk, what is asked back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.club import ALICE, BOB, Club, open_club

from referee.desk.letters.understand import understand
from referee.desk.letters.words.keywords import Command, read_command
from referee.desk.letters.words.phrases import Tongue, entries_in, order_in
from referee.desk.letters.words.places import Said
from referee.games.game import LANGUAGES
from referee.games.registry import find_installed
from referee.mail.incoming.lines import WrittenLine
from referee.store.play import matches


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Return a club in which alice, White, is to move."""
    club = open_club(tmp_path)
    club.new_match("chess", f"white={ALICE}", f"black={BOB}")
    club.work()
    yield club
    club.desk.store.close()


@pytest.mark.parametrize(
    "text",
    [
        "e4",
        "1. e4",
        "e2-e4",
        "Hi Bob,\n\nNf3\n\nCheers, Alice",
        "Hi Bob,\nI was out on the Nf3 road.\n\nNf3\n\nCheers",
        "Sf3",
        "My move: e4",
        "Nf3 good luck",
        "Nf3 and good luck!",
        "Nf3, your move",
        "Springer f3, du bist dran",
        "I play Nf3.",
        "Nf3. Nice weather here. Your turn!",
        "Sorry for the delay! Nf3",
        "Hi Bob, Nf3",
        "Thanks Bob! e4",
        "Nice move! Nf3",
        "Nf3. Your move, Bob!",
        "Ich ziehe e2-e4!",
        "Nf3!?",
        "Nf3?!",
        "e4 please",
        "♘f3",
        "Zug: e2-e4 bitte",
        "Turn 1: e4",
        "Here's my move: e4",
        "Please play e4",
        "I'm playing e4",
        "e4 LG Peter",
        "e4, mfg",
        "thx Nf3",
        "Danke. Sf3",
        "Thanks for the game! e4",
        "Good luck, have fun! e4",
        "e2→e4",
        "Springer von g1 auf f3",
        "Springer zieht auf f3",
        "Springer nach f3 ziehen",
        "I'll go with e4",
        "Let's start with e4",
        "I choose d4",
        "My first move: e4",
        "e4 for me",
        "Anbei mein Zug: e4",
        "1. Zug: e4",
        "Also gut, e4.",
        "Dann spiele ich mal e4",
        "Ich beginne mit e4",
    ],
)
def test_a_move_on_its_own_line_is_played(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize(
    "text",
    [
        "a4 paper please",
        "I am on B 5 today",
        "Kf1 would lose",
        "We live in house b4 now.",
        "ok",
        "The A4 is closed, I come by the B5.",
        "I live at b4",
        "Der Bauer b2 macht mir Sorgen",
        "Ich nehme die A4.",
        "I go by bus 4 and get off at b4 or so",
        "Das ist der Springer auf b1",
        "I live at b4 or b5",
        "b4 or so",
        "Not too bad, b4, is it?",
    ],
)
def test_talk_with_a_square_in_it_plays_and_asks_nothing(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "nothing"


@pytest.mark.parametrize(
    "text",
    [
        "I play Nf3 now.",
        "Nf3 is my move",
        "My next move will be e4 I guess",
        "e4?",
        "Ich ziehe wohl e2-e4.",
        "Dann nehme ich d4",
        "let's do Nf3",
        "Dann mach ich Sf3",
        "I would like to go to e4",
        "Ich möchte auf e4 ziehen.",
        "e4, hope that is ok",
        "Thanks for the last one, Nf3",
        "Nf3 attacking the centre",
        "e4. I resign.",
        "e4 instead",
        "lieber stattdessen d4",
        "Nf3! Great move by you.",
        "Nf3?",
        "e4 (to stop Nf6)",
        "e4 (d4)",
        "e4 (the other pawn)",
        "I moved Nf3",
        "Of course Nf3",
        "I think Nf3",
        "Hier kommt Sf3",
    ],
)
def test_a_move_that_a_sentence_makes_is_asked_back(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "asked"


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("e4. Sorry, I meant d4.", "Either: · e4 Or: · d4"),
        ("e4. Make that d4.", "Either: · e4 Or: · d4"),
        ("e4. Nf3.", "Either: · e4 Or: · Nf3"),
        ("I wanted to play e4, but d4 seems better. So d4.", "Either: · e4 Or: · d4"),
        ("e4 - sorry, I mean c4", "Either: · e4 Or: · c4"),
        ("Instead of e4 I play d4", "Either: · e4 Or: · d4"),
        ("Statt e4 spiele ich Sf3", "Either: · e4 Or: · Nf3"),
        ("if possible e4, otherwise d4", "Either: · e4 Or: · d4"),
    ],
)
def test_of_several_moves_in_a_sentence_its_writer_is_asked_which(
    club: Club, text: str, choices: str
) -> None:
    """A yes to one of them might play what is not meant."""
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "nothing"
    assert choices in club.last(ALICE).flat


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Auf e4 spiele ich c5.", "c5"),
        ("you played e4, I play e5", "e5"),
        ("After your e4 I play c6", "c6"),
        ("1. e4 Nf6", "Nf6"),
    ],
)
def test_of_several_moves_of_which_one_can_be_played_a_yes_plays_that(
    club: Club, text: str, move: str
) -> None:
    """The other is the one that was answered."""
    club.answer(club.last(ALICE), "e4", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), text, BOB)
    assert club.fate("chess-1", "black") == "asked"
    told = club.last(BOB, "receipt").flat
    assert f"“yes” plays “{move}”" in told
    assert "Not read as orders" not in told


def test_talk_that_names_another_move_than_the_held_one_asks_which(club: Club) -> None:
    """A yes would play the one that its writer does not mean."""
    talk = "If it rains tomorrow, we may go to the cinema with the children."
    club.answer(club.last(ALICE), f"e4\n\n{talk}", ALICE)
    assert club.fate("chess-1", "white") == "held"
    club.answer(club.last(ALICE, "receipt"), "Entschuldigung, d4 war gemeint", ALICE)
    told = club.last(ALICE, "answer").flat
    assert "“no” takes them back: e4." in told
    assert "Either: · e4 Or: · d4" in told
    assert club.fate("chess-1", "white") == "asked"


@pytest.mark.parametrize("line", ["Cc3", "Cf3", "dd4"])
def test_a_square_behind_its_own_file_is_no_pawns_move(club: Club, line: str) -> None:
    """The knight is a C in other languages, and the queen a D."""
    club.answer(club.last(ALICE), line, ALICE)
    assert club.fate("chess-1", "white") == "nothing"
    assert "You could write" in club.last(ALICE).text


@pytest.mark.parametrize(
    "line",
    [
        "Ich ziehe meinen Springer von b1 nach c3",
        "Ich setze den Springer auf c3",
        "I am moving my knight from b1 to c3",
    ],
)
def test_a_move_told_in_a_whole_sentence_is_played(club: Club, line: str) -> None:
    club.answer(club.last(ALICE), line, ALICE)
    assert club.fate("chess-1", "white") == "played"


def test_nobody_is_asked_which_of_several_moves_that_cannot_be_played(club: Club) -> None:
    club.answer(club.last(ALICE), "If he plays a6, then Ba4", ALICE)
    assert club.fate("chess-1", "white") == "nothing"
    assert "· a6 — refused: " in club.last(ALICE, "receipt").flat


def test_a_line_of_a_score_sheet_is_its_writers_move(club: Club) -> None:
    club.answer(club.last(ALICE), "e4", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), "1. e4 e5", BOB)
    assert club.fate("chess-1", "black") == "played"


def test_a_question_about_a_sentence_names_the_move_it_is_taken_for(club: Club) -> None:
    """Only that sentence is quoted: it holds the move itself, however it is spelled."""
    club.answer(club.last(ALICE), "knight to f3, nice opening", ALICE)
    told = club.last(ALICE).flat
    assert "your mail says “knight to f3, nice opening”. “yes” plays “Nf3”." in told


@pytest.mark.parametrize("text", ["e4, no sorry, d4", "Ich spiele e4, ach nein, d4"])
def test_of_a_move_taken_back_and_another_the_other_is_asked_about(club: Club, text: str) -> None:
    """A yes would otherwise play what was taken back."""
    club.answer(club.last(ALICE), text, ALICE)
    assert "“yes” plays “d4”" in club.last(ALICE, "receipt").flat


@pytest.mark.parametrize(
    "below",
    [
        "no wait, d4",
        "rather d4",
        "d4 instead",
        "stattdessen d4",
        "d4",
        "I mean d4",
        "Ich meinte d4",
        "Sorry, I mean d4.",
        "Sorry d4",
        "besser d4",
        "d4 is better",
        "oops I mean d4",
        "Please play d4",
        "Correction: d4",
    ],
)
def test_of_a_move_and_another_below_it_its_writer_is_asked_which(club: Club, below: str) -> None:
    """Each has a button."""
    club.answer(club.last(ALICE), f"e4\n{below}", ALICE)
    assert club.fate("chess-1", "white") != "played"
    told = club.last(ALICE).flat
    assert "Either: · e4" in told
    assert "Or: · d4" in told


@pytest.mark.parametrize("below", ["(d4)", "d4 looks nice, too", "Sorry jack", "Sorry queen"])
def test_a_move_beside_talk_that_names_another_waits(club: Club, below: str) -> None:
    """The talk may correct it, whatever its words."""
    club.answer(club.last(ALICE), f"e4\n{below}", ALICE)
    assert club.fate("chess-1", "white") == "held"


@pytest.mark.parametrize(("talk", "fate"), [("actually", "asked"), ("my best card is", "held")])
def test_a_card_that_talk_names_keeps_others_waiting(tmp_path: Path, talk: str, fate: str) -> None:
    """Cards are no spaces, but what names another one may correct the order all the same."""
    club = open_club(tmp_path)
    colours = find_installed("hearts").colours
    club.new_match("hearts", *(f"{seat}={seat}@example.test" for seat in colours))
    club.work()
    report = club.last("north@example.test", "report")
    hand = report.turn_file["view"]["hand"]
    club.answer(report, f"pass {' '.join(hand[:3])}\n{talk} {hand[3]}", "north@example.test")
    assert club.fate("hearts-1", "north") == fate
    club.desk.store.close()


@pytest.mark.parametrize(
    "talk",
    ["sorry, not {1} but {0}", "{0} instead of {1}", "or maybe {0}", "Nicht {1} sondern {0}"],
)
def test_a_card_that_stands_in_place_of_another_has_the_order_asked_about(
    tmp_path: Path, talk: str
) -> None:
    club = open_club(tmp_path)
    colours = find_installed("hearts").colours
    club.new_match("hearts", *(f"{seat}={seat}@example.test" for seat in colours))
    club.work()
    report = club.last("north@example.test", "report")
    hand = report.turn_file["view"]["hand"]
    text = f"pass {' '.join(hand[:3])}\n{talk.format(hand[3], hand[2])}"
    club.answer(report, text, "north@example.test")
    assert club.fate("hearts-1", "north") == "asked"
    club.desk.store.close()


@pytest.mark.parametrize("text", ["Nf3\nBc4\nNc3", "a) Nf3\nb) Nc3\nc) d4", "e4\nd4\nc4\nf4\ng4"])
def test_of_moves_one_below_the_other_its_writer_is_asked_which(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert "Please choose one" in club.last(ALICE).flat
    assert club.fate("chess-1", "white") != "played"


@pytest.mark.parametrize(
    "below",
    [
        "Hold on.",
        "strike that",
        "I was joking.",
        "Halt!",
        "Actually no.",
        "Ach nein",
        "?",
        "??!",
        "legal?",
        "the other pawn, sorry",
        "Ich meine den anderen Bauern",
        "I mistyped",
        "vertippt",
        "Just a moment",
        "Einen Augenblick",
        "warte mal",
        "dann doch nicht",
        "Bei näherem Hinsehen nicht",
        "Blödsinn",
        "Hm, d4 would be better than e4.",
        "Let me sleep on it.",
    ],
)
def test_a_move_with_a_short_doubt_below_it_is_asked_about(club: Club, below: str) -> None:
    club.answer(club.last(ALICE), f"e4\n{below}", ALICE)
    assert club.fate("chess-1", "white") == "asked"


@pytest.mark.parametrize(
    "below",
    [
        "Let's go!",
        "Lass dir Zeit!",
        "Halt die Ohren steif!",
        "There is a train strike in France today.",
        "Hope my pawns hold!",
        "stop chess-2",
        "Sorry for the delay",
        "Sorry it took so long!",
        "no rush",
        "Guten Morgen!",
        "Bis morgen!",
        "See you later",
        "Danke für deine Geduld, der Umzug ist jetzt durch.",
    ],
)
def test_a_move_with_a_word_below_it_that_may_take_back_elsewhere_is_played(
    club: Club, below: str
) -> None:
    club.answer(club.last(ALICE), f"e4\n\n{below}", ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize("below", ["d4", "but d4 would be better", "I like d4 too"])
def test_a_yes_beside_another_move_does_not_play_the_one_asked_about(
    club: Club, below: str
) -> None:
    club.answer(club.last(ALICE), "e4 (to stop Nf6)", ALICE)
    club.answer(club.last(ALICE, "receipt"), f"yes\n{below}", ALICE)
    assert f"your mail says “yes”, but also “{below}”" in club.last(ALICE).flat
    assert club.fate("chess-1", "white") == "asked"


@pytest.mark.parametrize(
    "below", ["e4", "e2-e4", "so e4 it is", "good luck!", "I did not expect your Nc6!"]
)
def test_a_yes_beside_the_move_asked_about_plays_it(club: Club, below: str) -> None:
    club.answer(club.last(ALICE), "e4 (to stop Nf6)", ALICE)
    club.answer(club.last(ALICE, "receipt"), f"yes\n{below}", ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize("text", ["e4\ncancel", "e4\nundo", "undo\ne4", "e4\nzurück", "e4\nstop"])
def test_what_takes_back_beside_a_move_is_asked_about(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert "but also “e4”" in club.last(ALICE).flat
    assert club.fate("chess-1", "white") != "played"


@pytest.mark.parametrize("below", ["the knight to f3 as ever", "Nf3 as ever"])
def test_talk_about_the_move_it_stands_beside_keeps_nothing_waiting(club: Club, below: str) -> None:
    """Of “knight to f3” the last word is no pawn's move to f3."""
    club.answer(club.last(ALICE), f"Nf3\n{below}", ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize("text", ["draw? and e4", "I offer a draw and play e4", "Remis, e4"])
def test_a_draw_may_be_offered_before_the_move_on_its_line(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    club.work()
    assert "White (alice) offers a draw" in club.last(BOB, "report").flat


@pytest.mark.parametrize("text", ["Draw. e5", "draw\ne5"])
def test_a_draw_above_a_move_while_one_is_offered_is_asked_about(club: Club, text: str) -> None:
    """It may accept the offer, which the move would decline."""
    club.answer(club.last(ALICE), "e4\ndraw", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), text, BOB)
    assert "but also “e5”" in club.last(BOB).flat
    assert club.fate("chess-1", "black") != "played"


@pytest.mark.parametrize(
    "text",
    [
        "Nf3\nHow about a draw, Bob?",
        "Nf3\n\nWould you accept a draw, Bob?",
        "Sf3\nMagst du Remis, Bob?",
        "Nf3\ndraw, Bob?",
    ],
)
def test_a_draw_may_be_offered_to_somebody_by_name(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "played"
    club.work()
    assert "offers a draw" in club.last(BOB, "report").flat


@pytest.mark.parametrize("text", ["Remis, Nein", "Draw, No", "draw, Never!", "Remis, Abgelehnt"])
def test_a_word_behind_a_draw_that_refuses_it_agrees_to_none(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), "e4\ndraw", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), text, BOB)
    assert club.match("chess-1").state == "running"


@pytest.mark.parametrize("text", ["draw, Later", "draw, Tomorrow?", "draw, No?"])
def test_a_word_behind_a_draw_that_puts_it_off_offers_none(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert "You have offered" not in club.last(ALICE).flat


def test_a_move_behind_a_draw_is_played_with_it(club: Club) -> None:
    club.answer(club.last(ALICE), "draw, Nf3", ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize(
    "text",
    [
        "Hello Bob! Nf3. Have a nice Sunday!",
        "Hi Bob, Nf3. Cheers, Alice",
        "Nf3, cheers Alice",
        "Here you go: Nf3",
        "Hiermit ziehe ich Sf3.",
        "Bitte d4 für mich",
    ],
)
def test_a_move_among_greetings_on_its_line_is_played(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        ("White plays Nf3", "played"),
        ("White: Nf3", "played"),
        ("Weiß: Sf3", "played"),
        ("white Nf3", "played"),
        ("Black plays Nf3", "asked"),
        ("White would play Nf3", "asked"),
        ("White plays Nf3?", "nothing"),
    ],
)
def test_who_names_their_own_side_plays(club: Club, text: str, fate: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == fate


@pytest.mark.parametrize("text", ["maybe Nf3", "Nf3 hmm", "Hi Bob! Nf3. But wait."])
def test_who_only_names_a_move_reads_that_it_is_not_sure(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "nothing"
    assert "your mail names “Nf3”, but does not say for sure" in club.last(ALICE, "answer").flat


def begun(folder: Path, game: str) -> tuple[Club, str, str]:
    """Return a club with a match of two, its name, and the address of whoever begins it."""
    club = open_club(folder)
    first, second = find_installed(game).colours[:2]
    name = club.new_match(game, f"{first}={ALICE}", f"{second}={BOB}").name
    club.work()
    return club, name, ALICE if club.match(name).to_act == first else BOB


def answer_to_talk(folder: Path, game: str, text: str) -> str:
    """Return the answer to talk of whoever begins a match, on one line."""
    club, _, who = begun(folder, game)
    club.answer(club.last(who), text, who)
    told = club.last(who, "answer").flat
    club.desk.store.close()
    return told


@pytest.mark.parametrize(
    ("game", "text", "first"),
    [
        ("oware", "Hello Bob, I sow from d this time, I need some seeds on your side.", "d"),
        ("connectfour", "One red disc into the column e, on top of nothing.", "e"),
        ("othello", "My eyes are on that corner at f5 today, hm, next to e5.", "f5"),
    ],
)
def test_an_order_whose_words_stand_in_talk_is_proposed_first(
    tmp_path: Path, game: str, text: str, first: str
) -> None:
    assert f"You could write: · {first} " in answer_to_talk(tmp_path, game, text)


@pytest.mark.parametrize(
    ("game", "text", "named"),
    [
        ("breakthrough", "Hm, a2 looks over to a3 already.", "a2-a3"),
        ("xiangqi", "Hm, that cannon on h2 likes to swing to e2. What else?", "C2=5"),
        ("shogi", "My pawn 7g belongs on 7f, hm.", "P-7f"),
        ("othello", "My eyes are on f5 today, hm, next to e5.", "f5"),
        ("breakthrough", "Your men on a7 and a8 look strong, and a5 is far away, hm.", ""),
        ("mancala", "Hm, let us talk about it at 6 tomorrow, on the phone.", ""),
    ],
)
def test_a_move_that_talk_names_by_its_spaces_is_offered(
    tmp_path: Path, game: str, text: str, named: str
) -> None:
    """Nothing is played, and the move to write is the first of those that one can click."""
    told = answer_to_talk(tmp_path, game, text)
    if named:
        assert f"your mail names “{named}”, but does not say for sure" in told
        assert f"You could write: · {named} " in told
    else:
        assert "nothing in your mail looked like an order" in told


@pytest.mark.parametrize(
    ("game", "text", "order"),
    [
        ("breakthrough", "My man from a2 goes up to a3, the train enters the tunnel.", "a2-a3"),
        ("xiangqi", "Dear Bob,\n\nthe cannon on h2 swings to e2. What else?\n\nAlice", "C2=5"),
        ("xiangqi", "the cannon on h2 moves over to e2", "C2=5"),
        ("shogi", "Ich öffne jetzt endlich die Diagonale mit 7g7f.", "P-7f"),
        ("shogi", "The rook on 2h swings to 4h.", "R-4h"),
        ("chess", "My knight on g1 swings to f3, far from the rain.", "Nf3"),
        ("chess", "the b1 knight moves to c3", "Nc3"),
        ("chess", "The pawn on e2 goes up to e4.", "e4"),
        ("chess", "I move my b1 knight over to a3", "Na3"),
        ("clobber", "Hi Bob, my stone on b2 jumps to a2. Lovely weather!", "b2xa2"),
    ],
)
def test_a_sentence_that_tells_the_way_of_an_order_is_asked_about(
    tmp_path: Path, game: str, text: str, order: str
) -> None:
    """A space alone may be anything; from one to another is a move.

    That of a knight is no pawn's, though it ends with the name of one.
    """
    club, name, who = begun(tmp_path, game)
    seat = club.match(name).to_act or ""
    club.answer(club.last(who), text, who)
    asked = club.last(who, "receipt")
    assert f"“yes” plays “{order}”" in asked.flat
    club.answer(asked, "yes", who)
    assert club.fate(name, seat) == "played"
    club.desk.store.close()


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("chess", "Our flat is E2, entrance E4."),
        ("chess", "We stay in room G1, breakfast is in F3."),
        ("chess", "So f3 it is, my knight stays at g1, hm."),
        ("chess", "How would a pawn get from e2 to e4?"),
        ("breakthrough", "My man goes from a3 to a2, or so it feels, hm."),
        ("checkers", "I work from 11 to 15 today."),
        ("breakthrough", "The A2 and the A3 are jammed, the radio says."),
        ("checkers", "It is 11:15 here and raining."),
        ("checkers", "The train leaves at 9 and arrives at 13."),
        ("checkers", "I was born on 11/15, in a storm."),
        ("checkers", "I am on holiday 11 to 15 December."),
    ],
)
def test_two_spaces_without_a_way_between_them_order_nothing(
    tmp_path: Path, game: str, text: str
) -> None:
    """Rooms, hours and days have such names, too; nor does what stays go anywhere."""
    assert fate_of(tmp_path, game, text) == "nothing"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("I play a3, my knight stays on b1.", "a3"),
        ("My pawn goes to a3, my knight stays on b1", "a3"),
        ("I play c3 with my eye on b1", "c3"),
        ("I play Nf3, the pawn sleeps on f2", "Nf3"),
    ],
)
def test_a_piece_that_stays_is_no_part_of_the_order_beside_it(
    club: Club, text: str, order: str
) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert f"“yes” plays “{order}”" in club.last(ALICE, "receipt").flat


def test_talk_beside_a_sentence_that_is_asked_about_is_told_as_unread(club: Club) -> None:
    """So its writer knows that nobody gets it."""
    text = "Bob, my aunt is better again. My knight on g1 swings to f3. I am ill."
    club.answer(club.last(ALICE), text, ALICE)
    told = club.last(ALICE, "receipt").flat
    assert "“yes” plays “Nf3”" in told
    assert "Not read as orders: · Bob, my aunt is better again. · I am ill." in told


def test_a_sentence_about_a_draw_that_is_offered_is_about_that(club: Club) -> None:
    """Whatever way another one tells."""
    club.answer(club.last(ALICE), "e4", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), "e5\ndraw", BOB)
    club.work()
    text = "Hm, a draw then. From g1 to f3 we walked along the alley."
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert club.match("chess-1").state == "running"
    assert "draw" in club.last(ALICE, "answer").flat


@pytest.mark.parametrize(
    "text", ["Sorry, I meant d4!", "I mistyped my last move", "Mist, ich meinte d4!"]
)
def test_who_speaks_of_a_slip_behind_their_own_move_is_told_of_undo(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), "e4", ALICE)
    club.work()
    club.answer(club.last(ALICE), text, ALICE)
    assert "If your last turn was a slip, write “undo”" in club.last(ALICE, "answer").flat
    club.answer(club.last(BOB, "report"), "e5", BOB)
    club.work()
    club.answer(club.last(ALICE, "report"), "Nf3", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), "Nc6", BOB)
    club.answer(club.last(BOB, "receipt"), "What a lovely evening", BOB)
    assert "slip" not in club.last(BOB, "answer").flat


def test_the_reason_for_a_takeback_disputes_it_in_nothing(club: Club) -> None:
    club.answer(club.last(ALICE), "e4", ALICE)
    club.work()
    text = "Kann ich den letzten Zug zurücknehmen? Hab mich vertippt."
    club.answer(club.last(ALICE), text, ALICE)
    assert "is asked to agree" in club.last(ALICE, "answer").flat


def test_a_draw_may_be_offered_in_a_sentence_among_others(club: Club) -> None:
    """The others here are harmless, and speak of no order."""
    club.answer(club.last(ALICE), "e4\nI have to cook now. How about a draw?", ALICE)
    club.work()
    assert "White (alice) offers a draw" in club.last(BOB, "report").flat


@pytest.mark.parametrize(
    "text",
    [
        "24/20 13/8. See you on 24/12!",
        "My birthday is 24/5. 24/20 13/8",
        "24/15, I mean 13/8 24/20",
        "24/20, and 13/8 with the other",
    ],
)
def test_a_day_or_what_is_not_meant_is_no_part_of_a_roll(club: Club, text: str) -> None:
    club.new_match("backgammon", f"white={ALICE}", f"black={BOB}")
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    told = club.last(ALICE, "receipt").flat
    assert "“yes” plays “24/20 13/8”" in told or "“yes” plays “13/8 24/20”" in told


def test_a_roll_told_in_parts_of_a_sentence_is_asked_about_as_a_whole(club: Club) -> None:
    """The parts behind the first one are not dropped."""
    club.new_match("backgammon", f"white={ALICE}", f"black={BOB}")
    club.work()
    report = club.last(ALICE)
    move = next(line for line in report.turn_file["legal"] if line.count(" ") == 1)
    first, second = move.split()
    club.answer(report, f"I play {first} and then I go on with {second}", ALICE)
    assert f"“yes” plays “{move}”" in club.last(ALICE, "receipt").flat


@pytest.mark.parametrize("text", ["Nf3 or Nc3", "e4 or d4?", "e4 oder Sf3"])
def test_moves_between_which_a_line_leaves_the_choice_are_asked_back(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert "your mail leaves it open which you mean" in club.last(ALICE).flat


def test_a_choice_keeps_a_bishop_apart_from_a_pawn(club: Club) -> None:
    for move, who in (("e4", ALICE), ("e5", BOB)):
        club.answer(club.last(who), move, who)
        club.work()
    club.answer(club.last(ALICE, "report"), "Bc4 or Bb5?", ALICE)
    assert "Either: · Bc4 Or: · Bb5 " in club.last(ALICE).flat


def test_a_refusal_names_the_reason_and_three_moves(club: Club) -> None:
    club.answer(club.last(ALICE), "Nd5", ALICE)
    told = club.last(ALICE).flat
    assert "No knight of yours can go to d5." in told
    assert "You could write: · Nc3 · Nf3" in told


def test_a_german_reader_is_told_moves_in_german_letters(club: Club) -> None:
    club.answer(club.last(BOB), "set language de", BOB)
    club.answer(club.last(ALICE), "Nf3", ALICE)
    club.work()
    assert "zog Sf3" in club.last(BOB, "report").flat


@pytest.mark.parametrize(
    ("game", "seats", "text", "fate"),
    [
        ("go", "black white", "E3, hope that is ok", "asked"),
        ("go", "black white", "Ich setze auf f4", "asked"),
        ("go", "black white", "I pass as well", "asked"),
        ("go", "black white", "I pass the salt", "nothing"),
        ("go", "black white", "b at f4", "played"),
        ("hex", "red blue", "Ich setze auf f4", "asked"),
        ("hex", "red blue", "Ich setze auf dich", "nothing"),
        ("backgammon", "white black", "24/15, hi bob! thanks", "asked"),
        ("backgammon", "white black", "20-10", "nothing"),
    ],
)
def test_a_sentence_that_moves_is_asked_about_in_any_game(
    club: Club, game: str, seats: str, text: str, fate: str
) -> None:
    """Talk that only sounds like a move is answered as talk, and no command is guessed."""
    seat, other = seats.split()
    club.new_match(game, f"{seat}={ALICE}", f"{other}={BOB}")
    club.work()
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate(f"{game}-1", seat) == fate
    assert not any("set language" in mail.text for mail in club.mails(ALICE))


@pytest.mark.parametrize(
    "text",
    [
        "aufgeben",
        "Ich gebe auf.",
        "ich gebe die Partie auf",
        "I resign",
        "I resign. Thanks for the game!",
        "Ich gebe auf. Danke!",
        "I give up.",
        "I concede.",
        "I resign. Well played!",
        "Gut gespielt! Dann gebe ich auf.",
    ],
)
def test_who_says_so_has_resigned(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.match("chess-1").state == "over"


@pytest.mark.parametrize(
    "text",
    [
        "ich gebe auf, gut gespielt",
        "Ich gebe nicht auf!",
        "Vielleicht\naufgeben",
        "Ich gebe auf dich acht",
        "I resign... just kidding. e4",
        "I resign. Or shall I?",
        "I resign. Not!",
        "In dieser langen Partie habe ich immer gedacht, dass du eines Tages wirst\naufgeben",
    ],
)
def test_more_words_resign_nothing(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.match("chess-1").state == "running"


@pytest.mark.parametrize(
    "text",
    [
        "I resign, well played",
        "gg - I resign",
        "You win, I resign.",
        "If you take on d5, I resign",
        "I resign. Or shall I?",
    ],
)
def test_a_resignation_within_a_sentence_is_asked_about(club: Club, text: str) -> None:
    """As a move would be; the question is answered with a word."""
    club.answer(club.last(ALICE), text, ALICE)
    assert club.match("chess-1").state == "running"
    club.answer(club.last(ALICE, "answer"), "yes", ALICE)
    assert club.match("chess-1").state == "over"


@pytest.mark.parametrize(
    "text", ["I resign.\n\nJust kidding, e4", "Ich gebe auf!\nNein, Spaß!\ne4"]
)
def test_of_a_resignation_and_a_move_in_one_letter_neither_is_carried_out(
    club: Club, text: str
) -> None:
    """Two questions with one answer would let a yes to the move give up the match."""
    club.answer(club.last(ALICE), text, ALICE)
    told = club.last(ALICE, "answer")
    assert "your mail says" in told.flat
    assert club.fate("chess-1", "white") not in {"played", "held", "asked"}
    club.answer(told, "yes", ALICE)
    assert club.match("chess-1").state == "running"


@pytest.mark.parametrize(
    "text",
    ["Ok. e5", "Alright, e5", "Na gut. e5", "e5, agreed", "e5. Yes.", "e5 and I accept the draw"],
)
def test_a_yes_on_the_line_of_a_move_is_asked_about_while_a_draw_is_offered(
    club: Club, text: str
) -> None:
    club.answer(club.last(ALICE), "e4\ndraw?", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), text, BOB)
    assert "Nothing was done: your mail says" in club.last(BOB, "answer").flat
    assert club.match("chess-1").to_act == "black"


@pytest.mark.parametrize(
    "text", ["Bitte bestätige!", "Das stimmt", "Stimmt!", "Ah, ok!", "Oh, sure", "Ach, ok"]
)
def test_what_only_nods_agrees_to_no_draw(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), "e4\ndraw?", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), text, BOB)
    assert club.match("chess-1").state == "running"


@pytest.mark.parametrize("text", ["e4\nThanks for inviting me!", "yes\ne4\nThanks Alice"])
def test_a_move_in_answer_to_an_invitation_sets_no_letter_aside(tmp_path: Path, text: str) -> None:
    club = open_club(tmp_path)
    club.new_match("chess", f"white={ALICE}", f"black={BOB}", begins=False)
    club.work()
    assert club.answer(club.last(BOB, "invitation"), text, BOB).state == "handled"
    club.desk.store.close()


@pytest.mark.parametrize("text", ["So, e5", "Thanks, e5", "e5. Great game!"])
def test_other_words_on_the_line_of_a_move_agree_to_no_draw(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), "e4\ndraw?", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), text, BOB)
    assert club.fate("chess-1", "black") == "played"


@pytest.mark.parametrize("text", ["No, no, a draw is fine", "nein, nein, Remis ist gut"])
def test_a_no_said_twice_before_a_yes_declines_no_draw(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), "e4\ndraw?", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), text, BOB)
    assert "does not plainly say whether you agree" in club.last(BOB, "answer").flat


@pytest.mark.parametrize("text", ["Sorry, yes.", "Entschuldigung, ja", "confirmed", "bestätigt"])
def test_a_yes_may_be_said_in_many_ways(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), "e4\nwait", ALICE)
    club.answer(club.last(ALICE, "receipt"), text, ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize("below", ["LG Anna\nAbteilung C5 | Tel. 030 1234", "Room A4, Ext. 12"])
def test_an_office_in_the_last_lines_is_no_other_move(club: Club, below: str) -> None:
    club.answer(club.last(ALICE), f"e4\n\n{below}", ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize("text", ["No, I want d4", "No, d4 is better", "Nein, d4 ist besser"])
def test_a_no_that_names_another_move_has_that_one_asked_about(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), "e4\nwait", ALICE)
    club.answer(club.last(ALICE, "receipt"), text, ALICE)
    assert "“yes” plays “d4”" in club.last(ALICE, "receipt").flat


def test_a_no_that_only_names_the_move_asked_about_takes_it_back(club: Club) -> None:
    club.answer(club.last(ALICE), "e4\nwait", ALICE)
    club.answer(club.last(ALICE, "receipt"), "No, not e4", ALICE)
    assert club.fate("chess-1", "white") not in {"held", "asked", "played"}


def test_of_a_move_taken_back_in_brackets_the_other_is_asked_about(club: Club) -> None:
    club.answer(club.last(ALICE), "e4 (haha, no: d4)", ALICE)
    assert "“yes” plays “d4”" in club.last(ALICE, "receipt").flat


@pytest.mark.parametrize("text", ["e4, or I resign", "e4. If you take it, I resign"])
def test_beside_a_move_a_sentence_resigns_nothing(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert "resign" not in club.last(ALICE).flat.partition(text)[0]
    assert club.match("chess-1").state == "running"


def test_signs_that_say_something_else_are_asked_about(club: Club) -> None:
    """A move with a stroke may be the count of a match."""
    club.new_match("backgammon", f"white={ALICE}", f"black={BOB}")
    club.work()
    report = club.last(ALICE)
    move = next(line for line in report.turn_file["legal"] if " " not in line)
    club.answer(report, move.replace("/", "-"), ALICE)
    assert f"“yes” plays “{move}”." in club.last(ALICE, "receipt").flat


def count_in_go(club: Club) -> None:
    """Begin a game of go in which both have passed after a stone each, so that alice is to act."""
    club.new_match("go", f"black={ALICE}", f"white={BOB}", options=["size=9x9"])
    club.work()
    for who, line in ((ALICE, "D4"), (BOB, "E5"), (ALICE, "pass"), (BOB, "pass")):
        mails = [mail for mail in club.mails(who) if "go-1" in mail.text]
        club.answer(mails[-1], line, who)
        club.work()


def hand_over_in_go(club: Club) -> None:
    """Begin such a game in which alice has marked nothing as dead, so that bob is to agree."""
    count_in_go(club)
    club.answer(club.last(ALICE, "report"), "done", ALICE)
    club.work()


@pytest.mark.parametrize("text", ["Agreed. Thanks Bob!", "yes", "ok with me", "done", "alles lebt"])
def test_a_yes_agrees_to_the_dead_stones_that_the_other_side_has_marked(
    club: Club, text: str
) -> None:
    """As `done` does; it is no answer to any other question."""
    hand_over_in_go(club)
    club.answer(club.last(BOB, "report"), text, BOB)
    club.work()
    assert club.match("go-1").state == "over"


@pytest.mark.parametrize(
    "text",
    [
        "ok\nD4 is dead",
        "Yes\nbut not D4",
        "Ja\naber E5 ist tot",
        "ok\n?",
        "ok\nlet me think about it",
        "done\nE5 lives!",
        "done\n\nD4 is dead, of course",
        "The black stones are dead.\ndone",
        "fertig\nalle schwarzen Steine sind tot",
    ],
)
def test_a_yes_beside_an_objection_agrees_to_no_dead_stones(club: Club, text: str) -> None:
    hand_over_in_go(club)
    club.answer(club.last(BOB, "report"), text, BOB)
    club.work()
    assert "your mail says" in club.last(BOB, "answer").flat
    assert club.match("go-1").state == "running"


@pytest.mark.parametrize("talk", ["Good game!", "Danke für das Spiel!", "What a fight that was."])
def test_thanks_beside_done_object_to_nothing(club: Club, talk: str) -> None:
    hand_over_in_go(club)
    club.answer(club.last(BOB, "report"), f"done\n{talk}", BOB)
    club.work()
    assert club.match("go-1").state == "over"


def test_what_is_marked_behind_the_end_of_the_match_is_asked_about(club: Club) -> None:
    """The stones would have been agreed to without it."""
    hand_over_in_go(club)
    club.answer(club.last(BOB, "report"), "done\ndead D4", BOB)
    club.work()
    assert "Either: · done Or: · dead D4" in club.last(BOB, "answer").flat
    assert club.match("go-1").state == "running"


def test_a_yes_to_another_mail_agrees_to_no_dead_stones(club: Club) -> None:
    """Such as the other player's message."""
    hand_over_in_go(club)
    report = club.last(BOB, "report")
    club.answer(club.last(ALICE), "message all: Shall we have tea on Sunday?", ALICE)
    club.answer(club.last(BOB), "Sure!", BOB)
    assert club.match("go-1").state == "running"
    club.answer(report, "Sure!", BOB)
    club.work()
    assert club.match("go-1").state == "over"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("backgammon", "24 to 20, 13 to 8*"),
        ("backgammon", "5-4: 24/20 13/8"),
        ("chess", "I castle"),
        ("chess", "I take on d5"),
        ("chess", "knight takes bishop"),
        ("chess", "pawn takes d5"),
        ("chess", "pawn takes pawn"),
        ("euchre", "my ace"),
        ("go", "[dd]"),
        ("go", "alles lebt"),
        ("go", "tengen"),
        ("hearts", "the queen"),
        ("ohhell", "die 8"),
        ("ohhell", "bid two"),
    ],
)
def test_what_leaves_something_open_is_read_again_as_it_is_written(
    game: str, line: str, language: str
) -> None:
    """An order that waits for a yes is kept as a line, before anybody looks what it may mean."""
    played = find_installed(game)
    order = played.parse(line, "de")
    assert played.parse(played.format(order, language), language) == order


@pytest.mark.parametrize("signature", ["D. Miller", "Cheers, D. Miller", "- D. Miller"])
def test_an_initial_with_a_stop_is_no_column(tmp_path: Path, signature: str) -> None:
    """One signs like this, and where a column is an order it drops no disc there."""
    club = open_club(tmp_path)
    club.new_match("connectfour", f"red={ALICE}", f"yellow={BOB}")
    club.work()
    club.answer(club.last(ALICE), f"Nice game so far.\n\n{signature}", ALICE)
    assert club.fate("connectfour-1", "red") != "played"
    club.desk.store.close()


def fate_of(folder: Path, game: str, text: str) -> str:
    """Return the fate of a match's first letter, sent by the seat that is to act."""
    club, seats = open_club(folder), find_installed(game).colours[:2]
    # In checkers the second of them begins.
    first = "black" if game == "checkers" else seats[0]
    people = {seat: ALICE if seat == first else BOB for seat in seats}
    match = club.new_match(game, *(f"{seat}={people[seat]}" for seat in seats)).name
    club.work()
    club.answer(club.last(ALICE), text, ALICE)
    fate = club.fate(match, first)
    club.desk.store.close()
    return fate


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("hearts", "the kıng"), ("hearts", "THE KİNG"), ("hearts", "sıx 6♦"),
        ("ohhell", "keıne"), ("ohhell", "SİX TRICKS"), ("ohhell", "the kıng"),
    ],
)  # fmt: skip
def test_a_letter_written_with_an_i_of_turkish_is_read(
    tmp_path: Path, game: str, line: str
) -> None:
    """Phones of Turkish set one for any other, so it is read as that."""
    club = open_club(tmp_path)
    colours = find_installed(game).colours[:4]
    club.new_match(game, *(f"{seat}={seat}@example.test" for seat in colours))
    club.work()
    player = f"{club.match(f'{game}-1').to_act}@example.test"
    verdict = club.answer(club.last(player, "report"), line, player)
    assert verdict.state == "handled"
    club.desk.store.close()


@pytest.mark.parametrize(
    ("game", "text", "fate"),
    [
        ("connectfour", "d\nCheers, B", "played"),
        ("connectfour", "d\nBest\nG", "played"),
        ("connectfour", "Hi Bob,\n\n4\n\nBest, E", "played"),
        ("connectfour", "Hi Bob,\nD", "played"),
        ("connectfour", "My move:\nD", "played"),
        ("connectfour", "Thanks for the game so far.\nd", "played"),
        ("connectfour", "Best,\nF", "asked"),
        ("connectfour", "Hi\nIs it my turn?\nE", "asked"),
        ("connectfour", "No time today, sorry.\nB.", "asked"),
        ("hive", "Best,\nM", "asked"),
    ],
)
def test_a_capital_at_the_end_may_sign_the_letter(
    tmp_path: Path, game: str, text: str, fate: str
) -> None:
    """Below an order it does; below talk that does not lead in to it, its writer is asked."""
    assert fate_of(tmp_path, game, text) == fate


@pytest.mark.parametrize(
    ("game", "order", "below"),
    [
        ("connectfour", "d", "sorry, e"), ("connectfour", "d", "e instead"),
        ("connectfour", "d", "make that e"), ("connectfour", "d", "ach nein, c"),
        ("connectfour", "d", "falsche Spalte"), ("connectfour", "d", "oops wrong column"),
        ("connectfour", "d", "hoppla"), ("connectfour", "4", "5 sorry"),
        ("pentago", "a1 1L", "1R"), ("pentago", "a1 1L", "no, 1R"),
        ("checkers", "11-15", "make that 16"), ("checkers", "11-15", "16"),
        ("mancala", "3", "sorry, 4"), ("mancala", "3", "better 4"), ("mancala", "3", "Besser: 4"),
        ("oware", "c", "eher a"), ("oware", "c", "ich meine a"), ("xiangqi", "C2=5", "make that 4"),
        ("connectfour", "Spalte 4", "ich meine Spalte 5"), ("connectfour", "d", "alternativ e"),
        ("backgammon", "24/20 13/8", "sorry 8/3"), ("backgammon", "24/20 13/8", "8/3 sorry"),
        ("backgammon", "24/20 13/8", "sorry, 8/3 instead of 13/8"),
        ("backgammon", "24/20 13/8", "not 13/8"),
    ],
)  # fmt: skip
def test_a_piece_of_an_order_below_it_may_take_the_place_of_its_own(
    tmp_path: Path, game: str, order: str, below: str
) -> None:
    """It is no order alone, or none that its writer gave for certain."""
    assert fate_of(tmp_path, game, f"{order}\n{below}") == "asked"


@pytest.mark.parametrize(
    "below", ["1 more move", "make that 4", "I mean 4", "sorry\n4", "lieber 4", "besser\n4"]
)
def test_an_order_in_a_sentence_below_another_is_no_second_one(tmp_path: Path, below: str) -> None:
    """Even where both could be played one after the other."""
    club = open_club(tmp_path)
    club.new_match("mancala", f"south={ALICE}", f"north={BOB}")
    club.work()
    club.answer(club.last(ALICE), f"3\n{below}", ALICE)
    assert "leaves it open which you mean" in club.last(ALICE).flat
    club.desk.store.close()


@pytest.mark.parametrize(
    ("game", "text", "fate"),
    [
        ("connectfour", "Hi E,", "nothing"),
        ("connectfour", "Hi D,\nhow was your weekend?", "nothing"),
        ("connectfour", "Hallo E.\nd", "played"), ("hive", "Thanks L", "nothing"),
        ("mancala", "Hi A,\n3", "played"),
    ],
)  # fmt: skip
def test_who_is_greeted_is_no_order(tmp_path: Path, game: str, text: str, fate: str) -> None:
    """Though it is one by itself: a column, a house, a tile."""
    assert fate_of(tmp_path, game, text) == fate


@pytest.mark.parametrize(
    "text",
    [
        "When you take the queen\nI resign", "I think\nI resign", "To your riddle:\nI give up",
        "The diet?\nI give up.", "I give up\non this weather",
    ],
)  # fmt: skip
def test_a_resignation_that_talk_runs_into_is_asked_about(club: Club, text: str) -> None:
    """Nothing takes it back."""
    club.answer(club.last(ALICE), text, ALICE)
    assert club.match("chess-1").state == "running"


@pytest.mark.parametrize("opening", ["Hi Black,", "Hallo Black", "Dear Black,\n", "Black,"])
def test_who_is_greeted_is_no_other_players_move(club: Club, opening: str) -> None:
    club.answer(club.last(ALICE), f"{opening}\ne4", ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize(
    "text",
    [
        "e4\nWar ein Versehen.", "e4\nBitte warten!", "e4\nMoment mal",
        "e4\nstorniert", "e4\nungültig", "e4\nverguckt", "e4\nvorläufig", "Soll ich\ne4",
        "Was hältst du von\ne4", "What about\ne4", "Kurze Frage:\ne4", "Lieber nicht,\ne4",
        "Angenommen\ne4", "e4\nhmm",
    ],
)  # fmt: skip
def test_what_halts_asks_or_only_tries_keeps_a_move_from_being_played(
    club: Club, text: str
) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "asked"


@pytest.mark.parametrize(
    "text",
    [
        "e4\n\nPlease consider the environment before printing this e-mail.",
        "e4\n\nBitte denken Sie an die Umwelt, bevor Sie diese E-Mail ausdrucken.",
        "e4\n\nGesendet vom Handy, bitte Tippfehler entschuldigen",
    ],
)
def test_a_programs_footer_is_no_word_about_a_move(club: Club, text: str) -> None:
    """Though mails are orders elsewhere, and “before” is a condition."""
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize(
    "text", ["Lieber Herr Nachbar,\ne4", "Liebe Anna,\n\ne4", "e4\nDas macht Spaß!", "Grüezi, e4"]
)
def test_who_is_called_dear_is_not_told_what_is_dearer(club: Club, text: str) -> None:
    """German has one word for both; and fun is no joke."""
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize("below", ["不", "等等", "не уверен"])
def test_talk_in_letters_that_no_known_language_has_keeps_an_order_waiting(
    club: Club, below: str
) -> None:
    club.answer(club.last(ALICE), f"e4\n{below}", ALICE)
    assert club.fate("chess-1", "white") == "held"


def test_a_roll_stands_on_one_line_or_on_several(club: Club) -> None:
    """One checker a line is how a mail that asks for one order a line is answered."""
    club.new_match("backgammon", f"white={ALICE}", f"black={BOB}")
    club.work()
    report = club.last(ALICE)
    move = next(line for line in report.turn_file["legal"] if line.count(" ") == 1)
    club.answer(report, "Hi Bob,\n\n" + "\n".join(move.split()) + "\n\nCheers, Alice", ALICE)
    assert club.fate("backgammon-1", "white") == "played"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A knight on f3 looks strong to me", "Nf3"),
        ("I like the look of h4 today", "h4"),
        ("Ouch, that leaves me only knight to f3 and a sad king", "Nf3"),
    ],
)
def test_what_cannot_be_read_is_answered_with_the_moves_it_may_have_meant(
    club: Club, text: str, named: str
) -> None:
    """Those that its squares stand in, not any three."""
    club.answer(club.last(ALICE), text, ALICE)
    told = club.last(ALICE).flat
    assert f"· {named} " in told.partition("You could write:")[2]


def test_many_sentences_on_a_line_cost_little_and_break_nothing(club: Club) -> None:
    report = club.last(ALICE)
    club.answer(report, "e4. " * 1250, ALICE)
    assert club.fate("chess-1", "white") == "nothing"
    club.answer(report, "e4", ALICE)
    assert club.fate("chess-1", "white") == "played"


def test_several_dead_groups_are_named_on_one_line(club: Club) -> None:
    """Said as a sentence they are asked about, in a line that does it."""
    count_in_go(club)
    club.answer(club.last(ALICE, "report"), "D4 and E5 are dead", ALICE)
    asked = club.last(ALICE, "receipt")
    assert "“yes” plays “dead D4; dead E5”." in asked.flat
    club.answer(asked, "yes", ALICE)
    club.work()
    told = [mail.flat for mail in club.mails(ALICE)]
    assert any("dead D4 — accepted" in text and "dead E5 — accepted" in text for text in told), told


@pytest.mark.parametrize(
    ("game", "text", "order"),
    [
        ("hearts", "the queen (of spades)", "Q♠"),
        ("hearts", "die Dame (Pik)", "Q♠"),
        ("ginrummy", "6H (and knock)", "knock 6♥"),
        ("chess", "exd6 (e.p.)", "exd6"),
        ("chess", "e8 (queen)", "e8=Q"),
        ("backgammon", "24/22 24/18 (6-2)", "24/22 24/18"),
        ("chess", "e4 (a fine square)", "e4"),
    ],
)
def test_a_remark_in_brackets_may_be_a_part_of_the_order(game: str, text: str, order: str) -> None:
    tongue = Tongue(find_installed(game), "en")
    (entry,) = entries_in(text, tongue)
    assert tongue.write(entry) == order


@pytest.mark.parametrize(
    ("game", "text", "order"),
    [
        ("hearts", "KC. Who has the queen?", "K♣"),
        ("hearts", "I keep the queen, KC", "K♣"),
        ("hearts", "JC, sorry", "J♣"),
        ("chess", "I play Nf3 not Nc3", "Nf3"),
        ("chess", "I play e4 without hesitation", "e4"),
        ("hearts", "here comes the queen of spades!", None),
        ("ginrummy", "no knock, discard 6H", "6♥"),
        ("ginrummy", "Ich nehme sie nicht", None),
        ("chess", "Ich spiele e4, ach nein, d4", "d4"),
    ],
)
def test_of_a_sentence_no_part_is_taken_that_says_another_thing(
    game: str, text: str, order: str | None
) -> None:
    """Neither a shorter order within a longer one, nor what is negated."""
    tongue = Tongue(find_installed(game), "en")
    entry = order_in(text, tongue, alone=True)
    assert (entry and tongue.write(entry)) == order


def test_an_order_may_go_on_in_the_next_line() -> None:
    said = Said("text", lines=(WrittenLine("the queen"), WrittenLine("of spades")))
    (line,) = understand(said, Tongue(find_installed("hearts"), "en")).lines
    assert line.order == find_installed("hearts").parse("QS", "en")


@pytest.mark.parametrize("text", ["C7 is alive", "C7 lebt", "No, C7 lives"])
def test_what_is_said_of_a_stone_is_not_turned_round(club: Club, text: str) -> None:
    """A yes to “dead C7” would do the contrary."""
    club.new_match("go", f"black={ALICE}", f"white={BOB}", options=["size=9x9"])
    for seat, move in ((ALICE, "C7"), (BOB, "E5"), (ALICE, "pass"), (BOB, "pass")):
        club.work()
        club.answer(club.last(seat, "report"), move, seat)
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert club.fate("go-1", "black") not in {"asked", "held"}
    assert "dead C7" not in club.last(ALICE, "answer").text.partition("You could write")[0]


@pytest.mark.parametrize(
    "text", ["No, I take it", "no\ntake it", "yes\npass", "no, not yet", "No, wait"]
)
def test_a_no_with_more_beside_it_is_no_order(club: Club, text: str) -> None:
    """As where it and an order contradict each other."""
    club.new_match("ginrummy", f"red={ALICE}", f"blue={BOB}")
    club.work()
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("ginrummy-1", "red") != "played"


@pytest.mark.parametrize(("answer", "fact"), [("No thanks!", "passed"), ("yes please", "took")])
def test_a_card_that_is_offered_is_taken_by_a_yes(club: Club, answer: str, fact: str) -> None:
    club.new_match("ginrummy", f"red={ALICE}", f"blue={BOB}")
    club.work()
    club.answer(club.last(ALICE), answer, ALICE)
    with club.desk.store.reading() as connection:
        events = matches.events(connection, club.match("ginrummy-1").id)
    told = [str(event.facts) for event in events if event.kind == "order"]
    assert fact in told[-1]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("rules connect four", Command("rules", ("connectfour",))),
        ("Regeln Vier gewinnt", Command("rules", ("connectfour",))),
        ("rules: nine men’s morris", Command("rules", ("ninemensmorris",))),
        ("join connect four", Command("join", ("connectfour",))),
        ("join connect four as red", Command("join", ("connectfour", "red"))),
        ("join go-3 black", Command("join", ("go-3", "black"))),
        ("join us in the garden", None),
        ("rules are rules", None),
    ],
)
def test_a_game_is_known_by_what_it_is_called_in_any_language(line, command):
    assert read_command(line) == command


@pytest.mark.parametrize("text", ["Hi Bob, d", "Dear Bob! d", "Hallo Bob, d"])
def test_a_letter_behind_a_greeting_is_asked_about(tmp_path: Path, text: str) -> None:
    """In games whose moves are no more than that; it may as well sign the mail."""
    club = open_club(tmp_path)
    club.new_match("oware", f"south={ALICE}", f"north={BOB}")
    club.work()
    club.answer(club.last(ALICE), text, ALICE)
    assert "“yes” plays “d”" in club.last(ALICE).flat
    assert club.fate("oware-1", "south") == "asked"
    club.desk.store.close()


@pytest.mark.parametrize(
    ("text", "agrees"),
    [("Fine by me", True), ("Sounds good!", True), ("Good play!", False), ("Yes, D4 lives", False)],
)
def test_dead_stones_are_agreed_on_in_ones_own_words(
    tmp_path: Path, text: str, agrees: bool
) -> None:
    """That ends the game, so nothing else may be said."""
    club = open_club(tmp_path)
    club.new_match("go", f"black={ALICE}", f"white={BOB}")
    for who, order in ((ALICE, "D4"), (BOB, "Q16"), (ALICE, "pass"), (BOB, "pass")):
        club.work()
        club.answer(club.last(who, "report"), order, who)
    club.work()
    report = club.last(ALICE, "report")
    # A first yes agrees to nothing.
    club.answer(report, text, ALICE)
    assert club.match("go-1").to_act == "black"
    club.answer(report, "done", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), text, BOB)
    assert (club.match("go-1").state == "over") is agrees
    club.desk.store.close()


@pytest.mark.parametrize("text", ["8)", "(5)", "[image0.jpeg]", "Thanks! (2x)", "8"])
def test_a_number_without_a_move_is_no_word_of_the_game(club: Club, text: str) -> None:
    """Such as “pass” in go, which takes nothing."""
    club.new_match("go", f"black={ALICE}", f"white={BOB}")
    club.work()
    club.answer(club.last(ALICE, "report"), text, ALICE)
    assert "looked like an order" in club.last(ALICE, "answer").text


def test_where_pieces_begin_a_move_a_space_alone_is_none(club: Club) -> None:
    """Of hive's pieces any may go there, though the queen alone has no number."""
    club.new_match("hive", f"white={ALICE}", f"black={BOB}", options=["expansions=false"])
    club.work()
    for who, move in ((ALICE, "wG1"), (BOB, "bG1 wG1-"), (ALICE, "wA1 -wG1"), (BOB, "bA1 bG1-")):
        club.answer(club.last(who, "report"), move, who)
        club.work()
    club.answer(club.last(ALICE, "report"), "/wA1", ALICE)
    assert club.match("hive-1").turn == 5
