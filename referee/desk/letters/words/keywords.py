"""The keywords of every command, and how a line is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal

from referee.desk.matches.time.away import days_written
from referee.desk.names import EVERYBODY
from referee.desk.players import LANGUAGE_NAMES
from referee.games import registry
from referee.games.game import LANGUAGES, AnyGame, Seat
from referee.games.notation import MOST_TRIED, is_mistyped, is_terse, words_of
from referee.render.words.wording import Wording
from referee.resources import class_words, keywords, pattern_for, phrase_pattern, words_for
from referee.value import Value


class Command(Value):
    """One command: its word, its arguments, and a message's or queue's text."""

    word: str
    arguments: tuple[str, ...] = ()
    text: str = ""

    def is_nearly(self, word: str) -> bool:
        """Return whether it stands for a line that is nearly the command of a word."""
        return self.word == "unclear" and word in self.arguments


KEYWORDS: Final[Mapping[str, str]] = MappingProxyType(keywords("keyword"))
"""The command of each keyword, in every language."""

MEANT: Final[Mapping[str, str]] = MappingProxyType(keywords("meant"))
"""The command of each word that people use in place of its keyword."""

_DRAWING: Final = re.compile(phrase_pattern("draw"))
_TAKING_BACK: Final = re.compile(phrase_pattern("undo"))
_WINNING: Final = re.compile(rf"\b{phrase_pattern('winning')}\b")
_SPEAKING_OF_UNDO: Final = re.compile(rf"\b{phrase_pattern('takes_back')}\b")
_VOCATIVE: Final = re.compile(r",\s+([^\W\d_]{2,})(?=\s*\?$)")
"""A word behind a question that may name whom it is put to."""

_NO_NAME: Final = (
    words_for("no") | words_for("yes") | class_words("negation", "condition", "wish", "coming")
)

_CLAUSE_END: Final = re.compile(r"[,;.!?:]")

_QUESTION: Final = re.compile(r"[^.!?:]*\?")
_RESIGNING: Final = re.compile(rf"\b{phrase_pattern('resign')}(?=\s*(?:[.,;!]|$))", re.IGNORECASE)
_GIVING_UP: Final = re.compile(rf"{_RESIGNING.pattern}|\b{phrase_pattern('gives_up')}\b")

DRAW_SIGN: Final = "(=)"
"""The sign of an offered draw on a score sheet (FIDE Laws of Chess, appendix C.12)."""

_ENDS: Final = words_for("end")

SETTINGS: Final[Mapping[str, str]] = MappingProxyType(keywords("setting"))
"""The settings of a player, by every word for them."""

OF_SEVERAL_WORDS: Final = frozenset({"name", "digest", "reminders", "quiet", "grace", "talk"})
"""Settings whose value may have several words."""

MOST_WORDS: Final = 6
"""Words up to which a line that begins with a keyword is hardly talk."""

SHORTEST_MISSPELT: Final = 5
"""Letters of a keyword that is known by one wrong letter: “Not” is no “note”."""

_TO: Final = re.compile(rf"^{pattern_for('for')}\s+", re.IGNORECASE)

_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

_NUMBER: Final = re.compile(r"[\s#-][0-9]+\b")

MOST_COMMANDS: Final = 20
"""Commands of one letter that are carried out; each order in advance counts as one."""

COLONS: Final = (":", "：")

MOST_LUCK: Final = 200
"""Characters of a seat's words for chance, which the record holds for ever."""

MOST_NOTE: Final = 500
"""Characters of a note to oneself, which reports repeat."""

MOST_MESSAGE: Final = 4000
"""Characters of a message to others, about two pages. Each of them gets it by mail."""

TO: Final = words_for("to")

_HASH: Final = re.compile(r"\W*(sha-?256[:=]?[0-9a-f]*|[0-9a-f]{40,})\W*", re.IGNORECASE)
"""A SHA-256 in place of words for chance, without its blanks; digits may be missing."""

_WHOLE_HASH: Final = re.compile(r"[0-9a-f]{64}", re.IGNORECASE)

_SHORTEST_REST: Final = 6
"""Characters of a further line of a hash, at least: ``add`` and ``e7`` are none."""

_MOST_HASH_LINES: Final = 3
"""Lines over which a mail program spreads a hash of 64 digits."""

_NAME = re.compile(r"[^\s:]{1,40}")
_MATCH = re.compile(r"[a-z][a-z0-9]{0,40}-[0-9]{1,9}")


