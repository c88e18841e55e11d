"""What every panel is: a key, a title, and three things it can show."""

from typing import ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.cursor import Cursor, Span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import Analysis
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback


class Panel(QWidget):
    """Listens to the model while it is seen; asleep while hidden, it catches up once when shown.

    A panel changes the model only through its commands. What it can't do itself it asks for with `asked`: the
    id of an action of the window.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    area: ClassVar[Qt.DockWidgetArea]
    # Where it is a fixture of the window (the transport, the Encoding dock) it can't be moved, floated or closed.
    is_movable: ClassVar[bool] = True
    has_title: ClassVar[bool] = True
    # Opened in place of all other plots, which come back when it is closed.
    is_workspace: ClassVar[bool] = False

    asked = Signal(str)
    subtitle_changed = Signal(str)

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.playback = playback
        self._subtitle = ""
        self._is_late = True
        self._is_behind = False
        model.encoding_changed.connect(self._on_encoding_changed)
        model.analysis_changed.connect(self._on_analysis_changed)
        model.cursor_changed.connect(self._on_cursor_changed)
        model.span_changed.connect(self._on_span_changed)
        model.views_changed.connect(self._on_changed)
        model.preset_changed.connect(self._on_changed)
        model.findings.changed.connect(self._on_changed)
        model.preview_changed.connect(self._on_preview_changed)

    @property
    def subtitle(self) -> str:
        """The few words beside the title that state the content."""
        return self._subtitle

    def set_subtitle(self, subtitle: str) -> None:
        """Say what is shown now."""
        if subtitle != self._subtitle:
            self._subtitle = subtitle
            self.subtitle_changed.emit(subtitle)

    def header_widgets(self) -> list[QWidget]:
        """Controls that stand in the title row, left to right."""
        return []

    def menu_actions(self) -> list[QAction]:
        """Entries of the panel's menu that are its own."""
        return []

    @property
    def figure(self) -> str:
        """The figure that shows what the panel shows, where there is one: its key, unless it says otherwise."""
        return self.key

    def readout(self) -> str:
        """The numbers on show as text for the clipboard."""
        return ""

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme."""

    def refresh(self) -> None:
        """Show the state of the model as it is now, and what is known about it."""

    def show_encoding(self, encoding: Encoding) -> None:
        """Show another encoding."""

    def show_analysis(self, analysis: Analysis | None) -> None:
        """Show what has been measured; None while it is being measured."""

    def show_cursor(self, cursor: Cursor) -> None:
        """Show another position, offset or pair: nothing here may grow with n_positions."""

    def show_span(self, span: Span) -> None:
        """Show other positions."""

    @property
    def is_made(self) -> bool:
        """Whether everything is there that can be seen; what takes long is made after the window's first frame."""
        return True

    @property
    def is_settled(self) -> bool:
        """Whether nothing more is on its way: no measurement that a thread makes, nothing that waits for rest."""
        return True

    def show_preview(self, position: float | None) -> None:
        """Show lightly what is under the pointer, in whichever panel it is."""

    def take_focus(self) -> None:
        """Bring the keyboard here: to the first child that takes it."""
        for child in self.findChildren(QWidget):
            if child.isVisible() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
                child.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def close_down(self) -> None:
        """Join whatever threads the panel has started."""

    def catch_up(self) -> None:
        """Show everything as it is now."""
        self._is_late = False
        self.refresh()
        self.show_encoding(self.model.encoding)
        self.show_span(self.model.span)
        self.show_cursor(self.model.cursor)
        self.show_analysis(self.model.analysis)

    def set_behind(self, is_behind: bool) -> None:
        """Sleep behind another tab, where Qt counts a dock as visible, and wake up when the tab is chosen."""
        self._is_behind = is_behind
        if is_behind:
            self._is_late = True
            self.model.findings.forget(self.key)
        elif self._is_late and self.isVisible():
            self.catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        """Wake up."""
        super().showEvent(event)
        if self._is_late and not self._is_behind:
            self.catch_up()

    def hideEvent(self, event: QHideEvent) -> None:
        """Fall asleep; what happens meanwhile is caught up with later."""
        super().hideEvent(event)
        self._is_late = True
        self.model.findings.forget(self.key)

    def _on_changed(self) -> None:
        if not self._is_late:
            self.refresh()

    def _on_encoding_changed(self, encoding: Encoding) -> None:
        if not self._is_late:
            self.refresh()
            self.show_encoding(encoding)

    def _on_analysis_changed(self, analysis: Analysis | None) -> None:
        if not self._is_late:
            self.show_analysis(analysis)

    def _on_cursor_changed(self, cursor: Cursor) -> None:
        if not self._is_late:
            self.refresh()
            self.show_cursor(cursor)

    def _on_span_changed(self, span: Span) -> None:
        if not self._is_late:
            self.refresh()
            self.show_span(span)

    def _on_preview_changed(self, position: float | None) -> None:
        if not self._is_late:
            self.show_preview(position)
