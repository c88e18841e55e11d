"""Does the pairing matter: one score at three positions under each pairing, and its spread along the diagonal."""

from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import HOLDS, ROUNDING
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.record import record
from pe_desktop.core.scores.rotary import QueryAndKey
from pe_desktop.core.scores.rotary_scores import score_at, score_spread, three_positions
from pe_desktop.core.scores.schemes import PAIRINGS, Rotary
from pe_desktop.core.similarity import DiagonalSpread
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import copied, position, scientific, short, whole
from pe_desktop.draw.plot import paragraph
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Task
from pe_desktop.views.properties.verdicts import verdict_mark
from pe_desktop.views.rotary.layout import TABLE_HEAD, ScoreLayout
from pe_desktop.views.rotary.terms import score_text

TITLES: Final = {"interleaved": "Interleaved", "half-split": "Half-split", "mixed": "Mixed up"}
_TITLE: Final = "Does the pairing matter?"
_SENTENCE: Final = (
    "Both pairings are right, each with weights trained for it. Turning with the angles of one and the partners of the "
    "other gives a score that depends on where the words stand, not only on how far apart."
)
_ONE_PAIR: Final = "Only one pair turns: its two dimensions are the same under each pairing, and nothing is mixed up."
# From these widths on the table has its numbers, and so many columns of them.
_WITH_NUMBERS: Final = 560.0
_NUMBER_RIGHTS: Final = (0.42, 0.53, 0.64)
_VERDICT, _SPREAD_ROOM = 0.675, 64.0
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
        if self.spread is None or not self.spread.n_measured:
            return None
        size = max(abs(self.spread.lowest), abs(self.spread.highest), 1.0)
        return self.spread.spread <= ROUNDING * size


@record
class Others:
    """What of the table no t changes: columns with titles, and rows with the scores of the second and third one."""

    titles: tuple[tuple[int, str], ...]
    rows: tuple[Row, ...]


def find_spreads(
    encoding: Encoding, share: float, vectors: QueryAndKey, offset: float, task: Task
) -> tuple[DiagonalSpread, ...]:
    """The spread along the diagonal of an offset under each pairing, measured on rotated vectors."""
    return tuple(score_spread(Rotary(encoding, name, share), vectors, offset) for name in PAIRINGS)


def rows_of(
    encoding: Encoding, share: float, vectors: QueryAndKey, cursor: Cursor, spreads: tuple[DiagonalSpread, ...] | None
) -> tuple[Row, ...]:
    """The rows of the table."""
    positions = three_positions(cursor, encoding.n_positions)
    return tuple(
        Row(
            name,
            tuple(score_at(Rotary(encoding, name, share), vectors, t, t + cursor.offset) for t in positions),
            None if spreads is None else spreads[number],
        )
        for number, name in enumerate(PAIRINGS)
    )


def frame_picture(layout: ScoreLayout, pairing: str, n_turning: int, theme: Theme) -> marks.Picture:
    """Titles, names, the ground of the chosen row, and the sentence."""
    width, top = layout.width, layout.table.y
    chosen = row_area(layout, PAIRINGS.index(pairing))
    picture: list[marks.Mark] = [
        marks.Text(0.0, top + 10.0, _TITLE, "title", theme.text),
        marks.Rectangle(*chosen, fill=theme.sunken, radius=6.0),
    ]
    spread = "spread on this diagonal"
    if width - text_width("tick", spread) > _first_free(layout):
        picture.append(marks.Text(width - 6.0, top + 10.0, spread, "tick", theme.text3, across=1.0))
    partners = {"interleaved": "2i with 2i + 1", "half-split": f"i with i + {whole(n_turning)}"}
    partners["mixed"] = "angles of one, partners of the other"
    room = _NUMBER_RIGHTS[0] * width - 66.0 if _has_numbers(layout) else 0.0
    for number, name in enumerate(PAIRINGS):
        y = row_area(layout, number).middle[1]
        picture.append(marks.Text(6.0, y, TITLES[name], "strong", theme.text))
        if 92.0 + text_width("tick", partners["mixed"]) <= room:
            picture.append(marks.Text(92.0, y, partners[name], "tick", theme.text2))
    if layout.is_roomy:
        lines = 2 if width >= _WITH_NUMBERS else 0
        y = layout.table.bottom - 30.0
        told = _SENTENCE if n_turning > 1 else _ONE_PAIR
        picture += paragraph(0.0, y, told, theme.text2, width - 8.0, lines) if lines else ()
    return tuple(picture)


def numbers_here(layout: ScoreLayout, rows: tuple[Row, ...], cursor: Cursor, theme: Theme) -> marks.Picture:
    """The scores at t, those that depend on it in the colour of what fails, and at which offset all are."""
    if not _has_numbers(layout):
        return ()
    note, left = f"score at k = {position(cursor.offset)}", text_width("title", _TITLE) + 14.0
    scores, title = [row.scores[0] for row in rows], f"t = {position(cursor.position)}"
    picture = _column(layout, 0, title, scores, rows, theme)
    if left + text_width("tick", f"{note}{title}") + 8.0 <= _NUMBER_RIGHTS[0] * layout.width:
        picture.append(marks.Text(left, layout.table.y + 10.0, note, "tick", theme.text3))
    return tuple(picture)


