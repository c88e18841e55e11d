"""A printed program of a figure, run by itself, gives the numbers that the figure shows."""

import contextlib
import itertools
import math
import re
import sys
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from pe_desktop.core import Encoding, analyse, framework_values, moved
from pe_desktop.core.cursor import hand_columns
from pe_desktop.core.decoder import hands_of, read_hands
from pe_desktop.core.lags import never
from pe_desktop.core.measuring.collisions import distance_law
from pe_desktop.core.measuring.periodic import near_returns
from pe_desktop.core.number_text import grouped
from pe_desktop.core.precision.measured import compared_precisions, frequency_errors, printed_numbers
from pe_desktop.core.rotation import rotating_pairs, rotation_blocks, rotation_matrix
from pe_desktop.core.scores.look_back import look_back_shift
from pe_desktop.core.scores.rotary import rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import decay, few_positions, pair_terms, score_at
from pe_desktop.core.scores.schemes import Rotary
from pe_desktop.core.scores.term_ranges import terms_at
from pe_desktop.core.source.drawn import head_matrix
from pe_desktop.core.state import State, state_of, with_name
from pe_desktop.export.figures import code
from pe_desktop.files import ExportError
from pe_desktop.views.table import FIGURES
from tests.export import test_code

KINDS = test_code.CHOICES["kinds of figures"]
kinds = pytest.mark.parametrize("choice", KINDS, ids=lambda choice: " ".join(choice.values()) or "paper")


def state(choice: dict[str, str], **more: str) -> State:
    return state_of({"n_positions": "40", "d_model": "12", "position": "8.5", "offset": "-11", **choice, **more})


def result(what: str, shown: State) -> Any:
    return test_code.result(what, code(what, shown))


def arrays(found: Any) -> list[np.ndarray]:
    if isinstance(found, dict):
        return [array for key, some in found.items() if key != "checks" for array in arrays(some)]
    return [np.asarray(found)]


def numbers_of(encoding: Encoding) -> list[float]:
    """What Properties measures, in its order; nan where there is nothing to measure."""
    measured = analyse(encoding).measurements
    return [math.nan if one.number is None else one.number for one in measured]


