"""Arrays as files: the encoding, its angular frequencies and its wavelengths as .npy or .csv, streamed by rows."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Floats, Pairs
from pe_desktop.export.atomic_file import (
    ExportCancelledError,
    ExportError,
    check_free_space,
    whole_file,
    writable_target,
)

NPY: Final = ".npy"
CSV: Final = ".csv"
SUFFIXES: Final = (NPY, CSV)

# Large enough for full speed, small enough to answer a cancel within a frame or two.
NPY_CHUNK_VALUES: Final = 256 * 1024
CSV_CHUNK_VALUES: Final = 16 * 1024

# Shortest round-trip digits of values in [-1, 1] take 19 to 21 characters; with the comma about this many.
CSV_BYTES_PER_VALUE: Final = 20

PROGRESS_INTERVAL: Final = 0.05  # seconds: at most twenty reports a second

Progress = Callable[[int, int], None]
IsCancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class ArrayKind:
    """What can be taken away as an array: how it is called, how large it is and how its rows are computed.

    shape gives the shape of the .npy array; rows gives the rows first to last (last excluded), float64, with the
    trailing shape of the array; columns gives the names above a .csv, row_name the name above the row numbers.
    """

    title: str
    row_name: str
    shape: Callable[[Encoding], tuple[int, ...]]
    columns: Callable[[Encoding], list[str]]
    rows: Callable[[Encoding, Cursor, int, int], Floats]


@dataclass(frozen=True, slots=True)
class WrittenArray:
    """What was written: the file, the shape of the array and the size of the file in bytes."""

    path: Path
    shape: tuple[int, ...]
    n_bytes: int


def array_bytes(what: str, encoding: Encoding, suffix: str = NPY) -> int:
    """The size of the values in bytes: exact for .npy but for its header of 128 bytes, an estimate for .csv."""
    shape = _kind(what).shape(encoding)
    n_values = _n_values(shape)
    if suffix == CSV:
        return n_values * CSV_BYTES_PER_VALUE + shape[0] * (len(str(shape[0])) + 1)
    return n_values * 8


def write_array(
    what: str,
    encoding: Encoding,
    cursor: Cursor,
    path: Path,
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
    is_cancelled: IsCancelled | None = None,
) -> WrittenArray:
    """Writes one of ARRAYS; the suffix of path chooses the format, and the file appears whole or not at all.

    .npy is float64, C order, format version 1.0; .csv has a header row, row numbers and the shortest digits that read
    back the same. progress gets (rows done, rows in all). Raises ExportError with one sentence, ExportCancelledError
    when is_cancelled answered yes; in both cases an existing file is as it was.
    """
    kind = _kind(what)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ExportError(f"The name of the file must end in {' or '.join(SUFFIXES)}: {path.name} doesn't.")
    shape = kind.shape(encoding)
    target = writable_target(path, overwrite=overwrite)
    check_free_space(target, array_bytes(what, encoding, suffix), _need(what, shape))
    steps = _Steps(shape[0], progress, is_cancelled)
    with whole_file(target, overwrite=overwrite) as file:
        if suffix == NPY:
            _write_npy(file, kind, encoding, cursor, steps)
        else:
            _write_csv(file, kind, encoding, cursor, steps)
        n_bytes = file.tell()
    return WrittenArray(path, shape, n_bytes)


class _Steps:
    """Walks through the rows in chunks, reports progress now and then and stops when asked to."""

    def __init__(self, n_rows: int, progress: Progress | None, is_cancelled: IsCancelled | None) -> None:
        self.n_rows = n_rows
        self._progress = progress
        self._is_cancelled = is_cancelled

    def chunks(self, size: int) -> Iterator[tuple[int, int]]:
        reported_at = time.monotonic()
        for first in range(0, self.n_rows, size):
            self._stop_if_cancelled()
            last = min(first + size, self.n_rows)
            yield first, last
            now = time.monotonic()
            if self._progress is not None and (now - reported_at >= PROGRESS_INTERVAL or last == self.n_rows):
                self._progress(last, self.n_rows)
                reported_at = now
        self._stop_if_cancelled()

    def _stop_if_cancelled(self) -> None:
        if self._is_cancelled is not None and self._is_cancelled():
            raise ExportCancelledError("The export was cancelled.")


def _write_npy(file: BinaryIO, kind: ArrayKind, encoding: Encoding, cursor: Cursor, steps: _Steps) -> None:
    shape = kind.shape(encoding)
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    for first, last in steps.chunks(_rows_per_chunk(shape, NPY_CHUNK_VALUES)):
        file.write(np.ascontiguousarray(kind.rows(encoding, cursor, first, last), dtype="<f8").data)


def _write_csv(file: BinaryIO, kind: ArrayKind, encoding: Encoding, cursor: Cursor, steps: _Steps) -> None:
    file.write(",".join([kind.row_name, *kind.columns(encoding)]).encode() + b"\n")
    for first, last in steps.chunks(_rows_per_chunk(kind.shape(encoding), CSV_CHUNK_VALUES)):
        rows = kind.rows(encoding, cursor, first, last).reshape(last - first, -1).tolist()
        # repr of a float is the shortest text that reads back as the same float.
        lines = [f"{number},{','.join(map(repr, row))}\n" for number, row in enumerate(rows, first)]
        file.write("".join(lines).encode())


def _rows_per_chunk(shape: tuple[int, ...], n_values: int) -> int:
    return max(n_values // _n_values(shape[1:]), 1)


def _n_values(shape: tuple[int, ...]) -> int:
    n_values = 1
    for length in shape:
        n_values *= length
    return n_values


def _need(what: str, shape: tuple[int, ...]) -> str:
    first, *rest = (f"{length:,}".replace(",", " ") for length in shape)
    return f"{first} positions x {rest[0]} dimensions need" if rest else f"{first} {what} need"


def _kind(what: str) -> ArrayKind:
    if what not in ARRAYS:
        raise ExportError(f"There is no array {what!r}: choose one of {', '.join(ARRAYS)}.")
    return ARRAYS[what]


def _pairs(encoding: Encoding) -> Pairs:
    if encoding.pairs is None:
        raise ExportError(f"The encoding {encoding.kind!r} has no angular frequencies.")
    return encoding.pairs


def _encoding_shape(encoding: Encoding) -> tuple[int, ...]:
    return encoding.n_positions, encoding.d_model


def _encoding_rows(encoding: Encoding, _cursor: Cursor, first: int, last: int) -> Floats:
    return encoding.values(range(first, last))


def _encoding_columns(encoding: Encoding) -> list[str]:
    names = [f"dimension_{dimension}" for dimension in range(encoding.d_model)]
    if encoding.pairs is not None:
        for pair in range(encoding.pairs.count):
            sine, cosine = encoding.pairs.dimensions(pair)
            names[sine], names[cosine] = f"sin_{pair}", f"cos_{pair}"
    return names


def _pairs_shape(encoding: Encoding) -> tuple[int, ...]:
    return (_pairs(encoding).count,)


def _frequency_rows(encoding: Encoding, _cursor: Cursor, first: int, last: int) -> Floats:
    return _pairs(encoding).angular_frequencies[first:last]


def _frequency_columns(_encoding: Encoding) -> list[str]:
    return ["angular_frequency (radians per position)"]


def _wavelength_rows(encoding: Encoding, _cursor: Cursor, first: int, last: int) -> Floats:
    return _pairs(encoding).wavelengths[first:last]


def _wavelength_columns(_encoding: Encoding) -> list[str]:
    return ["wavelength (positions)"]


ARRAYS: Mapping[str, ArrayKind] = {
    "encoding": ArrayKind("Encoding", "position", _encoding_shape, _encoding_columns, _encoding_rows),
    "frequencies": ArrayKind("Angular frequencies", "pair", _pairs_shape, _frequency_columns, _frequency_rows),
    "wavelengths": ArrayKind("Wavelengths", "pair", _pairs_shape, _wavelength_columns, _wavelength_rows),
}
