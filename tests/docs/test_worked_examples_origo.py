"""The worked examples in the rules of Origo come out as the page says."""

import json
import re
from typing import Any

import pytest
from support import pages

from referee.games import registry
from referee.games.origo.board import shipped_document
from referee.games.origo.rules.scoring import advanced
from referee.games.play import play

pytestmark = pytest.mark.fast

NAME = "docs/rules/origo.md"
TEXT = pages.read(NAME)
PAGE = next(page for page in pages.PAGES if pages.name(page) == NAME)
ATTACK, CHAIN, SAILING, FOUNDING, SCORING = [
    json.loads(each.text) for each in pages.fences(PAGE) if each.schema
]
GAME = registry.find_installed("origo")


def played(document: Any, *lines: str) -> Any:
    """Return what came of orders on a position of the page, all of them legal."""
    done = play(GAME, GAME.load(document), [GAME.parse(each, "en") for each in lines])
    assert done.refusal is None
    return done


def after(document: Any, *lines: str) -> Any:
    """Return the document of the position after orders."""
    return GAME.dump(played(document, *lines).position)


def legal(document: Any) -> set[str]:
    """Return what may be done on a position of the page."""
    return {GAME.format(each, "en") for each in GAME.orders(GAME.load(document))}


def rows(title: str) -> list[list[str]]:
    """Return the rows of the table under a heading of the third level, without its head."""
    section = re.split(r"^##", TEXT.partition(f"### {title}\n")[2], flags=re.MULTILINE)[0]
    lines = re.findall(r"^\|(?!-)(.*)\|$", section, re.MULTILINE)
    return [[cell.strip() for cell in line.split("|")] for line in lines[1:]]


def test_the_cards_that_are_valid_for_the_attack() -> None:
    """Black may open with any choice of the four cards named and with no other."""
    cards = {card for line in legal(ATTACK) if "attack E7" in line for card in line.split()[3:]}
    assert cards == {"land:POL", "col:7", "row:E", "people"}


def test_the_table_of_the_attack() -> None:
    """Each line of the combat leaves the points it shows and the side behind to act."""
    lines: list[str] = []
    for order, black, orange, behind in rows("An attack"):
        lines.append(order.strip("`"))
        done = played(ATTACK, *lines)
        told = done.facts[-1].fields
        if not behind:
            continue
        assert (told["attacker_points"], told["defender_points"]) == (int(black), int(orange))
        assert GAME.to_act(done.position) == behind.lower()
    end = after(ATTACK, *lines)
    assert (end["shields"]["E7"], end["to_act"], end["turn"]["actions"]) == ("black", "black", 1)
    both = played(ATTACK, "attack E7 with col:7 people", "add row:E/F")
    told = both.facts[-1].fields
    assert (told["attacker_points"], told["defender_points"]) == (6, 5)
    assert GAME.to_act(both.position) == "orange"


def test_migrating_along_the_chain() -> None:
    """H9 reaches ten squares, H5 among them; three if the chain is broken; it never sails."""
    reached = {line for line in legal(CHAIN) if line.startswith("migrate H9")}
    assert len(reached) == 10
    assert "migrate H9 H5" in reached
    broken = CHAIN | {"shields": CHAIN["shields"] | {"H8": "red"}}
    left = {line.split()[2] for line in legal(broken) if line.startswith("migrate H9")}
    assert left == {"G9", "H10", "I9"}
    assert not any(line.startswith("sail") for line in legal(CHAIN))


def test_sailing_twice() -> None:
    """Both moves of the example are legal one after the other, and G3 sails no more."""
    assert not any(line.startswith("sail G3") for line in legal(after(SAILING, "sail I3 G3")))
    end = after(SAILING, "sail I3 G3", "sail I4 F4")
    assert {"G3", "F4"} <= set(end["shields"])


def test_the_founding() -> None:
    """Every card but the ship puts a shield on E4, which founds Belgica; migrating does not."""
    cards = {line.split()[3] for line in legal(FOUNDING) if line.startswith("expand E4")}
    assert cards == {"row:E", "col:4", "land:BEL", "people"}
    end = after(FOUNDING, "expand E4 with row:E")
    assert (end["founded"], end["path"]["blue"]) == (["BEL"], 5)
    assert after(FOUNDING, "migrate E3 E4")["founded"] == []


