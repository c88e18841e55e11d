"""The file of the presets, and mappings that read it on first use."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from pe_desktop.resources import resource_path

_Value = TypeVar("_Value")


class LazyMapping(Mapping[str, _Value]):
    """A read-only mapping that is made on first use."""

    def __init__(self, make: Callable[[], dict[str, _Value]]) -> None:
        self._make = make

    @cached_property
    def _items(self) -> dict[str, _Value]:
        return self._make()

    def __getitem__(self, key: str) -> _Value:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


@lru_cache(maxsize=1)
def preset_data() -> dict[str, Any]:
    """resources/presets.json: groups of presets in the order of the menus, and the ids of the overview."""
    data: dict[str, Any] = json.loads(resource_path("presets.json").read_text(encoding="utf-8"))
    return data
