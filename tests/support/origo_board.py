"""The printed matter of Origo: the map, values, tracks and cards."""

from __future__ import annotations

from typing import Any

BIG = ("BRI", "GER", "BAL", "GAL", "HIS", "ITA")
SMALL = ("BEL", "SKA", "POL", "HEL", "DAK", "DAL")
SEAS = ("NOR", "OST", "BIS", "MIT")
ROWS = "ABCDEFGHIJ"
COLUMNS = tuple(str(column) for column in range(1, 11))
SQUARES = tuple(row + column for row in ROWS for column in COLUMNS)

MAP = (
    "BRI BRI NOR SKA SKA SKA OST BAL BAL BAL",
    "BRI BRI NOR NOR SKA SKA OST OST BAL BAL",
    "BRI BRI NOR NOR GER GER OST BAL BAL BAL",
    "BRI BRI NOR BEL GER GER POL POL POL POL",
    "BIS BIS BEL BEL GER GER POL DAK DAK DAK",
    "BIS GAL GAL GAL GER GER HEL HEL DAK DAK",
    "HIS GAL GAL GAL ITA HEL HEL DAL DAL DAL",
    "HIS HIS GAL GAL ITA ITA ITA DAL DAL MIT",
    "HIS HIS MIT MIT ITA ITA ITA ITA MIT MIT",
    "HIS HIS HIS MIT MIT MIT MIT MIT MIT MIT",
)
VALUES = dict.fromkeys(BIG, (4, 2, 1)) | dict.fromkeys(SMALL, (3, 2, 1)) | {"BEL": (2, 1, 0)}
TRACK = (3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7)
RED = (4, 8, 12)
CLANS = (8, 6, 4, 2, 1)
SHIELDS = {2: 44, 3: 30, 4: 25, 5: 22}

AREA = {
    row + column: area
    for row, line in zip(ROWS, MAP, strict=True)
    for column, area in zip(COLUMNS, line.split(), strict=True)
}
SQUARES_OF = {area: [s for s in SQUARES if AREA[s] == area] for area in (*BIG, *SMALL, *SEAS)}

ONE_LINE = {f"row:{row}": 1 if row == "A" else 2 for row in ROWS} | {
    f"col:{column}": 1 if column == "10" else 2 for column in COLUMNS
}
MORE_LINES = (
    *("row:A/B", "row:C/D", "row:E/F", "row:G/H", "row:I/J", "row:A/J", "row:D/E/F"),
    *("col:1/2", "col:3/4", "col:5/6", "col:7/8", "col:9/10", "col:1/10", "col:5/6/7"),
)
CARDS = (
    ONE_LINE
    | dict.fromkeys(MORE_LINES, 1)
    | {f"land:{land}": 2 for land in BIG}
    | {f"land:{land}": 1 for land in SMALL}
    | {"people": 16, "ship": 12}
)


def board_document(**changes: Any) -> dict[str, Any]:
    """Return the map as a board document of its own, changed in some of its fields."""
    lands = {
        land: {
            "de": land.title(),
            "en": land.title(),
            "values": list(VALUES[land]),
            "setup_limit": 4 if land in BIG else 2,
        }
        for land in (*BIG, *SMALL)
    }
    return {
        "game": "origo",
        "name": "example",
        "provenance": "reconstructed",
        "map": list(MAP),
        "lands": lands,
        "seas": {sea: {"de": sea.title(), "en": sea.title()} for sea in SEAS},
        "scoring_order": [*BIG, *SMALL],
        "founding_track": list(TRACK),
        "founding_red": list(RED),
        "clan_values": list(CLANS),
        "cards": dict(CARDS),
    } | changes
