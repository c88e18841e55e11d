"""Lines for where positions come near: returns of one pair, the nearest offsets of all, what tells t from t + k."""

from typing import Final

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.listings.arrays import measure_lines, offset_lines
from pe_desktop.core.listings.checks import hands_text
from pe_desktop.core.listings.tables import Lines, table_lines
from pe_desktop.core.measure.periodic import N_RETURNS, even_step
from pe_desktop.core.rules import MAX_POSITIONS
from pe_desktop.core.state import State

# 2 pi times 10^74.
_TURN: Final = 628318530717958647692528676655900576839433879875021164194988918461563281257


def collision_lines(state: State, name: str) -> Lines:
    """Lines that leave in a dictionary where positions come near.

    lowest: the distance of the nearest two rows at every offset from 1 on, (offsets,). moves: how far each hand moves
    from t to t + k, (hands,). Where distances depend on the offset alone, of the pair returns: after how many positions
    and turns it is nearer to its beginning than after any fewer, by how many radians it misses it, and the chord, (up
    to 9, 4); and of evenly spaced frequencies revival: the offset at which they meet again, whole, and the distance.
    """
    encoding, t, k = state.encoding, state.cursor.position, state.cursor.offset
    nearest = f"np.min(np.diagonal(distance, k)) for k in range(1, {encoding.n_positions})"
    lowest = f"np.stack([{nearest}])  # the nearest two rows" if encoding.n_positions > 1 else "np.zeros(0)"
    lines = [
        *measure_lines(encoding, "distance"),
        f"lowest = {lowest}",
        *table_lines(encoding, f"np.asarray([{t!r}, {t + k!r}])", is_plain=False),
        "squares = (encoding[1] - encoding[0]) ** 2",
        f"moves = np.sqrt(np.stack([squares[np.asarray(columns)].sum() for columns in {hands_text(encoding)}]))",
        f'{name} = {{"lowest": lowest, "moves": moves}}',
    ]
    if not isinstance(encoding, SinusoidalEncoding):
        return lines
    lines += _return_lines(state.cursor.pair, name)
    return lines if even_step(encoding.pairs.angular_frequencies) is None else [*lines, *_revival_lines(encoding, name)]


def _return_lines(pair: int, name: str) -> Lines:
    return [
        "",
        "# The convergents of the continued fraction of 2 pi / omega, in whole numbers, for omega as it is in float64.",
        f"up, down = float(omega[{pair}]).as_integer_ratio()",
        f"turn, step = {_TURN} * down, 10**74 * up",
        "a, b, k, last_k, turns, last_turns, returns = turn, step, 1, 0, 0, 1, []",
        f"while b and len(returns) < {N_RETURNS}:",
        "    k, last_k = a // b * k + last_k, k",
        "    turns, last_turns = a // b * turns + last_turns, turns",
        "    a, b = b, a % b",
        f"    if k > {MAX_POSITIONS}:",
        "        break",
        "    if k > 0:",
        "        if k == last_k:",
        "            returns.pop()",
        "        angle = (k * step - turns * turn) / (down * 10**74)",
        "        angle -= 2 * np.pi * round(angle / (2 * np.pi))",
        "        returns.append([k, turns, angle, 2 * abs(float(numpy.sin(angle / 2)))])",
        f'{name}["returns"] = np.asarray(returns)',
    ]


def _revival_lines(encoding: SinusoidalEncoding, name: str) -> Lines:
    return [
        "",
        "revival = 2 * np.pi * (len(omega) - 1) / (omega[0] - omega[-1])",
        "angle = np.round(revival) * omega[None]",
        *offset_lines(encoding, "distance"),
        f'{name}["revival"] = np.stack([revival, np.round(revival), distance[0]])',
    ]
