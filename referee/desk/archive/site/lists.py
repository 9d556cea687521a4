"""The lists of the archive: matches, and players' ratings by game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches import broken, ledger
from referee.render.common import NAME_LENGTH
from referee.render.drawings import charts
from referee.render.layout import clean
from referee.render.site import pages
from referee.render.site.pages import ListEntry, Row, SitePlayer, Table
from referee.render.words.wording import Catalogue, Wording
from referee.store.people import players
from referee.store.play import matches
from referee.store.tables.play import MatchRow
from referee.value import Value, replace

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating


class ArchivedMatch(Value):
    """A match as lists show it; ``who`` are its players in ratings."""

    entry: ListEntry
    who: tuple[str, ...]
    ended: Ended | None


class Lists(Value):
    """All begun matches, the latest first, and all names; ``broken``: why one cannot be listed."""

    listed: tuple[ArchivedMatch, ...]
    games: Mapping[str, str]
    names: Mapping[str, str]
    broken: Mapping[str, str]


def told_in_full(row: MatchRow) -> bool:
    """Return whether a match has no secrets any more."""
    return row.state == "over" and row.released


def site_players(connection: Connection, row: MatchRow) -> tuple[SitePlayer, ...]:
    """Return the holder of each seat of a match."""
    holders = []
    for seat in matches.seats(connection, row.id):
        name, link = f"bot {seat.bot}" if seat.bot else "", ""
        if seat.player_id is not None:
            name = clean(players.get_player(connection, seat.player_id).name, NAME_LENGTH)
            link = f"players/{seat.player_id}.html"
        holders.append(SitePlayer(seat.seat, name, link or None))
    return tuple(holders)


def read_lists(change: Change, language: str, without: Collection[str]) -> Lists:
    """Return the material for all lists; ``without``: matches without a page."""
    names: dict[str, str] = {}
    games: dict[str, str] = {}
    faults: dict[str, str] = {}
    listed = []
    for row in matches.select_matches(change.connection):
        if row.header is None:
            continue
        try:
            with broken.faults_as_broken(row):
                wording = Wording(change.desk.find_game(row.game, row.edition), language)
                archived = _listed(change.connection, row, wording, names)
        except broken.BrokenMatch as fault:
            faults[row.name] = str(fault)
            continue
        games[row.game] = wording.word("game", "name")
        # Listed all the same, but its page could not be made.
        if row.name in without:
            archived = replace(archived, entry=replace(archived.entry, link=None))
        listed.append(archived)
    return Lists(tuple(reversed(listed)), games, names, faults)


def _listed(
    connection: Connection, row: MatchRow, wording: Wording, names: dict[str, str]
) -> ArchivedMatch:
    """Return a match as lists show it; its players' names are added to those known."""
    holders = site_players(connection, row)
    # Each player's key in ratings, empty if unknown.
    who = {player.seat: player.link or player.name for player in holders}
    names |= {key: player.name for player in holders if (key := who[player.seat])}
    moment, say = row.ended or row.started or row.created, wording.catalogue.say
    result, day = ledger.result_of(row), moment.date().isoformat()
    if row.state != "over" or result is None:
        how = say("site.going", state=say(f"state.{row.state}"), turn=row.turn, day=day)
    elif not result.ranks:
        how = say("site.broken_off", day=day)
    else:
        first = [player for player in holders if result.places.get(player.seat) == 1]
        winners = wording.catalogue.joined(_in_list(player, wording) for player in first)
        how = say("site.ended", winners=winners, day=day)
    entry = ListEntry(
        name=row.name,
        link=f"matches/{row.name}.html",
        game_key=row.game,
        game=wording.word("game", "name"),
        year=str(moment.year),
        who=", ".join(_in_list(player, wording) for player in holders),
        how=how,
    )
    known, ended = tuple(key for key in who.values() if key), None
    # Ratings count neither practice nor what was abandoned, and no match with an unknown player;
    # and nobody can be rated against themselves.
    rated = told_in_full(row) and not row.practice and 2 <= len(set(known)) == len(who)
    if rated and result is not None and result.ranks and row.ended is not None:
        places = {who[seat]: place for seat, place in result.places.items()}
        ended = Ended(row.name, row.game, row.ended, places)
    return ArchivedMatch(entry, known, ended)


def _in_list(player: SitePlayer, wording: Wording) -> str:
    colour = wording.seat(player.seat)
    return f"{player.name} ({colour})" if player.name else colour


