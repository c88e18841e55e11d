"""What the package gives to Python, for type checkers."""

from pe_desktop.export.arrays import array as array
from pe_desktop.notebook import State as State
from pe_desktop.notebook import code as code
from pe_desktop.notebook import figure as figure
from pe_desktop.notebook import measure as measure
from pe_desktop.notebook import open as open
from pe_desktop.notebook import picture as picture

__all__ = ["State", "array", "code", "figure", "measure"]
__version__: str
