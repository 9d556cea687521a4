"""The acts of an organiser: how one is carried out, and its outcome before and after.

An outcome shows the organiser only what a spectator may see; hands, draws and reply codes are left
out.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from datetime import date, timedelta
from email import policy
from email.parser import BytesParser
from typing import Any, ClassVar, Final

from sqlalchemy import Connection

from referee.desk.desk import Change, stamp
from referee.desk.directory import no_match
from referee.desk.mails import post
from referee.desk.mails import report as mails_report
from referee.desk.mails.post import Binding, Mail
from referee.desk.matches import broken, ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock as matches_clock
from referee.desk.matches.time import outages
from referee.desk.matches.time.departure import Way
from referee.desk.players import players_of
from referee.desk.work import ORGANISER, Refused, Work
from referee.games.game import Document
from referee.mail.codes import format_code
from referee.matches.events import NOTICE
from referee.matches.time.moments import SECOND, format_duration
from referee.render.answers import Signed, signed
from referee.render.drawings.drawing import draw_scene
from referee.render.reports import Report, report_content
from referee.render.words.moments import day_text
from referee.render.words.wording import Catalogue, Wording
from referee.signs import frame_of
from referee.store.people import players
from referee.store.play import matches, watchers
from referee.store.post import outbox, reports
from referee.store.states import ATTENDED
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow
from referee.store.tables.post import OutboxRow
from referee.value import Value, asdict, replace

LONGEST_WHY: Final = 1000
"""Characters of a reason."""

MASK: Final = "····-····"
"""The place of a reply code in a plan."""

HEAD: Final = f"{MASK}-····"
"""The place of the log's head in a plan; it is not known before the event is written."""

OPEN_KINDS: Final = frozenset({"notice", "invitation"})
"""The kinds of mail without secrets; others may show a hand, and are not read."""

NO_CODE: Final = "0" * 8
"""The code of a report that is only shown."""

WITHHELD: Final = "[{seat}'s own part is not shown here]"
"""The place of a seat's secrets in a plan."""

GIVEN_BACK: Final = (
    "[the receipt of a letter, not shown here: the report that told it does not leave, so the next "
    "one tells it, or it leaves by itself]"
)
"""The place of a receipt in a plan."""

SECRET: Final = frozenset({"given", "made_from", "lines"})
"""Arguments of acts that may name what players do not know: a position, orders for a seat."""


class Act(Value, forbid_unknown_fields=True):
    """An act of an organiser, on all the matches it reaches.

    It is made anew from its document, so that it can be carried out later than it was planned.
    ``final``: it cannot be taken back, so it is planned even when it changes no match. ``single``:
    it names its match and always changes it. ``by_clock``: it may start clocks, so it waits while
    the clock is behind.
    """

    name: ClassVar[str]
    final: ClassVar[bool] = False
    single: ClassVar[bool] = False
    by_clock: ClassVar[bool] = True

    @property
    def own_reason(self) -> str:
        """The reason that it gives itself, if nobody gives another."""
        return ""

    @abstractmethod
    def reach(self, connection: Connection) -> Iterable[str]:
        """Return the names of the matches it may change."""

    @abstractmethod
    def begin(self, change: Change) -> Begun:
        """Do all that belongs to no single match. Raises RefereeError, with nothing half done."""


class Begun(Value):
    """An act whose general part is done, told in lines.

    ``carry_on`` does the rest in one match it changes: all of it, or only log and mails.
    """

    lines: tuple[str, ...]
    carry_on: Callable[[Work], None]


class OnMatch(Act):
    """An act on one match, carried out there as a whole."""

    single: ClassVar[bool] = True
    match: str

    def reach(self, _: Connection) -> Iterable[str]:
        return (self.match,)

    def begin(self, _: Change) -> Begun:
        return Begun((), self.carry_out)

    @abstractmethod
    def carry_out(self, work: Work) -> None:
        """Carry it out in the open transaction. Raises Refused, and then nothing is half done."""


