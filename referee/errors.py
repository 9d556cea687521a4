"""The base of all errors that are shown without a traceback."""

from __future__ import annotations

from typing import ClassVar, Final

FAILED: Final = 2
"""Exit status when the organiser can correct the error."""

UNFIT: Final = 78
"""Exit status when the installation does not fit, so that starting it again mends nothing.

``EX_CONFIG`` of sysexits.h; the systemd unit does not restart a service that ended with it.
"""


class RefereeError(Exception):
    """An error that the organiser can put right.

    They read its message as it stands, so it says in one line what to do. ``status`` is the
    status a command ends with.
    """

    status: ClassVar[int] = FAILED


class PackageMissing(RefereeError):
    """A package is missing that an extra brings. Says how to install it."""

    status = UNFIT
