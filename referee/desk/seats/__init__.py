"""Seats: who sits where in a match, and how that changes.

From the invitation to the first turn, and later by handing over, standing in and resigning.
Players' commands and organisers' plans both end here, so that in a running match a seat changes
hands in one way only: old codes die, old orders end, the log says it, the others are told.
"""
