"""What every panel is: a key, a title, and what it shows of the model."""

from collections.abc import Mapping
from typing import ClassVar

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from pe_desktop.core.cursor import Preview
from pe_desktop.core.state import State, differs_in_cursor
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback

# A screen reader can't follow what moves: it is told what has come to rest for so long.
_REST_MILLISECONDS = 250
# From so many dimensions on all panels together take longer to follow a change than an answer may: one of a parameter,
# and one of the kind, after which little of what was drawn stays.
_MANY_DIMENSIONS, _MANY_OF_ANOTHER_KIND = 2**14, 2**9


class Panel(QWidget):
    """Follows the model while it is seen; hidden, or behind another tab, it asks for nothing and catches up once shown.

    A panel changes the model only through its commands. What it can't do itself it asks for with `asked`: the id of an
    action of the window.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    # Where it is a fixture of the window (the transport, the Encoding dock) it can't be moved, floated or closed.
    is_movable: ClassVar[bool] = True
    has_title: ClassVar[bool] = True
    # Opened in place of all other plots, which come back when it is closed.
    is_workspace: ClassVar[bool] = False
    # What the menu calls copying the numbers, what is copied then, and what it calls further choices, "" for none.
    readout_title: tuple[str, str] = ("Copy read-out", "read-out")
    choices_title: ClassVar[str] = ""
    # What its dock needs behind another tab, in pixels, while nobody has seen it and it isn't made.
    least_size: ClassVar[tuple[int, int]] = (0, 0)
    # Keys that act while the panel has the focus, and what they do, beside those of the window.
    keys: ClassVar[Mapping[str, str]] = {}
    # Whether it follows the encoding of a very wide table after the other panels, not with them.
    takes_turns: ClassVar[bool] = False

    asked = Signal(str)
    subtitle_changed = Signal(str)

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self.playback = playback
        # The few words beside the title that state the content.
        self.subtitle = ""
        self._is_late = True
        self._is_behind = False
        self._is_owed = False
        self._followed = model.state
        self._resting = QTimer(self, interval=_REST_MILLISECONDS, singleShot=True)
        self._resting.timeout.connect(self._on_rest)
        model.state_changed.connect(self._on_state_changed)
        model.preset_changed.connect(self._on_changed)
        model.findings.changed.connect(self._on_findings_changed)
        model.preview_changed.connect(self._on_preview_changed)

    @property
    def view_key(self) -> str:
        """The view whose figures show what is seen here."""
        return self.key

    def subtitle_in(self, room: float) -> str:
        """The same in the longest form that fits a room in pixels."""
        return self.subtitle

    def set_subtitle(self, subtitle: str) -> None:
        if subtitle != self.subtitle:
            self.subtitle = subtitle
            self.subtitle_changed.emit(subtitle)

    def header_widgets(self) -> list[QWidget]:
        """Controls that stand in the title row, left to right."""
        return []

    def readout(self) -> str:
        """The numbers on show as text for the clipboard; empty for a panel that has none."""
        return ""

    def open_choices(self, corner: QPoint) -> None:
        """Open the choices that stand nowhere else, with their right upper corner at a point of the screen."""

    def refresh(self) -> None:
        """Show the state of the model as it is now, and what is known about it: no cost may grow with n_positions."""

    def show_choices(self) -> None:
        """Show what no cursor changes: after `refresh`, where more than the cursor has changed."""

    def show_preview(self, preview: Preview | None) -> None:
        """Show lightly what is under the pointer, in whichever panel it is."""

    @property
    def is_made(self) -> bool:
        """Whether everything is there that can be seen; heat maps are made after the window's first frame."""
        return True

    def take_focus(self) -> None:
        """Bring the keyboard here: to the first child that takes it."""
        for child in self.findChildren(QWidget):
            if child.isVisible() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
                child.setFocus(Qt.FocusReason.TabFocusReason)
                return

    def set_behind(self, is_behind: bool) -> None:
        """Note that another tab is in front, where Qt counts a dock as visible, or that the tab was chosen."""
        self._is_behind = is_behind
        if is_behind:
            self._sleep()
        elif self._is_late and self.isVisible():
            self._catch_up()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_late and not self._is_behind:
            self._catch_up()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._sleep()

    def _sleep(self) -> None:
        self._is_late = True
        self.model.findings.forget(self.key)

    def _catch_up(self) -> None:
        self._is_late = False
        self._on_changed()

    def _on_state_changed(self, state: State) -> None:
        if self._is_late:
            return
        if differs_in_cursor(self._followed, state):
            self.refresh()
            self._rest_soon()
        elif self.underMouse():
            self._on_changed()
        else:
            self._follow_in_turn()

    def _follow_in_turn(self) -> None:
        """Follow at once, or where all panels together take long after those that wait already."""
        new, old = self.model.encoding, self._followed.encoding
        most = _MANY_DIMENSIONS if type(new) is type(old) else _MANY_OF_ANOTHER_KIND
        if self.takes_turns and max(new.d_model, old.d_model) >= most:
            self._is_owed = True
            self.model.turns.add(self._follow)
        else:
            self._on_changed()

    def _follow(self) -> None:
        if self._is_owed:
            self._on_changed()

    def _on_changed(self) -> None:
        if not self._is_late:
            self._is_owed = False
            self._followed = self.model.state
            self.refresh()
            self.show_choices()
            self._rest_soon()

    def _rest_soon(self) -> None:
        if QAccessible.isActive():
            self._resting.start()

    def _on_rest(self) -> None:
        for canvas in self.findChildren(Canvas):
            if canvas.isVisible():
                canvas.tell_change()

    def _on_findings_changed(self, askers: frozenset[str]) -> None:
        if self.key in askers:
            self._follow_in_turn()

    def _on_preview_changed(self, preview: Preview | None) -> None:
        if not self._is_late:
            self.show_preview(preview)


def dress(root: QWidget, theme: Theme) -> None:
    """Let a widget and all in it draw in a theme, the parts before the whole."""
    for widget in reversed((root, *root.findChildren(QWidget))):
        if hasattr(widget, "show_theme"):
            widget.show_theme(theme)
