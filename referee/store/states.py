"""Which words a column may hold that holds one of a few; the tables check them."""

from __future__ import annotations

from typing import Literal

MailFormat = Literal["both", "text", "html"]
Digest = Literal["off", "daily"]
AddressState = Literal["ok", "failing", "unconfirmed"]
RequestState = Literal["waiting", "granted", "declined", "dropped"]
MatchState = Literal["invited", "running", "paused", "over", "abandoned", "moved"]
Holder = Literal["player", "bot", "nobody"]
Agreed = Literal["unasked", "yes", "no"]
TurnState = Literal["open", "done", "undone"]
StandingKind = Literal["queue", "policy", "rest"]
StandingState = Literal["waiting", "used", "cancelled", "void"]
StandInState = Literal["planned", "sitting", "over"]
PlanState = Literal["open", "applied", "dropped"]
LetterState = Literal["kept", "handled", "ignored", "repeat", "quarantined"]
Outcome = Literal["accepted", "partly", "refused", "unclear", "repeat", "command"]
OutboxKind = Literal["invitation", "report", "receipt", "answer", "notice", "organiser"]
OutboxState = Literal["waiting", "sending", "sent", "uncertain", "failed", "held", "superseded"]
