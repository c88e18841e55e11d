"""What a head reads, words with their positions, and the four terms of a score: what of it moves with t."""

from functools import partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.cursor import Preview
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.fields.similarity import turned_from
from pe_desktop.core.scores.attention import Head, head_refusal, kept_matrix, word_vectors
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.scores.term_ranges import Range, TermMaps, TermRanges, TermsAt, term_maps, term_ranges, terms_at
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.cell_map import cell_map, cells_image, cells_in, words_at
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Formula, Grid, Layers, Live, Named, Row, Table, Words
from pe_desktop.draw.number_text import counted, fixed, position, short, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers, Question, Questions
from pe_desktop.views.attention.maps import color_key, word_axis
from pe_desktop.views.controls import CAPTIONS, WORDS, Choice
from pe_desktop.views.four_terms import bias
from pe_desktop.views.paged import Page, PagedView

_CAPTIONS: Final = CAPTIONS["four-terms"]
_FORMULAS: Final = _CAPTIONS["formulas"]
# Values of a table whose ranges are found within a frame, of a matrix that is drawn and words that are read in one.
_QUICK_VALUES: Final = 2**15
# Letters of a word at most.
_LONGEST_WORD: Final = 14
_SUM: Final = "Sum = score"
# Before the formula of each map.
_SIGNS: Final = ("", "+ ", "+ ", "+ ", "= ")
_MAP_TOOLTIP: Final = "Down the word that asks, across the word that is read; a press chooses both"
_cells = partial(cells_in, has_names=False)


def _questions(state: State) -> Questions:
    """W_Q and W_K, where they are kept, the terms at t, and their ranges over every t at the same k."""
    if _refusal(state):
        return ()
    encoding, attention, cursor = state.encoding, state.attention, state.cursor
    width = encoding.d_model
    seed = attention.word_seed
    is_kept = Head(encoding.d_model).is_kept
    of = (encoding, seed, state.scored_words)
    place = attention.first_position + cursor.position
    sentence = encoding, seed, attention.words, attention.first_position
    rows = width, len(attention.words), encoding.n_positions
    is_narrow, is_short, is_quick = (is_kept and n * width <= _QUICK_VALUES for n in rows)
    drawn = [("W_Q", 0), ("W_K", 1)] if is_kept else []
    return (
        *(Question(name, kept_matrix, (which, width, seed), 0, "", is_narrow, "nothing") for name, which in drawn),
        Question("maps of four terms", term_maps, sentence, is_quick=is_short),
        Question("four terms", terms_at, (*of, place, cursor.offset), is_quick=is_kept),
        Question("ranges of four terms", term_ranges, (*of, cursor.offset), is_quick=is_quick),
    )


def _page(state: State, answers: Answers) -> Block:
    """Each term with its value at t and its range, their sum."""
    if _refusal(state):
        return flow.paragraph(_refusal(state))
    *_, of_maps, _at, of_ranges = _questions(state)
    terms, maps, ranges = _terms(state, answers), answers.answer(of_maps), answers.answer(of_ranges)
    claim = "Only the first term does not depend on where the pair stands."
    if ranges is not None and ranges.n_all > 1 and all(term.is_constant for term in ranges.terms):
        claim = "No term depends on where the pair stands."
    x, y = map(_shortened, state.scored_words)
    letters = Live(flow.small(f"x is the vector of “{x}”, y that of “{y}”", f"x: “{x}”, y: “{y}”"))
    key = flow.Space(17.0) if maps is None else color_key((-maps.limit, maps.limit))
    said = (
        Formula("(x + p_t) W (y + p_s) =", 18),
        flow.in_row((FIT, GROW), Formula("W = W_Q W_K^T / √d", 14, "text2"), letters, gap=24.0),
        *bias.no_word_notes(state),
        _maps(state, maps),
        flow.in_row((GROW, FIT), flow.Space(0.0), key),
        _rows(state, terms, ranges),
        flow.paragraph(claim, "strong", "text"),
        Live(_beside(terms)),
    )
    return Column(said, gap=4.0)


def _maps(state: State, found: TermMaps | None) -> Block:
    """Each term for every two words, the query down, and their sum; framed: those at t and s, which a press chooses."""
    how: dict[str, Any] = {"tooltip": _MAP_TOOLTIP, "ghosts": partial(_ghost, state)}
    given = (len(state.attention.words),) * 2, state.encoding.n_positions
    how["sets_in"] = lambda area: partial(words_at, _cells(area, given[0]), *given)
    maps, formulas = list[Block](), list[Block]()
    for number, (name, formula) in enumerate((*_FORMULAS.items(), ("score", "score"))):
        # float: as tall as wide.
        drawn = Drawn(_map_picture, (found, number, True), float), Live(Drawn(_frame, (state,), float))
        maps.append(Named(f"map of {name}", Layers(drawn), **how))
        formulas.append(Formula(f"{_SIGNS[number]}{formula}", 14, "text2"))
    return Grid((GROW,) * 5, (tuple(maps), tuple(formulas)), gap=16.0)


