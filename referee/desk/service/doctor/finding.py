"""What a check of the installation says: how it stands, what was found, what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Grade = Literal["ok", "warning", "failure", "skipped"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check; ``advice`` says what to do unless all is well."""

    check: str
    grade: Grade
    found: str
    advice: str = ""


def ok(check: str, found: str) -> Finding:
    """Return that a check found nothing amiss."""
    return Finding(check, "ok", found)


def warning(check: str, found: str, advice: str) -> Finding:
    """Return that a check found something that works, but not as well as it could."""
    return Finding(check, "warning", found, advice)


def failure(check: str, found: str, advice: str) -> Finding:
    """Return that a check found something that does not work."""
    return Finding(check, "failure", found, advice)


def skipped(check: str, why: str) -> Finding:
    """Return that a check was not made, and why."""
    return Finding(check, "skipped", why)
