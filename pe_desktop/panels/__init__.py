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
from pe_desktop.views.table import VIEWS, ViewRow


def _panel_of(row: ViewRow) -> type[Panel]:
    """A panel for a view that has no file here: it draws the view's scene with the controls that the view declares."""
    return type(
        f"{row.key.title()}Panel", (DeclaredPanel,), {"key": row.key, "title": row.title, "least_size": row.least_size}
    )


PANELS: tuple[type[Panel], ...] = (
    ParametersPanel,
    ClockPanel,
    WavesPanel,
    SimilarityPanel,
    _panel_of(VIEWS["rotation"]),
    _panel_of(VIEWS["properties"]),
    MatrixPanel,
    TransportPanel,
)

# Those that have a file here, with its class.
_LATE: Final = {
    "compare": "ComparePanel",
    "facts": "FactsPanel",
    "attention": "AttentionPanel",
    "look-back": "LookBackPanel",
    "rotary": "RotaryPanel",
    "decoder": "DecoderPanel",
}


def panel_class(key: str) -> type[Panel]:
    """The class of the panel of a view, loaded when it is wanted: the first frame needs few of them."""
    made = next((panel for panel in PANELS if panel.key == key), None)
    if made is not None:
        return made
    if key not in _LATE:
        return _panel_of(VIEWS[key])
    module = import_module(f"pe_desktop.panels.{key.replace('-', '_')}_panel")
    return cast("type[Panel]", getattr(module, _LATE[key]))


__all__ = [
    "PANELS",
    "ClockPanel",
    "MatrixPanel",
    "Panel",
    "ParametersPanel",
    "SimilarityPanel",
    "TransportPanel",
    "WavesPanel",
    "panel_class",
]
