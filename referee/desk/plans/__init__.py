"""Plans: acts of an organiser, proposed, shown, and then applied.

An act is carried out in a transaction that is rolled back, so the plan shows exactly what applying
it will do; it is kept with the heads of the matches and applied only while they stand. An organiser
changes a match that has begun in no other way, so each change is logged with its reason and told to
the players.
"""
