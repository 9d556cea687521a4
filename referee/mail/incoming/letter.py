"""Letters read from their bytes: sender, thread, blocks of text, JSON documents.

``read_letter`` accepts any bytes, never raises, and takes time linear in their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import field

from referee.mail.addressing import addresses, count_addresses, message_ids
from referee.mail.incoming import mime, robots
from referee.mail.incoming.attachments import (
    MOST_DOCUMENTS,
    JsonDocument,
    JsonFault,
    parse_json,
    written_json,
)
from referee.mail.incoming.decoding import holds_encrypted, unflow, without_signature
from referee.mail.incoming.html import Page, read_page
from referee.mail.incoming.lines import LONGEST_LINE, Thread, thread_of
from referee.mail.incoming.marks import Box, box_heads, cut
from referee.mail.incoming.mime import Headers, Part, Tree
from referee.value import Value

MOST_REFERENCES: Final = 50
"""Message-IDs of a thread that are looked up. A letter may name thousands."""

MOST_READ: Final = 20
"""Attached JSON documents that are read. Of a digest's turn files there may be many."""

MOST_BLOCKS: Final = 20
"""Text parts of a letter that are read. People write one or two."""

MOST_CODES: Final = 100
"""Codes of order boxes that are read. Each is looked up; a long thread quotes a few dozen."""

MOST_KNOWN: Final = 20
"""Addresses by which the lines of a thread are known; each is looked for in many lines."""

_RECIPIENTS: Final = ("to", "cc", "delivered-to", "x-original-to")

_SMIME: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})

_NOT_ENCRYPTED: Final = frozenset({"signed-data", "certs-only", "compressed-data"})
"""Kinds of S/MIME parts that anybody could read (RFC 8551 section 3.2.2)."""


class Limits(Value):
    """Limits of the reader. Text beyond them is left out, and the letter says so.

    Sizes are bytes, ``text`` and ``line`` characters, ``texts`` those of all parts of a kind;
    ``json`` are the bytes of all attached documents, and ``tags`` those of all HTML parts, as a tag
    or a bracket costs a hundred times what its bytes cost.
    """

    bytes: int = 10_000_000
    parts: int = 100
    depth: int = 10
    part_bytes: int = 512_000
    json: int = 1_024_000
    html_bytes: int = 1_000_000
    tags: int = 50_000
    text: int = 65_536
    texts: int = 131_072
    lines: int = 4_000
    line: int = LONGEST_LINE


LIMITS: Final = Limits()
"""What the referee reads with."""


class Letter(Value):
    """The content of a letter that concerns us. All of it is untrusted.

    Message-IDs carry their angle brackets. ``sender`` is None unless the letter names exactly one.
    ``text`` holds the plain text blocks, ``html_text`` the text of the HTML ones, where quoted
    parts bear ``> ``. ``authentication`` holds the Authentication-Results headers, top first.
    ``truncated``: not all of its text was read. ``thread`` identifies the lines that mail programs
    add to an answer. ``struck`` are the lines that the HTML shows struck out, in whole or in part.
    ``encrypted``: a part of it can be read by whoever has its key alone.
    """

    message_id: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    senders: tuple[str, ...]
    recipients: tuple[str, ...]
    automatic: bool
    reason: str | None
    text: tuple[str, ...]
    html_text: tuple[str, ...]
    json: tuple[JsonDocument, ...]
    authentication: tuple[str, ...]
    truncated: bool
    thread: Thread = field(default_factory=Thread)
    struck: frozenset[str] = frozenset()
    encrypted: bool = False

    @property
    def sender(self) -> str | None:
        """The address of the sender, when there is exactly one."""
        return self.senders[0] if len(self.senders) == 1 else None

    @property
    def blocks(self) -> tuple[str, ...]:
        """All text blocks, plain text before HTML."""
        return self.text + self.html_text

    @property
    def boxed(self) -> tuple[str, ...]:
        """The reply codes of the first order boxes, quoted ones too."""
        return tuple(head.code for head in self.box_heads)

    @property
    def box_heads(self) -> tuple[Box, ...]:
        """The heads of the first order boxes, quoted ones too, one for each reply code."""
        heads: dict[str, Box] = {}
        for head in (head for block in self.blocks for head in box_heads(block)):
            heads.setdefault(head.code, head)
            if len(heads) == MOST_CODES:
                break
        return tuple(heads.values())