def _map_picture(area: Area, theme: Theme, found: TermMaps | None, number: int, is_square: bool) -> marks.Drawing:
    if found is None:
        return ()
    if is_square:
        return cell_map(area, theme, found.maps[number], found.limit)
    return (cells_image(area, found.maps[number], (-found.limit, found.limit), theme.diverging),)


def _frame(area: Area, theme: Theme, state: State, ink: str = "ink", wide: float = 2.0) -> marks.Picture:
    """A frame around the cell of the words at t and t + k, and around its neighbours where cells are tiny."""
    cell, n_words = bias.cell_of(state), len(state.attention.words)
    if cell is None:
        return ()
    inner = _cells(area, (n_words, n_words))
    one = inner.width / n_words
    middle = inner.x + (cell[1] + 0.5) * one, inner.y + (cell[0] + 0.5) * one
    around = Area.around(*middle, max(one / 2, 3.5))
    return (marks.Rectangle(*around, outline=getattr(theme, ink), outline_width=wide),)


def _ghost(state: State, area: Area, preview: Preview, theme: Theme) -> marks.Picture:
    shown = state.with_cursor(preview.moved(state.cursor))
    return () if bias.cell_of(shown) == bias.cell_of(state) else _frame(area, theme, shown, "ghost", 1.0)


def _rows(state: State, terms: TermsAt | None, ranges: TermRanges | None) -> Block:
    """Each term at t, and from where to where it goes over every t at the same k; their sum."""
    n_read, n_all = (ranges.n_read, ranges.n_all) if ranges else (0, 0)
    read = "every t" if n_read == n_all else f"{whole(n_read)} of {whole(n_all)} t"
    found = (ranges.terms if ranges else ()) or (None,) * len(_FORMULAS)
    rows = list[Row]()
    for number, (name, term) in enumerate(zip(_FORMULAS, found, strict=True)):
        value = "…" if terms is None else short(terms.terms[number], 4)
        told = _range_text(ranges, term)
        rows.append(Row((name, value, told), exact=() if terms is None else (name, repr(terms.terms[number]), told)))
    total = () if terms is None else (_SUM, repr(terms.total), repr(terms.score))
    rows.append(Row((_SUM, *_total(terms)), is_chosen=True, exact=total))
    title = f"over {read}, k = {position(state.cursor.offset)}"
    return Live(Table(("", f"t = {position(state.cursor.position)}", title), tuple(rows)))


def _range_text(ranges: TermRanges | None, term: Range | None) -> str:
    if ranges is None:
        return "…"
    if term is None:
        return "no t with t + k in N"
    if ranges.n_all == 1:
        return "one t only"
    return "constant" if term.is_constant else " to ".join(short(end, 3) for end in term)


def _total(terms: TermsAt | None) -> tuple[str, str]:
    """The sum and by how much it misses the score; a sum that misses it by more than rounding is no number."""
    if terms is None:
        return "…", ""
    missed = f"misses by {short(terms.residual, 2)}"
    if not terms.is_exact:
        return "", f"error: {missed}"
    return short(terms.total, 4), missed


def _beside(terms: TermsAt | None) -> Block:
    """What words and positions would score beside each other, a matrix for each half of the vector."""
    score = "…" if terms is None else short(terms.terms[0] + terms.terms[3], 4)
    text = f"Set beside each other, [x, p], with a W for each half: cross terms 0, score {score}, vectors twice as wide"
    return Words(text, "caption", "text2", shorter=(f"Beside each other: cross terms 0, score {score}", ""), n_lines=2)


def _refusal(state: State) -> str:
    """Why there are no terms; empty where there are."""
    no_words = "The sentence has no words: type some in Attention."
    return head_refusal(state.encoding.d_model) if state.attention.words else no_words


def _terms(state: State, answers: Answers) -> TermsAt | None:
    """The terms at t, None without words or a head, and until its matrices are drawn."""
    *drawn, _maps, terms = _questions(state)[:-1] or (None, None)
    is_drawn = all(answers.answer(matrix) is not None for matrix in drawn)
    return answers.answer(terms) if terms and is_drawn else None


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    if not state.attention.words:
        return ("added positions",)
    if _page_of(state) == "inputs":
        return f"{whole(len(state.attention.words))} words with their positions", "X + PE"
    query, key = map(_shortened, state.scored_words)
    read = "no word at t + k" if state.reads_no_word else f"key “{key}”"
    first, both = state.attention.first_position, f"query “{query}”, {read}"
    if _page_of(state) == "bias":
        title = state.attention.made(state.encoding).title
        return f"{title}: content and bias; {both}", both, title
    start = f"; the first word stands at {position(first)}" if first else ""
    return f"added positions; {both}{start}", f"added positions; {both}", both, "added"


def _shortened(word: str) -> str:
    return word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}…"


def _sentence(state: State, answers: Answers) -> str:
    terms = _terms(state, answers)
    at = f"at t = {position(state.cursor.position)}, k = {position(state.cursor.offset)}"
    return f"Four terms of a score {at}" + ("" if terms is None else f" sum to {short(terms.total, 4)}")


