"""Where everything of Look back stands, and what is drawn and said of it: map, profile, numbers, other positions."""

import math
from collections.abc import Mapping
from functools import partial
from itertools import chain
from typing import Any, Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import ColorScale
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.record import kept, record
from pe_desktop.core.rotation import rotating_pairs, rotation_refusal, steady_pairs
from pe_desktop.core.scores.look_back import GAINS, Drops, Peaks, RowFacts, Shift, other_order
from pe_desktop.core.scores.look_back_rows import WIDEST_OTHERS, Others, other_positions, weighs_rows
from pe_desktop.draw import flow, marks
from pe_desktop.draw.color_bar import bar_ends, lying_bar, lying_bar_width
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Formula, Grid, Live, Row, Rule, Space, Table, Words
from pe_desktop.draw.number_text import counted, fixed, short, whole
from pe_desktop.draw.scene import Area, Box
from pe_desktop.draw.theme import Theme, map_colors
from pe_desktop.draw.typefaces import text_width
from pe_desktop.resources import resource_json
from pe_desktop.views.map_and_profile import MapLayout, OffsetCurve, mirrored, row_curve, value_text

SAID: Final = resource_json("help.json")["views"]["look-back"]
# Left of the map and of the profile: their numbers, of more digits from _LONG positions on.
_LEFT, _LEFT_OF_LONG = 46.0, 62.0
_LONG: Final = 100_000
# Above the map its title and the colour bar, below it the numbers.
_TOP, _AXIS = 28.0, 38.0
# Above a profile its title, below it the numbers.
_PROFILE_TOP, _PROFILE_BOTTOM = 44.0, 24.0
_LOWEST_CURVE, _HIGHEST_CURVE = 44.0, 150.0
# Numbers beside the map, or at the foot of a narrow panel, and what they need.
_GAP: Final = 34.0
_NUMBERS, _WIDEST_NUMBERS, _LOWEST_NUMBERS = 176.0, 430.0, 90.0
# The share of the width that the map takes at most where numbers stand beside it.
_MAP_SHARE: Final = 0.47
# The list: from which width on, and height beside its own.
_LIST_WIDTH, LIST_HEIGHT = 400.0, 432.0
# Lower than this there is only the map.
_LOWEST_WITH_PROFILE, _LEAST_SIDE = 260.0, 40.0
# The width of the colour bar; a map so wide has numbers below it.
_BAR, _WITH_NUMBERS = 68.0, 100.0
# A map alone on paper.
_TALLEST_ALONE: Final = 560.0
# Smaller weights are nothing to the eye.
_LEAST_PERCENT: Final = 0.001
# The letters of formulas.
_FORMULA: Final = 15
# Between two groups, with a line.
_RULE: Final = 18.0
# The share of the names of the gains; their weights; the height of a bar and of its row.
_LABELS, _WEIGHT, _TALL, _BAR_ROW = 0.38, 64.0, 6.0, 18.0
_UNKNOWN: Final = "…"
_SHARP_TITLE: Final = Words("How sharp, after softmax", "title")
_caption = partial(Words, role="caption", ink="text2")
_name = partial(Words, role="label", ink="text2")


@record(kw_only=True)
class LookBackLayout(MapLayout):
    """The parts; numbers, profile and others have no height where there is no room for them."""

    numbers: Area
    others: Area

    def cell_sets(self, x: float, y: float) -> Mapping[str, Any]:
        """A head reads no key after its query: there k stays."""
        cell = super().cell_sets(x, y)
        return cell if cell["offset"] <= 0 else {"position": cell["position"]}


@kept
def look_back_layout(
    width: float, height: float, others: float, *, is_map: bool = False, **shown: Any
) -> LookBackLayout:
    """Map and numbers beside each other, the profile below, the list, `others` high, at the foot; shown: the spans.

    is_map: nothing but the map.
    """
    if is_map or width < _LIST_WIDTH or height < LIST_HEIGHT + others:
        others = 0.0
    last = max(shown["rows"].last, shown["columns"].last)
    before, has_profile = _LEFT if last < _LONG else _LEFT_OF_LONG, height >= _LOWEST_WITH_PROFILE and not is_map
    around_curve = (_PROFILE_TOP + _PROFILE_BOTTOM) * has_profile
    lowest = around_curve + has_profile * max(min(0.12 * height, 100.0), _LOWEST_CURVE)
    has_numbers = width * _MAP_SHARE <= width - before - _GAP - _NUMBERS and not is_map
    side = width * _MAP_SHARE if has_numbers else width - before - 16.0
    side = max(min(height - others - lowest - _TOP - _AXIS, side), _LEAST_SIDE)
    area, foot = Area(before, _TOP, side, side), height - others
    curve = min(foot - area.bottom - _AXIS - around_curve, _HIGHEST_CURVE) if has_profile else 0.0
    profile = Area(before, area.bottom + _AXIS + _PROFILE_TOP, width - before - 18.0, max(curve, 0.0))
    left, top, tall = area.right + _GAP, 4.0, side + _TOP + _AXIS - 12.0
    if not has_numbers:
        left, top = 0.0, profile.bottom + _PROFILE_BOTTOM + 16.0
        tall = foot - top if has_profile and foot - top >= _LOWEST_NUMBERS else 0.0
    return LookBackLayout(
        map=area,
        profile=profile,
        numbers=Area(left, top, min(width - left - 4.0, _WIDEST_NUMBERS), tall),
        others=Area(0.0, foot, width, others),
        **shown,
    )


