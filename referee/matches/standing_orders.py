"""Standing orders of a seat, and their fate when the match rests.

Four kinds: a ``queue`` of orders played as soon as the seat's turn comes, a ``policy`` that only
the game understands, the ``rest`` of a letter whose turn was interrupted, and orders of a turn that
are ``held``, so that their author can withdraw them or has to say yes. A queue and a policy may be
held too, and do nothing before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, Literal

from referee.games.game import CHANCE, AnyGame, Document, Order, Refusal, Seat, Unreadable
from referee.games.notation import LONGEST_LINE, LONGEST_WORD, OUR_DOTS, UNKNOWN, words_of
from referee.games.play import waits
from referee.games.policies import Expired, Policy
from referee.matches.log import LOG_LANGUAGE, AnyMatch
from referee.matches.match import GAME_OVER, TURN_PASSED, Submitted, submit
from referee.matches.time.moments import format_moment
from referee.value import Value

Kind = Literal["queue", "policy", "rest", "held"]
State = Literal["waiting", "used", "void"]
Unexpected = Literal["refused", "skipped", "passed", "expired"]
"""The codes of notices to owners."""

_OF_TURN: Final = frozenset({"rest", "held"})
"""The kinds that are meant for the turn in which they were given, and no other."""


class ListedOrder(Value):
    """An order of a list, with its line's policy, if any."""

    order: Order
    policy: Policy | None = None


class Hold(Value):
    """The holding of orders: since their letter arrived, until a moment or, if None, a yes."""

    arrived: datetime
    until: datetime | None = None


class StandingOrder(Value):
    """A standing order of a seat that waits.

    ``number`` counts all the seat ever gave in the match; ``lines`` is English, one for a policy.
    With a ``hold`` it must not act yet. ``id`` is that of its row in the store, if it has one.
    """

    number: int
    seat: Seat
    kind: Kind
    lines: tuple[str, ...]
    hold: Hold | None = None
    id: int = 0

    @property
    def until(self) -> datetime | None:
        """The moment until which it is held, if it has one."""
        return self.hold.until if self.hold else None

    @property
    def is_asked(self) -> bool:
        """Whether it waits for its player's yes."""
        return self.hold is not None and self.hold.until is None


class OwnerNote(Value):
    """A notice to a standing order's owner about an unexpected end.

    ``lines`` are the orders concerned, English; ``why`` is the refusal, or how the game words the
    end of a policy.
    """

    code: Unexpected
    kind: Kind
    lines: tuple[str, ...]
    why: Refusal | Expired | None = None

    def to_document(self) -> Document:
        """Return the note as JSON. The orders a refusal suggests are left out."""
        document: Document = {"note": self.code, "kind": self.kind, "lines": list(self.lines)}
        if self.why is not None:
            document["why"] = {"code": self.why.code, "fields": dict(self.why.fields)}
        if isinstance(self.why, Refusal):
            document["rule"] = self.why.rule
        return document


class Acted(Value):
    """The effect of a standing order: its play and its remainder.

    ``policies`` came with the lines it played and stand from now on.
    """

    standing: StandingOrder
    state: State
    done: Submitted | None = None
    left: tuple[str, ...] = ()
    notes: tuple[OwnerNote, ...] = ()
    policies: tuple[Policy, ...] = ()


def read_line(game: AnyGame, line: str, language: str = LOG_LANGUAGE) -> ListedOrder | Policy:
    """Return a line's order, with any policy, or its policy alone.

    A question is none, nor is a line of our own that comes back, nor one too long for a mail. In
    some games a move may bear signs such as ``Nf3!?``, which ask nothing. Raises Unreadable, with
    ``chatter`` only if the line looks like neither.
    """
    if len(line) > LONGEST_LINE:
        raise Unreadable("too-long", most=LONGEST_LINE)
    words = words_of(line)
    signed = line.rstrip().endswith(("!?", "?!")) and any(map(str.isdigit, "".join(words[-1:])))
    asks = bool(words) and words[-1].endswith("?") and not (signed and game.annotated)
    if words and (asks or words[0].startswith(OUR_DOTS)):
        raise Unreadable(UNKNOWN, chatter=True, word=words[0][:LONGEST_WORD])
    try:
        policy = game.parse_policy(line, language)
    except Unreadable as fault:
        try:
            return ListedOrder(game.parse(line, language))
        except Unreadable:
            # The policy's reader recognised its keyword, so its complaint is the better one.
            if not fault.chatter:
                raise fault from None
            raise
    order = game.opening(policy)
    return policy if order is None else ListedOrder(order, policy)


def write_line(game: AnyGame, given: ListedOrder | Policy, language: str = LOG_LANGUAGE) -> str:
    """Return a standing order as a line that reads back to it."""
    if isinstance(given, Policy):
        return game.format_policy(given, language)
    if given.policy is not None:
        return game.format_policy(given.policy, language)
    return game.format(given.order, language)


def replaced_by(
    game: AnyGame, policy: Policy, waiting: Iterable[StandingOrder]
) -> list[StandingOrder]:
    """Return a seat's waiting policies on the topic of a new one."""
    policies = (standing for standing in waiting if standing.kind == "policy")
    return [old for old in policies if policy_of(game, old).topic == policy.topic]


def policy_of(game: AnyGame, standing: StandingOrder) -> Policy:
    """Return the policy of a standing order of that kind."""
    return game.parse_policy(standing.lines[0], LOG_LANGUAGE)


