"""OAuth: tokens in place of passwords, for mail providers that accept nothing else.

A person consents once, at `referee auth`; afterwards the daemon renews the token by itself. Tokens
appear in no message and no log, and only their owner may read the file they are kept in.
"""
