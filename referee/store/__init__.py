"""The store: everything that outlives the process, and the only place that speaks SQL.

Rows come out as frozen values, and every change goes through a function here, named for what
it records. Rules of a game, words of a mail and decisions about a letter do not belong here: the
desk makes them, and a block of the store keeps their outcome as a whole or not at all.
"""
