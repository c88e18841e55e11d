"""Arrays as files: .npy or .csv, streamed by rows and written whole or not at all."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.export.array_kinds import ARRAYS, ArrayKind, IsCancelled, Rows
from pe_desktop.export.atomic_file import (
    NOTHING_WRITTEN,
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


def array_refusal(what: str, encoding: Encoding) -> str:
    """Why an encoding has no such array, as a sentence; nothing where it has one."""
    try:
        _kind(what).shape(encoding)
    except ExportError as error:
        return str(error).removesuffix(f" {NOTHING_WRITTEN}")
    return ""


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
    check_free_space(target, array_bytes(what, encoding, suffix), _need(kind, shape))
    steps = _Steps(shape[0], progress, is_cancelled)
    rows = kind.rows(encoding, cursor, is_cancelled or _never)
    with whole_file(target, overwrite=overwrite) as file:
        if suffix == NPY:
            _write_npy(file, shape, rows, steps)
        else:
            _write_csv(file, shape, [kind.row_name, *kind.columns(encoding)], rows, steps)
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


def _write_npy(file: BinaryIO, shape: tuple[int, ...], rows: Rows, steps: _Steps) -> None:
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    for first, last in steps.chunks(_rows_per_chunk(shape, NPY_CHUNK_VALUES)):
        file.write(np.ascontiguousarray(rows(first, last), dtype="<f8").data)


def _write_csv(file: BinaryIO, shape: tuple[int, ...], names: list[str], rows: Rows, steps: _Steps) -> None:
    file.write(",".join(names).encode() + b"\n")
    for first, last in steps.chunks(_rows_per_chunk(shape, CSV_CHUNK_VALUES)):
        values = rows(first, last).reshape(last - first, -1).tolist()
        # repr of a float is the shortest text that reads back as the same float.
        lines = [f"{number},{','.join(map(repr, row))}\n" for number, row in enumerate(values, first)]
        file.write("".join(lines).encode())


def _rows_per_chunk(shape: tuple[int, ...], n_values: int) -> int:
    return max(n_values // _n_values(shape[1:]), 1)


def _n_values(shape: tuple[int, ...]) -> int:
    n_values = 1
    for length in shape:
        n_values *= length
    return n_values


def _need(kind: ArrayKind, shape: tuple[int, ...]) -> str:
    sides = (f"{length:,} {axis}".replace(",", " ") for length, axis in zip(shape, kind.axes, strict=True))
    return f"{' x '.join(sides)} need"


def _never() -> bool:
    return False


def _kind(what: str) -> ArrayKind:
    if what not in ARRAYS:
        raise ExportError(f"There is no array {what!r}: choose one of {', '.join(ARRAYS)}.")
    return ARRAYS[what]
