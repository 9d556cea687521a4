"""The post: the one way a text becomes a mail in the outbox.

It adds the address, the thread, the reply code, the plus-address and the frame. A notice, a few
words about one seat, is written here too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from msgspec import field
from sqlalchemy import Connection

from referee.desk.desk import Change, Desk
from referee.desk.matches import codes, told
from referee.desk.matches.time import departure
from referee.desk.players import names_of
from referee.games.play import canonical_json
from referee.mail import addressing
from referee.mail.codes import codes_in
from referee.mail.composing import Attachment, Outgoing, compose, text_alone
from referee.mail.incoming import bounces, marks
from referee.mail.incoming.letter import Letter
from referee.render.answers import About, Answer, answer_content
from referee.render.content import Content, Framing
from referee.render.layout import columns_of, wrap
from referee.render.words.wording import Catalogue, Wording
from referee.store import notes
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import outbox
from referee.store.states import ANSWERABLE, OutboxKind
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, SeatRow
from referee.store.tables.post import OutboxRow
from referee.value import Value

_MOST_ALIKE: Final = 8
"""Mails about the same matter whose Message-IDs can be found again."""

_CLAUSE: Final = re.compile(r"(.*[^\s\d])[.:;] ")

LONGEST_SUBJECT: Final = 110
"""Characters of a sentence in a subject; lists of mails show fewer."""

BARE_FRAMING: Final = Framing("referee")
"""The frame of a mail that belongs to no seat."""


class Binding(Value):
    """The match, seat, turn and reply code a mail is bound to."""

    match: MatchRow
    seat: SeatRow
    turn: int
    code: str


class Answered(Value):
    """A letter that a mail answers, known by its Message-ID; and the ``earlier`` ones."""

    message_id: str | None
    earlier: tuple[str, ...] = ()


class Mail(Value):
    """A mail before it is addressed.

    ``binding`` is the seat it belongs to; without one ``code`` leads an answer back to a question.
    ``answers`` is the letter it answers. A report may go out in its place that tells its ``brief``.
    """

    kind: OutboxKind
    content: Content
    binding: Binding | None = None
    code: str | None = None
    answers: Letter | Answered | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()
    brief: str | None = None


def send(
    change: Change, mail: Mail, player: PlayerRow | None, address: str | None = None
) -> int | None:
    """Write a mail to an address, by default the one its player prefers; return its id, if any."""
    if address is None and player is not None:
        address = players.address_for(change.connection, player.id)
    return None if address is None else _write(change, [(mail, player, address)])[0]


def send_all(change: Change, written: Iterable[tuple[Mail, PlayerRow]]) -> list[tuple[Mail, int]]:
    """Write mails to all players with an address into the outbox; return them with their ids."""
    known = (
        (*mail_to, players.address_for(change.connection, mail_to[1].id)) for mail_to in written
    )
    addressed = [(mail, player, to) for mail, player, to in known if to is not None]
    ids = _write(change, addressed)
    return [(mail, mail_id) for (mail, _, _), mail_id in zip(addressed, ids, strict=True)]


def _write(
    change: Change, mails_to: Sequence[tuple[Mail, PlayerRow | None, str]], number: int = 0
) -> list[int]:
    """Write mails to addresses, under their Message-IDs of a number; return their ids."""
    rows = [_row(change, *addressed, number) for addressed in mails_to]
    numbers = outbox.enqueue_mails(change.connection, rows)
    ids = [numbers.pop(row.message_id, None) for row in rows]
    written = [*zip(mails_to, rows, ids, strict=True)]
    for (mail, _, _), row, mail_id in written:
        # The first mail to a seat begins the thread that all later ones belong to.
        if mail_id and mail.binding is not None and mail.binding.seat.thread_id is None:
            seat = mail.binding.seat
            matches.change_seat(
                change.connection, seat.match_id, seat.seat, thread_id=row.message_id
            )
    _set_envelopes(change, filter(None, ids))
    # A Message-ID that another mail bears is passed over.
    refused = [addressed for addressed, _, mail_id in written if mail_id is None]
    again = iter(_write(change, refused, number + 1) if refused else ())
    return [mail_id or next(again) for mail_id in ids]


def _set_envelopes(change: Change, mail_ids: Iterable[int]) -> None:
    """Give mails the senders by which their bounces name them, now that their numbers are known."""
    if uses_plus(change):
        settings = change.desk.settings
        bounce = partial(bounces.bounce_address, settings.address, settings.key)
        outbox.set_envelopes(change.connection, {number: bounce(number) for number in mail_ids})


def send_shorter(change: Change, row: OutboxRow) -> OutboxRow | None:
    """Write a mail anew as its text alone, and drop the first; None if it has nothing else."""
    player = players.get_player(change.connection, row.player_id) if row.player_id else None
    language = player.language if player else change.desk.settings.language
    remark = Catalogue(language).say("foot.shorter")
    columns = columns_of(player.format if player else "text")
    raw = text_alone(outbox.raw_mail(change.connection, row.id), wrap(remark, columns=columns))
    return None if raw is None else send_anew(change, row, row.recipient, raw)


def send_anew(change: Change, row: OutboxRow, address: str, raw: bytes | None = None) -> OutboxRow:
    """Write a mail anew, to another address or in other bytes, and drop the first.

    Return the new one. Raises KeyError if its bytes are gone.
    """
    settings = change.desk.settings
    message_id = addressing.new_message_id(settings.domain)
    raw = raw or outbox.raw_mail(change.connection, row.id)
    # The first places of both are the headers that tell them.
    for old, new in ((f"To: <{row.recipient}>", f"To: <{address}>"), (row.message_id, message_id)):
        raw = raw.replace(old.encode(), new.encode(), 1)
    same = {key: getattr(row, key) for key in ("kind", "player_id", "match_id", "seat", "turn")}
    mail = outbox.NewMail(
        recipient=address, message_id=message_id, envelope_from=settings.address, raw=raw,
        created=change.desk.now(), seq=row.seq, code=row.code, **same,
    )  # fmt: skip
    number = outbox.enqueue_mails(change.connection, [mail])[message_id]
    _set_envelopes(change, [number])
    outbox.mark_mail(change.connection, row.id, "superseded", now=change.desk.now())
    outbox.take_place(change.connection, row.id, number)
    if marks := told.BEFORE.read(change.connection, row.id):
        told.BEFORE.write(change.connection, marks, number)
        told.BEFORE.remove(change.connection, row.id)
    return outbox.get_mail(change.connection, number)


def _row(
    change: Change, mail: Mail, player: PlayerRow | None, address: str, number: int
) -> outbox.NewMail:
    """Return a mail as the outbox keeps it, composed in its thread and its player's formats."""
    binding, answers = mail.binding, mail.answers
    code = binding.code if binding else mail.code
    keyed = reply_to(change, code) if code else None
    content = mail.content.addressed(keyed or change.desk.settings.address)
    wants = player.format if player else "html"
    # The thread of the seat, and the letter answered.
    root = binding.seat.thread_id if binding else None
    answered = answers.message_id if answers else None
    earlier = answers.earlier if isinstance(answers, Answered) else ()
    pictures = [
        Attachment("board.png", "image/png", picture.png, picture.content_id)
        for picture in (content.pictures if wants == "html" else ())
    ]
    outgoing = Outgoing(
        sender=change.desk.settings.address,
        sender_name=change.desk.settings.name,
        recipient=address,
        subject=subject_of(mail, player),
        text=content.text_for("text" if wants == "html" else wants),
        html=content.html if wants == "html" else None,
        message_id=_message_id(change.desk, mail, address, number),
        in_reply_to=answered or root,
        references=tuple(filter(None, (root, *earlier, answered))),
        # So that no other program answers it (RFC 3834).
        submitted="auto-replied" if answers else "auto-generated",
        headers=mail.headers,
        attachments=(*pictures, *mail.attachments),
        date=change.desk.now(),
        reply_to=keyed,
    )
    # Answers to their own letters leave in a player's quiet hours, too.
    waits = player if answers is None else None
    return outbox.NewMail(
        recipient=address,
        player_id=player.id if player else None,
        match_id=binding.match.id if binding else None,
        seat=binding.seat.seat if binding else None,
        kind=mail.kind,
        turn=binding.turn if binding else None,
        code=code,
        message_id=outgoing.message_id,
        envelope_from=change.desk.settings.address,
        raw=compose(outgoing),
        created=change.desk.now(),
        arrived=change.arrived,
        seq=binding.match.seq if binding and mail.kind == "report" else None,
        next_at=departure.leaves_at(waits, mail.kind, change.desk.now()) if waits else None,
        brief=mail.brief,
    )


