"""What leaves the window: copies of a panel, and arrays and figures by the dialog of the export."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QStyle, QStyleOptionComboBox, QWidget

from pe_desktop.core.state import State, state_of
from pe_desktop.draw.theme import high_contrast_theme, themes, white_centred_theme
from pe_desktop.export.figure_files import figure_copy
from pe_desktop.export.figure_sheet import Finish, sheet_of
from pe_desktop.model.findings import Findings
from pe_desktop.panels.controls.buttons import PushButton
from pe_desktop.views.table import FIGURES, VIEWS
from pe_desktop.window import panel_menu
from pe_desktop.window.export_dialog import ExportDialog, _state_for
from pe_desktop.window.panel_menu import PanelMenu, _copy_code, _copy_picture, _PlainWords, open_export
from tests.window.acting import show

# A choice of each panel that its copied picture must show.
CHANGES = {
    "clock": {"clock.mode": "each"},
    "waves": {"span": "30..50"},
    "similarity": {"similarity.rows": "3..40"},
    "matrix": {"matrix.is_transposed": "true"},
}


def test_a_copied_picture_is_twice_the_panel_in_its_theme_and_follows_the_state(instrument, window, model) -> None:
    instrument.live_settings.set(theme="dark")
    QApplication.processEvents()
    for key, changes in CHANGES.items():
        panel, images = window.panel(key), []
        for change in ({}, changes):
            model.set(**change)
            _copy_picture(window, panel)
            images.append(QGuiApplication.clipboard().image())
        assert window.header.message == f"Copied: the picture of {panel.title}"
        assert images[0] != images[1], key
        assert images[0].width() == 2 * panel.width()
        assert images[0].height() >= 2 * panel.height()
        assert images[0].pixelColor(3, 3).name() == "#16191f"
        # It is a drawing and a page as well.
        copied = QGuiApplication.clipboard().mimeData()
        drawing, page = (copied.data(kind).data() for kind in ("image/svg+xml", "application/pdf"))
        assert (bytes(page[:5]), bytes(page[-6:]).strip()) == (b"%PDF-", b"%%EOF")
        assert f"<title>{copied.imageData().text('Title')}</title>" in bytes(drawing).decode()


def test_export_from_a_panel_begins_with_its_figure_as_the_panel_shows_it(instrument, monkeypatch, tmp_path) -> None:
    window, seen = instrument.window, []
    monkeypatch.setattr(ExportDialog, "exec", lambda dialog: seen.append(dialog.what.currentData()))
    for key in ("waves", "parameters"):
        open_export(window, window.panel(key))
    assert seen == [("waves", True), ("spectrum", True)]
    for canvas, what in ((window.clock.canvas, "clock"), (window.matrix.canvas, "matrix")):
        canvas.setFocus()
        window.action_set.trigger("export")
        assert seen[-1] == (what, True)
    instrument.model.set(**{"matrix.rows": "3..9", "matrix.adds_embedding": "true", "similarity.measure": "cosine"})
    monkeypatch.setattr(ExportDialog, "exec", lambda dialog: dialog.write_to(tmp_path / "m.pdf"))
    open_export(window, window.panel("similarity"))
    assert "similarity.measure = cosine" in QGuiApplication.clipboard().text()
    open_export(window, window.matrix)
    words = QGuiApplication.clipboard().text()
    assert words.startswith("Dimensions 3 to 8 of the 128 × 32 encoding. ")
    assert "matrix.rows = 3.0..9.0, matrix.adds_embedding = true" in words


def test_the_menu_of_a_panel_offers_picture_and_figure_and_opens_by_its_button(window, monkeypatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(panel_menu, "_copy_picture", lambda _window, panel: asked.append(f"copy {panel.key}"))
    monkeypatch.setattr(panel_menu, "open_export", lambda _window, panel: asked.append(f"export {panel.key}"))
    dock = window.docks["waves"]
    dock.menu_asked.emit(dock, dock.mapToGlobal(dock.rect().center()), True)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, PanelMenu)
    actions = {action.text(): action for action in menu.actions()}
    assert "Copy as table" in actions
    actions["Copy picture"].trigger()
    actions["Copy as code"].trigger()
    actions["Export picture…"].trigger()
    actions["What is this?"].trigger()
    [words] = window.findChildren(_PlainWords)
    assert (words.isVisible(), "solid for the sine" in words.accessibleDescription()) == (True, True)
    words.close()
    menu.close()
    assert asked == ["copy waves", "export waves"]
    assert window.header.message == "Copied: what Waves shows, as NumPy code"


def test_the_code_of_every_panel_is_a_program_that_gives_what_it_shows(instrument, window, model) -> None:
    model.set(n_positions=40, **{"matrix.is_transposed": True})
    for key, dock in window.docks.items():
        QGuiApplication.clipboard().setText("")
        _copy_code(window, dock.panel)
        names: dict[str, object] = {}
        exec(compile(QGuiApplication.clipboard().text(), key, "exec"), names)
        shown = "the encoding table" if key == "transport" else f"what {dock.panel.title} shows"
        assert window.header.message == f"Copied: {shown}, as NumPy code"
        if key == "matrix":
            np.testing.assert_allclose(np.asarray(names[key]), model.encoding.values(range(40)), atol=1e-12)
    # Where a panel shows nothing its code says why; the button of Code takes the program that is shown.
    model.set(kind="bits")
    _copy_code(window, window.panel("rotation"))
    assert window.header.message == "No rotation moves every position: the columns of Binary code don't turn in pairs."
    show(instrument, front="code", code__page="forward")
    panel = window.panel("code")
    next(button for button in panel.findChildren(PushButton) if button.text() == "Copy").click()
    assert QGuiApplication.clipboard().text() == panel.readout()
    assert panel.readout().rstrip().splitlines()[-1].startswith("forward = images_with_rows(")


def test_the_program_that_code_shows_is_saved_whole_and_nothing_else_is_replaced(instrument, tmp_path, monkeypatch):
    window, precious = instrument.window, tmp_path / "mine.py"
    precious.write_text("precious")
    proposals, refusals = list[str](), list[str]()
    monkeypatch.setattr(window, "show_refusal", lambda _title, sentence: refusals.append(sentence))

    def save(path: Path) -> None:
        def answer(_parent: QWidget, _title: str, proposal: str, _filter: str) -> tuple[str, str]:
            proposals.append(proposal)
            return str(path), ""

        monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
        window.panel("code").widgets["Save .py…"].click()

    for page, typed, written in (("now", "a", "a.py"), ("now", "mine.py", "mine.py"), ("listing-4", "b.PY", "b.PY")):
        show(instrument, front="code", code__page=page)
        save(tmp_path / typed)
        assert (tmp_path / written).read_text(encoding="utf-8") == window.panel("code").readout()
        assert window.header.message == f"Saved: {tmp_path / written}"
    assert [Path(proposal).name for proposal in proposals] == ["encoding.py", "encoding.py", "listing_4.py"]
    names: dict[str, object] = {}
    exec((tmp_path / "a.py").read_text(encoding="utf-8"), names)
    assert np.allclose(np.asarray(names["encoding"]), instrument.model.encoding.values(range(128)), atol=1e-12)
    precious.write_text("precious")
    save(tmp_path / "mine")
    save(tmp_path / "missing" / "c.py")
    missing = f"The folder {tmp_path / 'missing'} doesn't exist."
    assert refusals == [f"{precious} exists already and stays as it is.", missing]
    assert precious.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.py", "b.PY", "mine.py"]


def test_the_sheet_of_the_open_lesson_is_saved_from_its_title_row(instrument, tmp_path, monkeypatch):
    window, refusals = instrument.window, list[str]()
    monkeypatch.setattr(window, "show_refusal", lambda _title, sentence: refusals.append(sentence))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(tmp_path / "hand"), ""))
    window.action_set.trigger("save_sheet")
    assert refusals == ["No lesson or talk is open: a sheet is of one"]
    instrument.model.set(**{"lessons.is_open": True})
    sheet = window.panel("lessons").widgets[
        "Save its sheet: figures and blanks, and the key on a page of its own (.pdf)"
    ]
    assert sheet.isHidden()
    instrument.model.set(**{"lessons.talk": "one-hand"})
    assert not sheet.isHidden()
    sheet.click()
    assert window.header.message == f"Saved: {tmp_path / 'hand.pdf'}"
    assert (tmp_path / "hand.pdf").read_bytes().startswith(b"%PDF")


@pytest.fixture
def open_dialog(qapp) -> Iterator[Callable[..., ExportDialog]]:
    """Opens the dialog: open_dialog("clock", d_model=8). It is closed after the test."""
    dialogs: list[ExportDialog] = []

    def open_now(figure: str | None = None, **state: object) -> ExportDialog:
        shown = state_of({name: str(value) for name, value in state.items()})
        dialogs.append(ExportDialog(shown, themes()["dark"], figure=figure))
        dialogs[-1].show()
        return dialogs[-1]

    yield open_now
    for dialog in dialogs:
        dialog.close()


def chosen(field: QComboBox, name: str) -> None:
    """Choose an entry as a person does."""
    field.setCurrentIndex(field.findData(name))
    field.activated.emit(field.currentIndex())


def size_of(dialog: ExportDialog, qtbot) -> str:
    """The size that is told once the preview is drawn, and the letters if they aren't the 8 points of paper."""
    qtbot.waitUntil(lambda: dialog.estimate.text() != "")
    return dialog.estimate.text().replace("\u2009", "").removesuffix(", letters of 8 points")


