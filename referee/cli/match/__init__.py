"""``referee match …``: commands about one match, or all of them.

One module for each purpose: setting up (``new``), looking (``list_``, which imports little as it
is asked for most, and ``show``) and correcting (``mend``). Corrections are acts of the desk,
printed as a plan first; only their arguments are read here.
"""
