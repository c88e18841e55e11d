"""What the similarity view computes for its profile: row t against the offset, its heights, its numbers."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Cursor, cursor_values
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.fields.similarity import similarity_field
from pe_desktop.core.lags import profile_at
from pe_desktop.core.similarity import compared, row_similarity, similarity_pair
from pe_desktop.draw import number_text
from pe_desktop.views.similarity.layout import SimilarityLayout
from pe_desktop.views.similarity.picture import TITLES
from pe_desktop.views.similarity.profile import profile_limits, row_positions

# Table values compared with row t in a frame, and positions however wide they are.
ROW_CELLS: Final = 2**17
FEWEST_OF_ROW: Final = 16
# The similarity of 0 and k stays while t moves.
kept_similarity_pair = lru_cache(maxsize=8)(similarity_pair)


def cursor_similarities(encoding: Encoding, kind: str, cursor: Cursor) -> tuple[float, float]:
    """The similarity of (t, t + k) and of (0, k), each from the table's values."""
    now, later = cursor_values(encoding, cursor.position, cursor.offset)
    here = float(compared(kind, now[np.newaxis], later[np.newaxis])[0])
    return here, kept_similarity_pair(encoding, kind, 0.0, cursor.offset)


def profile_heights(
    encoding: Encoding, kind: str, lags: Floats | None, limits: tuple[float, float] | None
) -> tuple[float, float]:
    """The heights that the profile spans: of its lags, or of its limits, or as far as the colours of the map reach."""
    return profile_limits(limits or similarity_field(encoding, kind).limits, lags)


def row_of(layout: SimilarityLayout, encoding: Encoding, kind: str, cursor: Cursor) -> tuple[Floats, Floats]:
    """The offsets and similarities of row t that are seen, shape (n,) each; of a long table an even sample."""
    now = cursor_values(encoding, cursor.position, cursor.offset)[0]
    most = max(ROW_CELLS // encoding.d_model, FEWEST_OF_ROW)
    positions = row_positions(layout, cursor.position, encoding.n_positions, most)
    return np.array(positions) - cursor.position, row_similarity(encoding, kind, now, positions)


def profile_lines(encoding: Encoding, kind: str, cursor: Cursor, offset: int) -> tuple[str, ...]:
    """The similarity at an offset: of every row where all have the same, else of row t."""
    words = f"{TITLES[kind].lower()} at offset {number_text.whole(offset)}"
    if encoding.is_shift_invariant:
        return number_text.fixed(float(profile_at(encoding, kind, [float(offset)])[0]), 6), words
    later = cursor.position + offset
    if not 0 <= later <= encoding.n_positions - 1:
        return ()
    value = similarity_pair(encoding, kind, cursor.position, later)
    text = "undefined" if np.isnan(value) else number_text.fixed(value, 6)
    return text, f"{words} from t = {number_text.position(cursor.position)}"
