"""Similarity, Look back and Rotary without a window: what mouse, keys, fields and a long computation do."""

import threading
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from pe_desktop.core.cursor import Span
from pe_desktop.core.scores.rotary import vectors_of
from pe_desktop.core.state import value_of
from pe_desktop.panels.look_back_panel import LookBackPanel
from pe_desktop.panels.rotary_panel import RotaryPanel
from pe_desktop.panels.similarity_panel import SimilarityPanel
from pe_desktop.views.rotary.terms import DIAL, dial_of
from pe_desktop.views.similarity import scene as view
from pe_desktop.views.similarity.scene import _profile_questions
from tests.panels.conftest import CONTROL, LEFT, area_of, drag, middle, place_of, press, texts, wheel

SIZES = {SimilarityPanel: (440, 330), LookBackPanel: (800, 700)}
ROTARY_SIZE = (842, 780)
# How many offsets are seen at first.
WIDTHS = {SimilarityPanel: 254, LookBackPanel: 128}


@pytest.fixture(params=SIZES, ids=lambda panel: panel.key)
def panel(request, open_settled):
    return open_settled(request.param, *SIZES[request.param])


@pytest.fixture
def similarity(open_settled):
    return open_settled(SimilarityPanel, *SIZES[SimilarityPanel])


@pytest.fixture
def look_back(open_settled):
    return open_settled(LookBackPanel, *SIZES[LookBackPanel])


@pytest.fixture
def rotary(open_settled):
    return open_settled(RotaryPanel, *ROTARY_SIZE)


def map_point(panel: Any, row: float, column: float) -> QPoint:
    layout = panel.layout_now()
    return QPointF(layout.column_axis.place(column), layout.row_axis.place(row)).toPoint()


def curve_point(panel: Any, offset: float) -> QPoint:
    layout = panel.layout_now()
    return QPointF(layout.offset_axis.place(offset), layout.profile.y + 10).toPoint()


def test_a_press_in_the_map_chooses_t_and_t_plus_k_and_of_a_key_after_its_query_t_alone(panel) -> None:
    for row, column in ((100, 40), (40, 100)):
        before = panel.model.cursor.offset
        QTest.mouseClick(panel.canvas, LEFT, pos=map_point(panel, row, column))
        has_key, offset = panel.key == "similarity" or column <= row, panel.model.cursor.offset
        assert panel.model.cursor.position == pytest.approx(row, abs=1.0)
        assert offset == (pytest.approx(column - row, abs=1.0) if has_key else before)


def test_a_drag_that_began_in_the_profile_moves_k_alone_and_is_one_step_of_undo(panel) -> None:
    drag(panel.canvas, curve_point(panel, -3.0), curve_point(panel, -20.0), map_point(panel, 60, 30))
    assert panel.model.cursor.position == 37.0
    assert panel.model.cursor.offset not in (-3.0, 8.0)
    panel.model.undo()
    assert panel.model.cursor.offset == 8.0


def test_a_middle_drag_moves_what_it_takes_hold_of(similarity) -> None:
    similarity.model.set(**{"similarity.rows": Span(20.0, 60.0), "similarity.columns": Span(30.0, 70.0)})
    similarity.model.set(**{"similarity.offsets": Span(-40.0, 40.0)})
    for start, end, firsts in (
        (map_point(similarity, 40, 50), map_point(similarity, 45, 60), (15.0, 20.0, -40.0)),
        (curve_point(similarity, 0.0), curve_point(similarity, 20.0), (15.0, 20.0, -60.0)),
    ):
        drag(similarity.canvas, start, end, button=Qt.MouseButton.MiddleButton)
        layout = similarity.layout_now()
        moved = layout.rows.first, layout.columns.first, layout.offsets.first
        assert moved == pytest.approx(firsts, abs=1.0)


def test_the_wheel_zooms_what_it_is_over_and_a_double_click_shows_all(panel) -> None:
    wheel(panel.canvas, QPointF(map_point(panel, 40, 80)))
    layout, whole = panel.layout_now(), WIDTHS[type(panel)]
    assert (layout.rows.width, layout.columns.width, layout.offsets.width) == pytest.approx((102.4, 102.4, whole))
    assert (layout.rows.first < 40 < layout.rows.last, layout.columns.first < 80 < layout.columns.last) == (True, True)
    wheel(panel.canvas, QPointF(curve_point(panel, 8.0)), 2)
    assert panel.layout_now().offsets.width == pytest.approx(whole / 1.25**2)
    QTest.mouseDClick(panel.canvas, LEFT, pos=map_point(panel, 45, 85))
    assert [value_of(panel.model.state, f"{panel.key}.{name}") for name in ("rows", "columns", "offsets")] == [None] * 3
    assert (panel.model.cursor.position, panel.model.cursor.offset) == (37.0, 8.0)


