"""What is measured of schemes of scores, against plain sums and what is published of them."""

import numpy as np
import pytest

from pe_desktop.core.measuring.measurement import FAILS, HOLDS, HOLDS_UP_TO, UNDECIDED
from pe_desktop.core.measuring.schemes import SchemeMeasurement, measure_scheme
from pe_desktop.core.scores.rotary import QueryAndKey
from pe_desktop.core.scores.schemes import SCHEMES, T5
from pe_desktop.core.state import state_of
from tests.core.scores.loops import bias, plain_head, projected

SIZES = {"n_positions": "100", "d_model": "16"}


def found(**given: str) -> dict[str, SchemeMeasurement]:
    return {one.key: one for one in measure_scheme(state_of({**SIZES, **given}))}


def verdicts(**given: str) -> list[str]:
    return [one.verdict for one in found(**given).values()]


@pytest.mark.parametrize("n_positions", ["2", "100", "5000", "10000000"])
def test_schemes_are_what_they_are_known_for(n_positions):
    size = {"n_positions": n_positions}
    assert verdicts(scheme="none", **size) == [HOLDS, HOLDS, FAILS, FAILS]
    assert verdicts(scheme="alibi", **size) == [HOLDS, FAILS, HOLDS, HOLDS]
    assert verdicts(scheme="t5", **size)[:2] == verdicts(scheme="shaw", **size)[:2] == [HOLDS, HOLDS]
    assert verdicts(scheme="rope", **size)[:2] == [HOLDS, HOLDS]
    assert verdicts(scheme="rope", pairing="mixed", **size)[:2] == [FAILS, HOLDS]
    told = [UNDECIDED] * 2 if n_positions == "2" else [FAILS, HOLDS]
    assert verdicts(scheme="additive", **size)[:2] == told
    assert {*verdicts(scheme="p-rope", **size)[:2], *verdicts(scheme="pope", **size)[:2]} == {HOLDS}
    assert verdicts(scheme="rope-pp", **size)[:2] == [HOLDS, HOLDS]
    # A logarithm grows without end; words between query and key differ at one offset.
    assert verdicts(scheme="kerple", **size) == [HOLDS, FAILS, HOLDS, HOLDS]
    assert verdicts(scheme="fox", **size) == [FAILS, FAILS, HOLDS, HOLDS]
    assert {found(scheme=scheme, **size)["permutation"].verdict for scheme in SCHEMES if scheme != "none"} == {HOLDS}


def test_numbers_of_rotary_positions_are_those_of_plain_sums():
    # q_t . k_s / sqrt(d) under interleaved RoPE, by complex numbers.
    turns = np.exp(1j * np.outer(np.arange(100), 10_000.0 ** (-np.arange(8) / 8)))
    queries, keys = ((vector[0::2] + 1j * vector[1::2]) * turns for vector in QueryAndKey(16, 0).both)
    scores = (queries @ keys.conj().T).real / 4
    measured = found(scheme="rope")
    amounts = np.abs(scores - scores[0, 0])
    assert measured["bounded"].number == pytest.approx(amounts.max(), rel=1e-12)
    assert measured["bounded"].numbers["largest_early"] == pytest.approx(amounts[:25, :25].max(), rel=1e-12)
    assert measured["shift_invariant"].number == pytest.approx(0.0, abs=1e-13)
    assert measured["shift_invariant"].numbers["n_offsets"] == 199


def test_numbers_of_added_positions_are_those_of_plain_sums():
    state = state_of(SIZES)
    query, key = QueryAndKey(state.encoding.d_model, 0).both
    table = state.encoding.values(range(100))
    scores = (query + table) @ (key + table).T / 4
    spreads = [np.ptp(np.diagonal(scores, offset)) for offset in range(-99, 100)]
    measured = found(scheme="additive")
    assert measured["shift_invariant"].number == pytest.approx(max(spreads), rel=1e-12)
    assert measured["bounded"].number == pytest.approx(np.abs(scores - query @ key / 4).max(), rel=1e-12)


def test_alibi_grows_with_its_slope_and_its_mean_falls_by_it():
    for slope in (0.25, 2.0):
        measured = found(scheme="alibi", slope=str(slope))
        assert measured["bounded"].number == pytest.approx(99 * slope, rel=1e-12)
        # Offsets from 64 to 99, 16 of them, evenly.
        assert measured["decay"].number == pytest.approx(-slope * np.linspace(64, 99, 16).round().mean(), rel=1e-9)


