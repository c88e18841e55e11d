"""The attention view: a sentence as written and as moved, what one head makes of both, and what differs."""

from dataclasses import replace
from typing import Final

import numpy as np

from pe_desktop.core.encoding import ROUNDING
from pe_desktop.core.measuring.measurement import HOLDS
from pe_desktop.core.scores.attention import MOST_WORDS
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.scores.term_ranges import Parts
from pe_desktop.core.state import State
from pe_desktop.draw import flow, number_text
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Grid, Live, Named, OnPaper, Space, Words, in_row
from pe_desktop.draw.number_text import fixed, whole
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers
from pe_desktop.views.attention.chips import Chips, with_buttons
from pe_desktop.views.attention.every_scheme import every_scheme
from pe_desktop.views.attention.head import SAID, Found, difference_text, found, questions, sum_page, trained_words
from pe_desktop.views.attention.maps import GAP, Maps, amounts, color_key, limit_of, outputs_block, sides
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.properties.verdicts import pill

# Narrower views have one map below the other; from so many words on what comes out is the number alone.
_TWO_MAPS, _MANY_WORDS = 500.0, 9
# The share of the width that the outputs take, the number beside them the rest; in narrower views it stands below.
_SHARE, _GAP, _BESIDE = 0.62, 28.0, 720.0
# From this width on every scheme stands beside what comes out: on slides.
_SLIDE: Final = 1000.0
_LINE, _NO = flow.Rule(9.0), Space(0.0)
# What the second map shows, in the order of `sides`.
_SECOND: Final = ("moved", "change")


def chips_of(state: State) -> Chips | None:
    """The words of the sentence, which stand at the top of the page; None where there are too few."""
    attention = state.attention
    if len(attention.words) < 2:
        return None
    return Chips(attention.words, attention.places, attention.place_of(state.cursor.position), state.key)


def _page(state: State, answers: Answers) -> Block:
    """Chips, maps, what comes out and every scheme; on paper a sentence that hasn't moved has its weights alone."""
    chips, (head, table, parts) = chips_of(state), found(state, answers)
    if chips is None:
        return _examples()
    above = with_buttons(chips)
    if head.refusal:
        return Column((above, _LINE, flow.paragraph(head.refusal, "label", "text2")))
    below = _outputs(state, chips, head)
    schemes: Block = flow.paragraph(SAID["compared"])
    if not state.views.attention.back:
        schemes = every_scheme(state.attention, state.encoding, table, parts, state.cursor.offset)
    beside = in_row((GROW, GROW), below, schemes, gap=GAP)
    rest = Fits((beside, Column((below, _LINE, schemes))), (_SLIDE, 0.0))
    whole_page = above, _LINE, _maps(state, answers, chips, head, parts), _LINE, rest
    if state.attention.order or head.both is None:
        return Column(whole_page)
    # Of words that haven't moved the rest has nothing to tell.
    return OnPaper(whole_page, paper=Column((above, _LINE, _weights(state, answers))))


def _weights(state: State, answers: Answers) -> Block:
    """The weights as written alone; what is said in their place where there are none."""
    chips = chips_of(state)
    head = found(state, answers)[0]
    if chips is None or head.both is None:
        return _page(state, answers)
    return Column((_written(head), _map(state, chips, head, 0)), gap=6.0)


def _maps(state: State, answers: Answers, chips: Chips, head: Found, parts: Parts | None) -> Block:
    """The map of weights as written and the second one, in a narrow view below it; titles and two lines below.

    parts: of the score of the chosen cell; they may be those of an encoding whose head is still computed.
    """
    if head.both is None:
        return Space(190.0, grows=True)
    shown = state.views.attention.map
    title = Words("Weights, moved" if shown == "moved" else "What moving changed", "strong")
    second = _SECOND.index(shown) + 1
    one = in_row((GROW, FIT), title, _segments(shown))
    two = in_row((GROW, GROW), _written(head), one, gap=GAP)
    key = color_key(sides(head)[second].limits)
    below = in_row((GROW, FIT, FIT), Live(_reading(state, chips, head)), _way(state, head), key)
    told = below, Live(_sum(chips, head, parts if head.encoding == state.encoding else None))
    wide = Column((two, _map(state, chips, head, 0, second), *told), gap=6.0)
    narrow = Column((_weights(state, answers), one, _map(state, chips, head, second), *told), gap=6.0)
    return Fits((wide, narrow), (_TWO_MAPS, 0.0))


