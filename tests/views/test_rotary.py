"""What the view rotary shows: terms, curve, map, pairings, decay and reasons."""

import numpy as np
import pytest

from pe_desktop.core.scores.rotary import vectors_of
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Scene
from pe_desktop.views.rotary.scene import VIEW
from tests.pictures import of_kind
from tests.views import seen
from tests.views.seen import ANSWERS, drawn, texts_in

AT_EIGHT_BACK = {"offset": "-8"}


def scene_of(state, height: float = 740.0, **given) -> Scene:
    return seen.scene_of("rotary", state, 842.0, height, **given)


def texts(state, **given) -> list[str]:
    return texts_in(scene_of(state, **given))


def beside(found: list[str], name: str) -> str:
    return found[found.index(name) + 1]


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def values_of(scene: Scene) -> dict[str, float]:
    """The numbers of bars, score and knob by their names."""
    names = ("pair ", "pairs ", "score", "cursor k")
    return {place.name: number(place.value) for place in scene.places() if place.name.startswith(names)}


def score_of(state: State) -> float:
    """The score of complex numbers that are turned by t and s, spelled out."""
    (query, key), cursor = vectors_of(state).both, state.cursor
    frequencies = 10_000.0 ** -(np.arange(16) / 16)
    q, k = (vector[::2] + 1j * vector[1::2] for vector in (query, key))
    turned = k * np.exp(1j * (cursor.position + cursor.offset) * frequencies)
    return float(((q * np.exp(1j * cursor.position * frequencies)).conj() * turned).real.sum() / np.sqrt(32))


@pytest.mark.parametrize("position", ["37", "100", "12.5"])
def test_the_score_at_the_end_of_the_sum_is_that_of_turned_complex_numbers(position: str) -> None:
    state = state_of({**AT_EIGHT_BACK, "position": position})
    found, values, score = texts(state), values_of(scene_of(state)), score_of(state)
    assert f"{score:.3f}".replace("-", "−") in found
    assert found.count(f"{score:.4f}".replace("-", "−")) == 3
    assert values["score"] == pytest.approx(score, abs=5e-4)
    bars = [value for name, value in values.items() if name.startswith("pair ")]
    assert len(bars) == 16
    assert sum(bars) == pytest.approx(score, abs=16 * 5e-5)


def test_the_running_sum_is_a_staircase_from_zero_to_the_score() -> None:
    stairs = of_kind(drawn(scene_of(AT_EIGHT_BACK)), marks.Polyline)[0].points
    across, up = np.abs(np.diff(stairs, axis=0)).T
    assert len(stairs) == 33
    assert (np.minimum(across, up) < 1e-9).all()


def test_pairs_that_a_partial_rotation_leaves_are_grey_and_said_to_be(light) -> None:
    scene = scene_of({"rotary_share": "0.5"})
    assert len([mark for mark in of_kind(drawn(scene), marks.Rectangle) if mark.fill == light.axis]) == 8
    assert any(text.endswith("grey: not turned") for text in texts_in(scene))


def test_many_pairs_share_bars_and_still_sum_to_the_score() -> None:
    values = values_of(scene_of({"d_model": "4096"}))
    bars = [value for name, value in values.items() if name.startswith("pairs ")]
    assert len(bars) < 300
    assert sum(bars) == pytest.approx(values["score"], abs=0.02)


def test_only_the_mixed_pairing_depends_on_where_it_is_measured(light) -> None:
    scene = scene_of(AT_EIGHT_BACK)
    found, in_bad = texts_in(scene), [m.text for m in of_kind(drawn(scene), marks.Text) if m.color == light.bad]
    assert (found.count("Shift-invariant"), found.count("Depends on t"), len(in_bad)) == (2, 1, 5)
    assert len({text for text in in_bad if text[-5:-4] == "."}) == 3
    assert texts({"rotary_share": "0"}).count("Shift-invariant") == 3
    assert "nothing is mixed up" in " ".join(texts({"d_model": "2"}))


