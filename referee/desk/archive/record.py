"""The record of a finished match, and the proof that mails agree.

It is made of the log, once nothing in it is secret any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk.matches import broken, ledger
from referee.errors import RefereeError
from referee.games import registry
from referee.games.game import ABANDONED, LANGUAGES
from referee.mail.incoming.visible import shown_proofs
from referee.matches import record
from referee.matches.events import REOPEN, format_head
from referee.matches.record import Verdict
from referee.render.words.wording import Catalogue
from referee.store.play import matches
from referee.store.tables.play import MatchRow
from referee.value import Value, asdict, replace

LONGEST: Final = record.LONGEST
"""Bytes of a record's file that are read."""


def lines_in(data: bytes) -> list[bytes]:
    """Return the lines of a record, compressed or not. Raises ValueError if it is damaged."""
    *lines, rest = record.unpacked(data).split(b"\n")
    return [*lines, rest] if rest or not lines else lines


def record_bytes(connection: Connection, row: MatchRow) -> bytes:
    """Return a finished match's record, as UTF-8 JSON lines. Raises RefereeError."""
    with broken.faults_as_broken(row):
        result = ledger.result_of(row)
    if row.state != "over" or result is None:
        if row.state == ABANDONED:
            raise RefereeError(f"{row.name} was called off before it began: it has no record")
        raise RefereeError(f"{row.name} is {row.state}: its record is released when it is over")
    stored = matches.events(connection, row.id)
    if len(stored) != row.seq:
        # Pruning takes all events or none; some missing means damage.
        if stored:
            raise broken.BrokenMatch(broken.broken_line(row.name, LookupError()), row)
        where = "its record is the file that was exported before"
        raise RefereeError(f"{row.name} was pruned: {where}")
    with broken.faults_as_broken(row):
        events = [ledger.event_of(event) for event in stored]
        lines = record.record_lines(ledger.terms_of(row), events, row.seed, result)
    return "".join(f"{line}\n" for line in lines).encode()


class MailComparison(Value):
    """The outcome of comparing mails with a record.

    ``compared`` mails showed a head or commitment of this match, ``others`` nothing of it;
    ``heads`` and ``commitments`` count those shown, ``full`` the heads shown with all 64 digits.
    ``reach`` is the last event a head stands for, 0 the header; later events are not proved.
    ``mail`` names the first that does not fit, ``fault`` says why, and ``head`` is the one it shows
    that the record lacks, if that is why; None if all do.
    """

    compared: int = 0
    others: int = 0
    heads: int = 0
    full: int = 0
    commitments: int = 0
    reach: int | None = None
    mail: str | None = None
    head: str | None = None
    fault: str | None = None


class Verified(Value):
    """A record replayed: the verdict, and the proof if mails were compared."""

    verdict: Verdict
    proof: MailComparison | None

    @property
    def ok(self) -> bool:
        """Whether it is consistent, and contradicts no mail."""
        return self.verdict.ok and not (self.proof and self.proof.fault)

    @property
    def abandoned(self) -> bool:
        """Whether the match was broken off."""
        return self.verdict.ending == ABANDONED

    def document(self) -> dict[str, Any]:
        """Return it for programs."""
        proof = {} if self.proof is None else {"mails": asdict(self.proof)}
        return {**asdict(self.verdict), "ok": self.ok, **proof}


def verify_and_compare(
    lines: Sequence[bytes], mails: Iterable[tuple[str, bytes]] | None
) -> Verified:
    """Replay a record, and compare it with mails if it is consistent."""
    verdict = record.verify_record(lines, registry.find_installed)
    proof = compare_mails(lines, mails) if verdict.ok and mails is not None else None
    return Verified(verdict, proof)


def compare_mails(lines: Sequence[bytes], mails: Iterable[tuple[str, bytes]]) -> MailComparison:
    """Compare a verified record with mails, given by name and in sequence."""
    finished = record.finished_of(lines)
    reopened = (event.details for event in finished.events if event.kind == REOPEN)
    promised = [finished.terms.commitment, *(str(seed["commitment"]) for seed in reopened)]
    known = {event.hash: event.seq for event in finished.events}
    known[finished.terms.header_hash()] = 0
    # Mails show heads in a short form, too.
    known |= {format_head(whole): seq for whole, seq in known.items()}
    phrases = [Catalogue(language).say("foot.head", head="") for language in LANGUAGES]
    comparison = MailComparison()
    for name, raw in mails:
        heads, commitments = shown_proofs(raw, finished.terms.match, phrases)
        shows = bool(heads or commitments)
        reached = [known[shown] for shown in heads if shown in known]
        reached += [] if comparison.reach is None else [comparison.reach]
        comparison = replace(
            comparison,
            compared=comparison.compared + shows,
            others=comparison.others + (not shows),
            heads=comparison.heads + len(heads),
            full=comparison.full + sum("-" not in shown for shown in heads),
            commitments=comparison.commitments + len(commitments),
            reach=max(reached, default=None),
        )
        if comparison.fault is not None:
            continue
        strange = next((shown for shown in heads if shown not in known), None)
        foreign = next((text for text in commitments if text not in promised), None)
        # The commitment first: with another seed every head is strange.
        if foreign is not None:
            own = " or ".join(promised)
            fault = f"the commitment {foreign} is not this record's, which is {own}"
            comparison = replace(comparison, mail=name, fault=fault)
        elif strange is not None:
            head = "".join(c if c.isprintable() else "·" for c in strange)
            fault = f"the head {head} occurs nowhere in this record"
            comparison = replace(comparison, mail=name, head=head, fault=fault)
    return comparison
