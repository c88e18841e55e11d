"""What an exported array must be: every bit of the table or what follows from it, readable by others."""

import csv
import io
import itertools
import math
import re
import time
from pathlib import Path

import numpy as np
import pytest

from pe_desktop.core.kinds import KINDS, switched
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.lags import CancelledError
from pe_desktop.core.listings.arrays import ARRAY_CALLS
from pe_desktop.core.rotation import rotating_pairs, rotation_matrix
from pe_desktop.core.scores.attention import Head, word_vectors
from pe_desktop.core.state import State, state_of
from pe_desktop.export import arrays
from pe_desktop.export.arrays import ARRAYS, array_bytes, array_refusal, write_array
from pe_desktop.files import ExportError
from tests.core.exact import peak_of
from tests.tables import table


def exported(what: str, state: State, folder: Path) -> np.ndarray:
    """An array, read from the file that it was written to."""
    write_array(what, state, folder / "a.npy", overwrite=True)
    table: np.ndarray = np.load(folder / "a.npy", allow_pickle=False)
    return table


def read_csv(path: Path) -> tuple[list[str], list[list[str]]]:
    header, *rows = csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline=""))
    return header, rows


@pytest.mark.parametrize(("n_positions", "d_model"), [(1, 2), (1, 64), (7, 6), (257, 130)])
def test_npy_holds_every_bit_of_the_table(tmp_path, monkeypatch, luck, n_positions, d_model):
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", luck.choice([1, 64, 10_000]))
    encoding = SinusoidalEncoding(n_positions, d_model, layout="half-split")
    table = exported("encoding", State(encoding), tmp_path)
    assert (table.dtype, table.shape, table.flags.c_contiguous) == (np.dtype("<f8"), (n_positions, d_model), True)
    assert table.tobytes() == encoding.values(range(n_positions)).tobytes()


@pytest.mark.parametrize(
    ("dtype", "number_type", "n_bits"), [("float32", "<f4", 24), ("float16", "<f2", 11), ("bfloat16", "<f4", 8)]
)
def test_an_encoding_is_written_in_the_format_that_is_chosen(tmp_path, dtype, number_type, n_bits):
    state = state_of({"dtype": dtype, "n_positions": "300", "d_model": "8"})
    written = write_array("encoding", state, tmp_path / "table.npy")
    table = np.load(tmp_path / "table.npy", allow_pickle=False)
    assert table.dtype == np.dtype(number_type)
    assert written.n_bytes == 128 + array_bytes("encoding", state) == 128 + table.nbytes
    for value in table.ravel().tolist():
        mantissa, _ = math.frexp(value)
        assert (mantissa * 2**n_bits).is_integer()
    # Pair 0 turns by whole radians, exact in float32: one sine, one rounding of float32 and one of the format.
    assert np.abs(table[:, 0] - np.sin(np.arange(300.0))).max() <= 2.0 ** -(n_bits + 1) + 2.0**-24
    write_array("encoding", state, tmp_path / "table.csv")
    rows = [row[1:] for row in read_csv(tmp_path / "table.csv")[1]]
    assert np.array(rows, dtype=number_type).tobytes() == table.tobytes()
    assert max(len(text) for row in rows for text in row) <= 15


def test_ids_are_cast_before_a_table_is_written_and_only_the_encoding_is_in_other_formats(tmp_path):
    state = state_of({"dtype": "float32", "position_ids": "bfloat16", "n_positions": "300"})
    table = exported("encoding", state, tmp_path)
    assert len(np.unique(table, axis=0)) == 256 + 22 + 1
    assert table[257].tobytes() == table[256].tobytes()
    for setting in ({"dtype": "float32"}, {"position_ids": "float16"}):
        assert [what for what in ARRAYS if not array_refusal(what, state_of(setting))] == ["encoding"]
    assert not array_refusal("dot", state_of({"form": "power"}))