def read_commands(
    lines: Sequence[str], plain: Callable[[str], str] = str
) -> tuple[tuple[Command | str, ...], tuple[int, ...]]:
    """Return each line as command or text, and where each began.

    A message takes every line up to ``end`` (or the last line), as it was written, into one
    command. ``plain`` strips from all other lines whatever does not belong to a command.
    """
    found: list[Command | str] = []
    starts: list[int] = []
    index = 0
    while index < len(lines):
        first = plain(lines[index])
        taken = _lines_of_hash((first, *lines[index + 1 : index + _MOST_HASH_LINES]))
        command = read_command(first)
        if taken:
            command = Command("unclear", ("luck",), "\n".join(lines[index : index + taken]))
        starts.append(index)
        index += taken or 1
        if command is not None and command.word == "message" and not command.text:
            end = next((at for at in range(index, len(lines)) if is_end(lines[at])), len(lines))
            body = "\n".join(lines[index:end])[: TEXTS["message"]]
            command = Command("message", command.arguments, body)
            index = min(end + 1, len(lines))
        found.append(lines[starts[-1]] if command is None else command)
    return tuple(found), tuple(starts)


def read_command(line: str) -> Command | None:
    """Return the command a line holds; None if it holds none."""
    words = unicodedata.normalize("NFKC", line).split()
    first = words[0].casefold().rstrip(":.!") if words else ""
    word = KEYWORDS.get(first)
    # "Setze" is an order of some games, but none about a setting. More words are a sentence.
    if word is None and MEANT.get(first) == "set" and len(words) == 3:
        word = "set" if words[1].casefold() in SETTINGS else None
    # An offer may be put as a question, and to somebody: “How about a draw, Bob?”
    sentence = " ".join(words)
    named = _VOCATIVE.search(sentence)
    if named and named[1][0].isupper() and named[1].casefold() not in _NO_NAME:
        sentence = sentence[: named.start()]
    offer = sentence.casefold().rstrip(" ?!.")
    if KEYWORDS.get(offer) == "draw" or offer == DRAW_SIGN or _DRAWING.fullmatch(offer):
        return Command("draw")
    if _TAKING_BACK.fullmatch(offer):
        return Command("undo")
    if _RESIGNING.fullmatch(" ".join(words).rstrip(" !.")):
        return Command("resign")
    if word is None:
        return None
    if word in TEXTS:
        return _free_text(word, line.strip())
    # The end of a sentence is no part of its last word.
    words[-1] = words[-1].rstrip(".!")
    said = tuple(word for word in words[1:] if word)
    if word == "queue":
        return Command(word, (), " ".join(said))
    if not said:
        # Without a match ``watch`` is talk.
        return None if word == "watch" else Command("settings" if word == "set" else word)
    read = _GRAMMARS[word].read
    arguments = read(said) if read else None
    return None if arguments is None else Command(word, arguments)


def _lines_of_hash(lines: Sequence[str]) -> int:
    """Return over how many lines a program broke the hash behind ``luck``; 0 if it has words."""
    keyword, *_ = lines[0].split() or [""]
    if KEYWORDS.get(keyword.casefold()) != "luck":
        return 0
    broken = 0
    for taken in range(1, len(lines) + 1):
        _, *digits = " ".join(lines[:taken]).split()
        if _WHOLE_HASH.search("".join(lines[: taken - 1])) or (
            taken > 1 and len(lines[taken - 1].strip()) < _SHORTEST_REST
        ):
            break
        if _HASH.fullmatch("".join(digits)):
            broken = taken
    return broken


def luck_in(commands: Sequence[Command]) -> str | None:
    """Return the last words for chance among commands, if any."""
    return next((command.text for command in reversed(commands) if command.word == "luck"), None)


def opens_text(line: str) -> bool:
    """Return whether the lines after one are the text of a message."""
    command = read_command(line)
    return command is not None and command.word == "message" and not command.text


def is_end(line: str) -> bool:
    """Return whether a line closes a message or a queue."""
    return line.strip().rstrip(".!:").casefold() in _ENDS


def nearly_command(line: str) -> Command | None:
    """Return the command that a short line nearly holds, if any.

    It is the command ``unclear`` with the keyword meant and the line. Only keywords that rarely
    begin so short a line of prose count.
    """
    words = unicodedata.normalize("NFKC", line).split()
    word = KEYWORDS.get(words[0].casefold().rstrip(":")) if words else None
    if word is None or len(words) > MOST_WORDS or read_command(line) is not None:
        return None
    asked = _GRAMMARS[word].asked
    if asked == "never" or (asked == "numbered" and not _NUMBER.search(line)):
        return None
    # ``show`` begins too many sentences to be asked about by itself.
    if word == "show" and (len(words) < 2 or words[1].casefold() not in words_for("turn")):
        return None
    return None if re.search(r"[,!?]", line) else Command("unclear", (word,), line.strip())


