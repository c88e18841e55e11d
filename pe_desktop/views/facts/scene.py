"""Facts: what the texts say, measured, a card for each claim."""

import math
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from pe_desktop.core.facts.cards import CARDS, Card
from pe_desktop.core.facts.measures import Numbers, measured
from pe_desktop.core.facts.shown import matching, shown_card
from pe_desktop.core.state import State
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.facts import words
from pe_desktop.views.facts.layout import CardLayout, picture_height, placed
from pe_desktop.views.facts.picture import Look, card_picture, nothing_picture

_SHOW_IT: Final = "Show it"
_PUT_BACK: Final = "Put back"
_CLEAR: Final = "Clear"
_CLEAR_SIZE: Final = (88.0, 28.0)
_Found: TypeAlias = tuple[Numbers, ...] | str | None


def questions(state: State) -> tuple[Question, ...]:
    return questions_of((*matching(state), *_on_paper(state)))


def questions_of(cards: tuple[Card, ...]) -> tuple[Question, ...]:
    """What is to be measured for some cards."""
    return tuple(_question(card.key) for card in cards if card.lines)


def scene(state: State, answers: Answers, box: Box) -> Scene:
    return cards_scene(state, answers, box, can_put_back=False)


def cards_scene(
    state: State, answers: Answers, box: Box, *, can_put_back: bool, waiting: str = words.MEASURING
) -> Scene:
    """The cards that are seen; waiting: what stands in place of numbers that are being measured.

    can_put_back: whether it is known what stood in the plots before the card that they show.
    """
    layouts, shown = layouts_of(state, box.width, is_paper=box.is_paper), shown_card(state)
    if box.page is not None:
        layouts = _pages(state, box.width, box.height)[box.page]
    opened = state.views.facts.card
    if not layouts:
        picture = nothing_picture(box.width, _clear_area(box.width), box.theme)
        return Scene(picture, places=Part(_clear_place, box.width))
    seen = []
    for layout in layouts:
        card, area = layout.card, layout.area
        if box.seen is None or (area.bottom >= box.seen.y and area.y <= box.seen.bottom):
            found = answers.answer(_question(card.key)) if card.lines else ()
            is_shown, is_known = card is shown, isinstance(found, tuple)
            button = "" if box.is_paper else _button_text(is_shown=is_shown, can_put_back=can_put_back)
            seen.append((layout, Look(_values(card, found, waiting), is_known, is_shown, card.key == opened, button)))
    picture = tuple(mark for layout, look in seen for mark in card_picture(layout, look, box.theme))
    return Scene(picture, places=Part(_places, tuple(seen)))


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    return fitting("caption", ("what the texts say, measured", "measured"), room)


def readout(state: State, answers: Answers) -> str:
    rows = ["Verdict\tClaim\tSource\tMeasured"]
    for card in matching(state):
        found = answers.answer(_question(card.key)) if card.lines else ()
        told = "; ".join(_told(card, _values(card, found, "")))
        rows.append("\t".join((words.VERDICTS[card.verdict], card.claim, card.source, told)))
    return "\n".join(rows)


def sentence(state: State, answers: Answers) -> str:
    cards = _on_paper(state)
    if len(cards) == 1:
        return f"{cards[0].source}: {words.VERDICTS[cards[0].verdict].lower()}"
    return f"What the texts say, measured: {len(cards)} of {len(CARDS)} cards"


def explanation(state: State) -> str:
    return (
        "Each card is a sentence of a text in other words, with its source, a verdict and what was measured at the "
        "parameters below it; what can't be measured is open and shows the possible answers."
    )


def height(state: State, answers: Answers, width: float, theme: Theme) -> float:
    """On paper, where it is higher than on the screen."""
    return picture_height(layouts_of(state, width, is_paper=True))


def page_height(state: State, width: float) -> float:
    """The height that the cards need on the screen."""
    return picture_height(layouts_of(state, width))


