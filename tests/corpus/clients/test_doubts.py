"""Lines that look like what programs add, and lines that only look like it: none is lost unsaid."""

from __future__ import annotations

from textwrap import wrap

import pytest
from support.club import letter
from support.stage import ALICE, Outcome, Stage, stage

from referee.desk.letters.words.phrases import Tongue, entries_in
from referee.games import registry

ATTRIBUTION = "On Sat, 21 Nov 2026 at 12:00, Referee <referee@example.test> wrote:"

OLDER = (
    "发件人：Alice<alice@example.org>\n发送日期：2026年11月21日 12:00\n收件人：Referee\n主题：x",
    "差出人：Alice <alice@example.org>\n日時：2026年11月21日\n宛先：Referee",
    "From:Alice <alice@example.org>\nSent:21 Nov 2026\nTo:Referee",
    "On 21 Nov 2026, Alice <alice@example.org> wrote",
    "Ուղարկող՝ Alice <alice@example.org>\nԱմսաթիվ՝ 21.11.2026\nՈւմ՝ Referee",
    "Von / From / De / Da / 差出人: Alice <alice@example.org>\nSent: 21 Nov 2026\nTo: Referee",
    "От: Алиса\nОтправлено: 21 ноября 2026 г. 15:07\nКому: Судья\nТема: мой ход",
    "Lähettäjä: Aino\nLähetetty: lauantai 21. marraskuuta 2026 15.07\nVastaanottaja: x\nAihe:",
    "发件人: 小明\n发送时间: 2026年11月21日 15:07\n收件人: 裁判\n抄送: 小红\n主题: 走棋",
)
"""What stands above an older mail, in shapes that few programs write."""

TURNED = (
    "{order} (not)", "{order} (only if green attacks)", "{order} (don't do this)", "{order} (?)",
    "{order} (was my last order, ignore)", "{order} [withdrawn]", "{order} (oder lieber D8)",
    "❌ {order}", "🚫 {order}", "{order} 👎", "☐ {order}", "{order} 🤔", "║ {order}",
    "{order} (rather E7)", "{order} (sorry, E7)", "{order} (E7)", "{order} (besser E7)",
    "{order} (scrap that)", "{order} (skip it)", "{order} (streich das)", "{order} [play axe]",
)  # fmt: skip
"""Orders with something beside them that may turn them round."""

LAST = (
    "resign", "agree", "no", "undo", "zurück", "zurückziehen", "cancel", "stop", "verlassen",
)  # fmt: skip
"""Commands of one word that may end a sentence."""

TRIED = (
    "*preview*", "**Preview**", "“preview”", '"preview"', "'preview'", "_preview_", "(preview)",
    "[preview]", "(preview, please)",
    "My orders\n=========\npreview",
)  # fmt: skip
"""A preview as people and programs dress it."""

KEPT = (
    "message green: hi\nmessage green: hello\nmessage green: ciao",
    "message green: thank you Referee\nmessage green: see you at 12:30",
    "message green: my day: 2026\nmessage green: my time: 12:30",
)
"""Messages in a row, which look like a block of headers."""

CUT = ("*** important ***", "My plan for 21.11.2026:", "--- for now ---", "alice@x.test said:")
"""Lines of a message that look like the beginning of an older mail."""

FORM = "Match: nord-1\nDate: 21.11.2026\nPlayer: Alice"
"""Lines that look like its headers."""

END = {"en": "end", "de": "ende"}
"""The word that ends a box."""

MOBILE = (
    "\nHi Bob,\nsorry for the delay, I had no mobile reception.",
    "\nsorry, my mobile was dead",
    ": Sorry for the late answer, I was on the road the whole day and\ntyped on my mobile phone.",
    "\nHi Bob,\nSent with love: three workers to the west.\nBye",
)
"""Texts of messages with lines that programs might have added."""

FOOTER = "\n\nVerzonden vanaf Outlook voor Android\nhttps://aka.ms/AAb9ysg"

LISTED = (
    "I am online on these days:\n19:00 Monday\n20:30 Tuesday\n21:00 Friday",
    "\nTermin: 24.11.2026\nUhrzeit: 19:30\nOrt: Club\n",
    "\nFri: 27.11.2026 19:30\nSat: 28.11.2026 19:30\nSun: 29.11.2026 11:00\nMon: no\n",
    "let us split the board:\n\nAlice: west\nBob: east\nNobody: south\n",
)
"""Lines of a message that look like headers, and of which no program writes any."""


@pytest.fixture(scope="module")
def board() -> Stage:
    """Return a match of Nord some turns on."""
    return stage("nord", turns=4)


