"""Settings by mail: addresses, which say yes themselves, and parts of mails."""

from __future__ import annotations

import re

import pytest
from support.club import Club, letter
from support.moving import ALICE, BOB, SEATS, begun, moves, told, who

from referee.store.people import players
from referee.store.tables.people import PlayerRow
from referee.text import width

NEW, MALLORY = "new@example.test", "mallory@example.test"


def test_a_new_address_must_say_yes_itself(club: Club) -> None:
    """Until then it is nobody's; then mail goes there, letters come from there, the old is told."""
    report = begun(club)
    moves(club, report, NEW)
    assert f"A mail has gone to {NEW}" in told(club, ALICE)
    asked = club.last(NEW)
    assert "alice.miller, who plays here" in asked.flat
    club.put(letter(NEW, "matches"))
    assert club.mails(NEW) == []
    club.answer(asked, "yes", ALICE)
    assert "from that address" in told(club, ALICE)
    with club.desk.store.reading() as connection:
        assert players.by_address(connection, NEW) is None
    club.answer(asked, "yes please\nyes", NEW)
    assert f"{NEW} is confirmed" in told(club, NEW)
    assert f"Your mails go to {NEW}" in club.mails(ALICE)[-1].flat
    club.answer(report, "help", NEW)
    assert "You can write these commands" in told(club, NEW)
    moves(club, report, ALICE.upper(), NEW)
    assert f"your mails go to {ALICE}" in told(club, ALICE)


def test_no_code_suffices_to_move_an_account(club: Club) -> None:
    """However fresh: the old address is asked, and only its yes has the new one asked."""
    report = begun(club)
    club.answer(report, f"set address {NEW}", ALICE)
    question = club.last(ALICE, "answer")
    assert "Nothing has been done yet" in question.text
    assert f"· set address {NEW}" in question.text
    assert club.mails(NEW) == []
    with club.desk.store.reading() as connection:
        assert players.find_address(connection, NEW) is None
    club.answer(question, "yes", ALICE)
    assert len(club.mails(NEW)) == 1


def test_an_address_of_long_standing_is_asked_for_at_the_other_too(club: Club) -> None:
    """Somebody may have taken it over meanwhile."""
    report = begun(club)
    with club.desk.store.writing() as connection:
        owner = who(connection, ALICE).id
        players.give_address(connection, owner, NEW, now=club.clock[0])
    club.answer(report, f"set address {NEW}", NEW)
    assert club.mails(NEW) == []
    with club.desk.store.reading() as connection:
        assert players.address_for(connection, owner) == ALICE
    club.answer(club.last(ALICE, "answer"), "yes", ALICE)
    with club.desk.store.reading() as connection:
        assert players.address_for(connection, owner) == NEW


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (BOB, "cannot be yours here"),
        ("referee@example.test", "cannot be yours here"),
        ("nonsense", "“nonsense” is no mail address"),
    ],
)
def test_an_address_that_cannot_be_is_not_mailed(club: Club, value: str, said: str) -> None:
    """Nobody else hears of it."""
    report = begun(club)
    club.mails(BOB)
    club.answer(report, f"set address {value}", ALICE)
    assert said in told(club, ALICE)
    assert club.mails(BOB) == []


def test_one_player_mails_only_so_many_strangers(club: Club) -> None:
    """Three new addresses a day."""
    report = begun(club)
    for number in range(4):
        moves(club, report, f"n{number}@example.test", number=number)
    assert [len(club.mails(f"n{number}@example.test")) for number in range(4)] == [1, 1, 1, 0]
    assert "several new addresses today" in told(club, ALICE)


def test_a_wish_for_an_address_keeps_nobody_from_it(club: Club) -> None:
    """Its owner becomes a player with it all the same; so does whom the organiser seats."""
    report = begun(club)
    moves(club, report, NEW)
    club.new_match("pebbles", f"red={NEW}", f"blue={BOB}")
    with club.desk.store.reading() as connection:
        assert who(connection, NEW).name == "new"


@pytest.mark.parametrize("wanted", ["html", "text", "phone", "spoken"])
def test_mails_have_the_parts_a_player_wants(club: Club, wanted: str) -> None:
    """Text alone, or HTML beside it; attachments as ever. Text has no buttons, and says so."""
    club.answer(begun(club), f"set format {wanted}", ALICE)
    said = club.last(ALICE).flat
    assert ("They have no buttons to click" in said) == (wanted != "html")
    club.put(letter(ALICE, "show"))
    message = club.last(ALICE).message
    kinds = {part.get_content_type() for part in message.walk() if not part.is_multipart()}
    assert kinds == {
        "html": {"text/plain", "text/html"},
    }.get(wanted, {"text/plain"})


