"""The curves of accuracy and loss, where each head looks, its scores by offset, and where its hands learned to turn."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.learning.heads import LEARNERS
from pe_desktop.core.learning.run import BATCH, TASKS, TRAINABLE, Run
from pe_desktop.core.learning.shown import scheme_title
from pe_desktop.core.learning.training import Film, Turns, own_learned
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Named, Row, Table, Words, in_row
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers
from pe_desktop.resources import resource_json
from pe_desktop.views.films import Seen, looks_of, percent, seen_of, turns_of

# How the curves of schemes that are not seen are told apart.
_DASHES: Final = {scheme: (2.0 + 2.0 * place, 3.0) for place, scheme in enumerate(TRAINABLE)}
# Heights of accuracy, of loss and of what is read at offsets; the room of a name beside a curve.
_TALL, _LOW, _MIDDLE, _NAME = 190.0, 84.0, 120.0, 15.0
_NAMES_FROM: Final = 320.0
# Among how many words one guesses, all of them or the two that are asked for, and how the lines of it are dashed.
_GUESSED: Final = {"copy": (16,), "first": (16, 2), "repeat": (16,)}
_GUESSING: Final = (1.0, 6.0)
# Titles over the steps, heights, and how a value is told.
_OVER_STEPS: Final[Mapping[str, tuple[str, str, float, Callable[[float], str]]]] = {
    "accuracy": ("Accuracy, % of right answers", "Accuracy, %", _TALL, lambda value: percent(value / 100.0)),
    "loss": (f"Loss on the {BATCH} sentences of the step, in nats", "Loss, in nats", _LOW, partial(fixed, decimals=2)),
}
# The fastest hands that are seen.
_MOST: Final = 4
_DIAL, _LABELS, _BADGE = 200.0, 36.0, 8.0
_DASH: Final = (4.0, 3.0)
_WITH_TABLE: Final = 400.0
_LOWERED = str.maketrans("−0123456789", "₋₀₁₂₃₄₅₆₇₈₉")
# A hand: the pair, where it learned to turn, where M_-n turns, how long it is, 0 to 1.
_Hand = tuple[int, float, float | None, float]


def curves(shown: Sequence[Seen], run: Run, step: float) -> tuple[Chart, ...]:
    """Accuracy and loss over the steps, on one scale; a press or a drag in them chooses the step."""
    first, last = float(run.stride), float(max(run.n_total, run.stride + 1))
    scale = Scale("step", first, last, is_logarithmic=True, ticks="steps", sets="learn.step", is_whole=True)
    guesses = [
        Curve(f"guessing 1 of {count}", np.array([first, last]), np.full(2, 100.0 / count), dash=_GUESSING)
        for count in _GUESSED[run.task]
    ]
    charts = list[Chart]()
    for name, (title, shorter, tall, text) in _OVER_STEPS.items():
        lines = list[Curve]()
        told: dict[str, Any] = {"name": name, "shorter": (shorter,), "names_from": _NAMES_FROM}
        for seen in shown:
            x, y = _values(seen.film, name)
            lines.append(_curve(seen, run, f"{seen.title} {text(y[-1]) if len(x) else ''}", x, y))
            here = tuple(map(float, y[x == seen.step]))
            if seen.run.scheme == run.scheme and here and seen.place < len(seen.film.steps) - 1:
                told |= {"note": f"step {seen.step}: {seen.title} {text(here[0])}", "dots": here}
        most = 100.0 if name == "accuracy" else max([float(one.y.max()) for one in lines if len(one.y)], default=3.0)
        lines += guesses if name == "accuracy" else []
        told["tall"] = max(tall, _NAME * len(lines))
        charts.append(Chart(title, scale, Scale("", 0.0, most), tuple(lines), min(max(step, first), last), **told))
    return tuple(charts)


def _values(film: Film, name: str) -> tuple[Floats, Floats]:
    """The accuracy in percent after the first test, or the loss of each step from there on."""
    if name == "accuracy":
        return film.steps[1:].astype(np.float64), 100.0 * film.accuracy[1:]
    first = film.run.stride
    return np.arange(first, max(film.n_done + 1.0, first)), film.loss[first - 1 :]


def _curve(seen: Seen, run: Run, name: str, x: Any, y: Any) -> Curve:
    is_chosen = seen.run.scheme == run.scheme
    x = np.asarray(x, dtype=np.float64)
    return Curve(name, x, y, dash=() if is_chosen else _DASHES[seen.run.scheme], is_chosen=is_chosen)


def copied_curves(shown: Sequence[Seen]) -> Iterable[str]:
    """Loss of each step, and accuracy where it was tested, with all digits."""
    if not shown:
        return
    yield "\t".join(["step", *(f"{what} {seen.title}" for seen in shown for what in ("loss", "accuracy"))])
    tested = [dict(zip(seen.film.steps.tolist(), seen.film.accuracy.tolist(), strict=True)) for seen in shown]
    for step in range(max(seen.film.n_done for seen in shown) + 1):
        cells = [str(step)]
        for seen, accuracy in zip(shown, tested, strict=True):
            cells.append(repr(float(seen.film.loss[step - 1])) if 0 < step <= seen.film.n_done else "")
            cells.append(repr(accuracy[step]) if step in accuracy else "")
        yield "\t".join(cells)


def looks_charts(shown: Sequence[Seen], run: Run) -> tuple[Chart, Chart]:
    """The mean weight by offset of every scheme, and the mean score of the one that is seen and of those with hands."""
    weights = list[Curve]()
    scores = list[Curve]()
    for seen in shown:
        scheme = seen.run.scheme
        shares, found = looks_of(seen)
        weights.append(_by_offset(seen, run, 100.0 * shares))
        if scheme in (run.scheme, "additive") or LEARNERS[scheme].hands:
            scores.append(_by_offset(seen, run, found))
    looks = _over_offsets("Where it looks: mean weight, %", run, weights, np.array([0.0, 100.0]), name="weights")
    ends = np.concatenate([line.y for line in scores]) if scores else np.array([-1.0, 1.0])
    return looks, _over_offsets("Mean score against offset", run, scores, ends, name="score by offset")


def _by_offset(seen: Seen, run: Run, values: Floats) -> Curve:
    """A curve of values at the offsets 0, -1, ..."""
    return _curve(seen, run, seen.title, np.arange(1.0 - len(values), 1.0), values[::-1])


def _over_offsets(title: str, run: Run, curves: Sequence[Curve], ends: Floats, **given: Any) -> Chart:
    """A chart over offsets up to 0 that has room for `ends`, and what its chosen curve is where the task looks."""
    low, high = float(ends.min()), float(ends.max())
    pad = 0.06 * (high - low or 1.0)
    first = min([float(curve.x[0]) for curve in curves], default=-24.0)
    at = -float(run.back) if run.task == "copy" else None
    here = [float(value) for one in curves if one.is_chosen for value in one.y[one.x == at]]
    return Chart(
        title, Scale("offset s − t", first, 0.0, ticks="offsets", sets="offset", is_whole=True),
        Scale("", low - pad, high + pad), tuple(curves), at,
        note=f"{whole(-run.back)}: {short(here[0])}" if here else "", dots=tuple(here), names_from=_NAMES_FROM,
        tall=max(_MIDDLE, _NAME * len(curves)), **given,
    )  # fmt: skip


def task_words(run: Run) -> str:
    """What is learned, as a sentence goes on with it."""
    told = TASKS[run.task]
    return f"look {run.back} back" if run.task == "copy" else told[0].lower() + told[1:]


def turns_block(state: State, answers: Answers) -> Block:
    """The dial and its table, or what the scheme that is seen has learned in their place."""
    title = Words("Where its hands learned to turn", "strong", shorter=("Learned turns",))
    head = in_row((GROW, FIT), title, Words(scheme_title(state.views.learn.scheme), "segment"))
    return Named("turns", Column((head, _content(state, seen_of(state, answers))), gap=6.0))


def _content(state: State, seen: Seen | None) -> Block:
    if seen is None:
        view = state.views.learn
        rest = "it waits" if view.trains else "press Train"
        rest = rest if view.scheme in view.schemes else "tick it and press Train"
        return flow.paragraph(f"Nothing of this scheme is trained yet: {rest}.")
    found = turns_of(seen)
    if found is None:
        return _own(seen)
    longest = float(found.lengths.max()) or 1.0
    # The fastest hands, and the one that is used most.
    hands = tuple(
        (pair, *_angles(found, pair), float(found.lengths[pair]) / longest)
        for pair in sorted({*range(min(_MOST, len(found.shares))), int(found.shares.argmax())})
    )
    picture = Drawn(_dial, (hands, len(found.learned)), _DIAL + _LABELS, wide=_DIAL + 2 * _LABELS)
    value = "; ".join(f"hand {pair} {_degrees(learned)}" for pair, learned, _, _ in hands)
    dial = Named("dial", picture, value)
    table = _table(found, hands, seen.run.back)
    return Fits((in_row((0.5, GROW), dial, table, gap=8.0), Column((dial, table), gap=8.0)), (_WITH_TABLE, 0.0))


def _angles(found: Turns, pair: int) -> tuple[float, float | None]:
    """Where a hand learned to turn and where M_-n turns, at most half a turn from each other."""
    learned = float(found.learned[pair])
    ideal = None if found.ideal is None else math.remainder(float(found.ideal[pair]), math.tau)
    return learned if ideal is None else ideal + math.remainder(learned - ideal, math.tau), ideal


def _degrees(angle: float | None) -> str:
    return "–" if angle is None else f"{fixed(math.degrees(angle), 1)}°"


def _table(found: Turns, hands: tuple[_Hand, ...], back: int) -> Block:
    """The angles of the hands and how much each is used, and how the dial is read."""
    rows = tuple(
        Row((str(pair), _degrees(learned), _degrees(goal), percent(float(found.shares[pair]))), {"pair": pair},
            name=f"hand {pair}")
        for pair, learned, goal, _ in hands
    )  # fmt: skip
    says = "Filled: learned; longer is used more."
    if found.ideal is not None:
        says += f" Hollow: a turn {whole(back)} back; not all have to agree, those of the largest shares suffice."
    if found.part is not None:
        says += f" Turns are {percent(found.part)} of |W|², W = W_Q W_Kᵀ."
    return Column(
        (
            Table(("hand", "learned", f"M{whole(-back).translate(_LOWERED)}", "share"), rows, gap=9.0),
            flow.paragraph(says),
        ),
        4.0,
    )


def _dial(area: Area, theme: Theme, hands: tuple[_Hand, ...], n_pairs: int) -> marks.Drawing:
    """Filled hands where they learned to turn, dashed ones of M_-n to the edge."""
    radius = max(min(area.width / 2 - _LABELS, area.height / 2 - _LABELS / 2), 10.0)
    dial = Dial(*area.middle, radius)
    yield dial.ring(theme.axis, 1.2)
    for turn, across in ((0, 0.5), (90, 0.0), (-90, 1.0)):
        x, y = dial.tip(math.radians(turn), radius + 9.0)
        yield marks.Text(x, y, f"{whole(turn)}°", "tick", theme.text3, across=across)
    goals = [(pair, ideal, 1.0, True) for pair, _, ideal, _ in hands if ideal is not None]
    filled = [(pair, learned, length, False) for pair, learned, _, length in reversed(hands)]
    for pair, angle, length, is_hollow in goals + filled:
        ink = theme.pair_color(pair, n_pairs)
        tip = dial.tip(angle, length * radius)
        yield dial.lines(np.array([tip]), ink, *((1.2, _DASH) if is_hollow else (3.0,)))
        yield marks.Badge(*tip, _BADGE, str(pair), ink, *((theme.panel, theme.text) if is_hollow else ()))
    yield dial.hub(theme, 3.5, 1.5)


def _own(seen: Seen) -> Block:
    """What a scheme without hands has learned beside W_Q and W_K."""
    found = own_learned(seen.film, seen.place)
    if "biases" in found:
        biases = found["biases"][::-1]
        bars = Curve("", np.arange(1.0 - len(biases), 1.0), biases, wide=5.0, is_chosen=True, style="bars")
        title = f"Its {len(biases)} biases by offset: no hands"
        return _over_offsets(title, seen.run, (bars,), np.append(biases, 0.0), name="biases")
    if "slope" in found:
        slope = float(found["slope"])
        run, said = seen.run, resource_json("help.json")["views"]["learn"]
        between = f", as {run.back} back," if run.task == "copy" and run.back > 1 else ""
        form = said["falls" if slope < 0.0 else "rises"]
        words = form.format(title=seen.title, slope=short(abs(slope)), between=between)
        return Column((Words(f"m = {short(slope)}", "message"), flow.paragraph(words)))
    numbers = ", ".join(f"{name} = {short(float(values))}" for name, values in found.items() if values.ndim == 0)
    learned = f" It learned {numbers}." if numbers else ""
    return flow.paragraph(f"{seen.title} has no hands that turn by positions.{learned}")
