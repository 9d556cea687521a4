"""`referee record import|verify` on files as a stranger might write them: status 1, one line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.given import GIVEN
from support.tampering import short_record, whole

DEEP = b'{"a":' * 5000 + b"1" + b"}" * 5000 + b","

FILES: dict[str, Any] = {
    "empty": lambda data: b"",
    "a line end": lambda data: b"\n",
    "truncated": lambda data: data[:-200],
    "the first line alone": lambda data: data.splitlines(keepends=True)[0],
    "bytes that are no UTF-8": lambda data: data.replace(b"red", b"r\xe4d"),
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "Windows line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "a key twice": lambda data: data.replace(b'"kind":', b'"kind":"x","kind":', 1),
    "nested deeply": lambda data: b"[" * 200_000 + b"]" * 200_000 + b"\n" + data,
    "nested in the header": lambda data: data.replace(b"{", b'{"a":' + DEEP, 1),
    "ten megabytes of a text": lambda data: (
        b'{"kind":"header","x":"' + b"x" * 10**7 + b'"}\n' + data
    ),
    "a megabyte of seats": lambda data: data.replace(
        b'"seats":[', b'"seats":[' + b'1,"a",[],' * 10**6, 1
    ),
    "ten megabytes of a number": lambda data: data.replace(
        b'"edition":', b'"edition":' + b"9" * 10**7
    ),
    "not JSON": lambda data: b"hello\nworld\n",
    "JSON of another kind": lambda data: b"[]\n[]\n",
    "another line": lambda data: data + b"{}\n",
}


@pytest.mark.parametrize("how", FILES)
def test_bad_file_ends_with_one_line(run: Any, tmp_path: Path, how: str) -> None:
    """Imported or verified: status 1 and a line that names the place; nothing is half there."""
    file, folder = tmp_path / "file", tmp_path / "here"
    file.write_bytes(FILES[how](whole(short_record())))
    assert run("init", folder, *GIVEN).status == 0
    ran = run("--config", folder, "record", "import", file)
    assert (ran.status, ran.err) == (1, ""), ran
    assert re.fullmatch(rf"{file}: refused: line \d+: [^\n]+\n", ran.out), ran.out[:300]
    assert ran.out.rstrip("\n").isprintable()
    assert len(ran.out) < 700
    assert json.loads(run("--config", folder, "match", "list", "--json").out) == []
    assert json.loads(run("--config", folder, "player", "list", "--json").out) == []
    ran = run("record", "verify", file)
    assert (ran.status, ran.err) == (1, "")
    assert re.fullmatch(rf"{file}: line \d+: [^\n]+\n", ran.out)


def test_what_cannot_be_read_as_a_file_is_named(run: Any, tmp_path: Path) -> None:
    """A folder, a file that is not there, one that never ends."""
    assert run("init", tmp_path / "here", *GIVEN).status == 0
    for file in (tmp_path, tmp_path / "none", "/dev/zero"):
        ran = run("--config", tmp_path / "here", "record", "import", file)
        assert (ran.status, ran.err, ran.out.count("\n")) == (1, "", 1)
        assert re.match(rf"{file}: refused: (cannot be read: |is larger than )", ran.out)
        ran = run("record", "verify", file)
        assert (ran.status, ran.err.count("\n")) == (2, 1)