def test_an_array_is_written_while_choices_rest_and_its_place_is_told(open_dialog, qtbot, tmp_path, monkeypatch):
    dialog, precious = open_dialog(d_model=8, n_positions=50), tmp_path / "table.npy"
    assert "50 × 8 numbers" in dialog.estimate.text().replace("\u2009", "")
    dialog.choose("distance", is_figure=False)
    dialog.write_to(tmp_path / "d.npy")
    assert (dialog.what.isEnabled(), dialog.format.isEnabled()) == (False, False)
    qtbot.waitUntil(lambda: "Written" in dialog.done_note.text())
    assert dialog.what.isEnabled()
    assert np.load(tmp_path / "d.npy").shape == (50, 50)
    dialog.write_to(tmp_path / "missing" / "table.npy")
    qtbot.waitUntil(lambda: dialog.refusal.sentence != "")
    assert dialog.refusal.sentence.endswith("Nothing was written.")
    assert dialog.save.isEnabled()
    # A name whose ending was added never replaces a file.
    precious.write_bytes(b"precious")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(precious.with_suffix("")), ""))
    dialog.save.click()
    qtbot.waitUntil(lambda: "exists" in dialog.refusal.sentence)
    assert precious.read_bytes() == b"precious"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked: (str(precious), ""))
    dialog.save.click()
    qtbot.waitUntil(lambda: "Written" in dialog.done_note.text())
    assert precious.read_bytes() != b"precious"


