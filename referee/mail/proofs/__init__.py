"""Proofs of a letter's sender: an OpenPGP signature, a DMARC verdict.

They only state a fact about the letter; how much it is trusted for is the desk's decision. The
libraries for both are optional, so they are imported where they are used.
"""
