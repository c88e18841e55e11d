"""Turns the answers of all rounds into the lines of a table."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.cases import Line
from benchmarks.rounds import Numbers

HEADER = ("work", "application", "pyqtgraph", "times as fast", "goal", "reached")
DASH = "-"
UNTIMED = {"frames", "resident"}


@dataclass(frozen=True, slots=True)
class Found:
    """One line's numbers, a value for each round."""

    ours: Sequence[float]
    peer: Sequence[float]

    @property
    def ratio(self) -> float:
        """Median over the rounds of peer / application; not a number without a peer."""
        return median([b / a for a, b in zip(self.ours, self.peer, strict=True)]) if self.peer else math.nan

    @property
    def above(self) -> float:
        """Median over the rounds of application - peer."""
        return median([a - b for a, b in zip(self.ours, self.peer, strict=True)]) if self.peer else math.nan


def found(line: Line, answers: Mapping[str, Sequence[Numbers]]) -> Found:
    """The numbers of a line; none where the system doesn't tell them."""
    ours, peer = (answers[name] if name is not None else () for name in (line.ours, line.peer))
    return Found(_values(ours, line.key), _values(peer, line.key))


def table(lines: Sequence[Line], answers: Mapping[str, Sequence[Numbers]]) -> str:
    """The whole table as Markdown that also reads well on a terminal."""
    rows = [HEADER, *(_row(line, found(line, answers)) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    rows.insert(1, tuple(DASH * width for width in widths))
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    )


def _row(line: Line, numbers: Found) -> tuple[str, ...]:
    if not numbers.ours:
        return (line.words, *["not told here"] * 2, DASH, DASH, DASH)
    values = {"ours": median(numbers.ours), "ratio": numbers.ratio, "above": numbers.above}
    goals = [
        (goal, goal.is_reached(values[goal.quantity])) for goal in line.goals if not math.isnan(values[goal.quantity])
    ]
    return (
        line.words,
        _summary(numbers.ours, line),
        _summary(numbers.peer, line) if numbers.peer else DASH,
        _comparison(line, numbers),
        "; ".join(goal.words for goal, _ in goals) or DASH,
        "; ".join("yes" if is_reached else "no" for _, is_reached in goals) or DASH,
    )


def _values(answers: Sequence[Numbers], key: str) -> list[float]:
    return [numbers[key] for numbers in answers if key in numbers]


def _summary(values: Sequence[float], line: Line) -> str:
    return f"{_number(median(values))} ({_number(min(values))}) {line.unit}".rstrip()


def _comparison(line: Line, numbers: Found) -> str:
    if not numbers.peer:
        return DASH
    if line.key == "resident":
        return f"{numbers.above:+.1f} MB"
    return DASH if line.key in UNTIMED else f"{numbers.ratio:.2f}"


def _number(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
