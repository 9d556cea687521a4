"""Checks of the mail servers, and of a letter's way round.

Letters go to the referee itself and to a plus-address of its own: where they arrive, how fast, with
which headers, and stamped by which clock.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from referee.config import Settings
from referee.desk import health
from referee.desk.desk import Desk
from referee.desk.mails import post
from referee.desk.service import mailbox_mark
from referee.desk.service.doctor import Finding, domain, failure, ok, warning
from referee.errors import RefereeError
from referee.mail import addressing
from referee.mail.transport.mailbox import (
    Fetched,
    Folders,
    LoginRefused,
    Mailbox,
    MailboxError,
    MailboxLost,
)
from referee.mail.transport.postman import DeliveryOutcome, Postman, own_hostname
from referee.mail.transport.servers import Server, ServerError, Timing

OURS: Final = ("handled", "ignored", "quarantine")

PLACES: Final = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")

AS_A_RULE: Final = 5
"""Looks between two that search all folders, not only the inbox and our own."""

TEXT: Final = """\
The referee wrote this letter to itself to see whether mail arrives.
It needs no answer and may be deleted.
"""


@dataclass
class Probe:
    """A letter to ourselves: its address, mark, time and outcome; where and when it was seen."""

    address: str
    word: str
    sent_at: datetime
    outcome: DeliveryOutcome
    seen_at: datetime
    seen: Fetched | None = None


def go_round(
    desk: Desk, postman: Postman, looking: Mailbox, patience: float
) -> tuple[Finding, ...]:
    """Send two letters, wait ``patience`` seconds at most, judge what came. Raises RefereeError."""
    word = secrets.token_hex(8)
    plussed = addressing.plus_address(desk.settings.address, f"doctor-{word}")

    async def send() -> list[Probe]:
        probes = []
        async with postman:
            for number, address in enumerate((desk.settings.address, plussed)):
                # A word for each, since a server may deliver both to one address.
                own = f"{word}-{number}"
                raw = _compose(desk, address, own)
                sent_at = desk.now()
                # As every mail leaves later: some servers take such an address only in To.
                outcome = await postman.send(address, address, raw)
                probes.append(Probe(address, own, sent_at, outcome, seen_at=sent_at))
        return probes

    plain, other = probes = asyncio.run(send())
    _wait(desk, looking, probes, patience)
    delivery = _delivery(desk, plain, patience)
    # Without the plain letter the other two findings would say nothing.
    if plain.seen is None:
        return (delivery,)
    clock = check_clock(plain.sent_at, plain.seen.arrived, plain.seen_at)
    return delivery, check_plus_addressing(desk, other, patience), clock


def _compose(desk: Desk, recipient: str, word: str) -> bytes:
    subject = f"The referee writes to itself ({word})"
    return mailbox_mark.letter_of_ours(desk, recipient, subject, TEXT)


def _wait(desk: Desk, looking: Mailbox, probes: Sequence[Probe], patience: float) -> None:
    """Look for the accepted letters until all have come or time is up."""
    missing = [probe for probe in probes if probe.outcome.state in {"sent", "uncertain"}]
    names = looking.names()
    near = [name for name in names if _is_ours(name)]
    end = time.monotonic() + patience
    looks = 0
    while missing:
        last = time.monotonic() >= end
        looks += 1
        # Searching all folders is slow, and nearly every letter is near.
        where = names if last or looks % AS_A_RULE == 0 else near
        for probe in missing:
            looks_at = (looking.find(folder, probe.word) for folder in where)
            if came := next((letters[-1] for letters in looks_at if letters), None):
                probe.seen, probe.seen_at = came, desk.now()
        missing = [probe for probe in missing if probe.seen is None]
        if last:
            break
        if missing:
            time.sleep(min(1.0, patience / 10))


def _is_ours(folder: str) -> bool:
    """Return whether letters are expected in a folder: a running daemon files them at once."""
    return folder.upper() == "INBOX" or folder.lower().endswith(OURS)


def _delivery(desk: Desk, probe: Probe, patience: float) -> Finding:
    name, seen = "delivery", probe.seen
    if probe.outcome.state in {"later", "failed"}:
        advice = f"see why the server does not take mail from and to {probe.address}"
        return failure(name, probe.outcome.said, advice)
    if seen is None:
        advice = f"see where mail to {probe.address} goes: MX record, aliases, filters"
        found = f"a letter to itself was accepted and did not arrive within {patience:.0f} seconds"
        return failure(name, found, advice)
    # A filter moved it, and would move the players' letters too.
    if not _is_ours(seen.folder):
        advice = f"have filters leave mail to {probe.address} in the inbox"
        return failure(name, f"a letter to itself arrived in {seen.folder}", advice)
    keys = domain.signing_keys(desk.settings.domain, seen.headers.all("dkim-signature"))
    if missing := domain.first_without_key(keys):
        advice = f"add the TXT record for {missing} that was made with the mail server's key"
        found = f"a letter to itself is signed, and DNS has no key at {missing}: it looks forged"
        return failure(name, found, advice)
    span = max(0.0, (probe.seen_at - probe.sent_at).total_seconds())
    signed = f", signed by the key at {' and '.join(keys)}" if keys else ""
    # The servers that judged it: one of them is to be ``authserv_id``.
    verdicts = seen.headers.all("authentication-results")
    wrote = [verdict.partition(";")[0].strip() for verdict in verdicts]
    judges = dict.fromkeys("".join(c for c in judge if c.isprintable())[:100] for judge in wrote)
    told = f"{signed}, judged by {', '.join(judges)}" if judges else signed
    return ok(name, f"a letter to itself arrived in {seen.folder} after {span:.0f} s{told}")


def check_plus_addressing(desk: Desk, probe: Probe, patience: float) -> Finding:
    """Judge whether mail to a plus-address arrives, and remember it."""
    name, configured, seen = "plus-addressing", desk.settings.plus_addressing, probe.seen
    arrives = seen is not None and _is_ours(seen.folder)
    with desk.writing() as change:
        post.note_plus(change, arrives=arrives)
    if seen is not None and arrives:
        headers, wanted = seen.headers, probe.address.lower()
        naming = [
            header.title() for header in PLACES if wanted in " ".join(headers.all(header)).lower()
        ]
        found = f"arrives in {seen.folder}, named in {', '.join(naming)}"
        if configured is False:
            advice = "take plus_addressing = false out of referee.toml"
            return warning(name, f"{found}; referee.toml says that it is not used", advice)
        return ok(name, f"{found}; used from now on" if configured is None else found)
    if seen is not None:
        found = f"arrives in {seen.folder}"
        shown = addressing.plus_address(desk.settings.address, "…")
        advice = f"have filters leave mail to {shown} in the inbox, and try again"
    else:
        refused = probe.outcome.state in {"later", "failed"}
        late = f"did not arrive within {patience:.0f} seconds"
        found = f"refused: {probe.outcome.said}" if refused else late
        advice = "nothing need be done; or have the server take + as recipient delimiter"
    if configured:
        return failure(name, f"{found}; referee.toml says that it works", "take that line out")
    return warning(name, f"{found}; not used", advice)


SLOW: Final = 30.0

WRONG: Final = 300.0
"""Seconds a clock may be off before deadlines are wrong; ``SLOW``: before it is mentioned."""


def check_clock(sent: datetime, stamped: datetime, seen: datetime) -> Finding:
    """Judge this machine's clock by the mail server's stamp, between sending and finding."""
    # The stamp has to lie between sending and finding, or one of the clocks is wrong.
    early = (sent - stamped).total_seconds()
    late = (stamped - seen).total_seconds()
    off = max(early, late, 0.0)
    if off <= SLOW:
        return ok("clock", "agrees with the mail server's")
    way = "ahead of" if early > late else "behind"
    found = f"{off:.0f} seconds {way} the mail server's"
    advice = "have this machine keep its time by NTP (timedatectl set-ntp true)"
    return (failure if off > WRONG else warning)("clock", found, advice)


GIVE: Final = "give it, or say where it stands: see referee.toml"

REACH: Final = "check host, port and kind of connection in referee.toml, and the network"

ADVICE: Final = {ServerError: GIVE, MailboxLost: REACH}
"""What helps against a fault of the mailbox, but for a refused log-in."""

WITHOUT: Final = {
    "IDLE": "mail is found by looking every poll_seconds",
    "MOVE": "letters are copied and removed",
    "UIDPLUS": "copied letters stay, marked as deleted, while others are so marked too",
}
"""Extensions of IMAP, and the referee's way without each."""


