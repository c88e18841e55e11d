"""A widget that draws a scene: the still part kept as a bitmap, the moving part drawn each frame."""

import math
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPixmap, QWheelEvent
from PySide6.QtWidgets import QScrollArea, QToolTip, QWidget

from pe_desktop.core.cursor import Preview
from pe_desktop.draw.focus_ring import WIDTH, FocusRing, paint_ring
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.plot import ghosts
from pe_desktop.draw.scene import NOTHING, Area, Box, Part, Place, Scene
from pe_desktop.draw.spoken import Spoken
from pe_desktop.draw.theme import Theme, Themed
from pe_desktop.draw.told import Told, show_above
from pe_desktop.draw.typefaces import text_font
from pe_desktop.languages import told

_Reason: TypeAlias = Qt.FocusReason
# Reasons for which the ring of the focus is shown; after a press of the mouse it isn't.
_KEYBOARD_REASONS: Final = (_Reason.TabFocusReason, _Reason.BacktabFocusReason, _Reason.ShortcutFocusReason)
# Reasons that leave the ring as it was: back from a menu or another window.
_RETURNING_REASONS: Final = (_Reason.PopupFocusReason, _Reason.ActiveWindowFocusReason, _Reason.MenuBarFocusReason)

ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MARGIN: Final = 12
_FAILURE: Final = "This view could not be drawn. It is tried again with the next change; undo brings back what was."
# A property of the window: whether what was pressed last is a key; then a moved focus shows its ring.
USED_BY_KEYS: Final = "isUsedByKeys"
# Width and height in logical pixels, device pixels to each, and the colours: what a bitmap depends on besides its part.
_Ground: TypeAlias = tuple[float, float, float, Theme]


class Pointer:
    """The reactions of a canvas to mouse and wheel, here none; positions are logical pixels of the canvas."""

    # Where the mouse is, None outside the canvas.
    at: tuple[float, float] | None = None

    @property
    def preview(self) -> Preview | None:
        """The preview of a mouse in any view."""
        return None

    def press(self, event: QMouseEvent) -> None:
        event.ignore()

    # A move is one with or without a button held.
    move = release = double_click = press

    def wheel(self, event: QWheelEvent) -> bool:
        """React to the wheel; where it did nothing (False), the area around the canvas scrolls."""
        return False

    def leave(self) -> None:
        """The pointer left the canvas."""

    def buttons(self, places: Sequence[Place]) -> list[Place]:
        """The places that Tab comes to, in order, and that Enter presses."""
        return []

    def press_button(self, button: Place) -> None: ...


