"""How the four terms are drawn: a row each with its value, its range as a bar, then their sum and what follows."""

from typing import Final

import numpy as np

from pe_desktop.core.record import record
from pe_desktop.core.scores.term_ranges import Range, TermRanges, TermsAt
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import Axis, paragraph
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, formula_runs, wrapped

NAMES: Final = ("content · content", "content · position", "position · content", "position · position")
FORMULAS: Final = ("x W y", "x W p_s", "p_t W y", "p_t W p_s")
_SUM: Final = "Sum = score"
# Pixels from the top: titles of the columns, rows, their height, the line under them and what stands below it.
_HEAD, _ROWS, _ROW = 42.0, 50.0, 38.0
_LINE: Final = _ROWS + 4 * _ROW + 2.0
_TOTAL, _CLAIM = _LINE + 16.0, _LINE + 37.0
_CLAIM_STEP, _EVIDENCE_ROW = 17.0, 19.0
_BELOW_CLAIM, _EVIDENCE_HEIGHT = 15.0, 24.0 + 2 * _EVIDENCE_ROW
_ONLY_FIRST: Final = "Only the first term does not depend on where the pair stands."
_NONE_MOVES: Final = "No term depends on where the pair stands."
_MOST_LINES: Final = 3
_HEAD_PIXELS, _W_PIXELS, _HEAD_GAP = 18, 14, 24.0
_BAR_HEIGHT: Final = 9.0
# Values up to here are told with decimals.
_MOST_DECIMAL, _LEAST_DECIMAL = 1e3, 1e-2


@record
class _Layout:
    """Where the columns stand in a picture of a width."""

    width: float

    @property
    def value_right(self) -> float:
        return self.width - self.bar_width - 16.0

    @property
    def second_line(self) -> float:
        """Under the bold sentence, which a narrow picture breaks."""
        n_lines = len(wrapped("strong", _ONLY_FIRST, self.width, _MOST_LINES))
        return _CLAIM + _CLAIM_STEP * (n_lines - 1) + _BELOW_CLAIM

    @property
    def bar_width(self) -> float:
        return max(0.4 * self.width - 48.0, 64.0)

    def middle(self, row: int) -> float:
        """The middle line of the name, the value and the bar of a row."""
        return _ROWS + row * _ROW + 12.0

    def levels(self, row: int, limit: float) -> Axis:
        """The axis of the bar of a row, from -limit to limit."""
        top = self.middle(row) - _BAR_HEIGHT / 2
        return Axis(Area(self.width - self.bar_width, top, self.bar_width, _BAR_HEIGHT), -limit, limit)


def needed_height(width: float) -> float:
    """How high the picture is at a width."""
    return _Layout(width).second_line + _EVIDENCE_HEIGHT


def value_text(value: float) -> str:
    """A term or their sum."""
    if value == 0 or _LEAST_DECIMAL <= abs(value) < _MOST_DECIMAL:
        return fixed(value, 3)
    return short(value, 2 if abs(value) < _LEAST_DECIMAL else 3)


def ranges_picture(ranges: TermRanges | str, offset: float, width: float, theme: Theme) -> marks.Picture:
    """Everything that stays while t moves; in place of ranges the words that say why there are none."""
    layout = _Layout(width)
    picture: list[marks.Mark] = [
        *_head(width, theme),
        marks.Text(width, _HEAD, _range_title(ranges, offset, layout), "tick", theme.text3, across=1.0),
    ]
    limit = _limit(ranges)
    for row, (name, formula) in enumerate(zip(NAMES, FORMULAS, strict=True)):
        y = layout.middle(row)
        picture.append(marks.Text(0.0, y, name, "label", theme.text))
        picture.append(marks.FormulaText(0.0, y + 17.0, formula, 14, theme.text2))
        picture.append(marks.Text(width, y + 17.0, _range_text(ranges, row), "tick", theme.text2, across=1.0))
        if isinstance(ranges, TermRanges):
            picture += _bar(layout.levels(row, limit), ranges.terms[row], theme)
    for y in (_LINE, layout.second_line):
        picture.append(marks.Segments(np.array([[0.0, y, width, y]]), theme.line))
    picture.append(marks.Text(0.0, _TOTAL, _SUM, "strong", theme.text))
    claim = _NONE_MOVES if _is_blind(ranges) else _ONLY_FIRST
    picture += paragraph(0.0, _CLAIM, claim, theme.text, width, _MOST_LINES, "strong", _CLAIM_STEP)
    return (*picture, *_evidence(ranges, layout, theme))


def _head(width: float, theme: Theme) -> marks.Picture:
    """What is added up, and what W is: at the right, or below where the two would read as one equation."""
    added, of_w = "(x + p_t) W (y + p_s) =", "W = W_Q W_K^T / √d"
    used = formula_runs(added, _HEAD_PIXELS)[1] + formula_runs(of_w, _W_PIXELS)[1]
    x, y, across = (width, 16.0, 1.0) if width - used >= _HEAD_GAP else (0.0, _HEAD, 0.0)
    return (
        marks.FormulaText(0.0, 16.0, added, _HEAD_PIXELS, theme.text),
        marks.FormulaText(x, y, of_w, _W_PIXELS, theme.text2, across=across),
    )


