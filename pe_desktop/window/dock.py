"""A dock that looks like a card: a title row with the panel's controls, the panel under it."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from PySide6 import QtGui
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QPointF, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QCloseEvent, QContextMenuEvent, QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QSpacerItem, QTabBar, QVBoxLayout, QWidget

from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.flow import Block, Column, Ground, Layers, Space, Words, padded
from pe_desktop.draw.spoken import Spoken
from pe_desktop.languages import told
from pe_desktop.panels.controls.buttons import IconButton, acting
from pe_desktop.panels.controls.layouts import filled, label, moved_into
from pe_desktop.panels.page_canvas import PageCanvas
from pe_desktop.panels.scene_panel import Panel, dress
from pe_desktop.window.card import CardPart, SubtitleLabel
from pe_desktop.window.tab_order import bring_into_view, move_focus, stops_in

_TITLE_HEIGHT = 46
# Under a row of tabs.
_TABBED_HEIGHT = 36
# Above the controls; under a row of tabs they leave room below for the ring of the focus around the panel.
_ABOVE, _TABBED_ABOVE = 4, 2
# Around the panel, and above it where its controls stand beside the tabs.
_SIDE, _BELOW, _BELOW_TABS = 16, 8, 6
_WIDEST_TITLE = 440
_LEAVE = "Leave full screen (Esc)"
# How far a dock that pops out comes to stand from where it was, so that it is seen to float.
_POP_OUT = QPoint(40, 40)


class TitleRow(CardPart):
    """Title, what is shown, the panel's controls, its menu; of a panel that leaves the window the ways back.

    Dragging it moves the dock.
    """

    def __init__(self, panel: Panel, dock: "PanelDock") -> None:
        super().__init__(is_top=True, is_bottom=False, parent=dock)
        self.panel, self.dock = panel, dock
        # Whether it stands at the end of the row of tabs, over that.
        self.is_beside_tabs = False
        self.setFixedHeight(_TITLE_HEIGHT)
        self.title = label(panel.title, "title")
        self._subtitle = SubtitleLabel(fit=panel.subtitle_in)
        self._subtitle.show_text(panel.subtitle)
        panel.subtitle_changed.connect(self._subtitle.show_text)
        if panel.is_movable:
            self.more = IconButton("more", f"{panel.title}: more", self)
        else:
            self.more = IconButton("panelL", f"Fold {panel.title}", self, key="Ctrl+B")
        self.more.clicked.connect(self._on_more)
        # The subtitle takes what the controls leave.
        widgets = (self.title, self._subtitle, *panel.header_widgets(), self.more)
        self._row = filled(QHBoxLayout(self), *widgets, margins=(_SIDE, _ABOVE, 10, 0), spacing=8, wide=self._subtitle)
        # Docks are laid out a thousand times before they are seen, by what their title rows want to be.
        self._strut = QSpacerItem(0, _TITLE_HEIGHT - _ABOVE)
        self._row.addItem(self._strut)

    @cached_property
    def _apart(self) -> tuple[IconButton, IconButton]:
        """What a panel needs that leaves the window, made when it first does: a way back, and close."""
        back = acting(IconButton("dock", "", self), self.dock.bring_back)
        close = acting(IconButton("close", f"Close {self.panel.title}", self), self.dock.close)
        for button in (back, close):
            self._row.insertWidget(self._row.count() - 1, button)
        dress(self, self.theme)
        return back, close

    def minimumSizeHint(self) -> QSize:
        """As narrow as the smallest window lets it be: what stands in it is pressed together then."""
        hint = super().minimumSizeHint()
        is_alone = self.is_top and not self.panel.is_workspace
        return hint if is_alone else hint.boundedTo(QSize(_WIDEST_TITLE, _TITLE_HEIGHT))

    @property
    def buttons(self) -> tuple[IconButton, ...]:
        """Those that every panel has."""
        return (self.more, *self._apart) if "_apart" in vars(self) else (self.more,)

    def show_apart(self, *, is_floating: bool = False, is_full: bool = False) -> None:
        """Offer what a window of its own needs, or the way back from the whole screen."""
        if not (is_floating or is_full or "_apart" in vars(self)):
            return
        back, close = self._apart
        back.set_words(_LEAVE if is_full else f"Dock {self.panel.title} in the window")
        back.setVisible(is_floating or is_full)
        close.setVisible(is_floating)

    def show_as_tab(self, *, is_tab: bool) -> None:
        """Under a row of tabs the card begins with the tabs, which carry the title."""
        if is_tab == self.is_top:
            self.is_top = not is_tab
            self.update()
            self.title.setVisible(not is_tab)
            above, height = (_TABBED_ABOVE, _TABBED_HEIGHT) if is_tab else (_ABOVE, _TITLE_HEIGHT)
            self._strut.changeSize(0, height - above)
            self._row.setContentsMargins(_SIDE, above, 10, 0)
            self.setFixedHeight(height)

    def show_beside_tabs(self, *, is_beside: bool) -> None:
        """Stand at the end of the row of tabs, over that, with the subtitle next to the controls."""
        self.is_beside_tabs = is_beside
        self._row.setContentsMargins(0 if is_beside else _SIDE, self._row.contentsMargins().top(), 10, 0)
        self._subtitle.align(Qt.AlignmentFlag.AlignRight if is_beside else Qt.AlignmentFlag.AlignLeft)

    def fits_beside(self, tabs: QTabBar) -> bool:
        """Whether a row of tabs leaves the controls the room that they need."""
        needed = self._row.minimumSize().width() - self._row.contentsMargins().left()
        return tabs.tabRect(tabs.count() - 1).right() + needed <= tabs.width()

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        if not self.is_beside_tabs:
            super().paintEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.panel.is_movable:
            self.dock.ask_for_full_screen()

    def _on_more(self) -> None:
        if self.panel.is_movable:
            corner = QPoint(self.more.width(), self.more.height() + 2)
            self.dock.menu_asked.emit(self.dock, self.more.mapToGlobal(corner), True)
        else:
            self.panel.asked.emit("fold_encoding")


def centered(block: Block) -> Block:
    """A block in the middle of a darker ground."""
    beside = Space(0.0, grows=True)
    return Layers((Ground(), padded(Column((beside, block, beside)), 24.0)))


class Veil(PageCanvas):
    """Covers a panel, so that what it shows can be predicted first."""

    fits = False

    def __init__(self, covered: QWidget) -> None:
        answer = Words("Answer first", "message", across=0.5)
        super().__init__("Covered until the question is answered", partial(centered, answer), covered)
        # What lies behind it goes on being drawn.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, on=False)
        covered.installEventFilter(self)
        self.setGeometry(covered.rect())

    def eventFilter(self, covered: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(covered, QWidget):
            self.setGeometry(covered.rect())
        return False


class PanelDock(Spoken, QDockWidget):
    """Holds one panel; its object name is the panel's key."""

    accessible_role = QAccessible.Role.Pane

    # The dock, where its menu was asked for, in the screen's coordinates, and whether its right edge belongs there.
    menu_asked = Signal(object, QPoint, bool)
    closed = Signal()
    # The dock; so is that which has kept room for its panel until now.
    full_screen_asked = Signal(object)
    panel_made = Signal(object)
    resized = Signal()

    def __init__(self, kind: type[Panel], make: Callable[[], Panel], parent: QWidget) -> None:
        super().__init__(told(kind.tab_title or kind.title), parent)
        self.kind = kind
        self._make = make
        # Whether its controls stand in the row of tabs, where that has room for them.
        self.shares_tabs = False
        self._panel: Panel | None = None
        # What covers the panel, if anything.
        self.veil: Veil | None = None
        self.title_row: TitleRow | None = None
        self.setObjectName(kind.key)
        self.setAccessibleName(told(kind.title))
        self.setFeatures(_features(kind))
        if kind.is_movable:
            # Qt would make a tab of it and the transport or the Encoding dock.
            self.setAllowedAreas(Qt.DockWidgetArea.RightDockWidgetArea)
        self._following = soon(self, self.show_as_tab)
        # Where it floated before it covered the screen.
        self._place_before: QRect | None = None
        self.visibilityChanged.connect(self._on_visibility_changed)
        self.topLevelChanged.connect(self._on_floated)

    @property
    def panel(self) -> Panel:
        """The one that it holds, made when it is first asked for or seen."""
        return self.fill()

    def fill(self) -> Panel:
        """Make the panel, where there is none yet."""
        if self._panel is None:
            self._panel = self._make()
            self.kind = type(self._panel)
            self._hold(self._panel)
            self.panel_made.emit(self)
            self.show_as_tab()
        return self._panel

    @property
    def is_filled(self) -> bool:
        return self._panel is not None

    @property
    def shows_panel(self) -> bool:
        """Whether the panel can be seen, here or where else it is held."""
        return self._panel is not None and self._panel.isVisible() and not self.is_behind

    def keep_room(self) -> None:
        """Take as much room as the panel needs, which is not made yet."""
        room = QWidget(self)
        room.setMinimumSize(*self.kind.least_size)
        self.setTitleBarWidget(QWidget(self))
        self.setWidget(room)

    def show_as_tab(self) -> None:
        """Let the tab above say the title, where there is one, and have the controls beside it, where these fit."""
        window, row = self.parentWidget(), self.title_row
        if row is None or not isinstance(window, QMainWindow):
            return
        is_alone = self.isFloating() or self.is_full_screen
        row.show_as_tab(is_tab=not is_alone and bool(window.tabifiedDockWidgets(self)))
        tabs = tab_bar(self) if self.shares_tabs and not is_alone else None
        is_beside = tabs is not None and row.fits_beside(tabs)
        # Behind another tab it waits: to be moved there costs a style for each of its controls.
        if row.is_beside_tabs != is_beside and not (is_beside and self.is_behind):
            row.show_beside_tabs(is_beside=is_beside)
            self._column.setContentsMargins(_SIDE, 1 + _BELOW_TABS * is_beside, _SIDE, _BELOW)
            self._card.updateGeometry()
            stood = self.titleBarWidget()
            self.setTitleBarWidget(QWidget(self) if is_beside else row)
            # What moves it then may have changed this back.
            if stood is not row:
                stood.setParent(None)
            elif row.is_beside_tabs:
                row.setParent(window)
            row.setVisible(not row.is_beside_tabs)
            self.updateGeometry()
        self._follow_tabs()

    def _follow_tabs(self) -> None:
        """Keep the title row right of the tabs, while this dock is in front."""
        row, bar = self.title_row, tab_bar(self)
        if row is not None and row.is_beside_tabs:
            row.setVisible(bar is not None and self.is_in_front)
            if bar is not None:
                row.setGeometry(bar.geometry().adjusted(bar.tabRect(bar.count() - 1).right() + 1, -2, 0, 0))
                # What lies over the docks lies over it, too.
                row.stackUnder(self)
                bar.stackUnder(row)

    def _hold(self, panel: Panel) -> None:
        kept = (self.titleBarWidget(), self.widget())
        panel.installEventFilter(self)
        self._card = CardPart(is_top=not panel.has_title, is_bottom=True)
        self.title_row = TitleRow(panel, self) if panel.has_title else None
        self.setTitleBarWidget(QWidget(self) if self.title_row is None else self.title_row)
        side = _SIDE if panel.is_movable else 1
        below = _BELOW if panel.has_title else 1
        self._column = filled(QVBoxLayout(self._card), panel, margins=(side, 1, side, below))
        self.setWidget(self._card)
        for room in filter(None, kept):
            room.deleteLater()
        self._show_apart()
        if self.title_row is None:
            self.fit_height()

    def fit_height(self) -> None:
        """Be as high as the panel, which has a height of its own."""
        # The dock, too: without a title Qt finds it a pixel too low and cuts the lower hairline.
        for part in (self._card, self):
            part.setFixedHeight(self.panel.maximumHeight() + 2)

    def set_veiled(self, is_veiled: bool) -> None:
        """Cover the panel, or show it again."""
        if self._panel is None or is_veiled == (self.veil is not None):
            return
        if self.veil is not None:
            self.veil.deleteLater()
            self.veil = None
        else:
            self.veil = Veil(self._panel)
            self.veil.show_theme(self._card.theme)
            self.veil.show()
            self.veil.raise_()

    @property
    def is_behind(self) -> bool:
        """Whether it is open, but another tab is in front of it: Qt keeps it left of and above the window then."""
        return not self.isHidden() and not self.isFloating() and self.geometry().bottom() < 0

    @property
    def is_in_front(self) -> bool:
        """Whether it is open and no other tab is in front of it."""
        return not self.isHidden() and not self.is_behind

    @property
    def has_accessible_children(self) -> bool:
        return not self.is_behind

    def setFloating(self, is_floating: bool) -> None:  # noqa: N802 - Qt's name
        if is_floating == self.isFloating():
            # Qt would hide it and show it again, and the one behind it in between.
            return
        if not is_floating and self.title_row is not None:
            # Before the window makes room for it: what only a floating dock offers would take some for good.
            self.title_row.show_apart()
        super().setFloating(is_floating)
        if is_floating:
            self.move(moved_into(self.screen().availableGeometry(), self.geometry().translated(_POP_OUT)))

    def pop_out_or_in(self) -> None:
        """Make it a window of its own, or put it back."""
        end_drag(self.parentWidget())
        if self.isFloating():
            self.dock_again()
        elif self.features() & QDockWidget.DockWidgetFeature.DockWidgetFloatable:
            self.setFloating(True)
            # Not every window system gives the keyboard to a new window of this kind.
            self.activateWindow()

    def cover_screen(self) -> None:
        """Cover the screen while it floats: window systems refuse the state of full screen to windows of its kind."""
        end_drag(self.parentWidget())
        self._place_before = self.geometry()
        self.setGeometry(self.screen().geometry())
        self._show_apart()

    def uncover_screen(self) -> None:
        """Float where it did before; nothing happens where it doesn't cover the screen."""
        if self._place_before is not None:
            self.setGeometry(self._place_before)
            self._place_before = None
            self._show_apart()

    def ask_for_full_screen(self) -> None:
        """Ask the window to let it cover the screen, or to end that."""
        self.full_screen_asked.emit(self)

    def bring_back(self) -> None:
        """Put it back to where it was before it covered the screen or popped out."""
        if self.is_full_screen:
            self.ask_for_full_screen()
        else:
            self.dock_again()

    def dock_again(self) -> None:
        """Put it back to where it popped out, in front of the tabs there."""
        self.uncover_screen()
        self.setFloating(False)
        self.raise_()
        self.take_focus()

    def choose(self) -> None:
        """Open it, or bring its tab to the front, with the keyboard; close it where it is seen already."""
        if not self.is_in_front:
            self.bring_forward()
            self.take_focus()
        else:
            end_drag(self.parentWidget())
            self.close()

    def take_focus(self) -> None:
        """Give the keyboard to its plot, whatever window it stands in."""
        # Not every window system does so when a window opens, or with that of one that is gone.
        self.window().activateWindow()
        # The window that is active now has the keyboard elsewhere, or gets it there with its next event.
        QTimer.singleShot(0, self, partial(focus_plot, [self], self.window()))

    def bring_forward(self) -> None:
        """Open it, with its tab in front of others."""
        end_drag(self.parentWidget())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, Panel) and self.is_behind:
            watched.set_behind(True)
        return super().eventFilter(watched, event)

    def _show_apart(self) -> None:
        if self.title_row is not None:
            self.title_row.show_apart(is_floating=self.isFloating(), is_full=self.is_full_screen)

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._following.start()
        self.resized.emit()

    def moveEvent(self, event: QtGui.QMoveEvent) -> None:
        super().moveEvent(event)
        self.show_as_tab()
        self._following.start()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if event.isAccepted():
            self.closed.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.kind.is_movable:
            self.menu_asked.emit(self, event.globalPos(), False)
        else:
            event.ignore()

    def _on_floated(self, is_floating: bool) -> None:
        # The style sheet draws the frame.
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, is_floating)
        self._show_apart()
        if is_floating:
            focus_plot([self], self)
        else:
            self.unsetCursor()

    def _on_visibility_changed(self, is_seen: bool) -> None:
        self._follow_tabs()
        if (is_seen and not self.is_behind) or self.is_filled:
            self.panel.set_behind(not is_seen and self.isVisible())

    @property
    def is_full_screen(self) -> bool:
        """Whether it covers the screen, or what it holds does."""
        is_elsewhere = self.is_filled and self._card.parentWidget() not in (self, None)
        return is_elsewhere or self._place_before is not None

    def give_content(self) -> list[QWidget]:
        """Title row and card of a dock that can be moved, for something else to hold until `take_back_content`."""
        assert self.title_row is not None
        self.setTitleBarWidget(QWidget(self))
        self.title_row.show_beside_tabs(is_beside=False)
        self.title_row.show_as_tab(is_tab=False)
        self.title_row.show_apart(is_full=True)
        return [self.title_row, self._card]

    def take_back_content(self) -> None:
        """Hold title row and card again."""
        assert self.title_row is not None
        # First, for the column would become as wide as the button needs.
        self.title_row.show_apart()
        self.setTitleBarWidget(self.title_row)
        self.setWidget(self._card)
        self.title_row.show()
        self._card.show()
        self._following.start()

    def take_back_panel(self) -> None:
        """Hold the panel again after an overlay held it."""
        self._column.addWidget(self.panel)

    def stops(self) -> list[QWidget]:
        """What Tab comes to: the controls of the title, what the panel holds, the buttons that every panel has."""
        title = self.title_row
        if title is None:
            return stops_in(self.panel)
        controls = [stop for stop in stops_in(title) if stop not in title.buttons]
        return [*controls, *stops_in(self.panel), *(button for button in title.buttons if button.isVisible())]

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, N802 - Qt's names
        if self.isFloating():
            return move_focus(self.stops(), is_back=not next)
        return super().focusNextPrevChild(next)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        window = self.parentWidget()
        if event.key() == Qt.Key.Key_Escape and self._place_before is not None:
            self.ask_for_full_screen()
        elif self.isFloating() and window is not None:
            QCoreApplication.sendEvent(window, event)
        else:
            super().keyPressEvent(event)


