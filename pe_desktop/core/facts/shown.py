"""Which fact cards are listed, which of them the plots show, and the state that shows one."""

from dataclasses import replace
from functools import cache
from typing import Final

from pe_desktop.core.facts.cards import CARDS, Card
from pe_desktop.core.presets import CURSOR_PARAMETERS, ENCODING_PARAMETERS
from pe_desktop.core.rules import rules_of
from pe_desktop.core.scores.attention import Attention
from pe_desktop.core.state import State, state_of, value_of, with_encoding, with_name

# By the key of a card, from a first start.
state_of_card: Final = cache(lambda key: state_of(CARDS[key].assignments))


def with_card(state: State, card: Card) -> State:
    """The state with a card shown: encoding, cursor and trained length, all positions, and its choices of the views.

    Other choices stay: filters, the transposed matrix, the sentence. The decoder reads p_t, Attention has its seeded
    head.
    """
    target = state_of_card(card.key)
    state = replace(with_encoding(state, target.encoding), span=None, trained_length=target.trained_length)
    views = state.views.with_workspace("")
    compare = replace(views.compare, is_open=False)
    facts = replace(views.facts, card=card.key, shown=card.key)
    attention = replace(views.attention, back=0)
    state = state.with_views(replace(views, compare=compare, facts=facts, attention=attention))
    for name, text in card.assignments.items():
        if name not in (*ENCODING_PARAMETERS, *CURSOR_PARAMETERS, "pinned_pairs"):
            state = with_name(state, name, text)
    return state.with_cursor(target.cursor)


def shown_card(state: State) -> Card | None:
    """The card whose state the plots show: none once t, k, a parameter or the sentence has been changed by hand."""
    card = CARDS.get(state.views.facts.shown)
    if card is None:
        return None
    target = state_of_card(card.key)
    cursor = state.cursor
    is_there = (cursor.position, cursor.offset) == (target.cursor.position, target.cursor.offset)
    reads = [name for name in card.assignments if name in rules_of(Attention)]
    is_same = is_there and state.encoding == target.encoding
    return card if is_same and all(value_of(state, name) == value_of(target, name) for name in reads) else None


def matching(state: State) -> tuple[Card, ...]:
    """The cards that the filters leave, those about the kind of the state's encoding first."""
    facts = state.views.facts
    found = [
        card for card in CARDS.values() if facts.verdict in ("all", card.verdict) and facts.text in ("all", card.text)
    ]
    return tuple(sorted(found, key=lambda card: card.kind != state.encoding.kind))
