"""The overview: matches, players, letters and mails as an organiser is shown them.

Nothing here changes anything. What is returned prints as JSON or as a table, so that both say the
same.
"""
