"""Where the hands of a trained head learned to turn, beside M_-n; biases or a slope where it has no hands."""

import math
from typing import Final

import numpy as np

from pe_desktop.core.learning.heads import LEARNERS
from pe_desktop.core.learning.readings import Turns, own_learned
from pe_desktop.core.learning.run import Run
from pe_desktop.core.learning.shown import scheme_title
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.chart import Curve
from pe_desktop.draw.dial import Dial
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Grid, Named, Space, Words, in_row
from pe_desktop.draw.number_text import fixed, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.views.films import LEARNED_WELL, Seen, percent, turns_until
from pe_desktop.views.learn.plots import NUMBERS, over_offsets

# The fastest hands that are seen.
_MOST: Final = 4
_DIAL, _LABELS, _BADGE = 200.0, 40.0, 8.0
_DASH: Final = (4.0, 3.0)
_WITH_TABLE: Final = 400.0
# A shorter bead lies under the hub, and a hand that is further from M_-n in radians is seen not to be there.
_LEAST_BEAD: Final = 0.05
_FAR: Final = 0.3
# A hand and its bead: the pair, where it learned to turn, where M_-n turns, how long it is, 0 to 1.
_Hand = tuple[int, float, float | None, float]


def turns_block(state: State, run: Run, seen: Seen | None) -> Block:
    """The dial and its table, or what the scheme that is seen has learned in their place; a press shows another."""
    cells = list[Block]()
    # Those that are added turn where they stand in pairs of columns.
    also = "additive" if run.encoding.pairs is not None else ""
    for scheme in state.views.learn.schemes:
        if scheme != also and not LEARNERS[scheme].turns_hands:
            continue
        title = scheme_title(scheme)
        is_seen = scheme == state.views.learn.scheme
        words = Words(title, "segment", "text" if is_seen else "text3")
        cells.append(Named(f"hands of {title}", words, sets={"learn.scheme": scheme}, is_chosen=is_seen))
    says = Words("Where its hands learned to turn", "strong", shorter=("Learned turns",))
    head = in_row((GROW, *(FIT,) * len(cells)), says, *cells)
    return Named("turns", Column((head, _content(state, seen)), gap=6.0))


def _content(state: State, seen: Seen | None) -> Block:
    if seen is None:
        view = state.views.learn
        rest = "it waits" if view.trains else "press Train"
        rest = rest if view.scheme in view.schemes else "tick it and press Train"
        return flow.paragraph(f"Nothing of this scheme is trained yet: {rest}.")
    found = turns_until(seen)
    if not found:
        return _own(seen)
    now = found[-1]
    longest = float(now.lengths.max()) or 1.0
    # The fastest hands, and the one that is used most.
    hands = tuple(
        (pair, *_turns_of(now, pair), float(now.lengths[pair]) / longest)
        for pair in sorted({*range(min(_MOST, len(now.shares))), int(now.shares.argmax())})
    )
    beads = tuple((float(one.learned[0]), float(one.lengths[0]) / longest) for one in found[:-1])
    picture = Drawn(_dial, (hands, beads, len(now.learned)), _dial_height, wide=_DIAL + 2 * _LABELS)
    value = "; ".join(f"hand {pair} {_angle(learned)}" for pair, learned, _, _ in hands)
    tooltip = "Of the mean query and the mean key of the words, before they are turned"
    if now.part is not None:
        part = percent(now.part)
        tooltip = f"Shares are of the turns in W = W_Q W_Kᵀ, which are {part} of the sum of its squares"
    dial = Named("dial", picture, value, tooltip=tooltip)
    table = _table(now, hands, beads, seen)
    return Fits((in_row((0.5, GROW), dial, table, gap=14.0), Column((dial, table), gap=8.0)), (_WITH_TABLE, 0.0))


