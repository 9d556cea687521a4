"""The match of a demo."""

import subprocess
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import pytest
from referee_pebbles.game import Pebbles
from support.club import SEATS, open_club

from referee.demo import play
from referee.demo.play import demo_setup
from referee.demo.player import MOST_TURNS
from referee.desk.seats import handover
from referee.errors import RefereeError
from referee.games import registry

pytestmark = pytest.mark.fast


class Abacus(Pebbles):
    """Another's game, whose name stands before those of ours."""

    name: ClassVar[str] = "abacus"


ABACUS = Abacus(edition=1)


def test_a_demo_begins_with_a_game_that_came_along(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another's game stands behind, whatever its name; asked for, it is played."""
    places = {"abacus-1": f"{__name__}:ABACUS", "nord-1": "referee.games.nord:GAME"}
    entries = [EntryPoint(name, place, registry.GROUP) for name, place in places.items()]
    monkeypatch.setattr(registry, "installed_games", lambda: registry.Registry(entries))
    assert demo_setup(None, None).game.name == "nord"
    assert demo_setup("abacus", None).game.name == "abacus"


class Foursome(Pebbles):
    """A game that needs four."""

    name: ClassVar[str] = "foursome"
    colours: ClassVar[tuple[str, ...]] = ("red", "blue", "green", "white")
    seats: ClassVar[range] = range(4, 5)


def test_a_game_that_needs_four_gets_three_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever only names the game has not to know how many play it."""
    monkeypatch.setattr(play, "game_named", lambda _: Foursome(edition=1))
    holders = demo_setup("foursome", None).holders
    assert [holder.bot for holder in holders] == [None, "greedy", "random", "greedy"]


def test_a_demo_takes_nothing_from_another_installation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A shell that tells of a mailbox and its password has no say in it."""
    for name in ("PASSWORD", "IMAP_PASSWORD", "IMAP", "DATABASE"):
        monkeypatch.setenv(f"REFEREE_{name}", "another's")
    given: list[dict[str, str]] = []

    class Started(subprocess.Popen[bytes]):
        def __init__(self, command: list[str], **more: Any) -> None:
            given.append(more["env"])
            super().__init__(["true"], **more)

    monkeypatch.setattr(subprocess, "Popen", Started)
    with play.demo_site(tmp_path / "demo") as site, play.run_daemon(site):
        pass
    (environ,) = given
    assert "PATH" in environ
    assert not [name for name in environ if name.startswith("REFEREE_")]


def test_a_demo_goes_into_no_folder_that_others_use(tmp_path: Path) -> None:
    """It leaves many files, and could not tell them from those there."""
    assert play.demo_folder(tmp_path / "new").is_dir()
    (tmp_path / "new" / "letter.txt").touch()
    with pytest.raises(RefereeError, match="new is not empty: give --dir a new folder"):
        play.demo_folder(tmp_path / "new")


def test_a_demo_that_is_given_up_says_why(tmp_path: Path) -> None:
    """Below the final board, as else nobody would know why alice resigns."""
    club = open_club(tmp_path)
    name = club.new_match("pebbles", *SEATS).name
    with club.desk.writing() as change:
        running = play.final_board(change, club.match(name))
        handover.resign(change, club.match(name), "red")
    with club.desk.reading() as change:
        over = play.final_board(change, club.match(name))
    club.desk.store.close()
    why = f"A demo is to be short, so alice gives up after turn {MOST_TURNS}."
    assert why in over.splitlines()
    assert why not in running
