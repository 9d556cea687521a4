"""The commands ``set`` and ``away``: a player's settings and days away, shown and changed."""

from __future__ import annotations

from datetime import date
from typing import Final

from referee.desk.letters import confirm
from referee.desk.letters.case import Case, Claim, refreshed, send_question
from referee.desk.letters.words.keywords import Command
from referee.desk.mails.post import Mail
from referee.desk.mails.settings import apply_setting, bad_value, settings_of, tell_of_address
from referee.desk.matches.time import away, clock, stoppages
from referee.desk.players import read_setting
from referee.mail import addressing
from referee.matches.time.moments import DAY
from referee.render.answers import Answer, answer, answer_content
from referee.render.words.moments import day_text, zone_of
from referee.render.words.wording import Catalogue
from referee.store.people import players, questions
from referee.store.tables.people import AwayRow

HARMLESS: Final = frozenset({"language", "format", "subjects", "mails", "composer"})
"""Settings by which nobody loses a turn, a mail or their name: an address alone may change them.

A digest is none: a turn waits for its hour.
"""

MOST_NEW_ADDRESSES: Final = 3
"""New addresses a player may ask for in a day."""


def needs_no_yes(case: Case, command: Command) -> bool:
    """Return whether a setting that came without a code is changed unasked.

    Somebody may have forged the address, so it must be harmless, and its owner must be told; what
    proves its sender may change any setting but the address.
    """
    if command.word != "set" or command.arguments[0] == "address" or case.unanswered:
        return False
    return not case.unproved or command.arguments[0] in HARMLESS


def change_setting(case: Case, claim: Claim | None, command: Command) -> None:
    """Change a setting of the player, and answer with the new value."""
    what, value = command.arguments
    if what == "address":
        _change_address(case, value)
        return
    good = read_setting(case.connection, case.player, what, value)
    if good is not None:
        # The turn under way keeps its zone, or days off could be stretched.
        apply_setting(case.change, case.player, what, good, keeps_zone=True)
    # The answer is worded by the new settings.
    told = refreshed(case)
    kept, player = settings_of(told.player), told.player
    said = answer(
        "set-done",
        what=what,
        value=kept[what],
        unproved=case.unproved,
        mails=player.mails,
        at=player.digest_at if player.digest == "daily" else None,
        reminds=player.reminders != "off",
    )
    told.tell(said, claim)
    if case.unproved and told.player.language != case.player.language:
        # Whoever forged it may have chosen one that its owner cannot read.
        case.tell(answer("set-back", value=case.player.language))


def list_settings(case: Case, _: Claim | None, __: Command) -> Answer:
    """Return all settings of the player, as ``set`` takes them."""
    known = players.addresses_of(case.connection, case.player.id)
    address = players.address_for(case.connection, case.player.id) or ""
    shown = {**settings_of(case.player), "address": address}
    others = [row.address for row in known if row.address != address]
    commands = (Command("set", (what, value)) for what, value in shown.items() if value)
    lines = [confirm.told_line(command, case.catalogue) for command in commands]
    return answer("settings", lines=lines, others=others)


def canonical_command(case: Case, command: Command) -> Command:
    """Return a command as it would be kept: days with their year, a setting with its value."""
    if command.word == "away" and command.arguments[1:2] == ("to",):
        first, last = _range(case, command)
        return Command("away", (str(first), "to", str(last)))
    if command.word != "set":
        return command
    what, value = command.arguments
    good = read_setting(case.connection, case.player, what, value)
    return Command(command.word, (what, good or ""))


def answer_bad_value(case: Case, command: Command) -> Answer | None:
    """Return the answer to a value that cannot be set."""
    what, value = command.arguments
    good = read_setting(case.connection, case.player, what, value)
    if good is None:
        return bad_value(what, value, case.catalogue)
    if what == "address":
        known = players.find_address(case.connection, good)
        owner = known.player_id if known and known.state != "unconfirmed" else None
        if owner not in {None, case.player.id} or good == case.desk.settings.address:
            return answer("address-taken", address=good)
    return None