def same(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@kinds
def test_clock_and_dials_are_the_hands_at_t_and_at_t_plus_k_and_waves_and_matrix_columns_of_the_table(choice):
    shown = state(choice, pinned_pairs="0 2 5")
    encoding, table = shown.encoding, shown.encoding.values(range(40))
    wanted = encoding.values([8.5, -2.5]) if encoding.pairs is None else encoding.pairs.hands([8.5, -2.5])
    same(result("clock", shown), wanted)
    same(result("dials", shown), wanted)
    assert result("clock-binary", state({}, position="37", n_positions="100")).tolist() == [1, 0, 1, 0, 0, 1, 0]
    columns = hand_columns(encoding)[list(shown.cursor.visible_pins(encoding))].ravel()
    same(result("waves", shown), table[:, columns[columns >= 0]])
    same(result("matrix", shown), table.T)
    same(result("matrix", state(choice, **{"matrix.is_transposed": "true"})), table)


@kinds
@pytest.mark.parametrize("turned", ["false", "true"])
def test_the_matrix_stands_beside_what_its_strip_adds(choice, turned):
    encoding, on = state(choice).encoding, {"matrix.is_transposed": turned}
    table = encoding.values(range(40))
    here, there = encoding.values([8.5, -2.5])
    summed = result("matrix", state(choice, **on, **{"matrix.adds_embedding": "true"}))
    x = np.random.default_rng(0).normal(size=encoding.d_model)
    same(summed["table"], table if turned == "true" else table.T)
    same(summed["embedding"], x)
    same(summed["sum"], x + here)
    added = result("matrix", state(choice, **on, **{"matrix.adds_embedding": "true", "matrix.shows_terms": "true"}))
    products = [sum(here[c] * there[c] for c in hand if c >= 0) for hand in hand_columns(encoding).tolist()]
    same(added["table"], summed["table"])
    np.testing.assert_allclose(added["terms"], products, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(added["running_sum"], list(itertools.accumulate(products)), rtol=1e-11, atol=1e-11)


@kinds
def test_similarity_and_near_collisions_compare_rows_of_the_table(choice):
    shown = state(choice)
    table = shown.encoding.values(range(40))
    distances = np.array([[np.linalg.norm(one - other) for other in table] for one in table])
    same(result("similarity", shown), table @ table.T)
    np.testing.assert_allclose(result("similarity-distance", shown), distances, rtol=1e-11, atol=1e-11)
    nearest = [min(distances[t, t + k] for t in range(40 - k)) for k in range(1, 40)]
    found = result("collisions", shown)
    np.testing.assert_allclose(found["lowest"], nearest, rtol=1e-11, atol=1e-11)
    here, there = shown.encoding.values([8.5, -2.5])
    hands = hand_columns(shown.encoding).tolist()
    moves = [math.dist([here[c] for c in hand if c >= 0], [there[c] for c in hand if c >= 0]) for hand in hands]
    same(found["moves"], moves)
    assert ("returns" in found) is (shown.encoding.pairs is not None and shown.encoding.is_shift_invariant)


def test_far_returns_are_those_of_the_panel_and_the_program_says_how_exact_they_are():
    shown = state({}, pair="0")
    wanted = [(one.positions, one.turns, one.residual_angle, one.chord) for one in near_returns(shown.encoding, 0)[:9]]
    largest = wanted[-1][0]
    assert largest > 1e5
    np.testing.assert_allclose(result("collisions", shown)["returns"], wanted, rtol=0, atol=4e-16 * largest)
    assert f"Angles reach {grouped(round(largest))} radians" in code("collisions", shown)


@kinds
def test_a_head_that_looks_back_scores_with_the_shift_or_the_best_one_of_every_hand(choice):
    shown = state(choice, offset="-4")
    table, shift = shown.encoding.values(range(40)), look_back_shift(shown.encoding, 4)
    scores = shift.turned(table) @ table.T
    np.testing.assert_allclose(result("look-back", shown), scores, rtol=1e-9, atol=1e-9)
    weighted = state(choice, **{"offset": "-4", "look-back.shows": "weights"})
    powers = np.exp((scores - scores.max(axis=1)[:, None]) / math.sqrt(table.shape[1]))
    np.testing.assert_allclose(result("look-back", weighted), powers / powers.sum(axis=1)[:, None], rtol=1e-8)


def test_distance_stands_beside_its_law_and_laws_of_the_rotation_are_missed_by_rounding_alone():
    shown = state({}, n_positions="100", d_model="128")
    measured = distance_law(shown.encoding)
    same(result("distance-law", shown).T, [measured.distances[1:], measured.law(np.arange(1.0, 100.0))])
    assert np.abs(result("rotation-algebra", state({}))).max() < 1e-13


def test_encodings_of_the_list_are_tables_and_checks_under_their_titles_and_differences_table_minus_table():
    tables = result("compare", state({}, **{"compare.list": "naive"}))
    assert len(tables) > 4
    random = state({"kind": "random"}).encoding
    same(tables["Random vectors"]["table"], random.values(range(40)))
    same(tables["Random vectors"]["checks"], numbers_of(random))
    shown = state({}, **{"compare.list": "conventions"})
    found = result("compare-difference", shown)
    reordered = state_of({"n_positions": "40", "d_model": "12", "layout": "half-split", "spacing": "inclusive"})
    table = shown.encoding.values(range(40))
    same(found["tensor2tensor"], reordered.encoding.values(range(40)) - table)
    assert np.abs(found["Sinusoidal (paper)"]).max() == 0


@pytest.mark.parametrize("scheme", ["additive", "rope", "t5"])
def test_attention_is_the_weights_as_written_and_as_moved(scheme):
    shown = state({}, scheme=scheme, causal="true", order="2 0 1 3 4")
    wanted = moved(shown.attention, shown.encoding)
    same(result("attention", shown), [wanted.written.weights, wanted.moved.weights])


def test_rotary_scores_one_query_at_t_and_one_key_at_every_s():
    vectors: list[dict[str, str]] = [{}, {"rotary.query": " ".join(["0.5"] * 12)}, {"rotary.vectors": "seeded"}]
    for pairing, given in itertools.product(("half-split", "mixed"), vectors):
        shown = state({"pairing": pairing, "rotary_share": "0.5", **given})
        rotary, found, everywhere = rotary_of(shown), result("rotary", shown), np.arange(40.0)
        same(found["row"], rotary.between(*vectors_of(shown).both, np.array([8.5]), everywhere)[0])
        same(found["map"], rotary.between(*vectors_of(shown).both, everywhere, everywhere))
        same(found["terms"], pair_terms(rotary, vectors_of(shown), 8.5, -2.5))
        # Words stand from the first position on.
        first = 0.0 if given.get("rotary.vectors") else 3.0
        later = result("rotary", with_name(shown, "first_position", "3"))["terms"]
        same(later, pair_terms(rotary, vectors_of(shown), first + 8.5, first - 2.5))


@pytest.mark.parametrize("share", ["1", "0.5", "0"])
@pytest.mark.parametrize("offset", ["-11", "7", "90"])
def test_the_pairings_have_the_scores_along_the_diagonal(share, offset):
    shown, k = state({"rotary_share": share}, offset=offset), int(offset)
    vectors, diagonal = vectors_of(shown), [t for t in range(40) if 0 <= t + k < 40]
    found = result("rotary", shown)["pairings"]
    for row, pairing in zip(found, ("interleaved", "half-split", "mixed"), strict=True):
        rotary = replace(rotary_of(shown), pairing=pairing)
        same(row, [score_at(rotary, vectors, float(t), float(t + k)) for t in diagonal])


def test_decay_is_the_bound_of_the_rope_paper_and_the_means_of_seeded_scores_and_none_where_no_pair_turns():
    shown = state({"rotary_share": "0.5"}, n_positions="2000")
    same(result("rotary-decay", shown), decay(Rotary(shown.encoding, share=0.5), 0))
    assert (result("rotary-decay", state({"rotary_share": "0"})) == np.ones((3, 40))).all()


@pytest.mark.parametrize(
    ("n_positions", "pairing", "share"), [("40", "interleaved", "1"), ("3", "half-split", "0.5"), ("300", "mixed", "1")]
)
def test_the_three_reasons_have_the_numbers_of_the_panel(n_positions, pairing, share):
    shown = state({"pairing": pairing, "rotary_share": share, "start": "2"}, n_positions=n_positions, position="2")
    encoding, n = shown.encoding, shown.encoding.n_positions
    found, (q, k) = result("rotary-reasons", shown), vectors_of(shown).both
    p = encoding.values([2.0])[0]
    same(found["early"][0], math.hypot(*p) / (math.hypot(*p) + math.hypot(*q)))
    assert found["early"][1] < 1e-14
    assert np.abs(found["missed"]).max() < 1e-13
    assert found["still"] == sum(2 * math.pi * 10000 ** (i / 6) > n for i in range(6))
    rotary = replace(rotary_of(shown), pairing="half-split" if pairing == "half-split" else "interleaved")
    rows = few_positions(encoding, 2.0, 2.0 + shown.cursor.offset)
    assert rows.tolist() == [2.0] or len(rows) == min(n - int(abs(shown.cursor.offset)), 96)
    # Positions that are added go through W_Q and W_K, as the words did.
    w_q, w_k = (head_matrix(which, shown.encoding.d_model, shown.attention.word_seed) for which in (0, 1))
    at, after = (encoding.values(places) for places in (rows, rows + shown.cursor.offset))
    added = (q + at @ w_q) * (k + after @ w_k)
    same(found["scores"][0], added.sum(axis=1) / math.sqrt(shown.encoding.d_model))
    same(found["scores"][1], np.diagonal(rotary.between(q, k, rows, rows + shown.cursor.offset)))


@kinds
def test_four_terms_are_those_of_the_words_at_every_position(choice):
    shown = state(choice, sentence="dog bites man", position="1", offset="-1")
    wanted = np.array([terms_at(shown.encoding, 0, ("bites", "dog"), t, -1.0, never).terms for t in range(1, 40)]).T
    np.testing.assert_allclose(result("four-terms", shown), wanted, rtol=1e-11, atol=1e-11)


@kinds
@pytest.mark.parametrize(
    "given",
    [
        *({}, {"decoder.n_hands": "2"}, {"decoder.vector": "vector"}, {"decoder.reads": "pinned"}),
        *({"decoder.layers": "0"}, {"decoder.layers": "6"}),
    ],
)
def test_the_decoder_reads_what_the_panel_reads(choice, given):
    vector = " ".join(map(repr, np.linspace(-1.0, 1.0, state(choice).encoding.d_model).tolist()))
    read = {name: vector if text == "vector" else text for name, text in given.items()}
    shown = state(choice, **read, pinned_pairs="1 3 4")
    hands, found, table = hands_of(shown), result("decoder", shown), shown.encoding.values(range(40))
    counts = sorted({n for n in (1, 2, 4) if n < hands.total} | {hands.total})

    def read_by(n_hands):
        """What so many hands read: the dot product with each row, and its distance."""
        columns = [column for column in hand_columns(shown.encoding)[hands.numbers(n_hands)].ravel() if column >= 0]
        return table[:, columns] @ hands.values[columns], np.linalg.norm((table - hands.values)[:, columns], axis=1)

    chosen = read_hands(hands, (min(2, hands.total) if "decoder.n_hands" in given else hands.total,))[0]
    scores, distances = read_by(chosen.n_hands)
    same(found["curve"], scores)
    best, dots, nearest, apart = found["nearest"].T
    same([best, dots], [chosen.by_dot.positions, chosen.by_dot.values])
    # Of two positions that are equally near, rounding decides.
    same([distances[nearest.astype(int)], apart], [sorted(distances)[:5]] * 2)
    for line, row in zip(found["fewer"].tolist(), read_hands(hands, counts), strict=True):
        two = [*row.by_dot.positions[:2], row.by_dot.margin]
        np.testing.assert_allclose(line[:5], [row.n_hands, *two, row.n_near or 0], rtol=1e-9, atol=1e-12)
        distances = read_by(row.n_hands)[1]
        same(distances[[int(place) for place in line[5:]]], sorted(distances)[:2])


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("attention", "The sentence has no words."),
        ("four-terms", "The sentence has no words."),
        ("noise", "There is no array or figure noise: export --list names all"),
    ],
)
def test_what_no_figure_shows_has_no_program(what, sentence):
    with pytest.raises(ExportError, match=f"^{sentence}"):
        code(what, state_of({"sentence": ""}))


