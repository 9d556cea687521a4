"""The notice: a few words about one seat, or about an address."""

from __future__ import annotations

from referee.desk.desk import Change
from referee.desk.mails import post
from referee.desk.mails.post import Binding, Mail
from referee.desk.matches import codes
from referee.desk.players import names_of
from referee.render import mails
from referee.render.answers import Answer, answer
from referee.render.mails import About
from referee.render.words.wording import Wording
from referee.store.people import players
from referee.store.play import matches
from referee.store.states import ANSWERABLE
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, SeatRow


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
) -> int | None:
    """Write a notice into the outbox and return its id.

    None if the player has no address, or has declined a match that has not begun. ``box``: include
    an order box while the match takes orders. ``bound``: include the seat's reply code (not for
    former holders). ``acts``: ask the player for orders if it is their turn.
    """
    if has_declined(row, seat):
        return None
    wording = Wording(change.desk.find_game(row.game, row.edition), player.language)
    binding = Binding(row, seat, row.turn, codes.code_of(change, row, seat))
    framing = post.seat_framing(wording, binding, box=box and bound and row.state in ANSWERABLE)
    acts = acts and row.state == "running" and row.to_act == seat.seat
    names = names_of(change.connection, matches.seats(change.connection, row.id))
    about = About(row.name, seat.seat, "orders" if acts else "message", names=names)
    content = mails.answer_content(wording, said, framing, about)
    return post.send(change, Mail("notice", content, binding if bound else None), player)


def tell_of_address(change: Change, player: PlayerRow, to: str, new: str) -> None:
    """Tell a player's old address about a new one.

    It says whether their mail goes to the new one now, so that a theft of the account cannot pass
    unseen.
    """
    preferred = players.address_for(change.connection, player.id) == new
    said = answer("address-added", address=new, preferred=preferred)
    post.send(change, Mail("answer", post.bare_content(said, player.language)), player, to)


def tell_of_removal(change: Change, player: PlayerRow, gone: str) -> None:
    """Tell a player, at the preferred address, that another was removed."""
    said = answer("address-removed", address=gone)
    post.send(change, Mail("answer", post.bare_content(said, player.language)), player)