def test_a_figure_has_the_title_width_and_letters_that_are_typed_where_it_takes_them(open_dialog, qtbot, tmp_path):
    dialog, path = open_dialog("waves"), tmp_path / "w.svg"
    for edit, typed in ((dialog.title, "Waves of mine"), (dialog.paper_width, "14cm"), (dialog.points, "10pt")):
        QTest.keyClicks(edit, typed)
    assert size_of(dialog, qtbot).startswith("5.51 ×")
    finish = dialog.finish()
    assert (finish.title, finish.width, finish.text) == ("Waves of mine", pytest.approx(14 / 2.54), pytest.approx(10))
    dialog.write_to(path)
    assert "<title>Waves of mine</title>" in path.read_text(encoding="utf-8")
    dialog.paper_width.setText("14")
    assert "'14' is not" in dialog.refusal.sentence
    assert not dialog.save.isEnabled()
    chosen(dialog.purpose, "slide")
    assert (dialog.paper_width.isEnabled(), dialog.finish().width, dialog.refusal.sentence) == (False, None, "")
    dialog.title.setText("none")
    assert dialog.finish().title == ""
    dialog.choose("clock+waves", is_figure=True)
    assert (dialog.title.isEnabled(), dialog.finish().title) == (False, None)


def test_cancelled_export_leaves_no_file(open_dialog, tmp_path: Path) -> None:
    dialog = open_dialog(d_model=512, n_positions=200_000)
    dialog.write_to(tmp_path / "table.npy")
    QTest.mouseClick(dialog.stop, Qt.MouseButton.LeftButton)
    assert "Nothing was written" in dialog.done_note.text()
    dialog.close()
    assert list(tmp_path.iterdir()) == []