def telling(
    player: PlayerRow | None,
    what: str,
    *days: date,
    who: str | None = None,
    whom: str | None = None,
) -> Callable[[Work], None]:
    """Return a function that tells a match of changed clocks: those of a ``player``, or all."""

    def tell(work: Work) -> None:
        seat, name = None, who
        if player is not None:
            name = who or player.name
            seat = matches.seats_of_player(work.connection, player.id, work.row.id)[0].seat
        work.note(NOTICE, seat=seat, act=what)

        def said(reader: PlayerRow) -> Signed:
            worded = [day_text(day, Catalogue(reader.language)) for day in days]
            first, last = worded or (None, None)
            return signed(
                "clocks-changed",
                what=what,
                seat=seat,
                who=name,
                whom=whom,
                first=first,
                last=last,
                to_act=work.row.to_act,
                due=work.due(reader),
            )

        work.tell(said)

    return tell


class Stand(Value):
    """The state of a match as a spectator sees it.

    ``left`` is the time in seconds of each seat whose clock stands, or that has a bank.
    """

    state: str
    turn: int
    to_act: str | None
    due: str | None
    board: tuple[str, ...]
    left: dict[str, int]

    @property
    def spans(self) -> tuple[str, ...]:
        """The time left in words, seat by seat."""
        left = {seat: timedelta(seconds=seconds) for seat, seconds in self.left.items()}
        return tuple(f"{seat} has {format_duration(time)} left" for seat, time in left.items())


class WrittenEvent(Value):
    """An event to be written, with the facts open to spectators."""

    seq: int
    kind: str
    seat: str | None
    facts: tuple[str, ...]


class Mailed(Value):
    """A mail that goes out: to whom, its subject, its text."""

    to: str
    subject: str
    text: str

    @property
    def first(self) -> str:
        """Its first sentence, in one line."""
        said = (" ".join(paragraph.split()) for paragraph in self.text.split("\n\n"))
        return next(
            (paragraph for paragraph in said if paragraph and frame_of(paragraph) is None), ""
        )


class MatchOutcome(Value):
    """The outcome of an act in one match; ``reports`` are written, or due when it rests."""

    match: str
    before: Stand
    after: Stand
    events: tuple[WrittenEvent, ...]
    warnings: tuple[str, ...]
    mails: tuple[Mailed, ...]
    reports: tuple[Mailed, ...]


