"""The menu of a panel: its own entries, then what can be done with any panel."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pe_desktop.draw.told import Label
from pe_desktop.files import ExportError, whole_file, writable_target
from pe_desktop.languages import told
from pe_desktop.lessons.shown import open_talk
from pe_desktop.model.findings import Computed
from pe_desktop.panels.controls.layouts import filled, label
from pe_desktop.panels.controls.popups import Card, Menu, chosen_file
from pe_desktop.panels.scene_panel import Panel
from pe_desktop.resources import resource_json
from pe_desktop.views.table import VIEWS, figure_of
from pe_desktop.window.actions import Action
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.main_window import MainWindow

_PLAIN_WIDTH = 340
# Dots for each pixel of the screen in a picture that is copied.
_COPY_SCALE = 2.0


class _PlainWords(Card):
    """A title and a few sentences that stand at a place of the screen until the next press or key."""

    def __init__(self, title: str, words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(told(title))
        self.setAccessibleDescription(told(words))
        below = Label(words, wordWrap=True)
        below.setFixedWidth(_PLAIN_WIDTH)
        filled(QVBoxLayout(self), label(title, "title"), below, margins=(16, 12, 16, 14), spacing=6)


class PanelMenu(Menu):
    """Made for one opening; deletes itself when closed."""

    def __init__(self, dock: PanelDock, window: MainWindow) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        panel = dock.panel
        has_figure = figure_of(panel.view_key, window.model.state) is not None
        self._add(panel.choices_title, lambda: panel.open_choices(self.geometry().topRight()))
        self.addSeparator()
        self._add("Copy picture" if has_figure else "", partial(_copy_picture, window, panel))
        self._add(panel.readout_title[0] if panel.readout() else "", partial(_copy_readout, window, panel))
        self._add("Copy as code", partial(_copy_code, window, panel))
        self._add("Export picture…" if has_figure else "Export…", partial(open_export, window, panel))
        self.addSeparator()
        pop_words = "Dock" if dock.isFloating() else "Pop out"
        self._add("" if panel.is_workspace else pop_words, dock.pop_out_or_in)
        self._add("Leave full screen" if dock.is_full_screen else "Full screen", dock.ask_for_full_screen)
        self._add("Close", dock.close)
        self.addSeparator()
        words = _plain_words(panel.key)
        corner = self.geometry().topRight
        self._add("What is this?" if words else "", lambda: _PlainWords(panel.title, words, window).open_at(corner()))

    def _add(self, words: str, command: Callable[[], object]) -> None:
        """Add an entry, unless it has no words."""
        if words:
            self.addAction(told(words), command)


@cache
def _plain_words(key: str) -> str:
    """What a panel shows, for people without background; empty for one that needs no words."""
    return str(resource_json("help.json")["panels"].get(key, ""))


def _copy_readout(window: MainWindow, panel: Panel) -> None:
    """Put the numbers of a panel on the clipboard, those of the clock for a panel that has none."""
    panel = panel if panel.readout() else window.clock
    QGuiApplication.clipboard().setText(panel.readout())
    window.header.show_message(f"Copied: the {panel.readout_title[1]} of {panel.title}")


def _copy_picture(window: MainWindow, panel: Panel) -> None:
    """Put the figure of a panel on the clipboard, in its size and theme, as image, SVG and PDF."""
    from pe_desktop.export.figure_files import figure_copy  # noqa: PLC0415 - nor this
    from pe_desktop.export.figure_sheet import picture_sheet  # noqa: PLC0415 - the first frame needs none

    state, answers = window.model.state, Computed(window.model.findings)
    what = figure_of(panel.view_key, state)
    sheet = picture_sheet(panel.width(), panel.height(), _COPY_SCALE)
    if what is not None:
        with _telling(window, f"Copied: the picture of {panel.title}"):
            QGuiApplication.clipboard().setMimeData(figure_copy(what, state, sheet, window.theme, answers))


@contextmanager
def _telling(window: MainWindow, done: str) -> Iterator[None]:
    """Say what has been done, or why it can't be."""
    try:
        yield
    except ExportError as error:
        done = error.sentence
    window.header.show_message(done)


def _copy_code(window: MainWindow, panel: Panel) -> None:
    """Put a NumPy program of what a panel shows on the clipboard, that of the table for a panel without a figure."""
    from pe_desktop.export.figures import code  # noqa: PLC0415 - the first frame needs none

    what = figure_of(panel.view_key, window.model.state)
    shown = "the encoding table" if what is None else f"what {panel.title} shows"
    with _telling(window, f"Copied: {shown}, as NumPy code"):
        QGuiApplication.clipboard().setText(code(what or "encoding", window.model.state))


def open_export(window: MainWindow, panel: Panel) -> None:
    """Let a person export an array or a figure; that of a panel is proposed, if it has one."""
    from pe_desktop.window.export_dialog import ExportDialog  # noqa: PLC0415 - the first frame needs none

    figure = figure_of(panel.view_key, window.model.state)
    dialog = ExportDialog(window.model.state, window.theme, window, figure=figure, measured=window.model.findings)
    dialog.exec()
    dialog.deleteLater()


def save_program(window: MainWindow) -> None:
    """Let a person choose a file and write into it the program that Code shows."""
    state = window.model.state
    text = VIEWS["code"].module().readout(state, window.model.findings)
    page = state.views.code.page
    name = "encoding" if page == "now" else page.replace("-", "_")

    def write(path: Path, overwrite: bool) -> None:
        with whole_file(writable_target(path, overwrite=overwrite), overwrite=overwrite) as file:
            file.write(text.encode())

    save_as(window, "Save program", name, "Python", ".py", write)


def save_sheet(window: MainWindow) -> None:
    """Let a person choose a file and write into it the sheet of the talk that is open."""
    talk = open_talk(window.model.state)
    if talk is None:
        window.show_refusal("Save sheet", "No lesson or talk is open: a sheet is of one")
        return

    def write(path: Path, overwrite: bool) -> None:
        from pe_desktop.export.handout import write_handout  # noqa: PLC0415 - most talks are only shown

        write_handout(path, talk, overwrite=overwrite)

    save_as(window, "Save sheet", talk.key, "PDF", ".pdf", write)


def save_as(
    window: MainWindow,
    title: str,
    name: str,
    kind: str,
    ending: str,
    write: Callable[[Path, bool], None],
    parent: QWidget | None = None,
) -> None:
    """Let a person choose a file, and write it; say where it is, or why it is not.

    name, kind and ending: as of `chosen_file`, whose answer write is given; parent: of the dialog, the window where
    none is given.
    """
    chosen = chosen_file(parent or window, title, name, kind, ending)
    if chosen is None:
        return
    try:
        write(*chosen)
    except ExportError as error:
        window.show_refusal(title, error.sentence)
        return
    window.header.show_message(f"Saved: {chosen[0]}")


def copy_actions(window: MainWindow) -> list[Action]:
    """What the Edit menu copies of the panel with the keyboard focus."""

    def of_focused(copy: Callable[[MainWindow, Panel], None]) -> Callable[[], None]:
        return lambda: copy(window, window.focused_panel())

    return [
        Action("copy_readout", "Edit", "Copy as table", of_focused(_copy_readout), "Ctrl+C", starts_group=True),
        Action("copy_picture", "Edit", "Copy picture", of_focused(_copy_picture), "Ctrl+Shift+C"),
        Action("copy_code", "Edit", "Copy as code", of_focused(_copy_code), "Ctrl+Alt+C"),
    ]