def hear(board: Stage, text: str, *, quoted: bool = False) -> Outcome:
    """Return what becomes of a text, with the report quoted below it if that is asked for."""
    marked = [f"> {line}" for line in board.report.text.splitlines()]
    lines = "\n".join([text, "", ATTRIBUTION, *marked]) if quoted else text
    raw = letter(ALICE, lines, answers=str(board.report.message["Message-ID"]))
    return board.hear(raw.replace(ALICE.encode(), f"Alice <{ALICE}>".encode(), 1))


def order_of(board: Stage, word: str = "place") -> str:
    """Return a legal order."""
    return next(each for each in board.orders if each.startswith(word))


@pytest.mark.parametrize("headers", OLDER)
def test_an_older_mail_is_not_played_again(board: Stage, headers: str) -> None:
    """Blocks of headers are known without a blank behind the colon, or without a colon."""
    found = hear(board, f"please forget my last mail\n\n{headers}\n\n{order_of(board)}")
    assert found.orders == ()


@pytest.mark.parametrize("headers", OLDER)
def test_nothing_of_an_older_mails_headers_is_relayed(board: Stage, headers: str) -> None:
    """A message above them ends there."""
    found = hear(board, f"message green\nHello\n\n{headers}\n\n{order_of(board)}")
    assert all(
        "Referee" not in each.partition("writes")[2].partition("To answer")[0]
        for each in found.relayed
    )


@pytest.mark.parametrize("line", TURNED)
def test_a_remark_that_may_turn_an_order_round_is_asked_about(board: Stage, line: str) -> None:
    """The order is not played, and its writer hears so."""
    found = hear(board, line.format(order=order_of(board)))
    assert found.orders == ()
    assert len(found.answers) == 1


@pytest.mark.parametrize(
    "line",
    [
        "{order} (good luck!)",
        "{order} and have fun",
        "{order}. Sorry it took so long!",
        "{order} 🎉",
        "First: {order}",
    ],
)
def test_a_harmless_remark_does_no_harm(board: Stage, line: str) -> None:
    """What can turn nothing round is passed over."""
    order = order_of(board)
    assert hear(board, line.format(order=order)).orders == (order,)


def test_the_end_of_a_wrapped_sentence_is_no_order(board: Stage) -> None:
    """Where a program broke a long line, what begins the next may be half of what was said."""
    order = order_of(board)
    text = f"I thought about it for a long time and decided that I will certainly not\n{order}."
    found = hear(board, text)
    assert found.orders == ()
    assert order in found.answers[0]


@pytest.mark.parametrize("above", ["", "message green: ", "note "])
@pytest.mark.parametrize("last", LAST)
def test_the_end_of_a_wrapped_sentence_is_no_command(board: Stage, last: str, above: str) -> None:
    """It is not obeyed, nor missing from a text that goes to another player."""
    order = order_of(board)
    text = f"{above}I thought about it for a long time, and I am sure that I will not\n{last}."
    found = hear(board, f"{text}\n{order}")
    assert found.orders == ()
    assert found.relayed == ()
    assert found.changed[-2:] == hear(board, "help").changed[-2:]


@pytest.mark.parametrize("width", range(60, 81))
def test_a_message_wrapped_behind_a_sentence_goes_out_whole(board: Stage, width: int) -> None:
    """A full line may go on however it ends."""
    text = (
        "message green: Shall we leave the west alone for the whole next scoring round? Then we"
        " both could take the two karst fields in the south and share them. What do you think?"
    )
    found = hear(board, "\n".join((*wrap(text, width), "end", order_of(board))))
    assert found.orders == (order_of(board),)
    assert text.partition(": ")[2] in " ".join(found.relayed[0].replace("…", "").split())


@pytest.mark.parametrize("line", TRIED)
def test_a_preview_is_one_however_it_is_dressed(board: Stage, line: str) -> None:
    """The order below it is tried, and not played."""
    found = hear(board, f"{line}\n{order_of(board)}")
    assert found.orders == ()
    assert "preview" in found.answers[0].casefold()
    assert found.changed == hear(board, f"preview\n{order_of(board)}").changed


@pytest.mark.parametrize(
    "line",
    [
        "Just preview", "Only a preview please", "Nur eine Vorschau", "Bitte nur Vorschau",
        "First a preview, please", "Preview only!", "Please queue this for later",
    ],
)  # fmt: skip
def test_a_sentence_about_a_preview_or_a_queue_has_the_order_asked_about(
    board: Stage, line: str
) -> None:
    """It shows what the order would do, and plays it with a yes."""
    found = hear(board, f"{line}\n{order_of(board)}")
    assert found.orders == ()
    assert "The board as it would be" in found.answers[0]


