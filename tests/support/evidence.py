"""Records of matches played by mail, the mails a player keeps of them, and forgeries of both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from support.club import ALICE, BOB, open_club

from referee.desk.archive.record import record_bytes
from referee.desk.matches import ledger
from referee.desk.players import add_player
from referee.games import registry
from referee.games.game import Order
from referee.matches import record
from referee.matches.events import Event
from referee.matches.log import AnyMatch
from referee.matches.match import submit
from referee.matches.replay import restore_match
from referee.matches.terms import Terms

LATER = "2027-01-05T09:00:00Z"


@dataclass(frozen=True)
class Evidence:
    """The record of a match, and all mails its players got, oldest first, with their kinds.

    ``mails`` are Alice's, ``german`` are Bob's.
    """

    record: bytes
    mails: tuple[tuple[str, bytes], ...]
    german: tuple[tuple[str, bytes], ...]

    @property
    def lines(self) -> list[bytes]:
        """The lines of the record, without line ends."""
        return self.record.splitlines()

    def kept(self, folder: Path) -> list[Path]:
        """Write the mails as files into a folder and return them."""
        return written(folder, [raw for _, raw in self.mails])


def written(folder: Path, mails: Sequence[bytes]) -> list[Path]:
    """Write mails as numbered files into a folder and return them."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:03}.eml" for number in range(len(mails))]
    for path, raw in zip(paths, mails, strict=True):
        path.write_bytes(raw)
    return paths


def played_by_mail(folder: Path, game: str, seed: int = 1) -> Evidence:
    """Play a match of two at a club, from invitation and words to its record; Bob reads German."""
    club, rng = open_club(folder), Random(seed)
    holders = dict(zip(registry.find_installed(game, None).colours, (ALICE, BOB), strict=False))
    with club.desk.writing() as change:
        add_player(change, BOB, name="Bob", language="de", zone=None, format="html")
    row = club.new_match(game, *(f"{seat}={who}" for seat, who in holders.items()), begins=False)
    kept = {ALICE: club.mails(ALICE), BOB: club.mails(BOB)}
    club.answer(kept[ALICE][0], "luck Regen & Sonne", ALICE)
    for who, mails in kept.items():
        club.answer(mails[0], "agree", who)
    club.work()
    while (row := club.match(row.name)).state != "over":
        for who, mails in kept.items():
            mails.extend(club.mails(who))
        with club.desk.reading() as change:
            live = ledger.load_match(change, row).live
        who = holders[str(row.to_act)]
        last = [each for each in kept[who] if each.kind in {"report", "receipt"}][-1]
        club.answer(last, live.game.format(_any_order(live, rng), "en"), who)
        club.later(hours=1)
        club.work()
    for who, mails in kept.items():
        mails.extend(club.mails(who))
    with club.desk.store.reading() as connection:
        data = record_bytes(connection, row)
    club.desk.store.close()
    mine, theirs = (tuple((each.kind, each.raw) for each in kept[who]) for who in (ALICE, BOB))
    return Evidence(data, mine, theirs)


def rewritten(lines: Sequence[bytes], kept: int, choice: int = 5) -> bytes:
    """Return a record that follows another to its event ``kept`` and then goes another way.

    Everything in it is consistent: whoever knows the seed can write it.
    """
    header, *middle, closing = map(json.loads, lines)
    terms, rng = Terms.from_document(header), Random(choice)
    seed = bytes.fromhex(closing["seed"])
    events = [Event.from_document(each) for each in middle[:kept]]
    game = registry.find_installed(terms.game, terms.edition)
    match = restore_match(game, terms, seed, events)
    while not match.turn.over:
        done = submit(match, str(match.turn.seat), [_any_order(match, rng)], LATER)
        match = done.match
        events += [each.event for each in done.logged]
    assert match.result is not None
    found = record.record_lines(terms, events, seed, match.result)
    return "".join(f"{line}\n" for line in found).encode()


def _any_order(match: AnyMatch, rng: Random) -> Order:
    return rng.choice(list(match.game.orders(match.position)))
