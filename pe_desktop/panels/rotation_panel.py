"""The rotation: M_k with PE(t + k) = M_k PE(t), as a picture, as algebra, and step by step."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from pe_desktop.core.best_shift import BestShift, best_shift
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.rotation import RotationField, eigenvalues, has_rotation, rotating_pairs, rotation_refusal
from pe_desktop.core.rules import OFFSET
from pe_desktop.core.shift_report import ShiftReport, shift_report
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.model.worker import IsCancelled, Worker
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.labels import FormulaLabel, RefusalLabel
from pe_desktop.panels.controls.number_field import NumberField
from pe_desktop.panels.controls.paged import scrolled
from pe_desktop.panels.panel import Panel
from pe_desktop.panels.rotation_pages import N_LAWS, N_STEPS, algebra_lines, derivation_lines
from pe_desktop.plotting import marks, number_text
from pe_desktop.plotting.best_shift_picture import best_shift_picture, best_shift_sentence
from pe_desktop.plotting.canvas import Canvas
from pe_desktop.plotting.heatmap import HeatMap, View, color_table
from pe_desktop.plotting.residual_picture import residual_picture
from pe_desktop.plotting.rotation_layout import rotation_layout
from pe_desktop.plotting.rotation_picture import eigenvalue_picture, rotation_picture
from pe_desktop.plotting.theme import Theme

PICTURE, ALGEBRA, STEPS = "picture", "algebra", "steps"
# Of the pages that speak of M_k alone.
TOOLTIPS = {ALGEBRA: "What M_k obeys, with residuals", STEPS: "How M_k is found"}
FIRST_OTHER = 3.0


class RotationCanvas(Canvas):
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
        """All of it: everything here moves with t, k or i; the heat map's pixels are kept."""
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


class EigenvalueCanvas(Canvas):
    """The eigenvalues of M_k on the unit circle."""

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setFixedHeight(200)
        self.setAccessibleName("Eigenvalues of the rotation")

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        """They turn with k."""
        encoding = self._model.encoding
        pairs = rotating_pairs(encoding)
        if pairs is None:
            return ()
        values = eigenvalues(encoding, self._model.cursor.offset)
        return eigenvalue_picture(width, height, pairs, values, self.theme)


