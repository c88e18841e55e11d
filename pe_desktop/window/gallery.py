"""The gallery: a picture and a sentence of every preset that shows more than an encoding; a press sets the program."""

from collections import Counter
from typing import Any, Final

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from pe_desktop.caches import told_cache
from pe_desktop.core.presets import PRESETS, Preset
from pe_desktop.core.state import State, step_title, with_preset
from pe_desktop.draw.canvas import ENTER
from pe_desktop.draw.theme import Theme, Themed
from pe_desktop.draw.typefaces import text_font
from pe_desktop.export.figure_files import figure_preview
from pe_desktop.export.figure_sheet import Finish
from pe_desktop.files import ExportError
from pe_desktop.languages import told
from pe_desktop.panels.controls.buttons import IconButton, PushButton, acting
from pe_desktop.panels.controls.layouts import BARE, filled, label
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.scene_panel import dress
from pe_desktop.views.table import VIEWS, figure_of
from pe_desktop.window.card import SubtitleLabel
from pe_desktop.window.header import Notice
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.tab_order import move_focus, stops_in

_ALL: Final = "All"
_PICTURE, _LARGE = (186, 114), (296, 185)
_GROUPS_WIDTH, _COUNT_WIDTH, _DETAIL_WIDTH, _NARROW = 210, 52, 336, 1000
# Below these the detail has no picture, and says nothing of what is set.
_LOW, _LOWER = 640, 400
# The least width of a tile; around its frame, within that, and the lines of its words.
_TILE_WIDTH, _AROUND, _WITHIN, _LINE = 204, 8, 7, 18
# Of what a name is set to, in letters.
_LONGEST: Final = 26
_KEY: Final = Qt.ItemDataRole.UserRole
# So long the window has time for others between two pictures.
_PAUSE_MILLISECONDS: Final = 15


def shown_presets() -> list[Preset]:
    """Those that the gallery has."""
    return [preset for preset in PRESETS.values() if preset.is_in_gallery]


@told_cache()
def _drawn() -> set[tuple[str, str, tuple[int, int]]]:
    """Preset, theme and size of the pictures that are drawn."""
    return set()


@told_cache()
def _picture(preset_id: str, theme: str, size: tuple[int, int]) -> QPixmap:
    """The loudest view of a preset, without prose; an empty one where it can't be drawn."""
    _drawn().add((preset_id, theme, size))
    state = with_preset(State(), preset_id)
    fronts = (*state.views.front, "waves")
    figure = next(filter(None, (figure_of(view, state) for view in fronts)), "waves")
    try:
        image = figure_preview(figure, state, Finish("slide", theme, title=""), size)[0]
        image.setDevicePixelRatio(1.0)
        return QPixmap.fromImage(image)
    except (ExportError, ValueError, MemoryError):
        return QPixmap(*size)


class _Tile(QStyledItemDelegate):
    """A picture in a frame, which is strong where it is chosen, over its title and its group."""

    def __init__(self, window: MainWindow, pictures: QListWidget) -> None:
        super().__init__(pictures)
        self._window, self._pictures = window, pictures

    def sizeHint(self, option: Any, index: Any) -> QSize:
        return self._pictures.gridSize()

    def paint(self, painter: QPainter, option: Any, index: Any) -> None:
        theme, preset = self._window.theme, PRESETS[index.data(_KEY)]
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        place = option.rect.adjusted(_AROUND, _AROUND, -_AROUND, 0)
        frame = QRect(place.topLeft(), QSize(place.width(), _PICTURE[1] + 2 * _WITHIN))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.ink if is_chosen else theme.line, 2.0 if is_chosen else 1.0))
        painter.drawRoundedRect(QRectF(frame).adjusted(1.0, 1.0, -1.0, -1.0), 6.0, 6.0)
        picture = QRect(QPoint(), QSize(*_PICTURE))
        picture.moveCenter(frame.center())
        if icon := index.data(Qt.ItemDataRole.DecorationRole):
            icon.paint(painter, picture)
        room = QRect(frame.left() + 2, frame.bottom() + 6, frame.width() - 4, _LINE)
        lines = ("strong", told(preset.title), theme.text), ("caption", told(preset.group.title), theme.text3)
        for font, words, color in lines:
            painter.setFont(text_font(font))
            painter.setPen(color)
            painter.drawText(room, painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width()))
            room.translate(0, _LINE)
        painter.restore()


