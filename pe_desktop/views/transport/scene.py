"""The track of positions with its knobs, and the strip of all pairs."""

from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.state import State
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.views.transport.picture import (
    KNOB_RADIUS,
    Track,
    knobs_picture,
    later_knob_x,
    preview_knob_picture,
    track_picture,
)

_MARGIN, _TRACK_HEIGHT, _NARROWEST_TRACK = 28.0, 23.0, 120.0
_STRIP_HEIGHT = 12.0
# From so many pairs on there is no gap between their boxes.
_MOST_WITH_GAPS = 48


@lru_cache(maxsize=4)
def track_of(span: Span, edges: tuple[float, float] | None, width: float) -> Track:
    """The track between edges, so that it stands under the waves, or over the whole width where that can't be."""
    left, right = _MARGIN, width - _MARGIN
    if edges is not None:
        aligned = max(edges[0], KNOB_RADIUS), min(edges[1], width - KNOB_RADIUS)
        if aligned == edges and aligned[1] - aligned[0] >= _NARROWEST_TRACK:
            left, right = aligned
    return Track(left, max(right, left + 1.0), _TRACK_HEIGHT, span)


def track_scene(state: State, edges: tuple[float, float] | None, box: Box) -> Scene:
    track, cursor = track_of(state.shown_span, edges, box.width), state.cursor
    knobs = (*preview_knob_picture(track, box.preview, box.theme), *knobs_picture(track, cursor, box.theme))
    still = Part(track_picture, track, state.encoding.n_positions, box.theme)
    return Scene(knobs, still, places=Part(_knobs, track, cursor))


def strip_scene(state: State, box: Box) -> Scene:
    """A box for each pair, or as many as there are pixels, and a frame around the chosen one."""
    n_pairs, pair = n_hands(state.encoding), state.cursor.pair
    wide = min(max(box.width / n_pairs, 12.0), 24.0)
    left = min(max((pair + 0.5) / n_pairs * box.width - wide / 2, 1.5), box.width - wide - 1.5)
    frame = Area(left, 3.0, wide, box.height - 6.0)
    color = box.theme.pair_color(pair, n_pairs)
    chosen = marks.Rectangle(*frame, color, box.theme.ink, radius=5.0, outline_width=2.0)
    place = Place(f"pair {pair}", frame, f"{pair + 1} of {n_pairs}", is_chosen=True)
    boxes = Part(_boxes, min(n_pairs, int(box.width)), box.width, box.height, box.theme)
    return Scene((chosen,), boxes, places=Part(_one, place))


def _boxes(n_boxes: int, width: float, height: float, theme: Theme) -> marks.Picture:
    edges = np.linspace(0.0, width, n_boxes + 1).tolist()
    gap, top = 1.0 if n_boxes <= _MOST_WITH_GAPS else 0.0, (height - _STRIP_HEIGHT) / 2
    sides = zip(edges, edges[1:], theme.pair_colors(n_boxes).tolist(), strict=False)
    return (*[marks.Rectangle(x, top, end - x - gap, _STRIP_HEIGHT, QColor(*color)) for x, end, color in sides],)


def _one(place: Place) -> tuple[Place, ...]:
    return (place,)


def _knobs(track: Track, cursor: Cursor) -> tuple[Place, ...]:
    side = 2 * KNOB_RADIUS
    knobs = (
        ("knob t + k", later_knob_x(track, cursor), cursor.position + cursor.offset),
        ("knob t", track.x(cursor.position), cursor.position),
    )
    return tuple(
        Place(name, Area(x - KNOB_RADIUS, track.y - KNOB_RADIUS, side, side), number_text.position(position))
        for name, x, position in knobs
    )
