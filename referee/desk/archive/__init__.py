"""The archive: matches as files, in and out, and what may go afterwards.

Records, the audit, pruning and the static pages. A match leaves only when nothing in it is secret
any more, and nothing comes in, or goes for good, that has not been replayed or verified first.
"""
