"""What the view look-back shows: rows, words and refusals."""

import math

import pytest

from pe_desktop.core.state import state_of
from pe_desktop.views.look_back import scene as view
from tests.views.seen import ANSWERS, beside, drawn, scene_of, texts_in


def texts(size: tuple[float, float] = (842.0, 780.0), **given: str) -> list[str]:
    picture = drawn(scene_of("look-back", {"offset": "-3"} | given, *size))
    return [getattr(mark, "text", getattr(mark, "formula", "")).replace("\u2009", " ") for mark in picture]


def test_the_first_picture_tells_score_margin_peak_and_weights_and_which_encodings_peak() -> None:
    found = texts()
    assert beside(found, "score = (M_{−3} p_{37}) · p_{34}") == "16.0000"
    assert beside(found, "Second best in that row") == "15.3136"
    assert beside(found, "Margin, the same for every t") == "0.6864"
    assert "weight on t − 3 at t = 37" in found
    assert beside(found, "Peak is at −3") == "125 of 125 rows"
    assert {"2.6 %", "53.2 %", "96.0 %", "the other way round it looks 3 ahead: 16.0000"} <= {*found}
    for name, n_rows in (("Linear spacing", 125), ("Sine only", 26), ("Counter t", 0)):
        assert beside(found, name) == ("yes" if n_rows == 125 else "no")
        assert f"{n_rows} of 125 rows peak at −3" in found
    assert any("of the 32 it was fitted to, 32 peak at −3; of the next 32, none" in text for text in found)
    # How far a head looks ends with the table.
    state = state_of({"n_positions": "5", "offset": "-90"})
    assert view.VIEW.sentence(state, ANSWERS) == "A head that looks 4 back peaks at offset −4 in every row"


def test_a_head_that_looks_no_step_back_looks_at_itself_and_a_row_before_n_has_no_such_key() -> None:
    found = texts(offset="0")
    assert "Each query looks at its own position." in found
    assert beside(found, "score = (M_{0} p_{37}) · p_{37}") == "16.0000"
    assert not any("other way round" in text for text in found)
    assert beside(texts(position="1"), "score = (M_{−3} p_{1}) · p_{−2}") == "no such key"
    # Other kinds say that no matrix fits.
    found = texts(kind="random")
    assert any(text.startswith("No rotation moves every position") for text in found)
    assert "row t = 37; rows differ" in found
    assert "A: the best 2 × 2 matrix of every pair." in texts((560.0, 640.0), kind="random")


@pytest.mark.parametrize(
    ("range_", "shows"), [("most", "scores"), ("seen", "scores"), ("whole", "scores"), ("most", "weights")]
)
def test_colours_reach_over_most_of_the_scores_or_all_of_them_and_of_weights_always_over_all(range_, shows) -> None:
    state = {"offset": "-3", "look-back.range": range_, "look-back.shows": shows}
    low, high = scene_of("look-back", state, 842.0, 780.0).heat.field.limits
    steps = [s - t + 3 for t in range(128) for s in range(128)]
    scores = sorted(math.fsum(math.cos(step * 10_000 ** (-i / 16)) for i in range(16)) for step in steps)
    wanted = {"most": (scores[819], scores[-820]), "seen": (scores[0], 16.0), "whole": (-16.0, 16.0)}[range_]
    assert (low, high) == pytest.approx(wanted if shows == "scores" else (0.0, high), abs=1e-5)


@pytest.mark.parametrize("kind", ["sinusoidal", "counter"])
def test_weights_of_too_many_keys_are_refused_in_a_sentence(kind: str) -> None:
    # Low enough to be without the list, which takes long.
    state = {"kind": kind, "n_positions": "600000", "look-back.shows": "weights"}
    scene = scene_of("look-back", state, 770.0, 500.0)
    assert "too many." in " ".join(texts_in(scene))
    assert scene.heat is None


def test_a_low_panel_leaves_out_the_list_a_lower_one_the_profile_and_a_narrow_one_has_numbers_at_its_foot() -> None:
    others, curve = "Can other positions do it?", "Score against offset s − t"
    assert {others, curve} <= {*texts()}
    compact = texts((770.0, 500.0))
    assert {curve, "How sharp, after softmax", "score = (M_{−3} p_{37}) · p_{34}"} <= {*compact}
    assert others not in compact
    assert curve not in texts((400.0, 200.0))
    assert beside(texts((300.0, 700.0)), "Margin, the same for every t") == "0.6864"
