"""The goals of the heat map, each held against the numbers of the same rounds."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import TypeAlias

from benchmarks.heatmap_work import AXES_TOOLS, OPENGL_TOOL

Case: TypeAlias = tuple[str, tuple[int, int]]
Answers: TypeAlias = Mapping[Case, Sequence[dict[str, float]]]

LARGE = (8_192, 4_096)
LONG = (100_000, 1_024)
LONGEST = (10_000_000, 4_096)
WIDEST = (1_000_000, 65_536)
TINY = (100, 128)
GPU_PEERS = ("vispy", "pygfx", "fastplotlib")
# What the goals compare the application with.
AIMED_CASES = (
    *(
        (tool, LARGE)
        for tool in (*GPU_PEERS, "matplotlib", "ImageItem", "ImageItem autoDownsample", "ImageItem OpenGL")
    ),
    ("ImageItem autoDownsample", LONG),
    ("ImageItem", TINY),
    ("ready picture", TINY),
    *((tool, LARGE) for tool in AXES_TOOLS),
)
# Of ImageItem's time with axes, at most.
AXES_BOUNDS = {"pan": 1.3, "jump": 1.3, "cursor": 1.0}


def goal_lines(answers: Answers) -> list[str]:
    """A table: goal, what was reached, and whether that is enough; goals without their peer are left out."""
    rows = [
        _at_most(answers, "pan at a cell a pixel, 8192 x 4096", 5.0, ("application", LARGE), "pan"),
        _at_most(answers, "pan at a cell a pixel, 10 000 000 x 4096", 5.0, ("application", LONGEST), "pan"),
        _at_most(answers, "jump to cells not seen before, 8192 x 4096", 5.0, ("application", LARGE), "jump"),
        _at_most(answers, "jump to cells not seen before, 10 000 000 x 4096", 5.0, ("application", LONGEST), "jump"),
        *(_faster(answers, f"pan, {tool}", 4.0, (tool, LARGE), LARGE, "pan") for tool in GPU_PEERS),
        _faster(answers, "pan, matplotlib", 20.0, ("matplotlib", LARGE), LARGE, "pan"),
        _slower(answers, "pan against ImageItem", 1.5, ("application", LARGE), ("ImageItem", LARGE), "pan"),
        _slower(answers, "jump against ImageItem", 1.5, ("application", LARGE), ("ImageItem", LARGE), "jump"),
        *(_with_axes(answers, kind, bound) for kind, bound in AXES_BOUNDS.items()),
        *(
            _at_most(answers, f"whole table, {size[0]} x {size[1]}", 10.0, ("application", size), "full")
            for size in (LARGE, LONG, (1_000_000, 4_096), LONGEST)
        ),
        _faster(answers, "whole table, autoDownsample", 2.5, ("ImageItem autoDownsample", LONG), LONG, "full"),
        _at_most(answers, "whole table beyond d = 4096: 65 536", 16.0, ("application", WIDEST), "full"),
        _fastest_base(answers),
        _slower(
            answers,
            "unchanged panel against a ready picture",
            1.5,
            ("application", TINY),
            ("ready picture", TINY),
            "repaint",
        ),
        *(_memory(answers, size) for size in (TINY, LARGE, LONGEST, WIDEST)),
    ]
    return ["| goal | bound | reached | |", "| --- | --- | --- | --- |", *(row for row in rows if row)]


def _at_most(answers: Answers, words: str, bound: float, case: Case, kind: str) -> str:
    if case not in answers:
        return ""
    value = median([numbers[kind] for numbers in answers[case]])
    fastest = min(numbers[f"fastest {kind}"] for numbers in answers[case])
    return _row(words, f"at most {bound:g} ms", f"{value:.1f} ms, fastest {fastest:.1f}", is_reached=value <= bound)


def _faster(answers: Answers, words: str, bound: float, peer: Case, size: tuple[int, int], kind: str) -> str:
    ratio = _ratio(answers, ("application", size), peer, kind, lambda ours, theirs: theirs / ours)
    if ratio is None:
        return ""
    return _row(words, f"{bound:g} times as fast", f"{ratio:.1f} times", is_reached=ratio >= bound)


def _slower(answers: Answers, words: str, bound: float, ours: Case, peer: Case, kind: str) -> str:
    ratio = _ratio(answers, ours, peer, kind, lambda own, theirs: own / theirs)
    if ratio is None:
        return ""
    return _row(words, f"at most {bound:g} times", f"{ratio:.2f} times", is_reached=ratio <= bound)


def _with_axes(answers: Answers, kind: str, bound: float) -> str:
    """By the clock; beside other programs the processor's time tells more."""
    ours, peer = (next((case for case in answers if case[0] == tool), (tool, LARGE)) for tool in AXES_TOOLS)
    ratios = [_ratio(answers, ours, peer, key, lambda own, theirs: own / theirs) for key in (kind, f"processor {kind}")]
    if ratios[0] is None:
        return ""
    value = f"{ratios[0]:.2f} times, of the processor {ratios[1]:.2f}"
    return _row(
        f"{kind} against ImageItem, both with axes", f"at most {bound:g} times", value, is_reached=ratios[0] <= bound
    )


def _fastest_base(answers: Answers) -> str:
    others = ("application", OPENGL_TOOL, "ready picture", *AXES_TOOLS)
    peers = [case for case in answers if case[0] not in others and case[1] == LARGE]
    if not peers or ("application", LARGE) not in answers:
        return ""
    fastest = min(peers, key=lambda case: median([numbers["base"] for numbers in answers[case]]))
    return _faster(answers, f"change of base, {fastest[0]}", 10.0, fastest, LARGE, "base")


def _memory(answers: Answers, size: tuple[int, int]) -> str:
    extra = _ratio(answers, ("application", size), ("ImageItem", TINY), "resident", lambda own, empty: own - empty)
    words = f"memory above pyqtgraph with a tiny image, {size[0]} x {size[1]}"
    return "" if extra is None else _row(words, "at most 40 MB", f"{extra:+.1f} MB", is_reached=extra <= 40.0)


def _ratio(
    answers: Answers, ours: Case, peer: Case, key: str, compare: Callable[[float, float], float]
) -> float | None:
    """The median over the rounds of the comparison within a round."""
    if ours not in answers or peer not in answers:
        return None
    return median([compare(own[key], other[key]) for own, other in zip(answers[ours], answers[peer], strict=False)])


def _row(words: str, bound: str, value: str, *, is_reached: bool) -> str:
    return f"| {words} | {bound} | {value} | {'yes' if is_reached else 'no'} |"
