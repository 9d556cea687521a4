"""What can be ordered in advance for attacks: who adds which cards, how many, and when it ends."""

from __future__ import annotations

import pytest
from support.origo_cases import GAME, Doc, document, owned, position_after
from support.origo_midland import MANY, fight

from referee.games.game import Unreadable
from referee.games.origo.policies import Defend, Pursue
from referee.games.policies import Expired

pytestmark = pytest.mark.fast

CARDS = ("row:E/F", "people", "col:7", "land:POL", "ship")
"""Orange's hand: all but the ship count for E7."""


def answer(policy: str, *lines: str, seat: str = "orange", case: Doc | None = None) -> object:
    """Return what a policy gives after orders, an order as text."""
    position = position_after(case or fight(black=MANY, orange=CARDS), *lines)
    given = GAME.follow(position, seat, GAME.parse_policy(policy, "en"))
    return given if given is None or isinstance(given, Expired) else GAME.format(given, "en")


def test_the_least_useful_card_is_played_first() -> None:
    """Fewest squares first, among many the line of two after the line of one, people last."""
    first = answer("defend E7 up to 9", "attack E7 with row:E")
    assert first == "add land:POL"
    lines = ["attack E7 with row:E col:7 people land:POL", "add land:POL"]
    played = []
    for _ in range(3):
        played.append(answer("defend E7 up to 9", *lines))
        lines.append(str(played[-1]))
    assert played == ["add col:7", "add row:E/F", "add people"]


def test_a_defence_stops_when_it_is_ahead() -> None:
    """Who is ahead is not to act, so nothing is given."""
    assert answer("defend E7 up to 2", "attack E7 with row:E", "add land:POL") is None


def test_a_defence_gives_up_after_its_cards() -> None:
    """Cards added by hand count among them."""
    lines = ("attack E7 with row:E col:7", "add people")
    assert answer("defend E7 up to 1", *lines) == "yield"
    assert answer("defend E7 up to 2", *lines) == "add land:POL"


def test_a_defence_without_a_card_that_fits_gives_up() -> None:
    """A ship does not count on land."""
    case = fight(black=MANY, orange=("ship",))
    assert answer("defend E7 up to 2", "attack E7 with row:E", case=case) == "yield"


@pytest.mark.parametrize(
    ("policy", "given"),
    [
        ("defend E7 never", "yield"),
        ("defend POL up to 1", "add land:POL"),
        ("defend all never", "yield"),
        ("defend all up to 1", "add land:POL"),
        ("defend D7 up to 1", None),
        ("defend GER up to 1", None),
        ("defend MIT never", None),
    ],
)
def test_a_defence_holds_where_it_says(policy: str, given: str | None) -> None:
    """A square, the land or sea it lies in, or everywhere."""
    assert answer(policy, "attack E7 with row:E") == given


def test_named_cards_are_played_as_named_and_no_others() -> None:
    """What does not fit or has been played is passed over."""
    policy = "defend E7 up to 3 with people ship col:7"
    lines = ["attack E7 with row:E col:7 people land:POL"]
    assert answer(policy, *lines) == "add people"
    assert answer(policy, *lines, "add people") == "add col:7"
    assert answer(policy, *lines, "add people", "add col:7") == "yield"


def test_nobody_but_the_seat_attacked_is_defended() -> None:
    """Others' policies for everything do not answer, nor do the attacker's."""
    for seat in ("black", "red"):
        assert answer("defend all never", "attack E7 with row:E", seat=seat) is None


def test_a_defence_of_a_square_ends_when_no_shield_stands_there() -> None:
    """It is told for which square; a land may be come back to."""
    lost = ("attack E7 with row:E", "yield")
    assert answer("defend E7 up to 2", *lost) == Expired("no-shield", {"square": "E7"})
    assert answer("defend POL up to 2", *lost) is None
    assert answer("defend all never", *lost) is None


def test_an_attack_is_pursued_with_further_cards() -> None:
    """The opening does not count; the least useful that fits goes first; then he gives up."""
    lines = ["attack E7 with row:E", "add land:POL"]
    policy = "attack E7 with row:E up to 1"
    assert answer(policy, *lines, seat="black") == "add land:POL"
    assert answer(policy, *lines, "add land:POL", seat="black") is None
    more = (*lines, "add land:POL", "add col:7")
    assert answer(policy, *more, seat="black") == "yield"
    assert answer("attack E7 with row:E up to 2", *more, seat="black") == "add col:7"


def test_an_attack_that_is_over_is_pursued_no_longer() -> None:
    """Its end names the square."""
    over = answer("attack E7 with row:E up to 3", "attack E7 with row:E", "yield", seat="black")
    assert over == Expired("attack-over", {"square": "E7"})


