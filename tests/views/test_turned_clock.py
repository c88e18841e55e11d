"""Clock and waves under each scheme: grey where no head reads the hands, with RoPE what turns a query and a key."""

import cmath
import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from pe_desktop.core.scores.rotary import turning_state
from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Area
from pe_desktop.model.findings import Computed
from pe_desktop.panels.waves_panel import _values_at
from pe_desktop.views.clock import scene as clock
from pe_desktop.views.clock.layout import layout_of, numbers_scene
from pe_desktop.views.questions import WAITS
from pe_desktop.views.waves import scene as waves
from pe_desktop.views.waves.picture import legend_entries
from tests.core.scores.loops import projected
from tests.pictures import of_kind
from tests.views.seen import box_of, texts_in
from tests.views.test_every_view import Unknown

# Clock and waves wear the scheme while a sentence leads; its words reach beyond t.
OPEN = {"attention.is_open": "true", "sentence": " ".join(["word"] * 64)}
ROPE = OPEN | {"scheme": "rope", "position": "37", "offset": "-8"}
EACH = ROPE | {"clock.mode": "each"}
ROW = Area(0.0, 0.0, 420.0, 32.0)


@pytest.mark.parametrize("n_pairs", [16, 258])
def test_dials_show_query_and_key_as_complex_numbers_before_and_after_their_turn(n_pairs, light):
    state, box = state_of(EACH | {"d_model": str(2 * n_pairs)}), box_of(light)
    scene = clock.VIEW.scene(state, Computed(), box)
    (dials,) = layout_of(state, Computed(), box).dials
    # Of equal words: W_Q x and W_K x.
    query, key, _ = projected(replace(state.attention, scheme="none"), state.encoding, 37)
    longest = max(abs(complex(*vector[2 * pair : 2 * pair + 2])) for vector in (query, key) for pair in range(n_pairs))
    tips = [tip for mark in of_kind(scene.moving, marks.Segments) for tip in mark.ends[:, 2:]]
    knobs = [mark for mark in of_kind(scene.moving, marks.Dots) if mark.radius > 3]
    for pair in dials.shown:
        dial, omega = dials.dial(pair), 10_000.0 ** (-pair / n_pairs)
        numbers = [complex(*vector[2 * pair : 2 * pair + 2]) for vector in (query, key)]
        turned = [number * cmath.exp(1j * omega * t) for number, t in zip(numbers, (37.0, 29.0), strict=True)]
        # Lines: both faint ones, the key, the query; the first component is up, the second to the right.
        for tip, number in zip(tips[4 * pair : 4 * pair + 4], (*numbers, *turned[::-1]), strict=True):
            share = number * dial.radius / longest
            assert tip.tolist() == pytest.approx([dial.x + share.imag, dial.y - share.real], abs=1e-9)
        (hollow, solid), (_, dashed) = knobs[2 * pair : 2 * pair + 2], tips[4 * pair + 2 : 4 * pair + 4]
        assert (hollow.fill, solid.fill.name()) == (light.panel, light.pair_color(pair, n_pairs).name())
        assert solid.centers[0].tolist() == dashed.tolist()
    assert [bool(line.dash) for line in of_kind(scene.moving, marks.Segments)[:3]] == [False, True, False]
    # Those of a wide head are read outside a frame, and until then nothing stands for them.
    waiting = texts_in(clock.VIEW.scene(state, Unknown(), box))
    assert (WAITS in waiting, "query turned" in waiting) == (n_pairs > 128,) * 2


