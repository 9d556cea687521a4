"""How a referee reads what mail programs send: every program, language and situation counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from support.clients.programs import PROGRAMS, Program
from support.clients.situations import HARMFUL, SITUATIONS, faults, possible, tongue
from support.clients.tongues import Tongue
from support.stage import Outcome, Stage

Faults = Mapping[str, Sequence[str]]
"""Of each fault in each situation, the languages it was found in."""


def some_tongues(program: Program, number: int, many: int = 2) -> tuple[str, ...]:
    """Return a few of a program's languages, others for each number."""
    every = program.tongues
    chosen = (every[(number * 7 + each * 11) % len(every)] for each in range(many))
    return tuple(dict.fromkeys(chosen))


def all_tongues(program: Program, _: int) -> tuple[str, ...]:
    """Return every language of a program."""
    return program.tongues


@dataclass
class Measure:
    """A stage, and what becomes there of the same words without a program around them."""

    stage: Stage
    ideals: dict[bytes, Outcome] = field(default_factory=dict)

    def ideal(self, raw: bytes) -> Outcome:
        """Return what becomes of a letter that no program has touched."""
        if raw not in self.ideals:
            self.ideals[raw] = self.stage.hear(raw)
        return self.ideals[raw]

    def faults(self, program: Program, code: str | Tongue, situation: str) -> list[str]:
        """Return what is wrong with what became of one letter."""
        spoken = tongue(code) if isinstance(code, str) else code
        trial = SITUATIONS[situation](self.stage, program, spoken)
        found = self.stage.hear(trial.raw)
        return list(faults(found, self.ideal(trial.ideal), situation, trial))

    def table(self, programs: Iterable[Program], *, every: bool) -> Iterator[tuple[str, Faults]]:
        """Yield each program's name with its faults."""
        choose = all_tongues if every else some_tongues
        for number, program in enumerate(programs):
            found: dict[str, list[str]] = defaultdict(list)
            for situation in SITUATIONS:
                if possible(program, situation):
                    for code in choose(program, number):
                        for fault in self.faults(program, code, situation):
                            found[f"{fault} {situation}"].append(code)
            yield program.name, found


def lines(table: Iterable[tuple[str, Faults]]) -> Iterator[str]:
    """Yield a table as lines of text: programs with their faults, then the sums."""
    sums: Counter[str] = Counter()
    for name, found in table:
        if found:
            yield name
        for fault, codes in sorted(found.items()):
            mark = "!" if fault.split()[0] in HARMFUL else " "
            yield f"  {mark} {fault} ({len(codes)}): {' '.join(codes)}"
            sums[fault] += len(codes)
    yield "in all:"
    for fault, many in sorted(sums.items()):
        yield f"  {many:5} {fault}"


def named(names: Sequence[str]) -> list[Program]:
    """Return the programs of some names; all, if none is named."""
    return [each for each in PROGRAMS if not names or each.name in names]
