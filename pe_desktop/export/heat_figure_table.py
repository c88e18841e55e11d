"""The figures that hold a heat map: what they are called and say, without Qt."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.lags import MEASURES
from pe_desktop.core.similarity import similarity_pair
from pe_desktop.draw import number_text
from pe_desktop.export.figure_sheet import ColorBar, Frame

if TYPE_CHECKING:  # The table must be readable without Qt.
    from pe_desktop.draw.marks import Picture
    from pe_desktop.draw.theme import Theme

SIMILARITY_WORDS: Final = {"dot": "dot product", "cosine": "cosine", "distance": "distance"}


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


def similarity_parts(
    kind: str,
) -> tuple[Callable[[Encoding, Cursor], str], Callable[[Encoding, Cursor, Frame], "Picture"]]:
    """The sentence and the picture of one of MEASURES."""
    assert kind in MEASURES

    def sentence(encoding: Encoding, cursor: Cursor) -> str:
        name = SIMILARITY_WORDS[kind].capitalize()
        if not encoding.is_shift_invariant:
            here, later = cursor.position, cursor.position + cursor.offset
            value = similarity_pair(encoding, kind, here, later)
            number = "undefined" if math.isnan(value) else number_text.fixed(value, 4)
            both = f"{number_text.position(here)} and {number_text.position(later)}"
            return f"{name} of positions {both} is {number}; elsewhere it differs"
        value = similarity_pair(encoding, kind, 0.0, cursor.offset)
        offset = number_text.position(cursor.offset)
        return f"{name} at offset {offset} is {number_text.fixed(value, 4)} wherever it is measured"

    def picture(encoding: Encoding, cursor: Cursor, frame: Frame) -> "Picture":
        from pe_desktop.export.heat_figures import similarity_figure  # noqa: PLC0415 - loads Qt

        return similarity_figure(encoding, cursor, kind, frame)

    return sentence, picture