def test_where_a_page_is_higher_than_its_panel_the_wheel_scrolls_and_zooms_with_ctrl(look_back) -> None:
    look_back.resize(560, 300)
    assert look_back.page_area.verticalScrollBar().maximum() > 100
    for place in (curve_point(look_back, -8.0), map_point(look_back, 40, 30)):
        # What the canvas leaves is for the area around it.
        assert not wheel(look_back.canvas, QPointF(place)).isAccepted()
    assert look_back.layout_now().offsets.width == 128
    assert wheel(look_back.canvas, QPointF(curve_point(look_back, -8.0)), 1, CONTROL).isAccepted()
    assert look_back.layout_now().offsets.width == pytest.approx(128 / 1.25)


def test_a_drag_draws_the_moving_marks_and_what_is_told_of_the_offset_and_one_of_the_base_levels_and_curve(similarity):
    canvas, heat_map = similarity.canvas, similarity.canvas.raster.heat_map
    for step in range(10):
        similarity.model.move_cursor(position=40.0 + step, offset=20.0)
        canvas.repaint()
        if not step:
            before = heat_map.n_pictures, heat_map.n_values_evaluated, canvas.n_painted["under"], canvas.n_frames
            n_still = canvas.n_painted["still"]
    assert canvas.n_painted["still"] == n_still
    for step in range(10):
        similarity.model.move_cursor(position=40.0 + step, offset=20.0 - step)
        canvas.repaint()
    assert (heat_map.n_pictures, heat_map.n_values_evaluated, canvas.n_painted["under"]) == before[:3]
    assert canvas.n_frames >= before[3] + 19
    drawn = []
    similarity.model.set(**{"similarity.range": "whole"})
    for base in (9000.0, 8000.0, 7000.0):
        # Where the least dot product of all differs.
        similarity.model.set(base=base, n_positions=20_000)
        canvas.repaint()
        drawn.append((canvas.n_painted["still"], canvas.n_painted["under"]))
    (n_stills, n_frames), _, last = drawn
    assert last == (n_stills + 2, n_frames)


