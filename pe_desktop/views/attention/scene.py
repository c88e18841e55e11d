"""The attention view: a sentence as written and as moved, what one head makes of both, and what differs."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from pe_desktop.core.encoding import ROUNDING
from pe_desktop.core.measuring.measurement import HOLDS
from pe_desktop.core.record import record
from pe_desktop.core.scores.attention import MOST_WORDS
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.draw import flow
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Fits, Ground, Layers, Live, Named, Space, Words, in_row
from pe_desktop.draw.number_text import position as position_text
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import ROLES
from pe_desktop.model.findings import Answers
from pe_desktop.views.attention.chips import Chips
from pe_desktop.views.attention.every_scheme import folded, marked
from pe_desktop.views.attention.head import EXAMPLES, Differences, Found, difference_text, found, questions, sum_page
from pe_desktop.views.attention.maps import GAP, Maps, amounts, color_key, outputs_block, rounded_up, sides
from pe_desktop.views.attention.trained import trained_words
from pe_desktop.views.paged import PagedView, ScenePage
from pe_desktop.views.properties.verdicts import pill

_HEAD: Final = "One untrained head, words and weights drawn at random: "
_TRAINED: Final = (
    "One head that was trained in Learn, with a causal mask; each word of the sentence has one of the vectors that it "
    "was trained on: "
)
_COMPARED: Final = "All schemes are compared under the seeded head, whose sums are taken apart, too."
_NO_SUM: Final = "The score of a trained head is not taken apart; that of the seeded one is"
_EXPLANATION: Final = (
    "how much each word (row) takes from each other word "
    "(column), rows sum to 1, as written, and what moving changed of it (moved minus written). Solid is the word at t, "
    "dashed the one at t + k. Outputs of the moved sentence are put back in the written order, then compared; "
    "the number is the largest change of one."
)
# Narrower views have one map; from so many words on what comes out is the number alone.
_NARROWEST, _MANY_WORDS = 500.0, 9
_OUTPUTS: Final = 96.0
# The maps at least, where much else has room, where less has, where little has.
_LEAST_MAPS: Final = (120.0, 84.0, 56.0)
# In figures: the height of a row of a map, of the whole map at most; wider ones are slides.
_FIGURE_ROW, _TALLEST, _WIDEST_PAPER = 26.0, 210.0, 680.0
# The share of the width that the outputs take, the number beside them the rest.
_SHARE, _GAP = 0.62, 28.0
# In narrower views the comment on the number stands below it all.
_NARROW_NUMBER: Final = 720.0
_LINE, _NO = flow.Rule(9.0), Space(0.0)
_WHAT: Final = "By how much a word's output changed when words moved"
_HINTS: Final = ("one row: how much this word takes from each other word (sum 1)", "each row sums to 1", "")
_ORDERED: Final = (": moved and put back in order, minus as written", ": moved minus written", "")
# What the second map shows, in the order of `sides`.
_SECOND: Final = ("moved", "change")


def scene(state: State, answers: Answers, box: Box, **moving: Any) -> Scene:
    """The scene; moving: of its chips, how words are on their way from another order, and which one is dragged."""
    return flow.page_scene(_page(state, answers, box, **moving).form, box, is_wide=True)


def chips_of(state: State, answers: Answers, box: Box) -> Chips | None:
    """The chips of the page, which stand at its top; None where the number stands alone."""
    first = _page(state, answers, box).form.blocks[0]
    return first if isinstance(first, Chips) else None


def needed(state: State, answers: Answers, box: Box) -> float:
    """The height in which all of the page is seen in a panel, in pixels."""
    page = _page(state, answers, box)
    return flow.page_height(next(page.forms()), box.width, is_wide=True)


def _page(state: State, answers: Answers, box: Box, **moving: Any) -> "_Page":
    return _Page(state, box, *found(state, answers), moving)


@record(eq=False)
class _Page:
    """Chips, maps, what comes out and every scheme, as far as they have room in a box."""

    state: State
    box: Box
    found: Found
    table: Differences
    moving: Mapping[str, Any]

    @cached_property
    def chips(self) -> Chips:
        """The words of the sentence, none where there are too few."""
        attention = self.state.attention
        cursor = self.state.cursor
        preview = self.box.preview
        words, order = (attention.words, attention.places) if len(attention.words) >= 2 else ((), ())
        at = None if preview is None else preview.position
        asking = attention.place_of(cursor.position)
        hovered = None if at is None else round(at)
        chips = Chips(words, order, self.box.is_paper, asking=asking, read=self.state.key, hovered=hovered)
        return replace(chips, **self.moving)

    @property
    def form(self) -> Column:
        """The first of its forms that has room, else the last one."""
        form = Column(())
        for form in self.forms():
            if flow.page_height(form, self.box.width, is_wide=True) <= self.box.height:
                break
        return form

    def forms(self) -> Iterator[Column]:
        """The page with less and less on it: marks become numbers, outputs the number; chips and a map stay last."""
        chips, found = self.chips, self.found
        if not chips.words:
            yield _message((), *_examples())
        elif found.refusal:
            words = flow.paragraph(found.refusal, "label", "text2", 0.5)
            yield from (_message(above, words) for above in ((chips,), ()))
        else:
            yield from self._with_maps()

    def _with_maps(self) -> Iterator[Column]:
        """With chips and maps: every scheme as marks, as numbers, not at all; outputs, the number, neither."""
        chips, (most, less, least) = self.chips, _LEAST_MAPS
        if self.box.is_paper and not self.state.attention.order and self.found.both is not None:
            # Of words that haven't moved the rest has nothing to tell.
            yield Column((chips, _LINE, self.weights))
            return
        schemes = (self.state.attention, self.state.encoding, self.table)
        if self.box.width >= _NARROWEST:
            above = chips, _LINE, self._maps(most), _LINE, self._outputs(), _LINE
            if self.state.views.attention.back:
                yield Column((*above, flow.paragraph(_COMPARED)))
            else:
                yield Column((*above, marked(*schemes, self.box.width)))
                yield Column((*above, folded(*schemes)))
                yield Column((chips, _LINE, self._maps(less), _LINE, self._wide_number(), _LINE, folded(*schemes)))
        yield Column((chips, _LINE, self._maps(less), _LINE, self._number(self.box.width)))
        yield Column((chips, _LINE, self._maps(least), _LINE, self._number()))
        yield Column((chips, _LINE, self._maps(least)))

    @property
    def weights(self) -> Column:
        """The weights as written alone; what is said in their place where there are none."""
        return self.form if self.found.both is None else Column((self._written(), self._map(0)), gap=6.0)

    def _maps(self, least: float) -> Block:
        """The map of weights as written and the second one, in a narrow view that alone; titles and a line below."""
        if self.found.both is None:
            return Space(least + 70.0, grows=True)
        shown = self.state.views.attention.map
        title = Words("Weights, moved" if shown == "moved" else "What moving changed", "strong")
        head: Block = title if self.box.is_paper else in_row((GROW, FIT), title, _segments(shown))
        second, first = _SECOND.index(shown) + 1, tuple[int, ...]()
        if self.box.width >= _NARROWEST:
            head, first = in_row((GROW, GROW), self._written(), head, gap=GAP), (0,)
        key = color_key(sides(self.found)[second].limits)
        below = in_row((GROW, FIT, FIT), Live(self._reading()), self._way(), key)
        return Column((head, self._map(*first, second, least=least), below), gap=6.0)

    def _written(self) -> Block:
        """The title of the weights as written."""
        hint = flow.small(*_HINTS)
        key = color_key(sides(self.found)[0].limits)
        return in_row((FIT, GROW, FIT), Words("Weights as written", "strong"), hint, key)

    def _map(self, *places: int, least: float = _LEAST_MAPS[0]) -> Maps:
        """Some of `sides`, in a figure as high as their words need."""
        if self.box.is_paper:
            least = max(min(_FIGURE_ROW * len(self.chips.words), _TALLEST), _LEAST_MAPS[0])
        return Maps(self.chips, self.found, places, least, self.state.encoding.n_positions, self.box)

    def _reading(self) -> Block:
        """How much the word that asks takes from the one it reads; that there is none."""
        chips, cursor, words = self.chips, self.state.cursor, self.chips.words
        if round(cursor.position) >= len(words):
            way_on = "" if self.box.is_paper else ". Press the word that asks"
            return Words(f"This sentence has places 0 to {len(words) - 1}{way_on}", "caption", "text2")
        if chips.read is None:
            other = position_text(cursor.position + cursor.offset)
            return Words(f"t + k = {other}: no word stands there", "caption", "text2")
        text = amounts(self.found, chips.asking, chips.read)
        both = text.replace(" before, ", " → ").replace(" moved", "")
        shorter = text, both, both.replace(" by the mask", "").replace(" after the move", "")
        return Words(f"{words[chips.asking]} reads {words[chips.read]}: {text}", "value", shorter=shorter)

    def _way(self) -> Block:
        """What opens the sum of the score that t and t + k choose."""
        if self.chips.read is None or self.box.is_paper:
            return _NO
        if self.state.views.attention.back:
            words = Words("Head drawn from the seed ›", "flag", "focus")
            return Named("back to the seeded head", words, sets={"attention.back": 0}, tooltip=_NO_SUM)
        words = Words("Open its sum ›", "flag", "focus")
        return Named("open the sum of this score", words, sets=sum_page(self.found.attention))

    def _outputs(self) -> Block:
        """The change of each output, its largest one led to the number beside it; of many words the number alone."""
        found, width = self.found, whole(self.state.encoding.d_model)
        if len(self.chips.words) >= _MANY_WORDS:
            return self._wide_number()
        hint = flow.small(*(f"{width} numbers a word{more}" for more in _ORDERED))
        head = in_row((FIT, GROW), Words("What comes out", "strong"), hint)
        picture: Block = Space(_OUTPUTS)
        if found.both is not None:
            # The middle of the number, which stands at the top, below the upper edge of the picture.
            to = _GAP - 6.0, (ROLES["number"][0] + 5.0) / 2 - head.height(0.0) - 4.0
            picture = outputs_block(found, self.box.pixel_ratio, to, _OUTPUTS)
        limit = rounded_up(found.difference or 0.0)
        first, last = (flow.small(end, across=1.0) for end in ("0", whole(self.state.encoding.d_model - 1)))
        below = in_row((40.0, GROW, FIT, GROW), first, _NO, color_key((-limit, limit)), last, gap=0.0)
        drawn, room = Column((head, picture, below), gap=4.0), self.box.width
        is_narrow = room < _NARROW_NUMBER
        number = self._number(0.0 if is_narrow else (1.0 - _SHARE) * room - _GAP)
        both = in_row((_SHARE, GROW), drawn, number, gap=_GAP)
        return Column((both, *self._comment(room)), gap=4.0) if is_narrow else both

    def _wide_number(self) -> Block:
        """The number, and at its right the comment on it."""
        comment = self._comment((self.box.width - GAP) / 2)
        return in_row((GROW, GROW), self._number(), Column((Space(8.0), *comment), gap=4.0), gap=GAP)

    def _number(self, room: float = 0.0) -> Block:
        """The largest change, whether it is more than rounding, what it is; below the comment, if in so many pixels."""
        difference = self.found.difference
        what = _WHAT
        number: Block = Words(difference_text(difference), "number")
        if difference is not None and self.found.attention.order:
            verdict = pill("Order is seen", HOLDS, "ok", "ok_ground")
            word, dimension = self.found.most_changed
            what = f"{_WHAT}, the most at “{self.chips.words[word]}” (t = {word}) in dimension {whole(dimension)}"
            if difference < ROUNDING:
                what = _WHAT
                verdict = pill("Rounding only", "about", "text2", "sunken")
            beside = in_row((FIT, FIT), number, Column((Space(12.5), verdict)), gap=16.0)
            number = Fits((beside, Column((number, in_row((FIT,), verdict), Space(6.0)))))
        value = f"{difference_text(difference)}. {self.found.comment(self.chips.asking)[0]}"
        head = Column((number, flow.paragraph(what)))
        named = Named("largest difference", head, "" if difference is None else value)
        return Column((named, *(self._comment(room) if room else ())), gap=4.0)

    def _comment(self, room: float) -> tuple[Block, Block]:
        """What has happened, and what to look at, in as many lines as it needs in a width."""
        what, look = self.found.comment(self.chips.asking)
        words = flow.paragraph(look)
        n_lines = round(words.height(room) / words.height(math.inf)) if look else 1
        live = Live(replace(words, is_paragraph=False, n_lines=n_lines))
        return flow.paragraph(what, "segment", "text"), live


def _segments(shown: str) -> Block:
    """What the second map can show; a press chooses it."""
    cells = list[Block]()
    for name in _SECOND:
        is_chosen = name == shown
        words = Words(name.capitalize(), "segment", "text" if is_chosen else "text2")
        padded = Column((Space(2.0), in_row((9.0, FIT, 9.0), _NO, words, _NO, gap=0.0), Space(2.0)))
        block = Layers((Ground() if is_chosen else _NO, padded))
        cells.append(Named(f"second map: {name}", block, sets={"attention.map": name}, is_chosen=is_chosen))
    return in_row((FIT, FIT), *cells, gap=2.0)


def _examples() -> tuple[Block, ...]:
    """What to do where there are too few words, and the sentences of the texts as buttons."""
    buttons = (flow.button(one["sentence"], one, f"choose: {one['sentence']}") for one in EXAMPLES)
    return Words("Type two words or more", "strong", across=0.5), *buttons


def _message(above: tuple[Block, ...], *blocks: Block) -> Column:
    """Blocks in the middle of what is left, at most so wide as lines are read well."""
    room = Space(1.0, grows=True)
    narrow = Column(blocks, gap=8.0)
    wide = in_row((GROW, 420.0, GROW), _NO, narrow, _NO)
    return Column((*above, room, Fits((wide, narrow), (460.0, 0.0)), room))


def _readout(state: State, answers: Answers) -> str:
    """All maps with all digits, a row for each word that asks; then the number."""
    head, words = found(state, answers)[0], state.attention.words
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
    order, difference = state.attention.order, found(state, answers)[0].difference
    if difference is None or not order:
        return f"Attention with {_positions(state)}{'' if order else ': no word has moved yet'}"
    return f"Moving the words, {_positions(state)}: outputs differ by {difference_text(difference)}"


def _weights_sentence(state: State, _answers: Answers) -> str:
    return f"Weights of the words as written, {_positions(state)}"


def _height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    """What a figure of this width needs: all parts on paper, every scheme as numbers on a slide, which is wider.

    inf where there is room for one map alone. The panel shows what has room.
    """
    page = _page(state, answers, Box(width, math.inf, 1.0, theme, is_paper=True))
    full, *others = page.forms()
    if page.chips.words and width < _NARROWEST:
        return math.inf
    return (full if width < _WIDEST_PAPER or not others else others[0]).height(width)


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    attention = state.attention
    parts = [f"one head, {whole(state.encoding.d_model)} numbers a word"]
    if attention.first_position:
        parts.insert(0, f"the first word stands at {position_text(attention.first_position)}")
    if len(attention.sentence.split()) > MOST_WORDS:
        parts.insert(0, f"the first {MOST_WORDS} words")
    head, least = "Untrained: words and weights are drawn at random", "Untrained"
    if state.views.attention.back:
        head, least = trained_words(state), "Trained"
    return (*("; ".join((head, *parts[:count])) for count in range(len(parts), -1, -1)), least)


def _weights_scene(state: State, answers: Answers, box: Box) -> Scene:
    return flow.page_scene(_page(state, answers, box).weights, box, is_wide=True)


def _weights_height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    page = _page(state, answers, Box(width, math.inf, 1.0, theme, is_paper=True))
    return flow.page_height(page.weights, width, is_wide=True)


def _explanation(state: State) -> str:
    if not state.attention.order:
        return _ALONE
    return (_TRAINED if state.views.attention.back else _HEAD) + _EXPLANATION


_ALONE: Final = (
    "How much each word (row) takes from each other word (column) in the sentence as written; rows sum to 1. Solid is "
    "the word at t, dashed the one at t + k."
)
_WHOLE: Final = ScenePage(scene, _sentence, _explanation, _readout, questions, _height)
_WEIGHTS: Final = replace(
    _WHOLE, scene=_weights_scene, sentence=_weights_sentence, height=_weights_height, explanation=_ALONE
)

VIEW = PagedView("", {"": _WHOLE}, _forms, needed=needed, parts={"weights": _WEIGHTS})
