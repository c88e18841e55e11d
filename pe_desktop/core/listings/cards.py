"""Lines for the numbers of fact cards: a few for each measure, as core/facts/measures.py has a function for each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.facts.cards import CARDS, Card
from pe_desktop.core.facts.shown import matching
from pe_desktop.core.kinds.naive import RandomEncoding
from pe_desktop.core.listings.arrays import offset_angle_lines, offset_lines, pairs_of, rotation_lines
from pe_desktop.core.listings.checks import check_lines, hands_text
from pe_desktop.core.listings.formats import frequency_text
from pe_desktop.core.listings.sentence import both_output_lines, spread_lines, term_lines
from pe_desktop.core.listings.tables import Lines, frequency_lines, of_length, table_lines, whole_positions
from pe_desktop.core.state import State, state_of

_Positions = Sequence[float]


def card_lines(state: State, name: str) -> Lines:
    """Lines that leave the numbers of the open card in a variable, in the order of its measured lines.

    Without an open card those of every card that the filters leave, in a dictionary by key. Each is measured at its
    own parameters, whatever the plots show.
    """
    opened = state.views.facts.card
    if opened:
        return [*_numbers_lines(CARDS[opened]), f"{name} = np.asarray(numbers)"]
    lines = [f"{name} = {{}}"]
    for card in matching(state):
        lines += ["", f"# {card.key}", *_numbers_lines(card), f'{name}["{card.key}"] = np.asarray(numbers)']
    return lines


def _numbers_lines(card: Card) -> Lines:
    """Lines that leave a list of floats in `numbers`, empty for a card that is open: nobody can measure it."""
    lines = ["numbers = []"]
    for line in card.lines:
        common = {} if "kind" in line.assignments else card.assignments
        state = state_of({**common, **line.assignments})
        made = _MEASURES[line.measure](state, **line.parameters)
        lines += [f"# {line.label}", *made, "numbers += [float(number) for number in found]"]
    return lines


def _rows(encoding: Encoding, positions: _Positions) -> Lines:
    return table_lines(encoding, f"np.asarray({[*positions]})", is_plain=False)


def _all_rows(encoding: Encoding) -> Lines:
    return table_lines(encoding, whole_positions(encoding.n_positions))


def _frequencies_and(encoding: Encoding, *lines: str) -> Lines:
    return [*frequency_lines(pairs_of(encoding)), *lines]


def _entries(state: State, positions: _Positions, dimension: int) -> Lines:
    return [*_rows(state.encoding, positions), f"found = encoding[:, {dimension}]"]


def _step(state: State, first: float, second: float, dimension: int) -> Lines:
    rows = _rows(state.encoding, (first, second))
    return [*rows, f"found = [encoding[1, {dimension}] - encoding[0, {dimension}]]"]


def _columns_apart(state: State, first: int, second: int) -> Lines:
    return [*_all_rows(state.encoding), f"found = [np.abs(encoding[:, {first}] - encoding[:, {second}]).max()]"]


def _column_apart_in(state: State, dimension: int, d_model: int) -> Lines:
    other = state_of({"n_positions": str(state.encoding.n_positions), "d_model": str(d_model)})
    return [
        *_all_rows(state.encoding),
        f"column = encoding[:, {dimension}]",
        *_all_rows(other.encoding),
        f"found = [np.abs(encoding[:, {dimension}] - column).max()]",
    ]


def _lengths(state: State, positions: _Positions) -> Lines:
    return [*_rows(state.encoding, positions), "found = np.sqrt((encoding**2).sum(axis=1))"]


def _length_range(state: State) -> Lines:
    return [
        *_all_rows(state.encoding),
        "length = np.sqrt((encoding**2).sum(axis=1))",
        "found = [length.min(), length.max()]",
    ]


def _distances(state: State, offsets: _Positions) -> Lines:
    angle = [f"k = np.asarray({[*offsets]})", "angle = k[:, None] * omega"]
    return _frequencies_and(state.encoding, *angle, *offset_lines(state.encoding, "distance"), "found = distance")


def _dots(state: State, pairs: Sequence[_Positions]) -> Lines:
    positions = [position for pair in pairs for position in pair]
    return [*_rows(state.encoding, positions), "found = (encoding[0::2] * encoding[1::2]).sum(axis=1)"]


def _spread(state: State, measure: str, offset: int) -> Lines:
    encoding = state.encoding
    compared = "(here * there).sum(axis=1)" if measure == "dot" else "np.sqrt(((there - here) ** 2).sum(axis=1))"
    return [
        *_all_rows(encoding),
        f"here, there = encoding[: {encoding.n_positions - offset}], encoding[{offset}:]",
        f"{measure} = {compared}",
        f"found = [{measure}.max() - {measure}.min()]",
    ]


def _frequencies(state: State, pairs: Sequence[int]) -> Lines:
    return _frequencies_and(state.encoding, f"found = omega[np.asarray({[*pairs]})]")


def _wavelengths(state: State, pairs: Sequence[int]) -> Lines:
    return _frequencies_and(state.encoding, f"found = 2 * np.pi / omega[np.asarray({[*pairs]})]")


def _ratios(state: State) -> Lines:
    return _frequencies_and(state.encoding, "ratio = omega[1:] / omega[:-1]", "found = [ratio.min(), ratio.max()]")


def _turns(state: State, pair: int, offset: float) -> Lines:
    return _frequencies_and(state.encoding, f"found = [{offset} * omega[{pair}] / (2 * np.pi)]")


def _chord_lines(encoding: Encoding, pair: int, offsets: str) -> Lines:
    chord = of_length(2 * pairs_of(encoding).amplitude, f"np.abs(np.sin(k * omega[{pair}] / 2))")
    return _frequencies_and(encoding, f"k = {offsets}", f"chord = {chord}")


def _chords(state: State, pair: int, offsets: _Positions) -> Lines:
    return [*_chord_lines(state.encoding, pair, f"np.asarray({[*offsets]})"), "found = chord"]


def _nearest_return(state: State, pair: int) -> Lines:
    lines = _chord_lines(state.encoding, pair, f"np.arange(1, {state.encoding.n_positions})")
    return [*lines, "found = [k[chord.argmin()], chord.min()]"]


def _turning(state: State) -> Lines:
    n = state.encoding.n_positions
    return _frequencies_and(state.encoding, f"found = [(2 * np.pi / omega <= {n}).sum(), len(omega)]")


def _nearest(state: State) -> Lines:
    return [
        *_distances_from_zero(state.encoding),
        "found = [distance[1:].min(), 1 + distance[1:].argmin()]",
    ]


def _distances_from_zero(encoding: Encoding) -> Lines:
    return [*offset_angle_lines(encoding), *offset_lines(encoding, "distance")]


def _property(state: State, key: str) -> Lines:
    return check_lines(state.encoding, "found", (key,))


def _distance_line(state: State) -> Lines:
    return [
        *_distances_from_zero(state.encoding),
        "explained = []",
        "for x, y in ((1.0 * k[1:], distance[1:]), (1.0 * k, distance)):  # without and with k = 0",
        "    x, y = x - x.mean(), y - y.mean()",
        "    explained.append((x * y).sum() ** 2 / ((x**2).sum() * (y**2).sum()))",
        "down = (distance[1:] < distance[:-1]).sum()",
        "found = [*explained, down, len(distance) - 1, distance.argmax()]",
    ]


def _shares(state: State, edges: Sequence[int]) -> Lines:
    position, offset = state.cursor.position, state.cursor.offset
    ends = [*edges[1:], state.encoding.d_model // 2]
    return [
        *_rows(state.encoding, (position, position + offset)),
        "squares = (encoding[1] - encoding[0]) ** 2",
        f"share = squares[np.asarray({hands_text(state.encoding)})].sum(axis=1) / squares.sum()",
        f"found = [share[first:end].sum() for first, end in {[*zip(edges, ends, strict=True)]}]",
    ]


def _vectors_apart(state: State, first: float, second: float, offset: float) -> Lines:
    return [
        *_rows(state.encoding, (first, first + offset, second, second + offset)),
        "here, there = encoding[1] - encoding[0], encoding[3] - encoding[2]",
        "found = [np.sqrt((some**2).sum()) for some in (here, there, here - there)]",
    ]


def _sum_apart(state: State, first: float, second: float) -> Lines:
    rows = _rows(state.encoding, (first, second, first + second))
    return [*rows, "found = [np.sqrt(((encoding[0] + encoding[1] - encoding[2]) ** 2).sum())]"]


def _residual(state: State, offset: float) -> Lines:
    return _residual_of_another(state, offset, offset)


def _residual_of_another(state: State, offset: float, used: float) -> Lines:
    encoding, positions = state.encoding, whole_positions(state.encoding.n_positions)
    return [
        *table_lines(encoding, f"{positions} + {offset}"),
        "wanted = encoding",
        *table_lines(encoding, positions),
        f"k = np.asarray({float(used)})",
        *rotation_lines(pairs_of(encoding), "shift"),
        "found = [np.abs(encoding @ shift.T - wanted).max()]",
    ]


def _block_entries(state: State, offset: float) -> Lines:
    return [
        *_rows(state.encoding, (offset,)),
        f"k = np.asarray({float(offset)})",
        *rotation_lines(pairs_of(state.encoding), "shift"),
        f"a, b = np.asarray({hands_text(state.encoding)}).T",
        "sine, cosine = encoding[0][a], encoding[0][b]",
        "apart = [shift[a, a] - cosine, shift[a, b] - sine, shift[b, a] + sine, shift[b, b] - cosine]",
        "found = [max(float(np.abs(one).max()) for one in apart)]",
    ]


def _product_and_cosine(state: State, pair: int, first: float, second: float) -> Lines:
    square = pairs_of(state.encoding).amplitude ** 2
    product = of_length(square, "(np.sin(p * w) * np.sin(q * w) + np.cos(p * w) * np.cos(q * w))")
    lines = [f"p, q, w = {first}, {second}, omega[{pair}]", f"found = [{product}, np.cos(w * (p - q))]"]
    return _frequencies_and(state.encoding, *lines)


def _dot_from_one(state: State, offset: float) -> Lines:
    base, d_model = float(state.encoding.parameters["base"]), state.encoding.d_model
    return [
        f"n = np.arange(1, {d_model // 2 + 1})",
        f"found = [np.cos({offset} * {base!r} ** (-2 * n / {d_model})).sum()]",
    ]


def _powers(state: State) -> Lines:
    return _frequencies_and(state.encoding, "found = [1 / omega[-1]]")


def _frequency_error(state: State, form: str) -> Lines:
    pairs = replace(pairs_of(state.encoding), scale=1.0)
    return [
        *(line.replace("np.", "numpy.") for line in frequency_lines(pairs)),
        f"single = numpy.arange({pairs.count}, dtype=numpy.float32)",
        f"found = [numpy.abs({frequency_text(pairs, form, 'single')} / omega - 1).max()]",
    ]


def _float32_step(_state: State, value: float) -> Lines:
    return [f"found = [numpy.spacing(numpy.float32({value!r}))]"]


def _revival(state: State) -> Lines:
    return _frequencies_and(
        state.encoding,
        "revival = 2 * np.pi * (len(omega) - 1) / (omega[0] - omega[-1])",
        "k = np.round(revival)",
        "angle = k * omega[None]",
        *offset_lines(state.encoding, "distance"),
        "found = [revival, k, distance[0]]",
    )


def _per_decade(state: State) -> Lines:
    return _frequencies_and(state.encoding, "found = [(len(omega) - 1) / np.log10(omega.max() / omega.min())]")


def _moved_words(state: State) -> Lines:
    return [
        *both_output_lines(state, "both"),
        f"written = both[0][np.asarray({[*state.attention.places]})]  # moved as the words are",
        "found = [np.abs(written - both[1]).max()]",
    ]


def _moved_in_place(state: State) -> Lines:
    return [*both_output_lines(state, "both"), "found = [np.abs(both[0] - both[1]).max()]"]


def _scheme_spread(state: State) -> Lines:
    return [*spread_lines(state, "spread"), "found = [spread]"]


def _projected_spread(state: State, offset: float) -> Lines:
    state = replace(state, cursor=replace(state.cursor, offset=float(offset)))
    return [*term_lines(state, "terms"), "found = [terms[3].max() - terms[3].min()]  # position with position"]


def _peaks(state: State, places: int) -> Lines:
    encoding = state.encoding
    return [
        *_all_rows(encoding),
        f"n, k = {places}, np.asarray({-float(places)})",
        *rotation_lines(pairs_of(encoding), "shift"),
        "scores = (encoding @ shift.T @ encoding.T)[n:]  # (M_-n p_t) . p_s of every row t from n on",
        "rows = np.arange(len(scores))",
        "found = [(scores.argmax(axis=1) == rows).sum(), len(rows)]  # row t peaks at t - n",
    ]


def _memorised(state: State, places: int) -> Lines:
    width = state.encoding.d_model
    return [
        *_all_rows(RandomEncoding(2 * width + places, width)),
        f"rows, wanted, d = encoding[{places}:], encoding[: {2 * width}], {width}",
        "matrix = np.linalg.solve(rows[:d], wanted[:d])  # takes d rows to those before them",
        "peaks = (rows @ matrix @ encoding.T).argmax(axis=1) == np.arange(2 * d)",
        "found = [peaks[d:].sum(), d]  # of as many new rows",
    ]


_MEASURES: Final[Mapping[str, Callable[..., Lines]]] = {
    "entries": _entries,
    "step": _step,
    "columns-apart": _columns_apart,
    "column-apart-in": _column_apart_in,
    "lengths": _lengths,
    "length-range": _length_range,
    "distances": _distances,
    "dots": _dots,
    "spread": _spread,
    "frequencies": _frequencies,
    "wavelengths": _wavelengths,
    "ratios": _ratios,
    "turns": _turns,
    "chords": _chords,
    "nearest-return": _nearest_return,
    "turning": _turning,
    "nearest": _nearest,
    "property": _property,
    "distance-line": _distance_line,
    "shares": _shares,
    "vectors-apart": _vectors_apart,
    "sum-apart": _sum_apart,
    "residual": _residual,
    "residual-of-another": _residual_of_another,
    "block-entries": _block_entries,
    "product-and-cosine": _product_and_cosine,
    "dot-from-one": _dot_from_one,
    "powers": _powers,
    "frequency-error": _frequency_error,
    "float32-step": _float32_step,
    "revival": _revival,
    "per-decade": _per_decade,
    "moved-words": _moved_words,
    "moved-in-place": _moved_in_place,
    "scheme-spread": _scheme_spread,
    "projected-spread": _projected_spread,
    "peaks": _peaks,
    "memorised": _memorised,
}
