"""Arrays as files: which there are, and how they are written."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from pe_desktop.core.encoding import Encoding, Floats, Pairs, check_held
from pe_desktop.core.fields.field import Blocks
from pe_desktop.core.lags import IsCancelled, Progress, compared, never, profile, stop_if, untold
from pe_desktop.core.learning.shown import run_of
from pe_desktop.core.learning.training import KEYS, QUERIES, train
from pe_desktop.core.number_text import grouped
from pe_desktop.core.precision.formats import framework_values
from pe_desktop.core.record import record
from pe_desktop.core.rotation import RotationField, rotation_refusal
from pe_desktop.core.rules import MAX_DENSE_ROTATION, names_for, shown
from pe_desktop.core.scores.attention import Head, attended, projected_words, word_vectors
from pe_desktop.core.scores.rotary import rotary_of
from pe_desktop.core.state import State, checked_state
from pe_desktop.files import ExportError, check_free_space, whole_file, writable_target
from pe_desktop.resources import LazyMapping, resource_json

Rows = Callable[[int, int], Floats]

# Table values compared with one position at once: 8 MiB.
_COMPARED_VALUES: Final = 2**20


@record
class _Array:
    """An array of a state: shape, the names of the columns of a .csv, and what gives rows first to last, last excluded.

    Rows are float64, with the trailing shape of the array; what takes long is computed when the first is asked for.
    said: what the command says of it, "" for nothing.
    """

    shape: tuple[int, ...]
    columns: Iterable[str]
    rows: Rows
    said: str = ""


@record
class _ArrayKind:
    """What can be taken away as an array: row_name stands above the row numbers of a .csv, axes name its axes."""

    title: str
    row_name: str
    axes: Sequence[str]
    of: Callable[[State, IsCancelled], _Array]


def _pairs(encoding: Encoding) -> Pairs:
    if encoding.pairs is None:
        raise ValueError(f"The encoding {encoding.kind!r} has no arrays of hands. {rotation_refusal(encoding)}")
    return encoding.pairs


def _numbered(word: str, count: int) -> Iterator[str]:
    return (f"{word}_{number}" for number in range(count))


def _rows_of(make: Callable[[], Floats]) -> Rows:
    """The rows of an array that is made when the first of them is asked for."""
    whole = cache(make)
    return lambda first, last: whole()[first:last]


def _encoding(state: State, _is_cancelled: IsCancelled) -> _Array:
    given = (state.encoding, state.precision)
    names = _dimension_names(state.encoding)
    return _Array(state.encoding.shape, names, lambda first, last: framework_values(*given, range(first, last)))


def _dimension_names(encoding: Encoding) -> Iterator[str]:
    names = [*_numbered("dimension", encoding.d_model)]
    if encoding.pairs is not None:
        for pair in range(encoding.pairs.count):
            sine, cosine = encoding.pairs.dimensions(pair)
            names[sine], names[cosine] = f"sin_{pair}", f"cos_{pair}"
    yield from names


def _of_pairs(part: str, words: str, state: State, _is_cancelled: IsCancelled) -> _Array:
    """A number of each hand; words name it, with the unit of positions in their place."""
    pairs = _pairs(state.encoding)
    column = words.format("position" if pairs.turns_evenly else "mapped position")
    return _Array((pairs.count,), (column,), _rows_of(lambda: getattr(pairs, part)))


def _hands(state: State, _is_cancelled: IsCancelled) -> _Array:
    pairs = _pairs(state.encoding)
    names = (f"{shadow}_{pair}" for pair in range(pairs.count) for shadow in ("sin", "cos"))
    shape = (state.encoding.n_positions, pairs.count, 2)
    return _Array(shape, names, lambda first, last: pairs.hands(range(first, last)))


def _rotation(state: State, _is_cancelled: IsCancelled) -> _Array:
    encoding = state.encoding
    size = state.encoding.d_model
    field = RotationField(encoding, state.cursor.offset)
    if size > MAX_DENSE_ROTATION:
        most = grouped(MAX_DENSE_ROTATION)
        given = grouped(size)
        raise ValueError(f"M_k is written for d_model up to {most}: {given} is more, and nearly all of it zeros.")
    columns = Blocks(0, 1, size)

    def rows(first: int, last: int) -> Floats:
        return field.means(Blocks(first, 1, last - first), columns)

    return _Array((size, size), _dimension_names(encoding), rows)


def _similarity(measure: str, state: State, is_cancelled: IsCancelled) -> _Array:
    """All positions against all others: one row of offsets is the whole table where only the offset counts."""
    encoding = state.encoding
    count = state.encoding.n_positions

    def windows() -> Floats:
        lags = profile(encoding, measure, range(count), is_cancelled=is_cancelled)
        # Row t is f(t), f(t - 1), ..., f(0), f(1), ...: a window of the offsets laid out to both sides.
        return sliding_window_view(np.concatenate((lags[:0:-1], lags)), count)[::-1]

    rows = _rows_of(windows) if encoding.is_shift_invariant else partial(_compared_rows, measure, encoding)
    return _Array((count, count), _numbered("position", count), rows)


def _compared_rows(measure: str, encoding: Encoding, first: int, last: int) -> Floats:
    rows = np.empty((last - first, encoding.n_positions))
    step = max(_COMPARED_VALUES // encoding.d_model, 1)
    for start in range(0, encoding.n_positions, step):
        stretch = slice(start, min(start + step, encoding.n_positions))
        others = encoding.values(range(stretch.start, stretch.stop))
        for row, vector in zip(rows, encoding.values(range(first, last)), strict=True):
            row[stretch] = compared(measure, vector, others)
    return rows


def _lags(state: State, is_cancelled: IsCancelled) -> _Array:
    encoding = state.encoding
    count = state.encoding.n_positions
    if not encoding.is_shift_invariant:
        raise ValueError(f"The similarities of the encoding {encoding.kind!r} depend on more than the offset.")

    def table() -> Floats:
        dots, distances = (
            profile(encoding, name, range(count), is_cancelled=is_cancelled) for name in ("dot", "distance")
        )
        return np.stack((dots, dots / _pairs(encoding).squared_norm, distances), axis=1)

    return _Array((count, 3), ("dot", "cosine", "distance"), _rows_of(table))


def _of_head(part: str, state: State, _is_cancelled: IsCancelled) -> _Array:
    """Scores and weights of each key, or the dimensions of outputs: of the sentence as written, whatever its order."""
    n_words, d_model = _sentence_shape(state)
    places = tuple(range(n_words))
    column, width = ("dimension", d_model) if part == "outputs" else ("key", n_words)
    rows = _rows_of(lambda: getattr(attended(state.attention, state.encoding, places), part))
    return _Array((n_words, width), _numbered(column, width), rows)


def _inputs(state: State, _is_cancelled: IsCancelled) -> _Array:
    """X + PE: the words as written, each with the row of its position added."""
    shape = _sentence_shape(state)
    attention = state.attention
    encoding = state.encoding
    given = attention.words, encoding.d_model, attention.word_seed
    rows = _rows_of(lambda: word_vectors(*given) + encoding.values(attention.positions))
    return _Array(shape, _dimension_names(encoding), rows)


def _rotated(state: State, _is_cancelled: IsCancelled) -> _Array:
    n_words, d_model = _sentence_shape(state)
    names = (name for vector in ("query", "key") for name in _numbered(vector, d_model))
    head = Head(d_model, state.attention.word_seed)
    rotary = rotary_of(state)

    def both() -> Floats:
        queries, keys, _values = projected_words(head, state.attention.words)
        return np.stack([rotary.turned(one, state.attention.positions) for one in (queries, keys)], axis=1)

    return _Array((n_words, 2, d_model), names, _rows_of(both))


def _learned(name: str, state: State, is_cancelled: IsCancelled) -> _Array:
    """A matrix of the head that Learn trains, at the last step up to the seen one after which it is kept."""
    run = run_of(state)

    def matrix() -> Floats:
        film = train(run, is_cancelled)
        return film.at(film.place_of(state.views.learn.step))[name]

    kept = run.kept_steps
    step = state.views.learn.step
    said = f"after step {kept[-1] if step < 0 else kept[kept <= step][-1]} of {run.n_total}"
    return _Array((run.d_model, run.d_model), _numbered("column", run.d_model), _rows_of(matrix), said)


def _sentence_shape(state: State) -> tuple[int, int]:
    n_words = len(state.attention.words)
    d_model = state.encoding.d_model
    if not n_words:
        raise ValueError("The sentence has no words.")
    # A head refuses a d_model that it can't have.
    return n_words, Head(d_model).d_model


_OF: Final[Mapping[str, Callable[[State, IsCancelled], _Array]]] = {
    **{of.__name__[1:]: of for of in (_encoding, _hands, _rotation, _lags, _inputs, _rotated)},
    "frequencies": partial(_of_pairs, "angular_frequencies", "angular_frequency (radians per {})"),
    "wavelengths": partial(_of_pairs, "wavelengths", "wavelength ({}s)"),
    **{measure: partial(_similarity, measure) for measure in ("dot", "cosine", "distance")},
    **{part: partial(_of_head, part) for part in ("scores", "weights", "outputs")},
    **{f"{what}-weights": partial(_learned, name) for what, name in (("query", QUERIES), ("key", KEYS))},
}
ARRAYS: Final[Mapping[str, _ArrayKind]] = LazyMapping(
    lambda: {what: _ArrayKind(**row, of=_OF[what]) for what, row in resource_json("figures.json")["arrays"].items()}
)

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


@record
class Written:
    """What was written: the file, its size in words and in bytes, and what is told of it, the caption of a figure."""

    path: Path
    size: str
    n_bytes: int
    told: str = ""


def array_bytes(what: str, state: State, suffix: str = NPY) -> int:
    """The size of the values in bytes: exact for .npy but for its header of 128 bytes, an estimate for .csv."""
    shape = array_of(what, state).shape
    n_values = prod(shape)
    if suffix == CSV:
        return n_values * _CSV_BYTES_PER_VALUE + shape[0] * (len(str(shape[0])) + 1)
    return n_values * np.dtype(_TYPES[state.precision.dtype]).itemsize


def array_refusal(what: str, state: State) -> str:
    """Why a state has no such array, as a sentence; nothing where it has one."""
    try:
        array_of(what, state)
    except ExportError as error:
        return error.sentence
    return ""


def write_array(
    what: str,
    state: State,
    path: Path,
    *,
    overwrite: bool = False,
    progress: Progress = untold,
    is_cancelled: IsCancelled = never,
) -> Written:
    """Writes one of ARRAYS; the suffix of path, of SUFFIXES, chooses the format; the file appears whole or not at all.

    .npy is float64, for encoding the state's dtype, in C order, format version 1.0; .csv has a header row, row numbers
    and the shortest digits that read back the same. progress gets (rows done, rows in all). Raises ExportError with one
    sentence, CancelledError when is_cancelled answered yes; in both cases an existing file is as it was.
    """
    suffix = path.suffix.lower()
    array = array_of(what, state, is_cancelled)
    number_type = np.dtype(_TYPES[state.precision.dtype])
    target = writable_target(path, overwrite=overwrite)
    sides = (f"{grouped(length)} {axis}" for length, axis in zip(array.shape, ARRAYS[what].axes, strict=True))
    check_free_space(target, array_bytes(what, state, suffix), f"{' x '.join(sides)} need")
    with whole_file(target, overwrite=overwrite) as file:
        if suffix == NPY:
            header = {"descr": number_type.str, "fortran_order": False, "shape": array.shape}
            np.lib.format.write_array_header_1_0(file, header)
            for first, last in _chunks(array.shape, NPY_CHUNK_VALUES, progress, is_cancelled):
                file.write(np.ascontiguousarray(array.rows(first, last), dtype=number_type).data)
        else:
            file.write(",".join((ARRAYS[what].row_name, *array.columns)).encode() + b"\n")
            for first, last in _chunks(array.shape, CSV_CHUNK_VALUES, progress, is_cancelled):
                file.write(_csv_lines(array.rows(first, last).astype(number_type), first))
        n_bytes = file.tell()
    return Written(path, " x ".join(map(str, array.shape)), n_bytes, array.said)


def _chunks(
    shape: tuple[int, ...], n_values: int, progress: Progress, is_cancelled: IsCancelled
) -> Iterator[tuple[int, int]]:
    """The rows in chunks of so many values: each first and last; reports progress now and then, stops when asked to."""
    n_rows = shape[0]
    size = max(n_values // prod(shape[1:]), 1)
    reported_at = time.monotonic()
    for first in range(0, n_rows, size):
        stop_if(is_cancelled)
        last = min(first + size, n_rows)
        yield first, last
        now = time.monotonic()
        if now - reported_at >= PROGRESS_INTERVAL or last == n_rows:
            progress(last, n_rows)
            reported_at = now
    stop_if(is_cancelled)


def _csv_lines(values: np.ndarray[Any, np.dtype[Any]], first: int) -> bytes:
    """Rows behind their numbers, of which first is that of the first one."""
    rows = values.reshape(len(values), -1)
    # Both are the shortest text that reads back as the same number of its format; repr of a float is quicker.
    texts = map(repr, rows.ravel().tolist()) if rows.itemsize == 8 else map(str, rows.ravel())
    of_row = [iter(texts)] * rows.shape[1]
    lines = [f"{number},{','.join(row)}\n" for number, row in enumerate(zip(*of_row, strict=True), first)]
    return "".join(lines).encode()


def array(what: str, state: State) -> np.ndarray[Any, np.dtype[Any]]:
    """One of ARRAYS, as its .npy holds it; ValueError with a sentence where there is none, or it is too large."""
    if refusal := array_refusal(what, checked_state(state)):
        raise ValueError(refusal)
    held = array_of(what, state)
    check_held(held.shape, "the command export writes it as a file")
    return np.array(held.rows(0, held.shape[0]), dtype=_TYPES[state.precision.dtype])


def array_of(what: str, state: State, is_cancelled: IsCancelled = never) -> _Array:
    """An array; ExportError where the state has none, or where its numbers are of float64 alone."""
    if what not in ARRAYS:
        raise ExportError(f"There is no array {shown(what) or 'without a name'}: {names_for(what, ARRAYS)}")
    if what != "encoding" and not state.precision.is_exact:
        raise ExportError(f"{what} is computed in float64 alone: only encoding is written in other formats.")
    try:
        return ARRAYS[what].of(state, is_cancelled)
    except ValueError as error:
        raise ExportError(str(error)) from error
