"""Where the hands of a trained head learned to turn, beside M_-n; biases or a slope where it has no hands."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.learning.readings import Turns, own_learned
from pe_desktop.core.learning.run import Run
from pe_desktop.core.learning.shown import scheme_title
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Grid, Named, Space, Words, in_row
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.views.films import Seen, percent, turns_until

# The fastest hands that are seen.
_MOST: Final = 4
_DIAL, _LABELS, _BADGE = 200.0, 40.0, 8.0
_DASH: Final = (4.0, 3.0)
_WITH_TABLE: Final = 400.0
# A hand and its bead: the pair, where it learned to turn, where M_-n turns, how long it is, 0 to 1.
_Hand = tuple[int, float, float | None, float]


def turns_block(state: State, seen: Seen | None, with_hands: list[str]) -> Block:
    """The dial and its table, or what the scheme that is seen has learned in their place."""
    return Named("turns", Column((_head(state, with_hands), _content(state, seen)), gap=6.0))


def _head(state: State, with_hands: list[str]) -> Block:
    """The title, and the schemes with hands; a press shows one."""
    cells = list[Block]()
    for scheme in with_hands:
        title = scheme_title(scheme)
        is_seen = scheme == state.views.learn.scheme
        words = Words(title, "segment", "text" if is_seen else "text3")
        cells.append(Named(f"hands of {title}", words, sets={"learn.scheme": scheme}, is_chosen=is_seen))
    says = Words("Where its hands learned to turn", "strong", shorter=("Learned turns",))
    return in_row((GROW, *(FIT,) * len(cells)), says, *cells)


def _content(state: State, seen: Seen | None) -> Block:
    if seen is None:
        return flow.paragraph("Nothing of this scheme is trained yet: tick it and press Train.")
    found = turns_until(seen)
    if not found:
        return _own(seen)
    hands = _hands(found[-1])
    longest = float(found[-1].lengths.max()) or 1.0
    beads = tuple((float(one.learned[0]), float(one.lengths[0]) / longest) for one in found[:-1])
    n_pairs = len(found[-1].learned)
    dial = Named(
        "dial",
        Drawn(_dial, (hands, beads, n_pairs), _dial_height, wide=_DIAL + 2 * _LABELS),
        "; ".join(f"hand {pair} {_angle(learned)}" for pair, learned, _, _ in hands),
        tooltip=_tooltip(found[-1]),
    )
    table = _table(found[-1], hands, seen)
    return Fits((in_row((0.5, GROW), dial, table, gap=14.0), Column((dial, table), gap=8.0)), (_WITH_TABLE, 0.0))


def _hands(found: Turns) -> tuple[_Hand, ...]:
    """The fastest hands, and the one that is used most."""
    pairs = sorted({*range(min(_MOST, len(found.shares))), int(found.shares.argmax())})
    longest = float(found.lengths.max()) or 1.0
    return tuple(
        (
            pair,
            float(found.learned[pair]),
            None if found.ideal is None else _wrapped(float(found.ideal[pair])),
            float(found.lengths[pair]) / longest,
        )
        for pair in pairs
    )


def _wrapped(angle: float) -> float:
    return math.remainder(angle, math.tau)


def _angle(angle: float | None) -> str:
    return "–" if angle is None else f"{fixed(math.degrees(angle), 1)}°"


def _tooltip(found: Turns) -> str:
    if found.part is None:
        return "Of the mean query and the mean key of the words, before they are turned"
    part = percent(found.part)
    return f"Shares are of the turns in W = W_Q W_Kᵀ, which are {part} of the sum of its squares"


def _table(found: Turns, hands: tuple[_Hand, ...], seen: Seen) -> Block:
    ideal = f"M_{{−{seen.run.back}}}"
    rows: list[tuple[Block, ...]] = [
        (
            flow.small(""),
            flow.small("learned", across=1.0),
            in_row((GROW, FIT), Space(0.0), flow.Formula(ideal, 12, "text3"))
            if found.ideal is not None
            else Space(0.0),
            flow.small("share", across=1.0),
        )
    ]
    for pair, learned, goal, _ in hands:
        share = percent(float(found.shares[pair]))
        value = f"learned {_angle(learned)}, M {_angle(goal)}, share of turn {share}"
        disc = Drawn(_disc, (pair, len(found.learned)), 20.0, wide=20.0)
        rows.append(
            (
                Named(f"hand {pair}", disc, value, {"pair": pair}),
                Words(_angle(learned), "flag", across=1.0),
                Words(_angle(goal), "tick", "text2", across=1.0) if goal is not None else Space(0.0),
                Words(share, "tick", "text2", across=1.0),
            )
        )
    step = seen.step
    says = f"Filled: learned; longer is used more. Hollow: a turn {whole(seen.run.back)} back."
    if found.ideal is None:
        says = "Filled: learned; longer is used more."
    part = "" if found.part is None else f" Turns are {percent(found.part)} of |W|²."
    beads = f" Beads: hand 0 every {seen.run.stride} steps up to step {step}." if step else ""
    return Column(
        (
            Grid((22.0, GROW, GROW, GROW), tuple(rows), gap=8.0, between=2.0),
            Space(4.0),
            flow.paragraph(says + beads + part),
        )
    )


def _disc(area: Area, theme: Theme, pair: int, n_pairs: int) -> marks.Picture:
    return (marks.Badge(area.x + 9.0, area.middle[1], 8.5, str(pair), theme.pair_color(pair, n_pairs)),)


def _dial_height(width: float) -> float:
    return max(min(_DIAL, width - 2 * _LABELS), 20.0) + _LABELS


def _dial(
    area: Area, theme: Theme, hands: tuple[_Hand, ...], beads: tuple[tuple[float, float], ...], n_pairs: int
) -> marks.Picture:
    """Filled hands where they learned to turn, dashed ones of M_-n to the edge, and how hand 0 came there."""
    radius = max(min(area.width / 2 - _LABELS, area.height / 2 - _LABELS / 2), 10.0)
    dial = Dial(*area.middle, radius)
    picture: marks.Marks = [dial.ring(theme.axis, 1.2), marks.Rings(dial.x, dial.y, np.array([radius / 2]), theme.grid)]
    for degrees, (x, y, across) in {"0°": (0, -1, 0.5), "90°": (1, 0, 0.0), "−90°": (-1, 0, 1.0)}.items():
        away = radius + 9.0
        picture.append(marks.Text(dial.x + x * away, dial.y + y * away, degrees, "tick", theme.text3, across=across))
    if beads:
        angles, lengths = (np.array(values) for values in zip(*beads, strict=True))
        ink = theme.pair_color(0, n_pairs)
        picture.append(marks.Dots(dial.tips(angles, lengths * radius), 1.6, theme.panel, ink, 1.0))
    for pair, _, ideal, _ in hands:
        if ideal is not None:
            ink = theme.pair_color(pair, n_pairs)
            tip = dial.tip(ideal, radius)
            picture.append(dial.lines(np.array([tip]), ink, 1.2, _DASH))
            picture.append(marks.Badge(*tip, _BADGE, str(pair), ink, theme.panel, theme.text))
    for pair, learned, _, length in reversed(hands):
        ink = theme.pair_color(pair, n_pairs)
        tip = dial.tip(learned, length * radius)
        picture.append(dial.lines(np.array([tip]), ink, 3.0))
        picture.append(marks.Badge(*tip, _BADGE, str(pair), ink))
    return (*picture, dial.hub(theme, 3.5, 1.5))


def _own(seen: Seen) -> Block:
    """What a scheme without hands has learned beside W_Q and W_K."""
    found = own_learned(seen.film, seen.place)
    title, run = scheme_title(seen.run.scheme), seen.run
    if "biases" in found:
        return _biases(found["biases"], run)
    if "slope" in found:
        slope = short(float(found["slope"]))
        words = f"{title} has no hands. It learned its slope m = {slope}: so much less for each place of distance."
        return Column(
            (Words(f"m = {slope}", "message"), flow.paragraph(f"{words} No slope makes one distance the largest."))
        )
    numbers = ", ".join(f"{name} = {short(float(values))}" for name, values in found.items() if values.ndim == 0)
    learned = f" It learned {numbers}." if numbers else ""
    return flow.paragraph(f"{title} has no hands that turn by positions.{learned}")


def _biases(biases: np.ndarray, run: Run) -> Block:
    """The bias of each distance."""
    distances = -np.arange(len(biases), dtype=np.float64)[::-1]
    low, high = min(float(biases.min()), 0.0), max(float(biases.max()), 0.0)
    pad = 0.06 * (high - low or 1.0)
    curve = Curve("", distances, biases[::-1], wide=5.0, ink="text2", style="bars")
    at = -float(run.back) if run.task == "copy" else None
    note = "" if at is None else f"{whole(at)}: {short(float(biases[run.back]))}"
    return Chart(
        f"Its {len(biases)} biases by offset: no hands",
        Scale("offset s − t", distances[0], 0.0, ticks="offsets"),
        Scale("", low - pad, high + pad),
        *((curve,), at, note),
        tall=120.0,
        name="biases",
    )
