"""The mathematics of positional encodings, NumPy only: also a library for notebooks."""

from pe_desktop.core.analysis import Analysis, analyse
from pe_desktop.core.bits import BitsEncoding
from pe_desktop.core.conventions import CONVENTIONS, Convention, conventions_of, with_convention
from pe_desktop.core.counter import CounterEncoding
from pe_desktop.core.cursor import Cursor, fitted_cursor, visible_pins
from pe_desktop.core.doubled_exponent import DoubledExponentEncoding
from pe_desktop.core.encoding import Encoding, Floats, Integers, Numbers, Pairs
from pe_desktop.core.frequencies import SPACINGS
from pe_desktop.core.kinds import KINDS, kind_rules, switched
from pe_desktop.core.layouts import LAYOUTS
from pe_desktop.core.measurement import Measurement
from pe_desktop.core.measurements import measure
from pe_desktop.core.normalised_counter import NormalisedCounterEncoding
from pe_desktop.core.odd_width import OddWidthEncoding
from pe_desktop.core.one_wave import OneWaveEncoding
from pe_desktop.core.parameters import (
    CURSOR_PARAMETERS,
    ENCODING_PARAMETERS,
    PARAMETER_NAMES,
    cursor_with_parameter,
    declared_state,
    with_parameter,
)
from pe_desktop.core.position_map import PositionMapEncoding
from pe_desktop.core.random_vectors import RandomEncoding
from pe_desktop.core.rotation import rotation_angles, rotation_blocks, rotation_matrix, shift_residuals
from pe_desktop.core.sinusoidal import SinusoidalEncoding, SinusoidalPairs

__all__ = [
    "CONVENTIONS",
    "CURSOR_PARAMETERS",
    "ENCODING_PARAMETERS",
    "KINDS",
    "LAYOUTS",
    "PARAMETER_NAMES",
    "SPACINGS",
    "Analysis",
    "BitsEncoding",
    "Convention",
    "CounterEncoding",
    "Cursor",
    "DoubledExponentEncoding",
    "Encoding",
    "Floats",
    "Integers",
    "Measurement",
    "NormalisedCounterEncoding",
    "Numbers",
    "OddWidthEncoding",
    "OneWaveEncoding",
    "Pairs",
    "PositionMapEncoding",
    "RandomEncoding",
    "SinusoidalEncoding",
    "SinusoidalPairs",
    "analyse",
    "conventions_of",
    "cursor_with_parameter",
    "declared_state",
    "fitted_cursor",
    "kind_rules",
    "measure",
    "rotation_angles",
    "rotation_blocks",
    "rotation_matrix",
    "shift_residuals",
    "switched",
    "visible_pins",
    "with_convention",
    "with_parameter",
]
