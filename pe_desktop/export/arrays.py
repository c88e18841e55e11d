"""Arrays as files: which there are, and how they are written."""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from pe_desktop.core.encoding import Encoding, Floats, Pairs
from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.lags import IsCancelled, never, profile, squared_norm
from pe_desktop.core.number_text import grouped
from pe_desktop.core.precision.tables import framework_values
from pe_desktop.core.record import record
from pe_desktop.core.rotation import RotationField
from pe_desktop.core.rules import MAX_DENSE_ROTATION, names_for, shown
from pe_desktop.core.scores.attention import attended, rotated
from pe_desktop.core.scores.head import head_refusal
from pe_desktop.core.state import State
from pe_desktop.files import (
    ExportCancelledError,
    ExportError,
    check_free_space,
    whole_file,
    writable_target,
)

Rows = Callable[[int, int], Floats]

# Table values compared with one position at once: 8 MiB.
_COMPARED_VALUES: Final = 2**20


@record
class _ArrayKind:
    """What can be taken away as an array.

    axes names what its axes count; row_name stands above the row numbers of a .csv and columns above its columns; shape
    is that of the .npy array; rows is asked once, and answers with what gives the rows first to last (last excluded),
    float64, with the trailing shape of the array.
    """

    title: str
    row_name: str
    axes: tuple[str, ...]
    shape: Callable[[State], tuple[int, ...]]
    columns: Callable[[State], list[str]]
    rows: Callable[[State, IsCancelled], Rows]


def _pairs(encoding: Encoding) -> Pairs:
    if encoding.pairs is None:
        raise ExportError(f"The encoding {encoding.kind!r} has no hands: no sine and cosine of it turn together.")
    return encoding.pairs


def _encoding_shape(state: State) -> tuple[int, ...]:
    return state.encoding.n_positions, state.encoding.d_model


def _encoding_rows(state: State, _is_cancelled: IsCancelled) -> Rows:
    return lambda first, last: framework_values(state.encoding, state.precision, range(first, last))


def _dimension_names(state: State) -> list[str]:
    encoding = state.encoding
    names = [f"dimension_{dimension}" for dimension in range(encoding.d_model)]
    if encoding.pairs is not None:
        for pair in range(encoding.pairs.count):
            sine, cosine = encoding.pairs.dimensions(pair)
            names[sine], names[cosine] = f"sin_{pair}", f"cos_{pair}"
    return names


def _pairs_shape(state: State) -> tuple[int, ...]:
    return (_pairs(state.encoding).count,)


def _pair_rows(name: str, state: State, _is_cancelled: IsCancelled) -> Rows:
    values: Floats = getattr(_pairs(state.encoding), name)
    return lambda first, last: values[first:last]


def _pair_column(words: str, state: State) -> list[str]:
    """What is given of each hand, with the unit of positions in its place."""
    return [words.format("position" if _pairs(state.encoding).turns_evenly else "mapped position")]


def _hands_shape(state: State) -> tuple[int, ...]:
    return state.encoding.n_positions, _pairs(state.encoding).count, 2


def _hands_rows(state: State, _is_cancelled: IsCancelled) -> Rows:
    pairs = _pairs(state.encoding)
    return lambda first, last: pairs.hands(range(first, last))


def _hands_columns(state: State) -> list[str]:
    return [f"{shadow}_{pair}" for pair in range(_pairs(state.encoding).count) for shadow in ("sin", "cos")]


def _rotation_shape(state: State) -> tuple[int, ...]:
    encoding = state.encoding
    if not _pairs(encoding).turns_evenly:
        raise ExportError(f"The hands of the encoding {encoding.kind!r} don't turn evenly: there is no M_k.")
    if encoding.d_model > MAX_DENSE_ROTATION:
        most, given = grouped(MAX_DENSE_ROTATION), grouped(encoding.d_model)
        raise ExportError(f"M_k is written for d_model up to {most}: {given} is more, and nearly all of it zeros.")
    return encoding.d_model, encoding.d_model


