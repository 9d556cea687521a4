"""What players sent, what the logs hold and what players received, compared when all is at rest."""

from __future__ import annotations

import email.policy
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from functools import cached_property

from imapclient import IMAPClient
from support.correspondents import Sent
from support.installation import Installation
from support.matches import walked
from support.smtpd import Delivered

from referee.desk.archive.record import record_bytes
from referee.desk.matches.ledger import terms_of
from referee.games import registry
from referee.matches import record
from referee.matches.events import Event
from referee.store.database.packing import without_files
from referee.store.play import matches as play_matches
from referee.store.play import submissions
from referee.store.post import letters as post_letters
from referee.store.post import outbox
from referee.store.store import open_store
from referee.store.tables.play import MatchRow
from referee.store.tables.post import LetterRow, OutboxRow, SubmissionRow

ALL = 1_000_000
_WORD = re.compile(r"word \d+ of \w+")
FOLDERS = ("INBOX", "Handled", "Ignored", "Quarantine")
PLACE = {
    "handled": "Handled",
    "repeat": "Handled",
    "ignored": "Ignored",
    "quarantined": "Quarantine",
}


@dataclass
class Books:
    """Everything there is to compare; ``several`` daemons may have been at work at once.

    ``late``: letters may have been read in another order than they came.
    """

    installation: Installation
    sent: Sequence[Sent]
    several: bool = False
    late: bool = False
    letters: tuple[LetterRow, ...] = ()
    kept: dict[int, bytes] = field(default_factory=dict)
    submissions: dict[int, tuple[SubmissionRow, ...]] = field(default_factory=dict)
    mails: dict[int, OutboxRow] = field(default_factory=dict)
    raws: dict[int, bytes] = field(default_factory=dict)
    matches: tuple[MatchRow, ...] = ()
    events: dict[int, list[Event]] = field(default_factory=dict)
    seats: dict[int, dict[str, str]] = field(default_factory=dict)
    delivered: list[Delivered] = field(default_factory=list)
    filed: dict[str, Counter[str]] = field(default_factory=dict)

    @cached_property
    def of_message(self) -> dict[str, list[LetterRow]]:
        """The kept copies of each letter, by Message-ID: the one that was heard, then the rest.

        Which one that is the server decides, which may give the first that arrived last.
        """
        found: dict[str, list[LetterRow]] = defaultdict(list)
        for row in sorted(self.letters, key=lambda row: (row.state == "repeat", row.id)):
            found[row.message_id or str(_parsed(self.kept[row.id])["Message-ID"])].append(row)
        return found


def opened(
    installation: Installation,
    sent: Sequence[Sent],
    recipients: Sequence[str],
    *,
    several: bool = False,
    late: bool = False,
) -> Books:
    """Read database, mailbox and SMTP server."""
    books = Books(installation, sent, several, late)
    with open_store(installation.settings.database) as store, store.reading() as connection:
        books.letters = post_letters.latest_letters(connection, limit=ALL)
        for letter in books.letters:
            books.kept[letter.id] = post_letters.raw_letter(connection, letter.id)
            books.submissions[letter.id] = submissions.submissions_of(connection, letter.id)
        for mail in outbox.latest_mails(connection, limit=ALL):
            books.mails[mail.id] = mail
            books.raws[mail.id] = outbox.raw_mail(connection, mail.id)
        books.matches = play_matches.select_matches(connection)
        for match in books.matches:
            books.events[match.id] = [
                Event.from_document(json.loads(each.body))
                for each in play_matches.events(connection, match.id)
            ]
            seats = play_matches.seats(connection, match.id)
            books.seats[match.id] = {each.seat: each.holder for each in seats}
    books.delivered = [each for each in installation.smtp.delivered if each.recipient in recipients]
    books.filed = _folders(installation)
    return books


def _folders(installation: Installation) -> dict[str, Counter[str]]:
    """Return how often each Message-ID lies in each folder."""
    server, found = installation.settings.imap, dict[str, Counter[str]]()
    with IMAPClient(server.host, server.port, ssl=False, timeout=60) as client:
        client.login(server.user, server.password)
        for folder in FOLDERS:
            client.select_folder(folder, readonly=True)
            uids = client.search(["ALL"])
            part = b"BODY[HEADER.FIELDS (MESSAGE-ID)]"
            found[folder] = Counter()
            # A command of many thousand numbers is longer than Dovecot takes.
            for some in (uids[n : n + 500] for n in range(0, len(uids), 500)):
                got = client.fetch(some, [b"BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)]"])
                ids = (_parsed(each[part])["Message-ID"] for each in got.values())
                found[folder].update(str(each) for each in ids)
    return found


