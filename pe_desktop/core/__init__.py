"""The mathematics of positional encodings, NumPy only: also a library for notebooks.

A name is loaded when it is asked for: a program that draws a clock needs no measurements for its first frame.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pe_desktop.core.cursor import Cursor as Cursor
    from pe_desktop.core.encoding import Encoding as Encoding
    from pe_desktop.core.encoding import Floats as Floats
    from pe_desktop.core.encoding import Integers as Integers
    from pe_desktop.core.encoding import Numbers as Numbers
    from pe_desktop.core.encoding import Pairs as Pairs
    from pe_desktop.core.hands import LAYOUTS as LAYOUTS
    from pe_desktop.core.kinds import KINDS as KINDS
    from pe_desktop.core.kinds import kind_rules as kind_rules
    from pe_desktop.core.kinds import switched as switched
    from pe_desktop.core.kinds.ablations import DoubledExponentEncoding as DoubledExponentEncoding
    from pe_desktop.core.kinds.ablations import OddWidthEncoding as OddWidthEncoding
    from pe_desktop.core.kinds.ablations import OneWaveEncoding as OneWaveEncoding
    from pe_desktop.core.kinds.ablations import PositionMapEncoding as PositionMapEncoding
    from pe_desktop.core.kinds.naive import BitsEncoding as BitsEncoding
    from pe_desktop.core.kinds.naive import CounterEncoding as CounterEncoding
    from pe_desktop.core.kinds.naive import NormalisedCounterEncoding as NormalisedCounterEncoding
    from pe_desktop.core.kinds.naive import RandomEncoding as RandomEncoding
    from pe_desktop.core.kinds.sinusoidal import PaddedEncoding as PaddedEncoding
    from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding as SinusoidalEncoding
    from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs as SinusoidalPairs
    from pe_desktop.core.measuring.measurement import Analysis as Analysis
    from pe_desktop.core.measuring.measurement import Measurement as Measurement
    from pe_desktop.core.measuring.measurements import analyse as analyse
    from pe_desktop.core.measuring.measurements import measure as measure
    from pe_desktop.core.phase import SPACINGS as SPACINGS
    from pe_desktop.core.precision.formats import FORMATS as FORMATS
    from pe_desktop.core.precision.formats import Precision as Precision
    from pe_desktop.core.precision.formats import framework_values as framework_values
    from pe_desktop.core.precision.measured import roundings as roundings
    from pe_desktop.core.presets import CONVENTIONS as CONVENTIONS
    from pe_desktop.core.presets import CURSOR_PARAMETERS as CURSOR_PARAMETERS
    from pe_desktop.core.presets import ENCODING_PARAMETERS as ENCODING_PARAMETERS
    from pe_desktop.core.presets import PRESETS as PRESETS
    from pe_desktop.core.presets import Preset as Preset
    from pe_desktop.core.presets import cursor_with_parameter as cursor_with_parameter
    from pe_desktop.core.presets import presets_of as presets_of
    from pe_desktop.core.presets import with_convention as with_convention
    from pe_desktop.core.presets import with_parameter as with_parameter
    from pe_desktop.core.rotation import rotation_angles as rotation_angles
    from pe_desktop.core.rotation import rotation_blocks as rotation_blocks
    from pe_desktop.core.rotation import rotation_matrix as rotation_matrix
    from pe_desktop.core.rotation import shift_residuals as shift_residuals
    from pe_desktop.core.scores.attention import Attended as Attended
    from pe_desktop.core.scores.attention import Attention as Attention
    from pe_desktop.core.scores.attention import attended as attended
    from pe_desktop.core.scores.attention import moved as moved
    from pe_desktop.core.scores.schemes import SCHEMES as SCHEMES
    from pe_desktop.core.scores.schemes import slopes as slopes
    from pe_desktop.core.state import State as State
    from pe_desktop.core.state import assignments_of as assignments_of
    from pe_desktop.core.state import state_of as state_of

# The names of each module.
_NAMES: Final = {
    "encoding": "Encoding Floats Integers Numbers Pairs",
    "cursor": "Cursor",
    "hands": "LAYOUTS",
    "kinds": "KINDS kind_rules switched",
    "kinds.ablations": "DoubledExponentEncoding OddWidthEncoding OneWaveEncoding PositionMapEncoding",
    "kinds.naive": "BitsEncoding CounterEncoding NormalisedCounterEncoding RandomEncoding",
    "kinds.sinusoidal": "PaddedEncoding SinusoidalEncoding SinusoidalPairs",
    "measuring.measurement": "Analysis Measurement",
    "measuring.measurements": "analyse measure",
    "phase": "SPACINGS",
    "precision.formats": "FORMATS Precision framework_values",
    "precision.measured": "roundings",
    "presets": "CONVENTIONS CURSOR_PARAMETERS ENCODING_PARAMETERS PRESETS Preset "
    "cursor_with_parameter presets_of with_convention with_parameter",
    "rotation": "rotation_angles rotation_blocks rotation_matrix shift_residuals",
    "scores.attention": "Attended Attention attended moved",
    "scores.schemes": "SCHEMES slopes",
    "state": "State assignments_of state_of",
}
_HOMES: Final = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - the table above says it once


def __getattr__(name: str) -> Any:
    """Load a name on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """All names, loaded or not."""
    return sorted({*globals(), *_HOMES})
