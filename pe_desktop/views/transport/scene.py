"""The track of positions or of the steps of a film, with its knobs, and the strip of all pairs."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Cursor, Preview, Span, full_span, n_hands
from pe_desktop.core.fields.field import Limits
from pe_desktop.core.record import kept
from pe_desktop.core.state import State
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.plot import Axis, Tick, pair_slide
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import formula_runs, text_width

_TRACK_WIDTH, _KNOB_RADIUS = 3.5, 8.0
_TICKS_BELOW, _LABELS_BELOW, _BRACKET_ABOVE = 10.0, 25.0, 14.0
_NARROWEST_BRACKET = 12.0
# Two knobs nearer than this can't be told apart or taken.
_KNOB_ROOM = 12.0
# The ring of a word, and what stays between the names of two.
_STATION, _GAP = 3.0, 8.0
_MARGIN, _TRACK_Y, _NARROWEST_TRACK = 28.0, 23.0, 120.0
_STRIP_HEIGHT = 12.0
# From one step that is written below a film to the next, and from one of its read-outs to the next.
_STEP_ROOM = 56.0
FACT_WIDTH = 86.0
# From so many pairs on there is no gap between their boxes.
_MOST_WITH_GAPS = 48


@kept
def _track_of(span: Span, edges: Limits | None, width: float) -> Axis:
    """The track between edges, so that it stands under the waves, or over the whole width where that can't be."""
    left, right = _MARGIN, width - _MARGIN
    if edges is not None:
        aligned = max(edges[0], _KNOB_RADIUS), min(edges[1], width - _KNOB_RADIUS)
        if aligned == edges and aligned[1] - aligned[0] >= _NARROWEST_TRACK:
            left, right = aligned
    return Axis(Area(left, _TRACK_Y, max(right - left, 1.0), 0.0), span.first, span.last)


def shown_track(state: State, edges: Limits | None, width: float) -> Axis:
    """The track of the visible positions, of the words while a sentence leads, or of the steps of a film."""
    if state.plays_film:
        return _track_of(Span(0.0, max(state.track.last, 1.0)), None, width)
    if not state.leads:
        return _track_of(state.shown_span, edges, width)
    n_words = len(state.attention.words)
    return _track_of(Span(0.0, n_words - 1.0) if n_words > 1 else full_span(1), None, width)


def film_scene(state: State, step: int, n_done: int, box: Box) -> Scene:
    """The track of a film up to the step that is seen, lighter up to the last one that is done."""
    track = shown_track(state, None, box.width)
    y = track.area.y
    now = _pixel(track, step)
    done = _pixel(track, n_done)
    moving = (
        marks.lines((track.area.x, y, done, y), box.theme.axis, _TRACK_WIDTH),
        marks.lines((track.area.x, y, now, y), box.theme.ink, _TRACK_WIDTH),
        _disc(now, y, box.theme),
    )
    knob = _knob("knob step", now, f"{number_text.whole(step)} of {number_text.whole(track.last)}")
    return Scene(moving, Part(_ticked, track, track.level_ticks(_STEP_ROOM), box.theme), places=Part(tuple, (knob,)))


def _ticked(track: Axis, ticks: tuple[Tick, ...], theme: Theme) -> marks.Picture:
    """The line of a track, and its numbers, each under a stroke."""
    foot = track.area.bottom + _TICKS_BELOW
    strokes = [[x, foot, x, foot + 5.0] for x in track.places(ticks)]
    return (
        track.edge(theme.line, _TRACK_WIDTH),
        marks.lines(strokes, theme.axis),
        *track.labels(ticks, theme, _LABELS_BELOW),
    )


def film_words(facts: Sequence[tuple[str, str]], box: Box) -> Scene:
    """Captions and values beside each other, as the values of t and k stand."""
    picture: marks.Marks = []
    for place, (caption, value) in enumerate(facts):
        x = 7.0 + FACT_WIDTH * place
        picture.append(marks.Text(x, 13.0, caption, "tick", box.theme.text2))
        picture.append(marks.Text(x, 34.0, value, "value", box.theme.text))
    return Scene(tuple(picture))


def track_scene(state: State, edges: Limits | None, box: Box) -> Scene:
    """The track, and the knobs of t and of t + k as its places."""
    track = shown_track(state, edges, box.width)
    cursor = state.cursor
    named = _preview_picture(track, box.preview, cursor, box.theme)
    if not state.leads:
        moving = (*named, *_knobs_picture(track, cursor, box.theme))
        still = Part(_track_picture, track, state.encoding.n_positions, state.trained_length, box.theme)
        return Scene(moving, still, places=Part(_knobs, track, cursor, None))
    words = state.attention.words
    marked = _knobs_picture(track, cursor, box.theme) if state.key is not None else _lone_knob(track, cursor, box.theme)
    moving = (*named, *marked, *_words_picture(track, words, state.query, state.key, box))
    still = Part(_stations_picture, track, len(words), box.theme)
    return Scene(moving, still, places=Part(_knobs, track, cursor, words))


