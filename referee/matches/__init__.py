"""Matches as pure values: log, hashes, chance, clocks, records.

The log is the match, so everything else is computed from it and can be computed again by anybody.
Nothing here reads a clock or the store, and no module names a game: moments and rules are passed
in.
"""
