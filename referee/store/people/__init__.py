"""Rows about persons: players and their addresses, questions to them, and traces of them."""
