"""The benchmark of growth fills a line for each view, and its exponents are slopes of logarithms."""

import os
import re
import subprocess
import sys
from pathlib import Path

from benchmarks.growth import exponents
from pe_desktop.views.table import VIEWS


def test_a_quick_run_fills_a_line_for_each_view() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.growth", "--quick"],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if re.match(r"\| \w.*\) \|$", line)]
    assert [row[0].removeprefix("| ") for row in rows] == [view.title for view in VIEWS.values()]
    assert all(float(row[1]) > 0 for row in rows)


def test_exponents_are_slopes_of_logarithms() -> None:
    assert exponents([(10, 1.0), (100, 10.0), (1000, 1000.0)]) == "1.50 (2.00)"
    assert exponents([(10, 3.0), (1000, 3.0)]) == "0.00 (0.00)"
