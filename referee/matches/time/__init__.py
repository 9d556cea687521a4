"""Time in a match: the pace agreed on, days off, and the clock of a turn.

Pure arithmetic on moments that are passed in; it is never asked here what time it is. That lets a
test play a year in a second, and an outage be given back exactly.
"""
