"""The page of reasons: why positions are turned and no longer added, each with a number, and R(k) beside M_k."""

import math
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.rotation import rotating_pairs, rotation_refusal, shift_residuals
from pe_desktop.core.scores.rotary import QueryAndKey, added_of, vectors_of
from pe_desktop.core.scores.rotary_scores import shift_residual
from pe_desktop.core.scores.schemes import Rotary, Scheme
from pe_desktop.core.state import State
from pe_desktop.draw.flow import GROW, Block, Column, Copied, Fits, Formula, Grid, Live, Named, Rule, Space, Words
from pe_desktop.draw.number_text import fixed, position, scientific, whole
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.map_and_profile import half_text
from pe_desktop.views.rotary.terms import matched

EXPLANATION: Final = (
    "Three reasons for turning positions in place of adding them, with what is measured for each; below, a "
    "rotation of RoPE beside the shift matrix of the encoding."
)
_REASONS: Final = {
    "Injected early": (
        "Added once, before the first layer, a position is mixed with the word, and every layer carries both along. "
        "Turned, it enters queries and keys alone: values and outputs contain no position."
    ),
    "Relative only implicitly": (
        "With added positions the score at one offset depends on where it is measured: what is relative is available "
        "if it is learned. Turned, it is enforced: one offset, one score."
    ),
    "Periods and scale": (
        "Hands repeat, and beyond the longest text seen in training slow hands reach angles that never occurred there. "
        "RoPE keeps these frequencies and this limit: that is why bases are raised and positions scaled."
    ),
}
# From these widths on numbers stand beside the text, in two columns of this share each, and the matrices side by side.
_WIDE, _SHARE, _SIDE_BY_SIDE = 620.0, 0.21, 560.0
_Pair = tuple[float, float]
# Values that are larger than this, or all small, are told as powers of ten.
_MOST_PLAIN: Final = 1e3


def questions(state: State) -> tuple[Question, ...]:
    """Half the spread of scores along a diagonal, added and turned."""
    schemes, of = (added_of(state), matched(state)), (state.encoding.n_positions, vectors_of(state))
    return tuple(Question("rotary residual", _residual, (scheme, *of)) for scheme in schemes)


def _residual(scheme: Scheme, n_positions: int, vectors: QueryAndKey, task: Task) -> float | None:
    return shift_residual(scheme, n_positions, *vectors.both, task)


def page(state: State, answers: Answers) -> Block:
    """Each reason with its numbers, beside the text or below it, then R(k) beside M_k."""
    numbers = _evidence(state, answers)
    reasons = [*zip(_REASONS, _REASONS.values(), *numbers, strict=True)]
    wide, narrow = (_reasons(reasons, is_wide=is_wide) for is_wide in (True, False))
    return Column((Fits((wide, narrow), (_WIDE, 0.0)), _inverse(state)), gap=10.0)


def _reasons(reasons: list[tuple[str, str, str, str]], *, is_wide: bool) -> Block:
    columns = (GROW, _SHARE, _SHARE)
    head = (Words("Added", "tick", "text3"), Words("RoPE", "tick", "text3"))
    title = Words("Why positions are turned, not added", "title", is_for_screen=True)
    blocks: list[Block] = [Grid(columns, ((title, *head),)) if is_wide else title, Space(8.0)]
    for number, (name, words, added, rope) in enumerate(reasons, start=1):
        text = Words(f"{number}  {name}", "strong"), Words(words, "caption", "text2", is_paragraph=True)
        if is_wide:
            numbers = (Live(Words(number_text, "segment", n_lines=4)) for number_text in (added, rope))
            row: Block = Grid(columns, ((Column(text, gap=3.0), *numbers),), gap=16.0)
        else:
            row = Column((*text, *(Live(Words(t, "segment", n_lines=2)) for t in (f"Added: {added}", f"RoPE: {rope}"))))
        blocks += [Named(name, row, f"Added: {added}; RoPE: {rope}"), Rule()]
    return Column(tuple(blocks))


