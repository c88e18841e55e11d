"""The application has one thread for matrix products; what a person has chosen stays, and so does a notebook's."""

import os
import subprocess
import sys

# Prints what OpenBLAS would find at the moment when NumPy is looked for.
WATCH = """
import importlib.abc, os, sys

class Watch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            print(os.environ.get("OPENBLAS_NUM_THREADS"))

sys.meta_path.insert(0, Watch())
"""


def threads_of(statement: str, **chosen: str) -> str:
    """What OPENBLAS_NUM_THREADS holds when a statement loads NumPy, in a process of its own."""
    names = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    words = [sys.executable, "-c", f"{WATCH}{statement}"]
    done = subprocess.run(words, env=environment | chosen, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


APPLICATION = "from pe_desktop.app import main; main(['facts', '--text', 'wu'])"
COMMAND = "import runpy; sys.argv[1:] = ['facts', '--text', 'wu']; runpy.run_module('pe_desktop', run_name='__main__')"


def test_the_application_asks_for_one_thread_where_no_number_was_chosen_and_a_notebook_keeps_its_own(luck):
    assert threads_of(luck.choice([APPLICATION, COMMAND, "import pe_desktop.app.frozen"])) == "1"
    assert threads_of(APPLICATION, OPENBLAS_NUM_THREADS="4") == "4"
    assert threads_of(APPLICATION, OMP_NUM_THREADS="3") == "None"
    assert threads_of("import pe_desktop.core.fields.similarity") == "None"
