"""Rows about matches: seats, logs, turns, standing orders, messages, spectators."""
