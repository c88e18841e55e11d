"""A list of words with grey words behind them, of which the chosen row is one rounded field."""

from typing import Any

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QWidget

from pe_desktop.draw.theme import Theme, Themed
from pe_desktop.draw.typefaces import text_font, text_width

KEY = Qt.ItemDataRole.UserRole
_BEHIND = Qt.ItemDataRole.UserRole + 1
_HEIGHT, _MARGIN, _RADIUS, _GAP = 30, 10, 6.0, 16


class RowList(Themed, QListWidget):
    """Each row has its words, a key that says what they mean, and words behind; the last ones have a column."""

    def __init__(self, last_width: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.last_width = last_width
        self.setItemDelegate(_Row(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def add(self, words: str, key: object = None, *behind: str) -> QListWidgetItem:
        """A row at its end."""
        item = QListWidgetItem(words, self)
        item.setData(KEY, key)
        item.setData(_BEHIND, behind)
        return item

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self.viewport().update()


class _Row(QStyledItemDelegate):
    def __init__(self, rows: RowList) -> None:
        super().__init__(rows)
        self._rows = rows

    def sizeHint(self, option: Any, index: Any) -> QSize:
        return QSize(0, _HEIGHT)

    def paint(self, painter: QPainter, option: Any, index: Any) -> None:
        theme, place = self._rows.theme, QRect(option.rect)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if is_chosen:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.highlight)
            painter.drawRoundedRect(QRectF(place).adjusted(0.0, 1.0, 0.0, -1.0), _RADIUS, _RADIUS)
        room = place.adjusted(_MARGIN, 0, -_MARGIN, 0)
        painter.setFont(text_font("caption"))
        painter.setPen(theme.text3)
        *others, last = index.data(_BEHIND) or ("",)
        for words, least in ((last, self._rows.last_width), *((other, 0) for other in others)):
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)
            wide = max(least, round(text_width("caption", words)))
            room.setRight(room.right() - wide - _GAP * bool(wide))
        painter.setFont(text_font("strong" if is_chosen and not others else "label"))
        painter.setPen(theme.text)
        words = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.restore()
