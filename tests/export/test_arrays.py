"""What an exported array must be: every bit of the table, readable by others, in either format."""

import csv
import io
import itertools
import math
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.export import arrays
from pe_desktop.export.arrays import ARRAYS, array_bytes, write_array
from pe_desktop.files import ExportCancelledError, ExportError

CURSOR = Cursor()


def exported(what: str, encoding: Encoding, path: Path) -> np.ndarray:
    write_array(what, encoding, CURSOR, path)
    table: np.ndarray = np.load(path, allow_pickle=False)
    return table


def read_csv(path: Path) -> tuple[list[str], list[list[str]]]:
    header, *rows = csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline=""))
    return header, rows


@pytest.mark.parametrize(("n_positions", "d_model"), [(1, 2), (1, 64), (7, 6), (5000, 130)])
def test_npy_holds_every_bit_of_the_table(tmp_path, n_positions, d_model):
    encoding = SinusoidalEncoding(n_positions, d_model, layout="half-split")
    table = exported("encoding", encoding, tmp_path / "table.npy")
    assert (table.dtype, table.shape, table.flags.c_contiguous) == (np.dtype("<f8"), (n_positions, d_model), True)
    assert table.tobytes() == encoding.values(range(n_positions)).tobytes()


@pytest.mark.parametrize("n_values", [1, 13, 64, 1000, 10_000])
@pytest.mark.parametrize(("n_positions", "d_model"), [(257, 2), (101, 64), (65, 6)])
def test_size_of_the_chunks_leaves_no_trace(tmp_path, monkeypatch, n_values, n_positions, d_model):
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", n_values)
    encoding = SinusoidalEncoding(n_positions, d_model)
    table = exported("encoding", encoding, tmp_path / "table.npy")
    assert table.tobytes() == encoding.values(range(n_positions)).tobytes()


def test_npy_header_is_version_1_0_and_data_begin_at_a_multiple_of_64(tmp_path):
    write_array("encoding", SinusoidalEncoding(3, 4), CURSOR, tmp_path / "table.npy")
    content = (tmp_path / "table.npy").read_bytes()
    assert content[:8] == b"\x93NUMPY\x01\x00"
    assert len(content) == 128 + array_bytes("encoding", SinusoidalEncoding(3, 4))


def test_frequencies_and_wavelengths_are_one_number_for_each_pair(tmp_path):
    encoding = SinusoidalEncoding(128, 6, base=1000.0)
    frequencies = exported("frequencies", encoding, tmp_path / "f.npy")
    wavelengths = exported("wavelengths", encoding, tmp_path / "w.npy")
    assert frequencies == pytest.approx([1.0, 0.1, 0.01], rel=1e-14)
    assert wavelengths == pytest.approx([2 * math.pi, 20 * math.pi, 200 * math.pi], rel=1e-14)


@pytest.mark.parametrize(
    ("layout", "names"),
    [
        ("interleaved", ["sin_0", "cos_0", "sin_1", "cos_1", "sin_2", "cos_2"]),
        ("half-split", ["sin_0", "sin_1", "sin_2", "cos_0", "cos_1", "cos_2"]),
        ("cosine-first", ["cos_0", "cos_1", "cos_2", "sin_0", "sin_1", "sin_2"]),
    ],
)
def test_csv_names_its_columns_in_the_order_of_the_layout(tmp_path, layout, names):
    write_array("encoding", SinusoidalEncoding(2, 6, layout=layout), CURSOR, tmp_path / "table.csv")
    header, rows = read_csv(tmp_path / "table.csv")
    assert header == ["position", *names]
    assert rows[0] == ["0", *("0.0" if name.startswith("sin") else "1.0" for name in names)]


@pytest.mark.parametrize("n_values", [1, 77, 16 * 1024])
def test_csv_reads_back_as_the_same_numbers(tmp_path, monkeypatch, n_values):
    monkeypatch.setattr(arrays, "CSV_CHUNK_VALUES", n_values)
    encoding = SinusoidalEncoding(300, 10, layout="half-split")
    write_array("encoding", encoding, CURSOR, tmp_path / "table.csv")
    _, rows = read_csv(tmp_path / "table.csv")
    assert [row[0] for row in rows] == [str(position) for position in range(300)]
    read = np.array([[float(text) for text in row[1:]] for row in rows])
    assert read.tobytes() == encoding.values(range(300)).tobytes()


