"""The benchmark of the measurements runs to its end and fills the lines of its tables."""

import os
import re
import subprocess
import sys
from pathlib import Path

from benchmarks.measurements import all_works

ROOT = Path(__file__).parents[2]


def test_every_line_carries_numbers():
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.measurements", "--quick"],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(
        r"\| measure, d = 512 \| \d+\.\d\d \| \d+\.\d\d \| 19999 \| at most 3 s \| (yes|no) \|", done.stdout
    )
    assert re.search(r"\| playing beside measure, d = 512 \| \d+ \| \d+ \| \d+\.\d\d \| at least 0.9 \|", done.stdout)


def test_goals_of_the_issue_are_measured():
    sizes = {(work.task, work.n_positions, work.d_model) for work in all_works(is_quick=False).values()}
    assert sizes >= {(task, 10_000_000, d_model) for task in ("measure", "play") for d_model in (4096, 65_536)}
