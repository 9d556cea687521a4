"""The move of a running match to another installation.

It is closed here, sealed in a file, and opened there: at any time only one installation runs it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

from sqlalchemy import Connection

from referee.desk import names
from referee.desk.archive import arrivals, audit
from referee.desk.archive.arrivals import FORMAT, KIND
from referee.desk.archive.take_in import BadRecord
from referee.desk.desk import Change, Desk
from referee.desk.mails import calendar
from referee.desk.matches import codes, rewind
from referee.desk.matches.time import clock as matches_clock
from referee.desk.matches.time import outages
from referee.desk.plans.act import OnMatch
from referee.desk.work import Refused, Work
from referee.games.play import canonical_json
from referee.matches import strict
from referee.matches.events import NOTICE
from referee.matches.time.turn_clock import UNTOLD
from referee.render.answers import signed
from referee.store import tables as columns
from referee.store.people import players
from referee.store.play import archives, matches, moves
from referee.store.play.matches import MatchRow
from referee.store.states import PLAYABLE
from referee.store.store import REVISIONS
from referee.text import counted


@dataclass(frozen=True, slots=True)
class Move(OnMatch):
    """Close a match here for good; it goes on elsewhere from ``file``."""

    name: ClassVar[str] = "move"
    file: str

    def carry_out(self, work: Work) -> None:
        state = work.going(*PLAYABLE).state
        path = Path(self.file)
        if path.exists():
            raise Refused(f"{path} is there already and is not replaced; name another")
        loaded = work.note(NOTICE, act=rewind.MOVE)
        # Their codes belong to this installation and are dead with the move.
        rewind.hold_back_reports(work.connection, loaded)
        row = loaded.row
        matches_clock.stop_clock(work.change, row, KIND)
        matches.set_match_state(work.connection, row.id, "moved", now=work.desk.now())
        work.tell(signed("moved"), moved=row.to_act)
        sealed = _sealed(work.connection, matches.get_match(work.connection, row.id), state)
        # Closed here for good, the match must not depend on a file that everybody refuses.
        try:
            arrivals.read_arriving(work.desk, sealed.splitlines())
        except BadRecord as fault:
            raise Refused(f"{self.match} cannot move; its file would be refused: {fault}") from None
        work.files[path] = sealed
        size = counted(len(sealed), "byte")
        work.warn(f"it can go on only from the file that this writes, {path}: {size}")
        work.warn("guard the file: it holds the seed, all hands and the players' addresses")
        work.warn(f"import it once, at the other installation: referee record import {path}")


def _sealed(connection: Connection, row: MatchRow, state: str) -> bytes:
    """Return the file of a match: a head with the seal, and all rows."""
    rows = moves.pack_match(connection, row.id)
    # The mails stay; the entries in calendars must not be numbered from the beginning again.
    clock = json.loads(row.clock) | {calendar.MAILED: calendar.most_mails(connection, row)}
    rows["matches"][0]["clock"] = canonical_json(clock)
    content = canonical_json({"state": state, "rows": rows})
    head = {
        "kind": KIND,
        "referee": FORMAT,
        "match": row.name,
        "game": row.game,
        "edition": row.edition,
        "schema": REVISIONS[-1],
        "seal": sha256(content.encode()).hexdigest(),
    }
    return f"{canonical_json(head)}\n{content}\n".encode()


def is_move(lines: Sequence[bytes]) -> bool:
    """Return whether a file is a match that moves, and no record."""
    try:
        head = json.loads(lines[0])
    except (ValueError, IndexError, RecursionError):
        return False
    return isinstance(head, dict) and head.get("kind") == KIND


def take_match(change: Change, lines: Sequence[bytes]) -> str:
    """Let a match that moved go on here; return its name.

    Everything in it is replayed first. When this raises BadRecord, the transaction must be rolled
    back.
    """
    found = arrivals.read_arriving(change.desk, lines)
    values = moves.plain_row(columns.matches, found.match)
    del values["id"]
    now = change.desk.now()
    values |= {"state": found.state, "ended": None, "agenda_at": now, "paused_at": None}
    if found.state == "paused":
        values["paused_at"] = now
    match_id = _place(change.connection, values)
    # The position follows from the log; a snapshot in the file could say otherwise.
    rows = {**found.rows, "snapshots": []}
    moves.unpack_match(
        change.connection, rows, match_id, _players(change.connection, change.desk, rows)
    )
    row = matches.get_match(change.connection, match_id)
    if fault := audit.audit_match(change, row).fault:
        told = strict.short(fault)
        raise BadRecord(f"line 2: $.rows: {found.terms.match} cannot be replayed: {told}")
    _greet(change, row)
    return row.name


def _place(connection: Connection, values: dict[str, Any]) -> int:
    """Return the match's row, new or the one it left from.

    Raises BadRecord if it is here already, or its name is another match's.
    """
    name = values["name"]
    for row in archives.matches_with_header(connection, values["header_hash"]):
        if row.state != "moved":
            raise BadRecord(f"{row.name} is {row.state} here already: a move is imported once")
        # An older file would throw away everything played since.
        if row.seq >= values["seq"]:
            raise BadRecord(f"{row.name} moved away from here with this file or a later one")
        moves.clear_match(connection, row.id)
        archives.change_whole(connection, row.id, {**values, "name": row.name})
        return row.id
    if matches.find_match(connection, name) is not None:
        raise BadRecord(
            f"another match is called {name} here, and a running one keeps its name: "
            "import it into another installation"
        )
    archives.take_number(connection, values["game"], int(name.rpartition("-")[2]))
    return archives.add_whole(connection, values)


def _players(
    connection: Connection, desk: Desk, rows: Mapping[str, list[dict[str, Any]]]
) -> dict[int, int]:
    """Return the number here of each of the file's players.

    They are known by an address, or added.
    """
    found: dict[int, int] = {}
    for row in rows["players"]:
        theirs = [each for each in rows["addresses"] if each["player_id"] == row["id"]]
        known = (players.by_address(connection, each["address"]) for each in theirs)
        same = next((each for each in known if each is not None), None)
        # Two players of the file are one person here, who would see both hands.
        if same is not None and same.id in found.values():
            name = strict.short(same.name)
            raise BadRecord(f"line 2: $.rows.players: two of them are {name} here, by address")
        found[row["id"]] = same.id if same else _add_player(connection, desk, row, theirs, rows)
    return found


def _add_player(
    connection: Connection,
    desk: Desk,
    row: Mapping[str, Any],
    addresses: Sequence[Mapping[str, Any]],
    rows: Mapping[str, list[dict[str, Any]]],
) -> int:
    values = moves.plain_row(columns.players, row)
    del values["id"]
    values["name"] = names.free_name(connection, values["name"])
    number = archives.add_row(connection, "players", {**values, "created": desk.now()})
    for each in addresses:
        # Another player may have asked for it here, but it was never confirmed.
        players.drop_address(connection, each["address"])
        address = {**moves.plain_row(columns.addresses, each), "player_id": number}
        del address["id"]
        archives.put_rows(connection, "addresses", [address])
    for each in rows["away"]:
        if each["player_id"] == row["id"]:
            days = {**moves.plain_row(columns.away, each), "player_id": number}
            del days["id"]
            archives.put_rows(connection, "away", [days])
    return number


def _greet(change: Change, row: MatchRow) -> None:
    """Give every seat a code of this installation and a report.

    The report starts the clock.
    """
    document = json.loads(row.clock)
    run = document.get(matches_clock.RUN)
    if run is not None:
        # The clock waits for the first report from here, as for any other.
        run["stops"] = sorted(
            {UNTOLD} | ({matches_clock.PAUSED} if row.state == "paused" else set())
        )
        # Outages are numbered by each installation; earlier ones here do not concern it.
        run["gap"] = outages.last_outage_over(change.connection)
        archives.change_whole(
            change.connection, row.id, {"clock": canonical_json(document), "due": None}
        )
        matches_clock.make_outages_good(change, matches.get_match(change.connection, row.id))
    seats = matches.seats(change.connection, row.id)
    codes.add_codes(change, row, seats, row.turn, row.turn_began_seq)
    for seat in seats:
        archives.forget_thread(change.connection, row.id, seat.seat)
        # So that a report about the present turn is due.
        told = min(seat.reported_turn, row.turn - 1)
        matches.set_reported(change.connection, row.id, seat.seat, seat.reported_seq, told)
