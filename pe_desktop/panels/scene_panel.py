"""What every panel is: one that draws its view on one canvas, one that scrolls it, one whose controls are data."""

import contextlib
import math
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from operator import attrgetter, is_
from typing import Any, ClassVar

from PySide6.QtCore import QEvent, QKeyCombination, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QHideEvent, QKeyEvent, QKeySequence, QPalette, QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from pe_desktop.core.state import State, value_of
from pe_desktop.draw import number_text
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Area, Box, Place, Scene
from pe_desktop.draw.spoken import Spoken
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.findings import Questions
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import ARROWS
from pe_desktop.panels.controls.control_set import ControlCard, ControlSet
from pe_desktop.panels.controls.layouts import BARE, filled
from pe_desktop.panels.controls.popups import ChoiceBox
from pe_desktop.panels.controls.progress_row import ProgressRow
from pe_desktop.panels.gestures import Changes, Gestures, Reactions
from pe_desktop.views.controls import Control, Press
from pe_desktop.views.paged import PagedView
from pe_desktop.views.table import VIEWS

# A screen reader can't follow what moves: it is told what has come to rest for so long.
_REST_MILLISECONDS = 250
# From so many dimensions on all panels together take longer to follow a change than an answer may: one of a parameter,
# and one of the kind, after which little of what was drawn stays, or of rows that are drawn from a seed.
_MANY_DIMENSIONS, _MANY_DRAWN_ANEW = 2**14, 2**9
# All but the cursor of a state: `with_cursor` leaves the same objects.
_NOT_THE_CURSOR = attrgetter("encoding", "span", "trained_length", "attention", "precision", "views")


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
    # What its tab says where that is shorter than the title.
    tab_title: ClassVar[str] = ""
    # Opened in place of all other plots, which come back when it is closed.
    is_workspace: ClassVar[bool] = False
    # What the menu calls copying the numbers, what is copied then, and what it calls further choices, "" for none.
    readout_title: tuple[str, str] = ("Copy as table", "table")
    choices_title: ClassVar[str] = ""
    # What its dock needs behind another tab, in pixels, while nobody has seen it and it isn't made.
    least_size: ClassVar[tuple[int, int]] = (0, 0)
    # The least that it is made, in pixels.
    smallest: tuple[int, int] = (0, 0)
    # Keys that act while the panel has the focus, and what they do, beside those of the window.
    keys: ClassVar[Mapping[str, str]] = {}
    # Whether it follows the encoding of a very wide table after the other panels, not with them.
    takes_turns: ClassVar[bool] = False

    asked = Signal(str)
    subtitle_changed = Signal(str)

    def __init__(self, model: EncodingModel, playback: Playback) -> None:
        super().__init__()
        self.setMinimumSize(*self.smallest)
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
        self.make()

    def make(self) -> None:
        """Make what it holds."""

    @property
    def view_key(self) -> str:
        """The view whose figures show what is seen here."""
        return self.key

    def subtitle_in(self, room: float = math.inf) -> str:
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
        elif self._is_late and self.isVisible() and self.isVisibleTo(self.window()):  # not in a dock that Qt hides now
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
        self.model.findings.ask(self.key, ())

    def _catch_up(self) -> None:
        self._is_late = False
        with _telling_errors():
            self._on_changed()

    def _on_state_changed(self, state: State) -> None:
        if self._is_late:
            return
        if all(map(is_, _NOT_THE_CURSOR(self._followed), _NOT_THE_CURSOR(state))):
            self.refresh()
            self._rest_soon()
        elif self.underMouse():
            self._on_changed()
        else:
            self._follow_in_turn()

    def _follow_in_turn(self) -> None:
        """Follow at once, or where all panels together take long after those that wait already."""
        new, old = self.model.encoding, self._followed.encoding
        is_alike = type(new) is type(old) and new.redrawn is None
        most = _MANY_DIMENSIONS if is_alike else _MANY_DRAWN_ANEW
        # Of a slider that is held each panel would show every fifth change only.
        is_dragged = is_alike and self.model.findings.is_held
        if self.takes_turns and not is_dragged and max(new.d_model, old.d_model) >= most:
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

    def _on_preview_changed(self) -> None:
        """Show lightly what is under the pointer, in whichever panel it is."""
        for canvas in () if self._is_late else self.findChildren(Canvas):
            canvas.update()


