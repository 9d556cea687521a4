"""Whatever character set or encoding a letter has, or lacks, its words are read."""

import pytest
from support.corpus import LETTERS, check

pytestmark = pytest.mark.fast


@pytest.mark.parametrize("name", LETTERS["encodings"])
def test_the_words_are_read(name: str) -> None:
    """It yields the lines and orders that its writer saw."""
    check(name)
