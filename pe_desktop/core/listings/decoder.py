"""Lines for what hands read: the curve of the decoder and both of its tables, and "is n three before m?"."""

from typing import Final, cast

from pe_desktop.core.columns import n_hands
from pe_desktop.core.cursor import visible_pins
from pe_desktop.core.decoder import NEAR_SHARE, table_counts
from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs
from pe_desktop.core.listings.checks import hands_text
from pe_desktop.core.listings.tables import Lines, frequency_lines, table_lines, whole_positions
from pe_desktop.core.rotation import rotation_refusal
from pe_desktop.core.state import State

_FIRST_FIVE: Final = '''\
def first_five(values):
    """The positions of the smallest values; of those that agree to 14 digits the lower one comes first."""
    size = float(np.abs(values).max()) or 1.0
    return numpy.argsort(numpy.round(numpy.asarray(values / size), 14), kind="stable")[:5].tolist()


'''.splitlines()


def decoder_lines(state: State, name: str) -> Lines:
    """Lines that leave in a dictionary what the hands that are read say.

    curve: the dot product with each row, (positions,). nearest: the five best positions by it with their dot products,
    the five nearest ones with their distances, (5, 4). fewer: for the first 1, 2, 4, ... of the hands how many they
    are, the best and the second position by dot product, the margin, how many positions are within 1 % of the best, the
    nearest and the second by distance, (counts, 7); nan where there is no second. Of the other page p_n · M_(-j) p_m
    for each j; of a table without M_k that page shows nothing: the table stands for it.
    """
    if state.views.decoder.page == "before":
        return _before_lines(state, name)
    encoding, view = state.encoding, state.views.decoder
    chosen = visible_pins(state.cursor, encoding) if view.reads == "pinned" else range(n_hands(encoding))
    n_read = min(view.n_hands, len(chosen))
    vector = [f"vector = np.asarray({[*view.vector]})"]
    if not view.vector:
        row = table_lines(encoding, f"np.asarray([{state.cursor.position!r}])", is_plain=False)
        vector = [*row, "vector = encoding[0]"]
    second, margin, other = "best[1]", "float(scores[best[0]] - scores[best[1]])", "close[1]"
    if encoding.n_positions == 1:
        second = margin = other = "np.nan"
    return [
        *_FIRST_FIVE,
        *vector,
        *table_lines(encoding, whole_positions(encoding.n_positions)),
        f"fewer, hands = [], {hands_text(encoding, chosen)}",
        f"for n in {[*table_counts(len(chosen), view.n_hands)]}:  # so many hands, the first ones",
        "    columns = np.asarray([column for hand in hands[:n] for column in hand])",
        "    scores = encoding[:, columns] @ vector[columns]",
        "    distance = np.sqrt(((encoding[:, columns] - vector[columns]) ** 2).sum(axis=1))",
        "    best, close, top = first_five(-scores), first_five(distance), float(scores.max())",
        f"    near = int((scores >= top - {NEAR_SHARE} * abs(top)).sum())",
        f"    fewer.append([n, best[0], {second}, {margin}, near, close[0], {other}])",
        f"    if n == {n_read}:",
        "        curve, told = scores, zip(best, close)",
        "        nearest = [[t, float(scores[t]), s, float(distance[s])] for t, s in told]",
        f'{name} = {{"curve": curve, "nearest": np.asarray(nearest), "fewer": np.asarray(fewer)}}',
    ]


def _before_lines(state: State, name: str) -> Lines:
    encoding, places, k = state.encoding, state.views.decoder.places, state.cursor.offset
    pairs = encoding.pairs
    if pairs is None or rotation_refusal(encoding):
        return [*table_lines(encoding, whole_positions(encoding.n_positions)), f"{name} = encoding"]
    length = float(pairs.lengths[0]) ** 2
    return [
        *frequency_lines(cast("SinusoidalPairs", pairs)),
        f"j = np.arange({places - 4}, {places + 5})",
        f"{name} = {length!r} * np.cos(({-k!r} - j)[:, None] * omega).sum(axis=1)  # n is j before m",
    ]
