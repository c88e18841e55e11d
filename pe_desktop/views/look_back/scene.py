"""A head that looks n positions back: its scores or weights, how sure its peak is, and whether other positions can."""

import math
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from typing import Any, Final

from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields import look_back as fields
from pe_desktop.core.fields.field import ColorScale, Field, Limits
from pe_desktop.core.fields.look_back import FittedWeightField, TurnedWeightField, fitted_score_field
from pe_desktop.core.lags import invariant_pairs
from pe_desktop.core.record import record
from pe_desktop.core.scores.look_back import Drops, Peaks, RowFacts, Shift, find_drops, look_back_shift
from pe_desktop.core.scores.look_back_rows import Rows, find_others, find_row, find_rows, holds_weights
from pe_desktop.core.state import WIDEST_FIRST_PROFILE, State
from pe_desktop.draw.flow import Column, Space, page_scene, paragraph
from pe_desktop.draw.number_text import copied, counted, whole
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene, together
from pe_desktop.draw.theme import map_colors
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.controls import CAPTIONS
from pe_desktop.views.look_back import picture
from pe_desktop.views.look_back.picture import LIST_HEIGHT, LookBackLayout, look_back_layout, map_height
from pe_desktop.views.map_and_profile import cell_lines, exact_text, map_picture, pointer_card, value_text
from pe_desktop.views.paged import PagedView, ScenePage
from pe_desktop.views.questions import scale_at_once

# Values of a table, or multiplications of a table of scores with their own cost and that of a fit, that take a few
# milliseconds.
_QUICK_DROPS: Final = 2**17
_QUICK_ROWS, _SCORE_COST, _FIT_COST = 2**22, 64, 128
# The same for some hundredths of a second: what takes longer waits until nothing else is asked for.
_SOON_DROPS, _SOON_ROWS = 2**25, 2**28
_GROWING: Final = Space(0.0, grows=True)