def test_one_position_has_no_second():
    alone = state_of({"n_positions": "1", "d_model": "12", "position": "0"})
    found = result("decoder", alone)
    assert found["nearest"].shape == (1, 4)
    assert np.isnan(found["fewer"][:, [2, 3, 6]]).all()
    assert result("collisions", alone)["lowest"].shape == (0,)
    with pytest.raises(ExportError, match="The table has no t with t \\+ k in it"):
        code("four-terms", alone)


@pytest.mark.parametrize("choice", KINDS[:2], ids=["paper", "half-split"])
def test_n_before_m_is_the_sum_of_cosines_at_each_shift(choice):
    shown = state(choice, offset="-3")
    here, there = shown.encoding.values(shown.cursor.both)
    products = [there @ rotation_matrix(shown.encoding, -j) @ here for j in range(-1, 8)]
    same(result("decoder-before", shown), np.array(products))


@kinds
def test_figures_have_a_program_unless_nothing_turns(choice):
    shown, place = state(choice), KINDS.index(choice)
    # A third of the figures for each kind.
    for what in [*FIGURES][place % 3 :: 3]:
        if FIGURES[what].view == "learn":
            continue
        if rotating_pairs(shown.encoding) is None and FIGURES[what].view in ("encoding", "rotation", "rotary"):
            with contextlib.suppress(ExportError):
                result(what, shown)
            continue
        found = arrays(result(what, shown))
        # The cosine of a row of zeros is undefined, and so is what a check can't measure.
        assert all(np.isfinite(array).all() for array in found) or what in ("similarity-cosine", "properties")


