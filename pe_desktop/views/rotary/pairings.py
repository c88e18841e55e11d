"""Does the pairing matter: one score at three positions under each pairing, and its spread along the diagonal."""

from typing import Final

import numpy as np

from pe_desktop.core.measuring.measurement import HOLDS
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.record import record
from pe_desktop.core.rotation import DiagonalSpread
from pe_desktop.core.scores.rotary import rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import score_at, three_positions
from pe_desktop.core.scores.schemes import PAIRINGS, Rotary
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Grid, Live, Named, Space, Words
from pe_desktop.draw.number_text import copied, position, scientific, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.views.properties.verdicts import verdict_mark
from pe_desktop.views.rotary.curve import LOW_ROW, ROW
from pe_desktop.views.rotary.terms import score_text

TITLES: Final = {"interleaved": "Interleaved", "half-split": "Half-split", "mixed": "Mixed up"}
_TITLE: Final = "Does the pairing matter?"
_SENTENCE: Final = (
    "Both pairings are right, each with weights trained for it. Turning with the angles of one and the partners of the "
    "other gives a score that depends on where the words stand, not only on how far apart."
)
_ONE_PAIR: Final = "Only one pair turns: its two dimensions are the same under each pairing, and nothing is mixed up."
# Widths of names, and of verdicts and spreads: the widest that leave room for the scores.
_NAME: Final = 82.0
_ROOMS: Final = ((122.0, 136.0), (122.0, 70.0), (24.0, 70.0))
_GAP: Final = 10.0
_NO: Final = Space(0.0)
_GOOD, _BAD, _UNKNOWN = "Shift-invariant", "Depends on t", "measuring…"
_SMALLEST_PLAIN: Final = 1e-3


@record
class Row:
    """One pairing: its score at each of three t, and the spread along the diagonal, None while it is measured."""

    pairing: str
    scores: tuple[float, ...]
    spread: DiagonalSpread | None

    @property
    def is_invariant(self) -> bool | None:
        return None if self.spread is None or not self.spread.n_measured else self.spread.is_rounding

    @property
    def ink(self) -> str:
        """Scores that depend on t are in the colour of what fails."""
        return "bad" if self.is_invariant is False else "text"


def rows_of(state: State, spreads: tuple[DiagonalSpread, ...] | None) -> tuple[Row, ...]:
    """The rows of the table."""
    encoding, share, k, vectors = state.encoding, state.attention.rotary_share, state.cursor.offset, vectors_of(state)
    positions, rows = three_positions(state.cursor, encoding.n_positions), []
    for name, spread in zip(PAIRINGS, spreads or (None,) * len(PAIRINGS), strict=True):
        rotary = Rotary(encoding, name, share)
        rows.append(Row(name, tuple(score_at(rotary, vectors, t, t + k) for t in positions), spread))
    return tuple(rows)


def table(state: State, rows: tuple[Row, ...], width: float, *, is_roomy: bool) -> Block:
    """The table of the pairings; narrow ones have no scores. is_roomy: tall rows and a sentence fit."""
    n_positions, n_turning = state.encoding.n_positions, rotary_of(state).n_turning
    here, *there = (_tick(f"t = {position(t)}") for t in three_positions(state.cursor, n_positions))
    room = text_width("tick", f"t = {position(n_positions - 0.5)}") + 6.0
    least = text_width("title", _TITLE) + 3 * room + 5 * _GAP
    rest = next((rest for rest in _ROOMS if least + sum(rest) <= width), ())
    at_k = f"score at k = {position(state.cursor.offset)}" if rest else ""
    note = Words(at_k, "tick", "text3", shorter=("",))
    title = Grid((FIT, GROW), ((Words(_TITLE, "title"), note),))
    lines: list[tuple[Block, ...]] = [(title, *((Live(here), *there) if rest else ()), _NO, _SPREAD_TITLE)]
    ground, places = Drawn(_ground_picture, (6.0 if is_roomy else 1.5,), 18.0), list[Named]()
    for row in rows:
        name, scores = Words(TITLES[row.pairing], "strong"), list[Block]()
        if rest:
            now, *others = (Words(score_text(score, 4), "segment", row.ink, 1.0) for score in row.scores)
            scores = [Live(now), *others]
        both = _within(Grid((_NAME, GROW), ((name, _partners(row, n_turning)),), gap=4.0) if rest else name)
        lines.append((both, *scores, *_verdict_cells(row)))
        is_chosen = row.pairing == state.attention.pairing
        places.append(Named(TITLES[row.pairing], ground if is_chosen else _NO, _value_of(row)))
    columns = (GROW, room, room, room, *rest) if rest else (GROW, FIT, _ROOMS[-1][1])
    between = (ROW if is_roomy else LOW_ROW) - 18.0
    grid = Grid(columns, tuple(lines), (None, *places), gap=_GAP, between=between)
    said = Words(_SENTENCE if n_turning > 1 else _ONE_PAIR, "caption", "text2", is_paragraph=True)
    return Column((grid, said), gap=8.0) if is_roomy and rest else grid


