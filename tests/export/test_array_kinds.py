"""What the arrays beside the table hold: each against the formula, entry by entry."""

import csv
import io
import itertools
import math
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.hands import LAYOUTS
from pe_desktop.core.kinds.kind import Kind
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.rules import Rules
from pe_desktop.export import arrays
from pe_desktop.export.arrays import array_bytes, write_array
from pe_desktop.files import ExportCancelledError, ExportError

SIMILARITIES = ("dot", "cosine", "distance")


class Counter(Kind):
    """An encoding without pairs whose similarities depend on the positions: (t, t squared, 1)."""

    kind = "counter"
    title = "Counter"
    n_positions = 9
    d_model = 3
    RULES: ClassVar[Rules] = {}
    formulas = ("PE = (t, t^2, 1)",)
    value_limit = 4.0

    def values(self, positions, dimensions=None):
        t = np.asarray(positions, dtype=np.float64)
        return np.stack((t, t * t, np.ones(len(t))), axis=1)


def exported(what: str, encoding, path: Path, cursor: Cursor | None = None) -> np.ndarray:
    write_array(what, encoding, cursor or Cursor(), path)
    table: np.ndarray = np.load(path, allow_pickle=False)
    return table


def read_csv(path: Path) -> tuple[list[str], np.ndarray]:
    header, *rows = csv.reader(io.StringIO(path.read_text()))
    return header, np.array(rows, dtype=np.float64)


def measured(kind: str, one: np.ndarray, other: np.ndarray) -> float:
    """The similarity of two vectors, term by term."""
    dot = math.fsum(x * y for x, y in zip(one, other, strict=True))
    if kind == "dot":
        return dot
    if kind == "cosine":
        return dot / math.sqrt(math.fsum(x * x for x in one)) / math.sqrt(math.fsum(y * y for y in other))
    return math.sqrt(math.fsum((x - y) ** 2 for x, y in zip(one, other, strict=True)))


def test_hands_are_the_sine_and_the_cosine_of_every_pair(tmp_path):
    table = exported("hands", SinusoidalEncoding(70, 6, base=1000.0, layout="half-split"), tmp_path / "h.npy")
    assert table.shape == (70, 3, 2)
    for position, pair in itertools.product(range(70), range(3)):
        angle = position * (1.0, 0.1, 0.01)[pair]
        assert table[position, pair].tolist() == pytest.approx([math.sin(angle), math.cos(angle)], abs=1e-13)


def test_hands_as_text_name_pair_and_shadow(tmp_path):
    write_array("hands", SinusoidalEncoding(2, 4), Cursor(), tmp_path / "h.csv")
    header, rows = read_csv(tmp_path / "h.csv")
    assert header == ["position", "sin_0", "cos_0", "sin_1", "cos_1"]
    assert rows[1].tolist() == pytest.approx([1, math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)], abs=1e-15)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("offset", [8.0, -3.0, 2.5])
def test_rotation_takes_every_row_of_the_table_to_the_row_k_later(tmp_path, layout, offset, monkeypatch):
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 50)  # three rows at a time
    encoding = SinusoidalEncoding(40, 16, layout=layout)
    matrix = exported("rotation", encoding, tmp_path / "r.npy", Cursor(offset=offset))
    positions = np.arange(40)
    assert matrix @ encoding.values(positions).T == pytest.approx(encoding.values(positions + offset).T, abs=1e-13)
    assert np.count_nonzero(matrix) == 4 * 8


def test_rotation_as_text_names_its_rows_and_columns_by_the_layout(tmp_path):
    write_array("rotation", SinusoidalEncoding(9, 4, layout="cosine-first"), Cursor(offset=1.0), tmp_path / "r.csv")
    header, rows = read_csv(tmp_path / "r.csv")
    assert header == ["dimension", "cos_0", "cos_1", "sin_0", "sin_1"]
    # cos(t + 1) = cos 1 cos t - sin 1 sin t
    assert rows[0].tolist() == pytest.approx([0, math.cos(1), 0, -math.sin(1), 0])


def test_rotation_is_refused_where_it_would_be_mostly_zeros(tmp_path):
    with pytest.raises(ExportError, match=r"d_model up to 4 096: 4 098 is more.*Nothing was written\.$"):
        write_array("rotation", SinusoidalEncoding(9, 4098), Cursor(), tmp_path / "r.npy")
    assert list(tmp_path.iterdir()) == []