def map_height(width: float) -> float:
    """The height of the map alone at a width."""
    return min(width - _LEFT - 16.0, _TALLEST_ALONE) + _TOP + _AXIS


def frame_picture(layout: LookBackLayout, scale: ColorScale | None, theme: Theme) -> marks.Picture:
    """Frame, axes and colour bar of the map, without a scale there is no map; the line above the list."""
    area, (row_ticks, column_ticks), query = layout.map, layout.ticks(), "query at t"
    picture: marks.Marks = [layout.frame(theme), *layout.row_axis.labels(row_ticks, theme)]
    if area.width >= _WITH_NUMBERS:
        picture += layout.column_axis.labels(column_ticks, theme, 12.0)
    picture.append(marks.Text(0.0, area.y - 16.0, query, "tick", theme.text3))
    picture.append(marks.right_aligned(area.right, area.bottom + 25.0, "key at s", "tick", theme.text3))
    if layout.others.height:
        picture.append(marks.lines((0.0, layout.others.y, layout.others.right, layout.others.y), theme.line))
    if scale is not None:
        ends = bar_ends(scale)
        if area.right - lying_bar_width(_BAR, ends) >= text_width("tick", query) + 8.0:
            colors = map_colors(theme, scale.limits, is_diverging=True)
            picture += lying_bar(area.right, area.y - 16.0, _BAR, ends, colors, theme)
    return tuple(picture)


def profile_picture(
    layout: LookBackLayout, scores: Drops | Shift | None, places: int, theme: Theme, trained_length: int
) -> marks.Picture:
    """What stays of the profile: a line above, axes, the curve of every row."""
    if not layout.has_profile:
        return ()
    above = layout.profile.y - _PROFILE_TOP
    return (
        marks.lines((0.0, above, layout.profile.right + 18.0, above), theme.line),
        *layout.levels_picture(theme, trained_length),
        *layout.offset_labels(theme),
        layout.offset_axis.title("offset", theme, 13.0, is_before=True),
        *layout.every_row(_every(layout, scores, places), theme),
    )


def moving_profile(
    layout: LookBackLayout, scores: Drops | Shift | None, t: int, places: int, box: Box, *, is_shared: bool
) -> marks.Picture:
    """Title and legend, row t, of a long table an even sample of it, and the knob on the peak with its words."""
    if not layout.has_profile:
        return ()
    own, peak, theme = None, 0.0, box.theme
    if isinstance(scores, Drops):
        peak = scores.peak
    elif scores is not None:
        encoding, query = scores.encoding, scores.queries([t])[0]
        own = row_curve(encoding, "dot", layout.offsets, float(t), query, is_paper=box.is_paper)
        peak = float(query @ encoding.values([t - places])[0]) if t >= places else 0.0
    return (
        *layout.head_picture(SAID["titles"], whole(t), theme, is_shared=is_shared),
        *layout.row_picture(_every(layout, scores, places), own, t, theme),
        *layout.offset_picture(-places, peak, theme),
    )


@kept
def _every(layout: LookBackLayout, scores: Drops | Shift | None, places: int) -> OffsetCurve | None:
    """The curve of every row over the visible offsets; it stays while the cursor moves."""
    if not isinstance(scores, Drops):
        return None
    drops = mirrored(scores.drops, layout.offsets, -places)
    return None if drops is None else OffsetCurve(drops.offsets, scores.peak - drops.values)


