"""What an operator can put right: errors that are shown as one line, never as a traceback."""


class RefereeError(Exception):
    """Something is wrong that whoever runs the referee can put right.

    The message is what he reads: one line that says what to do.
    """
