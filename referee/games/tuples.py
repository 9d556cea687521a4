"""Tuples with one value changed, as frozen positions need them."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def put_at(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return the values with one of them replaced."""
    return (*values[:index], value, *values[index + 1 :])


def add_at(values: tuple[int, ...], index: int, change: int) -> tuple[int, ...]:
    """Return the numbers with one of them changed."""
    return (*values[:index], values[index] + change, *values[index + 1 :])
