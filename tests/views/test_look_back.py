"""What the view look-back shows: rows, words and refusals."""

from collections.abc import Mapping

import pytest

from pe_desktop.core.state import state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Computed
from pe_desktop.views.look_back import scene as view

WIDE = (842.0, 780.0)


def texts(light: Theme, assignments: Mapping[str, str] | None = None, size: tuple[float, float] = WIDE) -> list[str]:
    """All texts of a scene whose answers are known."""
    scene = view.scene(state_of(assignments or {}), Computed(), Box(*size, 1.0, light))
    return [mark.text for mark in (*scene.still(), *scene.moving) if isinstance(mark, marks.Text)]


def value_beside(found: list[str], name: str) -> str:
    return found[found.index(name) + 1]


def test_the_first_picture_tells_score_margin_peak_and_weights(light: Theme) -> None:
    found = texts(light)
    assert value_beside(found, "Score at t = 37, s = 34") == "16.0000"
    assert value_beside(found, "Second best in that row") == "15.3136"
    assert value_beside(found, "Margin, the same for every t") == "0.6864"
    assert value_beside(found, "Peak is at −3") == "125 of 125 rows"
    assert {"2.6 %", "53.2 %", "96.0 %"} <= {*found}
    assert "peaks at +3 instead: 16.0000, at −3 11.8917" in found


def test_the_list_tells_how_many_rows_of_each_encoding_peak(light: Theme) -> None:
    found = texts(light)
    assert value_beside(found, "Linear spacing") == "125 of 125 rows peak at −3"
    assert value_beside(found, "Sine only") == "26 of 125 rows peak at −3"
    assert value_beside(found, "Counter t") == "0 of 125 rows peak at −3"
    assert any("of the 32 it was fitted to, 32 peak at −3; of the next 32, none" in text for text in found)


def test_a_head_that_looks_no_step_back_looks_at_itself(light: Theme) -> None:
    found = texts(light, {"look-back.places": "0"})
    assert "Each query looks at its own position." in found
    assert value_beside(found, "Score at t = 37, s = 37") == "16.0000"
    assert not any("instead" in text for text in found)


def test_a_row_before_n_has_no_such_key(light: Theme) -> None:
    found = texts(light, {"position": "1"})
    assert value_beside(found, "Score at t = 1, s = −2") == "no such key"


def test_other_kinds_say_that_no_matrix_fits(light: Theme) -> None:
    found = texts(light, {"kind": "random"})
    assert any(text.startswith("No rotation moves every position") for text in found)
    assert "row t = 37; rows differ" in found


@pytest.mark.parametrize("kind", ["sinusoidal", "counter"])
def test_weights_of_too_many_keys_are_refused_in_a_sentence(light: Theme, kind: str) -> None:
    state = state_of({"kind": kind, "n_positions": "600000", "look-back.shows": "weights"})
    # Low enough to be without the list, which takes long.
    scene = view.scene(state, Computed(), Box(770.0, 500.0, 1.0, light))
    found = [mark.text for mark in scene.still() if isinstance(mark, marks.Text)]
    assert "too many." in " ".join(found)
    assert scene.heat is None


def test_how_far_a_head_looks_ends_with_the_table(light: Theme) -> None:
    state = state_of({"n_positions": "5", "look-back.places": "90"})
    assert state.looks_back == 4
    assert view.sentence(state, Computed()) == "A head that looks 4 back peaks at offset −4 in every row"


def test_a_low_panel_leaves_out_the_list_and_a_lower_one_the_profile(light: Theme) -> None:
    assert "Can other positions do it?" in texts(light)
    compact = texts(light, size=(770.0, 500.0))
    assert "Can other positions do it?" not in compact
    assert "Score against offset s − t" in compact
    assert "How sharp, after softmax" in compact
    assert "Score against offset s − t" not in texts(light, size=(400.0, 200.0))


def test_a_narrow_panel_has_its_numbers_at_the_foot_and_says_what_stands_in_a_formula(light: Theme) -> None:
    assert value_beside(texts(light, size=(300.0, 700.0)), "Margin, the same for every t") == "0.6864"
    found = texts(light, {"kind": "random"}, size=(560.0, 640.0))
    assert "A: the best 2 × 2 matrix of every pair." in found
