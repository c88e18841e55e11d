"""What a mean over adjacent positions leaves of a turning hand."""

import numpy as np

from pe_desktop.core.encoding import Floats, Pairs

# Below this angle the sine of a product keeps more digits than the sine of the product less whole turns.
_SMALL_ANGLE = 0.5


def attenuation(pairs: Pairs, n: int) -> Floats:
    """A_n = sin(n omega / 2) / (n sin(omega / 2)), shape (n_pairs,): the closed sum of a geometric series.

    The mean of a hand over n adjacent positions is A_n times the hand at their centre. A hand that turns by a whole
    number of turns from position to position, as with full turns, loses nothing: there the quotient is 0 / 0.
    """
    if n == 1:
        return np.ones(pairs.count)
    turn, half, many = pairs.offset_angles([1.0, 0.5, n / 2])
    # Half a position may differ from half the turn by half a turn: the sign of both sines.
    sign = np.where(np.cos(half - turn / 2) < 0, -1.0, 1.0)
    below = n * (sign * np.sin(turn / 2))
    above = np.where(np.abs(n * turn / 2) < _SMALL_ANGLE, sign**n * np.sin(n * turn / 2), np.sin(many))
    result: Floats = np.divide(above, below, out=sign ** (n - 1), where=below != 0)
    return result
