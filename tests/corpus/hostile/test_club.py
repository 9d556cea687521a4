"""Hostile letters put into a whole club: nothing moves, nobody unknown hears, play goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from support.club import Club, letter, open_club
from support.corpus import EXPECTED, HOSTILE, raw
from support.hostile import BOMBS, check_headers, enormous

from referee.desk.letters.intake import STRANGERS_BYTES
from referee.store.play import matches
from referee.store.post import outbox

ALICE, BOB = "alice@example.org", "bob@example.test"
NUMBERS = count()

MOST_MAILS = 25
"""Mails one letter may cause: ten commands of two mails each, an answer for each fault."""


@dataclass
class Scene:
    """A club in the middle of a match; ``thread`` is the mail that the letters answer."""

    club: Club
    thread: str

    def state(self) -> tuple[object, ...]:
        """Return everything about the match that a letter must not move."""
        row = self.club.match("pebbles-1")
        with self.club.desk.store.reading() as connection:
            events = tuple(each.body for each in matches.events(connection, row.id))
            return row, events, matches.seats(connection, row.id)

    def newest(self) -> int:
        """Return the number of the newest mail in the outbox."""
        with self.club.desk.store.reading() as connection:
            return max((row.id for row in outbox.latest_mails(connection, limit=1)), default=0)

    def sent_since(self, newest: int) -> list[tuple[str, bytes]]:
        """Return the mails of the outbox that are newer than one, each with its recipient."""
        with self.club.desk.store.reading() as connection:
            rows = outbox.latest_mails(connection, limit=2 * MOST_MAILS)
            return [
                (row.recipient, outbox.raw_mail(connection, row.id))
                for row in rows
                if row.id > newest
            ]

    def aimed(self, evil: bytes) -> bytes:
        """Return a letter as it would arrive here: in the thread, under an id of its own."""
        number = str(next(NUMBERS)).encode()
        found = evil.replace(b"<turn14@example.test>", self.thread.encode())
        return found.replace(b"<answer@", b"<answer" + number + b"@")


def opened(folder: Any, player: str) -> Scene:
    club = open_club(folder)
    club.new_match("pebbles", f"red={player}", f"blue={BOB}")
    club.work()
    club.mails(BOB)
    return Scene(club, str(club.last(player, "report").message["Message-ID"]))


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Return a club that alice, whom the letters come from, plays in."""
    scene = opened(tmp_path_factory.mktemp("known"), ALICE)
    yield scene
    scene.club.desk.store.close()


@pytest.fixture(scope="module")
def unknown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Return a club that never heard of alice."""
    scene = opened(tmp_path_factory.mktemp("unknown"), "carol@example.test")
    yield scene
    scene.club.desk.store.close()


def check_harmless(scene: Scene, evil: bytes, *, truncated: bool = False) -> str:
    """Assert that a letter moves nothing and is answered to players only; return its state."""
    before, newest = scene.state(), scene.newest()
    verdict = scene.club.put(scene.aimed(evil), truncated=truncated)
    assert scene.state() == before
    fresh = scene.sent_since(newest)
    assert len(fresh) <= MOST_MAILS
    for recipient, mail in fresh:
        assert recipient in {ALICE, BOB}
        check_headers(mail, recipient)
    return verdict.state


def check_alive(scene: Scene, player: str) -> None:
    """Assert that an ordinary letter is still answered."""
    scene.club.mails(player)
    scene.club.put(letter(player, "help", number=next(NUMBERS)))
    assert scene.club.last(player, "answer")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_letter_of_a_player_moves_nothing(known: Scene, name: str) -> None:
    """Nothing raises, the match stays as it is, and the next letter is answered."""
    state = check_harmless(known, raw(name))
    if EXPECTED[name].get("automatic") or EXPECTED[name].get("sender", ALICE) != ALICE:
        assert state == "ignored"
    else:
        assert state == "handled"
    check_alive(known, ALICE)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_letter_of_a_stranger_is_met_with_silence(unknown: Scene, name: str) -> None:
    """No mail leaves, to anybody."""
    newest = unknown.newest()
    assert check_harmless(unknown, raw(name)) in {"ignored", "repeat"}
    assert unknown.sent_since(newest) == []


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_moves_nothing(known: Scene, name: str) -> None:
    """Floods of parts, headers, tags and lines are handled like any other letter."""
    assert check_harmless(known, BOMBS[name]()) in {"handled", "ignored", "repeat"}
    check_alive(known, ALICE)


def test_fifty_megabytes_are_answered_unread(known: Scene) -> None:
    """Of an enormous letter the head is fetched; its sender is told, and nothing is played."""
    assert check_harmless(known, enormous()[:STRANGERS_BYTES], truncated=True) == "handled"
    assert "too large" in known.club.last(ALICE, "answer").text


def test_after_all_that_the_match_goes_on(known: Scene) -> None:
    """An ordinary order in the same thread is played."""
    known.club.put(letter(ALICE, "1. Pass.", answers=known.thread, number=next(NUMBERS)))
    assert "accepted" in known.club.last(ALICE, "receipt").text
    assert known.club.match("pebbles-1").to_act == "blue"


def test_what_strangers_wrote_is_counted_not_repeated(unknown: Scene) -> None:
    """The club of the strangers still plays, and its players were sent nothing of theirs."""
    check_alive(unknown, "carol@example.test")
    sent = unknown.sent_since(0)
    assert {recipient for recipient, _ in sent} == {"carol@example.test", BOB}
    assert not any(b"eve@example.net" in mail for _, mail in sent)
