"""Draw by mail: one offers, the others agree, decline or play on."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import count
from typing import ClassVar

import pytest
from referee_pebbles.game import Pebbles
from referee_pebbles.orders import Pass
from support.club import Club, Mail

from referee.desk import health
from referee.desk.archive.record import record_bytes
from referee.desk.letters.understand import understand
from referee.desk.letters.words.keywords import Command
from referee.desk.letters.words.phrases import Tongue
from referee.desk.letters.words.places import Said
from referee.desk.matches import ledger
from referee.desk.plans.match import Pause, Resend
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver, SitIn
from referee.desk.service import chores
from referee.games import registry
from referee.games.game import Order
from referee.mail.incoming.lines import WrittenLine
from referee.matches import record
from referee.store.people import questions
from referee.value import replace

ALICE, BOB, CARO = "alice@example.test", "bob@example.test", "caro@example.test"
NAME = "pebbles-1"


def begun(club: Club, *more: str, game: str = "pebbles", **terms: timedelta) -> Mail:
    """Begin a match of red and blue, and return red's report."""
    club.new_match(game, f"red={ALICE}", f"blue={BOB}", *more, **terms)
    club.work()
    return club.last(ALICE, "report")


def put_of(report: Mail) -> str:
    """Return an order of a report that does not end the match."""
    return next(line for line in report.turn_file["legal"] if line.startswith("put"))


def both_played(club: Club) -> tuple[Mail, Mail]:
    """Begin a match and let both play once; return the reports that they answered."""
    red = begun(club)
    club.answer(red, put_of(red), ALICE)
    club.work()
    blue = club.last(BOB, "report")
    club.answer(blue, put_of(blue), BOB)
    club.work()
    return red, blue


def offered(club: Club, *more: str) -> tuple[Mail, Mail]:
    """Let red play and offer a draw in one letter; return blue's report and red's reply."""
    report = begun(club, *more)
    club.answer(report, f"{put_of(report)}\ndraw?", ALICE)
    reply = club.last(ALICE)
    club.work()
    return club.last(BOB, "report"), reply


def ending(club: Club) -> str:
    """Return how the match ended; empty while it goes on."""
    result = ledger.result_of(club.match(NAME))
    return "" if result is None else result.ending


def is_told(club: Club, who: str, sentence: str) -> bool:
    """Return whether a player's new mails say a sentence."""
    return any(sentence in mail.flat for mail in club.mails(who))


def test_a_draw_offered_beside_a_move_and_agreed_to_ends_the_match(club: Club) -> None:
    """The report of the move puts the offer with two buttons; a yes shares the first place."""
    offer, reply = offered(club)
    assert club.match(NAME).to_act == "blue"
    assert "Red (alice) offers a draw: answer “agree” or “decline”." in offer.flat
    assert not club.mails(BOB)
    assert "=== pebbles-1 · turn 2 · blue" in offer.text
    assert {"agree", "decline"} <= {name.casefold() for name in offer.links}
    assert "You have offered bob a draw" in reply.flat
    club.answer(offer, "yes", BOB)
    club.work()
    result = ledger.result_of(club.match(NAME))
    assert result is not None
    assert (result.ending, dict(result.places)) == ("agreed", {"red": 1, "blue": 1})
    agreed = club.last(BOB, "answer").flat
    assert "With that the match is over." in agreed
    assert "write your orders" not in agreed
    assert "Over: a draw. The players agreed on a draw." in club.last(ALICE, "report").flat


@pytest.mark.fast
def test_the_report_tells_of_an_offer_until_it_is_answered(club: Club) -> None:
    """So does one that is sent again, and nobody else's."""
    report, _ = offered(club, f"green={CARO}")
    club.answer(club.last(CARO, "report"), "agree", CARO)
    apply_act(club.desk, Resend(NAME, "blue"), "lost")
    apply_act(club.desk, Resend(NAME, "green"), "lost")
    again = club.last(BOB, "report")
    assert "Red (alice) offers a draw: answer “agree” or “decline”." in again.flat
    assert {"agree", "decline"} <= {name.casefold() for name in again.links}
    for who in (ALICE, CARO):
        assert not is_told(club, who, "offers a draw: answer")
    club.answer(again, "no", BOB)
    club.answer(report, put_of(report), BOB)
    club.work()
    assert not is_told(club, CARO, "offers a draw: answer")


