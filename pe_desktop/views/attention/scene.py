"""The attention view: a sentence as written and as moved, what one head makes of both, and what differs."""

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from pe_desktop.core.scores.attention import MOST_WORDS
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.draw.flow import Column, page_scene
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers
from pe_desktop.views.attention.chips import Chips
from pe_desktop.views.attention.head import difference_text, found, questions
from pe_desktop.views.attention.page import figure_height, page
from pe_desktop.views.paged import PagedView, ScenePage

_EXPLANATION: Final = (
    "One head over a sentence as written and as moved: what each word (row) reads of each (column), rows sum to 1. "
    "Solid is the word at t, dashed the one at t + k. Outputs of the moved sentence are put back in the written "
    "order before they are compared; the number is their largest difference. Words and matrices are seeded."
)


def scene(state: State, answers: Answers, box: Box, moving: Mapping[str, Any] = MappingProxyType({})) -> Scene:
    """The scene; moving: of its chips, how words are on their way from another order, and which one is dragged."""
    return page_scene(_page(state, answers, box, replace(_chips(state, box), **moving)), box, is_wide=True)


def chips_of(state: State, answers: Answers, box: Box) -> Chips | None:
    """The chips of the page, which stand at its top; None where the number stands alone."""
    first = _page(state, answers, box, _chips(state, box)).blocks[0]
    return first if isinstance(first, Chips) else None


def _readout(state: State, answers: Answers) -> str:
    """Both maps with all digits, then the number: a row for each word that asks."""
    attention = state.attention
    both = found(state, answers)[0].both
    if both is None:
        return ""
    lines: list[str] = []
    written, moved = (range(len(attention.words)), both.written), (attention.places, both.moved)
    for title, (order, attended) in {"as written": written, "moved": moved}.items():
        lines.append("\t".join((f"weights, {title}", *(attention.words[word] for word in order))))
        for word, row in zip(order, attended.weights, strict=True):
            lines.append("\t".join((attention.words[word], *(repr(float(weight)) for weight in row))))
    lines.append(f"largest difference of outputs, put back in order\t{both.difference!r}")
    return "\n".join(lines)


def _sentence(state: State, answers: Answers) -> str:
    attention = state.attention
    scheme = SCHEMES["none" if attention.drops_positions else attention.scheme]
    title = f"{scheme.noun or scheme.title} positions"
    mask = ", causal mask" if attention.causal else ""
    difference = found(state, answers)[0].difference
    if difference is None:
        return f"Attention with {title}{mask}"
    return f"Moving the words, {title}{mask}: outputs differ by {difference_text(difference)}"


def _height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    """Figures alone ask for it: the panel shows what has room."""
    box = Box(width, math.inf, 1.0, theme, is_paper=True)
    return figure_height(state, found(state, answers)[0], _chips(state, box), box)


def _page(state: State, answers: Answers, box: Box, chips: Chips) -> Column:
    return page(state, *found(state, answers), chips, box)


def _chips(state: State, box: Box) -> Chips:
    """The words of the sentence, none where there are too few."""
    attention, cursor = state.attention, state.cursor
    asking, read = (attention.place_of(place) for place in (cursor.position, cursor.position + cursor.offset))
    has_words = len(attention.words) >= 2
    words, order = (attention.words, attention.places) if has_words else ((), ())
    return Chips(words, order, is_paper=box.is_paper, asking=asking, read=read)


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    attention, d_model = state.attention, whole(state.encoding.d_model)
    parts = ["same word, same vector", f"one head, d = {d_model}"]
    if len(attention.sentence.split()) > MOST_WORDS:
        parts.insert(0, f"the first {MOST_WORDS} words")
    if attention.first_position:
        parts.append(f"the first word stands at {position_text(attention.first_position)}")
    return (*("; ".join(parts[:count]) for count in range(len(parts), 0, -1)), "one head")


VIEW = PagedView("", {"": ScenePage(scene, _sentence, _EXPLANATION, _readout, questions, _height)}, _forms)
