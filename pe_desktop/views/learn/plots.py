"""The curves of accuracy and loss, where each head looks, and its score against the offset."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.learning.heads import LEARNERS
from pe_desktop.core.learning.run import BATCH, TASKS, Run
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Grid, Named, Space, Words, in_row
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.views.films import Seen, looks_of, percent

# How the curves of schemes that are not seen are told apart.
_DASHES: Final[Mapping[str, tuple[float, ...]]] = {
    "none": (18.0, 3.0, 1.5, 3.0, 1.5, 3.0), "additive": (10.0, 3.0), "rope": (), "alibi": (6.0, 3.0),
    "t5": (6.0, 3.0, 1.5, 3.0), "shaw": (4.0, 2.0), "p-rope": (8.0, 2.0, 2.0, 2.0),
    "pope": (1.5, 2.0, 1.5, 2.0, 8.0, 2.0), "rope-pp": (12.0, 4.0),
    "kerple": (3.0, 3.0), "fox": (5.0, 1.5), "random": (1.5, 2.0),
}  # fmt: skip
# Heights of accuracy and loss, and the room of a name beside a curve.
_TALL, _LOW, _NAME = 190.0, 84.0, 15.0
_NAMES_FROM: Final = 320.0
# Among how many words one guesses, all of them or the two that are asked for, and how the lines of it are dashed.
_GUESSED: Final = {"copy": (16,), "first": (16, 2), "repeat": (16,)}
_GUESSING: Final = (1.0, 6.0)
# Bars of weights: how high, how many stand in a row.
_BARS, _IN_ROW, _NARROW_ROW = 46.0, 6, 3
_WIDE_ROW: Final = 520.0
_RING: Final = 4.0
# Small numbers in a sentence.
NUMBERS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def curves(shown: Sequence[Seen], run: Run, step: float) -> tuple[Block, Block]:
    """Accuracy and loss over the steps, on one scale; a press or a drag in them chooses the step."""
    first = float(run.stride)
    last = float(max(run.n_total, run.stride + 1))
    scale = Scale("step", first, last, is_logarithmic=True, ticks="steps", sets="learn.step", is_whole=True)
    chart = partial(Chart, x=scale, at=min(max(step, first), last), names_from=_NAMES_FROM)
    rates = [_over_steps(seen, run, seen.film.steps[1:], seen.film.accuracy[1:], percent, 100.0) for seen in shown]
    guesses = [
        Curve(f"guessing 1 of {count}", np.array([first, last]), np.full(2, 100.0 / count), dash=_GUESSING)
        for count in _GUESSED[run.task]
    ]
    nats = partial(fixed, decimals=2)
    losses = [
        _over_steps(seen, run, np.arange(first, seen.film.n_done + 1.0), seen.film.loss[run.stride - 1 :], nats)
        for seen in shown
        if seen.film.n_done >= first
    ]
    most = max([float(one.y.max()) for one in losses], default=3.0)
    accuracy = chart(
        "Accuracy, % of right answers", y=Scale("", 0.0, 100.0), curves=(*rates, *guesses),
        tall=max(_TALL, _NAME * (len(rates) + len(guesses))), name="accuracy", shorter=("Accuracy, %",),
        **_at_the_step(shown, run, lambda seen: seen.accuracy, percent, 100.0),
    )  # fmt: skip
    loss = chart(
        f"Loss on the {BATCH} sentences of the step, in nats", y=Scale("", 0.0, most), curves=tuple(losses),
        name="loss", shorter=("Loss, in nats",), tall=max(_LOW, _NAME * len(losses)),
        **_at_the_step(shown, run, lambda seen: float(seen.film.loss[max(seen.step - 1, 0)]), nats),
    )  # fmt: skip
    return accuracy, loss


def _over_steps(seen: Seen, run: Run, x: Any, y: Any, text: Any, factor: float = 1.0) -> Curve:
    """The curve of a film, named with its value at its end, where the name stands."""
    return _curve(seen, run, f"{seen.title} {text(y[-1]) if len(x) else ''}", x, factor * y)


def _at_the_step(shown: Sequence[Seen], run: Run, read: Callable[[Seen], float], text: Any, factor: float = 1.0) -> Any:
    """What a chart tells of the scheme that is seen at a step before its end: a note, and a dot where a curve is."""
    for seen in shown:
        if seen.run.scheme == run.scheme and seen.place < len(seen.film.steps) - 1:
            value = read(seen)
            dots = (factor * value,) if seen.step else ()
            return {"note": f"step {seen.step}: {seen.title} {text(value)}", "dots": dots}
    return {}


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


def looks_block(shown: Sequence[Seen], run: Run, step: int) -> Block:
    """For each scheme the mean weight on the word 0 to 7 places back, the place that is asked for the darkest."""
    after = f"after step {step}"
    where = flow.small(f"mean weight on the word 0 to 7 places back, {after}", after, "")
    head = in_row((flow.FIT, GROW), Words("Where the head looks", "strong"), where)
    cells = [_look(seen, run) for seen in shown]
    return Column((head, flow.Fits((_rows(cells, _IN_ROW), _rows(cells, _NARROW_ROW)), (_WIDE_ROW, 0.0))), gap=6.0)


def _rows(cells: Sequence[Block], count: int) -> Block:
    padded = [*cells, *(Space(0.0),) * (-len(cells) % count)]
    rows = tuple(tuple(padded[first : first + count]) for first in range(0, len(padded), count))
    return Grid((GROW,) * count, rows, gap=14.0 - 2 * _RING, between=8.0)


def ringed(block: Block, wide: float = FIT) -> Block:
    """With room for the ring of the focus beside its letters."""
    return in_row((_RING, wide, _RING), Space(0.0), block, Space(0.0), gap=0.0)


def _look(seen: Seen, run: Run) -> Block:
    is_chosen = seen.run.scheme == run.scheme
    weights = looks_of(seen).weights
    back = run.back if run.task == "copy" else None
    says = "" if back is None or back >= len(weights) else f"{percent(float(weights[back]))} on {whole(-back)}"
    title = Words(seen.title, "flag" if is_chosen else "tick", "text" if is_chosen else "text2")
    bars = Drawn(_bars, (tuple(weights.tolist()), back, is_chosen), _BARS + 16.0)
    exact = ", ".join(f"{place} back {percent(float(weight))}" for place, weight in enumerate(weights))
    column = ringed(Column((title, bars, flow.small(says, across=0.5))), GROW)
    return Named(f"weights {seen.title}", column, says or exact, {"learn.scheme": seen.run.scheme}, exact, is_chosen)


def _bars(area: Area, theme: Theme, weights: tuple[float, ...], back: int | None, is_chosen: bool) -> marks.Picture:
    """A bar for each place, the word itself at the right."""
    step = min(area.width / len(weights), 18.0)
    foot = area.y + _BARS
    picture: marks.Marks = [marks.lines((area.x, foot, area.x + step * len(weights), foot), theme.axis)]
    numbers: marks.Marks = []
    for place, weight in enumerate(weights):
        x = area.x + step * (len(weights) - 1 - place)
        ink = (theme.ink if is_chosen else theme.text2) if place == back else theme.axis
        tall = max(weight * (_BARS - 2.0), 0.75)
        picture.append(marks.Rectangle(x + 1.0, foot - tall, step - 2.0, tall, ink))
        if place in (0, back):
            numbers.append(marks.centered(x + step / 2, foot + 9.0, whole(-place), "tick", theme.text3))
    return (*picture, *numbers)


def scores_block(shown: Sequence[Seen], run: Run) -> Block:
    """The mean score by offset of the scheme that is seen, and of those that turn hands."""
    lines = list[Curve]()
    for seen in shown:
        scheme = seen.run.scheme
        if scheme in (run.scheme, "additive") or LEARNERS[scheme].turns_hands:
            scores = looks_of(seen).scores[::-1]
            lines.append(_curve(seen, run, seen.title, np.arange(1.0 - len(scores), 1.0), scores))
    ends = np.concatenate([line.y for line in lines]) if lines else np.array([-1.0, 1.0])
    title = "Score against offset, mean before the softmax"
    shorter = ("Score against offset",)
    return over_offsets(title, run, lines, ends, sets="offset", name="score by offset", shorter=shorter)


def over_offsets(title: str, run: Run, curves: Sequence[Curve], ends: Floats, *, sets: str = "", **given: Any) -> Chart:
    """A chart over offsets up to 0 that has room for `ends`, and what its chosen curve is where the task looks."""
    low, high = float(ends.min()), float(ends.max())
    pad = 0.06 * (high - low or 1.0)
    first = min([float(curve.x[0]) for curve in curves], default=-24.0)
    at = -float(run.back) if run.task == "copy" else None
    here = [float(value) for one in curves if one.is_chosen or not sets for value in one.y[one.x == at]]
    return Chart(
        title, Scale("offset s − t", first, 0.0, ticks="offsets", sets=sets, is_whole=bool(sets)),
        Scale("", low - pad, high + pad), tuple(curves), at,
        note=f"{whole(-run.back)}: {short(here[0])}" if here else "", dots=tuple(here) if sets else (),
        names_from=_NAMES_FROM, **given,
    )  # fmt: skip


def task_words(run: Run) -> str:
    """What is learned, as a sentence goes on with it."""
    if run.task == "copy":
        return f"look {NUMBERS[run.back]} back"
    return TASKS[run.task][0].lower() + TASKS[run.task][1:]
