"""A daemon killed again and again, at every step of a letter's way and at any moment between."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from support import audit, faults
from support.correspondents import Correspondents
from support.dovecot import Dovecot
from support.installation import install
from support.lane import Lane, Tally, in_every, kill_in_lanes
from support.smtpd import SmtpServer

pytestmark = pytest.mark.mail

KILLS = 28
MANY_KILLS, MANY = 800, 5
"""How many kills there are, and how often each point is hit at least where there are many."""

MISBEHAVIOUR = (
    "later at rcpt", "later at data", "later after dot", "drop at mail", "drop before dot",
    "drop after dot", "421 at mail", "say 421 when idle",
)  # fmt: skip


@pytest.fixture
def lanes(tmp_path: Path, dovecot: Dovecot, smtp_server: SmtpServer) -> Iterator[list[Lane]]:
    """Return two installations to be killed, each with players of its own."""
    found: list[Lane] = []
    tally = Tally()
    for number in range(2):
        folder, account = tmp_path / f"club{number}", dovecot.account("referee")
        installation = install(folder, account, dovecot, smtp_server)
        installation.store.close()
        text = installation.config.read_text()
        text = text.replace("poll_seconds = 60", "poll_seconds = 1")
        text = text.replace("# organiser =", f'organiser = "club{number}@example.test" #')
        installation.config.write_text(text)
        players = tuple(f"{name}{number}@example.test" for name in ("alice", "bob", "red", "blue"))
        chance = Random(number)
        correspondents = Correspondents(
            installation.address, installation.dovecot, installation.smtp, chance, players
        )
        found.append(Lane(installation, correspondents, chance, tally))
    yield found
    for lane in found:
        lane.zygote.close()


def killed(
    lanes: list[Lane], kills: int, capsys: pytest.CaptureFixture[str], *, everywhere: bool = False
) -> Tally:
    """Kill so often, let everything come to rest, and compare what is left."""
    chance = Random(7)
    smtp = lanes[0].installation.smtp
    smtp.modes += [
        chance.choice(MISBEHAVIOUR) if chance.random() < 0.1 else "ok" for _ in range(4 * kills)
    ]
    kill_in_lanes(lanes, kills, everywhere=everywhere)
    smtp.modes.clear()
    in_every(lanes, Lane.come_to_rest)
    for lane in lanes:
        players = lane.players
        everybody = (*players.players, str(lane.installation.settings.organiser))
        books = audit.opened(lane.installation, players.sent, everybody)
        assert not audit.faults(books)
        over = [row for row in books.matches if row.state == "over"]
        assert len(over) >= 4
        assert any("grace" in row.clock for row in over), "in some of them orders were held"
    with capsys.disabled():
        sys.stdout.write(f"\n{lanes[0].tally.table()}\n")
    return lanes[0].tally


@pytest.mark.timeout(3600)
def test_kills_at_many_points(lanes: list[Lane], capsys: pytest.CaptureFixture[str]) -> None:
    """Orders are applied once or answered, mails delivered, wherever the daemon was killed."""
    tally = killed(lanes, KILLS, capsys)
    assert tally.between >= tally.kills / 2
    assert tally.hits["at a random moment"] > 0
    assert len(faults.points()) > 40


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_many_kills(lanes: list[Lane], capsys: pytest.CaptureFixture[str]) -> None:
    """The same at each point again and again, at its later passages and at many other moments."""
    for lane in lanes:
        lane.least = MANY
    tally = killed(lanes, MANY_KILLS, capsys, everywhere=True)
    assert not tally.wanted(MANY)
    assert tally.between >= tally.kills / 2
