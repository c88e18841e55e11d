"""Checks of Properties against closed forms and plain loops: smooth, deterministic, and a hand for every scale."""

import itertools
import math

import numpy as np
import pytest

from pe_desktop import core
from pe_desktop.core.measuring.measurements import analyse
from pe_desktop.core.measuring.periodic import hands_per_decade, resolution, turning_wavelengths
from pe_desktop.core.source.checks import hands_by_tenfold
from pe_desktop.views.properties import words
from tests.core.schemes import SCHEMES, Plain, encoding_of, long
from tests.tables import table


def measured(encoding, key="smooth"):
    return analyse(encoding).measurement(key)


@pytest.mark.parametrize("name", SCHEMES)
def test_steps_and_bends_are_those_of_a_plain_loop(name):
    scheme = long(SCHEMES[name], 200)
    rows = scheme.table
    steps = [math.dist(rows[t], rows[t + 1]) for t in range(199)]
    bends = [math.dist(rows[t + 2] - rows[t + 1], rows[t + 1] - rows[t]) for t in range(198)]
    found = measured(scheme)
    ratio, bend = max(steps) / np.median(steps), np.median(bends) / np.median(steps)
    assert found.number == pytest.approx(bend if ratio <= 2 and bend > 1 + 1e-9 else ratio, rel=1e-9)
    assert found.numbers["bend"] == pytest.approx(np.median(bends) / np.median(steps), rel=1e-9, abs=1e-12)
    assert (found.verdict == "holds") == (max(steps) <= 2 * np.median(steps) and np.median(bends) <= np.median(steps))


@pytest.mark.parametrize("spacing", ["geometric", "inclusive", "linear", "single"])
def test_steps_of_evenly_turning_pairs_are_equal_and_as_long_as_their_closed_form(spacing):
    encoding = core.SinusoidalEncoding(3000, 64, spacing=spacing, amplitude=0.5)
    omega = encoding.pairs.angular_frequencies.tolist()
    step = 0.5 * math.sqrt(math.fsum(4 * math.sin(w / 2) ** 2 for w in omega))
    bend = 0.5 * math.sqrt(math.fsum(16 * math.sin(w / 2) ** 4 for w in omega))
    found = measured(encoding)
    assert found.number == pytest.approx(1, abs=1e-12)
    assert found.numbers["median_step"] == pytest.approx(step, rel=1e-12)
    assert found.numbers["bend"] == pytest.approx(bend / step, rel=1e-12)
    assert (found.verdict, found.finding, found.numbers["position"]) == ("holds", "equal", None)


@pytest.mark.parametrize(("n_positions", "at"), [(128, 63), (512, 255), (10_000_000, 2**23 - 1)])
def test_a_binary_number_changes_most_before_the_largest_power_of_two(n_positions, at):
    found = measured(core.BitsEncoding(n_positions, 32))
    assert found.number == math.sqrt(math.log2(at + 1) + 1)
    assert (found.numbers["position"], found.numbers["other"], found.verdict) == (at, at + 1, "fails")


def test_equal_steps_that_lead_elsewhere_are_not_smooth():
    gray, drawn = measured(core.BitsEncoding(128, 7, "gray")), measured(core.RandomEncoding(512, 64))
    assert (gray.verdict, gray.number, gray.numbers["bend"]) == ("fails", *[pytest.approx(math.sqrt(2))] * 2)
    assert (drawn.verdict, drawn.finding) == ("fails", "bends")
    assert drawn.number == drawn.numbers["bend"]
    # Three independent vectors: variances 1, 4 and 1 over those of two.
    assert drawn.numbers["bend"] == pytest.approx(math.sqrt(6 / 2), rel=0.05)


def test_one_position_a_constant_and_a_table_that_rarely_moves():
    assert measured(core.SinusoidalEncoding(1, 8)).finding == "too_few"
    still = measured(Plain("still", 2, lambda rows: np.ones((len(rows), 2)), 40))
    rare = measured(Plain("rare", 2, lambda rows: np.ones((len(rows), 2)) * (rows[:, np.newaxis] > 30), 40))
    assert (still.verdict, still.number, rare.verdict, rare.number) == ("holds", None, "fails", None)
    assert words.sentence(rare) == "Most steps have length 0, but one is 1.414 long."
    # A sample says how many steps it has.
    basis = words.basis(measured(core.SinusoidalEncoding(1_000_000, 8)))
    assert basis.endswith("of 999\u2009999 steps, in four runs and before powers of two")


