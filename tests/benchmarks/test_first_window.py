"""The benchmark runs to its end, fills every line of its table, and refuses a blank picture."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from benchmarks.cases import QUICK, Goal, cases, lines
from benchmarks.measure import MeasurementError, ink_share, settle, timed_steps
from benchmarks.rounds import turned

ROOT = Path(__file__).parents[2]
# What issue and goals name; the benchmark's own list may not lose one of them unseen.
NAMED = (
    "cursor step, d = 32, N = 128, processor time",
    "cursor step, d = 512, N = 512, by the clock",
    "cursor step, d = 512, N = 1 000 000, by the clock",
    "cursor step, d = 512, N = 1 000 000, processor time",
    "of playing, d = 32",
    "of playing, d = 512",
    "share of a core while playing, d = 32",
    "start to first frame",
    "start to everything drawn and measured",
    "memory when everything is drawn",
    "clock, 256 hands as shown",
    "64 waves of 10 000, curves alone",
    "64 waves of 10 000, all drawn anew",
    "64 waves of 10 000, cursor moved",
    "64 waves of 10 000 000, all drawn anew",
)


@pytest.fixture(scope="module")
def quick_run():
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.first_window", "--quick"],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_quick_run_ends_well(quick_run):
    assert quick_run.returncode == 0, quick_run.stderr
    assert "Traceback" not in quick_run.stderr


@pytest.mark.parametrize("name", NAMED)
def test_named_line_carries_a_number(quick_run, name):
    rows = [line for line in quick_run.stdout.splitlines() if line.startswith("| ") and name in line]
    assert rows
    for row in rows:
        number = re.match(r"([\d.]+(?:e[+-]?\d+)?) \(", row.split("|")[2].strip())
        # Only Linux says how much memory a process has.
        assert number is not None or "not told here" in row
        assert number is None or float(number[1]) > 0


def test_frames_are_drawn_while_playing(quick_run):
    rows = [line.split("|") for line in quick_run.stdout.splitlines() if line.startswith("| frames")]
    assert len(rows) == 2
    for row in rows:
        ours, peer = (int(cell.split()[0]) for cell in row[2:4])
        assert ours >= 2
        assert peer >= 2


def test_every_line_names_programs_that_exist():
    known = cases(QUICK)
    for line in lines(QUICK):
        assert line.ours in known
        assert line.peer is None or line.peer in known


def test_each_round_has_all_programs_in_another_order():
    names = [str(number) for number in range(12)]
    orders = [turned(names, number) for number in range(len(names))]
    assert all(sorted(order) == sorted(names) for order in orders)
    assert len({tuple(order) for order in orders}) == len(names)


def test_goal_holds_at_its_bound_and_not_beyond():
    goal = Goal("ours", "", at_most=8.0)
    assert goal.is_reached(8.0)
    assert not goal.is_reached(8.001)


def test_blank_picture_is_refused(qtbot):
    blank = QWidget()
    qtbot.addWidget(blank)
    blank.resize(200, 100)
    blank.show()
    settle()
    with pytest.raises(MeasurementError, match="blank"):
        ink_share(blank, 1, 1)


class Unpainted:
    """A widget that is never painted."""

    n_frames = 0


def test_step_that_paints_nothing_is_refused(qapp):
    with pytest.raises(MeasurementError, match="once"):
        timed_steps(lambda number: None, [Unpainted()], [], 1)
