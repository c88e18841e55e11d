"""The figures that hold a heat map: what they are called and say, without Qt."""

from typing import TYPE_CHECKING

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw import number_text
from pe_desktop.export.figure_sheet import ColorBar, Frame

if TYPE_CHECKING:  # The table must be readable without Qt.
    from pe_desktop.draw.marks import Picture
    from pe_desktop.draw.theme import Theme


def matrix_sentence(encoding: Encoding, _cursor: Cursor) -> str:
    """What the matrix shows."""
    n_positions, d_model = (number_text.whole(side) for side in (encoding.n_positions, encoding.d_model))
    return f"The encoding of {n_positions} positions in {d_model} dimensions"


def matrix_picture(encoding: Encoding, cursor: Cursor, frame: Frame) -> "Picture":
    """The encoding matrix."""
    from pe_desktop.export.heat_figures import matrix_figure  # noqa: PLC0415 - loads Qt

    return matrix_figure(encoding, cursor, frame)


def matrix_bar(encoding: Encoding, _cursor: Cursor, theme: "Theme") -> ColorBar:
    """Red is below 0, blue above, as far as values reach."""
    return ColorBar((-encoding.value_limit, encoding.value_limit), "PE(t, dimension)", theme.diverging)
