"""What type checkers read of the mathematics as a library."""

from pe_desktop.core.cursor import *
from pe_desktop.core.encoding import *
from pe_desktop.core.hands import *
from pe_desktop.core.kinds import *
from pe_desktop.core.kinds.ablations import *
from pe_desktop.core.kinds.naive import *
from pe_desktop.core.kinds.sinusoidal import *
from pe_desktop.core.measuring.measurement import *
from pe_desktop.core.measuring.measurements import *
from pe_desktop.core.phase import *
from pe_desktop.core.precision.formats import *
from pe_desktop.core.precision.measured import *
from pe_desktop.core.presets import *
from pe_desktop.core.rotation import *
from pe_desktop.core.scores.attention import *
from pe_desktop.core.scores.schemes import *
from pe_desktop.core.state import *

__all__: list[str]
