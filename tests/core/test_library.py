"""The mathematics as a library: no Qt, and every example of the notebook page runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import pe_desktop.core

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "notebook.md").read_text(encoding="utf-8"), re.DOTALL)


def output_of(program):
    """What a fresh Python prints."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    ).stdout


def test_importing_the_mathematics_loads_no_qt_and_no_plotting():
    everything = "import sys, pe_desktop.core as core; [getattr(core, name) for name in core.__all__]"
    loaded = output_of(f"{everything}; print(sorted({{name.split('.')[0] for name in sys.modules}}))")
    assert "numpy" in loaded
    assert not [name for name in ("PySide6", "shiboken6", "pyqtgraph", "matplotlib") if repr(name) in loaded]


@pytest.mark.parametrize("name", pe_desktop.core.__all__)
def test_every_public_name_exists_and_explains_itself(name):
    value = getattr(pe_desktop.core, name)
    assert value.__doc__


def test_the_examples_of_the_notebook_page_print_what_they_promise():
    program = "".join(EXAMPLES)
    promised = [line.split("# prints ")[1] for line in program.splitlines() if "# prints " in line]
    assert len(promised) >= 5
    assert output_of(program).splitlines() == promised
