"""The words of the sentence as chips: a row as written, a row as moved, and lines from one to the other."""

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.caches import told_cache
from pe_desktop.core.cursor import Preview
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.flow import BUTTON_HEIGHT, GROW, Block, Column, Space, button, in_row
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width, wrapped

_CHIP_HEIGHT: Final = 28.0
_NARROWEST_TEXT, _WIDEST_GAP = 30.0, 24.0
# Left of the chips stand the names of their rows; right of them, on the screen, buttons.
_NAMES, _BUTTON, _GAP = 84.0, 82.0, 24.0
BESIDE: Final = _BUTTON + _GAP
# The middles of both rows, the height of all.
_ROWS, _TALL = (16.0, 76.0), 96.0
# More links are straight, and narrower chips are bars: hundreds of them are one mark.
_MOST_BENDS, _NARROWEST_PILL = 40, 10.0
# From so many words on lines between the rows are thin.
_MOST_THICK: Final = 8
# Where the grip of a chip stands.
_GRIP: Final = 10.0
# More chips have no places of their own: a screen reader hears of those at t and t + k.
MOST_PLACES: Final = 24


@record
class Chip:
    """A word of the sentence by its written place, in a pill; text is "" where there is no room for letters."""

    word: int
    area: Area
    text: str
    role: str

    def grip(self, theme: Theme) -> marks.Picture:
        """Dots before its word, where they find room: it can be dragged."""
        x, y = self.area.x + _GRIP, self.area.middle[1]
        dots = [[x + across, y + down] for across in (-2.0, 2.0) for down in (-4.0, 0.0, 4.0)]
        has_room = self.text and self.area.width > text_width(self.role, self.text) + 3 * _GRIP
        return (marks.Dots(np.array(dots), 1.2, theme.text3),) if has_room else ()


@record
class Chips(Block):
    """Both rows of chips; they stand at the top left of their page.

    words are the written ones, order tells which of them stands at each place of the moved sentence. asking, read: the
    words at t and t + k, None where none stands there.
    """

    words: tuple[str, ...]
    order: tuple[int, ...]
    asking: int = field(default=0, compare=False)
    read: int | None = field(default=0, compare=False)

    def height(self, width: float) -> float:
        return _TALL

    def draw(self, area: Area, theme: Theme) -> marks.Picture:
        """Both rows with their joining lines, none of them chosen."""
        written, moved = self.rows(area.width)
        names = zip(_ROWS, ("As written", "Moved"), strict=True)
        picture = (marks.Text(0.0, y, name, "label", theme.text2) for y, name in names)
        return (*picture, *_links(written, moved, theme), *_pills(written, theme), *_pills(moved, theme))

    def moving(self, area: Area, theme: Theme) -> marks.Drawing:
        """The word that asks on a solid pill, the one that is read on a hollow one, and all words."""
        for chip in (chip for row in self.rows(area.width) for chip in row):
            asks = chip.word == self.asking
            is_read = chip.word == self.read
            fill, ink = (theme.ink, theme.ink_on) if asks else (theme.panel, theme.text)
            if asks or is_read:
                yield _pill(chip, fill, theme.ink, 1.8)
            if chip.text:
                yield marks.centered(*chip.area.middle, chip.text, chip.role, ink)

    def places(self, area: Area) -> Iterable[Place]:
        """The words of both rows, as far as they have places: what each is at t and t + k."""
        for title, row in zip(("written", "moved"), self.rows(area.width), strict=True):
            for place, chip in enumerate(row):
                if len(row) <= MOST_PLACES or chip.word in (self.asking, self.read):
                    roles = ("query", self.asking), ("key", self.read), (f"place {place}", chip.word)
                    value = ", ".join(role for role, word in roles if word == chip.word)
                    name = f"{title} {chip.word}: {self.words[chip.word]}"
                    ghosts = partial(self._ghosts, chip)
                    yield Place(name, chip.area, value, chip.word == self.asking, ghosts=ghosts)

    def _ghosts(self, chip: Chip, area: Area, preview: Preview, theme: Theme) -> marks.Picture:
        """A light ring around a word to which a press would set t, or t + k."""
        is_named = chip.word in [round(at) for at, _ in preview.places(self.asking)]
        return (marks.Rectangle(*area, None, theme.ghost, area.height / 2, 1.8),) if is_named else ()

    def rows(self, width: float) -> tuple[tuple[Chip, ...], tuple[Chip, ...]]:
        """The chips as written, and those of the moved sentence, from left to right."""
        as_written = tuple(range(len(self.words)))
        return _row(self.words, as_written, width, _ROWS[0]), _row(self.words, self.order, width, _ROWS[1])

    def chip_at(self, width: float, x: float, y: float) -> tuple[Chip, bool] | None:
        """The chip under a point, and whether it is one that can be dragged."""
        rows = zip(self.rows(width), (False, True), strict=True)
        # Bars without letters have no gaps between them.
        held = ((chip, moves) for row, moves in rows for chip in row if chip.area.grown(0.5, 0.0).holds(x, y))
        return next(held, None)