def numbers_block(
    area: Area, encoding: Encoding, places: int, t: int, row: RowFacts | None, peaks: Peaks | None, margin: str
) -> Block:
    """What matters most finds room first: numbers, weights, the formula, the other order, a note.

    row, peaks: what is known of row t and of all rows; margin: of which rows that of row t is told.
    """
    numbers = Live(_numbers(_matrix(encoding, places), places, t, row, peaks, margin))
    weights = Live(_weights(encoding.d_model, row))
    computed, order, note = _still_parts(encoding, places)
    here = f"t = {whole(t)}"
    on = Live(flow.small(f"weight on {place_text(places)} at {here}", here, "", across=1.0))
    title = flow.in_row((FIT, GROW), _SHARP_TITLE, on)
    sharp, formula = Column((title, weights), gap=5.0), Column((computed[0], order), gap=8.0)
    forms: tuple[tuple[Block, ...], ...] = (
        (formula, numbers, Column((sharp, note), gap=8.0)),
        (formula, numbers, sharp),
        (computed[0], numbers, sharp),
        (computed[-1], numbers, sharp),
        (numbers, sharp),
        (numbers,),
    )
    columns = [Column((first, *chain.from_iterable((Rule(_RULE), block) for block in rest))) for first, *rest in forms]
    return next((column for column in columns if column.height_at(area.width) <= area.height), columns[-1])


@kept
def _still_parts(encoding: Encoding, places: int) -> tuple[tuple[Block, ...], Block, Block]:
    """What no t changes: what is computed at length and in short, the other order, a note."""
    title, formula = Words("What the head computes", "title"), f"score = ({_matrix(encoding, places)} p_t) · p_s"
    sentences = (_caption(text, is_paragraph=True) for text in _computed(encoding, places))
    computed = tuple(Column((title, Formula(formula, 17), sentence), 5.0) for sentence in sentences)
    meaning = SAID["sharp" if steady_pairs(encoding) is not None else "sharp anywhere"]
    note = _caption(meaning if weighs_rows(encoding) else too_many(encoding), is_paragraph=True)
    return computed, _order_block(encoding, places), note


@kept
def others_block(encoding: Encoding, places: int, found: Others | None) -> Block:
    """The list of six, each with the rows that peak, and sentences about a free matrix and about words."""
    title, back = "Can other positions do it?", f"{whole(places)} back" if places else "no step back"
    at = f", at d = {whole(WIDEST_OTHERS)}" if encoding.d_model > WIDEST_OTHERS else ""
    note = flow.small(f"best 2 × 2 matrix of each pair, made to look {back}{at}", "")
    names = other_positions(encoding.n_positions, encoding.d_model)
    rows = [_other(name, preset, places, found) for name, preset in zip(names, SAID["presets"], strict=True)]
    memorised = _memorised_text(found, places) if found is not None and places else ""
    added = ""
    if found and found.among:
        many, few = map(peaks_text, found.among)
        added = f"With words added to the paper's: {many} peak; where W_Q and W_K leave words out: {few}."
    return Column(
        (
            Space(11.0),
            flow.in_row((FIT, GROW), Words(title, "title"), note, gap=14.0),
            Space(4.0),
            Table(("", "", ""), tuple(rows)),
            Space(8.0),
            Words(memorised, "caption", "text2", n_lines=2),
            Words(added, "caption", "text2", n_lines=2),
            Space(2.0),
        )
    )


def _other(name: str, preset: str, places: int, found: Others | None) -> Row:
    """An entry of the list: whether it can, and in how many rows it peaks; a press takes these positions."""
    is_able, number = "", "measuring…"
    if found is not None:
        peaks = found.peaks[name]
        is_able = "yes" if peaks.is_everywhere else "no"
        number = f"{peaks_text(peaks)} peak at {offset_text(places)}{_reach_text(peaks)}"
    return Row((name, is_able, number), {"preset": preset}, tooltip="Take these positions", value=number)


def _matrix(encoding: Encoding, places: int) -> str:
    return f"M_{{{offset_text(places)}}}" if rotating_pairs(encoding) is not None else "A"


def _order_block(encoding: Encoding, places: int) -> Block:
    """The other order of the product, with its numbers: its peak lies on the other side."""
    if rotating_pairs(encoding) is None or not places:
        return Column(())
    offset, score = other_order(encoding, places)
    looks = f"looks {whole(abs(offset))} {'ahead' if offset > 0 else 'back'}"
    said = _caption(f"the other way round it {looks}: {value_text(score)}", shorter=(looks, ""))
    formula = Formula(f"p_t^T {_matrix(encoding, places)} p_s", _FORMULA)
    return flow.in_row((FIT, GROW), formula, said, gap=6.0)