def layouts_of(state: State, width: float, *, is_paper: bool = False) -> tuple[CardLayout, ...]:
    """The cards that the filters leave, on paper an open one alone, placed in a picture of this width."""
    cards = _on_paper(state) if is_paper else matching(state)
    return placed(tuple(card.key for card in cards), state.views.facts.card, width, is_paper=is_paper)[0]


def n_pages(state: State, width: float, height: float) -> int:
    return len(_pages(state, width, height))


def least_height(state: State, width: float) -> float:
    """That of the highest card."""
    return max((picture_height(page) for page in _pages(state, width, 0.0)), default=0.0)


def _pages(state: State, width: float, height: float) -> tuple[tuple[CardLayout, ...], ...]:
    """The cards of a figure on pages of this size."""
    keys = tuple(card.key for card in _on_paper(state))
    return placed(keys, state.views.facts.card, width, height, is_paper=True)


def _on_paper(state: State) -> tuple[Card, ...]:
    """Who opens a card wants that one as a figure."""
    opened = state.views.facts.card
    return (CARDS[opened],) if opened else matching(state)


def changes(state: State, place: Place) -> Mapping[str, Any]:
    """What a press on a card, or on Clear, changes; not what its button does."""
    if place.name == _CLEAR:
        return {"facts.verdict": "all", "facts.text": "all"}
    card = card_of(place)
    if card is None:
        return {}
    return {"facts.card": "" if state.views.facts.card == card.key else card.key}


def card_of(place: Place) -> Card | None:
    """The card of a place, or of the button that it is."""
    return next((card for card in CARDS.values() if place.name.endswith(f": {card.claim}")), None)


def is_button(place: Place) -> bool:
    """Whether it shows a card, or puts back what stood before."""
    return place.name.startswith((f"{_SHOW_IT}: ", f"{_PUT_BACK}: "))


def tooltip(place: Place | None) -> str:
    """The source and the explanation of a card."""
    card = None if place is None else card_of(place)
    return "" if card is None else f"{card.source}\n{card.explanation}"


def _question(key: str) -> Question:
    return Question("facts", _measured, (key,))


def _measured(key: str, task: Task) -> tuple[Numbers, ...] | str:
    """The numbers of a card, or in a few words why there are none."""
    try:
        return measured(key)
    except (ValueError, ArithmeticError, MemoryError):
        return "not measured"


def _values(card: Card, found: _Found, waiting: str) -> tuple[str, ...]:
    """What the lines of a card say, waiting where nothing is known yet."""
    if found is None or isinstance(found, str):
        return (waiting if found is None else found,) * len(card.lines)
    return tuple(words.line_text(line, numbers) for line, numbers in zip(card.lines, found, strict=True))


def _button_text(*, is_shown: bool, can_put_back: bool) -> str:
    """Where nobody knows what stood before, as in a session that was opened, a shown card has no button."""
    if is_shown:
        return _PUT_BACK if can_put_back else ""
    return _SHOW_IT


def _clear_area(width: float) -> Area:
    button_width, button_height = _CLEAR_SIZE
    return Area((width - button_width) / 2, 56.0, button_width, button_height)


def _clear_place(width: float) -> tuple[Place, ...]:
    return (Place(_CLEAR, _clear_area(width), words.NOTHING_MATCHES),)


def _places(cards: tuple[tuple[CardLayout, Look], ...]) -> tuple[Place, ...]:
    places = []
    for layout, look in cards:
        card = layout.card
        value = "; ".join((card.source, *_told(card, look.values)))
        name = f"{words.VERDICTS[card.verdict]}: {card.claim}"
        places.append(Place(name, layout.area, value, is_chosen=look.is_shown or look.is_chosen))
        if look.button and layout.is_whole:
            places.append(Place(f"{look.button}: {card.claim}", layout.button))
    return tuple(places)


def _told(card: Card, values: tuple[str, ...]) -> list[str]:
    """Measured lines and possible answers for a screen reader and a table."""
    return [*(f"{line.label}: {value}" for line, value in zip(card.lines, values, strict=True)), *card.answers]
