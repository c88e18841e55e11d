"""Similarity: dot product, cosine or distance of every two positions, and how it depends on their offset alone."""

import math
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding, Floats
from pe_desktop.core.lags import profile
from pe_desktop.core.measure.measurement import ROUNDING
from pe_desktop.core.shift import ShiftReport, shift_report
from pe_desktop.core.similarity import sampled_limits
from pe_desktop.draw import number_text
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.model.worker import IsCancelled, Task, Worker
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.heat_base import LateHeatPanel
from pe_desktop.views.similarity.picture import OWN_ROWS

if TYPE_CHECKING:
    from pe_desktop.panels.similarity_view import SimilarityView

SUBTITLES = {
    "dot": "dot product of every two positions",
    "cosine": "cosine of every two positions",
    "distance": "distance of every two positions",
}
# What is had sooner needs no word and no button.
QUIET_SECONDS = 0.15


class SimilarityPanel(LateHeatPanel):
    """A map over positions x positions, and the profile against offset."""

    key = "similarity"
    title = "Similarity"
    area = Qt.DockWidgetArea.LeftDockWidgetArea
    has_wide_title = False

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self._theme: Theme | None = None
        self.view: SimilarityView | None = None
        self._lag_worker, self._shift_worker = Worker(self), Worker(self)
        self._lag_worker.told.connect(self._on_progress)
        self._lag_worker.answered.connect(self._on_lags)
        self._shift_worker.answered.connect(self._on_report)
        for worker in (self._lag_worker, self._shift_worker):
            worker.failed.connect(self._on_failed)
        self._shown: Encoding | None = None
        self._measured: tuple[Encoding, float] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._kinds = Segments({"dot": "Dot", "cosine": "Cos", "distance": "Dist"}, "Similarity", self)
        self._kinds.set_tooltips(SUBTITLES)
        self._kinds.show_choice("dot")
        self._kinds.chosen.connect(self.set_kind)
        self.stop_or_go = QPushButton("Cancel", self)
        self.stop_or_go.clicked.connect(self._on_stop_or_go)
        self.stop_or_go.hide()
        self.setMinimumSize(300, 150)
        self.set_subtitle(SUBTITLES["dot"])

    def header_widgets(self) -> list[QWidget]:
        return [*super().header_widgets(), self._kinds]

    def set_kind(self, kind: str) -> None:
        """Show dot products, cosines or distances."""
        self._kinds.show_choice(kind)
        if self.view is not None and kind != self.view.kind:
            self.view.set_kind(kind)
            self._ask_for_lags(self.view.n_lags_wanted)
        self._describe()

    def picture_image(self) -> QImage | None:
        return self.view.widget.picture_image() if self.view is not None else None

    @property
    def figure(self) -> str:
        kind = self.view.kind if self.view is not None else "dot"
        return "similarity" if kind == "dot" else f"similarity-{kind}"

    def readout(self) -> str:
        if self.view is None:
            return ""
        here, first = self.view.values()
        cursor = self.model.cursor
        later = cursor.position + cursor.offset
        text = f"{self.view.kind} of {cursor.position:g} and {later:g}\t{here!r}\n"
        text += f"{self.view.kind} of 0 and {cursor.offset:g}\t{first!r}"
        if self.view.report is not None:
            text += f"\nspread along the diagonal\t{self.view.report.spreads[self.view.kind].spread!r}"
        return text

    @property
    def is_made(self) -> bool:
        return self.view is not None and super().is_made

    @property
    def is_settled(self) -> bool:
        return not (self._lag_worker.is_busy or self._shift_worker.is_busy)

    def catch_up(self) -> None:
        if self.view is None:
            self.call_when_painted(self._make_view)
        else:
            super().catch_up()

    def show_theme(self, theme: Theme) -> None:
        super().show_theme(theme)
        self._theme = theme
        if self.view is not None:
            self.view.show_theme(theme)

    def show_encoding(self, encoding: Encoding) -> None:
        self._describe()
        if self.view is None:
            return
        if encoding != self._shown:
            has_other_size = self._shown is None or self._shown.n_positions != encoding.n_positions
            self._shown = encoding
            if has_other_size:
                self.view.fit()
            self.view.show_lags(None)
            self._ask_for_lags(self.view.n_lags_wanted)
        self._measure()

    def show_cursor(self, cursor: Cursor) -> None:
        self._measure()
        if self.view is not None:
            self.view.widget.refresh()

    def close_down(self) -> None:
        self._lag_worker.close()
        self._shift_worker.close()

    def _describe(self) -> None:
        kind = self.view.kind if self.view is not None else "dot"
        report = self.view.report if self.view is not None else None
        spread = math.nan if report is None else report.spreads[kind].spread
        # A counter's distances depend on the offset alone, though its dot products don't.
        is_plain = self.model.encoding.is_shift_invariant or spread <= ROUNDING
        self.set_subtitle(SUBTITLES[kind] if is_plain else OWN_ROWS)

    def _make_view(self) -> None:
        if self.view is not None:
            return
        from pe_desktop.panels.similarity_view import SimilarityView  # noqa: PLC0415 - pyqtgraph takes its time

        self.view = SimilarityView(self.model, self)
        self._column.addWidget(self.view.widget)
        if self.renderer is not None:
            self.view.widget.use_renderer(self.renderer)
        self.view.lags_wanted.connect(self._ask_for_lags)
        if self._theme is not None:
            self.view.show_theme(self._theme)
        self.catch_up()

    def _ask_for_lags(self, count: int) -> None:
        if self.view is None:
            return
        self._rest()
        encoding, kind = self.model.encoding, self.view.kind
        if not encoding.is_shift_invariant:
            self._lag_worker.ask(lambda _: sampled_limits(encoding, kind))
            return
        started = time.monotonic()

        def compute(task: Task) -> Floats | None:
            def report(done: int, total: int) -> None:
                if time.monotonic() - started > QUIET_SECONDS:
                    task.tell(done / max(total, 1))

            return profile(encoding, kind, count, report, task)

        self._lag_worker.ask(compute)

    def _measure(self) -> None:
        encoding, offset = self.model.encoding, self.model.cursor.offset
        if self.view is None or (encoding, offset) == self._measured:
            return
        self._measured = (encoding, offset)
        self.view.report = None

        def compute(is_cancelled: IsCancelled) -> ShiftReport | None:
            return shift_report(encoding, offset, is_cancelled)

        self._shift_worker.ask(compute)

    def _on_lags(self, answer: Floats | tuple[float, float] | None) -> None:
        self._rest()
        if answer is None or self.view is None:
            return
        if isinstance(answer, tuple):
            self.view.show_lags(None, answer)
        else:
            self.view.show_lags(answer)

    def _on_report(self, report: ShiftReport | None) -> None:
        if self.view is not None:
            self.view.report = report
            self._describe()
            self.view.widget.refresh()

    def _on_failed(self, error: Exception) -> None:
        """The program's hook is told; the panel keeps what it shows."""
        self._rest()
        raise error

    def _on_progress(self, share: float) -> None:
        if self.view is not None:
            self._tell(f"{number_text.whole(self.view.n_lags_wanted)} offsets, {share:.0%}", "Cancel")

    def _on_stop_or_go(self) -> None:
        if self.view is None:
            return
        if self._lag_worker.is_busy:
            self._lag_worker.forget()
            self._tell(f"{number_text.whole(self.view.n_lags_wanted)} offsets were not computed", "Compute")
        else:
            self._ask_for_lags(self.view.n_lags_wanted)

    def _tell(self, progress: str, way_on: str) -> None:
        """Words and a button where the profile will stand."""
        assert self.view is not None
        self.view.progress = progress
        area = self.view.layout_now().profile
        self.stop_or_go.setText(way_on)
        self.stop_or_go.adjustSize()
        self.stop_or_go.move(
            round(area.x + (area.width - self.stop_or_go.width()) / 2), round(area.y + area.height / 2) + 14
        )
        self.stop_or_go.show()
        self.stop_or_go.raise_()
        self.view.widget.refresh()

    def _rest(self) -> None:
        self.stop_or_go.hide()
        if self.view is not None:
            self.view.progress = ""
            self.view.widget.refresh()
