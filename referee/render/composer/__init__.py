"""The composer: a page of its own on which a player clicks orders together.

The page knows no rules. It gets the legal orders of one turn and leaves over, after each click,
those that still fit; so it works for any game.
"""