class Gallery(Themed, QFrame):
    """Covers the window; Escape or Show it leads back."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setObjectName("gallery")
        self._window = window
        # What stood before what was shown from here, and what that was.
        self._before: State | None = None
        self._used: State | None = None
        self.setProperty("role", "overlay")
        self.field = QLineEdit(placeholderText=told("Search titles and sentences"))
        self.field.setAccessibleName(told("Search titles and sentences"))
        self.field.textChanged.connect(self._search)
        self._make_groups()
        self._make_pictures()
        self.detail = self._make_detail()
        close = acting(IconButton("close", "Close", self, key="Esc"), self.leave)
        said = f"{len(shown_presets())} pictures with their sentence; each sets the whole program"
        self._words = label(said, "caption")
        parts = label("Gallery", "message"), self._words, None, self.group, self.field, close
        head = filled(QHBoxLayout(), *parts, spacing=12)
        self._body = filled(
            QHBoxLayout(), self.groups, self.pictures, self.detail, margins=BARE, spacing=12, wide=self.pictures
        )
        filled(QVBoxLayout(self), head, self._body, margins=(20, 14, 16, 14), spacing=12, wide=self._body)
        # Letters can't be measured beside the thread of the window: one picture in a turn.
        self._drawing = QTimer(self, interval=_PAUSE_MILLISECONDS, singleShot=True)
        self._drawing.timeout.connect(self._draw_next)
        window.resized.connect(self._cover)
        self.group.chosen.emit(0)
        dress(self, window.theme)
        self.hide()

    def _make_groups(self) -> None:
        """The groups with their counts: a list, and a field where that has no room."""
        presets = shown_presets()
        self._counts = {_ALL: len(presets), **Counter(preset.group.title for preset in presets)}
        self.group, self.groups = ChoiceBox(), QTreeWidget()
        self.groups.setColumnCount(2)
        self.groups.setHeaderHidden(True)
        self.groups.setRootIsDecorated(False)
        self.groups.setFixedWidth(_GROUPS_WIDTH)
        for column, wide in enumerate((_GROUPS_WIDTH - _COUNT_WIDTH, _COUNT_WIDTH - 2)):
            self.groups.setColumnWidth(column, wide)
        items = [QTreeWidgetItem([told(title), str(count)]) for title, count in self._counts.items()]
        for item in items:
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.groups.addTopLevelItems(items)
        self.group.offer("Group", dict(enumerate(self._counts)), {})
        self.group.chosen.connect(lambda row: self.groups.setCurrentItem(items[row]))
        self.groups.currentItemChanged.connect(self._on_group)

    def _on_group(self, item: QTreeWidgetItem) -> None:
        self.group.setCurrentIndex(self.groups.indexOfTopLevelItem(item))
        self._search(self.field.text())

    def _make_pictures(self) -> None:
        self.pictures = QListWidget()
        self.pictures.setViewMode(QListWidget.ViewMode.IconMode)
        self.pictures.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.pictures.setMovement(QListWidget.Movement.Static)
        self.pictures.setItemDelegate(_Tile(self._window, self.pictures))
        self.pictures.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.pictures.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.pictures.currentItemChanged.connect(self._show_detail)
        self.pictures.itemClicked.connect(self._open_sheet)
        self.pictures.itemActivated.connect(self._use)
        self._items = {preset.id: self._item(preset) for preset in shown_presets()}

    def _item(self, preset: Preset) -> QListWidgetItem:
        item = QListWidgetItem(told(preset.title), self.pictures)
        item.setData(_KEY, preset.id)
        item.setToolTip(told(preset.sentence))
        return item

    def _make_detail(self) -> QFrame:
        detail = QFrame(self)
        detail.setProperty("role", "sheet")
        detail.setFixedWidth(_DETAIL_WIDTH)
        self._large, self._sentence = QLabel(), label("", "note", wraps=True)
        self._large.setMinimumHeight(_LARGE[1])
        self._title, self._group = label("", "message", wraps=True), label("", "caption")
        self._sets = QWidget()
        self._rows = QFormLayout(self._sets)
        self._rows.setContentsMargins(*BARE)
        show = acting(PushButton("Show it"), self._use)
        show.setDefault(True)
        self._back = acting(PushButton("Put back"), self._put_back, "What stood there before it was shown")
        buttons = filled(QHBoxLayout(), show, self._back, wide=show)
        self._fold = acting(IconButton("close", "Close", self), detail.hide)
        head = filled(QHBoxLayout(), self._title, self._fold, wide=self._title)
        rows = self._large, head, self._group, self._sentence, 8, self._sets, None, buttons
        filled(QVBoxLayout(detail), *rows, margins=(16, 8, 4, 4), spacing=6)
        return detail

    def open(self) -> None:
        """Show it over the window, with what was chosen last."""
        self._back.setEnabled(self._before is not None)
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
        header, is_narrow = self._window.header.height(), self._is_narrow
        if self.isVisible():
            self.setGeometry(self._window.rect().adjusted(8, header, -8, -8))
            self.groups.setHidden(is_narrow)
            self.group.setVisible(is_narrow)
            self._words.setHidden(is_narrow)
            self._fold.setVisible(is_narrow)
            self.field.setFixedWidth(180 if is_narrow else 260)
            self._large.setVisible(self.height() >= _LOW)
            self._sets.setVisible(self.height() >= _LOWER)
            self._body.removeWidget(self.detail)
            self.detail.setHidden(is_narrow)
            if not is_narrow:
                self._body.addWidget(self.detail)

    @property
    def _is_narrow(self) -> bool:
        return self._window.width() < _NARROW

    def _open_sheet(self) -> None:
        """Where it has no room beside the pictures, the detail lies over them."""
        if self._is_narrow:
            place = self._body.geometry()
            self.detail.setGeometry(self.width() - _DETAIL_WIDTH - 8, place.y(), _DETAIL_WIDTH, place.height())
            self.detail.show()
            self.detail.raise_()

    def _spread(self) -> None:
        """As many tiles beside each other as have room, all of one width."""
        room = self.pictures.viewport().width() - 2
        size = QSize(room // max(room // _TILE_WIDTH, 1), _PICTURE[1] + 2 * _WITHIN + _AROUND + 2 * _LINE + 20)
        if size != self.pictures.gridSize() and room > 0:
            self.pictures.setGridSize(size)

    def _draw_next(self) -> None:
        """Draw one picture that is missing, the large one of what is looked at first, then those that are seen."""
        item: QListWidgetItem | None = self.pictures.currentItem()
        theme = self._window.theme.base
        if not self.isVisible():
            return
        self._spread()
        if item is not None and (item.data(_KEY), theme, _LARGE) not in _drawn():
            self._large.setPixmap(_picture(item.data(_KEY), theme, _LARGE))
        else:
            waiting = [one for one in self._items.values() if one.icon().isNull() and not one.isHidden()]
            if not waiting:
                return
            room = self.pictures.viewport().rect()
            first = next((one for one in waiting if room.intersects(self.pictures.visualItemRect(one))), waiting[0])
            first.setIcon(QIcon(_picture(first.data(_KEY), theme, _PICTURE)))
        self._drawing.start()

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        for item in self._items.values():
            item.setIcon(QIcon())
        self._show_detail(self.pictures.currentItem())

    def _show_detail(self, item: QListWidgetItem | None, _before: object = None) -> None:
        if item is None:
            return
        preset = PRESETS[item.data(_KEY)]
        self._title.setText(preset.title)
        self._group.setText(preset.group.title)
        self._sentence.setText(preset.sentence)
        while self._rows.rowCount():
            self._rows.removeRow(0)
        for name, text in list(preset.assignments.items())[:8]:
            self._rows.addRow(label(step_title([name]), "note"), label(_said(name, text), "strong"))
        key = preset.id, self._window.theme.base, _LARGE
        self._large.setPixmap(_picture(*key) if key in _drawn() else QPixmap())
        self._drawing.start()

    def _search(self, typed: str) -> None:
        words = typed.lower().split()
        group = [*self._counts][max(self.group.currentIndex(), 0)]
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
        preset, model = PRESETS[item.data(_KEY)], self._window.model
        if self._before is None or self._used is None or not _is_shown(self._used, model.state):
            self._before = model.state
        self.leave()
        model.begin_step()
        model.choose(preset.id)
        # The panels of a lesson would stay in its place.
        model.set(**{"lessons.is_open": False})
        model.end_step()
        self._used = model.state
        self._window.header.offer(Caption(self._window, preset.sentence))

    def _put_back(self) -> None:
        """Show again what stood there before anything was shown from here."""
        if self._before is not None:
            self._window.model.set_state(self._before, "preset")
        self._before = None
        self._back.setEnabled(False)
        self.leave()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._drawing.start()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802 - Qt's names
        return move_focus(stops_in(self), is_back=not next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._is_narrow and self.detail.isVisible():
            self.detail.hide()
        elif event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in ENTER:
            self._use()
        else:
            super().keyPressEvent(event)


def _is_shown(state: State, now: State) -> bool:
    """Whether a state is still on show: panels may have come to the front."""
    return (state.encoding, state.cursor, state.attention) == (now.encoding, now.cursor, now.attention)


def _said(name: str, text: str) -> str:
    """What a name is set to, in words; a long one ends in three dots."""
    if name == "front":
        return ", ".join(told(VIEWS[key].title) for key in text.split(","))
    words = {"true": "on", "false": "off"}.get(text, text)
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"


class Caption(Notice):
    """The sentence of a preset over the panels, until something else is shown."""

    def __init__(self, window: MainWindow, sentence: str) -> None:
        super().__init__(window.header)
        self._window, words = window, SubtitleLabel("note")
        words.show_text(told(sentence))
        self.fill(words, wide=words)
        # What the preset itself changes in the next turns is no other state.
        QTimer.singleShot(0, self, self._follow)

    def _follow(self) -> None:
        self._state = self._window.model.state
        self._window.model.state_changed.connect(self._on_changed)

    def _on_changed(self, state: State) -> None:
        if not _is_shown(self._state, state):
            self._window.model.state_changed.disconnect(self._on_changed)
            self.close()
