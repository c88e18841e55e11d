"""The gallery: a picture and a sentence of every preset that shows more than an encoding; a press sets the program."""

from functools import cache, partial
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from pe_desktop.core.presets import PRESETS, Preset
from pe_desktop.core.state import State, step_title, with_preset
from pe_desktop.export.figure_files import figure_preview
from pe_desktop.export.figure_sheet import Finish
from pe_desktop.files import ExportError
from pe_desktop.languages import told
from pe_desktop.panels.controls.buttons import IconButton, PushButton, acting
from pe_desktop.panels.controls.layouts import BARE, filled, label
from pe_desktop.views.table import figure_of
from pe_desktop.window.main_window import MainWindow

# Groups of encodings stand in the list of the Encoding dock.
_ENCODINGS: Final = ("sinusoidal", "conventions", "ablations", "naive")
_ALL: Final = "All"
_PICTURE, _LARGE = (186, 114), (304, 190)
_GROUPS_WIDTH, _DETAIL_WIDTH, _NARROW = 200, 336, 1000
_KEY: Final = Qt.ItemDataRole.UserRole
# So long the window has time for others between two pictures.
_PAUSE_MILLISECONDS: Final = 15
# Preset, theme and size of the pictures that are drawn.
_DRAWN: Final[set[tuple[str, str, tuple[int, int]]]] = set()


def shown_presets() -> list[Preset]:
    """Those that the gallery has."""
    return [preset for preset in PRESETS.values() if preset.group.id not in _ENCODINGS]


@cache
def _picture(preset_id: str, theme: str, size: tuple[int, int]) -> QPixmap:
    """The loudest view of a preset, without prose; an empty one where it can't be drawn."""
    _DRAWN.add((preset_id, theme, size))
    state = with_preset(State(), preset_id)
    fronts = (*state.views.front, "waves")
    figure = next(filter(None, (figure_of(view, state) for view in fronts)), "waves")
    try:
        image = figure_preview(figure, state, Finish("slide", theme, title=""), size)[0]
        image.setDevicePixelRatio(1.0)
        return QPixmap.fromImage(image)
    except (ExportError, ValueError, MemoryError):
        return QPixmap(*size)


