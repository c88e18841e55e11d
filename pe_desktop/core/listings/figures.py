"""Lines for the data of figures, by view: each leaves it in a variable of the figure's name."""

from collections.abc import Callable, Mapping
from typing import Final

from pe_desktop.core.columns import MISSING, hand_columns
from pe_desktop.core.cursor import visible_pins
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding, SinusoidalPairs
from pe_desktop.core.listings.arrays import (
    hand_lines,
    measure_lines,
    offset_angle_lines,
    offset_lines,
    rotation_lines,
)
from pe_desktop.core.listings.cards import card_lines
from pe_desktop.core.listings.checks import check_lines, hands_text, scale_lines
from pe_desktop.core.listings.collisions import collision_lines
from pe_desktop.core.listings.decoder import decoder_lines
from pe_desktop.core.listings.sentence import both_weight_lines, decay_lines, pair_score_lines, reason_lines, term_lines
from pe_desktop.core.listings.study import derivation_lines, precision_lines
from pe_desktop.core.listings.tables import Lines, frequency_lines, of_length, omega_lines, table_lines, whole_positions
from pe_desktop.core.listings.texts import SESSION_SIZES, timesteps
from pe_desktop.core.presets import Compared, comparison, first_sizes
from pe_desktop.core.rotation import rotating_pairs, rotation_refusal
from pe_desktop.core.state import State, preset_of

_EULER_GAMMA: Final = 0.5772156649015329


def _table(state: State, name: str) -> Lines:
    encoding = state.encoding
    return [*table_lines(encoding, whole_positions(encoding.n_positions)), f"{name} = encoding"]


def _clock(state: State, name: str) -> Lines:
    """The hands at t and t + k, shape (2, hands, 2): sine and cosine; without pairs the rows of the table."""
    encoding, t, k = state.encoding, state.cursor.position, state.cursor.offset
    if state.views.clock.shows_bits and encoding.pairs is not None:
        n_bits = max((encoding.n_positions - 1).bit_length(), 1)
        return [
            f"number = {int(t)}  # t",
            f"bit = np.arange({n_bits})",
            f"{name} = (number >> bit) & 1  # fast to slow",
        ]
    positions = f"np.asarray([{t!r}, {t + k!r}])"
    if encoding.pairs is not None:
        return hand_lines(encoding, positions, name, is_plain=False)
    return [*table_lines(encoding, positions, is_plain=False), f"{name} = encoding"]


def _spectrum(state: State, name: str) -> Lines:
    """Wavelengths in positions, shape (pairs,); of columns that are bits, after how many positions each begins anew."""
    encoding = state.encoding
    if encoding.bits is not None:
        first = 2 if encoding.bits.first_one == 0.25 else 1
        return [f"bit = np.arange({encoding.d_model})", f"{name} = 2.0 ** (bit + {first})"]
    lines = omega_lines(encoding)
    if not lines:
        raise ValueError(f"The encoding {encoding.kind!r} has no wavelengths: nothing in it turns.")
    return [*lines, f"{name} = 2 * np.pi / omega"]


def _waves(state: State, name: str) -> Lines:
    """The columns of the shown hands, shape (positions, columns)."""
    encoding = state.encoding
    shown = hand_columns(encoding)[list(visible_pins(state.cursor, encoding))].reshape(-1).tolist()
    columns = [column for column in shown if column != MISSING]
    return [*_table(state, "waves")[:-1], f"{name} = encoding[:, {columns}]", *_plotted(f"plt.plot({name})")]


def _matrix(state: State, name: str) -> Lines:
    """The table, positions to the right unless the matrix is transposed; in a dictionary with what the strip adds.

    terms and running_sum: of p_t · p_(t + k) by hand, (hands,) both. Or embedding and sum: x and x + p_t, (d_model,).
    """
    matrix = state.views.matrix
    values = "encoding" if matrix.is_transposed else "encoding.T"
    lines, shown = _table(state, "matrix")[:-1], 'plt.imshow({}, aspect="auto", cmap="RdBu", vmin=-1, vmax=1)'
    if not (matrix.adds_embedding or matrix.shows_terms):
        return [*lines, f"{name} = {values}", *_plotted(shown.format(name))]
    table = f'{name}["table"]'
    return [*lines, f"table = {values}", *_strip_lines(state, name), *_plotted(shown.format(table))]


