"""Chess by mail, told as its players tell it: results, checks, moves that were forced."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from support.archived import record_of
from support.club import ALICE, BOB, Club, Mail, letter, open_club

from referee.desk.archive.audit import audit_match
from referee.desk.archive.prune import prune_match
from referee.desk.archive.take_in import read_record, take_record
from referee.desk.work import Refused
from referee.games.registry import find_installed
from referee.store.play import matches
from referee.store.store import upgrade_store
from referee.value import replace


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Return a club."""
    club = open_club(tmp_path)
    yield club
    club.desk.store.close()


def begin(club: Club, fen: str = "", game: str = "chess") -> None:
    """Begin a match from a position, in which bob reads German."""
    club.new_match(game, f"white={ALICE}", f"black={BOB}", options=[f"fen={fen}"] if fen else [])
    club.work()
    club.put(letter(BOB, "set language de"))


def play(club: Club, *moves: str) -> dict[str, Mail]:
    """Let both answer their reports with moves in turn; return the last report of each."""
    reports = {who: club.last(who, "report") for who in (ALICE, BOB)}
    for move in moves:
        mover = ALICE if club.match("chess-1").to_act == "white" else BOB
        club.answer(reports[mover], move, mover)
        club.work()
        for who in (ALICE, BOB):
            new = [mail for mail in club.mails(who) if mail.kind == "report"]
            reports[who] = new[-1] if new else reports[who]
    return reports


def test_a_start_that_is_none_is_told_by_the_option_that_gave_it(club: Club) -> None:
    """Whoever gave no board is told of none."""
    said = "^--option fen=abc: must have 8 ranks, not 1"
    with pytest.raises(Refused, match=said):
        begin(club, "abc")


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("chess", ()), ("chess", ("e4",)), ("chess", ("e4", "e5", "Nf3")),
        ("chess", ("f3", "e5", "g4", "Qh4")), ("connectfour", ("d", "e")),
    ],
)  # fmt: skip
def test_the_audit_finds_matches_sound_that_begin_with_a_turn(
    club: Club, game: str, moves: tuple[str, ...]
) -> None:
    """Nothing is drawn before it, so that it begins before the first event."""
    first, second = find_installed(game).colours
    name = club.new_match(game, f"{first}={ALICE}", f"{second}={BOB}").name
    club.work()
    for mover, move in zip((ALICE, BOB) * 2, moves, strict=False):
        club.answer(club.last(mover, "report"), move, mover)
        club.work()
    with club.desk.reading() as change:
        assert audit_match(change, club.match(name)).fault is None


def test_an_imported_match_passes_the_audit_and_one_imported_before_does_once_upgraded(
    club: Club, tmp_path: Path
) -> None:
    """Its first turn began before the first event; earlier versions did not write it down."""
    begin(club)
    play(club, "f3", "e5", "g4", "Qh4")
    (tmp_path / "other").mkdir()
    other = open_club(tmp_path / "other")
    found = read_record(other.desk, record_of(club, "chess-1").splitlines())
    with other.desk.writing() as change:
        take_record(change, found)
    row = other.match("chess-1")
    with other.desk.writing() as change:
        assert audit_match(change, row).fault is None
        first = replace(matches.turns(change.connection, row.id)[0], id=0)
        change.connection.execute(text("DELETE FROM turns WHERE number = 1"))
        fault = audit_match(change, row).fault
        change.connection.execute(text("UPDATE alembic_version SET version_num = '0202'"))
    assert fault == (
        "turn 1 is not what the log says: it is missing, by the log that of white, begun after "
        "event 0"
    )
    upgrade_store(f"sqlite:///{other.desk.store.file}")
    with other.desk.reading() as change:
        assert audit_match(change, row).fault is None
        assert replace(matches.turns(change.connection, row.id)[-1], id=0) == first
    other.desk.store.close()


def test_a_pruned_match_gets_its_first_turn_back_that_was_never_kept(
    club: Club, tmp_path: Path
) -> None:
    """As of one taken in by an earlier version, and pruned before the upgrade."""
    begin(club)
    play(club, "f3", "e5", "g4", "Qh4")
    record = tmp_path / "records" / "chess-1.jsonl"
    record.parent.mkdir()
    record.write_bytes(record_of(club, "chess-1"))
    assert prune_match(club.desk, record.parent, "chess-1", events=True).why == ""
    with club.desk.writing() as change:
        change.connection.execute(text("DELETE FROM turns WHERE number = 1"))
    found = read_record(club.desk, record.read_bytes().splitlines())
    with club.desk.writing() as change:
        assert take_record(change, found) == ("chess-1", "restored")
        assert audit_match(change, club.match("chess-1")).fault is None


