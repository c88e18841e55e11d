"""What the arrays beside the table hold: each against the formula, entry by entry."""

import csv
import io

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.hands import LAYOUTS
from pe_desktop.core.kinds import KINDS, switched
from pe_desktop.core.kinds.ablations import PositionMapEncoding
from pe_desktop.core.kinds.naive import CounterEncoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.export import arrays
from pe_desktop.export.arrays import ARRAYS, array_bytes, array_refusal, write_array
from pe_desktop.files import ExportCancelledError, ExportError


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("offset", [8.0, -3.0, 2.5])
def test_rotation_takes_every_row_of_the_table_to_the_row_k_later(tmp_path, layout, offset, monkeypatch):
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 50)  # three rows at a time
    encoding = SinusoidalEncoding(40, 16, layout=layout)
    write_array("rotation", encoding, Cursor(offset=offset), tmp_path / "r.npy")
    matrix = np.load(tmp_path / "r.npy", allow_pickle=False)
    positions = np.arange(40)
    assert matrix @ encoding.values(positions).T == pytest.approx(encoding.values(positions + offset).T, abs=1e-13)
    assert np.count_nonzero(matrix) == 4 * 8


def test_rotation_is_refused_where_it_would_be_mostly_zeros(tmp_path):
    with pytest.raises(ExportError, match=r"d_model up to 4 096: 4 098 is more.*Nothing was written\.$"):
        write_array("rotation", SinusoidalEncoding(9, 4098), Cursor(), tmp_path / "r.npy")
    assert list(tmp_path.iterdir()) == []


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


def contents(what, encoding):
    """What an array of 30 positions must hold, from the table of values; None where the encoding has no such array."""
    table, pairs = encoding.values(range(30)), encoding.pairs
    lengths = np.sqrt((table**2).sum(axis=1))
    distances = np.sqrt(((table[:, np.newaxis] - table) ** 2).sum(axis=2))
    with np.errstate(invalid="ignore"):
        cosines = table @ table.T / np.outer(lengths, lengths)
    found = {"encoding": table, "dot": table @ table.T, "cosine": cosines, "distance": distances}
    if pairs is not None:
        omegas = 10_000.0 ** (-np.arange(4) / 4)
        found |= {"hands": table[:, pairs.columns], "frequencies": omegas, "wavelengths": 2 * np.pi / omegas}
    if encoding.is_shift_invariant:
        found["lags"] = np.stack([found[measure][0] for measure in ("dot", "cosine", "distance")], axis=1)
    return found.get(what)


KINDS_AND_SIZES = [switched(SinusoidalEncoding(30, 8), kind) for kind in KINDS]


@pytest.mark.parametrize("what", [what for what in ARRAYS if what != "rotation"])
@pytest.mark.parametrize(
    "encoding", [*KINDS_AND_SIZES, SinusoidalEncoding(30, 8, start=3.0, amplitude=2.0)], ids=lambda e: e.title
)
def test_arrays_of_every_kind_hold_what_follows_from_the_table_or_are_refused(tmp_path, monkeypatch, encoding, what):
    monkeypatch.setattr(arrays, "NPY_CHUNK_VALUES", 70)
    path, wanted = tmp_path / "a.npy", contents(what, encoding)
    assert bool(array_refusal(what, encoding)) == (wanted is None)
    if wanted is None:
        with pytest.raises(ExportError, match=r"^The .* Nothing was written\.$"):
            write_array(what, encoding, Cursor(), path)
        assert list(tmp_path.iterdir()) == []
        return
    write_array(what, encoding, Cursor(), path)
    np.testing.assert_allclose(np.load(path, allow_pickle=False), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("what", "encoding", "header"),
    [
        ("encoding", CounterEncoding(3, 3), "position,dimension_0,dimension_1,dimension_2"),
        ("hands", SinusoidalEncoding(3, 4), "position,sin_0,cos_0,sin_1,cos_1"),
        ("rotation", SinusoidalEncoding(3, 4, layout="cosine-first"), "dimension,cos_0,cos_1,sin_0,sin_1"),
        ("dot", SinusoidalEncoding(3, 4), "position,position_0,position_1,position_2"),
        ("lags", SinusoidalEncoding(3, 4), "k,dot,cosine,distance"),
        ("frequencies", PositionMapEncoding(3, 4), "pair,angular_frequency (radians per mapped position)"),
        ("wavelengths", PositionMapEncoding(3, 4), "pair,wavelength (mapped positions)"),
    ],
)
def test_columns_of_text_are_named_and_hold_the_rows_of_the_array(tmp_path, what, encoding, header):
    for suffix in ("csv", "npy"):
        write_array(what, encoding, Cursor(), tmp_path / f"a.{suffix}")
    rows = list(csv.reader(io.StringIO((tmp_path / "a.csv").read_text())))
    table = np.load(tmp_path / "a.npy")
    assert ",".join(rows[0]) == header
    read = np.array([row[1:] for row in rows[1:]], dtype=np.float64)
    assert read.tobytes() == table.reshape(len(table), -1).tobytes()
    assert rows[2][0] in ("1", "cos_1")
