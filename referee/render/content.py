"""Content of mails: drawn from templates, as text and as its HTML twin.

Each kind of mail has one body template; the macros it calls exist twice, for text and for HTML, so
that both twins say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from referee.render.drawings.drawing import Drawing
from referee.render.drawings.raster import DrawnPicture
from referee.render.layout import (
    DOT,
    MORE,
    NARROW,
    NO_BREAK,
    Format,
    clean,
    columns_of,
    wrap,
    wrap_whole,
)
from referee.render.links import ReplyForm, openings
from referee.render.templates import template_environment
from referee.render.words.wording import Catalogue
from referee.signs import LONGEST_NEWS, MOST_WRAPPED, frame_close, frame_open
from referee.value import Value, replace

_BLANK_LINES: Final = re.compile(r"\n{3,}")


class Framing(Value):
    """The match that a mail's frame names, and its order box.

    ``match`` is ``referee`` in a mail that belongs to no seat, and empty in a part of a mail, which
    has no frame. ``box`` is empty where no answer is possible, and only in the links where it is
    not ``boxed``. They need the ``address`` answers go to.
    """

    match: str
    box: tuple[str, ...] = ()
    boxed: bool = True
    address: str = ""


class Look(NamedTuple):
    """The colours of the bar at the top of a mail, below its frame.

    ``edge`` is that of a line around one that the mail's paper would swallow; else empty.
    """

    ground: str
    ink: str
    edge: str = ""


PLAIN: Final = Look("#e4e0d6", "#1c2126")
"""The look of a mail that asks for nothing and refuses nothing."""

REFUSED: Final = Look("#ffc21a", "#2b2100")
"""The look of a mail that says what was not done."""

NO_FRAMING: Final = Framing(match="")


class Content(Value):
    """The content of a mail, alone or beside others; nothing is drawn before it is asked for.

    ``sentence`` is its first one, which stands in a bar if it has a ``look``: a line break in it is
    where the second, smaller line begins. ``news`` is what its frame says of it, in the core's and
    the game's words alone, and where that may be too long also in fewer. ``fields`` are the
    variables of the template ``<body>.j2``, of which ``telling`` takes the sentence's place in
    subjects. ``parts`` are those of a mail of several things, each below its ``title`` and the
    lines it answers. ``opened`` is how many links that open an answer it has at most. ``closing``
    is a sentence at its end.
    """

    body: str
    subject: str
    sentence: str
    news: Sequence[str]
    framing: Framing
    catalogue: Catalogue
    fields: Mapping[str, object]
    parts: tuple[tuple[Sequence[str], Content], ...] = ()
    title: str = ""
    look: Look | None = None
    opened: int | None = None
    closing: str = ""

    @property
    def headline(self) -> str:
        """Its first sentence on one line."""
        return " ".join(self.sentence.split())

    @property
    def lines(self) -> tuple[str, ...]:
        """The one or two lines of its bar."""
        first, *rest = self.sentence.split("\n")
        return (first.rstrip(":,"), *rest) if rest else (first,)

    @property
    def telling_subject(self) -> str:
        """The subject for readers who want each mail's news in it."""
        tag, bracket, _ = self.subject.partition("]")
        told, quoted = str(self.fields.get("telling") or self.headline), self.fields.get("quoted")
        told = " ".join(told.split())
        # Whoever is written to sees at once what.
        if told.endswith(":"):
            first = quoted[0] if isinstance(quoted, list) and quoted else ""
            told = f"{told} {first}" if first else told.rstrip(":")
        return f"{tag}{bracket} {told}" if bracket else self.subject

    @property
    def text(self) -> str:
        """The mail as text of at most 72 columns."""
        return self.text_for("text")

    def text_for(self, kind: Format) -> str:
        """Return the mail as text in a form."""
        rendered = _whole(self, kind)
        # Trailing blanks would mark lines as flowed in some programs, and "-- " begins a signature.
        lines = "\n".join(line.rstrip() for line in rendered.splitlines())
        return _BLANK_LINES.sub("\n\n", lines).strip("\n") + "\n"

    @property
    def html(self) -> str:
        """The same mail as HTML."""
        # Mail programs clip long HTML, and the indentation of templates is of no use to them.
        lines = (line.strip() for line in _whole(self, "html").split("\n"))
        return "\n".join(line for line in lines if line) + "\n"

    @property
    def pictures(self) -> tuple[DrawnPicture, ...]:
        """The pictures its HTML shows, each once."""
        board, chart = self.fields.get("drawing"), self.fields.get("chart")
        hands: Any = self.fields.get("hands", ())
        drawn = board.picture if isinstance(board, Drawing) else None
        own = [chart, drawn, *(hand.picture for hand in hands)]
        shown = [picture for picture in own if isinstance(picture, DrawnPicture)]
        shown += [picture for _, part in self.parts for picture in part.pictures]
        # A board may be told in other words elsewhere, yet two parts cannot bear one name.
        return tuple({picture.content_id: picture for picture in shown}.values())

    @property
    def form(self) -> ReplyForm | None:
        """The answer that its links open; None if there is nothing to answer."""
        framing = self.framing
        if not framing.box or not framing.address:
            return None
        return ReplyForm(framing.address, self.subject, framing.box)

    def addressed(self, address: str) -> Content:
        """Return the content with links to an address of ours."""
        parts = tuple((lines, part.addressed(address)) for lines, part in self.parts)
        return replace(self, framing=replace(self.framing, address=address), parts=parts)

    def context(self, kind: Format, form: ReplyForm | None) -> dict[str, Any]:
        """Return the variables of its template; ``form`` is the answer that links open."""
        match, news = self.framing.match, self.news
        if kind == "spoken":
            # A frame is judged as it is shown.
            news = [self.catalogue.heard(said) for said in news]
        return {
            "content": self,
            "opens": match and _first_line(match, news),
            "closes": match and frame_close(match),
            "t": self.catalogue.say,
            "form": form,
            # Text has no links.
            "openings": openings(form, self.fields, self.catalogue)[: self.opened]
            if form and kind == "html"
            else [],
            "writer": "",
            "ends": "",
            "p": _environment(kind).get_template(f"parts.{_suffix(kind)}.j2").module,
            # A phone shows little at a time.
            "short": kind == "phone",
            **self.fields,
        }


