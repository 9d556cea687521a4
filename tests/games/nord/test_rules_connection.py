"""Which workers hang together, and what they touch: §1 and §3."""

import pytest
from support.nord_cases import allowed, document, posted, refused

pytestmark = pytest.mark.fast


def test_link_runs_over_foreign_workers():
    """A new worker may be linked to its settlement by another player's worker; §3, A1.4."""
    case = document("Skk~D", settlements={"A1": posted(red=1)}, workers={"A2": "green"})

    assert allowed(case, "place A3")


def test_without_a_link_a_worker_is_refused():
    """A worker that touches no settlement with own warriors is refused by A1.4; §3."""
    case = document("Skk~D", settlements={"A1": posted(red=1)})

    assert refused(case, "place A3").rule == "Nord A1.4"


def test_diagonals_connect_nothing():
    """A worker diagonal to a settlement does not touch it; §1, neighbours."""
    case = document("Sk~", "kk~", "~~D", settlements={"A1": posted(red=1)})

    assert refused(case, "place B2").rule == "Nord A1.4"


def test_diagonal_workers_are_not_linked():
    """Two workers that meet at a corner are not linked; §1, neighbours."""
    case = document("Sk~", "~mk", "~~D", settlements={"A1": posted(red=1)}, workers={"A2": "red"})

    assert refused(case, "place B3").rule == "Nord A1.4"


def test_land_and_sea_workers_link():
    """A sea worker links a land worker to a settlement; §3."""
    case = document("Sk~D", "~k~~", settlements={"A1": posted(red=1)}, workers={"B1": "green"})

    assert allowed(case, "place B2")


def test_settlement_passes_no_connection_on():
    """Workers on two sides of a settlement are not linked through it; §3."""
    case = document("kSkS~D", settlements={"A4": posted(red=1)}, workers={"A3": "red"})

    assert refused(case, "place A1").rule == "Nord A1.4"


def test_small_boat_passes_no_connection_on():
    """Workers on two sides of the small boat are not linked through it; §3."""
    case = document("S~D~~", settlements={"A1": posted(red=1)}, workers={"A2": "red"})

    assert refused(case, "place A4").rule == "Nord A1.4"


def test_foreign_warriors_do_not_connect():
    """A settlement with only another player's warriors carries no placement; §3, A1.4."""
    case = document("Sk~D", settlements={"A1": posted(green=2)}, workers={"A2": "red"})

    assert refused(case, "place A3").rule == "Nord A1.4"


def test_settlement_cuts_a_region_in_two():
    """A space covered by a settlement belongs to no region, so it can join none; §1."""
    case = document(
        "kSk",
        "fff",
        "~D~",
        settlements={"A2": posted(red=1)},
        hands={"red": {"axe": 1}},
    )

    assert refused(case, "play axe", "place A1 B1 A3").rule == "Nord A1.2"
    assert allowed(case, "play axe", "place A1 B1 B2")


def test_lake_counts_as_sea():
    """A lake inside the island carries a sea worker; §1, region (ruling)."""
    case = document(
        "Skkk", "k~~k", "kkkD", settlements={"A1": posted(red=1)}, workers={"A2": "red"}
    )

    assert allowed(case, "place B2 B3")


def test_off_the_grid_there_is_nothing():
    """A space beyond the grid cannot be placed on; §1, region (ruling)."""
    case = document("Sk~D", settlements={"A1": posted(red=1)})

    assert not allowed(case, "place B1")
    assert not allowed(case, "place A2 A14")


def test_boat_is_connected_over_its_edges_only():
    """A worker diagonal to the small boat does not connect to it; §1, B."""
    holds = {"A1": {"jarl": "neutral", "warriors": {"red": 2}}}
    case = document("Skk~", "~~~D", settlements=holds, workers={"A2": "red", "A3": "red"})
    beside = document(
        "Skk~", "~~~D", settlements=holds, workers={"B1": "red", "B2": "red", "B3": "red"}
    )

    assert not allowed(case, "challenge A1")
    assert allowed(beside, "challenge A1")
