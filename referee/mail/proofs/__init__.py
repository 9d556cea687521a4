"""Proofs of who wrote a mail: our server's verdict about a letter, our signature under our own.

A verdict only states a fact about the letter; how much it is trusted for is the desk's decision.
The libraries for both are optional, so they are imported where they are used.
"""