def _rotation_rows(state: State, _is_cancelled: IsCancelled) -> Rows:
    field, columns = RotationField(state.encoding, state.cursor.offset), Blocks(0, 1, state.encoding.d_model)
    return lambda first, last: field.means(Blocks(first, 1, last - first), columns)


def _square_shape(state: State) -> tuple[int, ...]:
    return state.encoding.n_positions, state.encoding.n_positions


def _numbered(word: str, shape: Callable[[State], tuple[int, ...]], state: State) -> list[str]:
    """Names of the columns of an array by the numbers of its last axis."""
    return [f"{word}_{number}" for number in range(shape(state)[-1])]


def _similarity_rows(measure: str, state: State, is_cancelled: IsCancelled) -> Rows:
    """All positions against all others: one row of offsets is the whole table where only the offset counts."""
    if not state.encoding.is_shift_invariant:
        return partial(_compared_rows, measure, state.encoding)
    lags = _profile(measure, state.encoding, is_cancelled)
    # Row t is f(t), f(t - 1), ..., f(0), f(1), ...: a window of the offsets laid out to both sides.
    windows = sliding_window_view(np.concatenate((lags[:0:-1], lags)), len(lags))[::-1]
    return lambda first, last: windows[first:last]


def _compared_rows(measure: str, encoding: Encoding, first: int, last: int) -> Floats:
    rows = np.empty((last - first, encoding.n_positions))
    step = max(_COMPARED_VALUES // encoding.d_model, 1)
    for start in range(0, encoding.n_positions, step):
        stretch = slice(start, min(start + step, encoding.n_positions))
        others = encoding.values(range(stretch.start, stretch.stop))
        for row, vector in zip(rows, encoding.values(range(first, last)), strict=True):
            row[stretch] = _compared(measure, others, vector)
    return rows


def _compared(measure: str, others: Floats, vector: Floats) -> Floats:
    """Each of the others, shape (n, d_model), with one vector, shape (n,); the cosine of a zero vector is undefined."""
    if measure == "distance":
        distances: Floats = np.linalg.norm(others - vector, axis=1)
        return distances
    dots: Floats = others @ vector
    if measure == "cosine":
        with np.errstate(invalid="ignore"):
            dots /= np.linalg.norm(others, axis=1) * np.linalg.norm(vector)
    return dots


def _profile(measure: str, encoding: Encoding, is_cancelled: IsCancelled) -> Floats:
    lags = profile(encoding, measure, encoding.n_positions, None, is_cancelled)
    if lags is None:
        raise ExportCancelledError("The export was cancelled.")
    return lags


def _lags_shape(state: State) -> tuple[int, ...]:
    encoding = state.encoding
    if not encoding.is_shift_invariant:
        raise ExportError(f"The similarities of the encoding {encoding.kind!r} depend on more than the offset.")
    return encoding.n_positions, 3


def _lags_rows(state: State, is_cancelled: IsCancelled) -> Rows:
    dots, distances = (_profile(measure, state.encoding, is_cancelled) for measure in ("dot", "distance"))
    square = squared_norm(_pairs(state.encoding))

    def rows(first: int, last: int) -> Floats:
        return np.stack((dots[first:last], dots[first:last] / square, distances[first:last]), axis=1)

    return rows


def _lags_columns(_state: State) -> list[str]:
    return ["dot", "cosine", "distance"]


def _sentence_shape(state: State) -> tuple[int, int]:
    n_words, d_model = len(state.attention.words), state.encoding.d_model
    if not n_words:
        raise ExportError("The sentence has no words.")
    refusal = head_refusal(d_model)
    if refusal is not None:
        raise ExportError(refusal)
    return n_words, d_model


def _word_pairs_shape(state: State) -> tuple[int, ...]:
    n_words, _ = _sentence_shape(state)
    return n_words, n_words


def _head_rows(part: str, state: State, _is_cancelled: IsCancelled) -> Rows:
    """Scores, weights or outputs of the sentence as written, whatever its order is."""
    places = tuple(range(len(state.attention.words)))
    values: Floats = getattr(attended(state.attention, state.encoding, places), part)
    return lambda first, last: values[first:last]


def _rotated_shape(state: State) -> tuple[int, ...]:
    n_words, d_model = _sentence_shape(state)
    return n_words, 2, d_model


def _rotated_names(state: State) -> list[str]:
    return [f"{vector}_{dimension}" for vector in ("query", "key") for dimension in range(state.encoding.d_model)]


def _rotated_rows(state: State, _is_cancelled: IsCancelled) -> Rows:
    values = np.stack(rotated(state.attention, state.encoding), axis=1)
    return lambda first, last: values[first:last]


def _similarity(title: str, measure: str) -> _ArrayKind:
    names, rows = partial(_numbered, "position", _square_shape), partial(_similarity_rows, measure)
    return _ArrayKind(title, "position", ("positions", "positions"), _square_shape, names, rows)


def _of_pairs(title: str, part: str, words: str) -> _ArrayKind:
    return _ArrayKind(title, "pair", ("pairs",), _pairs_shape, partial(_pair_column, words), partial(_pair_rows, part))


def _of_head(title: str, part: str, axis: str, column: str, shape: Callable[[State], tuple[int, ...]]) -> _ArrayKind:
    names, rows = partial(_numbered, column, shape), partial(_head_rows, part)
    return _ArrayKind(title, "word", ("words", axis), shape, names, rows)


ARRAYS: Mapping[str, _ArrayKind] = {
    "encoding": _ArrayKind(
        "Encoding", "position", ("positions", "dimensions"), _encoding_shape, _dimension_names, _encoding_rows
    ),
    "frequencies": _of_pairs("Angular frequencies", "angular_frequencies", "angular_frequency (radians per {})"),
    "wavelengths": _of_pairs("Wavelengths", "wavelengths", "wavelength ({}s)"),
    "hands": _ArrayKind(
        "Hands of the clock", "position", ("positions", "pairs", "shadows"), _hands_shape, _hands_columns, _hands_rows
    ),
    "rotation": _ArrayKind(
        "Rotation M_k", "dimension", ("dimensions", "dimensions"), _rotation_shape, _dimension_names, _rotation_rows
    ),
    "lags": _ArrayKind("Similarity by offset", "k", ("offsets", "measures"), _lags_shape, _lags_columns, _lags_rows),
    "dot": _similarity("Dot products", "dot"),
    "cosine": _similarity("Cosines", "cosine"),
    "distance": _similarity("Distances", "distance"),
    "scores": _of_head("Scores of the sentence", "scores", "words", "key", _word_pairs_shape),
    "weights": _of_head("Weights of the sentence", "weights", "words", "key", _word_pairs_shape),
    "outputs": _of_head("Outputs of the sentence", "outputs", "dimensions", "dimension", _sentence_shape),
    "rotated": _ArrayKind(
        "Rotated queries and keys",
        "word",
        ("words", "vectors", "dimensions"),
        _rotated_shape,
        _rotated_names,
        _rotated_rows,
    ),
}


NPY: Final = ".npy"
CSV: Final = ".csv"
SUFFIXES: Final = (NPY, CSV)

# Large enough for full speed, small enough to answer a cancel within a frame or two.
NPY_CHUNK_VALUES: Final = 256 * 1024
CSV_CHUNK_VALUES: Final = 16 * 1024

# How the numbers of a format are stored: NumPy has no bfloat16, whose numbers float32 holds exactly.
_TYPES: Final = {"float64": "<f8", "float32": "<f4", "float16": "<f2", "bfloat16": "<f4"}

# Shortest round-trip digits of values in [-1, 1] take 19 to 21 characters; with the comma about this many.
_CSV_BYTES_PER_VALUE: Final = 20

PROGRESS_INTERVAL: Final = 0.05  # seconds: at most twenty reports a second

Progress = Callable[[int, int], None]


@record
class WrittenArray:
    """What was written: the file, the shape of the array and the size of the file in bytes."""

    path: Path
    shape: tuple[int, ...]
    n_bytes: int


def array_bytes(what: str, state: State, suffix: str = NPY) -> int:
    """The size of the values in bytes: exact for .npy but for its header of 128 bytes, an estimate for .csv."""
    shape = _shape(what, state)
    n_values = prod(shape)
    if suffix == CSV:
        return n_values * _CSV_BYTES_PER_VALUE + shape[0] * (len(str(shape[0])) + 1)
    return n_values * np.dtype(_TYPES[state.precision.dtype]).itemsize


def array_refusal(what: str, state: State) -> str:
    """Why a state has no such array, as a sentence; nothing where it has one."""
    try:
        _shape(what, state)
    except ExportError as error:
        return error.sentence
    return ""


def write_array(
    what: str,
    state: State,
    path: Path,
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
    is_cancelled: IsCancelled | None = None,
) -> WrittenArray:
    """Writes one of ARRAYS; the suffix of path chooses the format, and the file appears whole or not at all.

    .npy is float64, for encoding the state's dtype, in C order, format version 1.0; .csv has a header row, row numbers
    and the shortest digits that read back the same. progress gets (rows done, rows in all). Raises ExportError with one
    sentence, ExportCancelledError when is_cancelled answered yes; in both cases an existing file is as it was.
    """
    kind = _kind(what)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise ExportError(f"The name of the file must end in {' or '.join(SUFFIXES)}: {path.name} doesn't.")
    shape, number_type = _shape(what, state), np.dtype(_TYPES[state.precision.dtype])
    target = writable_target(path, overwrite=overwrite)
    check_free_space(target, array_bytes(what, state, suffix), _need(kind, shape))
    steps = _Steps(shape[0], progress, is_cancelled)
    rows = kind.rows(state, is_cancelled or never)
    with whole_file(target, overwrite=overwrite) as file:
        if suffix == NPY:
            _write_npy(file, number_type, shape, rows, steps)
        else:
            _write_csv(file, number_type, shape, [kind.row_name, *kind.columns(state)], rows, steps)
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


def _write_npy(file: BinaryIO, number_type: np.dtype[Any], shape: tuple[int, ...], rows: Rows, steps: _Steps) -> None:
    header = {"descr": number_type.str, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    for first, last in steps.chunks(_rows_per_chunk(shape, NPY_CHUNK_VALUES)):
        file.write(np.ascontiguousarray(rows(first, last), dtype=number_type).data)


def _write_csv(
    file: BinaryIO, number_type: np.dtype[Any], shape: tuple[int, ...], names: list[str], rows: Rows, steps: _Steps
) -> None:
    file.write(",".join(names).encode() + b"\n")
    for first, last in steps.chunks(_rows_per_chunk(shape, CSV_CHUNK_VALUES)):
        values = rows(first, last).reshape(last - first, -1).astype(number_type)
        # Both are the shortest text that reads back as the same number of its format; repr of a float is quicker.
        texts = map(repr, values.ravel().tolist()) if number_type.itemsize == 8 else map(str, values.ravel())
        of_row = [iter(texts)] * values.shape[1]
        lines = [f"{number},{','.join(row)}\n" for number, row in enumerate(zip(*of_row, strict=True), first)]
        file.write("".join(lines).encode())


def _rows_per_chunk(shape: tuple[int, ...], n_values: int) -> int:
    return max(n_values // prod(shape[1:]), 1)


def _shape(what: str, state: State) -> tuple[int, ...]:
    """The shape of an array; ExportError where the state has none, or where its numbers are of float64 alone."""
    if what != "encoding" and not state.precision.is_exact:
        raise ExportError(f"{what} is computed in float64 alone: only encoding is written in other formats.")
    return _kind(what).shape(state)


def _need(kind: _ArrayKind, shape: tuple[int, ...]) -> str:
    sides = (f"{grouped(length)} {axis}" for length, axis in zip(shape, kind.axes, strict=True))
    return f"{' x '.join(sides)} need"


def _kind(what: str) -> _ArrayKind:
    if what not in ARRAYS:
        raise ExportError(f"There is no array {shown(what)}: {names_for(what, ARRAYS)}")
    return ARRAYS[what]