def test_a_pursuit_opens_with_its_attack() -> None:
    policy = GAME.parse_policy("attack E7 with row:E col:7 up to 2", "en")
    assert policy == Pursue("E7", ("col:7", "row:E"), 2)
    assert GAME.opening(policy) == GAME.parse("attack E7 with col:7 row:E", "en")
    assert GAME.opening(Defend("E7", 2)) is None


def test_the_special_goes_before_the_general() -> None:
    """A square's order before its land's, a land's before all; each target is a topic."""
    lines = ("defend all never", "defend POL never", "defend E7 never", "defend E7 up to 2")
    policies = [GAME.parse_policy(line, "en") for line in lines]
    assert [each.rank for each in policies] == [2, 1, 0, 0]
    assert len({each.topic for each in policies}) == 3


@pytest.mark.parametrize(
    ("line", "policy"),
    [
        ("Defend e7 up to 2", Defend("E7", 2)),
        ("defnd E7 up to 2.", Defend("E7", 2)),
        ("defend Poland up to 1", Defend("POL", 1)),
        ("verteidige Polen bis 1", Defend("POL", 1)),
        ("verteidige alles nie", Defend("all", 0)),
        ("defend mit up to 0", Defend("MIT", 0)),
        ("defend E7 with ship row E", Defend("E7", 2, ("ship", "row:E"))),
        ("defend E7 with ship up to 1", Defend("E7", 1, ("ship",))),
        ("verteidige E7 bis zu 1 mit schiff", Defend("E7", 1, ("ship",))),
        ("angriff E7 mit volk bis zu 3", Pursue("E7", ("people",), 3)),
        ("attack E7 people up to 3", Pursue("E7", ("people",), 3)),
    ],
)
def test_policies_are_read_as_people_write_them(line: str, policy: object) -> None:
    """English and German, typing errors, names of lands, cards before or after the number."""
    assert GAME.parse_policy(line, "en") == policy


@pytest.mark.parametrize(
    ("line", "code", "chatter"),
    [
        ("defend E7", "how-many", False),
        ("defend E7 up to many", "how-many", False),
        ("defend E7 with", "how-many", False),
        ("defend POL up to 2 with", "no-card", False),
        ("defend", "defend-what", False),
        ("defend yourself, my friend", "no-target", True),
        ("attack E7 with row:E up to many", "how-many", False),
        ("attack is up to you", "how-many", True),
        ("attack E7 with row:E", "unknown-order", True),
        ("yield", "unknown-order", True),
        ("", "unknown-order", True),
    ],
)
def test_what_is_no_policy_says_why(line: str, code: str, chatter: bool) -> None:
    """Talk and orders are told from policies with something wrong."""
    with pytest.raises(Unreadable) as caught:
        GAME.parse_policy(line, "en")
    assert (caught.value.code, caught.value.chatter) == (code, chatter)


def test_a_turn_is_interrupted_while_a_combat_lasts() -> None:
    """It is the attacker's turn that waits, also when he himself is behind."""
    case = fight(black=MANY, orange=CARDS)
    lines = ["attack E7 with row:E", "add land:POL", "yield"]
    found = [GAME.interrupted(position_after(case, *lines[:n])) for n in range(4)]
    assert found == [None, "black", "black", None]


def test_who_names_the_start_player_has_no_turn_yet() -> None:
    """The turn of whoever names waits, be it theirs or not."""
    case = document(phase="start", path={"red": 3, "blue": 20, "black": 90})
    assert GAME.interrupted(position_after(case)) == "red"
    assert GAME.interrupted(position_after(case, "start red")) is None


def test_a_defence_in_the_set_up_has_nothing_to_defend() -> None:
    """Before the shield is placed the order for its square ends at once."""
    case = fight(owned(orange="D7", black="E8"), black=MANY)
    assert answer("defend E7 never", case=case) == Expired("no-shield", {"square": "E7"})


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("place C4", "placing-over"),
        ("start orange", "no-start-to-name"),
        ("pass", "something-done"),
        ("expand Z9 with ship", "no-such-square"),
        ("expand A1 with ship", "card-elsewhere"),
        ("expand E5 with row:E/J", "no-such-card"),
        ("expand E7 with col:7", None),
        ("expand E8 with row:E", None),
        ("expand D7 with col:7", "occupied"),
        ("attack D7 with row:E", "card-not-valid"),
        ("attack D7 with col:7", None),
        ("attack A1 with row:A", "nobody-there"),
        ("migrate H9 H5", None),
        ("done", None),
    ],
)
def test_what_the_turn_can_hold_no_more_is_known_during_the_combat(
    line: str, why: str | None
) -> None:
    """What may turn out legal waits, whoever wins; of the rest it is said why it never will."""
    position = position_after(fight(black=MANY, orange=CARDS), "attack E7 with row:E")
    found = GAME.never(position, GAME.parse(line, "en"))
    assert (found and found.code) == why