@pytest.mark.parametrize("line", ["*queue*", "“queue”", "(queue)", "[Einreihen]"])
def test_a_queue_is_one_however_it_is_dressed(board: Stage, line: str) -> None:
    """The order below it is kept for later."""
    text = f"{order_of(board)}\n{{line}}\nplay axe\nplace C6"
    found = hear(board, text.format(line=line))
    assert found.orders == (order_of(board),)
    assert found.changed == hear(board, text.format(line="queue")).changed


def test_an_order_below_a_queue_and_prose_is_not_played(board: Stage) -> None:
    """Whoever writes the word alone means to queue what follows."""
    found = hear(board, f"queue\nFor my next turn, please:\n{order_of(board)}")
    assert found.orders == ()
    assert "For my next turn" in found.answers[0]


@pytest.mark.parametrize("width", range(60, 81))
def test_a_queue_is_whole_wherever_it_wraps(board: Stage, width: int) -> None:
    """Its rest is not played now, and an order on a line of its own is."""
    orders = "place C6; place C9 C10; place D6; place A7 B7; place B7 B8; play axe; place B9 C9"
    listed = orders.replace("; ", "\n")
    found = hear(board, "\n".join((*wrap(f"queue {orders}", width), order_of(board))))
    assert found.orders == (order_of(board),)
    assert found.changed == hear(board, f"{order_of(board)}\nqueue\n{listed}").changed


def test_lines_that_begin_with_an_arrow_are_not_quoted(board: Stage) -> None:
    """Such an order is played, and in a message they are told."""
    order = order_of(board)
    assert hear(board, f"-> {order}").orders == hear(board, f"=> {order}").orders == (order,)
    assert "axe" in hear(board, f"-> play axe\n{order}").answers[0]
    offer = "-> you get the west\n--> I get the east\nE7->E8"
    (message,) = hear(board, f"message green\n{offer}\nagreed?").relayed
    assert all(each in message for each in ("you get the west", "I get the east", "E7->E8"))


@pytest.mark.parametrize("above", ["Message received.", "Nachricht erhalten!"])
def test_an_order_below_a_message_to_nobody_is_named(board: Stage, above: str) -> None:
    """Whoever only says that a message came learns that the order was not played."""
    found = hear(board, f"{above}\n\n{order_of(board)}")
    assert found.orders == ()
    assert order_of(board) in found.answers[0]


@pytest.mark.parametrize("seat", ["green.", "Green!", "all."])
def test_a_full_stop_behind_a_seat_is_no_part_of_it(board: Stage, seat: str) -> None:
    """Telephones put one there."""
    assert "shall we" in hear(board, f"message {seat}\nshall we?").relayed[0]


@pytest.mark.parametrize("verb", ["\nwrote:", "\nescribió:", " ha\nscritto:"])
def test_an_order_below_a_quote_is_played_however_its_attribution_breaks(
    board: Stage, verb: str
) -> None:
    """The rest of an attribution, on a line of its own, begins no older mail."""
    lead = f"El sáb, 21 nov 2026 a las 12:00, Referee (<referee@example.test>){verb}"
    quote = "\n".join(f"> {line}" for line in board.report.text.splitlines())
    found = hear(board, f"{lead}\n\n{quote}\n\n{order_of(board)}\n")
    assert found.orders == (order_of(board),)


@pytest.mark.parametrize("messages", KEPT)
@pytest.mark.parametrize("quoted", [False, True])
def test_messages_in_a_row_are_no_headers(board: Stage, messages: str, *, quoted: bool) -> None:
    """Each is sent, and the order below them is played."""
    order = order_of(board)
    found = hear(board, f"Hi,\n\n{messages}\n{order}", quoted=quoted)
    assert len(found.relayed) == len(messages.splitlines())
    assert found.orders == (order,)


@pytest.mark.parametrize(
    ("line", "end"), [(each, "end") for each in CUT] + [(each, "") for each in [*CUT[:3], FORM]]
)
def test_a_message_that_may_be_cut_is_held(board: Stage, line: str, end: str) -> None:
    """Nobody gets half of it, and its writer is asked to send it again."""
    text = f"message green:\nHello Bob\n\n{line}\n\nI attack tomorrow\n{end}"
    found = hear(board, text, quoted=True)
    assert found.relayed == ()
    assert found.orders == ()
    assert len(found.answers) == 1


