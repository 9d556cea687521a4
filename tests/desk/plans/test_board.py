"""What an organiser does to the board: take back, do again, fix, act; what players are told."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from support.club import ALICE, BOB, SEATS, Club, Mail
from support.matches import GAME, walked
from support.mended import opened

from referee.desk.archive import record as archive_record
from referee.desk.archive.audit import audit_match
from referee.desk.matches import ledger
from referee.desk.plans import plan
from referee.desk.plans.act import Act
from referee.desk.plans.board import Acting, Fix, Looking, Redo, Undo, patch_of
from referee.desk.plans.match import End, Resend
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver
from referee.desk.work import Refused
from referee.games import registry
from referee.games.game import Json
from referee.games.play import position_digest
from referee.matches import record, takeback
from referee.matches.events import Event
from referee.store.play import matches

NAME = "pebbles-1"


def begun(club: Club, game: str = "pebbles") -> str:
    """Begin a match of two; return its name."""
    row = club.new_match(game, *SEATS)
    club.work()
    return row.name


def mend(club: Club, act: Act, why: str = "a slip") -> Any:
    """Carry out an act and let follow what follows."""
    found = apply_act(club.desk, act, why)
    club.work()
    return found


def played(club: Club, text: str, name: str = NAME) -> Mail:
    """Let whoever is to act answer his latest report with some orders; return that report."""
    seat = club.match(name).to_act
    sender = ALICE if seat == "red" else BOB
    report = club.last(sender, "report")
    club.answer(report, text, sender)
    club.work()
    return report


def stood(club: Club, name: str = NAME) -> tuple[Any, ...]:
    """Return how a match stands: position, turn, seat."""
    with club.desk.reading() as change:
        row = club.match(name)
        live = ledger.load_match(change, row).live
    return live.position, live.turn.number, live.turn.seat, live.draws


def log(club: Club, name: str = NAME) -> list[Event]:
    """Return the events of a match."""
    with club.desk.store.reading() as connection:
        return ledger.log_of(connection, club.match(name))


def test_undo_takes_back_the_last_turn(club: Club) -> None:
    """The board, the turn and who is to act are as before; everybody gets a report that says so."""
    begun(club)
    before = stood(club)
    played(club, "pass")
    club.mails(BOB)
    mend(club, Undo(NAME), "alice mistook the row")
    assert stood(club) == before
    for who in (ALICE, BOB):
        text = club.last(who, "report").text
        assert "Taken back or set right" in text
        assert "has taken back turn 1 (red)" in " ".join(text.split())
        assert "alice mistook the row" in text
        assert text.index("alice mistook") < text.index("The board:")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "After that the match stood at turn 1 again, with red to act."),
        ("de", "Danach stand die Partie wieder bei Zug 1, und Rot war am Zug."),
    ],
)
def test_an_undo_told_later_does_not_say_whose_turn_it_is(
    club: Club, language: str, told: str
) -> None:
    """Whoever wants the reports of their own turns alone reads of it when it is theirs again."""
    begun(club)
    club.answer(club.last(BOB, "report"), f"set language {language}\nset mails turns", BOB)
    played(club, "pass")
    mend(club, Undo(NAME), "a slip")
    club.mails(BOB)
    played(club, "pass")
    text = club.last(BOB, "report").flat
    assert told in text
    assert "is to act" not in text
    assert "Rot ist am Zug" not in text


def test_what_was_taken_back_is_not_told_as_having_happened(club: Club) -> None:
    """A report after an undo holds no fact of what no longer stands."""
    begun(club)
    club.mails(BOB)
    played(club, "pass")
    assert "passed" in club.last(BOB, "report").text.lower()
    mend(club, Undo(NAME))
    text = club.last(BOB, "report").text
    assert "Nothing else has happened." in text


def test_undo_to_a_turn_goes_back_to_its_beginning(club: Club) -> None:
    """Several turns are taken back at once and named, each with its seat."""
    begun(club)
    before = stood(club)
    for _ in range(3):
        played(club, legal(club))
    mend(club, Undo(NAME, 1, revealed=True))
    assert stood(club) == before
    text = club.last(ALICE, "report").flat
    assert "turn 1 (red), turn 2 (blue) and turn 3 (red)" in text


def legal(club: Club, name: str = NAME) -> str:
    """Return the first order the seat to act may give."""
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(name)).live
    return str(live.game.format(live.game.orders(live.position)[0], "en"))


def test_undo_past_what_became_known_wants_a_word(club: Club) -> None:
    """Draws and what one side learnt are named by kind and seat, never by card."""
    begun(club)
    played(club, legal(club))
    with pytest.raises(Refused, match=r"draw \d+.*--reveal-known") as caught:
        plan.propose(club.desk, Undo(NAME), "a slip")
    assert "learnt something in turn 1" in str(caught.value)
    found = plan.propose(club.desk, Undo(NAME, revealed=True), "a slip")
    assert any("the same numbers again" in each for each in found.matches[0].warnings)


def test_same_draw_comes_again(club: Club) -> None:
    """After an undo the same order draws the same pebble."""
    begun(club)
    order = legal(club)
    played(club, order)
    once = stood(club)
    mend(club, Undo(NAME, revealed=True))
    played(club, order)
    assert stood(club) == once


def test_plan_says_who_was_shown_what_by_which_mail(club: Club) -> None:
    """Sent reports by number and seat; a report that has not left will not."""
    begun(club)
    played(club, "pass")
    [answer] = club.mails(ALICE)
    report = club.last(BOB, "report")
    club.answer(report, "pass", BOB)
    club.work()
    found = plan.propose(club.desk, Undo(NAME, 1), "a slip")
    shown = " ".join(found.matches[0].warnings)
    assert f"red is shown what would be taken back by report {answer.id} (sent)" in shown
    assert f"blue is shown what would be taken back by report {report.id} (sent)" in shown
    assert "not sent yet" in shown


def test_a_plan_names_no_mail_that_shows_only_what_was_taken_back_before(club: Club) -> None:
    """The turn was played anew, and it is that which is taken back now."""
    begun(club)
    played(club, "pass")
    earlier = club.last(BOB, "report")
    apply_act(club.desk, Undo(NAME, 1), "a slip")
    club.work()
    played(club, legal(club))
    found = plan.propose(club.desk, Undo(NAME, 1, revealed=True), "another slip")
    shown = " ".join(found.matches[0].warnings)
    assert "blue is shown what would be taken back by report" in shown
    assert f"report {earlier.id} " not in shown


def test_a_plan_gives_no_order_in_advance_away(club: Club) -> None:
    """Neither a receipt nor a report of before the order that is taken back is listed."""
    begun(club)
    club.answer(club.last(BOB, "report"), "queue pass", BOB)
    [queued] = [mail for mail in club.mails(BOB) if mail.kind == "receipt"]
    apply_act(club.desk, Resend(NAME, "blue"), "lost")
    resent = club.last(BOB, "report")
    played(club, legal(club))
    found = plan.propose(club.desk, Undo(NAME, 1, revealed=True), "a slip")
    shown = " ".join(found.matches[0].warnings)
    assert "red is shown what would be taken back by report" in shown
    assert f"receipt {queued.id} " not in shown
    assert f"report {resent.id} " not in shown


def test_undo_takes_back_what_a_player_ordered_before_a_bot_got_his_seat(club: Club) -> None:
    """He played the turn, whoever would play it now; what the bot played is no player's turn."""
    begun(club)
    played(club, "pass")
    mend(club, HandOver(NAME, "red", bot="greedy"), "alice has left")
    mend(club, Undo(NAME, revealed=True))
    assert [each.turn for each in log(club) if each.kind == "undo"] == [1]
    assert club.match(NAME).to_act == "blue"
    with pytest.raises(Refused, match="nobody has ordered anything"):
        plan.propose(club.desk, Undo(NAME, revealed=True), "again")