class Outcome(Value):
    """An act with its outcome in every match it changes.

    ``id`` is the plan's number. ``lines`` tell the rest of its work; ``state`` is ``applied``
    without an ``id`` if no match was changed, so that there was nothing to plan. ``single``: the
    act names its match. ``created`` is when the plan was made, where it is shown again.
    """

    act: str
    arguments: Document
    by: str
    why: str
    lines: tuple[str, ...]
    matches: tuple[MatchOutcome, ...]
    single: bool
    id: int = 0
    state: str = "applied"
    created: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The matches it changes."""
        return tuple(changed.match for changed in self.matches)

    @property
    def mails(self) -> list[Mailed]:
        """The mails it brings, reports included."""
        return [mail for changed in self.matches for mail in (*changed.mails, *changed.reports)]

    def document(self) -> Document:
        """Return it as JSON; that of a single act is flat, without a list of matches."""
        said = {"act": self.act, "arguments": self.arguments, "by": self.by, "why": self.why}
        entries = [
            {"plan": 0, "state": "", "match": changed.match, **said, **asdict(changed)}
            for changed in self.matches
        ]
        head: dict[str, Any] = {"plan": self.id, "state": self.state}
        if self.created is not None:
            head["created"] = self.created
        if self.single:
            return {**entries[0], **head}
        named = ", ".join(self.names) or self.arguments.get("match", "")
        return {**head, "match": named, **said, "done": self.lines, "matches": entries}


def enact(change: Change, act: Act, why: str, by: str = ORGANISER) -> Outcome:
    """Carry out an act in the open transaction; return its outcome.

    It is logged and told in each match it changes. Raises RefereeError; Refused if a match changed
    and no reason was given.
    """
    # Letters are played all the while.
    if by == ORGANISER and act.by_clock:
        outages.refuse_behind(change)
    names = [*act.reach(change.connection)]
    rows = matches.lock_matches(change.connection, names)
    if missing := {*names} - {row.name for row in rows}:
        raise Refused(no_match(change.connection, min(missing)))
    before = {row.id: stand_of(change, row, drawn=act.single) for row in rows}
    marks = {} if act.single else {row.id: _mark(change, row) for row in rows}
    # The replies told by reports that have not left.
    told = {row.id: reports.replies_told(change.connection, row.id) for row in rows}
    # Mails written from here on are the act's.
    last = outbox.last_mail_id(change.connection)
    begun = act.begin(change)
    changed = [
        row
        for row in rows
        if act.single
        or marks[row.id] != _mark(change, matches.get_match(change.connection, row.id))
    ]
    reason = why.strip() or act.own_reason
    if changed and not reason:
        if act.single:
            raise Refused("give --why: say in a few words why, the players are told")
        named = ", ".join(row.name for row in changed)
        raise Refused(f"this changes {named}: say in a few words --why, the players are told")
    if changed and post.gives_away(change.connection, reason):
        raise Refused("--why holds a reply code or an order box, which are secret")
    if changed and len(reason) > LONGEST_WHY:
        raise Refused(f"--why is too long: at most {LONGEST_WHY} characters")
    lines, outcomes = [*begun.lines], []
    for row in changed:
        work = Work(change, row.name, by, reason)
        try:
            with change.connection.begin_nested(), broken.faults_as_broken(row):
                begun.carry_on(work)
                came = gather(work, row, before[row.id], last, told[row.id], drawn=act.single)
        except broken.BrokenMatch as fault:
            if act.single:
                raise
            # A broken match must not keep a player from being set right elsewhere.
            lines.append(f"{fault}. It is changed too, and its players are not told")
        else:
            outcomes.append(came)
    return Outcome(
        act=act.name,
        arguments=shown_arguments(asdict(act)),
        by=by,
        why=reason,
        lines=tuple(lines),
        matches=tuple(outcomes),
        single=act.single,
    )


def _mark(change: Change, row: MatchRow) -> tuple[object, ...]:
    """Return the parts of a match an act may change: clock, holders, calendars."""
    clock = matches_clock.clock_of(change, row)
    seats = matches.seats(change.connection, row.id)
    calendars = [matches_clock.calendar_of(change.connection, row, seat) for seat in seats]
    # Days that are over in every zone change nothing any more.
    today = (change.desk.now() - timedelta(days=1)).date()
    return (
        clock.run and clock.run.due(clock.calendar),
        clock.run.stops if clock.run else frozenset(),
        [(seat.seat, seat.player_id) for seat in seats],
        [calendar.since(today) for calendar in calendars] if clock.pace.limited else [],
    )


def shown_arguments(document: Document) -> Document:
    """Return the arguments of an act as anybody may see them."""
    withheld = "[not shown here: it may name what players do not know]"
    return {**document, **{name: withheld for name in SECRET if document.get(name) is not None}}


def gather(
    work: Work,
    row: MatchRow,
    before: Stand,
    last_mail: int,
    told: Iterable[int],
    *,
    drawn: bool,
) -> MatchOutcome:
    """Return an act's outcome in a match that was ``row`` before.

    ``told`` are the replies that unsent reports had told; those that leave now are mails, too.
    """
    connection = work.connection
    # Something may be due now that was not before.
    matches.set_agenda(connection, row.id, work.desk.now())
    after = matches.get_match(connection, row.id)
    # Those the act brought, and only those that will leave. Some are about the match, though bound
    # to none of its seats.
    mails = [
        mail
        for mail in outbox.mails_after(connection, last_mail)
        if (mail.match_id == row.id or mail.id in work.mails) and mail.state != "superseded"
    ]
    wording = Wording(work.desk.find_game(row.game, row.edition), work.desk.settings.language)
    events = []
    for event in matches.events(connection, row.id, after=row.seq):
        facts = [fact for fact in ledger.facts_from_json(event.facts) if fact.known_to(None)]
        events.append(WrittenEvent(event.seq, event.kind, event.seat, tuple(wording.facts(facts))))
    notices = [_notice(connection, mail) for mail in mails if mail.kind in OPEN_KINDS]
    replies = [outbox.get_mail(connection, mail_id) for mail_id in told]
    back = [_notice(connection, reply) for reply in replies if reply.state == "waiting"]
    # Its subject may tell of orders as well.
    notices += [replace(reply, text=GIVEN_BACK, subject=f"[{row.name}] …") for reply in back]
    return MatchOutcome(
        match=row.name,
        before=before,
        after=stand_of(work.change, after, drawn=drawn),
        events=tuple(events),
        warnings=tuple(work.warnings),
        mails=tuple(notices),
        reports=tuple(_reports(work.change, after, mails)),
    )


def stand_of(change: Change, row: MatchRow, *, drawn: bool) -> Stand:
    """Return the state of a match; ``drawn``: with its board."""
    due = stamp(row.due) if row.due and row.state == "running" else None
    with broken.faults_as_broken(row):
        left = {} if row.header is None else matches_clock.time_left(change, row)
    # What runs is told by its end; what stands, by what is left.
    standing = {
        seat: time // SECOND for seat, time in left.items() if due is None or seat != row.to_act
    }
    board: tuple[str, ...] = ()
    if drawn and row.header is not None:
        loaded = ledger.load_match(change, row)
        wording = Wording(loaded.game, change.desk.settings.language)
        drawing = draw_scene(loaded.live.scene(None), wording)
        board = drawing.text
        for title, sentences in drawing.panels:
            board += ("", f"{title}:", *(f"  {sentence}" for sentence in sentences))
    return Stand(row.state, row.turn, row.to_act, due, board, standing)


def _notice(connection: Connection, row: OutboxRow) -> Mailed:
    message = BytesParser(policy=policy.default).parsebytes(outbox.raw_mail(connection, row.id))
    # All our mails have a text, whatever stands beside it.
    body = message.get_body(("plain",))
    text = "" if body is None else str(body.get_content()).replace("\r\n", "\n")
    # A plan can be shown to anybody; a code speaks for a seat.
    if row.code is not None:
        text = text.replace(format_code(row.code), MASK)
    name = row.recipient
    if row.player_id is not None:
        name = players.get_player(connection, row.player_id).name
    return Mailed(name, str(message["Subject"]), text)


def _reports(change: Change, row: MatchRow, mails: Iterable[OutboxRow]) -> Iterator[Mailed]:
    """Yield the reports that were written or will follow.

    They show the match as it stands now; moves of chance, bots and standing orders in between are
    unknown.
    """
    if row.header is None:
        return
    loaded = ledger.load_match(change, row)
    written = {mail.seat for mail in mails if mail.kind == "report"}
    rests = row.state in ATTENDED
    ways = mails_report.ways_of(change, loaded) if rests else {}
    for seat, player in players_of(change.connection, loaded.seats).items():
        # What is written again is a mail already.
        way = "mail" if seat in written else ways.get(seat, "report")
        if way == "report" or players.address_for(change.connection, player.id) is None:
            continue
        if seat in written:
            since = reports.told_before(change.connection, row.id, seat, row.turn_began_seq)
        else:
            told_seq = loaded.seat(seat).reported_seq
            since = reports.told_since(change.connection, row.id, seat, told_seq)
        report = mails_report.open_part(change, loaded, seat, player, since)
        yield _shown(loaded, report, player, way)
    for watcher in watchers.watchers_of(change.connection, row.id) if rests else ():
        if mails_report.has_news(loaded, watcher):
            player = players.get_player(change.connection, watcher.player_id)
            report = mails_report.spectator_report(change, loaded, watcher, player)
            yield _shown(
                loaded, report, player, mails_report.way_of_report(change, loaded, None, player)
            )


def _shown(loaded: LoadedMatch, report: Report, player: PlayerRow, way: Way) -> Mailed:
    """Show a report without its seat's secrets, made by ``open_part`` or ``spectator_report``."""
    wording = Wording(loaded.game, player.language)
    framing = post.BARE_FRAMING
    said = replace(report, head=HEAD)
    binding: Binding | None = None
    if report.seat is not None:
        binding = Binding(loaded.row, loaded.seat(report.seat), report.turn, NO_CODE)
        framing = post.seat_framing(wording, binding, box=report.to_act == report.seat)
        said = replace(said, withheld=WITHHELD.format(seat=report.seat))
    content = report_content(wording, said, framing)
    subject = post.subject_of(Mail("report", content, binding), player)
    # Until its hour a digest may still collect more.
    to = f"{player.name}, in the daily mail" if way == "digest" else player.name
    return Mailed(to, subject, content.text.replace(format_code(NO_CODE), MASK))
