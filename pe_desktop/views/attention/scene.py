"""The attention view: a sentence as written and as moved, what one head makes of both, and what differs."""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import IsCancelled, never
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import Attended, Attention, Moved, differences, moved
from pe_desktop.core.scores.head import MOST_WORDS, CancelledError
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import fixed, whole
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.plot import readout_card
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.attention import maps, picture, words
from pe_desktop.views.attention.layout import AttentionLayout, attention_layout
from pe_desktop.views.attention.picture import SchemeRow

# Heads and sentences up to this size are computed within a frame; all schemes up to that.
_QUICK: Final = (256, 32)
_QUICK_TABLE: Final = (128, 8)
# More chips and rows have no places of their own: a screen reader hears of those at t and t + k.
_MOST_PLACES: Final = 24
_UNKNOWN: Final = "…"
# A figure without words.
_EMPTY_HEIGHT: Final = 240.0
_OFF: Final = "switched off now"
_ORDERS: Final = ("written", "moved")


@record(eq=False)
class _Known:
    """What a head makes of a sentence and of the moved one, or a sentence that says why there is nothing.

    changes: by how much the weights of each written word differ at most, shape (n_words,).
    """

    attention: Attention
    found: Moved | None = None
    changes: Floats | None = None
    refusal: str = ""


@record(eq=False)
class _FoundTable:
    """The differences under every scheme as texts, without and with a mask."""

    attention: Attention
    texts: tuple[tuple[str, str], ...]


def layout_of(state: State, box: Box) -> AttentionLayout:
    """Where everything stands."""
    attention = state.attention
    return attention_layout(box.width, box.height, attention.words, attention.places, len(SCHEMES), box.is_paper)


def questions(state: State) -> tuple[Question, ...]:
    attention = state.attention
    if not _has_words(attention):
        return ()
    own = () if _is_quick(attention, state.encoding) else (_moved_question(state),)
    table = () if _is_quick(attention, state.encoding, _QUICK_TABLE) else (_table_question(state),)
    return (*own, *table)


def scene(state: State, answers: Answers, box: Box) -> Scene:
    return scene_of(layout_of(state, box), state, answers, box)


def scene_of(layout: AttentionLayout, state: State, answers: Answers, box: Box) -> Scene:
    """The scene with words that may still be on their way."""
    attention, theme = state.attention, box.theme
    if not _has_words(attention):
        return Scene(still=Part(picture.empty_picture, layout, theme), places=Part(_empty_places, layout))
    known, table, (asking, read) = _known(state, answers), _table(state, answers), _chosen(state)
    found, said = (None, None) if known is None else (known.found, _said(known, asking))
    places = Part(_places, attention, found, said, table, layout, asking, read)
    chips = () if layout.mode == "brief" else picture.chosen_chips(layout, asking, read, theme)
    if known is not None and known.refusal:
        return Scene(chips, Part(_refused, layout, known.refusal, theme), places=places)
    moving = picture.number_picture(layout, None if found is None else found.difference, said, theme)
    if layout.mode != "brief":
        moving = (*chips, *moving, *_moving(state, found, layout, box))
    return Scene(moving, Part(_still, attention, found, table, layout, box), places=places)


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    attention, d_model = state.attention, whole(state.encoding.d_model)
    parts = ["same word, same vector", f"one head, d = {d_model}"]
    if len(attention.sentence.split()) > MOST_WORDS:
        parts.insert(0, f"the first {MOST_WORDS} words")
    if attention.first_position:
        parts.append(f"the first word stands at {position_text(attention.first_position)}")
    forms = ["; ".join(parts[:count]) for count in range(len(parts), 0, -1)]
    return fitting("caption", (*forms, "one head"), room)


def readout(state: State, answers: Answers) -> str:
    """Both maps with all digits, then the number: a row for each word that asks."""
    attention = state.attention
    known = _known(state, answers) if _has_words(attention) else None
    if known is None or known.found is None:
        return ""
    lines: list[str] = []
    orders = (tuple(range(len(attention.words))), attention.places)
    for title, order, attended in zip(
        ("as written", "moved"), orders, (known.found.written, known.found.moved), strict=True
    ):
        lines.append("\t".join((f"weights, {title}", *(attention.words[word] for word in order))))
        for word, row in zip(order, attended.weights, strict=True):
            lines.append("\t".join((attention.words[word], *(repr(float(weight)) for weight in row))))
    lines.append(f"largest difference of outputs, put back in order\t{known.found.difference!r}")
    return "\n".join(lines)


