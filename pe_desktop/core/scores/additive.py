"""The encoding added to words, as in "Attention Is All You Need", and the four terms of its scores."""

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.record import record
from pe_desktop.core.scores.head import Head
from pe_desktop.core.scores.scheme import Scheme


@record
class Additive(Scheme):
    """The head reads x + p: queries, keys and values carry what the words and the positions are."""

    encoding: Encoding

    id = "additive"
    title = "Added"
    reads_hands = True

    @property
    def is_shift_invariant(self) -> bool:
        return False

    @property
    def note(self) -> str:
        return "added to words"

    def inputs(self, words: Floats, positions: Floats) -> Floats:
        return words + self.encoding.values(positions)


def four_terms(head: Head, encoding: Encoding, words: tuple[Floats, Floats], rows: Floats, columns: Floats) -> Floats:
    """The parts of (x + p) W_Q W_K^T (y + p') / sqrt(d), shape (4, n); their sum is the score.

    Content with content, content with position, position with content, position with position: for a query word x at
    each position of `rows` and a key word y at the same place of `columns`. words: x and y, shape (d_model,) each; rows
    and columns (n,).
    """
    # Word and positions are projected together: wide matrices are read anew for every projection.
    queries = head.queries(np.vstack((words[0], encoding.values(rows))))
    keys = head.keys(np.vstack((words[1], encoding.values(columns))))
    return terms_of(queries[0], queries[1:], keys[0], keys[1:])


def terms_of(word_query: Floats, queries: Floats, word_key: Floats, keys: Floats) -> Floats:
    """The terms from what W_Q and W_K make of the words, shape (d_model,), and of the positions, (n, d_model)."""
    pairs = ((word_query, word_key), (word_query, keys), (queries, word_key), (queries, keys))
    terms = [(x * y).sum(axis=-1) / np.sqrt(x.shape[-1]) for x, y in pairs]
    return np.stack([np.broadcast_to(term, (len(keys),)) for term in terms])
