"""Nord told: turns as sentences, scorings as sheets, ways as arrows, tables beside the map."""

from __future__ import annotations

import pytest
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
