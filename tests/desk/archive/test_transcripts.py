"""Matches go out as files of their game's own, and come in once the rules agree with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.archived import by_bots, by_mail, written
from support.club import ALICE, Club
from support.pbl import FIRST, PBL, give_files

from referee.desk.archive import audit, take_in, transcripts
from referee.desk.archive.site.pages import Site
from referee.desk.archive.take_in import BadRecord
from referee.errors import RefereeError
from referee.games import registry
from referee.games.game import Transcript
from referee.store.play import matches
from referee.store.tables.play import MatchRow
from referee.value import replace


@pytest.fixture(autouse=True)
def files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Pebbles have files of its own."""
    give_files(monkeypatch)


def text_of(club: Club, name: str) -> str:
    """Return a match as a file of Pebbles."""
    with club.desk.store.reading() as connection:
        return transcripts.file_as(club.desk, connection, club.match(name), "pbl").decode()


def taken(club: Club, text: str) -> tuple[MatchRow, str]:
    """Import a file of Pebbles; return its match here, and the outcome."""
    formats = [(registry.find_installed("pebbles"), PBL)]
    found = transcripts.read_transcript(club.desk, text.encode(), formats)
    with club.desk.writing() as change:
        name, outcome = take_in.take_record(change, found)
    return club.match(name), outcome


def told_anew(text: str, **changed: object) -> str:
    """Return a file with other values in the line about its match."""
    first, _, orders = text.removeprefix(FIRST).partition("\n")
    return f"{FIRST}{json.dumps({**json.loads(first), **changed})}\n{orders}"


def orders_in(text: str) -> list[str]:
    return text.splitlines()[1:]


def test_a_file_goes_out_comes_in_and_goes_out_alike(club: Club, other: Club) -> None:
    """Chance that a file tells of is set; the match verifies, counts as practice, and is known."""
    name = by_bots(club, "pebbles")
    text = text_of(club, name)
    assert any(order.startswith("draw") for order in orders_in(text))
    row, outcome = taken(other, text)
    assert (row.state, row.practice, outcome) == ("over", True, "taken")
    assert row.result == club.match(name).result
    with other.desk.reading() as change:
        assert audit.audit_match(change, row).fault is None
    assert orders_in(text_of(other, row.name)) == orders_in(text)
    again, outcome = taken(other, text)
    assert (again.name, outcome) == (row.name, "there")


def test_a_file_without_a_day_is_known_again_on_another(club: Club, other: Club) -> None:
    text = told_anew(text_of(club, by_bots(club, "pebbles")), began="", ended="")
    row, outcome = taken(other, text)
    assert outcome == "taken"
    other.later(days=3)
    again, outcome = taken(other, text)
    assert (again.name, outcome) == (row.name, "there")


