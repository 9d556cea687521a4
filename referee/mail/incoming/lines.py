"""Lines of a mail's text: their quote marks, and the shapes of those that programs add.

Headers, rules and footers are known by their shape, in no language, and by the names, addresses and
subject of their thread, which programs repeat. Their meaning depends on their place, which
:mod:`referee.mail.incoming.quoting` judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal
from unicodedata import category

from referee.signs import plain_line
from referee.value import Value

LONGEST_LINE: Final = 5000
"""Characters looked at in one line. Telephones send a paragraph, or a whole message, as one."""

_BARS: Final = "[|¦│┃┆┇┊┋║▏▎▍▌├┝]"

_MARKS: Final = re.compile(
    rf"[ \t]*+(?:(?:>|&gt;|{_BARS}|:(?=[ \t>|:]|$)"
    rf"|[\w.'-]{{0,19}}[\w.']>(?=[ \t]|>|&gt;|{_BARS}|$))[ \t]?)++"
)
"""Quote marks. Some programs put the quoted person's name or initials before each, no arrow.

Directly before another word an arrow stands between two of the writer's, as in ``e2>e4``.
"""

_MARK: Final = re.compile(rf">|&gt;|{_BARS}|:")

_MOST_NAMES: Final = 8
"""Words of a field's name. A program may write it in several languages."""

LONGEST_FOOTER: Final = 120

LONGEST_SEPARATOR: Final = 180

CLOSINGS: Final = (":", "：", "꞉", "՝")
"""Characters that end an attribution."""

_FIELD: Final = re.compile(
    r"[*_ ]{0,3}(?P<name>[^\W\d_][^\d:：<>@=|“”]{0,30}?)\s?[*_]{0,2}\s?"
    r"(?:[：՝]|(?P<colon>:)(?P<tight>[A-Za-z0-9/])?)"
)

_SEPARATOR: Final = re.compile(
    # Below the first line of OpenPGP's armour stand its writer's own words.
    r"(?!-+(?:BEGIN|END) PGP )[-—–_=~*#]{2,}+ ?(?:[^-—–_=~*#]|-(?!-)){1,160}+[-—–_=~*#]{2,}+"
    r"|[━─.]{3,}+ ?[^━─.]{1,160}+[━─.]{3,}+|<{2,}+[^<>]{1,160}+>{2,}+"
)

_INLINE: Final = re.compile(r"[^-<>|]{1,80}-{3}(?P<date>(?:[^-]|-(?!-)){6,60}+)-{3}(?!-)")
"""A line as Notes begins it. Name and date of the quoted mail come first, then its own words."""

_FACE: Final = re.compile(r"[:;=8][-o^']?[)(DPp/|]+")

_PERSONAL: Final = re.compile(r"\bI\b|(?i:\b(?:ich|mich|mir|wir)\b|^(?:my|mein\w*)\b|\bon my\b)")

LONGEST_QUESTION: Final = 3
"""Signs of a line that asks or answers without a word."""

_EMPHASIS: Final = re.compile(r"(\*\*|__)[^*_]+\1")

_PROGRAMS: Final = re.compile(
    r"i[Pp]hon|i[Pp]ad|iPod|[Aa]ndroid|ANDROID|Galaxy|小米|華為|华为|三星|S[Aa][Mm][Ss][Uu][Nn][Gg]"
    r"|Outlook|H[Uu][Aa][Ww][Ee][Ii]|Xiaomi|Redmi|OnePlus|Pixel|Yahoo|YAHOO|Gmail|Windows"
    r"|[Mm]ail\.[Rr]u|\biOS\b|Yandex|Яндекс|Почт[аы]|Proton|Black[Bb]erry|BLACKBERRY|Nokia|K-9"
    r"|FairEmail|Spark\b|eM Client|Mailbird|Thunderbird|Tuta|GMX|WEB\.DE|web\.de|T-Online"
    r"|Mail Orange|Libero|163\.com|\bQQ|网易|Foxmail|Onet|Interia|Seznam|N[Aa][Vv][Ee][Rr]|Daum"
    r"|Vodafone|BlueMail|Aqua Mail|myMail|Airmail|Canary|Edison|Superhuman|Zoho|Fastmail"
    r"|\bHEY\b|AOL|Telekom|[Aa]vast|AVG|[Mm]obile\b"
)
"""Names of programs, telephones and providers, found in footers everywhere."""

_PRODUCT: Final = re.compile(r"(?:Yahoo|AOL|GMX|Zoho|Proton) Mail\b")
"""Programs whose footers are their name, a colon and a promise."""