def tab_bar(dock: QDockWidget) -> QTabBar | None:
    """The row of tabs above a dock, of which one is its own."""
    window = dock.parentWidget()
    if not isinstance(window, QMainWindow) or not window.tabifiedDockWidgets(dock):
        return None
    # Qt shows a new one late, and empties late those that it keeps for later: the dock's own ends above it.
    bars = [bar for bar in window.findChildren(QTabBar) if dock.windowTitle() in map(bar.tabText, range(bar.count()))]
    return min(bars, key=lambda bar: abs(bar.geometry().bottom() - dock.y()), default=None)


def dock_around(widget: QWidget | None) -> PanelDock | None:
    """The dock that a widget stands in, or whose title row it does."""
    while widget is not None and not isinstance(widget, PanelDock):
        widget = widget.dock if isinstance(widget, TitleRow) else widget.parentWidget()
    return widget


def soon(parent: QObject, run: Callable[[], None]) -> QTimer:
    """A timer that runs something once, after what happens now."""
    timer = QTimer(parent, interval=0, singleShot=True)
    timer.timeout.connect(run)
    return timer


def end_drag(window: QWidget | None) -> None:
    """Let go of the dock, the tab or the edge that the pointer drags in a window; nothing happens where it drags none.

    WORKAROUND: while one is dragged, Qt keeps pointers into the layout of the docks, which end the program when the
    button is released after a dock was added, removed or restored; so does the edge that the pointer rests on, when it
    moves on. Qt forgets that edge when the pointer leaves.
    """
    if not isinstance(window, QMainWindow) or not window.isVisible():
        return
    button, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    outside = QPointF(-1.0, -1.0)
    QCoreApplication.sendEvent(window, QtGui.QHoverEvent(QEvent.Type.HoverLeave, outside, outside, outside))
    for widget in (*window.findChildren(QTabBar), *window.findChildren(QDockWidget), window):
        release = QMouseEvent(
            QEvent.Type.MouseButtonRelease, outside, outside, button, none, Qt.KeyboardModifier.NoModifier
        )
        QCoreApplication.sendEvent(widget, release)