def meant_command(text: str, game: AnyGame | None) -> str | None:
    """Return the command of the first word that people use in place of a keyword, if any.

    In talk of more than a few words it is one only in a question, or where they are away. A word
    that is all they say may be a keyword misspelt. What is put or changed is a setting only if one,
    or a language, is named beside it.
    """
    words = [word.rstrip(":.!?") for word in words_of(text)]
    asked = text if len(words) <= MOST_WORDS else " ".join(_QUESTION.findall(text))
    curt = {word.rstrip(":.!?") for word in words_of(asked)}
    # An offer that is taken back is none.
    meant = ["undo"] if _SPEAKING_OF_UNDO.search(text.casefold()) else []
    spoken = [word for word in words if word in MEANT]
    meant += [MEANT[word] for word in spoken if word in curt or MEANT[word] == "away"]
    asking = {"resign": _GIVING_UP, "draw": _DRAWING, "rules": _WINNING}
    meant += [word for word, sentence in asking.items() if sentence.search(text.casefold())]
    # “I am away 20.12. to 3.1.”
    if any(KEYWORDS.get(word) == "away" for word in words) and any(days_written(text)):
        meant.append("away")
    if len(words) == 1:
        known = [word for word in KEYWORDS if len(word) >= SHORTEST_MISSPELT]
        meant += [KEYWORDS[word] for word in known if is_mistyped(words[0], word)]
    fitting = {"draw": game is not None and game.draws}
    fitting["set"] = any(word in SETTINGS or word in LANGUAGE_NAMES for word in words)
    return next((word for word in meant if fitting.get(word, True)), None)


def takes_back_first(text: str) -> bool:
    """Return whether a line begins with taking back a turn: what else it names is no order now.

    “Undo please, I meant e4”, but not “e4, no takebacks”.
    """
    first = " ".join(words_of(_CLAUSE_END.split(text, maxsplit=1)[0])).strip(" .!?")
    asks = _SPEAKING_OF_UNDO.search(first) or KEYWORDS.get(first) == "undo"
    return bool(asks) and words_for("no").isdisjoint(words_of(first))


def nearly_message(text: str, game: AnyGame) -> Command | None:
    """Return the message that a short line without a colon should be.

    It begins like a message to a seat. The command names all its words as the addressee, so that
    the answer tells its writer who can be written to.
    """
    words = words_of(text)
    short = 2 < len(words) <= MOST_TRIED and is_terse(text) and ":" not in text
    if not short or KEYWORDS.get(words[0]) != "message":
        return None
    known = words[1] in EVERYBODY or words[1] in seats_by_word(game)
    return Command("message", (" ".join(words[1:]),)) if known else None


def seats_by_word(game: AnyGame) -> dict[str, Seat]:
    """Return the seats by their names in all languages, umlauts also written as two letters."""
    words = [Wording(game, language) for language in LANGUAGES]
    seats = {wording.seat(seat).casefold(): seat for wording in words for seat in game.colours}
    return {word.translate(_UMLAUTS): seat for word, seat in seats.items()} | seats


def _show(words: tuple[str, ...]) -> tuple[str, ...] | None:
    if len(words) == 2 and words[0].casefold() in words_for("turn") and words[1].isdecimal():
        return (_plain_number(words[1]),)
    return None


def _cancel(words: tuple[str, ...]) -> tuple[str, ...] | None:
    numbers = tuple(word.strip(",;").removeprefix("#") for word in words)
    if len(numbers) == 1 and numbers[0].casefold() in EVERYBODY:
        return ()
    good = all(number.isascii() and number.isdecimal() for number in numbers)
    return tuple(map(_plain_number, numbers)) if good else None


def _plain_number(digits: str) -> str:
    # Cut before int(), which refuses numbers of thousands of digits.
    return str(int(digits[:9]))