def _first_line(match: str, news: Sequence[str]) -> str:
    """Return the first line of a mail, with the first of some news that is short enough."""

    def is_short(said: str) -> bool:
        # The frame must be one that can be read back, on a phone too.
        lines = wrap(frame_open(match, said), columns=NARROW).count("\n") + 1
        return len(said) <= LONGEST_NEWS and lines <= MOST_WRAPPED

    for said in news:
        if is_short(said):
            return frame_open(match, said)
    kept = news[-1]
    while kept and not is_short(f"{kept}…"):
        kept = kept.rpartition(" ")[0] or kept[:-1]
    return frame_open(match, f"{kept}…")


def _suffix(kind: Format) -> str:
    return "html" if kind == "html" else "txt"


def _whole(content: Content, kind: Format) -> str:
    environment, form = _environment(kind), content.form
    parts = []
    for lines, part in content.parts:
        context = part.context(kind, part.form or form)
        # Its mail has the links of all parts that have no box of their own.
        if part.form is None:
            context |= {"openings": ()}
        # Rendered by itself and put into the letter whole: a body never knows where it stands.
        drawn = environment.get_template(f"{part.body}.j2").render(context)
        if kind == "spoken":
            drawn = _heard(drawn, part.catalogue)
        if kind == "html":
            drawn = Markup(drawn)  # noqa: S704 - escaped by its template
        # What the whole letter begins with is said once.
        said = "" if part.headline == content.headline else part.headline
        parts.append((part.title, lines, said, drawn))
    context = content.context(kind, form) | {"parts": parts}
    drawn = environment.get_template(f"mail.{_suffix(kind)}.j2").render(context)
    return _heard(drawn, content.catalogue) if kind == "spoken" else drawn


def _heard(text: str, catalogue: Catalogue) -> str:
    """Return a text for hearers: signs as words, and lines broken that are too long by them."""
    said = []
    # Lines that begin with blanks go on with the one before.
    for item in re.split(r"\n(?!  )", text):
        told = catalogue.heard(item)
        said.append(item if told == item else wrap(re.sub(r"\n +", " ", told), rest="  "))
    return "\n".join(said)


