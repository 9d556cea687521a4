"""Letters from unknown addresses: one fixed answer a day, and new players by a yes."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from referee.desk import players as desk_players
from referee.desk.desk import Change
from referee.desk.letters import confirm, sender, unclear
from referee.desk.letters.case import Case, LetterVerdict
from referee.desk.letters.claims import carried_codes
from referee.desk.letters.commands import join, settings
from referee.desk.letters.words import keywords
from referee.desk.letters.words.company import spoken_answer
from referee.desk.letters.words.keywords import KEYWORDS, Command
from referee.desk.letters.words.phrases import our_words, without_thanks
from referee.desk.letters.words.places import ReadLine
from referee.desk.mails import post
from referee.desk.mails.post import Mail
from referee.desk.matches import broken
from referee.desk.seats import vacancies
from referee.mail.incoming import marks
from referee.mail.incoming.letter import Letter
from referee.render import answers
from referee.render.summaries import stranger_answer
from referee.render.words.wording import Catalogue, Wording
from referee.resources import FALLBACK, languages, sentences
from referee.store import notes
from referee.store.people import players, questions
from referee.store.post import letters, strangers
from referee.store.tables.play import QuestionRow
from referee.store.tables.post import LetterRow
from referee.value import replace

_JOINING: Final = re.compile(
    rf"(?<=\w)[,.!]?\s+(?=(?:{'|'.join(our_words('join'))})\s)", re.IGNORECASE
)
"""What may part a yes from the joining behind it."""

MOST_LISTED: Final = 20
"""Open matches named to a stranger."""

MOST_A_DAY: Final = 200
"""Strangers answered in a day; writing under many names earns no more."""

_KEPT: Final = timedelta(days=30)
"""How long the headers of strangers' letters are kept."""


def answer_stranger(change: Change, letter: Letter, address: str) -> str:
    """Count a stranger's letter, answer it if due; return the reason to note.

    The answer introduces the referee; a yes to it makes them a player. A ``join`` is kept beside
    the question, and not repeated in the mail, for its words are a stranger's.
    """
    connection, now = change.connection, change.desk.now()
    strangers.note_stranger(connection, address, now)
    asked, spoken, command = _asks(letter)
    if not change.desk.settings.open or not asked:
        return "a stranger"
    today = strangers.strangers_on(connection, strangers.day_of(now))
    if sum(stranger.answered for stranger in today) >= MOST_A_DAY:
        return "a stranger"
    if not strangers.may_answer(connection, address, now):
        return "a stranger, answered today"
    catalogue = Catalogue(spoken or change.desk.settings.language)
    language = catalogue.language
    known = [row for row in vacancies.open_matches(connection) if broken.has_game(change.desk, row)]
    rows = known[:MOST_LISTED]
    shown = tuple(row.name for row in rows)
    commands = () if command is None else (command,)
    question = confirm.keep_question(
        change, letter, "player", address, None, commands, shown, language
    )
    matches: list[dict[str, object]] = []
    for row in rows:
        game = Wording(change.desk.find_game(row.game, row.edition), language).word("game", "name")
        n = vacancies.players_wanted(connection, row)
        matches.append({"match": row.name, "game": game, "n": n, "commitment": row.commitment})
    framing = confirm.question_framing(question, language)
    # Nothing of a stranger's letter is repeated, its Message-ID included.
    nameless = replace(letter, message_id=None)
    content = stranger_answer(catalogue, framing, matches)
    mail = Mail("answer", content, code=question.code, answers=nameless)
    post.send(change, mail, None, address)
    return "a stranger, told who answers here"


def is_forgetting_due(change: Change) -> bool:
    """Return whether a day's strangers are to be forgotten now."""
    day = strangers.day_of(change.desk.now() - _KEPT)
    # A clock that was ahead may have left a day of the future.
    return notes.STRANGERS_FORGOTTEN.read(change.connection) != day


def forget_strangers(change: Change) -> None:
    """Forget strangers' old letters, and that those strangers wrote.

    That a letter came is remembered, so that it is not handled again after a restore.
    """
    before = change.desk.now() - _KEPT
    letters.drop_strange(change.connection, before)
    strangers.drop_strangers_before(change.connection, strangers.day_of(before))
    notes.STRANGERS_FORGOTTEN.write(change.connection, strangers.day_of(before))