def pages_of(lists: Lists, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """Yield name and text of every list: index, ratings, games, players."""
    entries = [match.entry for match in lists.listed]
    years = sorted({entry.year for entry in entries}, reverse=True)
    games = sorted(lists.games.items(), key=lambda pair: pair[1])
    yield "index.html", pages.index_page(catalogue, entries, games, years)
    standings = rate_players(match.ended for match in lists.listed if match.ended)
    say = catalogue.say
    tables = [
        _of_game(lists, catalogue, game, standings[game]) for game, _ in games if game in standings
    ]
    yield "ratings.html", pages.ratings_page(catalogue, say("site.ratings"), tables)
    for game, name in games:
        one = [_of_game(lists, catalogue, game, standings.get(game, ()), chart=True)]
        of_game = [match.entry for match in lists.listed if match.entry.game_key == game]
        page = pages.ratings_page(catalogue, name, one, root="../", entries=of_game)
        yield f"games/{game}.html", page
    for key in sorted(lists.names):
        if not key.endswith(".html"):
            continue
        rows, lines = [], []
        for game, rated in standings.items():
            for place, player in enumerate(rated, start=1):
                if player.who == key:
                    name = lists.games[game]
                    rows.append(_row(place, name, f"games/{game}.html", player))
                    lines.append(charts.Curve(name, player.history))
        drawn = charts.svg_chart(lines, say("site.history"))
        table = Table(say("site.ratings"), None, say("site.game"), tuple(rows), drawn)
        own = [match.entry for match in lists.listed if key in match.who]
        page = pages.ratings_page(catalogue, lists.names[key], [table], root="../", entries=own)
        yield key, page


def _of_game(
    lists: Lists,
    catalogue: Catalogue,
    game: str,
    standings: Sequence[RatedPlayer],
    *,
    chart: bool = False,
) -> Table:
    rows, lines = [], []
    for place, player in enumerate(standings, start=1):
        name, link = lists.names[player.who], player.who if player.who.endswith(".html") else None
        rows.append(_row(place, name, link, player))
        lines.append(charts.Curve(name, player.history))
    drawn = ""
    if chart:
        drawn = charts.svg_chart(lines[: charts.MOST_LINES], catalogue.say("site.history"))
    first = catalogue.say("site.player")
    return Table(lists.games[game], f"games/{game}.html", first, tuple(rows), drawn)


def _row(place: int, name: str, link: str | None, player: RatedPlayer) -> Row:
    return Row(
        place=place,
        name=name,
        link=link,
        rating=f"{player.rating:.1f}",
        spread=f"{player.spread:.1f}",
        played=len(player.history),
        won=player.won,
    )


CAUTION: Final = 3
"""Standard deviations by which the rating shown lies below the mean.

A newcomer's lucky match does not lead the list.
"""


class Ended(Value):
    """A match that counts: places by player, and when it ended."""

    match: str
    game: str
    ended: datetime
    places: Mapping[str, int]


class RatedPlayer(Value):
    """A player in a game; ``history``: the rating after each match, with its number in time."""

    who: str
    rating: float
    spread: float
    won: int
    history: tuple[tuple[int, float], ...]


def rate_players(matches: Iterable[Ended]) -> dict[str, tuple[RatedPlayer, ...]]:
    """Return the standings of each game, the strongest first."""
    # The model is needed for pages alone, and nothing else should wait for it.
    from openskill.models import PlackettLuce  # noqa: PLC0415

    model = PlackettLuce()
    games: dict[str, list[Ended]] = {}
    # Ratings depend on the order of the matches, which the name decides in a tie.
    for match in sorted(matches, key=lambda match: (match.ended, match.match)):
        games.setdefault(match.game, []).append(match)
    rated = {}
    for game in sorted(games):
        ratings: dict[str, PlackettLuceRating] = {}
        won: Counter[str] = Counter()
        history: dict[str, list[tuple[int, float]]] = {}
        for number, match in enumerate(games[game], start=1):
            if len(match.places) < 2:
                continue
            who = list(match.places)
            teams = [[ratings.get(player) or model.rating(name=player)] for player in who]
            ranks = [float(match.places[player]) for player in who]
            for player, [rating] in zip(who, model.rate(teams, ranks=ranks), strict=True):
                ratings[player] = rating
                won[player] += match.places[player] == 1
                history.setdefault(player, []).append((number, _shown(rating)))
        standings = [
            RatedPlayer(who, _shown(r), CAUTION * r.sigma, won[who], tuple(history[who]))
            for who, r in ratings.items()
        ]
        rated[game] = tuple(sorted(standings, key=lambda player: (-player.rating, player.who)))
    return rated


def _shown(rating: PlackettLuceRating) -> float:
    return float(rating.mu - CAUTION * rating.sigma)
