"""Clock and waves under each scheme: in colours where a head reads the hands, grey and told so where it does not."""

import pytest
from PySide6.QtGui import QColor

from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.model.findings import Computed
from pe_desktop.views.clock import scene as clock
from pe_desktop.views.waves import scene as waves

UNREAD = {
    "none": "not read: no positions",
    "alibi": "not read by ALiBi",
    "t5": "not read by T5",
    "shaw": "not read by Shaw",
}
DROPPED = [{"scheme": scheme, "drops_positions": "true"} for scheme in ("additive", "rope", "alibi")]


def colors_of(view, state, theme):
    """The colours of all dots and badges of a scene."""
    shown = view.scene(state, Computed(), Box(640.0, 480.0, 1.0, theme))
    picture = (*shown.still(), *shown.moving)
    dots = {mark.fill.name() for mark in picture if isinstance(mark, marks.Dots)}
    return dots | {mark.color.name() for mark in picture if isinstance(mark, marks.Badge)}


def is_grey(name):
    """Whether a colour is a grey of the chrome: those have a touch of blue."""
    color = QColor(name)
    return max(color.red(), color.green(), color.blue()) - min(color.red(), color.green(), color.blue()) < 32


@pytest.mark.parametrize("view", [clock, waves])
@pytest.mark.parametrize(
    ("assignments", "words"),
    [({"scheme": scheme}, words) for scheme, words in UNREAD.items()] + [(some, UNREAD["none"]) for some in DROPPED],
)
def test_hands_that_no_head_reads_are_grey_and_the_title_says_why(view, assignments, words, luck, theme):
    state = state_of(assignments | {"clock.mode": luck.choice(("one", "each")), "pinned_pairs": "0 4 8"})
    assert all(map(is_grey, colors_of(view, state, theme)))
    assert view.subtitle(state, Computed()) == words
    assert view.explanation(state).endswith(f" Grey means {words}.")


@pytest.mark.parametrize("view", [clock, waves])
def test_whoever_never_opens_attention_sees_hands_in_their_colours_and_the_same_titles(view, theme):
    state = state_of({"pinned_pairs": "0 4 8"})
    assert {theme.pair_color(pair, 16).name() for pair in (0, 4, 8)} <= colors_of(view, state, theme)
    titles = {clock: "16 hands, one per pair", waves: "3 hands of the clock against position"}
    assert view.subtitle(state, Computed()) == titles[view]
    assert "Grey" not in view.explanation(state)


def test_with_attention_open_the_clock_says_that_its_hands_are_added_to_words(theme):
    state = state_of({"attention.is_open": "true"})
    assert clock.subtitle(state, Computed()) == "added to each word"
    assert colors_of(clock, state, theme) == colors_of(clock, state_of({}), theme)


@pytest.mark.parametrize("scheme", ["none", "additive", "t5"])
@pytest.mark.parametrize(("front", "words"), [("rotary", "q and k turned"), ("look-back", "added to each word")])
def test_the_clock_shows_what_the_panel_in_front_reads_whatever_the_scheme_of_the_sentence(front, words, scheme):
    assert clock.subtitle(state_of({"front": front, "scheme": scheme}), Computed()) == words
    behind = state_of({"front": front, "scheme": scheme, "attention.is_open": "false"})
    assert clock.subtitle(behind, Computed()) == UNREAD.get(scheme, "16 hands, one per pair")


@pytest.mark.parametrize("view", [clock, waves])
def test_the_still_part_is_drawn_anew_when_hands_become_grey(view, light):
    box = Box(640.0, 480.0, 1.0, light)
    parts = [view.scene(state_of({"scheme": scheme}), Computed(), box).still for scheme in ("additive", "t5", "alibi")]
    assert parts[0] != parts[1]
    assert parts[1] == parts[2]