def sentence(state: State, answers: Answers) -> str:
    attention = state.attention
    scheme = SCHEMES["none" if attention.drops_positions else attention.scheme]
    title = f"{scheme.noun or scheme.title} positions"
    mask = ", causal mask" if attention.causal else ""
    known = _known(state, answers) if _has_words(attention) else None
    if known is None or known.found is None:
        return f"Attention with {title}{mask}"
    return f"Moving the words, {title}{mask}: outputs differ by {words.difference_text(known.found.difference)}"


def explanation(state: State) -> str:
    return (
        "One head over a sentence as written and as moved: what each word (row) reads of each (column), rows sum to 1. "
        "Solid is the word at t, dashed the one at t + k. Outputs of the moved sentence are put back in the written "
        "order before they are compared; the number is their largest difference. Words and matrices are seeded."
    )


def height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    """Figures alone ask for it: the panel shows what has room."""
    if not _has_words(state.attention):
        return _EMPTY_HEIGHT
    return layout_of(state, Box(width, 0.0, 1.0, theme, is_paper=True)).figure_height


def gap_picture(layout: AttentionLayout, word: int, theme: Theme) -> marks.Picture:
    """What marks the place of a word while it is dragged."""
    return () if layout.mode == "brief" else picture.gap_picture(layout, word, theme)


def scheme_at(layout: AttentionLayout, x: float, y: float) -> str | None:
    """The scheme whose row of the table is under a point."""
    if layout.mode == "brief" or len(layout.words) < 2:
        return None
    return next((name for place, name in enumerate(SCHEMES) if layout.row(place).holds(x, y)), None)


def example_at(state: State, layout: AttentionLayout, x: float, y: float) -> words.Pair | None:
    """The sentence of a button under a point, where buttons are offered."""
    if _has_words(state.attention):
        return None
    areas = zip(picture.empty_buttons(layout), words.EXAMPLES, strict=True)
    return next((example for area, example in areas if area.holds(x, y)), None)


def _has_words(attention: Attention) -> bool:
    return len(attention.words) >= 2


def _is_quick(attention: Attention, encoding: Encoding, most: tuple[int, int] = _QUICK) -> bool:
    return encoding.d_model <= most[0] and len(attention.words) <= most[1]


@lru_cache(maxsize=4)
def _quickly_known(attention: Attention, encoding: Encoding) -> _Known:
    return _find(attention, encoding)


def _find_known(attention: Attention, encoding: Encoding, task: Task) -> _Known | None:
    try:
        return _find(attention, encoding, task)
    except CancelledError:
        return None


def _find(attention: Attention, encoding: Encoding, is_cancelled: IsCancelled = never) -> _Known:
    try:
        found = moved(attention, encoding, is_cancelled)
    except ValueError as error:
        return _Known(attention, refusal=str(error))
    places, put_back = list(attention.places), np.empty_like(found.moved.weights)
    put_back[np.ix_(places, places)] = found.moved.weights
    return _Known(attention, found, np.abs(found.written.weights - put_back).max(axis=1))


@lru_cache(maxsize=8)
def _quick_table(attention: Attention, encoding: Encoding) -> _FoundTable | None:
    return _find_table(attention, encoding, never)


def _find_table(attention: Attention, encoding: Encoding, is_cancelled: IsCancelled) -> _FoundTable | None:
    try:
        found = differences(attention, encoding, is_cancelled)
    except CancelledError:
        return None
    except ValueError:
        return _FoundTable(attention, (("–", "–"),) * len(SCHEMES))
    texts = [(words.difference_text(free), words.difference_text(causal)) for free, causal in found.values()]
    return _FoundTable(attention, tuple(texts))


def _moved_question(state: State) -> Question:
    return Question("attention", _find_known, (state.attention, state.encoding), title="Attention")


