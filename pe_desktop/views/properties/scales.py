"""The page of scales: hands for each tenfold of wavelength, and those that serve a range of positions."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.scales import Resolution, hands_per_decade, resolution
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import position, short, whole
from pe_desktop.draw.plot import paragraph
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.tables import TableLayout, table_picture
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, text_width, wrapped
from pe_desktop.model.findings import Answers, Question

# The ranges of tokens that the workshop notes name.
RANGES: Final = ((1, 10), (100, 200), (600, 700))
_TITLE: Final = "Hands for each tenfold of wavelength"
_DEFINITION: Final = (
    "A pair serves a range where it turns 1/20 to 1/2 of a turn from its first position to its last: less hardly "
    "moves its hand, more brings it back. Only the width of a range counts, not where it lies: 100–200 and 600–700 "
    "are served by the same pairs."
)
_HEADING: Final = 24.0
_BARS: Final = 84.0
_TABLE_TOP: Final = _HEADING + _BARS + 66.0
_STEP: Final = 16.0
_MOST_LINES: Final = 9
_TITLES: Final = ("positions", "pairs", "pair i", "wavelengths", "of distance²")
# Narrower tables have one column less.
_ALL_COLUMNS: Final = 390.0
# Widths of two rows of a table may be read within a frame; of wider ones the live range is left out.
_MOST_DIMENSIONS: Final = 2**16


def questions(state: State) -> tuple[Question, ...]:
    return ()


def height(state: State, width: float) -> float:
    if _is_without_pairs(state.encoding):
        top = _reason_top(state.encoding)
        return top + _STEP * len(_paragraph(_without_pairs(state.encoding), width))
    return _table(width).bottom + 18.0 + _STEP * len(_paragraph(_DEFINITION, width)) + 4.0


def scene(state: State, answers: Answers, box: Box) -> Scene:
    encoding, (first, last) = state.encoding, _cursor_range(state)
    chosen = RANGES.index((first, last)) if state.cursor.offset >= 0 and (first, last) in RANGES else None
    return Scene(
        moving=_live_picture(encoding, first, last, box),
        still=Part(_still, encoding, chosen, box.width, box.theme),
        places=Part(_places, encoding, chosen, box.width),
    )


def changes(state: State, answers: Answers, box: Box, place: Place, x: float) -> Mapping[str, Any]:
    """A range leads to its first position, to the offset of its last, and to the middle one of its pairs."""
    for first, last in RANGES:
        if place.name == _name(first, last) and last < state.encoding.n_positions:
            hands = _resolution(state.encoding, first, last).hands
            pair = {"pair": int(hands[len(hands) // 2])} if len(hands) else {}
            return {"position": float(first), "offset": float(last - first)} | pair
    return {}


def sentence(state: State, answers: Answers) -> str:
    """How many pairs serve each of the ranges."""
    if _is_without_pairs(state.encoding):
        return f"{state.encoding.title}: no pair has a wavelength"
    counts = [whole(len(_resolution(state.encoding, first, last).hands)) for first, last in RANGES]
    (first, last), n_pairs = RANGES[0], whole(_n_pairs(state.encoding))
    others = "".join(f", {a} to {b} by {n}" for (a, b), n in zip(RANGES[1:], counts[1:], strict=True))
    return f"Positions {first} to {last} are served by {counts[0]} of {n_pairs} pairs{others}"


def explanation(state: State) -> str:
    return (
        "The bars are how many hands have a wavelength in each tenfold from 2π on; the dashed line is N. " + _DEFINITION
    )


@lru_cache(maxsize=16)
def _resolution(encoding: Encoding, first: float, last: float) -> Resolution:
    return resolution(encoding, first, last)


def _is_without_pairs(encoding: Encoding) -> bool:
    return encoding.pairs is None or not encoding.pairs.turns_evenly


def _n_pairs(encoding: Encoding) -> int:
    return 0 if encoding.pairs is None else encoding.pairs.count


def _without_pairs(encoding: Encoding) -> str:
    return f"{encoding.title} has no pairs that turn evenly, so none serves one range better than another."


def _reason_top(encoding: Encoding) -> float:
    """Where it is said that no pair serves a range: below the bars, if there are some."""
    return _HEADING + (_BARS + 48.0 if len(hands_per_decade(encoding).counts) else 10.0)


def _cursor_range(state: State) -> tuple[float, float]:
    cursor = state.cursor
    first, last = sorted((cursor.position, cursor.position + cursor.offset))
    return first, last


def _table(width: float) -> TableLayout:
    return TableLayout(0.0, _TABLE_TOP, width, len(RANGES) + 1)


def _paragraph(text: str, width: float) -> list[str]:
    return wrapped("caption", text, width, _MOST_LINES)


def _name(first: float, last: float) -> str:
    return f"{position(first)}–{position(last)}"


def _cells(encoding: Encoding, first: float, last: float) -> tuple[str, ...]:
    """Name, hands, their numbers, their wavelengths, their share of the squared distance between both ends."""
    found = _resolution(encoding, first, last)
    hands = found.hands
    numbers = "none" if not len(hands) else f"{hands[0]}–{hands[-1]}" if len(hands) > 1 else f"{hands[0]}"
    share = "–" if found.share is None else f"{short(100 * found.share, 3)} %"
    return (_name(first, last), whole(len(hands)), numbers, f"{short(found.least)}–{short(found.most)}", share)


def _told(cells: tuple[str, ...], width: float) -> tuple[str, ...]:
    """Those for which there is room: a narrow page leaves out the numbers of the pairs."""
    return cells if width >= _ALL_COLUMNS else cells[:2] + cells[3:]


def _places(encoding: Encoding, chosen: int | None, width: float) -> tuple[Place, ...]:
    places = [Place(_TITLE, Area(0.0, _HEADING, width, _BARS), f"{_per_decade(encoding)}")]
    if _is_without_pairs(encoding):
        return tuple(places)
    table = _table(width)
    for row, (first, last) in enumerate(RANGES):
        _, n_hands, _, wavelengths, share = _cells(encoding, first, last)
        places.append(
            Place(
                _name(first, last),
                table.row_area(row),
                f"{n_hands} pairs, wavelengths {wavelengths}, {share} of the squared distance",
                is_chosen=row == chosen,
            )
        )
    return tuple(places)


def _per_decade(encoding: Encoding) -> str:
    rate = hands_per_decade(encoding).per_decade
    return "" if not math.isfinite(rate) or not rate else f"{short(rate, 3)} per decade"


def _still(encoding: Encoding, chosen: int | None, width: float, theme: Theme) -> marks.Picture:
    bars = _bars_picture(encoding, width, theme)
    if _is_without_pairs(encoding):
        top = _reason_top(encoding)
        return (*bars, *paragraph(0.0, top, _without_pairs(encoding), theme.text2, width, _MOST_LINES))
    rows = [_told(_cells(encoding, first, last), width) for first, last in RANGES]
    return (
        *bars,
        marks.Text(0.0, _TABLE_TOP - 18.0, "Pairs that serve a range of positions", "strong", theme.text),
        *table_picture(_table(width), _told(_TITLES, width), rows, chosen, theme),
        *paragraph(0.0, _table(width).bottom + 18.0, _DEFINITION, theme.text2, width, _MOST_LINES),
    )


def _bars_picture(encoding: Encoding, width: float, theme: Theme) -> marks.Picture:
    """How many hands each tenfold of wavelength has, and where N lies."""
    decades, rate = hands_per_decade(encoding), _per_decade(encoding)
    picture: list[marks.Mark] = [marks.Text(0.0, 9.0, _TITLE, "strong", theme.text)]
    if text_width("strong", _TITLE) + text_width("tick", rate) + 10.0 < width:
        picture.append(marks.Text(width, 9.0, rate, "tick", theme.text2, across=1.0))
    n_bars = len(decades.counts)
    if not n_bars:
        return tuple(picture)
    wide, highest, foot = width / n_bars, max(int(decades.counts.max()), 1), _HEADING + _BARS
    end = wide * math.log10(max(encoding.n_positions, 1) / decades.edges[0])
    top = _HEADING
    for bar, count in enumerate(decades.counts.tolist()):
        tall = count / highest * (_BARS - 16.0)
        picture.append(marks.Rectangle(bar * wide + 2.0, foot - tall, wide - 4.0, tall, theme.axis))
        middle = (bar + 0.5) * wide
        picture.append(marks.Text(middle, foot - tall - 8.0, whole(count), "tick", theme.text2, across=0.5))
        if abs(end - middle) < text_width("tick", whole(count)) / 2 + 3.0:
            # The line of N ends below a count that it would cross.
            top = foot - tall
    picture.append(marks.Segments(np.array([[0.0, foot, width, foot]]), theme.axis))
    labels = [short(edge) for edge in decades.edges.tolist()]
    # The first and the last one begin and end at the edge, the others stand in the middle of theirs.
    step = max(math.ceil((1.5 * max(text_width("tick", label) for label in labels) + 6.0) / wide), 1)
    for edge, label in [*enumerate(labels)][::step]:
        across = 0.0 if edge == 0 else 1.0 if edge == n_bars else 0.5
        picture.append(marks.Text(edge * wide, foot + 12.0, label, "tick", theme.text3, across=across))
    if 0.0 <= end <= width:
        line = np.array([[end, top, end, foot]])
        picture.append(marks.Segments(line, theme.text2, 1.2, (4.0, 3.0)))
        n_text = f"N = {whole(encoding.n_positions)}"
        across = float(end > width / 2)
        picture.append(marks.Text(end, foot + 27.0, n_text, "tick", theme.text2, across=across))
    return tuple(picture)


def _live_picture(encoding: Encoding, first: float, last: float, box: Box) -> marks.Picture:
    """The row of the range from t to t + k."""
    if _is_without_pairs(encoding) or first == last or encoding.d_model > _MOST_DIMENSIONS:
        return ()
    table = _table(box.width)
    middle, cells = table.row_area(len(RANGES)).middle[1], _told(_cells(encoding, first, last), box.width)
    # A narrow column has no room for two long positions.
    cells = (fitting("flag", (cells[0], "t to t + k"), table.width / len(cells) - 8.0), *cells[1:])
    picture = []
    for column, text in enumerate(cells):
        right = table.width * (column + 1) / len(cells) - 8.0
        role = "flag" if column == 0 else "tick"
        picture.append(marks.Text(right, middle, text, role, box.theme.text, across=1.0))
    return tuple(picture)
