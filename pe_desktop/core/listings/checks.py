"""Lines for the ten checks of Properties, by the functions that a program begins with, and for the page of scales."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pe_desktop.core.columns import MISSING, hand_columns
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.field import even_sample
from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs
from pe_desktop.core.listings.tables import Lines, of_length, omega_lines, table_lines
from pe_desktop.core.measure.measurement import FAR, PROPERTIES
from pe_desktop.core.measure.scales import hand_wavelengths
from pe_desktop.core.measure.tables import runs_of
from pe_desktop.core.measure.verdicts import evaluated_positions
from pe_desktop.core.rules import MAX_ABSOLUTE_POSITION
from pe_desktop.core.state import State

# Ranges of tokens that a text names.
_RANGES: Final = ((1.0, 10.0), (100.0, 200.0), (600.0, 700.0))
_HANDS, _POSITIONS = 16, 8
# The best matrix of fewer steps than this fits whatever they are.
_FEWEST_STEPS: Final = 2

FUNCTIONS: Final[Mapping[str, Lines]] = {
    "fewest_in_tenfold(": '''\
def fewest_in_tenfold(wavelength, n):
    """Hands in each tenfold of wavelength that begins within n positions, 2 pi to 20 pi and so on: the fewest."""
    number = np.floor(np.log10(wavelength / (2 * np.pi)) + 1e-9)
    last = max(int(numpy.floor(numpy.log10(n / (2 * numpy.pi)) + 1e-9)), 0)
    return min(int((number == j).sum()) for j in range(last + 1))


'''.splitlines(),
    "missed_by_shift(": '''\
def missed_by_shift(before, after, hands):
    """|after - before M| / |after|, M the best matrix of every hand, from triangles that have the same lengths."""
    missed = energy = 0.0
    for columns in hands:
        n, both = len(columns), [values[:, np.asarray(columns)] for values in (before, after)]
        triangle = np.linalg.qr(np.concatenate(both, axis=1))[1]
        left, sizes, _ = np.linalg.svd(triangle[:, :n], full_matrices=False)
        left = left * (sizes > 8 * 2.0**-52 * sizes[0])
        wanted = triangle[:, n:]
        missed += float(((wanted - left @ (left.T @ wanted)) ** 2).sum())
        energy += float((wanted**2).sum())
    return (missed / energy) ** 0.5 if energy > 0 else 0.0


'''.splitlines(),
    "nearest(": '''\
def nearest(runs, least):
    """The smallest distance of two rows of a run so many positions apart or more; runs have a step and their rows."""
    lowest = float("inf")
    for step, some in runs:
        for k in range(max(-(-least // step), 1), len(some[0])):
            for rows in some:
                lowest = min(lowest, float(((rows[k:] - rows[: len(rows) - k]) ** 2).sum(axis=1).min()))
    return lowest**0.5


'''.splitlines(),
    "nearest_by_offset(": '''\
def nearest_by_offset(omega, n, least):
    """The smallest distance of positions so far apart or more: hands of length 1 that turn evenly, in pieces."""
    lowest, height = float("inf"), 2**20 // len(omega) + 1
    for first in range(least, n, height):
        angle = np.arange(first, min(first + height, n))[:, None] * omega
        lowest = min(lowest, float((np.sin(angle / 2) ** 2).sum(axis=1).min()))
    return 2 * lowest**0.5


'''.splitlines(),
    "off_diagonals(": '''\
def off_diagonals(runs):
    """|G - T| / |G|, G all dot products within the runs, T the means of their diagonals."""
    missed = energy = 0.0
    for _, some in runs:
        for k in range(len(some[0])):
            diagonal = np.concatenate([(rows[k:] * rows[: len(rows) - k]).sum(axis=1) for rows in some])
            sides = 2 if k else 1
            missed += sides * float(((diagonal - diagonal.mean()) ** 2).sum())
            energy += sides * float((diagonal**2).sum())
    return (missed / energy) ** 0.5 if energy > 0 else 0.0


'''.splitlines(),
}  # fmt: skip


def hands_text(encoding: Encoding, some: Sequence[int] | None = None) -> str:
    """The columns of some hands, of all where it is None: neighbours and halves by their law, others as a list."""
    columns = hand_columns(encoding)
    hands: list[list[int]] = (columns if some is None else columns[[*some]]).tolist()
    count = len(hands)
    if hands == [[2 * hand, 2 * hand + 1] for hand in range(count)]:
        return f"[[2 * i, 2 * i + 1] for i in range({count})]"
    if hands == [[hand, hand + count] for hand in range(count)]:
        return f"[[i, i + {count}] for i in range({count})]"
    return repr([[column for column in hand if column != MISSING] for hand in hands])


def check_lines(encoding: Encoding, name: str, keys: Iterable[str] = PROPERTIES) -> Lines:
    """Lines that leave the numbers of some checks in a variable, shape (checks,); nan where nothing is measured.

    They are measured at the positions at which Properties does: at all, or in four runs of them.
    """
    lines = [*_setup_lines(encoding), *(line for key in keys for line in _CHECKS[key](encoding))]
    return [
        *lines,
        f"checks = [{', '.join(keys)}]",
        f"{name} = np.asarray([float(check) for check in checks])",
    ]


def _setup_lines(encoding: Encoding) -> Lines:
    """Lines that define `table`, and leave measured rows and those before and after a step of one position."""
    n = encoding.n_positions
    runs = runs_of(encoding)
    lines = [*_function_lines(encoding, "table"), f"n = {n}"]
    if len(runs) == 1:
        lines.append("runs = [(1, [table(np.arange(n))])]")
    else:
        length, step = len(runs[0]), runs[3].step
        firsts = tuple(run.start for run in runs[:3])
        lines += [
            f"# Measured are {4 * length} of the positions: three runs of them, and some spread over the table.",
            f"adjacent = [table(np.arange(first, first + {length})) for first in {firsts}]",
            f"spread = {step} * np.arange({length})",
            f"runs = [(1, adjacent), ({step}, [table(spread)])]",
        ]
    lines += [
        "rows = np.concatenate([values for _, some in runs for values in some])",
        "length = np.sqrt((rows**2).sum(axis=1))",
        "before = np.concatenate([values[:-1] for values in runs[0][1]])",
        "after = np.concatenate([values[1:] for values in runs[0][1]])",
    ]
    return lines


def _function_lines(encoding: Encoding, name: str) -> Lines:
    """Lines that define a function of positions, what doesn't depend on them in front of it."""
    before = omega_lines(encoding)
    body = (f"    {line}" for line in table_lines(encoding, "")[1 + len(before) :])
    return [*before, "", "", f"def {name}(t):", *body, "    return encoding", "", ""]


