"""The curves of accuracy and loss, where each head looks, and its score against the offset."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.learning.heads import LEARNERS
from pe_desktop.core.learning.run import BATCH, TASKS, Run
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.views.films import Seen, looks_of, percent

# How the curves of schemes that are not seen are told apart.
_DASHES: Final[Mapping[str, tuple[float, ...]]] = {
    "none": (18.0, 3.0, 1.5, 3.0, 1.5, 3.0), "additive": (10.0, 3.0), "rope": (), "alibi": (6.0, 3.0),
    "t5": (6.0, 3.0, 1.5, 3.0), "shaw": (4.0, 2.0), "p-rope": (8.0, 2.0, 2.0, 2.0),
    "pope": (1.5, 2.0, 1.5, 2.0, 8.0, 2.0), "rope-pp": (12.0, 4.0),
    "kerple": (3.0, 3.0), "fox": (5.0, 1.5), "random": (1.5, 2.0),
}  # fmt: skip
# Heights of accuracy, of loss and of what is read at offsets; the room of a name beside a curve.
_TALL, _LOW, _MIDDLE, _NAME = 190.0, 84.0, 120.0, 15.0
_NAMES_FROM: Final = 320.0
# Among how many words one guesses, all of them or the two that are asked for, and how the lines of it are dashed.
_GUESSED: Final = {"copy": (16,), "first": (16, 2), "repeat": (16,)}
_GUESSING: Final = (1.0, 6.0)


def curves(shown: Sequence[Seen], run: Run, step: float) -> tuple[Chart, Chart]:
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


def looks_charts(shown: Sequence[Seen], run: Run) -> tuple[Chart, Chart]:
    """The mean weight by offset of every scheme, and the mean score of the one that is seen and of those with hands."""
    weights = list[Curve]()
    scores = list[Curve]()
    for seen in shown:
        scheme = seen.run.scheme
        shares, found = looks_of(seen)
        weights.append(_by_offset(seen, run, 100.0 * shares))
        if scheme in (run.scheme, "additive") or LEARNERS[scheme].turns_hands:
            scores.append(_by_offset(seen, run, found))
    looks = over_offsets("Where it looks: mean weight, %", run, weights, np.array([0.0, 100.0]), name="weights")
    ends = np.concatenate([line.y for line in scores]) if scores else np.array([-1.0, 1.0])
    return looks, over_offsets("Mean score against offset", run, scores, ends, name="score by offset")


def _by_offset(seen: Seen, run: Run, values: Floats) -> Curve:
    """A curve of values at the offsets 0, -1, ..."""
    return _curve(seen, run, seen.title, np.arange(1.0 - len(values), 1.0), values[::-1])


def over_offsets(title: str, run: Run, curves: Sequence[Curve], ends: Floats, **given: Any) -> Chart:
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
    if run.task == "copy":
        return f"look {run.back} back"
    return TASKS[run.task][0].lower() + TASKS[run.task][1:]