def _table_question(state: State) -> Question:
    # Neither scheme nor mask changes the table.
    alike = replace(state.attention, scheme="none", drops_positions=False, causal=False)
    return Question("attention table", _find_table, (alike, state.encoding), title="Every scheme")


def _known(state: State, answers: Answers) -> _Known | None:
    """What is known of this sentence: while it is computed, what the same head made of it in another encoding."""
    attention, encoding = state.attention, state.encoding
    if _is_quick(attention, encoding):
        return _quickly_known(attention, encoding)
    known: _Known | None = answers.latest(_moved_question(state))
    return None if known is None or known.attention != attention else known


def _found_table(state: State, answers: Answers) -> _FoundTable | None:
    """The table, or while it is computed the one of the same head in another encoding."""
    question = _table_question(state)
    if _is_quick(state.attention, state.encoding, _QUICK_TABLE):
        return _quick_table(*question.arguments)
    found: _FoundTable | None = answers.latest(question)
    return None if found is None or found.attention != question.arguments[0] else found


def _table(state: State, answers: Answers) -> tuple[SchemeRow, ...]:
    found = _found_table(state, answers)
    texts = ((_UNKNOWN, _UNKNOWN),) * len(SCHEMES) if found is None else found.texts
    attention = replace(state.attention, drops_positions=False)
    off = attention.scheme if state.attention.drops_positions else "none"
    return tuple(
        SchemeRow(kind.title, _OFF if name == off != "none" else _note(attention, name, state.encoding), *both)
        for (name, kind), both in zip(SCHEMES.items(), texts, strict=True)
    )


def _note(attention: Attention, scheme: str, encoding: Encoding) -> str:
    return replace(attention, scheme=scheme).made(encoding).note


def _chosen(state: State) -> tuple[int, int]:
    """The written places of the word at t and of the one at t + k."""
    cursor, attention = state.cursor, state.attention
    return attention.place_of(cursor.position), attention.place_of(cursor.position + cursor.offset)


def _amounts(attention: Attention, found: Moved, asking: int, read: int) -> tuple[str, str]:
    """How much one word reads of another, as written and as moved, or that the mask hides it."""
    places = attention.places
    cells = (found.written, asking, read), (found.moved, places.index(asking), places.index(read))
    before, after = (
        "hidden" if attention.causal and column > row else fixed(float(attended.weights[row, column]), 4)
        for attended, row, column in cells
    )
    return before, after


def _said(known: _Known, asking: int) -> tuple[str, str] | None:
    """What happened, and whose weights to look at: those of the word that asks, unless another's have changed."""
    if known.found is None or known.changes is None:
        return None
    most = asking if known.changes[asking] >= words.ROUNDING else int(known.changes.argmax())
    changed = known.attention.words[most] if known.changes[most] >= words.ROUNDING else None
    return words.comment(known.attention, known.found.difference, changed)


def _moving(state: State, found: Moved | None, layout: AttentionLayout, box: Box) -> marks.Picture:
    """What follows t and t + k, and the pointer."""
    if found is None:
        return ()
    attention, cursor, theme, (asking, read) = state.attention, state.cursor, box.theme, _chosen(state)
    names = attention.words
    before, after = _amounts(attention, found, asking, read)
    pair, cursors = (names[asking], names[read]), (cursor.position, cursor.position + cursor.offset)
    marked = [
        *maps.chosen_cells(layout, asking, read, theme),
        *maps.footers_picture(layout, cursors, pair, f"{before} before, {after} after", theme),
    ]
    cell = None if box.pointer is None else layout.cell_at(*box.pointer)
    if cell is not None and box.pointer is not None:
        marked += maps.pointed_cells(layout, *cell, theme)
        both = _amounts(attention, found, *cell)
        is_moved = layout.maps[1].holds(*box.pointer)
        reads = f"{names[cell[0]]} reads {names[cell[1]]}"
        lines = (
            f"{reads} {both[is_moved]}",
            f"{('moved', 'as written')[is_moved]} {both[not is_moved]}",
        )
        marked += readout_card(*box.pointer, box.area, lines, theme)
    elif box.preview is not None and 0 <= round(box.preview.position) < len(names):
        marked += maps.pointed_cells(layout, round(box.preview.position), None, theme)
    return tuple(marked)


