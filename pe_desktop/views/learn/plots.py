"""The curves of accuracy and loss, where each head looks, and its score against the offset."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from pe_desktop.core.learning.heads import LEARNERS
from pe_desktop.core.learning.run import BATCH, TASKS, Run
from pe_desktop.core.learning.shown import scheme_title
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Grid, Named, Words, in_row
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.views.films import Seen, looks_of, percent

# How the curves of schemes that are not seen are told apart.
_DASHES: Final[Mapping[str, tuple[float, ...]]] = {
    "none": (), "additive": (10.0, 3.0), "rope": (), "alibi": (6.0, 3.0), "t5": (6.0, 3.0, 1.5, 3.0),
    "shaw": (4.0, 2.0), "p-rope": (8.0, 2.0, 2.0, 2.0), "pope": (1.5, 4.0), "rope-pp": (12.0, 4.0),
    "kerple": (3.0, 3.0), "fox": (5.0, 1.5), "random": (1.5, 2.0),
}  # fmt: skip
# The room of a name beside a curve.
_NAME: Final = 15.0
_NAMES_FROM: Final = 360.0
_GUESSING: Final = (1.0, 4.0)
# The share of right answers of who guesses.
CHANCE: Final = {"copy": 1 / 16, "first": 1 / 2, "repeat": 1 / 16}
# Bars of weights: how high, how many stand in a row.
_BARS, _IN_ROW, _NARROW_ROW = 46.0, 6, 3
_WIDE_ROW: Final = 520.0


def curves(
    shown: Sequence[Seen], run: Run, chosen: str, step: float, talls: tuple[float, float]
) -> tuple[Block, Block]:
    """Accuracy and loss over the steps, on one scale; a press or a drag in them chooses the step."""
    first = float(run.stride)
    last = float(max(run.n_total, run.stride + 1))
    scale = Scale("step", first, last, is_logarithmic=True, ticks="steps", sets="learn.step", is_whole=True)
    at = min(max(step, first), last)
    accuracy = [_of(seen, chosen, seen.film.steps[1:], 100.0 * seen.film.accuracy[1:], percent) for seen in shown]
    guess = 100.0 * CHANCE[run.task]
    accuracy.append(
        Curve(f"guessing {percent(guess / 100.0)}", np.array([first, last]), np.full(2, guess), dash=_GUESSING)
    )
    smooth = [(seen, np.arange(first, seen.film.n_done + 1.0)) for seen in shown if seen.film.n_done >= first]
    losses = [_of(seen, chosen, x, seen.film.loss[int(first) - 1 :], _nats) for seen, x in smooth]
    most = max([float(curve.y.max()) for curve in losses], default=3.0)
    of_accuracy = Chart(
        "Accuracy, % of right answers", scale, Scale("", 0.0, 100.0), tuple(accuracy), at, tall=talls[0],
        name="accuracy", shorter=("Accuracy, %",), names_from=_NAMES_FROM,
    )  # fmt: skip
    of_loss = Chart(
        f"Loss on the {BATCH} sentences of the step, in nats", scale, Scale("", 0.0, most), tuple(losses), at,
        tall=max(talls[1], _NAME * len(losses)), name="loss", shorter=("Loss, in nats",), names_from=_NAMES_FROM,
    )  # fmt: skip
    return of_accuracy, of_loss


def _of(seen: Seen, chosen: str, x: Any, y: Any, text: Any) -> Curve:
    """The curve of a film, named with its value at the step that is seen."""
    scheme = seen.run.scheme
    place = min(int(np.searchsorted(x, seen.step)), len(x) - 1) if len(x) else 0
    value = text(y[place] / 100.0 if text is percent else y[place]) if len(x) else ""
    name = f"{scheme_title(scheme)} {value}"
    return Curve(
        name,
        np.asarray(x, dtype=np.float64),
        y,
        dash=() if scheme == chosen else _DASHES[scheme],
        is_chosen=scheme == chosen,
    )


def _nats(value: float) -> str:
    return fixed(value, 2)


def copied_curves(shown: Sequence[Seen]) -> Iterable[str]:
    """Loss of each step, and accuracy where it was tested, with all digits."""
    if not shown:
        return
    titles = [f"{what} {scheme_title(seen.run.scheme)}" for seen in shown for what in ("loss", "accuracy")]
    yield "\t".join(["step", *titles])
    for step in range(max(seen.film.n_done for seen in shown) + 1):
        cells = [str(step)]
        for seen in shown:
            film = seen.film
            place = int(np.searchsorted(film.steps, step))
            is_tested = place < len(film.steps) and film.steps[place] == step
            cells.append(repr(float(film.loss[step - 1])) if 0 < step <= film.n_done else "")
            cells.append(repr(float(film.accuracy[place])) if is_tested else "")
        yield "\t".join(cells)


def looks_block(shown: Sequence[Seen], run: Run, chosen: str, step: int) -> Block:
    """For each scheme the mean weight on the word 0 to 7 places back, the place that is asked for the darkest."""
    where = f"mean weight on the word 0 to 7 places back, after step {step}"
    head = in_row(
        (flow.FIT, GROW), Words("Where the head looks", "strong"), flow.small(where, f"after step {step}", "")
    )
    cells = [_look(seen, run, is_chosen=seen.run.scheme == chosen) for seen in shown]
    return Column((head, flow.Fits((_rows(cells, _IN_ROW), _rows(cells, _NARROW_ROW)), (_WIDE_ROW, 0.0))), gap=6.0)


def _rows(cells: Sequence[Block], count: int) -> Block:
    padded = [*cells, *(flow.Space(0.0),) * (-len(cells) % count)]
    rows = tuple(tuple(padded[first : first + count]) for first in range(0, len(padded), count))
    return Grid((GROW,) * count, rows, gap=14.0, between=8.0)


def _look(seen: Seen, run: Run, *, is_chosen: bool) -> Block:
    weights = looks_of(seen).weights
    back = run.back if run.task == "copy" else None
    title = scheme_title(seen.run.scheme)
    says = "" if back is None or back >= len(weights) else f"{percent(float(weights[back]))} on {whole(-back)}"
    column = Column(
        (
            Words(title, "flag" if is_chosen else "tick", "text" if is_chosen else "text2"),
            Drawn(_bars, (tuple(weights.tolist()), back, is_chosen), _BARS + 16.0),
            flow.small(says, across=0.5),
        )
    )
    exact = ", ".join(f"{place} back {percent(float(weight))}" for place, weight in enumerate(weights))
    return Named(f"weights {title}", column, says or exact, {"learn.scheme": seen.run.scheme}, exact, is_chosen)


def _bars(area: Area, theme: Theme, weights: tuple[float, ...], back: int | None, is_chosen: bool) -> marks.Picture:
    """A bar for each place, the word itself at the right."""
    step = min(area.width / len(weights), 18.0)
    foot = area.y + _BARS
    picture: marks.Marks = [marks.lines((area.x, foot, area.x + step * len(weights), foot), theme.axis)]
    for place, weight in enumerate(weights):
        x = area.x + step * (len(weights) - 1 - place)
        ink = (theme.ink if is_chosen else theme.text2) if place == back else theme.axis
        tall = max(weight * (_BARS - 2.0), 0.75)
        picture.append(marks.Rectangle(x + 1.0, foot - tall, step - 2.0, tall, ink))
    for place in dict.fromkeys((0, *(() if back in (None, 0) or back >= len(weights) else (back,)))):
        x = area.x + step * (len(weights) - 0.5 - place)
        picture.append(marks.centered(x, foot + 9.0, whole(-place), "tick", theme.text3))
    return tuple(picture)


def scores_block(shown: Sequence[Seen], run: Run, chosen: str) -> Block:
    """The mean score by offset of the scheme that is seen, and of those that turn hands."""
    drawn = [
        seen
        for seen in shown
        if seen.run.scheme == chosen or LEARNERS[seen.run.scheme].turns_hands or seen.run.scheme == "additive"
    ]
    found = [(seen, looks_of(seen).scores[::-1]) for seen in drawn]
    lines = [
        Curve(
            *(scheme_title(seen.run.scheme), np.arange(1.0 - len(scores), 1.0), scores),
            dash=() if seen.run.scheme == chosen else _DASHES[seen.run.scheme],
            is_chosen=seen.run.scheme == chosen,
        )
        for seen, scores in found
    ]
    every = np.concatenate([scores for _, scores in found]) if found else np.array([-1.0, 1.0])
    low, high = float(every.min()), float(every.max())
    pad = 0.06 * (high - low or 1.0)
    first = float(1 - max((len(scores) for _, scores in found), default=25))
    own = next((scores for seen, scores in found if seen.run.scheme == chosen), None)
    is_copied = run.task == "copy" and own is not None and run.back < len(own)
    here = float(own[len(own) - 1 - run.back]) if own is not None and is_copied else None
    return Chart(
        "Score against offset, mean before the softmax",
        Scale("offset s − t", first, 0.0, ticks="offsets", sets="offset", is_whole=True),
        Scale("", low - pad, high + pad),
        tuple(lines),
        -float(run.back) if run.task == "copy" else None,
        "" if here is None else f"{whole(-run.back)}: {short(here)}",
        name="score by offset",
        shorter=("Score against offset",),
        dots=() if here is None else (here,),
    )


def task_words(run: Run) -> str:
    """What is learned, as a sentence goes on with it."""
    if run.task == "copy":
        return f"look {number_word(run.back)} back"
    return TASKS[run.task][0].lower() + TASKS[run.task][1:]


_NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def number_word(number: int) -> str:
    """A small number in a sentence."""
    return _NUMBERS[number]