@pytest.mark.parametrize(
    "line",
    [
        *("draw", "Draw?", "draw ?", "draw!", "remis", "Remis?", "I offer a draw."),
        *("I'd like to offer you a draw", "How about a draw?", "Ich biete Remis an."),
    ],
)
def test_each_way_to_write_it_offers(club: Club, line: str) -> None:
    """A question mark makes no talk of it."""
    club.answer(begun(club), line, ALICE)
    assert "offers a draw" in club.last(BOB, "notice").flat


@pytest.mark.parametrize(
    "between",
    [
        *(" draw?", ", draw", ". Draw!", " (draw?)", " (=)", ". I offer a draw."),
        *("\n\nI offer a draw", ", and I offer a draw", " and draw offer", " mit Remisangebot"),
        " und biete Remis an",
    ],
)
def test_an_offer_may_stand_behind_its_move(club: Club, between: str) -> None:
    report = begun(club)
    club.answer(report, put_of(report) + between, ALICE)
    assert club.match(NAME).to_act == "blue"
    club.work()
    assert "offers a draw" in club.last(BOB, "report").flat


def test_the_line_of_an_offer_may_stand_above_its_move(club: Club) -> None:
    """It is put after the move all the same, so that the move does not end it."""
    report = begun(club)
    club.answer(report, f"draw?\n{put_of(report)}", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), "agree", BOB)
    assert ending(club) == "agreed"


@pytest.mark.parametrize(
    "text",
    [
        *("I accept the draw", "I accept your draw offer", "Remis angenommen"),
        *("ok draw", "A draw is ok", "Ich nehme das Remis an", "Einverstanden, remis"),
        *("agreed, thanks for the game", "A draw is good for me", "Draw, no problem", "Deal"),
        *("Fine with me", "Of course!", "Sure thing", "Geht klar", "Geht in Ordnung"),
        *("Yes, draw. Good game!", "OK. Well played!", "Sure! Thanks for the game."),
        *("Ja. Schönes Spiel!", "Yes.\n\nThat was a really interesting game, Alice.\n\nBob"),
        *("Auf jeden Fall!", "Hi Alice,\n\nyes.\n\nBest wishes\nBob"),
    ],
)
def test_a_plain_yes_in_ones_own_words_agrees(club: Club, text: str) -> None:
    """It may name the draw, with courtesy, praise of the game, and what says nothing of it."""
    offer, _ = offered(club)
    club.answer(offer, text, BOB)
    assert ending(club) == "agreed"


@pytest.mark.parametrize(
    "text",
    [
        *("agree\n{order}", "Yes.\n{order}", "I accept\n{order}"),
        *("Yes. {order}", "Good. I play {order}", "Klar. {order}"),
    ],
)
def test_a_yes_beside_a_move_is_asked_about(club: Club, text: str) -> None:
    """The one ends the match, and the other declines; the answer names both."""
    offer, _ = offered(club)
    club.answer(offer, text.format(order=put_of(offer)), BOB)
    assert "but also" in club.last(BOB, "answer").flat
    assert not ending(club)
    assert club.match(NAME).to_act == "blue"


def test_a_yes_that_names_the_draw_is_for_it_also_while_orders_are_held(club: Club) -> None:
    """A bare yes could mean either."""
    report = begun(club)
    club.answer(report, f"{put_of(report)}, draw?", ALICE)
    club.work()
    theirs = club.last(BOB, "report")
    club.answer(theirs, f"{put_of(theirs)}\n\nIs this allowed?", BOB)
    club.answer(theirs, "yes", BOB)
    assert "could mean your orders that are held" in club.last(BOB, "answer").flat
    club.answer(theirs, "I accept the draw", BOB)
    assert ending(club) == "agreed"


@pytest.mark.parametrize("text", ["yes, draw", "I accept the draw", "draw"])
def test_an_answer_that_names_the_draw_is_for_it_whatever_mail_it_answers(
    club: Club, text: str
) -> None:
    """Also the receipt that asks whether an order is to be played."""
    offer, _ = offered(club)
    club.answer(offer, f"Hm, I think I stand better. {put_of(offer)}", BOB)
    club.answer(club.last(BOB, "receipt"), text, BOB)
    assert ending(club) == "agreed"


def test_a_yes_beside_a_move_in_the_box_is_asked_about(club: Club) -> None:
    """It makes no difference where in the mail the two stand."""
    offer, _ = offered(club)
    box = offer.text.replace("(write your orders here, one per line)", put_of(offer))
    club.answer(offer, f"I accept the draw.\n\n{box}", BOB)
    assert "but also" in club.last(BOB, "answer").flat
    assert not ending(club)