def _written(head: Found) -> Block:
    """The title of the weights as written."""
    key = color_key(sides(head)[0].limits)
    return in_row((FIT, GROW, FIT), Words("Weights as written", "strong"), flow.small(*SAID["hints"]), key)


def _map(state: State, chips: Chips, head: Found, *shown: int) -> Block:
    """Some of `sides`."""
    return Maps(chips, head, shown, state.encoding.n_positions, state.cursor)


def _reading(state: State, chips: Chips, head: Found) -> Block:
    """How much the word that asks takes from the one it reads; that there is none."""
    cursor, words = state.cursor, chips.words
    if round(cursor.position) >= len(words):
        places = f"This sentence has places 0 to {len(words) - 1}"
        return Words(f"{places}. Press the word that asks", "caption", "text2", shorter=(places, ""))
    if chips.read is None:
        other = number_text.position(cursor.position + cursor.offset)
        return Words(f"t + k = {other}: no word stands there", "caption", "text2")
    forms = amounts(head, chips.asking, chips.read)
    return Words(f"{words[chips.asking]} reads {words[chips.read]}: {forms[0]}", "value", shorter=forms)


def _sum(chips: Chips, head: Found, parts: Parts | None) -> Block:
    """The parts of the score of the chosen cell, their sum, and the weight that the softmax makes of it."""
    if head.both is None or chips.read is None or parts is None or not parts.terms:
        return Words("", "caption")
    side = sides(head)[0]
    weight = side.text(chips.asking, chips.read, 4)
    scaled = head.both.written.scores[chips.asking] / head.attention.temperature
    total = np.logaddexp.reduce(scaled[~side.hidden[chips.asking]])
    end = f"softmax exp({fixed(scaled[chips.read], 4)}) / exp({fixed(total, 4)}) = {weight}"
    end = "hidden by the mask" if weight == "hidden" else end
    terms = zip(SAID["terms"][len(parts.terms) - 1], parts.terms, strict=True)
    score = f"score {fixed(sum(parts.terms), 4)}; {end}"
    told = ", ".join(f"{name} {fixed(term, 4)}" for name, term in terms)
    return Words(f"{told}: {score}", "caption", "text2", shorter=(score, end))


def _way(state: State, head: Found) -> Block:
    """What opens the sum of the score that t and t + k choose."""
    name, said, sets = "open the sum of this score", "Open its sum ›", sum_page(head.attention)
    if state.views.attention.back:
        name, said, sets = "back to the seeded head", "Head drawn from the seed ›", {"attention.back": 0}
    tooltip = SAID["no_sum"] if state.views.attention.back else ""
    way = () if state.key is None else (Named(name, Words(said, "flag", "focus"), sets=sets, tooltip=tooltip),)
    return Column(way, is_for_screen=True)


def _outputs(state: State, chips: Chips, head: Found) -> Block:
    """The change of each output and the largest one beside it; of many words that alone."""
    what, look = head.comment
    comment = flow.paragraph(what, "segment", "text"), flow.paragraph(look)
    number = _number(chips, head)
    if len(chips.words) >= _MANY_WORDS:
        return Fits((in_row((GROW, GROW), number, Column(comment)), Column((number, *comment))), (_BESIDE, 0.0))
    width = state.encoding.d_model
    hint = flow.small(*(f"{whole(width)} numbers a word{more}" for more in SAID["ordered"]))
    limit = limit_of(head.difference or 0.0)
    first, last = (flow.small(end, across=1.0) for end in ("0", whole(width - 1)))
    # Over nothing, it is shown whole or not at all.
    drawn = flow.Layers((Column((
        in_row((FIT, GROW), Words("What comes out", "strong"), hint),
        outputs_block(head),
        in_row((40.0, GROW, FIT, GROW), first, _NO, color_key((-limit, limit)), last, gap=0.0),
    ), gap=4.0),))  # fmt: skip
    beside = in_row((_SHARE, GROW), drawn, Column((number, *comment), gap=4.0), gap=_GAP)
    return Fits((beside, Column((drawn, number, *comment), gap=4.0)), (_BESIDE, 0.0))


