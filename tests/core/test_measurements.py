"""The ten measurements against plain loops over all pairs, and how one encoding differs from another."""

import math
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from pe_desktop import core
from pe_desktop.core import (
    BitsEncoding,
    CounterEncoding,
    OneWaveEncoding,
    PaddedEncoding,
    RandomEncoding,
    SinusoidalEncoding,
)
from pe_desktop.core.lags import CancelledError
from pe_desktop.core.measuring.differences import difference
from pe_desktop.core.measuring.measurement import EVIDENCE_POINTS, FAR, PROPERTIES, PROPERTY_KEYS
from pe_desktop.core.measuring.measurements import analyse
from pe_desktop.core.measuring.periodic import reach, turning_within
from pe_desktop.core.measuring.tables import MAX_ALL_PAIRS, runs_of
from pe_desktop.core.precision.formats import Precision
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES
from tests.core import exact
from tests.core.schemes import COUNTER, KINDS, LOGARITHM, NEAREST, PAPER, SCHEMES, SINES, Plain, long, measured, turning
from tests.tables import table

VERDICTS = table("core/verdicts")


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts_follow_the_numbers(name):
    found = measured(SCHEMES[name])
    keys = ("unique", "far", "shift_invariant", "linear_shift", "bounded", "norm")
    assert [words.verdict_text(found[key]) for key in keys] == VERDICTS[name]
    assert words.verdict_text(found["periodic"]) == "Fails"  # these plain classes have no pairs


EVERY: list[Any] = [*SCHEMES.values(), *KINDS.values()]


# What the field guide prints in table 1.8 stands in tests/views/test_compare.py.
@pytest.mark.parametrize("scheme", [replace(one, n_positions=130) for one in EVERY], ids=lambda one: str(one)[:20])
def test_numbers_are_those_of_plain_loops_over_all_pairs(scheme):
    n = scheme.n_positions
    table = scheme.values(range(n))
    distances = exact.plain_distances(table)
    offsets = np.subtract.outer(np.arange(n), np.arange(n))
    found, of_pairs = measured(scheme), distances[offsets > 0]
    assert found["bounded"].number == np.abs(table).max()
    assert found["unique"].number == pytest.approx(of_pairs.min(), rel=1e-12)
    assert found["unique"].numbers["offset"] in offsets[offsets > 0][of_pairs <= of_pairs.min() * (1 + 1e-9)]
    assert found["far"].number == pytest.approx(distances[offsets > 16].min(), rel=1e-12)
    assert found["shift_invariant"].number == pytest.approx(exact.plain_gram_deviation(table), rel=1e-9, abs=1e-14)
    assert found["linear_shift"].number == pytest.approx(exact.plain_shift_residual(table), rel=1e-9, abs=1e-14)
    spread = max(np.ptp(np.diagonal(distances, k)) for k in range(1, n))
    assert found["shift_invariant"].numbers["distance_spread"] == pytest.approx(spread, rel=1e-9, abs=1e-12)
    # What is drawn of it are dot products: the least and the largest along each diagonal.
    diagonals = [[sum(one * other) for one, other in zip(table, table[k:], strict=False)] for k in range(1, n)]
    drawn = [[*map(min, diagonals)], [*map(max, diagonals)]]
    np.testing.assert_allclose(found["shift_invariant"].evidence.y, drawn, rtol=1e-12, atol=1e-12)
    assert found["shift_invariant"].evidence.y_name == "dot product"
    norms = np.sqrt((table**2).sum(axis=1))
    assert found["norm"].numbers["shortest"] == pytest.approx(norms.min(), rel=1e-14)
    assert found["norm"].numbers["longest"] == pytest.approx(norms.max(), rel=1e-14)


def test_distances_of_a_hand_keep_their_digits_where_dot_products_lose_them():
    found = measured(SinusoidalEncoding(1000, 2))
    assert found["unique"].number == pytest.approx(6.028870672445e-05, rel=1e-9)
    assert found["unique"].numbers["offset"] == 710
    assert found["shift_invariant"].numbers["distance_spread"] < 2e-13


