"""What the decoder says: sentences, tables, places, and the numbers that are taken away."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from pe_desktop.core.state import State, assignments_of, state_of, text_of, with_name, with_preset
from pe_desktop.draw.marks import Dots, Polyline, Text
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import Theme, themes
from pe_desktop.model.findings import Answers, Computed
from pe_desktop.views.decoder.scene import CURVE, PRODUCTS
from pe_desktop.views.table import FIGURES
from tests.pictures import of_kind
from tests.views.seen import drawn, places_of, rows_of, scene_of, texts_in, texts_of
from tests.views.test_every_view import Unknown

# Of hand 0 the positions within 1 % of t = 37; the largest dot product with the hands (1, 0), (0, -1).
N_NEAR = sum(math.cos(t - 37) >= 0.99 for t in range(128))
BEST = max(math.sin(t) - math.cos(t / 100) for t in range(128))


def cosines(apart: float, hands: Sequence[int] = range(16)) -> float:
    """The dot product of some hands of two positions so far apart."""
    return math.fsum(math.cos(apart / 10_000 ** (hand / 16)) for hand in hands)


def said(state: State, answers: Answers | None = None) -> str:
    return " ".join(texts_of("decoder", state, 800.0, answers or Unknown()))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"decoder.layers": "2"}, "After 2 layers x + p of t = 37 is read 1 off. Of 128 positions 98 are read right"),
        ({"preset": "three-before"}, f"It is largest at j = 3; one place beside it is {16 - cosines(1):.3f} lower."),
        ({"preset": "one-hand"}, f"Next best is t = 81, 1.57×10⁻⁴ lower. {N_NEAR} of 128 positions fit within 1 %"),
        ({"d_model": "4", "decoder.vector": "1 0 0 -1"}, f"just these hands: the best scores {BEST:.4f} of 2"),
    ],
)
def test_what_is_read_is_said_in_a_sentence(given: dict[str, str], words: str) -> None:
    assert words in said(state_of(given))


def test_three_hands_of_a_text_name_t_together() -> None:
    rows = rows_of("decoder", with_preset(State(), "three-read"))[1:]
    scores = [[cosines(t - 37, (0, 4, 8)[:count]) for t in range(128)] for count in (1, 2, 3)]
    n_near = [sum(score >= 0.99 * count for score in some) for count, some in zip((1, 2, 3), scores, strict=True)]
    assert [int(row[5]) for row in rows] == n_near == [6, 2, 1]
    assert [float(row[4]) for row in rows] == pytest.approx([max(some) - sorted(some)[-2] for some in scores], rel=1e-9)


@pytest.mark.parametrize(("offset", "word"), [("-3", "Yes"), ("-2", "No"), ("3", "No"), ("-3.5", "No")])
def test_n_is_three_before_m_where_the_product_reaches_half_of_d(light: Theme, offset: str, word: str) -> None:
    state = state_of({"decoder.page": "before", "position": "40", "offset": offset, "front": "decoder"})
    assert f"Is n 3 before m? {word}: {40 + float(offset):g} stands " in said(state)
    value = float(dict(rows_of("decoder", state))["p_n . M_(-3) p_m"])
    assert value == pytest.approx(cosines(3 + float(offset)), abs=1e-12)
    assert (abs(value - 16) < 1e-12) == (word == "Yes")
    # "No" is an answer as well, and no alarm.
    [answer] = [mark for mark in of_kind(drawn(scene_of("decoder", state)), Text) if mark.text.startswith(f"{word}: ")]
    assert answer.color == (light.ok if word == "Yes" else light.text2)


def test_each_count_of_hands_has_a_curve_of_its_products_with_dots_at_its_best_positions() -> None:
    scene, counts = scene_of("decoder", {}, 900.0), (1, 2, 4, 8, 16)
    plot = next(place for place in scene.places() if place.name == CURVE)
    lines = [mark.points for mark in of_kind(scene.moving, Polyline) if len(mark.points) == 128]
    curves = sorted((line for line in lines if plot.area.holds(*line[64])), key=lambda line: line[37, 1])
    dots = np.concatenate([mark.centers for mark in of_kind(scene.moving, Dots)])
    assert len(curves) == 5
    for count, curve in zip(counts, curves, strict=True):
        scores = [cosines(t - 37, range(count)) for t in range(128)]
        slope, start = np.polyfit(scores, curve[:, 1], 1)
        assert curve[:, 1] == pytest.approx(start + slope * np.array(scores), abs=1e-6)
        near = [t for t, score in enumerate(scores) if score >= 0.99 * max(scores)]
        marked = [t for t in range(128) if np.abs(dots - curve[t]).sum(axis=1).min() < 1e-6]
        assert (marked, slope < 0.0) == (near, True)


def test_the_curves_alone_say_of_how_many_hands_each_is() -> None:
    row = FIGURES["decoder:curve"]
    box = Box(314.0, 300.0, 1.0, themes()["light"], is_paper=True)
    texts = texts_in(row.module().scene(row.state(State()), Computed(), box))
    assert {"1", "2", "4", "8", "16"} <= {*texts}


def test_the_products_of_all_j_are_a_curve_with_its_peak_at_the_truth() -> None:
    scene = scene_of("decoder", {"position": "37.25", "offset": "-8"}, 900.0)
    plot = next(place for place in scene.places() if place.name == PRODUCTS)
    lines = [mark.points for mark in of_kind(scene.moving, Polyline) if mark.points[:, 1].min() > plot.area.y - 1.0]
    curve = max(lines, key=len)
    scores = [cosines(j - 8) for j in range(-90, 38)]
    places = np.linspace(plot.area.x, plot.area.right, 128)
    assert len(curve) == 128
    assert curve[:, 0] == pytest.approx(places, abs=1e-6)
    # Heights are a line of the products, which are largest, 16, at the truth j = 8.
    slope, start = np.polyfit(scores, curve[:, 1], 1)
    assert curve[:, 1] == pytest.approx(start + slope * np.array(scores), abs=1e-6)
    assert int(np.argmin(curve[:, 1])) - 90 == 8
    assert plot.value == "asked j = 3: 11.7774, 4.223 short of the most"
    there = places_of("decoder", {"position": "37.25", "offset": "-8", "decoder.places": "8"}, 900.0)
    assert there[PRODUCTS].value == "asked j = 8: 16, the most"


def test_the_reading_is_copied_with_all_digits() -> None:
    head, *rows = rows_of("decoder", State())
    assert [row[0] for row in rows] == ["1", "2", "4", "8", "16"]
    last = dict(zip(head, rows[-1], strict=True))
    margin = 2 * math.fsum(math.sin(0.5 / 10_000 ** (i / 16)) ** 2 for i in range(16))
    assert float(last["margin"]) == pytest.approx(margin, rel=1e-14)
    assert last["best t"] == last["nearest t"] == "37"


def test_hands_and_lines_are_places_with_their_numbers() -> None:
    found = places_of("decoder", State(), 800.0)
    degrees = math.degrees(37 / 10_000 ** (4 / 16)) % 360
    assert found["hand 4"].value == f"{degrees:.1f}°"
    assert found["hand 4"].is_chosen
    assert len([name for name in found if name.startswith("hand ")]) == 16
    two = [cosines(t - 37, range(2)) for t in range(128)]
    assert found["read 2"].value == f"t = 37, margin {2 - sorted(two)[-2]:.4f}"
    assert f"{min(two):.1f}".replace("-", "−") in texts_of("decoder", State(), 800.0)
    assert found["read 16"].is_chosen


def test_hands_that_were_set_leave_with_another_width() -> None:
    state = with_name(State(), "decoder.vector", tuple(math.sin(place) for place in range(32)))
    texts = {name: text_of(name, value) for name, value in assignments_of(state).items()}
    assert state_of(texts).views.decoder.vector == state.views.decoder.vector
    assert "All 32 hands read t = 37" in said(with_name(state, "d_model", "64"))
