"""The base of all errors that an organiser can put right, shown as a line, not a traceback."""


class RefereeError(Exception):
    """An error that the organiser can put right.

    They read its message as it stands, so it says in one line what to do.
    """
