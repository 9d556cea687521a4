"""Repairs: what stands beside a bad line, and the whole answer that one click sends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from support.club import ALICE, BOB, Club, Mail, opened

pytestmark = pytest.mark.fast


def begun(club: Club, game: str = "pebbles") -> Mail:
    """Begin a match and return the first report of alice, whose turn it is."""
    club.new_match(game, f"red={ALICE}", f"blue={BOB}")
    club.work()
    club.mails(BOB)
    return club.last(ALICE, "report")


def sent(link: str) -> list[str]:
    """Return the lines that an opened answer holds inside its box."""
    return opened(link)[2].splitlines()[1:-1]


def test_a_misread_line_is_corrected_by_one_click(club: Club) -> None:
    """The nearest order takes its place, the rest stays as it was, and all of it is accepted."""
    club.answer(begun(club, "nord"), "play sward\nplace E7", ALICE)
    receipt = club.last(ALICE, "receipt")
    assert "Your answer, corrected: · play sword · place E7" in receipt.flat
    assert sent(receipt.links["Send it corrected"]) == ["play sword", "place E7"]
    club.click(receipt.links["Send it corrected"], ALICE)
    assert "Your mail has been carried out." in club.last(ALICE, "receipt").flat


@pytest.mark.parametrize("line", ["play goblet", "put 9 A1"])
def test_of_orders_that_are_equally_near_none_is_proposed(club: Club, line: str) -> None:
    """They are named, each with a button, but no whole answer is put into the writer's mouth."""
    game = "nord" if "play" in line else "pebbles"
    club.answer(begun(club, game), line, ALICE)
    receipt = club.last(ALICE, "receipt")
    assert "You could write: ·" in receipt.flat
    assert "corrected" not in receipt.flat
    assert "Send it corrected" not in receipt.links


def test_a_refused_order_is_answered_with_what_is_alike(club: Club) -> None:
    """Of the orders as near in their words the one with the likest letters comes first."""
    club.answer(begun(club, "nord"), "place E77", ALICE)
    receipt = club.last(ALICE, "receipt").flat
    assert "refused: There is no space E77 on this map. (Nord A1; see “rules”)" in receipt
    assert "You could write: · place E7 " in receipt


@pytest.mark.parametrize("line", ["palce E7 quickly!!", "plaec E7 and", "palce E7 now"])
def test_a_slip_with_a_word_too_many_is_refused_with_what_was_meant(club: Club, line: str) -> None:
    """It is named as unread, and the order it is nearest to comes first."""
    club.answer(begun(club, "nord"), line, ALICE)
    receipt = club.last(ALICE, "receipt").flat
    assert f"· {line} — " in receipt
    assert "You could write: · place E7 " in receipt


def test_every_suggestion_opens_the_whole_answer(club: Club) -> None:
    """Whichever is clicked, the lines that were fine go with it as far as they can."""
    club.answer(begun(club, "nord"), "play goblet\nplace E7", ALICE)
    links = club.last(ALICE, "receipt").links
    whole = {label: sent(links[label]) for label in ("play axe", "play sword")}
    assert whole == {each: [each, "place E7"] for each in whole}


