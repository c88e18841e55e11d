"""Caches of what is told, which are forgotten when another language is used."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

_Result = TypeVar("_Result")
_forgets: list[Callable[[], None]] = []


def told_cache(most: int | None = None) -> Callable[[Callable[..., _Result]], Callable[..., _Result]]:
    """`lru_cache` for what holds told text, its font or its width."""

    def cached(function: Callable[..., _Result]) -> Callable[..., _Result]:
        kept = lru_cache(most)(function)
        _forgets.append(kept.cache_clear)
        return kept

    return cached


def forget_told() -> None:
    """Empty all of them."""
    for forget in _forgets:
        forget()
