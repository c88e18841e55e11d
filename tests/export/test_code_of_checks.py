"""The printed programs of Properties and of the fact cards, run by themselves, against what the product measures."""

import numpy as np
import pytest

from pe_desktop.core import KINDS, State, state_of
from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.measures import measured
from pe_desktop.core.measuring.periodic import resolution, turning_wavelengths
from pe_desktop.core.measuring.tables import runs_of
from pe_desktop.core.source.checks import hands_by_tenfold
from pe_desktop.export.figures import code
from tests.export.test_code import KIND_CHOICES
from tests.export.test_code_of_figures import numbers_of, result


def numbers_of_card(key: str) -> list[float]:
    return [number for numbers in measured(key) for number in numbers]


def sized(n_positions: str, d_model: str) -> list[dict[str, str]]:
    """Every kind in a size, with one more dimension where that has to be odd."""
    widths = {kind: str(int(d_model) + (kind == "odd-width")) for kind in KINDS}
    return [{"kind": kind, "n_positions": n_positions, "d_model": widths[kind]} for kind in KINDS]


# Short tables, long ones, of which positions are sampled, and all pairs of five thousand rows that differ.
TABLES = [
    *({"n_positions": "40", "d_model": "12", **choice} for choice in KIND_CHOICES),
    *(choice for n_positions in ("1", "2", "3", "4", "17", "18") for choice in sized(n_positions, "12")),
    *sized("21000", "16"),
    {"kind": "padded", "n_positions": "5000", "d_model": "4", "padding_idx": "7"},
]


@pytest.mark.parametrize("choice", TABLES, ids=lambda choice: " ".join(choice.values()))
def test_the_ten_checks_of_a_program_are_those_of_properties(choice):
    shown = state_of(choice)
    n_positions = shown.encoding.n_positions
    assert (len(runs_of(shown.encoding)) == 4) == (n_positions == 21_000)
    # Some maps of far positions make angles that float64 rounds by 1e-9, and steps that are next to nothing.
    is_rounded = n_positions == 21_000 and shown.encoding.kind == "position-map"
    digits = 1e-7 if is_rounded else 1e-11 if n_positions > 40 else 1e-12
    np.testing.assert_allclose(result("properties", shown), numbers_of(shown.encoding), rtol=digits, atol=digits)


@pytest.mark.parametrize("choice", KIND_CHOICES, ids=lambda choice: " ".join(choice.values()))
def test_hands_by_tenfold_and_by_range_are_those_of_the_page_of_scales(choice):
    shown = state_of({"d_model": "12", **choice, "n_positions": "40", "position": "8.5", "offset": "-5"})
    encoding, found = shown.encoding, result("scales", shown)
    assert found["hands"].tolist() == hands_by_tenfold(turning_wavelengths(encoding))["hands"].tolist()
    assert ("served" in found) == (encoding.pairs is not None and encoding.pairs.turns_evenly)
    if "served" in found:
        hands, share = resolution(encoding, 3.5, 8.5)
        np.testing.assert_allclose(found["served"][3], [len(hands), 10.0, 100.0, share], rtol=1e-12)


TRAINED = [key for key, card in CARDS.items() if any(line.measure.startswith("learned-") for line in card.lines)]


@pytest.mark.parametrize("key", TRAINED)
def test_the_card_of_a_trained_head_has_no_program(key):
    with pytest.raises(ValueError, match=f"^{key} has no program: a training is more than a call"):
        code("facts", state_of({"facts.card": key}))


@pytest.mark.parametrize("key", [key for key in CARDS if key not in TRAINED])
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