def test_widest_rotation_holds_two_entries_a_row(tmp_path):
    matrix = np.load(_written("rotation", SinusoidalEncoding(9, 4096), tmp_path / "r.npy"), mmap_mode="r")
    assert matrix.shape == (4096, 4096)
    assert matrix[4095, 4094:].tolist() == pytest.approx([-math.sin(8 * 1e4 ** (-4094 / 4096)), 1.0], abs=1e-6)
    assert np.count_nonzero(matrix[2000]) == 2


def _written(what: str, encoding, path: Path) -> Path:
    write_array(what, encoding, Cursor(), path)
    return path


@pytest.mark.parametrize("kind", SIMILARITIES)
@pytest.mark.parametrize("encoding", [SinusoidalEncoding(31, 12), SinusoidalEncoding(1, 4), Counter()])
def test_similarities_are_those_of_all_rows_with_all_rows(tmp_path, kind, encoding, monkeypatch):
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 70)
    table = exported(kind, encoding, tmp_path / "s.npy")
    vectors = encoding.values(range(encoding.n_positions))
    assert table.shape == (len(vectors), len(vectors))
    for row, column in itertools.product(range(len(vectors)), repeat=2):
        assert table[row, column] == pytest.approx(measured(kind, vectors[row], vectors[column]), rel=1e-12, abs=1e-12)


def test_distances_to_oneself_are_exactly_zero(tmp_path):
    assert not np.diagonal(exported("distance", SinusoidalEncoding(50, 64), tmp_path / "s.npy")).any()
    assert not np.diagonal(exported("distance", Counter(), tmp_path / "c.npy")).any()


def test_similarities_as_text_name_their_columns_by_position(tmp_path):
    write_array("dot", SinusoidalEncoding(3, 4), Cursor(), tmp_path / "s.csv")
    header, rows = read_csv(tmp_path / "s.csv")
    assert header == ["position", "position_0", "position_1", "position_2"]
    assert rows[2].tolist() == pytest.approx([2, math.cos(2) + math.cos(0.02), math.cos(1) + math.cos(0.01), 2])


def test_lags_are_three_measures_of_every_offset(tmp_path):
    encoding = SinusoidalEncoding(200, 32)
    table = exported("lags", encoding, tmp_path / "l.npy")
    vectors = encoding.values(range(200))
    assert table.shape == (200, 3)
    for offset in range(200):
        wanted = [measured(kind, vectors[0], vectors[offset]) for kind in SIMILARITIES]
        assert table[offset].tolist() == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    write_array("lags", encoding, Cursor(), tmp_path / "l.csv")
    header, rows = read_csv(tmp_path / "l.csv")
    assert header == ["k", "dot", "cosine", "distance"]
    assert rows[:, 0].tolist() == list(range(200))
    assert rows[:, 1:].tobytes() == table.tobytes()


def test_an_encoding_whose_similarities_are_not_a_function_of_the_offset_has_no_lags(tmp_path):
    with pytest.raises(ExportError, match=r"'counter' depend on more than the offset\. Nothing was written\.$"):
        write_array("lags", Counter(), Cursor(), tmp_path / "l.npy")


@pytest.mark.parametrize("what", ["hands", "rotation", "frequencies"])
def test_an_encoding_without_pairs_has_no_arrays_of_pairs(tmp_path, what):
    with pytest.raises(ExportError, match="'counter' has no hands"):
        write_array(what, Counter(), Cursor(), tmp_path / "a.npy")


def test_table_of_all_positions_says_what_it_needs_before_it_begins(tmp_path):
    encoding = SinusoidalEncoding(10_000_000, 512)
    assert array_bytes("distance", encoding) == 800 * 10**12
    with pytest.raises(ExportError, match=r"^10 000 000 positions x 10 000 000 positions need 800\.0 TB and "):
        write_array("distance", encoding, Cursor(), tmp_path / "d.npy")
    assert list(tmp_path.iterdir()) == []


def test_cancel_ends_the_measuring_of_many_offsets(tmp_path):
    asked = 0

    def is_cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    with pytest.raises(ExportCancelledError, match=r"cancelled\. Nothing was written\.$"):
        write_array("lags", SinusoidalEncoding(1_000_000, 512), Cursor(), tmp_path / "l.npy", is_cancelled=is_cancelled)
    assert asked == 3
    assert list(tmp_path.iterdir()) == []
