"""The queue: kept letters wait here for one of several daemons.

What is done with a letter is no matter of this room; it says whose turn a letter is. One daemon
alone needs none of it.
"""
