"""The words of columns that hold one of a few; the tables check them.

The sets below name the questions the house asks about a state, so that no module makes its own.
"""

from __future__ import annotations

from typing import Final, Literal

MailFormat = Literal["html", "text", "phone", "spoken"]
Digest = Literal["off", "daily"]
Subjects = Literal["plain", "telling"]
Reports = Literal["all", "turns", "few"]
AddressState = Literal["ok", "failing", "unconfirmed"]
# "orders" stands in databases of 0200 alone.
QuestionKind = Literal["command", "address", "player", "undo", "draw", "orders"]
QuestionState = Literal["waiting", "granted", "declined", "dropped"]
MatchState = Literal["invited", "running", "paused", "over", "abandoned"]
Holder = Literal["player", "bot", "nobody"]
Agreed = Literal["unasked", "yes", "no"]
TurnState = Literal["open", "done", "undone"]
StandingKind = Literal["queue", "policy", "rest", "held"]
StandingState = Literal["waiting", "used", "cancelled", "void"]
StandInState = Literal["planned", "sitting", "over"]
PlanState = Literal["open", "applied", "dropped"]
LetterState = Literal["kept", "handled", "ignored", "repeat", "quarantined"]
SubmissionOutcome = Literal[
    "accepted", "partly", "refused", "unclear", "repeat", "command", "held", "withdrawn"
]  # fmt: skip
OutboxKind = Literal["invitation", "report", "receipt", "answer", "notice", "organiser"]
OutboxState = Literal["waiting", "sending", "sent", "uncertain", "failed", "held", "superseded"]

UNFINISHED: Final[tuple[MatchState, ...]] = ("invited", "running", "paused")
"""Matches that are played here, or are to be."""

PLAYABLE: Final[tuple[MatchState, ...]] = ("running", "paused")
"""Matches that have begun and are not over."""

ANSWERABLE: Final[tuple[MatchState, ...]] = ("invited", "running")
"""Matches whose mails ask for an answer: a paused one waits for the organiser."""

ATTENDED: Final[tuple[MatchState, ...]] = ("running", "over")
"""Matches the agenda attends to: once one is over, its last mails have still to be written."""

ENDED: Final[tuple[MatchState, ...]] = ("over", "abandoned")
"""Matches that came to an end."""

REWINDABLE: Final[tuple[MatchState, ...]] = (*PLAYABLE, *ENDED)
"""Matches with a log that an organiser may take back."""

UNSENT: Final[tuple[OutboxState, ...]] = ("waiting", "sending", "uncertain")
"""Mails the postman has still to deliver."""

TO_TRY: Final[tuple[OutboxState, ...]] = ("waiting", "uncertain")
"""Mails that are tried when their time has come."""

MOST_DOUBTS: Final = 3
"""Copies that may have arrived, after which only the organiser has a mail sent again."""

WITHDRAWABLE: Final[tuple[OutboxState, ...]] = ("waiting", "held")
"""Mails that can be taken back: not what is being sent, as it may have left already."""

SETTLED: Final[tuple[OutboxState, ...]] = ("sent", "failed", "superseded")
"""Mails whose fate is settled: they are not sent again by themselves."""
