"""The four scorings and what follows each of them: §5, §6, with §11.6."""

import pytest
from support.nord_cases import (
    GAME,
    Doc,
    after,
    boat,
    document,
    legal,
    outcomes,
    points,
    position_after,
    posted,
    settled,
    tiles,
    warriors,
)

pytestmark = pytest.mark.fast

IDLE = ["blue", "red", "green"]


def scored(*rows: str, scoring: int = 1, **fields: object) -> Doc:
    """Return the document after the scoring that blue, who holds nothing, must ask for."""
    return settled(due(*rows, scoring=scoring, **fields), "score")


def due(*rows: str, scoring: int = 1, **fields: object) -> Doc:
    """Return a position in which blue, who holds nothing, owes the scoring."""
    return document(*rows, **({"seats": IDLE, "scorings_done": scoring - 1} | fields))


@pytest.mark.parametrize("scoring", [1, 3])
def test_forest_region_scores_once_and_each_mountain_space_once(scoring):
    """Two workers in one forest are 1 point, two on mountains 2; §5."""
    result = scored(
        "Sffmm~D", scoring=scoring, settlements={"A1": posted(red=1)},
        workers=dict.fromkeys(("A2", "A3", "A4", "A5"), "red"),
    )  # fmt: skip

    assert points(result)["red"] == 3


def test_two_forest_regions_score_two():
    """Each forest region with a linked worker of his scores; §5."""
    result = scored(
        "Sfkf~D", settlements={"A1": posted(red=1)},
        workers=dict.fromkeys(("A2", "A3", "A4"), "red"),
    )  # fmt: skip

    assert points(result)["red"] == 2


def test_karst_and_sea_score_nothing():
    """Workers on karst and at sea deliver nothing; §5."""
    result = scored(
        "SkK~~D", settlements={"A1": posted(red=1)},
        workers=dict.fromkeys(("A2", "A3", "A4"), "red"),
    )  # fmt: skip

    assert points(result)["red"] == 0


def test_only_own_workers_score_but_others_link():
    """A foreign worker passes the delivery on and delivers for his own master only; §5, §3."""
    result = scored(
        "Smmf~D", settlements={"A1": posted(red=1)}, workers={"A2": "green", "A3": "red"}
    )

    assert points(result) == {"blue": 0, "red": 1, "green": 0}
    assert result["workers"] == {"A2": "green"}


def test_worker_not_linked_to_the_settlement_delivers_nothing():
    """A worker whose component does not touch the settlement scores nothing and stays; §5."""
    result = scored("Skm~D", settlements={"A1": posted(red=1)}, workers={"A3": "red"})

    assert points(result)["red"] == 0
    assert result["workers"] == {"A3": "red"}


def test_delivering_to_two_settlements_scores_twice():
    """The same region and the same worker score again for another settlement; §5."""
    result = scored(
        "SfmS~D", settlements={"A1": posted(red=1), "A4": posted(red=2)},
        workers={"A2": "red", "A3": "red"},
    )  # fmt: skip

    assert points(result)["red"] == 4
    assert result["workers"] == {"A2": "red"}


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        ({"red": 1}, 1),
        ({"red": 1, "green": 1}, 1),
        ({"red": 1, "green": 2}, 0),
        ({"red": 2, "green": 1}, 1),
        ({"red": 1, "green": 1, "yellow": 2}, 0),
        ({"red": 2, "green": 1, "yellow": 3}, 1),
        ({"red": 2, "green": 2, "yellow": 2}, 1),
        ({"green": 1}, 0),
    ],
)
def test_the_fewest_are_barred(there, expected):
    """Who holds the minimum, below the maximum, may not deliver; all equal: nobody is; §5."""
    result = scored(
        "Sm~D",
        seats=["blue", "red", "green", "yellow"],
        settlements={"A1": {"warriors": there}},
        workers={"A2": "red"},
    )

    assert points(result)["red"] == expected
    assert result["workers"] == ({} if expected else {"A2": "red"})


def test_everybody_is_computed_before_anything_is_removed():
    """A cave-in of one player does not cut another's delivery; §5."""
    result = scored(
        "Smf~D", settlements={"A1": posted(red=1, green=1)},
        workers={"A2": "red", "A3": "green"},
    )  # fmt: skip

    assert points(result) == {"blue": 0, "red": 1, "green": 1}
    assert result["workers"] == {"A3": "green"}


