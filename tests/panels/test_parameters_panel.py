"""The Encoding dock without a window: one press chooses an encoding, and the form shows what that encoding has."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollBar

from pe_desktop.core import KINDS, PRESETS, SinusoidalEncoding, switched
from pe_desktop.core.state import state_of, with_encoding
from pe_desktop.panels.parameters_panel import ParametersPanel
from tests.panels.conftest import LEFT, NO_KEY, SHIFT, drag, press


@pytest.fixture
def dock(open_panel, qtbot) -> ParametersPanel:
    dock: ParametersPanel = open_panel(ParametersPanel, 300, 880)
    dock.activateWindow()
    qtbot.waitExposed(dock)
    return dock


def choose(dock: ParametersPanel, title: str) -> None:
    chooser = dock.chooser
    place = chooser.findText(title)
    assert place >= 0
    chooser.showPopup()
    view = chooser.view()
    index = chooser.model().index(place, 0)
    view.scrollTo(index)
    # Without a style sheet an arrow over the list covers half of its last row.
    corner = view.visualRect(index).topLeft()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=corner + QPoint(20, 4))
    QApplication.processEvents()


def row_of(dock: ParametersPanel, name: str) -> Any:
    return dock.form.rows[name]


def type_into(dock: ParametersPanel, name: str, text: str) -> None:
    field = row_of(dock, name).field
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def shown_rows(dock: ParametersPanel) -> list[str]:
    return [row.name for row in sorted(dock.form.rows.values(), key=lambda row: row.y()) if row.isVisible()]


def texts(dock: ParametersPanel) -> list[str]:
    return [label.text() for label in dock.findChildren(QLabel) if label.isVisible()]


def test_arrows_and_a_press_on_an_entry_give_what_the_command_line_gives_and_one_on_a_heading_nothing(dock):
    dock.chooser.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(dock.chooser, Qt.Key.Key_Down)
    assert dock.model.encoding == state_of({"convention": "tensor2tensor"}).encoding
    QTest.keyClick(dock.chooser, Qt.Key.Key_Up)
    assert dock.model.encoding == SinusoidalEncoding()
    assert dock.chooser.hasFocus()
    for preset_id in ("fairseq", "mlx", "map-root", "linear-spacing", "odd-width", "gray", "random"):
        preset = PRESETS[preset_id]
        choose(dock, preset.title)
        width = {"odd-width": "33", "gray": "7"}.get(preset_id, "32")
        assert dock.model.encoding == state_of({"d_model": width, **preset.assignments}).encoding
        assert (dock.chooser.accessible_value(), preset.sentence in texts(dock)) == (preset.title, True)
        choose(dock, "Sinusoidal (paper)")
        assert dock.model.encoding == SinusoidalEncoding()
    choose(dock, "Ablations  16")
    assert dock.model.encoding == SinusoidalEncoding()
    dock.chooser.hidePopup()


def test_the_form_has_exactly_the_parameters_of_the_kind(dock):
    form = dock.form
    for kind, encoding in KINDS.items():
        # The field of given wavelengths stands in given spacing alone.
        names = {field.name for field in fields(encoding)} - {"wavelengths"}
        dock.model.set_state(with_encoding(dock.model.state, switched(SinusoidalEncoding(), kind)), "encoding")
        rare = {"start", "amplitude", "scale", "shift"} & names
        assert form.more.isVisible(), kind
        assert set(shown_rows(dock)) == names - rare, kind
        QTest.mouseClick(form.more, Qt.MouseButton.LeftButton)
        assert set(shown_rows(dock)) == {*names, "trained_length"}
        QTest.mouseClick(form.more, Qt.MouseButton.LeftButton)


def test_the_trained_length_is_a_row_that_opens_where_one_is_set_and_takes_nothing_for_none(dock):
    assert "trained_length" not in shown_rows(dock)
    dock.model.set(trained_length=48)
    assert shown_rows(dock)[-1] == "trained_length"
    assert row_of(dock, "trained_length").field.text() == "48"
    type_into(dock, "trained_length", "-1")
    assert row_of(dock, "trained_length").refusal.sentence.startswith("Trained on must be a whole number from 0 to")
    type_into(dock, "trained_length", "")
    assert dock.model.state.trained_length == 0
    assert dock.model.undo_names == ("trained_length",)


def test_given_wavelengths_stand_in_place_of_width_and_base_from_the_present_ones_on(dock, tmp_path):
    dock.model.set_parameter("spacing", "given")
    assert shown_rows(dock) == ["n_positions", "wavelengths", "spacing", "layout"]
    row, model = dock.form.rows["wavelengths"], dock.model
    np.testing.assert_allclose(model.encoding.wavelengths, SinusoidalEncoding().pairs.wavelengths, rtol=1e-15)
    type_into(dock, "wavelengths", "43200 60, 3600")
    assert (model.encoding.d_model, row.field.text()) == (6, "60 3600 43200")
    model.undo()
    assert model.encoding.d_model == 32
    type_into(dock, "wavelengths", "60 0")
    assert row.refusal.sentence.startswith("Each of the wavelengths must be a number from 0.1")
    for name, write in (
        ("a.txt", lambda path: path.write_text("5, 7\n9")),
        ("b.npy", lambda path: np.save(path, [5, 7, 9])),
    ):
        type_into(dock, "wavelengths", "60")
        write(tmp_path / name)
        row.take_file(tmp_path / name)
        assert model.encoding.wavelengths == (5.0, 7.0, 9.0)
    row.take_file(tmp_path / "none.txt")
    assert "none.txt can't be read" in row.refusal.sentence
    type_into(dock, "wavelengths", "")
    assert (model.encoding.spacing, model.encoding.d_model) == ("geometric", 6)


def test_rows_stand_in_one_order_and_stay_while_a_value_changes(dock):
    order = ["d_model", "n_positions", "base", "spacing", "layout"]
    rows = dict(dock.form.rows)
    assert shown_rows(dock) == order
    type_into(dock, "base", "500")
    choose(dock, "Position map t²")
    assert shown_rows(dock) == [*order, "map"]
    assert all(dock.form.rows[name] is rows[name] for name in order)
    assert row_of(dock, "base").field.text() == "500"
    # More opens by itself where one of its values is not the usual one.
    choose(dock, "fairseq")
    assert shown_rows(dock)[-4:] == ["start", "amplitude", "scale", "trained_length"]
    assert row_of(dock, "start").field.text() == "2"
    choose(dock, "Sinusoidal (paper)")
    assert "start" not in shown_rows(dock)


def test_amplitude_shift_and_seed_are_typed_into_fields_without_sliders(dock):
    chooser, model = dock.chooser, dock.model
    dock.resize(300, 600)
    QTest.mouseClick(dock.form.more, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    # The dock scrolls now, and its bar cuts nothing.
    [bar] = [one for one in dock.findChildren(QScrollBar) if one.isVisible()]
    assert chooser.mapTo(dock, chooser.rect().topRight()).x() < bar.mapTo(dock, QPoint()).x()
    assert row_of(dock, "amplitude").slider is None
    type_into(dock, "amplitude", "0.5")
    assert model.encoding == SinusoidalEncoding(amplitude=0.5)
    type_into(dock, "shift", "16")
    assert row_of(dock, "shift").refusal.sentence.startswith("Shift must be below d_model / 2 = 16: 16 is not")
    type_into(dock, "shift", "0.5")
    assert model.encoding == SinusoidalEncoding(amplitude=0.5, shift=0.5)
    assert dock._formula.accessibleName().endswith("ω_i = 10\u2009000^(−i/(16 − 0.5))")
    # Other spacings take none: its row leaves, and its value with it.
    model.set_parameter("spacing", "linear")
    assert model.encoding == SinusoidalEncoding(amplitude=0.5, spacing="linear")
    assert shown_rows(dock)[-3:-1] == ["amplitude", "scale"]
    model.set_parameter("spacing", "geometric")
    assert shown_rows(dock)[-3:-1] == ["scale", "shift"]
    choose(dock, "Random vectors")
    type_into(dock, "seed", "-1")
    assert row_of(dock, "seed").refusal.sentence.startswith("Seed must be a whole number from 0")
    type_into(dock, "seed", "7")
    assert (model.encoding.parameters["seed"], row_of(dock, "seed").refusal.sentence) == (7, "")


def test_words_are_chosen_by_segments_and_lists(dock):
    choose(dock, "Binary code")
    press(row_of(dock, "code").choice, "Gray")
    assert dock.model.encoding.parameters["code"] == "gray"
    choose(dock, "Position map t²")
    box = dock.form.rows["map"].choice
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert dock.model.encoding.parameters["map"] == "root"
    choose(dock, "Counter t")
    assert (dock.model.encoding.kind, dock.chooser.accessible_value()) == ("counter", "Counter t")


def test_what_is_typed_and_refused_stays_with_its_sentence_until_escape_or_a_good_value(dock):
    for name, typed in (
        ("d_model", "7"), ("n_positions", "1e30"), ("base", "NaN"), ("d_model", "text"), ("base", ""),
    ):  # fmt: skip
        before, row = dock.model.encoding, row_of(dock, name)
        type_into(dock, name, typed)
        assert dock.model.encoding is before
        assert row.refusal.sentence.startswith(row.field.accessibleName())
        assert (row.refusal.isVisible(), row.field.text(), row.field.is_refused) == (True, typed, True)
        QTest.keyClick(row.field, Qt.Key.Key_Escape)
        assert (row.refusal.isVisible(), row.field.is_refused) == (False, False)
        assert row.field.text().replace("\u2009", "") == f"{before.parameters[name]:g}"
        type_into(dock, name, typed)
        type_into(dock, name, "256")
        assert (dock.model.encoding.parameters[name], row.refusal.sentence) == (256, "")


def test_an_odd_width_is_refused_by_the_paper_and_taken_by_its_ablation(dock):
    row = row_of(dock, "d_model")
    type_into(dock, "d_model", "7")
    assert row.refusal.sentence == "d_model must be even: 7 has one hand without a cosine. Still using 32."
    choose(dock, "Odd width")
    assert dock.focusWidget() is row.field
    assert (row.refusal.isVisible(), row.field.text()) == (False, "33")
    type_into(dock, "d_model", "7")
    assert dock.model.encoding.d_model == 7
    type_into(dock, "d_model", "8")
    assert row.refusal.sentence.startswith("d_model must be odd: 8")
    QTest.keyClick(row.slider, Qt.Key.Key_Right)
    assert (dock.model.encoding.d_model, row.refusal.isVisible()) == (9, False)


def test_a_drag_of_a_name_goes_through_all_values_and_stops_at_useful_ones_to_which_keys_and_a_press_go(dock):
    row, bases = row_of(dock, "base"), []
    dock.model.state_changed.connect(lambda state: bases.append(state.encoding.base))
    drag(row.label, *(QPoint(30 + pixels, 10) for pixels in range(101)))
    assert bases == sorted(bases)
    assert len(bases) > 70
    assert {20_000.0, 50_000.0, 100_000.0, 500_000.0} <= {*bases}
    # A third of all that is between the least and the greatest stop, which is 18 stops away.
    assert 1e6 < bases[-1] < 1e8
    dock.model.undo()
    assert dock.model.encoding.base == 10_000
    bases.clear()
    QTest.mousePress(row.slider, LEFT, pos=QPoint(8, 14))
    for x in range(9, row.slider.width() - 7):
        QTest.mouseMove(row.slider, QPoint(x, 14))
        QTest.qWait(1)  # the track gets narrower: larger numbers are wider
    QTest.mouseRelease(row.slider, LEFT)
    assert (bases[-1], bases == sorted(bases)) == (1e9, True)
    row = row_of(dock, "d_model")
    drag(row.label, *(QPoint(30 + pixels, 10) for pixels in range(60)))
    assert dock.model.encoding.d_model not in row.slider.rule.steps
    dock.model.set(d_model=32)
    cursor = dock.model.cursor
    for key, d_model in (
        (Qt.Key.Key_Right, 64), (Qt.Key.Key_PageUp, 512), (Qt.Key.Key_PageDown, 64), (Qt.Key.Key_End, 65_536),
        (Qt.Key.Key_PageUp, 65_536), (Qt.Key.Key_Home, 2), (Qt.Key.Key_Left, 2),
    ):  # fmt: skip
        QTest.keyClick(row.slider, key)
        assert (dock.model.encoding.d_model, dock.model.cursor.position) == (d_model, cursor.position)
    QTest.mouseClick(row.slider, LEFT, pos=QPoint(row.slider.width() - 1, 14))
    assert dock.model.encoding.d_model == 65_536


def test_a_drag_with_shift_is_ten_times_as_fine(dock):
    ends, label = [], row_of(dock, "base").label
    for keys in (NO_KEY, SHIFT):
        dock.model.set(base=5000.0)
        QTest.mousePress(label, LEFT, NO_KEY, QPoint(20, 10))
        place = QPointF(44.0, 10.0)
        QApplication.sendEvent(
            label, QMouseEvent(QEvent.Type.MouseMove, place, label.mapToGlobal(place), LEFT, LEFT, keys)
        )
        QTest.mouseRelease(label, LEFT, NO_KEY, QPoint(44, 10))
        ends.append(dock.model.encoding.base)
    # 24 of 300 pixels are 1.36 of the 17 steps between stops: beyond the stop 8192; a tenth is 0.136 of the first.
    assert ends[0] == pytest.approx(8192 * (10_000 / 8192) ** 0.36, rel=5e-3)
    assert ends[1] == pytest.approx(5000 * (8192 / 5000) ** 0.136, rel=5e-3)


def test_a_slider_that_leaves_while_it_is_held_lets_the_measurements_go_on(dock, qtbot):
    model, slider = dock.model, row_of(dock, "base").slider
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(60, 14))
    assert model.findings.is_held
    model.set(preset="counter")
    assert not slider.isVisible()
    assert not model.findings.is_held
    qtbot.waitUntil(lambda: not model.is_measuring)


def test_a_convention_goes_by_its_name_and_names_those_that_compute_the_same(dock):
    choose(dock, "tensor2tensor")
    choose(dock, "Whisper")
    assert (dock.chooser.accessibleName(), dock.chooser.accessible_value()) == ("Encoding", "Whisper")
    assert dock.chooser.toolTip() == "The same table: tensor2tensor, diffusers, bare function"
    assert dock._formula.accessibleName().endswith("ω_i = exp(−i ln(10\u2009000)/(16 − 1))")
    type_into(dock, "n_positions", "1500")
    assert dock.chooser.accessible_value() == "Whisper"
    dock.model.set_parameter("scale", "2")
    assert (dock.chooser.accessible_value(), dock.chooser.currentIndex()) == ("Sinusoidal", -1)


def test_formula_and_wavelengths_follow_the_parameters_and_wavelengths_are_shown_for_hands_only(dock):
    model = dock.model
    model.set(d_model=64, base=500, spacing="inclusive", layout="half-split", n_positions=100)
    # omega_i = 500^(-i/31): 2 pi 500^(i/31) <= 100 for i <= 31 ln(100 / 2 pi) / ln 500 = 13.8, that is 14 pairs.
    assert "14 of 32 turn within N" in texts(dock)
    # Just what tensor2tensor computes, so in its form.
    written = "PE(t, i) = sin(t ω_i); PE(t, 32 + i) = cos(t ω_i); ω_i = 500^(−i/(32 − 1))"
    assert dock._formula.accessibleName() == written
    model.set_state(with_encoding(model.state, SinusoidalEncoding()), "encoding")
    choose(dock, "Position map √t")
    # Wavelengths are 2 pi 10000^(i/16), and the root of 128 is 11.3: pairs 0 and 1 turn once.
    assert "2 of 16 turn within N" in texts(dock)
    assert "in mapped positions f(t) per turn" in dock.spectrum.toolTip()
    choose(dock, "Counter t")
    assert (dock.spectrum.isVisible(), "Wavelength" in texts(dock)) == (False, False)
    choose(dock, "Sinusoidal (paper)")
    assert dock.spectrum.isVisible()
    QTest.mouseClick(dock.spectrum, Qt.MouseButton.LeftButton, pos=QPoint(60, 80))
    assert model.cursor.pair == 0


def test_checks_say_what_their_numbers_are(dock, qtbot):
    def checks() -> dict[str, str]:
        dock.checks.begin_frame()
        return {place.name: place.value for place in dock.checks.places()}

    qtbot.waitUntil(lambda: not dock.model.is_measuring)
    # 2 |sin(omega_i / 2)| summed over 16 hands: 1.17; the longest wavelength is 2 pi 10000^(15/16) = 35 333.
    found = checks()
    assert found["Unique"] == "Holds, nearest 1.17"
    assert found["Bounded"] == "Holds, largest 1"
    assert found["Constant length"] == "Holds, all 4"
    assert found["Periodic pairs"] == "Holds, 6.28 – 35\u2009333"
    assert found["Linear shift"].startswith("Holds, misses by ")
    # The tooltip says what the check means, what its number is, and what was found.
    tooltips = {place.name: place.tooltip.split("\n") for place in dock.checks.places()}
    assert tooltips["Unique"][0] == "No two positions look the same: holds."
    assert tooltips["Periodic pairs"][1].startswith("6.28 – 35\u2009333: positions a turn")
    for name, (meaning, number, *_) in tooltips.items():
        assert meaning.endswith(": holds.")
        assert number.partition(": ")[0] in found[name]
    choose(dock, "Counter t")
    qtbot.waitUntil(lambda: not dock.model.is_measuring)
    assert (checks()["Bounded"], checks()["Constant length"]) == ("Fails, largest 127", "Fails, range 127")