def others_of(layout: ScoreLayout, rows: tuple[Row, ...], cursor: Cursor, n: int) -> Others:
    """The rest of the table; where titles have no room the column in the middle is left out."""
    here, *titles = [f"t = {position(t)}" for t in three_positions(cursor, n)]
    step = (_NUMBER_RIGHTS[1] - _NUMBER_RIGHTS[0]) * layout.width
    is_wide = all(text_width("tick", title) + 10.0 <= step for title in (here, *titles))
    columns = (1, 2)[not is_wide :] if _has_numbers(layout) else ()
    return Others(
        tuple((column, titles[column - 1]) for column in columns),
        tuple(replace(row, scores=row.scores[1:]) for row in rows),
    )


def others_picture(layout: ScoreLayout, others: Others, theme: Theme) -> marks.Picture:
    """Scores at other positions, verdicts and spreads."""
    width, rows = layout.width, others.rows
    picture: list[marks.Mark] = []
    for column, title in others.titles:
        picture += _column(layout, column, title, [row.scores[column - 1] for row in rows], rows, theme)
    for number, row in enumerate(rows):
        y = row_area(layout, number).middle[1]
        picture += _verdict(layout, row, y, theme)
        picture.append(marks.Text(width - 6.0, y, _spread(row.spread), "segment", _ink(row, theme), across=1.0))
    return tuple(picture)


def places(layout: ScoreLayout, rows: tuple[Row, ...]) -> list[Place]:
    return [Place(TITLES[row.pairing], row_area(layout, number), _told(row)) for number, row in enumerate(rows)]


def readout(rows: tuple[Row, ...]) -> str:
    """Rows with all digits, tabs between."""
    lines = []
    for row in rows:
        numbers = (*row.scores, None if row.spread is None else row.spread.spread)
        lines.append("\t".join([TITLES[row.pairing], *map(copied, numbers)]))
    return "\n".join(lines)


def row_area(layout: ScoreLayout, number: int) -> Area:
    """Where a row stands."""
    return Area(0.0, layout.table.y + TABLE_HEAD + number * layout.row_height, layout.width, layout.row_height - 1.0)


def _column(
    layout: ScoreLayout, column: int, title: str, scores: list[float], rows: tuple[Row, ...], theme: Theme
) -> list[marks.Mark]:
    right = _NUMBER_RIGHTS[column] * layout.width
    picture: list[marks.Mark] = [marks.Text(right, layout.table.y + 10.0, title, "tick", theme.text3, across=1.0)]
    for number, (score, row) in enumerate(zip(scores, rows, strict=True)):
        y = row_area(layout, number).middle[1]
        picture.append(marks.Text(right, y, score_text(score, 4), "segment", _ink(row, theme), across=1.0))
    return picture


def _ink(row: Row, theme: Theme) -> QColor:
    return theme.bad if row.is_invariant is False else theme.text


def _verdict(layout: ScoreLayout, row: Row, y: float, theme: Theme) -> list[marks.Mark]:
    left = _VERDICT * layout.width if _has_numbers(layout) else _first_free(layout)
    if row.is_invariant is None:
        return []
    word = _GOOD if row.is_invariant else _BAD
    if left + 24.0 + text_width("segment", word) > layout.width - _SPREAD_ROOM:
        word = ""
    if row.is_invariant:
        check = verdict_mark(left + 8.0, y, HOLDS, theme.ok)
        return [check, marks.Text(left + 22.0, y, word, "segment", theme.ok)] if word else [check]
    wide = 34.0 + text_width("segment", word) if word else 22.0
    x = left + 8.0
    triangle = np.array([[x, y - 5.5], [x + 6.0, y + 5.0], [x - 6.0, y + 5.0], [x, y - 5.5]])
    return [
        marks.Rectangle(left - 4.0, y - 10.0, wide, 20.0, fill=theme.bad_ground, radius=10.0),
        marks.Polyline(triangle, theme.bad, 1.4),
        marks.Segments(np.array([[x, y - 2.0, x, y + 1.5]]), theme.bad, 1.4),
        *((marks.Text(left + 22.0, y, word, "segment", theme.bad),) if word else ()),
    ]


def _spread(spread: DiagonalSpread | None) -> str:
    if spread is None:
        return _UNKNOWN
    if not spread.n_measured:
        return "outside N"
    value = spread.spread
    return "0" if value == 0 else short(value) if value >= _SMALLEST_PLAIN else scientific(value)


def _told(row: Row) -> str:
    verdict = {None: "", True: f"{_GOOD}, ", False: f"{_BAD}, "}[row.is_invariant]
    return f"{verdict}spread {_spread(row.spread)}".replace(MINUS, "-")


def _has_numbers(layout: ScoreLayout) -> bool:
    return layout.width >= _WITH_NUMBERS


def _first_free(layout: ScoreLayout) -> float:
    """Right of the title of the table or of its columns."""
    if _has_numbers(layout):
        return _NUMBER_RIGHTS[-1] * layout.width + 12.0
    return text_width("title", _TITLE) + 12.0
