"""The daemon, in its parts: one reads the mailbox, one plays and sends.

They are threads of their own, because waiting for new mail takes minutes while deadlines pass.
Beside other daemons there are two more: one handles letters, one gives signs of life. The work
itself is done in `desk`; here are its order, its end, and the care that trouble in one part spares
the rest.
"""
