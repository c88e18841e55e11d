"""Taking pictures and figures away from the window: the panels' menus and the clipboard."""

import numpy as np
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from pe_desktop.panels.controls.buttons import PushButton
from pe_desktop.window import panel_menu
from pe_desktop.window.export_dialog import ExportDialog
from pe_desktop.window.panel_menu import PanelMenu, _copy_code, _copy_picture, _PlainWords, open_export
from tests.window.conftest import show

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
