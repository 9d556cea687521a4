"""Values turned into mails, text and HTML, and into archive pages.

Nothing here reads the store or knows when a mail is due; every function returns text for the values
it is given. All sentences stand in catalogues and templates, so that each exists in every language,
and all foreign text is tamed here, so that none of it can pose as an order or a line of ours.
"""
