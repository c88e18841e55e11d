"""PE Desktop: see how transformers encode positions. For Python, `import pe_desktop as pe`: docs/notebook.md.

A name is loaded when it is asked for: all need NumPy, figures and the window Qt as well.
"""

from importlib import import_module
from typing import Any, Final

__version__ = "0.1.0"

# What type checkers read stands in __init__.pyi: rooms import the version from here.
_HOMES: Final = {
    "export.arrays": ("array",),
    "notebook": ("State", "code", "figure", "measure", "open", "picture"),
}
# Without `open`, which would hide Python's own.
__all__ = ["State", "array", "code", "figure", "measure"]


def __getattr__(name: str) -> Any:
    """Load a name on first use."""
    for home, names in _HOMES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """All names, loaded or not."""
    return sorted({*globals(), *(name for names in _HOMES.values() for name in names)})