@contextlib.contextmanager
def _telling_errors() -> Iterator[None]:
    """Pass an error to the program's hook: Qt goes on with one that leaves an event, until the program ends by it."""
    try:
        yield
    except Exception:  # noqa: BLE001 - no error may leave an event
        sys.excepthook(*sys.exc_info())


def dress(root: QWidget, theme: Theme) -> None:
    """Let a widget and all in it draw in a theme, the parts before the whole."""
    # The list of a box is Qt's own, and to know its widgets takes PySide long, the first time.
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    for part in () if isinstance(root, QComboBox) else reversed(root.findChildren(QWidget, options=direct)):
        dress(part, theme)
    # Of the class: for a name that an object lacks, PySide looks through all its signals and slots.
    if (show := getattr(type(root), "show_theme", None)) is not None:
        show(root, theme)


class PageArea(Spoken, QScrollArea):
    """Scrolls a page up and down, by wheel and Page keys, without a frame; the focus is for what the page holds.

    It leaves the arrows, which move t and the pair, to the window.
    """

    accessible_role = QAccessible.Role.Pane

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        # One that Python has made: to find the type of Qt's own, PySide loads all kinds of widgets, which takes 10 ms.
        viewport = QWidget()
        viewport.setObjectName("qt_scrollarea_viewport")
        viewport.setBackgroundRole(QPalette.ColorRole.NoRole)
        viewport.setAutoFillBackground(True)
        self.setViewport(viewport)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(page)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ARROWS:
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
# The least height of a scene that is shown to a room.
_LOWEST_SCENE = 240
# Digits that the eye reads and the ear does not.
_LONG_NUMBER = r"\d+\.\d{7,}"


