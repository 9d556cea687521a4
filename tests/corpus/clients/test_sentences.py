"""What people write around an order: courtesy, doubt, second thoughts; and what they strike out."""

from __future__ import annotations

import html
from collections.abc import Iterable

import pytest
from support.clients.letters import (
    Answer,
    Original,
    Person,
    encoded,
    escaped,
    original_of,
)
from support.clients.programs import BY_NAME, Program
from support.clients.tongues import TONGUES
from support.club import letter
from support.stage import ALICE, Outcome, Stage, stage

from referee.value import replace

PROGRAMS = ("gmail-web", "outlook-plain", "outlook-windows-html", "ios-mail-html", "thunderbird")

MEANT = (
    "Please {order}", "please {order}.", "{order} please", "{order}, please", "{order} :-)",
    "{order} 🎉", "{order} 👍🏽", "🙂 {order}", "{order} (my last chance)", "{order} [at last!]",
    "· {order}", "- {order}", "* {order}", "• {order}", "1. {order}", "1) {order}",
    "Hi, {order}", "Hello Referee, {order}", "Hello! {order}", "Dear referee: {order}",
    "“{order}”", '"{order}"', "'{order}'", "«{order}»", "`{order}`", "*{order}*", "_{order}_",
    "{order};", "{order},", "{order}!", "{order}.", "{order} .", "Order: {order}",
    "My order: {order}", "I {order}", "I'd like to {order}", "I would like to {order}, please.",
    "{ORDER}", "{Order}", "{spaced}", "{dashed}", "{order} thanks", "{order} — thanks!",
    "Then {order}", "OK, {order}", "Ok {order}", "bitte {order}", "Hallo, {order}", "Also: {order}",
    "{order}\u200b", "\ufeff{order}", "{nbsp}", "\u202d{order}\u202c", "{order} // Alice",
    "{order} -- Alice", "{order} Cheers, Alice", "Let me {order}", "I think I'll {order}",
)  # fmt: skip
"""Lines that admit one reading: played, or asked back; never passed over."""

NOT_MEANT = (
    "I would never {order}", "Do not {order}", "Don't {order}", "don’t {order}!", "Not {order}",
    "not {order} please", "Should I {order}?", "{order}?", "Shall I {order}, or what?",
    "Yesterday I wanted to {order}", "Bob said: {order}", "Had I but known, I had {order}",
    "If green moves away, {order}", "Maybe {order}", "Perhaps {order}, perhaps not",
    "I won't {order}", "I didn't {order}", "{order} or {other}", "either {order} or {other}",
    "rather not {order}", "What if I {order}?", "You could {order} yourself", "nicht {order}",
    "vielleicht {order}", "Soll ich {order}?", "wenn Grün zieht, {order}", "lieber nicht {order}",
    "instead of {order} I wait", "{order} was a mistake", "{order} would be silly",
    "Why did he {order}?", "no {order}", "never {order}", "forget {order}", "undo {order}",
    "cancel {order}", "Bob will {order}", "You {order}", "I was going to {order}, but no",
    "~~{order}~~", "// {order}", "# {order}", "-{order}-", "[x] {order} (no)", "> {order}",
    "(not: {order})", "(maybe {order})", "not to {order} is best", "unless you {order}",
    "after you {order}", "later {order}", "next time {order}", "please do not {order}",
)  # fmt: skip
"""Lines that order nothing: whatever else becomes of them, they are not played."""

BOTH = (
    "{order} then {other}", "{order}; {other}", "{order}, then {other}", "{order} and {other}",
    "{order} und dann {other}", "first {order}, then {other}", "{order} / {other}",
    "{order}. {other}.",
)  # fmt: skip
"""Two orders in a line: played as they stand in the line, or asked back."""

STRIKES = (
    "<s>{order}</s>", "<del>{order}</del>", "<strike>{order}</strike>",
    '<span style="text-decoration:line-through">{order}</span>',
    '<span style="text-decoration-line: line-through">{order}</span>',
    '<span style="text-decoration: underline LINE-THROUGH red">{order}</span>',
    '<div style="text-decoration:line-through"><div><b>{order}</b></div></div>',
    "<p><s><span>{order}<o:p></o:p></span></s></p>", "<S>{order}</S>", "<div><s>{order}</div>",
    '<font style="text-decoration : line-through;">{order}</font>',
    '<span style="display:none">{order}</span>', '<span style="font-size:0px">{order}</span>',
    '<span style="visibility:hidden">{order}</span>', "<!-- {order} -->",
    "<p hidden>{order}</p>",
)  # fmt: skip
"""Ways in which HTML shows a line struck out, or not at all."""


@pytest.fixture(scope="module")
def board() -> Stage:
    """Return a match of Nord some turns on."""
    return stage("nord", turns=4)


