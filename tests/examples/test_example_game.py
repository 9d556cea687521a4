"""The example game: found like an installed one, held to the conformance suite, played by mail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from support import pages
from support.club import ALICE, BOB, open_club
from support.thorough import some

from referee.games import registry
from referee.games.game import BadDocument
from referee.games.play import complete_options, judge, perft, play
from referee.games.playthrough import playthrough
from referee.matches.record import unpacked, verify_record

TREE = Path(__file__).parents[2]
EXAMPLE = TREE / "examples" / "haggle"

pytestmark = pytest.mark.usefixtures("installed")


@pytest.fixture
def game() -> Any:
    """Return the example game as the registry finds it."""
    return registry.find_installed("haggle")


def position(game: Any, **given: Any) -> Any:
    """Return a position of two seats in the last but one round, red to lead."""
    base = {
        "game": "haggle",
        "board": {"prizes": [2, 3, 5]},
        "hands": {"red": [4, 9], "green": [5, 8]},
        "spent": [1, 6],
        "winners": ["red"],
    }
    return game.load({**base, **given})


def played(game: Any, start: Any, *lines: str) -> Any:
    """Return what came of orders."""
    return play(game, start, [game.parse(each, "en") for each in lines])


@pytest.mark.fast
def test_the_entry_point_holds_the_game() -> None:
    """What the package's project file offers is loaded, and nothing of it is broken."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    offered = project["entry-points"][registry.GROUP]
    loaded = registry.Registry(EntryPoint(n, v, registry.GROUP) for n, v in offered.items())
    assert loaded.broken() == []
    assert [(game.name, game.edition) for game in loaded.all()] == [("haggle", 1)]


@pytest.mark.fast
def test_the_project_itself_does_not_register_the_example() -> None:
    """Who installs the referee gets its own games alone."""
    ours = tomllib.loads(pages.read("pyproject.toml"))["project"]["entry-points"][registry.GROUP]
    assert not [name for name in ours if "haggle" in name]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("marks", some(["not soak"], ["soak"]))
def test_the_example_passes_the_conformance_suite(site: Path, marks: str) -> None:
    """Every check there is for a game, at each number of seats, in a process of its own."""
    path = os.pathsep.join([str(site), str(EXAMPLE)])
    wanted = ["-q", "-p", "no:cacheprovider", "-k", "haggle and not playthrough", "-m", marks]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/games/conformance", *wanted],
        cwd=TREE,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]
    passed = re.search(r"(\d+) passed", ran.stdout)
    assert passed is not None
    assert int(passed[1]) > (80 if marks == "not soak" else 5)


@pytest.mark.fast
def test_the_example_plays_as_it_always_did(game: Any) -> None:
    """A random game has the lines of the one kept with the package."""
    kept = (EXAMPLE / "playthrough.txt").read_text(encoding="utf-8")
    assert playthrough(game, ("red", "green"), complete_options(game), 7) == kept


@pytest.mark.fast
def test_the_highest_card_takes_the_prize_and_leads(game: Any) -> None:
    """Green plays higher, gets the second prize and begins the last round (Haggle 4)."""
    done = played(game, position(game), "play 4", "play 8")
    assert done.refusal is None
    assert dict(game.points(done.position)) == {"red": 2, "green": 3}
    assert game.to_act(done.position) == "green"


@pytest.mark.fast
def test_the_game_ends_when_all_prizes_are_taken(game: Any) -> None:
    """Points decide, and equal ones share a place (Haggle 5)."""
    done = played(game, position(game), "play 4", "play 8", "play 5", "play 9")
    result = game.result(done.position)
    assert (result.points, result.places) == ({"red": 7, "green": 3}, {"red": 1, "green": 2})
    shared = played(game, position(game), "play 9", "play 8", "play 4", "play 5").position
    assert game.result(shared).places == {"red": 1, "green": 1}