class Canvas(Told, Spoken, Themed, QWidget):
    """Draws the scene that `compose` gives for a box. `update()` is all that a change needs.

    compose is called once for any number of changes, while the next frame is painted, and once more where the heat map
    turned out coarser or finer than it was. An expose event without a change
    shows the last scene again. The still part, and what stands under it, is drawn anew when it differs, or when size,
    pixel ratio or theme do.
    """

    accessible_role = QAccessible.Role.Canvas
    # Whether its scene gets the visible part, `Box.visible`.
    is_scrolled = False

    def __init__(self, compose: Callable[[Box], Scene], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compose = compose
        self._scene = Scene()
        # Which the scene was composed in, None where it is to be composed anew.
        self._scene_box: Box | None = None
        # Whether what the scene shows may have changed since.
        self._is_due = True
        self._places: tuple[Part, tuple[Place, ...]] = (NOTHING, ())
        # The bitmap of the still part and of what stands under it, by these names, with what each shows.
        self._bitmaps: dict[str, tuple[tuple[Part, _Ground], QPixmap]] = {}
        self._box: tuple[tuple[Hashable, ...], Box] | None = None
        self._shown: tuple[Hashable, ...] | None = None
        self._shows_focus = False
        # The window in which it had the focus last.
        self._left_window: QWidget | None = None
        # The name of the place with the focus, "" where the whole canvas has it.
        self._marked = ""
        self._ring: FocusRing | None = None
        self.pointer = Pointer()
        # The description of the picture for screen readers.
        self.describe: Callable[[], str] | None = None
        # The words at a point, given the place that it lies in.
        self.tooltip: Callable[[Place | None, float, float], str] | None = None
        # The names of places that a ring is drawn around.
        self.pointed_at: Callable[[], Sequence[str]] = tuple
        # Whether the last frame could not be drawn.
        self.has_failed = False
        # The kinds of errors and the lines that they came through, since the last frame that was drawn.
        self._told: set[tuple[object, ...]] = set()
        # Pixels of the screen to one of the scene, more than 1 where it is shown to a room.
        self.zoom = 1.0
        self.is_bare = False
        self.n_frames = 0
        self.n_painted = Counter[str]()
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self._show_ring()

    @property
    def painted(self) -> QWidget:
        """What its frames are painted on."""
        return self

    def update(self) -> None:  # type: ignore[override] # the whole canvas, the one way that is used
        self._is_due = True
        QWidget.update(self.painted)

    def repaint(self) -> None:  # type: ignore[override]
        self._is_due = True
        QWidget.repaint(self.painted)

    def show_what(self, *shown: Hashable) -> None:
        """Draw anew where the arguments of the scene differ from the last ones."""
        if shown != self._shown:
            self._shown = shown
            self.update()

    @property
    def shows_focus(self) -> bool:
        """Whether a ring shows that the focus came by the keyboard."""
        return self._shows_focus and self.hasFocus()

    @property
    def marked(self) -> Place | None:
        """The place within that Tab has come to, None for the whole canvas."""
        return next((place for place in self.places() if place.name == self._marked), None) if self._marked else None

    def box(self) -> Box:
        """What the next scene is drawn into."""
        size = self.width() / self.zoom, self.height() / self.zoom
        visible_area = None
        pointer = self.pointer
        if self.is_scrolled:
            visible: Any = self.visibleRegion().boundingRect().getRect()
            is_part = visible[2] > 0 and visible[3] > 0 and visible != (0, 0, self.width(), self.height())
            visible_area = Area(*(side / self.zoom for side in visible)) if is_part else None
        colors = self.devicePixelRatioF() * self.zoom, self.theme
        made_of = (*size, *colors, False, visible_area, self.coarseness, pointer.at, pointer.preview, self.is_bare)
        # Nothing of it changes from frame to frame while t moves.
        if self._box is None or self._box[0] != made_of:
            self._box = made_of, Box(*made_of)
        return self._box[1]

    def set_zoom(self, zoom: float, *, is_bare: bool = False) -> None:
        """Draw the scene so many times as large, in as much less room; a bare one leaves out what has no room."""
        self.zoom, self.is_bare = zoom, is_bare
        self._scene_box = None
        self.update()

    def point_at(self, place: QPoint | QPointF) -> tuple[float, float]:
        """The point of the scene at a place of the widget."""
        return place.x() / self.zoom, place.y() / self.zoom

    def rect_of(self, area: Area) -> QRect:
        """Where an area of the scene stands in the widget."""
        return QRectF(*(side * self.zoom for side in area)).toRect()

    @property
    def last_box(self) -> Box | None:
        """The box that was asked for last, None before the first."""
        return None if self._box is None else self._box[1]

    @property
    def coarseness(self) -> Any:
        """What the heat map on show leaves out, None for an exact one, and where there is none."""
        return None

    def begin_frame(self) -> Scene:
        """The scene to draw: the last one where no other was asked for and the box is the same."""
        box = self.box()
        if self._is_due or self._scene_box is not box:
            self._scene, self._scene_box = self._compose(box), box
            self._is_due = False
            if box.preview is not None:
                shown = ghosts(self.places(), box.preview, box.theme)
                self._scene = replace(self._scene, moving=(*self._scene.moving, *shown))
        return self._scene

    def scene(self) -> Scene:
        """The scene of the last frame, or of the first one where there was none."""
        return self.begin_frame() if self._scene_box is None else self._scene

    def places(self) -> tuple[Place, ...]:
        """The named rectangles of the scene."""
        part = self.scene().places
        if part != self._places[0]:
            self._places = (part, tuple(part()))
        return self._places[1]

    def place_at(self, x: float, y: float) -> Place | None:
        """The last of the scene's places that a point lies in: later places lie over earlier ones.

        What is due is composed first: a press sets what belongs to the state as it is now.
        """
        if not self.has_failed:
            self.begin_frame()
        return next((place for place in reversed(self.places()) if place.area.holds(x, y)), None)

    def accessible_description(self) -> str:
        return self.describe() if self.describe is not None else ""

    def minimumSizeHint(self) -> QSize:
        """Small enough for any layout; panels set what they need."""
        return QSize(40, 16)

    def event(self, event: QEvent) -> bool:
        # Here, because a subclass that handles presses by itself need not pass them on. The types of few events are
        # read, because each is made into a member of an enumeration.
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress:
            self._shows_focus = False
            self._show_focus()
            self._main_window().setProperty(USED_BY_KEYS, False)
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            self._main_window().setProperty(USED_BY_KEYS, True)
        elif isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.tooltip is not None:
            x, y = self.point_at(event.pos())
            place = self.place_at(x, y)
            words = self.tooltip(place, x, y)
            if place is not None and place.tooltip:
                show_above(self.rect_of(place.area), told(words), event, self)
            else:
                # An empty text hides a tooltip.
                QToolTip.showText(event.globalPos(), told(words), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        if self.width() >= 1 and self.height() >= 1:
            self.paint_frame(self._paint)

    def paint_frame(self, paint: Callable[[], None]) -> None:
        """Make the scene and paint it, or a sentence in place of the view where it can't be drawn."""
        try:
            # Made before the painter is: an error in a scene must not leave a painter open.
            self.begin_frame()
            paint()
            self._told.clear()
            self.has_failed = False
        except Exception as error:  # noqa: BLE001 - no error may leave a paint event
            self._note_failure(error)
            with QPainter(self.painted) as painter:
                self._paint_failure(painter)
        self.n_frames += 1

    def _paint(self) -> None:
        """Paint the scene; a zoomed one first into a bitmap whose pixels are those of the screen."""
        target: QWidget | QPixmap = self
        if self.zoom != 1.0:
            target = QPixmap((self.size().toSizeF() * self.devicePixelRatioF()).toSize())
            target.setDevicePixelRatio(self.devicePixelRatioF() * self.zoom)
        with QPainter(target) as painter:
            self.paint_still(painter)
            self.paint_map(painter)
            self.paint_moving(painter)
        if isinstance(target, QPixmap):
            target.setDevicePixelRatio(self.devicePixelRatioF())
            with QPainter(self) as painter:
                painter.drawPixmap(0, 0, target)

    def paint_still(self, painter: QPainter) -> None:
        """The still marks on the ground."""
        still = self._still_bitmap(self._scene)
        if still is None:
            painter.fillRect(self.rect(), self.theme.panel)
        else:
            painter.drawPixmap(0, 0, still)

    def paint_map(self, painter: QPainter) -> None:
        """The heat map over the still marks; a subclass has one."""

    def paint_moving(self, painter: QPainter) -> None:
        """The moving marks, and the ring around the place within that the keyboard has come to."""
        paint_marks(painter, self._scene.moving, pixel_ratio=self.devicePixelRatioF() * self.zoom)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        names = self.pointed_at()
        for place in self.places() if names else ():
            if place.name in names:
                area = place.area.grown(4.0, 4.0)
                paint_ring(painter, QRectF(*area), self.theme.text2, radius=min(area.width, area.height, 40.0) / 2)
        if self._marked and self.shows_focus:
            marked = self.marked
            if marked is not None:
                frame = QRectF(*marked.area)
                # The ground within it, for a place may be as dark, or as light, as the ring.
                paint_ring(painter, frame, self.theme.panel, 2 * WIDTH - 1.0)
                paint_ring(painter, frame, self.theme.focus)
            else:
                # The place no longer exists: the whole canvas has the focus.
                self._marked = ""
                QTimer.singleShot(0, self, self._show_ring)

    def _note_failure(self, error: Exception) -> None:
        """Pass an error to the program's hook, once as long as no frame can be drawn.

        Until then the scene is empty and has no places.
        """
        kind, trace = type(error), error.__traceback__
        self.has_failed = self._is_due = True
        self._scene, self._scene_box = Scene(), self.last_box or Box(0.0, 0.0, 1.0, self.theme)
        failure = (kind, *(line for _, line in traceback.walk_tb(trace)))
        if failure not in self._told:
            self._told.add(failure)
            sys.excepthook(kind, error, trace)

    def _paint_failure(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), self.theme.panel)
        painter.setFont(text_font("caption"))
        painter.setPen(self.theme.text2)
        room = self.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, told(_FAILURE))

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._scene_box = None
        self.follow_place()

    def moveEvent(self, event: QtGui.QMoveEvent) -> None:
        super().moveEvent(event)
        self.follow_place()

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        super().hideEvent(event)
        self._is_due = True

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802 - Qt's names
        """Move the focus by Tab: canvas, its buttons, then the next widget; fields on the canvas call it too."""
        if not self.hasFocus():
            return super().focusNextPrevChild(next)
        names = ["", *(button.name for button in self.pointer.buttons(self.places()))]
        place = (names.index(self._marked) if self._marked in names else 0) + (1 if next else -1)
        if 0 <= place < len(names):
            self.mark(names[place])
            return True
        return super().focusNextPrevChild(next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        button = self.marked if event.key() in (*ENTER, Qt.Key.Key_Space) else None
        if button is None:
            super().keyPressEvent(event)
        else:
            self.pointer.press_button(button)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        is_by_keys = event.reason() in _KEYBOARD_REASONS or bool(self._main_window().property(USED_BY_KEYS))
        if event.reason() not in _RETURNING_REASONS:
            self._marked = ""
            self._shows_focus = is_by_keys
        elif self._left_window is not self.window():
            # A plot that floats, or is docked, gets the focus with its window.
            self._shows_focus |= is_by_keys
        self._show_focus()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._left_window = self.window()
        self._show_focus()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.pointer.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.setAccepted(self.pointer.wheel(event))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointer.leave()

    def _still_bitmap(self, scene: Scene) -> QPixmap | None:
        """The still part on the ground; None where there is none, for a canvas may be many screens tall."""
        if scene.still == NOTHING:
            return None
        box = self.last_box or self.box()
        ground = box.width, box.height, box.pixel_ratio, box.theme
        return self._bitmap("still", scene.still, ground)

    def _bitmap(self, name: str, part: Part, ground: _Ground) -> QPixmap:
        kept = self._bitmaps.get(name)
        if kept is None or kept[0] != (part, ground):
            kept = self._bitmaps[name] = (part, ground), self._painted(part, ground)
            self.n_painted[name] += 1
        return kept[1]

    def _painted(self, part: Part, ground: _Ground) -> QPixmap:
        ratio = ground[2]
        if part.under is None:
            bitmap = QPixmap((self.size().toSizeF() * self.devicePixelRatioF()).toSize())
            bitmap.setDevicePixelRatio(ratio)
            bitmap.fill(self.theme.panel)
        else:
            bitmap = self._bitmap("under", part.under, ground).copy()
        picture = part.over()
        with QPainter(bitmap) as painter:
            paint_marks(painter, picture, pixel_ratio=ratio)
        return bitmap

    def mark(self, name: str, *, shows_focus: bool = True) -> None:
        """Move the ring of the focus around a place, and draw it if it is to be seen or was; scroll to the place."""
        self._marked = name
        self._shows_focus |= shows_focus
        self._show_focus()
        self._tell_marked()
        area = self.parentWidget()
        marked = self.marked
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        page = None if area is None else area.widget()
        if area is not None and page is not None and marked is not None:
            # It may be one of several parts of the page that scrolls.
            where = self.rect_of(marked.area)
            middle = self.mapTo(page, where.center())
            area.ensureVisible(middle.x(), middle.y(), 0, math.ceil(where.height() / 2) + 4)

    def _tell_marked(self) -> None:
        """Announce to screen readers that a place, or the whole canvas, has the focus."""
        if not QAccessible.isActive() or not self.hasFocus():
            return
        focus = QtGui.QAccessibleEvent(self, QAccessible.Event.Focus)
        marked = self.marked
        if marked is not None:
            focus.setChild(self.places().index(marked))
        QAccessible.updateAccessibility(focus)

    def _main_window(self) -> QWidget:
        """Its window, or the main window of a floating dock."""
        window = self.window()
        return (window.parentWidget() or window).window()

    def _show_focus(self) -> None:
        self._show_ring()
        # For the ring within; Qt's own update does not reach what covers the canvas and paints its frames.
        self.update()

    def _show_ring(self) -> None:
        """Draw the ring around the whole canvas where the focus came by the keyboard."""
        if self.shows_focus and not self._marked and not self.isWindow():
            if self._ring is None:
                self._ring = FocusRing(self)
            self._ring.surround(self.theme.focus)
        elif self._ring is not None:
            self._ring.hide()

    def follow_place(self) -> None:
        """It has been moved, or has another size: the ring goes with it."""
        if self._ring is not None and self._ring.isVisible():
            self._ring.follow()