def shown_offsets(state: State) -> Span:
    """The visible offsets: at first half of the table to each side, and the peak."""
    last = max(state.encoding.n_positions - 1, 1)
    places = state.looks_back
    reach = float(max(min((last + 1) // 2, WIDEST_FIRST_PROFILE), min(places + places // 4 + 1, last), 1))
    return state.views.look_back.offsets or Span(-reach, reach)


def layout_of(state: State, answers: Answers, box: Box, *, is_map: bool = False) -> LookBackLayout:
    """Where everything stands."""
    head = _Head(state, answers)
    shown = {"offsets": shown_offsets(state), "n_positions": head.encoding.n_positions, "reach": head.limits}
    others = _list_height(state, box.width)
    return look_back_layout(box.width, box.height, others, is_map=is_map, **head.visible, **shown)


def _list_height(state: State, width: float) -> float:
    """The height of the list of other positions at a width."""
    return picture.others_block(state.encoding, state.looks_back, None).height(width)


def _needed(state: State, _answers: Answers, box: Box) -> float:
    """The height in which the list of other positions is seen, too, in pixels."""
    return LIST_HEIGHT + _list_height(state, box.width)


@record(eq=False)
class _Head:
    """What is scores of the head, as far as it is asked for; t: the position of the query, the whole one next to t."""

    state: State
    answers: Answers

    @property
    def t(self) -> int:
        return round(self.state.cursor.position)

    @property
    def encoding(self) -> Encoding:
        return self.state.encoding

    @property
    def visible(self) -> dict[str, Span]:
        """The visible rows and columns of the map."""
        view, everything = self.state.views.look_back, full_span(self.encoding.n_positions)
        return {"rows": view.rows or everything, "columns": view.columns or everything}

    @property
    def is_weights(self) -> bool:
        return self.state.views.look_back.shows == "weights"

    @property
    def is_refused(self) -> bool:
        """Whether there are too many weights to be shown."""
        return self.is_weights and not holds_weights(self.encoding)

    @cached_property
    def asked(self) -> dict[str, Question]:
        return _asked(self.state)

    def known(self, name: str) -> Any:
        """The answer to what is asked of the head, None while it isn't known or where it isn't asked."""
        return self.answers.answer(self.asked[name]) if name in self.asked else None

    @cached_property
    def scores(self) -> Drops | Shift | None:
        """What the scores of all rows come from."""
        scores: Drops | Shift | None = self.known("scores")
        return scores

    @cached_property
    def rows(self) -> Rows | None:
        """All rows, or a sample of them, where each has its own scores."""
        rows: Rows | None = self.known("rows")
        return rows

    @cached_property
    def row(self) -> RowFacts | None:
        """What is scores of row t."""
        if isinstance(self.scores, Drops):
            return self.scores.row(self.state.looks_back, self.t)
        row: RowFacts | None = self.known("row")
        return row if self.rows is None or row is not None else self.rows.row(self.t)

    @cached_property
    def peaks(self) -> Peaks | None:
        """In how many rows of the encoding the peak stands at -n."""
        if isinstance(self.scores, Drops):
            return self.scores.peaks(self.state.looks_back)
        return None if self.rows is None else self.rows.peaks()

    @cached_property
    def field(self) -> Field | None:
        """The field of scores or weights; None while it isn't scores, or where it can't be."""
        encoding, places, scores = self.encoding, self.state.looks_back, self.scores
        if not self.is_weights:
            if encoding.is_shift_invariant:
                return fields.turned_score_field(encoding, places)
            return fitted_score_field(scores) if isinstance(scores, Shift) else None
        if self.is_refused:
            return None
        if isinstance(scores, Drops):
            return TurnedWeightField(scores, places)
        return None if self.rows is None else FittedWeightField(self.rows)

    @cached_property
    def scale(self) -> ColorScale | None:
        """What the colours of the map reach: of weights, all of them; None where there is no map."""
        if self.field is None or self.is_weights:
            return None if self.field is None else ColorScale(self.field.limits)
        rows, columns = (span.moved(0.5) for span in self.visible.values())
        return scale_at_once((self.field, self.state.views.look_back.range, rows, columns))

    @property
    def limits(self) -> Limits:
        """The least and the greatest score that the profile shows."""
        if isinstance(self.scores, Drops):
            return self.scores.least, self.scores.peak
        if self.encoding.is_shift_invariant:
            return 0.0, invariant_pairs(self.encoding).squared_norm
        return (0.0, 1.0) if self.scores is None else self.scores.limits


def questions(state: State) -> Questions:
    return tuple(_asked(state).values())


def _scene(state: State, answers: Answers, box: Box, *, is_map: bool = False) -> Scene:
    """All of it, or the map alone."""
    head, box = _Head(state, answers), box.with_map_colors(state.views.look_back.colors)
    layout = layout_of(state, answers, box, is_map=is_map)
    theme, places, t, field, scores = box.theme, head.state.looks_back, head.t, head.field, head.scores
    cursor, pages, scale, heat = Cursor(float(t), float(-places)), _pages(head, layout, box), head.scale, None
    if field is not None and scale is not None:
        colors = map_colors(theme, scale.limits, is_diverging=True)
        heat = layout.heat(scale.of(field), colors, theme)
    return Scene(
        moving=(
            *(() if heat is None else layout.unseen_picture(state.trained_length, theme)),
            *(() if head.is_refused else map_picture(layout, cursor, box)),
            *chain.from_iterable(page.moving for page in pages),
            *picture.moving_profile(layout, scores, t, places, box, is_shared=head.encoding.is_shift_invariant),
            *pointer_card(box, _lines_at(head, layout, box)),
        ),
        still=Part(
            together,
            Part(picture.frame_picture, layout, scale, theme),
            Part(picture.profile_picture, layout, scores, places, theme, state.trained_length),
            *(page.still for page in pages),
        ),
        heat=heat,
        places=Part(_places, layout, places, cursor, *(page.places for page in pages)),
    )


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    places = state.looks_back
    if not places:
        return "a query at t looks for its own position", "at itself"
    before = counted(places, "position")
    return f"a query at t looks for the key {before} before it", f"looks {before} back", f"{whole(places)} back"


def _readout(state: State, answers: Answers) -> str:
    head = _Head(state, answers)
    lines: dict[str, Any] = {"looks back": state.looks_back, "query t": head.t}
    if head.row is not None:
        lines |= {"score at t - n": copied(head.row.score), "second best": copied(head.row.second)}
        lines["margin"] = copied(head.row.margin)
        if head.row.weights is not None:
            lines["weight on t - n"] = " ".join(map(copied, head.row.weights))
    if head.peaks is not None:
        lines["rows that peak at t - n"] = picture.peaks_text(head.peaks)
    others = head.known("others")
    if others is not None:
        lines |= {name: picture.peaks_text(found) for name, found in others.peaks.items()}
    return "\n".join(f"{name}\t{value}" for name, value in lines.items())


def _sentence(state: State, answers: Answers) -> str:
    places, peaks = state.looks_back, _Head(state, answers).peaks
    if not places:
        return str(picture.SAID["itself"][0]).rstrip(".")
    looks = f"A head that looks {whole(places)} back"
    if peaks is None or state.encoding.n_positions == 1:
        return looks
    where = "every row" if peaks.is_everywhere else picture.peaks_text(peaks)
    return f"{looks} peaks at offset {picture.offset_text(places)} in {where}"


def _explanation(state: State) -> str:
    n, what, averages = picture.place_text(state.looks_back), "scores", "the mean of samples out of them"
    if state.views.look_back.shows == "weights":
        what = "weights, each row a softmax of its scores over √d,"
    elif state.encoding.is_shift_invariant:
        averages = "their exact mean"
    said: str = CAPTIONS["look-back"].format(what=what, n=n, averages=averages)
    return said


def _pages(head: _Head, layout: LookBackLayout, box: Box) -> list[Scene]:
    """What is said beside the map, at the foot, and in place of a map of weights."""
    pages, numbers, encoding, places = list[Scene](), layout.numbers, head.encoding, head.state.looks_back
    if numbers.height:
        has_one = isinstance(head.scores, Drops) and head.scores.has_one_margin
        margin = "the same for every t" if has_one else "in that row"
        block = picture.numbers_block(numbers, encoding, places, head.t, head.row, head.peaks, margin)
        pages.append(page_scene(block, box, area=numbers))
    if layout.others.height:
        others = picture.others_block(encoding, places, head.known("others"))
        pages.append(page_scene(others, box, area=layout.others))
    if head.is_refused:
        x, y, wide, tall = layout.map
        refusal = paragraph(picture.too_many(encoding), "caption", "text2", 0.5)
        block, where = Column((_GROWING, refusal, _GROWING)), Area(x + 12.0, y, wide - 24.0, tall)
        pages.append(page_scene(block, box, area=where))
    return pages


def _lines_at(head: _Head, layout: LookBackLayout, box: Box) -> tuple[str, ...]:
    """What is under the pointer in map or profile, a line each."""
    x, y = box.pointer or (math.nan, math.nan)
    if layout.profile.holds(x, y):
        return _profile_lines(head, round(layout.offset_axis.value(x)))
    if head.field is None or not layout.map.holds(x, y):
        return ()
    row, column = layout.cell_at(x, y)
    what = f"{'weight' if head.is_weights else 'score'} of query {whole(row)} and key {whole(column)}"
    value = exact_text(head.field.value(int(row), int(column)))
    return cell_lines(layout, (row, column), value, what, head.field.averages, box)


def _profile_lines(head: _Head, offset: int) -> tuple[str, ...]:
    """The score at an offset: of every row where all have the same, else of row t."""
    scores, t, words = head.scores, head.t, f"score at offset {whole(offset)}"
    if isinstance(scores, Drops):
        distance = abs(offset + head.state.looks_back)
        return (value_text(scores.peak - float(scores.drops[distance])), words) if distance < len(scores.drops) else ()
    if scores is None or not 0 <= t + offset < head.encoding.n_positions:
        return ()
    score = float(scores.queries([t])[0] @ head.encoding.values([t + offset])[0])
    return value_text(score), f"{words} from t = {whole(t)}"


def _places(layout: LookBackLayout, places: int, cursor: Cursor, *pages: Part) -> tuple[Place, ...]:
    """Row t, the diagonal, the knob, and the entries of the list, as far as they are seen."""
    diagonal = f"diagonal s = {picture.place_text(places)}", picture.offset_text(places)
    own = layout.places(cursor, ("knob at −n", whole(places)), diagonal, is_knob=True)
    return (*own, *together(*pages))


def _asked(state: State) -> dict[str, Question]:
    """What is asked of a head, by the property of `_Head` that it is for."""
    encoding, places = state.encoding, state.looks_back
    n_positions, d_model = encoding.n_positions, encoding.d_model
    among = state.attention.words, state.attention.word_seed
    others = Question("look-back others", find_others, (n_positions, d_model, places, *among), rank=1)
    if encoding.is_shift_invariant:
        rank, is_quick = int(n_positions * d_model > _SOON_DROPS), n_positions * d_model <= _QUICK_DROPS
        drops = Question("look-back drops", find_drops, (encoding,), rank, "Scores by offset", is_quick)
        return {"others": others, "scores": drops}
    of = (encoding, places)
    rank = int(n_positions**2 * (d_model + _SCORE_COST) > _SOON_ROWS)
    is_quick = n_positions * (n_positions + _FIT_COST) * (d_model + _SCORE_COST) <= _QUICK_ROWS
    shift = Question("look-back shift", look_back_shift, of, is_quick=is_quick, takes="nothing")
    rows = Question("look-back rows", find_rows, of, rank, "Rows", is_quick)
    asked = {"others": others, "scores": shift, "rows": rows}
    if not holds_weights(encoding):
        asked["row"] = Question("look-back row", find_row, (*of, round(state.cursor.position)))
    return asked


_PAGE: Final = ScenePage(_scene, _sentence, _explanation, _readout, questions)
_MAP: Final = replace(
    _PAGE, scene=partial(_scene, is_map=True), height=lambda _state, _answers, width, _theme: map_height(width)
)

VIEW = PagedView("", {"": _PAGE}, _forms, needed=_needed, parts={"map": _MAP}, shades_unseen=True)