# From so many positions on each can be told: far ones, two tenfolds of wavelength, three steps, two of a kind.
FEWEST = {
    "deterministic": 1, "smooth": 3, "scales": 63, "linear_shift": 4, "norm": 2, "unique": 2, "bounded": 3,
    "shift_invariant": 3, "periodic": 2, "far": 18,
}  # fmt: skip


@pytest.mark.parametrize("n_positions", [1, 2, 3, 4, 10, 17, 18, 50, 62, 63])
def test_what_too_few_positions_cannot_tell_is_neither_held_nor_failed(n_positions, luck):
    encodings: list[Any] = [SinusoidalEncoding(n_positions, width, spacing="single") for width in range(2, 17, 2)]
    encodings += [SinusoidalEncoding(n_positions, 2 * luck.randint(1, 8), base) for base in (2.0, 1e4)]
    encodings += [OneWaveEncoding(n_positions, width) for width in (1, 3, 16)]
    for encoding in encodings:
        found = measured(encoding)
        undecided = {key for key, one in found.items() if one.verdict == "undecided"}
        expected = {key for key, fewest in FEWEST.items() if n_positions < fewest}
        # A column alone has products that stray from two positions on, and no pair: these are failures.
        assert undecided == expected - {key for key in expected if found[key].verdict == "fails"}
        assert {key for key in expected if found[key].verdict == "fails"} <= {"shift_invariant", "periodic"}
        texts = words.count_texts(found.values(), Precision())
        assert texts[-1] == f"{sum(one.verdict == 'holds' for one in found.values())}/10"
        assert (f"{len(undecided)} can't tell" in texts[0]) == bool(undecided)


def test_values_that_do_not_grow_are_compared_by_root_mean_squares():
    encoding = RandomEncoding(128, 32)
    lengths = [math.hypot(*row) for row in encoding.values(range(128)).tolist()]
    found = measured(encoding)["bounded"]
    early, every = (math.sqrt(math.fsum(x * x for x in part) / len(part)) for part in (lengths[:32], lengths))
    assert (found.numbers["early_length"], found.numbers["mean_length"]) == pytest.approx((early, every), rel=1e-12)
    assert max(lengths) > lengths[0]
    assert f"{early:.3g} in the first quarter" in words.sentence(found)


@pytest.mark.parametrize("code", ["binary", "gray"])
def test_far_positions_that_are_as_near_as_neighbours_are_not_far(code):
    # 0 and 32 differ in one bit; of Gray code 7 and 24, 00100 and 10100, do: as near as neighbours can be.
    table = BitsEncoding(64, 6, code).values(range(64))
    distances = np.linalg.norm(table[:, None] - table[None], axis=2)
    apart = np.abs(np.subtract.outer(np.arange(64), np.arange(64)))
    assert distances[apart > 16].min() == distances[apart == 1].min() == 1.0
    found = measured(BitsEncoding(64, 6, code))["far"]
    assert (found.verdict, found.number) == ("fails", 1.0)
    farthest = f"{distances[apart == 1].max():.4g}"
    assert f"are only 1 apart, neighbours up to {farthest}." in words.sentence(found)
    first = min(apart[(apart > 16) & (distances <= distances[apart == 1].max())])
    assert words.sentence(found).endswith(f"first at k = {first}.")


def test_worst_hand_of_a_fit_is_named():
    def formula(rows):
        table = PAPER.formula(rows)
        table[:, 10] = np.sin(rows**2)
        return table

    numbers = measured(Plain("one bad column", 64, formula))["linear_shift"].numbers
    assert numbers["worst_hand"] == 5
    assert numbers["worst_hand_residual"] > 0.5


