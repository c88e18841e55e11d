"""Does the pairing matter: the score at this offset over every t under each pairing, and how far it spreads."""

from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core.number_text import MINUS
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary import QueryAndKey, places_of, rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import diagonal_positions, score_at, scores_along, spread_of
from pe_desktop.core.scores.schemes import PAIRINGS, Rotary
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Ground, Layers, Live, Named, Space, Words, in_row
from pe_desktop.draw.number_text import copied, fixed, position, whole
from pe_desktop.draw.plot import Axis, Plot
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.map_and_profile import Point, half_text
from pe_desktop.views.rotary.terms import score_text

_TITLES: Final = {"interleaved": "Interleaved", "half-split": "Half-split", "mixed": "Mixed up"}
_TOOLTIPS: Final = {
    "interleaved": "Dimensions 2i and 2i + 1 turn together (H)",
    "half-split": "Dimensions i and i + d / 2 turn together (H)",
    "mixed": "Paired one way, turned the other way, as when weights are loaded into the wrong code: a known bug",
}
_ONE_PAIR: Final = "Only one pair turns: its two dimensions are the same under each pairing, and nothing is mixed up."
_VERDICTS: Final = {None: ("", ""), True: ("✓ ", "Shift-invariant"), False: ("✗ ", "Depends on t")}
_CURVE: Final = 30.0


@record(eq=False)
class _Diagonal:
    """The scores of one pairing over the t with t + k in the table, or an even sample of them, and their spread.

    spread: None until it is measured; is_invariant: None where nothing is.
    """

    scores: tuple[float, ...] = ()
    spread: float | None = None
    is_invariant: bool | None = None


def question(state: State) -> Question:
    """The scores along the diagonal of k under each pairing."""
    arguments = (rotary_of(state), vectors_of(state), state.cursor.offset)
    return Question("rotary pairings", _find, arguments)


def _find(rotary: Rotary, vectors: QueryAndKey, offset: float, task: Task) -> dict[str, _Diagonal]:
    found = {}
    for name in PAIRINGS:
        scores = scores_along(replace(rotary, pairing=name), vectors, offset)
        spread = spread_of(scores, rotary.encoding, offset)
        is_invariant = spread.is_rounding if spread.n_measured else None
        found[name] = _Diagonal(tuple(scores.tolist()), spread.spread, is_invariant)
    return found


def _found(state: State, answers: Answers) -> dict[str, _Diagonal]:
    """What is known of each pairing."""
    return answers.answer(question(state)) or dict.fromkeys(PAIRINGS, _Diagonal())


def pairings_block(state: State, answers: Answers) -> Block:
    """A curve for each pairing; a press on one puts it in force, in its curve at a t."""
    found = _found(state, answers)
    positions = diagonal_positions(state.encoding, state.cursor.offset)
    ends = [score for along in found.values() for score in along.scores]
    limits = min([0.0, *ends]), max([0.0, *ends])
    reach = (float(positions[0]), float(positions[-1])) if len(positions) else (0.0, 0.0)
    at = f"k = {position(state.cursor.offset)}"
    title = Words("Does the pairing matter?", "title"), Words(f"{at}, every t", "tick", "text2", 1.0, (at,))
    rows = tuple(_row(state, name, along, limits, reach) for name, along in found.items())
    first, last = (f"t = {whole(end)}" for end in reach)
    ticks = Words(first, "tick", "text3"), Words(last, "tick", "text3", 1.0), Space(0.0)
    axis = in_row((GROW, GROW, 90.0), *ticks)
    note = "" if rotary_of(state).n_turning > 1 else _ONE_PAIR
    return Column((in_row((FIT, GROW), *title), *rows, axis, flow.paragraph(note)), gap=6.0)


def readout(state: State, answers: Answers) -> str:
    """Each pairing with its score at t, its spread and what that says, tabs between."""
    lines = []
    for name, along in _found(state, answers).items():
        numbers = _score(state, name), along.spread
        lines.append("\t".join([_TITLES[name], *map(copied, numbers), _VERDICTS[along.is_invariant][1]]).rstrip())
    return "\n".join(lines)