@pytest.mark.parametrize(("reminders", "reminded"), [("off", False), ("match", True)])
def test_quiet_hours_promise_no_reminder_to_who_wants_none(
    club: Club, reminders: str, reminded: bool
) -> None:
    """Else a turn that ends within them is told of before."""
    club.answer(begun(club), f"set reminders {reminders}\nset quiet 22-7", ALICE)
    answer = told(club, ALICE)
    assert "Your time goes on all the same" in answer
    assert ("you are reminded before" in answer) is reminded


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("set language fr", "You could write: en or de"),
        ("set zone berlin", "Europe/Berlin"),
        ("set reminders 2h 99d", "write up to 5, each from 10m to 30d"),
        ("set zone Europe/Berln", "Europe/Berlin"),
        ("set format pdf", "html, text, phone or spoken"),
        ("set digest weekly", "daily 18:00 or off"),
        ("set digest daily 25:00", "daily 18:00 or off"),
        ("set subjects loud", "plain or telling"),
        ("set mails none", "all, turns or few"),
        ("set confirm on", "write “set grace yes” for “on”"),
        ("set reminders soon", "24h 2h, off or match"),
        ("set reminders 2m", "24h 2h, off or match"),
        ("set quiet 22:00", "22:00-07:00 or off"),
        ("set quiet 8-8", "22:00-07:00 or off"),
        ("set quiet 1:00-23:00", "22:00-07:00 or off"),
        ("set name Bob", "somebody else goes by the name"),
    ],
)
def test_what_cannot_be_set_is_said_with_what_could(club: Club, line: str, said: str) -> None:
    """At once, with a code or without."""
    report = begun(club)
    club.answer(report, line, ALICE)
    assert said in told(club, ALICE)
    club.put(letter(ALICE, line))
    assert said in told(club, ALICE)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("set calendar on", "Every report says when your time ends."),
        ("set calendar off", "there is no entry for your calendar any more."),
        ("einstellung kalender an", "Every report says when your time ends."),
        (
            "einstellung sprache de\neinstellung kalender an",
            "nicht mehr. Wann deine Zeit endet, steht in jedem Bericht.",
        ),
    ],
)
def test_a_setting_that_is_no_more_is_answered(club: Club, line: str, said: str) -> None:
    """With what is instead: at once, with a code or without, and nothing is changed or asked."""
    report = begun(club)
    club.answer(report, line, ALICE)
    assert said in told(club, ALICE)
    before = row(club)
    club.mails(ALICE)
    club.put(letter(ALICE, line.splitlines()[-1]))
    [answer] = club.mails(ALICE)
    assert said in answer.flat
    assert row(club) == before
    club.put(letter(ALICE, "settings", number=7))
    assert not any("calendar" in each or "kalender" in each for each in shown_lines(club))


def test_settings_are_shown_as_the_lines_that_set_them(club: Club) -> None:
    """Sent back unchanged they change nothing; ``set`` alone shows them too."""
    report = begun(club)
    club.answer(report, "set reminders 2 hours, 1d\nset quiet 22 to 7\nset digest 18 Uhr", ALICE)
    club.mails(ALICE)
    club.put(letter(ALICE, "settings"))
    shown = shown_lines(club)
    for line in ("reminders 24h 2h", "quiet 22:00-07:00", "digest daily 18:00", "mails all"):
        assert f"set {line}" in shown
    before = row(club)
    club.answer(report, "\n".join(each for each in shown if "set address" not in each), ALICE)
    assert row(club) == before
    club.mails(ALICE)
    club.put(letter(ALICE, "set", number=7))
    assert shown_lines(club) == shown


def test_settings_are_set_and_shown_in_german(club: Club) -> None:
    """The words shown are words understood."""
    report = begun(club)
    club.answer(report, "einstellung sprache de", ALICE)
    club.mails(ALICE)
    club.put(letter(ALICE, "einstellungen", number=8))
    shown = shown_lines(club)
    assert "einstellung betreff sprechend" in shown
    wanted = ["betreff sprechend", "mails züge", "sammelmail täglich 18:30", "format gesprochen",
              "erinnerungen 24h 2h", "ruhe 22:00-07:00", "klickseite aus"]  # fmt: skip
    club.answer(report, "\n".join(f"einstellung {each}" for each in wanted), ALICE)
    club.mails(ALICE)
    club.put(letter(ALICE, "einstellungen", number=9))
    shown = shown_lines(club)
    assert {f"einstellung {each}" for each in wanted} <= {*shown}
    club.answer(report, "einstellung ruhe nachts", ALICE)
    assert "22:00-07:00 oder aus" in told(club, ALICE)


