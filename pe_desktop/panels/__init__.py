"""One file for each dock; no panel knows another. Those of the first frame stand in PANELS; others are made later."""

from PySide6.QtCore import Qt

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
    area = Qt.DockWidgetArea.LeftDockWidgetArea
    return type(f"{row.key.title()}Panel", (ScrolledScenePanel,), {"key": row.key, "title": row.title, "area": area})


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


def attention_panels() -> tuple[type[Panel], ...]:
    """Those that stand together while Attention is open, in the order of their tabs; loaded when they are wanted."""
    from pe_desktop.panels.attention_panel import AttentionPanel  # noqa: PLC0415 - the first frame needs none
    from pe_desktop.panels.look_back_panel import LookBackPanel  # noqa: PLC0415 - of these
    from pe_desktop.panels.rotary_panel import RotaryPanel  # noqa: PLC0415

    return AttentionPanel, LookBackPanel, RotaryPanel


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
    "attention_panels",
]
