"""Playing one treasure tile before placing: A0."""

import pytest
from support.nord_cases import (
    Doc,
    after,
    allowed,
    document,
    legal,
    posted,
    refused,
    tiles,
    warriors,
)

pytestmark = pytest.mark.fast


def between(**fields: object) -> Doc:
    """Return two connected settlements with land and sea around, red in the first."""
    base = {"settlements": {"A2": posted(red=2)}, "workers": {"A3": "green"}}
    return document("kSkSk", "~~~~~", "~~D~~", **(base | fields))


@pytest.mark.parametrize("symbol", ["gold", "hammer"])
def test_negotiator_moves_one_warrior(symbol):
    """Gold and hammer move one own warrior to a connected settlement; A0, negotiator."""
    result = after(between(hands={"red": {symbol: 1}}), f"play {symbol} A2 A4")

    assert (warriors(result, "A2"), warriors(result, "A4")) == ({"red": 1}, {"red": 1})
    assert tiles(result["discards"]) == {symbol: 1}
    assert tiles(result["hands"]["red"]) == {}
    assert result["to_act"] == "red"


def test_negotiator_may_move_the_last_warrior():
    """The last warrior may leave his settlement; A0, negotiator."""
    case = between(settlements={"A2": posted(red=1)}, hands={"red": {"gold": 1}})

    result = after(case, "play gold A2 A4")

    assert (warriors(result, "A2"), warriors(result, "A4")) == ({}, {"red": 1})


@pytest.mark.parametrize(
    "line",
    [
        "play hammer A2 A2",
        "play hammer A4 A2",
        "play hammer A2 C3",
        "play hammer A2 A1",
        "play gold A2 A4",
        "play axe",
    ],
)
def test_negotiator_refused(line):
    """Not to the same place, not without a warrior, not to the boat, not without the tile; A0."""
    case = between(hands={"red": {"hammer": 1}}, workers={"A3": "green", "B3": "red", "B2": "red"})

    assert refused(case, line).rule.startswith("Nord A0")


def test_negotiator_needs_a_connection_now():
    """Two settlements no component touches both of are no way for a warrior; A0, negotiator."""
    case = between(hands={"red": {"hammer": 1}}, workers={})

    assert refused(case, "play hammer A2 A4").rule.startswith("Nord A0")


def test_move_counts_for_the_placement():
    """After the move the destination carries placements and the start no more; A0, A1.4."""
    case = between(settlements={"A2": posted(red=1)}, hands={"red": {"hammer": 1}})

    assert refused(case, "place A5").rule == "Nord A1.4"
    assert allowed(case, "play hammer A2 A4", "place A5")
    assert refused(case, "play hammer A2 A4", "place A1").rule == "Nord A1.4"


def test_move_counts_for_attacks():
    """A settlement left by the last warrior can be attacked if newly linked; A0, A2."""
    case = document(
        "SkSkS~",
        "~~~~~D",
        settlements={"A1": posted(red=1), "A3": {}, "A5": {}},
        workers={"A2": "green"},
        hands={"red": {"hammer": 1}},
    )

    assert legal(case, "play hammer A1 A3", "place A4") == {"attack A3 A5"}


def test_settlement_left_is_not_attacked_over_the_old_link():
    """What was connected at the turn's start does not qualify, even if now left bare; A0, A2."""
    case = between(settlements={"A2": posted(red=1)}, hands={"red": {"hammer": 1}})

    assert after(case, "play hammer A2 A4", "place A5")["to_act"] == "green"


def test_at_most_one_tile_a_turn():
    """After one tile no second may be played; A0."""
    case = between(hands={"red": {"hammer": 1, "gold": 1, "axe": 1}})

    assert refused(case, "play hammer A2 A4", "play gold A4 A2").rule.startswith("Nord A0")
    assert all(line.startswith("place") for line in legal(case, "play axe"))


def test_no_challenge_after_a_tile():
    """A tile binds the player to placing, a challenge is refused; A0."""
    case = document(
        "S~D~~",
        "k~~~~",
        settlements={"A1": {"jarl": "neutral", "warriors": {"red": 2}}},
        workers={"A2": "green"},
        hands={"red": {"sword": 1}},
    )

    assert allowed(case, "challenge A1")
    assert not allowed(case, "play sword", "challenge A1")


def test_who_cannot_place_plays_no_tile():
    """A tile that would only make placing possible may not be played; A0, A4."""
    case = document(
        "SkSk~D",
        settlements={"A1": posted(red=1)},
        workers={"A2": "green"},
        hands={"red": {"hammer": 1}},
    )

    assert refused(case, "play hammer A1 A3").rule.startswith("Nord A0")
    assert legal(case) == {"score"}


