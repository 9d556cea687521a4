"""Attempts: lines that look like a mistyped order or command."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache, lru_cache
from typing import Final

from referee.desk.letters.words.keywords import KEYWORDS, MOST_WORDS, Command, read_command
from referee.desk.names import EVERYBODY
from referee.games import registry
from referee.games.game import LANGUAGES, AnyGame, Seat
from referee.games.notation import JOINTS, OUR_DOTS, is_mistyped, words_of
from referee.mail.incoming.threads import holds_address, holds_date
from referee.render.words.wording import Wording

MOST_TRIED: Final = 4
"""Words of a line that begins with an order's keyword and is hardly talk."""

MOST_NAMED: Final = 3
"""Words of a line from which on it names more than the addressee of a message."""

MOST_BESIDE: Final = 1
"""Words beside its spaces in a line whose keyword is mistyped. With more it is hardly an order."""

SPACE: Final = re.compile(r"\b[A-Za-z]\d{1,2}\b")
"""A space of a board, as orders name it."""

_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

_PROSE: Final = re.compile(r"[,!?;]|\.\s")


def is_terse(text: str) -> bool:
    """Return whether a line is short and unpunctuated, as orders are."""
    plain = text.strip().rstrip(".!")
    return len(plain.split()) <= MOST_WORDS and not _PROSE.search(plain)


def is_attempt(text: str, game: AnyGame) -> bool:
    """Return whether an unreadable line was meant as an order.

    It is short and begins with the keyword of an order: of this game, or of another one with
    something behind it. Our own lines, which begin with a dot, never are.
    """
    words = _words(text)
    if not words or len(words) > MOST_TRIED or not is_terse(text):
        return False
    return words[0] in keywords_of(game) or (len(words) > 1 and words[0] in order_keywords())


def is_slip(text: str, game: AnyGame) -> bool:
    """Return whether an unreadable line is an order with a mistyped keyword.

    Behind that stand spaces of a board, and at most one word more.
    """
    words = _words(text)
    if not words or "?" in text:
        return False
    rest = [each.rstrip(":.!") for each in words[1:] if each not in JOINTS]
    others = [each for each in rest if not SPACE.fullmatch(each)]
    return (
        len(others) <= MOST_BESIDE
        and len(others) < len(rest)
        and any(is_mistyped(words[0], each) for each in keywords_of(game))
    )


@lru_cache(maxsize=4096)
def is_said(text: str) -> bool:
    """Return whether a line is a command or begins as an order.

    Lines of mail programs do neither, with one exception: ``Message`` begins attributions with a
    date or address (``Message du``) and bare titles (``Message original``). Unless it names a known
    addressee, such a line is theirs.
    """
    dated = holds_address(text) or holds_date(text)
    command = read_command(text)
    if command is not None and command.word == "message":
        directed = command.arguments[0] in EVERYBODY | _all_seat_words()
        return directed or (not dated and (bool(command.text) or ":" in text))
    words = _words(text)
    return command is not None or (bool(words) and words[0] in order_keywords() and not dated)


def nearly_message(text: str, game: AnyGame) -> Command | None:
    """Return the message a short line without a colon should be.

    It begins like a message to a seat. The command names all its words as the addressee, so that
    the answer tells its writer who can be written to.
    """
    words = _words(text)
    if len(words) < MOST_NAMED or len(words) > MOST_TRIED or not is_terse(text) or ":" in text:
        return None
    if (
        KEYWORDS.get(words[0]) != "message"
        or words[1] not in EVERYBODY | seats_by_word(game).keys()
    ):
        return None
    return Command("message", (" ".join(words[1:]),))


@cache
def _all_seat_words() -> frozenset[str]:
    found: set[str] = set()
    for game in registry.installed_games().all():
        with suppress(Exception):  # the words of a foreign package may be broken in any way
            found |= seats_by_word(game).keys()
    return frozenset(found)


def seats_by_word(game: AnyGame) -> dict[str, Seat]:
    """Return the seats by their names in all languages.

    Umlauts may be written as two letters.
    """
    words = [Wording(game, language) for language in LANGUAGES]
    found = {each.seat(seat).casefold(): seat for each in words for seat in game.colours}
    return {word.translate(_UMLAUTS): seat for word, seat in found.items()} | found


def hint_of(text: str) -> str | None:
    """Return the keyword that a line of talk begins with, if any."""
    words = _words(text)
    word = words[0] if words else ""
    return word if word in KEYWORDS or word in order_keywords() else None


@cache
def order_keywords() -> frozenset[str]:
    """Return the keywords of orders, of all installed games in all languages."""
    found: set[str] = set()
    for game in registry.installed_games().all():
        with suppress(Exception):  # the words of a foreign package may be broken in any way
            found |= keywords_of(game)
    return frozenset(found)


def _words(text: str) -> list[str]:
    words = words_of(text)
    if not words or words[0].startswith(OUR_DOTS):
        return []
    return [words[0].rstrip(":.!"), *words[1:]]


_KEYWORDS: Final[dict[tuple[str, int], frozenset[str]]] = {}


def keywords_of(game: AnyGame) -> frozenset[str]:
    """Return the keywords of a game's orders, in all languages."""
    known = _KEYWORDS.get((game.name, game.edition))
    if known is None:
        words = [Wording(game, language) for language in LANGUAGES]
        lines = [line for each in words for line, _ in each.help_orders() + each.help_policies()]
        known = frozenset(line.split()[0].casefold() for line in lines)
        _KEYWORDS[game.name, game.edition] = known
    return known