def test_numbers_of_a_derivation_are_those_of_its_pair_and_add_up():
    shown = state({"amplitude": "2", "start": "3.5"}, pair="2")
    encoding = shown.encoding
    here, later = encoding.values([8.5, -2.5])
    np.testing.assert_allclose(result("rotation-steps", shown), [later[4:6] / 2] * 2, atol=1e-14)
    assert result("derivation-dot", shown).sum() == pytest.approx(here @ later, abs=1e-12)
    assert result("derivation-distance", shown).sum() == pytest.approx(np.sum((here - later) ** 2), abs=1e-12)
    assert result("derivation-length", shown).sum() == pytest.approx(here @ here, abs=1e-12)
    same(result("derivation-toeplitz", shown), encoding.values(range(40)) @ encoding.values(range(40)).T)
    same(result("derivation-system", shown), rotation_matrix(encoding, -11.0))
    same(result("derivation-entries", shown), rotation_blocks(encoding, -11.0)[2])
    chords = [math.dist(encoding.values([k])[0, 4:6], encoding.values([0])[0, 4:6]) / 2 for k in range(1, 40)]
    same(result("derivation-unique", shown), chords)
    same(result("derivation-log", shown), [[10000 ** (-2 * i / 12) for i in range(6)]] * 2)


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16"])
def test_errors_and_distinct_rows_of_every_compared_format_are_those_of_the_page(dtype):
    shown = state({}, dtype=dtype, form="power", n_positions="600")
    found, precisions = result("precision", shown), compared_precisions(shown.encoding, shown.precision)
    exact = shown.encoding.values(range(600))
    for precision, errors, distinct in zip(precisions, found["errors"], found["distinct"], strict=True):
        table = framework_values(shown.encoding, precision, range(600))
        same(errors, [np.abs(table - exact)[: t + 1].max() for t in range(600)])
        assert distinct == len({tuple(row) for row in table.tolist()})


