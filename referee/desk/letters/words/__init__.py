"""The words of a letter: keywords, courtesy, near misses, and orders as JSON.

Everything here is a function of text and game; no store, no player and no match stands behind it,
so that a line always reads the same, whoever writes it and however the match stands.
"""
