"""The rules of Nord, a module for each part of ``docs/rules/nord.md``.

Functions take a position and return a new one with the facts. Whether an order is legal is
established before it is applied, and not again: a replay applies thousands.
"""