def subject_of(mail: Mail, player: PlayerRow | None) -> str:
    """Return the subject: the same throughout a match, or the first sentence of each mail."""
    content = mail.content
    if mail.binding is None or player is None or player.subjects == "plain":
        return content.subject
    told = content.telling_subject
    if len(told) <= LONGEST_SUBJECT:
        return told
    # A clause is a better subject than half a sentence.
    clause = _CLAUSE.match(told[:LONGEST_SUBJECT])
    return clause[1] if clause else f"{told[:LONGEST_SUBJECT].rpartition(' ')[0]} …"


def _message_id(desk: Desk, mail: Mail, address: str, number: int) -> str:
    """Return the Message-ID of a numbered mail.

    It is the same again after a restore. So an answer to the mail that was lost leads to the one
    written anew, and mail programs that have the first do not show the second.
    """
    # Not by the letter whose reply a report tells: read again, letters may leave none or others.
    answered = mail.answers.message_id if isinstance(mail.answers, Letter) else None
    binding = mail.binding
    # Nothing is given that it could follow from, or all that follow from it are taken.
    if (binding is None and answered is None) or number >= _MOST_ALIKE:
        return addressing.new_message_id(desk.settings.domain)
    bound: list[str] = []
    if binding is not None:
        # Its history, too: a mail of one that was lost is not answered by that of another.
        match = binding.match
        bound = [match.name, binding.seat.seat, match.head or match.commitment]
    about = canonical_json([address, mail.kind, bound, answered, number])
    return addressing.keyed_message_id(desk.settings.domain, desk.settings.key, about)


