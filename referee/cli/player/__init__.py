"""``referee player …``: commands about one player, or all of them.

Looking at players (``show``) and adding them (``add``) are apart from ``settings``,
which players can also change by mail, and ``person``, for what only an organiser may do. Whatever
changes a running match is an act of the desk, printed as a plan first.
"""
