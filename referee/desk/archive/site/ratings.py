"""The ratings of players by game, after Plackett and Luce, over matches played to an end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final

from referee.value import Value

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


CAUTION: Final = 3
"""Standard deviations by which the rating shown lies below the mean.

A newcomer's lucky match does not lead the list.
"""


class Ended(Value):
    """A match that counts: places by player, and when it ended.

    Players are named like ``player-3`` or ``bot greedy``.
    """

    match: str
    game: str
    ended: datetime
    places: Mapping[str, int]


class RatedPlayer(Value):
    """A player in a game: rating, spread, matches played and won.

    ``history`` holds the rating after each match, with the match's number in time.
    """

    who: str
    rating: float
    spread: float
    played: int
    won: int
    history: tuple[tuple[int, float], ...]


def rate_players(matches: Iterable[Ended]) -> dict[str, tuple[RatedPlayer, ...]]:
    """Return the standings of each game, the strongest first."""
    games: dict[str, list[Ended]] = {}
    # Ratings depend on the order of the matches, which the name decides in a tie.
    for match in sorted(matches, key=lambda match: (match.ended, match.match)):
        games.setdefault(match.game, []).append(match)
    return {game: _of_game(games[game]) for game in sorted(games)}


def _of_game(matches: Iterable[Ended]) -> tuple[RatedPlayer, ...]:
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
        teams = [[ratings.get(player) or model.rating(name=player)] for player in who]
        ranks = [float(match.places[player]) for player in who]
        for player, [rating] in zip(who, model.rate(teams, ranks=ranks), strict=True):
            ratings[player] = rating
            played, won = counts.get(player, (0, 0))
            counts[player] = played + 1, won + (match.places[player] == 1)
            history.setdefault(player, []).append((number, _shown(rating)))
    standings = [
        RatedPlayer(who, _shown(r), CAUTION * r.sigma, *counts[who], tuple(history[who]))
        for who, r in ratings.items()
    ]
    return tuple(sorted(standings, key=lambda player: (-player.rating, player.who)))


def _shown(rating: PlackettLuceRating) -> float:
    return float(rating.mu - CAUTION * rating.sigma)