def test_lines_played_already_are_not_sent_again(club: Club) -> None:
    """Of an answer carried out in part only the rest is corrected, with the code of now."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", edition=1)
    club.work()
    club.answer(club.last(ALICE, "report"), "peek blue\nput 9 A1", ALICE)
    receipt = club.last(ALICE, "receipt")
    assert "Part of your mail has been carried out" in receipt.flat
    order = next(each for each in receipt.links if each.startswith("put "))
    assert sent(receipt.links[order]) == [order]
    club.click(receipt.links[order], ALICE)
    assert f"· {order} — accepted" in club.last(ALICE, "receipt").flat


def test_orders_in_advance_go_with_the_corrected_answer(club: Club) -> None:
    """A queue that was left undone is written as it was, on as many lines as it takes."""
    club.answer(begun(club), "put 1 A1x\nqueue\npass\npass\nend", ALICE)
    receipt = club.last(ALICE, "receipt")
    assert sent(receipt.links["Send it corrected"])[1:] == ["queue", "pass", "pass", "end"]
    club.click(receipt.links["Send it corrected"], ALICE)
    assert "as soon as it is your turn, pass; pass" in club.last(ALICE, "receipt").flat


@pytest.mark.parametrize(
    "text",
    [
        "place E77\nplace E7",
        "play goblet\nplay sword\nplace E7",
        "place E7 E77 E\nplace E7",
        "place E7\nplace",
    ],
)
def test_the_old_line_beside_the_new_one_is_recognised(club: Club, text: str) -> None:
    """Who corrects a line and leaves it standing is told so, and sends the new one by a click."""
    club.answer(begun(club, "nord"), text, ALICE)
    receipt = club.last(ALICE, "receipt")
    assert "Another line of yours seems to correct this one already" in receipt.flat
    good = text.splitlines()[:1] if text.endswith("place") else text.splitlines()[1:]
    assert sent(receipt.links["Send it corrected"]) == good
    club.click(receipt.links["Send it corrected"], ALICE)
    assert "· place E7 — accepted" in club.last(ALICE, "receipt").flat


@pytest.mark.parametrize(
    "text",
    [
        "place\nplace G8, thanks? and regards",
        "place G8 H8 Z9\nplaec G7 H8",
        "place D77, then place E8",
    ],
)
def test_two_ends_of_one_turn_are_never_one_answer(club: Club, text: str) -> None:
    """Where the lines could not be played together each keeps its suggestions, and no more."""
    club.answer(begun(club, "nord"), text, ALICE)
    receipt = club.last(ALICE, "receipt")
    assert "You could write: · place " in receipt.flat
    assert "Your answer, corrected" not in receipt.flat
    assert "Send it corrected" not in receipt.links
    assert all(len(sent(link)) == 1 for name, link in receipt.links.items() if name[:2] == "pl")


def test_orders_after_the_turn_are_offered_in_advance(club: Club) -> None:
    """They can be queued for the next turn by one click."""
    club.answer(begun(club), "pass\nput 1 A1\npass", ALICE)
    receipt = club.last(ALICE, "receipt")
    assert sent(receipt.links["Send it corrected"]) == ["queue", "put 1 A1", "pass", "end"]


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("pass\nqueue put 1 A1\npass", ["queue put 1 A1", "queue pass"]),
        (
            "pass\nput 1 A1\nqueue put 1 B1\npass\ncancel 3",
            ["queue", "put 1 A1", "pass", "end", "queue put 1 B1", "cancel 3"],
        ),
    ],
)
def test_a_queue_beside_orders_after_the_turn_is_not_lost(
    club: Club, text: str, corrected: list[str]
) -> None:
    """What was not kept goes with the corrected answer, in the sequence it was written."""
    club.answer(begun(club), text, ALICE)
    assert sent(club.last(ALICE, "receipt").links["Send it corrected"]) == corrected


@pytest.mark.parametrize(
    ("late", "corrected"),
    [
        (["challenge D55"], []),
        (["challenge D55", "challenge E55", "queue place D6"], ["queue place D6"]),
    ],
)
@pytest.mark.parametrize("grace", [None, timedelta(minutes=10)])
def test_what_no_turn_can_play_is_not_offered_in_advance(
    club: Club, late: list[str], corrected: list[str], grace: timedelta | None
) -> None:
    """A space that is not on the board is none in the next turn either; held orders or played."""
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}", **({"grace": grace} if grace else {}))
    club.work()
    report = club.last(ALICE, "report")
    order = next(each for each in report.turn_file["legal"] if each.startswith("place"))
    club.answer(report, "\n".join((order, *late)), ALICE)
    receipt = club.last(ALICE, "receipt")
    assert "Your turn was over before this order" in receipt.flat
    link = receipt.links.get("Send it corrected")
    again = [order] if corrected and grace else []
    assert (sent(link) if link else []) == [*again, *corrected]


def test_what_could_be_played_in_place_of_the_first_is_offered_beside_it(club: Club) -> None:
    """Of two placements, one behind the end of the turn; a space that is none changes nothing."""
    club.new_match("nord", f"red={ALICE}", f"blue={BOB}")
    club.work()
    report = club.last(ALICE, "report")
    places = [line for line in report.turn_file["legal"] if line.startswith("place")]
    club.answer(report, f"{places[0]}\n{places[1]}\nplace D55", ALICE)
    told = club.last(ALICE, "answer").flat
    assert f"Either: · {places[0]} Or: · {places[1]}" in told
    assert club.match("nord-1").turn == 1


def test_cancel_below_an_order_that_queues_nothing_is_asked_about(club: Club) -> None:
    club.answer(begun(club), "pass\nput 1 A1\ncancel", ALICE)
    assert "your mail says “cancel”, but also “pass”" in club.last(ALICE, "answer").flat
    assert club.match("pebbles-1").to_act == "red"


def test_what_is_held_is_said_again_beside_what_is_queued(club: Club) -> None:
    """Another answer replaces held orders, so the corrected one holds them as well."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", grace=timedelta(minutes=10))
    club.work()
    club.answer(club.last(ALICE, "report"), "pass\nput 1 A1", ALICE)
    receipt = club.last(ALICE, "receipt")
    assert "nobody is told. What is not held is explained below." in receipt.flat
    assert sent(receipt.links["Send it corrected"]) == ["pass", "queue put 1 A1"]
    club.click(receipt.links["Take back"], ALICE)
    club.work()
    assert club.match("pebbles-1").to_act == "red"


