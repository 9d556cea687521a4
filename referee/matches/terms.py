"""The terms of a match, fixed before its first event: the header of its record."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from msgspec import field

from referee.games.game import Board, Document, Options, Seat
from referee.games.play import canonical_json
from referee.value import Value, asdict

FORMAT: Final = 1
"""The edition of the record's format."""


class Terms(Value):
    """The terms of one match.

    ``match`` is its name. ``seats`` stand in turn order. ``commitment`` is the SHA-256 of the
    secret seed, ``words`` what seats added to it. ``practice``: somebody chose the seed.
    ``given``: the board came from an organiser's file. ``started`` is RFC 3339 in UTC.
    ``promised`` is only read, in records that have it: by seat the SHA-256 of words.
    """

    match: str
    game: str
    edition: int
    board: Board
    seats: tuple[Seat, ...]
    options: Options
    commitment: str
    practice: bool
    words: Mapping[Seat, str]
    started: str
    given: bool = False
    promised: Mapping[Seat, str] = field(default_factory=dict)

    def document(self) -> Document:
        """Return the header of the match's record as JSON."""
        document: Document = {"kind": "header", "referee": FORMAT, **asdict(self)}
        document["seats"] = list(self.seats)
        # Left out when empty, so that each record keeps its bytes.
        if not self.promised:
            del document["promised"]
        return document

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> Terms:
        """Return the terms a header holds. Raises ValueError when it is none of this format."""
        if document.get("kind") != "header" or document.get("referee") != FORMAT:
            raise ValueError(f"this is no header of a record of format {FORMAT}")
        values = {key: value for key, value in document.items() if key not in {"kind", "referee"}}
        try:
            return Terms(**{**values, "seats": tuple(values["seats"])})
        except (KeyError, TypeError) as error:
            raise ValueError(f"this header is not complete: {error}") from None

    def header_hash(self) -> str:
        """Return the SHA-256 of the header's canonical JSON, the head before the first event."""
        return sha256(canonical_json(self.document()).encode()).hexdigest()