@pytest.mark.parametrize("pairing", ["interleaved", "half-split", "mixed"])
@pytest.mark.parametrize("n_positions", ["128", "16384"])
def test_only_mixed_up_terms_are_drawn_anew_where_t_moves(pairing: str, n_positions: str) -> None:
    given = {"pairing": pairing, "n_positions": n_positions, "offset": "-8"}
    scenes = [scene_of({**given, "position": t}) for t in ("40", "41", "42.25")]
    assert scenes[0].still == scenes[1].still == scenes[2].still
    assert len(of_kind(scenes[0].moving, marks.Rectangle)) == (16 if pairing == "mixed" else 0)
    assert scenes[0].still != scene_of({**given, "position": "40", "offset": "-9"}).still


def test_every_row_of_rope_has_one_curve_and_added_positions_have_another() -> None:
    rope, added = texts({}), texts({"rotary.scheme": "additive"})
    assert {"every row", "same score", "added"} <= {*rope}
    assert "every row" not in added
    assert {"row t = 37; rows differ", "other scores"} <= {*added}
    assert number(beside(added, "spread").lstrip("± ")) > 0.5
    assert beside(rope, "spread, added") == beside(added, "spread")
    assert "added, cut at the edge" in texts({"kind": "counter"})


def test_the_map_shows_the_visible_rows_and_columns() -> None:
    scene = scene_of({"rotary.rows": "8..60", "rotary.columns": "20..72"})
    assert (scene.heat.view.first_row, scene.heat.view.last_column) == (8.5, 72.5)
    assert scene_of({}, 500.0).heat is None


@pytest.mark.parametrize(
    ("assignments", "sentence"),
    [
        ({}, "Turned by their positions, q and k score 1.473 at offset 8 wherever they stand"),
        ({"pairing": "mixed"}, "q and k score 0.344 at t = 37 and offset 8; elsewhere it differs"),
        ({"n_positions": "1"}, "q and k score 1.473 at t = 0 and offset 8"),
    ],
)
def test_the_title_of_a_figure_says_no_more_than_was_measured(assignments, sentence: str) -> None:
    assert VIEW.sentence(state_of(assignments | {"rotary.vectors": "seeded"}), ANSWERS) == sentence


@pytest.mark.parametrize(("n_positions", "is_told"), [("128", False), ("16384", True)])
def test_under_the_pointer_the_map_says_how_many_cells_a_colour_stands_for(n_positions: str, is_told: bool) -> None:
    area = scene_of({"n_positions": n_positions}).heat.area
    words = texts({"n_positions": n_positions}, pointer=area.middle)
    assert any(text.startswith("the colour is the mean over about") for text in words) == is_told


@pytest.mark.parametrize("scheme", SCHEMES)
def test_map_and_knob_agree_for_every_scheme(scheme: str) -> None:
    scene = scene_of({"rotary.scheme": scheme, "offset": "5"})
    assert values_of(scene)["cursor k"] == pytest.approx(scene.heat.field.value(37, 42), abs=1e-4)


def test_the_page_of_decay_tells_bound_and_means_at_the_distance() -> None:
    found = texts({"rotary.page": "decay", "offset": "-100"})
    assert "At distance 100" in found
    bound, alike = (float(beside(found, name)) for name in ("Bound of the paper", "Mean |score|, key = query"))
    assert 0.1 < bound < 0.7 > alike > 0.1
    assert float(beside(found, "Mean |score|, independent")) == pytest.approx(1.0, abs=0.1)
    score, limit = beside(found, "This |score| ≤ its bound").split(" ≤ ")
    assert float(score) <= float(limit.replace(" ", ""))
    still = state_of({"rotary.page": "decay", "rotary_share": "0"})
    assert VIEW.sentence(still, ANSWERS) == "Nothing turns: a score is the same at every distance"


def test_the_page_of_reasons_has_numbers_for_both() -> None:
    found = texts({"rotary.page": "reasons", "offset": "-8", "rotary.vectors": "seeded"})
    for start in ("38.5 % of q + p is", "10 of 16 hands", "= PE(37 − k), residual"):
        assert any(text.startswith(start) for text in found)
    random = texts({"rotary.page": "reasons", "kind": "random"})
    assert any(text.startswith("No rotation moves every position") for text in random)
