"""One file for each dock; no panel knows another. Those of the first frame stand in PANELS; others are made later."""

from importlib import import_module
from typing import Final, cast

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.panels.clock_panel import ClockPanel
from pe_desktop.panels.matrix_panel import MatrixPanel
from pe_desktop.panels.panel import Panel
from pe_desktop.panels.parameters_panel import ParametersPanel
from pe_desktop.panels.properties_panel import PropertiesPanel
from pe_desktop.panels.rotation_panel import RotationPanel
from pe_desktop.panels.scene_panel import ScrolledScenePanel
from pe_desktop.panels.similarity_panel import SimilarityPanel
from pe_desktop.panels.transport_panel import TransportPanel
from pe_desktop.panels.waves_panel import WavesPanel
from pe_desktop.views.table import VIEWS, ViewRow


def panel_of(row: ViewRow) -> type[Panel]:
    """A panel for a view that has no file here: it draws the view's scene, and no gesture does anything in it."""
    return type(f"{row.key.title()}Panel", (ScrolledScenePanel,), {"key": row.key, "title": row.title})


PANELS: tuple[type[Panel], ...] = (
    ParametersPanel,
    ClockPanel,
    WavesPanel,
    SimilarityPanel,
    RotationPanel,
    PropertiesPanel,
    MatrixPanel,
    TransportPanel,
    *(panel_of(row) for row in VIEWS.values() if row.tab_beside),
)

# The views of WORKSPACES that have a file here, with its class.
_LATE: Final = {
    "attention": "AttentionPanel",
    "look-back": "LookBackPanel",
    "rotary": "RotaryPanel",
    "decoder": "DecoderPanel",
    "precision": "PrecisionPanel",
    "derivations": "DerivationsPanel",
    "code": "CodePanel",
}


def workspace_panels(workspace: str) -> tuple[type[Panel], ...]:
    """Those that stand together while one of WORKSPACES is open, in the order of their tabs."""
    return tuple(_workspace_panel(VIEWS[key]) for key in WORKSPACES[workspace] if key in VIEWS)


def _workspace_panel(row: ViewRow) -> type[Panel]:
    """The class of its file, loaded when it is wanted: the first frame needs none of these."""
    if row.key not in _LATE:
        return panel_of(row)
    module = import_module(f"pe_desktop.panels.{row.key.replace('-', '_')}_panel")
    return cast("type[Panel]", getattr(module, _LATE[row.key]))


__all__ = [
    "PANELS",
    "ClockPanel",
    "MatrixPanel",
    "Panel",
    "ParametersPanel",
    "PropertiesPanel",
    "RotationPanel",
    "SimilarityPanel",
    "TransportPanel",
    "WavesPanel",
    "workspace_panels",
]
