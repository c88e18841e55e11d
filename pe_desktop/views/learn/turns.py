"""Where the hands of a trained head learned to turn, beside M_-n; biases or a slope where it has no hands."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.learning.readings import Turns, own_learned
from pe_desktop.core.learning.shown import scheme_title
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Curve
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Named, Row, Table, Words, in_row
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers
from pe_desktop.views.films import Seen, percent, seen_of, turns_of
from pe_desktop.views.learn.plots import over_offsets

# The fastest hands that are seen.
_MOST: Final = 4
_DIAL, _LABELS, _BADGE = 200.0, 36.0, 8.0
_DASH: Final = (4.0, 3.0)
_WITH_TABLE: Final = 400.0
# A hand: the pair, where it learned to turn, where M_-n turns, how long it is, 0 to 1.
_Hand = tuple[int, float, float | None, float]


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
    picture = Drawn(_dial, (hands, len(found.learned)), _dial_height, wide=_DIAL + 2 * _LABELS)
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
    return Column((Table(("hand", "learned", f"M_{whole(-back)}", "share"), rows, gap=9.0), flow.paragraph(says)), 4.0)


def _dial_height(width: float) -> float:
    return max(min(_DIAL, width - 2 * _LABELS), 20.0) + _LABELS


def _dial(area: Area, theme: Theme, hands: tuple[_Hand, ...], n_pairs: int) -> marks.Picture:
    """Filled hands where they learned to turn, dashed ones of M_-n to the edge."""
    radius = max(min(area.width / 2 - _LABELS, area.height / 2 - _LABELS / 2), 10.0)
    dial = Dial(*area.middle, radius)
    picture: marks.Marks = [dial.ring(theme.axis, 1.2)]
    for turn, across in ((0, 0.5), (90, 0.0), (-90, 1.0)):
        x, y = dial.tip(math.radians(turn), radius + 9.0)
        picture.append(marks.Text(x, y, f"{whole(turn)}°", "tick", theme.text3, across=across))
    goals = [(pair, ideal, 1.0, True) for pair, _, ideal, _ in hands if ideal is not None]
    filled = [(pair, learned, length, False) for pair, learned, _, length in reversed(hands)]
    for pair, angle, length, is_hollow in goals + filled:
        ink = theme.pair_color(pair, n_pairs)
        tip = dial.tip(angle, length * radius)
        picture.append(dial.lines(np.array([tip]), ink, *((1.2, _DASH) if is_hollow else (3.0,))))
        picture.append(marks.Badge(*tip, _BADGE, str(pair), ink, *((theme.panel, theme.text) if is_hollow else ())))
    return (*picture, dial.hub(theme, 3.5, 1.5))


def _own(seen: Seen) -> Block:
    """What a scheme without hands has learned beside W_Q and W_K."""
    found = own_learned(seen.film, seen.place)
    if "biases" in found:
        biases = found["biases"][::-1]
        bars = Curve("", np.arange(1.0 - len(biases), 1.0), biases, wide=5.0, is_chosen=True, style="bars")
        title = f"Its {len(biases)} biases by offset: no hands"
        return over_offsets(title, seen.run, (bars,), np.append(biases, 0.0), name="biases")
    if "slope" in found:
        slope = float(found["slope"])
        run = seen.run
        change, end = ("more", "the first word") if slope < 0.0 else ("less", "the word itself and the nearest ones")
        between = f", as {run.back} back," if run.task == "copy" and run.back > 1 else ""
        words = (
            f"{seen.title} has no hands. It learned its slope m: {short(abs(slope))} {change} for each place of "
            f"distance. A straight line is largest at an end, here {end}; nothing in between{between} can be."
        )
        return Column((Words(f"m = {short(slope)}", "message"), flow.paragraph(words)))
    numbers = ", ".join(f"{name} = {short(float(values))}" for name, values in found.items() if values.ndim == 0)
    learned = f" It learned {numbers}." if numbers else ""
    return flow.paragraph(f"{seen.title} has no hands that turn by positions.{learned}")
