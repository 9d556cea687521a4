"""The daemon, in its parts: one reads the mailbox, another plays and sends.

There are two, because waiting for new mail takes minutes while deadlines pass. The work itself is
done in `desk`; here are its order, its end, and the care that trouble in one part spares the rest.
"""
