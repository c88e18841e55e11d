"""What stands beside map and profile: what the head computes, its numbers, and whether other positions can do it."""

import math
from functools import lru_cache
from typing import Final, TypeAlias

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import FAILS, HOLDS
from pe_desktop.core.record import record
from pe_desktop.core.rotation import has_rotation
from pe_desktop.core.scores.look_back import GAINS, Peaks, RowFacts, other_order
from pe_desktop.core.scores.look_back_rows import WIDEST_OTHERS, Others, other_positions
from pe_desktop.draw import marks
from pe_desktop.draw.flow import (
    FIT,
    GROW,
    Block,
    Column,
    Drawn,
    Fits,
    Formula,
    Grid,
    Named,
    Rule,
    Space,
    Words,
    area_of,
)
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting, text_width
from pe_desktop.views.look_back import words
from pe_desktop.views.look_back.words import offset_text, place_text
from pe_desktop.views.map_and_profile import value_text
from pe_desktop.views.properties.verdicts import verdict_mark

# A part with the group and the place in it where it stands, and its forms, the longest first.
_Part: TypeAlias = tuple[tuple[int, int], tuple[Block, ...]]

# The height of a number, and the least; that of a weight.
_NUMBER, _LEAST_NUMBER, _WEIGHT = 25.0, 16.0, 23.0
# Between two groups, with a line.
_LEAST_GAP, _LARGEST_GAP = 12.0, 34.0
# The names of the gains, with words about the first of them or without; their weights.
_WIDE_LABEL, _NARROW_LABEL, _PERCENT = 150.0, 66.0, 76.0
_WIDE_COLUMN: Final = 290.0
_BAR: Final = 6.0
_THREE_COLUMNS: Final = 700.0
_UNKNOWN: Final = "…"


@record
class NumbersPage:
    """What stands beside the map at every t, and where its numbers and its weights go, if these have room."""

    block: Block
    numbers: Area
    weights: Area | None


@lru_cache(maxsize=4)
def numbers_page(area: Area, encoding: Encoding, places: int) -> NumbersPage:
    """What matters most finds room first: numbers, weights, the formula with its sentence, the other order, a note."""
    numbers = Space(min(max(area.height, 4 * _LEAST_NUMBER), 4 * _NUMBER))
    weights = Space(_WEIGHT * len(GAINS))
    title, note = Words("How sharp, after softmax", "title"), f"weight on {place_text(places)}"
    titles = Grid((FIT, GROW), ((title, Words(note, "tick", "text3", across=1.0)),))
    parts: tuple[_Part, ...] = (
        ((1, 0), (numbers,)),
        ((2, 0), (Column((Fits((titles, title)), Space(5.0), weights)),)),
        ((0, 0), _computed_blocks(encoding, places)),
        ((0, 1), _order_blocks(encoding, places)),
        ((2, 1), (Words(words.meaning(encoding), "caption", "text2", is_paragraph=True),)),
    )
    found = _with_room(parts, area.width, area.height)
    where = area_of(found, area, numbers)
    assert where is not None
    return NumbersPage(found, where, area_of(found, area, weights))


def numbers_picture(
    page: NumbersPage,
    encoding: Encoding,
    places: int,
    t: int,
    row: RowFacts | None,
    peaks: Peaks | None,
    theme: Theme,
    *,
    has_one_margin: bool,
) -> marks.Picture:
    """Score, second best and margin of row t, in how many rows the peak stands where it shall, and the weights."""
    names = _names(places, t, row, peaks, "the same for every t" if has_one_margin else "in that row")
    area, picture = page.numbers, list[marks.Mark]()
    for number, (forms, value) in enumerate(zip(names, _values(row, peaks), strict=True)):
        y = area.y + area.height / len(names) * (number + 0.5)
        name = fitting("label", (*forms, ""), area.width - text_width("value", value) - 10.0)
        picture.append(marks.Text(area.x, y, name, "label", theme.text2))
        picture.append(marks.Text(area.right, y, value, "value", theme.text, across=1.0))
    if page.weights is not None:
        picture += _weights_picture(page.weights, encoding.d_model, row, theme)
    return tuple(picture)


