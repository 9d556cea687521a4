"""What the archive's pages hold: everything of what is over, nothing hidden of what runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from support.archived import by_bots, by_mail, club_in, rated, written
from support.club import ALICE, BOB, Club
from support.leaks import InEverybodysFacts
from support.spying import plain, private_words

from referee.desk.archive.audit import begun_matches
from referee.desk.archive.site.pages import Site, WritingProgress
from referee.desk.matches import ledger
from referee.desk.plans.board import Undo
from referee.desk.plans.match import End
from referee.desk.plans.plan import apply_act
from referee.desk.seats import handover, setup
from referee.desk.seats.setup import MatchSetup, parse_holder, read_options
from referee.games import registry
from referee.games.game import LANGUAGES, AnyGame
from referee.matches.events import CHANCE_EVENT
from referee.render.site.pages import MOST_BYTES
from referee.render.words.wording import Wording
from referee.store import notes
from referee.store.people import players
from referee.store.play import archives, matches
from referee.value import replace

SEATED = (("red", ALICE), ("blue", BOB))


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Return a club with nobody in it yet."""
    with club_in(tmp_path / "club") as found:
        yield found


def page(site: Site, name: str) -> str:
    """Return a page of the archive as text, entities resolved."""
    return unescape((site.folder / "matches" / f"{name}.html").read_text(encoding="utf-8"))


def secrets_of(club: Club, game: AnyGame, name: str, language: str) -> set[str]:
    """Return texts that tell what spectators of a match may not know."""
    row = club.match(name)
    with club.desk.store.reading() as connection:
        events = matches.events(connection, row.id)
    facts = [fact for each in events for fact in ledger.facts_from_json(each.facts)]
    found = private_words(game, facts, language, None)
    for each in events:
        document = json.loads(each.body)
        found |= {document["salt"]}
        if each.kind == CHANCE_EVENT:
            found.add(game.format(game.parse(document["order"], "en"), language))
    return found | {row.seed.hex()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "letters"), [("pebbles", 6), ("nord", 9), ("origo", 15)])
def test_running_matches_hide_what_spectators_do_not_know(
    club: Club, name: str, letters: int, language: str, tmp_path: Path
) -> None:
    """No draw, private fact, salt or seed of a running match is anywhere in the pages."""
    match = by_mail(club, name, most=letters)
    site = Site(club.desk, tmp_path / "pages", language)
    written(site)
    hidden = secrets_of(club, registry.find_installed(name), match, language)
    assert len(hidden) > 10
    for file in site.folder.rglob("*.html"):
        text = plain(unescape(file.read_text(encoding="utf-8")))
        assert [each for each in hidden if each in text] == []


def test_what_hides_nothing_is_found(club: Club, tmp_path: Path) -> None:
    """The search finds a game that tells its private facts to everybody."""
    match = by_mail(club, most=6)
    leaky: Any = InEverybodysFacts(registry.find_installed("pebbles"))
    desk = replace(club.desk, find_game=lambda name, edition: leaky)
    site = Site(desk, tmp_path / "pages", "en")
    written(site)
    hidden = secrets_of(club, registry.find_installed("pebbles"), match, "en")
    assert any(each in plain(page(site, match)) for each in hidden)


def test_running_match_ends_with_its_last_whole_turn(club: Club, tmp_path: Path) -> None:
    """The page has a step for each turn that ended, and the board as it stood then."""
    match = by_mail(club, "origo", most=9)
    site = Site(club.desk, tmp_path / "pages", "en")
    written(site)
    row = club.match(match)
    assert page(site, match).count('<li id="s') == row.turn
    assert json.loads(data(page(site, match)))["steps"][0].keys() == {"p", "a", "t"}


def data(text: str) -> str:
    """Return the data of a page's script."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text)
    assert found is not None
    return found[1]


def test_finished_matches_are_told_whole(club: Club, tmp_path: Path) -> None:
    """After the record's release the page has a step for each event, draws included."""
    match = by_mail(club)
    site = Site(club.desk, tmp_path / "pages", "en")
    written(site)
    text = page(site, match)
    row = club.match(match)
    with club.desk.store.reading() as connection:
        orders = [json.loads(each.body)["order"] for each in matches.events(connection, row.id)]
    assert text.count('<li id="s') == row.seq
    assert [each for each in orders if f"<code>{each}</code>" not in text] == []


@pytest.mark.parametrize("game", ["nord", "origo"])
def test_pages_stay_small(club: Club, game: str, tmp_path: Path) -> None:
    """The page of a long match with all seats weighs less than the limit."""
    match = by_bots(club, game, seats=max(registry.find_installed(game).seats))
    site = Site(club.desk, tmp_path / "pages", "de")
    written(site)
    size = (site.folder / "matches" / f"{match}.html").stat().st_size
    assert 50_000 < size <= MOST_BYTES


