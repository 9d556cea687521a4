"""CPU of one letter, from bytes to written answers, beside a yardstick.

The letter holds one order; a receipt and a report to each of three players are written. The
yardstick is what any such service must do, with the same letter: parse it, validate one JSON
document, commit one row, build as many multipart mails with the same parts. Both are measured in
turn, so that other work on the machine falls on both, and a match is played again and again: the
least of each letter counts. Run: python benchmarks/letters.py [GAME]
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
import time
from email import policy
from email.parser import BytesParser
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from bare import Texts, build, texts_of
from jsonschema import Draft202012Validator
from support.club import Club, Mail, letter, open_club

from referee import resources
from referee.desk.matches import ledger
from referee.games import registry

LETTERS = 120
ROUNDS = 2
PEOPLE = ("alice@example.test", "bob@example.test", "carol@example.test")


def main() -> None:
    """Print milliseconds of CPU for each letter, the yardstick's, and their ratio."""
    names = sys.argv[1:] or registry.game_names()
    for game in map(registry.find_installed, names):
        if game.seats[0] > len(PEOPLE):
            continue
        holders = dict(zip(game.colours, PEOPLE, strict=False))
        rounds = []
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as folder:
                club = open_club(Path(folder))
                rounds.append(_letters(club, game.name, holders, Bare(Path(folder))))
                club.desk.store.close()
        # The same letters in each round: everything in a match follows from its seed.
        ours, bare = (
            sorted(map(min, zip(*each, strict=True))) for each in zip(*rounds, strict=True)
        )
        print(
            f"{game.name:8} letter {median(ours):6.2f} ms of CPU (median of {len(ours)}; 9 in 10 "
            f"below {ours[len(ours) * 9 // 10]:.2f}), yardstick {median(bare):.2f} ms, ratio "
            f"{median(ours) / median(bare):.2f}"
        )


def _letters(
    club: Club, game: str, holders: dict[str, str], bare: Bare
) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each letter, and those of the yardstick."""
    row = club.new_match(game, *[f"{seat}={address}" for seat, address in holders.items()])
    club.work()
    rng, last, ours, theirs = Random(1), dict[str, Mail](), list[float](), list[float]()
    raw = b""
    for number in range(LETTERS + 1):
        mails = [mail for address in holders.values() for mail in club.mails(address)]
        for mail in mails:
            last[str(mail.message["To"]).strip("<>")] = mail
        if raw:
            theirs.append(bare.work(raw, [texts_of(mail.raw) for mail in mails]))
        match = club.match(row.name)
        if match.to_act is None or number == LETTERS:
            break
        address = holders[match.to_act]
        with club.desk.reading() as change:
            loaded = ledger.load_match(change, match)
        orders = list(loaded.game.orders(loaded.live.position))
        line = loaded.game.format(orders[rng.randrange(len(orders))], "en")
        mail = last[address]
        quoted = "".join(f"> {each}\n" for each in mail.text.splitlines())
        raw = letter(
            address, f"{line}\n\n{quoted}", answers=mail.message["Message-ID"], number=number
        )
        began = time.process_time()
        club.put(raw)
        club.work()
        ours.append(1000 * (time.process_time() - began))
    return ours, theirs


class Bare:
    """The yardstick, with a database of its own."""

    def __init__(self, folder: Path) -> None:
        self.database = sqlite3.connect(folder / "yardstick.db")
        self.database.execute("PRAGMA journal_mode=WAL")
        self.database.execute("PRAGMA synchronous=FULL")
        self.database.execute("CREATE TABLE letters (raw BLOB, document TEXT)")
        self.validator = Draft202012Validator(resources.schema("submission"))

    def work(self, raw: bytes, mails: list[Texts]) -> float:
        """Return the milliseconds of a letter that causes such mails."""
        document = {"code": "K7PQ-M2XD", "orders": ["pass"]}
        began = time.process_time()
        body = BytesParser(policy=policy.default).parsebytes(raw).get_body(("plain",))
        assert body is not None
        body.get_content()
        assert not list(self.validator.iter_errors(document))
        self.database.execute("INSERT INTO letters VALUES (?, ?)", (raw, json.dumps(document)))
        self.database.commit()
        for each in mails:
            build(*each)
        return 1000 * (time.process_time() - began)


if __name__ == "__main__":
    main()
