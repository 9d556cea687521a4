"""The rules of Origo, a module for each part of ``docs/rules/origo.md``.

Functions take a position and return a new one with the facts. Whether an order is legal is
established before it is applied, and not again: a replay applies thousands.
"""
