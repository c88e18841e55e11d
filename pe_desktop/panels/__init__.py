"""One file for each dock; no panel knows another. Those of the first frame stand in PANELS; Compare is made later."""

from pe_desktop.panels.clock_panel import ClockPanel
from pe_desktop.panels.matrix_panel import MatrixPanel
from pe_desktop.panels.panel import Panel
from pe_desktop.panels.parameters_panel import ParametersPanel
from pe_desktop.panels.properties_panel import PropertiesPanel
from pe_desktop.panels.rotation_panel import RotationPanel
from pe_desktop.panels.similarity_panel import SimilarityPanel
from pe_desktop.panels.transport_panel import TransportPanel
from pe_desktop.panels.waves_panel import WavesPanel

PANELS: tuple[type[Panel], ...] = (
    ParametersPanel,
    ClockPanel,
    WavesPanel,
    SimilarityPanel,
    RotationPanel,
    PropertiesPanel,
    MatrixPanel,
    TransportPanel,
)

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
]
