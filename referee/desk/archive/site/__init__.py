"""The static pages of the archive: matches, players, ratings.

They are made from the log as spectators may see it, and whole only once the record is out. Words
and drawing belong to ``render``; here the facts are collected and files written, and only those
that changed.
"""
