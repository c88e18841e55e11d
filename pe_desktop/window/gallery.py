"""The gallery: a picture and a sentence of every preset that shows more than an encoding; a press sets the program."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, Final, cast

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QIcon, QImage, QKeyEvent, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from pe_desktop.caches import told_cache
from pe_desktop.core.state import State
from pe_desktop.draw import flow
from pe_desktop.draw.canvas import ENTER
from pe_desktop.draw.flow import GROW, Block, Column, Grid, Named, Space, Words
from pe_desktop.draw.theme import Theme, Themed
from pe_desktop.draw.typefaces import text_font
from pe_desktop.export.thumbnail import thumbnail
from pe_desktop.languages import told
from pe_desktop.panels.controls.buttons import IconButton, PushButton, acting
from pe_desktop.panels.controls.layouts import BARE, filled, label
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.controls.search_field import Rows, SearchField
from pe_desktop.panels.page_canvas import PageCanvas, act_of, image_block
from pe_desktop.panels.scene_panel import PageArea, dress
from pe_desktop.window.card import SubtitleLabel
from pe_desktop.window.gallery_rows import GalleryRow, gallery_rows
from pe_desktop.window.header import Notice
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.tab_order import move_focus, stops_in

_ALL: Final = "All"
_PICTURE, _LARGE = (186, 114), (296, 185)
_GROUPS_WIDTH, _DETAIL_WIDTH, _NARROW = 210, 336, 1000
# Below this the detail has no picture.
_LOW: Final = 640
# The least width of a tile; around its frame, within that, and the lines of its words.
_TILE_WIDTH, _AROUND, _WITHIN, _LINE = 204, 8, 7, 18
# Of names and what stands beside them; how many facts and lessons.
_COLUMNS, _MOST_ALIKE = (90.0, GROW), 3
_KEY: Final = Qt.ItemDataRole.UserRole
# So long the window has time for others between two pictures.
_PAUSE_MILLISECONDS: Final = 15


_picture = told_cache(512)(thumbnail)


class _Tile(QStyledItemDelegate):
    """A picture in a frame, which is strong where it is chosen, over its title and its group."""

    def __init__(self, window: MainWindow, pictures: QListWidget) -> None:
        super().__init__(pictures)
        self._window, self._pictures = window, pictures

    def sizeHint(self, option: Any, index: Any) -> QSize:
        return self._pictures.gridSize()

    def paint(self, painter: QPainter, option: Any, index: Any) -> None:
        theme, preset = self._window.theme, index.data(_KEY).preset
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
        self._items: dict[str, QListWidgetItem] = {}
        # The large picture of what is looked at, a null one until it is drawn.
        self._large = QImage()
        self.setProperty("role", "overlay")
        self.field = SearchField("Search titles and sentences", self._search)
        self._make_groups()
        self._make_pictures()
        self.detail = self._make_detail()
        close = acting(IconButton("close", "Close", self, key="Esc"), self.leave)
        self._words = label("", "caption")
        parts = label("Gallery", "message"), self._words, None, self.group, self.field, close
        head = filled(QHBoxLayout(), *parts, spacing=12)
        body = filled(
            QHBoxLayout(), self.groups, self.pictures, self.detail, margins=BARE, spacing=12, wide=self.pictures
        )
        filled(QVBoxLayout(self), head, body, margins=(20, 14, 16, 14), spacing=12, wide=body)
        # Letters can't be measured beside the thread of the window: one picture in a turn.
        self._drawing = QTimer(self, interval=_PAUSE_MILLISECONDS, singleShot=True)
        self._drawing.timeout.connect(self._draw_next)
        window.resized.connect(self._cover)
        dress(self, window.theme)
        self.hide()

    def _make_groups(self) -> None:
        """The groups with their counts, and a field of the same rows where they have no room."""
        self.groups, self.group = Rows(2), ChoiceBox()
        self.groups.setFixedWidth(_GROUPS_WIDTH)
        self.groups.currentItemChanged.connect(self._on_group)
        self.group.setAccessibleName("Group")
        self.group.setModel(self.groups.model())
        self.group.activated.connect(self.groups.choose)

    def _on_group(self) -> None:
        self.group.setCurrentIndex(self.groups.currentIndex().row())
        self._search()

    def _make_pictures(self) -> None:
        self.pictures = QListWidget()
        self.pictures.setViewMode(QListWidget.ViewMode.IconMode)
        self.pictures.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.pictures.setMovement(QListWidget.Movement.Static)
        self.pictures.setItemDelegate(_Tile(self._window, self.pictures))
        self.pictures.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.pictures.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.pictures.currentItemChanged.connect(self._show_detail)
        self.pictures.itemActivated.connect(self._use)

    def _make_detail(self) -> QFrame:
        detail = QFrame(self)
        detail.setProperty("role", "sheet")
        detail.setFixedWidth(_DETAIL_WIDTH)
        self.page = PageCanvas("What is shown", self._detail_page)
        self.page.take_presses(self._window.model, act_of)
        area = PageArea(self.page)
        show = acting(PushButton("Show it"), self._use)
        show.setDefault(True)
        self._back = acting(PushButton("Put back"), self._put_back, "What stood there before it was shown")
        buttons = filled(QHBoxLayout(), show, self._back, wide=show)
        # Where there is little room it takes some of that of the pictures while it is looked at.
        self.pictures.itemClicked.connect(detail.show)
        self._fold = acting(IconButton("close", "Close", self), detail.hide)
        head = filled(QHBoxLayout(), None, self._fold)
        filled(QVBoxLayout(detail), head, area, buttons, margins=(16, 8, 4, 4), spacing=6, wide=area)
        return detail

    @property
    def _row(self) -> GalleryRow | None:
        """What is looked at."""
        item: QListWidgetItem | None = self.pictures.currentItem()
        return None if item is None else item.data(_KEY)

    def _detail_page(self) -> Block:
        """A large picture, the title and the sentence, what is set, and what goes with it."""
        row = self._row
        if row is None:
            return Space()
        preset = row.preset
        parts = [image_block(self._large)] if self.height() >= _LOW else []
        parts += [flow.paragraph(preset.title, "message", "text"), Words(preset.group.title, "caption", "text2")]
        parts.append(flow.paragraph(preset.sentence, "label"))
        sets = [(name, Words(value, "strong")) for name, value in row.settings()]
        for heading, lines in (("Sets", sets), ("Goes with", [*self._links(row)])):
            if lines:
                cells = tuple((Words(name, "label", "text2"), block) for name, block in lines)
                parts += [Words(heading, "strong"), Grid(_COLUMNS, cells)]
        return Column(tuple(parts), 8.0)

    def _links(self, row: GalleryRow) -> Iterator[tuple[str, Block]]:
        """What goes with a row: its kind, and its title, of which a press opens it."""
        alike = [(kind, title, partial(self._go, show)) for kind, title, show in islice(row.companions(), _MOST_ALIKE)]
        beside: QListWidgetItem | None = self.pictures.item(self.pictures.currentRow() + 1)
        if beside is not None and beside.data(_KEY).preset.group == row.preset.group:
            alike.append(("Next", beside.text(), partial(self.pictures.setCurrentItem, beside)))
        for kind, title, act in alike:
            yield kind, Named(f"{kind}: {title}", Words(title, "strong", "focus"), sets={"act": act})

    def open(self) -> None:
        """Show it over the window, with what was chosen last."""
        self._back.setEnabled(self._before is not None)
        self._fill()
        self.show()
        self.raise_()
        self._cover()
        self.pictures.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._drawing.start()

    def _fill(self) -> None:
        """Have what there is now, where that isn't what stands there."""
        rows = gallery_rows()
        if rows == [item.data(_KEY) for item in self._items.values()]:
            return
        self.pictures.clear()
        self._items = {row.preset.id: QListWidgetItem(told(row.preset.title), self.pictures) for row in rows}
        for row, item in zip(rows, self._items.values(), strict=True):
            item.setData(_KEY, row)
            item.setToolTip(told(row.preset.sentence))
        counts = Counter({_ALL: len(rows)}) + Counter(row.preset.group.title for row in rows)
        self.groups.show_rows([(told(title), str(count)) for title, count in counts.items()])
        self.pictures.setCurrentRow(0)

    def leave(self) -> None:
        """Go back to what stood there."""
        self.hide()
        self._window.focus_plot()

    def _cover(self) -> None:
        if self.isVisible():
            self.setGeometry(self._window.rect().adjusted(8, self._window.header.height(), -8, -8))
            parts: dict[QWidget, bool] = {self.groups: False, self._words: False, self.detail: False}
            for part, is_for_narrow in (parts | {self.group: True, self._fold: True}).items():
                part.setVisible(is_for_narrow == self._is_narrow)
            self.field.setFixedWidth(180 if self._is_narrow else 260)
            self.page.fit()

    @property
    def _is_narrow(self) -> bool:
        return self._window.width() < _NARROW

    def _spread(self) -> None:
        """As many tiles beside each other as have room, all of one width."""
        room = self.pictures.viewport().width() - 2
        size = QSize(room // max(room // _TILE_WIDTH, 1), _PICTURE[1] + 2 * _WITHIN + _AROUND + 2 * _LINE + 20)
        if size != self.pictures.gridSize() and room > 0:
            self.pictures.setGridSize(size)

    def _draw_next(self) -> None:
        """Draw one picture that is missing, the large one of what is looked at first, then those that are seen."""
        if not self.isVisible():
            return
        self._spread()
        if self._row is not None and self._large.isNull():
            self._large = self._drawn(self._row, _LARGE)
            self.page.fit()
        else:
            waiting = [one for one in self._items.values() if one.icon().isNull() and not one.isHidden()]
            if not waiting:
                return
            room = self.pictures.viewport().rect()
            first = next((one for one in waiting if room.intersects(self.pictures.visualItemRect(one))), waiting[0])
            first.setIcon(QIcon(QPixmap.fromImage(self._drawn(first.data(_KEY), _PICTURE))))
        self._drawing.start()

    def _drawn(self, row: GalleryRow, size: tuple[int, int]) -> QImage:
        """A picture of a row; an empty one where it can't be drawn."""
        try:
            return _picture(row.view, row.state, size, self._window.theme)
        except (ValueError, MemoryError):
            return QImage(*size, QImage.Format.Format_Alpha8)

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        for item in self._items.values():
            item.setIcon(QIcon())
        self._show_detail()

    def _show_detail(self, *_items: object) -> None:
        self._large = QImage()
        self.page.fit()
        self._drawing.start()

    def _go(self, show: Callable[[MainWindow], object]) -> None:
        self.leave()
        show(self._window)

    def _search(self, *_typed: str) -> None:
        group = self.group.currentText()
        for item in self._items.values():
            preset = item.data(_KEY).preset
            is_found = self.field.finds(told(preset.title), told(preset.sentence))
            item.setHidden(not is_found or group not in (told(_ALL), told(preset.group.title)))
        seen = [item for item in self._items.values() if not item.isHidden()]
        if self.pictures.currentItem() not in seen:
            self.pictures.setCurrentItem(seen[0] if seen else cast("Any", None))
        told_all = f"{len(self._items)} pictures with their sentence; each sets the whole program"
        self._words.setText(told_all if seen else "Nothing found")
        self._drawing.start()

    def _use(self, *_item: object) -> None:
        row, model = self._row, self._window.model
        if row is None:
            return
        if self._before is None or self._used is None or not _is_shown(self._used, model.state):
            self._before = model.state
        self.leave()
        row.show(self._window)
        self._used = model.state
        self._window.header.offer(Caption(self._window, row.preset.sentence))

    def _put_back(self) -> None:
        """Show again what stood there before anything was shown from here."""
        if self._before is not None:
            self._window.model.set_state(self._before, "preset")
            for caption in self._window.header.findChildren(Caption):
                caption.close()
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