class ScenePanel(Reactions, Panel):
    """Draws the view of its key, as its scene.py says, and scrolls where that needs more height than there is."""

    takes_turns = True
    canvas_class: ClassVar[type[Canvas]] = Canvas
    smallest = (250, 60)
    accessible_name: str = ""
    # What stands in the title row, and elsewhere where a panel puts it.
    controls: tuple[Control, ...] = ()
    # What stands on a card that the menu opens.
    card_controls: tuple[Control, ...] = ()
    # Whether the words beside the title, and the height that the scene needs, may change with the cursor alone.
    describes_cursor: bool = True
    fits_cursor: ClassVar[bool] = True
    # The name in the state of what is shown: another value of it begins at its top.
    page = ""
    _page_shown: Any = None
    is_bare = False

    def __init_subclass__(cls) -> None:
        row = VIEWS.get(vars(cls).get("key", ""))
        if row is not None:
            for name, value in {"title": row.title, **row.panel}.items():
                setattr(cls, name, value)

    def make(self) -> None:
        self.canvas = self.canvas_class(self.compose, self)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas.is_scrolled = True
        self.canvas.setAccessibleName(self.accessible_name or self.title)
        self.canvas.describe = self.spoken
        self.canvas.tooltip = self.tooltip_at
        self.gestures = Gestures(self.model, self)
        self.control_set = ControlSet(self.model, self.controls, self)
        self.widgets, self.refusal = self.control_set.widgets, self.control_set.refusal
        self._asked_about: tuple[State | None, Box | None] = (None, None)
        self.page_area = PageArea(self.canvas)
        self.page_area.viewport().installEventFilter(self)
        self.column = filled(QVBoxLayout(self), self.refusal, self.page_area, margins=BARE, spacing=0)

    @cached_property
    def view(self) -> PagedView:
        """What draws it, loaded when it is first seen: most panels begin behind a tab."""
        return VIEWS[self.key].module()

    @cached_property
    def card(self) -> ControlCard:
        """The choices that stand nowhere else, made when they are asked for."""
        card = ControlCard(self.model, self.card_controls, self)
        dress(card, self.canvas.theme)
        return card

    def open_choices(self, corner: QPoint) -> None:
        self.card.open_at(corner)

    def header_widgets(self) -> list[QWidget]:
        return self.control_set.row(is_in_title=True)

    @property
    def is_cut(self) -> bool:
        """Whether it is smaller than the view needs, or has to scroll."""
        zoom = self.canvas.zoom
        is_small = self.width() < zoom * self.minimumWidth() or self.height() < zoom * _LOWEST_SCENE
        return is_small or self._needed(self.page_area.width()) > self.page_area.height()

    def set_zoom(self, zoom: float, *, is_bare: bool = False) -> None:
        """Draw the scene so many times as large; a bare panel has no row of controls, and doesn't scroll."""
        self.is_bare = is_bare
        self.canvas.set_zoom(zoom, is_bare=is_bare)
        self.show_row()
        self.fit()

    def show_again(self) -> None:
        """Opened once more by a person, show what it stands for."""

    def show_row(self) -> None:
        """Show the row of controls that stands in the panel, where it has one that says anything."""

    def key_changes(self, key: str) -> Changes | None:
        """What a key of this panel alone changes, by its name as Qt writes it; None for one that does nothing here."""
        return None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        pressed = QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
        changes = self.key_changes(pressed.toString(QKeySequence.SequenceFormat.PortableText))
        if changes is None:
            super().keyPressEvent(event)
        else:
            self.gestures.change(changes)

    def tooltip_at(self, place: Place | None, x: float, y: float) -> str:
        """What the pointer is told at a place."""
        return "" if place is None else place.tooltip

    def compose(self, box: Box) -> Scene:
        """The scene of the state as it is now."""
        asked_state, asked_box = self._asked_about
        if self.view.box_questions is not None and not (asked_state is self.model.state and asked_box is box):
            self._ask()
        return self.view.scene(self.model.state, self.model.findings, box)

    def questions(self) -> Questions:
        """What is to be found out, the most urgent first."""
        state, in_box = self.model.state, self.view.box_questions
        return (*self.view.questions(state), *(() if in_box is None else in_box(state, self.canvas.box())))

    def _ask(self) -> None:
        questions = self.questions()
        # Questions about a box have asked for it; others are not asked again because of one.
        self._asked_about = self.model.state, self.canvas.last_box
        self.model.findings.ask(self.key, questions)

    def refresh(self) -> None:
        self._ask()
        if self.describes_cursor:
            self.set_subtitle(self.subtitle_in())
        self.canvas.update()
        if self.fits_cursor:
            self.fit()

    def show_choices(self) -> None:
        self.control_set.show_state(self.model.state)
        if not self.describes_cursor:
            self.set_subtitle(self.subtitle_in())
        if not self.fits_cursor:
            self.fit()
        shown = [value_of(self.model.state, name) for name in self.page.split()]
        if shown != self._page_shown:
            self._page_shown = shown
            self.page_area.verticalScrollBar().setValue(0)

    def subtitle_in(self, room: float = math.inf) -> str:
        return self.view.subtitle(self.model.state, self.model.findings, room)

    def spoken(self) -> str:
        """What a screen reader tells of the picture: the cursor, the subtitle, the first of the places."""
        cursor = self.model.cursor
        places = [place for place in self.canvas.places() if place.value]
        t = number_text.position(cursor.position)
        k = number_text.position(cursor.offset)
        chosen = [place for place in places if place.is_chosen]
        words = [f"t {t}, k {k}, pair {cursor.pair}", self.subtitle_in()]
        room = _MOST_TOLD
        for place in chosen or places:
            value = re.sub(_LONG_NUMBER, lambda number: number_text.fixed(float(number[0]), 4), place.value)
            words.append(f"{place.name} {value}")
            room -= len(words[-1])
            if room < 0:
                break
        return "; ".join(filter(None, words))

    def readout(self) -> str:
        return self.view.readout(self.model.state, self.model.findings)

    def fit(self) -> None:
        """Give the canvas the height that its scene needs, that of the panel at least."""
        if self._is_late:
            return
        # The height at full width alone decides on the bar: both can't change each other for ever.
        area, policy = self.page_area, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        width, room = area.width(), area.height()
        needed = 0.0 if self.is_bare else self._needed(width)
        if needed > room:
            policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn
            needed = self._needed(width - area.verticalScrollBar().sizeHint().width())
        area.setVerticalScrollBarPolicy(policy)
        self.canvas.setMinimumHeight(max(math.ceil(needed), room) if needed else 0)

    def _needed(self, width: int) -> float:
        """The height that the scene needs at a width, 0 where it takes what there is, or no height would do."""
        view = self.view
        state = self.model.state
        findings = self.model.findings
        theme = self.canvas.theme
        zoom = self.canvas.zoom
        wide = max(width, self.canvas.minimumWidth()) / zoom
        if view.needed is not None:
            seen = Area(0.0, 0.0, wide, self.page_area.viewport().height() / zoom)
            return zoom * view.needed(state, findings, Box(wide, math.inf, 1.0, theme, visible=seen))
        height = view.height(state, findings, wide, theme) or 0.0
        return zoom * height if math.isfinite(height) else 0.0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            with _telling_errors():
                self.fit()
        return super().eventFilter(watched, event)