def test_undo_of_nothing_is_refused(club: Club) -> None:
    """Before anybody ordered, at a turn to come, at the turn just begun."""
    begun(club)
    for act, says in (
        (Undo(NAME), "nobody has ordered"),
        (Undo(NAME, 5), "name one from 1 to 1"),
        (Undo(NAME, 1), "nothing has been played since turn 1"),
        (Redo(NAME), "nothing was taken back"),
    ):
        with pytest.raises(Refused, match=says):
            plan.propose(club.desk, act, "a slip")


def test_redo_lets_stand_again_what_was_taken_back(club: Club) -> None:
    """After an undo and nothing else the match stands again as it stood."""
    begun(club)
    played(club, "pass")
    before = stood(club)
    mend(club, Undo(NAME))
    mend(club, Redo(NAME))
    assert stood(club) == before
    report = club.last(BOB, "report").flat
    assert "has restored what had been" in report
    assert "no longer counts" not in report


def test_finished_match_is_taken_back_with_a_new_seed_once_its_record_is_out(club: Club) -> None:
    """The seed is known with the record, so chance goes on with another, told by its SHA-256."""
    begun(club)
    played(club, "pass")
    played(club, "pass")
    row = club.match(NAME)
    assert (row.state, row.released) == ("over", True)
    mend(club, Undo(NAME))
    again = club.match(NAME)
    assert (again.state, again.released) == ("running", False)
    assert (again.result, again.ended) == (None, None)
    assert again.seed != row.seed
    assert again.commitment in club.last(ALICE, "report").text
    assert [each.kind for each in log(club)][-1] == "reopen"
    played(club, "pass")
    lines = _record(club)
    assert record.verify_record(lines, registry.find_installed).ok


