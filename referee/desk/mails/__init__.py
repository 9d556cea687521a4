"""The mails: everything that goes out, one module per kind, and ``post`` for all.

A kind of mail collects its facts here; its sentences stand in ``templates`` and the catalogues, so
that English and German stay twins. A mail is written into the outbox in the transaction of its
cause, and ``delivery`` sends it later: so nothing is mailed that did not happen, and nothing that
happened goes unmailed.
"""
