"""The post: the one way a text becomes a mail in the outbox.

It adds the address, the thread, the reply code, the plus-address and the frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from referee.desk.desk import Change, Desk
from referee.games.game import Seat
from referee.games.play import canonical_json
from referee.mail import addressing
from referee.mail.composing import Attachment, Outgoing, compose
from referee.mail.incoming import bounces, marks
from referee.mail.incoming.letter import Letter
from referee.render.mails import Content, Framing
from referee.render.wording import Catalogue, Wording
from referee.store import notes
from referee.store.people import players
from referee.store.people.players import PlayerRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.post import outbox
from referee.store.states import OutboxKind

MOST_ALIKE: Final = 8
"""Mails about the same matter whose Message-IDs can be found again."""


@dataclass(frozen=True, slots=True)
class Binding:
    """The match, seat, turn and reply code a mail is bound to."""

    match: MatchRow
    seat: SeatRow
    turn: int
    code: str


@dataclass(frozen=True, slots=True)
class Extras:
    """The headers and attachments of a mail besides its text."""

    headers: Mapping[str, str] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()


def post(
    change: Change,
    player: PlayerRow,
    kind: OutboxKind,
    content: Content,
    *,
    binding: Binding | None = None,
    answers: Letter | None = None,
    extras: Extras | None = None,
) -> int | None:
    """Write a mail to a player into the outbox; return its id.

    None if the player has no address.
    """
    address = players.address_for(change.connection, player.id)
    if address is None:
        return None
    return post_to(
        change,
        address,
        kind,
        content,
        player=player,
        binding=binding,
        answers=answers,
        extras=extras,
    )


def post_to(
    change: Change,
    address: str,
    kind: OutboxKind,
    content: Content,
    *,
    player: PlayerRow | None = None,
    binding: Binding | None = None,
    answers: Letter | None = None,
    extras: Extras | None = None,
    replied: bool = False,
    code: str | None = None,
) -> int:
    """Write a mail to an address into the outbox; return its id.

    ``replied``: it answers a letter of which nothing is to be repeated, its Message-ID included.
    ``code``: an answer to a mail without a binding leads back to it.
    """
    code = binding.code if binding else code
    plussed = works(change)
    parent, references = _thread(binding, answers)
    mail = replace(
        _outgoing(change.desk, address, content, player, extras or Extras()),
        in_reply_to=parent,
        references=references,
        reply_to=reply_to(change.desk, code) if code and plussed else None,
        # So that no other program answers it (RFC 3834).
        submitted="auto-replied" if answers or replied else "auto-generated",
    )
    enqueue = partial(
        outbox.enqueue,
        change.connection,
        recipient=address,
        player_id=player.id if player else None,
        match_id=binding.match.id if binding else None,
        seat=binding.seat.seat if binding else None,
        kind=kind,
        turn=binding.turn if binding else None,
        code=code,
        envelope_from=change.desk.address,
        now=change.desk.now(),
        seq=binding.match.seq if binding and kind == "report" else None,
    )
    message_ids = _message_ids(change.desk, (address, kind), binding, answers)
    mail_id, message_id = _written(mail, message_ids, enqueue)
    # The first mail to a seat begins the thread that all later ones belong to.
    if binding is not None and binding.seat.thread_id is None:
        matches.set_thread(change.connection, binding.match.id, binding.seat.seat, message_id)
    if plussed:
        # Only now is the mail's number known, which its bounces are to name.
        keyed = bounces.bounce_address(change.desk.address, change.desk.key, mail_id)
        outbox.set_envelope(change.connection, mail_id, keyed)
    return mail_id


def _written(
    mail: Outgoing, message_ids: Iterable[str], enqueue: Callable[..., int | None]
) -> tuple[int, str]:
    """Write a mail under the first Message-ID that no other bears; return its id and that."""
    for each in message_ids:
        found = enqueue(message_id=each, raw=compose(replace(mail, message_id=each)))
        if found is not None:
            return found, each
    raise RuntimeError("no free Message-ID for a mail")


def _outgoing(
    desk: Desk,
    address: str,
    content: Content,
    player: PlayerRow | None,
    extras: Extras,
) -> Outgoing:
    """Return a mail in its player's formats, without a Message-ID and in no thread yet."""
    wants = player.format if player else "both"
    return Outgoing(
        sender=desk.address,
        sender_name=desk.name,
        recipient=address,
        subject=content.subject,
        text=None if wants == "html" else content.text,
        html=None if wants == "text" else content.html,
        message_id="",
        headers=extras.headers,
        attachments=extras.attachments,
        date=desk.now(),
    )


def _message_ids(
    desk: Desk,
    mail: tuple[str, str],
    binding: Binding | None,
    answers: Letter | None,
) -> Iterator[str]:
    """Yield Message-IDs for a mail, the same again after a restore but for the last.

    So an answer to the mail that was lost leads to the one written anew, and mail programs that
    have the first do not show the second.
    """
    bound = (binding.match.name, binding.seat.seat, binding.match.seq) if binding else ()
    answered = answers.message_id if answers else None
    # Of other mails nothing is given that it could follow from.
    for number in range(MOST_ALIKE if bound or answered is not None else 0):
        about = canonical_json([*mail, list(bound), answered, number])
        yield addressing.keyed_message_id(desk.domain, desk.key, about)
    yield addressing.new_message_id(desk.domain)


def _thread(binding: Binding | None, answers: Letter | None) -> tuple[str | None, tuple[str, ...]]:
    """Return In-Reply-To and References: the seat's thread, the letter answered."""
    root = binding.seat.thread_id if binding else None
    answered = answers.message_id if answers else None
    references = tuple(each for each in (root, answered) if each)
    return answered or root, references


def _read_trial(text: str) -> tuple[bool, str]:
    answer, _, address = text.partition(" ")
    return answer == "yes", address


TRIAL: Final = notes.Note(
    notes.Key.PLUS_ADDRESSING,
    _read_trial,
    lambda trial: f"{'yes' if trial[0] else 'no'} {trial[1]}",
)
"""Whether a letter to a plus-address arrived, and of which address of ours."""


def works(change: Change) -> bool:
    """Return whether plus-addresses are to be used."""
    if change.desk.plus_addressing is not None:
        return change.desk.plus_addressing
    return seen(change) is True


def seen(change: Change) -> bool | None:
    """Return whether a trial letter to a plus-address arrived; None if never tried."""
    arrives, address = TRIAL.read(change.connection) or (False, "")
    return arrives if address == change.desk.address else None


def note(change: Change, *, arrives: bool) -> None:
    """Remember whether a letter to a plus-address of ours arrived."""
    TRIAL.write(change.connection, (arrives, change.desk.address))


def reply_to(desk: Desk, code: str) -> str | None:
    """Return the address that carries a code; None if it would be too long."""
    return addressing.valid_address(addressing.plus_address(desk.address, code.lower()))


def framing(
    wording: Wording, match: str, turn: int, seat: Seat, code: str, *, box: bool = True
) -> Framing:
    """Return the frame of a seat's mail, with ``box`` its order box."""
    language = wording.language
    lines: tuple[str, ...] = ()
    if box:
        hint = Catalogue(language).say("box.hint")
        lines = marks.box_lines(match, turn, wording.seat(seat), code, language, hint)
    return Framing(match, marks.frame_open(match), marks.frame_close(match, language), lines)


def bare_framing(language: str) -> Framing:
    """Return the frame of a mail that belongs to no seat."""
    name = "referee"
    return Framing(name, marks.frame_open(name), marks.frame_close(name, language), ())