def faults(books: Books) -> list[str]:
    """Return everything that is not as it must be."""
    checks = (
        _letters, _orders, _log, _answers, _messages,
        _chains, _outbox, _sequence, _reports, _records,
    )  # fmt: skip
    return [f"{check.__name__}: {fault}" for check in checks for fault in check(books)]


def _letters(books: Books) -> Iterator[str]:
    """Every copy of every letter is kept, handled, and lies in the one folder it belongs into."""
    kept = books.of_message
    for sent in books.sent:
        rows = kept.get(sent.message_id, [])
        if len(rows) != sent.copies:
            yield f"letter {sent.number} came {sent.copies} times and is kept {len(rows)} times"
        places = Counter(PLACE.get(row.state, row.state) for row in rows)
        lies = Counter(
            {f: books.filed[f][sent.message_id] for f in FOLDERS if books.filed[f][sent.message_id]}
        )
        # A server that two sessions ask at once to move a letter may bring it there twice.
        if set(places) != set(lies) or places - lies:
            yield f"letter {sent.number} belongs into {dict(places)} and lies in {dict(lies)}"
        if not all(row.filed for row in rows):
            yield f"letter {sent.number} is not filed"
        first = rows[0].state if rows else "lost"
        if first != _expected(sent) and not (rows and rows[0].kills >= 10):
            yield f"letter {sent.number} ({sent.kind}) is {first}: {rows and rows[0].reason}"
        if any(row.state != "repeat" for row in rows[1:]) and sent.kind != "poison":
            yield f"letter {sent.number}: ({sent.kind}): a copy is no repeat"


def _expected(sent: Sent) -> str:
    if sent.kind in {"stranger", "robot"}:
        return "ignored"
    return "quarantined" if sent.kind == "poison" else "handled"


def _orders(books: Books) -> Iterator[str]:
    """Every letter with orders has one submission per match; accepted, it is in the log once."""
    names = {row.id: row for row in books.matches}
    for sent in books.sent:
        if sent.kind not in {"orders", "illegal", "same"}:
            continue
        rows = books.of_message.get(sent.message_id, [])
        found = [each for row in rows for each in books.submissions[row.id]]
        asked = Counter(sent.orders)
        got = Counter(names[each.match_id].name for each in found if each.match_id)
        if Counter(asked.keys()) != got and not any(row.kills >= 10 for row in rows):
            yield f"letter {sent.number} was for {dict(asked)} and was understood for {dict(got)}"
        for each in found:
            match = names[each.match_id or 0]
            text = sent.orders.get(match.name, "")
            # Overtaken by its writer's next letter, it is told that its turn is over.
            overtaken = books.late and _came_too_late(books, each)
            refused_rightly = overtaken or _twin_ended_match(books, sent, each)
            right = each.outcome in {"accepted", "repeat"} or (
                each.outcome == "refused" and refused_rightly
            )
            if sent.kind == "orders" and not right:
                said = f"letter {sent.number}: {text!r} is {each.outcome}, though it was legal"
                yield "\n".join((said, *_circumstances(books, sent, each)))
            if each.outcome == "accepted" and text not in _played(books, each):
                yield f"letter {sent.number}: {text!r} is accepted and not in the log"


def _came_too_late(books: Books, submission: SubmissionRow) -> bool:
    """Return whether letters that were handled before had ended the turn its code is of."""
    turn = submission.turn or 0
    before = [
        other
        for found in books.submissions.values()
        for other in found
        if other.match_id == submission.match_id and other.id < submission.id
    ]
    last = max((other.last_seq or 0 for other in before), default=0)
    return any(
        event.turn > turn or (event.turn == turn and event.digest is not None)
        for event in books.events[submission.match_id or 0]
        if event.seq <= last
    )


