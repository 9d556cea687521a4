"""Letters that want to do harm are read, and nothing else."""

import pytest
from support.corpus import LETTERS, check

pytestmark = pytest.mark.fast


@pytest.mark.parametrize("name", LETTERS["hostile"])
def test_what_a_hostile_letter_says_is_known(name: str) -> None:
    """It yields the words, documents, sender and orders expected, whatever it tries."""
    check(name)


def test_there_are_many() -> None:
    """Each of over ninety tries something else."""
    assert len(LETTERS["hostile"]) > 90
    assert all(each["malicious"] for each in LETTERS["hostile"].values())
