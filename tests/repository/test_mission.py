"""The page that says where each part of the five texts is: the places that it names exist and change what is shown."""

import re
from pathlib import Path

import pytest

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.presets import PRESETS
from pe_desktop.core.state import State, state_of
from pe_desktop.views.table import VIEWS

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "mission.md"
_BY_TITLE = {preset.title: key for key, preset in PRESETS.items()}


def rows() -> dict[str, str]:
    """The last column of the page, where a part can be seen, by the number of its row."""
    lines = (line.strip("|").split("|") for line in _PAGE.read_text(encoding="utf-8").splitlines())
    return {cells[0].strip(): cells[-1] for cells in lines if re.match(r" \d+\.\d+ $", cells[0])}


def test_the_page_has_a_row_for_each_part_of_the_five_texts_in_their_order() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in rows()]
    counts = [max(part for text, part in numbers if text == chosen) for chosen in range(5)]
    assert numbers == [(text, part) for text, count in enumerate(counts) for part in range(1, count + 1)]
    assert len(numbers) > 100


@pytest.mark.parametrize(("number", "places"), rows().items())
def test_each_part_names_entries_of_the_list_cards_or_panels_that_exist(number: str, places: str) -> None:
    cards = re.findall("`([^`]+)`", places)
    panels = re.findall(r"\*\*([^*]+)\*\*", places)
    presets = re.findall(r"\*([^*]+)\*", re.sub(r"\*\*[^*]+\*\*", "", places))
    assert cards or panels or presets
    assert set(cards) <= set(CARDS)
    assert set(panels) <= {row.title for row in VIEWS.values()}
    for preset in (_BY_TITLE[title] for title in presets):
        # The window opens with the paper's encoding and the three hands.
        assert preset in ("paper", "three-hands") or state_of({"preset": preset}) != State()