def _twin_ended_match(books: Books, sent: Sent, submission: SubmissionRow) -> bool:
    """Return whether a letter with the same orders was handled first, and ended the match.

    The server need not give letters in the sequence they came in. The other is then told that the
    match is over.
    """
    mine = (sent.sender, sent.orders, sent.answers)
    match = next(row for row in books.matches if row.id == submission.match_id)
    orders = (event.seq for event in books.events[match.id] if event.kind == "order")
    last = max(orders, default=0)
    return match.state == "over" and any(
        other.outcome == "accepted"
        and other.match_id == match.id
        and other.id < submission.id
        and (other.first_seq or 0) <= last <= (other.last_seq or 0)
        for twin in books.sent
        if twin.kind == "same" and (twin.sender, twin.orders, twin.answers) == mine
        for row in books.of_message.get(twin.message_id, [])
        for other in books.submissions[row.id]
    )


def _circumstances(books: Books, sent: Sent, submission: SubmissionRow) -> Iterator[str]:
    """Yield what was submitted for the same match and turn, by letter, and how it was answered."""
    rows = {row.id: row for row in books.letters}
    of_letter = {row.id: sent for sent in books.sent for row in books.of_message[sent.message_id]}
    for other in sorted(
        (other for found in books.submissions.values() for other in found
         if (other.match_id, other.turn) == (submission.match_id, submission.turn)),
        key=lambda other: other.id,
    ):  # fmt: skip
        wrote, row = of_letter.get(other.letter_id), rows[other.letter_id]
        yield f"{wrote and (wrote.number, wrote.kind, wrote.answers)} {row} {other}"
    for mail in books.delivered:
        message = _parsed(mail.raw)
        if mail.recipient == sent.sender and sent.message_id in str(message["References"]):
            body = message.get_body(("plain",))
            yield f"{message['Message-ID']}\n{body.get_content() if body else ''}"


def _played(books: Books, submission: SubmissionRow) -> list[str]:
    first, last = submission.first_seq or 0, submission.last_seq or -1
    return [
        event.order or ""
        for event in books.events[submission.match_id or 0]
        if first <= event.seq <= last and event.kind == "order" and not event.forced
    ]


def _log(books: Books) -> Iterator[str]:
    """Every order of a player's in a log came by exactly one letter."""
    claims: dict[tuple[int, int], list[SubmissionRow]] = defaultdict(list)
    for found in books.submissions.values():
        for each in found:
            if each.first_seq is not None and each.last_seq is not None:
                for seq in range(each.first_seq, each.last_seq + 1):
                    claims[(each.match_id or 0, seq)].append(each)
    for match_id, events in books.events.items():
        for event in events:
            holder = books.seats[match_id].get(event.seat or "")
            claimed = claims[(match_id, event.seq)]
            if len(claimed) > 1:
                yield f"match {match_id}, {event} is claimed by several: {claimed}"
            elif event.kind == "order" and holder == "player" and not (event.forced or claimed):
                yield f"match {match_id}, event {event.seq}: {event.order} came by no letter"


def _answers(books: Books) -> Iterator[str]:
    """Every letter of a player is answered by a mail that reached him; a stranger's by none.

    Only a letter that killed its reader ten times may stay unanswered.
    """
    # One mail may answer several letters; its references name them all.
    answered = {
        (mail.recipient, each)
        for mail in books.delivered
        for each in str(_parsed(mail.raw)["References"]).split()
    }
    for sent in books.sent:
        rows = books.of_message.get(sent.message_id, [])
        told = (sent.sender, sent.message_id) in answered
        if sent.kind in {"stranger", "robot"}:
            if told:
                yield f"letter {sent.number} ({sent.kind}) was answered"
            continue
        repeats = [
            books.mails[books.mails[each.receipt].told_in or each.receipt]
            for row in rows
            for each in books.submissions[row.id]
            if each.outcome == "repeat" and each.receipt
        ]
        deadly = sent.kind == "poison" and any("stopped" in str(row.reason) for row in rows)
        again = deadly or (repeats and all(mail.state == "sent" for mail in repeats))
        if not told and not again:
            yield f"letter {sent.number} ({sent.kind}) was never answered"


