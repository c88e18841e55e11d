"""run.py as a module, and a checkout for it."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

RUN_PY = Path(__file__).resolve().parents[2] / "run.py"


@pytest.fixture
def run_py() -> ModuleType:
    """The script as a module, fresh for each test."""
    spec = importlib.util.spec_from_file_location("run_py", RUN_PY)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a space and an umlaut, with two locks."""
    folder = tmp_path / "pe désktop ü"
    (folder / "requirements").mkdir(parents=True)
    for group in ("app", "test"):
        (folder / "requirements" / f"{group}.txt").write_text(f"{group}==1 \\\n    --hash=sha256:0\n", newline="\n")
    return folder
