"""The decoder's hands on a dial."""

from collections.abc import Iterable
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.decoder import Hands
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.dial import Dial, dial_in
from pe_desktop.draw.flow import Block
from pe_desktop.draw.number_text import degrees
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.views.clock.picture import BADGE_RADIUS, MOST_HANDS

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

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        """Those that are read in colour, the others grey."""
        dial = dial_of(area)
        tips = _hand_tips(self.hands, dial)
        still = theme.still_color
        colors = theme.pair_colors(len(tips)).copy()
        is_unread = np.isin(np.arange(len(tips)), self.hands.numbers(self.n_read), invert=True)
        colors[is_unread] = still.red(), still.green(), still.blue()
        picture: marks.Marks = [marks.DotCloud(tips, colors, 3.0)] if len(tips) > MOST_HANDS else []
        for hand in self._shown:
            color, tip, (x, y) = QColor(*colors[hand].tolist()), tips[hand], tips[hand].tolist()
            end: marks.Mark = marks.Dots(tip[None], 4.5, color)
            if hand == self.chosen:
                end = marks.Badge(x, y, BADGE_RADIUS, str(hand), color)
            picture += [dial.lines(tip[None], color, 3.6 if hand == self.chosen else 1.6), end]
        return (*picture, dial.hub(theme, 4.5, 3.0))

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
