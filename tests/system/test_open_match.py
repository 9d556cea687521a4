"""An open match by mail alone: strangers become players, join, play it out and verify it."""

from __future__ import annotations

import json
from email.message import EmailMessage
from random import Random

import pytest
from support.correspondents import Correspondents
from support.installation import Installation, until

from referee.games import registry
from referee.matches import record
from referee.store.play import matches

pytestmark = pytest.mark.mail

CAROL, DAVE = "carol@elsewhere.test", "dave@elsewhere.test"


@pytest.fixture
def house(installation: Installation) -> Installation:
    """Return an installation that is open to strangers."""
    text = installation.config.read_text()
    installation.config.write_text(text.replace("open = false", "open = true"))
    assert installation.settings.open
    return installation


def joins(house: Installation, who: str, first: str, second: str) -> None:
    """Let a stranger ask, and answer the mail that he gets."""
    house.send(who, first)
    house.daemon().once()
    (fixed,) = house.received(who)
    house.send(who, second, str(fixed["Message-ID"]))
    house.daemon().once()


def record_in(mails: list[EmailMessage], name: str) -> bytes:
    """Return the record that came with the last report."""
    for mail in reversed(mails):
        for part in mail.iter_attachments():
            if part.get_filename() == f"{name}.record.jsonl.gz":
                payload = part.get_payload(decode=True)
                assert isinstance(payload, bytes)
                return record.unpacked(payload)
    raise AssertionError("no record came")


def test_two_strangers_play_an_open_match_to_its_end(house: Installation) -> None:
    """What they were told of the seed before they joined is what the record keeps."""
    done = house.referee("match", "open", "pebbles", "--drawn", "--json")
    opened = json.loads(done.stdout)
    name = opened["match"]
    joins(house, CAROL, "help", f"yes\njoin {name}\nluck seven ravens")
    joins(house, DAVE, f"join {name}", "yes\nluck nine geese")
    players = Correspondents(
        house.address, house.dovecot, house.smtp, Random(5), (CAROL, DAVE), quiet=True
    )

    def over() -> bool:
        players.act()
        house.daemon().once()
        with house.store.reading() as connection:
            row = matches.find_match(connection, name)
        return row is not None and row.state == "over" and row.released

    until(over, "the match to end")
    house.daemon().once()
    lines = record_in(house.received(CAROL), name).splitlines()
    verdict = record.verify_record(lines, registry.find_installed)
    assert (verdict.ok, verdict.match) == (True, name)
    header = json.loads(lines[0])
    assert header["commitment"] == opened["commitment"]
    assert sorted(header["words"].values()) == ["nine geese", "seven ravens"]
    for who in (CAROL, DAVE):
        assert opened["commitment"] in str(house.received(who)[0].get_body(("plain",)))
    assert {each.recipient for each in house.smtp.delivered} == {CAROL, DAVE}
