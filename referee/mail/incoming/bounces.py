"""Bounces: the mails they are about, and their addresses' state.

The envelope sender of a mail carries its number and a key that only we can make, so a bounce can be
forged only by those who handled the mail (RFC 5321 section 4.5.5, RFC 3464). Formats older than RFC
3464, or beside it, are known to ``flufl.bounce``, which reads a bounce last and capped: its
patterns take quadratic time.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import re
from collections.abc import Iterator
from email import message_from_bytes
from typing import Final

from referee.mail.addressing import addresses, detail_in, plus_address
from referee.mail.incoming import mime
from referee.mail.incoming.mime import Part
from referee.mail.refusals import on_one_line
from referee.value import Value

LONGEST_REASON: Final = 200
"""Characters of a bounce's reason, which organisers read in a line."""

_READ_BYTES: Final = 262_144
"""Bytes of a bounce that are read; the mail that came back stands last and may be long."""

_REPORT_BYTES: Final = 32_768
"""Bytes of a part that are searched. A server's words about one mail are few."""

_MOST_LINES: Final = 400
"""Lines given to the detectors, each of which tries many patterns on every line."""

_LONGEST_LINE: Final = 250

_LOCAL: Final = 64
"""Characters before the @ of an address (RFC 5321 section 4.5.3.1.1)."""

_DETAIL: Final = re.compile(r"b-([1-9][0-9]{0,17})-([a-z2-7]{16})")

_STATUS: Final = re.compile(r"(?<![\d.])([45])\.\d{1,3}\.\d{1,3}(?!\.?\d)")

_REPLY: Final = re.compile(r"(?<![\d.])([45])[0-5]\d(?=[ -](?!\d\d)\S)")

_VERSION: Final = re.compile(r"\(Exim [^()]{0,40}\)")

_COPIED: Final = re.compile(r"\s{0,8}(?:return-path|received):", re.IGNORECASE)

_DELAY: Final = re.compile(rb"transient non-fatal|warning message only", re.IGNORECASE)

_SENDERS: Final = frozenset({"mailer-daemon", "mail-daemon", "postmaster"})

# It logs a traceback for each letter that it fails on, and anybody can send those.
logging.getLogger("flufl.bounce").disabled = True


class Bounce(Value):
    """A bounce: the reason on one line. ``hard`` if nothing is tried any more."""

    hard: bool
    reason: str


def bounce_address(address: str, key: bytes, mail_id: int) -> str:
    """Return a mail's envelope sender, ``referee+b-12-<key>@host``; the plain one if too long."""
    keyed = plus_address(address, f"b-{mail_id}-{_mac(key, mail_id)}")
    # Without the key a bounce is still read, but counts for no mail.
    return keyed if len(keyed.rpartition("@")[0]) <= _LOCAL else address


def bounced_mail(address: str, key: bytes, recipient: str) -> int | None:
    """Return the mail with this envelope sender, or None if we made no such address."""
    detail = _DETAIL.fullmatch(detail_in(address, recipient))
    if detail is None:
        return None
    mail_id = int(detail[1])
    # Compared in constant time: bounces can be sent by anybody, as often as they like.
    return mail_id if hmac.compare_digest(detail[2], _mac(key, mail_id)) else None


def _mac(key: bytes, mail_id: int) -> str:
    digest = hmac.digest(key, f"bounce\0{mail_id}".encode(), hashlib.sha256)
    # Base 32 survives servers that change the case of a local part; 80 bits are beyond guessing.
    return base64.b32encode(digest[:10]).decode("ascii").lower()


