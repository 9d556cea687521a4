"""The turn file of a mail, and the composer's page: attached, or linked if there is a place."""

from __future__ import annotations

import json
from typing import Final

from referee.desk.desk import Change
from referee.desk.mails import post
from referee.desk.mails.post import Binding
from referee.desk.matches.ledger import LoadedMatch
from referee.mail.composing import Attachment
from referee.mail.incoming import marks
from referee.matches import turnfile
from referee.render.composer import (
    TURN_PAGE,
    ComposedTurn,
    PageOffer,
    pack_json,
    turn_document,
    turn_link,
    turn_page,
)
from referee.render.content import Content
from referee.render.drawings.changes import NOTHING
from referee.render.reports import Report, changes_told
from referee.render.words.wording import Wording
from referee.store.tables.people import PlayerRow
from referee.value import Value, replace

MOST_OFFERED: Final = 5000
"""Legal orders a page offers; it says how many there are.

No board of ours has so many, so no piece is left out. A thousand take seven kilobytes of the mail.
"""

TEXT_ALONE: Final = frozenset({"text", "phone", "spoken"})
"""Formats without a part in HTML, which a link of thousands of characters could hide in."""


class TurnFiles(Value):
    """The files of a turn that go with its mail, and the words that offer the page among them."""

    offer: PageOffer | None = None
    attached: tuple[Attachment, ...] = ()

    def offered_in(self, content: Content) -> Content:
        """Return the content of a mail that offers the page."""
        return replace(content, fields={**content.fields, "page": self.offer})


def turn_files(
    change: Change,
    loaded: LoadedMatch,
    binding: Binding,
    player: PlayerRow,
    subject: str,
    *,
    report: Report | None = None,
    beside: bool = False,
) -> TurnFiles:
    """Return the turn file of a seat's mail, and the page if there is anything to compose.

    ``subject`` is that of the mail, and ``report`` the one in it, if it is none but a reply;
    ``beside``: there are files of other matches in it.
    """
    before = f"{binding.match.name}." if beside else ""
    desk, live, seat, code = change.desk, loaded.live, binding.seat.seat, binding.code
    content = turnfile.turn_file(live, seat, code=code, due=loaded.row.due)
    # A person can read it, too, with one name on each line.
    encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
    lines = ",\n".join(f' "{key}": {encode(content[key])}' for key in sorted(content))
    written = f"{{\n{lines}\n}}".encode()
    turn_file = Attachment(f"{before}turn.json", "application/json", written)
    if player.no_composer or live.turn.seat != seat:
        return TurnFiles(attached=(turn_file,))
    wording = Wording(loaded.game, player.language)
    label, name = wording.seat(seat), binding.match.name
    orders = loaded.game.orders(live.position)
    keyed = post.reply_to(change, code)
    view = live.view(seat)
    turn = ComposedTurn(
        match=name,
        seat=seat,
        turn=binding.turn,
        at=live.seq,
        due=binding.match.due,
        zone=player.zone,
        to=keyed or desk.settings.address,
        subject=subject,
        box=marks.box_lines(name, binding.turn, label, code, wording.language, "", live.seq),
        scene=live.scene(seat),
        open_scene=live.scene(None),
        orders=orders[:MOST_OFFERED],
        clicks=[loaded.game.clicks(view, order) for order in orders[:MOST_OFFERED]],
        count=len(orders),
        changes=changes_told(report, wording) if report else NOTHING,
    )
    document = turn_document(turn, wording)
    packed = pack_json(document)
    # Text alone would show nothing but the link, over a hundred lines.
    if desk.settings.composer is not None and player.format not in TEXT_ALONE:
        link = turn_link(desk.settings.composer, packed)
        if link is not None:
            return TurnFiles(PageOffer(link=link), (turn_file,))
    file, page = f"{before}{TURN_PAGE}", turn_page(document, packed, desk.settings.address)
    attached = Attachment(file, 'text/html; charset="utf-8"', page.encode())
    return TurnFiles(PageOffer(file=file), (turn_file, attached))


def beside_others(content: Content, match: str) -> Content:
    """Return content that names its page as attached beside other matches'."""
    parts = tuple((lines, beside_others(part, match)) for lines, part in content.parts)
    page, fields = content.fields.get("page"), content.fields
    if isinstance(page, PageOffer) and page.file:
        fields = {**fields, "page": replace(page, file=file_of(match, page.file))}
    return replace(content, fields=fields, parts=parts)


def file_of(match: str, file: str) -> str:
    """Return the name of a match's file attached beside those of others."""
    return f"{match}.{file}"