@pytest.mark.parametrize("lines", LISTED)
@pytest.mark.parametrize("end", ["", "\nend"])
def test_a_list_with_colons_is_no_header_block(board: Stage, lines: str, end: str) -> None:
    """Days, hours and names that stand in a message are sent with it."""
    found = hear(board, f"message green\nHello Bob,\n{lines}\nAgreed?{end}", quoted=True)
    passed = found.relayed[0].partition("writes to")[2]
    assert [line for line in lines.split("\n") if f"· {line}".strip() not in passed] == []
    assert "· Agreed?" in passed


@pytest.mark.parametrize("text", MOBILE)
@pytest.mark.parametrize("footer", ["", "\n\nSent from my iPhone\nGet Outlook for iOS", FOOTER])
def test_a_line_of_a_message_that_names_a_telephone_is_sent(
    board: Stage, text: str, footer: str
) -> None:
    """Only what stands apart at the end is a program's, and what is known as its line."""
    found = hear(board, f"message green{text}{footer}", quoted=True)
    passed = " ".join(found.relayed[0].partition("writes to")[2].replace("…", "").split())
    assert " ".join(text.lstrip(":").replace("\n", " ").split()) in passed.replace(" · ", " ")
    assert "Sent from" not in passed
    assert "Verzonden" not in passed
    assert "https" not in passed


def test_an_order_below_a_form_is_named(board: Stage) -> None:
    """Three lines with a date and the own name may begin an older mail."""
    order = order_of(board)
    found = hear(board, f"message green: hello!\n\n{FORM}\n\n{order}")
    assert len(found.relayed) == 1
    assert f"· {order}" in found.answers[0]
    assert "it is not certain" in found.answers[0]


@pytest.mark.parametrize("line", ["set address alice@gmail.com", "note a mobile", "note Outlook"])
def test_a_command_that_names_a_program_is_no_footer(board: Stage, line: str) -> None:
    """It is obeyed, or asked back, as any other."""
    found = hear(board, line, quoted=True)
    assert "not certain that you mean" not in found.answers[0]


def boxed(board: Stage, written: str, *, end: bool = True) -> Outcome:
    """Return what becomes of a quoted report whose hint, or box below its head, is overwritten."""
    until = board.hint if end else f"{board.hint}\n=== {END[board.language]} ==="
    report = board.report.text.replace(until, written)
    assert report != board.report.text
    marked = "\n".join(f"> {line}" for line in report.splitlines())
    answers = str(board.report.message["Message-ID"])
    return board.hear(letter(ALICE, f"{ATTRIBUTION}\n\n{marked}", answers=answers))


@pytest.mark.parametrize(
    "written",
    [
        "(play axe)\nplace D8",
        "(play axe\nplace D8)",
        "(play axe) place D8",
        "play axe\n--\nplace D8",
    ],
)
def test_a_box_is_played_whole(board: Stage, written: str) -> None:
    """Orders between the hint's brackets and below a drawn dash are as good as others."""
    assert boxed(board, written).orders == ("play axe", "place D8")


@pytest.mark.parametrize("written", ["(play axe\nsomewhere)", "play axe\n(hello)\n(place D8)"])
def test_a_box_is_played_whole_or_not_at_all(board: Stage, written: str) -> None:
    """What cannot be read in it is named."""
    found = boxed(board, written)
    assert found.orders == ()
    assert "not understood" in found.answers[0]


@pytest.mark.parametrize("written", ["place D8", "place D8\n--\nAlice", "(hello!)\nplace D8"])
@pytest.mark.parametrize("end", [True, False])
def test_a_box_that_lost_its_end_holds_none_of_our_foot(
    board: Stage, written: str, *, end: bool
) -> None:
    """Whoever overwrites hint and end together is played."""
    assert boxed(board, written, end=end).orders == ("place D8",)


def test_a_german_box_that_lost_its_end_holds_none_of_our_foot() -> None:
    """Its foot is known in every language."""
    german = stage("nord", "de", turns=4)
    order = order_of(german, "setze")
    assert boxed(german, order, end=False).orders == (f"place {order.partition(' ')[2]}",)


@pytest.mark.parametrize("head", ["**Orders**", "Orders:", "Match: nord-1\nTurn: 5\nSeat: red"])
def test_headings_of_ones_own_are_no_headers(board: Stage, head: str) -> None:
    """What stands below them is played."""
    order = order_of(board)
    assert hear(board, f"{head}\n{order}").orders == (order,)


@pytest.mark.parametrize("fragment", ["I ", "I, ", " hi", " thx", " (a)", "ok."])
def test_courtesy_without_end_costs_little(fragment: str) -> None:
    """A line longer than a phrase is not looked into."""
    line = fragment * 400
    assert entries_in(line, Tongue(registry.find_installed("nord"), "en")) == ()
