"""Matches in their game's own files, such as PGN: written, and taken in once the rules agree.

A file proves nothing about chance. What it says of dice or deals is checked to be possible, and set
as an organiser would set it; the match counts as practice.
"""

from __future__ import annotations

from datetime import date
from hashlib import sha256
from itertools import islice
from typing import Final

from sqlalchemy import Connection

from referee.desk.archive import record as archive_record
from referee.desk.archive import take_in
from referee.desk.archive.take_in import BadRecord
from referee.desk.desk import Desk, game_named, stamp
from referee.desk.matches import broken
from referee.desk.players import names_of
from referee.errors import RefereeError
from referee.games import registry
from referee.games.game import (
    ABANDONED,
    CHANCE,
    AnyGame,
    FileFormat,
    Result,
    Transcript,
    Unreadable,
)
from referee.games.play import complete_options
from referee.mail.composing import Attachment
from referee.matches import croupier, log, record, takeback
from referee.matches.events import BOARD_KINDS, FIX, current_events
from referee.matches.log import DECLARED, AnyMatch, Logged
from referee.matches.record import Finished
from referee.matches.replay import Replay
from referee.matches.takeback import UNUSABLE
from referee.matches.terms import Terms
from referee.render.common import NAME_LENGTH
from referee.render.layout import clean
from referee.render.words.wording import Wording
from referee.resources import FALLBACK
from referee.store.play import archives, matches
from referee.store.tables.play import MatchRow
from referee.text import short
from referee.value import replace

FROM_A_FILE: Final = sha256(b"\nfrom a file").hexdigest()
"""Why a position was set; the record has reasons by their hash."""

_FIRST_YEAR: Final = 1000
_LAST_YEAR: Final = 2999
"""The years of a record's moments, as its schema has them."""


def files_of(desk: Desk, connection: Connection, row: MatchRow) -> tuple[Attachment, ...]:
    """Return a finished match as its game's own files; none if its position was set by hand.

    Players are named as on its page. Raises RefereeError.
    """
    game = desk.find_game(row.game, row.edition)
    formats = game.files
    if not formats:
        return ()
    lines = archive_record.record_bytes(connection, row).splitlines()
    with broken.faults_as_broken(row):
        transcript = _transcript(game, record.finished_of(lines))
        if transcript is None:
            return ()
        seats = matches.seats(connection, row.id)
        held = [seat for seat in seats if seat.bot or seat.player_id is not None]
        names = names_of(connection, held)
        players = {seat: clean(name, NAME_LENGTH) for seat, name in names.items()}
        transcript = replace(transcript, match=row.name, players=players)
        return tuple(
            Attachment(f"{row.name}.{ending}", form.media, form.write(transcript).encode())
            for ending, form in sorted(formats.items())
        )


def file_as(desk: Desk, connection: Connection, row: MatchRow, ending: str) -> bytes:
    """Return a finished match as a file with this ending. Raises RefereeError if it has none."""
    endings = sorted(desk.find_game(row.game, row.edition).files)
    if ending not in endings:
        there = f"there are: {', '.join(endings)}" if endings else "it has none of its own"
        raise RefereeError(f"--as {ending}: {row.game} has no such files; {there}")
    for file in files_of(desk, connection, row):
        if file.name.endswith(f".{ending}"):
            return file.content
    raise RefereeError(f"{row.name}: its position was set by hand, which no .{ending} file can say")


