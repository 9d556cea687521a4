"""Rules of games, and the protocol to speak to them.

``game`` is the door: other rooms know a game only as what it describes, so that new games are
packages of their own. Rules are pure: without a clock, and with chance as a seat or as a generator
passed in. A game imports nothing from the house but this room.
"""
