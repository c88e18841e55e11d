"""One file for each dock; no panel knows another. Those of the first frame stand in PANELS; others are made later."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from pe_desktop.panels.scene_panel import DeclaredPanel, Panel


@cache
def panel_class(key: str, *, is_seen: bool = True) -> type[Panel]:
    """The class of the panel of a view, loaded when it is wanted: the first frame needs few of them.

    One that has no file here draws the view's scene with the controls that the view declares. is_seen: False gives a
    class with its title and least size alone, for its dock behind another tab.
    """
    module = f"{__name__}.{key.replace('-', '_')}_panel"
    name = f"{key.title().replace('-', '')}Panel"
    if is_seen and find_spec(module) is not None:
        return cast("type[Panel]", getattr(import_module(module), name))
    return type(name, (DeclaredPanel,), {"key": key})


# In the order of the menu.
_FIRST = ("parameters", "clock", "waves", "similarity", "rotation", "properties", "matrix", "transport")
PANELS: tuple[type[Panel], ...] = tuple(map(panel_class, _FIRST))
