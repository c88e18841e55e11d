"""Lines for one head over the sentence: words, W_Q, W_K and W_V from their seeds, and every scheme of positions."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.sinusoidal import SinusoidalPairs
from pe_desktop.core.listings.tables import Lines, frequency_lines, table_lines, whole_positions
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.scores.rotary_scores import (
    DECAY_STREAM,
    decay_offsets,
    decay_reach,
    diagonal_positions,
    n_decay_draws,
    residual_sample,
    three_positions,
)
from pe_desktop.core.scores.schemes import PAIRINGS, Rotary
from pe_desktop.core.state import State

# Longer maps of scores take more than 128 MiB.
_MOST_MAPPED: Final = 4096
# Matrices are drawn so many columns at a time.
_COLUMNS: Final = 256
_SCALED: Final = "q @ k.T / d**0.5"
_PROJECTED: Final = "q, k = x @ matrix(0), x @ matrix(1)  # W_Q and W_K"


def score_lines(state: State) -> Lines:
    """Lines that leave the scores of the sentence in `scores`, shape (words, words)."""
    return [*_setup_lines(state), *_body_lines(state, "words")]


def weight_lines(state: State) -> Lines:
    """Lines that leave the weights in `weights`, shape (words, words)."""
    return [*score_lines(state), *_softmax_lines(state.attention)]


def output_lines(state: State) -> Lines:
    """Lines that leave the outputs in `outputs`, shape (words, d_model)."""
    return [*weight_lines(state), "outputs = weights @ (x @ matrix(2))  # W_V"]


def rotated_lines(state: State) -> Lines:
    """Lines that leave queries and keys turned by RoPE in `rotated`, shape (words, 2, d_model)."""
    attention = state.attention
    return [
        *_head_lines(attention, state.encoding.d_model),
        *_turn_lines(attention, state.encoding),
        f"t = {_positions(attention)}",
        "x = words",
        _PROJECTED,
        "rotated = np.stack([turn(q, t), turn(k, t)], axis=1)",
    ]


def both_weight_lines(state: State, name: str) -> Lines:
    """Lines that leave the weights of the sentence as written and as moved in a variable, shape (2, words, words)."""
    return _both_lines(state, name, [*_softmax_lines(state.attention), "both.append(weights)"])


def both_output_lines(state: State, name: str) -> Lines:
    """The same of the outputs, shape (2, words, d_model)."""
    return _both_lines(state, name, [*_softmax_lines(state.attention), "both.append(weights @ (x @ matrix(2)))  # W_V"])


def _both_lines(state: State, name: str, rest: Lines) -> Lines:
    places = state.attention.places
    body = [*_body_lines(state, "words[np.asarray(order)]"), *rest]
    return [
        *_setup_lines(state),
        "both = []",
        f"for order in ({[*range(len(places))]}, {[*places]}):  # as written, as moved",
        *(f"    {line}" for line in body),
        f"{name} = np.stack(both)",
    ]


def term_lines(state: State, name: str) -> Lines:
    """Lines that leave the four terms of an added encoding in a variable, shape (4, positions).

    Content with content, content with position, position with content, position with position: of the words at t and
    t + k, at every t with t + k in the table.
    """
    attention, cursor, encoding = state.attention, state.cursor, state.encoding
    first = math.ceil(max(0.0, -cursor.offset))
    end = max(math.floor(encoding.n_positions - 1.0 - max(cursor.offset, 0.0)) + 1, first)
    asks, is_read = (attention.place_of(place) for place in (cursor.position, cursor.position + cursor.offset))
    return [
        *_head_lines(attention, encoding.d_model),
        *table_lines(encoding, f"np.arange({first}, {end})"),
        "queries = encoding @ matrix(0)",
        *table_lines(encoding, f"np.arange({first}, {end}) + {cursor.offset!r}", is_plain=False),
        "keys = encoding @ matrix(1)",
        f"q, k = words[{asks}] @ matrix(0), words[{is_read}] @ matrix(1)",
        "content = (q * k).sum() * np.ones(len(t))",
        f"{name} = np.stack([content, keys @ q, queries @ k, (queries * keys).sum(axis=1)]) / d**0.5",
    ]


def pair_score_lines(state: State, name: str) -> Lines:
    """Lines that leave in a dictionary what Rotary shows of one query and one key under a scheme.

    row: the scores of the query at t and the key at every s, (positions,); map: of every t and s, (positions,
    positions), but for long tables; terms: what each pair that RoPE turns adds at t and t + k, then what stands still;
    pairings: its table of the three of them.
    """
    cursor, attention, encoding = state.cursor, state.attention, state.encoding
    scheme, everywhere = state.views.rotary.scheme, whole_positions(encoding.n_positions)
    here = f"np.asarray([{cursor.position!r}])"
    has_map = encoding.n_positions <= _MOST_MAPPED
    queries = f"np.concatenate([{here}, {everywhere}])" if has_map else here
    query, key = _pair_texts(state)
    m = Rotary(encoding, attention.pairing, attention.rotary_share).n_turning
    first, second = (
        (f"0:{2 * m}:2", f"1:{2 * m}:2") if attention.pairing == "interleaved" else (f":{m}", f"{m}:{2 * m}")
    )
    still = encoding.d_model - 2 * m
    terms = [f"terms = products[{first}] + products[{second}]  # of the pairs that turn"]
    if still:
        rest = f"products[{2 * m}:]" if still % 2 == 0 else f"np.concatenate([products[{2 * m}:], np.zeros(1)])"
        terms.append(f"terms = np.concatenate([terms, {rest}.reshape(-1, 2).sum(axis=1)])  # and of what stands still")
    return [
        *_score_lines(state, scheme, queries, is_plain=False),
        *([] if scheme == "rope" else _turn_lines(attention, encoding)),
        f"products = (turn({query}, {here}) * turn({key}, {here} + {cursor.offset!r}))[0] / d**0.5",
        *terms,
        f'{name} = {{"row": scores[0], "terms": terms}}',
        *([f'{name}["map"] = scores[1:]'] if has_map else ["# A map of so many positions is too large to be held."]),
        *_pairing_lines(state, name),
    ]


def _pairing_lines(state: State, name: str) -> Lines:
    """Lines that leave the table of the three pairings in "pairings", shape (3, 4).

    The score at t and at two other positions, always k apart, and the largest less the smallest along the diagonal.
    """
    attention, encoding, offset = state.attention, state.encoding, state.cursor.offset
    query, key = _pair_texts(state)
    diagonal = diagonal_positions(encoding, offset)
    some = f"np.asarray({np.asarray(diagonal).tolist()})"
    if isinstance(diagonal, range):
        some = f"np.arange({diagonal.start}, {diagonal.stop})"
    spread = "float(found[3:].max() - found[3:].min())" if len(diagonal) else "np.nan"
    lines = [
        "",
        f"t = np.concatenate([np.asarray({[*three_positions(state.cursor, encoding.n_positions)]}), {some}])",
        f"q, k = np.tile({query}, (len(t), 1)), np.tile({key}, (len(t), 1))",
        "rows = []",
    ]
    for pairing in PAIRINGS:
        lines += [
            *_turn_lines(replace(attention, pairing=pairing), encoding),
            f"found = (turn(q, t) * turn(k, t + {offset!r})).sum(axis=1) / d**0.5  # {pairing}",
            f"rows.append([float(one) for one in found[:3]] + [{spread}])",
        ]
    return [*lines, f'{name}["pairings"] = np.asarray(rows)']


def reason_lines(state: State, name: str) -> Lines:
    """Lines that add the numbers of the three reasons to a dictionary.

    early: how much of q + p is position, and by how much a turn changes |q|; spreads: half the spread of scores at one
    offset, added and turned, of the positions and offsets of the page; still: the hands that make no whole turn.
    """
    encoding, here = state.encoding, f"np.asarray([{state.cursor.position!r}])"
    query, key = _pair_texts(state)
    rows, offsets = residual_sample(encoding.n_positions, encoding.d_model)
    some = f"np.arange({len(rows)})" if isinstance(rows, range) else f"np.asarray({rows.tolist()})"
    pairing = "interleaved" if state.attention.pairing == "mixed" else state.attention.pairing
    return [
        "",
        f"n, d = {encoding.n_positions}, {encoding.d_model}",
        f"drawn = np.asarray({_drawn_text(state)})",
        f"q, k = {query}, {key}",
        *_turn_lines(Attention(), encoding),
        *table_lines(encoding, here, is_plain=False),
        "lengths = np.sqrt(np.stack([(q**2).sum(), (encoding**2).sum()]))",
        f"change = np.abs(np.sqrt((turn(q, {here}) ** 2).sum()) - lengths[0])",
        f'{name}["early"] = np.stack([lengths[1] / lengths.sum(), change])',
        f'{name}["still"] = int((2 * np.pi / omega > n).sum())',
        "",
        "",
        "def half_spread(one, other):",
        "    score = (one * other).sum(axis=1) / d**0.5",
        "    return float(score.max() - score.min()) / 2",
        "",
        "",
        f"rows, shifts = {some}, {[int(offset) for offset in offsets]}",
        "there = [(rows[(rows + shift >= 0) & (rows + shift < n)], shift) for shift in shifts]",
        "there, spreads = [(some, shift) for some, shift in there if len(some)], [0.0, 0.0]",
        "for some, shift in there:",
        *(f"    {line}" for line in table_lines(encoding, "some")),
        "    query = q + encoding",
        *(f"    {line}" for line in table_lines(encoding, "some + shift")),
        "    spreads[0] = max(spreads[0], half_spread(query, k + encoding))",
        *_turn_lines(replace(state.attention, pairing=pairing), encoding),
        "for some, shift in there:",
        "    query, key = np.tile(q, (len(some), 1)), np.tile(k, (len(some), 1))",
        "    spreads[1] = max(spreads[1], half_spread(turn(query, some), turn(key, some + shift)))",
        f'{name}["spreads"] = np.asarray(spreads)  # added, turned',
    ]


def spread_lines(state: State, name: str) -> Lines:
    """Lines that leave by how much scores at one offset differ in a variable, all positions with all others."""
    scheme, everywhere = state.attention.scheme, whole_positions(state.encoding.n_positions)
    spread = "float(np.diagonal(scores, k).max() - np.diagonal(scores, k).min())"
    return [
        *_score_lines(state, scheme, everywhere, is_plain=True),
        f"{name} = max({spread} for k in range(1 - n, n))",
    ]


def _pair_texts(state: State) -> tuple[str, str]:
    """The query and the key that are given, or drawn, shape (1, d_model)."""
    view = state.views.rotary
    given = ((view.query, "drawn[:1]"), (view.key, "drawn[1:]"))
    query, key = (f"np.asarray({[*vector]!r})[None]" if vector else other for vector, other in given)
    return query, key


def _score_lines(state: State, scheme: str, queries: str, *, is_plain: bool) -> Lines:
    """Lines that leave the scores of one query at some positions and one key at every s in `scores`."""
    encoding, everywhere = state.encoding, whole_positions(state.encoding.n_positions)
    query, key = _pair_texts(state)
    added = []
    if scheme == "additive":
        added = [*table_lines(encoding, queries, is_plain=is_plain), "q = q + encoding"]
        added += [*table_lines(encoding, everywhere), "k = k + encoding"]
    setup, score = _SCHEMES[scheme]
    return [
        f"n, d = {encoding.n_positions}, {encoding.d_model}",
        f"drawn = np.asarray({_drawn_text(state)})",
        f"t = {queries}",
        f"q, k = np.tile({query}, (len(t), 1)), np.tile({key}, (n, 1))",
        *added,
        *setup(state.attention, encoding),
        f"t, s = {queries}, {everywhere}",
        *score(state.attention, "s"),
    ]


def _drawn_text(state: State) -> str:
    """The query and the key that are drawn, shape (2, d_model)."""
    d_model = state.encoding.d_model
    return f"numpy.random.default_rng([{state.attention.word_seed}, 11, {d_model}]).standard_normal((2, {d_model}))"


def decay_lines(state: State, name: str) -> Lines:
    """Lines that leave how scores fall with the distance in a variable, shape (3, distances), each relative to 0.

    The bound of the RoPE paper, the mean |score| of queries and keys that are drawn apart, and of keys that equal them.
    """
    encoding, attention = state.encoding, state.attention
    rotary, reach = Rotary(encoding, share=attention.rotary_share), decay_reach(encoding)
    n_offsets, m = len(decay_offsets(encoding)), rotary.n_turning
    if rotary.pairs is None:
        return [f"{name} = np.ones((3, {n_offsets}))  # no pair turns"]
    assert isinstance(rotary.pairs, SinusoidalPairs)
    is_whole = n_offsets == reach + 1
    shape = f"(2, {n_decay_draws(encoding.d_model)}, {encoding.d_model})"
    drawn = f"numpy.random.default_rng([{attention.word_seed}, {DECAY_STREAM}]).standard_normal({shape})"
    still = f" + (query[:, {2 * m}:] * key[:, {2 * m}:]).sum(axis=1)" if 2 * m < encoding.d_model else ""
    return [
        *frequency_lines(rotary.pairs),
        f"k = {f'np.arange({n_offsets})' if is_whole else f'np.round(np.linspace(0, {reach}, {n_offsets}))'}",
        "angle = k[:, None] * omega",
        "cosine, sine = np.cos(angle), np.sin(angle)",
        "sums = np.cumsum(cosine, axis=1) ** 2 + np.cumsum(sine, axis=1) ** 2",
        "curves = [np.sqrt(sums).sum(axis=1)]  # the sum of |S_i| of the RoPE paper, section 3.4.3",
        f"drawn = np.asarray({drawn})",
        f"query, a, b = drawn[0], slice(0, {2 * m}, 2), slice(1, {2 * m}, 2)",
        "for key in (drawn[1], drawn[0]):  # drawn apart, and equal to their queries",
        "    along = query[:, a] * key[:, a] + query[:, b] * key[:, b]",
        "    across = query[:, b] * key[:, a] - query[:, a] * key[:, b]",
        f"    score = cosine @ along.T + sine @ across.T{still}",
        "    curves.append(np.abs(score).mean(axis=1))",
        f"{name} = np.stack([curve / curve[0] for curve in curves])",
    ]


def _scheme(state: State) -> str:
    return "none" if state.attention.drops_positions else state.attention.scheme


def _positions(attention: Attention) -> str:
    first, words = attention.first_position, f"np.arange({len(attention.words)})"
    return words if first == 0 else f"{first!r} + {words}"


def _setup_lines(state: State) -> Lines:
    """Lines for what no order of the words changes; positions of the sentence are left in `t`."""
    attention, encoding = state.attention, state.encoding
    positions = _positions(attention)
    is_plain = attention.first_position == int(attention.first_position)
    is_added = _scheme(state) == "additive"
    return [
        *_head_lines(attention, encoding.d_model),
        *_SCHEMES[_scheme(state)][0](attention, encoding),
        *(table_lines(encoding, positions, is_plain=is_plain) if is_added else [f"t = {positions}"]),
    ]


def _body_lines(state: State, words: str) -> Lines:
    """Lines that leave what the head reads in `x`, the scores of these words in `scores`."""
    added = " + encoding" if _scheme(state) == "additive" else ""
    return [f"x = {words}{added}", _PROJECTED, *_SCHEMES[_scheme(state)][1](state.attention, "t")]


def _softmax_lines(attention: Attention) -> Lines:
    lines = [f"logits = scores / {attention.temperature!r}"]
    if attention.causal:
        lines.append("logits = np.where(np.tril(np.ones((n, n))) > 0, logits, -np.inf)  # no word reads a later one")
    return [
        *lines,
        "powers = np.exp(logits - np.max(logits, axis=1, keepdims=True))",
        "weights = powers / powers.sum(axis=1, keepdims=True)",
    ]


def _head_lines(attention: Attention, d_model: int) -> Lines:
    """Lines that leave the vectors in `words`, shape (words, d_model), and define `matrix`."""
    # The names of libraries are translated, but not those in a sentence.
    sentence = repr(" ".join(attention.words)).replace("np.", r"np\x2e").replace("numpy.", r"numpy\x2e")
    matrix = "generator.standard_normal((d, d))"
    if d_model > _COLUMNS:
        widths = f"[min({_COLUMNS}, d - first) for first in range(0, d, {_COLUMNS})]"
        matrix = f"numpy.concatenate([generator.standard_normal((d, width)) for width in {widths}], axis=1)"
    return [
        "def vector(word):",
        '    """N(0, 1) from the seed and the word: equal words, whatever their case, are equal vectors."""',
        '    number = int.from_bytes(hashlib.sha256(word.casefold().encode()).digest()[:8], "little")',
        f"    return numpy.random.default_rng([{attention.word_seed}, number]).standard_normal(d)",
        "",
        "",
        "def matrix(which):",
        '    """W_Q, W_K or W_V, from N(0, 1 / d)."""',
        f"    generator = numpy.random.default_rng([{attention.word_seed}, which, d])",
        f"    return np.asarray({matrix} / numpy.sqrt(d))",
        "",
        "",
        f"n, d = {len(attention.words)}, {d_model}",
        f"words = np.asarray(numpy.stack([vector(word) for word in {sentence}.split()]))",
    ]


def _nothing(_attention: Attention, _encoding: Encoding) -> Lines:
    return []


def _plain(_attention: Attention, _keys: str) -> Lines:
    return [f"scores = {_SCALED}"]


def _alibi(attention: Attention, keys: str) -> Lines:
    return [f"scores = {_SCALED} - {attention.slope!r} * np.abs(t[:, None] - {keys})"]


def _t5_setup(attention: Attention, _encoding: Encoding) -> Lines:
    return [f"bias = np.asarray(numpy.random.default_rng([{attention.word_seed}, 5]).standard_normal(32))"]


def _t5(attention: Attention, keys: str) -> Lines:
    n_buckets, first, distance = 32, "0", "np.clip(-offset, 0, None)"
    if not attention.causal:
        n_buckets, first, distance = 16, "np.where(offset > 0, 16, 0)", "np.abs(offset)"
    exact = n_buckets // 2
    return [
        f"offset = 1.0 * ({keys} - t[:, None])",
        f"distance = {distance}",
        f"ratio = np.log(np.clip(distance, {exact}, None) / {exact}) / {math.log(128 / exact)!r}  # log(128 / {exact})",
        f"wide = np.clip({exact} + np.floor(ratio * {n_buckets - exact} + 1e-9), None, {n_buckets - 1})",
        f"bucket = {first} + np.where(distance < {exact}, distance, wide)",
        f"scores = {_SCALED} + bias[np.asarray(bucket, dtype=int)]",
    ]


def _shaw_setup(attention: Attention, _encoding: Encoding) -> Lines:
    seed, clip = attention.word_seed, attention.clip
    return [
        f"# One vector for each offset from -{clip} to {clip}.",
        f"vectors = np.asarray(numpy.random.default_rng([{seed}, 7, {clip}]).standard_normal(({2 * clip + 1}, d)))",
    ]


def _shaw(attention: Attention, keys: str) -> Lines:
    clip = attention.clip
    return [
        f"offset = np.asarray(np.clip(np.round(1.0 * ({keys} - t[:, None])), -{clip}, {clip}), dtype=int) + {clip}",
        f"scores = {_SCALED} + np.take_along_axis(q @ vectors.T / d**0.5, offset, axis=1)",
    ]


def _rope(_attention: Attention, keys: str) -> Lines:
    return [f"scores = turn(q, t) @ turn(k, {keys}).T / d**0.5"]


def _turn_lines(attention: Attention, encoding: Encoding) -> Lines:
    """Lines that define `turn`, which turns vectors, shape (n, d_model), by their positions, shape (n,)."""
    rotary = Rotary(encoding, attention.pairing, attention.rotary_share)
    pairs, m = rotary.pairs, rotary.n_turning
    if pairs is None:
        return ["", "", "def turn(v, t):", '    """No pair turns."""', "    return v", "", ""]
    assert isinstance(pairs, SinusoidalPairs)
    rest = "" if 2 * m == encoding.d_model else f", v[:, {2 * m}:]"
    return [
        *frequency_lines(replace(pairs, start=0.0)),
        "",
        "",
        "def turn(v, t):",
        "    angle = t[:, None] * omega",
        "    cosine, sine = np.cos(angle), np.sin(angle)",
        *(f"    {line}" for line in _TURNS[attention.pairing](m, rest)),
        "",
        "",
    ]


def _interleaved(m: int, rest: str) -> Lines:
    turned = f"np.stack([x * cosine - y * sine, y * cosine + x * sine], axis=2).reshape(len(v), {2 * m})"
    return [
        f"x, y = v[:, 0:{2 * m}:2], v[:, 1:{2 * m}:2]  # dimensions 2j and 2j + 1 turn together",
        *([f"turned = {turned}", f"return np.concatenate([turned{rest}], axis=1)"] if rest else [f"return {turned}"]),
    ]


def _half_split(m: int, rest: str) -> Lines:
    return [
        f"x, y = v[:, :{m}], v[:, {m}:{2 * m}]  # dimensions j and j + {m} turn together",
        f"return np.concatenate([x * cosine - y * sine, y * cosine + x * sine{rest}], axis=1)",
    ]


def _mixed(m: int, rest: str) -> Lines:
    return [
        "# The angles of interleaved pairs with the partners of half-split ones.",
        "cosine, sine = np.repeat(cosine, 2, axis=1), np.repeat(sine, 2, axis=1)",
        f"x, y = v[:, :{m}], v[:, {m}:{2 * m}]",
        f"first, second = x * cosine[:, :{m}] - y * sine[:, :{m}], y * cosine[:, {m}:] + x * sine[:, {m}:]",
        f"return np.concatenate([first, second{rest}], axis=1)",
    ]


_TURNS: Final[Mapping[str, Callable[[int, str], Lines]]] = {
    "interleaved": _interleaved,
    "half-split": _half_split,
    "mixed": _mixed,
}
# What is made once, and the scores of `q` at `t` and `k` at the positions of a name.
_SCHEMES: Final[Mapping[str, tuple[Callable[[Attention, Encoding], Lines], Callable[[Attention, str], Lines]]]] = {
    "none": (_nothing, _plain),
    "additive": (_nothing, _plain),
    "rope": (_turn_lines, _rope),
    "alibi": (_nothing, _alibi),
    "t5": (_t5_setup, _t5),
    "shaw": (_shaw_setup, _shaw),
}