def test_mean_scores_of_rotary_positions_fall_like_a_sum_of_cosines_until_they_rise():
    measured = found(scheme="rope", n_positions="1000000", d_model="512")["decay"]
    assert measured.verdict == HOLDS_UP_TO
    # The sum of cosines is first negative at 3284 and lowest at 18469 (field guide 1.2): it falls well beyond 100.
    assert 1000 < (measured.up_to or 0) < 100_000
    omega, shares = 10_000.0 ** (-np.arange(256) / 256), dict(measured.series)
    for offset in (1, 2, 4, 8, 64, 512):
        some = np.unique(np.linspace(offset, 2 * offset - 1, 16).round())
        assert shares[offset] / shares[0] == pytest.approx(np.cos(np.outer(some, omega)).mean(), abs=0.05)
    assert found(scheme="rope", d_model="2")["decay"].verdict != HOLDS


def test_decay_is_that_of_keys_before_the_query_which_a_causal_head_reads_too():
    before = -np.unique(np.linspace(64, 99, 16).round())
    for causal in ("false", "true"):
        bias = T5(seed=0, is_causal=causal == "true").by_offset(np.zeros(4), np.zeros(4), np.append(before, 0.0))
        expected = bias[:-1].mean() - bias[-1]
        assert found(scheme="t5", causal=causal)["decay"].number == pytest.approx(expected, rel=1e-9)


def _change(state, order):
    """The largest change of an output under ALiBi once the words stand in another order, by plain loops."""
    words = [projected(state.attention, state.encoding, place) for place in range(len(order))]
    written, moved = (
        plain_head(queries, keys, values, lambda t, s: bias(state.attention, None, s - t), is_causal=False)[2]
        for queries, keys, values in (zip(*words, strict=True), zip(*(words[place] for place in order), strict=True))
    )
    return np.abs(np.subtract(moved, [written[place] for place in order])).max()


def test_the_difference_of_outputs_is_that_of_the_sentence_and_dropped_positions_are_none():
    dropped = found(scheme="rope", drops_positions="true")
    plain = found(scheme="none")
    assert [one.numbers for one in dropped.values()] == [one.numbers for one in plain.values()]
    assert plain["permutation"].numbers["with_mask"] > 0.1  # type: ignore[operator]
    words = {"scheme": "alibi", "sentence": "dog bites man"}
    # Without a mask ALiBi can't tell the opposite order, which of two words is the only other one.
    assert found(**words, order="2 1 0")["permutation"].verdict == FAILS
    assert found(scheme="alibi", sentence="dog bites")["permutation"].verdict == FAILS
    # Nothing moved yet: the first word is measured behind the others.
    for given, order in (({}, (1, 2, 0)), ({"order": "1 0 2"}, (1, 0, 2))):
        told, expected = found(**words, **given)["permutation"], _change(state_of(SIZES | words), order)
        assert told.verdict == HOLDS
        assert (told.number, told.numbers["reversed"]) == pytest.approx((expected, 0.0), rel=1e-9, abs=1e-14)
    assert found(sentence="dog")["permutation"].number is None


def test_a_table_that_is_added_is_measured_within_its_positions():
    # Four bits write no 16, and t/N is 1 at most.
    for given in ({"kind": "bits", "d_model": "4", "n_positions": "10"}, {"n_positions": "1"}):
        told = found(**given)
        assert told["bounded"].verdict == UNDECIDED
        assert told["bounded"].numbers["last"] == int(given["n_positions"]) - 1
    whole = found(kind="normalised-counter", n_positions="128")
    assert (whole["bounded"].verdict, whole["decay"].numbers["to"]) == (HOLDS, 127)
    query, key = QueryAndKey(16, 0).both
    t = np.outer(np.arange(128) / 128, np.eye(16)[0])
    scores = (query + t) @ (key + t).T / 4 - query @ key / 4
    assert whole["bounded"].number == pytest.approx(np.abs(scores).max(), rel=1e-12)


def test_a_counter_that_is_added_grows_and_a_width_beyond_heads_is_refused():
    assert found(kind="counter")["bounded"].verdict == FAILS
    with pytest.raises(ValueError, match="A head is computed for d_model up to 4 096: 4 098 is wider"):
        measure_scheme(state_of({"d_model": "4098"}))