def _record(club: Club, name: str = NAME) -> list[str]:
    with club.desk.store.reading() as connection:
        raw = archive_record.record_bytes(connection, club.match(name))
    return raw.decode().splitlines()


def test_end_by_hand_is_taken_back_alone(club: Club) -> None:
    """What was played before it stays."""
    begun(club)
    played(club, "pass")
    before = stood(club)
    apply_act(club.desk, End(NAME), "nobody answers")
    apply_act(club.desk, Undo(NAME), "he has answered after all")
    assert stood(club) == before
    assert club.match(NAME).state == "running"


def test_fix_is_taken_back_alone(club: Club) -> None:
    """The turn before it stays played."""
    begun(club)
    played(club, "pass")
    before = stood(club)
    other = GAME.dump(GAME.redeal(before[0], None, Random(3)))
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(NAME)).live
    mend(club, Fix(NAME, other, position_digest(live.game, live.position)))
    mend(club, Undo(NAME))
    assert stood(club) == before
    with pytest.raises(Refused, match="nothing has been played since turn 2"):
        plan.propose(club.desk, Undo(NAME, 2), "again")


def test_match_over_but_not_released_is_taken_back_with_its_seed(club: Club) -> None:
    """As long as no record is out the seed is secret and stays."""
    begun(club)
    played(club, "pass")
    report = club.last(BOB, "report")
    club.answer(report, "pass", BOB)
    row = club.match(NAME)
    assert (row.state, row.released) == ("over", False)
    mend(club, Undo(NAME))
    assert club.match(NAME).seed == row.seed
    assert [each.kind for each in log(club)][-1] == "undo"


def test_answer_with_a_code_from_before_an_undo_is_refused_precisely(club: Club) -> None:
    """It names the turn and when it was taken back, and offers the board and a box as they are."""
    begun(club)
    first = played(club, "pass")
    second = club.last(BOB, "report")
    mend(club, Undo(NAME))
    club.mails(BOB)
    club.answer(second, "pass", BOB)
    told = club.last(BOB, "answer").text
    assert "turn 2, which your mail answers, was taken back on Sat 21 Nov 2026" in " ".join(
        told.split()
    )
    assert "Signs:" in told
    assert "=== pebbles-1 · turn 1 · blue" in told
    club.answer(first, "pass", ALICE)
    assert "was taken back" in club.last(ALICE, "answer").text
    assert club.match(NAME).turn == 1


def test_new_report_is_answered_after_an_undo(club: Club) -> None:
    """The code of the report after the undo plays; so does the box of a precise refusal."""
    begun(club)
    first = played(club, "pass")
    mend(club, Undo(NAME))
    club.mails(ALICE)
    club.answer(first, "pass", ALICE)
    refusal = club.last(ALICE, "answer")
    club.answer(refusal, "pass", ALICE)
    assert club.match(NAME).to_act == "blue"


