"""The notice: a few words about one seat, or about an address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.desk.desk import Change
from referee.desk.mails import calendar
from referee.desk.mails import post as mails_post
from referee.desk.mails.post import Binding, Extras, post, post_to
from referee.desk.matches import codes
from referee.games.game import Json, Scene
from referee.render.answers import Answer, answer
from referee.render.wording import Catalogue, Wording
from referee.store.people import players
from referee.store.people.players import PlayerRow
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.states import ANSWERABLE


@dataclass(frozen=True, slots=True)
class Notice:
    """The content of a notice: words of the catalogue, perhaps a board.

    ``box``: include an order box while the match takes orders. ``bound``: include the seat's reply
    code (not for former holders). ``acts``: the subject calls on the player if it is their turn.
    ``moved``: include the calendar entry as it is now.
    """

    key: str
    fields: Mapping[str, Json]
    scene: Scene | None = None
    box: bool = True
    bound: bool = True
    acts: bool = False
    moved: bool = False


def has_declined(row: MatchRow, seat: SeatRow) -> bool:
    """Return whether a seat's player declined, and so wants no mails."""
    return row.header is None and seat.agreed == "no"


def notify(
    change: Change,
    row: MatchRow,
    seat: SeatRow,
    player: PlayerRow,
    notice: Notice,
) -> int | None:
    """Write a notice into the outbox and return its id.

    None if the player has no address, or has declined a match that has not begun.
    """
    if has_declined(row, seat):
        return None
    wording = Wording(change.desk.find_game(row.game, row.edition), player.language)
    code = codes.code_of(change, row, seat)
    box = notice.box and notice.bound and row.state in ANSWERABLE
    value = Answer(
        notice.key,
        notice.fields,
        match=row.name,
        game_name=wording.word("game", "name"),
        seat=seat.seat,
        scene=notice.scene,
        framing=mails_post.framing(wording, row.name, row.turn, seat.seat, code, box=box),
        acts=notice.acts and row.state == "running" and row.to_act == seat.seat,
    )
    binding = Binding(row, seat, row.turn, code) if notice.bound else None
    said, extras = answer(wording, value), Extras()
    if notice.moved:
        entry = calendar.changed(change, row, seat, player, holds=notice.bound)
        extras = Extras(attachments=(entry,) if entry else ())
    return post(change, player, "notice", said, binding=binding, extras=extras)


def tell_of_address(change: Change, player: PlayerRow, to: str, new: str) -> None:
    """Tell a player's old address about a new one.

    It says whether their mail goes to the new one now, so that a theft of the account cannot pass
    unseen.
    """
    preferred = players.address_for(change.connection, player.id) == new
    fields: dict[str, Json] = {"address": new, "preferred": preferred}
    _tell(change, player, to, "address-added", fields)


def tell_of_removal(change: Change, player: PlayerRow, gone: str) -> None:
    """Tell a player, at the preferred address, that another was removed."""
    to = players.address_for(change.connection, player.id)
    if to is not None:
        _tell(change, player, to, "address-removed", {"address": gone})


def _tell(
    change: Change,
    player: PlayerRow,
    to: str,
    key: str,
    fields: dict[str, Json],
) -> None:
    said = Answer(key, fields, framing=mails_post.bare_framing(player.language))
    content = answer(Catalogue(player.language), said)
    post_to(change, to, "answer", content, player=player)
