"""What a step of undo changes, in words for a menu."""

from collections.abc import Sequence

# Names of the state; parameters of an encoding stand for themselves.
_TITLES = {
    "position": "position t",
    "offset": "offset k",
    "pair": "pair i",
    "pinned_pairs": "pinned pairs",
    "span": "visible positions",
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
}


def step_title(names: Sequence[str]) -> str:
    """The changed names in a few words: "position t and pair i"; empty where there is no step."""
    titles = list(dict.fromkeys(_TITLES.get(name, name) for name in names))
    return " and ".join(titles) if len(titles) <= 2 else f"{titles[0]} and more"
