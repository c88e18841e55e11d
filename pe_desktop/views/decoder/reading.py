"""What the decoder shows of a reading: the hands on a dial, and what is said of the positions that they read."""

import math
from collections.abc import Iterable
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.decoder import Hands, Nearest, Reading
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial, dial_in
from pe_desktop.draw.flow import Block
from pe_desktop.draw.number_text import degrees, scientific, short, significant, whole
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.resources import resource_json
from pe_desktop.views.clock.picture import BADGE_RADIUS, MOST_HANDS

_SAID: Final = resource_json("help.json")["views"]["decoder"]
# The name of the place of all hands.
HANDS: Final = "hands"


@record
class HandsBlock(Block):
    """The hands that are read, on a dial; a place for each; chosen: the pair that is chosen."""

    hands: Hands
    n_read: int
    chosen: int
    tall: float

    def height(self, width: float) -> float:
        return self.tall

    def draw(self, area: Area, theme: Theme) -> marks.Drawing:
        """Those that are read in colour, the others grey."""
        dial = dial_of(area)
        tips = _hand_tips(self.hands, dial)
        still = theme.still_color
        colors = theme.pair_colors(len(tips)).copy()
        is_unread = np.isin(np.arange(len(tips)), self.hands.numbers(self.n_read), invert=True)
        colors[is_unread] = still.red(), still.green(), still.blue()
        if len(tips) > MOST_HANDS:
            yield marks.DotCloud(tips, colors, 3.0)
        for hand in self._shown:
            color, tip, (x, y) = QColor(*colors[hand].tolist()), tips[hand], tips[hand].tolist()
            yield dial.lines(tip[None], color, 3.6 if hand == self.chosen else 1.6)
            is_chosen = hand == self.chosen
            yield marks.Badge(x, y, BADGE_RADIUS, str(hand), color) if is_chosen else marks.Dots(tip[None], 4.5, color)
        yield dial.hub(theme, 4.5, 3.0)

    def places(self, area: Area) -> Iterable[Place]:
        yield Place(HANDS, area)
        tips = _hand_tips(self.hands, dial_of(area))
        angles = self.hands.read_angles()[0].tolist()
        for hand in self._shown:
            x, y = tips[hand].tolist()
            where = Area.around(x, y, BADGE_RADIUS)
            yield Place(f"hand {hand}", where, degrees(angles[hand]), hand == self.chosen, {"pair": hand})

    @property
    def _shown(self) -> list[int]:
        """The hands that are drawn one by one, the chosen one last."""
        count = len(self.hands.read_angles()[0])
        return [*(hand for hand in range(count if count <= MOST_HANDS else 0) if hand != self.chosen), self.chosen]


def dial_of(area: Area) -> Dial:
    """The dial with the hands that are read."""
    dial = dial_in(area.width, area.height)
    return Dial(area.x + dial.x, area.y + dial.y, dial.radius)


def _hand_tips(hands: Hands, dial: Dial) -> marks.Points:
    """Where the hands end, shape (n_pairs, 2): on their rings, shorter ones inside them."""
    angles, lengths = hands.read_angles()
    return dial.tips(angles, dial.ring_radii(len(angles)) * lengths / (float(lengths.max()) or 1.0))


# A best score that is lower by this share is not just rounded.
_SAME = 1e-9
# Margins that are told without a power of ten.
_LEAST, _MOST = 5e-4, 1e3
# So many pinned hands are named one by one.
_MOST_NAMED = 6


def read_by(hands: Hands, row: Reading) -> Nearest:
    """The positions that are read: by the dot product where hands turn evenly, else by the distance."""
    return row.by_dot if hands.are_even else row.by_distance


