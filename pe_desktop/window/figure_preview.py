"""The preview of a figure: the page as it will be written, small, drawn when what it shows has been measured."""

from dataclasses import replace

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.core.state import State
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_font
from pe_desktop.export.figure_files import figure_preview
from pe_desktop.export.figure_sheet import LETTERS, Finish, Sheet
from pe_desktop.export.figures import figure_rows
from pe_desktop.files import ExportError
from pe_desktop.model.findings import Computed, Findings, Question

_ASKER = "figure preview"
_MARGIN = 12
_CHECK = 8
# What the dialog has beside it, and the system around.
_BESIDE = QSize(470, 120)


def state_for(what: str, state: State) -> State:
    """The state of a figure: those of the workspace Attention have its own t and k, also while it isn't open."""
    views = {row.view for row in figure_rows(what)}
    if state.views.attention.is_open or not views <= {*WORKSPACES["attention"]}:
        return state
    return state.with_views(replace(state.views.with_workspace("attention"), front=(*views,)))


class FigurePreview(QWidget):
    """Draws a figure as large as fits; `drawn` tells its sheet, `refused` why there is none."""

    drawn = Signal(Sheet)
    refused = Signal(str)

    def __init__(self, state: State, theme: Theme, findings: Findings, parent: QWidget) -> None:
        super().__init__(parent)
        self._state, self._theme, self._findings = state, theme, findings
        self.answers = Computed(findings)
        self._shown: tuple[str, Finish] | None = None
        self._sheet: Sheet | None = None
        self._stopped: list[Question] = []
        self.image: QImage | None = None
        # One picture for any number of changes, and for all steps of a resize.
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._draw)
        findings.changed.connect(self._on_findings_changed)
        self.setAccessibleName("Preview")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(480, 340).boundedTo(self.screen().availableSize() - _BESIDE))

    def show_figure(self, what: str, finish: Finish) -> None:
        """Draw a figure soon, or when it has been measured; a change that isn't seen draws nothing anew."""
        shown = what, replace(finish, letters=LETTERS[0])
        is_drawn = shown == self._shown and self.image is not None and not self._soon.isActive()
        if is_drawn and self._sheet is not None:
            self.drawn.emit(self._sheet)
            return
        self._shown = shown
        state = state_for(what, self._state)
        parts = [(row.module(), row.state(state)) for row in figure_rows(what)]
        questions = tuple(question for view, state in parts for question in view.questions(state))
        self._stopped += [question for question in questions if self._findings.is_stopped(question)]
        self._findings.ask(_ASKER, questions)
        self._findings.set_stopped(questions, is_stopped=False)
        self._soon.start()

    def is_measured(self) -> bool:
        """Whether nothing of the figure has to be computed that may take long."""
        return not self._findings.is_busy(_ASKER)

    def close_findings(self) -> None:
        """Want nothing any more, and leave at rest what a person had stopped."""
        self._soon.stop()
        self._findings.ask(_ASKER, ())
        self._findings.set_stopped(self._stopped, is_stopped=True)

    def _on_findings_changed(self, askers: frozenset[str]) -> None:
        if _ASKER in askers:
            self._soon.start()

    def _draw(self) -> None:
        if self._shown is None:
            return
        self.image = self._drawn(*self._shown) if self.is_measured() else None
        self.setAccessibleDescription("" if self.image is None else self.image.text("Title"))
        self.update()

    def _drawn(self, what: str, finish: Finish) -> QImage | None:
        ratio = self.devicePixelRatioF()
        room = max(self.width() - 2 * _MARGIN, 1) * ratio, max(self.height() - 2 * _MARGIN, 1) * ratio
        try:
            image, self._sheet = figure_preview(what, state_for(what, self._state), finish, room, self.answers)
        except ExportError as error:
            self.refused.emit(error.sentence)
            return None
        image.setDevicePixelRatio(ratio)
        self.drawn.emit(self._sheet)
        return image

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(self._theme.line)
            painter.setBrush(self._theme.sunken)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8.0, 8.0)
            if self.image is None:
                painter.setFont(text_font("caption"))
                painter.setPen(self._theme.text2)
                words = "" if self._shown is None or self.is_measured() else "Measuring…"
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, words)
            else:
                size = self.image.deviceIndependentSize()
                left, top = round((self.width() - size.width()) / 2), round((self.height() - size.height()) / 2)
                page = QRectF(left, top, size.width(), size.height())
                if self.image.hasAlphaChannel():
                    self._paint_checks(painter, page)
                painter.drawImage(page, self.image)
                painter.setPen(self._theme.axis)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(page.adjusted(-0.5, -0.5, 0.5, 0.5))

    def _paint_checks(self, painter: QPainter, page: QRectF) -> None:
        """Squares in two greys behind a page without a ground."""
        painter.save()
        painter.setClipRect(page)
        painter.fillRect(page, self._theme.panel)
        for row in range(int(page.height() / _CHECK) + 1):
            for column in range(row % 2, int(page.width() / _CHECK) + 1, 2):
                place = page.x() + column * _CHECK, page.y() + row * _CHECK
                painter.fillRect(QRectF(*place, _CHECK, _CHECK), self._theme.line)
        painter.restore()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._soon.start()
