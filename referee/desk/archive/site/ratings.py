"""How strong players are, by game: ratings after Plackett and Luce, from the matches they ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


CAUTION: Final = 3
"""How many standard deviations below the mean the rating shown lies."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A match that counts: who took which place, ``player-3`` or ``bot greedy``, and when."""

    match: str
    game: str
    ended: datetime
    places: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Standing:
    """A player in a game: rating and deviation, matches played and won, and how it came.

    ``history`` holds the rating after each match, with its number in time.
    """

    who: str
    rating: float
    spread: float
    played: int
    won: int
    history: tuple[tuple[int, float], ...]


def rate(matches: Iterable[Ended]) -> dict[str, tuple[Standing, ...]]:
    """Return the standings of each game, the strongest first."""
    games: dict[str, list[Ended]] = {}
    for each in sorted(matches, key=lambda each: (each.ended, each.match)):
        games.setdefault(each.game, []).append(each)
    return {game: _of_game(games[game]) for game in sorted(games)}


def _of_game(matches: Iterable[Ended]) -> tuple[Standing, ...]:
    # The model is needed for pages alone, and nothing else should wait for it.
    from openskill.models import PlackettLuce  # noqa: PLC0415

    model = PlackettLuce()
    ratings: dict[str, PlackettLuceRating] = {}
    counts: dict[str, tuple[int, int]] = {}
    history: dict[str, list[tuple[int, float]]] = {}
    for number, match in enumerate(matches, start=1):
        if len(match.places) < 2:
            continue
        who = list(match.places)
        teams = [[ratings.get(each) or model.rating(name=each)] for each in who]
        ranks = [float(match.places[each]) for each in who]
        for each, [found] in zip(who, model.rate(teams, ranks=ranks), strict=True):
            ratings[each] = found
            played, won = counts.get(each, (0, 0))
            counts[each] = played + 1, won + (match.places[each] == 1)
            history.setdefault(each, []).append((number, _shown(found)))
    standings = [
        Standing(who, _shown(r), CAUTION * r.sigma, *counts[who], tuple(history[who]))
        for who, r in ratings.items()
    ]
    return tuple(sorted(standings, key=lambda each: (-each.rating, each.who)))


def _shown(rating: PlackettLuceRating) -> float:
    return float(rating.mu - CAUTION * rating.sigma)