def _page_of(state: State) -> str:
    """The inputs; the four terms of added positions; the sum of a score under a scheme that adds to scores alone."""
    if state.views.four_terms.page == "inputs" and state.attention.words:
        return "inputs"
    adds = SCHEMES[state.attention.scheme_at_work].sum_formula
    is_bias = state.views.attention.is_open and adds and not _refusal(state)
    return "bias" if is_bias else "terms"


# Values of a table that are added within a frame; rows of numbers; pixels of a map for each word, and of all.
_QUICK_SUMS: Final = 2**17
_MOST_ROWS: Final = 24
_ROW: Final = 13.0
_MOST_TALL: Final = 130.0
_PARTS: Final = {"X": "words", "PE": "positions", "X + PE": "inputs"}
_TITLES: Final = ("word", "|x + p|", "turned by", "|x|", "|p|")


def _inputs(words: tuple[str, ...], encoding: Encoding, seed: int, first: float) -> TermMaps:
    x = word_vectors(words, encoding.d_model, seed)
    p = encoding.values(first + np.arange(float(len(words))))
    return TermMaps((x, p, x + p), float(np.abs((x, p, x + p)).max()) or 1.0)


def _inputs_questions(state: State) -> Questions:
    """The words of the sentence as written, and the rows of their positions."""
    attention = state.attention
    of = (attention.words, state.encoding, attention.word_seed, attention.first_position)
    is_quick = len(attention.words) * state.encoding.d_model <= _QUICK_SUMS
    return (Question("inputs", _inputs, of, title="Adding", is_quick=is_quick, takes="nothing"),)


def _inputs_page(state: State, answers: Answers) -> Block:
    """Three maps below each other, and lengths and angle of each word; a press sets t."""
    found: TermMaps | None = answers.answer(_inputs_questions(state)[0])
    n_words = len(state.attention.words)
    said = f"{counted(n_words, 'word')} in, {whole(n_words)} × {whole(state.encoding.d_model)} numbers out"
    tall = min(_ROW * n_words, _MOST_TALL)
    sets_in = lambda area: word_axis(area, n_words).slide("position", is_whole=True)  # noqa: E731
    cells = list[tuple[Block, Block]]()
    for number, (name, of) in enumerate(_PARTS.items()):
        drawn = Drawn(_map_picture, (found, number, False), tall)
        frame = Live(Drawn(_row_frame, (state,), tall))
        title = Column((Words(name, "strong"), Words(of, "tick", "text2")))
        cells.append((title, Named(of, Layers((drawn, frame)), sets_in=sets_in)))
    table = () if found is None else (Live(Table(_TITLES, _word_rows(state, found)[:_MOST_ROWS])),)
    maps = Grid((66.0, GROW), tuple(cells), gap=6.0, between=6.0)
    return Column((flow.paragraph(said, "strong", "text"), maps, *table), gap=8.0)


def _inputs_sentence(state: State, _answers: Answers) -> str:
    return f"X + PE of “{' '.join(state.attention.words[:_MOST_ROWS])}”"


def _inputs_readout(state: State, answers: Answers) -> str:
    """All numbers of X + PE, a row for each word."""
    found: TermMaps | None = answers.answer(_inputs_questions(state)[0])
    rows: Any = () if found is None else found.maps[2].tolist()
    return "\n".join("\t".join((word, *map(repr, row))) for word, row in zip(state.attention.words, rows, strict=True))


def _word_rows(state: State, found: TermMaps) -> tuple[Row, ...]:
    attention = state.attention
    asking = attention.place_of(state.cursor.position)
    lengths = np.linalg.norm(found.maps, axis=2).tolist()
    rows = []
    for place, word in enumerate(attention.words):
        x, p, total = (fixed(of[place], 3) for of in lengths)
        name = f"{position(attention.first_position + place)} {word}"
        turn = f"{fixed(turned_from(found.maps[0][place], found.maps[2][place]), 1)}°"
        rows.append(Row((name, total, turn, x, p), {"position": float(place)}, place == asking))
    return tuple(rows)


def _row_frame(area: Area, theme: Theme, state: State) -> marks.Picture:
    """A frame around the row of the word at t, and around its neighbours where rows are low."""
    axis = word_axis(area, len(state.attention.words))
    row = axis.step_area(float(state.attention.place_of(state.cursor.position)))
    framed = row.grown(0.0, max(3.5 - row.height / 2, 0.0))
    return (marks.Rectangle(*framed, outline=theme.ink, outline_width=1.6),)


VIEW = PagedView(
    _page_of,
    {
        "terms": Page(_page, _sentence, _CAPTIONS["terms"], _questions),
        "inputs": Page(_inputs_page, _inputs_sentence, _CAPTIONS["inputs"], _inputs_questions, _inputs_readout),
        "bias": Page(bias.page, bias.sentence, _CAPTIONS["bias"], bias.questions),
    },
    _forms,
    controls=(Choice(**WORDS["terms"]["page"]),),
    shades_unseen=True,
)
