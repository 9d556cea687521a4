"""Names of players: free, reserved or look-alike.

Mails call seats, the referee and the organiser by fixed words. A player by such a name, or by one
that looks like another player's, could speak for them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import combinations
from typing import Final

from sqlalchemy import Connection

from referee.bots import BOTS
from referee.games import registry
from referee.games.game import LANGUAGES, Unreadable
from referee.matches.standing_orders import read_line
from referee.render.common import NAME_LENGTH
from referee.render.words.wording import Catalogue
from referee.resources import game_words, keywords, phrase_pattern, words_for
from referee.store.people import players

ACTORS: Final = words_for("actor")
"""Words that say who speaks, in any language; no player's name has one as a word of its own."""

EVERYBODY: Final = words_for("all")
"""Words for all players of a match, in any language."""

_PART: Final = re.compile(r"[^\W_]+")

_STOP: Final = re.compile(r"(?<!\b\w)[.!]\s|\s*[(:]")
"""The end of a sentence, but of no initial; or of the word that our lists write before a name."""

_LISTED: Final = frozenset(
    {"bot", "open", "declined", "notanswered", *(f"bot{bot}" for bot in BOTS)}
)
"""What lists for organisers have in place of a name, or before one."""

_NUMBER: Final = re.compile(r"\d+$")

_ARTICLES: Final = words_for("article")

# The letters in Unicode's list of confusables (UTS 39) that look like Latin ones in the fonts of
# mail programs. Packages with the whole list hold mostly characters that names of persons are never
# written with, and are out of date.
_LOOKS: Final = str.maketrans(
    {
        **dict(zip("аАВсСԁеЕғԌһНіІјЈкКӏӀмМոоОрРԛѕЅтТսѵѴԝԜхХуУүҮзЗ",
                   "aABcCdeEfGhHiIjJkKIImMnoOpPqsStTuvVwWxXyYyY33", strict=True)),
        **dict(zip("αΑΒεΕΖιΗΙκΚΜνΝοΟρΡσΤτυΥχΧγωѡ",
                   "aABeEZiHIkKMvNoOpPoTtuYxXyww", strict=True)),
        **dict(zip("ɑɡıɩʀɢʜʟɴᴏᴘѕᴠᴡᴢƖ|10ꓲꓡꓮꓐꓳꓑ", "agiiRGHLNopsvwzIIIoILABOP", strict=True)),
    }
)  # fmt: skip

_SAID: Final = re.compile(
    rf"\b(?:{'|'.join(map(phrase_pattern, ('undo', 'draw', 'resign')))})\b", re.IGNORECASE
)


def is_taken(connection: Connection, name: str, mine: int | None = None) -> bool:
    """Return whether a player other than ``mine`` has this name or a look-alike."""
    wanted = _forms(name)
    names = players.player_names(connection)
    names.pop(mine, None)
    return any(wanted & _forms(other) for other in names.values())


def is_reserved(name: str) -> bool:
    """Return whether a name looks like a word our mails use already.

    Those are the organiser, the referee, bots, chance, everybody and the person spoken to,
    commands, the seats of any game and the names of its matches. Nor does a name begin with an
    order as a sentence, or say what takes back, offers a draw or resigns: a line of ours with it
    would do that if it came back.
    """
    if _SAID.search(name) or _is_ours(name):
        return True
    head = _STOP.split(name, maxsplit=1)[0]
    if head == name:
        return False
    if _is_ours(head):
        return True
    for game in registry.installed_games().all():
        for language in LANGUAGES:
            with suppress(Unreadable):
                read_line(game, head, language)
                return True
    return False


def _is_ours(name: str) -> bool:
    """Return whether a name looks like one of our words."""
    parts = _PART.findall(unicodedata.normalize("NFKC", name))
    # Whoever parts a word by a blank or a dash is still read as if it stood there.
    stretches = ("".join(parts[i:j]) for i, j in combinations(range(len(parts) + 1), 2))
    return any(_is_one_of(ACTORS, stretch) for stretch in stretches) or _is_one_of(
        _own_words(), _bare(parts)
    )


def _is_one_of(words: frozenset[str], said: str) -> bool:
    # A number makes no other word: "nord-1" is a match, and "Red 2" would be read as Red.
    return bool((_forms(said) | _forms(_NUMBER.sub("", said))) & _all_forms(words))


def _bare(words: Sequence[str]) -> str:
    """Return words as one, without the article they begin with."""
    first = 1 if len(words) > 1 and words[0].casefold() in _ARTICLES else 0
    return "".join(words[first:])


def free_name(connection: Connection, wanted: str) -> str:
    """Return the name wanted, with a number if it is taken."""
    # Addresses such as referee@example.org would make such names.
    name = "player" if not wanted or is_reserved(wanted) else wanted
    others = players.player_names(connection).values()
    taken = frozenset().union(*map(_forms, others))
    number, free = 1, name
    while not taken.isdisjoint(_forms(free)):
        number += 1
        free = f"{name[: NAME_LENGTH - len(str(number)) - 1].rstrip()} {number}"
    return free


@lru_cache(100_000)  # for each new name those of all players are looked at
def _forms(name: str) -> frozenset[str]:
    """Return the forms a name is compared by: as read and as seen (UAX 15, UTS 39).

    Two names are alike if they share any form. Blanks make no difference.
    """
    plain = unicodedata.normalize("NFKC", name)
    shown = "".join(sign for sign in plain if unicodedata.category(sign) not in {"Cf", "Cc"})
    read = unicodedata.normalize("NFKC", shown.casefold())
    latin = shown.translate(_LOOKS)
    # A capital I and a small l look the same in most fonts.
    looks = [text.casefold() for text in (latin, latin.replace("I", "l"))]
    alike = [text.replace("rn", "m").replace("vv", "w") for text in looks]
    return frozenset("".join(form.split()) for form in (read, *alike))


@cache
def _all_forms(words: frozenset[str]) -> frozenset[str]:
    return frozenset(form for word in words for form in _forms(word))


@cache
def _own_words() -> frozenset[str]:
    """Return our mails' words for anyone but players, and for what they write, in all languages."""
    ours = {*EVERYBODY, *_LISTED, *words_for("ours"), *words_for("turn"), *keywords("keyword")}
    for language in LANGUAGES:
        catalogue = Catalogue(language)
        ours |= {_bare(catalogue.say(key).split()) for key in ("by.nobody", "seat.chance")}
    for game in registry.installed_games().all():
        ours |= {game.name, *game.colours}
        for language in LANGUAGES:
            with suppress(Exception):  # the words of a foreign package may be broken in any way
                words = game_words(game, language)
                ours |= {words["game"]["name"], *words["seat"].values()}
    return frozenset(filter(None, ours))
