"""Letters as people write them, put before a match in which their orders are legal.

The position is that of a playthrough of Nord: red is to act, in turn 6 of a match of three.
"""

from __future__ import annotations

import atexit
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

from support import club
from support.stage import ALICE, BOB, Stage
from support.unclosed import keep_open

from referee.desk.plans.board import Fix
from referee.desk.plans.plan import apply_act
from referee.games import registry
from referee.store.play import matches

TREE: Final = Path(__file__).parents[2]
FILE: Final = TREE / "tests/corpus/people/letters.jsonl"
PLAYTHROUGH: Final = TREE / "tests/playthroughs/nord-1-3.txt"
LAST_EVENT: Final = 20
"""The event of the playthrough after which red is to act."""

_EVENT: Final = re.compile(r"(\d+) \w+ (.*?) \(of \d+\)")


@dataclass(frozen=True)
class PeoplesLetter:
    """A letter of a set: its kind, doubting, plain or talk, its language, and its text."""

    set: str
    kind: str
    language: str
    text: str


def peoples_letters() -> list[PeoplesLetter]:
    """Return all letters."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [PeoplesLetter(**json.loads(line)) for line in lines]


class PeoplesStage(Stage):
    """The match that all letters are put before; each is forgotten again."""

    def __init__(self) -> None:
        self.club = club.open_club(keep_open(Path(mkdtemp(prefix="people-"))))
        atexit.register(self.club.desk.store.close)
        self.name, self.language, self.mine, self.other = "nord-1", "en", "red", "green"
        seats = f"red={ALICE}", f"green={BOB}", "blue=blue@example.test"
        self.club.new_match("nord", *seats)
        self.club.work()
        apply_act(self.club.desk, Fix(self.name, _position()), "the letters were written for it")
        self.club.work()
        self.report = self.club.last(ALICE, "report")
        self.others = {each.kind: each for each in self.club.mails(BOB)}
        self.store = self.club.desk.store

    def fate(self, text: str) -> str:
        """Return what becomes of a letter when it arrives: played, held, or asked about."""
        text = text.replace("CODE", self.club.code(self.name, "red"))
        quoted = "".join(f"> {line}\n" for line in self.report.text.splitlines())
        whole = f"{text}\n\nOn Saturday the referee wrote:\n{quoted}"
        answer = club.letter(ALICE, whole, answers=self.report.message["Message-ID"])
        with self.undone() as scene:
            before = matches.find_match(scene.connection, self.name)
            assert before is not None
            scene.club.put(answer)
            events = matches.events(scene.connection, before.id, after=before.seq)
            if any(event.seat == "red" and event.kind != "note" for event in events):
                return "played"
            waiting = matches.standing_orders_of(scene.connection, before.id, "red")
            return "held" if any(order.until for order in waiting) else "asked"


@cache
def peoples_stage() -> PeoplesStage:
    """Return the stage of this process."""
    return PeoplesStage()


def _position() -> Any:
    lines = PLAYTHROUGH.read_text(encoding="utf-8").splitlines()
    board, options = (
        json.loads(next(line for line in lines if line.startswith(word)).partition(" ")[2])
        for word in ("board ", "options ")
    )
    game = registry.find_installed("nord")
    position = game.start(["red", "green", "blue"], options, board)
    for event in map(_EVENT.match, lines):
        if event and int(event[1]) <= LAST_EVENT:
            position, _ = game.apply(position, game.parse(event[2], "en"))
    return game.dump(position)


def table(letters: Sequence[PeoplesLetter]) -> Iterator[str]:
    """Yield the lines of a table: what becomes of how many letters of each language and kind."""
    fates = Counter(
        (letter.language, letter.kind, peoples_stage().fate(letter.text)) for letter in letters
    )
    yield "| language | kind | letters | played | held | asked |"
    yield "|---|---|---|---|---|---|"
    for language, kind in sorted({(letter.language, letter.kind) for letter in letters}):
        counts = [fates[language, kind, fate] for fate in ("played", "held", "asked")]
        yield f"| {language} | {kind} | {sum(counts)} | {' | '.join(map(str, counts))} |"
