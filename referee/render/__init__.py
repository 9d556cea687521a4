"""Values turned into what people read: mails in text and HTML, and the pages of the archive.

Nothing here reads the store or knows when a mail is due; every function returns text for the values
it is given. All sentences stand in catalogues and templates, so that each exists in every language,
and all foreign text is tamed here, so that none of it can pose as an order or a line of ours.
"""
