"""The Encoding dock in the open window: one press chooses an encoding, and the form shows what that encoding has."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollBar, QToolButton

from pe_desktop.core.cursor import Cursor, Span, full_span
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.presets import PRESETS
from pe_desktop.core.state import state_of
from pe_desktop.window.application import Instrument, wait_until_measured
from tests.window.conftest import number_row, slider_of, word_row

OpenInstrument = Callable[..., Instrument]

# Written by hand from the issue and the rules of each kind, not read from the code that makes the form.
PARAMETERS = {
    "sinusoidal": {"n_positions", "d_model", "base", "spacing", "layout", "start", "amplitude", "scale", "shift"},
    "padded": {"n_positions", "d_model", "base", "padding_idx"},
    "position-map": {"n_positions", "d_model", "base", "spacing", "layout", "map"},
    "one-wave": {"n_positions", "d_model", "base", "spacing", "wave"},
    "odd-width": {"n_positions", "d_model", "base", "spacing", "layout"},
    "doubled-exponent": {"n_positions", "d_model", "base"},
    "counter": {"n_positions", "d_model"},
    "normalised-counter": {"n_positions", "d_model"},
    "bits": {"n_positions", "d_model", "code"},
    "random": {"n_positions", "d_model", "seed"},
}


def choose(instrument: Instrument, title: str) -> None:
    chooser = instrument.window.parameters.chooser
    place = chooser.findText(title)
    assert place >= 0
    chooser.showPopup()
    view = chooser.view()
    index = chooser.model().index(place, 0)
    view.scrollTo(index)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    QApplication.processEvents()


def type_into(instrument: Instrument, name: str, text: str) -> None:
    field = number_row(instrument, name).field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def shown_rows(instrument: Instrument) -> list[str]:
    rows = instrument.window.parameters.form.rows.values()
    return [row.name for row in sorted(rows, key=lambda row: row.y()) if row.isVisible()]


def texts(instrument: Instrument) -> list[str]:
    return [label.text() for label in instrument.window.parameters.findChildren(QLabel) if label.isVisible()]


@pytest.mark.parametrize("word", ["fairseq", "mlx", "map-root", "linear-spacing", "odd-width", "gray", "random"])
def test_a_press_on_an_entry_gives_what_the_command_line_gives(instrument: Instrument, word: str) -> None:
    choose(instrument, PRESETS[word].title)
    width = {"odd-width": "33", "gray": "7"}.get(word, "32")
    given = {"d_model": width, **PRESETS[word].assignments}
    assert instrument.model.encoding == state_of(given).encoding
    assert instrument.window.parameters.chooser.title == PRESETS[word].title
    assert PRESETS[word].sentence in texts(instrument)
    choose(instrument, "Sinusoidal (paper)")
    assert instrument.model.encoding == SinusoidalEncoding()


def test_a_field_that_leaves_hands_the_keyboard_to_no_plot(instrument: Instrument) -> None:
    number_row(instrument, "base").field.setFocus()
    choose(instrument, "Counter t")
    assert instrument.window.focusWidget() is None
    QTest.keyClick(instrument.window, Qt.Key.Key_Right)
    assert instrument.model.cursor.position == 38.0
    choose(instrument, "Sinusoidal (paper)")
    assert instrument.model.encoding == SinusoidalEncoding()


def test_a_press_on_a_heading_chooses_nothing(instrument: Instrument) -> None:
    choose(instrument, "Ablations")
    assert instrument.model.encoding == SinusoidalEncoding()
    instrument.window.parameters.chooser.hidePopup()


def test_arrows_in_the_closed_list_go_from_encoding_to_encoding_over_the_headings(instrument: Instrument) -> None:
    chooser = instrument.window.parameters.chooser
    chooser.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(chooser, Qt.Key.Key_Down)
    assert instrument.model.encoding == state_of({"convention": "tensor2tensor"}).encoding
    QTest.keyClick(chooser, Qt.Key.Key_Up)
    assert instrument.model.encoding == SinusoidalEncoding()
    assert QApplication.focusWidget() is chooser


def test_a_press_on_a_figure_of_a_text_brings_its_sizes_its_places_and_all_its_positions(
    instrument: Instrument,
) -> None:
    model = instrument.model
    model.set_span(Span(20.0, 30.0))
    choose(instrument, "Sequence of 50")
    assert model.encoding == SinusoidalEncoding(50, 8)
    assert (model.cursor, model.span) == (Cursor(0.0, 41.0, 0, (0, 1, 2, 3)), full_span(50))
    assert instrument.window.parameters.chooser.title == "Sequence of 50"
    assert PRESETS["sequence-50"].sentence in texts(instrument)
    choose(instrument, "Counter t")
    choose(instrument, "Sinusoidal (paper)")
    assert model.encoding == SinusoidalEncoding()


def test_a_figure_that_is_chosen_again_brings_its_places_back(instrument: Instrument) -> None:
    choose(instrument, "Three hands")
    instrument.model.move_cursor(position=5.0, pair=0, pinned_pairs=(1,))
    instrument.model.set_span(Span(20.0, 30.0))
    choose(instrument, "Three hands")
    assert instrument.model.cursor == Cursor(37.0, 8.0, 4, (0, 4, 8))
    assert instrument.model.span == full_span(128)


@pytest.mark.parametrize("kind", PARAMETERS)
def test_the_form_has_exactly_the_parameters_of_the_kind(open_instrument: OpenInstrument, kind: str) -> None:
    instrument = open_instrument(kind=kind, **({"d_model": 33} if kind == "odd-width" else {}))
    form = instrument.window.parameters.form
    rare = {"start", "amplitude", "scale", "shift"} & PARAMETERS[kind]
    assert form.more.isVisible() == bool(rare)
    assert set(shown_rows(instrument)) == PARAMETERS[kind] - rare
    assert all(row.isEnabled() for row in form.rows.values())
    if rare:
        QTest.mouseClick(form.more, Qt.MouseButton.LeftButton)
        assert set(shown_rows(instrument)) == PARAMETERS[kind]


def test_rows_stand_in_one_order_and_stay_while_a_value_changes(instrument: Instrument) -> None:
    order = ["d_model", "n_positions", "base", "spacing", "layout"]
    rows = dict(instrument.window.parameters.form.rows)
    assert shown_rows(instrument) == order
    type_into(instrument, "base", "500")
    choose(instrument, "Position map t²")
    assert shown_rows(instrument) == [*order, "map"]
    assert all(instrument.window.parameters.form.rows[name] is rows[name] for name in order)
    assert number_row(instrument, "base").field.text() == "500"


def test_more_opens_by_itself_where_one_of_its_values_is_not_the_usual_one(instrument: Instrument) -> None:
    assert "start" not in shown_rows(instrument)
    choose(instrument, "fairseq")
    assert shown_rows(instrument)[-3:] == ["start", "amplitude", "scale"]
    assert number_row(instrument, "start").field.text() == "2"
    choose(instrument, "Sinusoidal (paper)")
    assert "start" not in shown_rows(instrument)


def test_amplitude_shift_and_seed_are_typed_into_fields_without_sliders(instrument: Instrument) -> None:
    panel, chooser = instrument.window.parameters, instrument.window.parameters.chooser
    assert panel.width() - chooser.mapTo(panel, chooser.rect().topRight()).x() > 16
    QTest.mouseClick(instrument.window.parameters.form.more, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    # The dock scrolls now, and its bar cuts nothing.
    [bar] = [one for one in panel.findChildren(QScrollBar) if one.isVisible()]
    assert chooser.mapTo(panel, chooser.rect().topRight()).x() < bar.mapTo(panel, QPoint()).x()
    assert number_row(instrument, "amplitude").slider is None
    type_into(instrument, "amplitude", "0.5")
    assert instrument.model.encoding == SinusoidalEncoding(amplitude=0.5)
    type_into(instrument, "shift", "16")
    assert number_row(instrument, "shift").refusal.sentence.startswith(
        "shift must be below d_model / 2 = 16: 16 is not"
    )
    type_into(instrument, "shift", "0.5")
    assert instrument.model.encoding == SinusoidalEncoding(amplitude=0.5, shift=0.5)
    assert instrument.window.parameters._formula.accessibleName().endswith("ω_i = 10\u2009000^−i/(16 − 0.5)")
    # Other spacings take none: its row leaves, and its value with it.
    instrument.model.set_parameter("spacing", "linear")
    assert instrument.model.encoding == SinusoidalEncoding(amplitude=0.5, spacing="linear")
    assert shown_rows(instrument)[-2:] == ["amplitude", "scale"]
    instrument.model.set_parameter("spacing", "geometric")
    assert shown_rows(instrument)[-2:] == ["scale", "shift"]
    choose(instrument, "Random vectors")
    type_into(instrument, "seed", "-1")
    assert number_row(instrument, "seed").refusal.sentence.startswith("seed must be a whole number from 0")
    type_into(instrument, "seed", "7")
    assert instrument.model.encoding.parameters["seed"] == 7
    assert number_row(instrument, "seed").refusal.sentence == ""


def test_words_are_chosen_by_segments_and_lists(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(kind="bits")
    segments = word_row(instrument, "code").segments
    assert segments is not None
    gray = next(button for button in segments.findChildren(QToolButton) if button.text() == "Gray")
    QTest.mouseClick(gray, Qt.MouseButton.LeftButton)
    assert instrument.model.encoding.parameters["code"] == "gray"
    choose(instrument, "Position map t²")
    box = word_row(instrument, "map").box
    assert box is not None
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert instrument.model.encoding.parameters["map"] == "root"


def test_an_odd_width_is_refused_by_the_paper_and_taken_by_its_ablation(instrument: Instrument) -> None:
    type_into(instrument, "d_model", "7")
    refusal = number_row(instrument, "d_model").refusal
    assert refusal.sentence == "d_model must be even: 7 has one hand without a cosine. Still using 32."
    choose(instrument, "Odd width")
    assert instrument.window.focusWidget() is number_row(instrument, "d_model").field
    assert (refusal.isVisible(), number_row(instrument, "d_model").field.text()) == (False, "33")
    type_into(instrument, "d_model", "7")
    assert instrument.model.encoding.d_model == 7
    type_into(instrument, "d_model", "8")
    assert refusal.sentence.startswith("d_model must be odd: 8")
    QTest.keyClick(slider_of(instrument, "d_model"), Qt.Key.Key_Right)
    assert (instrument.model.encoding.d_model, refusal.isVisible()) == (9, False)


def test_too_few_bits_are_answered_beside_the_field_that_was_changed(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(kind="bits", d_model=7)
    # More positions bring the bits that they need; bits that they need can't be taken away.
    type_into(instrument, "n_positions", "129")
    assert instrument.model.encoding.d_model == 8
    type_into(instrument, "d_model", "7")
    sentence = number_row(instrument, "d_model").refusal.sentence
    assert sentence == "d_model must be at least 8 to tell 129 positions apart: 7 is not. Still using 8."


def test_a_slider_goes_back_to_what_counts_when_its_stop_is_refused(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(kind="bits", d_model=8)
    slider = slider_of(instrument, "d_model")
    QTest.keyClick(slider, Qt.Key.Key_Left)
    assert instrument.model.encoding.d_model == 8
    assert (slider.accessibleDescription(), number_row(instrument, "d_model").refusal.isVisible()) == ("8", True)


def test_a_convention_goes_by_its_name_and_names_those_that_compute_the_same(instrument: Instrument) -> None:
    chooser = instrument.window.parameters.chooser
    choose(instrument, "tensor2tensor")
    choose(instrument, "Whisper")
    assert chooser.accessibleName() == "Encoding: Whisper"
    assert chooser.toolTip() == "The same table: tensor2tensor, diffusers, bare function"
    formula = instrument.window.parameters._formula.accessibleName()
    assert formula.endswith("ω_i = exp(−i ln(10\u2009000)/(16 − 1))")
    type_into(instrument, "n_positions", "1500")
    assert chooser.title == "Whisper"
    instrument.model.set_parameter("scale", "2")
    assert (chooser.title, chooser.currentIndex()) == ("Sinusoidal", -1)


def test_the_open_list_hangs_from_its_box_within_the_screen_and_scrolls(instrument: Instrument) -> None:
    chooser = instrument.window.parameters.chooser
    chooser.showPopup()
    place, bar = chooser.view().window().geometry(), chooser.view().verticalScrollBar()
    assert place.top() >= chooser.mapToGlobal(QPoint(0, chooser.height() - 1)).y()
    assert place.bottom() <= chooser.screen().geometry().bottom()
    assert (bar.isVisible(), bar.maximum() > 0) == (True, True)
    chooser.hidePopup()


def test_wavelengths_are_shown_for_hands_only_and_are_mapped_ones_under_a_map(instrument: Instrument) -> None:
    panel = instrument.window.parameters
    assert "6 of 16 turn within N" in texts(instrument)
    choose(instrument, "Position map √t")
    # Wavelengths are 2 pi 10000^(i/16), and the root of 128 is 11.3: pairs 0 and 1 turn once.
    assert "2 of 16 turn within N" in texts(instrument)
    assert panel.spectrum.toolTip().startswith("Mapped positions f(t) per turn")
    choose(instrument, "Counter t")
    assert not panel.spectrum.isVisible()
    assert "Wavelength" not in texts(instrument)
    choose(instrument, "Sinusoidal (paper)")
    assert panel.spectrum.isVisible()


def test_checks_say_what_their_numbers_are(instrument: Instrument) -> None:
    lines = {line.texts[0]: line for line in instrument.window.parameters.check_lines}
    # 2 |sin(omega_i / 2)| summed over 16 hands: 1.17; the longest wavelength is 2 pi 10000^(15/16) = 35 333.
    assert lines["Unique"].texts[1] == "nearest 1.17"
    assert lines["Bounded"].texts[1] == "max 1.000"
    assert lines["Constant length"].texts[1] == "4.000"
    assert lines["Periodic pairs"].texts[1] == "6.28 – 35\u2009333"
    assert lines["Linear shift"].texts[1].startswith("± ")
    assert lines["Unique"].accessibleName() == "Unique: Holds, nearest 1.17"
    choose(instrument, "Counter t")
    wait_until_measured(instrument)
    assert lines["Bounded"].accessibleName() == "Bounded: Fails, max 127"
    assert lines["Constant length"].texts[1] == "0 – 127"


@pytest.mark.parametrize("width", [1600, 1280])
def test_a_press_on_a_check_brings_the_verdicts_to_the_front(open_instrument: OpenInstrument, width: int) -> None:
    instrument = open_instrument(width=width, height=720)
    window = instrument.window
    panel = window.panel("properties")
    instrument.model.set(**{"properties.page": "collisions"})
    window.docks["properties"].close()
    if window.is_compact:
        window.toggle_overlay()
    QTest.mouseClick(window.parameters.check_lines[1], Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    assert (panel.isVisible(), window.docks["properties"].is_behind) == (True, False)
    assert instrument.model.state.views.properties.page == "verdicts"
    assert not window.overlay.isVisible()


def test_the_menu_offers_the_same_choices(instrument: Instrument) -> None:
    menus = instrument.window.header.menus
    assert menus["Encoding"].menuAction() in menus["Edit"].actions()
    names = ("Encoding", "Conventions", "Ablations", "Naive", "Figures of the texts", "Reach and aliasing")
    offered = [action for name in names for action in menus[name].actions()]
    assert {choice.title for choice in PRESETS.values()} <= {action.text() for action in offered}
    next(action for action in menus["Naive"].actions() if action.text() == "Gray code").trigger()
    assert instrument.model.encoding == state_of({"kind": "bits", "code": "gray", "d_model": "7"}).encoding
    assert instrument.window.parameters.chooser.title == "Gray code"
