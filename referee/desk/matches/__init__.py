"""Matches at the desk: between the rows of the store and the rules.

Loading and saving, clocks, codes, outages, standing orders and everything else that happens to a
match without a letter or an organiser. Nothing here writes a mail: whoever changes a match decides
who hears of it, and so a change can also be foreseen without telling anybody.
"""
