"""What everybody sees and what only a card's owner does: §1."""

import pytest
from support.origo_cases import GAME, document, legal, load, owned, refused

pytestmark = pytest.mark.fast


def dealt(red, pile, **fields):
    """Return the position with red's cards and a draw pile; blue holds two cards."""
    base = {
        "to_act": "blue",
        "shields": owned(red="E7", blue="E8"),
        "founded": ["POL"],
        "hands": {"red": red, "blue": ["row:E", "ship"]},
        "draw": pile,
    }
    return document(**(base | fields))


def seen(seat, *given, **fields):
    """Return what a seat sees of a position."""
    return GAME.view(load(dealt(*given, **fields)), seat).document


ONE = (["people", "ship"], {"row:A": 1, "land:POL": 2})
OTHER = (["row:A", "land:POL"], {"people": 1, "ship": 1, "land:POL": 1})


@pytest.mark.parametrize("seat", ["blue", "black", None])
def test_cards_in_other_hands_and_the_pile_are_hidden(seat):
    """Whatever of the cards not seen lies in red's hand or the pile looks the same; §1."""
    assert seen(seat, *ONE) == seen(seat, *OTHER)


def test_a_player_sees_his_own_cards():
    """His hand is open to himself; §1."""
    assert seen("red", *ONE) != seen("red", *OTHER)


@pytest.mark.parametrize("seat", ["red", "black", None])
def test_sizes_and_discards_are_public(seat):
    """Everybody sees hand sizes, the pile's size and the discards; §1."""
    base = seen(seat, *ONE)
    fewer_in_hand = seen(seat, *ONE, hands={"red": ONE[0], "blue": ["ship"]})
    more_to_draw = seen(seat, ONE[0], ONE[1] | {"col:7": 1})
    discarded = seen(seat, *ONE, discards={"col:7": 1})
    others = seen(seat, *ONE, discards={"col:8": 1})

    views = [base, fewer_in_hand, more_to_draw, discarded, others]

    assert all(views.count(each) == 1 for each in views)


def test_cards_played_in_a_fight_are_public():
    """Both sides' cards lie open; §1, §3."""
    combat = {"square": "E7", "attacker": "blue", "defender": "red", "defender_cards": []}
    views = [
        seen(
            "black", *ONE, phase="combat", to_act="red", combat=combat | {"attacker_cards": [card]}
        )
        for card in ("col:7", "land:POL")
    ]

    assert views[0] != views[1]


def test_what_is_legal_does_not_tell_of_other_hands():
    """Orders and refusals of the seat to act are the same whatever the others hold; §3."""
    one, other = dealt(*ONE), dealt(*OTHER)

    assert legal(one) == legal(other)
    for line in ("attack E7 with ship", "add ship", "expand A1 with people"):
        assert refused(one, line) == refused(other, line)


def test_defender_without_valid_cards_looks_like_one_with_them():
    """The fight waits for either in the same way; §3, attack 4."""
    with_card, without = (
        GAME.load(GAME.dump(_attacked(dealt(cards, {})))) for cards in (["row:E"], ["row:A"])
    )

    assert GAME.to_act(with_card) == GAME.to_act(without) == "red"
    assert GAME.view(with_card, "blue") == GAME.view(without, "blue")
    assert GAME.forced(with_card) is GAME.forced(without) is None


def _attacked(given):
    return GAME.apply(load(given), GAME.parse("attack E7 with row:E", "en"))[0]