def count_texts(hands: Hands, count: int, row: Reading | None) -> tuple[str, ...]:
    """What so many hands read: how many values, the best position, the next, the lead of the best, how many are near.

    The lead has always three digits, and is "none" where it is rounding.
    """
    number = whole(count if hands.encoding.pairs is not None else min(2 * count, hands.encoding.d_model))
    if row is None:
        return (number, *("…",) * 4)
    found = read_by(hands, row)
    best, *others = map(whole, found.positions)
    lead = "none"
    if others and (row.is_decided or not hands.are_even):
        is_plain = _LEAST <= found.margin < _MOST
        lead = significant(found.margin, 3) if is_plain else scientific(found.margin, 2, keeps_zeros=True)
    near = "–" if row.n_near is None or not hands.are_even else whole(row.n_near)
    return (number, best, others[0], lead, near) if others else (number, best, "–", "–", near)


def _hands_text(hands: Hands, count: int) -> str:
    """The subject of a sentence: "All 16 hands"."""
    noun, plural = ("pair of columns", "pairs of columns") if hands.encoding.pairs is None else ("hand", "hands")
    if hands.order and count <= _MOST_NAMED:
        named = ", ".join(map(whole, hands.order[:count]))
        return f"{(noun if count == 1 else plural).capitalize()} {named}"
    if count == 1:
        return f"The only {noun}" if hands.total == 1 else f"The first {noun} alone"
    plural = f"pinned {plural}" if hands.order else plural
    return f"{'All' if count == hands.total else 'The first'} {whole(count)} {plural}"


def answer(hands: Hands, row: Reading) -> str:
    """Which t the hands say, in one line."""
    subject = _hands_text(hands, row.n_hands)
    verb = "read" if row.n_hands > 1 else "reads"
    best, nearest = row.by_dot.positions[0], row.by_distance.positions[0]
    if not hands.are_even and best != nearest:
        return f"Nearest row: t = {whole(nearest)}; largest dot product: t = {whole(best)}"
    if not row.is_decided and len(row.by_dot.positions) > 1 and hands.are_even:
        return f"{subject} can't tell t = {whole(best)} from {whole(row.by_dot.positions[1])}"
    return f"{subject} {verb} t = {whole(nearest)}"


def lines(hands: Hands, row: Reading) -> str:
    """How sure that is, and what it is measured by."""
    sentences = [] if hands.are_even else [_of_rows(row)]
    sentences += [_lead(hands, row), _fit(hands, row)]
    t = row.by_distance.positions[0]
    return " ".join([*filter(None, sentences), f"Counted from 0; counted from 1 it is position {whole(t + 1)}."])


def _of_rows(row: Reading) -> str:
    is_another = row.by_dot.positions[0] != row.by_distance.positions[0]
    shown = "several rows" if not row.is_decided else "another row" if is_another else ""
    if row.best_length > row.nearest_length * (1 + _SAME) and is_another:
        shown = "longer row"
    numbers = {"longer": short(row.best_length), "nearest": short(row.nearest_length)}
    return str(_SAID[shown].format(**numbers)) if shown else ""


def _lead(hands: Hands, row: Reading) -> str:
    found = read_by(hands, row)
    if len(found.positions) < 2:
        return "There is no other position."
    second = f"t = {whole(found.positions[1])}"
    if not hands.are_even:
        return f"Next is {second}, {short(found.margin)} further away."
    after = f"Next best is {second}, {short(found.margin)} lower" if row.is_decided else f"{second} scores the same"
    if row.n_near is None:
        return f"{after}."
    n = hands.encoding.n_positions
    fit = "Only this position fits" if row.n_near == 1 else f"{whole(row.n_near)} of {whole(n)} positions fit"
    return f"{after}. {fit} within 1 %."


def _fit(hands: Hands, row: Reading) -> str:
    """Whether any position has just these hands."""
    most = hands.largest_score(row.n_hands)
    best = row.by_dot.values[0]
    if math.isnan(most) or most - best <= _SAME * most:
        return ""
    return f"No position has just these hands: the best scores {short(best, 4)} of {short(most, 4)}."