def test_csv_spends_no_digit_more_than_reading_back_needs_and_its_size_is_estimated_within_a_tenth(tmp_path):
    write_array("wavelengths", State(SinusoidalEncoding(1, 200)), tmp_path / "w.csv")
    for _, text in read_csv(tmp_path / "w.csv")[1]:
        shortest = np.format_float_scientific(float(text), unique=True, trim="-").split("e")[0].replace(".", "")
        assert text.replace(".", "").strip("0") == shortest.strip("0")
    state = State(SinusoidalEncoding(2000, 16))
    written = write_array("encoding", state, tmp_path / "table.csv")
    assert array_bytes("encoding", state, ".csv") == pytest.approx(written.n_bytes, rel=0.1)


def test_progress_is_told_at_most_twenty_times_a_second(tmp_path, monkeypatch):
    clock = itertools.count(step=0.001)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 2)
    seen: list[int] = []
    path = tmp_path / "table.npy"
    write_array("encoding", State(SinusoidalEncoding(1000, 2)), path, progress=lambda done, _: seen.append(done))
    assert seen[-1] == 1000
    assert len(seen) == pytest.approx(1000 * 0.001 / 0.05, abs=2)


def test_cancelled_export_leaves_the_old_file(tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 8)
    path = tmp_path / "table.npy"
    path.write_bytes(b"old")
    answers = iter([False, False, True])
    with pytest.raises(CancelledError):
        write_array(
            "encoding", State(SinusoidalEncoding(9, 8)), path, overwrite=True, is_cancelled=lambda: next(answers)
        )
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("table.npy", b"old")]


def test_long_export_holds_little_memory(tmp_path):
    encoding = SinusoidalEncoding(100_000, 64)  # 51 MB
    encoding.values([0])
    assert peak_of(lambda: write_array("encoding", State(encoding), tmp_path / "table.npy")) < 32e6
    assert (tmp_path / "table.npy").stat().st_size == 128 + 100_000 * 64 * 8


def test_cancel_ends_the_measuring_of_many_offsets(tmp_path):
    asked = 0

    def is_cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    with pytest.raises(CancelledError):
        write_array("lags", State(SinusoidalEncoding(1_000_000, 512)), tmp_path / "l.npy", is_cancelled=is_cancelled)
    assert asked == 3
    assert list(tmp_path.iterdir()) == []


def test_scores_are_before_the_mask_whatever_the_order_and_rotated_vectors_score_as_rope_does(tmp_path):
    tables = {}
    for what, causal in itertools.product(("scores", "weights"), ("false", "true")):
        tables[what, causal] = exported(what, state_of({"scheme": "alibi", "causal": causal}), tmp_path)
    assert (tables["scores", "true"] == tables["scores", "false"]).all()
    assert np.triu(tables["weights", "true"], 1).max() == 0.0
    np.testing.assert_allclose(tables["weights", "true"].sum(axis=1), 1.0, rtol=0, atol=1e-15)
    written, moved = (exported("outputs", state_of({"order": order}), tmp_path) for order in ("", "4 3 2 1 0"))
    assert written.tobytes() == moved.tobytes()
    given = {"sentence": "dog bites man", "d_model": "6", "pairing": "half-split", "first_position": "10"}
    rope, none = (state_of({**given, "scheme": scheme}) for scheme in ("rope", "none"))
    turned, scores = (exported(what, rope, tmp_path) for what in ("rotated", "scores"))
    assert turned.tobytes() == exported("rotated", none, tmp_path).tobytes()
    np.testing.assert_allclose(turned[:, 0] @ turned[:, 1].T / math.sqrt(6), scores, rtol=0, atol=1e-13)


WIDE, NO_WORDS = "A head is computed for d_model up to 4 096: 4 098 is wider.", "The sentence has no words."
REFUSALS = [
    ("clock", "c.npy", {}, "There is no array clock: choose from encoding, frequencies, wavelengths, hands"),
    ("rotation", "r.npy", {"d_model": "4098"}, "M_k is written for d_model up to 4 096: 4 098 is more"),
    ("dot", "d.npy", {"dtype": "float32"}, "dot is computed in float64 alone: only encoding is written in other"),
    *((what, "s.npy", {"d_model": "4098"}, WIDE) for what in ("inputs", "scores", "weights", "outputs", "rotated")),
    ("rotation", "r.npy", {"kind": "odd-width"}, "No rotation moves every position: the last sine"),
    ("hands", "h.npy", {"kind": "padded"}, "The encoding 'padded' has no arrays of hands. No rotation"),
    *((what, "s.npy", {"sentence": ""}, NO_WORDS) for what in ("inputs", "scores", "weights", "outputs", "rotated")),
]


