"""Games are found by entry points alone; what does not load harms nobody else."""

from __future__ import annotations

import re
import sys
from importlib.metadata import EntryPoint
from types import SimpleNamespace
from typing import Any

import pytest

from referee.games import registry
from referee.games.registry import GROUP, Registry, UnknownGame

pytestmark = pytest.mark.fast

CHECKERS_1: Any = SimpleNamespace(name="checkers", edition=1)
CHECKERS_2: Any = SimpleNamespace(name="checkers", edition=2)
CHECKERS_10: Any = SimpleNamespace(name="checkers", edition=10)
BRIDGE_1: Any = SimpleNamespace(name="bridge", edition=1)


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Any:
    """Return a function that makes an entry point of this module's games."""
    module = SimpleNamespace(
        NUMBER=7,
        A=CHECKERS_1,
        B=CHECKERS_2,
        C=CHECKERS_10,
        D=BRIDGE_1,
        DASHED=SimpleNamespace(name="tic-tac-toe", edition=1),
        OTHER=SimpleNamespace(**vars(BRIDGE_1)),
    )
    monkeypatch.setitem(__import__("sys").modules, "offered_games", module)
    return lambda name, what: EntryPoint(name, f"offered_games:{what}", GROUP)


def test_the_newest_edition_is_found_by_default(offered: Any) -> None:
    """Ten is newer than two; a match may still ask for an older one."""
    found = Registry(
        [offered("checkers-10", "C"), offered("checkers-1", "A"), offered("checkers-2", "B")]
    )
    assert (found.find("checkers"), found.find("checkers", 1)) == (CHECKERS_10, CHECKERS_1)


def test_names_and_editions_are_listed(offered: Any) -> None:
    found = Registry(
        [offered("checkers-10", "C"), offered("checkers-2", "B"), offered("bridge-1", "D")]
    )
    assert found.names() == ["bridge", "checkers"]
    assert found.editions("checkers") == [2, 10]
    assert found.all() == [BRIDGE_1, CHECKERS_2, CHECKERS_10]
    assert found.editions("chess") == []


@pytest.mark.parametrize(
    ("name", "edition", "told"),
    [
        ("chess", None, "there are: bridge (edition 1), checkers (editions 1, 2); chess and more"),
        ("chess", 1, "there are: bridge (edition 1), checkers (editions 1, 2); chess and more"),
        ("checkers", 7, "there are: checkers (editions 1, 2)"),
        ("bridges", None, "did you mean bridge?"),
    ],
)
def test_whoever_asks_for_an_unknown_game_learns_what_is_installed(
    offered: Any, name: str, edition: int | None, told: str
) -> None:
    found = Registry(
        [offered("checkers-1", "A"), offered("checkers-2", "B"), offered("bridge-1", "D")]
    )
    with pytest.raises(UnknownGame, match=re.escape(told)):
        found.find(name, edition)


def test_an_unknown_game_is_a_lookup_error() -> None:
    """Nothing installed is said too."""
    with pytest.raises(LookupError, match="there are: none"):
        Registry([]).find("chess")


@pytest.mark.parametrize(
    ("name", "what", "problem"),
    [
        ("chess-1", "MISSING", "AttributeError"),
        ("checkers-2", "A", "holds checkers-1"),
        ("chess-1", "NUMBER", "holds"),
    ],
)
def test_a_broken_entry_is_reported_and_harms_no_other(
    offered: Any, name: str, what: str, problem: str
) -> None:
    """Whoever asks for an entry that does not load, or is not what it says, learns why."""
    found = Registry([offered("bridge-1", "D"), offered(name, what)])
    assert found.all() == [BRIDGE_1]
    with pytest.raises(UnknownGame, match=problem):
        found.find(name.partition("-")[0])
    assert [name] == [entry.entry for entry in found.broken()]
    assert problem in found.broken()[0].problem


def test_a_broken_edition_is_passed_over_unless_it_is_asked_for(offered: Any) -> None:
    """New matches go on with the one before; a match of the broken one learns why."""
    found = Registry([offered("checkers-1", "A"), offered("checkers-2", "MISSING")])
    assert found.find("checkers") == CHECKERS_1
    with pytest.raises(UnknownGame, match=r"checkers edition 2.*AttributeError"):
        found.find("checkers", 2)


def test_a_game_that_is_mended_is_found(offered: Any) -> None:
    """The machine may have been at fault when it was first asked for."""
    found = Registry([offered("chess-1", "LATER")])
    with pytest.raises(UnknownGame):
        found.find("chess")
    sys.modules["offered_games"].LATER = SimpleNamespace(name="chess", edition=1)
    assert found.find("chess").edition == 1


def test_a_missing_package_is_reported() -> None:
    """An entry of a package that is gone is told by name."""
    found = Registry([EntryPoint("gone-1", "no_such_package:GAME", GROUP)])
    assert "no_such_package" in found.broken()[0].problem


def test_two_games_of_one_name_and_edition_are_reported(offered: Any) -> None:
    """The second game of the same name and edition is left out."""
    found = Registry([offered("bridge-1", "D"), offered("bridge-1", "OTHER")])
    assert BRIDGE_1 is found.find("bridge")
    assert "installed twice" in found.broken()[0].problem


def test_installed_games_are_found() -> None:
    """What is installed here is found by name, and looked up once."""
    assert registry.installed_games() is registry.installed_games()
    for name in registry.game_names():
        assert (
            registry.find_installed(name).edition == registry.installed_games().editions(name)[-1]
        )


def test_a_name_that_mails_cannot_carry_is_reported(offered: Any) -> None:
    """A match is found in an answer by its name, which so has no dash of its own."""
    found = Registry([offered("tic-tac-toe-1", "DASHED"), offered("bridge-1", "D")])
    assert found.names() == ["bridge"]
    assert "'tic-tac-toe': a name is a small letter" in found.broken()[0].problem