def test_errors_of_frequencies_and_printed_products_are_those_of_the_panel():
    shown = state({}, scale="2")
    wanted = [frequency_errors(shown.encoding, form) for form in ("exp", "power", "rounded")]
    np.testing.assert_allclose(result("precision-forms", shown), wanted, rtol=1e-6, atol=1e-15)
    assert result("precision-printed", shown).tolist() == [number.one_sum for number in printed_numbers()[:5]]


@pytest.mark.parametrize(
    ("what", "given", "drawn"),
    [
        ("printed-waves", {}, {"plot": (100, 4), "legend": None}),
        ("printed-matrix", {}, {"imshow": (100, 128), "colorbar": None}),
        ("matrix", {"n_positions": "9", "matrix.adds_embedding": "true"}, {"imshow": (32, 9)}),
        ("printed-distances", {}, {"imshow": (1000, 1000), "colorbar": None}),
    ],
)
def test_the_picture_below_a_program_has_labels_and_a_legend_or_a_bar(monkeypatch, what, given, drawn):
    plt = Mock()
    monkeypatch.setitem(sys.modules, "matplotlib", Mock(pyplot=plt))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", plt)
    text = code(what, state_of(given))
    exec(re.sub(r"^# (?=plt|import)", "", text, flags=re.MULTILINE), {})
    assert {"xlabel", "ylabel", "show", *drawn} <= {name for name, _, _ in plt.mock_calls}
    shapes = {name: arguments[0].shape for name, arguments, _ in plt.mock_calls if name in ("plot", "imshow")}
    assert shapes.items() <= drawn.items()
    if what == "printed-waves":
        assert plt.plot.call_args.kwargs["label"] == [f"dimension {column}" for column in range(4)]