@pytest.mark.parametrize(("what", "name", "given", "sentence"), REFUSALS)
def test_what_can_not_be_written_is_refused_in_one_sentence(tmp_path, what, name, given, sentence):
    state = state_of(given)
    with pytest.raises(ExportError, match=rf"^{re.escape(sentence)}.*Nothing was written\.$"):
        write_array(what, state, tmp_path / name)
    assert array_refusal(what, state).startswith(sentence)
    assert list(tmp_path.iterdir()) == []


def contents(what, encoding):
    """What an array of 30 positions must hold, from the table of values; None where the encoding has no such array."""
    table, pairs = encoding.values(range(30)), encoding.pairs
    lengths = np.sqrt((table**2).sum(axis=1))
    distances = np.sqrt(((table[:, np.newaxis] - table) ** 2).sum(axis=2))
    with np.errstate(invalid="ignore"):
        cosines = table @ table.T / np.outer(lengths, lengths)
    found = {"encoding": table, "dot": table @ table.T, "cosine": cosines, "distance": distances}
    # "I park in my sleep" as written, with the encoding added, as at the start.
    head, positions = Head(encoding.d_model), range(5)
    words = word_vectors(("i", "park", "in", "my", "sleep"), encoding.d_model, 0) + encoding.values(positions)
    found["inputs"] = words
    found["scores"] = head.queries(words) @ head.keys(words).T / math.sqrt(encoding.d_model)
    found["weights"] = np.exp(found["scores"]) / np.exp(found["scores"]).sum(axis=1, keepdims=True)
    found["outputs"] = found["weights"] @ head.values(words)
    if pairs is not None:
        omegas = 10_000.0 ** (-np.arange(4) / 4)
        found |= {"hands": table[:, pairs.columns], "frequencies": omegas, "wavelengths": 2 * np.pi / omegas}
    if rotating_pairs(encoding) is not None:
        found["rotation"] = rotation_matrix(encoding, 8)
    if encoding.is_shift_invariant:
        found["lags"] = np.stack([found[measure][0] for measure in ("dot", "cosine", "distance")], axis=1)
    return found.get(what)


KINDS_AND_SIZES = [switched(SinusoidalEncoding(30, 8), kind) for kind in KINDS]


@pytest.mark.parametrize("what", [what for what in ARRAY_CALLS if what != "rotated"])
@pytest.mark.parametrize(
    "encoding", [*KINDS_AND_SIZES, SinusoidalEncoding(30, 8, start=3.0, amplitude=2.0)], ids=lambda e: e.title
)
def test_arrays_of_every_kind_hold_what_follows_from_the_table_or_are_refused(tmp_path, monkeypatch, encoding, what):
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 70)
    path, wanted = tmp_path / "a.npy", contents(what, encoding)
    assert bool(array_refusal(what, State(encoding))) == (wanted is None)
    if wanted is None:
        with pytest.raises(ExportError, match=r"^(The|No) .* Nothing was written\.$"):
            write_array(what, State(encoding), path)
        assert list(tmp_path.iterdir()) == []
        return
    written, table = write_array(what, State(encoding), path), np.load(path, allow_pickle=False)
    assert (written.n_bytes, written.size) == (path.stat().st_size, " x ".join(map(str, table.shape)))
    np.testing.assert_allclose(table, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("what", "given", "header"), table("export/columns"))
def test_columns_of_text_are_named_and_hold_the_rows_of_the_array(tmp_path, monkeypatch, luck, what, given, header):
    monkeypatch.setattr(arrays, "CSV_CHUNK_VALUES", luck.choice([1, 7, 16 * 1024]))
    for path in (tmp_path / "a.csv", tmp_path / "a.npy"):
        assert write_array(what, state_of(given), path).n_bytes == path.stat().st_size
    (names, rows), table = read_csv(tmp_path / "a.csv"), np.load(tmp_path / "a.npy")
    assert ",".join(names) == header
    read = np.array([row[1:] for row in rows], dtype=np.float64)
    assert read.tobytes() == table.reshape(len(table), -1).tobytes()
    assert rows[1][0] in ("1", "cos_1")
