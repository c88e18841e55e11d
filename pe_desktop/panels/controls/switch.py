"""A switch: a small track with a knob, and the words beside it."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from pe_desktop.draw.theme import Theme, mixed
from pe_desktop.draw.typefaces import text_font, text_width
from pe_desktop.panels.controls.buttons import LeavesArrows

_TRACK = QSize(28, 16)
_GAP, _HEIGHT, _EDGE = 8, 28, 3


class Switch(LeavesArrows, QAbstractButton):
    """On or off; Space, Enter and a press turn it."""

    def __init__(self, words: str, tooltip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme: Theme | None = None
        self.setCheckable(True)
        self.setToolTip(tooltip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.show_words(words)

    def show_words(self, words: str) -> None:
        """Call it something else."""
        self.setText(words)
        self.setAccessibleName(words)
        self.setFixedSize(self.sizeHint())

    def show_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        wide = _GAP + round(text_width("segment", self.text())) + 2 if self.text() else 0
        return QSize(_TRACK.width() + wide + 2 * _EDGE, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        if theme is None:
            return
        ink = theme.text2 if self.isEnabled() else theme.axis
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            track = QRectF(_EDGE + 0.5, (_HEIGHT - _TRACK.height()) / 2 + 0.5, _TRACK.width() - 1, _TRACK.height() - 1)
            radius = track.height() / 2
            is_on = self.isChecked()
            painter.setPen(QPen(theme.ink if is_on else ink, 1.3))
            painter.setBrush(theme.ink if is_on and self.isEnabled() else theme.panel)
            painter.drawRoundedRect(track, radius, radius)
            knob = track.right() - radius if is_on else track.left() + radius
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.ink_on if is_on and self.isEnabled() else mixed(ink, theme.panel, 0.8))
            painter.drawEllipse(QRectF(knob - 5.0, track.center().y() - 5.0, 10.0, 10.0))
            painter.setFont(text_font("segment"))
            painter.setPen(theme.text if is_on and self.isEnabled() else ink)
            words = self.rect().adjusted(_EDGE + _TRACK.width() + _GAP, 0, 0, 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
            if self.hasFocus():
                painter.setPen(QPen(theme.focus, 2.0))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.0, 1.0, -1.0, -1.0), 5.0, 5.0)