def test_orders_that_wait_for_a_yes_get_it_by_a_click(club: Club) -> None:
    """Who says yes to all orders needs no word either."""
    report = begun(club)
    club.answer(report, "set grace yes", ALICE)
    club.mails(ALICE)
    club.click(report.links["pass"], ALICE)
    assert club.fate("pebbles-1", "red") == "asked"
    club.click(club.last(ALICE).links["Play now"], ALICE)
    assert club.fate("pebbles-1", "red") == "played"


def test_of_two_different_answers_one_is_sent_by_a_click(club: Club) -> None:
    """The corrected box below an old line is no riddle: both are shown, and either goes out."""
    report = begun(club)
    body = opened(report.links["pass"])[2]
    club.answer(report, f"put 1 A1\n\n{body}", ALICE)
    answer = club.last(ALICE)
    assert "two different things" in answer.flat
    assert "Either: · put 1 A1 Or: · pass" in answer.flat
    club.click(answer.links["Send the second"], ALICE)
    assert club.match("pebbles-1").to_act == "blue"
    assert "· pass — accepted" in club.last(ALICE, "receipt").flat


def test_a_preview_is_corrected_as_well(club: Club) -> None:
    """What would be refused comes back repaired, and plays when it is sent."""
    club.answer(begun(club, "nord"), "preview\nplay sward\nplace E7", ALICE)
    preview = club.last(ALICE, "answer")
    for label in ("Send it corrected", "play sword"):
        assert sent(preview.links[label]) == ["play sword", "place E7"]


def test_in_the_turn_of_another_nothing_is_guessed(club: Club) -> None:
    """Who waits is refused without suggestions."""
    club.answer(begun(club), "pass", ALICE)
    club.answer(club.last(ALICE, "receipt"), "queue put 1 B22", ALICE)
    assert "You could write" not in club.last(ALICE, "receipt").flat


def test_no_correction_ends_a_turn_twice(club: Club) -> None:
    """Orders that could not be tried one after the other are only offered one by one."""
    club.answer(begun(club, "nord"), "place\nplace G8, thanks? and regards", ALICE)
    receipt = club.last(ALICE, "receipt")
    assert "Your answer, corrected" not in receipt.flat
    single = [sent(link) for label, link in receipt.links.items() if label.startswith("place ")]
    assert single
    assert all(len(each) == 1 for each in single)
    club.click(
        next(link for label, link in receipt.links.items() if label.startswith("place ")), ALICE
    )
    assert "— accepted" in club.last(ALICE, "receipt").flat