def test_orders_in_advance_end_with_a_note(club: Club) -> None:
    """What was queued fitted another board: it ends, its owner is told so."""
    begun(club)
    club.answer(club.last(BOB, "report"), "queue pass", BOB)
    played(club, legal(club))
    report = club.last(BOB)
    club.answer(report, "queue pass", BOB)
    warned = plan.propose(club.desk, Undo(NAME, revealed=True), "a slip").matches[0].warnings
    assert "orders wait in this match: they end, and whoever gave them is told" in warned
    mend(club, Undo(NAME, revealed=True))
    text = club.last(BOB, "report").flat
    assert "Your queue has ended, because the position is another one now: · pass" in text or (
        "Your queue has ended, because the position is another one now: pass" in text
    )
    with club.desk.store.reading() as connection:
        assert matches.standing_orders_of(connection, club.match(NAME).id) == ()


def test_board_of_an_earlier_turn_is_that_which_stands(club: Club) -> None:
    """`show turn 2` by mail shows turn 2 as it was played in the end."""
    begun(club)
    played(club, "pass")
    mend(club, Undo(NAME))
    order = legal(club)
    played(club, order)
    played(club, "pass")
    club.answer(club.last(ALICE, "report"), "show turn 2", ALICE)
    shown = club.last(ALICE, "answer").text
    space = order.split()[-1]
    with club.desk.reading() as change:
        position = ledger.load_match(change, club.match(NAME)).live.position
    assert space in {stone[0] for stone in position.stones}
    assert "at turn 2" in shown


@pytest.mark.parametrize("game", ["pebbles", "nord", "origo"])
def test_fix_sets_the_position_and_tells(club: Club, game: str) -> None:
    """A whole document or a patch, the same; hidden things are dealt anew, nothing is lost."""
    name = begun(club, game)
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(name)).live
    other = live.game.redeal(live.position, None, Random(3))
    document = live.game.dump(other)
    patch: Json = [*takeback.patch_between(live.game.dump(live.position), document)]
    assert patch
    seen = position_digest(live.game, live.position)
    by_patch = plan.propose(club.desk, Fix(name, patch, seen), "a slip")
    by_document = plan.propose(club.desk, Fix(name, document, seen), "a slip")
    assert by_patch.matches[0].warnings == by_document.matches[0].warnings
    mend(club, Fix(name, document, seen), "the deal was wrong")
    assert stood(club, name)[0] == other
    assert "has set the position by hand" in club.last(ALICE, "report").flat
    with pytest.raises(Refused, match="just that already"):
        plan.propose(club.desk, Fix(name, document, position_digest(live.game, other)), "again")


@pytest.mark.parametrize("guess", range(4))
def test_fix_by_guessing_tells_nothing_of_a_hand(club: Club, guess: int) -> None:
    """Whether the guess is right, possible or impossible, the answer is the same."""
    name = begun(club, "nord")
    patch: Json = [{"op": "add", "path": "/hands/red/helmet", "value": guess}]
    with pytest.raises(Refused, match=f"hidden in {name}: make it from what"):
        plan.propose(club.desk, Fix(name, patch), "a guess")


def test_a_whole_position_by_guessing_is_not_told_from_the_true_one(club: Club) -> None:
    """Which parts it changes is told to whoever has looked."""
    name = begun(club, "nord")
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(name)).live
    document: Any = live.game.dump(live.position)
    document["points"]["red"] = 7
    seen = position_digest(live.game, live.position)
    guessed = plan.propose(club.desk, Fix(name, document), "a guess").matches[0].warnings
    known = plan.propose(club.desk, Fix(name, document, seen), "a slip").matches[0].warnings
    assert "this sets the position" in guessed
    assert "this changes in the position: points" in known


def test_order_without_quotes_is_answered_in_whole_sentences(club: Club) -> None:
    """A hint that ends with a full stop gets no second one."""
    name = begun(club, "nord")
    with pytest.raises(Refused, match=r'[^.]\. Each order stands in quotes: "place D6 D7"'):
        plan.propose(club.desk, Acting(name, "red", ["place", "D6", "D7"]), "by telephone")


