"""The four terms of every two words of a sentence, as maps that add up to the map of scores."""

from functools import partial
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.state import State
from pe_desktop.draw.cell_map import cell_map
from pe_desktop.draw.flow import FIT, GROW, Block, Drawn, Formula, Grid, Live, Space, Words

# Of longer sentences there are no maps.
MOST_WORDS: Final = 16


def maps_block(state: State, found: Floats | None, formulas: tuple[str, ...]) -> Block:
    """Each term for every two words of the sentence, the query down, and their sum; framed: the words at t and s."""
    n_words, t = len(state.attention.words), state.cursor.position
    if n_words > MOST_WORDS:
        return Space(0.0)
    s = t + state.cursor.offset
    maps = np.zeros((4, n_words, n_words)) if found is None else found
    is_there = all(0 <= at < n_words and float(at).is_integer() for at in (t, s))
    frames = ((int(t), int(s), 1, 1, 2.0),) if is_there else ()
    shown, limit = (*maps, maps.sum(axis=0)), float(np.abs(maps).sum(axis=0).max()) or 1.0
    drawn, read = list[Block](), list[Block]()
    for number, (formula, values) in enumerate(zip((*formulas, "score"), shown, strict=True)):
        if number:
            drawn.append(Space(0.0))
            read.append(Words("=" if number == len(formulas) else "+", "strong", "text2"))
        drawn.append(Drawn(partial(cell_map, values=values, limit=limit, frames=frames), (), lambda width: width))
        read.append(Formula(formula, 14, "text2"))
    return Live(Grid((GROW, FIT) * len(formulas) + (GROW,), (tuple(drawn), tuple(read)), gap=6.0))
