"""The page of reasons: why positions are turned and no longer added, each with a number, and R(k) beside M_k."""

import math
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.embedding_sum import EmbeddingSum
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.record import record
from pe_desktop.core.rotation import rotating_pairs, rotation_refusal, shift_residuals
from pe_desktop.core.scores.rotary import QueryAndKey
from pe_desktop.core.scores.rotary_scores import inverse_residual
from pe_desktop.core.scores.schemes import Rotary
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, position, scientific, whole
from pe_desktop.draw.plot import paragraph
from pe_desktop.draw.scene import Area, Place
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import wrapped
from pe_desktop.views.rotary.curve import spread_text

TITLE: Final = "Why positions are turned, not added"
_NAMES: Final = ("Injected early", "Relative only implicitly", "Periods and scale")
_EARLY: Final = (
    "Added once, before the first layer, a position is mixed with the word, and every layer carries both along. "
    "Turned, it enters queries and keys alone: values and outputs contain no position."
)
_IMPLICIT: Final = (
    "With added positions the score at one offset depends on where it is measured: what is relative is available if "
    "it is learned. Turned, it is enforced: one offset, one score."
)
_PERIODS: Final = (
    "Hands repeat, and beyond the longest text seen in training slow hands reach angles that never occurred there. "
    "RoPE keeps these frequencies and this limit: that is why bases are raised and positions scaled."
)
_TEXTS: Final = (_EARLY, _IMPLICIT, _PERIODS)
_ADDED, _ROPE = "Added", "RoPE"
_LINE, _GAP, _HEAD = 17.0, 16.0, 30.0
# From this width on numbers stand beside the text, in two columns of this share together.
_WIDE, _SHARE = 620.0, 0.42
_MATRIX_HEAD: Final = 34.0
_MATRIX_ROW: Final = 24.0
_SIDE_BY_SIDE: Final = 560.0
# Values that are larger than this, or all small, are told as powers of ten.
_MOST_PLAIN: Final = 1e3


@record
class Evidence:
    """The numbers of the three reasons: for added positions and for RoPE, as text."""

    added: tuple[str, str, str]
    rope: tuple[str, str, str]


@record
class Inverse:
    """The blocks of R(k) and M_k for a pair, and PE(t) before and after: sine and cosine.

    residuals: the largest |R(k) PE(t) - PE(t - k)| and |M_k PE(t) - PE(t + k)| over all pairs.
    """

    pair: int
    cosine: float
    sine: float
    hand: tuple[float, float]
    turned: tuple[float, float]
    moved: tuple[float, float]
    residuals: tuple[float, float]


def evidence(
    encoding: Encoding, vectors: QueryAndKey, cursor: Cursor, spreads: tuple[float | None, float | None]
) -> Evidence:
    """The numbers of a state; spreads: half the spread of scores along a diagonal, added and turned."""
    share, change = _shares(encoding, vectors, cursor.position)
    pairs = rotating_pairs(encoding) or Rotary(encoding).pairs
    never = 0 if pairs is None else int(np.count_nonzero(pairs.wavelengths > encoding.n_positions))
    count = 0 if pairs is None else pairs.count
    hands = (
        f"{whole(never)} of {whole(count)} hands make no" if count != 1 else f"1 hand makes {'no' if never else 'a'}"
    )
    turns = f"{hands} whole turn in N\u00a0=\u00a0{whole(encoding.n_positions)}"
    added, turned = (spread_text(half) if half is None else f"{spread_text(half)} at one offset" for half in spreads)
    return Evidence(
        (f"{fixed(100 * share, 1)} % of q + p is position", added, turns),
        (f"0 %; |q| changes by {_small(change)}", turned, "the same hands"),
    )


def inverse(encoding: Encoding, cursor: Cursor) -> Inverse | None:
    """R(k) beside M_k for the chosen pair; None where there is no M_k."""
    pairs = rotating_pairs(encoding)
    if pairs is None or rotation_refusal(encoding) is not None:
        return None
    pair, t, k = min(cursor.pair, pairs.count - 1), cursor.position, cursor.offset
    hand, back, on = (tuple(pairs.hands([place], [pair])[0, 0].tolist()) for place in (t, t - k, t + k))
    sine, cosine = pairs.offset_hands([k], [pair])[0, 0].tolist()
    residuals = inverse_residual(encoding, t, k), float(shift_residuals(encoding, k, [t])[0])
    return Inverse(pair, cosine, sine, hand, back, on, residuals)


