"""Repairs of a submission: orders nearest to a bad line, and the whole corrected.

A player who is refused should need one click, or to copy a few lines. Nothing is ever repaired by
itself, since only its writer knows what a line was meant to be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Final

from referee.desk.letters.words.phrases import DOUBTING, words_in
from referee.desk.letters.words.places import ReadLine, text_of
from referee.desk.matches.standing_orders import Cancel, Queue, advance_lines
from referee.games.game import AnyGame, Order, Refusal, Seat
from referee.games.notation import is_mistyped
from referee.games.play import judge, nearest
from referee.matches import match
from referee.matches.log import AnyMatch
from referee.matches.match import TURN_PASSED, Previewed
from referee.render.words.wording import Catalogue, Wording
from referee.text import likeness
from referee.value import Value, replace

MOST_NEAR: Final = 3
"""Legal orders named beside a bad line."""

MOST_REPAIRED: Final = 3
"""Bad lines of a submission that are repaired; with more it was hardly one."""

SAME: Final = 0.5
"""Likeness from which on a good line is taken for the correction of a bad one beside it."""


CLEARLY: Final = 0.05
"""How much more likely than all others the order has to be that is put into a bad line's place."""


class Repair(Value):
    """A bad line's repair: orders near it, and the whole answer with each.

    ``answers`` is empty where none would be accepted as a whole; ``replaced``: another line seems
    to correct it already.
    """

    orders: tuple[Order, ...]
    answers: tuple[tuple[str, ...], ...]
    replaced: bool = False


class Repairs(Value):
    """The repair of each bad line, by its place among all; the whole answer ``corrected``.

    It is empty where some line has nothing near, or not all of it would be accepted.
    """

    lines: Mapping[int, Repair]
    corrected: tuple[str, ...] = ()


NO_REPAIRS: Final = Repairs({})