def test_the_row_of_numbers_tells_angles_before_and_after(light):
    state = state_of(EACH | {"rotary.query": " ".join(["1 0"] * 16), "rotary.key": " ".join(["0 2"] * 16)})
    turn = math.degrees(0.1)
    texts = texts_in(numbers_scene(state, Computed(), ROW, light))
    assert texts == [
        "q", "k", f"0.0° → {37 * turn % 360:.1f}°", f"90.0° → {(90 + 29 * turn) % 360:.1f}°", "faint: before",
    ]  # fmt: skip
    assert "\n4\t0.0° → 212.0°\t90.0° → " in clock.VIEW.readout(state, Computed())
    texts = texts_in(numbers_scene(state_of(ROPE), Computed(), ROW, light))
    assert texts[:4] == ["query turned", "key turned", "turn by k", "212.0°"]
    assert texts[4:] == [f"{29 * turn % 360:.1f}°", f"−{8 * turn:.1f}°"]


# Half of the pairs stand still: the others have the frequencies of a head of their width, or those that they had.
HALVES = [({"rotary_share": "0.5"}, 0.01), ({"scheme": "p-rope", "proportion": "0.5"}, 0.1)]


@pytest.mark.parametrize(("half", "fourth"), HALVES)
def test_on_one_dial_hands_are_the_turns_and_those_that_stay_are_grey(half, fourth, light):
    state, box = state_of(ROPE | half | {"pinned_pairs": "0 4 12"}), box_of(light)
    face = layout_of(state, Computed(), box).face
    assert face is not None
    drawn = of_kind(clock.VIEW.scene(state, Computed(), box).moving, marks.Badge)
    badges = {(mark.label, mark.ground is None): mark for mark in drawn}
    for pair, omega in ((0, 1.0), (4, fourth)):
        solid = badges[str(pair), True]
        assert math.remainder(face.angle_at(solid.x, solid.y) - 37 * omega, math.tau) == pytest.approx(0, abs=1e-9)
        assert solid.color.name() == light.pair_color(pair, 16).name()
    still = badges["12", True]
    assert face.angle_at(still.x, still.y) == pytest.approx(0, abs=1e-9)
    assert still.color.name() == light.still_color.name()
    assert clock.hand_at(state, layout_of(state, Computed(), box), still.x, still.y) is None


@pytest.mark.parametrize("half", [half for half, _ in HALVES])
def test_pairs_that_stay_are_grey_on_their_dials_and_told_so(half, light):
    state = state_of(EACH | half | {"pair": "12"})
    scene = clock.VIEW.scene(state, Computed(), box_of(light, 1600.0, 1000.0))
    # Beside the numbers of pair 12, too.
    assert sum(text.endswith("not turned") for text in texts_in(scene)) == 8 + 1
    colors = [mark.fill.name() for mark in of_kind(scene.moving, marks.Dots) if mark.radius > 4]
    assert colors[8:] == [light.still_color.name()] * 8
    assert light.still_color.name() not in colors[:8]
    assert texts_in(numbers_scene(state, Computed(), ROW, light))[-1] == "not turned"
    # Tooltips name the two dimensions.
    for pairing, right in (("interleaved", 1), ("half-split", 16)):
        state = state_of(EACH | {"pairing": pairing})
        words = clock.tooltip(state, layout_of(state, Computed(), box_of(light)), 10.0, 10.0)
        assert words.startswith("pair 0: turned clockwise")
        assert f"up is dimension 0, right is dimension {right}" in words
    assert clock.VIEW.sentence(state, Computed()) == "RoPE turns q at 37 and k at 29, pair by pair"


@pytest.mark.parametrize(("d_model", "n_positions"), [("2", "1"), ("4096", "10000000"), ("65536", "128")])
def test_the_narrowest_and_the_widest_vectors_have_a_clock(d_model, n_positions, light):
    state = state_of(OPEN | {"scheme": "rope", "clock.mode": "each", "d_model": d_model, "n_positions": n_positions})
    scene = clock.VIEW.scene(state, Computed(), box_of(light))
    assert any("A head is computed" in text for text in texts_in(scene)) == (d_model == "65536")
    assert scene.places()