def test_a_long_profile_is_told_stopped_and_gone_on_with(similarity, monkeypatch: pytest.MonkeyPatch, qtbot) -> None:
    may_end = threading.Event()

    def slow_profile(encoding, measure, offsets, progress, is_cancelled):
        while not may_end.wait(0.002):
            progress(len(offsets) // 4, len(offsets))
            if is_cancelled():
                return None
        return np.ones(len(offsets))

    similarity.model.set(d_model=16_384, n_positions=8192)
    monkeypatch.setattr(view, "profile", slow_profile)
    similarity.model.set(**{"similarity.measure": "cosine"})
    # Where the pointer is elsewhere the panel follows in a turn of its own.
    qtbot.waitUntil(lambda: similarity.model.findings.is_busy(similarity.key))
    row, area = similarity.progress, similarity.layout_now().profile
    qtbot.waitUntil(lambda: row.isVisible() and row.words.text() == "8\u2009192 offsets, 25 %")
    assert area.holds(*row.geometry().center().toTuple())
    QTest.mouseClick(row.button, LEFT)
    qtbot.waitUntil(lambda: (row.words.text(), row.button.text()) == ("8\u2009192 offsets: stopped", "Compute"))
    similarity.resize(370, 250)
    area = similarity.layout_now().profile
    assert (row.words.text(), row.button.toolTip()) == ("8\u2009192 offsets: stopped", "8\u2009192 offsets: stopped")
    assert area.x <= row.x() < row.geometry().right() <= area.right
    QTest.mouseClick(row.button, LEFT)
    qtbot.waitUntil(row.isHidden)
    may_end.set()
    (question,) = _profile_questions(similarity.model.state)
    qtbot.waitUntil(lambda: similarity.model.findings.is_known(question))
    assert similarity.model.findings.answer(question).lags.tolist() == [1.0] * 8192
    assert row.isHidden()


def test_the_range_of_the_colours_is_typed_into_the_card_that_the_menu_opens(similarity):
    model = similarity.model
    similarity.open_choices(QPoint(0, 0))
    row, field = similarity.card.widgets["similarity.range"], similarity.card.fields["similarity.range"]
    assert similarity.card.isVisible()
    for typed in ("4..12", "12..4"):
        field.submitted.emit(typed)
        assert model.state.views.similarity.range == Span(4.0, 12.0)
        assert similarity.compose(similarity.canvas.box()).heat.field.limits == (4.0, 12.0)
    assert field.is_refused
    refusal = similarity.card.refusal
    assert refusal.sentence == "Range of values must end at least 0.001 after it begins: 12..4 does not"
    press(row, "Seen")
    assert model.state.views.similarity.range == "seen"
    assert (field.text(), field.is_refused, refusal.sentence) == ("", False, "")
    similarity.card.hide()


def test_dragging_the_knob_moves_n_and_k_in_one_step_of_undo_and_a_press_takes_other_positions(look_back) -> None:
    model = look_back.model
    drag(look_back.canvas, curve_point(look_back, -3.0), curve_point(look_back, -20.0))
    places = model.state.looks_back
    assert places == pytest.approx(20, abs=1)
    assert model.cursor.offset == -places
    drag(look_back.canvas, curve_point(look_back, -20.0), curve_point(look_back, 30.0))
    assert model.state.looks_back == 0
    model.undo()
    assert (model.state.looks_back, model.cursor.offset) == (places, -places)
    for name, kind in (("Binary code", "bits"), ("Sine only", "one-wave"), ("Sinusoidal (paper)", "sinusoidal")):
        QTest.mouseClick(look_back.canvas, LEFT, pos=middle(look_back, name))
        assert model.encoding.kind == kind


@pytest.mark.parametrize("typed", ["3", "100"])
def test_the_axis_stays_while_the_knob_is_dragged_and_shows_a_typed_n_which_goes_with_k(look_back, typed: str) -> None:
    field = look_back.control_set.widgets["offset"]
    field.submitted.emit(typed)
    axis = look_back.layout_now().offset_axis
    drag(look_back.canvas, curve_point(look_back, -float(typed)), curve_point(look_back, -60.0))
    assert look_back.layout_now().offset_axis == axis
    assert look_back.model.state.looks_back == pytest.approx(60, abs=1)
    field.submitted.emit("120")
    assert look_back.layout_now().offsets.first < -120.0
    field.submitted.emit("-2")
    assert (field.is_refused, look_back.control_set.refusal.window()) == (True, look_back.window())
    assert (look_back.model.state.looks_back, look_back.model.cursor.offset) == (120, -120.0)


def test_a_low_panel_scrolls_down_to_the_list(open_settled, qtbot) -> None:
    panel = open_settled(LookBackPanel, 700, 200)
    qtbot.waitUntil(lambda: "120 of 120 rows peak at −8" in texts(panel))
    bar = panel.page_area.verticalScrollBar()
    assert panel.canvas.height() == panel.page_area.height() + bar.maximum()


def test_a_press_on_a_column_a_pairing_and_a_scheme_sets_it_and_a_drag_in_the_curve_moves_k(rotary) -> None:
    for name in ("pair 9", "Mixed up", "T5", "None", "T5"):
        QTest.mouseClick(rotary.canvas, LEFT, pos=middle(rotary, name))
    state = rotary.model.state
    assert (state.cursor.pair, state.attention.pairing, state.views.rotary.overlays) == (9, "mixed", ("none",))
    # Their curves set t, Enter on a row the pairing.
    curve = area_of(rotary, "pairings over t")
    QTest.mouseClick(rotary.canvas, LEFT, pos=QPoint(round(curve.x + 1.0), round(curve.middle[1])))
    row = place_of(rotary, "Interleaved")
    assert row in rotary.gestures.buttons(rotary.canvas.places())
    rotary.gestures.press_button(row)
    assert (rotary.model.cursor.position, rotary.model.state.attention.pairing) == (0.0, "interleaved")
    start = middle(rotary, "score against offset")
    drag(rotary.canvas, start, start + QPoint(-40, 0))
    assert -20 < rotary.model.cursor.offset < 0
    # On the page of decay a drag moves the distance and keeps the side.
    rotary.model.set(**{"rotary.page": "decay"}, offset=-8)
    QTest.mouseClick(rotary.canvas, LEFT, pos=QPoint(400, 150))
    assert rotary.model.cursor.offset < -30


def test_query_and_key_are_taken_from_a_file_of_two_rows_and_no_other_file_is(rotary, tmp_path) -> None:
    good, rows = tmp_path / "good.npy", np.arange(64.0).reshape(2, 32) / 7.0
    np.save(good, rows)
    rotary.take_file(good)
    taken = rotary.model.state.views.rotary
    assert (taken.vectors, taken.query, taken.key) == ("typed", *map(tuple, rows.tolist()))
    assert "given by you" in rotary.subtitle
    bad = {
        "wide": np.zeros((2, 31)),
        "words": np.array([["a"] * 32] * 2),
        "nan": rows * np.nan,
        "object": rows.astype(object),
        "complex": rows + 0j,
    }
    why = {
        "wide": "q and k are two rows of d_model = 32 numbers, its shape is 2 × 31",
        "words": "q and k are two rows of real numbers, it holds text",
        "complex": "q and k are two rows of real numbers, it holds complex ones",
        "nan": "each number of q must be a number from −1 000 000 to 1 000 000: NaN is not",
    }
    for name, array in bad.items():
        np.save(tmp_path / f"{name}.npy", array)
    np.savez(tmp_path / "several.npy", rows)
    (tmp_path / "several.npy.npz").rename(tmp_path / "several.npy")
    (tmp_path / "text.npy").write_text("1 2 3")
    (tmp_path / "cut.npy").write_bytes(good.read_bytes()[:200])
    for name in (*bad, "several", "text", "cut", "missing"):
        rotary.refusal.show_sentence("")
        rotary.take_file(tmp_path / f"{name}.npy")
        assert rotary.refusal.sentence.startswith(f"{name}.npy: {why.get(name, '')}"), name
        assert rotary.model.state.views.rotary == taken


def test_dragging_the_query_of_the_dial_moves_t_and_the_key_k_until_they_rest_at_whole_numbers(rotary) -> None:
    model = rotary.model
    model.set(**{"rotary.query": (1.0, 0.0) * 16, "rotary.key": (1.0, 0.0) * 16})
    model.move_cursor(position=20.0, offset=10.0, pair=4)
    for by, named, offset in ((0.7, 0, 10.0), (-0.4, 1, 6.0)):
        dial = dial_of(area_of(rotary, DIAL))
        # Clockwise from 12 o'clock a query of (1, 0) stands at t omega, its key at (t + k) omega.
        start = 0.1 * (model.cursor.position + named * model.cursor.offset)
        way = [QPointF(*dial.tip(start + by * share, 0.8 * dial.radius)).toPoint() for share in (0.0, 0.5, 1.0)]
        drag(rotary.canvas, *way)
        assert (model.cursor.position, model.cursor.offset) == (27.0, offset)


def test_chips_of_rotary_exchange_query_and_key_and_lead_to_the_sentence(open_settled) -> None:
    panel = open_settled(RotaryPanel, *ROTARY_SIZE, attention__is_open="true", position="4", offset="-3")
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "key"))
    assert (panel.model.cursor.position, panel.model.cursor.offset) == (1.0, 3.0)
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, "query"))
    assert (panel.model.cursor.position, panel.model.state.views.front) == (1.0, ("attention",))