def with_buttons(chips: Chips) -> Block:
    """The chips, and on the screen buttons beside them that put the moved words into another order."""
    luck = np.random.default_rng([*chips.order])
    shuffled = chips.order
    while shuffled == chips.order:
        shuffled = tuple(luck.permutation(chips.order).tolist())
    shuffle = button("Shuffle", {"order": shuffled}, wide=_BUTTON)
    buttons = [Space(_ROWS[0] - BUTTON_HEIGHT / 2), replace(shuffle, tooltip="Put the words in a random order")]
    if chips.order != tuple(range(len(chips.order))):
        put_back = button("Put back", {"order": ()}, wide=_BUTTON)
        put_back = replace(put_back, tooltip="Put the words back in the order as written")
        buttons += [Space(_ROWS[1] - _ROWS[0] - BUTTON_HEIGHT), put_back]
    return in_row((GROW, _BUTTON), chips, Column(tuple(buttons), is_for_screen=True), gap=_GAP)


class _Style(NamedTuple):
    """How chips of a row are set: the role of their letters, the room at their ends, and between them."""

    role: str
    pad: float
    gap: float


# From roomy to narrow; a word that finds no room in the last one is shortened.
_STYLES: Final = (_Style("segment", 20.0, 6.0), _Style("segment", 6.0, 3.0), _Style("tick", 4.0, 2.0))


def _row_width(widths: Sequence[float], style: _Style) -> float:
    return sum(widths) + style.gap * (len(widths) - 1)


# One for each frame of a state: what a press finds is what was drawn.
@told_cache(16)
def _row(words: tuple[str, ...], order: tuple[int, ...], right: float, middle: float) -> tuple[Chip, ...]:
    """The chips of a row: evenly spaced where there is room, one after the other where there is less.

    Without letters where words would be too short to be told apart.
    """
    texts = tuple(words[word] for word in order)
    count = len(words)
    room = min(right - _NAMES, 110.0 * count)
    slot, style = room / count, _STYLES[-1]
    if slot < _NARROWEST_TEXT:
        lefts = [slot * place for place in range(count)]
        widths: Sequence[float] = [max(slot - 1.0, 0.5 * slot)] * count
        texts = ("",) * count
    else:
        for style in _STYLES:
            widths = [text_width(style.role, text) + 2 * style.pad for text in texts]
            if _row_width(widths, style) <= room:
                break
        texts, widths = _shortened(texts, widths, style, room)
        if max(widths) + style.gap <= slot:
            lefts = [slot * (place + 0.5) - wide / 2 for place, wide in enumerate(widths)]
        else:
            gap = min((room - sum(widths)) / (count - 1), _WIDEST_GAP)
            lefts = [sum(widths[:place]) + gap * place for place in range(count)]
    top = middle - _CHIP_HEIGHT / 2
    return tuple(
        Chip(word, Area(_NAMES + left, top, wide, _CHIP_HEIGHT), text, style.role)
        for word, left, wide, text in zip(order, lefts, widths, texts, strict=True)
    )


def _shortened(
    texts: tuple[str, ...], widths: Sequence[float], style: _Style, room: float
) -> tuple[tuple[str, ...], Sequence[float]]:
    """The longest words cut until a row has room for all, and the widths of their chips."""
    cap = max(widths)
    while _row_width(widths, style) > room and cap > _NARROWEST_TEXT - style.gap:
        cap -= 2.0
        widths = [min(wide, cap) for wide in widths]
    pairs = zip(texts, widths, strict=True)
    return tuple(wrapped(style.role, text, wide - 2 * style.pad + 0.5, 1)[0] for text, wide in pairs), widths


def _links(written: Sequence[Chip], moved: Sequence[Chip], theme: Theme) -> marks.Drawing:
    """A line from every written word to where it went, darker for those that moved, where words are few."""
    steps = np.linspace(0.0, 1.0, 25 if len(moved) <= _MOST_BENDS else 2)
    bend = steps * steps * (3.0 - 2.0 * steps)
    for place, chip in enumerate(moved):
        start = written[chip.word].area
        end = chip.area
        (x, _), (last, _) = start.middle, end.middle
        points = np.column_stack((x + (last - x) * bend, start.bottom + (end.y - start.bottom) * steps))
        is_thick = place != chip.word and len(moved) < _MOST_THICK
        yield marks.Polyline(points, *((theme.text2, 1.6) if is_thick else (theme.axis, 1.0)))


def _pills(chips: Sequence[Chip], theme: Theme) -> marks.Marks:
    """The chips of a row, none of them chosen."""
    if chips[0].area.width < _NARROWEST_PILL:
        bars = ((chip.area.middle[0], chip.area) for chip in chips)
        ends = [[x, area.y, x, area.bottom] for x, area in bars]
        return [marks.lines(ends, theme.line, chips[0].area.width)]
    return [_pill(chip, theme.sunken, theme.line) for chip in chips]


def _pill(chip: Chip, fill: QColor, outline: QColor, wide: float = 1.0) -> marks.Mark:
    return marks.Rectangle(*chip.area, fill, outline, min(chip.area[2:]) / 2, wide)