def test_a_smiley_behind_a_move_offers_nothing(club: Club) -> None:
    report = begun(club)
    club.answer(report, f"{put_of(report)} =)", ALICE)
    club.work()
    assert "offers a draw" not in club.last(BOB, "report").flat


@pytest.mark.parametrize(
    "text",
    [
        *("Draw? No thanks", "Draw declined", "Remis? Nein danke", "yes, I decline", "Draw?\nNo"),
        *("Fine. No draw.", "Good. We play on.", "OK. Let me think.", "Draw? I am winning!"),
        *("Yes.\nIf you also agree to a rematch.", "Yes.\nI will answer in a few days."),
        "Yes.\nLet me sleep over it though.",
        *("Agree.\n\nBut only if you accept the other one.", "Draw?\n\nNot now.", "Good play!"),
        *("Love,\nBob", "Good for you!", "Passt auf!", "Play it", "definitely one thing"),
    ],
)
def test_who_does_not_plainly_agree_has_not_agreed(club: Club, text: str) -> None:
    """An end cannot be taken back, so that whatever else is said has the yes asked about."""
    offer, _ = offered(club)
    club.answer(offer, text, BOB)
    assert not ending(club)
    assert "offers a draw" not in "".join(mail.flat for mail in club.mails(ALICE))


@pytest.mark.parametrize(
    "text",
    [
        *("No thanks, I play on.", "No, I want to play on", "Nein, ich spiele weiter.", "No way!"),
        *("ich lehne ab", "Not now, thanks.", "Lieber nicht", "I would rather play on."),
    ],
)
def test_a_no_in_ones_own_words_declines(club: Club, text: str) -> None:
    offer, _ = offered(club)
    club.answer(offer, text, BOB)
    assert "bob has declined" in club.last(ALICE).flat


def test_who_says_neither_is_asked_for_one_of_both(club: Club) -> None:
    """No answer that cannot be taken back is put into anybody's mouth."""
    offer, _ = offered(club)
    club.answer(offer, "Why would I want a draw here? lol", BOB)
    told = club.last(BOB, "answer")
    assert "does not plainly say whether you agree to a draw" in told.flat
    assert {"agree", "decline"} <= set(told.links)
    assert not ending(club)


def test_a_draw_that_is_declined_below_a_move_is_not_offered(club: Club) -> None:
    offer, _ = offered(club)
    club.answer(offer, f"{put_of(offer)}\n\nRemis abgelehnt", BOB)
    club.work()
    assert club.match(NAME).to_act == "red"
    assert "offers a draw" not in club.last(ALICE, "report").flat


def test_an_offer_answered_by_an_offer_is_agreed(club: Club) -> None:
    offer, _ = offered(club)
    club.answer(offer, "draw", BOB)
    assert ending(club) == "agreed"


def test_one_who_declines_is_told_to_all(club: Club) -> None:
    """The match goes on, and a later yes does nothing."""
    offer, _ = offered(club)
    club.answer(offer, "no", BOB)
    asker, decliner = club.last(ALICE, "notice").flat, club.last(BOB, "notice").flat
    assert "There is no draw: bob has declined. The match goes on as it stands:" in asker
    assert "it is blue's turn" in asker
    assert "There is no draw: you have declined. The match goes on as it stands:" in decliner
    assert "it is your turn, until" in decliner
    club.answer(offer, "yes", BOB)
    assert not ending(club)


def test_an_order_of_another_declines(club: Club) -> None:
    """Only who offered is told apart, since the other has played on."""
    offer, _ = offered(club)
    club.answer(offer, put_of(offer), BOB)
    chores.do_chores(club.desk)
    assert is_told(club, ALICE, "There is no draw: the match has moved on")
    assert not is_told(club, BOB, "There is no draw")
    club.answer(offer, "yes", BOB)
    assert not ending(club)


def test_ones_own_order_leaves_the_offer(club: Club) -> None:
    """It may be made before the move that it goes with."""
    report = begun(club)
    club.answer(report, "draw", ALICE)
    club.answer(report, put_of(report), ALICE)
    club.work()
    chores.do_chores(club.desk)
    club.answer(club.last(BOB, "report"), "yes", BOB)
    assert ending(club) == "agreed"