@lru_cache(maxsize=4)
def others_block(encoding: Encoding, places: int, found: Others | None, width: float) -> Block:
    """The list of six, each with its sign and the rows that peak, and the sentence about the unrestricted matrix."""
    title, back = "Can other positions do it?", f"{whole(places)} back" if places else "no step back"
    at = f", at d = {whole(WIDEST_OTHERS)}" if encoding.d_model > WIDEST_OTHERS else ""
    note = Words(f"best 2 × 2 of every pair, fitted to {back}{at}", "tick", "text3", shorter=("",))
    count = 3 if width >= _THREE_COLUMNS else 2
    cells = [_other(name, places, found) for name in _other_names(encoding.n_positions, encoding.d_model)]
    rows = tuple(tuple(cells[first : first + count]) for first in range(0, len(cells), count))
    memorised = words.memorised_text(found.memorised, places) if found is not None and places else ""
    return Column(
        (
            Space(11.0),
            Grid((FIT, GROW), ((Words(title, "title"), note),), gap=14.0),
            Space(10.0),
            Grid((1.0 / count,) * count, rows, gap=0.0, between=10.0),
            Space(11.0),
            Words(memorised, "caption", "text2", n_lines=2),
            Space(2.0),
        )
    )


def refusal_block(encoding: Encoding) -> Block:
    """Words in place of a map of weights."""
    return Words(words.too_many(encoding), "caption", "text2", 0.5, is_paragraph=True)


def _with_room(parts: tuple[_Part, ...], width: float, height: float) -> Block:
    """The parts that have room, each in its first form that does: the first one in any case.

    A second one of a group stands after its first. What is left over goes between the groups.
    """
    (first, forms), *others = parts
    found = {first: forms[0]}
    for place, forms in others:
        if not place[1] or (place[0], 0) in found:
            pages = ({**found, place: form} for form in forms)
            found = next((page for page in pages if _grouped(page, _LEAST_GAP).height(width) <= height), found)
    spare = height - _grouped(found, _LEAST_GAP).height(width)
    n_gaps = max(len({group for group, _ in found}) - 1, 1)
    return _grouped(found, min(_LEAST_GAP + max(spare, 0.0) / n_gaps, _LARGEST_GAP))


def _grouped(parts: dict[tuple[int, int], Block], between: float) -> Block:
    """The parts group by group, lines between groups."""
    blocks: list[Block] = []
    for place in sorted(parts):
        if blocks:
            blocks.append(Space(8.0) if place[1] else Rule(between))
        blocks.append(parts[place])
    return Column(tuple(blocks))


def _matrix(encoding: Encoding, places: int) -> str:
    return f"M_{{{offset_text(places)}}}" if has_rotation(encoding) else "A"


def _computed_blocks(encoding: Encoding, places: int) -> tuple[Block, ...]:
    """What the head computes: the formula, and the sentence at length or in short."""
    title, formula = Words("What the head computes", "title"), f"score = ({_matrix(encoding, places)} p_t) · p_s"
    sentences = (Words(text, "caption", "text2", is_paragraph=True) for text in words.computed(encoding, places))
    return tuple(Column((title, Formula(formula, 17), sentence), 5.0) for sentence in sentences)


def _order_blocks(encoding: Encoding, places: int) -> tuple[Block, ...]:
    """The other order of the product, with its numbers: its peak lies on the other side."""
    if not has_rotation(encoding) or not places:
        return ()
    order = other_order(encoding, places)
    peak, there = f"+{whole(order.offset)}" if order.offset > 0 else whole(order.offset), value_text(order.score)
    forms = [f"peaks at {peak} instead: {there}", f"peaks at {peak} instead", f"peaks at {peak}", ""]
    if not math.isnan(order.mirrored):
        forms.insert(0, f"{forms[0]}, at {offset_text(places)} {value_text(order.mirrored)}")
    text = Words(forms[0], "caption", "text2", shorter=tuple(forms[1:]))
    formula = Formula(f"p_t^T {_matrix(encoding, places)} p_s", 15)
    return (Grid((FIT, GROW), ((formula, text),), gap=6.0),)