def _join(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the match or game to join, and the seat if named."""
    named = tuple(word.casefold() for word in words if word.casefold() not in words_for("as"))
    if not named or _MATCH.fullmatch(named[0]):
        return named if len(named) <= 2 else None
    for game, seat in ((_game(named), ()), (_game(named[:-1]), named[-1:])):
        if game:
            return *game, *seat
    return named if len(named) <= 2 and registry.NAME.fullmatch(named[0]) else None


def _match(words: tuple[str, ...]) -> tuple[str, ...] | None:
    name = " ".join(words).casefold()
    return (name,) if _MATCH.fullmatch(name) else None


def _game(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the game of a name, or of what it is called in a language of the mails."""
    named = " ".join(words).casefold().replace("’", "'")
    if named in registry.game_names():
        return (named,)
    called = (
        game.name
        for game in registry.installed_games().all()
        for language in LANGUAGES
        if Wording(game, language).word("game", "name").casefold() == named
    )
    return next(((name,) for name in called), None)


def setting_in(words: tuple[str, ...]) -> tuple[str, str] | None:
    """Return a setting and its value; None if the words are none."""
    what = SETTINGS.get(words[0].casefold()) if words else None
    values = words[1:]
    # Mail programs write an address twice, the second time as a link.
    if what == "address":
        values = tuple(re.split(r"[<\[(]?mailto:", " ".join(values))[0].split()) or values
    if what is None or not values or (len(values) > 1 and what not in OF_SEVERAL_WORDS):
        return None
    return what, " ".join(values)


def _days(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return days away as they were written, to be judged later; prose holds no dates."""
    if len(words) == 2 and KEYWORDS.get(words[0].casefold()) == "cancel":
        number = _cancel(words[1:])
        return ("cancel", *number) if number else None
    text = " ".join(words)
    days = [*days_written(text)]
    if not 1 <= len(days) <= 2:
        return None
    # "Away from 20 December" is how a robot's note begins; "bis zum" has a word more.
    before, behind = text[: days[0].start()], text[days[-1].end() :]
    joint = words_of(text[days[0].end() : days[-1].start()])
    if f"{before}{behind}".strip(" .,!"):
        return None
    if days[1:] and (not 1 <= len(joint) <= 2 or joint[0] not in TO):
        return None
    return days[0][0], "to", days[-1][0]


def _free_text(word: str, line: str) -> Command | None:
    """Return a command whose text is its writer's own, kept as written.

    With a colon right behind the keyword the line is talk: so company disclaimers begin.
    """
    keyword, _, said = line.partition(" ")
    said = said.strip()
    if keyword.endswith(COLONS) or said.startswith(COLONS):
        return None
    if word != "message":
        return Command(word, (), said[: TEXTS[word]]) if said else None
    to, colon, text = said.partition(":")
    to = _TO.sub("", to.strip()).casefold()
    if not _NAME.fullmatch(to):
        return None
    if text.strip():
        return Command("message", (to,), text.strip()[: TEXTS[word]])
    # Telephones put a full stop behind the last word.
    to = to.rstrip(".!,") or to
    return Command("message", (to,)) if colon or " " not in to else None


class _Grammar(Value):
    """How the rest of a command's line is read.

    ``read`` returns the arguments that words after the keyword are, None if the line is talk; a
    command without it stands alone. ``text`` is how many characters are kept of a text of its
    writer's. ``asked`` tells which short lines that cannot be read are answered with how to write
    the command: any, those that name a number or a match, or none.
    """

    read: Callable[[tuple[str, ...]], tuple[str, ...] | None] | None = None
    text: int = 0
    asked: Literal["always", "numbered", "never"] = "never"


_GRAMMARS: Final[Mapping[str, _Grammar]] = MappingProxyType(
    {
        "help": _Grammar(),
        "matches": _Grammar(),
        "settings": _Grammar(),
        "agree": _Grammar(),
        "decline": _Grammar(),
        "preview": _Grammar(asked="always"),
        "undo": _Grammar(asked="always"),
        "withdraw": _Grammar(asked="always"),
        "draw": _Grammar(),
        "rules": _Grammar(_game),
        "show": _Grammar(_show, asked="always"),
        "join": _Grammar(_join, asked="always"),
        "leave": _Grammar(_match, asked="numbered"),
        "resign": _Grammar(_match, asked="always"),
        "watch": _Grammar(_match, asked="numbered"),
        "stop": _Grammar(_match, asked="numbered"),
        "cancel": _Grammar(_cancel, asked="numbered"),
        "set": _Grammar(setting_in, asked="always"),
        "away": _Grammar(_days, asked="always"),
        "queue": _Grammar(),
        "luck": _Grammar(text=MOST_LUCK, asked="always"),
        "note": _Grammar(text=MOST_NOTE),
        # One too many, so that a message too long is known.
        "message": _Grammar(text=MOST_MESSAGE + 1),
    }
)
"""The grammar of every command."""

TEXTS: Final[Mapping[str, int]] = MappingProxyType(
    {word: grammar.text for word, grammar in _GRAMMARS.items() if grammar.text}
)
"""Commands with a text of their writer's, and its characters kept."""

BARE: Final = frozenset(
    word for word, grammar in _GRAMMARS.items() if not (grammar.read or grammar.text)
) - {"queue"}
"""Commands without arguments: with more words the line is talk."""