def shown_lines(club: Club) -> list[str]:
    """Return the lines that the latest answer to Alice lists."""
    return [each[2:] for each in club.last(ALICE).text.splitlines() if each.startswith("· ")]


def row(club: Club) -> PlayerRow:
    """Return Alice's row."""
    with club.desk.store.reading() as connection:
        return who(connection, ALICE)


@pytest.mark.parametrize("form", ["text", "phone", "spoken"])
def test_a_whole_turn_is_played_from_any_form(club: Club, form: str) -> None:
    """Invitation, report, receipt, refusal and help come in it, and its box is understood."""
    club.answer(begun(club), f"set format {form}", ALICE)
    club.mails(ALICE)
    club.new_match("pebbles", *SEATS, begins=False)
    club.work()
    invitation = club.last(ALICE, "invitation")
    club.answer(invitation, "agree", ALICE)
    club.answer(club.last(BOB, "invitation"), "agree", BOB)
    club.work()
    report = club.last(ALICE, "report")
    seen = [invitation, report]
    head, hint, _ = re.findall(
        r"^(=== .*?===)\n(\(.*?\))\n(=== end ===)", report.text, re.MULTILINE | re.DOTALL
    )[0]
    club.answer(report, f"{head}\nput 9 Z9\n=== end ===", ALICE)
    seen.append(club.last(ALICE, "receipt"))
    assert "refused" in seen[-1].text or "not understood" in seen[-1].text
    line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    filled = report.text.replace(hint, f"{hint}\n{line}")
    club.put(letter(ALICE, filled, answers=report.message["Message-ID"], number=99))
    assert club.match("pebbles-2").to_act == "blue"
    seen.append(club.last(ALICE, "receipt"))
    club.answer(report, "help", ALICE)
    seen.append(club.last(ALICE, "answer"))
    most = 38 if form == "phone" else 72
    assert max(width(each) for mail in seen for each in mail.text.splitlines()) <= most
    drawn = [mail for mail in seen if re.search(r"^A +\S", mail.text, re.MULTILINE)]
    assert (drawn == []) is (form == "spoken")


def test_a_telling_subject_says_what_the_mail_wants(club: Club) -> None:
    """Of report and receipt, unless its reader says otherwise; the match still stands in it."""
    report = begun(club)
    club.answer(report, next(each for each in report.turn_file["legal"] if "put" in each), ALICE)
    club.work()
    subjects = [str(each.message["Subject"]) for each in club.mails(ALICE)]
    assert subjects[-1].startswith("[pebbles-1] Blue (bob) is to act")
    assert all(each.startswith("[pebbles-1] ") for each in subjects)
    assert len({*subjects}) == len(subjects)
    club.answer(club.last(BOB, "report"), "message red: good luck\nto you", BOB)
    assert club.last(ALICE).message["Subject"] == "[pebbles-1] bob (blue) writes to you: good luck"


@pytest.mark.parametrize("asked", ["settings", "set"])
def test_settings_below_other_lines_show_their_effect(club: Club, asked: str) -> None:
    """The lines of a mail are carried out in their order."""
    club.answer(begun(club), f"set format phone\nset talk off\n{asked}", ALICE)
    shown = told(club, ALICE)
    assert "set format phone" in shown
    assert "set talk off" in shown


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("set mails few", "From now on you get a report when it is your turn"),
        ("set digest daily 18:00", "your own turns with their boards first, then your other"),
        ("set digest daily 18:00\nset mails few", "Your digest stays on: one mail a day, at 18:00"),
        ("set digest daily 18:00\nset mails turns", "and leaves out your other matches. Once you"),
        ("set mails few\nset digest daily 18:00", "“few” counts again once you set the digest off"),
        ("set mails turns\nset digest daily 18:00", "boards, without your other matches"),
        ("set mails few\nset digest daily 18:00\nset digest off", "everything else comes together"),
        ("set digest daily 18:00\nset digest off", "From now on every report comes at once."),
        ("einstellung sprache de\neinstellung sammelmail täglich 18:00\neinstellung mails wenige",
         "Deine Sammelmail bleibt: Eine Mail am Tag, um 18:00"),
    ],
)  # fmt: skip
def test_mails_and_digest_are_told_together(club: Club, lines: str, said: str) -> None:
    """Of both settings each answer says what comes of them, whatever the other is."""
    club.answer(begun(club), lines, ALICE)
    assert said in club.last(ALICE, "answer").flat


def test_a_stop_alone_ends_the_digest(club: Club) -> None:
    """Which mails are wanted counts again."""
    report = begun(club)
    club.answer(report, "set mails turns\nset digest daily 18:00", ALICE)
    club.answer(report, "stop", ALICE)
    assert "Your digest has ended: a report" in told(club, ALICE)