def is_invariant(state: State, answers: Answers) -> bool | None:
    """Whether the score keeps to the offset under the pairing in force; None until it is measured."""
    return _found(state, answers)[state.attention.pairing].is_invariant


def _score(state: State, pairing: str) -> float:
    return score_at(replace(rotary_of(state), pairing=pairing), vectors_of(state), *places_of(state))


def _row(state: State, name: str, along: _Diagonal, limits: Point, reach: Point) -> Block:
    """The name of a pairing, its curve, its score at t, and how far its scores spread."""
    (mark, verdict), score = _VERDICTS[along.is_invariant], _score(state, name)
    ink = "bad" if along.is_invariant is False else "text"
    partners = {
        "interleaved": ("2i with 2i + 1",),
        "half-split": (f"i with i + {whole(rotary_of(state).n_paired)}",),
        "mixed": ("paired one way, turned the other: a known bug", "a known bug"),
    }[name]
    words = Words(partners[0], "tick", "text2", shorter=(*partners[1:], ""))
    at, spread = places_of(state)[0], _spread(along)
    curve = Drawn(_curve_picture, (along.scores, limits, ink), _CURVE, grows=True)
    dot = Live(Drawn(_dot_picture, (at, score, limits, reach), _CURVE, grows=True))
    first = at - state.cursor.position
    x, also = (reach[0] - first, reach[1] - first), {"pairing": name}
    over_t, both = f"{_TITLES[name]} over t", Layers((curve, dot))
    plot = Named(over_t, both, sets_in=lambda area: _plot(area, limits, x).x.slide("position", also=also))
    lines = Column((in_row((FIT, GROW), Words(_TITLES[name], "strong"), words), plot), gap=2.0)
    at_t = Live(Words(f"{mark}{score_text(score, 4)}", "value", ink, 1.0))
    numbers = Column((at_t, Words(spread, "tick", "bad" if ink == "bad" else "text2", 1.0)), gap=2.0)
    is_chosen = name == state.attention.pairing
    content = in_row((2.0, GROW, 96.0, 2.0), Space(0.0), lines, numbers, Space(0.0), gap=6.0)
    layers = Ground() if is_chosen else Space(0.0), Column((Space(3.0), content))
    value = ", ".join(filter(None, (verdict, spread))).replace(MINUS, "-")
    return Named(_TITLES[name], Layers(layers), value, {"pairing": name}, _TOOLTIPS[name], is_chosen)


def _spread(along: _Diagonal) -> str:
    """Half the spread where it is rounding, else the least and the greatest score."""
    if along.spread is None:
        return "measuring…"
    if along.is_invariant is None:
        return "no t with t + k in N"
    if along.is_invariant:
        return half_text(along.spread / 2)
    return f"{fixed(min(along.scores), 2)} to {fixed(max(along.scores), 2)}"


def _plot(area: Area, limits: Point, reach: Point) -> Plot:
    low, high = limits if limits[1] > limits[0] else (limits[0], limits[0] + 1.0)
    first, last = reach if reach[1] > reach[0] else (reach[0], reach[0] + 1.0)
    inner = Area(area.x + 4.0, area.y + 5.0, max(area.width - 8.0, 1.0), area.height - 8.0)
    return Plot(Axis(inner, first, last), Axis(inner, low, high, "left"))


def _curve_picture(area: Area, theme: Theme, scores: tuple[float, ...], limits: Point, ink: str) -> marks.Picture:
    """The scores over t, over a line at 0."""
    if not scores:
        return ()
    plot = _plot(area, limits, (0.0, len(scores) - 1.0))
    points = plot.points(np.arange(float(len(scores))), np.array(scores))
    return plot.y.line(0.0, theme.line), marks.Polyline(points, getattr(theme, ink), 1.5)


def _dot_picture(area: Area, theme: Theme, t: float, score: float, limits: Point, reach: Point) -> marks.Picture:
    plot = _plot(area, limits, reach)
    if not plot.x.shows(t):
        return ()
    center = plot.points(np.array([t]), np.clip([score], *limits))
    return (marks.Dots(center, 4.0, theme.panel, theme.ink, 1.6),)
