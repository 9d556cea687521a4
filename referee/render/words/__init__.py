"""Catalogues of strings, and the short rules that games bring along."""
