"""What the view rotary shows: terms, curve, map, pairings, decay and reasons."""

from collections.abc import Mapping

import numpy as np
import pytest

from pe_desktop.core.scores.rotary import query_and_key
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Computed
from pe_desktop.views.rotary import scene as view
from pe_desktop.views.rotary.scene import VIEW
from tests.pictures import of_kind

WIDE = (842.0, 740.0)
AT_EIGHT_BACK = {"offset": "-8"}


def scene_of(light: Theme, assignments: Mapping[str, str], size: tuple[float, float] = WIDE) -> tuple[State, Scene]:
    state = state_of(assignments)
    return state, VIEW.scene(state, Computed(), Box(*size, 1.0, light))


def texts(light: Theme, assignments: Mapping[str, str], size: tuple[float, float] = WIDE) -> list[str]:
    scene = scene_of(light, assignments, size)[1]
    picture = (*scene.still(), *scene.moving)
    return [mark.text for mark in picture if isinstance(mark, marks.Text)]


def drawn(scene: Scene) -> marks.Picture:
    return (*scene.still(), *scene.moving)


def value_beside(found: list[str], name: str) -> str:
    return found[found.index(name) + 1]


def score_of(state: State) -> float:
    """The score of complex numbers that are turned by t and s, spelled out."""
    (query, key), cursor = query_and_key(state), state.cursor
    frequencies = 10_000.0 ** -(np.arange(16) / 16)
    q, k = (vector[::2] + 1j * vector[1::2] for vector in (query, key))
    turned = k * np.exp(1j * (cursor.position + cursor.offset) * frequencies)
    return float(((q * np.exp(1j * cursor.position * frequencies)).conj() * turned).real.sum() / np.sqrt(32))


@pytest.mark.parametrize("position", ["37", "100", "12.5"])
def test_the_score_at_the_end_of_the_sum_is_that_of_turned_complex_numbers(position: str, light: Theme) -> None:
    state, scene = scene_of(light, {**AT_EIGHT_BACK, "position": position})
    found = [mark.text for mark in of_kind(drawn(scene), marks.Text)]
    score = score_of(state)
    assert f"{score:.3f}".replace("-", "−") in found
    assert found.count(f"{score:.4f}".replace("-", "−")) == 3
    (place,) = (place for place in scene.places() if place.name == "score")
    assert place.value == f"{score:.3f}".replace("-", "−")


def test_the_values_of_the_bars_sum_to_the_score(light: Theme) -> None:
    state, scene = scene_of(light, AT_EIGHT_BACK)
    bars = [float(place.value.replace("−", "-")) for place in scene.places() if place.name.startswith("pair ")]
    assert len(bars) == 16
    assert sum(bars) == pytest.approx(score_of(state), abs=16 * 5e-5)


def test_the_running_sum_is_a_staircase_from_zero_to_the_score(light: Theme) -> None:
    stairs = of_kind(drawn(scene_of(light, AT_EIGHT_BACK)[1]), marks.Polyline)[0].points
    across, up = np.abs(np.diff(stairs, axis=0)).T
    assert len(stairs) == 33
    assert (np.minimum(across, up) < 1e-9).all()


def test_pairs_that_a_partial_rotation_leaves_are_grey_and_said_to_be(light: Theme) -> None:
    _, scene = scene_of(light, {"rotary_share": "0.5"})
    grey = [mark for mark in of_kind(drawn(scene), marks.Rectangle) if mark.fill == light.axis]
    assert len(grey) == 8
    assert any(text.endswith("grey: not turned") for text in texts(light, {"rotary_share": "0.5"}))


def test_many_pairs_share_bars_and_still_sum_to_the_score(light: Theme) -> None:
    _, scene = scene_of(light, {"d_model": "4096"})
    places = {place.name: place.value for place in scene.places()}
    bars = [float(value.replace("−", "-")) for name, value in places.items() if name.startswith("pairs ")]
    assert len(bars) < 300
    assert sum(bars) == pytest.approx(float(places["score"].replace("−", "-")), abs=0.02)


def test_only_the_mixed_pairing_depends_on_where_it_is_measured(light: Theme) -> None:
    found = texts(light, AT_EIGHT_BACK)
    assert found.count("Shift-invariant") == 2
    assert found.count("Depends on t") == 1
    scene = scene_of(light, AT_EIGHT_BACK)[1]
    in_bad = [mark.text for mark in of_kind(drawn(scene), marks.Text) if mark.color == light.bad]
    assert len(in_bad) == 5
    assert len({text for text in in_bad if text[-5:-4] == "."}) == 3


@pytest.mark.parametrize("pairing", ["interleaved", "half-split", "mixed"])
@pytest.mark.parametrize("n_positions", ["128", "16384"])
def test_only_mixed_up_terms_are_drawn_anew_where_t_moves(pairing: str, n_positions: str, light: Theme) -> None:
    given = {"pairing": pairing, "n_positions": n_positions, "offset": "-8"}
    stills = [scene_of(light, {**given, "position": t})[1].still for t in ("40", "41", "42.25")]
    bars = [len(of_kind(scene_of(light, {**given, "position": t})[1].moving, marks.Rectangle)) for t in ("40", "41")]
    assert stills[0] == stills[1] == stills[2]
    assert bars == ([16, 16] if pairing == "mixed" else [0, 0])
    assert stills[0] != scene_of(light, {**given, "position": "40", "offset": "-9"})[1].still