def test_figures_of_attention_have_its_own_t_and_k_and_others_those_of_the_plots() -> None:
    for what, t, k in (
        ("attention", 4.0, -3.0),
        ("look-back", 4.0, -3.0),
        ("rotary", 4.0, -3.0),
        ("clock+waves", 37.0, 8.0),
    ):
        shown = _state_for(what, State())
        assert (shown.cursor.position, shown.cursor.offset) == (t, k)
        assert _state_for(what, shown) == shown


def test_the_dialog_offers_the_formats_of_what_is_chosen_and_refuses_what_is_too_wide(open_dialog) -> None:
    dialog = open_dialog(d_model=8192)
    for what, is_figure, suffixes in (("waves", True, [".pdf", ".svg", ".png"]), ("hands", False, [".npy", ".csv"])):
        dialog.choose(what, is_figure=is_figure)
        assert [dialog.format.itemData(place) for place in range(dialog.format.count())] == suffixes
        assert dialog.purpose.isVisible() == is_figure
    entries = dialog.what.model()
    refused = {dialog.what.itemText(place) for place in range(9) if not entries.item(place).isEnabled()}
    assert refused == {"Rotation M_k"}
    assert entries.item(4).toolTip().endswith("8 192 is more, and nearly all of it zeros.")
    dialog.choose("rotation", is_figure=False)
    assert "d_model up to 4 096" in dialog.refusal.sentence
    assert not dialog.save.isEnabled()
    dialog.choose("frequencies", is_figure=False)
    assert (dialog.refusal.sentence, dialog.save.isEnabled()) == ("", True)


def test_figures_tell_their_size_and_are_light_on_paper_and_not_on_slides(open_dialog, qtbot, tmp_path) -> None:
    dialog, path = open_dialog("waves"), tmp_path / "c.png"
    assert dialog.width() <= dialog.screen().availableSize().width()
    assert size_of(dialog, qtbot) == "6.75 × 3.5 inches"
    chosen(dialog.format, ".png")
    for purpose, size, ground in (
        ("paper", "4050 × 2100", "#ffffff"),
        ("column", "1950 × 1678", "#ffffff"),
        ("slide", "1920 × 1080", "#16191f"),
    ):
        chosen(dialog.purpose, purpose)
        assert size_of(dialog, qtbot).startswith(f"{size} pixels")
        dialog.write_to(path)
        assert QImage(str(path)).pixelColor(2, 2).name() == ground
    for is_transparent in (True, False):
        dialog.is_transparent.setChecked(is_transparent)
        dialog.write_to(path)
        assert QImage(str(path)).pixelColor(2, 2).alpha() == (0 if is_transparent else 255)
        size_of(dialog, qtbot)
        assert dialog.preview.image.hasAlphaChannel() == is_transparent
    assert dialog.done_note.text().startswith("Written: ")
    chosen(dialog.theme, "light")
    assert dialog.done_note.text() == ""
    for purpose in ("paper", "slide"):
        chosen(dialog.purpose, purpose)
        assert dialog.finish().theme == "light"
    # A figure of a text has the size of the text alone.
    chosen(dialog.purpose, "column")
    chosen(dialog.format, ".pdf")
    dialog.choose("printed-waves", is_figure=True)
    assert dialog.purpose.currentText() == "Paper, 14 × 8 inches as in the text"
    assert size_of(dialog, qtbot) == "14 × 8 inches"
    # The letters of the figure that is written, which may need smaller ones, are told.
    chosen(dialog.purpose, "slide")
    for what, points in (("derivations", 6), ("waves", 12)):
        dialog.choose(what, is_figure=True)
        assert size_of(dialog, qtbot) == f"13.3 × 7.5 inches, letters of {points} points"
        assert dialog.points.placeholderText() == f"Smallest letters: {points}pt"


