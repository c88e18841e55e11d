"""The benchmark of the panels of attention runs to its end and fills the lines of its table."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.attention import all_works
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import state_of
from pe_desktop.views.table import VIEWS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("words", ["map of Look back, first", "a step of t, look-back"])
def test_a_line_carries_numbers(words):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.attention", "--quick", "--only", words],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line for line in done.stdout.splitlines() if words in line]
    numbers = r"\| \d+\.\d \| \d+\.\d \| \d+\.\d \| (-|\d+\.\d\d) \| at most"
    assert [bool(re.search(numbers, row)) for row in rows] == [True]


def test_goals_of_the_issue_are_measured():
    works = all_works(is_quick=False)
    assert {work.view for work in works.values() if work.task == "map"} == {"similarity", "look-back", "rotary"}
    assert {work.view for work in works.values() if work.task == "step"} >= {"look-back", "rotary"}
    maps = [state_of(work.given) for work in works.values() if work.view == "rotary"]
    assert {state.views.rotary.scheme for state in maps} == {*SCHEMES} - {"none"}
    for work in works.values():
        assert work.view in VIEWS
        encoding = state_of(work.given).encoding
        assert (encoding.n_positions, encoding.d_model) == (16_384, 128)