def test_h_exchanges_the_two_right_pairings_and_zero_brings_the_words_back(rotary) -> None:
    pairings = []
    for _ in range(4):
        QTest.keyClick(rotary.canvas, Qt.Key.Key_H)
        pairings.append(rotary.model.state.attention.pairing)
    assert pairings == ["half-split", "interleaved"] * 2
    rotary.model.set(**{"rotary.query": (1.0,) * 32})
    assert "given by you" in rotary.subtitle
    QTest.keyClick(rotary.canvas, Qt.Key.Key_0)
    assert rotary.model.state.views.rotary.query == ()


def test_query_and_key_are_typed_in_the_card_and_what_is_refused_is_said_there(rotary) -> None:
    rotary.open_choices(QPoint(0, 0))
    field, before = rotary.card.fields["rotary.key"], rotary.model.state
    assert [*map(float, field.text().replace("\u2212", "-").split())] == vectors_of(before).both[1].tolist()
    for typed in ("1 2", "1 many"):
        field.submitted.emit(typed)
        assert field.is_refused
        assert rotary.card.refusal.sentence
    assert rotary.model.state == before
    field.submitted.emit(" ".join(["2.5"] * 32))
    assert rotary.model.state.views.rotary.key == (2.5,) * 32
    rotary.card.hide()
