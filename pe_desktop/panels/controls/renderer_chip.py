"""A chip in a title row that names what draws the heat map; its menu says why and changes it."""

from functools import cached_property

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionToolButton, QWidget

from pe_desktop.draw.theme import Theme, themed_icon
from pe_desktop.heat.renderer import AUTO, OPENGL, RASTER, Renderer
from pe_desktop.panels.controls.buttons import TextButton
from pe_desktop.panels.controls.popups import Menu

_HEIGHT = 24
_ICON_SIDE = 15
# Left and right, and between icon and words.
_PADDING, _GAP = 10, 8
_WORDS = {AUTO: "Choose automatically", RASTER: "Draw with the CPU", OPENGL: "Draw with the GPU"}


class RendererChip(TextButton):
    """Shows what a renderer has chosen, in words or, where it gets no room for them, as an icon; hidden until then."""

    def __init__(self, parent: QWidget | None = None, has_words: bool = True) -> None:
        super().__init__(parent)
        self._renderer: Renderer | None = None
        self.setProperty("role", "chip")
        self.setFixedHeight(_HEIGHT)
        self.setIconSize(QSize(_ICON_SIDE, _ICON_SIDE))
        self._has_words = has_words
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)
        self.hide()

    def use_renderer(self, renderer: Renderer) -> None:
        """Show what this one has chosen, now and later."""
        self._renderer = renderer
        renderer.changed.connect(self._on_changed)
        self._on_changed()
        self.show()

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.text()) + _GAP if self._has_words else 0
        return QSize(self.minimumSizeHint().width() + words, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(_ICON_SIDE + 2 * _PADDING, _HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        style = Qt.ToolButtonStyle
        is_wide = self._has_words and self.width() >= self.sizeHint().width()
        self.setToolButtonStyle(style.ToolButtonTextBesideIcon if is_wide else style.ToolButtonIconOnly)

    def paintEvent(self, event: QPaintEvent) -> None:
        # Room that is too little for the words stays empty before the icon.
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        if self.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly:
            option.rect = self.rect().adjusted(self.width() - self.minimumSizeHint().width(), 0, 0, 0)
        with QPainter(self) as painter:
            self.style().drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option, painter, self)

    def show_theme(self, theme: Theme) -> None:
        self.setIcon(themed_icon("cpu", theme, theme.text2))

    @cached_property
    def menu_of_choices(self) -> Menu:
        """Made when it is asked for; not the button's own menu, for which Qt keeps room for an arrow."""
        menu = Menu(self)
        self._why = menu.addAction("")
        self._why.setEnabled(False)
        menu.addSeparator()
        choices = QActionGroup(self)
        self._choices: dict[str, QAction] = {}
        for choice, words in _WORDS.items():
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setData(choice)
            choices.addAction(action)
            self._choices[choice] = action
        choices.triggered.connect(self._on_chosen)
        menu.addSeparator()
        menu.addAction("Copy graphics details").triggered.connect(self._on_copy)
        self._show_choice()
        return menu

    def _on_changed(self) -> None:
        if self._renderer is None:
            return
        words = "OpenGL drawing" if self._renderer.is_opengl else "CPU drawing"
        if self._renderer.has_gpu:
            words = "GPU drawing"
        self.setText(words if self._has_words else "")
        self.updateGeometry()
        self.setToolTip(f"{words}: {self._renderer.why}")
        self.setAccessibleName(words)
        self.setAccessibleDescription(self._renderer.why)
        if "menu_of_choices" in vars(self):
            self._show_choice()

    def _show_choice(self) -> None:
        if self._renderer is not None:
            self._why.setText(self._renderer.why)
            self._choices[self._renderer.choice].setChecked(True)

    def _on_clicked(self) -> None:
        self.menu_of_choices.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def _on_chosen(self, action: QAction) -> None:
        if self._renderer is not None:
            self._renderer.set_choice(action.data())

    def _on_copy(self) -> None:
        if self._renderer is not None:
            QGuiApplication.clipboard().setText(self._renderer.details)