def test_csv_spends_no_digit_more_than_reading_back_needs(tmp_path):
    write_array("wavelengths", SinusoidalEncoding(1, 200), CURSOR, tmp_path / "w.csv")
    for _, text in read_csv(tmp_path / "w.csv")[1]:
        shortest = np.format_float_scientific(float(text), unique=True, trim="-").split("e")[0].replace(".", "")
        assert text.replace(".", "").strip("0") == shortest.strip("0")


def test_csv_of_pairs_says_units_and_ends_lines_plainly(tmp_path):
    encoding = SinusoidalEncoding(9, 4, base=100.0)
    write_array("frequencies", encoding, CURSOR, tmp_path / "f.CSV")
    assert (tmp_path / "f.CSV").read_bytes() == b"pair,angular_frequency (radians per position)\n0,1.0\n1,0.1\n"
    write_array("wavelengths", encoding, CURSOR, tmp_path / "w.csv")
    assert (tmp_path / "w.csv").read_bytes().startswith(b"pair,wavelength (positions)\n0,6.283185307179586\n1,62.83")


@pytest.mark.parametrize("name", ["table", "table.txt", "table.npz", ".npy"])
def test_other_endings_are_refused(tmp_path, name):
    with pytest.raises(ExportError, match=r"must end in \.npy or \.csv.*Nothing was written\.$"):
        write_array("encoding", SinusoidalEncoding(), CURSOR, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_unknown_arrays_are_refused_by_naming_the_known(tmp_path):
    with pytest.raises(ExportError, match="'clock': choose one of encoding, frequencies, wavelengths, hands"):
        write_array("clock", SinusoidalEncoding(), CURSOR, tmp_path / "c.npy")


SHAPES = {
    "encoding": (20, 8), "frequencies": (4,), "wavelengths": (4,), "hands": (20, 4, 2), "rotation": (8, 8),
    "lags": (20, 3), "dot": (20, 20), "cosine": (20, 20), "distance": (20, 20),
}  # fmt: skip


@pytest.mark.parametrize("what", ARRAYS)
def test_written_array_tells_what_lies_on_the_disk(tmp_path, what):
    for name in ("a.npy", "a.csv"):
        written = write_array(what, SinusoidalEncoding(20, 8), CURSOR, tmp_path / name)
        assert written.n_bytes == (tmp_path / name).stat().st_size
        assert written.shape == SHAPES[what]
    assert np.load(tmp_path / "a.npy").shape == SHAPES[what]


def test_estimate_of_a_csv_is_near_its_size(tmp_path):
    encoding = SinusoidalEncoding(2000, 16)
    written = write_array("encoding", encoding, CURSOR, tmp_path / "table.csv")
    assert array_bytes("encoding", encoding, ".csv") == pytest.approx(written.n_bytes, rel=0.1)


def test_progress_rises_to_the_last_row(tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "PROGRESS_INTERVAL", 0.0)
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 30)
    seen: list[tuple[int, int]] = []
    path = tmp_path / "table.npy"
    write_array("encoding", SinusoidalEncoding(10, 10), CURSOR, path, progress=lambda *rows: seen.append(rows))
    assert seen == [(3, 10), (6, 10), (9, 10), (10, 10)]


def test_progress_is_told_at_most_twenty_times_a_second(tmp_path, monkeypatch):
    clock = itertools.count(step=0.001)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 2)
    seen: list[int] = []
    path = tmp_path / "table.npy"
    write_array("encoding", SinusoidalEncoding(1000, 2), CURSOR, path, progress=lambda done, _: seen.append(done))
    assert seen[-1] == 1000
    assert len(seen) == pytest.approx(1000 * 0.001 / 0.05, abs=2)


def test_cancelled_export_leaves_the_old_file(tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 8)
    path = tmp_path / "table.npy"
    path.write_bytes(b"old")
    answers = iter([False, False, True])
    with pytest.raises(ExportCancelledError, match=r"cancelled\. Nothing was written\.$"):
        write_array(
            "encoding", SinusoidalEncoding(9, 8), CURSOR, path, overwrite=True, is_cancelled=lambda: next(answers)
        )
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("table.npy", b"old")]


def test_long_export_holds_little_memory(tmp_path):
    encoding = SinusoidalEncoding(200_000, 64)  # 102 MB
    encoding.values([0])
    tracemalloc.start()
    try:
        write_array("encoding", encoding, CURSOR, tmp_path / "table.npy")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (tmp_path / "table.npy").stat().st_size == 128 + 200_000 * 64 * 8
    assert peak < 32e6
