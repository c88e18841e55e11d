"""The page of printed numbers: dot products and a cosine in float32, in two orders of adding."""

from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.precision.formats import Precision
from pe_desktop.core.precision.printed import (
    neighbours,
    printed_numbers,
    sixty_four_sums,
    two_distances,
)
from pe_desktop.core.precision.tables import framework_values
from pe_desktop.core.source.formats import one_sum
from pe_desktop.core.state import State
from pe_desktop.draw.flow import Block, Column, Live, Row, Table, Words
from pe_desktop.draw.number_text import position
from pe_desktop.model.findings import Answers
from pe_desktop.views.precision import words

EXPLANATION: Final = (
    "Dot products and a cosine as a text prints them, in float32 with 64 running sums and with one, and exactly."
)
_TITLES: Final = ("", "printed", "float32, 64 sums", "exact", "float32, one sum")
_MOST_SPREAD: Final = 128


def page(state: State, _answers: Answers) -> Block:
    cursor = state.cursor
    at = f"At t = {position(cursor.position)}, k = {position(cursor.offset)}"
    heading = Words(f"{at}, by NumPy's own functions", "strong", shorter=(f"{at}, by NumPy", at))
    rows = tuple(Row(row) for row in _here(state.encoding, cursor, state.precision))
    return Column(
        (
            Words(words.PRINTED, "strong", is_paragraph=True, is_for_screen=True),
            Table(_TITLES, _printed_rows()),
            Words(words.PRINTED_NOTE, "caption", "text2", is_paragraph=True),
            Live(heading),
            Live(Table(("", ""), rows)),
        ),
        gap=12.0,
    )


def sentence(_state: State, _answers: Answers) -> str:
    return words.PRINTED


@lru_cache(maxsize=1)
def _printed_rows() -> tuple[Row, ...]:
    return tuple(
        Row((number.name, number.printed, repr(number.sixty_four_sums), repr(number.exact), repr(number.one_sum)))
        for number in printed_numbers()
    )


@lru_cache(maxsize=4)
def _here(encoding: Encoding, cursor: Cursor, chosen: Precision) -> tuple[tuple[str, str], ...]:
    """Dot product and distance of rows t and t + k, exact and in the chosen formats: name and value."""
    shown, at = words.shown_precision(chosen), [cursor.position, cursor.position + cursor.offset]
    exact, (a, b) = encoding.values(at), framework_values(encoding, shown, at).astype(np.float32)
    dot, name = float(np.dot(*exact)), shown.dtype
    below, above = neighbours(dot)
    by_differences, by_dots = two_distances(a, b)
    n_spread = min(encoding.n_positions, _MOST_SPREAD)
    return (
        ("PE(t) · PE(t + k), exact", repr(dot)),
        ("the float32 below", repr(below)),
        ("the float32 above", repr(above)),
        (f"in {name}, 64 sums", repr(float(sixty_four_sums(a, b)))),
        (f"in {name}, one sum", repr(float(one_sum(a, b)))),
        (f"spread over {n_spread} t", repr(_spread(encoding, cursor.offset, shown, n_spread))),
        ("distance, exact", repr(float(np.linalg.norm(exact[0] - exact[1])))),
        (f"{name}, differences", repr(by_differences)),
        (f"{name}, dot products", repr(by_dots)),
    )


@lru_cache(maxsize=4)
def _spread(encoding: Encoding, offset: float, shown: Precision, n_positions: int) -> float:
    """By how much dot products at an offset differ over the first positions t, in 64 sums."""
    positions = np.arange(float(n_positions))
    a, b = (framework_values(encoding, shown, at).astype(np.float32) for at in (positions, positions + offset))
    return float(np.ptp(sixty_four_sums(a, b)))
