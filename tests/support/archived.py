"""Clubs with matches that are over, and others that run: what the archive works on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from support.club import ALICE, BOB, Club, Mail, open_club

from referee.desk import agenda
from referee.desk.archive.audit import begun_matches
from referee.desk.archive.record import record_bytes
from referee.desk.archive.site.pages import Site, WritingProgress
from referee.desk.matches import ledger
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder, read_options
from referee.games import registry
from referee.store.play import matches


@contextmanager
def club_in(folder: Path) -> Iterator[Club]:
    """Open a club in a folder of its own, made if need be, and close it."""
    folder.mkdir(parents=True, exist_ok=True)
    club = open_club(folder)
    try:
        yield club
    finally:
        club.desk.store.close()


def by_bots(club: Club, game: str, seats: int = 0) -> str:
    """Let bots play a match to its end; return its name."""
    found = registry.find_installed(game)
    colours = found.colours[: seats or min(found.seats)]
    row = club.new_match(game, *(f"{each}=bot:random" for each in colours))
    finish(club, row.name)
    return row.name


def rated(club: Club, game: str = "pebbles") -> str:
    """Let two kinds of bots play a match that counts, as its seed is secret; return its name."""
    found = registry.find_installed(game)
    bots = zip(found.colours, ("random", "greedy"), strict=False)
    holders = tuple(parse_holder(f"{seat}=bot:{bot}", found) for seat, bot in bots)
    plan = MatchSetup(found, holders, read_options(found, []), begins=True)
    with club.desk.writing() as change:
        row = setup.set_up_match(change, plan)
    finish(club, row.name)
    return row.name


def finish(club: Club, name: str) -> None:
    """Work until a match of bots is over and its record released."""
    for _ in range(2000):
        club.work()
        if club.match(name).released:
            return
    raise AssertionError(f"{name} does not end")


def by_mail(
    club: Club, game: str = "pebbles", most: int = 1000, seed: int = 1, after: int = 0
) -> str:
    """Let Alice and Bob play a match by mail, at most so many letters; return its name.

    They take their seats from bots ``after`` so many steps.
    """
    rng = Random(seed)
    holders = dict(zip(registry.find_installed(game).colours, (ALICE, BOB), strict=False))
    first = dict.fromkeys(holders, "bot:random") if after else holders
    row = club.new_match(game, *(f"{seat}={who}" for seat, who in first.items()))
    agenda.do_due_steps(club.desk, after)
    for seat, who in holders.items() if after else ():
        apply_act(club.desk, HandOver(row.name, seat, who), "they play on")
    club.work()
    last: dict[str, Mail] = {}
    for _ in range(most):
        row = club.match(row.name)
        if row.state != "running":
            break
        for who in holders.values():
            for mail in club.mails(who):
                last[who] = mail if mail.kind in {"report", "receipt"} else last.get(who, mail)
        with club.desk.reading() as change:
            live = ledger.load_match(change, row).live
        who = holders[str(row.to_act)]
        order = rng.choice(list(live.game.orders(live.position)))
        club.answer(last[who], live.game.format(order, "en"), who)
        club.later(hours=1)
        club.work()
    return row.name


def record_of(club: Club, name: str) -> bytes:
    """Return the record of a match that is over."""
    with club.desk.store.reading() as connection:
        row = matches.find_match(connection, name)
        assert row is not None
        return record_bytes(connection, row)


def written(site: Site) -> WritingProgress:
    """Write the whole archive as pages and return what became of them."""
    done = WritingProgress()
    assert list(site.write_matches(begun_matches(site.desk), done)) == begun_matches(site.desk)
    site.write_lists(done)
    return done