def _still(
    attention: Attention, found: Moved | None, table: tuple[SchemeRow, ...], layout: AttentionLayout, box: Box
) -> marks.Picture:
    if layout.mode == "brief":
        return ()
    chosen, shown = tuple(SCHEMES).index(attention.scheme), None if attention.drops_positions else int(attention.causal)
    return (
        *picture.chips_picture(layout, box.theme),
        *picture.lines_picture(layout, box.theme),
        *(() if found is None else maps.maps_picture(layout, found, box, is_causal=attention.causal)),
        *(() if found is None or layout.mode != "full" else maps.outputs_picture(layout, found, box)),
        *picture.table_picture(layout, table, chosen, shown, box.theme),
    )


def _refused(layout: AttentionLayout, refusal: str, theme: Theme) -> marks.Picture:
    above = () if layout.mode == "brief" else (*picture.chips_picture(layout, theme),)
    return (*above, *picture.refusal_picture(layout, refusal, theme))


def _empty_places(layout: AttentionLayout) -> tuple[Place, ...]:
    areas = zip(picture.empty_buttons(layout), words.EXAMPLES, strict=True)
    return tuple(Place(f"choose: {example.sentence}", area) for area, example in areas)


def _places(
    attention: Attention,
    found: Moved | None,
    said: tuple[str, str] | None,
    table: tuple[SchemeRow, ...],
    layout: AttentionLayout,
    asking: int,
    read: int,
) -> tuple[Place, ...]:
    """The words of both rows, the rows of both maps, the number, the schemes."""
    if found is None or said is None:
        return ()
    area = Area(0.0, layout.number_top + 8.0, layout.half, 60.0)
    number = Place("largest difference", area, f"{words.difference_text(found.difference)}. {said[0]}")
    if layout.mode == "brief":
        return (number,)
    n_words = len(attention.words)
    shown = frozenset(range(n_words) if n_words <= _MOST_PLACES else (asking, read))
    return (
        *_chip_places(attention, layout, shown, asking, read),
        *_row_places(attention, found.written, layout, 0, shown, asking),
        *_row_places(attention, found.moved, layout, 1, shown, asking),
        number,
        *_scheme_places(attention, table, layout),
    )


def _chip_places(
    attention: Attention, layout: AttentionLayout, shown: frozenset[int], asking: int, read: int
) -> list[Place]:
    """The words of both rows, as far as they are shown: what each is at t and t + k."""
    return [
        Place(
            f"{title} {place}: {attention.words[chip.word]}",
            chip.area,
            _role(chip.word, asking, read),
            chip.word == asking,
        )
        for title, row in zip(_ORDERS, (layout.written, layout.moved), strict=True)
        for place, chip in enumerate(row)
        if chip.word in shown
    ]


def _row_places(
    attention: Attention, one: Attended, layout: AttentionLayout, which: int, shown: frozenset[int], asking: int
) -> list[Place]:
    """The rows of the map as written (0) or moved (1): what a word reads of each."""
    order = attention.places if which else tuple(range(len(attention.words)))
    area, tall, found = layout.maps[which], layout.cell[1], []
    for place, word in enumerate(order):
        if word in shown:
            weights = zip(order, one.weights[place].tolist(), strict=True)
            value = ", ".join(
                f"{attention.words[other]} {fixed(amount, 2)}" for other, amount in weights if other in shown
            )
            row = Area(area.x, area.y + place * tall, area.width, tall)
            found.append(Place(f"{_ORDERS[which]}, row {place}: {attention.words[word]}", row, value, word == asking))
    return found


def _scheme_places(attention: Attention, table: tuple[SchemeRow, ...], layout: AttentionLayout) -> list[Place]:
    """The rows of the table."""
    return [
        Place(
            f"scheme {row.title}",
            layout.row(place),
            f"no mask {row.without}, causal {row.causal}",
            name == attention.scheme,
        )
        for place, (name, row) in enumerate(zip(SCHEMES, table, strict=True))
    ]


def _role(word: int, asking: int, read: int) -> str:
    """What a word is at t and t + k."""
    return ", ".join(role for role, place in (("query", asking), ("key", read)) if word == place)
