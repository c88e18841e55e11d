"""The application has one thread for matrix products; what a person has chosen stays, and so does a notebook's."""

import os
import subprocess
import sys

import pytest

# Prints what OpenBLAS would find at the moment when NumPy is looked for.
WATCH = """
import importlib.abc, os, sys

class Watch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print(os.environ.get("OPENBLAS_NUM_THREADS"))

sys.meta_path.insert(0, Watch())
"""


def threads_of(module: str, **chosen: str) -> str:
    """What OPENBLAS_NUM_THREADS holds when a module loads NumPy, in a process of its own."""
    names = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    words = [sys.executable, "-c", f"{WATCH}import {module}"]
    done = subprocess.run(words, env=environment | chosen, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["pe_desktop.app", "pe_desktop.__main__", "pe_desktop.app.frozen"])
def test_the_application_asks_for_one_thread_before_numpy_is_loaded(module):
    assert threads_of(module) == "1"


def test_a_number_that_a_person_has_chosen_stays():
    assert threads_of("pe_desktop.app", OPENBLAS_NUM_THREADS="4") == "4"
    assert threads_of("pe_desktop.app", OMP_NUM_THREADS="3") == "None"


def test_a_notebook_that_computes_with_the_package_keeps_its_threads():
    assert threads_of("pe_desktop.core.similarity") == "None"
