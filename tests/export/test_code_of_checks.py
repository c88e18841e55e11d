"""The printed programs of Properties and of the fact cards, run by themselves, against what the product measures."""

import numpy as np
import pytest

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.measures import measured
from pe_desktop.core.kinds import KINDS
from pe_desktop.core.measure.periodic import hands_per_decade, resolution
from pe_desktop.core.measure.tables import runs_of
from pe_desktop.core.state import State, state_of
from pe_desktop.export.figures import code
from tests.export.test_code import KIND_CHOICES
from tests.export.test_code_of_figures import numbers_of, result

choices = pytest.mark.parametrize("choice", KIND_CHOICES, ids=lambda choice: " ".join(choice.values()))


def numbers_of_card(key: str) -> list[float]:
    return [number for numbers in measured(key) for number in numbers]


@choices
def test_the_ten_checks_of_a_program_are_those_of_properties(choice):
    shown = state_of({"n_positions": "40", "d_model": "12", **choice})
    np.testing.assert_allclose(result("properties", shown), numbers_of(shown.encoding), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n_positions", ["1", "2", "3", "4", "17", "18"])
@pytest.mark.parametrize("kind", KINDS)
def test_checks_of_short_tables_are_those_of_properties(kind, n_positions):
    shown = state_of({"kind": kind, "n_positions": n_positions, "d_model": "13" if kind == "odd-width" else "12"})
    np.testing.assert_allclose(result("properties", shown), numbers_of(shown.encoding), rtol=1e-12, atol=1e-12)


# Positions are sampled; some maps of them make angles that float64 rounds by 1e-9, and steps that are next to nothing.
@pytest.mark.parametrize("kind", KINDS)
def test_checks_of_long_tables_are_those_of_the_same_sample(kind):
    shown = state_of({"kind": kind, "n_positions": "21000", "d_model": "17" if kind == "odd-width" else "16"})
    assert len(runs_of(shown.encoding)) == 4
    digits = 1e-7 if kind == "position-map" else 1e-11
    np.testing.assert_allclose(result("properties", shown), numbers_of(shown.encoding), rtol=digits, atol=digits)


def test_checks_of_all_pairs_of_five_thousand_rows_that_differ_are_those_of_properties():
    shown = state_of({"kind": "padded", "n_positions": "5000", "d_model": "4", "padding_idx": "7"})
    np.testing.assert_allclose(result("properties", shown), numbers_of(shown.encoding), rtol=1e-11, atol=1e-11)


def test_wide_angles_of_the_check_of_periodic_pairs_are_told():
    text = code("properties", state_of({"kind": "position-map", "n_positions": "4", "d_model": "32"}))
    assert "# Angles reach 222 003 radians" in text
    assert "Angles reach" not in code("encoding", state_of({"kind": "position-map", "n_positions": "4"}))


@choices
def test_hands_by_tenfold_and_by_range_are_those_of_the_page_of_scales(choice):
    shown = state_of({"d_model": "12", **choice, "n_positions": "40", "position": "8.5", "offset": "-5"})
    encoding, found = shown.encoding, result("scales", shown)
    assert found["hands"].tolist() == hands_per_decade(encoding).counts.tolist()
    assert ("served" in found) == (encoding.pairs is not None and encoding.pairs.turns_evenly)
    if "served" in found:
        last = resolution(encoding, 3.5, 8.5)
        np.testing.assert_allclose(found["served"][3], [len(last.hands), 10.0, 100.0, last.share or 0.0], rtol=1e-12)


@pytest.mark.parametrize("key", CARDS)
def test_the_program_of_an_open_card_gives_all_of_its_numbers(key):
    shown = state_of({"facts.card": key, "n_positions": "5", "d_model": "4"})
    # What float32 is off by has few digits of its own.
    digits = 1e-6 if key == "log-space" else 1e-12
    np.testing.assert_allclose(result("facts", shown), numbers_of_card(key), rtol=digits, atol=1e-12)


def test_without_an_open_card_a_program_gives_the_numbers_of_all_that_the_filters_leave():
    filtered = state_of({"facts.verdict": "true", "facts.text": "clock"})
    found = result("facts", filtered)
    listed = [key for key, card in CARDS.items() if (card.verdict, card.text) == ("true", "clock")]
    assert sorted(found) == sorted(listed)
    for key in listed:
        np.testing.assert_allclose(found[key], numbers_of_card(key), rtol=1e-12, atol=1e-12)
    assert max(map(len, code("facts", State()).splitlines())) <= 120