def _transcript(game: AnyGame, match: Finished) -> Transcript | None:
    """Return a match as its game's files hold it; None if its position was set by hand."""
    terms = match.terms
    replay = Replay(log.open_log(game, terms, match.seed), [])
    orders = []
    for event in current_events(match.events):
        before = replay.match
        if event.kind in BOARD_KINDS or event.kind == FIX:
            replay.follow(event)
        if event.kind in BOARD_KINDS:
            orders.append(str(event.order))
        elif event.kind == FIX:
            # Chance that came from a file was set, and is an outcome that leads to this position.
            reached = game.dump(replay.match.position)
            outcomes = game.chance(before.position) if before.to_act == CHANCE else ()
            for order, _ in outcomes:
                if game.dump(game.apply(before.position, order)[0]) == reached:
                    orders.append(game.format(order, FALLBACK))
                    break
            else:
                return None
    moments = [event.arrival for event in match.events if event.arrival] or [terms.started]
    return Transcript(
        terms.seats,
        terms.options,
        tuple(orders),
        terms.board,
        Result(**match.result),
        began=terms.started[:10],
        ended=moments[-1][:10],
    )


def formats_for(ending: str, name: str | None) -> list[tuple[AnyGame, FileFormat]]:
    """Return the games whose files end so, each in its newest edition; of ``name`` alone if given.

    A game with files of one kind reads them whatever their ending. Raises RefereeError if the game
    that is named has none.
    """
    if name is None:
        # An older edition reads nothing that its successor cannot.
        newest = {game.name: game for game in registry.installed_games().all()}
        known = [(game, game.files) for game in newest.values()]
        return [(game, formats[ending]) for game, formats in known if ending in formats]
    game = game_named(name)
    formats = game.files
    if ending not in formats and len(formats) != 1:
        there = f"it has: {', '.join(sorted(formats))}" if formats else "it has none"
        raise RefereeError(f"--game {name}: it has no files that end in .{ending}; {there}")
    return [(game, formats[ending] if ending in formats else next(iter(formats.values())))]


