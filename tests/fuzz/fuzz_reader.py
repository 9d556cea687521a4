"""Search for bytes that the reader of letters raises at, or takes long over.

Needs atheris, which is no dependency of this project: ``pip install atheris`` (Linux wheels for
Python 3.11 exist). From the top of the project, for five minutes, starting from the letters in
``tests/corpus``::

    PYTHONPATH=tests python tests/fuzz/fuzz_reader.py -max_total_time=300 found tests/corpus/*/

``found`` is a folder of yours in which what reaches new code is kept; the arguments are those of
libFuzzer. A letter that raises is written to ``crash-*``, one that takes more than ten seconds to
``timeout-*``; give such a file as the only argument to see it again. What was found and mended
belongs into a folder of ``tests/corpus``.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["referee.mail", "referee.games", "referee.desk"]):
    from support.corpus import understood

    from referee.desk.letters.words.keywords import read_command
    from referee.games import registry
    from referee.mail.incoming.letter import read_letter
    from referee.mail.incoming.marks import cut
    from referee.mail.incoming.mime import read_headers

GAMES = [registry.find_installed(name) for name in ("nord", "origo", "pebbles")]


def check(raw: bytes) -> None:
    """Read bytes as a letter, all its places in all games; what comes out must be storable."""
    letter = read_letter(raw)
    subject = read_headers(raw).text("subject")
    texts = [subject, letter.message_id or "", *letter.references, *letter.senders]
    texts += [*letter.recipients, *letter.blocks]
    for block in letter.blocks:
        found = cut(block)
        texts += found.free
        for line in found.free[:50]:
            read_command(line)
    for game in GAMES:
        for place in understood(letter, game):
            texts += [line.text for line in place.lines]
    for text in texts:
        text.encode("utf-8")
        if "\0" in text:
            raise AssertionError("a NUL came through")
    if any("\n" in each or "\r" in each for each in (subject, *letter.references)):
        raise AssertionError("a line break came through")


if __name__ == "__main__":
    atheris.Setup([sys.argv[0], "-timeout=10", "-max_len=20000", *sys.argv[1:]], check)
    atheris.Fuzz()
