"""The composer's page: with one turn in it, or for any turn that a link brings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from markupsafe import Markup

from referee.games.game import LANGUAGES, Document
from referee.render.composer.sheet import motif_symbols
from referee.render.composer.turn import PACKING
from referee.render.templates import inline_file, page_environment
from referee.render.words.wording import Catalogue

TURN_PAGE: Final = "turn.html"
"""The name of the page as an attachment."""

LONGEST_LINK: Final = 8000
"""Characters of a link with a turn; browsers and servers of mail are known to take as many."""

PAGE_WORDS: Final = (
    "again", "as_buttons", "begin", "board", "can_be", "choices", "chosen", "copied", "copy",
    "cut", "empty", "ends", "foreign", "go_on", "headline", "kinds", "late", "legend", "long",
    "mail", "may_add", "more", "newer", "not_all", "not_copied", "nothing", "old_browser",
    "open", "open_short", "orders", "preview", "preview_word", "remove", "risk", "secret",
    "sent_by", "title", "unlike", "unscripted", "version", "whole", "zoom", "zoom_out",
)  # fmt: skip
"""What the page says, each under ``composer`` in the catalogues; ``{}`` is filled by the page."""

_TURN: Final = "[[turn]]"
_TITLE: Final = "[[title]]"


@dataclass(frozen=True, slots=True)
class PageOffer:
    """The page as a mail offers it: behind a ``link``, or attached as a ``file``."""

    file: str = ""
    link: str = ""


def turn_page(turn: Document, packed: str, address: str) -> str:
    """Return the page of one turn, complete in itself; ``packed`` is the same turn.

    ``address`` is the referee's: the page writes to no other.
    """
    language = str(turn["language"])
    title = Catalogue(language).say("composer.title")
    title = title.format(turn["game"], turn["match"], turn["turn"])
    before, after = _page((language,), address).split(_TURN)
    head = before.replace(_TITLE, str(Markup.escape(title)))
    return f"{head}{packed}{after}"


def play_page(language: str, address: str) -> str:
    """Return the page for any turn: a link holds it behind ``#``, where no server sees it.

    ``language`` comes first where the turn cannot be read; it holds the words of all languages.
    ``address`` is the referee's: the page writes to no other.
    """
    others = (each for each in LANGUAGES if each != language)
    page = _page((language, *others), address).replace(_TURN, "")
    return page.replace(_TITLE, Catalogue(language).say("composer.page"))


def turn_link(page: str, packed: str) -> str | None:
    """Return the link to a page with a packed turn; None if it would be too long."""
    link = f"{page}#{packed}"
    return link if len(link) <= LONGEST_LINK else None


@cache
def _page(languages: Sequence[str], address: str) -> str:
    """Return the page without a turn; it is the same for all turns of a language."""
    style, script = inline_file("composer/style.css"), inline_file("composer/script.js")
    words = {each: _words(each) for each in languages}
    told = {"to": address, "v": PACKING, "languages": words}
    data = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    found = page_environment().get_template("composer/page.html.j2")
    return found.render(
        language=languages[0],
        title=_TITLE,
        style=style.text,
        script=script.text,
        style_hash=style.hash,
        script_hash=script.hash,
        motifs=Markup(motif_symbols()),  # noqa: S704 - drawn by us
        unscripted=[(each, words[each]["unscripted"]) for each in languages],
        packed=_TURN,
        # The only way out of a script element is "</script>", so no "<" may remain.
        words=Markup(data.replace("<", "\\u003c")),  # noqa: S704 - nothing in it ends the script
    )


def _words(language: str) -> dict[str, str]:
    catalogue = Catalogue(language)
    return {each: catalogue.say(f"composer.{each}") for each in PAGE_WORDS}