TRIAL: Final = notes.json_note(notes.NoteKey.PLUS_ADDRESSING, dict[str, str | bool])
"""The address of ours whose plus-address was tried last, and whether the letter arrived."""


def uses_plus(change: Change) -> bool:
    """Return whether plus-addresses are to be used."""
    if change.desk.settings.plus_addressing is not None:
        return change.desk.settings.plus_addressing
    trial = TRIAL.read(change.connection)
    return trial == {"address": change.desk.settings.address, "arrives": True}


def note_plus(change: Change, *, arrives: bool) -> None:
    """Remember whether a letter to a plus-address of ours arrived."""
    trial: dict[str, str | bool] = {"address": change.desk.settings.address, "arrives": arrives}
    TRIAL.write(change.connection, trial)


def reply_to(change: Change, code: str) -> str | None:
    """Return the address that carries a code, if any may; None if it would be too long."""
    if not uses_plus(change):
        return None
    address = change.desk.settings.address
    return addressing.valid_address(addressing.plus_address(address, code.lower()))


def seat_framing(wording: Wording, binding: Binding, *, box: bool = True) -> Framing:
    """Return the frame of a seat's mail; without ``box`` only its links hold the order box."""
    match, language = binding.match.name, wording.language
    lines: tuple[str, ...] = ()
    if binding.match.state in ANSWERABLE:
        # Nobody orders anything before the match has begun.
        asked = "asking.hint" if binding.match.state == "invited" else "box.hint"
        hint, seat = wording.catalogue.say(asked), wording.seat(binding.seat.seat)
        # Whoever is to act may order the same twice in a turn; the box tells the second apart.
        seq = binding.match.seq if binding.match.to_act == binding.seat.seat else None
        lines = marks.box_lines(match, binding.turn, seat, binding.code, language, hint, seq)
    return Framing(match, lines, boxed=box)


def bare_content(said: Answer, language: str) -> Content:
    """Return an answer as a mail that belongs to no seat."""
    return answer_content(Catalogue(language), said, BARE_FRAMING)


def gives_away(connection: Connection, text: str) -> bool:
    """Return whether a text to be passed on holds an order box or any reply code."""
    # A box alone, too: it would pass for one of ours.
    meant = (codes.seat_or_question(connection, code) for code in codes_in(text))
    return bool(marks.cut(text).boxes) or any(meant)


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
    an order box while the match takes orders. ``bound``: include the seat's reply code, in links
    too (not for former holders). ``acts``: ask the player for orders if it is their turn.
    """
    if has_declined(row, seat):
        return None
    wording = Wording(change.desk.find_game(row.game, row.edition), player.language)
    framing, binding = Framing(row.name), None
    if bound:
        binding = Binding(row, seat, row.turn, codes.code_of(change, row, seat))
        framing = seat_framing(wording, binding, box=box and row.state in ANSWERABLE)
    acts = acts and row.state == "running" and row.to_act == seat.seat
    names = names_of(change.connection, matches.seats(change.connection, row.id))
    about = About(row.name, seat.seat, "orders" if acts else "message", names=names)
    content = answer_content(wording, said, framing, about)
    return send(change, Mail("notice", content, binding), player)