def _evidence(state: State, answers: Answers) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The numbers of the three reasons, for added positions and for RoPE."""
    encoding = state.encoding
    share, change = _shares(encoding, vectors_of(state), state.cursor.position)
    pairs = rotating_pairs(encoding) or Rotary(encoding).pairs
    never = 0 if pairs is None else int(np.count_nonzero(pairs.wavelengths > encoding.n_positions))
    count = 0 if pairs is None else pairs.count
    hands = (
        f"{whole(never)} of {whole(count)} hands make no" if count != 1 else f"1 hand makes {'no' if never else 'a'}"
    )
    turns = f"{hands} whole turn in N\u00a0=\u00a0{whole(encoding.n_positions)}"
    spreads = map(answers.answer, questions(state))
    added, turned = ("measuring…" if half is None else f"{half_text(half)} at one offset" for half in spreads)
    return (
        (f"{fixed(100 * share, 1)} % of a query is position", added, turns),
        (
            f"0 %: its length stays, to {_small(change)}" if change else "0 %: its length stays",
            turned,
            "the same hands",
        ),
    )


def _inverse(state: State) -> Block:
    """R(k) of RoPE beside M_k of the encoding for the chosen pair, or why there is none."""
    encoding, cursor, pairs = state.encoding, state.cursor, rotating_pairs(state.encoding)
    title, refusal = Words("R turns back what M turns on", "title"), rotation_refusal(encoding)
    if pairs is None or refusal is not None:
        return Column((title, Words(refusal or "", "caption", "text2", is_paragraph=True)), gap=6.0)
    pair, t, k = min(cursor.pair, pairs.count - 1), cursor.position, cursor.offset
    hand, before, after = (tuple(pairs.hands([place], [pair])[0, 0].tolist()) for place in (t, t - k, t + k))
    s, c = pairs.offset_hands([k], [pair])[0, 0].tolist()
    # The largest |R(k) PE(t) - PE(t - k)| and |M_k PE(t) - PE(t + k)| over all pairs; R(k) is M_-k.
    back, on = (float(shift_residuals(encoding, offset, [t])[0]) for offset in (-k, k))
    here, offset = position(t), position(k)
    blocks = (
        _product("R(k) of RoPE", (c, -s, s, c), hand, before, f"PE({here} − k)", back),
        _product("M_k of the encoding", (c, s, -s, c), hand, after, f"PE({here} + k)", on),
    )
    note = Live(Words(f"pair {whole(pair)}, k = {offset}, (sin, cos)", "tick", "text3"))
    beside = Fits((Grid((GROW, GROW), (blocks,)), Column(blocks, gap=6.0)), (_SIDE_BY_SIDE, 0.0))
    lines = f"largest |R(k) PE(t) - PE(t - k)|\t{back!r}", f"largest |M_k PE(t) - PE(t + k)|\t{on!r}"
    return Column((title, note, beside, Copied(lines)), gap=4.0)


def _product(name: str, matrix: tuple[float, ...], hand: _Pair, result: _Pair, target: str, residual: float) -> Block:
    """A matrix times PE(t), what it gives, and the residual over all pairs."""
    # Entries of a matrix are within 1, values as large as the amplitude makes them.
    is_plain = 0.1 <= max(map(abs, (*hand, *result))) < _MOST_PLAIN
    a, b, c, d = (fixed(entry, 3) for entry in matrix)
    before, after = (
        rf"\matrix{{{first} \\ {second}}}"
        for first, second in ((fixed(x, 3) if is_plain else scientific(x) for x in pair) for pair in (hand, result))
    )
    said = Words(f"= {target}, residual {_small(residual)}", "caption", "text2")
    product = Formula(rf"\matrix{{{a} & {b} \\ {c} & {d}}} {before} = {after}", 14)
    return Column((Formula(name), Live(Column((product, said), gap=4.0))), gap=4.0)


@lru_cache(maxsize=8)
def _shares(encoding: Encoding, vectors: QueryAndKey, t: float) -> tuple[float, float]:
    """How much of q + p is position, and by how much a turn changes |q|."""
    query = vectors.both[0]
    length = float(np.linalg.norm(query))
    position_length = float(np.linalg.norm(encoding.values([t])[0]))
    turned = float(np.linalg.norm(Rotary(encoding).turned(query[np.newaxis], np.array([t]))[0]))
    total = length + position_length
    return position_length / total if total else 0.0, abs(turned - length)


def _small(value: float) -> str:
    return "0" if value == 0 else "undefined" if math.isnan(value) else scientific(value)
