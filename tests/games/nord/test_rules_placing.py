"""Placing workers: A1.1 to A1.5 and which of them a refusal names."""

import pytest
from support.nord_cases import (
    after,
    allowed,
    document,
    legal,
    load,
    order,
    posted,
    refused,
    tiles,
)

from referee.games.nord import GAME

pytestmark = pytest.mark.fast

COAST = document(
    "Skkffm",
    "~~~~~~",
    "~D~~~~",
    settlements={"A1": posted(red=1)},
    workers={"A3": "green"},
    men={"red": 1},
)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("place A2 A3 A4 B1", "Nord A1"),
        ("place A2 B1", "Nord A1"),
        ("place B1 B2 B3", "Nord A1"),
        ("place A3 A5", "Nord A1.1"),
        ("place A2 A4", "Nord A1.2"),
        ("place A5 A6", "Nord A1.3"),
        ("place A4 A5", "Nord A1.4"),
        ("place B1 B2", "Nord A1.5"),
    ],
)
def test_refusal_names_the_first_rule_broken(line, rule):
    """Number and kind come first, then A1.1 to A1.5 in order; A1."""
    assert refused(COAST, line).rule == rule


@pytest.mark.parametrize("space", ["A1", "A3", "C2"])
def test_taken_spaces_are_refused(space):
    """A settlement, a worker and the small boat each keep a worker off; A1.1."""
    assert refused(COAST, f"place {space}").rule == "Nord A1.1"


@pytest.mark.parametrize("line", ["place B1 B2", "place A2", "place A2 A3 A4"])
def test_up_to_three_on_land_or_two_at_sea(line):
    """1 to 3 land workers or 1 to 2 sea workers may be placed; A1."""
    case = document("Skkk", "~~~D", settlements={"A1": posted(red=1)})

    assert allowed(case, line)


@pytest.mark.parametrize("line", ["place A2 A3 A4 A5", "place B1 B2 B3"])
def test_more_are_refused_without_many_workers(line):
    """Four land workers or three sea workers are too many; A1."""
    case = document("Skkkk", "~~~~D", settlements={"A1": posted(red=1)})

    assert refused(case, line).rule == "Nord A1"


def test_never_land_and_sea_in_one_turn():
    """A land and a sea worker cannot be placed together; A1."""
    assert refused(COAST, "place A2 B2").rule == "Nord A1"


def test_standing_worker_bridges_no_gap_in_the_set():
    """New workers on both sides of an own worker are not contiguous; A1.2."""
    case = document("Skkk~D", settlements={"A1": posted(red=1)}, workers={"A3": "red"})

    assert refused(case, "place A2 A4").rule == "Nord A1.2"


def test_one_region_only():
    """Two touching regions need the two regions tile; A1.3."""
    case = document("Skf~D", settlements={"A1": posted(red=1)})

    assert refused(case, "place A2 A3").rule == "Nord A1.3"


def test_stone_pile_is_karst():
    """Karst with and without a stone pile are one region; §1."""
    case = document("SkK~D", settlements={"A1": posted(red=1)})

    assert allowed(case, "place A2 A3")


def test_region_runs_on_under_workers():
    """Workers standing in a region do not split it; §1, A1.3."""
    case = document("Skk", "~kk", "~~D", settlements={"A1": posted(red=1)}, workers={"A2": "green"})

    assert allowed(case, "place A3 B3 B2")


def test_not_more_than_the_men_in_supply():
    """Two workers with one man in supply are refused, one is not; A1.5."""
    case = document("Skk~D", settlements={"A1": posted(red=1)}, men={"red": 1})

    assert refused(case, "place A2 A3").rule == "Nord A1.5"
    assert allowed(case, "place A2")


def test_sea_workers_need_boats_and_land_workers_do_not():
    """With one fishing boat in supply two sea workers are refused; A1.5."""
    case = document("Skk", "~~D", settlements={"A1": posted(red=1)}, fishing_boats=1)

    assert refused(case, "place B1 B2").rule == "Nord A1.5"
    assert allowed(case, "place B1")
    assert allowed(case, "place A2 A3")


def test_placing_takes_men_and_boats_from_supply():
    """Sea workers leave their owner's supply and take a fishing boat each; A1."""
    result = after(document("Skk", "~~D", settlements={"A1": posted(red=1)}), "place B1 B2")

    assert result["workers"] == {"B1": "red", "B2": "red"}
    assert (result["men"]["red"], result["fishing_boats"]) == (21, 4)
    assert result["to_act"] == "green"


def test_only_the_final_set_is_judged():
    """The sequence within a set does not matter, not even for the link; A1."""
    case = document("Skkk~D", settlements={"A1": posted(red=1)})

    assert after(case, "place A4 A3 A2") == after(case, "place A2 A3 A4")


def test_every_legal_set_is_listed_once():
    """The legal placements are exactly the contiguous linked sets; A1."""
    case = document("Skkf~D", settlements={"A1": posted(red=1)})

    assert legal(case) == {"place A2", "place A2 A3"}


def test_worker_on_a_stone_pile_claims_the_tile():
    """A land worker on a karst space with a tile takes it into his hand; A1."""
    case = document("SkKk", "~~~D", settlements={"A1": posted(red=1)}, treasures={"A3": "axe"})

    result = after(case, "place A2 A3")

    assert result["treasures"] == {}
    assert tiles(result["hands"]["red"]) == {"axe": 1}


def test_tile_is_kept_even_if_the_worker_dies():
    """A worker that dies in the attack at once has still claimed the tile; A1."""
    case = document("SKS~D", settlements={"A1": posted(red=1)}, treasures={"A2": "sword"})

    result = after(case, "place A2", "attack A1 A3")

    assert result["workers"] == {}
    assert tiles(result["hands"]["red"]) == {"sword": 1}


def test_claimed_symbol_is_hidden_from_the_others():
    """Only the claimer learns which symbol he took; §2, A1."""
    case = document("SkKk", "~~~D", settlements={"A1": posted(red=1)}, treasures={"A3": "axe"})
    position, facts = GAME.apply(load(case), order("place A2 A3"))

    told = {seat: [f.fields for f in facts if f.known_to(seat)] for seat in ("red", "green", None)}
    assert "axe" in repr(told["red"])
    assert "axe" not in repr(told["green"]) + repr(told[None])
    assert "axe" not in repr(GAME.view(position, "green").document)
