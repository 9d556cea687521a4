"""Reports about our own mails are known as such, and nothing in them is done."""

import pytest
from support.corpus import LETTERS, check

pytestmark = pytest.mark.fast


@pytest.mark.parametrize("name", LETTERS["bounces"])
def test_a_report_is_automatic(name: str) -> None:
    """Its sender is known, and that nobody wrote it, whatever it seems to order."""
    check(name)
    assert LETTERS["bounces"][name]["automatic"]