def test_a_match_that_its_files_cannot_hold_has_its_page(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault is told, and the page has no link to a file."""
    name = by_bots(club, "pebbles")

    def write(match: Transcript) -> str:
        raise ValueError("no word for it")

    give_files(monkeypatch, replace(PBL, write=write))
    progress = written(Site(club.desk, tmp_path / "site", "en"))
    assert f"{name} is broken" in progress.broken[name]
    assert f"{name}.pbl" not in (tmp_path / "site" / "matches" / f"{name}.html").read_text()


def test_an_order_against_the_rules_is_named_and_nothing_is_kept(club: Club, other: Club) -> None:
    """The message has its place in the file, the order, and the reason in the game's words."""
    text = text_of(club, by_bots(club, "pebbles"))
    number = next(n for n, order in enumerate(orders_in(text)) if order.startswith("put"))
    for line, said in (
        ("put 3 A9", f"line {number + 2}: put 3 A9: "),
        ("nonsense", f"line {number + 2}: nonsense: “nonsense” is no order"),
        ("draw red 1", f"line {number + 2}: draw red 1: "),
    ):
        lines = text.splitlines()
        lines[number + 1] = line
        with pytest.raises(BadRecord) as refused:
            taken(other, "\n".join(lines))
        assert said in str(refused.value)
    with pytest.raises(BadRecord, match="pass: the game is over before it"):
        taken(other, f"{text}pass\n")
    with other.desk.store.reading() as connection:
        assert not list(matches.select_matches(connection))


def test_chance_does_only_what_it_could(club: Club, other: Club) -> None:
    """An outcome that cannot come is refused."""
    text = text_of(club, by_bots(club, "pebbles"))
    lines = [text.splitlines()[0], "draw red 9"]
    with pytest.raises(BadRecord, match=r"line 2: draw red 9: "):
        taken(other, "\n".join(lines))
    with pytest.raises(BadRecord, match=r"line 2: pass: chance acts before it"):
        taken(other, "\n".join([lines[0], "pass"]))


def test_a_match_that_was_not_played_out_has_the_result_that_its_file_tells(
    club: Club, other: Club
) -> None:
    """By resignation, say; if the file tells of none, it was broken off."""
    text = text_of(club, by_bots(club, "pebbles"))
    short = "".join(f"{line}\n" for line in text.splitlines()[:4])
    places = {"red": 2, "blue": 1}
    result = {"ending": "resigned", "points": {}, "places": places}
    row, _ = taken(other, told_anew(short, result=result))
    assert row.result is not None
    assert (row.result["ending"], row.result["places"]) == ("resigned", places)
    row, _ = taken(other, told_anew(short, result=None))
    assert row.result is not None
    assert row.result["ending"] == "abandoned"


def test_a_match_whose_file_tells_who_won_and_not_how_has_its_page(
    club: Club, other: Club, tmp_path: Path
) -> None:
    """As PGN does of a game that was given up; no order is added that nobody played."""
    text = text_of(club, by_bots(club, "pebbles"))
    short = "".join(f"{line}\n" for line in text.splitlines()[:4])
    result = {"ending": "", "points": {}, "places": {"red": 2, "blue": 1}}
    row, _ = taken(other, told_anew(short, result=result))
    assert row.result is not None
    assert row.result["ending"] == "declared"
    assert orders_in(text_of(other, row.name)) == orders_in(short)
    written(Site(other.desk, tmp_path / "site", "en"))
    assert (tmp_path / "site" / "matches" / f"{row.name}.html").is_file()


def test_a_result_that_is_not_that_of_the_rules_is_refused(club: Club, other: Club) -> None:
    text = text_of(club, by_bots(club, "pebbles"))
    wrong = {"ending": "full", "points": {}, "places": {"red": 7, "blue": 7}}
    with pytest.raises(BadRecord, match="its result is not that of the rules"):
        taken(other, told_anew(text, result=wrong))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "pebbles: line 1: expected"),
        (FIRST, "pebbles: "),
        ("{}\n" * 3, "pebbles: line 1"),
        ('Pebbles {"seats": ["red"], "options": {}, "result": null}', "pebbles: "),
        ('Pebbles {"seats": ["red", "blue"], "options": {"hand": 99}, "result": null}', "hand"),
        (
            'Pebbles {"seats": ["red", "blue"], "options": {}, "result": null, "began": "May"}',
            "pebbles: ",
        ),
    ],
)
def test_what_is_no_such_file_is_refused_with_the_reason(text: str, said: str, other: Club) -> None:
    with pytest.raises(BadRecord, match=said):
        taken(other, text)


def test_a_file_of_many_games_is_not_taken_for_its_first(club: Club, other: Club) -> None:
    """It is said that there are more, and nothing is kept; only two of them are read."""
    text = text_of(club, by_bots(club, "pebbles"))
    with pytest.raises(BadRecord, match="there is more than one game in it"):
        taken(other, text * 100)


def test_a_file_that_several_games_can_read_asks_for_the_game(club: Club, other: Club) -> None:
    """The game that can read it is found; of two it must be said which."""
    text = text_of(club, by_bots(club, "pebbles")).encode()
    formats = [(registry.find_installed("pebbles", edition), PBL) for edition in (1, 2)]
    with pytest.raises(BadRecord, match="--game says of which: pebbles, pebbles"):
        transcripts.read_transcript(other.desk, text, formats)


def test_an_ending_that_no_file_of_the_game_has_is_told_with_those_there_are(club: Club) -> None:
    name = by_bots(club, "pebbles")
    with (
        club.desk.store.reading() as connection,
        pytest.raises(RefereeError, match="there are: pbl"),
    ):
        transcripts.file_as(club.desk, connection, club.match(name), "pgn")


def test_last_mail_and_page_bring_the_file(club: Club, tmp_path: Path) -> None:
    """It is attached and told; it stands beside the page, with a link, and goes with it."""
    name = by_mail(club, "pebbles")
    mail = club.last(ALICE, "report")
    attached = {
        str(part.get_filename()): part.get_payload(decode=True)
        for part in mail.message.iter_attachments()
    }
    text = text_of(club, name)
    assert attached[f"{name}.pbl"].decode() == text
    assert '"players": {"red": "' in text
    for part in (mail.text, mail.html):
        assert f"{name}.pbl" in part
    folder = tmp_path / "site"
    written(Site(club.desk, folder, "en"))
    file = folder / "matches" / f"{name}.pbl"
    assert file.read_text() == text
    assert f'<a href="{name}.pbl" download>' in file.with_suffix(".html").read_text()