def senders_of(raw: bytes) -> tuple[str, ...]:
    """Return the addresses a letter names as senders, from its headers."""
    # Often only the headers of a stranger's letter were fetched.
    return _senders(mime.read_headers(raw))


def read_letter(raw: bytes, limits: Limits = LIMITS) -> Letter:
    """Read a letter from any bytes. Never raises."""
    tree = mime.parse_tree(raw[: limits.bytes], most_parts=limits.parts, deepest=limits.depth)
    tree.truncated |= len(raw) > limits.bytes
    headers = tree.headers
    text = tuple(_plain_blocks(tree, limits))
    pages = tuple(_pages(tree, limits))
    html_text = tuple(page.text for page in pages)
    thread = thread_of(
        (*_addresses(headers, ("from",)), *_addresses(headers, _RECIPIENTS))[:MOST_KNOWN],
        headers.text("from"),
        headers.text("to"),
        headers.text("subject")[:998],
    )
    # The HTML usually repeats the plain text, so it is only second choice.
    written: list[JsonDocument] = []
    for blocks in (text, html_text):
        holding = (block for block in blocks if "{" in block)
        written += [
            document for block in holding for document in written_json(cut(block, thread).free)
        ]
        if written:
            break
    attached: list[JsonDocument] = []
    # Turn files that come back have some ten thousand bytes each.
    left = limits.json
    for part in [leaf for leaf in tree.leaves if _is_json(leaf)][:MOST_READ]:
        source = part.name[:80] or "attachment"
        most = min(limits.part_bytes, left)
        content, _ = part.content(most)
        left -= len(content)
        # A document that was cut is no document; half of one may even be valid.
        if len(content) >= most:
            large = JsonFault("large", {"most": limits.part_bytes, "all": limits.json})
            attached.append(JsonDocument(source, fault=large))
        else:
            attached.append(parse_json(source, part.text(most)[0]))
    # None if any is written oddly: our server removes forged ones by their name and its own, and
    # may not know these with a blank or a NUL behind them.
    odd = "authentication-results" in headers.odd
    reason = robots.robot_reason(headers, tree.leaves)
    encrypted = any(
        part.content_type == "application/pgp-encrypted"
        or (
            part.content_type in _SMIME
            and part.parameters.get("smime-type", "").lower() not in _NOT_ENCRYPTED
        )
        for part in tree.leaves
    ) or any(map(holds_encrypted, (*text, *html_text)))
    return Letter(
        message_id=next(iter(message_ids(headers.get("message-id"))), None),
        in_reply_to=next(iter(message_ids(headers.get("in-reply-to"))), None),
        # The last references are nearest to the mail that is answered (RFC 5322 section 3.6.4).
        references=message_ids(headers.get("references"))[-MOST_REFERENCES:],
        senders=_senders(headers),
        recipients=_addresses(headers, _RECIPIENTS),
        automatic=reason is not None,
        reason=reason,
        text=text,
        html_text=html_text,
        # Turn files that come back say nothing, and must not crowd out what does.
        json=tuple(sorted((*attached, *written), key=_comes_back)[:MOST_DOCUMENTS]),
        authentication=() if odd else headers.all("authentication-results")[:10],
        truncated=tree.truncated,
        thread=thread,
        struck=frozenset(line for page in pages for line in page.struck),
        encrypted=encrypted,
    )


