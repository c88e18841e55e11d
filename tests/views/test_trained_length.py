"""A trained length: what lies beyond is shaded in each view, hands that never turned once within it are counted."""

import math

import pytest

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.shown import with_card
from pe_desktop.core.state import State, state_of, step_title, with_name, with_preset
from pe_desktop.draw import marks
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area
from pe_desktop.model.findings import Computed
from pe_desktop.views.table import VIEWS
from tests.pictures import of_kind
from tests.views.seen import drawn, omega, rows_of, scene_of, texts_in, texts_of

GIVEN = {"n_positions": "192", "d_model": "32"}
AXIS = Axis(Area(10.0, 0.0, 400.0, 80.0), -0.5, 99.5)


def grounds(picture: marks.Picture) -> list[tuple[float, float]]:
    """Where half clear rectangles begin and end."""
    clear = (one for one in of_kind(picture, marks.Rectangle) if one.fill is not None and 0 < one.fill.alpha() < 255)
    return [(one.x, one.x + one.width) for one in clear]


@pytest.mark.parametrize(
    ("length", "first"), [(0, None), (1, 14.0), (48, 202.0), (99, 406.0), (100, None), (500, None)]
)
def test_an_axis_is_shaded_from_the_middle_between_the_last_trained_position_and_the_next(length, first, theme) -> None:
    # 4 pixels a position, from half a position before 0.
    assert grounds(AXIS.unseen(length, theme)) == ([] if first is None else [(first, 410.0)])


@pytest.mark.parametrize(("span", "length"), [((0.0, 20.0), 21), ((30.0, 60.0), 10), ((5.0, 6.0), 1)])
def test_a_zoomed_axis_is_shaded_where_it_lies_beyond_and_nowhere_else(span, length, theme) -> None:
    axis = Axis(AXIS.area, *span)
    assert grounds(axis.unseen(length, theme)) == ([(10.0, 410.0)] if span[0] >= length - 0.5 else [])


def test_offsets_are_shaded_on_both_sides_beyond_the_last_trained_one(theme) -> None:
    axis = Axis(Area(0.0, 0.0, 400.0, 80.0), -20.0, 20.0)
    assert grounds(axis.unseen(11, theme, are_offsets=True)) == [(0.0, 95.0), (305.0, 400.0)]


@pytest.mark.parametrize("view", ["waves", "matrix", "similarity", "look-back", "rotary"])
def test_views_are_shaded_only_where_less_was_trained_than_is_seen_and_their_copied_text_tells_it(view: str) -> None:
    def shown(length: int) -> int:
        state = {**GIVEN, "trained_length": str(length), "rotary.vectors": "seeded"}
        return len(grounds(drawn(scene_of(view, state))))

    assert shown(24) > shown(0)
    assert shown(192) == shown(0)
    assert ["trained length", "24"] in rows_of(view, {**GIVEN, "trained_length": "24"})
    assert not any(row[0] == "trained length" for row in rows_of(view, GIVEN))


def test_what_a_scheme_adds_to_scores_is_shaded_beyond_the_trained_length() -> None:
    state = {**GIVEN, "attention.is_open": "true", "scheme": "alibi", "trained_length": "3"}
    assert len(grounds(drawn(scene_of("four-terms", state)))) == 2
    assert "offset k = s − t; shaded, from 3 on: never seen in training" in texts_of("four-terms", state)


@pytest.mark.parametrize("mode", ["one", "each"])
@pytest.mark.parametrize("length", [1, 48, 500])
def test_the_clock_counts_hands_that_never_turned_once_and_marks_the_angles_that_they_never_had(mode, length) -> None:
    state = {**GIVEN, "trained_length": str(length), "offset": "0", "clock.mode": mode}
    never = [omega(pair) for pair in range(16) if math.tau / omega(pair) > length]
    arcs = [arc for arc in of_kind(drawn(scene_of("clock", state)), marks.Arc) if arc.turn and arc.color.alpha() < 255]
    ends = [(w * (length - 1), math.tau) for w in never]
    assert sorted((arc.start, arc.start + arc.turn) for arc in arcs) == [pytest.approx(end) for end in sorted(ends)]
    assert [f"{len(never)} of 16 hands never turned once in training"] in rows_of("clock", state)
    # Hands that never went round turn all the same.
    shorter = {VIEWS["clock"].module().subtitle(state_of(state), Computed(), room) for room in range(40, 240, 20)}
    assert {f"{len(never)} not once round", f"{len(never)} of 16 not once round"} <= shorter


def test_bits_and_columns_that_do_not_turn_evenly_have_no_such_count() -> None:
    for kind in ("bits", "counter", "position-map"):
        assert not any("never turned" in row[0] for row in rows_of("clock", {"kind": kind, "trained_length": "4"}))


def test_distance_reads_the_trained_length_against_the_base_bound() -> None:
    state = {"n_positions": "64", "d_model": "128", "trained_length": "16", "properties.page": "distance"}
    said = " ".join(texts_of("properties", state))
    assert "Base bound: the sum of cosines is first negative at k = 1 707." in said
    fading = " ".join(texts_of("properties", {**state, "kind": "fading"}))
    assert "Base bound of the turns alone: k = 1 707." in fading
    assert "Base bound" not in " ".join(texts_of("properties", {**state, "trained_length": "0"}))


def test_wavelengths_and_scales_have_a_second_line_with_words_beside_those_of_n() -> None:
    for view, page, words in (("encoding", "verdicts", "trained 48"), ("properties", "scales", "trained on 48")):
        scene = scene_of(view, {**GIVEN, "trained_length": "48", "properties.page": page}, 300.0, 300.0)
        said = ", ".join(texts_in(scene))
        assert words in said
        assert "N = 192" in said


def test_a_trained_length_is_a_name_of_the_state_that_figures_of_texts_take_away() -> None:
    state = with_name(State(), "trained_length", "1 000")
    assert state.trained_length == 1000
    assert [with_name(state, "trained_length", text).trained_length for text in ("0", "")] == [0, 0]
    assert step_title(["trained_length"]) == "trained length"
    assert with_preset(state, "reach-2").trained_length == 0
    assert with_preset(state, "tensor2tensor").trained_length == 1000
    assert with_preset(State(), "longer-than-trained").trained_length == 48
    assert with_card(state, CARDS["beyond-training"]).trained_length == 48
    assert with_card(state, CARDS["injective"]).trained_length == 0
    trained = with_name(State(), "attention.back", 3)
    assert with_card(trained, CARDS["injective"]).views.attention.back == 0
    assert [with_preset(trained, preset).views.attention.back for preset in ("drope", "tensor2tensor")] == [0, 3]