def log_in_advice(server: Server) -> str:
    """Return the advice where a server refuses the log-in."""
    if server.token is not None:
        return server.remedy
    return (
        f"check user and password, which comes from {server.source} (some providers want a "
        "password made for programs, or referee auth)"
    )


def check_log_in(settings: Settings) -> Finding:
    """Judge whether there is all that a log-in needs, without asking any server."""
    servers = (settings.imap, settings.smtp)
    lacking = dict.fromkeys(server.lacking for server in servers if server.lacking)
    if told := [lack.partition("; ") for lack in lacking]:
        return failure("log-in", "; ".join(what for what, *_ in told), told[0][2] or GIVE)
    return ok("log-in", "user and password or token are there")


def _no_secret(check: str, server: Server) -> Finding | None:
    """Return the failure of a server whose password cannot be had, so that it is not asked."""
    try:
        server.require()
        server.secret()
    except ServerError as fault:
        return failure(check, str(fault), GIVE)
    except RefereeError as fault:
        advice = "correct the command; to try it, run it in the installation's folder"
        return failure(check, str(fault), advice)
    return None


@contextlib.contextmanager
def open_seeker(server: Server) -> Iterator[tuple[Finding, Mailbox | None]]:
    """Judge the log-in to the IMAP server; give a reader of the mailbox, None if it failed."""
    if lacks := _no_secret("IMAP", server):
        yield lacks, None
        return
    mailbox = Mailbox(server, Folders())
    try:
        mailbox.connect()
        reached = f"logged in to {server}"
        missing = mailbox.missing_extensions()
        for extension in missing:
            # With MOVE nothing is removed by its mark.
            if extension != "UIDPLUS" or "MOVE" in missing:
                reached += f"; it has no {extension}: {WITHOUT[extension]}"
    except RefereeError as fault:
        mailbox.close()
        if isinstance(fault, LoginRefused):
            advice, found = log_in_advice(server), str(fault).removesuffix(f"; {server.remedy}")
        else:
            kinds = (advice for kind, advice in ADVICE.items() if isinstance(fault, kind))
            advice, found = next(kinds, "do as it says"), str(fault)
        yield failure("IMAP", found, advice), None
        return
    with contextlib.closing(mailbox):
        yield _judge_reach("IMAP", server, reached), mailbox


