"""The desk, where mail, matches, store and rules meet.

Only here does a letter become events and do events become mails. The rooms beside it know nothing
of each other: the rules know no mail, the store knows no rules, and so each can be tested alone.
Inside the desk imports go one way too, down to its own ``desk.py``; the contract in
``pyproject.toml`` names every floor.
"""
