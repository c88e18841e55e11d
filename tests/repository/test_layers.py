"""The rooms of the package stay apart: what import-linter can't see is held here."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "pe_desktop"
DRAWING = {"PySide6", "shiboken6", "pyqtgraph", "matplotlib"}

IMPORT_EVERY_MODULE_OF_CORE = """
import importlib, pkgutil, sys
import pe_desktop.core
for module in pkgutil.walk_packages(pe_desktop.core.__path__, "pe_desktop.core."):
    importlib.import_module(module.name)
assert all([getattr(pe_desktop.core, name) for name in pe_desktop.core.__all__])
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def imported_names(source: str) -> Iterator[str]:
    """Every dotted name that an import statement anywhere in the source can mean."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_modules_import_each_other_in_a_circle() -> None:
    files = {file: ".".join(file.relative_to(ROOT).with_suffix("").parts) for file in PACKAGE.rglob("*.py")}
    modules = {file: name.removesuffix(".__init__") for file, name in files.items()}
    known = {*modules.values()}
    # A name of a package, not one of its modules, is defined or imported by the package itself.
    imports = {
        module: {name if name in known else name.rpartition(".")[0] for name in imported_names(file.read_text("utf-8"))}
        for file, module in modules.items()
    }
    order = [*TopologicalSorter({module: names & known - {module} for module, names in imports.items()}).static_order()]
    assert {*order} == known


def test_the_model_imports_nothing_of_qt_but_qtcore() -> None:
    # import-linter sees external packages as a whole: for it, QtCore and QtWidgets are both PySide6.
    sources = {file.name: file.read_text(encoding="utf-8") for file in (PACKAGE / "model").rglob("*.py")}
    imports = [(file, name) for file, source in sources.items() for name in imported_names(source)]
    qt_imports = [pair for pair in imports if pair[1].partition(".")[0] in DRAWING]
    assert qt_imports
    assert [pair for pair in qt_imports if not f"{pair[1]}.".startswith("PySide6.QtCore.")] == []


def test_importing_core_loads_no_qt() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    program = [sys.executable, "-c", IMPORT_EVERY_MODULE_OF_CORE]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {"pe_desktop", "numpy"} <= loaded
    assert loaded & DRAWING == set()


def test_every_folder_of_the_package_is_seen_by_the_layers_contract() -> None:
    # import-linter overlooks a folder without __init__.py, and the exhaustive contract with it.
    folders = {file.parent for file in PACKAGE.rglob("*.py")}
    assert [folder.name for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


def test_the_contract_of_independent_panels_names_every_panel() -> None:
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    [named] = [contract["modules"] for contract in linter["contracts"] if contract["type"] == "independence"]
    files = sorted((PACKAGE / "panels").glob("*.py"))
    panels = [
        file for file in files if re.search(r"^    key(: .*)? = ", file.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert sorted(named) == [f"pe_desktop.panels.{file.stem}" for file in panels]