class RotationPanel(Panel):
    """One matrix moves every position by k."""

    key = "rotation"
    title = "Rotation"
    area = Qt.DockWidgetArea.LeftDockWidgetArea

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.canvas = RotationCanvas(model)
        self._other = FIRST_OTHER
        self._worker = Worker(self)
        self._worker.answered.connect(self._on_measured)
        self._measured: tuple[Encoding, float, int | None] | None = None
        self._page = PICTURE
        self._pages = QStackedWidget()
        self._pages.addWidget(self.canvas)
        self._pages.addWidget(self._algebra_page())
        self._pages.addWidget(self._steps_page())
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

    def _show_page(self) -> None:
        refusal = rotation_refusal(self.model.encoding)
        page = self._page if refusal is None else PICTURE
        self._pages.setCurrentIndex((PICTURE, ALGEBRA, STEPS).index(page))
        self._page_choice.show_choice(page)
        for choice, tooltip in TOOLTIPS.items():
            self._page_choice.set_enabled(choice, is_enabled=refusal is None)
            self._page_choice.set_tooltips({choice: tooltip if refusal is None else refusal})
        self.set_subtitle("one matrix moves every position by k" if refusal is None else "best 2 × 2 of a hand")
        self._show_text()

    def header_widgets(self) -> list[QWidget]:
        """Which page."""
        return [self._page_choice]

    def picture_image(self) -> QImage:
        """The picture of M_k."""
        return self.canvas.picture_image()

    def readout(self) -> str:
        """The laws with their numbers, or how far the best 2 x 2 misses."""
        if not has_rotation(self.model.encoding):
            return best_shift_sentence(self.model.encoding, self.model.cursor, self.canvas.best)
        lines = algebra_lines(self.model.encoding, self.model.cursor, self._other)
        return "\n".join("\t".join(line) for line in lines)

    def show_theme(self, theme: Theme) -> None:
        """Draw in another theme."""
        self.canvas.show_theme(theme)
        self.eigenvalues.show_theme(theme)
        self._refusal.show_theme(theme)
        for label in (*self._laws, *self._steps):
            label.show_theme(theme)

    @property
    def is_settled(self) -> bool:
        """Whether the residuals have arrived, or how far the best 2 x 2 misses."""
        return not self._worker.is_busy

    def show_encoding(self, encoding: Encoding) -> None:
        """Another matrix."""
        self._measure()
        self._show_page()
        self.canvas.redraw()
        self.eigenvalues.redraw()

    def show_cursor(self, cursor: Cursor) -> None:
        """Another k is another matrix; another t or i another lens."""
        self._measure()
        self._show_text()
        self.canvas.update()
        self.eigenvalues.update()

    def close_down(self) -> None:
        """Join the thread."""
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

    def _algebra_page(self) -> QWidget:
        page = QWidget()
        self._algebra_column = QVBoxLayout(page)
        self._algebra_column.setContentsMargins(0, 4, 6, 4)
        self._algebra_column.setSpacing(4)
        row = QHBoxLayout()
        label = QLabel("Second shift j")
        self.other_field = NumberField("Second shift j")
        self.other_field.setFixedWidth(72)
        self.other_field.show_value(number_text.position(self._other))
        self.other_field.submitted.connect(self._on_other_typed)
        row.addWidget(label)
        row.addWidget(self.other_field)
        row.addStretch(1)
        self._refusal = RefusalLabel()
        self._algebra_column.addLayout(row)
        self._algebra_column.addWidget(self._refusal)
        self._names: list[QLabel] = []
        self._laws: list[FormulaLabel] = []
        self._numbers: list[QLabel] = []
        for _ in range(N_LAWS):
            name, law, number = QLabel(), FormulaLabel(16), QLabel()
            name.setProperty("role", "heading")
            number.setProperty("role", "note")
            number.setWordWrap(True)
            self._names.append(name)
            self._laws.append(law)
            self._numbers.append(number)
            for widget in (name, law, number):
                self._algebra_column.addWidget(widget)
            self._algebra_column.addSpacing(6)
        self.eigenvalues = EigenvalueCanvas(self.model)
        self._algebra_column.addWidget(self.eigenvalues)
        self._algebra_column.addStretch(1)
        page.setProperty("role", "panel")
        return scrolled(page)

    def _steps_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 4, 6, 4)
        column.setSpacing(3)
        self._sentences: list[QLabel] = []
        self._steps: list[FormulaLabel] = []
        for _ in range(N_STEPS):
            sentence, step = QLabel(), FormulaLabel(16)
            sentence.setProperty("role", "note")
            sentence.setWordWrap(True)
            self._sentences.append(sentence)
            self._steps.append(step)
            column.addWidget(sentence)
            column.addWidget(step)
            column.addSpacing(6)
        column.addStretch(1)
        page.setProperty("role", "panel")
        return scrolled(page)

    def _show_text(self) -> None:
        if not has_rotation(self.model.encoding):
            return
        if self.page == ALGEBRA:
            lines = algebra_lines(self.model.encoding, self.model.cursor, self._other)
            for name, law, number, line in zip(self._names, self._laws, self._numbers, lines, strict=True):
                name.setText(line[0])
                law.show_formulas(line[1])
                number.setText(line[2])
        elif self.page == STEPS:
            steps = derivation_lines(self.model.encoding, self.model.cursor)
            for sentence, step, (words, formula) in zip(self._sentences, self._steps, steps, strict=True):
                sentence.setText(words)
                step.show_formulas(formula)

    def _on_other_typed(self, text: str) -> None:
        try:
            self._other = float(OFFSET.read(text))
        except ValueError as error:
            self.other_field.show_refused()
            self._refusal.show_sentence(str(error).replace("offset", "j", 1))
            return
        self.other_field.show_value(number_text.position(self._other))
        self.other_field.show_taken()
        self._refusal.show_sentence("")
        self._show_text()
