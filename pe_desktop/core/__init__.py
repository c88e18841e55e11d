"""The mathematics of positional encodings, NumPy only: also a library for notebooks.

A name is loaded when it is asked for: a program that draws a clock needs no measurements for its first frame.
"""

from importlib import import_module
from typing import Any, Final

# The names of each module; what type checkers read stands in __init__.pyi.
_NAMES: Final = {
    "encoding": "Encoding Floats Integers Numbers Pairs",
    "cursor": "Cursor",
    "hands": "LAYOUTS",
    "kinds": "KINDS kind_rules switched",
    "kinds.ablations": "DoubledExponentEncoding FadingEncoding OddWidthEncoding OneWaveEncoding PositionMapEncoding",
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