def test_the_table_of_the_scoring() -> None:
    """Every step of the table is what the scoring brings, and its last line the sum."""
    facts = played(SCORING, "pass").facts
    seats = ["red", "blue", "black"]
    table = {
        step: {s: int(n) for s, n in zip(seats, cells, strict=False) if n}
        for step, *cells in rows("A tribe scoring")
    }
    names = {f"clans of {size}": size for size in (4, 3)}
    for step, size in names.items():
        told = [each.fields for each in facts if each.fact == "scored-clans"]
        assert table[step] == {t["seat"]: t["points"] for t in told if t["size"] == size}
    sea = [each.fields for each in facts if each.fact == "scored-sea"]
    assert table["sea power"] == {t["seat"]: t["points"] for t in sea}
    lands = [each.fields for each in facts if each.fact == "scored-land"]
    words = shipped_document()["lands"]
    for land in lands:
        name = words[land["land"]]["en"]
        assert table[name] == {part["seat"]: part["points"] for part in land["parts"]}
    assert len(table) == len(names) + 1 + len(lands) + 1
    sums = {each.fields["seat"]: each.fields["points"] for each in facts if each.fact == "scored"}
    assert table["in all"] == sums


def test_what_the_scoring_leads_to() -> None:
    """The leaders stand where the page says, and the last names the start player."""
    end = after(SCORING, "pass")
    assert end["path"] == {"red": 36, "blue": 33, "black": 29}
    assert (end["to_act"], end["phase"], end["scorings_ordered"]) == ("black", "start", 0)
    assert "The leaders stand on 36, 33 and 29 now." in TEXT


@pytest.mark.parametrize("row", rows("On the path"), ids=" ".join)
def test_the_table_of_the_path(row: list[str]) -> None:
    """A leader gets as far as each line of the table says."""
    begins, others, points, goal, _ = row
    path = (int(begins), *map(int, others.split(", ")))
    assert advanced(path, 0, int(points))[0] == int(goal)


def test_the_board_shown_is_the_one_that_ships() -> None:
    """Map, values, limits, track and scoring order of the page are those of the file."""
    board: Any = shipped_document()
    drawn = re.findall(r"^[A-J]  ([A-Z ]+)$", TEXT, re.MULTILINE)
    assert drawn == board["map"]
    table = TEXT.partition("| land | values | in the setup |")[2].partition("\n\n")[0]
    told = {}
    lines = re.findall(r"^\| (`.+`) \| ([\d, ]+) \| (\d) \|$", table, re.MULTILINE)
    for codes, values, limit in lines:
        for code in re.findall(r"`(\w+)`", codes):
            told[code] = ([int(each) for each in values.split(", ")], int(limit))
    assert told == {c: (each["values"], each["setup_limit"]) for c, each in board["lands"].items()}
    track = TEXT.partition("The founding track is ")[2].partition(" with the red")[0]
    values = re.findall(r"(\**)(\d)\**", track)
    assert [int(number) for _, number in values] == board["founding_track"]
    assert [n for n, (bold, _) in enumerate(values, 1) if bold] == board["founding_red"]
    listed = re.findall(r"`([A-Z]{3})`", TEXT.partition("| land | Land |")[2].partition("\n")[0])
    assert listed == board["scoring_order"]


def test_the_numbers_of_the_table_of_cards() -> None:
    """So many of each kind of card are there as the page says."""
    counts = {"row": 0, "col": 0, "land": 0, "people": 0, "ship": 0}
    cards: Any = shipped_document()["cards"]
    for card, number in cards.items():
        counts[card.partition(":")[0]] += number
    table = TEXT.partition("| card | German |")[2].partition("\n\n")[0]
    told = re.findall(r"^\| `(\w+).*\| (\d+)[^|]*\|$", table, re.MULTILINE)
    assert {kind: int(number) for kind, number in told} == counts


POLICIES = re.findall(
    r"^\| `([^`]+)` \| `([^`]+)` \|",
    TEXT.partition("## 8.")[2].partition("## 9.")[0],
    re.MULTILINE,
)


@pytest.mark.parametrize(("english", "german"), POLICIES)
def test_orders_in_advance_are_read_alike(english: str, german: str) -> None:
    """Both languages of the table mean the same, and are how the referee writes it."""
    policy = GAME.parse_policy(english, "en")
    assert policy == GAME.parse_policy(german, "de")
    assert (english, german) == tuple(GAME.format_policy(policy, each) for each in ("en", "de"))


def test_the_page_shows_every_kind_of_order_in_advance() -> None:
    """The table has each kind the game knows."""
    shown = {GAME.parse_policy(english, "en").word for english, _ in POLICIES}
    assert shown == set(GAME.policies)