@dataclass
class Submitting:
    """A submission as it was read, how far it came, and its repair.

    ``live`` is the match after the first ``accepted`` orders; ``refusal`` is that of the order
    ``at``, counted from the first. ``held``: those are not played yet. ``near`` are the orders near
    each bad line; ``replaced`` are the bad lines that another one seems to correct already.
    """

    live: AnyMatch
    wording: Wording
    seat: Seat
    lines: tuple[ReadLine, ...]
    accepted: int = 0
    at: int | None = None
    refusal: Refusal | None = None
    held: bool = False
    near: dict[int, tuple[Order, ...]] = field(default_factory=dict, init=False)
    replaced: set[int] = field(default_factory=set, init=False)

    @cached_property
    def legal(self) -> tuple[Order, ...]:
        """The legal orders of its position."""
        return tuple(self.live.game.orders(self.live.position))

    def repairs(self) -> Repairs:
        """Return the repair of each bad line, and of all together.

        Orders after the end of the turn are queued for the next one, but for those that name what
        the match does not have.
        """
        ordering = [n for n, line in enumerate(self.lines) if line.order is not None]
        if self.refusal is not None and self.refusal.code == TURN_PASSED:
            return self._queued(ordering)
        if self.live.to_act != self.seat:
            return NO_REPAIRS
        refused = None if self.at is None else next(iter(ordering[self.at :]), None)
        bad = [n for n, line in enumerate(self.lines) if n == refused or line.fault]
        self.near = {n: self._near(n) for n in bad[:MOST_REPAIRED]}
        self.replaced = {n for n in self.near if self._is_replaced(n)}
        # With the old line left out the others must do, or it was meant beside them.
        if self._previewed(self._chosen({})).at is not None:
            self.replaced = set()
        best: dict[int, Order] = {}
        found: dict[int, Repair] = {}
        for n in self.near:
            ranked = self._ranked(n, best)
            answers = {order: self._answer({**best, n: order}) for order in ranked}
            whole = {order: lines for order, lines in answers.items() if lines}
            found[n] = Repair(
                tuple(whole or ranked), tuple(whole.values()), replaced=n in self.replaced
            )
            if ranked and n not in self.replaced:
                best[n] = ranked[0]
        clear = all(n in self.replaced or self._is_clear(n) for n in self.near)
        if not found or len(bad) > len(found) or not clear:
            return Repairs(found)
        return Repairs(found, self._answer(best))

    def _queued(self, ordering: Sequence[int]) -> Repairs:
        """Return the whole answer with the orders after the end of the turn as a queue."""
        # Orders that are only held would be replaced by the answer, so it says them again.
        again, late = ordering[: self.accepted] if self.held else [], ordering[self.accepted :]
        queued = [
            entry
            for n in late
            if (entry := self.lines[n].entry) is not None
            and not match.never_legal(self.live, self.seat, [entry.order])
        ]
        lines = dict(enumerate(self.lines))
        if queued:
            lines[late[0]] = ReadLine("", given=Queue(tuple(queued)))
        # Nothing in advance was kept beside a refused order; what was taken back before it, is.
        given = [n for n, line in lines.items() if line.given is not None and n not in late]
        taken = list(takewhile(lambda n: isinstance(lines[n].given, Cancel), given))
        found = [
            line
            for n, line in lines.items()
            if n in again or (line.given is not None and n not in taken)
        ]
        # What is held already needs no saying by itself.
        if not any(line.given for line in found):
            return NO_REPAIRS
        return Repairs({}, self._written(found))

    def _ranked(self, n: int, best: Mapping[int, Order]) -> list[Order]:
        """Return orders near a bad line, best first: the rest must do with it."""

        def distance(order: Order) -> tuple[bool, int]:
            lines = [*self._chosen({**best, n: order})]
            at = self._previewed(lines).at
            return order.word != self.near[n][0].word, -len(lines) if at is None else -at

        # Stable: of equals the nearest stays first.
        return sorted(self.near[n], key=distance)

    def _near(self, n: int) -> tuple[Order, ...]:
        line, refusal = self.lines[n], self.refusal
        if line.order is not None:
            known = refusal.legal if refusal else ()
            return (known or nearest(line.order, self.legal))[:MOST_NEAR]
        if line.ahead:
            return ()

        # Read as text, since there is no order to compare; its first word says the kind.
        def distance(order: Order) -> tuple[bool, float]:
            return not self._is_named(n, order), -likeness(line.text, self.wording.order(order))

        return tuple(sorted(self.legal, key=distance)[:MOST_NEAR])

    def _is_named(self, n: int, order: Order) -> bool:
        """Return whether a line begins with an order's word, or nearly."""
        first = self.lines[n].text.casefold().split()[0]
        kinds = {order.word, self.wording.order(order).split()[0].casefold()}
        return first in kinds or any(is_mistyped(first, kind) for kind in kinds)

    def _is_clear(self, n: int) -> bool:
        """Return whether one order in a line's place is clearly nearer than all others."""
        line, near = self.lines[n], self.near[n]
        if line.order is None and not DOUBTING.isdisjoint(words_in(line.text)):
            return False
        text = line.text if line.order is None else self.wording.order(line.order)
        alike = [likeness(text, self.wording.order(order)) for order in near]
        # Of orders that share no keyword the nearest may have next to nothing in common.
        clear = bool(near) and alike[0] >= SAME
        clear = clear and all(alike[0] - other >= CLEARLY for other in alike[1:])
        if line.order is None:
            return clear and self._is_named(n, near[0])
        # One that begins otherwise does something else, however like its letters are: the pawn's h5
        # is no repair of Qxh5, nor is discarding a card one of knocking with it.
        words = self.wording.order(near[0]).casefold().split() if near else []
        return clear and words[:1] == text.casefold().split()[:1]

    def _is_replaced(self, n: int) -> bool:
        """Return whether a good line of its kind reads much alike, or excludes all near orders."""
        word, *rest = self.lines[n].text.casefold().split()
        good = [
            self.wording.order(line.order).casefold().split()
            for at, line in self._left()
            if at not in self.near and line.order is not None and line.order in self.legal
        ]
        if any(
            other == word and (not rest or likeness(" ".join(rest), " ".join(others)) >= SAME)
            for other, *others in good
        ):
            return True
        kind = [order for order in self.near[n] if order.word == self.near[n][0].word]

        def clashes(order: Order) -> bool:
            orders = [line.order for line in self._chosen({n: order}) if line.order]
            at = match.preview(self.live, self.seat, orders).at
            return at is not None and orders[at].word == order.word

        return bool(kind) and all(clashes(order) for order in kind)

    def _left(self) -> Iterator[tuple[int, ReadLine]]:
        """Yield the lines that were not carried out, with their places."""
        played = self.accepted
        for n, line in enumerate(self.lines):
            if line.order is not None and played:
                played -= 1
            elif not line.is_talk and line.command is None:
                yield n, line

    def _chosen(self, best: Mapping[int, Order]) -> Iterator[ReadLine]:
        """Yield the lines to send, bad ones with their new orders."""
        for n, line in self._left():
            if n not in self.near:
                yield line
            elif n in best or n not in self.replaced:
                order = best.get(n) or next(iter(self.near[n]), None)
                yield replace(line, order=order, policy=None, fault=None)

    def _answer(self, best: Mapping[int, Order]) -> tuple[str, ...]:
        """Return the lines to send, without orders that would be refused.

        It is empty if some order would wait: behind the end of the turn, or behind news.
        """
        lines = [*self._chosen(best)]
        for _ in range(MOST_REPAIRED):
            if (at := self._previewed(lines).at) is None:
                break
            ordering = [n for n, line in enumerate(lines) if line.order]
            del lines[ordering[at]]
        kept = [line for line in lines if line.order or line.given]
        live, orders = self.live, [line.order for line in kept if line.order]
        judged = judge(live.game, live.position, self.seat, orders)
        if judged.refusal is not None or judged.rest:
            return ()
        return self._written(kept)

    def _written(self, lines: Iterable[ReadLine]) -> tuple[str, ...]:
        game, language = self.wording.game, self.wording.language
        return tuple(text for line in lines for text in written(line, game, language))

    def _previewed(self, lines: Iterable[ReadLine]) -> Previewed:
        orders = [line.order for line in lines if line.order]
        return match.preview(self.live, self.seat, orders)


def written(line: ReadLine, game: AnyGame, language: str) -> tuple[str, ...]:
    """Return a line as its player would write it; a long queue takes several."""
    if not isinstance(line.given, Queue):
        return (text_of(line, game, language),)
    words, lines = Catalogue(language), advance_lines(game, line.given, language)
    if len(lines) == 1:
        return (f"{words.keyword('queue')} {lines[0]}",)
    return (words.keyword("queue"), *lines, words.keyword("end"))
