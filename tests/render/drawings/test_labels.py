"""Names of areas: the widest run first, smaller, in parts, or as a code; never too wide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.render.drawings import labels

pytestmark = pytest.mark.fast


def run(length: int, row: int = 0) -> set[tuple[int, int]]:
    """Return spaces beside each other."""
    return {(row, column) for column in range(length)}


def texts(cells: set[tuple[int, int]], name: str, values: str = "", code: str = "X") -> list[str]:
    """Return the texts of a fitted name."""
    return [label.text for label in labels.fitted(cells, name, values, code)]


def test_a_name_stands_on_the_widest_run_with_its_values() -> None:
    """Of equally wide ones the topmost is taken."""
    cells = run(2) | run(4, 1) | run(4, 2)
    (found,) = labels.fitted(cells, "Gaul", "4/2/1", "GAL")
    assert (found.text, found.row, found.size) == ("GAUL 4/2/1", 1, labels.SIZE)


def test_a_name_that_does_not_fit_is_made_smaller_then_parted() -> None:
    """Values go to a second run, then words; a code remains where nothing fits."""
    assert labels.width("SCANDINAVIA 2/1/0") * labels.SIZE > 2
    assert texts(run(2) | run(2, 1), "Scandinavia", "2/1/0") == [
        "SCANDINAVIA",
        "2/1/0",
    ]
    assert texts(run(2) | run(2, 1), "North Sea") == ["NORTH SEA"]
    assert texts(run(1) | run(1, 1), "Iris Bay") == ["IRIS", "BAY"]
    assert texts(run(1), "Mediterranean", "", "MIT") == ["MIT"]


@given(
    st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1),
    st.text("abciw ", min_size=1, max_size=20),
)
def test_no_label_is_wider_than_its_run(cells: set[tuple[int, int]], name: str) -> None:
    """Whatever is shown fits where it stands."""
    for label in labels.fitted(cells, name, "4/2/1", "ABC"):
        length = 0
        while (label.row, int(label.column) + length) in cells:
            length += 1
        assert labels.width(label.text) * label.size <= length


def test_runs_are_told_widest_first() -> None:
    """A gap parts two runs of a row."""
    found = labels.runs(run(1) | {(0, 2), (0, 3)} | run(3, 1))
    assert [(*spot, length) for spot, length in found] == [
        (1, 0, 3),
        (0, 2, 2),
        (0, 0, 1),
    ]


def test_a_sign_stands_in_a_strip_that_the_name_leaves_free() -> None:
    """In the row of the name if it can, else in another; never upon the name."""
    wide, narrow = run(4), run(2, 1) | {(2, 0)}
    named = labels.fitted(wide | narrow, "Gaul", "4/2/1", "GAL")
    assert labels.spot_beside(wide | narrow, named) == (0, 3)
    full = labels.fitted(narrow, "Scandinavia", "", "SKA")
    assert labels.spot_beside(narrow, full) == (2, 0)