def test_an_offer_is_agreed_to_by_its_own_mail_also_behind_the_move_that_follows(
    club: Club,
) -> None:
    """It was put in the turn before; a `draw` to a mail of before is told to be late."""
    report = begun(club)
    club.later(minutes=1)
    club.answer(report, "draw", ALICE)
    offer = club.last(BOB, "notice")
    club.answer(report, put_of(report), ALICE)
    club.work()
    club.answer(offer, "agree", BOB)
    assert ending(club) == "agreed"


def test_a_draw_written_to_a_mail_of_before_the_offer_is_answered(club: Club) -> None:
    """The board it was written for is another one, so it agrees to nothing."""
    _, blue = both_played(club)
    club.later(minutes=1)
    club.answer(club.last(ALICE, "report"), "draw", ALICE)
    club.answer(blue, "draw", BOB)
    assert "the match has gone on since the mail you answered" in club.last(BOB, "answer").flat
    assert not ending(club)


def test_a_yes_with_an_order_out_of_turn_is_told_of_the_question(club: Club) -> None:
    """That it is not their turn would leave them wondering what became of their yes."""
    report = begun(club)
    club.answer(report, "draw?", ALICE)
    theirs = club.last(BOB, "notice")
    club.answer(theirs, f"yes, then {put_of(report)}", BOB)
    told = club.last(BOB).flat
    assert "your mail says “yes”, but also “yes, then put" in told
    assert "If you mean the first, answer once more with that alone" in told
    assert not ending(club)


@pytest.mark.parametrize("text", ["Yes, gladly!", "OK", "Ja, gerne!", "No, sorry."])
def test_a_yes_or_no_to_a_message_answers_no_offer(club: Club, text: str) -> None:
    """It is for whoever wrote it. The word of the command is for the referee alone."""
    report = begun(club)
    club.answer(report, "draw?", ALICE)
    club.later(hours=1)
    club.answer(report, "message blue: Dinner on Friday?", ALICE)
    message = club.last(BOB, "notice")
    assert "Dinner" in message.flat
    club.answer(message, text, BOB)
    assert not ending(club)
    told = club.last(BOB, "answer").flat
    assert "does not plainly say whether you agree to a draw" in told
    assert "· message " in told
    club.answer(message, "agree", BOB)
    assert ending(club)


@pytest.mark.parametrize(
    "text", ["draw?\nmessage blue: Dinner on Friday?", "message blue: Dinner?\nend\ndraw?"]
)
def test_of_an_offer_and_a_message_in_one_letter_a_yes_is_for_the_mail_it_answers(
    club: Club, text: str
) -> None:
    """On a clock that goes on between the two, as every clock does."""
    report, moments = begun(club), count(1)

    def now() -> datetime:
        return club.clock[0] + timedelta(milliseconds=700 * next(moments))

    club.desk = replace(club.desk, now=now)
    club.answer(report, text, ALICE)
    mails = {"offers a draw" in mail.flat: mail for mail in club.mails(BOB)}
    club.answer(mails[False], "Yes, gladly!", BOB)
    assert not ending(club)
    club.answer(mails[True], "Yes, gladly!", BOB)
    assert ending(club)


@pytest.mark.parametrize(
    "text", ["Sure. In your dreams.", "Klar. Träum weiter.", "Fine. I fight on then."]
)
def test_a_yes_that_goes_on_about_something_agrees_to_no_draw(club: Club, text: str) -> None:
    club.answer(begun(club), "draw?", ALICE)
    club.answer(club.last(BOB, "notice"), text, BOB)
    assert not ending(club)


@pytest.mark.parametrize("text", ["Yes. Good game!", "Ja, gerne. Danke dir!", "OK. Well played!"])
def test_a_yes_with_wishes_behind_it_agrees(club: Club, text: str) -> None:
    club.answer(begun(club), "draw?", ALICE)
    club.answer(club.last(BOB, "notice"), text, BOB)
    assert ending(club)


def test_a_number_with_a_stop_ends_no_sentence(club: Club) -> None:
    club.answer(begun(club), "Das war unser 3. Remis.", ALICE)
    assert not is_told(club, BOB, "offers a draw")
    club.answer(club.last(ALICE), "It was a long day. Draw?", ALICE)
    assert is_told(club, BOB, "offers a draw")


