"""Letters as lines, for pieces that bear one: pictures have no signs but those they draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

STROKES: Final[Mapping[str, str]] = {
    "A": "M34 76L50 34L66 76M40 62H60",
    "B": "M37 34V76H54A11 11 0 0 0 54 54H37M37 34H52A10 10 0 0 1 52 54",
    "C": "M65 45Q62 34 51 34Q35 34 35 55Q35 76 51 76Q62 76 65 65",
    "E": "M64 34H38V76H64M38 55H60",
    "G": "M65 45Q62 34 51 34Q35 34 35 55Q35 76 51 76Q65 76 65 65V57H53",
    "H": "M37 34V76M63 34V76M37 55H63",
    "K": "M37 34V76M65 34L37 59M46 51L66 76",
    "L": "M39 34V76H64",
    "N": "M37 76V34L63 76V34",
    "P": "M38 76V34H54A11.5 11.5 0 0 1 54 57H38",
    "R": "M37 76V34H54A11 11 0 0 1 54 56H37M52 56L66 76",
    "S": "M64 43Q61 34 50 34Q37 34 37 44Q37 54 50 55Q64 56 64 66Q64 76 50 76Q39 76 35 66",
    "+": "M43 24H57M50 17V31",
}
"""The lines of each letter in the middle of a square of 100 by 100; a plus stands above it."""
