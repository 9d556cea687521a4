"""Letters of robots are known as such, and those of persons that look like them are not."""

import pytest
from support.corpus import LETTERS, check

pytestmark = pytest.mark.fast


@pytest.mark.parametrize("name", LETTERS["robots"])
def test_a_robot_is_told_from_a_person(name: str) -> None:
    """It is automatic, or its orders are heard, as expected."""
    check(name)


def test_persons_are_among_them() -> None:
    """Where a letter is not automatic, a person wrote it and orders something or asks."""
    persons = [each for each in LETTERS["robots"].values() if not each.get("automatic")]
    assert len(persons) > 10
    assert all(each["orders"] or each.get("commands") for each in persons)