def test_buttons_stay_on_a_low_screen_and_the_fields_scroll(open_dialog) -> None:
    # A screen of 1280 x 720 at 200 % has 360 pixels.
    dialog = open_dialog("waves")
    dialog.preview.setMinimumHeight(240)
    for height, scrolls in ((310, True), (600, False)):
        QTest.qWait(20)
        dialog.resize(700, height)
        QTest.qWait(20)
        assert all(dialog.rect().contains(button.geometry()) for button in (dialog.save, dialog.stop))
        assert (dialog.height(), dialog.fields.verticalScrollBar().maximum() > 0) == (height, scrolls)


def test_the_preview_is_the_page_that_will_be_written(open_dialog, qtbot, tmp_path: Path) -> None:
    dialog = open_dialog("matrix", d_model=8)
    for changes in ({}, {"theme": "dark"}, {"purpose": "slide"}, {"purpose": "column"}, {"what": "clock"}):
        if "what" in changes:
            dialog.choose(changes["what"], is_figure=True)
        for name in changes.keys() - {"what"}:
            chosen(getattr(dialog, name), changes[name])
        size_of(dialog, qtbot)
        image = dialog.preview.image
        dialog.write_to(tmp_path / "page.png")
        page = QImage(str(tmp_path / "page.png"))
        assert image.text("Title") == page.text("Title")
        small = page.scaled(
            image.size(), Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        both = [one.convertToFormat(QImage.Format.Format_Grayscale8).scaled(24, 24) for one in (image, small)]
        seen, written = (np.frombuffer(one.constBits(), np.uint8).astype(int) for one in both)
        assert abs(seen - written).mean() < 6
        assert abs(image.width() / image.height() - page.width() / page.height()) < 0.02


def test_while_a_figure_is_measured_the_preview_says_so_and_nothing_can_be_written(open_dialog, qtbot) -> None:
    dialog = open_dialog("properties", n_positions=20_000, d_model=64)
    assert not dialog.preview.is_measured()
    assert (dialog.save.isEnabled(), dialog.estimate.text(), dialog.preview.image) == (False, "", None)
    dialog.choose("clock", is_figure=True)
    size_of(dialog, qtbot)
    assert dialog.save.isEnabled()
    dialog.choose("properties", is_figure=True)
    assert not dialog.save.isEnabled()
    qtbot.waitUntil(dialog.save.isEnabled, timeout=60_000)
    assert dialog.preview.image is not None


def test_what_a_person_had_stopped_is_measured_for_the_preview_and_rests_again(qtbot) -> None:
    state, findings = state_of({"n_positions": "200000", "d_model": "512", "kind": "random"}), Findings()
    questions = VIEWS["properties"].module().questions(FIGURES["properties"].state(state))
    findings.ask("panel", questions)
    findings.set_stopped(questions, is_stopped=True)
    dialog = ExportDialog(state, themes()["light"], figure="properties", measured=findings)
    qtbot.addWidget(dialog)
    assert findings.is_busy("panel")
    dialog.reject()
    assert all(findings.is_stopped(question) for question in questions)
    assert not findings.is_busy("panel")
    findings.close()


def test_a_drawing_asks_for_its_letters_which_draw_no_other_preview(open_dialog, qtbot, tmp_path) -> None:
    dialog = open_dialog("waves")
    size_of(dialog, qtbot)
    before = dialog.preview.image
    assert not dialog.letters.isVisible()
    chosen(dialog.format, ".svg")
    assert dialog.letters.isVisible()
    for letters, has_text in (("outlines", False), ("text", True)):
        chosen(dialog.letters, letters)
        assert size_of(dialog, qtbot) == "6.75 × 3.5 inches"
        dialog.write_to(tmp_path / "w.svg")
        assert ("<text" in (tmp_path / "w.svg").read_text()) == has_text
    assert dialog.preview.image is before
    # No entry of a list is cut off.
    for field in (dialog.what, dialog.format, dialog.purpose, dialog.theme, dialog.letters):
        option = QStyleOptionComboBox()
        field.initStyleOption(option)
        control, edit = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = field.style().subControlRect(control, option, edit, field).width()
        words = [field.itemText(place) for place in range(field.count())]
        assert max(map(field.fontMetrics().horizontalAdvance, words)) <= room, max(words, key=len)


def test_the_cursors_are_left_out_where_a_figure_can_do_without_them(open_dialog, qtbot) -> None:
    dialog = open_dialog("waves")
    dialog.shows_cursor.setChecked(False)
    for what, can_hide in (("waves", True), ("clock", False), ("similarity", True), ("printed-waves", False)):
        dialog.choose(what, is_figure=True)
        assert dialog.shows_cursor.isEnabled() == can_hide
        assert dialog.finish().shows_cursor != can_hide
        size_of(dialog, qtbot)
        assert dialog.refusal.sentence == ""


def test_the_list_offers_pages_of_panels_and_only_a_pdf_takes_many_pages(open_dialog, qtbot, tmp_path: Path) -> None:
    dialog = open_dialog("clock+waves+matrix", **{"facts.text": "clock"})
    assert dialog.what.currentText() == "Clock, Waves, Encoding matrix (a, b, c)"
    assert size_of(dialog, qtbot).startswith("6.75 × ")
    assert dialog.shows_cursor.isEnabled()
    dialog.write_to(tmp_path / "p.pdf")
    assert QGuiApplication.clipboard().text().startswith("(a) 16 hands show position 37. ")
    dialog.choose("facts", is_figure=True)
    chosen(dialog.purpose, "slide")
    assert size_of(dialog, qtbot).endswith(", 3 pages, letters of 10 points")
    assert (dialog.save.isEnabled(), dialog.refusal.sentence) == (True, "")
    chosen(dialog.format, ".png")
    assert not dialog.save.isEnabled()
    assert "pages, which only a .pdf holds" in dialog.refusal.sentence
    chosen(dialog.format, ".pdf")
    assert (dialog.save.isEnabled(), dialog.refusal.sentence) == (True, "")


def test_as_shown_is_the_theme_of_the_window_with_its_maps(qapp, qtbot, tmp_path: Path) -> None:
    state = state_of({"matrix.is_transposed": "true"})
    for theme in (white_centred_theme(themes()["dark"]), high_contrast_theme(themes()["light"])):
        dialog = ExportDialog(state, theme, figure="matrix")
        qtbot.addWidget(dialog)
        chosen(dialog.purpose, "slide")
        chosen(dialog.format, ".png")
        dialog.write_to(tmp_path / "m.png")
        expected = figure_copy("matrix", state, sheet_of(FIGURES["matrix"], Finish("slide")), theme).imageData()
        assert QImage(str(tmp_path / "m.png")).convertToFormat(expected.format()) == expected
        dialog.reject()


def test_a_figure_is_written_with_the_ending_of_its_format(open_dialog, tmp_path, monkeypatch) -> None:
    dialog = open_dialog("clock")
    chosen(dialog.format, ".pdf")
    for typed, written in (("x.png", "x.pdf"), ("y", "y.pdf"), ("base 1.5", "base 1.5.pdf"), ("z.PDF", "z.PDF")):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_asked, path=tmp_path / typed: (str(path), ""))
        dialog.save.click()
        assert f"{written} (" in dialog.done_note.text()
        assert (tmp_path / written).read_bytes().startswith(b"%PDF")
    assert len([*tmp_path.iterdir()]) == 4
    dialog.write_to(tmp_path / "missing" / "c.pdf")
    assert dialog.refusal.sentence.endswith("doesn't exist. Nothing was written.")
    assert dialog.done_note.text() == ""
