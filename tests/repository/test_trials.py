"""The page of what trials of 0.1 found: no finding is left out, and what it names exists."""

import re
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2]
_COUNTS = {"B": 18, "H": 19, "U": 13, "X": 10, "R": 7, "S": 10, "L": 10, "Re": 10, "K": 10}
_PAGE = (_ROOT / "docs" / "trials.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in _PAGE.splitlines()
    if re.match(r"\| [A-Z]e?\d", line)
]


def test_each_finding_has_one_row() -> None:
    assert [row[0] for row in ROWS] == [f"{kind}{n}" for kind, last in _COUNTS.items() for n in range(1, last + 1)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_says_how_it_stands_and_by_what(row: list[str]) -> None:
    _, what, stands, held = row
    assert what
    assert held
    assert stands in ("mended before", "mended", "looked at", "partly", "left")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_names_tests_that_exist(row: list[str]) -> None:
    for path, name in re.findall(r"`(\w+/[\w/]+\.py)(?:::(\w+))?", row[3]):
        text = (_ROOT / "tests" / path).read_text(encoding="utf-8")
        assert not name or f"def {name}(" in text