def test_fix_of_what_all_see_needs_no_look_at_what_is_hidden(club: Club) -> None:
    """Points stand on the board, and so does what is wrong with them."""
    name = begun(club, "nord")
    patch: Json = [{"op": "replace", "path": "/points/red", "value": 7}]
    warned = plan.propose(club.desk, Fix(name, patch), "miscounted").matches[0].warnings
    assert "the turn of red begins anew with its time" in warned
    mend(club, Fix(name, patch), "miscounted")
    wrong: Json = [{"op": "replace", "path": "/points/red", "value": "many"}]
    with pytest.raises(Refused, match=r"points\.red"):
        plan.propose(club.desk, Fix(name, wrong), "a slip")


@pytest.mark.parametrize(("game", "pile"), [("nord", "supply"), ("origo", "draw")])
def test_fix_that_loses_a_piece_is_refused(club: Club, game: str, pile: str) -> None:
    """The refusal names the place and the count; nothing is done."""
    name = begun(club, game)
    before = stood(club, name)
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(name)).live
    document: Any = live.game.dump(live.position)
    what = next(each for each, many in document[pile].items() if many)
    document[pile][what] -= 1
    with pytest.raises(Refused, match=f"does not accept.*{what}"):
        apply_act(club.desk, Fix(name, document), "a slip")
    assert stood(club, name) == before


def spoiled(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, Any]]:
    """Yield what a document is with one thing gone, or there twice, and which it is."""
    places = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in places:
        here = (*path, key)
        if isinstance(node, list):
            yield here, [*node[:key], value, *node[key:]]
            yield here, [*node[:key], *node[key + 1 :]]
        else:
            yield here, {each: node[each] for each in node if each != key}
        if isinstance(value, dict | list):
            for which, spoilt in spoiled(value, here):
                whole = [*node] if isinstance(node, list) else {**node}
                whole[key] = spoilt
                yield which, whole


@pytest.mark.parametrize(
    ("game", "counted"), [("nord", {"unplayed"}), ("origo", {"supplied", "turn"})]
)
@pytest.mark.parametrize("orders", [0, 40])
def test_nothing_can_be_lost_or_doubled_by_a_fix(game: str, orders: int, counted: set[str]) -> None:
    """Of all that a position holds only what was counted or is known, no piece, may be left out."""
    mended, rng = opened(registry.find_installed(game), f"{game}-1", 3), Random(5)
    for _ in range(orders):
        mended.play(rng)
    document: Any = mended.match.game.dump(mended.match.position)
    fixed = {key: value for key, value in document.items() if key != "board"}
    accepted = set()
    for (part, *_), changed in spoiled(fixed):
        with suppress(Refused):
            if patch_of(mended.match, {"board": document["board"], **changed}):
                accepted.add(part)
    assert accepted <= counted


@pytest.mark.parametrize("given", [1, None, {}, {"seats": 5}, [{"op": "remove", "path": "/x"}]])
def test_fix_with_what_is_no_position_is_refused(club: Club, given: Json) -> None:
    """Junk is refused in one line."""
    begun(club)
    with pytest.raises(Refused):
        plan.propose(club.desk, Fix(NAME, given), "a slip")


def test_act_plays_for_a_seat_and_tells(club: Club) -> None:
    """The seat's player reads his orders, the other that there were some, both who and why."""
    begun(club)
    mend(club, Acting(NAME, "red", ["pass"]), "he asked by telephone")
    assert club.match(NAME).to_act == "blue"
    his = club.last(ALICE, "notice").text
    other = club.last(BOB, "notice").text
    assert "· pass" in his
    assert "· pass" not in other
    assert "he asked by telephone" in his
    assert "he asked by telephone" in other
    kinds = [each.kind for each in log(club)][-2:]
    assert kinds == ["notice", "order"]


@pytest.mark.parametrize(
    ("seat", "orders", "says"),
    [
        ("blue", ["pass"], "it is red's turn"),
        ("pink", ["pass"], "has no seat pink"),
        ("red", ["dance"], "cannot be read"),
        ("red", ["put 9 A1"], "is refused"),
    ],
)
def test_act_that_cannot_be_is_refused(club: Club, seat: str, orders: list[str], says: str) -> None:
    """Another's turn, no seat, no order, an illegal one: nothing is done."""
    begun(club)
    before = stood(club)
    with pytest.raises(Refused, match=says):
        apply_act(club.desk, Acting(NAME, seat, orders), "a slip")
    assert stood(club) == before