def _pixel(track: Axis, position: float) -> float:
    """The pixel of a position; what lies outside stands at the end."""
    return track.place(min(max(position, track.first), track.last))


def _track_picture(track: Axis, n_positions: int, trained_length: int, theme: Theme) -> marks.Picture:
    """The track, its ticks, what training never had of it, and where in the table it lies when it isn't all of it."""
    full = full_span(n_positions)
    is_whole = (track.first, track.last) == (full.first, full.last)
    ground = replace(track, area=track.area.grown(0.0, _KNOB_RADIUS))
    return (
        *ground.unseen(trained_length, theme),
        *_ticked(track, track.position_ticks(n_positions), theme),
        *(() if is_whole else track.overview(full.first, full.last, 5.0, theme)),
    )


def _knobs_picture(track: Axis, cursor: Cursor, theme: Theme) -> marks.Drawing:
    """The part up to t, the step to t + k with its bracket, and both knobs."""
    y = track.area.y
    now = _pixel(track, cursor.position)
    later = _later_pixel(track, cursor)
    yield marks.lines((now, y, later, y), theme.text3, _TRACK_WIDTH)
    yield marks.lines((track.area.x, y, now, y), theme.ink, _TRACK_WIDTH)
    if any(map(track.shows, cursor.both)):
        yield from _bracket(track, now, later, cursor.offset, theme)
        yield marks.Dots.at(later, y, _KNOB_RADIUS - 1.0, theme.panel, theme.ink, 2.0)
    if track.shows(cursor.position):
        yield _disc(now, y, theme)
    else:
        # A sign at the end of the track where t lies beyond it: a knob there would tell a wrong position.
        ahead = 4.0 if cursor.position > track.last else -4.0
        points = np.array([[now - ahead, y - 6.0], [now + ahead, y], [now - ahead, y + 6.0]])
        yield marks.Polyline(points, theme.ink, 2.4)


def _disc(x: float, y: float, theme: Theme) -> marks.Dots:
    return marks.Dots.at(x, y, _KNOB_RADIUS, theme.ink, theme.panel, 1.5)


def _stations_picture(track: Axis, n_words: int, theme: Theme) -> marks.Picture:
    """The track with a ring at each word."""
    rings = np.array([[track.place(float(place)), track.area.y] for place in range(n_words)]).reshape(-1, 2)
    return track.edge(theme.line, _TRACK_WIDTH), marks.Dots(rings, _STATION, theme.panel, theme.axis, 1.5)


def _words_picture(track: Axis, words: Sequence[str], query: int, key: int | None, box: Box) -> marks.Drawing:
    """Number and word below its ring, bold at query and key, where there is room, else its number.

    Where the numbers of all rings find room, none of them gives way to a word.
    """
    taken = dict[int, Limits]()
    chosen = [place for place in (query, key) if place is not None and place < len(words)]
    widest = text_width("badge", str(len(words) - 1)) / 2 + _GAP
    if track.place(1.0) - track.place(0.0) >= 2 * widest - _GAP:
        taken = {
            place: (track.place(float(place)) - widest, track.place(place) + widest) for place in range(len(words))
        }
    for place in dict.fromkeys((*chosen, *range(len(words)))):
        role, ink = ("badge", box.theme.text) if place in chosen else ("tick", box.theme.text2)
        others = [limits for other, limits in taken.items() if other != place]
        for text in (f"{place} {words[place]}", str(place)):
            half = text_width(role, text) / 2
            x = max(min(track.place(float(place)), box.width - half - 1.0), half + 1.0)
            if place == key and query in taken and query != key:
                # Beside the query's, which may stand where it would.
                x = min(x, taken[query][0] - half) if place < query else max(x, taken[query][1] + half)
            if half <= x <= box.width - half and all(x + half <= left or right <= x - half for left, right in others):
                taken[place] = x - half - _GAP, x + half + _GAP
                yield marks.centered(x, track.area.y + _LABELS_BELOW, text, role, ink)
                break


def _lone_knob(track: Axis, cursor: Cursor, theme: Theme) -> marks.Picture:
    """The knob of the query, and that no word is read from it."""
    now = track.place(cursor.position)
    is_late = now > track.area.middle[0]
    x = now + (-_KNOB_RADIUS if is_late else _KNOB_RADIUS)
    words = f"k = {number_text.position(cursor.offset)}: no word stands there"
    top = track.area.y - _BRACKET_ABOVE
    return _disc(now, track.area.y, theme), marks.Text(x, top, words, "tick", theme.text2, across=float(is_late))


