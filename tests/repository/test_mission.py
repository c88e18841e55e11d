"""The page that says where each part of the five texts is: what it names exists and opens what it should."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.presets import PRESETS
from pe_desktop.core.state import State, state_of
from pe_desktop.views.table import FIGURES

_ROOT = Path(__file__).resolve().parents[2]
_CODE = re.compile("`([^`]+)`")


@dataclass(frozen=True)
class Row:
    """A row of the page: its number, the names in its column "where here", the tests that hold it."""

    number: str
    where: tuple[str, ...]
    tests: tuple[str, ...]


def rows() -> list[Row]:
    lines = (_ROOT / "docs" / "mission.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if re.match(r"\| \d", line)]
    return [Row(row[0], tuple(_CODE.findall(row[4])), tuple(_CODE.findall(row[5]))) for row in cells]


ROWS = rows()


def test_the_page_has_a_row_for_each_part_of_the_five_texts_in_their_order() -> None:
    numbers = [tuple(map(int, row.number.split("."))) for row in ROWS]
    assert numbers == sorted(numbers)
    for text in range(5):
        parts = [part for some, part in numbers if some == text]
        assert parts == list(range(1, len(parts) + 1))
    assert len(numbers) > 100


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_a_row_names_places_that_exist_and_change_what_is_seen(row: Row) -> None:
    assert any(not name.startswith("figure=") for name in row.where)
    for what, _, name in (where.partition("=") for where in row.where):
        if what == "figure":
            assert name in FIGURES
        elif what == "card":
            assert name in CARDS
            assert state_of({"facts.card": name}).views.facts.card == name
        else:
            assert what in ("preset", "front")
            assert what == "front" or name in PRESETS
            # The window opens with the paper's encoding and the three hands.
            assert name in ("paper", "three-hands") or state_of({what: name}) != State()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_a_row_names_tests_that_exist(row: Row) -> None:
    assert row.tests
    for path, _, name in (test.partition("::") for test in row.tests):
        assert f"def {name}(" in (_ROOT / "tests" / path).read_text(encoding="utf-8")
