"""OAuth: tokens instead of passwords, for providers that insist.

A person consents once, at `referee auth`; afterwards the daemon renews the token by itself. Tokens
appear in no message and no log, and only their owner may read the file they are kept in.
"""
