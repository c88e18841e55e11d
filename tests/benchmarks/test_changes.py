"""The benchmark of changes runs each of its cases and holds every number against a goal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.changes import GOALS, Goal, all_works


@pytest.mark.parametrize("words", ["base, d = 32", "latency", "memory", "figures"])
def test_a_quick_run_fills_its_lines(words: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.changes", "--quick", "--only", words],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith(f"| {words}")]
    assert len(rows) == sum(len(goals) for name, goals in GOALS.items() if name.startswith(words))
    assert all(row[4].rstrip(" |") in ("yes", "no", "-") for row in rows)


def test_each_case_has_goals() -> None:
    assert all_works(is_quick=True).keys() == GOALS.keys()


def test_a_goal_holds_at_its_bound_and_not_beyond() -> None:
    most, least = Goal("x", "some", 40.0), Goal("x", "some", 50.0, is_most=False)
    assert [most.told([{"x": value}]).endswith("yes") for value in (40.0, 40.1)] == [True, False]
    assert [least.told([{"x": value}]).endswith("yes") for value in (50.0, 49.9)] == [True, False]