@pytest.mark.parametrize("frequency", [1e-9, 0.0])
def test_a_hand_that_stands_still_is_carried_to_itself_and_a_constant_table_shares_its_vector(frequency):
    assert measured(turning("slow", np.array([1.0, frequency])))["linear_shift"].number < 5e-15
    found = measured(Plain("nothing", 4, lambda rows: np.zeros((len(rows), 4)), 40))
    assert (found["unique"].verdict, found["unique"].number) == ("fails", 0)
    assert words.sentence(found["unique"]) == "Positions 0 and 1 share a vector."
    assert found["linear_shift"].number == 0


@pytest.mark.parametrize(("n_positions", "d_model", "distance", "offset"), NEAREST)
def test_all_offsets_are_searched_beyond_the_positions_that_are_compared(n_positions, d_model, distance, offset):
    found = measured(SinusoidalEncoding(n_positions, d_model))["unique"]
    assert found.number == pytest.approx(distance, rel=4e-3)
    assert found.numbers["offset"] == offset
    assert words.verdict_text(found) == "Holds"
    assert words.basis(found) == f"all {n_positions // 1000 - 1}\u2009999 offsets, from their closed form"


def test_a_long_table_that_is_not_shift_invariant_is_measured_at_a_stated_sample():
    found = measured(long(LOGARITHM, 1_000_000))
    told = "4\u2009096 of 1\u2009000\u2009000 positions, in four runs"
    assert words.basis(found["unique"]) == f"2\u2009095\u2009104 pairs of {told}"
    assert words.basis(found["bounded"]) == told
    # The last neighbours are the nearest, and they are in the sample.
    step = math.log1p(999_999) - math.log1p(999_998)
    omega = 10000 ** (-np.arange(32) / 32)
    assert found["unique"].number == pytest.approx(2 * math.sqrt(np.sum(np.sin(step * omega / 2) ** 2)), rel=1e-3)
    assert found["unique"].numbers["other"] == 999_999
    assert found["bounded"].number == pytest.approx(1, abs=1e-6)
    counter = measured(long(COUNTER, 10_000_000))
    assert (counter["bounded"].number, counter["bounded"].verdict) == (9_999_999, "fails")
    assert counter["unique"].number == 1
    assert counter["shift_invariant"].numbers["distance_spread"] == 0
    strays = f"but dot products stray by {100 * counter['shift_invariant'].number:.1f} %."
    assert words.sentence(counter["shift_invariant"]).endswith(strays)


@pytest.mark.parametrize("encoding", [core.PositionMapEncoding(5000, 16), core.OddWidthEncoding(5000, 9)], ids=str)
def test_the_nearest_of_all_rows_are_found_above_4096_where_rows_differ(encoding):
    table = encoding.values(range(5000))
    nearest = min(float(((table[row + 1 :] - table[row]) ** 2).sum(axis=1).min()) for row in range(4999))
    found = measured(encoding)["unique"]
    assert found.number == pytest.approx(math.sqrt(nearest), rel=1e-9)
    assert found.basis.n_measured == 5000


@pytest.mark.parametrize("key", ["unique", "far"])
def test_a_sample_does_not_say_that_all_rows_are_apart(key):
    found = measured(RandomEncoding(1_000_000, 32))[key]
    if found.verdict == "holds":
        assert words.verdict_text(found) == "Holds in the sample"
    assert words.sentence(found).startswith("In the sample, positions ")


def test_a_row_of_zeros_is_no_neighbour_that_others_are_measured_by():
    padded, plain = (measured(kind)["far"] for kind in (PaddedEncoding(), SinusoidalEncoding(spacing="inclusive")))
    assert (padded.verdict, padded.number) == (plain.verdict, pytest.approx(plain.number, rel=1e-12))
    assert "row 1," in words.measured_on(padded)
    assert padded.numbers["farthest_neighbours"] == pytest.approx(plain.numbers["farthest_neighbours"], rel=1e-12)


@pytest.mark.parametrize("size", [(128, 32), (5, 2), (16, 2), (2000, 1)])
def test_vectors_drawn_at_random_do_not_grow(size):
    for seed in range(20):
        assert measured(RandomEncoding(size[0], size[1], seed))["bounded"].verdict == "holds"


