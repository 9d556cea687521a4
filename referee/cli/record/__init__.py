"""``referee record …``: commands about records, the files in which matches are archived.

One module for each command, because each needs other machinery: the pages need templates, the
import of a match needs all of the desk, and verifying a record needs no installation at all.
"""