def _addresses(headers: Headers, names: tuple[str, ...]) -> tuple[str, ...]:
    values = (value for name in names for value in headers.all(name)[:10])
    return tuple(dict.fromkeys(address for value in values for address in addresses(value)))


def _senders(headers: Headers) -> tuple[str, ...]:
    """Return the senders of a letter, empty if one is unreadable.

    We cannot know by which of several addresses another server judged the letter. So two headers
    are two senders even if they say the same, and so is an address beside an unreadable one.
    """
    values = headers.all("from")
    senders = _addresses(headers, ("from",))
    # A readable address beside an unreadable one must not pass for the only sender.
    several = len(values) > 1 or sum(map(count_addresses, values)) > 1
    return () if several and len(senders) == 1 else senders


def _plain_blocks(tree: Tree, limits: Limits) -> Iterator[str]:
    """Yield the plain text parts, those attached as files last."""
    plain = {"text/plain", "text/markdown"}
    parts = [leaf for leaf in tree.leaves if leaf.content_type in plain and not _is_json(leaf)]
    # One allowance for all parts: a hundred parts within their limit are a large text.
    left = limits.texts
    # A stable sort: parts keep their order, files attached as text come last.
    for part in _first(tree, sorted(parts, key=lambda part: part.attached)):
        # Bytes against characters: UTF-8 takes at most four for one.
        text = _text(tree, part, 4 * limits.text)
        # First of all: the dash before a signature's delimiter would let that line flow.
        text = without_signature(_lines(text))
        if part.parameters.get("format", "").lower() == "flowed":
            text = unflow(text, delsp=part.parameters.get("delsp", "").lower() == "yes")
        block = _bounded(tree, text, limits, left)
        left -= len(block)
        yield block


def _pages(tree: Tree, limits: Limits) -> Iterator[Page]:
    parts = [leaf for leaf in tree.leaves if leaf.content_type == "text/html" and not leaf.attached]
    left, texts = limits.tags, limits.texts
    for part in _first(tree, parts):
        html = _text(tree, part, limits.html_bytes)
        # Counted by their first character, which overestimates and needs no parser.
        tags = html.count("<")
        kept = html if tags <= left else "<".join(html.split("<", left + 1)[: left + 1])
        left -= min(tags, left)
        tree.truncated |= len(kept) < len(html)
        # One more than is kept, so that a text that was cut can be told from one that just fits.
        page = read_page(kept, limits.text + 1)
        block = _bounded(tree, page.text, limits, texts)
        texts -= len(block)
        yield Page(block, page.struck)


def _first(tree: Tree, parts: Sequence[Part]) -> Sequence[Part]:
    """Return the parts of a kind that are read."""
    tree.truncated |= len(parts) > MOST_BLOCKS
    return parts[:MOST_BLOCKS]


def _text(tree: Tree, part: Part, cap: int) -> str:
    """Return a part as text; it is noted that it was cut."""
    text, cut = part.text(cap)
    tree.truncated |= cut
    return text


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _bounded(tree: Tree, text: str, limits: Limits, left: int) -> str:
    """Return a text within the limits. ``left`` is the rest allowed for all parts together."""
    most = min(limits.text, left)
    lines = _lines(text[:most]).split("\n")
    kept = [line[: limits.line] for line in lines[: limits.lines]]
    tree.truncated |= len(text) > most or kept != lines
    return "\n".join(kept)


def _comes_back(document: JsonDocument) -> bool:
    """Return whether a document is a turn file of ours."""
    return isinstance(document.value, dict) and document.value.get("kind") == "turn"


def _is_json(part: Part) -> bool:
    # Many programs attach any file as application/octet-stream, so its name counts too.
    kind = part.content_type
    named = part.name.lower().endswith(".json")
    return (
        kind == "application/json"
        or (kind.startswith("application/") and "+json" in kind)
        or (named and not kind.startswith(("message/", "multipart/")))
    )