def _asks(letter: Letter) -> tuple[bool, str | None, Command | None]:
    """Return whether the first free line asks for help or to join.

    With it come the language it shows, if any, and its command if it reads as one. English shows
    none, for everybody may write it.
    """
    cuts = (marks.cut(block, letter.thread) for block in letter.blocks)
    lines = (line for cut in cuts for line in cut.free if line.strip())
    line = next(lines, "").strip()
    words = line.rstrip(".!").casefold().split()
    asked = KEYWORDS.get(words[0]) if words else None
    if asked != "join" and (asked != "help" or len(words) > 1):
        return False, None, None
    spoken = next(
        language
        for language in languages()
        if words[0] in sentences(language)["keyword"].get(asked, "").casefold().split()
    )
    language = None if spoken == FALLBACK else spoken
    return True, language, keywords.read_command(line) if asked == "join" else None


def take_answer(change: Change, row: LetterRow, letter: Letter) -> LetterVerdict:
    """Hear a letter from an unknown address, and return the verdict."""
    address = letter.sender or ""
    question = _question(change, row, letter, address)
    if question is None:
        return LetterVerdict("ignored", answer_stranger(change, letter, address))
    # Those a newcomer wrote, freely or into our box.
    commands: list[Command] = []
    for block in letter.blocks:
        cut = marks.cut(block, letter.thread)
        for lines in (cut.free, *(box.lines for box in cut.boxes)):
            parted: list[str] = []
            for line in lines:
                # “Yes, join go-1” is two.
                before, *behind = _JOINING.split(line, maxsplit=1)
                said = spoken_answer([ReadLine(before)]) if behind and before.strip() else None
                agrees = said is not None and said[1] == "agree"
                parted += [before, *behind] if agrees else [line]
            pieces, _ = keywords.read_commands(parted, without_thanks)
            commands += [piece for piece in pieces if isinstance(piece, Command)]
            spoken = spoken_answer([ReadLine(line) for line in lines if line.strip()])
            if spoken is not None and not commands:
                commands.append(Command(spoken[1]))
        if commands:
            break
    words = {command.word for command in commands}
    # A no gives nothing away, and so needs no proof.
    if "decline" in words:
        questions.settle_question(change.connection, question.id, "declined")
        return LetterVerdict("handled", "a question of ours declined")
    # A newcomer may also confirm by saying again that they join.
    yes = {"agree", "join"} if question.player_id is None else {"agree"}
    if words.isdisjoint(yes) or not sender.is_trusted(change.desk, letter, address):
        return LetterVerdict("ignored", answer_stranger(change, letter, address))
    questions.settle_question(change.connection, question.id, "granted")
    if question.player_id is not None:
        owner = players.get_player(change.connection, question.player_id)
        letters.change_letter(change.connection, row.id, sender=address, player_id=owner.id)
        case = Case(change, row, letter, owner)
        settings.confirm_new_address(case, address)
        case.reply.send(case)
        return LetterVerdict("handled", "an address confirmed")
    document = question.document
    player = desk_players.player_at(change, address, language=document.language)
    letters.change_letter(change.connection, row.id, sender=address, player_id=player.id)
    case = Case(change, row, letter, player)
    case.tell(answers.answer("welcome", name=player.name))
    unread = [command for command in commands if command.is_nearly("luck")]
    for command in unread[:1]:
        case.tell(unclear.correct_command(case, None, command))
    asked = [command for command in commands if command.word == "join"]
    # A join written with the yes goes before the one remembered from the first letter.
    more = [command for command in asked[:1] if command.arguments]
    if meant := [*more, *confirm.commands_of(question), *asked]:
        # The match may begin with this yes, before words that could not be read are sent again.
        shown = () if unread else document.shown
        join.join_match(case, meant[0], shown, keywords.luck_in(commands))
    case.reply.send(case)
    return LetterVerdict("handled", "a new player")


def _question(change: Change, row: LetterRow, letter: Letter, address: str) -> QuestionRow | None:
    """Return the question to its sender that a letter answers in time.

    A stranger's yes counts while strangers may join. Of a player's questions only that of a new
    address counts: others went to an address that was the player's then, and no longer is.
    """
    codes = (*carried_codes(change.connection, letter, change.desk.settings.address), *letter.boxed)
    for question in (questions.find_question(change.connection, code) for code in codes):
        # The code alone is not enough: the answer must come from where the question went.
        if question is None or question.address != address:
            continue
        if question.player_id is None:
            counts = change.desk.settings.open
        else:
            owner = players.find_player(change.connection, question.player_id)
            counts = question.kind == "address" and owner is not None and not owner.blocked
        if counts and confirm.still_waits(question, row.arrived):
            return question
    return None