def test_the_same_offer_twice_is_put_once(club: Club) -> None:
    """The second letter is told that it stands."""
    report = begun(club)
    letter = f"{put_of(report)}\ndraw"
    club.answer(report, letter, ALICE)
    club.work()
    assert is_told(club, BOB, "offers a draw")
    for line in (letter, "draw"):
        club.answer(report, line, ALICE)
        assert is_told(club, ALICE, "you have offered one already")
    club.work()
    assert not is_told(club, BOB, "offers a draw")


def test_an_old_letter_offers_nothing(club: Club) -> None:
    """What was meant for another board is not put for this one, nor does it agree."""
    report, blue = both_played(club)
    newest = club.last(ALICE, "report")
    club.later(minutes=1)
    club.answer(report, "draw", ALICE)
    assert "the match has gone on since" in club.last(ALICE, "answer").flat
    club.answer(newest, "draw", ALICE)
    club.answer(blue, f"{put_of(blue)}\ndraw", BOB)
    assert not ending(club)


def test_nothing_is_offered_beside_an_order_that_was_refused(club: Club) -> None:
    club.answer(begun(club), "put 9 at B9\ndraw", ALICE)
    assert is_told(club, ALICE, "the orders beside it were not played")
    assert not is_told(club, BOB, "offers a draw")


def test_nothing_is_offered_beside_a_preview(club: Club) -> None:
    report = begun(club)
    club.answer(report, f"preview\n{put_of(report)}\ndraw", ALICE)
    assert not is_told(club, BOB, "offers a draw")


def test_a_game_that_knows_no_draw_says_so(club: Club) -> None:
    """Its help says nothing of the command, and that of another game does."""
    report = begun(club, game="nord")
    club.answer(report, "draw", ALICE)
    assert "in this game the players cannot agree on a draw" in club.last(ALICE, "answer").flat
    club.answer(report, "help", ALICE)
    assert "· draw — offers a draw" not in club.last(ALICE, "answer").flat
    club.answer(begun(club), "help", ALICE)
    assert "· draw — offers a draw" in club.last(ALICE, "answer").flat


def test_a_bot_agrees_to_no_draw(club: Club) -> None:
    club.answer(begun(club, "green=bot:random"), "draw", ALICE)
    assert "one of the seats is held by a bot" in club.last(ALICE, "answer").flat
    assert not is_told(club, BOB, "offers a draw")


def test_all_of_several_must_agree(club: Club) -> None:
    offer, _ = offered(club, f"green={CARO}")
    club.answer(offer, "agree", BOB)
    assert "Still awaited: caro" in club.last(BOB, "answer").flat
    assert not ending(club)
    club.answer(club.last(CARO, "report"), "draw", CARO)
    assert ending(club) == "agreed"


def test_an_offer_ends_with_a_seat_that_changes_hands(club: Club) -> None:
    offer, _ = offered(club)
    apply_act(club.desk, HandOver(NAME, "blue", "dora@example.test"), "moving house")
    club.answer(offer, "yes", BOB)
    chores.do_chores(club.desk)
    assert not ending(club)
    assert is_told(club, ALICE, "There is no draw: the match has moved on")


def test_resigning_ends_an_offer_without_a_word(club: Club) -> None:
    """The end of the match says it all."""
    offer, _ = offered(club)
    club.answer(offer, "resign", BOB)
    chores.do_chores(club.desk)
    assert ending(club) == "resigned"
    assert not is_told(club, ALICE, "There is no draw")
    with club.desk.store.reading() as connection:
        assert not questions.ending_questions(connection, club.desk.now())


def test_undo_waits_for_the_answer_to_an_offer(club: Club) -> None:
    """A yes could mean either."""
    _, reply = offered(club)
    club.answer(reply, "undo", ALICE)
    told = club.last(ALICE, "answer").flat
    assert "a draw is offered in this match, which must be answered first" in told


def test_an_offer_beside_held_orders_is_put_at_once(club: Club) -> None:
    """It stands when they are played later; whoever withdraws them has offered all the same."""
    report = begun(club, grace=timedelta(minutes=10))
    club.answer(report, f"{put_of(report)}\ndraw?", ALICE)
    assert is_told(club, BOB, "offers a draw")
    club.later(minutes=11)
    health.note_poll(club.desk, club.desk.now())
    club.work()
    chores.do_chores(club.desk)
    club.answer(club.last(BOB, "report"), "yes", BOB)
    assert ending(club) == "agreed"