def test_tile_must_leave_a_placement():
    """A move after which nothing can be placed is refused; A0."""
    case = document(
        "kSkSD",
        settlements={"A2": posted(red=1)},
        workers={"A3": "green"},
        hands={"red": {"hammer": 1}},
    )

    assert refused(case, "play hammer A2 A4").rule.startswith("Nord A0")
    assert legal(case) == {"place A1"}


def test_two_regions_needs_a_land_placement():
    """Two regions may not be played where only sea workers could be placed; A0."""
    case = document("S~D", settlements={"A1": posted(red=1)}, hands={"red": {"axe": 1}})

    assert refused(case, "play axe").rule.startswith("Nord A0")
    assert legal(case) == {"place A2"}


REGIONS = document(
    "SkfmfK",
    "~kfmff",
    "~~~~~D",
    settlements={"A1": posted(red=1)},
    hands={"red": {"axe": 1, "goblet": 1, "helmet": 1, "sword": 1}},
)


@pytest.mark.parametrize("symbol", ["axe", "goblet"])
@pytest.mark.parametrize("line", ["place A2", "place A2 B2", "place A2 A3", "place A2 A3 B3"])
def test_two_regions_allows_one_or_two(symbol, line):
    """Up to 3 land workers stand in one or two touching regions; A0, two regions."""
    assert allowed(REGIONS, f"play {symbol}", line)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("place A2 A3 B2 B3", "Nord A1"),
        ("place A2 A3 A4", "Nord A1.3"),
        ("place A2 B3", "Nord A1.2"),
    ],
)
def test_two_regions_refused(line, rule):
    """Not four, not three regions, not with a gap; A0, two regions."""
    assert refused(REGIONS, "play axe", line).rule == rule


def test_two_regions_keeps_off_the_sea():
    """With two regions only land workers may be placed; A0, two regions."""
    assert allowed(REGIONS, "place B1")
    assert refused(REGIONS, "play axe", "place B1").rule in {"Nord A0", "Nord A1"}


def test_two_regions_are_not_three_of_two_terrains():
    """Forest, mountain and another forest are three regions; A0, A1.3."""
    case = document(
        "Sfmf~",
        "~~~~D",
        settlements={"A1": posted(red=1)},
        hands={"red": {"axe": 1}},
    )

    assert refused(case, "play axe", "place A2 A3 A4").rule == "Nord A1.3"
    assert allowed(case, "play axe", "place A2 A3")


CROWD = document(
    "Skkkkkkf",
    "~~~~~~~D",
    settlements={"A1": posted(red=1)},
    hands={"red": {"helmet": 1, "sword": 1}},
)


@pytest.mark.parametrize("symbol", ["helmet", "sword"])
@pytest.mark.parametrize(
    "line", ["place A2 A3 A4 A5 A6", "place A2 A3 A4 A5", "place A2", "place B1 B2 B3", "place B1"]
)
def test_many_workers_allows_five_on_land_or_three_at_sea(symbol, line):
    """Up to 5 land or 3 sea workers, fewer too; A0, many workers."""
    assert allowed(CROWD, f"play {symbol}", line)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("place A2 A3 A4 A5 A6 A7", "Nord A1"),
        ("place B1 B2 B3 B4", "Nord A1"),
        ("place A2 B1", "Nord A1"),
        ("place A2 A3 A5", "Nord A1.2"),
    ],
)
def test_many_workers_refused(line, rule):
    """Not six, not four at sea, not both kinds, not with a gap; A0, many workers."""
    assert refused(CROWD, "play sword", line).rule == rule


def test_many_workers_stay_in_one_region():
    """Many workers does not open a second region; A0, A1.3."""
    assert refused(REGIONS, "play sword", "place A2 A3").rule == "Nord A1.3"


def test_many_workers_are_bound_by_the_supply():
    """Five workers need five men in supply; A0, A1.5."""
    case = CROWD | {"men": {"red": 4}}

    assert refused(case, "play sword", "place A2 A3 A4 A5 A6").rule == "Nord A1.5"


def test_claimed_tile_is_not_played_in_the_same_turn():
    """Once workers are placed no tile may be played, not even before an attack; A0."""
    case = document("SKS~D", settlements={"A1": posted(red=1)}, treasures={"A2": "hammer"})

    assert not allowed(case, "place A2", "play hammer A1 A3")
    assert legal(case, "place A2") == {"attack A1 A3"}


def test_every_way_to_use_a_tile_is_listed():
    """Each tile in hand is listed with all it can do; A0."""
    case = between(hands={"red": {"hammer": 1, "axe": 1, "sword": 1}})

    played = {line for line in legal(case) if line.startswith("play")}

    assert played == {"play hammer A2 A4", "play axe", "play sword"}