def together(parts: Sequence[tuple[Sequence[str], Content]], framing: Framing) -> Content:
    """Return one mail of several, with one box for all.

    Each stands below the lines it answers. Subject and notes are those of the receipt if there is
    one, else of the first. Where another one shows the board of the receipt, the receipt leaves it
    out.
    """
    # Only a receipt has notes; max takes the first one otherwise.
    main = max((part for _, part in parts), key=lambda part: "notes" in part.fields)
    kept = ("asks", "notes", "writer", "ends", "begun")
    fields = {"notes": ()} | {name: main.fields[name] for name in kept if name in main.fields}
    shown = [part.fields.get("drawing") for _, part in parts if part.body != "receipt"]
    pieces: list[tuple[Sequence[str], Content]] = []
    for lines, part in parts:
        told = tuple(clean(line) for line in lines)
        # Box and notes are those of the whole mail.
        bare = {**part.fields, "notes": ()} if "notes" in part.fields else {**part.fields}
        if part.body == "receipt":
            # A receipt lists the lines that it judges.
            told = () if part.fields["lines"] else told
            own = part.fields.get("drawing")
            if isinstance(own, Drawing) and any(
                isinstance(drawing, Drawing) and own.shows(drawing) for drawing in shown
            ):
                bare["drawing"] = None
        pieces.append((told, replace(part, framing=NO_FRAMING, fields=bare)))
    alike = len({tuple(lines) for lines, _ in parts}) == 1
    key = "one" if alike else "several"
    sentence = main.catalogue.say(f"letter.{key}", n=len(parts))
    news: Sequence[str] = [main.catalogue.say(f"news.letter_{key}", n=len(parts))]
    look = PLAIN
    # That some orders were not played matters more than how many answers there are.
    if main.body == "receipt" and main.look == REFUSED:
        sentence, news, look = main.sentence, main.news, REFUSED
    return Content(
        "letter",
        main.subject,
        sentence,
        news,
        framing,
        main.catalogue,
        fields,
        tuple(pieces),
        look=look,
    )


def several(answers: Sequence[Content], framing: Framing) -> Content:
    """Return one mail of several, each with its own box and title."""
    main = answers[0]
    parts: list[tuple[Sequence[str], Content]] = []
    for answer in answers:
        # A mail of several parts has its box and notes at the end, and so has its last part here.
        *before, (lines, end) = answer.parts or (((), answer),)
        notes = {name: told for name, told in answer.fields.items() if name == "notes"}
        last = replace(end, framing=answer.framing, fields={**end.fields, **notes, "several": True})
        (above, first), *rest = [*before, (lines, last)]
        parts += [(above, replace(first, title=answer.subject)), *rest]
    say = main.catalogue.say
    return Content(
        "letter",
        say("subject.plain", title=say("letter.title")),
        say("letter.several"),
        [say("news.letter_several")],
        framing,
        main.catalogue,
        {"asks": "answer", "notes": ()},
        tuple(parts),
        look=PLAIN,
    )


@cache
def _environment(kind: Format) -> Environment:
    environment = template_environment(escape=kind == "html")
    environment.globals["dot"] = DOT
    environment.globals["more"] = MORE
    # Whoever hears a mail needs no line of signs.
    environment.globals["rule_line"] = "" if kind == "spoken" else "· · ·"
    columns = columns_of(kind)
    environment.filters["wrap"] = partial(wrap, columns=columns)
    environment.filters["whole"] = partial(wrap_whole, columns=columns)
    environment.filters["drawn"] = lambda drawing: drawing.lines(kind)
    environment.filters["dotted"] = partial(_dotted, breaks=kind == "html")
    # An order without its keyword, which its heading names; a lone keyword stays.
    environment.filters["shortened"] = lambda line, word: (
        line.removeprefix(f"{word} ") if line.startswith(f"{word} ") else _dotted([line])[0]
    )
    return environment


def _dotted(texts: Iterable[str], *, breaks: bool = False) -> list[str]:
    """Return orders with a protecting dot before each.

    A line that begins with it cannot play itself. They hold no-break spaces: a mail program that
    wraps a line never parts an order from its dot. ``breaks``: a long one may go on in another
    line behind its first two words, as on a narrow screen it has to.
    """
    return [(DOT + text).replace(" ", NO_BREAK, 2 if breaks else -1) for text in texts]
