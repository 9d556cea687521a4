"""Records taken in: verified first, then kept like matches played here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection

from referee.desk.archive import record as archive_record
from referee.desk.desk import Change, Desk
from referee.desk.matches import ledger
from referee.errors import RefereeError
from referee.games.game import Seat
from referee.games.play import canonical_json
from referee.matches import croupier, record
from referee.matches.events import SETTING
from referee.matches.log import open_log
from referee.matches.record import Finished
from referee.matches.replay import walk_events
from referee.store import notes
from referee.store.people import players
from referee.store.play import archives, matches
from referee.store.tables.play import EventRow, MatchRow

_MOST_DIGITS: Final = 8
"""Digits of a match's number that is kept; no counter comes so far."""

MOVED: Final = b'"kind":"move"'
"""The mark, on its first line, of a file that is no record but a running match."""


class BadRecord(RefereeError):
    """A record is not taken in; the message says why, and the remedy."""


def read_record(desk: Desk, lines: Sequence[bytes]) -> Finished:
    """Return a record as values once it verifies. Raises BadRecord."""
    verdict = record.verify_record(lines, desk.find_game)
    if not verdict.ok:
        if lines and MOVED in lines[0]:
            raise BadRecord(
                "line 1: this is no record but a running match that was to move, which is no "
                "more; a whole installation moves by backup and restore"
            )
        raise BadRecord(f"line {verdict.line}: {verdict.message}")
    return record.finished_of(lines)


def holders_by_name(
    connection: Connection, seats: Sequence[str], colours: Sequence[Seat]
) -> dict[Seat, int]:
    """Return the players that texts like ``red=alice@example.test`` name. Raises BadRecord."""
    holders = {}
    for text in seats:
        colour, _, who = text.partition("=")
        if colour not in colours:
            raise BadRecord(f"--seat {text}: the seats of this record are {', '.join(colours)}")
        player = players.by_address(connection, who)
        if player is None:
            raise BadRecord(f"--seat {text}: no player here has this address: player add")
        holders[colour] = player.id
    return holders


def take_record(
    change: Change, finished: Finished, holders: Mapping[Seat, int] | None = None
) -> tuple[str, str]:
    """Keep a finished match; ``holders`` are its players, by seat.

    Return its name here, and the outcome: ``taken``, ``there`` already, ``named`` if it was there
    without its players, or ``restored`` if its events had been pruned. If its name is taken by
    another match it gets one of its own. Raises BadRecord if the same match is here in another
    form.
    """
    terms = finished.terms
    # The header with its commitment is one match, whatever its name.
    for row in archives.matches_with_header(change.connection, terms.header_hash()):
        outcome = _again(change, row, finished)
        free = {
            seat.seat
            for seat in matches.seats(change.connection, row.id)
            if seat.holder == "nobody"
        }
        named = {colour: who for colour, who in (holders or {}).items() if colour in free}
        for colour, who in named.items():
            matches.change_seat(change.connection, row.id, colour, holder="player", player_id=who)
        return row.name, "named" if named and outcome == "there" else outcome
    # A name that another game's matches count by, or no counter of ours reaches, would stand in the
    # way of a match to come.
    digits = terms.match.rpartition("-")[2]
    count = int(digits) if len(digits) <= _MOST_DIGITS else 0
    ours = count > 0 and terms.match == f"{terms.game}-{count}"
    if ours and matches.find_match(change.connection, terms.match) is None:
        archives.take_number(change.connection, terms.game, count)
        name = terms.match
    else:
        name = matches.new_name(change.connection, terms.game)
    # The row as it stands before its events.
    added = matches.add_match(
        change.connection,
        name=name,
        game=terms.game,
        edition=terms.edition,
        state="over",
        options=terms.options,
        words=terms.words,
        board=terms.board,
        seed=finished.seed,
        commitment=croupier.commitment(finished.seed),
        practice=terms.practice,
        header=canonical_json(terms.document()),
        header_hash=terms.header_hash(),
        # When it was made elsewhere is unknown; it began here or later.
        created=finished.moments[0],
        started=finished.moments[0],
        ended=finished.moments[-1],
        # A record tells nothing about time.
        clock={"late": "wait"},
        result=finished.result,
        released=True,
    )
    row = _fill(change, matches.get_match(change.connection, added), finished)
    for number, seat in enumerate(terms.seats):
        player = (holders or {}).get(seat)
        matches.add_seat(change.connection, row.id, seat, number, player_id=player, agreed="yes")
        # No report is owed: the match was over before it came.
        matches.set_reported(change.connection, row.id, [seat], row.seq, row.turn + 1)
    return row.name, "taken"


def _again(change: Change, row: MatchRow, finished: Finished) -> str:
    """Return the outcome for a match that is here; raise BadRecord if it ended here otherwise."""
    name = row.name
    if row.state == "over":
        if seal := notes.PRUNED.read(change.connection, row.id):
            if seal != finished.seal:
                raise BadRecord(f"{name} was pruned, but its record was another: look for that one")
            _fill(change, row, finished, turns=False)
            notes.PRUNED.remove(change.connection, row.id)
            return "restored"
        if archive_record.record_bytes(change.connection, row).splitlines() == list(finished.lines):
            return "there"
        raise BadRecord(f"{name} is here and ended otherwise: compare with record export {name}")
    raise BadRecord(f"{name} is {row.state} here: a match is not ended by importing its record")


def _fill(change: Change, row: MatchRow, finished: Finished, *, turns: bool = True) -> MatchRow:
    """Write the events, with facts, turns and position; return the match."""
    terms = finished.terms
    live = open_log(change.desk.find_game(terms.game, terms.edition), terms, finished.seed)
    moments = finished.moments[1:]
    rows: list[EventRow] = []
    first = live.turn.number
    known = {turn.number for turn in matches.turns(change.connection, row.id)}
    # Where nothing is drawn first, a turn begins before the first event; of matches pruned long ago
    # it was never kept.
    if first and first not in known:
        matches.open_turn(change.connection, row.id, live.turn.number, live.turn.seat, 0)
    for (now, logged), moment in zip(walk_events(live, finished.events), moments, strict=True):
        event, one, other = logged.event, live.turn, now.turn
        rows.append(ledger.event_row(logged, moment))
        live = now
        # Pruning leaves the turns, so a restored match has them already.
        if one == other or not (turns or (one.number == first and first not in known)):
            continue
        if one.number and (event.kind not in SETTING or other.number > one.number):
            matches.close_turn(change.connection, row.id, one.number, event.seq, moment)
        if not turns:
            continue
        # Turns that stand after all are marked so once the whole log is known.
        if event.kind in SETTING:
            for turn in matches.turns(change.connection, row.id):
                if turn.state == "open":
                    matches.update_turn(change.connection, turn.id, state="undone")
        if not other.over:
            matches.open_turn(change.connection, row.id, other.number, other.seat, other.began)
    if any(event.kind in SETTING for event in finished.events):
        # The whole log is known now, and with it the turns in force.
        ledger.mark_turns(change.connection, row.id, finished.events)
    matches.append_events(change.connection, row.id, rows)
    began_at = moments[-1] if moments else None
    progress = ledger.keep_position(change.connection, live, row, began_at)
    return matches.change_match(change.connection, row.id, **progress, due=None, agenda_at=None)
