"""The doctor: checks of an installation, each with one finding.

A finding says what is wrong and what to do about it. Checks change nothing but for missing folders,
two letters to the referee itself and the knowledge gained by them; so they are safe beside a daemon
that runs.
"""

from __future__ import annotations

from typing import Literal

from referee.store.database.errors import SEE_DOCTOR
from referee.value import Value

Grade = Literal["ok", "warning", "failure", "skipped"]


class Finding(Value):
    """The outcome of one check, with ``advice`` on what to do unless all is well."""

    check: str
    grade: Grade
    found: str
    advice: str = ""


def ok(check: str, found: str) -> Finding:
    """Return a finding without fault."""
    return Finding(check, "ok", found)


def warning(check: str, found: str, advice: str) -> Finding:
    """Return a finding that works, but could be better."""
    return Finding(check, "warning", found, advice)


def failure(check: str, found: str, advice: str) -> Finding:
    """Return a finding that does not work."""
    # An error that sends its reader here is told without that.
    return Finding(check, "failure", found.removesuffix(SEE_DOCTOR), advice)


def skipped(check: str, why: str) -> Finding:
    """Return a check that was not made, with the reason."""
    return Finding(check, "skipped", why)
