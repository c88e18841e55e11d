"""Each benchmark runs to its end and fills its lines, and a goal is reached at its bound and not beyond."""

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from benchmarks import attention, changes, growth
from benchmarks.cases import QUICK, Goal, cases, lines
from benchmarks.measure import MeasurementError, ink_share, settle, timed_steps
from benchmarks.rounds import turned
from pe_desktop.core.learning.run import TRAINABLE
from pe_desktop.views.table import VIEWS


def quick_rows(benchmark: str, *words: str) -> list[list[str]]:
    """The cells of the table that a quick run writes, without its head."""
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{benchmark}", "--quick", *words],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines() if line[:1] == "|"]
    return [row for row in rows if re.search(r"\d", "".join(row[1:]))]


def check_first_window(_luck: random.Random) -> None:
    rows = quick_rows("first_window")
    assert len(rows) >= len(lines(QUICK))
    # Only Linux says how much memory a process has.
    assert all(float(cell.split()[0]) > 0 for row in rows for cell in row[1:2] if "not told" not in cell)
    frames = [row for row in rows if row[0].startswith("frames")]
    assert len(frames) == 2
    assert min(int(cell.split()[0]) for row in frames for cell in row[1:3]) >= 2


def check_changes(luck: random.Random) -> None:
    name = luck.choice([*changes.GOALS])
    rows = [row for row in quick_rows("changes", "--only", name) if row[0] == name]
    assert len(rows) == len(changes.GOALS[name])
    assert all(row[4] in ("yes", "no", "-") for row in rows)


def check_attention(luck: random.Random) -> None:
    name = luck.choice([*attention.all_works(is_quick=True)])
    (row,) = (row for row in quick_rows("attention", "--only", name) if row[0] == name)
    assert [float(cell) > 0.0 for cell in row[1:4]] == [True] * 3


def check_measurements(_luck: random.Random) -> None:
    rows = {row[0]: row for row in quick_rows("measurements")}
    assert rows["measure, d = 512"][3:5] == ["19999", "at most 3 s"]
    assert rows["playing beside measure, d = 512"][4] == "at least 0.9"


def check_growth(_luck: random.Random) -> None:
    rows = [row for row in quick_rows("growth") if row[-1].endswith(")")]
    assert [row[0] for row in rows] == [view.title for view in VIEWS.values()]
    assert all(float(row[1]) > 0 for row in rows)


def check_learning(_luck: random.Random) -> None:
    _head, *rows = quick_rows("learning")
    assert [row[0] for row in rows] == [*TRAINABLE]
    assert all(row[3] in ("yes", "no") and float(row[1]) > 0 for row in rows)


CHECKS = (check_first_window, check_changes, check_attention, check_measurements, check_growth, check_learning)


def test_a_benchmark_runs_to_its_end_and_fills_its_lines(luck: random.Random) -> None:
    """Another one in each run."""
    luck.choice(CHECKS)(luck)


def test_works_have_goals_and_steps_of_panels_growth_has_an_exponent() -> None:
    assert changes.all_works(is_quick=True).keys() == changes.GOALS.keys()
    assert growth.exponents([(10, 1.0), (100, 10.0), (1000, 1000.0)]) == "1.50 (2.00)"
    works = attention.all_works(is_quick=False).values()
    assert {work.view for work in works if work.task == "step"} >= {"look-back", "rotary"}


def test_a_goal_holds_at_its_bound_and_not_beyond() -> None:
    most, least = changes.Goal("x", "some", 40.0), changes.Goal("x", "some", 50.0, is_most=False)
    assert [most.told([{"x": value}]).endswith("yes") for value in (40.0, 40.1)] == [True, False]
    assert [least.told([{"x": value}]).endswith("yes") for value in (50.0, 49.9)] == [True, False]
    goal = Goal("ours", "", at_most=8.0)
    assert (goal.is_reached(8.0), goal.is_reached(8.001)) == (True, False)


def test_each_round_has_all_programs_in_another_order() -> None:
    names = [str(number) for number in range(12)]
    orders = [turned(names, number) for number in range(len(names))]
    assert all(sorted(order) == sorted(names) for order in orders)
    assert len({tuple(order) for order in orders}) == len(names)
    assert all({line.ours, line.peer or line.ours} <= cases(QUICK).keys() for line in lines(QUICK))


def test_a_blank_picture_and_a_step_that_paints_nothing_are_refused(qtbot: QtBot) -> None:
    class Unpainted:
        n_frames = 0

    blank = QWidget()
    qtbot.addWidget(blank)
    blank.resize(200, 100)
    blank.show()
    settle()
    with pytest.raises(MeasurementError, match="blank"):
        ink_share(blank, 1, 1)
    with pytest.raises(MeasurementError, match="once"):
        timed_steps(lambda number: None, [Unpainted()], [], 1)
