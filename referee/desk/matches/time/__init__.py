"""Time of matches: the clock of a turn, days away, hours of a player, times without a clock.

What the clock does to a match, such as a turn that is played for somebody, is the deadlines'. It
knows matches as rows of the store, never as games.
"""
