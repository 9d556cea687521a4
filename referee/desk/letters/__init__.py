"""Letters: the way from the bytes of a mail to what a match and a reply make of it.

``intake`` is that way; each of its steps is a module here, and commands are in ``commands``.
Nothing here decides about rules, writes a mail's sentences or touches the mailbox but ``inbox``, so
that a letter can be handled, and handled again after a restore, from its bytes alone.
"""
