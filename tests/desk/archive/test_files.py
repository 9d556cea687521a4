"""Files of the archive: whole or not at all, and where a match's name may lead."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from referee.desk.archive import files
from referee.errors import RefereeError

pytestmark = pytest.mark.fast


def mode(path: Path) -> int:
    """Return who may do what with a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_stands_in_its_folder_under_the_name_of_its_match(tmp_path: Path) -> None:
    """The ending follows the name."""
    assert files.file_in(tmp_path, "nord-7", ".html") == tmp_path / "nord-7.html"


@pytest.mark.parametrize(
    "name",
    [
        "../nord-7", "../../evil-1", "/nord-7", "/tmp/evil-1", "nord-7/..", "a/b-1", "nord-..",
        "nord-0", "nord", "", ".", "Nord-7", "nord-7\n",
    ],
)  # fmt: skip
def test_no_other_name_becomes_a_path(tmp_path: Path, name: str) -> None:
    """A record of a stranger's may call its match anything."""
    with pytest.raises(RefereeError, match="no name of a match"):
        files.file_in(tmp_path, name, ".html")


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    """Everybody may read it, and nothing else is left in the folder."""
    path = tmp_path / "a.html"
    files.write_file(path, b"long before")
    files.write_file(path, b"after")
    assert (path.read_bytes(), mode(path)) == (b"after", 0o644)
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_to_be_new_replaces_none(tmp_path: Path) -> None:
    """What is there stays as it is, and nothing is left of the other."""
    path = tmp_path / "a.record.jsonl"
    files.write_file(path, b"first", anew=True)
    with pytest.raises(RefereeError, match="is there already"):
        files.write_file(path, b"second", anew=True)
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_put_in_its_place_leaves_nothing(tmp_path: Path) -> None:
    """The fault is told with the path, and no half of a file stays behind."""
    path = tmp_path / "a.html"
    path.mkdir()
    with pytest.raises(RefereeError, match=r"a\.html cannot be written: Is a directory"):
        files.write_file(path, b"text")
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    """One that is there is taken; where a file is in the way, that is told."""
    made = files.make_folder(tmp_path / "a" / "b")
    assert files.make_folder(made).is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(RefereeError, match="file/b: Not a directory"):
        files.make_folder(tmp_path / "file" / "b")
