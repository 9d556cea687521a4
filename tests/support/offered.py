"""Players who know nothing of a match but their mails, and play what those offer them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from lxml import html as lxml_html
from support.club import Club, Mail, opened

from referee.render.layout import DOT, MORE
from referee.render.words.wording import Catalogue

MOST_LETTERS = 3000

BOX = re.compile(r"^(===[^)]*?===)\n\(.*?\)\n(===.*?===)$", re.MULTILINE | re.DOTALL)
"""An empty order box: its head, which may be broken into lines, its hint and its end."""

PLAYERS = ("alice@example.test", "bob@example.test", "carol@example.test", "dora@example.test",
           "emil@example.test")  # fmt: skip


@dataclass(frozen=True)
class Offer:
    """An order that a mail offers, and the link that opens it, if it is one."""

    order: str
    link: str = ""


class Reader(Protocol):
    """A way to read a mail and to answer it."""

    def offers(self, mail: Mail, say: Catalogue) -> list[Offer]:
        """Return the orders that a mail offers to whoever reads it so."""

    def send(self, club: Club, mail: Mail, offer: Offer, who: str) -> None:
        """Send one of them."""

    def agree(self, club: Club, invitation: Mail, who: str) -> None:
        """Accept an invitation."""


class Clicking:
    """Somebody who never writes a word: every answer is the one that a link opens."""

    def offers(self, mail: Mail, say: Catalogue) -> list[Offer]:
        """Return the links of the HTML part that open a finished order, equal labels too."""
        hrefs = [each.get("href", "") for each in lxml_html.fromstring(mail.html).iter("a")]
        found = [(_boxed(each), each) for each in hrefs if each.startswith("mailto:")]
        commands = {say.keyword(each) for each in ("undo", "show", "withdraw", "cancel")}
        return [
            Offer(lines[0], href)
            for lines, href in found
            # An empty box has its hint, and an order begun ends in a blank.
            if len(lines) == 1 and not lines[0].endswith(" ") and lines[0] not in commands
        ]

    def send(self, club: Club, mail: Mail, offer: Offer, who: str) -> None:
        """Send the mail that the link opens, as a phone does."""
        club.click(offer.link, who, below="\n\nSent from my phone\n")

    def agree(self, club: Club, invitation: Mail, who: str) -> None:
        """Send what the invitation's own link opens."""
        club.click(invitation.links["agree"], who)


class Reading:
    """Somebody who reads or hears the text, and writes what it lists, above it or in its box."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def offers(self, mail: Mail, say: Catalogue) -> list[Offer]:
        """Return the orders that are listed where the mail says what may be done."""
        return [Offer(each) for each in listed(lines_below(mail, say.say("report.possible")))]

    def send(self, club: Club, mail: Mail, offer: Offer, who: str) -> None:
        """Write an order above the quoted mail, or into the box copied from it."""
        text = offer.order
        if self.rng.random() < 0.5:
            head, end = BOX.findall(mail.text)[-1]
            text = f"{head}\n{offer.order}\n{end}"
        club.answer(mail, text, who)

    def agree(self, club: Club, invitation: Mail, who: str) -> None:
        """Write the word that the invitation asks for."""
        club.answer(invitation, "agree", who)


def lines_below(mail: Mail, title: str) -> list[str]:
    """Return the lines of the text below a heading, up to the order box."""
    _, _, below = mail.text.partition(f"\n{title}:\n")
    return below.partition("\n===")[0].splitlines()


def joined(mail: Mail) -> str:
    """Return the text of a mail on one line."""
    return mail.flat


def listed(lines: list[str]) -> list[str]:
    """Return what lines list behind dots; what was broken into several is put together again."""
    text = ""
    for line in lines:
        if line.startswith(DOT):
            text += f" {line}"
        elif text and line.startswith((MORE, "  ")):
            text += f" {line.removeprefix(MORE).strip()}"
    return [each.strip() for each in text.split(f" {DOT}") if each.strip()]


def _boxed(link: str) -> list[str]:
    """Return the lines inside the order box of the answer that a link opens."""
    return opened(link)[2].split("\r\n")[1:-2]


@dataclass
class Played:
    """A match as far as its mails led: the order of each letter, the mails by who got them."""

    name: str
    orders: list[str] = field(default_factory=list)
    mails: dict[str, list[Mail]] = field(default_factory=dict)


def play(
    club: Club,
    game: str,
    seats: dict[str, str],
    reader: Reader,
    rng: Random,
    *,
    settings: Sequence[str],
    language: str = "en",
) -> Played:
    """Play a match from the invitations to its last report by nothing but what its mails offer."""
    say = Catalogue(language)
    row = club.new_match(game, *(f"{seat}={who}" for seat, who in seats.items()), begins=False)
    played = Played(row.name, mails={who: [] for who in seats.values()})
    club.work()
    for who in seats.values():
        invitation = club.last(who, "invitation")
        if settings:
            club.answer(invitation, "\n".join(settings), who)
            club.mails(who)
        reader.agree(club, invitation, who)
    while len(played.orders) < MOST_LETTERS:
        club.work()
        for who, kept in played.mails.items():
            kept.extend(club.mails(who))
        last = {who: kept[-1] for who, kept in played.mails.items()}
        asked = {who: found for who, mail in last.items() if (found := reader.offers(mail, say))}
        if not asked:
            return played
        assert len(asked) == 1, [last[who].text for who in asked]
        who, offers = asked.popitem()
        # Kinds before orders: else a game with many of one kind hardly sees another, nor its end.
        kind = rng.choice(sorted({each.order.split()[0] for each in offers}))
        offer = rng.choice([each for each in offers if each.order.split()[0] == kind])
        club.later(minutes=10)
        reader.send(club, last[who], offer, who)
        played.orders.append(offer.order)
    raise AssertionError(f"{row.name} does not end: {played.orders[-20:]}")
