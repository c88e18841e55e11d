"""The scrubber: one track over the visible positions, a solid knob at t, a hollow one at t + k."""

from dataclasses import dataclass

import numpy as np

from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.plot import position_labels, position_ticks, span_ticks
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width

TICK_ROOM = 64.0
TRACK_WIDTH = 3.5
KNOB_RADIUS = 8.0
TICKS_BELOW = 10.0
LABELS_BELOW = 25.0
BRACKET_ABOVE = 14.0
MINOR_PER_MAJOR = 4
NARROWEST_BRACKET = 12.0
# Two knobs nearer than this can't be told apart or taken.
KNOB_ROOM = 12.0


@dataclass(frozen=True, slots=True)
class Track:
    """Left and right end of the track and its height, in pixels, and the positions it stands for."""

    left: float
    right: float
    y: float
    span: Span

    def x(self, position: float) -> float:
        """The pixel of a position; what lies outside stands at the end."""
        share = (position - self.span.first) / self.span.width
        return self.left + min(max(share, 0.0), 1.0) * (self.right - self.left)

    def position(self, x: float) -> float:
        """The position of a pixel."""
        share = (x - self.left) / (self.right - self.left)
        return self.span.first + min(max(share, 0.0), 1.0) * self.span.width


def track_picture(track: Track, n_positions: int, theme: Theme) -> marks.Picture:
    """The track, its ticks, and where in the table it lies when it doesn't show all of it."""
    line = np.array([[track.left, track.y, track.right, track.y]])
    return (
        marks.Segments(line, theme.line, TRACK_WIDTH),
        *_ticks(track, n_positions, theme),
        *_overview(track, n_positions, theme),
    )


def knobs_picture(track: Track, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The part up to t, the step to t + k with its bracket, and both knobs."""
    y, now, later = track.y, track.x(cursor.position), later_knob_x(track, cursor)
    span = track.span
    is_seen, is_later_seen = (
        span.first <= place <= span.last for place in (cursor.position, cursor.position + cursor.offset)
    )
    picture: list[marks.Mark] = [
        marks.Segments(np.array([[now, y, later, y]]), theme.text3, TRACK_WIDTH),
        marks.Segments(np.array([[track.left, y, now, y]]), theme.ink, TRACK_WIDTH),
    ]
    if is_seen or is_later_seen:
        picture += _bracket(track, now, later, cursor.offset, theme)
        picture.append(marks.Dots(np.array([[later, y]]), KNOB_RADIUS - 1.0, theme.panel, theme.ink, 2.0))
    if is_seen:
        picture.append(marks.Dots(np.array([[now, y]]), KNOB_RADIUS, theme.ink, theme.panel, 1.5))
    else:
        picture.append(_beyond(now, y, 1.0 if cursor.position > span.last else -1.0, theme))
    return tuple(picture)


def _beyond(x: float, y: float, side: float, theme: Theme) -> marks.Mark:
    """A sign at the end of the track where t lies beyond it: a knob there would tell a wrong position."""
    points = np.array([[x - side * 4.0, y - 6.0], [x + side * 4.0, y], [x - side * 4.0, y + 6.0]])
    return marks.Polyline(points, theme.ink, 2.4)


def later_knob_x(track: Track, cursor: Cursor) -> float:
    """The pixel of the hollow knob: beside the solid one where that would hide it."""
    now, later = track.x(cursor.position), track.x(cursor.position + cursor.offset)
    if cursor.offset == 0 or abs(later - now) >= KNOB_ROOM:
        return later
    return now + KNOB_ROOM if cursor.offset > 0 else now - KNOB_ROOM


def preview_knob_picture(track: Track, position: float | None, theme: Theme) -> marks.Picture:
    """A faint knob under the pointer."""
    if position is None or not track.span.first <= position <= track.span.last:
        return ()
    return (marks.Dots(np.array([[track.x(position), track.y]]), KNOB_RADIUS - 2.0, theme.axis),)


def _bracket(track: Track, now: float, later: float, offset: float, theme: Theme) -> tuple[marks.Mark, ...]:
    if offset == 0 or abs(later - now) < NARROWEST_BRACKET:
        return ()
    top, foot = track.y - BRACKET_ABOVE, track.y - KNOB_RADIUS - 1.0
    corners = np.array([[now, foot], [now, top], [later, top], [later, foot]])
    label = "+ k"
    # The label stands on the side that the step points to, or before it where the track ends.
    right = max(now, later)
    fits = right + 26.0 <= track.right + 24.0
    x = right + 6.0 if fits else min(now, later) - 6.0
    return (
        marks.Polyline(corners, theme.text3, 1.2),
        marks.FormulaText(x, top + 1.0, label, 14, theme.text2, across=0.0 if fits else 1.0),
    )


def _ticks(track: Track, n_positions: int, theme: Theme) -> list[marks.Mark]:
    most = max(int((track.right - track.left) // TICK_ROOM), 1)
    ticks = position_ticks(max(track.span.first, 0.0), min(track.span.last, n_positions - 1.0), most)
    top = track.y + TICKS_BELOW
    minor = _minor_ticks(ticks)
    picture: list[marks.Mark] = []
    for places, length in ((minor, 2.5), (ticks, 5.0)):
        ends = np.array([[track.x(p), top, track.x(p), top + length] for p in places]).reshape(-1, 4)
        picture.append(marks.Segments(ends, theme.axis))
    room = 1.5 * text_width("tick", whole(n_positions - 1)) / (track.right - track.left) * track.span.width
    ticks = span_ticks(track.span.first, track.span.last, n_positions, most, room)
    below = track.y + LABELS_BELOW
    return [*picture, *position_labels(ticks, track.x, below, (track.left, track.right), theme)]


def _minor_ticks(ticks: list[float]) -> list[float]:
    if len(ticks) < 2 or ticks[1] - ticks[0] < MINOR_PER_MAJOR:
        return []
    step = (ticks[1] - ticks[0]) / MINOR_PER_MAJOR
    return [tick + i * step for tick in ticks[:-1] for i in range(1, MINOR_PER_MAJOR)]


def _overview(track: Track, n_positions: int, theme: Theme) -> tuple[marks.Mark, ...]:
    full = full_span(n_positions)
    if track.span == full:
        return ()
    y, width = 5.0, track.right - track.left
    first, last = (track.left + (p - full.first) / full.width * width for p in (track.span.first, track.span.last))
    last = max(last, first + 3.0)
    return (
        marks.Segments(np.array([[track.left, y, track.right, y]]), theme.line, 2.0),
        marks.Segments(np.array([[first, y, last, y]]), theme.text3, 2.0),
    )
