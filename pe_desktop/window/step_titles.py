"""What a step of undo changes, in words for a menu."""

from collections.abc import Sequence

# Names of the state; parameters of an encoding stand for themselves.
_TITLES = {
    "position": "position t",
    "offset": "offset k",
    "pair": "pair i",
    "pinned_pairs": "pinned pairs",
    "span": "visible positions",
    "scheme": "scheme",
    "drops_positions": "positions off",
    "causal": "causal mask",
    "pairing": "pairing",
    "rotary_share": "share of pairs that turn",
    "slope": "slope of ALiBi",
    "clip": "clip of Shaw",
    "sentence": "sentence",
    "order": "order of the words",
    "first_position": "first position",
    "temperature": "temperature",
    "word_seed": "seed of the words",
    "dtype": "number format",
    "form": "form of the frequencies",
    "position_ids": "format of the position ids",
    "clock.mode": "mode of the clock",
    "clock.shows_bits": "binary code",
    "matrix.rows": "visible rows",
    "matrix.is_transposed": "transposed matrix",
    "matrix.adds_embedding": "x + PE",
    "similarity.measure": "measure",
    "similarity.rows": "visible map",
    "similarity.columns": "visible map",
    "similarity.offsets": "visible offsets",
    "rotation.page": "page of Rotation",
    "rotation.second_shift": "second shift j",
    "properties.page": "page of Properties",
    "compare.is_open": "Compare",
    "compare.list": "list of Compare",
    "attention.is_open": "Attention",
    "study.is_open": "Study",
    "facts.is_open": "Facts",
    "facts.verdict": "verdict of the cards",
    "facts.text": "text of the cards",
    "facts.card": "open card",
    "facts.shown": "card in the plots",
    "look-back.places": "positions to look back",
    "look-back.shows": "scores or weights",
    "look-back.rows": "visible map",
    "look-back.columns": "visible map",
    "look-back.offsets": "visible offsets",
    "rotary.page": "page of Rotary",
    "rotary.query": "query vector",
    "rotary.key": "key vector",
    "rotary.scheme": "scheme of the curve",
    "rotary.rows": "visible map",
    "rotary.columns": "visible map",
    "rotary.offsets": "visible offsets",
}


def step_title(names: Sequence[str]) -> str:
    """The changed names in a few words: "position t and pair i"; empty where there is no step."""
    titles = list(dict.fromkeys(_TITLES.get(name, name) for name in names))
    return " and ".join(titles) if len(titles) <= 2 else f"{titles[0]} and more"