def _deterministic(encoding: Encoding) -> Lines:
    other = encoding.redrawn
    positions = evaluated_positions(encoding)
    some = f"np.arange({len(positions)})"
    if len(positions) < encoding.n_positions:
        some = f"{some} * {encoding.n_positions - 1} // {len(positions) - 1}"
    again = "table" if other is None else "redrawn"
    return [
        *([] if other is None else ["", "", *_function_lines(other, "redrawn")]),
        f"some = {some}",
        f"deterministic = np.abs({again}(some) - table(some)).max()",
    ]


def _smooth(encoding: Encoding) -> Lines:
    if encoding.n_positions == 1:
        return ["smooth = np.nan  # one position has no step"]
    lines = [
        "step = np.sqrt(((after - before) ** 2).sum(axis=1))",
        "typical, longest = float(numpy.median(numpy.asarray(step))), float(step.max())",
    ]
    if _is_sampled(encoding):
        powers = (encoding.n_positions - 1).bit_length()
        lines += [
            f"for t in (spread, 2 ** np.arange({powers}) - 1):",
            "    step = np.sqrt(((table(t + 1) - table(t)) ** 2).sum(axis=1))",
            "    longest = max(longest, float(step.max()))",
        ]
    return [*lines, "smooth = longest / typical if typical > 1e-12 * float(length.max()) else np.nan"]


def _is_sampled(encoding: Encoding) -> bool:
    return len(runs_of(encoding)) > 1


def _scales(encoding: Encoding) -> Lines:
    lines = _wavelength_lines(encoding)
    if not lines:
        return ["scales = np.nan  # nothing turns evenly"]
    return [*lines, "scales = fewest_in_tenfold(wavelength, n)"]


def _wavelength_lines(encoding: Encoding) -> Lines:
    """Lines that leave the wavelengths of evenly turning hands in `wavelength`, from `omega`; () where none does."""
    if not len(hand_wavelengths(encoding)):
        return []
    if encoding.bits is not None:
        first = 2 if encoding.bits.first_one == 0.25 else 1
        return [f"wavelength = 2.0 ** (np.arange({encoding.n_filled}) + {first})"]
    return ["wavelength = 2 * np.pi / omega"]


def _linear_shift(encoding: Encoding) -> Lines:
    if encoding.n_positions <= _FEWEST_STEPS + 1:
        return ["linear_shift = np.nan  # too few steps"]
    both = "before, after"
    if _is_sampled(encoding):
        both = "np.concatenate([before, table(spread)]), np.concatenate([after, table(spread + 1)])"
    return [f"linear_shift = missed_by_shift({both}, {hands_text(encoding)})"]


