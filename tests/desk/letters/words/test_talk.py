"""Lines that look like an order or a command: which are meant as one, and which are talk."""

from __future__ import annotations

import pytest

from referee.desk.letters.understand import understand
from referee.desk.letters.words import keywords
from referee.desk.letters.words.keywords import Command
from referee.desk.letters.words.phrases import Tongue, entries_in, hint_of, order_in
from referee.desk.letters.words.places import Said
from referee.games import registry
from referee.games.defaults import Defaults
from referee.games.game import Order, Unreadable
from referee.mail.incoming.lines import WrittenLine
from referee.matches.standing_orders import read_line

pytestmark = pytest.mark.fast

GAME = registry.find_installed("pebbles")


def is_talk(game: str, line: str) -> bool:
    """Return whether a game takes a line that it cannot read for talk."""
    with pytest.raises(Unreadable) as found:
        read_line(registry.find_installed(game), line, "en")
    return found.value.chatter


@pytest.mark.parametrize("line", ["put it", "Lege den Stein", "PUT!", "put A1 1 1"])
def test_a_short_line_with_a_keyword_was_meant_as_an_order(line: str) -> None:
    """In either language."""
    assert not is_talk("pebbles", line)


@pytest.mark.parametrize(
    "line",
    [
        "place",
        "place D6 D7",
        "· put 1 A1",
        "putting it off",
        "put it there, please",
        "put it A. Then we shall see",
        "put the kettle on now",
        "put 1 A1?",
        "I put 1 A1",
    ],
)
def test_prose_was_not(line: str) -> None:
    """Long or punctuated lines, questions, our own with a dot, and orders of another game."""
    assert is_talk("pebbles", line)


@pytest.mark.parametrize(
    "line", ["·put 1 A1", "・put 1 A1", "* · put 1 A1", "“· put 1 A1”", "put 1 A1？", "“put 1 A1?”"]
)
def test_a_line_of_ours_and_a_question_are_no_orders_of_any_game(line: str) -> None:
    assert is_talk("pebbles", line)


def test_an_endless_line_is_no_order_of_any_game() -> None:
    """Its length is told."""
    with pytest.raises(Unreadable) as found:
        read_line(GAME, "put " + "1" * 999, "en")
    assert (found.value.code, found.value.chatter) == ("too-long", False)


@pytest.mark.parametrize(
    ("line", "slip"),
    [
        ("palce E7 quickly!!", True),
        ("plaec E7 and", True),
        ("palce E5, E6 now", True),
        ("setzze D6 bitte", True),
        ("palce E7?", False),
        ("palce it there", False),
        ("places E7 and E8 look good", False),
        ("Setzt E7 unter Druck", False),
        ("· palce E7", False),
        ("peas on E7", False),
    ],
)
def test_a_mistyped_keyword_before_a_space_was_meant_as_an_order(line: str, slip: bool) -> None:
    """One word more is passed over; a question, our own line and longer prose are none."""
    assert is_talk("nord", line) is not slip


@pytest.mark.parametrize(
    ("line", "talk"),
    [("defend the island", False), ("defend B4", False), ("we defend the island", True)],
)
def test_an_order_in_advance_is_told_from_talk_alike(line: str, talk: bool) -> None:
    """Its keyword is an everyday word, but a short line with it is hardly talk."""
    assert is_talk("origo", line) is talk


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("message red hello", Command("message", ("red hello",))),
        ("nachricht rot morgen", Command("message", ("rot morgen",))),
        ("message all see you", Command("message", ("all see you",))),
        ("message red", None),
        ("message red: hello there", None),
        ("message me tomorrow", None),
        ("message red about the next tournament", None),
    ],
)
def test_a_message_without_its_colon_is_nearly_one(line: str, command: Command | None) -> None:
    """All of its words are named as whom to write to, so that its writer is asked."""
    assert keywords.nearly_message(line, GAME) == command


@pytest.mark.parametrize(
    ("line", "keyword"),
    [
        ("Put it off", "put"),
        ("Undo: please", "undo"),
        ("Place it there", None),
        ("Hello", None),
        ("", None),
        ("· put", None),
    ],
)
def test_talk_that_begins_like_an_order_names_its_keyword(line: str, keyword: str | None) -> None:
    """Whatever follows it. The words of another game are none."""
    assert hint_of(line, Tongue(GAME, "en")) == keyword


class Signs(Defaults):
    """A game whose orders have no keywords, and whose signs tell one from another."""

    def parse(self, line: str, language: str) -> Order:
        """Return the move of a line."""
        if line not in {"♘f3", "f3", "8/4(2)", "8/4", "10♠", "pass", "a", "6"}:
            raise Unreadable("unknown-order", chatter=True)
        return Spoken(line)

    def format(self, order: Order, language: str) -> str:
        """Return a move as a line."""
        assert isinstance(order, Spoken)
        return order.move


