"""A panel that draws the scene of its view on one canvas, and one that scrolls."""

import math
import re
from functools import cached_property
from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from pe_desktop.core.cursor import Preview
from pe_desktop.core.state import State
from pe_desktop.draw import number_text
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Box, Place, Scene
from pe_desktop.draw.spoken import Spoken
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.findings import Question
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import ARROWS
from pe_desktop.panels.controls.control_set import ControlSet
from pe_desktop.panels.controls.layouts import filled
from pe_desktop.panels.gestures import Changes, Drag, Gestures, Reactions
from pe_desktop.panels.panel import Panel
from pe_desktop.views.controls import Control
from pe_desktop.views.table import VIEWS, ViewModule


def scrolled(page: QWidget) -> QScrollArea:
    """A frameless area that scrolls a page up and down; the focus is for what the page holds."""
    scroll = _PageArea()
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(page)
    return scroll


class _PageArea(Spoken, QScrollArea):
    """Leaves the arrows, which move t and the pair, to the window; wheel and Page keys scroll."""

    accessible_role = QAccessible.Role.Pane

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # In a dialog it takes the focus itself, and scrolls.
        if event.key() in ARROWS and self.focusPolicy() == Qt.FocusPolicy.NoFocus:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802 - Qt's names
        """Qt would bring what the focus has left into the middle."""
        before, place = self.focusWidget(), self.verticalScrollBar().value()
        has_moved = super().focusNextPrevChild(next)
        if self.focusWidget() is before:
            self.verticalScrollBar().setValue(place)
        return has_moved


# So much of the places is listened to, in letters; all of them are children of the canvas.
_MOST_TOLD = 240
# Digits that the eye reads and the ear does not.
_LONG_NUMBER = re.compile(r"\d+\.\d{7,}")


class ScenePanel(Panel):
    """Draws the view of its key. `reactions` says what a mouse does in it, the view's scene.py what it shows."""

    takes_turns = True
    canvas_class: ClassVar[type[Canvas]] = Canvas
    accessible_name: str = ""
    # What stands in the title row, and elsewhere where a panel puts it.
    controls: tuple[Control, ...] = ()
    # Whether the words beside the title may change with the cursor alone.
    describes_cursor: bool = True

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.canvas = self.canvas_class(self.compose, self)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas.setAccessibleName(self.accessible_name or self.title)
        self.canvas.describe = self.spoken
        self.canvas.tooltip = self.tooltip_at
        self.gestures = Gestures(self.canvas, model, self.reactions())
        self.control_set = ControlSet(model, self.controls, self)
        self._asked_about: tuple[State | None, Box | None] = (None, None)
        self.column = filled(QVBoxLayout(self), margins=(0, 0, 0, 0), spacing=0)
        self.place_canvas()

    @cached_property
    def view(self) -> ViewModule:
        """What draws it, loaded when it is first seen: most panels begin behind a tab."""
        return VIEWS[self.key].module()

    def header_widgets(self) -> list[QWidget]:
        return self.control_set.row(is_in_title=True)

    def place_canvas(self) -> None:
        """Put the canvas into the panel."""
        self.column.addWidget(self.canvas)

    def reactions(self) -> Reactions:
        """What mouse and wheel do: a press sets what the place under it says."""
        return Reactions(choose=self.changes_of, is_button_at=self.is_button_at)

    def changes_of(self, drag: Drag) -> Changes:
        """What a press in a place sets, and a drag that began in one that is dragged."""
        place = self.canvas.place_at(*drag.start)
        return {} if place is None or not (drag.is_press or place.is_dragged) else place.changes(*drag.now)

    def is_button_at(self, x: float, y: float) -> bool:
        """Whether a press there sets something at once."""
        place = self.canvas.place_at(x, y)
        return place is not None and not place.is_dragged and bool(place.changes(x, y))

    def tooltip_at(self, place: Place | None, x: float, y: float) -> str:
        """What the pointer is told at a place."""
        return "" if place is None else place.tooltip

    def compose(self, box: Box) -> Scene:
        """The scene of the state as it is now."""
        return self.view.scene(self.model.state, self.model.findings, box)

    def questions(self) -> tuple[Question, ...]:
        """What is to be found out, the most urgent first."""
        return self.view.questions(self.model.state)

    def ask_in(self, box: Box) -> None:
        """Ask again where a frame is composed in another box, or of another state, than was asked about."""
        if self._asked_about[0] is not self.model.state or self._asked_about[1] is not box:
            self._ask()

    def _ask(self) -> None:
        questions = self.questions()
        # Questions about a box have asked for it; others are not asked again because of one.
        self._asked_about = self.model.state, self.canvas.last_box
        self.model.findings.ask(self.key, questions)

    def refresh(self) -> None:
        self._ask()
        if self.describes_cursor:
            self.set_subtitle(self.described())
        self.canvas.update()

    def show_choices(self) -> None:
        self.control_set.show_state(self.model.state)
        if not self.describes_cursor:
            self.set_subtitle(self.described())

    def described(self, room: float = math.inf) -> str:
        """The few words beside the title that fit a room in pixels."""
        return self.view.subtitle(self.model.state, self.model.findings, room)

    def subtitle_in(self, room: float) -> str:
        return self.described(room)

    def spoken(self) -> str:
        """What a screen reader tells of the picture: the cursor, the subtitle, the first of the places."""
        cursor, places = self.model.cursor, [place for place in self.canvas.places() if place.value]
        t, k = number_text.position(cursor.position), number_text.position(cursor.offset)
        told = [place for place in places if place.is_chosen] or places
        words = [f"t {t}, k {k}, pair {cursor.pair}", self.described()]
        room = _MOST_TOLD
        for place in told:
            words.append(f"{place.name} {_LONG_NUMBER.sub(_rounded, place.value)}")
            room -= len(words[-1])
            if room < 0:
                break
        return "; ".join(filter(None, words))

    def show_preview(self, preview: Preview | None) -> None:
        self.canvas.update()

    def readout(self) -> str:
        return self.view.readout(self.model.state, self.model.findings)


class ScrolledScenePanel(ScenePanel):
    """A panel whose scene may need more height than there is, as its view says: then it scrolls."""

    _page = ""

    def place_canvas(self) -> None:
        self.canvas.is_scrolled = True
        self.page_area = scrolled(self.canvas)
        self.page_area.viewport().installEventFilter(self)
        self.column.addWidget(self.page_area)

    def refresh(self) -> None:
        super().refresh()
        self.fit()

    def show_page(self, page: str) -> None:
        """Begin another page at its top."""
        if page != self._page:
            self._page = page
            self.page_area.verticalScrollBar().setValue(0)

    def fit(self) -> None:
        """Give the canvas the height that its scene needs, that of the panel at least."""
        if self._is_late:
            return
        # The height at full width alone decides on the bar: both can't change each other for ever.
        area, policy = self.page_area, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        width, room = area.width(), area.height()
        if self._needed(width) > room:
            width, policy = width - area.verticalScrollBar().sizeHint().width(), Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        area.setVerticalScrollBarPolicy(policy)
        needed = self._needed(width)
        self.canvas.setMinimumHeight(max(math.ceil(needed), room) if needed else 0)

    def _needed(self, width: int) -> float:
        """The height that the scene needs at a width, 0 where it takes what there is."""
        return self.view.height(self.model.state, self.model.findings, float(width), self.canvas.theme) or 0.0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.fit()
        return super().eventFilter(watched, event)


def _rounded(number: re.Match[str]) -> str:
    return number_text.fixed(float(number[0]), 4)
