"""The rotation: M_k with PE(t + k) = M_k PE(t), as a picture, as algebra, and step by step."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.rotation import RotationField, has_rotation, rotation_refusal
from pe_desktop.core.shift import BestShift, ShiftReport, best_shift, shift_report
from pe_desktop.draw import marks
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.theme import Theme
from pe_desktop.heat.heatmap import HeatMap, View, color_table
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.model.worker import IsCancelled, Worker
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.paged import scrolled
from pe_desktop.panels.panel import Panel
from pe_desktop.panels.rotation_pages import algebra_lines
from pe_desktop.panels.rotation_texts import AlgebraPage, StepsPage
from pe_desktop.views.rotation.best_shift import best_shift_picture, best_shift_sentence
from pe_desktop.views.rotation.layout import rotation_layout
from pe_desktop.views.rotation.picture import residual_picture, rotation_picture

PICTURE, ALGEBRA, STEPS = "picture", "algebra", "steps"
# Of the pages that speak of M_k alone.
TOOLTIPS = {ALGEBRA: "What M_k obeys, with residuals", STEPS: "How M_k is found"}


class RotationCanvas(PictureCanvas):
    """The picture of M_k, the lens, the turn, the equation and the residuals."""

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._heat_map = HeatMap()
        self.report: ShiftReport | None = None
        self.best: BestShift | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Rotation matrix")

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        encoding, cursor = self._model.encoding, self._model.cursor
        if not has_rotation(encoding):
            return best_shift_picture(width, height, encoding, cursor, self.best, self.theme)
        layout = rotation_layout(width, height)
        side = max(round(layout.matrix.width * self.devicePixelRatioF()), 1)
        whole = float(encoding.d_model)
        field = RotationField(encoding, cursor.offset)
        view, table = View(0.0, whole, 0.0, whole), color_table(self.theme.diverging)
        heat = self._heat_map.image(field, view, (side, side), table)
        picture = rotation_picture(layout, encoding, cursor, heat, self.theme)
        if layout.residual is None:
            return picture
        return (*picture, *residual_picture(layout.residual, self.report, encoding.n_positions, cursor, self.theme))


class RotationPanel(Panel):
    """One matrix moves every position by k."""

    key = "rotation"
    title = "Rotation"
    area = Qt.DockWidgetArea.LeftDockWidgetArea

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.canvas = RotationCanvas(model)
        self._theme: Theme | None = None
        self._texts: dict[str, AlgebraPage | StepsPage] = {}
        self._worker = Worker(self)
        self._worker.answered.connect(self._on_measured)
        self._measured: tuple[Encoding, float, int | None] | None = None
        self._page = PICTURE
        self._pages = QStackedWidget()
        self._areas: dict[str, QWidget] = {PICTURE: self.canvas}
        self._pages.addWidget(self.canvas)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._pages)
        words = {PICTURE: "Matrix", ALGEBRA: "Algebra", STEPS: "Steps"}
        self._page_choice = Segments(words, "Rotation shows", self)
        self._page_choice.chosen.connect(self.set_page)
        self.setMinimumSize(280, 150)
        self._show_page()

    @property
    def page(self) -> str:
        """PICTURE, ALGEBRA or STEPS."""
        return self._page

    def set_page(self, page: str) -> None:
        """Show the picture, the algebra or the steps; where there is no M_k, the picture until there is one."""
        self._page = page
        self._show_page()

    def text_page(self, page: str) -> AlgebraPage | StepsPage:
        """ALGEBRA or STEPS; made when it is first chosen, for a start would wait for its many labels."""
        if page not in self._texts:
            text = AlgebraPage(self.model) if page == ALGEBRA else StepsPage(self.model)
            if self._theme is not None:
                text.show_theme(self._theme)
            self._texts[page], self._areas[page] = text, scrolled(text)
            self._pages.addWidget(self._areas[page])
        return self._texts[page]

    def _show_page(self) -> None:
        refusal = rotation_refusal(self.model.encoding)
        page = self._page if refusal is None else PICTURE
        if page != PICTURE:
            self.text_page(page)
        self._pages.setCurrentWidget(self._areas[page])
        self._page_choice.show_choice(page)
        for choice, tooltip in TOOLTIPS.items():
            self._page_choice.set_enabled(choice, is_enabled=refusal is None)
            self._page_choice.set_tooltips({choice: tooltip if refusal is None else refusal})
        self.set_subtitle("one matrix for every position" if refusal is None else "best 2 × 2 of a hand")
        self._show_text()

    def header_widgets(self) -> list[QWidget]:
        return [self._page_choice]

    def picture_image(self) -> QImage:
        return self.canvas.picture_image()

    def readout(self) -> str:
        if not has_rotation(self.model.encoding):
            return best_shift_sentence(self.model.encoding, self.model.cursor, self.canvas.best)
        algebra = self.text_page(ALGEBRA)
        assert isinstance(algebra, AlgebraPage)
        lines = algebra_lines(self.model.encoding, self.model.cursor, algebra.other)
        return "\n".join("\t".join(line) for line in lines)

    def show_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.canvas.show_theme(theme)
        for text in self._texts.values():
            text.show_theme(theme)

    @property
    def is_settled(self) -> bool:
        return not self._worker.is_busy

    def show_encoding(self, encoding: Encoding) -> None:
        self._measure()
        self._show_page()
        self.canvas.redraw()

    def show_cursor(self, cursor: Cursor) -> None:
        self._measure()
        self._show_text()
        self.canvas.update()

    def close_down(self) -> None:
        self._worker.close()

    def _measure(self) -> None:
        encoding, offset = self.model.encoding, self.model.cursor.offset
        hand = None if has_rotation(encoding) else self.model.cursor.pair
        if (encoding, offset, hand) == self._measured:
            return
        self._measured = (encoding, offset, hand)
        self.canvas.report = self.canvas.best = None

        def compute(is_cancelled: IsCancelled) -> ShiftReport | BestShift | None:
            return shift_report(encoding, offset, is_cancelled) if hand is None else best_shift(encoding, offset, hand)

        self._worker.ask(compute)

    def _on_measured(self, measured: ShiftReport | BestShift | None) -> None:
        if isinstance(measured, BestShift):
            self.canvas.best = measured
        else:
            self.canvas.report = measured
        self.canvas.update()

    def _show_text(self) -> None:
        if self.page != PICTURE and has_rotation(self.model.encoding):
            self.text_page(self.page).show_numbers()