class Spoken(Order):
    """A move as it was written."""

    move: str


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("♘f3", "♘f3"),
        ("♘f3 please", "♘f3"),
        ("Hi, ♘f3 👍", "♘f3"),
        ("👋 f3, thanks", "f3"),
        ("f3👍", "f3"),
        ("10♠ :-)", "10♠"),
        ("8/4(2), thank you", "8/4(2)"),
        ("8/4 (finally)", "8/4"),
    ],
)
def test_signs_that_belong_to_an_order_are_no_ornament(text: str, move: str) -> None:
    """The game is asked with them first; what stands apart, or cannot be read, is taken off."""
    (entry,) = entries_in(text, Tongue(Signs(), "en"))  # type: ignore[arg-type]
    assert entry.order == Spoken(move)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("f3, hope that is ok", "f3"),
        ("No thanks, f3", "f3"),
        ("f3 - let us see", "f3"),
        ("I take f3.", "f3"),
        ("I put a stone on f3", "f3"),
        ("Dann setze ich auf f3.", "f3"),
        ("ich möchte auf f3 ziehen", "f3"),
        ("My move: f3 if you like", "f3"),
        ("I pass as well", "pass"),
        ("I pass because it is over", "pass"),
        ("f3 (to stop Ng4)", "f3"),
        ("e5 is too risky, so f3", "f3"),
        ("I take back f3", None),
        ("Dann pass ich auch", "pass"),
        ("I move 6", "6"),
        ("f3?", "f3"),
        ("I am on f3 today", None),
        ("I live at f3", None),
        ("I take the f3", None),
        ("The f3 is closed, I come by the f3.", None),
        ("f3 would lose", None),
        ("pass the salt", None),
        ("I pass the salt", None),
        ("a, what?", None),
        ("6, hello", None),
        ("We met in f3, f3, and elsewhere", None),
    ],
)
def test_a_bare_move_is_an_order_of_a_sentence_that_makes_it(text: str, move: str | None) -> None:
    """One that only names the space is talk."""
    entry = order_in(text, Tongue(Signs(), "en"))  # type: ignore[arg-type]
    assert (entry.order if entry else None) == (Spoken(move) if move else None)


@pytest.mark.parametrize("label", ["My move:", "Move:", "Turn 14:", "Zug 3:", "Zug :", "Befehl:"])
def test_a_label_before_an_order_says_nothing(label: str) -> None:
    """With its number or without."""
    (entry,) = entries_in(f"{label} f3", Tongue(Signs(), "en"))  # type: ignore[arg-type]
    assert entry.order == Spoken("f3")


@pytest.mark.parametrize(
    ("game", "line", "meant"),
    [
        ("pebbles", "aufgeben", "resign"),
        ("pebbles", "ich gebe auf", "resign"),
        ("origo", "aufgeben", "yield"),
        ("origo", "ich gebe auf", ""),
        ("origo", "kapituliere", "resign"),
    ],
)
def test_an_order_called_like_giving_up_is_no_resignation(game: str, line: str, meant: str) -> None:
    """In a game that has one, such words give up no more than that, or are talk."""
    found = registry.find_installed(game)
    (read,) = understand(Said("text", lines=(WrittenLine(line),)), Tongue(found, "de")).lines
    done = read.order or read.command
    assert (done.word if done else "") == meant


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Ich setze auf dich", None),
        ("Setze die Sprache auf Deutsch", "set"),
        ("please put it in german", "set"),
        ("ich gebe auf, gut gespielt", "resign"),
        ("ich gebe auf dich acht", None),
        ("Can you show me the board again please, as it is now?", "show"),
        ("Nice board you have there! Are you still at the club on Tuesdays?", None),
        ("Wie ist denn gerade die Stellung, und was hast du zuletzt gezogen?", "show"),
    ],
)
def test_a_word_for_a_command_needs_what_the_command_is_about(
    text: str, command: str | None
) -> None:
    """To put something is about a setting only where one, or a language, is named."""
    assert keywords.meant_command(text, GAME) == command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("resgin", "resign"),
        ("Withdarw!", "withdraw"),
        ("queen", None),
        ("drawn", None),
        ("Top!", None),
        ("Not", None),
        ("Stellung", "show"),
        ("Zurücknehmen", "undo"),
        ("resgin tomorrow", None),
    ],
)
def test_a_lone_word_may_be_a_keyword_misspelt(text: str, command: str | None) -> None:
    """It is only proposed, and words of a game that are alike are none."""
    assert keywords.meant_command(text, GAME) == command