def test_a_refused_act_does_not_tell_what_a_hand_lacks(club: Club) -> None:
    """Whichever pebble red has not; with the seat's own eyes it is told, as a seat is shown."""
    begun(club)
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(NAME)).live
    hand = live.position.hand("red")
    lacking = next(weight for weight in (1, 2, 3) if weight not in hand)
    orders = [f"put {lacking} A1", "pass"]
    with pytest.raises(Refused) as hidden:
        plan.propose(club.desk, Acting(NAME, "red", orders), "a slip")
    assert "for a reason that red alone may know: with --as red you are told it" in str(
        hidden.value
    )
    assert str(lacking) not in str(hidden.value)
    assert "You could write" not in str(hidden.value)
    with pytest.raises(Refused, match="You hold no pebble of that weight"):
        plan.propose(club.desk, Acting(NAME, "red", orders, "red"), "a slip")
    with pytest.raises(Refused, match="red alone may know"):
        plan.propose(club.desk, Acting(NAME, "red", orders, "blue"), "a slip")


def test_a_refused_act_names_orders_that_are_possible(club: Club) -> None:
    """As the player's own receipt does; which ones those are may show a hand, so it needs eyes."""
    begun(club)
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(NAME)).live
    legal = {live.game.format(order, "en") for order in live.game.orders(live.position)}
    with pytest.raises(Refused) as told:
        plan.propose(club.desk, Acting(NAME, "red", ["put 9 A1"], "red"), "a slip")
    near = str(told.value).partition(" You could write: ")[2].split(" or ")
    assert len(near) == 3
    assert set(near) <= legal
    with pytest.raises(Refused) as hidden:
        plan.propose(club.desk, Acting(NAME, "red", ["put 9 A1"]), "a slip")
    assert "is refused" in str(hidden.value)
    assert not any(order in str(hidden.value) for order in legal - {"pass"})


def test_looking_at_everything_is_told(club: Club) -> None:
    """Who looks at hidden things is on record, and the players read it."""
    begun(club)
    mend(club, Looking(NAME), "a complaint")
    assert "looked at the whole position" in club.last(BOB, "notice").text.replace("\n", " ")
    assert log(club)[-1].kind == "notice"


@pytest.mark.parametrize(
    ("game", "choice"), [("pebbles", 1), ("pebbles", 2), ("origo", 3), ("nord", 4)]
)
def test_match_mended_at_random_is_what_its_log_says(club: Club, game: str, choice: int) -> None:
    """Play by mail with undo, redo and fix in between: the log, checked, gives the stored match."""
    name, rng = begun(club, game), Random(choice)
    latest: dict[str, Mail] = {}
    for _ in range(14):
        _step(club, name, rng, latest)
    with club.desk.reading() as change:
        row = club.match(name)
        loaded = ledger.load_match(change, row)
        events = ledger.log_of(change.connection, row)
        turns = matches.turns(change.connection, row.id)
    live = loaded.live
    found = walked(live.game, live.terms, row.seed, events)
    assert dataclasses.replace(found, ended=None) == dataclasses.replace(live, ended=None)
    assert {each.kind for each in events} & {"undo", "redo", "fix", "reopen"}
    with club.desk.reading() as change:
        assert audit_match(change, row).fault is None
    standing = [each.number for each in turns if each.state != "undone"]
    assert standing == sorted(set(standing))
    open_turns = [each.number for each in turns if each.state == "open"]
    assert open_turns == ([] if live.turn.over else [live.turn.number])


def _step(club: Club, name: str, rng: Random, latest: dict[str, Mail]) -> None:
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(name)).live
    if rng.random() < 0.4 or live.turn.over:
        other = live.game.dump(live.game.redeal(live.position, None, rng))
        acts: list[Act] = [Undo(name, revealed=True), Redo(name), Fix(name, other)]
        with suppress(Refused):
            mend(club, rng.choice(acts))
        return
    sender = ALICE if live.turn.seat == "red" else BOB
    for mail in club.mails(sender):
        latest[sender] = mail
    order = live.game.format(rng.choice(list(live.game.orders(live.position))), "en")
    club.answer(latest[sender], order, sender)
    club.work()
    after = club.match(name)
    assert after.seq > live.seq
