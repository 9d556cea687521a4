"""Connections to IMAP and SMTP servers, without regard to content.

Each failure becomes one of a few errors or outcomes that say whether to try again, because servers
and libraries disagree on how to report them. Apart from replacing a stale connection once, nothing
here tries again by itself: the daemon decides when.
"""
