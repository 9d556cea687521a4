"""The notice: a few words about one seat, or about an address."""

from __future__ import annotations

from referee.desk.desk import Change
from referee.desk.mails import calendar
from referee.desk.mails import post as mails_post
from referee.desk.mails.post import Binding, Extras, post, post_to
from referee.desk.matches import codes
from referee.render import mails
from referee.render.answers import Answer, answer
from referee.render.mails import About
from referee.render.wording import Catalogue, Wording
from referee.store.people import players
from referee.store.people.players import PlayerRow
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.states import ANSWERABLE


def has_declined(row: MatchRow, seat: SeatRow) -> bool:
    """Return whether a seat's player declined, and so wants no mails."""
    return row.header is None and seat.agreed == "no"


def notify(
    change: Change,
    row: MatchRow,
    seat: SeatRow,
    player: PlayerRow,
    said: Answer,
    *,
    box: bool = True,
    bound: bool = True,
    acts: bool = False,
    moved: bool = False,
) -> int | None:
    """Write a notice into the outbox and return its id.

    None if the player has no address, or has declined a match that has not begun. ``box``: include
    an order box while the match takes orders. ``bound``: include the seat's reply code (not for
    former holders). ``acts``: ask the player for orders if it is their turn. ``moved``: include the
    calendar entry as it is now.
    """
    if has_declined(row, seat):
        return None
    wording = Wording(change.desk.find_game(row.game, row.edition), player.language)
    code = codes.code_of(change, row, seat)
    box = box and bound and row.state in ANSWERABLE
    framing = mails_post.framing(wording, row.name, row.turn, seat.seat, code, box=box)
    acts = acts and row.state == "running" and row.to_act == seat.seat
    about = About(row.name, seat.seat, "orders" if acts else "message")
    content = mails.answer(wording, said, framing, about)
    binding = Binding(row, seat, row.turn, code) if bound else None
    entry = calendar.changed(change, row, seat, player, holds=bound) if moved else None
    extras = Extras(attachments=(entry,) if entry else ())
    return post(change, player, "notice", content, binding=binding, extras=extras)


def tell_of_address(change: Change, player: PlayerRow, to: str, new: str) -> None:
    """Tell a player's old address about a new one.

    It says whether their mail goes to the new one now, so that a theft of the account cannot pass
    unseen.
    """
    preferred = players.address_for(change.connection, player.id) == new
    _tell(change, player, to, answer("address-added", address=new, preferred=preferred))


def tell_of_removal(change: Change, player: PlayerRow, gone: str) -> None:
    """Tell a player, at the preferred address, that another was removed."""
    to = players.address_for(change.connection, player.id)
    if to is not None:
        _tell(change, player, to, answer("address-removed", address=gone))


def _tell(change: Change, player: PlayerRow, to: str, said: Answer) -> None:
    framing = mails_post.bare_framing(player.language)
    content = mails.answer(Catalogue(player.language), said, framing)
    post_to(change, to, "answer", content, player=player)