def _messages(books: Books) -> Iterator[str]:
    """Every message to the others is passed on once."""
    notices = [mail for mail in books.mails.values() if mail.kind == "notice"]
    said = Counter(
        word for mail in notices for word in _words(books.raws[mail.id]) if mail.state == "sent"
    )
    for sent in books.sent:
        for match, text in sent.orders.items() if sent.kind == "message" else ():
            row = next(each for each in books.matches if each.name == match)
            others = sum(holder == "player" for holder in books.seats[row.id].values()) - 1
            times = said[f"{text} of {sent.sender.partition('@')[0]}"]
            if times != others:
                yield f"letter {sent.number}: a message for {others} was passed on {times} times"


def _words(raw: bytes) -> set[str]:
    body = _parsed(raw).get_body(("plain",))
    return set(_WORD.findall(str(body.get_content()))) if body is not None else set()


def _chains(books: Books) -> Iterator[str]:
    """Every log can be played again and every hash, draw and digest recomputed."""
    for row in books.matches:
        game = registry.find_installed(row.game, row.edition)
        live = walked(game, terms_of(row), row.seed, books.events[row.id])
        if (live.seq, live.head) != (row.seq, row.head):
            yield f"{row.name} stands at event {row.seq}, its log at {live.seq}"


def _outbox(books: Books) -> Iterator[str]:
    """Every mail is in a final state and was delivered; nothing else was, and always the same."""
    bodies: dict[str, set[bytes]] = defaultdict(set)
    for got in books.delivered:
        bodies[str(_parsed(got.raw)["Message-ID"])].add(got.raw)
    known = {mail.message_id: mail for mail in books.mails.values()}
    for message_id, found in bodies.items():
        if message_id not in known:
            yield f"{message_id} was delivered and is not in the outbox"
        # Of what has left, pictures and pages are kept no more.
        elif len(found) > 1 or {without_files(each) for each in found} != {
            without_files(_on_the_wire(books.raws[known[message_id].id]))
        }:
            yield f"{message_id} was delivered with {len(found)} bodies, or not as it was written"
    for mail in books.mails.values():
        got = mail.message_id in bodies
        if mail.state not in {"sent", "superseded"}:
            yield f"mail {mail.id} is {mail.state} in the end"
        if mail.state == "sent" and not got:
            yield f"mail {mail.id} counts as sent and never came"
        # Of one whose last answer was never heard nobody knows whether it has come.
        if mail.state == "superseded" and got and not mail.doubts:
            yield f"mail {mail.id} was superseded and came all the same"


def _on_the_wire(raw: bytes) -> bytes:
    return b"".join(line.rstrip(b"\r\n") + b"\r\n" for line in raw.splitlines(keepends=True))


def _sequence(books: Books) -> Iterator[str]:
    """Each recipient first sees his mails in the order in which they were written.

    Of several daemons one may write about another match meanwhile, and be done sooner.
    """
    known = {mail.message_id: mail for mail in books.mails.values()}
    last: dict[tuple[str, int | None], int] = {}
    seen: set[str] = set()
    for got in books.delivered:
        message_id = str(_parsed(got.raw)["Message-ID"])
        if message_id in seen:
            continue
        seen.add(message_id)
        mail = known.get(message_id)
        this = mail.id if mail else 0
        where = (got.recipient, mail.match_id if mail and books.several else None)
        if this < last.get(where, 0):
            yield f"mail {this} reached {got.recipient} after mail {last[where]}"
        last[where] = this


def _reports(books: Books) -> Iterator[str]:
    """Every player of a finished match has the report of its end."""
    for row in books.matches:
        for seat, holder in books.seats[row.id].items():
            reports = [
                mail.seq
                for mail in books.mails.values()
                if (mail.match_id, mail.seat, mail.kind) == (row.id, seat, "report")
                and mail.state == "sent"
            ]
            if row.state == "over" and holder == "player" and row.seq not in reports:
                yield f"{row.name}: {seat} was never told how it ended"


def _records(books: Books) -> Iterator[str]:
    """Every record of a finished match verifies."""
    with open_store(books.installation.settings.database) as store, store.reading() as connection:
        for row in books.matches:
            if row.state == "over":
                lines = record_bytes(connection, row).decode().splitlines()
                verdict = record.verify_record(lines, registry.find_installed)
                if not verdict.ok:
                    yield f"{row.name}: {verdict.message}"


def _parsed(raw: bytes) -> EmailMessage:
    message = BytesParser(policy=email.policy.default).parsebytes(raw)
    assert isinstance(message, EmailMessage)
    return message