@pytest.mark.parametrize("options", [[], ["chess960=yes"]])
def test_chance_is_spoken_of_only_where_it_has_a_part(club: Club, options: list[str]) -> None:
    """A game of chess hangs on nothing but its players, unless its start was drawn."""
    club.new_match("chess", f"white={ALICE}", f"black={BOB}", options=options)
    club.work()
    told = " ".join(mail.flat for mail in club.mails(ALICE))
    for words in ("Chance comes from a secret seed", "practice match"):
        assert (words in told) is bool(options)


def test_the_first_report_tells_how_one_offers_a_draw_and_gives_up(club: Club) -> None:
    """Chess players look for both among the moves, and need not ask for help first."""
    begin(club)
    told = club.last(ALICE, "report").flat.partition("How orders are written")[2]
    assert "· draw — offers a draw" in told
    assert "· resign — gives up the match" in told


def test_a_mate_is_told_with_its_score_and_its_sign(club: Club) -> None:
    """Won and lost in the reader's language; a sign that was left out stands in the list."""
    begin(club)
    reports = play(club, "f3", "e5", "g4", "Dh4")
    assert reports[ALICE].flat.count("Over: you have lost. Checkmate. 0-1.") == 1
    assert "2. g4 Qh4#" in reports[ALICE].flat
    assert "Zu Ende: Du hast gewonnen. Schachmatt. 0-1." in reports[BOB].flat
    assert "(1) Schwarz (du) zog Dh4#." in reports[BOB].flat
    assert "\n8 t s l k .!l s t\n" in reports[BOB].text
    assert "K König; D Dame; T Turm; L Läufer; S Springer; B Bauer" in reports[BOB].flat


def test_what_was_refused_is_not_corrected_to_another_piece_s_move(club: Club) -> None:
    """The pawn's h4 may be meant by somebody else than whoever wrote Qh4, so none is proposed."""
    begin(club)
    club.answer(club.last(ALICE, "report"), "Qh4", ALICE)
    receipt = club.last(ALICE, "receipt")
    assert "refused: The queen on d1 cannot go to h4." in receipt.flat
    assert "corrected" not in receipt.flat
    assert "You could write: · h4 · " in receipt.flat


def test_a_match_given_up_has_the_score_of_a_game(club: Club) -> None:
    begin(club)
    club.answer(club.last(ALICE, "report"), "resign", ALICE)
    club.work()
    assert "0-1." in club.last(BOB, "report").flat


def test_a_draw_agreed_upon_is_half_a_point_for_each(club: Club) -> None:
    begin(club)
    club.answer(club.last(ALICE, "report"), "e4\n\ndraw?", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), "ja", BOB)
    club.work()
    assert "Over: a draw. The players agreed on a draw. ½-½." in club.last(ALICE, "report").flat


@pytest.mark.parametrize(
    "text",
    [
        "e5, no thanks", "e5 declined", "e5 (no draw)", "e5\nNo draw, thanks!", "No draw! e5",
        "e5. I decline the draw.", "decline\ne5", "e5, kein Remis", "e5\nNein, danke",
    ],
)  # fmt: skip
def test_a_draw_is_declined_beside_a_move(club: Club, text: str) -> None:
    """No word about it takes the move back."""
    begin(club)
    club.answer(club.last(ALICE, "report"), "e4\ndraw?", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), text, BOB)
    club.work()
    assert "Black (bob) played e5" in club.last(ALICE, "report").flat


def test_who_says_no_to_a_draw_in_other_words_is_told_how_one_declines(club: Club) -> None:
    """Not how one agrees."""
    begin(club)
    club.answer(club.last(ALICE, "report"), "e4\ndraw?", ALICE)
    club.work()
    club.answer(club.last(BOB, "report"), "I would never take half a point", BOB)
    assert "„ablehnen“ zählt allein in seiner Zeile" in club.last(BOB).flat


def test_a_move_that_was_the_only_legal_one_is_told_as_such(club: Club) -> None:
    """The referee plays it at once, and says why to both."""
    begin(club, "7k/6pp/8/8/8/8/3q2PP/1R5K w - - 0 1")
    reports = play(club, "Rb8")
    told = "played Qd8. The referee played for Black: it was the only legal move."
    assert f"(2) Black (bob) {told}" in reports[ALICE].flat
    told = "zog Dd8. Der Referee hat für Schwarz gespielt: Es war der einzige erlaubte Zug."
    assert told in reports[BOB].flat
