"""Mail as bytes: letters read, mails composed, servers spoken to.

Nothing here knows the store or the rules of a game, and no module decides what a letter may do; it
reports the content. So everything that a hostile sender controls is read in one room, by readers
that accept any bytes and take time linear in their number.
"""