def _names(places: int, t: int, row: RowFacts | None, peaks: Peaks | None, margin: str) -> tuple[tuple[str, ...], ...]:
    """The names of the four numbers, each from long to short."""
    here, keys = f"t = {whole(t)}, s = {whole(t - places)}", None if row is None else row.n_compared
    second = "Second best in that row" if keys is None else f"Second best of {whole(keys)} keys"
    return (
        (f"Score at {here}", f"at {here}", "Score"),
        (second, "Second best"),
        (f"Margin, {margin}", "Margin"),
        (f"Peak is at {offset_text(places)}{words.reach_text(peaks)}", "Peak"),
    )


def _values(row: RowFacts | None, peaks: Peaks | None) -> tuple[str, ...]:
    share = _UNKNOWN if peaks is None else words.peaks_text(peaks)
    if row is None:
        return _UNKNOWN, _UNKNOWN, _UNKNOWN, share
    score = "no such key" if math.isnan(row.score) else value_text(row.score)
    return score, *("–" if math.isnan(value) else value_text(value) for value in (row.second, row.margin)), share


def _weights_picture(area: Area, d_model: int, row: RowFacts | None, theme: Theme) -> list[marks.Mark]:
    """The weight on t - n at each gain, as a bar and a number."""
    label = _WIDE_LABEL if area.width >= _WIDE_COLUMN else _NARROW_LABEL
    left, wide = area.x + label, max(area.width - label - _PERCENT, 16.0)
    weights = (math.nan,) * len(GAINS) if row is None or row.weights is None else row.weights
    picture: list[marks.Mark] = []
    for number, (gain, weight) in enumerate(zip(GAINS, weights, strict=True)):
        y, name = area.y + _WEIGHT * (number + 0.5), f"gain × {gain}"
        if gain == 1:
            name = fitting("caption", (f"{name} is 1/√{whole(d_model)}", name), label - 8.0)
        picture.append(marks.Text(area.x, y, name, "caption", theme.text2))
        picture.append(marks.Rectangle(left, y - _BAR / 2, wide, _BAR, theme.sunken, radius=_BAR / 2))
        text = _UNKNOWN if row is None else "–"
        if not math.isnan(weight):
            filled, text = max(wide * weight, 2.0), words.weight_text(weight)
            picture.append(marks.Rectangle(left, y - _BAR / 2, filled, _BAR, theme.ink, radius=min(filled, _BAR) / 2))
        picture.append(marks.Text(area.right, y, text, "value", theme.text, across=1.0))
    return picture


def _other(name: str, places: int, found: Others | None) -> Block:
    """An entry of the list: its sign, its name, and in how many rows it peaks."""
    if found is None:
        sign: Block = Space(16.0)
        text = Words("measuring…", "caption", "text2")
        value = ""
    else:
        peaks = found.peaks[name]
        sign = Drawn(_sign, (peaks.is_everywhere,), 16.0)
        number = words.peaks_text(peaks)
        long = f"{number} peak at {offset_text(places)}{words.reach_text(peaks)}"
        text, value = Words(long, "caption", "text2", shorter=(f"{number} peak", "")), f"{number} peak"
    rows = ((sign, Words(name, "strong")), (Space(0.0), text))
    return Named(name, Grid((16.0, GROW), rows, gap=8.0, between=1.0), value)


def _sign(area: Area, theme: Theme, is_everywhere: bool) -> marks.Picture:
    verdict, color = (HOLDS, theme.ok) if is_everywhere else (FAILS, theme.bad)
    return (verdict_mark(area.x + 8.0, area.y + 9.0, verdict, color),)


@lru_cache(maxsize=2)
def _other_names(n_positions: int, d_model: int) -> tuple[str, ...]:
    return (*other_positions(n_positions, d_model),)
