"""The pieces of chess after Staunton, in squares of 100 by 100."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.games.game import Figure

_FOOT: Final = "Q79 83 79 91V94H21V91Q21 83 29 81"
"""From the right of the stem to its left, around the foot."""

FIGURES: Final[Mapping[str, Figure]] = {
    "pawn": Figure(
        "M50 17A14.5 14.5 0 0 1 59 43Q67 45 67 51H59Q60 72 71 81"
        f"{_FOOT}Q40 72 41 51H33Q33 45 41 43A14.5 14.5 0 0 1 50 17Z",
        "M41 51H59M29 83H71",
    ),
    "rook": Figure(
        f"M24 13H36V21H44V13H56V21H64V13H76V32L67 40L69 72L71 81{_FOOT}L31 72L33 40L24 32Z",
        "M33 40H67M31 72H69M29 83H71",
    ),
    "knight": Figure(
        "M54 8L58 18C76 26 82 52 74 81"
        "Q81 83 81 91V94H23V91Q23 83 31 81C33 68 51 64 52 50Q45 57 38 57Q34 58 30 65"
        "Q25 69 19 65Q15 62 17 56L30 33Q35 21 46 18Z",
        "M61 26C72 38 74 58 68 80M36 33L41 35L39 30M22 58L25 56M31 83H74",
    ),
    "bishop": Figure(
        "M50 5A6.5 6.5 0 0 1 54 16.5C68 26 72 38 70 48Q68 56 61 60L66 64V69H59Q61 77 71 81"
        f"{_FOOT}Q39 77 41 69H34V64L39 60Q32 56 30 48C28 38 32 26 46 16.5A6.5 6.5 0 0 1 50 5Z",
        "M60 25L49 40M39 60H61M41 69H59M29 83H71",
    ),
    "queen": Figure(
        "M29 63L16.5 37.9A5.5 5.5 0 1 1 17.5 37.2L28 50L30.5 25.5A5.5 5.5 0 1 1 33 25.1L41 45"
        "L48.5 19.3A5.5 5.5 0 1 1 51.5 19.3L59 45L67 25.1A5.5 5.5 0 1 1 69.5 25.5L72 50"
        "L82.5 37.2A5.5 5.5 0 1 1 83.5 37.9L71 63L71 69H64Q65 77 71 81"
        f"{_FOOT}Q35 77 36 69H29Z",
        "M29 63H71M36 69H64M29 83H71",
    ),
    "king": Figure(
        "M46 4H54V10H61V18H54V25Q66 25 69 29Q82 26 84 38Q84 48 70 62L71 68H64Q65 77 71 81"
        f"{_FOOT}Q35 77 36 68H29L30 62Q16 48 16 38Q18 26 31 29Q34 25 46 25V18H39V10H46Z",
        "M30 62H70M36 68H64M29 83H71M50 34V54M40 44H60",
    ),
}
