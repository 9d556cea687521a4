"""Proofs of who wrote a letter: the verdict of our own mail server.

A verdict only states a fact about the letter; how much it is trusted for is the desk's decision.
The library that reads it is optional, so it is imported where it is used.
"""
