"""Letters a second from inbox to last mail, beside a bare cycle.

A real Dovecot and an SMTP sink in a process of its own serve both, in the same run. The bare
cycle is what any such service must do for a letter: fetch it, parse it, validate one JSON document,
commit one row with synchronous FULL, build as many multipart mails of the same size, move the
letter, send the mails. Run: python benchmarks/throughput.py [GAME] [--profile]
"""

from __future__ import annotations

import cProfile
import json
import pstats
import smtplib
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from email import policy
from email.parser import BytesParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from bare import Texts, build, texts_of
from imapclient import IMAPClient
from jsonschema import Draft202012Validator
from support.crowd import Crowd, crowded
from support.dovecot import Dovecot

from referee import resources
from referee.mail.transport.servers import Server

MATCHES = 60
ROUNDS = 5


def main() -> None:
    """Print letters per second of both, round by round, and the ratio."""
    words = [each for each in sys.argv[1:] if not each.startswith("-")]
    game = words[0] if words else "nord"
    with tempfile.TemporaryDirectory() as folder, crowded(Path(folder), game, MATCHES) as crowd:
        bare = Bare(crowd, Path(folder))
        ratios = []
        profile = cProfile.Profile() if "--profile" in sys.argv else None
        for number in range(ROUNDS):
            raws = crowd.answers()
            cpu = [time.process_time()]
            ours, mails = _ours(crowd, raws, profile if number else None)
            cpu.append(time.process_time())
            theirs = bare.work(raws, mails)
            cpu.append(time.process_time())
            ratios.append(theirs / ours)
            per_letter = len(mails) / len(raws)
            print(
                f"round {number + 1}: {len(raws)} letters, {per_letter:.1f} mails each; referee "
                f"{len(raws) / ours:6.1f} letters/s, bare {len(raws) / theirs:6.1f} letters/s, "
                f"{theirs / ours:4.0%} (CPU {1000 * (cpu[1] - cpu[0]) / len(raws):.1f} and "
                f"{1000 * (cpu[2] - cpu[1]) / len(raws):.1f} ms for a letter)"
            )
        print(f"ratio {statistics.median(ratios):.0%} (median of {ROUNDS}; aim: at least 60%)")
        if profile is not None:
            pstats.Stats(profile).sort_stats("cumulative").print_stats(60)
        bare.close()


def _ours(
    crowd: Crowd, raws: list[bytes], profile: cProfile.Profile | None
) -> tuple[float, list[bytes]]:
    """Return the seconds until all was sent and filed, and the mails."""
    crowd.deliver(raws)
    before = crowd.newest_mail()
    daemon = crowd.daemon()
    thread = threading.Thread(target=daemon.run)
    began = time.perf_counter()
    if profile is None:
        thread.start()
        crowd.wait_until_done()
        took = time.perf_counter() - began
        daemon.stop()
        thread.join()
    else:
        profile.enable()
        daemon.once()
        daemon.once()
        profile.disable()
        took = time.perf_counter() - began
    return took, crowd.mails_after(before)


class Bare:
    """The bare cycle, with a mailbox of its own on the servers."""

    def __init__(self, crowd: Crowd, folder: Path) -> None:
        self.crowd = crowd
        self.address, server = crowd.dovecot.account("bare")
        self.imap = _logged_in(server)
        self.smtp = smtplib.SMTP("127.0.0.1", crowd.sink.port)
        self.database = sqlite3.connect(folder / "bare.db")
        self.database.execute("PRAGMA journal_mode=WAL")
        self.database.execute("PRAGMA synchronous=FULL")
        self.database.execute("CREATE TABLE letters (raw BLOB, document TEXT)")
        self.validator = Draft202012Validator(resources.schema("submission"))

    def work(self, raws: list[bytes], mails: list[bytes]) -> float:
        """Return the seconds it takes to work off letters causing such mails."""
        _deliver(self.crowd.dovecot, self.address, raws)
        texts = [texts_of(each) for each in mails]
        share = [texts[number :: len(raws)] for number in range(len(raws))]
        began = time.perf_counter()
        self.imap.select_folder("INBOX")
        for uid, each in zip(self.imap.search(["ALL"]), share, strict=True):
            self._cycle(uid, each)
        return time.perf_counter() - began

    def _cycle(self, uid: int, mails: list[Texts]) -> None:
        found = self.imap.fetch([uid], ["RFC822.SIZE", "INTERNALDATE", "BODY.PEEK[]"])
        raw = found[uid][b"BODY[]"]
        letter = BytesParser(policy=policy.default).parsebytes(raw)
        assert letter.get_body(("plain",)).get_content()
        document = {"code": "K7PQ-M2XD", "orders": ["pass"]}
        assert not list(self.validator.iter_errors(document))
        self.database.execute("INSERT INTO letters VALUES (?, ?)", (raw, json.dumps(document)))
        self.database.commit()
        built = [build(*each) for each in mails]
        self.imap.move([uid], "Handled")
        for each in built:
            self.smtp.sendmail(self.address, ["alice@example.test"], each)

    def close(self) -> None:
        """Leave the servers."""
        self.imap.logout()
        self.smtp.quit()
        self.database.close()


def _logged_in(server: Server) -> IMAPClient:
    client = IMAPClient(server.host, server.port, ssl=False)
    client.login(server.user, server.password)
    client.create_folder("Handled")
    return client


def _deliver(dovecot: Dovecot, address: str, raws: list[bytes]) -> None:
    with smtplib.LMTP("127.0.0.1", dovecot.lmtp) as client:
        for raw in raws:
            client.sendmail("alice@example.test", [address], raw)


if __name__ == "__main__":
    main()