def _features(panel: type[Panel]) -> QDockWidget.DockWidgetFeature:
    feature = QDockWidget.DockWidgetFeature
    if not panel.is_movable:
        return feature.NoDockWidgetFeatures
    if panel.is_workspace:
        return feature.DockWidgetClosable
    return feature.DockWidgetMovable | feature.DockWidgetFloatable | feature.DockWidgetClosable


def focus_plot(docks: Sequence[PanelDock], window: QWidget) -> None:
    """Give the focus to the first plot that is visible in a window, or else to the window: there plain keys act."""
    left: QWidget | None = window.focusWidget()
    plot = _first_plot(docks, window)
    plot.setFocus()
    bring_into_view(plot)
    if left is not None and left is not window.focusWidget() and not window.isActiveWindow():
        # In a window behind another one Qt says this to nobody, and a field would stay open.
        QCoreApplication.sendEvent(left, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.OtherFocusReason))


def _first_plot(docks: Sequence[PanelDock], window: QWidget) -> QWidget:
    for dock in docks:
        is_seen = dock.shows_panel and dock.panel.window() is window
        children = dock.panel.findChildren(QWidget) if is_seen else []
        for child in sorted(children, key=lambda child: not isinstance(child, Canvas)):
            if child.isVisible() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
                return child
    return window
