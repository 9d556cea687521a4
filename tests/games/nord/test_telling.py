"""Nord told: turns as sentences, scorings as sheets, ways as arrows, tables beside the map."""

from __future__ import annotations

import pytest
from support.nord_cases import document, posted
from support.tables import Table, random_game, tables

from referee.games.game import Fact, Mark, Move, Scoresheet, Word
from referee.games.nord import GAME
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

PLACED = Fact("placed", {"seat": "green", "spaces": ["E9"]})
ATTACKED = Fact(
    "attacked",
    {
        "seat": "green",
        "start": "D5",
        "goal": "F13",
        "path": ["D6", "E7"],
        "attackers": 5,
        "dead": 2,
        "to_goal": 1,
        "to_start": 2,
        "back": 0,
        "turned_away": 0,
    },
)
DREW = Fact("dealt", {"seat": "green"})
NAMED = {"green": "Green (bob)", "red": "Red (you)"}


def three() -> Table:
    """Return the table of three seats."""
    return next(each for each in tables() if each.name == "nord-1-3")


def test_the_facts_of_one_turn_are_one_sentence() -> None:
    """What is of no interest beside the rest is left out, and the way is small print."""
    words = Wording(GAME, "en")
    ((seat, sentence, facts),) = words.turns([PLACED, ATTACKED, DREW], NAMED)
    assert (seat, facts) == ("green", (PLACED, ATTACKED, DREW))
    assert sentence == (
        "Green (bob) placed a worker on E9 and attacked F13 from D5 with 5 men (2 dead, 1 posted "
        "in F13, 2 posted in D5)."
    )
    assert words.detail(ATTACKED) == "By way of D6 and E7."
    assert words.detail(PLACED) == ""


def test_german_sentences_are_as_whole() -> None:
    """The same turn, in the language of the reader."""
    ((_, sentence, _),) = Wording(GAME, "de").turns([PLACED, ATTACKED], {"green": "Grün (bob)"})
    assert sentence == (
        "Grün (bob) setzte einen Arbeiter auf E9 und griff von D5 aus F13 mit 5 Männern an "
        "(2 Tote, 1 als Kämpfer nach F13, 2 als Kämpfer nach D5)."
    )


@pytest.mark.parametrize(
    ("language", "one", "both"),
    [
        ("en", "claimed the treasure on C5.", "claimed the treasure on C5 and D6."),
        ("de", "nahm den Schatz auf C5.", "nahm den Schatz auf C5 und D6."),
    ],
)
def test_treasures_of_a_turn_are_told_together(language: str, one: str, both: str) -> None:
    """The words are right for one and for several."""
    facts = [Fact("claimed", {"seat": "green", "space": space}) for space in ("C5", "D6")]
    words = Wording(GAME, language)
    for found, said in ((facts[:1], one), (facts, both)):
        ((_, sentence, _),) = words.turns(found, NAMED)
        assert sentence == f"Green (bob) {said}"


def test_what_happens_by_itself_is_told_in_full() -> None:
    """A fact without a short sentence stands between two turns; one alone is not left out."""
    storm = Fact("storm", {"number": 3})
    told = Wording(GAME, "en").turns([PLACED, storm, DREW], NAMED)
    assert [(seat, text) for seat, text, _ in told] == [
        ("green", "Green (bob) placed a worker on E9."),
        (None, "The storm swept 3 sea workers back to supply."),
        ("green", "Green drew a treasure tile."),
    ]


def test_a_turn_of_many_deeds_is_told_to_its_end() -> None:
    """No sentence is cut for its length."""
    facts = [ATTACKED] * 15
    ((_, sentence, _),) = Wording(GAME, "en").turns(facts, NAMED)
    assert sentence.count("attacked F13") == 15
    assert sentence.endswith("2 posted in D5).")


def test_attacks_and_moved_warriors_have_ways() -> None:
    """An arrow leads from the first space to the last."""
    moved = Fact("moved", {"seat": "red", "start": "C5", "goal": "E8"})
    assert tuple(GAME.moves([PLACED, ATTACKED, moved])) == (
        Move("green", ("D5", "D6", "E7", "F13")),
        Move("red", ("C5", "E8")),
    )


