"""The mathematics of positional encodings, NumPy only: also a library for notebooks."""

from pe_desktop.core.analysis import Analysis, analyse
from pe_desktop.core.cursor import Cursor, fitted_cursor, visible_pins
from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers, Pairs
from pe_desktop.core.frequencies import SPACINGS
from pe_desktop.core.layouts import LAYOUTS
from pe_desktop.core.measurement import Measurement
from pe_desktop.core.measurements import measure
from pe_desktop.core.parameters import (
    CURSOR_PARAMETERS,
    ENCODING_PARAMETERS,
    PARAMETER_NAMES,
    cursor_with_parameter,
    declared_state,
    with_parameter,
)
from pe_desktop.core.rotation import rotation_angles, rotation_blocks, rotation_matrix, shift_residuals
from pe_desktop.core.sinusoidal import SinusoidalEncoding, SinusoidalPairs

__all__ = [
    "CURSOR_PARAMETERS",
    "ENCODING_PARAMETERS",
    "LAYOUTS",
    "PARAMETER_NAMES",
    "SPACINGS",
    "Analysis",
    "Cursor",
    "Encoding",
    "Floats",
    "Integers",
    "Measurement",
    "Numbers",
    "Pairs",
    "SinusoidalEncoding",
    "SinusoidalPairs",
    "analyse",
    "cursor_with_parameter",
    "declared_state",
    "fitted_cursor",
    "measure",
    "rotation_angles",
    "rotation_blocks",
    "rotation_matrix",
    "shift_residuals",
    "visible_pins",
    "with_parameter",
]
