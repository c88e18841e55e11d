"""The goals of distances, lags and similarity map, each held against the numbers of the same rounds."""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import TypeAlias

from benchmarks.similarity_work import SimilarityWork

Numbers: TypeAlias = dict[str, float]
Answers: TypeAlias = Mapping[SimilarityWork, Sequence[Numbers]]

MILLION = 1_000_000
SMALLEST_MEMORY = 0.1


def goal_lines(answers: Answers) -> list[str]:
    """A table: goal, what was reached, and whether that is enough; goals without their peer are left out."""
    by_name = {(work.task, work.tool, work.n_positions, work.d_model): found for work, found in answers.items()}
    rows = [
        *(_faster(by_name, tool, 1000) for tool in ("listing 4, NumPy", "listing 4, torch")),
        *(_lighter(by_name, tool, 200) for tool in ("listing 4, NumPy", "listing 4, torch")),
        _faster(by_name, "scipy cdist", 100),
        _faster(by_name, "matrix product", 6),
        _at_most(by_name, "all lags, N = 1 000 000, d = 1000", 100, "milliseconds", "ms"),
        _at_most(by_name, "error of these", 1e-9, "error", ""),
        _growth(by_name, "growth with N, exponent", (MILLION // 4, 1000)),
        _growth(by_name, "growth with d, exponent", (MILLION, 250)),
        _map(by_name, 50),
    ]
    return ["| goal | bound | reached | |", "| --- | --- | --- | --- |", *(row for row in rows if row)]


Found: TypeAlias = Mapping[tuple[str, str, int, int], Sequence[Numbers]]


def _faster(found: Found, tool: str, bound: float) -> str:
    ratio = _ratio(found, ("distances", "application", 1000, 1000), ("distances", tool, 1000, 1000), _time_ratio)
    words = f"distances, N = d = 1000, {tool}"
    return "" if ratio is None else _row(words, f"{bound:g} times as fast", f"{ratio:.3g} times", ratio >= bound)


def _lighter(found: Found, tool: str, bound: float) -> str:
    def compare(own: Numbers, other: Numbers) -> float:
        return other.get("extra", math.nan) / max(own.get("extra", math.nan), SMALLEST_MEMORY)

    ratio = _ratio(found, ("distances", "application", 1000, 1000), ("distances", tool, 1000, 1000), compare)
    words = f"extra memory of the same, {tool}"
    return "" if ratio is None else _row(words, f"{bound:g} times less", f"{ratio:.3g} times", ratio >= bound)


def _at_most(found: Found, words: str, bound: float, key: str, unit: str) -> str:
    numbers = found.get(("lags", "application", MILLION, 1000))
    if not numbers:
        return ""
    value = median([some[key] for some in numbers])
    return _row(words, f"at most {bound:g} {unit}".rstrip(), f"{value:.3g} {unit}".rstrip(), value <= bound)


def _growth(found: Found, words: str, small: tuple[int, int]) -> str:
    """The exponent between a size and one four times as large."""

    def compare(own: Numbers, other: Numbers) -> float:
        return math.log(other["milliseconds"] / own["milliseconds"], 4)

    exponent = _ratio(found, ("lags", "application", *small), ("lags", "application", MILLION, 1000), compare)
    return "" if exponent is None else _row(words, "at most 1", f"{exponent:.2f}", exponent <= 1)


def _map(found: Found, bound: float) -> str:
    size = next(((n, d) for task, _, n, d in found if task == "map"), (0, 0))
    ratio = _ratio(found, ("map", "application", *size), ("map", "matrix product, ImageItem", *size), _time_ratio)
    words = f"first similarity map, N = {size[0]}, matrix product and ImageItem"
    return "" if ratio is None else _row(words, f"{bound:g} times as fast", f"{ratio:.3g} times", ratio >= bound)


def _time_ratio(own: Numbers, other: Numbers) -> float:
    return other["milliseconds"] / own["milliseconds"]


def _ratio(
    found: Found,
    ours: tuple[str, str, int, int],
    peer: tuple[str, str, int, int],
    compare: Callable[[Numbers, Numbers], float],
) -> float | None:
    """The median over the rounds of the comparison within a round."""
    if not found.get(ours) or not found.get(peer):
        return None
    return median([compare(own, other) for own, other in zip(found[ours], found[peer], strict=False)])


def _row(words: str, bound: str, value: str, is_reached: bool) -> str:
    return f"| {words} | {bound} | {value} | {'yes' if is_reached else 'no'} |"