def values_picture(
    terms: TermsAt | None, ranges: TermRanges | str, position: float, width: float, theme: Theme
) -> marks.Picture:
    """The numbers at t, and where they lie in their ranges."""
    layout, limit = _Layout(width), _limit(ranges)
    right = layout.value_right
    picture: list[marks.Mark] = [
        marks.Text(right, _HEAD, f"t = {position_text(position)}", "tick", theme.text3, across=1.0)
    ]
    for row in range(len(NAMES)):
        value = None if terms is None else terms.terms[row]
        text = "…" if value is None else value_text(value)
        picture.append(marks.Text(right, layout.middle(row), text, "value", theme.text, across=1.0))
        if value is not None and isinstance(ranges, TermRanges):
            axis = layout.levels(row, limit)
            x, y = axis.place(min(max(value, -limit), limit)), layout.middle(row)
            picture.append(marks.Segments(np.array([[x, y - 7.5, x, y + 7.5]]), theme.ink, 2.0))
    return (*picture, *_total(terms, right, width, theme))


def places(terms: TermsAt | None, ranges: TermRanges | str, width: float) -> tuple[Place, ...]:
    """A row for each term, and their sum."""
    if terms is None:
        return ()
    rows = [
        Place(name, Area(0.0, _ROWS + row * _ROW, width, _ROW), f"{value_text(value)}, {_range_text(ranges, row)}")
        for row, (name, value) in enumerate(zip(NAMES, terms.terms, strict=True))
    ]
    total = value_text(terms.total) if terms.is_exact else _missed(terms)
    return (*rows, Place(_SUM, Area(0.0, _LINE, width, _CLAIM - 12.0 - _LINE), total))


def _range_title(ranges: TermRanges | str, offset: float, layout: _Layout) -> str:
    """What was looked at, in the words that find room."""
    seen, at = _seen(ranges), f"k = {position_text(offset)}"
    titles = [f"range over {seen}, {at}", f"{seen}, {at}", seen, at]
    room = layout.width - layout.value_right - 10.0
    return fitting("tick", (*titles, "range"), room)


def _seen(ranges: TermRanges | str) -> str:
    """How many t were looked at."""
    if isinstance(ranges, str) or ranges.n_read == ranges.n_all:
        return "every t"
    return f"{whole(ranges.n_read)} of {whole(ranges.n_all)} t"


def _range_text(ranges: TermRanges | str, row: int) -> str:
    if isinstance(ranges, str):
        return ranges
    if ranges.n_all == 1:
        return "one t only"
    found = ranges.terms[row]
    return "constant" if found.is_constant else f"{_end(found.least, found)} to {_end(found.greatest, found)}"


def _end(value: float, found: Range) -> str:
    """An end of a range, both in the same way."""
    size = max(abs(found.least), abs(found.greatest))
    return fixed(value, 2) if 0.1 <= size < _MOST_DECIMAL else short(value)


def _limit(ranges: TermRanges | str) -> float:
    """What no term exceeds at any t that was looked at."""
    ends = [] if isinstance(ranges, str) else [abs(end) for term in ranges.terms for end in term]
    return max(ends, default=0.0) or 1.0


def _bar(axis: Axis, found: Range, theme: Theme) -> list[marks.Mark]:
    left, right, zero = axis.place(found.least), axis.place(found.greatest), axis.place(0.0)
    area = axis.area
    # What is constant is a bar, too.
    left, right = min(left, (left + right) / 2 - 1.5), max(right, (left + right) / 2 + 1.5)
    return [
        marks.Segments(np.array([[zero, area.y - 4.0, zero, area.bottom + 4.0]]), theme.text3),
        marks.Rectangle(left, area.y, right - left, area.height, theme.axis, radius=1.5),
    ]


def _is_blind(ranges: TermRanges | str) -> bool:
    """Whether no term moves with t."""
    return isinstance(ranges, TermRanges) and ranges.n_all > 1 and all(term.is_constant for term in ranges.terms)


def _total(terms: TermsAt | None, right: float, width: float, theme: Theme) -> list[marks.Mark]:
    """The sum and by how much it misses the score; a sum that misses it by more than rounding is no number."""
    if terms is None:
        return [marks.Text(right, _TOTAL, "…", "value", theme.text, across=1.0)]
    if not terms.is_exact:
        return [marks.Text(width, _TOTAL, _missed(terms), "strong", theme.bad, across=1.0)]
    residual = short(terms.residual, 2)
    only = ", rounding only" if terms.residual else ""
    forms = (f"residual {residual}{only}", f"residual {residual}", f"± {residual}")
    words = fitting("tick", forms, width - right - 8.0)
    return [
        marks.Text(right, _TOTAL, value_text(terms.total), "value", theme.text, across=1.0),
        marks.Text(width, _TOTAL, words, "tick", theme.text2, across=1.0),
    ]


def _missed(terms: TermsAt) -> str:
    return f"error: misses by {short(terms.residual, 2)}"


def _evidence(ranges: TermRanges | str, layout: _Layout, theme: Theme) -> list[marks.Mark]:
    """How far the score of the same words at the same offset moves, added or turned."""
    width, top = layout.width, layout.second_line + 16.0
    picture: list[marks.Mark] = [
        marks.Text(0.0, top, "Relative position", "strong", theme.text),
        marks.Text(width, top, f"score moves over {_seen(ranges)} by", "tick", theme.text3, across=1.0),
    ]
    texts = ["–", "–"]
    if isinstance(ranges, TermRanges) and ranges.n_all > 1:
        texts = [
            short(found.spread, 3 if found.spread >= _LEAST_DECIMAL else 2) for found in (ranges.total, ranges.rotary)
        ]
    rows = zip(("Added", "RoPE"), ("available, if learned", "enforced"), texts, strict=True)
    for row, (name, words, text) in enumerate(rows, start=1):
        y = top + _EVIDENCE_ROW * row
        picture.append(marks.Text(0.0, y, name, "label", theme.text))
        picture.append(marks.Text(52.0, y, words, "caption", theme.text2))
        picture.append(marks.Text(width, y, text, "value", theme.text, across=1.0))
    return picture