def words(board: Stage, line: str) -> str:
    """Return a line with two orders put in, in the spellings it asks for."""
    order, other = two(board)
    verb, *spaces = order.split()
    return line.format(
        order=order,
        other=other,
        ORDER=order.upper(),
        Order=order.capitalize(),
        spaced=" ".join([verb, *(f"{each[0]} {each[1:]}" for each in spaces)]),
        dashed=" ".join([verb, *(f"{each[0]}-{each[1:]}" for each in spaces)]),
        nbsp=order.replace(" ", "\xa0"),
    )


def two(board: Stage) -> tuple[str, str]:
    """Return two legal orders."""
    placing = [each for each in board.orders if each.startswith("place ")]
    return placing[len(placing) // 2], placing[len(placing) // 3]


def report(board: Stage) -> Original:
    """Return the report that alice answers."""
    return original_of(board.report.raw)


def hear(board: Stage, lines: Iterable[str]) -> Outcome:
    """Return what becomes of lines without a program around them."""
    return board.hear(letter(ALICE, "\n".join(lines), answers=report(board).message_id, number=5))


def by(board: Stage, program: Program, *lines: str) -> Outcome:
    """Return what becomes of lines a program sends."""
    answer = Answer(report(board), Person("Alice", ALICE), lines, TONGUES["en"], number=5)
    return board.hear(program.reply(answer))


@pytest.mark.parametrize("line", MEANT)
def test_an_order_said_kindly_is_played_or_asked_about(board: Stage, line: str) -> None:
    """Whoever orders something hears what became of it, by its line."""
    said = words(board, line)
    order, _ = two(board)
    for found in (hear(board, [said]), hear(board, ["Hello,", "", said, "", "Alice"])):
        assert found.orders in {(order,), ()}
        assert len(found.answers) == 1
        if not found.orders:
            assert said.split()[-1].strip("\u200b\u202c*_'\"“”«»`.!,;") in found.answers[0]


@pytest.mark.parametrize("line", NOT_MEANT)
def test_what_orders_nothing_is_not_played(board: Stage, line: str) -> None:
    """Doubt, denial, questions, other people's orders: the writer is asked at most."""
    found = hear(board, [words(board, line)])
    assert found.orders == ()
    assert found.answers


@pytest.mark.parametrize("line", BOTH)
def test_two_orders_in_a_line_are_both_meant(board: Stage, line: str) -> None:
    """None of two is played alone without a word about the other."""
    order, other = two(board)
    found = hear(board, [words(board, line)])
    assert found.orders in {(order, other), (order,), ()}
    assert found.answers
    if found.orders != (order, other):
        assert other.split()[-1] in found.answers[0]


@pytest.mark.parametrize("strike", STRIKES)
@pytest.mark.parametrize("name", ["gmail-html-alone", "outlook-windows-html", "ios-mail-html"])
def test_what_is_struck_out_is_not_ordered(board: Stage, strike: str, name: str) -> None:
    """What stands beside it is played."""
    order, other = two(board)
    raw = struck(board, BY_NAME[name], [order], strike.format(order=html.escape(other)))
    found = board.hear(raw)
    assert found.orders == (order,)


@pytest.mark.parametrize("strike", STRIKES[:5])
@pytest.mark.parametrize("name", ["gmail-web", "outlook-windows", "apple-mail"])
def test_what_is_struck_out_is_not_ordered_by_the_text_beside_it(
    board: Stage, strike: str, name: str
) -> None:
    """Programs lose the stroke where they make the text; then it is asked about at most."""
    _, other = two(board)
    lines = ["I am still thinking.", other]
    found = board.hear(struck(board, BY_NAME[name], lines, strike.format(order=other)))
    assert found.orders == ()
    assert found.answers


def struck(board: Stage, program: Program, lines: list[str], shown: str) -> bytes:
    """Return a letter whose HTML shows its second line, or one more, as given."""
    answer = Answer(report(board), Person("Alice", ALICE), tuple(lines), TONGUES["en"], number=5)
    sent = program.make(answer)
    assert sent.html is not None
    first, _, rest = sent.html.partition(escaped(lines[-1]))
    inner = f"{escaped(lines[-1])}<div>{shown}</div>" if len(lines) == 1 else shown
    return encoded(answer, replace(sent, html=first + inner + rest))


@pytest.mark.parametrize("mark", ["--", "—", "-- ", "__", "---", "***"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_order_below_a_line_of_dashes_is_not_lost(board: Stage, mark: str, name: str) -> None:
    """It is played or named; only a true signature needs no word."""
    order, _ = two(board)
    found = by(board, BY_NAME[name], "Hello,", mark, order)
    assert found.orders in {(order,), ()}
    assert found.answers
    if mark != "-- " and not found.orders:
        assert order in "".join(found.answers)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_signature_orders_nothing(board: Stage, name: str) -> None:
    """What stands in it below the true mark is not played, however it reads."""
    order, other = two(board)
    found = by(board, BY_NAME[name], order, "", "-- ", "Alice", "Resign", other)
    assert found.orders in {(order,), ()}
    assert found.changed[-2:] == ("running", "None")
