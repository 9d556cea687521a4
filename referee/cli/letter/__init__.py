"""``referee letter …``: commands about incoming mail.

Looking at letters (``show``) needs the store alone, so it is apart from acting on those in
quarantine (``quarantine``): dropping one can change the clocks of matches, which takes a plan.
"""
