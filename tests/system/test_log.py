"""What a daemon's log holds after whole matches by mail: nothing that is a secret."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from support.club import ALICE, BOB, Club
from support.correspondents import Correspondents
from support.installation import Installation, Process
from support.spying import Secrets, words_of_hands, words_told

from referee.desk.desk import Change, Desk
from referee.desk.matches import ledger
from referee.desk.seats import setup
from referee.desk.seats.setup import MatchSetup, parse_holder
from referee.games import registry
from referee.games.game import AnyGame
from referee.store.play import matches

pytestmark = [pytest.mark.mail, pytest.mark.soak, pytest.mark.timeout(3600)]

LISTS = (("letter", "list"), ("outbox", "list"), ("status",), ("match", "list"))


def begin(installation: Installation, game: AnyGame) -> None:
    """Begin a match of Alice and Bob whose seed nobody knows."""
    pairs = zip(game.colours, (ALICE, BOB), strict=False)
    holders = tuple(parse_holder(f"{seat}={who}", game) for seat, who in pairs)
    desk = Desk(installation.store, installation.settings)
    with installation.store.writing() as connection:
        plan = MatchSetup(game, holders, setup.read_options(game, []), begins=True)
        setup.set_up_match(Change(desk, connection), plan)


def hands(installation: Installation) -> tuple[bool, set[str]]:
    """Return whether all matches are over, and the words that some player alone sees now."""
    desk, found = Desk(installation.store, installation.settings), set[str]()
    with installation.store.reading() as connection:
        rows = matches.select_matches(connection)
        for row in [each for each in rows if each.state == "running"]:
            loaded = ledger.load_match(Change(desk, connection), row)
            found |= words_of_hands(loaded, tuple(each.seat for each in loaded.seats))
    return all(row.state == "over" for row in rows), found


def test_the_log_of_whole_matches_holds_no_secret(
    installation: Installation, start: Callable[[], Process]
) -> None:
    """Every game to its end at the chattiest level: no code, seed, key, password or hidden word."""
    text = installation.config.read_text()
    chatty = re.sub(r"(?m)^#? ?log_level = .*$", 'log_level = "debug"', text)
    installation.config.write_text(chatty)
    assert installation.settings.log_level == "debug"
    for game in registry.installed_games().all():
        begin(installation, game)
    process, over, hidden = start(), False, set[str]()
    players = Correspondents(
        installation.address, installation.dovecot, installation.smtp, Random(2), (ALICE, BOB)
    )
    while not over:
        assert process.popen.poll() is None, process.log.read_text()[-2000:]
        players.act()
        over, seen = hands(installation)
        hidden |= seen
        players.quiet = len(players.sent) > 300
    assert process.stop() == 0
    said = process.log.read_text()
    for words in LISTS:
        for more in ((), ("--json",)):
            done = installation.referee(*words, *more)
            said += done.stdout + done.stderr
    desk = Desk(installation.store, installation.settings)
    settings = installation.settings
    secrets = Secrets.of(Club(desk, []), *{settings.imap.password, settings.smtp.password} - {""})
    assert len(secrets.codes) > 100
    assert hidden
    assert re.search(r"letter \d+: handled", said)
    assert not secrets.found_in(said)
    assert not words_told(hidden, said)
    assert not re.search(r"word \d+ of|Lovely weather", said)
    assert not {each for each in (ALICE, BOB) if each in process.log.read_text()}
