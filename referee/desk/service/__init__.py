"""The service: keeping one installation running and watched over.

The lease, the mailbox's mark, backups, chores, status and the doctor: everything about the machine
and the mailbox rather than about a match. Nothing here decides in a match, so that an organiser can
look, copy and restore without touching play.
"""
