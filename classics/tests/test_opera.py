"""A master's game by mail: Morphy's at the opera, as its players would have written it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from support.club import ALICE, BOB, open_club

MOVES = [
    "e4",
    "e5",
    "Nf3",
    "d6",
    "d4",
    "Bg4",
    "dxe5",
    "Bxf3",
    "Qxf3",
    "dxe5",
    "Bc4",
    "Nf6",
    "Qb3",
    "Qe7",
    "Nc3",
    "c6",
    "Bg5",
    "b5",
    "Nxb5",
    "cxb5",
    "Bxb5+",
    "Nbd7",
    "0-0-0",
    "Rd8",
    "Rxd7",
    "Rxd7",
    "Rd1",
    "Qe6",
    "Bxd7+",
    "Nxd7",
    "Qb8+!",
    "Nxb8",
    "Rd8#",
]


def test_morphys_opera_game_is_played_to_its_mate(tmp_path: Path) -> None:
    """Every letter is one move, answered to the last mail; the last one ends the match."""
    club = open_club(tmp_path)
    club.new_match("chess", f"white={ALICE}", f"black={BOB}")
    club.work()
    for count, move in enumerate(MOVES):
        player, seat = ((ALICE, "white"), (BOB, "black"))[count % 2]
        club.answer(club.last(player), f"{count // 2 + 1}. {move}", player)
        assert club.fate("chess-1", seat) == "played", move
        club.work()

    last = club.last(BOB)
    assert "Over: you have lost. Checkmate. 1-0." in last.flat
    assert "16. Qb8+ Nxb8, 17. Rd8#" in last.flat
    files = {part.get_filename(): part for part in last.message.iter_attachments()}
    with zipfile.ZipFile(io.BytesIO(files["chess-1.zip"].get_payload(decode=True))) as kept:
        page = kept.read("chess-1.html").decode()
    # Pieces bear no letters of their seats, so these have the letters of their colours.
    assert 'class="chip c-white" data-l="W"' in page
    assert 'class="chip c-black" data-l="B"' in page
