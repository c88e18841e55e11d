"""What a head reads: words with their positions, X + PE, as three maps and a row of numbers for each word."""

from typing import Any, Final

import numpy as np

from pe_desktop.core.embedding_sum import turned_from
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import word_vectors
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.cell_map import cells_image
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Grid, Layers, Live, Named, Row, Table, Words, paragraph
from pe_desktop.draw.number_text import counted, fixed, position, whole
from pe_desktop.draw.plot import Axis, Slide
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question, Questions

EXPLANATION: Final = (
    "Words in, a table out: X, the vectors of the words, a row each, PE, those of their positions, and their sum, "
    "which a head reads. Blue is positive, red negative; the frame is the word at t. Words are seeded, not trained."
)
# Values of a table that are added within a frame; rows of numbers; pixels of a map for each word, and of all.
_QUICK_VALUES: Final = 2**17
_MOST_ROWS: Final = 24
_ROW: Final = 13.0
_MOST_TALL: Final = 130.0
_PARTS: Final = {"X": "words", "PE": "positions", "X + PE": "inputs"}
_TITLES: Final = ("word", "|x + p|", "turned by", "|x|", "|p|")


@record(eq=False)
class _Inputs:
    """X, PE and X + PE, shape (3, words, d_model), and the largest |value| in it."""

    parts: Floats
    limit: float


def _inputs(words: tuple[str, ...], encoding: Encoding, seed: int, first: float) -> _Inputs:
    x = word_vectors(words, encoding.d_model, seed)
    p = encoding.values(first + np.arange(float(len(words))))
    parts = np.stack([x, p, x + p])
    return _Inputs(parts, float(np.abs(parts).max()) or 1.0)


def questions(state: State) -> Questions:
    """The words of the sentence as written, and the rows of their positions."""
    attention = state.attention
    encoding = state.encoding
    of = (attention.words, encoding, attention.word_seed, attention.first_position)
    is_quick = len(attention.words) * encoding.d_model <= _QUICK_VALUES
    return (Question("inputs", _inputs, of, title="Adding", is_quick=is_quick, takes="nothing"),)


def page(state: State, answers: Answers) -> Block:
    """Three maps below each other, and lengths and angle of each word; a press sets t."""
    found: _Inputs | None = answers.answer(questions(state)[0])
    n_words = len(state.attention.words)
    said = f"{counted(n_words, 'word')} in, {whole(n_words)} × {whole(state.encoding.d_model)} numbers out"
    tall = min(_ROW * n_words, _MOST_TALL)

    def sets_t(area: Area) -> Slide:
        axis = Axis(area, -0.49, n_words - 0.51, side="left", is_downward=True)
        return axis.slide("position", is_whole=True)

    cells = list[tuple[Block, Block]]()
    for number, (name, of) in enumerate(_PARTS.items()):
        drawn = Drawn(_map_picture, (found, number), tall)
        frame = Live(Drawn(_frame, (state,), tall))
        title = Column((Words(name, "strong"), Words(of, "tick", "text2")))
        cells.append((title, Named(of, Layers((drawn, frame)), sets_in=sets_t)))
    table = () if found is None else (Live(Table(_TITLES, _rows(state, found)[:_MOST_ROWS])),)
    maps = Grid((66.0, GROW), tuple(cells), gap=6.0, between=6.0)
    return Column((paragraph(said, "strong", "text"), maps, *table), gap=8.0)


def sentence(state: State, _answers: Answers) -> str:
    return f"X + PE of “{' '.join(state.attention.words[:_MOST_ROWS])}”"


def readout(state: State, answers: Answers) -> str:
    """All numbers of X + PE, a row for each word."""
    found: _Inputs | None = answers.answer(questions(state)[0])
    rows: Any = () if found is None else found.parts[2].tolist()
    return "\n".join("\t".join((word, *map(repr, row))) for word, row in zip(state.attention.words, rows, strict=True))


def _rows(state: State, found: _Inputs) -> tuple[Row, ...]:
    attention = state.attention
    asking = attention.place_of(state.cursor.position)
    lengths = np.linalg.norm(found.parts, axis=2).tolist()
    rows = []
    for place, word in enumerate(attention.words):
        x, p, total = (fixed(of[place], 3) for of in lengths)
        name = f"{position(attention.first_position + place)} {word}"
        turn = f"{fixed(turned_from(found.parts[0, place], found.parts[2, place]), 1)}°"
        rows.append(Row((name, total, turn, x, p), {"position": float(place)}, place == asking))
    return tuple(rows)


def _map_picture(area: Area, theme: Theme, found: _Inputs | None, number: int) -> marks.Picture:
    if found is None:
        return ()
    return (cells_image(area, found.parts[number], (-found.limit, found.limit), theme.diverging),)


def _frame(area: Area, theme: Theme, state: State) -> marks.Picture:
    """A frame around the row of the word at t, and around its neighbours where rows are low."""
    attention = state.attention
    one = area.height / len(attention.words)
    half = max(one / 2, 3.5)
    y = area.y + one * (attention.place_of(state.cursor.position) + 0.5)
    return (marks.Rectangle(area.x, y - half, area.width, 2 * half, outline=theme.ink, outline_width=1.6),)