@pytest.mark.fast
def test_a_card_one_does_not_hold_is_refused(game: Any) -> None:
    """The refusal cites the rule and names what one holds, nearest first (Haggle 3)."""
    judged = judge(game, position(game), "red", [game.parse("play 5", "en")])
    assert judged.refusal is not None
    assert (judged.refusal.code, judged.refusal.rule) == ("not-held", "Haggle 3")
    assert [game.format(each, "de") for each in judged.refusal.legal] == ["spiele 4", "spiele 9"]


@pytest.mark.fast
@pytest.mark.parametrize(
    "given",
    [
        {"hands": {"red": [4, 4]}},
        {"hands": {"red": [4, 9, 7]}},
        {"hands": {"blue": [4]}},
        {"table": {"red": 2, "green": 3}},
        {"spent": [6, 10]},
        {"winners": ["red"] * 4},
        {"seats": ["red"]},
    ],
    ids=str,
)
def test_positions_in_which_nobody_could_go_on_are_refused(game: Any, given: Any) -> None:
    """Cards twice or too many, a seat that does not play, a round that is over."""
    with pytest.raises(BadDocument):
        position(game, **given)


@pytest.mark.fast
def test_perft(game: Any) -> None:
    """Two rounds of two cards each: four ways, then one."""
    start = position(game)
    assert [perft(game, start, depth) for depth in (1, 2, 3, 4)] == [2, 4, 4, 4]


@pytest.mark.fast
def test_a_match_by_mail(game: Any, tmp_path: Path) -> None:
    """Alice writes English and Bob German until the last report brings a record that holds."""
    club = open_club(tmp_path)
    club.new_match("haggle", f"green={ALICE}", f"blue={BOB}", options=["spare=0"])
    words: dict[str, tuple[str, Callable[[str], str]]] = {
        "green": (ALICE, str),
        "blue": (BOB, lambda line: line.replace("play", "spiele")),
    }
    club.work()
    for _ in range(12):
        files = {seat: club.last(address, "report") for seat, (address, _) in words.items()}
        seat = files["green"].turn_file["to_act"]
        address, written = words[seat]
        line = files[seat].turn_file["legal"][-1]
        assert club.answer(files[seat], written(line), address)
        club.work()
    assert club.match("haggle-1").state == "over"
    last = club.last(ALICE, "report")
    assert "All prizes are taken." in last.text
    attached = {part.get_filename(): part for part in last.message.iter_attachments()}
    record = unpacked(attached["haggle-1.record.jsonl.gz"].get_payload(decode=True))
    assert verify_record(record.splitlines(), registry.find_installed).ok
    club.desk.store.close()


PAGE = pages.read("docs/adding-a-game.md")


@pytest.mark.fast
def test_the_page_names_the_files_of_the_example() -> None:
    """The tree under "The files" is what there is, the two extras for its tests apart."""
    tree = PAGE.partition("## The files\n\n```\n")[2].partition("```")[0]
    told = set(re.findall(r"[\w.-]+\.(?:py|toml|json|md)\b", tree))
    found = {each.name for each in EXAMPLE.rglob("*") if each.is_file()}
    assert told == {each for each in found if not each.endswith((".pyc", ".txt"))}


@pytest.mark.fast
def test_the_code_of_the_page_stands_in_the_example() -> None:
    """What the page shows of Python and TOML was copied from there, line by line."""
    page = next(each for each in pages.PAGES if each.name == "adding-a-game.md")
    shown = [each for each in pages.fences(page) if each.language in {"python", "toml"}]
    files = [*EXAMPLE.rglob("*.py"), EXAMPLE / "pyproject.toml"]
    sources = [each.read_text(encoding="utf-8") for each in files]
    lines = {line for source in sources for line in source.splitlines()}
    assert len(shown) == 3
    for each in shown:
        assert set(each.text.splitlines()) <= lines


@pytest.mark.fast
def test_the_example_is_small() -> None:
    """Under 400 lines of Python, blank ones apart, as the page says."""
    sources = [each.read_text(encoding="utf-8") for each in EXAMPLE.rglob("*.py")]
    assert sum(bool(line.strip()) for source in sources for line in source.splitlines()) < 400
    assert "under 400 lines" in PAGE