def test_a_formula_gives_the_same_bits_twice_and_what_changes_with_a_seed_or_by_itself_is_found():
    encodings = core.SinusoidalEncoding(), core.RandomEncoding(128, 32, seed=5)
    fixed, drawn = (measured(encoding, "deterministic") for encoding in encodings)
    assert (fixed.verdict, fixed.number, fixed.numbers["changed_values"]) == ("holds", 0, 0)
    assert (drawn.verdict, drawn.finding) == ("fails", "drawn")
    assert drawn.numbers == {"changed_values": 128 * 32, "compared_values": 128 * 32}
    here, there = (core.RandomEncoding(128, 32, seed=seed).values(range(128)) for seed in (5, 4))
    assert drawn.number == np.abs(here - there).max()
    assert "with another seed" in words.sentence(drawn)
    calls = itertools.count()
    changing = Plain("counted", 2, lambda rows: np.full((len(rows), 2), float(next(calls))), 10)
    found = measured(changing, "deterministic")
    assert (found.verdict, found.numbers["changed_values"]) == ("fails", 20)


@pytest.mark.parametrize(("base", "printed"), [(8192.0, "65.4"), (10_000.0, "64.0")])
def test_hands_per_decade_are_those_of_the_seed(base, printed):
    turning = turning_wavelengths(core.SinusoidalEncoding(100, 512, base))
    assert f"{hands_per_decade(turning):.1f}" == printed
    # Exponents of the wavelengths over 2 pi, which no rounding moves across an edge.
    exponents, found = [math.log10(base) * pair / 256 for pair in range(256)], hands_by_tenfold(turning)
    assert found["hands"].tolist() == [sum(math.floor(some) == j for some in exponents) for j in range(4)]
    assert found["edges"].tolist() == pytest.approx([2 * math.pi * 10**j for j in range(5)], rel=1e-15)
    # One hand has no rate, and a counter has no hand.
    one, none = (
        turning_wavelengths(encoding) for encoding in (core.SinusoidalEncoding(100, 2), core.CounterEncoding(100, 8))
    )
    assert (hands_by_tenfold(one)["hands"].tolist(), hands_per_decade(one)) == ([1], math.inf)
    assert ([one.tolist() for one in hands_by_tenfold(none).values()], hands_per_decade(none)) == ([[], []], 0.0)


# 2π 1000 is beyond 6283 positions; at 62 one tenfold is all that there is; of 6.28 and 628 none is from 62.8 on; 2π 100
# itself is the limit that no hand reaches at base 100; bits have periods 8, 16, 32 and 64, 128.
@pytest.mark.parametrize(("given", "verdict", "fewest"), table("core/scales"), ids=str)
def test_every_tenfold_of_wavelength_up_to_n_needs_a_hand(given, verdict, fewest):
    found = measured(encoding_of(**given), "scales")
    assert (found.verdict, found.number) == (verdict, fewest)
    assert " 1 hands" not in words.sentence(found)


def test_a_check_of_scales_says_how_unevenly_hands_are_spread_and_names_a_missing_scale():
    # 2 pi / (1 - i / 16) positions: 14 hands below 20 pi, one from there to 200 pi.
    found = measured(core.SinusoidalEncoding(128, 32, spacing="linear"), "scales")
    assert words.sentence(found).endswith(": 1 to 14.")
    gap = measured(core.SinusoidalEncoding(100, 4), "scales")
    assert words.sentence(gap) == "No hand has a wavelength from 62.83 to below 628.3 positions."


@pytest.mark.parametrize(("first", "last"), [(1, 10), (100, 200), (600, 700), (37, 45)])
def test_a_range_is_served_by_the_hands_that_turn_a_twentieth_to_a_half_across_it(first, last):
    encoding = core.SinusoidalEncoding(1000, 512)
    hands, share = resolution(encoding, first, last)
    turns = [(last - first) * 10_000 ** (-pair / 256) / (2 * math.pi) for pair in range(256)]
    assert hands.tolist() == [pair for pair in range(256) if 0.05 <= turns[pair] <= 0.5]
    chords = [4 * math.sin(math.pi * turn) ** 2 for turn in turns]
    assert share == pytest.approx(sum(chords[pair] for pair in hands) / sum(chords), rel=1e-12)


def test_the_widest_table_is_asked_for_two_rows_alone_and_hands_that_turn_as_one_serve_no_wide_range():
    hands, _ = resolution(core.SinusoidalEncoding(10_000_000, 65_536), 600, 700)
    assert len(hands) == pytest.approx(65_536 / 8, abs=1)
    assert np.diff(hands).tolist() == [1] * (len(hands) - 1)
    assert resolution(core.SinusoidalEncoding(128, 32, spacing="single"), 100, 200)[0].tolist() == []