@pytest.mark.parametrize("n_positions", [4097, 5000, 16_384, 16_385, 10_000_000])
@pytest.mark.parametrize("d_model", [2, 2048, 2050, 65_536])
def test_a_sample_holds_the_first_the_last_and_neighbours_of_all(n_positions, d_model):
    runs = runs_of(SinusoidalEncoding(n_positions, d_model))
    assert len({len(run) for run in runs}) == 1
    assert sum(map(len, runs)) <= MAX_ALL_PAIRS
    assert sum(map(len, runs)) * d_model <= 2**23
    assert (runs[0][0], runs[2][-1]) == (0, n_positions - 1)
    assert [run.step for run in runs[:3]] == [1, 1, 1]
    assert 0.75 * n_positions < runs[3][-1] <= n_positions - 2
    # Every position counts up to 4096.
    assert runs_of(SinusoidalEncoding(4096, 2048)) == (range(4096),)
    assert len(runs_of(SinusoidalEncoding(4096, 2050))) == 4


@pytest.mark.parametrize("d_model", [4, 128])
def test_so_many_hands_turn_within_the_table_as_plain_angles_do(d_model):
    encoding, omegas = SinusoidalEncoding(100, d_model), exact.omega(d_model)
    for turns in encoding.pairs.turns([0.0, 37.0], 99).tolist():
        assert turns == pytest.approx([99 * omega for omega in omegas], rel=1e-15)
    numbers = measured(encoding)["periodic"].numbers
    n_turning = sum(math.tau / omega <= 100 for omega in omegas)
    assert (numbers["n_turning"], numbers["n_pairs"]) == (n_turning, d_model // 2)


@pytest.mark.parametrize(
    ("word", "far"),
    [("square", 500.0**2), ("root", math.sqrt(500)), ("log", math.log(501)), ("reciprocal", 1 - 1 / 501)],
)
def test_hands_of_a_map_turn_as_often_as_the_map_goes_far(word, far):
    encoding = core.PositionMapEncoding(500, 64, map=word)
    assert reach(encoding, encoding.pairs) == pytest.approx(far, rel=1e-14)
    assert turning_within(encoding, encoding.pairs) == sum(far * omega >= math.tau for omega in exact.omega(64))


def test_evenly_turning_hands_repeat_and_others_do_not():
    found = measured(SinusoidalEncoding(128, 32))["periodic"]
    assert found.verdict == "holds"
    # 2 pi 10^(i / 4) is at most 128 for i = 0 to 5.
    assert (found.number, words.meaning(found)) == (6, "of 16 pairs turn within N")
    assert found.numbers["shortest_wavelength"] == pytest.approx(2 * math.pi)
    assert found.numbers["longest_wavelength"] == pytest.approx(2 * math.pi * 10 ** (15 / 4))
    assert (found.numbers["closest_return"], found.numbers["largest_difference"] < 1e-14) == (44, True)
    found = measured(replace(SCHEMES["square"], pairs=SinusoidalEncoding(512, 64).pairs))["periodic"]
    assert found.verdict == "fails"
    assert found.number == found.numbers["largest_difference"] > 0.1


@pytest.mark.parametrize("scheme", [PAPER, SINES, SinusoidalEncoding(), SinusoidalEncoding(6000, 64)])
def test_results_arrive_one_by_one_the_cheapest_first(scheme):
    heard: list[tuple[tuple[str, ...], float]] = []
    analyse(scheme, report=lambda told: heard.append((tuple(one.key for one in told.measurements), told.share)))
    counts = [len(keys) for keys, _ in heard]
    assert counts == sorted(counts)
    assert set(counts) == set(range(1, 1 + len(PROPERTY_NAMES)))
    assert heard[-1][0][:3] == ("periodic", "scales", "deterministic")
    assert heard[-1][0][-3:] == ("shift_invariant", "unique", "far")
    shares = [share for _, share in heard]
    assert shares == sorted(shares)
    assert (shares[-1], all(0 <= share <= 1 for share in shares)) == (1, True)


@pytest.mark.parametrize("encoding", [SinusoidalEncoding(300, 64), SinusoidalEncoding(50_000, 8), long(SINES, 6000)])
def test_a_measurement_can_be_cancelled_at_any_question(encoding: Any):
    exact.assert_ends_at_any_question(partial(analyse, encoding))


def test_choices_and_sentences_are_those_of_the_file():
    assert (*PROPERTIES,) == PROPERTY_KEYS
    assert PROPERTIES["far"].meaning == f"smallest distance more than {FAR} apart"


def test_evidence_is_small_and_read_only():
    for encoding in (SinusoidalEncoding(5000, 64), SCHEMES["random"], SinusoidalEncoding(1, 2)):
        for one in measured(encoding).values():
            evidence = one.evidence
            assert evidence.y.shape[1:] == evidence.x.shape
            assert len(evidence.x) <= EVIDENCE_POINTS
            assert not evidence.x.flags.writeable
            assert not evidence.y.flags.writeable
            assert np.isfinite(evidence.y).all()
            if evidence.is_logarithmic:
                assert (evidence.y > 0).all()


def test_memory_stays_bounded_at_a_wide_and_long_table():
    encoding = SinusoidalEncoding(100_000, 16_384)
    encoding.values(0)  # frequencies are kept; they are not the measurement's
    heard: list[int] = []

    def measured_until_cancelled():
        with pytest.raises(CancelledError):
            analyse(encoding, lambda: heard[-1:] == [5], lambda told: heard.append(len(told.measurements)))

    assert exact.peak_of(measured_until_cancelled) < 250e6


@pytest.mark.parametrize("d_model", [512, 4096, 65_536])
def test_a_wide_table_is_evaluated_twice_at_most_a_million_values_between_two_questions(monkeypatch, d_model):
    evaluated = exact.evaluated_sizes(monkeypatch, SinusoidalEncoding)
    between: list[int] = [0]

    def is_cancelled():
        between.append(sum(evaluated))
        return False

    # The search among all offsets evaluates no table.
    analyse(SinusoidalEncoding(5000 if d_model == 512 else 200_000, d_model), is_cancelled)
    assert 0 < max(np.diff(between)) <= 2**20
    assert between[-1] <= 2 * 2**23


SMALL = SinusoidalEncoding(128, 32)
TENSOR = SinusoidalEncoding(128, 32, spacing="inclusive", layout="half-split")


@pytest.mark.parametrize("other", [TENSOR, RandomEncoding(128, 32), CounterEncoding(128, 32), OneWaveEncoding(128, 32)])
def test_the_largest_differences_are_those_of_a_plain_loop(other):
    found = difference(other, SMALL)
    here, there = other.values(range(128)).tolist(), SMALL.values(range(128)).tolist()
    apart = {(t, c): abs(here[t][c] - there[t][c]) for t in range(128) for c in range(32)}
    assert found.largest == max(apart.values()) == apart[found.position, found.dimension]
    dots = [
        [math.fsum(map(math.prod, zip(*pair, strict=True))) for pair in product(some, some)] for some in (here, there)
    ]
    assert found.products == pytest.approx(np.ptp(np.array(dots), axis=0).max(), rel=1e-12)
    assert (found.n_positions, found.n_products, found.n_all) == (128, 128, 128)


@pytest.mark.parametrize("layout", ["half-split", "cosine-first"])
@pytest.mark.parametrize("d_model", [4, 32, 512])
def test_a_layout_moves_columns_and_no_dot_product(layout, d_model):
    paper = SinusoidalEncoding(200, d_model)
    found: Any = difference(SinusoidalEncoding(200, d_model, layout=layout), paper)
    assert (found.relation, found.paired) == ("reordered", 0)
    assert found.largest > 0.9
    assert found.products < 1e-15 * d_model * 4
    moved = SinusoidalEncoding(200, d_model, layout=layout).values(range(200))
    assert sorted(map(tuple, moved.T)) == sorted(map(tuple, paper.values(range(200)).T))


# Field guide 4.2: base^(h / (h - 1)) for d = 64 and 512.
@pytest.mark.parametrize(("d_model", "printed"), [(64, 13459.603241553643), (512, 10367.79197060366)])
def test_tensor2tensor_is_the_paper_with_another_base_but_for_rounding(d_model, printed):
    tensor = SinusoidalEncoding(1000, d_model, spacing="inclusive", layout="half-split")
    found: Any = difference(tensor, SinusoidalEncoding(1000, d_model))
    assert (found.relation, [name for name, _ in found.changes]) == ("carried", ["base", "layout"])
    base = dict(found.changes)["base"]
    assert base == pytest.approx(printed, rel=1e-15)
    half = d_model // 2
    assert base == pytest.approx(10_000 ** (half / (half - 1)), rel=1e-15)
    assert found.off < 1e-13
    assert found.largest > 1.9
    rebased = SinusoidalEncoding(1000, d_model, base).values(range(1000))
    table = tensor.values(range(1000))
    assert np.abs(np.concatenate([rebased[:, 0::2], rebased[:, 1::2]], axis=1) - table).max() == found.off
    # The other way: the paper is tensor2tensor with a smaller base.
    back = difference(SinusoidalEncoding(1000, d_model), tensor)
    assert dict(back.changes)["base"] == pytest.approx(10_000 ** ((half - 1) / half), rel=1e-15)


def test_a_start_turns_vectors_a_table_is_itself_and_what_differs_says_so():
    found: Any = difference(SinusoidalEncoding(128, 32, start=2.0), SMALL)
    assert (found.relation, found.changes) == ("carried", (("start", 2.0),))
    assert found.largest > 1
    assert found.products < 1e-13
    assert difference(SMALL, SMALL).relation == "same"
    assert difference(core.PaddedEncoding(128, 32), TENSOR).relation == "different"
    assert difference(SinusoidalEncoding(128, 32, amplitude=2.0), SMALL).changes == (("amplitude", 2.0),)
    assert difference(SinusoidalEncoding(128, 32, 1e9, spacing="inclusive"), SMALL).off is None  # beyond the rule
    # fairseq: the paper with base 10000^(16 / 15), from position 2 on, all sines first.
    fairseq = difference(SinusoidalEncoding(128, 32, spacing="inclusive", layout="half-split", start=2.0), SMALL)
    base, omega = 10_000 ** (16 / 15), [10_000 ** (-i / 15) for i in range(16)]
    assert fairseq.changes == (("base", pytest.approx(base, rel=1e-15)), ("layout", "half-split"), ("start", 2.0))
    rows = [[part((t + 2) * base ** (-i / 16)) for part in (math.sin, math.cos) for i in range(16)] for t in range(128)]
    own = [[part((t + 2) * w) for part in (math.sin, math.cos) for w in omega] for t in range(128)]
    assert fairseq.off == pytest.approx(np.abs(np.subtract(rows, own)).max(), abs=1e-13)
    linear = difference(SinusoidalEncoding(128, 32, spacing="linear"), SMALL)
    assert (linear.relation, linear.changes) == ("different", (("spacing", "linear"),))


def test_other_widths_have_dot_products_alone_and_other_lengths_their_common_positions():
    for other in (BitsEncoding(128, 7), core.OddWidthEncoding(128, 33), OneWaveEncoding(128, 16)):
        found = difference(other, SMALL)
        assert (found.largest, found.paired, found.relation) == (None, None, "different")
        dots = [some.values(range(128)) @ some.values(range(128)).T for some in (other, SMALL)]
        assert found.products == pytest.approx(np.abs(dots[0] - dots[1]).max(), rel=1e-12)
    assert difference(SinusoidalEncoding(40, 32), SMALL).n_all == 40
    # Large tables are compared at a sample.
    long = difference(SinusoidalEncoding(10_000_000, 512, layout="half-split"), SinusoidalEncoding(10_000_000, 512))
    assert (long.relation, long.n_positions, long.n_products) == ("reordered", 8192, 512)
