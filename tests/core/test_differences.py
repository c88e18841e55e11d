"""How one encoding differs from another: plain loops, column permutations, and a base that makes it rounding."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from pe_desktop import core
from pe_desktop.core import BitsEncoding, CounterEncoding, OneWaveEncoding, RandomEncoding, SinusoidalEncoding
from pe_desktop.core.measuring.differences import difference

PAPER = SinusoidalEncoding(128, 32)
TENSOR = SinusoidalEncoding(128, 32, spacing="inclusive", layout="half-split")


@pytest.mark.parametrize("other", [TENSOR, RandomEncoding(128, 32), CounterEncoding(128, 32), OneWaveEncoding(128, 32)])
def test_the_largest_differences_are_those_of_a_plain_loop(other):
    found = difference(other, PAPER)
    here, there = other.values(range(128)).tolist(), PAPER.values(range(128)).tolist()
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
    found: Any = difference(SinusoidalEncoding(128, 32, start=2.0), PAPER)
    assert (found.relation, found.changes) == ("carried", (("start", 2.0),))
    assert found.largest > 1
    assert found.products < 1e-13
    assert difference(PAPER, PAPER).relation == "same"
    assert difference(core.PaddedEncoding(128, 32), TENSOR).relation == "different"
    assert difference(SinusoidalEncoding(128, 32, amplitude=2.0), PAPER).changes == (("amplitude", 2.0),)
    assert difference(SinusoidalEncoding(128, 32, 1e9, spacing="inclusive"), PAPER).off is None  # beyond the rule
    # fairseq: the paper with base 10000^(16 / 15), from position 2 on, all sines first.
    fairseq = difference(SinusoidalEncoding(128, 32, spacing="inclusive", layout="half-split", start=2.0), PAPER)
    base, omega = 10_000 ** (16 / 15), [10_000 ** (-i / 15) for i in range(16)]
    assert fairseq.changes == (("base", pytest.approx(base, rel=1e-15)), ("layout", "half-split"), ("start", 2.0))
    rows = [[part((t + 2) * base ** (-i / 16)) for part in (math.sin, math.cos) for i in range(16)] for t in range(128)]
    own = [[part((t + 2) * w) for part in (math.sin, math.cos) for w in omega] for t in range(128)]
    assert fairseq.off == pytest.approx(np.abs(np.subtract(rows, own)).max(), abs=1e-13)
    linear = difference(SinusoidalEncoding(128, 32, spacing="linear"), PAPER)
    assert (linear.relation, linear.changes) == ("different", (("spacing", "linear"),))


def test_other_widths_have_dot_products_alone_and_other_lengths_their_common_positions():
    for other in (BitsEncoding(128, 7), core.OddWidthEncoding(128, 33), OneWaveEncoding(128, 16)):
        found = difference(other, PAPER)
        assert (found.largest, found.paired, found.relation) == (None, None, "different")
        dots = [some.values(range(128)) @ some.values(range(128)).T for some in (other, PAPER)]
        assert found.products == pytest.approx(np.abs(dots[0] - dots[1]).max(), rel=1e-12)
    assert difference(SinusoidalEncoding(40, 32), PAPER).n_all == 40
    # Large tables are compared at a sample.
    long = difference(SinusoidalEncoding(10_000_000, 512, layout="half-split"), SinusoidalEncoding(10_000_000, 512))
    assert (long.relation, long.n_positions, long.n_products) == ("reordered", 8192, 512)