def read_bounce(raw: bytes) -> Bounce | None:
    """Return the bounce in a letter, None if it is something else.

    Never raises. An automatic reply during an absence is not a bounce.
    """
    tree = mime.parse_tree(raw[:_READ_BYTES], most_parts=50, deepest=5)
    reports = [leaf for leaf in tree.leaves if leaf.content_type == "message/delivery-status"]
    senders = {address.partition("@")[0] for address in addresses(tree.headers.get("from"))}
    bounce = None
    if reports:
        bounce = _reported(reports[0])
    # Only from a mail system: a person's letter may quote "550 no such user" too.
    elif senders & _SENDERS or tree.headers.all("x-failed-recipients"):
        # qmail and its kind send prose without a report (RFC 3464 came later).
        texts = [leaf for leaf in tree.leaves if leaf.content_type == "text/plain"]
        lines = [line for part in texts for line in _told(part.text(_REPORT_BYTES)[0])]
        # An enhanced status (RFC 3463) beside a reply code is what a server said; alone it still
        # says more than a bare reply code.
        both = [line for line in lines if _REPLY.search(line)]
        sought = ((_STATUS, both), (_STATUS, lines), (_REPLY, lines))
        statuses = (pattern.search(line) for pattern, among in sought for line in among)
        if status := next(filter(None, statuses), None):
            bounce = Bounce(status[1] == "5", on_one_line(status.string, LONGEST_REASON))
    if bounce is not None:
        return bounce
    # Else one mail system's own format, without a status. Imported here, as hundreds of patterns
    # are compiled for what few letters are.
    from flufl.bounce import all_failures  # noqa: PLC0415

    shown = [line[:_LONGEST_LINE] for line in raw[:_REPORT_BYTES].splitlines()[:_MOST_LINES]]
    try:
        delayed, failed = all_failures(message_from_bytes(b"\n".join(shown)))
    # Its detectors, and the parser of the standard library, fail on odd letters in many ways.
    except Exception:  # noqa: BLE001
        return None
    recipients = sorted(failed or delayed)
    if not recipients:
        return None
    named = b", ".join(recipients).decode("ascii", "replace")
    subject = tree.headers.text("subject")
    # The words of sendmail before "transient" are also those of its failures.
    hard = bool(failed) and not any(map(_DELAY.search, shown))
    return Bounce(hard, on_one_line(f"{subject}: {named}" if subject else named, LONGEST_REASON))


def _told(text: str) -> Iterator[str]:
    """Yield the lines of a bounce in prose, without the number of the program's version."""
    for line in text.splitlines():
        # Below the words of the mail system stands the mail that came back, or its headers.
        if _COPIED.match(line):
            return
        yield _VERSION.sub("", line)


def _reported(part: Part) -> Bounce | None:
    """Return the first failure of a delivery report, else the first delay."""
    delay = None
    for group in _groups(part.text(_REPORT_BYTES)[0]):
        action = group.get("action", "").lower()
        said = f"{group.get('status', '')} {group.get('diagnostic-code', '')}".strip()
        status = _STATUS.search(said) or _REPLY.search(said)
        # Relayed and delivered are good news; an absent action leaves the status to decide.
        if status is None or action not in {"failed", "delayed", ""}:
            continue
        # A failure is final whatever its class: whoever gives up after days says 4.4.7.
        hard = action == "failed" or (not action and status[1] == "5")
        bounce = Bounce(hard, on_one_line(said, LONGEST_REASON))
        # One recipient may appear several times; the hard failure outweighs delays.
        if bounce.hard:
            return bounce
        delay = delay or bounce
    return delay


def _groups(text: str) -> Iterator[dict[str, str]]:
    """Yield the fields of each group; blank lines separate the groups."""
    fields: dict[str, str] = {}
    name = ""
    # The last group ends with the text, not with a blank line.
    for line in [*text.splitlines(), ""]:
        if not line.strip():
            if fields:
                yield fields
            fields, name = {}, ""
        elif line[:1] in " \t" and name:
            fields[name] += f" {line.strip()}"
        else:
            name, colon, value = line.partition(":")
            name = name.strip().lower() if colon else ""
            if name:
                fields.setdefault(name, value.strip())
