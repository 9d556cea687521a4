"""Rows about persons: players and their addresses, and questions to them."""