def test_a_seat_is_told_by_a_letter_of_its_own(club: Club, tmp_path: Path) -> None:
    """A game may write on a piece how many it stands for; the seat has its letter alone."""
    match = by_mail(club, "pebbles", most=6)
    site = Site(club.desk, tmp_path / "pages", "en")
    written(site)
    letters = re.findall(r'class="chip c-(\w+)" data-l="([^"]*)"', page(site, match))
    assert dict(letters) == {"red": "R", "blue": "B"}


def test_only_what_changed_is_written(club: Club, tmp_path: Path) -> None:
    """A second run writes nothing; a new name, one more turn or another language does."""
    match = by_mail(club, most=3)
    by_bots(club, "pebbles")
    site = Site(club.desk, tmp_path / "pages", "en")
    first = written(site)
    again = written(site)
    assert (again.written, again.unchanged) == (0, first.written)
    with club.desk.store.writing() as connection:
        alice = players.by_address(connection, ALICE)
        assert alice is not None
        players.update_player(connection, alice.id, name="Alicia & Bo")
    renamed = written(site)
    assert renamed.unchanged >= 1
    assert "Alicia &amp; Bo" in (site.folder / "matches" / f"{match}.html").read_text()
    german = written(replace(site, language="de"))
    assert german.written == first.written
    assert "Das Brett" in page(site, match)