def _number(chips: Chips, head: Found) -> Block:
    """The largest change, whether it is more than rounding, what it is."""
    difference, what = head.difference, SAID["what"]
    text = difference_text(difference)
    number: Block = Words(text, "number")
    if difference is not None and head.attention.order:
        verdict = pill("Rounding only", "about", "text2", "sunken")
        if difference >= ROUNDING:
            verdict = pill("Order is seen", HOLDS, "ok", "ok_ground")
            word, dimension = head.most_changed
            what = f"{what}, the most at “{chips.words[word]}” (t = {word}) in dimension {whole(dimension)}"
        beside = in_row((FIT, FIT), number, Column((Space(12.5), verdict)), gap=16.0)
        number = Fits((beside, Column((number, in_row((FIT,), verdict), Space(6.0)))))
    value = "" if difference is None else f"{text}. {head.comment[0]}"
    return Named("largest difference", Column((number, flow.paragraph(what))), value)


def _segments(shown: str) -> Block:
    """What the second map can show; a press chooses it."""
    cells = list[Block]()
    for name in _SECOND:
        is_chosen = name == shown
        text = name.capitalize()
        drawn = Drawn(flow.framed_word, (text, is_chosen), 22.0, text_width("segment", text) + 18.0)
        cells.append(Named(f"second map: {name}", drawn, sets={"attention.map": name}, is_chosen=is_chosen))
    return Column((in_row((FIT, FIT), *cells, gap=2.0),), is_for_screen=True)


def _examples() -> Block:
    """What to do where there are too few words, and the first sentences of the texts as buttons."""
    pairs = [*SAID["pairs"].values()][:3]
    buttons = (flow.button(one["sentence"], one, f"choose: {one['sentence']}") for one in pairs)
    rows = ((one,) for one in (Words("Type two words or more", "strong"), *buttons))
    return Grid((FIT,), tuple(rows), between=8.0)


def _readout(state: State, answers: Answers) -> str:
    """All maps with all digits, a row for each word that asks; then the number."""
    head = found(state, answers)[0]
    words = state.attention.words
    if head.both is None:
        return ""
    rows = list[tuple[str, ...]]()
    for side in sides(head):
        rows.append((f"weights, {side.name}", *words))
        rows += [(word, *map(repr, row)) for word, row in zip(words, side.values.tolist(), strict=True)]
    rows.append(("largest difference of outputs, put back in order", repr(head.difference)))
    return "\n".join(map("\t".join, rows))


def _positions(state: State) -> str:
    scheme = SCHEMES[state.attention.scheme_at_work]
    return f"{scheme.noun or scheme.title} positions{', causal mask' if state.attention.causal else ''}"


def _sentence(state: State, answers: Answers) -> str:
    order = state.attention.order
    difference = found(state, answers)[0].difference
    if difference is None or not order:
        return f"Attention with {_positions(state)}{'' if order else ': no word has moved yet'}"
    return f"Moving the words, {_positions(state)}: outputs differ by {difference_text(difference)}"


def _weights_sentence(state: State, _answers: Answers) -> str:
    return f"Weights of the words as written, {_positions(state)}"


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    attention = state.attention
    parts = [f"one head, {whole(state.encoding.d_model)} numbers a word"]
    if attention.first_position:
        parts.insert(0, f"the first word stands at {number_text.position(attention.first_position)}")
    if len(attention.sentence.split()) > MOST_WORDS:
        parts.insert(0, f"the first {MOST_WORDS} words")
    head, least = "Untrained: words and weights are drawn at random", "Untrained"
    if state.views.attention.back:
        head, least = trained_words(state), "Trained"
    return (*("; ".join((head, *parts[:count])) for count in range(len(parts), -1, -1)), least)


def _explanation(state: State) -> str:
    if not state.attention.order:
        return str(SAID["alone"])
    return f"{SAID['trained' if state.views.attention.back else 'head']}{SAID['shown']}"


_WHOLE: Final = Page(_page, _sentence, _explanation, questions, _readout, is_wide=True)
_WEIGHTS: Final = replace(_WHOLE, block=_weights, sentence=_weights_sentence, explanation=SAID["alone"])

VIEW = PagedView("", {"": _WHOLE}, _forms, parts={"weights": _WEIGHTS})
