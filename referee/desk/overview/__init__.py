"""The overview: matches, players, letters and mails as an organiser is shown them.

Nothing here changes anything, but that players are told who looked at a whole position. What is
returned prints as JSON or as a table, so that both say the same.
"""