def _judge_reach(check: str, server: Server, found: str) -> Finding:
    """Judge a working server by whether others can read along."""
    if not server.exposed:
        return ok(check, found)
    kind = check.lower()
    advice = f"begin its address with {kind}s:// or {kind}+starttls:// in referee.toml"
    return warning(check, f"{found}, without encryption", advice)


def check_folders(looking: Mailbox) -> Finding:
    """Judge whether the referee's folders are there; make missing ones."""
    advice = "make the folders Handled, Ignored and Quarantine in a mail program"
    try:
        before = looking.names()
        looking.ensure_folders()
        made = [folder for folder in looking.names() if folder not in before]
    except MailboxError as fault:
        return failure("folders", str(fault), advice)
    if made:
        return ok("folders", f"made {', '.join(made)}; now all are there")
    return ok("folders", "all are there")


def check_filing(desk: Desk, looking: Mailbox) -> Finding:
    """Judge whether a message can be stored, found, read, moved and removed."""
    word, here, there = secrets.token_hex(8), looking.folders.ignored, looking.folders.quarantine
    try:
        looking.put(here, _compose(desk, desk.settings.address, word))
        uids = [lying.uid for lying in looking.find(here, word)]
        if not uids:
            advice = "have its search mended: by it the referee knows whose mailbox it is"
            return failure("filing", f"the server does not find a message in {here}", advice)
        looking.select(here)
        if any(letter.missing for letter in looking.fetch(uids, 100_000)):
            advice = "see the server's log; letters of players may be lost in the same way"
            return failure("filing", "the server does not give the text of a message", advice)
        looking.move(uids, there, looking.uidvalidity)
        looking.remove(there, [lying.uid for lying in looking.find(there, word)])
    except MailboxError as fault:
        advice = "let the account write to all its folders, or make room; letters are played on"
        return failure("filing", str(fault), advice)
    return ok("filing", "a message can be stored, found, read, moved and removed")


def check_owner(desk: Desk) -> Finding:
    """Judge whether the mailbox belongs to this installation alone, and has room for a letter."""
    try:
        with Mailbox(desk.settings.imap, Folders()) as mailbox:
            if mailbox.lacks_room(desk.settings.letter_bytes):
                what, _, advice = health.FULL_MAILBOX.partition(": ")
                return failure("mailbox", what, advice)
            mailbox_mark.check_mark(desk, mailbox)
    except mailbox_mark.MailboxTaken as fault:
        what, _, advice = str(fault).partition("; ")
        return failure("mailbox", what, advice)
    except RefereeError as fault:
        return failure("mailbox", str(fault), REACH)
    return ok("mailbox", "no other installation reads it")


def check_smtp(server: Server, host: str) -> Finding:
    """Judge the log-in to the SMTP server, sending nothing; ``host`` is our domain."""
    if lacks := _no_secret("SMTP", server):
        return lacks

    async def knock() -> DeliveryOutcome | None:
        # Somebody waits for it.
        async with Postman(server, Timing(envelope=60), hostname=own_hostname(host)) as postman:
            return await postman.log_in()

    outcome = asyncio.run(knock())
    if outcome is None:
        way = f"logged in to {server}" if server.user else f"{server} answers, without a log-in"
        return _judge_reach("SMTP", server, way)
    if outcome.unauthorised:
        said = outcome.said.removesuffix(f"; {server.remedy}")
        return failure("SMTP", f"{server}: {said}", log_in_advice(server))
    return failure("SMTP", f"{server}: {outcome.said}", REACH)