# What stays in sight above a chosen place that is higher than the room.
_BEFORE = 40


class DeclaredPanel(ScenePanel):
    """Draws the view of its key with the controls that the view declares."""

    # The name of the state whose change scrolls to the last chosen place.
    marked = ""

    def make(self) -> None:
        self.controls = self.view.controls
        super().make()
        self.control_set.pressed.connect(self._on_pressed)
        self._marked_value: Any = None
        self.progress = ProgressRow(self.model.findings, self)
        self._row = QWidget()
        self._row.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        row = filled(QHBoxLayout(self._row), margins=(0, 4, 6, 4), spacing=6)
        widgets = self.control_set.row(is_in_title=False)
        for widget in widgets:
            row.addWidget(widget, int(isinstance(widget, ChoiceBox)))
        # Lists share the room, buttons are no wider than their words.
        row.addStretch(int(not any(isinstance(widget, ChoiceBox) for widget in widgets)))
        if row.count() > 1:
            self.column.insertWidget(0, self._row)
        self.column.addWidget(self.progress)
        # A page has its height only after it has been laid out.
        self._bringing = QTimer(self, interval=0, singleShot=True)
        self._bringing.timeout.connect(self._bring_into_view)
        # What stays in sight is drawn at another place.
        self.page_area.verticalScrollBar().valueChanged.connect(self.canvas.update)

    def is_stop(self, place: Place) -> bool:
        return place.is_chosen or not self.is_choice(place)

    def is_choice(self, place: Place) -> bool:
        """Whether the arrows choose among places like this one: Tab comes to the chosen one alone."""
        names = () if callable(place.sets) else (*(place.sets or ()),)
        return self.view.beside is not None and names == (self.marked,)

    def key_changes(self, key: str) -> Changes | None:
        beside = self.view.beside
        changes = None if beside is None else beside(self.model.state, self.model.findings, key)
        for place in filter(self.is_choice, self.canvas.places()):
            if place.sets == changes:
                self.canvas.mark(place.name)
        return changes

    def refresh(self) -> None:
        super().refresh()
        self.follow_progress()
        if self.marked and self._marked_value != value_of(self.model.state, self.marked):
            self._marked_value = value_of(self.model.state, self.marked)
            self.show_chosen()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.marked:
            # Laid out higher meanwhile, the page has been scrolled by Qt.
            self.show_chosen()

    def follow_progress(self) -> None:
        """Have the row of progress tell of what takes long."""
        self.progress.follow([question for question in self.questions() if question.title][:1])

    def show_chosen(self) -> None:
        """Scroll the chosen place into view as soon as the page stands."""
        self._bringing.start()

    def show_choices(self) -> None:
        super().show_choices()
        self.show_row()

    def show_row(self) -> None:
        state = self.model.state
        shown = [control.is_shown(state) for control in self.view.controls if not control.is_in_title]
        # Without its row nothing would ever be trained.
        is_needed = self.key == "learn" and not state.views.learn.trains
        self._row.setVisible(any(shown) and (is_needed or not self.is_bare))

    def _on_pressed(self, control: Press) -> None:
        # What is copied is of the panel that has the focus, which a press on a button doesn't move everywhere.
        self.canvas.setFocus()
        changes = control.changes(self.model.state) if control.changes is not None else None
        if changes:
            self.model.set(**changes)
        if control.action:
            self.asked.emit(control.action)

    def _bring_into_view(self) -> None:
        place = next((place for place in reversed(self.canvas.places()) if place.is_chosen), None)
        if place is not None:
            if self.canvas.marked is not None and self.is_choice(self.canvas.marked):
                self.canvas.mark(place.name, shows_focus=False)
            where = self.canvas.rect_of(place.area)
            x = where.center().x()
            self.page_area.ensureVisible(x, where.center().y(), 0, where.height() // 2 + 1)
            # Of a place that is higher than the room its beginning, below the end of what stands before it.
            self.page_area.ensureVisible(x, where.y(), 0, _BEFORE)
