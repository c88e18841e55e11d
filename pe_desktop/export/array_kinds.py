"""The table of arrays that can be taken away: how each is called, how large it is, where its rows come from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Floats, Pairs
from pe_desktop.core.fields import Blocks
from pe_desktop.core.lags import squared_norm
from pe_desktop.core.limits import MAX_DENSE_ROTATION
from pe_desktop.core.rotation import RotationField
from pe_desktop.core.rules import grouped
from pe_desktop.core.similarity import profile
from pe_desktop.export.atomic_file import ExportCancelledError, ExportError

IsCancelled = Callable[[], bool]
Rows = Callable[[int, int], Floats]

# Table values compared with one position at once: 8 MiB.
_COMPARED_VALUES: Final = 2**20


@dataclass(frozen=True, slots=True)
class ArrayKind:
    """What can be taken away as an array.

    axes names what its axes count; row_name stands above the row numbers of a .csv and columns above its columns; shape
    is that of the .npy array; rows is asked once, and answers with what gives the rows first to last (last excluded),
    float64, with the trailing shape of the array.
    """

    title: str
    row_name: str
    axes: tuple[str, ...]
    shape: Callable[[Encoding], tuple[int, ...]]
    columns: Callable[[Encoding], list[str]]
    rows: Callable[[Encoding, Cursor, IsCancelled], Rows]


def _pairs(encoding: Encoding) -> Pairs:
    if encoding.pairs is None:
        raise ExportError(f"The encoding {encoding.kind!r} has no hands: no sine and cosine of it turn together.")
    return encoding.pairs


def _encoding_shape(encoding: Encoding) -> tuple[int, ...]:
    return encoding.n_positions, encoding.d_model


def _encoding_rows(encoding: Encoding, _cursor: Cursor, _is_cancelled: IsCancelled) -> Rows:
    return lambda first, last: encoding.values(range(first, last))


def _dimension_names(encoding: Encoding) -> list[str]:
    names = [f"dimension_{dimension}" for dimension in range(encoding.d_model)]
    if encoding.pairs is not None:
        for pair in range(encoding.pairs.count):
            sine, cosine = encoding.pairs.dimensions(pair)
            names[sine], names[cosine] = f"sin_{pair}", f"cos_{pair}"
    return names


def _pairs_shape(encoding: Encoding) -> tuple[int, ...]:
    return (_pairs(encoding).count,)


def _frequency_rows(encoding: Encoding, _cursor: Cursor, _is_cancelled: IsCancelled) -> Rows:
    frequencies = _pairs(encoding).angular_frequencies
    return lambda first, last: frequencies[first:last]


def _frequency_columns(encoding: Encoding) -> list[str]:
    return [f"angular_frequency (radians per {_unit(encoding)})"]


def _unit(encoding: Encoding) -> str:
    return "position" if _pairs(encoding).turns_evenly else "mapped position"


def _wavelength_rows(encoding: Encoding, _cursor: Cursor, _is_cancelled: IsCancelled) -> Rows:
    wavelengths = _pairs(encoding).wavelengths
    return lambda first, last: wavelengths[first:last]


def _wavelength_columns(encoding: Encoding) -> list[str]:
    return [f"wavelength ({_unit(encoding)}s)"]


def _hands_shape(encoding: Encoding) -> tuple[int, ...]:
    return encoding.n_positions, _pairs(encoding).count, 2


def _hands_rows(encoding: Encoding, _cursor: Cursor, _is_cancelled: IsCancelled) -> Rows:
    pairs = _pairs(encoding)
    return lambda first, last: pairs.hands(range(first, last))


def _hands_columns(encoding: Encoding) -> list[str]:
    return [f"{shadow}_{pair}" for pair in range(_pairs(encoding).count) for shadow in ("sin", "cos")]


def _rotation_shape(encoding: Encoding) -> tuple[int, ...]:
    if not _pairs(encoding).turns_evenly:
        raise ExportError(f"The hands of the encoding {encoding.kind!r} don't turn evenly: there is no M_k.")
    if encoding.d_model > MAX_DENSE_ROTATION:
        most, given = grouped(MAX_DENSE_ROTATION), grouped(encoding.d_model)
        raise ExportError(f"M_k is written for d_model up to {most}: {given} is more, and nearly all of it zeros.")
    return encoding.d_model, encoding.d_model


def _rotation_rows(encoding: Encoding, cursor: Cursor, _is_cancelled: IsCancelled) -> Rows:
    field, columns = RotationField(encoding, cursor.offset), Blocks(0, 1, encoding.d_model)
    return lambda first, last: field.means(Blocks(first, 1, last - first), columns)


def _square_shape(encoding: Encoding) -> tuple[int, ...]:
    return encoding.n_positions, encoding.n_positions


def _position_names(encoding: Encoding) -> list[str]:
    return [f"position_{position}" for position in range(encoding.n_positions)]


def _similarity_rows(kind: str, encoding: Encoding, _cursor: Cursor, is_cancelled: IsCancelled) -> Rows:
    """All positions against all others: one row of offsets is the whole table where only the offset counts."""
    if not encoding.is_shift_invariant:
        return partial(_compared_rows, kind, encoding)
    lags = _profile(kind, encoding, is_cancelled)
    # Row t is f(t), f(t - 1), ..., f(0), f(1), ...: a window of the offsets laid out to both sides.
    windows = sliding_window_view(np.concatenate((lags[:0:-1], lags)), len(lags))[::-1]
    return lambda first, last: windows[first:last]


def _compared_rows(kind: str, encoding: Encoding, first: int, last: int) -> Floats:
    rows = np.empty((last - first, encoding.n_positions))
    step = max(_COMPARED_VALUES // encoding.d_model, 1)
    for start in range(0, encoding.n_positions, step):
        stretch = slice(start, min(start + step, encoding.n_positions))
        others = encoding.values(range(stretch.start, stretch.stop))
        for row, vector in zip(rows, encoding.values(range(first, last)), strict=True):
            row[stretch] = _compared(kind, others, vector)
    return rows


def _compared(kind: str, others: Floats, vector: Floats) -> Floats:
    """Each of the others, shape (n, d_model), with one vector, shape (n,); the cosine of a zero vector is undefined."""
    if kind == "distance":
        distances: Floats = np.linalg.norm(others - vector, axis=1)
        return distances
    dots: Floats = others @ vector
    if kind == "cosine":
        with np.errstate(invalid="ignore"):
            dots /= np.linalg.norm(others, axis=1) * np.linalg.norm(vector)
    return dots


def _profile(kind: str, encoding: Encoding, is_cancelled: IsCancelled) -> Floats:
    lags = profile(encoding, kind, encoding.n_positions, None, is_cancelled)
    if lags is None:
        raise ExportCancelledError("The export was cancelled.")
    return lags


def _lags_shape(encoding: Encoding) -> tuple[int, ...]:
    if not encoding.is_shift_invariant:
        raise ExportError(f"The similarities of the encoding {encoding.kind!r} depend on more than the offset.")
    return encoding.n_positions, 3


def _lags_rows(encoding: Encoding, _cursor: Cursor, is_cancelled: IsCancelled) -> Rows:
    dots, distances = (_profile(kind, encoding, is_cancelled) for kind in ("dot", "distance"))
    square = squared_norm(_pairs(encoding))

    def rows(first: int, last: int) -> Floats:
        return np.stack((dots[first:last], dots[first:last] / square, distances[first:last]), axis=1)

    return rows


def _lags_columns(_encoding: Encoding) -> list[str]:
    return ["dot", "cosine", "distance"]


def _similarity(title: str, kind: str) -> ArrayKind:
    rows = partial(_similarity_rows, kind)
    return ArrayKind(title, "position", ("positions", "positions"), _square_shape, _position_names, rows)


ARRAYS: Mapping[str, ArrayKind] = {
    "encoding": ArrayKind(
        "Encoding", "position", ("positions", "dimensions"), _encoding_shape, _dimension_names, _encoding_rows
    ),
    "frequencies": ArrayKind(
        "Angular frequencies", "pair", ("pairs",), _pairs_shape, _frequency_columns, _frequency_rows
    ),
    "wavelengths": ArrayKind("Wavelengths", "pair", ("pairs",), _pairs_shape, _wavelength_columns, _wavelength_rows),
    "hands": ArrayKind(
        "Hands of the clock", "position", ("positions", "pairs", "shadows"), _hands_shape, _hands_columns, _hands_rows
    ),
    "rotation": ArrayKind(
        "Rotation M_k", "dimension", ("dimensions", "dimensions"), _rotation_shape, _dimension_names, _rotation_rows
    ),
    "lags": ArrayKind("Similarity by offset", "k", ("offsets", "measures"), _lags_shape, _lags_columns, _lags_rows),
    "dot": _similarity("Dot products", "dot"),
    "cosine": _similarity("Cosines", "cosine"),
    "distance": _similarity("Distances", "distance"),
}
