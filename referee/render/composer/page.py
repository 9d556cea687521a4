"""The composer's page: with one turn in it, or for any turn that a link brings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Final

from markupsafe import Markup

from referee.games.game import LANGUAGES, Document
from referee.render.composer.sheet import motif_symbols
from referee.render.composer.turn import PACKING, pack_json
from referee.render.templates import inline_file, json_in_script, page_environment
from referee.render.words.wording import Catalogue
from referee.value import Value

TURN_PAGE: Final = "turn.html"
"""The name of the page as an attachment."""

LONGEST_LINK: Final = 8000
"""Characters of a link with a turn; browsers and servers of mail are known to take as many."""

PAGE_WORDS: Final = (
    "again", "as_buttons", "begin", "board", "can_be", "choices", "chosen", "copied", "copy",
    "cut", "empty", "ends", "foreign", "go_on", "headline", "kinds", "late", "legend", "long",
    "mail", "may_add", "more", "newer", "not_all", "not_copied", "nothing", "open",
    "open_short", "orders", "preview", "preview_word", "remove", "risk", "secret", "sent_by",
    "title", "unlike", "version", "whole", "zoom", "zoom_out",
)  # fmt: skip
"""What the page says, each under ``composer`` in the catalogues; ``{}`` is filled by the page."""

_TURN: Final = "[[turn]]"
_TITLE: Final = "[[title]]"


class PageOffer(Value):
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
    others = (other for other in LANGUAGES if other != language)
    page = _page((language, *others), address).replace(_TURN, "")
    return page.replace(_TITLE, Catalogue(language).say("composer.page"))


def turn_link(page: str, packed: str) -> str | None:
    """Return the link to a page with a packed turn; None if it would be too long."""
    link = f"{page}#{packed}"
    return link if len(link) <= LONGEST_LINK else None


@cache
def _page(languages: Sequence[str], address: str) -> str:
    """Return the page without a turn; it is the same for all turns of a language."""
    first, style = inline_file("composer/first.css"), inline_file("composer/style.css")
    unpack, script = inline_file("composer/unpack.js"), inline_file("composer/script.js")
    said = {language: Catalogue(language).say for language in languages}
    words = {
        language: {key: say(f"composer.{key}") for key in PAGE_WORDS}
        for language, say in said.items()
    }
    told = json.dumps({"to": address, "v": PACKING, "languages": words}, ensure_ascii=False)
    body = (
        page_environment()
        .get_template("composer/body.html.j2")
        .render(
            motifs=Markup(motif_symbols()),  # noqa: S704 - drawn by us
            words=json_in_script(told),
        )
    )
    return (
        page_environment()
        .get_template("composer/page.html.j2")
        .render(
            language=languages[0],
            title=_TITLE,
            first=first.text,
            first_hash=first.hash,
            style_hash=style.hash,
            unpack=unpack.text,
            unpack_hash=unpack.hash,
            script_hash=script.hash,
            unscripted=[(language, say("composer.unscripted")) for language, say in said.items()],
            old_browser=[(language, say("composer.old_browser")) for language, say in said.items()],
            turn=_TURN,
            packed=pack_json([body, style.text, script.text]),
        )
    )