def _strip_lines(state: State, name: str) -> Lines:
    encoding, t, k = state.encoding, state.cursor.position, state.cursor.offset
    if not state.views.matrix.shows_terms:
        return [
            *table_lines(encoding, f"np.asarray([{t!r}])", is_plain=False),
            f"x = np.asarray(numpy.random.default_rng(0).normal(size={encoding.d_model}))  # stands for an embedding",
            f'{name} = {{"table": table, "embedding": x, "sum": x + encoding[0]}}',
        ]
    if isinstance(encoding, SinusoidalEncoding):
        terms = [f"terms = {of_length(encoding.amplitude**2, f'np.cos({k!r} * omega)')}  # of each hand, whatever t"]
    else:
        terms = [
            *table_lines(encoding, f"np.asarray([{t!r}, {t + k!r}])", is_plain=False),
            "products = encoding[0] * encoding[1]",
            f"terms = np.stack([products[np.asarray(columns)].sum() for columns in {hands_text(encoding)}])",
        ]
    return [*terms, f'{name} = {{"table": table, "terms": terms, "running_sum": np.cumsum(terms, axis=0)}}']


def _similarity(state: State, name: str) -> Lines:
    measure = state.views.similarity.measure
    return [*measure_lines(state.encoding, measure), f"{name} = {measure}", *_plotted(f"plt.imshow({name})")]


def _plotted(call: str) -> Lines:
    """The picture, for who has matplotlib."""
    return ["", "# import matplotlib.pyplot as plt", f"# {call}", "# plt.show()"]


def _rotation(state: State, name: str) -> Lines:
    """M_k, or on the page of algebra how far its laws are missed: composition, inverse, tenth power, determinant."""
    pairs, k, j = _rotating(state.encoding), state.cursor.offset, state.views.rotation.second_shift
    if state.views.rotation.page != "algebra":
        return [*frequency_lines(pairs), f"k = {k!r}", *rotation_lines(pairs, name)]
    body = rotation_lines(pairs, "matrix")
    return [
        *frequency_lines(pairs),
        "",
        "",
        "def shift(k):",
        '    """M_k, shape (d, d)."""',
        *(f"    {line}" for line in body),
        "    return matrix",
        "",
        "",
        f"k, j = {k!r}, {j!r}",
        "composed = np.abs(shift(j) @ shift(k) - shift(j + k)).max()",
        f"inverse = np.abs(shift(k) @ shift(k).T - np.eye({pairs.d_model})).max()",
        "power = np.abs(np.linalg.matrix_power(shift(k), 10) - shift(10 * k)).max()",
        "volume = np.linalg.det(shift(k)) - 1",
        f"{name} = np.stack([composed, inverse, power, volume])  # all of them rounding",
    ]


def _rotating(encoding: Encoding) -> SinusoidalPairs:
    pairs = rotating_pairs(encoding)
    if not isinstance(pairs, SinusoidalPairs):
        raise ValueError(rotation_refusal(encoding))
    return pairs


def _compare(state: State, name: str) -> Lines:
    """Of every encoding of the list by its title its table and its ten checks, as Properties has them.

    Or its difference from the window's table where sizes agree.
    """
    before = state.sizes or first_sizes(state.encoding)
    rows = comparison(before, state.encoding, preset_of(state), state.views.compare.list)
    if state.views.compare.shows == "difference":
        return _difference_lines(state, rows, name)
    lines = [f"{name} = {{}}"]
    for row in rows:
        lines += ["", f"# {row.title}", *check_lines(row.encoding, "checks")]
        lines.append(f'{name}[{row.title!r}] = {{"table": table(np.arange(n)), "checks": checks}}')
    return lines


def _difference_lines(state: State, rows: tuple[Compared, ...], name: str) -> Lines:
    size = state.encoding.n_positions, state.encoding.d_model
    lines = [f"{name} = {{}}", *table_lines(state.encoding, whole_positions(size[0])), "window = encoding"]
    for row in rows:
        if (row.encoding.n_positions, row.encoding.d_model) == size:
            table = table_lines(row.encoding, whole_positions(size[0]))
            lines += ["", f"# {row.title}", *table, f"{name}[{row.title!r}] = encoding - window"]
    return lines


def _attention(state: State, name: str) -> Lines:
    return both_weight_lines(state, name)


def _look_back(state: State, name: str) -> Lines:
    """The scores (M_-n p_t) . p_s of every t and s, or their weights, shape (positions, positions)."""
    if state.views.look_back.shows == "scores":
        return _look_back_scores(state, name)
    return [
        *_look_back_scores(state, "scores"),
        f"logits = scores / {state.encoding.d_model} ** 0.5",
        "powers = np.exp(logits - np.max(logits, axis=1, keepdims=True))",
        f"{name} = powers / powers.sum(axis=1, keepdims=True)  # a softmax of each row",
    ]


