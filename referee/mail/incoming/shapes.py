"""Shapes of single lines that mail programs add: headers, rules, footers, in no language.

What a line means where it stands, :mod:`referee.mail.incoming.quoting` says.
"""

from __future__ import annotations

import re
from typing import Final

from referee.mail.incoming.threads import holds_date

MOST_NAMES: Final = 8
"""Words of a field's name; a program may write it in several languages."""

LONGEST_FOOTER: Final = 120

LONGEST_SEPARATOR: Final = 180

MOST_ATTRIBUTING: Final = 8
"""Words of an attribution without date and address; more are prose."""

CLOSINGS: Final = (":", "：", "꞉", "՝")
"""What an attribution ends with."""

_FIELD: Final = re.compile(
    r"[*_ ]{0,3}(?P<name>[^\W\d_][^\d:：<>@=|“”]{0,30}?)\s?[*_]{0,2}\s?"
    r"(?:[：՝]|(?P<colon>:)(?P<tight>[A-Za-z0-9/])?)"
)

_SEPARATOR: Final = re.compile(
    r"(?!-+(?:BEGIN|END) PGP )[-—–_=~*#]{2,}+ ?(?:[^-—–_=~*#]|-(?!-)){1,160}+[-—–_=~*#]{2,}+"
    r"|[━─.]{3,}+ ?[^━─.]{1,160}+[━─.]{3,}+|<{2,}+[^<>]{1,160}+>{2,}+"
)

_INLINE: Final = re.compile(r"[^-<>|]{1,80}-{3}(?P<date>(?:[^-]|-(?!-)){6,60}+)-{3}(?!-)")
"""How Notes begins a line: the name and the date of what it answers, then its first words."""

_MAILBOX: Final = re.compile(
    r"[^<>@:]{1,80}<[^\s<>@]{1,64}@[^\s<>@]{1,255}>|[^\s<>@:]{1,64}@[^\s<>@:]{1,255}"
)

_LINK: Final = re.compile(r"<?https?://[^\s<>]{1,200}>?")

_EMPHASIS: Final = re.compile(r"(\*\*|__)[^*_]+\1")

_PROGRAMS: Final = re.compile(
    r"i[Pp]hon|i[Pp]ad|iPod|[Aa]ndroid|ANDROID|Galaxy|小米|華為|华为|三星|S[Aa][Mm][Ss][Uu][Nn][Gg]"
    r"|Outlook|H[Uu][Aa][Ww][Ee][Ii]|Xiaomi|Redmi|OnePlus|Pixel|Yahoo|YAHOO|Gmail|Windows"
    r"|[Mm]ail\.[Rr]u|\biOS\b|Yandex|Яндекс|Почт[аы]|Proton|Black[Bb]erry|BLACKBERRY|Nokia|K-9"
    r"|FairEmail|Spark\b|eM Client|Mailbird|Thunderbird|Tuta|GMX|WEB\.DE|web\.de|T-Online"
    r"|Orange|Libero|163\.com|\bQQ|网易|Foxmail|Onet|Interia|Seznam|N[Aa][Vv][Ee][Rr]|Daum"
    r"|Vodafone|BlueMail|Aqua Mail|myMail|Airmail|Canary|Edison|Superhuman|Zoho|Fastmail"
    r"|\bHEY\b|AOL|Telekom|[Aa]vast|AVG|[Mm]obile\b"
)
"""Names of programs, telephones and providers, which their footers hold in every language."""

_PRODUCT: Final = re.compile(r"(?:Yahoo|AOL|GMX|Zoho|Proton) Mail\b")
"""Programs that a footer of theirs begins with, before a colon and what they promise."""

_FOOTERS: Final = (
    "sent from my ", "sent from yahoo", "sent from outlook", "sent from proton", "sent from mail",
    "sent with ", "sent via ", "get outlook for ", "von meinem ", "von meiner ", "gesendet mit ",
    "gesendet von ", "gesendet über ", "diese nachricht wurde von meinem ", "outlook für ",
    "holen sie sich outlook", "laden sie outlook", "please excuse my brevity",
    "bitte entschuldigen sie die kürze",
)  # fmt: skip


def is_signature(text: str) -> bool:
    """Tell whether a trimmed line is the delimiter of a signature (RFC 3676 section 4.3)."""
    return text == "--"


def is_footer(text: str) -> bool:
    """Tell whether a line was added by a telephone or a mail provider, in words that say so."""
    return len(text) < 160 and text.lower().lstrip("*_-– ").startswith(_FOOTERS)


def may_be_footer(text: str) -> bool:
    """Tell whether a line could be such a footer in any language, where it stands last."""
    short = len(text) < LONGEST_FOOTER and len(text.split()) <= 12
    spoken = ": " not in text or "http" in text or _PRODUCT.match(text) is not None
    return short and spoken and _PROGRAMS.search(text) is not None


def is_link(text: str) -> bool:
    """Tell whether a line is an address of the web and nothing else."""
    return _LINK.fullmatch(text) is not None


def is_mailbox(text: str) -> bool:
    """Tell whether a line is an address, with a name before it or not, and nothing else."""
    return _MAILBOX.fullmatch(text) is not None


def is_rule(text: str) -> bool:
    """Tell whether a line is drawn, not written: it has no letter, digit or brace."""
    return not any(each.isalnum() or each in "{}[]" for each in text)


def is_separator(text: str) -> bool:
    """Tell whether a line is some words between two drawn rules, or goes on behind a date there."""
    inline = _INLINE.match(text[:LONGEST_SEPARATOR])
    if inline is not None and holds_date(inline["date"]):
        return True
    drawn = len(text) <= LONGEST_SEPARATOR and _SEPARATOR.fullmatch(text)
    return bool(drawn) and not is_rule(text) and _EMPHASIS.fullmatch(text) is None


def is_field(text: str, *, tight: bool = False) -> bool:
    """Tell whether a line could stand in a header block: a name, a colon, a blank and a value.

    ``tight``: no blank is asked for, as some programs write none.
    """
    found = _FIELD.match(text[:400])
    if found is None or len(found["name"].split()) > MOST_NAMES:
        return False
    return tight or not found["tight"]


def may_attribute(text: str) -> bool:
    """Tell whether a line could be an attribution that names neither a date nor an address."""
    return text.endswith(CLOSINGS) and 1 < len(text.split()) <= MOST_ATTRIBUTING
