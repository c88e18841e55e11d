"""Taking pictures and figures away from the window: the dialog, the panels' menus, the clipboard."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication, QImage, QStandardItemModel
from PySide6.QtWidgets import QApplication

from pe_desktop.core.cursor import Span
from pe_desktop.views.table import FIGURES
from pe_desktop.window import panel_menu
from pe_desktop.window.application import Instrument
from pe_desktop.window.copying import copy_picture, figure_of, open_export
from pe_desktop.window.export_dialog import ExportDialog
from pe_desktop.window.panel_menu import PanelMenu

OpenInstrument = Callable[..., Instrument]


@pytest.fixture
def open_dialog(open_instrument: OpenInstrument, qtbot) -> Callable[..., ExportDialog]:
    """Opens the dialog over a window: open_dialog(figure="clock", theme="dark", d_model=8)."""

    def open_now(figure: str | None = None, span: Span | None = None, **state: object) -> ExportDialog:
        instrument = open_instrument(**state)
        model, window = instrument.model, instrument.window
        dialog = ExportDialog(replace(model.state, span=span), window.theme, window, figure=figure)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return open_now


def copied_picture() -> QImage:
    return QGuiApplication.clipboard().image()


@pytest.mark.parametrize("key", ["clock", "waves"])
def test_copied_picture_is_the_panels_figure_at_twice_its_size_in_its_theme(
    open_instrument: OpenInstrument, key: str
) -> None:
    instrument = open_instrument(theme="dark")
    panel = instrument.window.panel(key)
    copy_picture(instrument.window, panel)
    image = copied_picture()
    assert instrument.window.header.message == f"Copied: the picture of {panel.title}"
    assert image.width() == 2 * panel.width()
    assert image.height() >= 2 * panel.height()
    assert image.pixelColor(3, 3).name() == "#16191f"
    assert len({image.pixel(x, y) for x in range(0, image.width(), 5) for y in range(0, image.height(), 5)}) > 20


def test_copied_clock_follows_its_mode(instrument: Instrument) -> None:
    window, clock = instrument.window, instrument.window.clock
    copy_picture(window, clock)
    one = copied_picture()
    window.model.set(**{"clock.mode": "each"})
    copy_picture(window, clock)
    assert figure_of(window, clock) == "dials"
    assert copied_picture() != one


def test_copied_waves_show_the_zoom(instrument: Instrument) -> None:
    window, waves = instrument.window, instrument.window.waves
    copy_picture(window, waves)
    whole = copied_picture()
    instrument.model.set_span(Span(30.0, 50.0))
    copy_picture(window, waves)
    assert copied_picture() != whole


def test_copied_similarity_shows_measure_and_zoom_and_is_exported_so(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window, panel = instrument.window, instrument.window.panel("similarity")
    pictures = []
    changes = ("similarity.measure", "cosine"), ("similarity.rows", "3..40"), ("similarity.offsets", "-9..30")
    for change in ((), *changes):
        instrument.model.set(**dict([change] if change else []))
        copy_picture(window, panel)
        pictures.append(copied_picture())
    assert all(one != other for place, one in enumerate(pictures) for other in pictures[:place])
    monkeypatch.setattr(ExportDialog, "exec", lambda dialog: dialog.write_to(tmp_path / "s.pdf"))
    open_export(window, panel)
    assert "similarity.measure = cosine, similarity.rows = 3.0..40.0" in QGuiApplication.clipboard().text()


def test_copied_and_exported_matrix_is_as_the_panel_shows_it(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window, model = instrument.window, instrument.model
    pictures = []
    changes = {"matrix.adds_embedding": True}, {"matrix.rows": Span(3.0, 9.0)}, {"matrix.is_transposed": True}
    for change in ({}, *changes):
        model.set(**change)
        copy_picture(window, window.matrix)
        pictures.append(copied_picture())
    assert all(one != other for place, one in enumerate(pictures) for other in pictures[:place])
    monkeypatch.setattr(ExportDialog, "exec", lambda dialog: dialog.write_to(tmp_path / "m.pdf"))
    open_export(window, window.matrix)
    words = QGuiApplication.clipboard().text()
    assert words.startswith("Dimensions 3 to 8 of the 128 × 32 encoding. ")
    assert "matrix.rows = 3.0..9.0, matrix.is_transposed = true, matrix.adds_embedding = true" in words


def test_menu_of_a_panel_offers_picture_and_figure(instrument: Instrument, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(panel_menu, "copy_picture", lambda _window, panel: asked.append(f"copy {panel.key}"))
    monkeypatch.setattr(panel_menu, "open_export", lambda _window, panel: asked.append(f"export {panel.key}"))
    window = instrument.window
    for key in ("clock", "waves"):
        menu = PanelMenu(window.docks[key], window)
        actions = {action.text(): action for action in menu.actions()}
        actions["Copy picture"].trigger()
        actions["Export picture…"].trigger()
        menu.close()
    assert asked == ["copy clock", "export clock", "copy waves", "export waves"]


def test_menu_button_opens_the_panels_menu(instrument: Instrument) -> None:
    window = instrument.window
    row = window.docks["waves"].title_row
    assert row is not None
    row.menu_asked.emit(row.mapToGlobal(row.rect().center()))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, PanelMenu)
    assert "Copy read-out" in [action.text() for action in menu.actions()]
    menu.close()


@pytest.mark.parametrize(("key", "chosen"), [("waves", ("waves", True)), ("parameters", ("spectrum", True))])
def test_export_from_a_panel_begins_with_its_figure(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch, key: str, chosen: tuple[str, bool]
) -> None:
    seen: list[object] = []
    monkeypatch.setattr(ExportDialog, "exec", lambda dialog: seen.append(dialog.what.currentData()))
    open_export(instrument.window, instrument.window.panel(key))
    assert seen == [chosen]


@pytest.mark.parametrize("figure", FIGURES)
def test_dialog_writes_every_figure_and_puts_its_caption_on_the_clipboard(
    open_dialog: Callable[..., ExportDialog], tmp_path: Path, figure: str
) -> None:
    dialog = open_dialog(figure)
    for suffix in (".pdf", ".svg", ".png"):
        dialog.format.setCurrentIndex(dialog.format.findData(suffix))
        QGuiApplication.clipboard().clear()
        path = tmp_path / f"figure{suffix}"
        dialog.write_to(path)
        assert path.stat().st_size > 1000
        assert dialog.done_note.text().startswith(f"Written: {path} (")
        assert "d_model = 32" in QGuiApplication.clipboard().text()
    dialog.close()


def test_dialog_says_how_large_a_figure_will_be(open_dialog: Callable[..., ExportDialog]) -> None:
    dialog = open_dialog("waves")
    assert dialog.estimate.text() == "6.75 × 3.5 inches"
    dialog.format.setCurrentIndex(dialog.format.findData(".png"))
    assert dialog.estimate.text().replace("\u2009", "") == "4050 × 2100 pixels"
    dialog.purpose.setCurrentIndex(dialog.purpose.findData("slide"))
    assert dialog.estimate.text().replace("\u2009", "") == "1920 × 1080 pixels"
    dialog.close()


@pytest.mark.parametrize(("purpose", "ground"), [("paper", "#ffffff"), ("slide", "#16191f")])
def test_dialog_draws_paper_light_and_slides_as_the_window(
    open_dialog: Callable[..., ExportDialog], tmp_path: Path, purpose: str, ground: str
) -> None:
    dialog = open_dialog("clock", theme="dark")
    dialog.format.setCurrentIndex(dialog.format.findData(".png"))
    dialog.purpose.setCurrentIndex(dialog.purpose.findData(purpose))
    dialog.write_to(tmp_path / "c.png")
    assert QImage(str(tmp_path / "c.png")).pixelColor(2, 2).name() == ground
    dialog.close()


def test_dialog_offers_the_formats_of_what_is_chosen(open_dialog: Callable[..., ExportDialog]) -> None:
    dialog = open_dialog()
    for what, is_figure, suffixes in (("waves", True, [".pdf", ".svg", ".png"]), ("hands", False, [".npy", ".csv"])):
        dialog.choose(what, is_figure=is_figure)
        assert [dialog.format.itemData(place) for place in range(dialog.format.count())] == suffixes
        assert dialog.purpose.isVisible() == is_figure
    dialog.close()


def test_dialog_refuses_what_is_too_wide_before_a_file_is_chosen(open_dialog: Callable[..., ExportDialog]) -> None:
    dialog = open_dialog(d_model=8192)
    entries = dialog.what.model()
    assert isinstance(entries, QStandardItemModel)
    refused = {dialog.what.itemText(place) for place in range(9) if not entries.item(place).isEnabled()}
    assert refused == {"Rotation M_k"}
    assert entries.item(4).toolTip().endswith("8 192 is more, and nearly all of it zeros.")
    dialog.choose("rotation", is_figure=False)
    assert "d_model up to 4 096" in dialog.refusal.sentence
    assert not dialog.save.isEnabled()
    dialog.choose("frequencies", is_figure=False)
    assert dialog.refusal.sentence == ""
    assert dialog.save.isEnabled()
    dialog.close()


def test_figure_that_cannot_be_written_is_a_sentence_in_the_dialog(
    open_dialog: Callable[..., ExportDialog], tmp_path: Path
) -> None:
    dialog = open_dialog("clock")
    dialog.write_to(tmp_path / "missing" / "c.pdf")
    assert dialog.refusal.sentence.endswith("doesn't exist. Nothing was written.")
    assert dialog.done_note.text() == ""
    dialog.close()


def test_choices_rest_while_an_array_is_being_written(
    open_dialog: Callable[..., ExportDialog], qtbot, tmp_path: Path
) -> None:
    dialog = open_dialog(d_model=8, n_positions=50)
    dialog.choose("distance", is_figure=False)
    dialog.write_to(tmp_path / "d.npy")
    assert not dialog.what.isEnabled()
    assert not dialog.format.isEnabled()
    qtbot.waitUntil(lambda: "Written" in dialog.done_note.text(), timeout=5000)
    assert dialog.what.isEnabled()
    assert np.load(tmp_path / "d.npy").shape == (50, 50)
    dialog.close()
