"""What the house may cost in lines, files, names and imports; an issue that needs more says what it takes away."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.house import static_measures

ROOT = Path(__file__).resolve().parents[2]
VIEWS = ROOT / "pe_desktop" / "views"
# A room, all of the package, the tests; files; the longest chain of imports.
MOST = {
    "lines, app": 1_390,
    "lines, core": 14_315,
    "lines, draw": 5_025,
    "lines, export": 1_770,
    "lines, heat": 1_490,
    "lines, lessons": 865,
    "lines, model": 915,
    "lines, outside rooms": 1_110,
    "lines, panels": 5_110,
    "lines, views": 14_975,
    "lines, window": 6_735,
    "lines, pe_desktop": 53_675,
    "lines, tests": 32_010,
    "files, pe_desktop": 300,
    "longest import chain, without imports in functions": 20,
}
MOST_OF_VIEWS = {
    "attention": 1_090,
    "clock": 1_485,
    "code": 385,
    "compare": 525,
    "decoder": 600,
    "derivations": 1_480,
    "encoding": 110,
    "facts": 390,
    "four_terms": 415,
    "learn": 500,
    "lessons": 525,
    "look_back": 670,
    "matrix": 965,
    "precision": 450,
    "properties": 995,
    "rotary": 985,
    "rotation": 530,
    "similarity": 550,
    "transport": 270,
    "waves": 890,
}
MOST_OF_A_NEW_VIEW = 600
# Functions and classes of modules without an underscore.
MOST_PUBLIC_NAMES = 1_370
# Texts that scenes and pages place themselves, beside the blocks of a page and the axes of a plot.
MOST_PLACED_TEXTS = 110
LONGEST_PAGE, LONGEST_PANEL = 260, 40
# Panels with gestures or controls of their own, and what panels have in common.
OWN_PANELS = {
    "attention", "clock", "compare", "decoder", "facts", "learn", "look_back", "matrix", "parameters", "rotary",
    "lessons", "scene", "similarity", "transport", "waves",
}  # fmt: skip
# Layouts of plots that fill their panel; a page has none.
LAYOUTS = {
    "ClockLayout", "LookBackLayout", "MapLayout", "MatrixLayout", "RotationLayout", "SimilarityLayout", "WavesLayout",
}  # fmt: skip


def n_lines(*files: Path) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


@pytest.fixture(scope="module")
def sources() -> dict[Path, str]:
    """The text of each file of the package."""
    return {file: file.read_text(encoding="utf-8") for file in sorted((ROOT / "pe_desktop").rglob("*.py"))}


def test_rooms_files_tests_and_imports_are_within_their_prices() -> None:
    measures = static_measures(ROOT)
    assert {name: measures[name] for name, most in MOST.items() if measures[name] > most} == {}
    assert {name for name in measures if name.startswith("lines, ")} <= {*MOST}


def test_each_view_is_within_its_price() -> None:
    lines = {folder.name: n_lines(*folder.rglob("*.py")) for folder in VIEWS.iterdir() if folder.is_dir()}
    assert {view: count for view, count in lines.items() if count > MOST_OF_VIEWS.get(view, MOST_OF_A_NEW_VIEW)} == {}


def test_public_names_are_within_their_price(sources: dict[Path, str]) -> None:
    nodes = [node for text in sources.values() for node in ast.parse(text).body]
    names = [node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert sum(not name.startswith("_") for name in names) <= MOST_PUBLIC_NAMES


def test_a_page_and_a_panel_without_gestures_are_short(sources: dict[Path, str]) -> None:
    a_page = re.compile(r"^def (?:page\(|\w+\(_?state: State, _?answers: Answers\) -> Block:)", re.MULTILINE)
    n_pages = {file: len(a_page.findall(text)) for file, text in sources.items() if VIEWS in file.parents}
    assert sum(n_pages.values()) > 5
    assert [file.name for file, n in n_pages.items() if n and n_lines(file) > n * LONGEST_PAGE] == []
    panels = (ROOT / "pe_desktop" / "panels").glob("*_panel.py")
    assert {file.stem.removesuffix("_panel") for file in panels if n_lines(file) > LONGEST_PANEL} <= OWN_PANELS


def test_pages_place_no_text_and_have_no_layout(sources: dict[Path, str]) -> None:
    outside = {file: text for file, text in sources.items() if "draw" not in file.relative_to(ROOT).parts}
    placed = Counter({file.name: text.count("marks.Text(") for file, text in outside.items()})
    assert placed.total() <= MOST_PLACED_TEXTS, placed.most_common(9)
    layouts = {name for text in outside.values() for name in re.findall(r"^class (\w+Layout)\b", text, re.MULTILINE)}
    assert layouts <= LAYOUTS