def _later_pixel(track: Axis, cursor: Cursor) -> float:
    """The pixel of the hollow knob: beside the solid one where that would hide it."""
    now = _pixel(track, cursor.position)
    later = _pixel(track, cursor.position + cursor.offset)
    if cursor.offset == 0 or abs(later - now) >= _KNOB_ROOM:
        return later
    return now + _KNOB_ROOM if cursor.offset > 0 else now - _KNOB_ROOM


def _preview_picture(track: Axis, preview: Preview | None, cursor: Cursor, theme: Theme) -> marks.Picture:
    """A faint knob at what is named under the pointer, and a faint hollow one at t + k."""
    solid = _KNOB_RADIUS - 2.0, theme.axis
    hollow = _KNOB_RADIUS - 3.0, theme.panel, theme.axis, 2.0
    return tuple(
        marks.Dots.at(track.place(at), track.area.y, *(solid if is_now else hollow))
        for at, is_now in (() if preview is None else preview.places(cursor.position))
        if track.shows(at)
    )


def _bracket(track: Axis, now: float, later: float, offset: float, theme: Theme) -> marks.Picture:
    """The step by k over both knobs, its name after it, or before it: past its ends the track has little room."""
    if offset == 0 or abs(later - now) < _NARROWEST_BRACKET:
        return ()
    top = track.area.y - _BRACKET_ABOVE
    foot = track.area.y - _KNOB_RADIUS - 1.0
    corners = np.array([[now, foot], [now, top], [later, top], [later, foot]])
    left = min(now, later) - 6.0
    right = max(now, later) + 6.0
    room = formula_runs("+ k", 14)[1]
    is_after = right + room <= track.area.right + _KNOB_RADIUS
    bracket = marks.Polyline(corners, theme.text3, 1.2)
    if not is_after and left < room:
        return (bracket,)
    x = right if is_after else left
    return bracket, marks.FormulaText(x, top + 1.0, "+ k", 14, theme.text2, across=float(not is_after))


def strip_scene(state: State, box: Box) -> Scene:
    """A box for each pair, or as many as there are pixels, and a frame around the chosen one."""
    n_pairs = n_hands(state.encoding)
    pair = state.cursor.pair
    wide = min(max(box.width / n_pairs, 12.0), 24.0)
    left = min(max((pair + 0.5) / n_pairs * box.width - wide / 2, 1.5), box.width - wide - 1.5)
    frame = Area(left, 3.0, wide, box.height - 6.0)
    color = box.theme.pair_color(pair, n_pairs)
    sets = pair_slide(n_pairs, box.area)
    chosen = marks.Rectangle(*frame, color, box.theme.ink, radius=5.0, outline_width=2.0)
    place = Place(f"pair {pair}", frame, f"{pair + 1} of {n_pairs}", True, sets)
    boxes = Part(_boxes, min(n_pairs, int(box.width)), box.width, box.height, box.theme)
    return Scene((chosen,), boxes, places=Part(tuple, (Place("pairs", box.area, sets=sets), place)))


def _boxes(n_boxes: int, width: float, height: float, theme: Theme) -> marks.Picture:
    edges = np.linspace(0.0, width, n_boxes + 1).tolist()
    gap = 1.0 if n_boxes <= _MOST_WITH_GAPS else 0.0
    top = (height - _STRIP_HEIGHT) / 2
    sides = zip(edges, edges[1:], theme.pair_colors(n_boxes).tolist(), strict=False)
    return (*[marks.Rectangle(x, top, end - x - gap, _STRIP_HEIGHT, QColor(*color)) for x, end, color in sides],)


def _knobs(track: Axis, cursor: Cursor, words: tuple[str, ...] | None) -> tuple[Place, ...]:
    """Both knobs with their positions, while a sentence leads with its words, where some stand there."""
    ends = {"knob t + k": _later_pixel(track, cursor), "knob t": _pixel(track, cursor.position)}
    places = []
    for (name, x), at in zip(ends.items(), cursor.both[::-1], strict=True):
        if words is None:
            places.append(_knob(name, x, number_text.position(at)))
        elif 0 <= round(at) < len(words):
            places.append(_knob(name, x, f"{round(at)} {words[round(at)]}"))
    return tuple(places)


def _knob(name: str, x: float, value: str) -> Place:
    return Place(name, Area.around(x, _TRACK_Y, _KNOB_RADIUS), value)