def _change_address(case: Case, value: str) -> None:
    """Send the player's mail to an address of theirs from now on; a new one is asked first."""
    valid = addressing.valid_address(value) or value
    known = players.find_address(case.connection, valid)
    if known is not None and known.state != "unconfirmed":
        players.set_preferred(case.connection, case.player.id, valid)
        case.tell(answer("set-done", what="address", value=valid))
        return
    since = case.desk.now() - DAY
    asked = questions.questions_of(case.connection, case.player.id, "address", since)
    if len(asked) >= MOST_NEW_ADDRESSES:
        case.tell(answer("address-later", address=valid))
        return
    # It was asked for and never confirmed, so the later question counts.
    if known is not None:
        players.drop_address(case.connection, valid)
    players.give_address(
        case.connection, case.player.id, valid, now=case.desk.now(), state="unconfirmed"
    )
    # One question is enough; its mail is on the way.
    if not any(question.address == valid and question.state == "waiting" for question in asked):
        asker, language = case.player, case.player.language
        question = confirm.keep_question(case.change, case.letter, "address", valid, asker.id)
        said = answer("confirm-address", who=asker.name, days=confirm.LIFE.days)
        framing = confirm.question_framing(question, language)
        content = answer_content(Catalogue(language), said, framing)
        send_question(case, question, Mail("answer", content))
    case.tell(answer("address-asked", address=valid, days=confirm.LIFE.days))


def confirm_new_address(case: Case, confirmed: str) -> None:
    """Make an address that said yes the player's preferred one; tell the others."""
    others = [
        row.address
        for row in players.addresses_of(case.connection, case.player.id)
        if row.state != "unconfirmed" and row.address != confirmed
    ]
    # Another player may have asked for it since; it belongs to the one it said yes to.
    players.drop_address(case.connection, confirmed)
    players.give_address(
        case.connection, case.player.id, confirmed, now=case.desk.now(), preferred=True
    )
    # Perhaps mail reaches the player again, and clocks go on.
    stoppages.settle_reach(case.change, case.player.id)
    case.tell(answer("address-confirmed", address=confirmed))
    for address in others:
        tell_of_address(case.change, case.player, address, confirmed)


def obey_away(case: Case, _: Claim | None, command: Command) -> Answer | None:
    """Note days away, cancel some, or list them; return all that are noted."""
    what, *given = command.arguments or ("list",)
    if what == "list":
        return answer("away-list", **_noted(case))
    if what == "cancel":
        row = away.cancel_away(case.change, case.player, int(given[0]))
        first, last = clock.days_of(row)
        return answer("away-cancel", **_worded(case, first=first, last=last), **_noted(case))
    begin, end = _range(case, command)
    if begin is None or end is None:
        return None
    away.note_away(case.change, case.player, begin, end)
    return answer("away-noted", **_worded(case, first=begin, last=end), **_noted(case))


def _noted(case: Case) -> dict[str, object]:
    """Return fields of an answer: days away noted, and days left."""
    today = away.today_of(case.desk, case.player)
    entries = []
    for row in _coming(case, today):
        first, last = clock.days_of(row)
        entry = _worded(case, number=row.id, first=first, last=last)
        entries.append(case.catalogue.say("away.entry", **entry))
    left = away.left_of(case.change, case.player, today.year)
    return {"year": today.year, "left": left, "entries": entries}


def answer_bad_days(case: Case, command: Command) -> Answer | None:
    """Return the answer to days that cannot be noted or cancelled."""
    what, *given = command.arguments or ("list",)
    if what == "list":
        return None
    fault: away.AwayFault | None = None
    if what == "cancel":
        # Only days still to come can be cancelled, and today has begun.
        coming = _coming(case, away.today_of(case.desk, case.player) + DAY)
        if int(given[0]) not in {row.id for row in coming}:
            fault = away.AwayFault("number", {"number": int(given[0])})
    else:
        first, last = _range(case, command)
        if first is None or last is None:
            fault = away.AwayFault("unreadable", {"day": what if first is None else given[-1]})
        else:
            fault = away.away_fault(case.change, case.player, first, last)
    if fault is None:
        return None
    said = case.catalogue.say(f"away.{fault.why}", **_worded(case, **fault.fields))
    return answer("away-wrong", what=said)


def _worded(case: Case, **fields: object) -> dict[str, object]:
    """Return fields with their days written out for the player."""
    return {
        name: day_text(field, case.catalogue) if isinstance(field, date) else field
        for name, field in fields.items()
    }


def _range(case: Case, command: Command) -> tuple[date | None, date | None]:
    first, *_, last = command.arguments
    # Days without a year are those that came next when they were written.
    today = case.row.arrived.astimezone(zone_of(case.player.zone)).date()
    return away.parse_days(first, last, today)


def _coming(case: Case, first: date) -> list[AwayRow]:
    """Return the days away that end on a day or later."""
    rows = players.away_of(case.connection, case.player.id)
    return [row for row in rows if clock.days_of(row)[1] >= first]
