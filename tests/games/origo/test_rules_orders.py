"""How orders are written, in both languages, and what is none: the notation, §1."""

import pytest
from support.conformance import order_to_json
from support.origo_cases import GAME, order

from referee.games.documents import order_from_json
from referee.games.game import LANGUAGES, Unreadable

pytestmark = pytest.mark.fast

BOTH = [
    ("place C4", "setze C4"),
    ("expand B3 with ship", "ausbreiten B3 mit schiff"),
    ("expand E1 with people", "ausbreiten E1 mit volk"),
    ("expand A10 with col:10", "ausbreiten A10 mit spalte:10"),
    ("expand A1 with row:A/B", "ausbreiten A1 mit reihe:A/B"),
    ("expand E7 with land:POL", "ausbreiten E7 mit land:POL"),
    ("attack E7 with col:7 row:E", "angriff E7 mit spalte:7 reihe:E"),
    ("attack E7 with people", "angriff E7 mit volk"),
    ("add row:E", "nachlegen reihe:E"),
    ("add col:5/6/7", "nachlegen spalte:5/6/7"),
    ("yield", "aufgeben"),
    ("migrate H9 H5", "wandern H9 H5"),
    ("exchange col:3 ship", "tausche spalte:3 schiff"),
    ("sail I3 G3", "segeln I3 G3"),
    ("done", "fertig"),
    ("pass", "passe"),
    ("start blue", "startspieler blau"),
    ("start red", "startspieler rot"),
]


@pytest.mark.parametrize(("english", "german"), BOTH)
def test_orders_read_the_same_in_both_languages(english, german):
    """Keywords of either language are understood in both, in any case."""
    meant = order(english)

    assert {GAME.parse(line, tongue) for line in (english, german) for tongue in LANGUAGES} == {
        meant
    }
    assert GAME.parse(german.upper(), "de") == meant
    assert GAME.parse(english.lower(), "en") == meant
    assert GAME.parse(GAME.format(meant, "de"), "de") == meant
    assert GAME.format(meant, "en") == english


@pytest.mark.parametrize(
    "line", ["end turn", "End my turn.", "finished!", "Zug beenden", "beendet"]
)
def test_a_turn_is_ended_in_the_words_people_use(line):
    """A whole line of them is `done`; with more behind it, it is talk."""
    assert order("done") == GAME.parse(line, "en")
    with pytest.raises(Unreadable):
        GAME.parse(f"{line} soon", "en")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("place a shield on G5", "place G5"),
        ("setze Schild auf G5", "place G5"),
        ("migrate from I6 to H6", "migrate I6 H6"),
        ("migrate I6-H6", "migrate I6 H6"),
        ("wandern I6 nach H6", "migrate I6 H6"),
        ("migrate the shield on I6 to H6", "migrate I6 H6"),
        ("expand to H6 with land:ITA", "expand H6 with land:ITA"),
        ("place a shield to G5", "place G5"),
    ],
)
def test_words_that_say_nothing_are_passed_over(line, meant):
    """People write them beside spaces, as they would say it; "from" alone turns a way round."""
    assert order(meant) == GAME.parse(line, "en")


@pytest.mark.parametrize(("english", "german"), BOTH)
def test_orders_survive_json(english, german):
    assert order_from_json(GAME.order_types, order_to_json(order(english))) == order(german)


@pytest.mark.parametrize(
    "line",
    [
        "place",
        "place A0",
        "place 4C4",
        "expand B3",
        "expand B3 with",
        "expand B3 with boat",
        "expand B3 with land:ATL",
        "expand B3 with row:7",
        "expand B3 with col:E",
        "attack E7",
        "attack E7 with",
        "attack with row:E",
        "add",
        "add row:E col:7",
        "migrate H9",
        "migrate H9 H5 H6",
        "sail I3",
        "sail I2 from I3",
        "sail to G3, I3",
        "migrate to H5 H9",
        "wandern nach H5 von H9",
        "wandern nach H5 Schild H9",
        "exchange ship",
        "exchange ship people ship",
        "start",
        "start purple",
        "fly A1 A2",
        "",
        "hello there",
    ],
)
def test_line_that_is_no_order_is_unreadable(line):
    """What lacks a part, or names what does not exist, is no order."""
    with pytest.raises(Unreadable):
        order(line)


@pytest.mark.parametrize("line", ["hello there", "Thanks for the game!", "I start tomorrow"])
def test_chatter_is_known_as_such(line):
    """Text that does not look like an order may be overlooked."""
    with pytest.raises(Unreadable) as caught:
        order(line)

    assert caught.value.chatter
