"""One file for each dock; no panel knows another. Those of the first frame stand in PANELS; others are made later."""

from importlib import import_module
from typing import Final, cast

from pe_desktop.panels.clock_panel import ClockPanel
from pe_desktop.panels.declared import DeclaredPanel
from pe_desktop.panels.matrix_panel import MatrixPanel
from pe_desktop.panels.parameters_panel import ParametersPanel
from pe_desktop.panels.scene_panel import Panel
from pe_desktop.panels.similarity_panel import SimilarityPanel
from pe_desktop.panels.transport_panel import TransportPanel
from pe_desktop.panels.waves_panel import WavesPanel


def _declared(key: str) -> type[Panel]:
    """A panel for a view that has no file here: it draws the view's scene with the controls that the view declares."""
    keys = {"Up, Down": "The step before or after"} if key == "derivations" else {}
    return type(f"{key.title()}Panel", (DeclaredPanel,), {"key": key, "keys": keys})


PANELS: tuple[type[Panel], ...] = (
    ParametersPanel,
    ClockPanel,
    WavesPanel,
    SimilarityPanel,
    _declared("rotation"),
    _declared("properties"),
    MatrixPanel,
    TransportPanel,
)

# Those that have a file here, `<key>_panel.py`.
_LATE: Final = ("compare", "facts", "attention", "look-back", "rotary", "decoder", "steps")


def panel_class(key: str, *, is_seen: bool = True) -> type[Panel]:
    """The class of the panel of a view, loaded when it is wanted: the first frame needs few of them.

    is_seen: False gives a class with its title and least size alone, for its dock behind another tab.
    """
    made = next((panel for panel in PANELS if panel.key == key), None)
    if made is not None or key not in _LATE or not is_seen:
        return made or _declared(key)
    module = import_module(f"pe_desktop.panels.{key.replace('-', '_')}_panel")
    return cast("type[Panel]", getattr(module, f"{key.title().replace('-', '')}Panel"))