def test_words_for_a_draw_are_answered_with_the_command(club: Club) -> None:
    """Only in a game that knows it."""
    club.answer(begun(club), "shall we call it a tie", ALICE)
    assert "Did you mean “draw”?" in club.last(ALICE, "answer").flat
    club.answer(begun(club, game="nord"), "shall we call it a tie", ALICE)
    assert "draw" not in club.last(ALICE, "answer").flat


def test_a_draw_in_german(club: Club) -> None:
    """Offer, question and answer are in German, and the report says how it ended."""
    report = begun(club)
    for who, mail in ((ALICE, report), (BOB, club.last(BOB, "report"))):
        club.answer(mail, "set language de", who)
    club.answer(report, f"{put_of(report)}\nRemis?", ALICE)
    assert is_told(club, ALICE, "Du hast bob Remis angeboten.")
    club.work()
    offer = club.last(BOB, "report")
    assert "Rot (alice) bietet Remis an: Antworte „einverstanden“ oder „ablehnen“." in offer.flat
    club.answer(offer, "einverstanden", BOB)
    club.work()
    assert "Die Spieler haben sich auf Remis geeinigt." in club.last(ALICE, "report").flat


def test_who_reads_once_a_day_is_asked_at_once(club: Club) -> None:
    """The digest comes in the evening, and the question in a mail of its own."""
    report = begun(club)
    club.answer(club.last(BOB, "report"), "set digest daily 18:00", BOB)
    club.answer(report, f"{put_of(report)}\ndraw?", ALICE)
    club.work()
    assert [mail.kind for mail in club.mails(BOB) if "offers a draw" in mail.flat] == ["notice"]


def test_the_record_of_a_match_drawn_by_agreement_verifies(club: Club) -> None:
    offer, _ = offered(club)
    club.answer(offer, "yes", BOB)
    club.work()
    with club.desk.store.reading() as connection:
        lines = record_bytes(connection, club.match(NAME)).splitlines()
    verdict = record.verify_record(lines, registry.find_installed)
    assert (verdict.ok, verdict.ending) == (True, "agreed")


def test_a_stand_in_gives_no_win_away(club: Club) -> None:
    """Neither by an offer nor by an answer; the player's own offer was put to somebody else."""
    offer, reply = offered(club)
    apply_act(club.desk, SitIn(NAME, "blue", date(2026, 11, 21), date(2026, 11, 24), CARO), "away")
    club.work()
    chores.do_chores(club.desk)
    assert is_told(club, ALICE, "There is no draw: the match has moved on")
    for who, mail in ((ALICE, reply), (CARO, club.last(CARO))):
        club.answer(mail, "draw", who)
        assert is_told(club, who, "one of the seats is held by a bot, by a stand-in or by nobody")
    club.answer(offer, "yes", BOB)
    assert not ending(club)


def test_a_draw_is_agreed_on_in_a_pause_too(club: Club) -> None:
    """As resigning it needs no turn."""
    offer, _ = offered(club)
    apply_act(club.desk, Pause(NAME), "holidays")
    club.answer(offer, "yes", BOB)
    assert ending(club) == "agreed"


class Cards(Pebbles):
    """A game that has an order of the name and knows no draw."""

    draws: ClassVar[bool] = False

    def parse(self, line: str, language: str) -> Order:
        return Pass() if line == "draw" else super().parse(line, language)


def test_a_game_without_draws_may_have_an_order_of_that_name() -> None:
    """Its line is the order there."""
    for game, order in ((Cards(edition=2), Pass()), (Pebbles(edition=2), None)):
        (line,) = understand(Said("text", lines=(WrittenLine("draw"),)), Tongue(game, "en")).lines
        assert (line.order, line.command) == (order, None if order else Command("draw"))


@pytest.mark.parametrize(
    "text",
    ["Kein Problem", "Not a problem", "I don't mind a draw", "Ich habe nichts dagegen", "Why not?"],
)
def test_who_does_not_mind_a_draw_is_not_led_to_decline_it(club: Club, text: str) -> None:
    """They are asked for one of both words."""
    offer, _ = offered(club)
    club.answer(offer, text, BOB)
    told = club.last(BOB, "answer")
    assert "does not plainly say whether you agree to a draw" in told.flat
    assert {"agree", "decline"} <= set(told.links)
    assert not ending(club)


def test_who_seems_to_refuse_a_draw_is_told_both_words(club: Club) -> None:
    offer, _ = offered(club)
    club.answer(offer, "I wouldn't mind a draw", BOB)
    assert "Write the one word “agree” or “decline”, whichever" in club.last(BOB, "answer").flat
