"""The commands of players, one module for each or a few.

A command gets its case, its claim and its arguments, changes rows or the match, and returns its
answer, or tells the case. Whether it may run at all is decided before, in ``steps``, so that no
command has to ask for proof itself.
"""