def _look_back_scores(state: State, name: str) -> Lines:
    encoding, places = state.encoding, state.looks_back
    lines = table_lines(encoding, whole_positions(encoding.n_positions))
    pairs = rotating_pairs(encoding)
    if isinstance(pairs, SinusoidalPairs):
        shift = rotation_lines(pairs, "shift")
        return [*lines, f"k = {-places}", *shift, f"{name} = encoding @ shift.T @ encoding.T  # (M_-n p_t) . p_s"]
    return [
        *lines,
        f"n, shifted, hands = {places}, [], {hands_text(encoding)}",
        "for columns in hands:",
        "    hand = encoding[:, np.asarray(columns)]",
        "    best = np.linalg.pinv(hand[n:]) @ hand[: len(hand) - n]  # the best 2 x 2 for this hand",
        "    shifted.append(hand @ best)",
        "order = np.argsort(np.asarray([column for columns in hands for column in columns]))",
        f"{name} = np.concatenate(shifted, axis=1)[:, order] @ encoding.T",
    ]


def _properties(state: State, name: str) -> Lines:
    """The ten checks; hands by wavelength and by range; where positions come near; or distance and its law."""
    page, encoding = state.views.properties.page, state.encoding
    if page == "distance" and isinstance(encoding, SinusoidalEncoding):
        lines = [*offset_angle_lines(encoding), *offset_lines(encoding, "distance")]
        if encoding.spacing != "geometric":
            return [*lines, f"{name} = distance"]
        slope = 2 * encoding.pairs.count * encoding.amplitude**2
        law = f"np.sqrt({slope!r} / np.log(np.asarray({encoding.base!r})) * (np.log(k[1:]) + {_EULER_GAMMA}))"
        return [
            *lines,
            f"law = {law}  # D² = d / ln base (ln k + γ)",
            f"{name} = np.stack([distance[1:], law], axis=1)",
        ]
    if page == "verdicts":
        return check_lines(encoding, name)
    if page == "scales":
        return scale_lines(state, name)
    return collision_lines(state, name)


def _rotary(state: State, name: str) -> Lines:
    """The score of one query at t and one key at every s; bound and means by offset; or R(k) and M_k of a pair."""
    page = state.views.rotary.page
    if page == "score":
        return pair_score_lines(state, name)
    if page == "decay":
        return decay_lines(state, name)
    pairs, pair, t, k = _rotating(state.encoding), state.cursor.pair, state.cursor.position, state.cursor.offset
    angle = f"np.asarray([{t!r}, {t - k!r}, {t + k!r}]){f' + {pairs.start!r}' if pairs.start else ''}"
    return [
        *frequency_lines(pairs),
        f"angle = {k!r} * omega[{pair}]",
        "c, s = np.cos(angle), np.sin(angle)",
        "blocks = np.stack([np.stack([c, -s, s, c]), np.stack([c, s, -s, c])]).reshape(2, 2, 2)  # R(k) and M_k",
        f"angle = ({angle}) * omega[{pair}]  # of PE(t), which R(k) turns back and M_k turns on",
        f"hands = {of_length(pairs.amplitude, 'np.stack([np.sin(angle), np.cos(angle)], axis=1)')}",
        f'{name} = {{"blocks": blocks, "hands": hands}}',
        *reason_lines(state, name),
    ]


def _code(state: State, name: str) -> Lines:
    """The table; on the page of listing 4 all distances, of the session its five rows, of forward a batch of images."""
    page, encoding = state.views.code.page, state.encoding
    if page == "listing-4":
        return [*measure_lines(encoding, "distance"), f"{name} = distance"]
    if page == "repl":
        return [
            *table_lines(SinusoidalEncoding(*SESSION_SIZES), whole_positions(SESSION_SIZES[0])),
            f"{name} = encoding",
        ]
    if page == "forward":
        rows = timesteps(encoding)
        return [
            *table_lines(encoding, f"np.asarray({[*rows]})"),
            "added = encoding[:, :, None, None]  # (B, d, 1, 1)",
            f"images = np.zeros(({len(rows)}, {encoding.d_model}, 8, 8))  # (B, d, H, W)",
            f"{name} = images + added  # on every pixel the same",
        ]
    return _table(state, name)


def figure_lines(view: str, state: State, name: str) -> Lines:
    """Lines that leave the data of a view's figure in a variable; the table for a view that has none of its own.

    ValueError with a sentence where there is nothing to be seen.
    """
    return _VIEWS.get(view, _table)(state, name)


_VIEWS: Final[Mapping[str, Callable[[State, str], Lines]]] = {
    "clock": _clock,
    "code": _code,
    "derivations": derivation_lines,
    "precision": precision_lines,
    "encoding": _spectrum,
    "waves": _waves,
    "matrix": _matrix,
    "similarity": _similarity,
    "rotation": _rotation,
    "compare": _compare,
    "attention": _attention,
    "look-back": _look_back,
    "properties": _properties,
    "rotary": _rotary,
    "decoder": decoder_lines,
    "facts": card_lines,
    "four-terms": term_lines,
}
