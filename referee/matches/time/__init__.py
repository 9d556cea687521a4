"""Time in a match: pace, days off, and turn clocks.

Pure arithmetic on moments that are passed in; it is never asked here what time it is. That lets a
test play a year in a second, and an outage be given back exactly.
"""
