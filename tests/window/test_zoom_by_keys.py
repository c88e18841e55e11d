"""Zoom and pan by keys: every plot that the wheel zooms, about t and the pair, with what is seen in the state."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Span
from pe_desktop.core.state import value_of
from pe_desktop.window.application import Instrument
from tests.window.conftest import number_row

OpenInstrument = Callable[..., Instrument]
ALT, CONTROL, NONE = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.NoModifier,
)


def press(key: Qt.Key, modifier=NONE) -> None:
    widget = QApplication.focusWidget()
    assert widget is not None
    QTest.keyClick(widget, key, modifier)


def seen(instrument: Instrument, name: str) -> Span | None:
    span = value_of(instrument.model.state, name)
    assert span is None or isinstance(span, Span)
    return span


@pytest.mark.parametrize(
    ("front", "names", "modifier"),
    [
        ("waves", ("span",), NONE),
        ("matrix", ("span", "matrix.rows"), NONE),
        ("matrix", ("span",), ALT),
        ("similarity", ("similarity.rows", "similarity.columns"), NONE),
        ("similarity", ("similarity.offsets",), ALT),
        ("look-back", ("look-back.rows", "look-back.columns"), NONE),
        ("look-back", ("look-back.offsets",), ALT),
        ("rotary", ("rotary.offsets",), ALT),
        ("decoder", ("span",), NONE),
        ("clock", ("span",), NONE),
    ],
)
def test_plus_and_minus_zoom_the_plot_that_has_the_keyboard_and_f_shows_all_again(
    open_instrument: OpenInstrument, front: str, names: tuple[str, ...], modifier
) -> None:
    instrument = open_instrument(front=front)
    QTest.qWait(30)
    instrument.window.panel(front).take_focus()
    first = instrument.model.state
    press(Qt.Key.Key_Plus, modifier)
    spans = {name: seen(instrument, name) for name in names}
    for name, span in spans.items():
        assert span is not None, name
        press(Qt.Key.Key_Equal, modifier)
        narrower = seen(instrument, name)
        assert narrower is not None
        assert narrower.width < 0.8 * span.width
    others = {name for name in ("span", "matrix.rows", "similarity.rows", "similarity.offsets") if name not in names}
    assert all(value_of(instrument.model.state, name) == value_of(first, name) for name in others)
    zoomed = {name: seen(instrument, name) for name in names}
    press(Qt.Key.Key_Minus, modifier)
    for name, span in zoomed.items():
        wider = seen(instrument, name)
        assert span is not None
        assert wider is None or wider.width > span.width
    press(Qt.Key.Key_F)
    assert all(value_of(instrument.model.state, name) == value_of(first, name) for name in names)


@pytest.mark.parametrize("position", [0, 70_000, 99_999])
def test_zooming_by_keys_keeps_t_and_the_pair_in_view_at_any_size_of_the_table(
    open_instrument: OpenInstrument, position: int
) -> None:
    instrument = open_instrument(n_positions=100_000, d_model=512, position=position, pair=100)
    instrument.window.matrix.canvas.setFocus()
    for _ in range(40):
        press(Qt.Key.Key_Plus)
    state = instrument.model.state
    rows = state.views.matrix.rows
    assert rows is not None
    assert state.shown_span.width < 60
    assert state.shown_span.first <= position <= state.shown_span.last
    assert rows.first <= 201 <= rows.last


@pytest.mark.parametrize("offset", [-9_999, 9_999])
def test_zooming_the_profile_keeps_the_largest_offset_in_view(open_instrument: OpenInstrument, offset: int) -> None:
    instrument = open_instrument(n_positions=10_000, position=5_000, offset=offset, front="similarity")
    QTest.qWait(30)
    instrument.window.panel("similarity").take_focus()
    for _ in range(10):
        press(Qt.Key.Key_Plus, ALT)
    span = seen(instrument, "similarity.offsets")
    assert span is not None
    assert span.width < 500
    assert span.first - 1 <= offset <= span.last + 1


@pytest.mark.parametrize(
    ("front", "key", "name", "sign"),
    [
        ("waves", Qt.Key.Key_Right, "span", 1),
        ("waves", Qt.Key.Key_Left, "span", -1),
        ("matrix", Qt.Key.Key_Down, "matrix.rows", 1),
        ("matrix", Qt.Key.Key_Up, "matrix.rows", -1),
        ("similarity", Qt.Key.Key_Down, "similarity.rows", 1),
        ("similarity", Qt.Key.Key_Left, "similarity.columns", -1),
    ],
)
def test_control_with_an_arrow_looks_further_that_way_and_leaves_the_cursor(
    instrument: Instrument, front: str, key: Qt.Key, name: str, sign: int
) -> None:
    instrument.window.panel(front).take_focus()
    for _ in range(4):
        press(Qt.Key.Key_Plus)
    before, cursor = seen(instrument, name), instrument.model.cursor
    press(key, CONTROL)
    after = seen(instrument, name)
    assert before is not None
    assert after is not None
    assert (after.first - before.first) * sign > 0
    assert after.width == pytest.approx(before.width)
    assert instrument.model.cursor == cursor


def test_keys_of_the_caret_stay_with_a_field_and_a_sign_behind_shift_zooms(instrument: Instrument) -> None:
    field = number_row(instrument, "base").field
    field.setFocus()
    field.setCursorPosition(3)
    QTest.keyClick(field, Qt.Key.Key_Left, CONTROL)
    assert field.cursorPosition() < 3
    assert instrument.model.state.span is None
    instrument.window.waves.canvas.setFocus()
    press(Qt.Key.Key_Plus, Qt.KeyboardModifier.ShiftModifier)
    assert instrument.model.state.span is not None
