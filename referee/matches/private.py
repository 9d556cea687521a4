"""A seat's private chain, seen by the seat alone: standing orders and notes, sealed."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import ClassVar, Final

from msgspec import field

from referee.games.game import Document, Seat
from referee.games.play import canonical_json
from referee.matches import croupier
from referee.matches.events import REOPEN, BrokenLog, Event, Sealed, hash_of, seal
from referee.matches.log import AnyMatch

# A standing order was given, taken back, or gave way to a later one; it led to orders; its owner is
# told something of it.
GIVEN: Final = "given"
CANCELLED: Final = "cancelled"
REPLACED: Final = "replaced"
PLAYED: Final = "played"
NOTICE: Final = "note"
# The owner wrote a note, or cleared all of them.
NOTE: Final = "remark"
CLEARED: Final = "cleared"

_KINDS: Final = frozenset({GIVEN, CANCELLED, REPLACED, PLAYED, NOTICE, NOTE, CLEARED})
"""The kinds of entry in a private chain."""


class PrivateEntry(Sealed):
    """One entry of a seat's private chain.

    ``board`` is the seq of the last board event before it, ``moment`` RFC 3339 in UTC.
    """

    called: ClassVar[str] = "a private entry"
    seq: int
    kind: str
    seat: Seat
    board: int
    moment: str
    previous: str
    salt: str
    details: Document = field(default_factory=dict)
    hash: str = ""


def chain_start(match: AnyMatch, seat: Seat) -> str:
    """Return the hash a seat's chain begins after, different for every chain."""
    header = match.terms.header_hash()
    return sha256(canonical_json({"header": header, "seat": seat}).encode()).hexdigest()


def next_entry(
    match: AnyMatch,
    last: PrivateEntry | None,
    kind: str,
    seat: Seat,
    moment: str,
    details: Document,
) -> PrivateEntry:
    """Return the next entry of a seat's chain, sealed. Raises ValueError for an unknown kind."""
    if kind not in _KINDS:
        raise ValueError(f"no entry of a private chain is of kind {kind!r}")
    seq = last.seq + 1 if last else 1
    entry = PrivateEntry(
        seq=seq,
        kind=kind,
        seat=seat,
        board=match.seq,
        moment=moment,
        # The first entry hangs on the header, so a chain cannot be moved to another match or seat.
        previous=last.hash if last else chain_start(match, seat),
        salt=croupier.private_salt(match.key, seat, seq),
        details=details,
    )
    return seal(entry)


def check_chain(
    match: AnyMatch, seat: Seat, entries: Iterable[PrivateEntry], log: Iterable[Event] = ()
) -> None:
    """Recompute a seat's chain. Raises BrokenLog naming the first entry that does not fit.

    ``log``: the match's events; those that reopened it hold the earlier seeds of salts.
    """
    seeds = [(event.seq, str(event.details["seed"])) for event in log if event.kind == REOPEN]
    previous = chain_start(match, seat)
    for seq, entry in enumerate(entries, start=1):
        # Entries before a reopening were salted with the seed that has since been made public.
        earlier = (bytes.fromhex(seed) for reopened, seed in seeds if entry.board < reopened)
        key = croupier.chance_key(next(earlier, match.seed), match.terms.words)
        expected = {
            "seq": seq,
            "seat": seat,
            "previous": previous,
            "salt": croupier.private_salt(key, seat, seq),
            "hash": hash_of(entry),
        }
        for name, should in expected.items():
            found = getattr(entry, name)
            if found != should:
                raise BrokenLog(seq, f"private {name} is {found!r}, expected {should!r}")
        previous = entry.hash