def test_pages_are_written_anew_with_another_version_of_their_game(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its words may be others; those of other games stay."""
    by_mail(club, "nord", most=1)
    by_bots(club, "pebbles")
    site = Site(club.desk, tmp_path / "pages", "en")
    first = written(site)
    known = registry.version_of

    def upgraded(name: str, edition: int) -> str:
        return known(name, edition) + (".post1" if name == "pebbles" else "")

    monkeypatch.setattr(registry, "version_of", upgraded)
    again = written(site)
    assert (again.written, again.unchanged) == (1, first.written - 1)


def test_interrupted_writing_goes_on(club: Club, tmp_path: Path) -> None:
    """What was written before an interruption is not written again, and no page is half one."""
    for _ in range(3):
        by_bots(club, "pebbles")
    site = Site(club.desk, tmp_path / "pages", "en")
    done = WritingProgress()
    writing = site.write_matches(begun_matches(site.desk), done)
    next(writing)
    writing.close()
    after = written(site)
    assert (done.written, after.unchanged) == (1, 1)
    assert sorted(each.name for each in (site.folder / "matches").iterdir()) == [
        f"pebbles-{n}.html" for n in (1, 2, 3)
    ]


def test_nothing_comes_from_elsewhere(archive: Path) -> None:
    """No page loads anything: every link leads to another page of the archive."""
    for file in archive.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert "default-src 'none'" in text
        assert not re.search(r'(src|href)="(?:https?:)?//', text)
        for target in re.findall(r'href="([^"#]+)"', text):
            assert target == "data:," or (file.parent / target).is_file()


def test_the_legend_tells_signs_that_were_gone_at_the_end(archive: Path) -> None:
    """Treasure tiles lie face down at the beginning; whoever steps back there learns of them."""
    found = (archive / "matches" / "nord-1.html").read_text(encoding="utf-8")
    assert "? treasure tile, face down" in found.partition('class="legend"')[2][:300]


def test_names_that_went_stay_nowhere(club: Club, tmp_path: Path) -> None:
    """The page of a pruned match stays while its names are right, then goes; a player's too."""
    match = by_mail(club)
    site = Site(club.desk, tmp_path / "pages", "en")
    written(site)
    row = club.match(match)
    with club.desk.store.writing() as connection:
        notes.PRUNED.write(connection, "seal", row.id)
        archives.drop_events(connection, row.id)
    assert written(site).without == []
    assert "alice" in page(site, match)
    with club.desk.store.writing() as connection:
        seats = matches.seats(connection, row.id)
        players.update_player(connection, int(seats[0].player_id or 0), name="somebody")
        matches.set_holder(connection, row.id, seats[1].seat)
    assert written(site).without == [match]
    listed = (site.folder / "index.html").read_text(encoding="utf-8")
    assert match in listed
    assert f"matches/{match}.html" not in listed
    texts = [each.read_text(encoding="utf-8") for each in site.folder.rglob("*.html")]
    assert [each for each in texts if "alice" in each or "bob" in each] == []
    assert len(list((site.folder / "players").iterdir())) == 1


def test_ratings_count_what_was_no_practice(club: Club, tmp_path: Path) -> None:
    """Ratings hold matches with a secret seed, each game for itself, with all who played them."""
    by_mail(club)
    match = rated(club)
    site = Site(club.desk, tmp_path / "pages", "en")
    written(site)
    ratings = (site.folder / "ratings.html").read_text(encoding="utf-8")
    assert re.findall(r"<td>(bot \w+)</td>", ratings) in (
        ["bot greedy", "bot random"],
        ["bot random", "bot greedy"],
    )
    assert "alice" not in ratings
    game = (site.folder / "games" / "pebbles.html").read_text(encoding="utf-8")
    assert '<svg class="chart"' in game
    assert f"../matches/{match}.html" in game
    alone = (site.folder / "players" / "1.html").read_text(encoding="utf-8")
    assert "No match counts yet." in alone


def test_what_was_broken_off_counts_for_nobody(club: Club, tmp_path: Path) -> None:
    """A match that was broken off has no winners, in no list and in no rating."""
    found = registry.find_installed("pebbles")
    holders = tuple(parse_holder(f"{seat}={who}", found) for seat, who in SEATED)
    plan = MatchSetup(found, holders, read_options(found, []), begins=True)
    with club.desk.writing() as change:
        match = setup.set_up_match(change, plan).name
    club.work()
    apply_act(club.desk, End(match), "nobody answers any more")
    club.work()
    assert club.match(match).released
    site = Site(club.desk, tmp_path / "pages", "en")
    written(site)
    listed = (site.folder / "index.html").read_text(encoding="utf-8")
    assert "broken off, nobody has won" in listed
    assert "won by" not in listed
    assert "It was broken off" in page(site, match)
    # The reason stands in an event of its own, of which the page tells no more.
    assert "<b>A note that leaves the board as it is.</b>" in page(site, match)
    assert '<th scope="col">Place</th>' not in page(site, match)
    alone = (site.folder / "players" / "1.html").read_text(encoding="utf-8")
    assert "No match counts yet." in alone


def test_steps_of_a_running_match_are_named_as_they_are_shown(club: Club, tmp_path: Path) -> None:
    """Taking back is told by a step of the page, not by an event nobody sees there."""
    match = by_mail(club, most=8)
    apply_act(club.desk, Undo(match, 2, revealed=True), "a typing error")
    club.work()
    site = Site(club.desk, tmp_path / "pages", "en")
    written(site)
    told = re.findall(r"Taken back to after step (\d+)", page(site, match))
    assert told == ["2"]
    assert re.search('<li id="s2"[^>]*><b>Turn 1,', page(site, match))


def test_a_step_bears_the_badge_of_the_seat_that_did_it(club: Club, tmp_path: Path) -> None:
    """What was taken back is nobody's deed, a resignation is its seat's, the set-up is named."""
    match = by_mail(club, most=8)
    apply_act(club.desk, Undo(match, 2, revealed=True), "a typing error")
    with club.desk.writing() as change:
        handover.resign(change, club.match(match), "blue")
    site = Site(club.desk, tmp_path / "pages", "en")
    written(site)
    spectators = page(site, match)
    club.work()
    assert club.match(match).released
    written(site)
    for text in (spectators, page(site, match)):
        assert re.search(r'<li id="s\d+"><b>Taken back to after step \d+\.</b>', text)
        assert re.search(r'<li id="s\d+" class="c-blue" data-l="\w+"><b>Blue resigned\.</b>', text)
        assert "<b>Set-up" in text
        assert "Turn 0" not in text


def test_a_page_says_that_a_seat_resigned_as_its_time_was_up(club: Club, tmp_path: Path) -> None:
    match = by_mail(club, most=2)
    with club.desk.writing() as change:
        handover.resign(change, club.match(match), "red", late=True)
    site = Site(club.desk, tmp_path / "pages", "en")
    written(site)
    assert "<b>Red resigned, as the time was up.</b>" in page(site, match)


def test_orders_taken_back_within_a_turn_are_never_told(club: Club, tmp_path: Path) -> None:
    """The page of a running match says that a turn was taken back, not what was ordered in it."""
    match = by_mail(club, "nord", most=2)
    row = club.match(match)
    assert row.seq == (row.turn_began_seq or 0) + 1
    with club.desk.store.reading() as connection:
        told = ledger.facts_from_json(matches.events(connection, row.id)[-1].facts)
    wording = Wording(registry.find_installed("nord"), "en")
    texts = wording.facts([each for each in told if each.known_to(None)])
    apply_act(club.desk, Undo(match, revealed=True), "a typing error")
    site = Site(club.desk, tmp_path / "pages", "en")
    written(site)
    text = page(site, match)
    assert "Taken back" in text
    assert texts
    assert [each for each in texts if each in text] == []