def read_transcript(desk: Desk, data: bytes, formats: list[tuple[AnyGame, FileFormat]]) -> Finished:
    """Return the one match in a file of a game's own, once the rules agree with all of it.

    Of several games that have such files it is the one that can read it. Raises BadRecord.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # The character set in which PGN was defined.
        text = data.decode("latin-1")
    read, faults = list[tuple[AnyGame, Transcript]](), []
    for game, form in formats:
        try:
            transcripts = list(islice(form.read(text), 2))
        except UNUSABLE as fault:
            faults.append(f"{game.name}: {short(str(fault))}")
            continue
        if len(transcripts) > 1:
            raise BadRecord("there is more than one game in it: import each as a file of its own")
        read += [(game, transcript) for transcript in transcripts]
    if not read:
        raise BadRecord("; ".join(faults) or "there is no game in it")
    if len(read) > 1:
        names = ", ".join(game.name for game, _ in read)
        raise BadRecord(f"it may be a match of several games: --game says of which: {names}")
    [(game, transcript)] = read
    return take_in.read_record(desk, _record_of(desk, game, transcript, sha256(data).digest()))


def _record_of(desk: Desk, game: AnyGame, transcript: Transcript, seed: bytes) -> list[bytes]:
    """Return the lines of a record of a match that a file tells of. Raises BadRecord."""
    day = _day(game, transcript.began or transcript.ended)
    if day:
        began = f"{day}T00:00:00Z"
    else:
        # A file without a day is taken for that of its import, and known again on another.
        with desk.store.reading() as connection:
            began = stamp(archives.began_with(connection, croupier.commitment(seed)) or desk.now())
    ended = _day(game, transcript.ended)
    ended = max(began, f"{ended}T00:00:00Z") if ended else began
    try:
        options = complete_options(game, transcript.options)
        rng = croupier.SeededRandom(seed)
        terms = Terms(
            # It was never played here.
            match=f"{game.name}-0",
            game=game.name,
            edition=game.edition,
            board=game.board(transcript.seats, options, transcript.board, rng),
            seats=transcript.seats,
            options=options,
            commitment=croupier.commitment(seed),
            # Made from the file, so that the same one is known again: it binds nobody.
            practice=True,
            words={},
            started=began,
            given=transcript.board is not None,
        )
        match = log.open_log(game, terms, seed)
    except UNUSABLE as fault:
        raise BadRecord(f"{game.name}: {short(str(fault))}") from None
    events, told = list[Logged](), transcript.result
    try:
        for number, text in enumerate(transcript.orders):
            place = f"{transcript.places[number] if transcript.places else f'order {number + 1}'}: "
            match = _play(match, text, ended, events)
        place = ""
        # Forced orders behind the last one were played if they ended the match as the file says.
        last, forced = match, list[Logged]()
        while step := _needless(last, ended):
            last = step[0]
            forced.append(step[1])
        if last.result is not None and (told is None or told.places == last.result.places):
            match = last
            events += forced
        result = match.result
        if result is None:
            told = told or Result(ABANDONED, {}, dict.fromkeys(terms.seats, 1))
            # A file of another program tells who won, and not always how.
            how = told.ending or DECLARED
            result = replace(told, ending=how, points=game.points(match.position))
            match, logged = log.conclude(match, result, ended)
            events.append(logged)
    except (BadRecord, *UNUSABLE) as fault:
        raise BadRecord(f"{place}{short(str(fault))}") from None
    if told is not None and told.places != result.places:
        ending = Wording(game, FALLBACK).ending(result)
        raise BadRecord(f"its result is not that of the rules: {ending}")
    lines = record.record_lines(terms, (logged.event for logged in events), seed, result)
    return [text.encode() for text in lines]


def _day(game: AnyGame, told: str) -> str:
    """Return a day, or none, that a file tells. Raises BadRecord.

    A month or day that is not known is taken for the first.
    """
    day = told.replace("-??", "-01")
    try:
        year = date.fromisoformat(day).year if day else _FIRST_YEAR
    except ValueError as fault:
        raise BadRecord(f"{game.name}: its date {day} cannot be taken: {fault}") from None
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        span = f"year must be in {_FIRST_YEAR}..{_LAST_YEAR}"
        raise BadRecord(f"{game.name}: its date {day} cannot be taken: {span}")
    return day


def _play(match: AnyMatch, text: str, moment: str, events: list[Logged]) -> AnyMatch:
    """Play an order of a file, and before it forced ones that are left out. Raises BadRecord."""
    game, wording = match.game, Wording(match.game, FALLBACK)
    try:
        order = game.parse(text, FALLBACK)
    except Unreadable as error:
        raise BadRecord(f"{text}: {wording.unreadable(error)}") from None
    while True:
        position, why = match.position, "the game is over before it"
        if match.to_act == CHANCE:
            why = "chance acts before it, and this is no outcome of it"
            outcomes = [outcome for outcome, _ in game.chance(position)]
            if order in outcomes and len(outcomes) == 1:
                after, logged = log.play_chance(match)
                break
            if order in outcomes:
                # The position is set to the one that it leads to.
                reached = game.dump(game.apply(position, order)[0])
                patch = takeback.patch_between(game.dump(position), reached)
                after, logged = takeback.fix_position(
                    match, patch, moment, by="organiser", why=FROM_A_FILE
                )
                break
        elif match.to_act is not None:
            refusal = game.refusal(position, order)
            if refusal is None:
                forced = game.forced(position) == order
                order = game.canonical(position, order)
                after, logged = log.play_order(match, order, moment, forced=forced)
                break
            why = wording.refusal(refusal)
        step = _needless(match, moment)
        if step is None:
            raise BadRecord(f"{text}: {why}")
        match = step[0]
        events.append(step[1])
    events.append(logged)
    return after


def _needless(match: AnyMatch, moment: str) -> tuple[AnyMatch, Logged] | None:
    """Play a forced order, or chance that has one outcome."""
    if match.to_act == CHANCE:
        return log.play_chance(match) if len(match.game.chance(match.position)) == 1 else None
    order = match.game.forced(match.position) if match.to_act else None
    return None if order is None else log.play_order(match, order, moment, forced=True)