class Gallery(QFrame):
    """Covers the window; Escape or Show it leads back."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setProperty("role", "panel")
        self.setAutoFillBackground(True)
        presets = shown_presets()
        self.field = QLineEdit(placeholderText=told("Search titles and sentences"))
        self.field.textChanged.connect(self._search)
        close = acting(IconButton("close", told("Close"), self, key="Esc"), self.leave)
        words = label(told(f"{len(presets)} pictures with their sentence; each sets the whole program"), "caption")
        head = filled(QHBoxLayout(), label(told("Gallery"), "message"), words, None, self.field, close, spacing=12)
        self.field.setFixedWidth(260)
        self.groups = QListWidget()
        self.groups.setFixedWidth(_GROUPS_WIDTH)
        for title in (_ALL, *dict.fromkeys(preset.group.title for preset in presets)):
            count = sum(title in (_ALL, preset.group.title) for preset in presets)
            item = QListWidgetItem(f"{told(title)}  {count}")
            item.setData(_KEY, title)
            self.groups.addItem(item)
        self.groups.currentRowChanged.connect(lambda _row: self._search(self.field.text()))
        self.pictures = QListWidget()
        self.pictures.setViewMode(QListWidget.ViewMode.IconMode)
        self.pictures.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.pictures.setMovement(QListWidget.Movement.Static)
        self.pictures.setWordWrap(True)
        self.pictures.setIconSize(QSize(*_PICTURE))
        self.pictures.setGridSize(QSize(_PICTURE[0] + 24, _PICTURE[1] + 52))
        self.pictures.currentItemChanged.connect(self._show_detail)
        self.pictures.itemActivated.connect(self._use)
        self._items = {preset.id: self._item(preset) for preset in presets}
        self.detail = self._make_detail()
        body = filled(
            QHBoxLayout(), self.groups, self.pictures, self.detail, margins=BARE, spacing=12, wide=self.pictures
        )
        filled(QVBoxLayout(self), head, body, margins=(20, 14, 20, 14), spacing=12, wide=body)
        # Letters can't be measured beside the thread of the window: one picture in a turn.
        self._drawing = QTimer(self, interval=_PAUSE_MILLISECONDS, singleShot=True)
        self._drawing.timeout.connect(self._draw_next)
        window.resized.connect(self._cover)
        self.groups.setCurrentRow(0)
        self.hide()

    def _item(self, preset: Preset) -> QListWidgetItem:
        item = QListWidgetItem(told(preset.title))
        item.setData(_KEY, preset.id)
        item.setToolTip(told(preset.sentence))
        item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.pictures.addItem(item)
        return item

    def _make_detail(self) -> QWidget:
        detail = QWidget()
        detail.setFixedWidth(_DETAIL_WIDTH)
        self._large, self._sentence = QLabel(), label("", "note", wraps=True)
        self._title, self._group = label("", "message", wraps=True), label("", "caption")
        self._sets = QFormLayout()
        self._sets.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        show = acting(PushButton(told("Show it")), self._use)
        show.setDefault(True)
        back = acting(PushButton(told("Put back")), partial(self._window.action_set.trigger, "undo"))
        buttons = filled(QHBoxLayout(), show, back, wide=show)
        rows = self._large, self._title, self._group, self._sentence, 8, self._sets, None, buttons
        filled(QVBoxLayout(detail), *rows, margins=BARE, spacing=6)
        return detail

    def open(self) -> None:
        """Show it over the window, with what was chosen last."""
        self._cover()
        self.show()
        self.raise_()
        self._cover()
        if self.pictures.currentItem() is None:
            self.pictures.setCurrentItem(self.pictures.item(0))
        self.pictures.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._drawing.start()

    def leave(self) -> None:
        """Go back to what stood there."""
        self.hide()
        self._window.focus_plot()

    def _cover(self) -> None:
        header = self._window.header.height()
        if self.isVisible():
            self.setGeometry(self._window.rect().adjusted(8, header, -8, -8))
            self.detail.setVisible(self.width() >= _NARROW)

    def _draw_next(self) -> None:
        """Draw one picture that is missing, the large one of what is looked at first, then those that are seen."""
        item: QListWidgetItem | None = self.pictures.currentItem()
        theme = self._window.theme.base
        if not self.isVisible():
            return
        if item is not None and (item.data(_KEY), theme, _LARGE) not in _DRAWN:
            self._large.setPixmap(_picture(item.data(_KEY), theme, _LARGE))
        else:
            waiting = [one for one in self._items.values() if one.icon().isNull() and not one.isHidden()]
            if not waiting:
                return
            room = self.pictures.viewport().rect()
            first = next((one for one in waiting if room.intersects(self.pictures.visualItemRect(one))), waiting[0])
            first.setIcon(QIcon(_picture(first.data(_KEY), theme, _PICTURE)))
        self._drawing.start()

    def _show_detail(self, item: QListWidgetItem | None, _before: object = None) -> None:
        if item is None:
            return
        preset = PRESETS[item.data(_KEY)]
        self._title.setText(told(preset.title))
        self._group.setText(told(preset.group.title))
        self._sentence.setText(told(preset.sentence))
        while self._sets.rowCount():
            self._sets.removeRow(0)
        for name, text in list(preset.assignments.items())[:8]:
            self._sets.addRow(told(step_title([name])), label(text[:28], "title"))
        key = preset.id, self._window.theme.base, _LARGE
        self._large.setPixmap(_picture(*key) if key in _DRAWN else QPixmap())
        self._drawing.start()

    def _search(self, typed: str) -> None:
        words = typed.lower().split()
        chosen: QListWidgetItem | None = self.groups.currentItem()
        group = _ALL if chosen is None else chosen.data(_KEY)
        for key, item in self._items.items():
            preset = PRESETS[key]
            text = f"{told(preset.title)} {told(preset.sentence)}".lower()
            is_found = group in (_ALL, preset.group.title) and all(word in text for word in words)
            item.setHidden(not is_found)
        self._drawing.start()

    def _use(self, *_item: object) -> None:
        item: QListWidgetItem | None = self.pictures.currentItem()
        if item is None:
            return
        preset = PRESETS[item.data(_KEY)]
        self.leave()
        self._window.model.choose(preset.id)
        self._window.header.show_message(told(preset.sentence))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._use()
        else:
            super().keyPressEvent(event)