def readout(rows: tuple[Row, ...]) -> str:
    """Rows with all digits, tabs between."""
    lines = []
    for row in rows:
        numbers = (*row.scores, None if row.spread is None else row.spread.spread)
        lines.append("\t".join([TITLES[row.pairing], *map(copied, numbers)]))
    return "\n".join(lines)


def _verdict_cells(row: Row) -> tuple[Block, Block]:
    """Verdict, with its word where that has room, and spread."""
    spread = _within(Words(_spread(row.spread), "segment", row.ink, 1.0))
    if row.is_invariant is None:
        return _NO, spread
    word = _GOOD if row.is_invariant else _BAD
    forms = ((word, text_width("segment", word) + 34.0), ("", 22.0))
    return Fits(tuple(Drawn(_verdict_picture, (row.is_invariant, form), 18.0, room) for form, room in forms)), spread


def _partners(row: Row, n_turning: int) -> Block:
    partners = {"interleaved": "2i with 2i + 1", "half-split": f"i with i + {whole(n_turning)}"}
    text = partners.get(row.pairing, "angles of one, partners of the other")
    return Words(text, "tick", "text2", shorter=("",))


def _tick(text: str) -> Words:
    return Words(text, "tick", "text3", 1.0)


def _within(block: Block) -> Block:
    """A block some pixels within the ground of its row."""
    return Grid((1.0, GROW, 1.0), ((_NO, block, _NO),), gap=5.0)


_SPREAD_TITLE: Final = _within(Words("spread on this diagonal", "tick", "text3", 1.0, ("spread", "")))


def _ground_picture(area: Area, theme: Theme, beyond: float) -> marks.Picture:
    ground = Area(area.x, area.y - beyond, area.width, area.height + 2 * beyond)
    return (marks.Rectangle(*ground, fill=theme.sunken, radius=6.0),)


def _verdict_picture(area: Area, theme: Theme, is_invariant: bool, word: str) -> marks.Picture:
    """A check, or a triangle on a ground, with its word where that has room."""
    x, y = area.x + 8.0, area.middle[1]
    text = marks.Text(x + 14.0, y, word, "segment", theme.ok if is_invariant else theme.bad)
    if is_invariant:
        return (verdict_mark(x, y, HOLDS, theme.ok), text)
    wide = 34.0 + text_width("segment", word) if word else 22.0
    triangle = np.array([[x, y - 5.5], [x + 6.0, y + 5.0], [x - 6.0, y + 5.0], [x, y - 5.5]])
    return (
        marks.Rectangle(x - 12.0, y - 10.0, wide, 20.0, fill=theme.bad_ground, radius=10.0),
        marks.Polyline(triangle, theme.bad, 1.4),
        marks.Segments(np.array([[x, y - 2.0, x, y + 1.5]]), theme.bad, 1.4),
        text,
    )


def _spread(spread: DiagonalSpread | None) -> str:
    if spread is None:
        return _UNKNOWN
    if not spread.n_measured:
        return "outside N"
    value = spread.spread
    return "0" if value == 0 else short(value) if value >= _SMALLEST_PLAIN else scientific(value)


def _value_of(row: Row) -> str:
    verdict = {None: "", True: f"{_GOOD}, ", False: f"{_BAD}, "}[row.is_invariant]
    return f"{verdict}spread {_spread(row.spread)}".replace(MINUS, "-")
