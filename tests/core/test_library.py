"""The mathematics as a library: read as arrays, and every example of the notebook page runs."""

import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pe_desktop.core

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "notebook.md").read_text(encoding="utf-8"), re.DOTALL)


def output_of(program):
    """What a fresh Python prints."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    ).stdout


@pytest.mark.parametrize("name", pe_desktop.core.__all__)
def test_every_public_name_exists_and_explains_itself(name):
    assert getattr(pe_desktop.core, name).__doc__


def test_the_examples_of_the_notebook_page_print_what_they_promise():
    program = "".join(EXAMPLES)
    promised = [line.split("# prints ")[1] for line in program.splitlines() if "# prints " in line]
    assert len(promised) >= 5
    assert output_of(program).splitlines() == promised


SMALL = pe_desktop.core.SinusoidalEncoding(50, 8)
# By a plain loop, after the formula of the paper.
TABLE = np.array(
    [[(math.sin, math.cos)[j % 2](t / 10_000 ** ((j - j % 2) / 8)) for j in range(8)] for t in range(50)]
)  # fmt: skip


@pytest.mark.parametrize(
    "index",
    [37, -1, np.int64(3), slice(3, 9), slice(None, None, -7), (3, 4), (slice(3, 9), 0), (slice(2), slice(1, None, 2))],
    ids=repr,
)
def test_an_encoding_is_read_as_an_array_of_its_table(index):
    read = SMALL[index]
    assert np.shape(read) == TABLE[index].shape
    np.testing.assert_allclose(read, TABLE[index], rtol=0, atol=1e-15)


def test_numpy_takes_an_encoding_as_its_whole_table():
    assert (len(SMALL), SMALL.shape) == (50, (50, 8))
    assert np.asarray(SMALL, np.float32).dtype == np.dtype(np.float32)
    np.testing.assert_allclose(np.asarray(SMALL), TABLE, rtol=0, atol=1e-15)
    assert [len(row) for row in SMALL[:]] == [8] * 50


def test_a_window_that_is_not_there_or_too_large_is_refused_with_a_sentence():
    long = pe_desktop.core.SinusoidalEncoding(10_000_000, 512)
    refused: list[tuple[Any, Any, Any]] = [
        (SMALL, 50, IndexError),
        (SMALL, (0, -9), IndexError),
        (SMALL, (1, 2, 3), IndexError),
    ]
    refused += [(SMALL, 0.5, TypeError), (SMALL, [1, 2], TypeError), (long, slice(None), ValueError)]
    for encoding, index, error in refused:
        with pytest.raises(error, match=r"\w{3,} .*\w{3,} "):
            encoding[index]
    with pytest.raises(ValueError, match="GiB"):
        np.asarray(long)
    assert long[-1:].shape == (1, 512)


def test_what_is_measured_computed_and_chosen_is_told_in_one_line():
    state = pe_desktop.core.state_of({"d_model": "64", "scheme": "rope", "clock.mode": "each"})
    seen = pe_desktop.core.attended(state.attention, state.encoding, state.attention.places)
    found = pe_desktop.core.analyse(SMALL).measurements
    for value in (SMALL, state, seen, found, pe_desktop.core.roundings(SMALL, state.precision)):
        assert "\n" not in repr(value)
    assert all(len(repr(one)) < 200 for one in (SMALL, state, seen, *found))
    assert repr(state) == "State(d_model=64, scheme='rope', clock.mode='each')"
    assert repr(pe_desktop.core.State()) == "State()"


# In the order that is asked for: "names" takes each by itself, "modules" loads all, "star" takes all names at once.
ORDERS = """
import importlib, pkgutil
import pe_desktop.core as core
taken = []
for step in {order!r}.split():
    if step == "modules":
        for module in pkgutil.walk_packages(core.__path__, "pe_desktop.core."):
            importlib.import_module(module.name)
    star = {{}}
    exec("from pe_desktop.core import *" if step == "star" else "", star)
    taken.append({{name: star[name] if step == "star" else getattr(core, name) for name in core.__all__}})
modules = [name for names in taken for name, value in names.items() if isinstance(value, type(core))]
print(modules, [name for name in core.__all__ if len({{id(names[name]) for names in taken}}) > 1])
"""


@pytest.mark.parametrize("order", ["names modules star", "modules star names", "star modules names"])
def test_a_public_name_is_the_same_object_whatever_was_imported_before(order):
    assert "measure" in pe_desktop.core.__all__
    assert output_of(ORDERS.format(order=order)) == "[] []\n"
