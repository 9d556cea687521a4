"""The base of all errors that are shown without a traceback."""


class RefereeError(Exception):
    """An error that the organiser can put right.

    They read its message as it stands, so it says in one line what to do.
    """