def test_cave_in_returns_men_to_supply():
    """Mountain workers that delivered return to supply, others stay; §5."""
    before = due("Smmf~D", settlements={"A1": posted(red=1)}, workers={"A2": "red", "A3": "red"})

    result = settled(before, "score")

    assert result["workers"] == {}
    assert result["men"]["red"] == GAME.dump(GAME.load(before))["men"]["red"] + 2


def test_resources_leave_sea_workers_alone():
    """There is no storm after scorings 1 and 3; §5, §6."""
    result = scored("S~D", settlements={"A1": posted(red=1)}, workers={"A2": "red"})

    assert result["workers"] == {"A2": "red"}


@pytest.mark.parametrize("kept", range(1, 8))
def test_remaining_warriors_score_their_square(kept):
    """1 to 7 fed warriors score 1, 4, 9, 16, 25, 36, 49; §6, §11.6."""
    ring = ["A2", "A1", "A3", "B1", "B3", "C1"][: kept - 1]
    result = scored(
        "~~~", "~S~", "~~~", "~~D", scoring=2, settlements={"B2": posted(red=7)},
        workers=dict.fromkeys(ring, "green"),
    )  # fmt: skip

    assert points(result)["red"] == kept**2


@pytest.mark.parametrize("scoring", [2, 4])
def test_surplus_warriors_return_to_supply(scoring):
    """Without food one warrior stays, the others return to supply, not to the boat; §6."""
    before = due("Sk~D", scoring=scoring, settlements={"A1": posted(red=3, green=1)})

    result = settled(before, "score")

    assert warriors(result, "A1") == {"red": 1, "green": 1}
    assert result["men"]["red"] == GAME.dump(GAME.load(before))["men"]["red"] + 2
    assert (points(result), boat(result)) == ({"blue": 0, "red": 1, "green": 1}, [])


def test_food_counts_forest_regions_around():
    """Two forest regions feed two more, one region with two workers only one; §6."""
    two = scored(
        "fSf~D", scoring=2, settlements={"A2": posted(red=5)},
        workers={"A1": "green", "A3": "green"},
    )  # fmt: skip
    one = scored(
        "ffS", "~fD", scoring=2, settlements={"A3": posted(red=5)},
        workers={"A2": "green", "B2": "red"},
    )  # fmt: skip

    assert warriors(two, "A2") == {"red": 3}
    assert warriors(one, "A3") == {"red": 2}


def test_food_is_found_at_the_corners_too():
    """A linked worker on a diagonal space feeds; §1 surroundings, §6."""
    result = scored(
        "Sk~", "~f~", "~~D", scoring=2, settlements={"A1": posted(red=3)},
        workers={"A2": "green", "B2": "green"},
    )  # fmt: skip

    assert warriors(result, "A1") == {"red": 2}


def test_food_must_be_linked_to_the_settlement():
    """A worker on a diagonal space whose component does not touch feeds nobody; §6."""
    result = scored(
        "Sk~", "~f~", "~~D", scoring=2, settlements={"A1": posted(red=3)}, workers={"B2": "red"}
    )

    assert warriors(result, "A1") == {"red": 1}


def test_food_is_found_only_around_the_settlement():
    """A linked forest or sea worker farther away feeds nobody; §6."""
    result = scored(
        "Skf~~D", scoring=2, settlements={"A1": posted(red=3)},
        workers=dict.fromkeys(("A2", "A3", "A4"), "red"),
    )  # fmt: skip

    assert warriors(result, "A1") == {"red": 1}


def test_mountain_and_karst_feed_nobody():
    """Land workers feed only from forests; §6."""
    result = scored(
        "mSk~D", scoring=2, settlements={"A2": posted(red=3)},
        workers={"A1": "red", "A3": "red"},
    )  # fmt: skip

    assert warriors(result, "A2") == {"red": 1}
    assert result["workers"] == {"A1": "red", "A3": "red"}


def test_every_sea_worker_feeds():
    """Each linked sea worker around feeds one more, anyone's; §6."""
    result = scored(
        "~S~", "~~~", "~~D", scoring=2, settlements={"A2": posted(red=5)},
        workers={"A1": "red", "B1": "green", "A3": "green"},
    )  # fmt: skip

    assert warriors(result, "A2") == {"red": 4}
    assert points(result)["red"] == 16


def test_each_player_may_keep_as_many_as_there_is_food():
    """Food is not shared out among players; §6."""
    result = scored(
        "Sf~D", scoring=2, settlements={"A1": posted(red=3, green=2)}, workers={"A2": "red"}
    )

    assert warriors(result, "A1") == {"red": 2, "green": 2}
    assert points(result) == {"blue": 0, "red": 4, "green": 4}