def test_where_nothing_turns_no_pairing_depends_on_t(light: Theme) -> None:
    assert texts(light, {"rotary_share": "0"}).count("Shift-invariant") == 3


def test_every_row_of_rope_has_one_curve_and_added_positions_have_another(light: Theme) -> None:
    rope, added = texts(light, {}), texts(light, {"rotary.scheme": "additive"})
    assert {"every row", "same score"} <= {*rope}
    assert "every row" not in added
    assert {"row t = 37; rows differ", "other scores"} <= {*added}
    assert float(value_beside(added, "spread").lstrip("± ")) > 0.5
    assert value_beside(rope, "spread, added") == value_beside(added, "spread")


def test_the_map_shows_the_visible_rows_and_columns(light: Theme) -> None:
    _, scene = scene_of(light, {"rotary.rows": "8..60", "rotary.columns": "20..72"})
    assert (scene.heat.view.first_row, scene.heat.view.last_column) == (8.5, 72.5)
    assert scene_of(light, {}, (842.0, 500.0))[1].heat is None


@pytest.mark.parametrize(
    ("assignments", "sentence"),
    [
        ({}, "Turned by their positions, q and k score 1.473 at offset 8 wherever they stand"),
        ({"pairing": "mixed"}, "q and k score 0.344 at t = 37 and offset 8; elsewhere it differs"),
        ({"n_positions": "1"}, "q and k score 1.473 at t = 0 and offset 8"),
        ({"rotary.page": "decay", "rotary_share": "0"}, "Nothing turns: a score is the same at every distance"),
    ],
)
def test_the_title_of_a_figure_says_no_more_than_was_measured(assignments, sentence: str, light: Theme) -> None:
    assert VIEW.sentence(state_of(assignments), Computed()) == sentence


def test_under_the_pointer_the_map_says_how_many_cells_a_colour_stands_for(light: Theme) -> None:
    for n_positions, is_told in (("128", False), ("16384", True)):
        state = state_of({"n_positions": n_positions})
        middle = view.layout_of(state, Computed(), Box(*WIDE, 1.0, light)).map.middle
        shown = VIEW.scene(state, Computed(), Box(*WIDE, 1.0, light, pointer=middle))
        words = [mark.text for mark in of_kind(shown.moving, marks.Text)]
        assert any(text.startswith("the colour is the mean over about") for text in words) == is_told


@pytest.mark.parametrize("scheme", ["none", "additive", "rope", "alibi", "t5", "shaw"])
def test_map_and_knob_agree_for_every_scheme(scheme: str, light: Theme) -> None:
    _, scene = scene_of(light, {"rotary.scheme": scheme, "offset": "5"})
    (knob,) = (place for place in scene.places() if place.name == "cursor k")
    assert float(knob.value.replace("−", "-")) == pytest.approx(scene.heat.field.value(37, 42), abs=1e-4)


def test_the_page_of_decay_tells_bound_and_means_at_the_distance(light: Theme) -> None:
    found = texts(light, {"rotary.page": "decay", "offset": "-100"})
    assert "At distance 100" in found
    bound, alike = (float(value_beside(found, name)) for name in ("Bound of the paper", "Mean |score|, key = query"))
    assert 0.1 < bound < 0.7 > alike > 0.1
    assert float(value_beside(found, "Mean |score|, independent")) == pytest.approx(1.0, abs=0.1)
    score, limit = value_beside(found, "This |score| ≤ its bound").split(" ≤ ")
    assert float(score) <= float(limit.replace(" ", ""))


def test_the_page_of_reasons_has_numbers_for_both(light: Theme) -> None:
    found = texts(light, {"rotary.page": "reasons", "offset": "-8"})
    assert any(text.endswith(("% of q + p is", "% of q + p is position")) for text in found)
    assert any(text.startswith("10 of 16 hands") for text in found)
    assert [text for text in found if text.startswith("= PE(37 − k), residual")]
    random = texts(light, {"rotary.page": "reasons", "kind": "random"})
    assert any(text.startswith("No rotation moves every position") for text in random)


def test_a_width_without_a_head_says_so(light: Theme) -> None:
    assert texts(light, {"d_model": "65536"}) == ["A head is computed for d_model up to 4 096: 65 536 is wider."]


def test_the_legend_says_where_added_positions_leave_the_plot(light: Theme) -> None:
    assert "added, cut at the edge" in texts(light, {"kind": "counter"})
    assert "added" in texts(light, {})


def test_one_pair_alone_has_no_wrong_partners(light: Theme) -> None:
    assert "nothing is mixed up" in " ".join(texts(light, {"d_model": "2"}))
    assert "not only on how far apart" in " ".join(texts(light, {}))
