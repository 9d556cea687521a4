"""Lines of a letter as they were understood."""

from __future__ import annotations

from typing import Final, Literal

from referee.desk.letters.words.keywords import Command
from referee.desk.letters.words.places import Said, SchemaFault
from referee.desk.matches.standing_orders import Cancel, Given, advance_lines
from referee.games.game import AnyGame, Order, Unreadable
from referee.games.policies import Policy
from referee.mail.incoming.lines import WrittenLine
from referee.matches.standing_orders import ListedOrder, write_line
from referee.render.layout import Joined
from referee.render.words.wording import Catalogue
from referee.value import Value, replace

PREVIEW: Final = Command("preview")

DRAW: Final = Command("draw")

RESIGN: Final = Command("resign")

CUT: Final = "cut"
"""Second argument of a message whose text was interrupted by text of ours."""


class ReadLine(Value):
    """One line and its meaning; exactly one field is set, or none for talk.

    ``policy`` may come with an order whose line also orders something in advance; ``ahead``: the
    fault lies in an order in advance; ``hint`` is the keyword that talk begins with, if any.
    ``spoken`` is the sentence that its order is part of, or one about another order than those
    beside it; ``open_text`` is that of a message, note or ``luck`` as far as it may be about orders
    around it, with blank lines above what may be none of it. ``gap``: a blank line or the end of a
    block stands above; ``runs``: it may go on from the line above.
    """

    text: str
    order: Order | None = None
    command: Command | None = None
    fault: Unreadable | None = None
    given: Given | None = None
    policy: Policy | None = None
    ahead: bool = False
    hint: str | None = None
    spoken: str = ""
    open_text: str = ""
    gap: bool = False
    runs: bool = False

    @property
    def entry(self) -> ListedOrder | None:
        """Its order, with the policy it also gives."""
        return None if self.order is None else ListedOrder(self.order, self.policy)

    @property
    def is_talk(self) -> bool:
        """Return whether the line means nothing to the referee."""
        meanings = (self.order, self.command, self.fault, self.given)
        return all(meaning is None for meaning in meanings)

    @property
    def is_prose(self) -> bool:
        """Return whether the line is talk, or only nearly a command."""
        return self.is_talk or (self.command is not None and self.command.word == "unclear")


def ordering_line(text: str, entry: ListedOrder) -> ReadLine:
    """Return a line of a text that gives an order."""
    return ReadLine(text, order=entry.order, policy=entry.policy)


Way = Literal["alone", "company", "contradicted", "alternatives"]


class Company(Value):
    """The way of a place's orders, and the words of the letter that decided it."""

    way: Way
    words: str = ""


ALONE: Final = Company("alone")


class Understood(Value):
    """A place of a letter with its lines read.

    ``faults`` are those of JSON that breaks the schema. ``doubtful`` are its lines that would order
    something, but may not be meant. ``previewed``: ``preview`` stands elsewhere in the letter.
    ``company`` is the talk around it.
    """

    said: Said
    lines: tuple[ReadLine, ...]
    faults: tuple[SchemaFault, ...] = ()
    doubtful: tuple[WrittenLine, ...] = ()
    previewed: bool = False
    company: Company = ALONE

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders, in sequence."""
        return tuple(line.order for line in self.lines if line.order is not None)

    @property
    def entries(self) -> tuple[ListedOrder, ...]:
        """The orders, in sequence, each with the policy its line also gives."""
        return tuple(entry for line in self.lines if (entry := line.entry) is not None)

    @property
    def given(self) -> tuple[Given, ...]:
        """Orders in advance and cancellations, in sequence."""
        return tuple(line.given for line in self.lines if line.given is not None)

    @property
    def all_ahead(self) -> bool:
        """Return whether everything here is for later, so welcome any time."""
        faults = [line.ahead for line in self.lines if line.fault is not None]
        return not self.orders and all(faults) and bool(faults or self.given)

    @property
    def all_withdrawn(self) -> bool:
        """Return whether everything here takes back orders in advance."""
        return self.all_ahead and all(isinstance(given, Cancel) for given in self.given)

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands, in sequence."""
        return tuple(line.command for line in self.lines if line.command is not None)

    @property
    def talk(self) -> tuple[ReadLine, ...]:
        """The lines that mean nothing to the referee."""
        return tuple(line for line in self.lines if line.is_talk)

    @property
    def sets(self) -> tuple[tuple[ListedOrder, ...], ...]:
        """Its orders, parted where talk stands between them."""
        found: list[list[ListedOrder]] = [[]]
        for line in self.lines:
            if (entry := line.entry) is not None:
                found[-1].append(entry)
            elif line.is_talk and found[-1]:
                found.append([])
        return tuple(map(tuple, filter(None, found)))

    @property
    def unreadable(self) -> bool:
        """Return whether an order among the lines cannot be read."""
        return any(line.fault is not None for line in self.lines)

    @property
    def holds_talk(self) -> bool:
        """Return whether a line meant as an order, since it stands in a box, is rather talk."""
        return any(line.fault is not None and line.fault.chatter for line in self.lines)

    @property
    def previews(self) -> bool:
        """Return whether its orders are only to be tried.

        A line that is nearly a preview counts: rather try than play by mistake. What is taken back
        or kept for later is not in doubt.
        """
        return self.previewed or any(
            command == PREVIEW or command.is_nearly(PREVIEW.word) for command in self.commands
        )

    @property
    def orders_something(self) -> bool:
        """Whether a line orders something, or was meant to."""
        return bool(self.orders or self.given or self.unreadable or self.faults)

    @property
    def says_something(self) -> bool:
        """Return whether there is anything to act on; ``preview`` alone is nothing.

        Lines cut off from a box count, since they were meant as orders.
        """
        missing = self.said.cut and self.said.source == "box"
        return bool(self.faults or missing) or any(
            not line.is_talk and line.command != PREVIEW for line in self.lines
        )


def with_language_text(line: ReadLine, game: AnyGame, language: str) -> ReadLine:
    """Return the line with its orders worded in a language."""
    if (entry := line.entry) is not None:
        return replace(line, text=write_line(game, entry, language))
    if line.given is None or isinstance(line.given, Cancel):
        return line
    listed = "; ".join(advance_lines(game, line.given, language))
    # Never the player's own word for it: "then queue:" begins with another one.
    word = "" if isinstance(line.given, Policy) else f"{Catalogue(language).keyword('queue')} "
    return replace(line, text=Joined(f"{word}{listed}"))