def act_at_rest(
    match: AnyMatch, waiting: Sequence[StandingOrder], moment: str, only: Seat | None = None
) -> Acted | None:
    """Return the one act of standing orders at a rest, if any.

    First, expired ones end; then the seat to act is answered for: by what it ordered for the
    turn, its queue, its policies. ``only``: one seat's are looked at. ``moment`` is RFC 3339.
    Raises ValueError for a policy gone wrong.
    """
    if match.to_act in (None, CHANCE):
        return None
    concerned = [standing for standing in waiting if only in (None, standing.seat)]
    # One act at a time: each changes the position on which the next one is judged.
    game = match.game
    for standing in concerned:
        kind, seat, lines = standing.kind, standing.seat, standing.lines
        if kind == "policy":
            given = game.follow(match.position, seat, policy_of(game, standing))
            if isinstance(given, Expired):
                note = OwnerNote("expired", kind, lines, given)
                return Acted(standing, "void", notes=(note,))
        # Held orders were given by the seat to act; a rest also waits for answers to its attack.
        elif (
            kind in _OF_TURN
            and match.to_act != seat
            and (kind == "held" or game.interrupted(match.position) != seat)
        ):
            return Acted(standing, "void", notes=(OwnerNote("passed", kind, lines),))
    position = match.position
    mine = [standing for standing in concerned if standing.seat == match.to_act]
    lists = sorted(
        (standing for standing in mine if standing.kind != "policy"),
        # What was ordered for this very turn comes first, because that has already begun.
        key=lambda one: (one.kind != "held", one.kind not in _OF_TURN, one.number),
    )
    interrupted = game.interrupted(position)
    for standing in lists:
        read = [read_line(game, line) for line in standing.lines]
        entries = [entry for entry in read if isinstance(entry, ListedOrder)]
        # It goes on before any answers only where it does not wait for them.
        if (
            standing.kind == "held"
            or interrupted is None
            or (
                interrupted == standing.seat
                and not waits(game, position, standing.seat, entries[0].order)
            )
        ):
            if standing.hold:
                moment = format_moment(standing.hold.arrived.replace(microsecond=0))
            return _listed(match, standing, entries, moment)
    policies = [(policy_of(game, one), one) for one in mine if one.kind == "policy"]
    # Of two with one rank the later was given with more knowledge of the match.
    for policy, standing in sorted(policies, key=lambda pair: (pair[0].rank, -pair[1].number)):
        given = game.follow(position, standing.seat, policy)
        if given is None or isinstance(given, Expired):
            continue
        done = submit(match, standing.seat, [given], moment)
        if done.refusal is not None:
            # The game contradicts itself; playing on would hide it from whoever wrote the game.
            raise ValueError(f"{match.terms.match}: {standing.lines[0]!r} gave an order refused")
        return Acted(standing, "waiting", done, standing.lines)
    return None


def _listed(
    match: AnyMatch, standing: StandingOrder, entries: list[ListedOrder], moment: str
) -> Acted:
    """Play a list as if it were a letter that came now; the rest of a queue keeps waiting."""
    notes: list[OwnerNote] = []
    if standing.kind == "queue" and (skipped := _impossible(match, standing.seat, entries)):
        # Each skipped order is reported, or its owner would wonder why it was not played.
        for entry in entries[:skipped]:
            why = match.game.refusal(match.position, entry.order)
            line = write_line(match.game, entry)
            notes.append(OwnerNote("skipped", standing.kind, (line,), why))
        entries = entries[skipped:]
    done = submit(match, standing.seat, [entry.order for entry in entries], moment)
    if standing.kind == "queue" and done.at and not _goes_on(standing, done):
        # Without the order refused, forced orders may end the turn; then those before it stand.
        short = submit(match, standing.seat, [entry.order for entry in entries[: done.at]], moment)
        forced = {
            type(match.game.parse(logged.event.order or "", LOG_LANGUAGE))
            for logged in short.logged
            if logged.event.forced and logged.event.seat == standing.seat
        }
        ended = bool(forced) and short.refusal is None and short.match.turn != match.turn
        # One of their kind was meant for this turn and went wrong; nothing is done in its place.
        if ended and type(entries[done.at].order) not in forced:
            done = short
    played, left = entries[: done.accepted], entries[done.accepted :]
    lines = tuple(write_line(match.game, entry) for entry in left)
    if not _goes_on(standing, done):
        # After the end the final report says all there is to say.
        if done.refusal and done.refusal.code != GAME_OVER:
            code: Unexpected = "passed" if done.refusal.code == TURN_PASSED else "refused"
            notes.append(OwnerNote(code, standing.kind, lines, done.refusal))
        lines = ()
    return Acted(
        standing,
        "waiting" if lines else "void" if left else "used",
        done,
        lines,
        tuple(notes),
        tuple(entry.policy for entry in played if entry.policy is not None),
    )


def _goes_on(standing: StandingOrder, done: Submitted) -> bool:
    """Whether the undone rest of a list is kept for later."""
    if done.refusal is None:
        return True
    # A queue is for several turns; the rest of a letter was meant for the one that has passed.
    return standing.kind == "queue" and done.refusal.code == TURN_PASSED


def _impossible(match: AnyMatch, seat: Seat, entries: Sequence[ListedOrder]) -> int:
    """Return how many entries a queue skips.

    Only where it lists orders of one kind for one turn each is another taken in the place of what
    has become impossible; elsewhere the seat must be asked.
    """
    game, position = match.game, match.position
    for count, entry in enumerate(entries):
        # Only orders of one kind can be alternatives to each other.
        if type(entry.order) is not type(entries[0].order):
            return 0
        if game.refusal(position, entry.order) is None:
            after, _ = game.apply(position, game.canonical(position, entry.order))
            # What chance will draw is not known here, only who acts behind it.
            while game.to_act(after) == CHANCE:
                after, _ = game.apply(after, game.chance(after)[0][0])
            # Skipping is safe only if the turn ends here, so that no later order depends on it.
            goes_on = seat in {game.to_act(after), game.interrupted(after)}
            return 0 if goes_on else count
    return 0
