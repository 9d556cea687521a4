"""Points of a daemon's work at which it can be killed, and stumbling blocks put in its way.

Everything is hung onto the real objects from outside: the store's blocks that write, the mailbox's
steps, the commands of the SMTP library.
"""

from __future__ import annotations

import ast
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Final

import referee

IMAP: Final = (
    "connect", "ensure_folders", "find", "put", "remove", "select", "new", "fetch", "overview",
    "move", "wait",
)  # fmt: skip
PIECEMEAL: Final = ("fetch", "overview")
"""Steps that give what they find one by one; each is a moment after the step."""

SMTP: Final = ("connect", "mail", "rcpt", "rset")
DATA: Final = "smtp data"
DOT: Final = "smtp dot: after"
ANY: Final = "any"

SOURCE: Final = Path(referee.__file__).parent
ROOMS: Final = ("daemon/*.py", "desk/**/*.py")
COMMANDS: Final = frozenset({"plans", "archive", "doctor", "backup.py", "desk.py", "crew.py"})
"""What only commands use, the opener of every block, and daemons beside others."""

BESIDE_OTHERS: Final = frozenset({"sort_letters", "handle_free", "_take_next"})
"""What a daemon does that shares the letters with others."""

FLUSH: Final = "flush"
"""The one block that writes in the store's own module and that the daemon passes."""


@cache
def commit_sites() -> dict[tuple[str, int], str]:
    """Return a name for every block of the daemon's code that writes, by file and line."""
    found: dict[tuple[str, int], str] = {}
    paths = sorted(each for room in ROOMS for each in SOURCE.glob(room))
    store = SOURCE / "store" / "store.py"
    for path in [store, *(each for each in paths if not COMMANDS & {*each.parts[-3:]})]:
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if path == store and function.name != FLUSH:
                continue
            if function.name in BESIDE_OTHERS:
                continue
            lines = sorted(_writing_lines(function))
            for number, line in enumerate(lines, start=1):
                more = f" {number}" if len(lines) > 1 else ""
                found[(str(path), line)] = f"commit {path.stem}.{function.name}{more}"
    return found


def _writing_lines(function: ast.AST) -> Iterator[int]:
    for node in ast.walk(function):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr == "writing":
            yield node.lineno


def points() -> list[str]:
    """Return every named point."""
    steps = [*sorted(set(commit_sites().values()))]
    steps += [f"imap {each}" for each in IMAP] + [f"smtp {each}" for each in SMTP] + [DATA]
    return [f"{step}: {when}" for step in steps for when in ("before", "after")] + [DOT]


@dataclass
class Passing:
    """Kills the own process the ``hit``-th time it passes a point; ``any`` counts all of them."""

    point: str | None
    hit: int
    report: int
    passed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, name: str) -> None:
        if self.point not in {ANY, name}:
            return
        with self.lock:
            self.passed += 1
            if self.passed == self.hit:
                os.write(self.report, f"{name}\n".encode())
                os.kill(os.getpid(), signal.SIGKILL)


def install(passing: Callable[[str], None]) -> None:
    """Hang the points onto the store, the mailbox and the SMTP library."""
    import aiosmtplib
    from aiosmtplib.protocol import SMTPProtocol

    from referee.mail.transport.mailbox import Mailbox
    from referee.store.store import Store

    _hang_on_commits(Store, passing)
    for name in IMAP:
        wrap = _generator if name in PIECEMEAL else _function
        setattr(Mailbox, name, wrap(getattr(Mailbox, name), f"imap {name}", passing))
    client: Any = aiosmtplib.SMTP
    for name in SMTP:
        setattr(client, name, _coroutine(getattr(client, name), f"smtp {name}", passing))
    command = client.execute_command
    data = _coroutine(command, DATA, passing)

    async def executed(self: Any, *words: bytes, **named: Any) -> Any:
        return await (data if words[:1] == (b"DATA",) else command)(self, *words, **named)

    client.execute_command = executed
    write = SMTPProtocol.write

    def written(self: Any, data: bytes) -> None:
        write(self, data)
        if data.endswith(b"\r\n.\r\n") or data == b".\r\n":
            passing(DOT)

    SMTPProtocol.write = written  # type: ignore[method-assign]


def _hang_on_commits(store: Any, passing: Callable[[str], None]) -> None:
    writing, sites = store.writing, commit_sites()

    @contextmanager
    def block(self: Any, **named: Any) -> Iterator[Any]:
        site = _site(sys._getframe(), sites)
        with writing(self, **named) as connection:
            yield connection
            passing(f"{site}: before")
        passing(f"{site}: after")

    store.writing = block


def _site(frame: FrameType | None, sites: Mapping[tuple[str, int], str]) -> str:
    while frame is not None:
        if name := sites.get((frame.f_code.co_filename, frame.f_lineno)):
            return name
        frame = frame.f_back
    return "commit elsewhere"


def _function(act: Callable[..., Any], name: str, passing: Callable[[str], None]) -> Any:
    def step(*given: Any, **named: Any) -> Any:
        passing(f"{name}: before")
        done = act(*given, **named)
        passing(f"{name}: after")
        return done

    return step


def _generator(act: Callable[..., Any], name: str, passing: Callable[[str], None]) -> Any:
    def step(*given: Any, **named: Any) -> Iterator[Any]:
        passing(f"{name}: before")
        for each in act(*given, **named):
            passing(f"{name}: after")
            yield each

    return step


def _coroutine(act: Callable[..., Any], name: str, passing: Callable[[str], None]) -> Any:
    async def step(*given: Any, **named: Any) -> Any:
        passing(f"{name}: before")
        done = await act(*given, **named)
        passing(f"{name}: after")
        return done

    return step
