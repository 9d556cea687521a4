"""Letters read from bytes: a person's lines, boxes, documents, bounces.

Everything read here was written by a stranger. Readers accept any bytes, are bounded, and sort
lines into certain and doubtful ones; whether a line is an order is decided by the desk, which can
ask the player.
"""