def test_waves_are_the_factors_whatever_the_encoding_adds(light):
    state = state_of(ROPE | {"start": "5", "amplitude": "3", "pinned_pairs": "4"})
    values = _values_at(waves.layout_of(state, box_of(light)), 10.0)
    assert values == "position 10\npair 4: sin 0.8415, cos 0.5403"
    assert waves.VIEW.sentence(state, Computed()) == "RoPE multiplies q and k by sin and cos of pair 4"
    assert [entry.text for entry in legend_entries(turning_state(state).encoding, light)] == ["sin", "cos"]
    flat = state_of(ROPE | {"rotary_share": "0.25", "pinned_pairs": "8"})
    scene = waves.VIEW.scene(flat, Computed(), box_of(light))
    assert "not turned" in texts_in(scene)
    curves = of_kind(scene.still(), marks.Polyline)
    assert [float(np.ptp(curve.points[:, 1])) for curve in curves] == [0.0, 0.0]


UNREAD = {
    "none": "attention adds no positions now, so no score uses these hands",
    "alibi": "ALiBi reads none of these hands",
    "t5": "T5 reads none of these hands",
    "shaw": "Shaw reads none of these hands",
}
DROPPED = [{"scheme": scheme, "drops_positions": "true"} for scheme in ("additive", "rope", "alibi")]


def colors_of(view, state, theme):
    """The colours of all dots and badges of a scene."""
    shown = view.VIEW.scene(state, Computed(), box_of(theme, 640.0, 480.0))
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
    [({"scheme": scheme}, words) for scheme, words in UNREAD.items()]
    + [(dropped, UNREAD["none"]) for dropped in DROPPED],
)
def test_hands_that_no_head_reads_are_grey_and_the_title_says_why(view, assignments, words, luck, theme):
    state = state_of(OPEN | assignments | {"clock.mode": luck.choice(("one", "each")), "pinned_pairs": "0 4 8"})
    assert all(map(is_grey, colors_of(view, state, theme)))
    assert view.VIEW.subtitle(state, Computed()) == words
    assert view.VIEW.explanation(state).endswith(f" Grey means {words}.")


@pytest.mark.parametrize("assignments", [{}, {"attention.is_open": "true"}])
@pytest.mark.parametrize("view", [clock, waves])
def test_where_the_head_adds_the_encoding_hands_have_their_colours(view, assignments, theme):
    state = state_of(assignments | {"pinned_pairs": "0 4 8"})
    assert {theme.pair_color(pair, 16).name() for pair in (0, 4, 8)} <= colors_of(view, state, theme)
    assert "Grey" not in view.VIEW.explanation(state)


PLAIN = "16 hands, one per pair"
IN_FRONT = {"rotary": "q and k turned", "look-back": "added to each word"}


@pytest.mark.parametrize(
    ("view", "assignments", "words"),
    [
        (clock, {}, PLAIN),
        (waves, {"pinned_pairs": "0 4 8"}, "3 hands of the clock against position"),
        (waves, {"pinned_pairs": "0 4 8", "pair": "5"}, "3 hands of the clock, pair 5 is not pinned"),
        (clock, {"attention.is_open": "true"}, "added to each word"),
        # What the panel in front reads counts, whatever the scheme of the sentence; elsewhere they show the encoding.
        *((clock, {"front": key, "scheme": "t5"}, words) for key, words in IN_FRONT.items()),
        *((clock, {"front": key, "scheme": "t5", "attention.is_open": "false"}, PLAIN) for key in IN_FRONT),
    ],
)
def test_the_words_beside_the_title_say_what_a_head_makes_of_the_hands(view, assignments, words):
    assert view.VIEW.subtitle(state_of(assignments), Computed()) == words


@pytest.mark.parametrize("view", [clock, waves])
def test_the_still_part_is_drawn_anew_when_hands_become_grey(view, light):
    states = [state_of(OPEN | {"scheme": scheme}) for scheme in ("additive", "t5", "alibi")]
    colored, grey, same = (view.VIEW.scene(state, Computed(), box_of(light)).still for state in states)
    assert colored != grey == same