def test_storm_takes_all_sea_workers_after_they_fed():
    """All sea workers return to supplies, their boats to the common supply; §6."""
    before = due(
        "S~~f", "~~~D", scoring=2, settlements={"A1": posted(red=2)},
        workers={"A2": "green", "A4": "red", "B1": "red"},
    )  # fmt: skip
    men = GAME.dump(GAME.load(before))["men"]

    result = settled(before, "score")

    assert points(result)["red"] == 4
    assert result["workers"] == {"A4": "red"}
    assert result["fishing_boats"] == 7
    assert (result["men"]["red"], result["men"]["green"]) == (men["red"] + 1, men["green"] + 1)


@pytest.mark.parametrize("scoring", [1, 2, 3])
def test_boat_is_emptied_and_jarls_slide(scoring):
    """Dead men return to supply, jarls slide in order to the lowest places, no points; §6."""
    before = due(
        "Sk~D",
        scoring=scoring,
        large_boat=["man:red", "jarl:yellow", "man:green", "man:red", "jarl:neutral", "jarl:blue"],
    )
    men = GAME.dump(GAME.load(before))["men"]

    result = settled(before, "score")

    assert boat(result) == ["jarl:yellow", "jarl:neutral", "jarl:blue"]
    assert result["men"] == {"blue": men["blue"], "red": men["red"] + 2, "green": men["green"] + 1}
    assert set(points(result).values()) == {0}
    assert result["scorings_done"] == scoring


PILES = ("KSK~", "kKfK", "~~~D")


def test_new_tiles_are_laid_in_board_order():
    """Each stone pile without tile and worker gets a tile, rows first; §6."""
    case = due(
        *PILES, settlements={"A2": posted(red=1)}, workers={"A3": "red"},
        treasures={"B2": "gold"}, supply={"axe": 2, "sword": 1},
    )  # fmt: skip
    position = position_after(case, "score")

    assert outcomes(position) == {"lay A1 axe": 2, "lay A1 sword": 1}
    result = GAME.dump(GAME.apply(position, GAME.parse("lay A1 axe", "en"))[0])
    assert result["to_act"] == "chance"
    result = after(result, "lay B4 sword")
    assert result["treasures"] == {"A1": "axe", "B2": "gold", "B4": "sword"}
    assert tiles(result["supply"]) == {"axe": 1}
    assert result["to_act"] == "red"


def test_empty_supply_is_refilled_from_the_discards():
    """When a tile is due and the supply is empty, the discards become the supply; §6."""
    case = due(
        *PILES, settlements={"A2": posted()}, supply={"axe": 1}, discards={"gold": 2, "sword": 1}
    )
    position = position_after(case, "score", "lay A1 axe")

    assert outcomes(position) == {"lay A3 gold": 2, "lay A3 sword": 1}
    result = after(case, "score", "lay A1 axe", "lay A3 sword", "lay B2 gold")
    assert tiles(result["discards"]) == {}
    assert tiles(result["supply"]) == {"gold": 1}


def test_discards_stay_while_the_supply_lasts():
    """The last tile of the supply is laid without touching the discards; §6."""
    case = due("KS~D", settlements={"A2": {}}, supply={"axe": 1}, discards={"gold": 2})

    result = after(case, "score", "lay A1 axe")

    assert tiles(result["discards"]) == {"gold": 2}
    assert tiles(result["supply"]) == {}


def test_piles_stay_bare_when_nothing_is_left():
    """With supply and discards empty the rest stay bare; §6."""
    result = after(due(*PILES, supply={"axe": 1}), "score", "lay A1 axe")

    assert result["treasures"] == {"A1": "axe"}
    assert result["to_act"] == "red"


def test_no_tiles_after_the_fourth_scoring():
    """After scoring 4 no tiles are laid and the game is over; §6 (ruling), §8."""
    result = after(due(*PILES, scoring=4, supply={"axe": 6}), "score")

    assert (result["treasures"], result["phase"], result["scorings_done"]) == ({}, "over", 4)


def test_dumped_document_in_the_middle_of_laying_goes_on():
    """A document written while tiles are laid loads to the same position; §6."""
    case = due(*PILES, supply={"axe": 2, "sword": 1})
    position = position_after(case, "score", "lay A1 axe")

    assert GAME.load(GAME.dump(position)) == position


def test_next_player_after_the_tiles():
    """After scoring and tiles the player after the one who brought it is up; A3, §6."""
    case = document("KSkD", settlements={"A2": posted(red=1)}, supply={"axe": 3}, to_act="green")

    assert legal(case) == {"score"}
    assert after(case, "score", "lay A1 axe")["to_act"] == "red"