_FOOTERS: Final = (
    "sent from my ", "sent from yahoo", "sent from outlook", "sent from proton", "sent from mail",
    "sent with ", "sent via ", "get outlook for ", "gesendet mit ",
    "gesendet von ", "gesendet vom ", "gesendet über ", "diese nachricht wurde von meinem ",
    "outlook für ", "holen sie sich outlook", "laden sie outlook", "please excuse my brevity",
    "bitte entschuldigen sie die kürze", "bitte denken sie an die umwelt",
    "please consider the environment",
)  # fmt: skip

LONGEST_NAMES: Final = 998
"""Characters of a header in which display names are looked for."""

SHORTEST_NAME: Final = 3

SHORTEST_SUBJECT: Final = 5

_ADDRESS: Final = re.compile(r"[^\s<>@\"(),:;\[\]=]{1,64}@[^\s<>@\"(),:;\[\]=]{1,255}")

_DATE: Final = re.compile(
    r"(?<!\d)(?:19|20|25)\d\d(?!\d)"  # a year, of the Buddhist calendar too
    r"|(?<!\d)\d{1,2}[:.h]\d\d(?!\d)"
    r"|(?<!\d)\d{1,2}[/.-]\s?\d{1,2}[/.-]\s?\d{2}"
    r"|\d\s?[年月日년월일時时시]"
)

_CLOCK: Final = re.compile(r"(?<![\d.])\d{1,2}[:.h]\d\d(?![\d.])|\d\s?[時时시]")

_ANGLED: Final = re.compile(r"<[^<>]{0,320}>|[^\s<>@]{1,64}@[^\s<>@]{1,255}")

_PREFIX: Final = re.compile(r"\s*[^\W\d_]{1,8}(?:\[\d{1,3}\])?\s?[:：]\s*")


Origin = Literal["text", "ours", "end"]
"""The origin of a line, as far as the frames tell.

``text`` is outside them, ``ours`` inside, or of a box; ``end`` is the last line of our text.
"""


class Line(Value):
    """A line without quote marks, with their number and its original width."""

    depth: int
    text: str
    width: int
    origin: Origin = "text"

    @property
    def written(self) -> bool:
        """Whether the line may be the person's: unquoted, outside our frames."""
        return self.depth == 0 and self.origin == "text"


Where = Literal["own", "lead", "hint", "aside", "signed", "rest", "below", "older", "dot"]
"""The place of a line in an answer, and so whose it is.

``own`` is its writer's; ``lead`` looks like an attribution: it ends with a colon right above what
is quoted, or last. The others may not be meant: ``hint`` stands between the brackets of a box's
hint, ``aside`` below a signature in the box; ``signed`` below a signature or a whole text of ours,
or may be the beginning of an original or a program's footer; ``rest`` may be the unmarked rest of a
quoted line; ``below`` stands in an original with nothing above it, ``older`` in one with lines
above; ``dot`` begins with the dot of our lists.
"""


class WrittenLine(Value):
    """A line of an answer that is neither quoted nor ours, trimmed, runs of spaces made one.

    ``gap``: a blank line, a rule or anything that its writer did not write stands above; ``runs``:
    its first word would not have fit into the line above, so that a program may have broken it off
    there; ``broken``: text of ours or a quotation stands between it and the line above.
    """

    text: str
    where: Where = "own"
    gap: bool = False
    runs: bool = False
    broken: bool = False


def parse_lines(text: str) -> Iterator[Line]:
    """Yield the lines of a text, odd spaces made plain, invisible characters removed, trimmed.

    Only line feeds end a line for the programs that quote. What another end of a line parts from a
    quoted line, such as U+2028, has no mark of its own and is quoted all the same.
    """
    for whole in text.split("\n"):
        depth = 0
        for piece in whole.splitlines() or [""]:
            line = piece[:LONGEST_LINE].rstrip()
            marks = _MARKS.match(line)
            depth += len(_MARK.findall(marks[0])) if marks else 0
            yield Line(depth, plain_line(line[marks.end() :] if marks else line), len(line))


def is_signature(text: str) -> bool:
    """Whether a trimmed line is the delimiter of a signature (RFC 3676 section 4.3)."""
    return text == "--"


def is_footer(text: str) -> bool:
    """Whether a line is a telephone's or provider's known footer."""
    said = text.lower().lstrip("*_-– ")
    sent = said.startswith(("von meinem ", "von meiner ")) and "gesendet" in said
    return len(text) < 160 and (sent or said.startswith(_FOOTERS))