def test_four_scorings_and_the_treasures_are_sheets() -> None:
    """Each tells all seats' points; nothing else is lost, and every detail is told once."""
    played = random_game(three(), 3)
    facts = [fact for step in played.steps for fact in step.facts]
    told = tuple(GAME.scoresheets(facts))
    sheets = [each for each in told if isinstance(each, Scoresheet)]
    titles = [each.title.fields["kind"] for each in sheets if isinstance(each.title, Fact)]
    assert titles == ["resources", "warriors", "resources", "warriors"]
    assert sheets[-1].title == Word("panel", "treasures")
    scored = [fact for fact in facts if "scored" in fact.fact]
    by_sheet = [scored[n : n + 3] for n in range(0, len(scored), 3)]
    for sheet, part in zip(sheets, by_sheet, strict=True):
        ((_, points),) = sheet.sums
        assert points == tuple(fact.fields["points"] for fact in part)
        if isinstance(sheet.title, Fact):
            columns = zip(*(row for _, row in sheet.rows), strict=True)
            assert tuple(sum(n or 0 for n in column) for column in columns) == points
    kept = [each for each in told if isinstance(each, Fact)]
    notes = [note for sheet in sheets for note in sheet.notes]
    assert len(kept) + len(notes) + len(scored) + 4 == len(facts)


def test_a_scoring_told_in_part_stays_as_it_is() -> None:
    """Without the points of the seats there is no sheet."""
    begun = Fact("scoring", {"number": 1, "kind": "resources"})
    assert tuple(GAME.scoresheets([PLACED, begun])) == (PLACED, begun)


def test_tables_hold_what_stands_on_the_map() -> None:
    """Workers, warriors and the places of the large boat are counted as they are drawn."""
    table = three()
    played = random_game(table, 3)
    view = GAME.scene(GAME.view(played.positions[len(played.steps) // 2], "red"))
    players, settlements, boat = view.tables
    marks = [mark for cell in view.cells for mark in cell.marks]
    for row in players.rows:
        word, _, _, workers, _ = row.cells
        assert isinstance(word, Word)
        assert workers == sum(mark.word == "worker" and mark.seat == word.key for mark in marks)
    cells = {cell.space: cell for cell in view.cells}
    for row in settlements.rows:
        counts = [mark.count for mark in cells[str(row.place)].marks if mark.count]
        assert sorted(n for n in row.cells[2:] if isinstance(n, int)) == sorted(counts)
    places = next(track.places for track in view.tracks if track.kind == "places")
    (row,) = boat.rows
    assert [each for each in row.cells[1:] if isinstance(each, Mark)] == [
        mark for place in places for mark in place.marks
    ]


@pytest.mark.parametrize(
    ("language", "fact", "short"),
    [
        (
            "en",
            (
                "Red drove the jarl of Green out of D5, onto place 12 of the large boat, for 12 "
                "points."
            ),
            "drove the jarl of Green out of D5, onto place 12 of the large boat: +12",
        ),
        (
            "de",
            (
                "Rot bezwang den Jarl von Grün in D5: Er kommt auf Platz 12 des großen Boots, für "
                "12 Punkte."
            ),
            "bezwang den Jarl von Grün in D5, der auf Platz 12 des großen Boots kommt: +12",
        ),
    ],
)
def test_a_place_of_the_large_boat_is_told_by_its_number(
    language: str, fact: str, short: str
) -> None:
    """Board and rules call the sixth place by the points that it gives."""
    fields = {"seat": "red", "space": "D5", "jarl": "green", "place": 6, "points": 12}
    words, challenged = Wording(GAME, language), Fact("challenged", fields)
    assert words.fact(challenged) == fact
    assert words.short(challenged) == short


@pytest.mark.parametrize(
    ("language", "jarls", "told"),
    [
        ("en", 1, "supply; 1 jarl stays, on the lowest place."),
        ("en", 2, "supply; 2 jarls stay, on the lowest places."),
        ("de", 1, "Vorrat; 1 Jarl bleibt, auf dem niedrigsten Platz."),
        ("de", 2, "Vorrat; 2 Jarle bleiben, auf den niedrigsten Plätzen."),
    ],
)
def test_jarls_of_an_emptied_boat_may_have_stood_low_before(
    language: str, jarls: int, told: str
) -> None:
    """So that none is said to have moved."""
    emptied = Fact("boat-emptied", {"men": 3, "jarls": jarls})
    assert Wording(GAME, language).fact(emptied).endswith(told)


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ({}, "Red is to place workers or challenge a jarl."),
        ({"played": "sword"}, "Red is to place workers."),
    ],
)
def test_behind_a_tile_no_challenge_is_offered(turn: dict[str, str], told: str) -> None:
    """A0 allows placing alone."""
    held = {"A1": posted(red=2)}
    position = GAME.load(document("Sk~D", "k~~~", to_act="red", turn=turn, settlements=held))
    (pending,) = (
        sentence
        for panel in GAME.scene(GAME.view(position, "red")).panels
        for sentence in panel.sentences
        if sentence.pending
    )
    assert Wording(GAME, "en").sentence(pending) == told