def _numbers(matrix: str, places: int, t: int, row: RowFacts | None, peaks: Peaks | None, margin: str) -> Block:
    """Score, second best and margin of row t, and in how many rows the peak stands where it shall."""
    keys = None if row is None else row.n_compared
    second = "Second best in that row" if keys is None else f"Second best of {whole(keys)} keys"
    values = [_UNKNOWN] * 3
    if row is not None:
        score = "no such key" if math.isnan(row.score) else value_text(row.score)
        values = [score, *("–" if math.isnan(value) else value_text(value) for value in (row.second, row.margin))]
    values.append(_UNKNOWN if peaks is None else peaks_text(peaks))
    formula = Formula(f"score = ({matrix} p_{{{whole(t)}}}) · p_{{{whole(t - places)}}}", _FORMULA, "text2")
    names = (
        flow.Fits((formula, _name("Score"))),
        _name(second, shorter=("Second best", "")),
        _name(f"Margin, {margin}", shorter=("Margin", "")),
        _name(f"Peak is at {offset_text(places)}{_reach_text(peaks)}", shorter=("Peak", "")),
    )
    rows = zip(names, (Words(value, "value", across=1.0) for value in values), strict=True)
    return Grid((GROW, FIT), tuple(rows), gap=10.0)


def _weights(d_model: int, row: RowFacts | None) -> Block:
    """The weight on t - n at each gain, as a bar and a number."""
    weights = (math.nan,) * len(GAINS) if row is None or row.weights is None else row.weights
    rows = []
    for gain, weight in zip(GAINS, weights, strict=True):
        name = _caption(f"scores × {gain}/√{whole(d_model)}", shorter=(f"gain {gain}", ""))
        text = _UNKNOWN if row is None else "–" if math.isnan(weight) else _weight_text(weight)
        rows.append((name, Drawn(_bar, (weight,), _BAR_ROW), Words(text, "value", across=1.0)))
    return Grid((_LABELS, GROW, _WEIGHT), tuple(rows), gap=8.0)


def _bar(area: Area, theme: Theme, weight: float) -> marks.Picture:
    top = area.middle[1] - _TALL / 2
    picture: marks.Marks = [marks.Rectangle(area.x, top, area.width, _TALL, theme.sunken, radius=_TALL / 2)]
    if not math.isnan(weight):
        filled = max(area.width * weight, 2.0)
        picture.append(marks.Rectangle(area.x, top, filled, _TALL, theme.ink, radius=min(filled, _TALL) / 2))
    return tuple(picture)


def too_many(encoding: Encoding) -> str:
    """Why no weights are shown."""
    return f"Weights add up all keys of a row: at N = {whole(encoding.n_positions)} these are too many."


def offset_text(places: int) -> str:
    """The offset that a head looks at: −3."""
    return f"{MINUS}{whole(places)}" if places else "0"


def place_text(places: int) -> str:
    """The key that a query at t looks for: t − 3, or t."""
    return f"t {MINUS} {whole(places)}" if places else "t"


def _computed(encoding: Encoding, places: int) -> tuple[str, ...]:
    """What the head does, at length and in short."""
    refusal, back = rotation_refusal(encoding), counted(places, "position")
    forms = SAID["itself" if not places else "turns" if refusal is None else "fitted"]
    return tuple(form.format(back=back, refusal=refusal) for form in forms)


def peaks_text(peaks: Peaks) -> str:
    """125 of 125 rows."""
    sample = " sampled" if peaks.is_sample else ""
    return f"{whole(peaks.n_peaking)} of {whole(peaks.n_rows)}{sample} rows"


def _reach_text(peaks: Peaks | None) -> str:
    """Among which keys, where these are not all: , within ± 1 048 575 keys."""
    return "" if peaks is None or peaks.reach is None else f", within ± {whole(peaks.reach)} keys"


def _weight_text(weight: float) -> str:
    """2.6 %."""
    percent = 100 * weight
    if percent < _LEAST_PERCENT:
        return f"< {short(_LEAST_PERCENT)} %"
    return f"{fixed(percent, 1)} %" if percent >= 0.1 else f"{short(percent, 2)} %"


def _memorised_text(found: Others, places: int) -> str:
    """What a free matrix does with random vectors."""
    d, fitted, new = whole(found.fitted.n_rows), found.fitted, found.new
    rows = f"of the {whole(fitted.n_rows)} it was fitted to, {whole(fitted.n_peaking)} peak at {offset_text(places)}"
    others = f"of the next {whole(new.n_rows)}, {whole(new.n_peaking) if new.n_peaking else 'none'}"
    return f"A free {d} × {d} matrix learns random rows by heart: {rows}; {others}."