def may_be_footer(text: str) -> bool:
    """Whether a line could be a footer in any language. It counts only where it stands last."""
    # Bounded by words, because a message may well mention a telephone.
    short = len(text) < LONGEST_FOOTER and len(text.split()) <= 12 and not _PERSONAL.search(text)
    spoken = ": " not in text or "http" in text or _PRODUCT.match(text) is not None
    return short and spoken and _PROGRAMS.search(text) is not None


def is_rule(text: str) -> bool:
    """Whether a line is drawn: without letters, digits, braces and smileys, and no question.

    A symbol alone, such as a tick, is an answer.
    """
    # A line of braces may belong to a JSON document.
    said = any(sign.isalnum() or sign in "{}[]" or sign >= "\U0001f000" for sign in text)
    # A program without the signs of a rule writes marks of a question, as many; and rules are made
    # of stars and hearts.
    symbols = (sign for sign in text if not "\u2500" <= sign <= "\u25ff")
    told = "?" in text or any(category(sign) == "So" for sign in symbols)
    short = len(text) <= LONGEST_QUESTION
    return not (said or (told and short)) and _FACE.fullmatch(text) is None


def is_separator(text: str) -> bool:
    """Whether a line is words between drawn rules, or a program's date between them and text."""
    inline = _INLINE.match(text[:LONGEST_SEPARATOR])
    if inline is not None and holds_date(inline["date"]):
        return True
    drawn = len(text) <= LONGEST_SEPARATOR and _SEPARATOR.fullmatch(text)
    return bool(drawn) and not is_rule(text) and _EMPHASIS.fullmatch(text) is None


def is_field(text: str, *, tight: bool = False) -> bool:
    """Whether a line could stand in a header block: a name, a colon, a blank and a value.

    ``tight``: the blank may be missing, as some programs write none.
    """
    line = _FIELD.match(text[:400])
    if line is None or len(line["name"].split()) > _MOST_NAMES:
        return False
    return tight or not line["tight"]


class Thread(Value):
    """The thread of a letter as its headers tell it, casefolded.

    ``addresses`` and ``names`` are those of its sender and recipients, ``own`` the sender's names;
    ``subject`` is bare of ``Re:`` and its equivalents in other languages, or empty if it is too
    short to tell anything.
    """

    addresses: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    subject: str = ""

    def known(self, text: str) -> bool:
        """Whether a line holds an address or the subject of the thread."""
        lowered = text.casefold()
        if self.subject and self.subject in lowered:
            return True
        return "@" in lowered and any(address in lowered for address in self.addresses)

    def named(self, text: str) -> bool:
        """Whether a line holds a display name, as a separate word."""
        return _among(self.names, text)

    def attributes(self, text: str) -> bool:
        """Whether a line could be an attribution: it holds an address, a date or the own name."""
        return holds_address(text) or holds_date(text) or _among(self.own, text)


def thread_of(addresses: Iterable[str], own: str, others: str, subject: str) -> Thread:
    """Make a thread of addresses, the decoded headers of sender and recipients, and a subject."""
    bare = subject
    # Re: Aw: Fwd: pile up, in the language of each program on the way.
    while (prefix := _PREFIX.match(bare)) is not None:
        bare = bare[prefix.end() :]
    core = " ".join(bare.casefold().split())
    writers = _names(own)
    return Thread(
        frozenset(address.casefold() for address in addresses),
        writers | _names(others),
        writers,
        # A subject like “Hi” occurs in ordinary sentences.
        core if len(core) >= SHORTEST_SUBJECT else "",
    )


def holds_address(text: str) -> bool:
    """Whether a line holds anything like an address."""
    return "@" in text and _ADDRESS.search(text[:998]) is not None


def addresses_in(text: str) -> tuple[str, ...]:
    """Return possible addresses in a text, without the marks around them."""
    addresses = _ADDRESS.findall(text)
    return tuple(address.strip("'`*_.!?;").removeprefix("mailto:") for address in addresses)


def holds_date(text: str) -> bool:
    """Whether a line holds a date or time, in any digits."""
    return _DATE.search(text[:998]) is not None


def holds_moment(text: str) -> bool:
    """Whether a line holds a date with an hour, as a program writes when a mail was sent."""
    return _CLOCK.search(text[:998]) is not None and holds_date(_CLOCK.sub(" ", text[:998]))


def _among(names: frozenset[str], text: str) -> bool:
    # Padded with blanks, so that a name counts only as whole words.
    words = f" {_words(text)} " if names else ""
    return any(f" {name} " in words for name in names)


def _names(header: str) -> frozenset[str]:
    names = map(_words, _ANGLED.split(header[:LONGEST_NAMES]))
    # “Al” or “Jo” would be found in lines that name nobody.
    return frozenset(name for name in names if len(name) >= SHORTEST_NAME)


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
