"""The command ``set``: a player's settings, shown and changed one by one."""

from __future__ import annotations

from typing import Final

from referee.desk.letters import confirm as letters_confirm
from referee.desk.letters import reply
from referee.desk.letters.case import Case, refreshed, send_question
from referee.desk.letters.claims import Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.mails.post import Mail
from referee.desk.mails.settings import apply_setting, bad_value, settings_of, tell_of_address
from referee.desk.matches.time import stoppages
from referee.desk.players import GONE, READERS
from referee.mail import addressing
from referee.matches.time.moments import DAY
from referee.render.answers import Answer, answer, answer_content
from referee.render.words.wording import Catalogue
from referee.store.people import players, questions

HARMLESS: Final = frozenset({"language", "format", "subjects", "mails", "digest", "composer"})
"""Settings by which nobody loses a turn, a mail or their name: an address alone may change them."""

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
    good = READERS[what](case.connection, case.player, value)
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
    reply.send_answer(told, said, claim)
    if case.unproved and told.player.language != case.player.language:
        # Whoever forged it may have chosen one that its owner cannot read.
        reply.send_answer(case, answer("set-back", value=case.player.language))


def show_settings(case: Case, claim: Claim | None, _: Command) -> None:
    """Answer with all settings of the player, as ``set`` takes them."""
    known = players.addresses_of(case.connection, case.player.id)
    address = players.address_for(case.connection, case.player.id) or ""
    shown = {**settings_of(case.player), "address": address}
    others = [row.address for row in known if row.address != address]
    commands = (Command("set", (what, value)) for what, value in shown.items() if value)
    lines = [letters_confirm.told_line(command, case.catalogue) for command in commands]
    reply.send_answer(case, answer("settings", lines=lines, others=others), claim)


def canonical_setting(case: Case, command: Command) -> Command:
    """Return a command with its value as it would be kept."""
    if command.word != "set":
        return command
    what, value = command.arguments
    if what == "address":
        good = addressing.valid_address(value)
    else:
        good = READERS[what](case.connection, case.player, value)
    return Command(command.word, (what, good or ""))


def answer_bad_value(case: Case, command: Command) -> Answer | None:
    """Return the answer to a value that cannot be set."""
    what, value = command.arguments
    if what == "address":
        valid = addressing.valid_address(value)
        if valid is None:
            return answer("set-wrong", what="address", value=value)
        known = players.find_address(case.connection, valid)
        owner = known.player_id if known and known.state != "unconfirmed" else None
        if owner not in {None, case.player.id} or valid == case.desk.settings.address:
            return answer("address-taken", address=valid)
        return None
    if what not in GONE and READERS[what](case.connection, case.player, value) is not None:
        return None
    return bad_value(what, value, case.catalogue)


def _change_address(case: Case, value: str) -> None:
    """Send the player's mail to an address of theirs from now on.

    A new address is asked first: anybody could name somebody else's.
    """
    valid = addressing.valid_address(value) or value
    known = players.find_address(case.connection, valid)
    if known is not None and known.state != "unconfirmed":
        players.set_preferred(case.connection, case.player.id, valid)
        reply.send_answer(case, answer("set-done", what="address", value=valid))
        return
    since = case.desk.now() - DAY
    asked = questions.questions_of(case.connection, case.player.id, "address", since)
    if len(asked) >= MOST_NEW_ADDRESSES:
        reply.send_answer(case, answer("address-later", address=valid))
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
        question = letters_confirm.keep_question(
            case.change, case.letter, "address", valid, asker.id
        )
        said = answer("confirm-address", who=asker.name, days=letters_confirm.LIFE.days)
        framing = letters_confirm.question_framing(question, language)
        content = answer_content(Catalogue(language), said, framing)
        send_question(case, question, Mail("answer", content))
    reply.send_answer(case, answer("address-asked", address=valid, days=letters_confirm.LIFE.days))


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
    reply.send_answer(case, answer("address-confirmed", address=confirmed))
    for address in others:
        tell_of_address(case.change, case.player, address, confirmed)
