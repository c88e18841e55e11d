"""The benchmark of the heat map: what is drawn with axes is run, and held against its goals."""

from contextlib import redirect_stdout
from io import StringIO

import pytest

from benchmarks.heatmap import main
from benchmarks.heatmap_goals import AXES_BOUNDS, LARGE, goal_lines
from benchmarks.heatmap_work import AXES_KINDS, AXES_TOOLS, KINDS


def test_each_tool_with_axes_has_three_times_in_its_line_and_each_goal_its_ratio() -> None:
    written = StringIO()
    with redirect_stdout(written):
        assert main(["--quick", "--axes"]) == 0
    lines = written.getvalue().splitlines()
    for tool in AXES_TOOLS:
        cells = next(line for line in lines if line.startswith(f"| {tool}")).split("|")[2:-1]
        assert len(cells) == len(AXES_KINDS)
        assert all(float(part.strip(" )")) > 0 for cell in cells for part in cell.replace("(", ",").split(","))
    for kind in AXES_KINDS:
        line = next(line for line in lines if line.startswith(f"| {kind} against ImageItem, both with axes"))
        assert f"at most {AXES_BOUNDS[kind]:g} times" in line


@pytest.mark.parametrize(("ours", "is_reached"), [(2.6, "yes"), (2.61, "no")])
def test_a_ratio_is_reached_at_its_bound_and_not_beyond(ours: float, is_reached: str) -> None:
    times = {key: 2.0 for kind in AXES_KINDS for key in (kind, f"processor {kind}")}
    answers = {(AXES_TOOLS[0], LARGE): [times | {"pan": ours}], (AXES_TOOLS[1], LARGE): [times]}
    line = next(line for line in goal_lines(answers) if line.startswith("| pan against ImageItem, both"))
    assert line.endswith(f"| {is_reached} |")


def test_what_has_axes_is_not_asked_for_a_change_of_base() -> None:
    with_axes = dict.fromkeys((key for kind in AXES_KINDS for key in (kind, f"processor {kind}")), 2.0)
    kinds = dict.fromkeys((key for kind in KINDS for key in (kind, f"fastest {kind}")), 3.0)
    answers = {(tool, LARGE): [with_axes] for tool in AXES_TOOLS}
    answers |= {(tool, LARGE): [kinds | {"resident": 100.0}] for tool in ("application", "ImageItem")}
    assert "| change of base, ImageItem | 10 times as fast | 1.0 times | no |" in goal_lines(answers)