def _norm(_encoding: Encoding) -> Lines:
    return [
        "low, high = float(length.min()), float(length.max())",
        "norm = (low + high) / 2 if high - low <= 1e-12 * high else high - low  # the length, or its range",
    ]


def _unique(encoding: Encoding) -> Lines:
    return _nearest_lines(encoding, "unique", 1)


def _far(encoding: Encoding) -> Lines:
    return _nearest_lines(encoding, "far", FAR + 1)


def _nearest_lines(encoding: Encoding, name: str, least: int) -> Lines:
    if encoding.n_positions <= least:
        return [f"{name} = np.nan  # no positions so far apart"]
    pairs = encoding.pairs
    if encoding.is_shift_invariant and isinstance(pairs, SinusoidalPairs):
        return [f"{name} = {of_length(pairs.amplitude, f'nearest_by_offset(omega, n, {least})')}"]
    return [f"{name} = nearest(runs, {least})"]


def _bounded(_encoding: Encoding) -> Lines:
    return ["bounded = np.abs(rows).max()"]


def _shift_invariant(_encoding: Encoding) -> Lines:
    return ["shift_invariant = off_diagonals(runs)"]


def _periodic(encoding: Encoding) -> Lines:
    pairs = encoding.pairs
    if pairs is None:
        return ["periodic = np.nan  # no pair turns"]
    if pairs.turns_evenly:
        return ["periodic = (2 * np.pi / omega <= n).sum()  # each hand returns: how many do within the table"]
    within = (pairs.wavelengths < MAX_ABSOLUTE_POSITION - _POSITIONS).nonzero()[0].tolist()
    compared = [within[place] for place in even_sample(len(within), _HANDS)]
    return [
        f"t, hands = np.arange({min(encoding.n_positions, _POSITIONS)}), {hands_text(encoding)}",
        "largest = moved = 0.0",
        f"for i in {compared}:  # each hand after its own wavelength",
        "    first, then = table(t), table(t + 2 * np.pi / omega[i])",
        "    change = np.abs(then - first)[:, np.asarray(hands[i])]",
        "    moved = max(moved, float(change.max()))",
        "    largest = max(largest, float(np.abs(first[:, np.asarray(hands[i])]).max()))",
        "periodic = moved / largest",
    ]


_CHECKS: Final = {
    "deterministic": _deterministic,
    "smooth": _smooth,
    "scales": _scales,
    "linear_shift": _linear_shift,
    "norm": _norm,
    "unique": _unique,
    "bounded": _bounded,
    "shift_invariant": _shift_invariant,
    "periodic": _periodic,
    "far": _far,
}


def scale_lines(state: State, name: str) -> Lines:
    """Lines that leave in a dictionary how many hands each tenfold of wavelength from 2 pi on has, and its edges.

    And of pairs, for each range of positions: how many serve it, between which wavelengths, and their share of the
    squared distance of its ends, shape (ranges, 4). The last range is that from t to t + k.
    """
    encoding, cursor = state.encoding, state.cursor
    wavelengths = _wavelength_lines(encoding)
    if not wavelengths:
        return [f'{name} = {{"hands": np.zeros(0), "edges": np.zeros(0)}}  # nothing turns evenly']
    lines = [
        *omega_lines(encoding),
        *wavelengths,
        "number = np.floor(np.log10(wavelength / (2 * np.pi)) + 1e-9)",
        "tenfold = np.arange(int(number.min()), int(number.max()) + 2)",
        "count = np.asarray([int((number == j).sum()) for j in range(int(number.min()), int(number.max()) + 1)])",
        f'{name} = {{"hands": count, "edges": 2 * np.pi * 10.0**tenfold}}',
    ]
    pairs = encoding.pairs
    if pairs is None:
        return lines
    first, last = sorted((cursor.position, cursor.position + cursor.offset))
    ranges = [*_RANGES, *([(first, last)] if first < last else [])]
    return [
        *lines,
        f"hands = np.asarray({hands_text(encoding)})",
        "served = []",
        f"for first, last in {ranges}:",
        *(f"    {line}" for line in table_lines(encoding, "np.asarray([first, last])", is_plain=False)),
        "    squares = ((encoding[1] - encoding[0]) ** 2)[hands].sum(axis=1)",
        "    least, most = 2 * (last - first), 20 * (last - first)  # 1/2 to 1/20 of a turn",
        "    serves = (wavelength >= least * (1 - 1e-9)) & (wavelength <= most * (1 + 1e-9))",
        "    share = (squares * serves).sum() / squares.sum()",
        "    served.append([float(one) for one in (serves.sum(), least, most, share)])",
        f'{name}["served"] = np.asarray(served)',
    ]
