"""Where shields migrate and sail, and the mark of having sailed: §3, Migration and sailing."""

import pytest
from support.origo_cases import after, allowed, document, goals, legal, owned, refused, rejected

pytestmark = pytest.mark.fast


def moving(seat="red", **fields):
    """Return a position in which a seat moves shields."""
    return document(**({"seats": ["red", "blue", "black", "green"], "to_act": seat} | fields))


def test_shield_migrates_along_its_own_chain():
    """H9 reaches what lies beside itself and beside H8, H7 and H6; §3, §8.3."""
    case = moving("blue", shields=owned(blue="H9 H8 H7 H6"))

    beside = {"G6", "G7", "G8", "G9", "I6", "I7", "I8", "I9", "H5", "H10"}
    assert goals(case, "migrate", "H9") == beside
    assert after(case, "migrate H9 H5")["shields"] == owned(blue="H5 H6 H7 H8")


def test_foreign_shield_breaks_the_chain():
    """With H8 another's, H9 reaches only its own neighbours; §3, §8.3."""
    case = moving("blue", shields=owned(blue="H9 H7 H6", red="H8"))

    assert goals(case, "migrate", "H9") == {"G9", "I9", "H10"}
    assert rejected(case, "migrate H9 H5")


def test_gap_breaks_the_chain():
    """A free square links nothing, though it may be entered; §3."""
    case = moving("blue", shields=owned(blue="H9 H7 H6"))

    assert goals(case, "migrate", "H9") == {"G9", "I9", "H10", "H8"}


def test_occupied_goal_is_refused():
    """The goal must be free; §3, §8.3."""
    assert rejected(moving("blue", shields=owned(blue="H9 H8 H7 H6", red="H5")), "migrate H9 H5")
    assert rejected(moving("blue", shields=owned(blue="H9 H8 H7 H6")), "migrate H9 H7")
    assert rejected(moving("blue", shields=owned(blue="H9 H8 H7 H6")), "migrate H9 H9")


PRINTED = owned(black="I3 I4 H4 G4 F1 F2", green="H3")


def test_ship_sails_round_bends_over_land():
    """I3 sails over I4, H4 and G4 to G3, past the foreign H3; §3, §8.4."""
    case = moving("black", shields=PRINTED)

    assert goals(case, "sail", "I3") == {"H5", "I2", "I5", "J3", "J4", "G3", "G5", "F4"}
    assert allowed(case, "sail I3 G3")


def test_next_ship_uses_the_chain_as_it_then_is():
    """After I3 has sailed to G3, I4 may sail to F4; §3, §8.4."""
    result = after(moving("black", shields=PRINTED), "sail I3 G3", "sail I4 F4")

    assert result["shields"] == owned(black="G3 F4 H4 G4 F1 F2", green="H3")


def test_ship_lands_beside_its_chain():
    """F1 sails to F3 or G2, among others; §3, §8.4."""
    case = moving("black", shields=PRINTED)

    assert goals(case, "sail", "F1") == {"E1", "E2", "G1", "G2", "F3"}


def test_only_land_shields_migrate_and_only_sea_shields_sail():
    """Where the shield stands decides which move it makes; §3."""
    case = moving("black", shields=PRINTED)

    assert rejected(case, "migrate I3 I2")
    assert rejected(case, "sail H4 H5")
    starts = {tuple(o.split()[:2]) for o in legal(case) if o != "pass"}
    assert starts == {("sail", s) for s in ("I3", "I4", "F1")} | {
        ("migrate", s) for s in ("H4", "G4", "F2")
    }


@pytest.mark.parametrize(
    "line",
    [
        "sail I9 I10",
        "migrate D5 D6",
        "migrate A1 A2",
        "sail A3 B3",
        "migrate H4 K4",
        "migrate H4 H11",
        "migrate H4",
        "sail I3",
        "sail I3 I2 J3",
        "sail I3 J9",
    ],
)
def test_foreign_missing_or_unreachable_is_rejected(line):
    """Own shields move to free squares within reach, on the board; §3."""
    case = moving("black", shields=PRINTED | owned(red="I9 D5"))

    assert rejected(case, line)


def test_shield_sails_once_per_turn():
    """The shield that sailed may not sail again from where it is now; §3."""
    case = moving("black", shields=owned(black="I3"))

    assert after(case, "sail I3 I4")["turn"]["sailed"] == ["I4"]
    assert rejected(case, "sail I3 I4", "sail I4 J4")


def test_every_ship_may_sail_in_one_turn():
    """Any number of shields sail, one by one; §3."""
    case = moving("black", shields=owned(black="I3 J4 A3"))

    result = after(case, "sail I3 I4", "sail J4 J5", "sail A3 B3")

    assert set(result["turn"]["sailed"]) == {"I4", "J5", "B3"}


def test_another_shield_may_sail_from_where_a_marked_one_stood():
    """The shield is tracked, not the square; §3."""
    case = moving("black", shields=owned(black="I3 I4 H4"))

    assert after(case, "sail I3 H3", "sail I4 I3")["turn"]["sailed"].count("I3") == 1
    assert rejected(case, "sail I3 J3", "sail I4 I3", "sail I3 J4")
    assert allowed(case, "sail I3 J3", "migrate H4 I3", "sail I3 H4")


def test_shield_placed_on_the_sea_may_still_sail():
    """An expansion onto the sea does not use the ship up; §3."""
    case = moving("black", shields={}, hands={"black": ["ship"]})

    assert allowed(case, "expand B3 with ship", "sail B3 C3")


def test_shield_migrated_onto_the_sea_may_still_sail():
    """Migrating there is no sailing; §3."""
    case = moving("black", shields=owned(black="H4"))

    assert allowed(case, "migrate H4 I4", "sail I4 I3")


def test_shield_that_sailed_onto_land_may_migrate_but_not_sail_again():
    """Its mark goes with it when it migrates; §3."""
    case = moving("black", shields=owned(black="I4"))

    result = after(case, "sail I4 H4", "migrate H4 I4")

    assert result["turn"]["sailed"] == ["I4"]
    assert rejected(case, "sail I4 H4", "migrate H4 I4", "sail I4 J4")


def test_marks_are_gone_in_the_next_turn():
    """A shield sails at most once per turn, not per game; §3."""
    case = moving("black", seats=["black", "red"], shields=owned(black="I3"))

    result = after(case, "sail I3 I4", "done", "pass", "sail I4 I3")

    assert result["shields"] == owned(black="I3")


def test_marked_squares_of_a_document_may_not_sail():
    """A turn in progress can be written down; §3."""
    case = moving("black", shields=owned(black="I3 J6"), turn={"sailed": ["I3"]})

    assert rejected(case, "sail I3 I4")
    assert allowed(case, "sail J6 J5")
    assert refused(case, "pass").rule.startswith("Origo")


def test_migration_crosses_seas_and_leaves_land():
    """Chains run over land and sea, and a land shield may go to sea; §3."""
    case = moving("black", shields=owned(black="D4 D3 C3 C4"))

    assert {"B3", "B4", "E3", "C5", "D5", "E4", "D2", "C2"} == goals(case, "migrate", "D4")