def height(encoding: Encoding, width: float) -> float:
    """What the page needs."""
    return _inverse_top(width) + _inverse_height(width, has_rotation=rotation_refusal(encoding) is None) + 8.0


def frame_picture(width: float, theme: Theme) -> marks.Picture:
    """Title, names and texts."""
    picture: list[marks.Mark] = [marks.Text(0.0, 9.0, TITLE, "title", theme.text)]
    if width >= _WIDE:
        for title, x in zip((_ADDED, _ROPE), _columns(width), strict=True):
            picture.append(marks.Text(x, 9.0, title, "tick", theme.text3))
    for number, top in enumerate(_tops(width)):
        if number:
            picture.append(marks.Segments(np.array([[0.0, top - _GAP / 2, width, top - _GAP / 2]]), theme.line))
        picture.append(marks.Text(0.0, top + 10.0, f"{number + 1}  {_NAMES[number]}", "strong", theme.text))
        picture += paragraph(0.0, top + 30.0, _TEXTS[number], theme.text2, _text_width(width), 9, step=_LINE)
    line = _inverse_top(width) - _GAP / 2
    return (*picture, marks.Segments(np.array([[0.0, line, width, line]]), theme.line))


def numbers_picture(
    width: float, told: Evidence, found: Inverse | None, refusal: str, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """The evidence of each reason, and R(k) beside M_k."""
    picture: list[marks.Mark] = []
    for number, top in enumerate(_tops(width)):
        if width >= _WIDE:
            room = width * _SHARE / 2 - 12.0
            for x, text in zip(_columns(width), (told.added[number], told.rope[number]), strict=True):
                picture += paragraph(x, top + 10.0, text, theme.text, room, 4, "segment", 16.0)
            continue
        y = top + 30.0 + _LINE * len(_lines(_TEXTS[number], _text_width(width))) + 4.0
        for name, text in ((_ADDED, told.added[number]), (_ROPE, told.rope[number])):
            lines = _number_lines(f"{name}: {text}", width)
            picture += [marks.Text(0.0, y + 16.0 * n, line, "segment", theme.text) for n, line in enumerate(lines)]
            y += 2 * 16.0 + 2.0
    return (*picture, *_inverse_picture(width, found, refusal, cursor, theme))


def places(width: float, told: Evidence) -> tuple[Place, ...]:
    tops = _tops(width)
    areas = [Area(0.0, top, width, 44.0) for top in tops]
    numbers = zip(told.added, told.rope, strict=True)
    return tuple(
        Place(name, area, f"{_ADDED}: {added}; {_ROPE}: {rope}")
        for name, area, (added, rope) in zip(_NAMES, areas, numbers, strict=True)
    )


def readout(found: Inverse | None) -> str:
    if found is None:
        return ""
    back, on = found.residuals
    return f"largest |R(k) PE(t) - PE(t - k)|\t{back!r}\nlargest |M_k PE(t) - PE(t + k)|\t{on!r}"


@lru_cache(maxsize=8)
def _shares(encoding: Encoding, vectors: QueryAndKey, t: float) -> tuple[float, float]:
    """How much of q + p is position, and by how much a turn changes |q|."""
    query = vectors.both[0]
    length = float(np.linalg.norm(query))
    position_length = float(np.linalg.norm(encoding.values([t])[0]))
    turned = float(np.linalg.norm(Rotary(encoding).rotated(query[np.newaxis], np.array([t]))[0]))
    total = length + position_length
    return EmbeddingSum(length, position_length).share if total else 0.0, abs(turned - length)


def _inverse_picture(
    width: float, found: Inverse | None, refusal: str, cursor: Cursor, theme: Theme
) -> list[marks.Mark]:
    top = _inverse_top(width)
    picture: list[marks.Mark] = [marks.Text(0.0, top + 10.0, "R turns back what M turns on", "title", theme.text)]
    if found is None:
        return [*picture, *paragraph(0.0, top + 32.0, refusal, theme.text2, width - 8.0, 4, step=_LINE)]
    c, s = found.cosine, found.sine
    t, k = cursor.position, cursor.offset
    is_wide = width >= _SIDE_BY_SIDE
    blocks = (
        ("R(k) of RoPE", ((c, -s), (s, c)), found.turned, f"PE({position(t)} − k)", found.residuals[0]),
        ("M_k of the encoding", ((c, s), (-s, c)), found.moved, f"PE({position(t)} + k)", found.residuals[1]),
    )
    note = f"pair {whole(found.pair)}, k = {position(k)}, (sin, cos)"
    picture.append(marks.Text(0.0, top + 30.0, note, "tick", theme.text3))
    for number, block in enumerate(blocks):
        x = number * width / 2 if is_wide else 0.0
        y = top + 52.0 + (0.0 if is_wide else number * _block_height())
        picture += _block(x, y, block, found.hand, theme)
    return picture


def _block(
    x: float,
    y: float,
    block: tuple[str, tuple[tuple[float, float], tuple[float, float]], tuple[float, float], str, float],
    hand: tuple[float, float],
    theme: Theme,
) -> list[marks.Mark]:
    """A matrix times PE(t), what it gives, and the residual over all pairs."""
    name, matrix, result, target, residual = block
    picture: list[marks.Mark] = [marks.FormulaText(x, y, name, 15, theme.text)]
    # Entries of a matrix are within 1, values as large as the amplitude makes them.
    is_plain = 0.1 <= max(map(abs, (*hand, *result))) < _MOST_PLAIN
    columns = (48.0, 96.0, 172.0, 262.0)
    for row in range(2):
        at = y + _MATRIX_HEAD - 8.0 + row * _MATRIX_ROW
        texts = [fixed(entry, 3) for entry in matrix[row]]
        texts += [fixed(value, 3) if is_plain else scientific(value) for value in (hand[row], result[row])]
        for right, text in zip(columns, texts, strict=True):
            picture.append(marks.Text(x + right, at, text, "segment", theme.text, across=1.0))
    middle = y + _MATRIX_HEAD - 8.0 + _MATRIX_ROW / 2
    for left, right in ((2.0, 102.0), (108.0, 178.0), (196.0, 268.0)):
        picture += _brackets(x + left, x + right, middle, theme)
    picture.append(marks.Text(x + 187.0, middle, "=", "label", theme.text2, across=0.5))
    below = y + _MATRIX_HEAD + 2 * _MATRIX_ROW
    text = f"= {target}, residual {_small(residual)}"
    picture.append(marks.Text(x, below, text, "caption", theme.text2))
    return picture


def _brackets(left: float, right: float, middle: float, theme: Theme) -> list[marks.Mark]:
    half = _MATRIX_ROW
    return [
        marks.Polyline(
            np.array(
                [[x + inward, middle - half], [x, middle - half], [x, middle + half], [x + inward, middle + half]]
            ),
            theme.text3,
            1.2,
        )
        for x, inward in ((left, 4.0), (right, -4.0))
    ]


def _block_height() -> float:
    return _MATRIX_HEAD + 2 * _MATRIX_ROW + 30.0


def _inverse_height(width: float, *, has_rotation: bool) -> float:
    if not has_rotation:
        return 110.0
    return 52.0 + _block_height() * (1 if width >= _SIDE_BY_SIDE else 2)


def _inverse_top(width: float) -> float:
    return _tops(width)[-1] + _reason_height(width, 2) + _GAP


@lru_cache(maxsize=16)
def _tops(width: float) -> tuple[float, ...]:
    """Where each reason begins."""
    tops = [_HEAD]
    for number in range(2):
        tops.append(tops[-1] + _reason_height(width, number) + _GAP)
    return tuple(tops)


def _reason_height(width: float, number: int) -> float:
    text = 30.0 + _LINE * len(_lines(_TEXTS[number], _text_width(width)))
    return text if width >= _WIDE else text + 2 * (2 * 16.0 + 2.0) + 4.0


def _text_width(width: float) -> float:
    return width * (1 - _SHARE) - 24.0 if width >= _WIDE else width - 8.0


def _columns(width: float) -> tuple[float, float]:
    """Where the two columns of numbers begin."""
    return width * (1 - _SHARE), width * (1 - _SHARE / 2)


@lru_cache(maxsize=64)
def _lines(text: str, width: float) -> list[str]:
    return wrapped("caption", text, width, 9)


def _number_lines(text: str, width: float) -> list[str]:
    return wrapped("segment", text, width - 8.0, 2)


def _small(value: float) -> str:
    return "0" if value == 0 else "undefined" if math.isnan(value) else scientific(value)