def _turns_of(found: Turns, pair: int) -> tuple[float, float | None]:
    """Where a hand learned to turn and where M_-n turns, at most half a turn from each other."""
    learned = float(found.learned[pair])
    ideal = None if found.ideal is None else math.remainder(float(found.ideal[pair]), math.tau)
    return learned if ideal is None else ideal + math.remainder(learned - ideal, math.tau), ideal


def _angle(angle: float | None) -> str:
    return "–" if angle is None else f"{fixed(math.degrees(angle), 1)}°"


def _table(found: Turns, hands: tuple[_Hand, ...], beads: tuple[tuple[float, float], ...], seen: Seen) -> Block:
    run = seen.run
    goal_title: Block = Space(0.0)
    says = "Filled: learned; longer is used more."
    if found.ideal is not None:
        goal_title = in_row((GROW, FIT), Space(0.0), flow.Formula(f"M_{{−{run.back}}}", 12, "text3"))
        says += f" Hollow: a turn {whole(run.back)} back."
    if any(length > _LEAST_BEAD for _, length in beads):
        says += f" Beads: hand 0 every {run.stride} steps up to step {seen.step}."
    if found.part is not None:
        says += f" Turns are {percent(found.part)} of |W|²."
    away = [abs(learned - goal) for _, learned, goal, _ in hands if goal is not None]
    if max(away, default=0.0) > _FAR and seen.accuracy >= LEARNED_WELL:
        says += f" Not all have to agree: most of the share and a peak at {whole(-run.back)} suffice."
    rows: list[tuple[Block, ...]] = [
        (Space(0.0), flow.small("learned", across=1.0), goal_title, flow.small("share", across=1.0))
    ]
    for pair, learned, goal, _ in hands:
        share = percent(float(found.shares[pair]))
        value = f"learned {_angle(learned)}, M {_angle(goal)}, share of turn {share}"
        disc = Named(f"hand {pair}", Drawn(_disc, (pair, len(found.learned)), 20.0), value, {"pair": pair})
        texts = _angle(learned), "" if goal is None else _angle(goal), share
        styles = ("flag", "text"), ("tick", "text2"), ("tick", "text2")
        rows.append((disc, *(Words(text, *style, across=1.0) for text, style in zip(texts, styles, strict=True))))
    grid = Grid((22.0, GROW, GROW, GROW), tuple(rows), gap=8.0, between=2.0)
    return Column((grid, Space(4.0), flow.paragraph(says)))


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
    for turn, across in ((0, 0.5), (90, 0.0), (-90, 1.0)):
        x, y = dial.tip(math.radians(turn), radius + 9.0)
        picture.append(marks.Text(x, y, f"{whole(turn)}°", "tick", theme.text3, across=across))
    if beads:
        angles, lengths = np.array(beads).T
        ink = theme.pair_color(0, n_pairs)
        picture.append(marks.Dots(dial.tips(angles, lengths * radius), 1.6, theme.panel, ink, 1.0))
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
        bars = Curve("", np.arange(1.0 - len(biases), 1.0), biases, wide=5.0, ink="text2", style="bars")
        title = f"Its {len(biases)} biases by offset: no hands"
        return over_offsets(title, seen.run, (bars,), np.append(biases, 0.0), tall=120.0, name="biases")
    if "slope" in found:
        slope = float(found["slope"])
        run = seen.run
        change, end = ("more", "the first word") if slope < 0.0 else ("less", "the word itself and the nearest ones")
        between = f", as {NUMBERS[run.back]} back," if run.task == "copy" and run.back > 1 else ""
        words = (
            f"{seen.title} has no hands. It learned its slope m: {short(abs(slope))} {change} for each place of "
            f"distance. A straight line is largest at an end, here {end}; nothing in between{between} can be."
        )
        return Column((Words(f"m = {short(slope)}", "message"), flow.paragraph(words)))
    numbers = ", ".join(f"{name} = {short(float(values))}" for name, values in found.items() if values.ndim == 0)
    learned = f" It learned {numbers}." if numbers else ""
    return flow.paragraph(f"{seen.title} has no hands that turn by positions.{learned}")
