"""Properties: what the encoding has and lacks, measured; where positions come too near; what distance knows."""

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import FAILS, Analysis
from pe_desktop.draw import number_text
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.model.worker import Task, Worker
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.paged import scrolled
from pe_desktop.panels.controls.progress_row import ToldRow
from pe_desktop.panels.panel import Panel
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES

if TYPE_CHECKING:
    from pe_desktop.core.measure.collisions import CloseOffsets
    from pe_desktop.core.measure.distance_law import DistanceLaw
    from pe_desktop.panels.properties_pages import PropertiesPages

VERDICTS, COLLISIONS, DISTANCE = "verdicts", "collisions", "distance"
PAGES = {VERDICTS: "Verdicts", COLLISIONS: "Collisions", DISTANCE: "Distance"}
TOOLTIPS = {
    VERDICTS: "Seven properties, measured on values of the table",
    COLLISIONS: "Where positions come too near, and which hands tell them apart",
    DISTANCE: "How the distance grows with the offset, and what it comes from",
}
# The parameters that a picture names, in its words.
SIZES = {"n_positions": "N", "d_model": "d_model", "base": "base"}
# What is had sooner needs no word and no button.
QUIET_SECONDS = 0.15


class PropertiesPanel(Panel):
    """Measured, not asserted."""

    key = "properties"
    title = "Properties"
    area = Qt.DockWidgetArea.LeftDockWidgetArea

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self._theme: Theme | None = None
        self._made: PropertiesPages | None = None
        self._searched: tuple[str, Encoding] | None = None
        # What the pages show was found for this one.
        self._found_for: Encoding | None = None
        self._worker = Worker(self)
        self._worker.told.connect(self._on_progress)
        self._worker.answered.connect(self._on_found)
        self._worker.failed.connect(self._on_failed)
        self._stack = QStackedWidget()
        self._page = VERDICTS
        self._row = ToldRow()
        self._row.pressed.connect(self._on_stop_or_go)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addWidget(self._row)
        self._page_choice = Segments(PAGES, "Properties shows", self)
        self._page_choice.set_tooltips(TOOLTIPS)
        self._page_choice.show_choice(VERDICTS)
        self._page_choice.chosen.connect(self.set_page)
        self._measuring_since = time.monotonic()
        self.setMinimumSize(280, 150)
        self.set_subtitle("not measured yet")

    @property
    def stop_or_go(self) -> QPushButton:
        """Stops what is being computed, or goes on with it."""
        return self._row.button

    @property
    def page(self) -> str:
        """VERDICTS, COLLISIONS or DISTANCE."""
        return self._page

    def set_page(self, page: str) -> None:
        """Show verdicts, collisions or the distance."""
        self._page_choice.show_choice(page)
        self._page = page
        self._stack.setCurrentIndex((VERDICTS, COLLISIONS, DISTANCE).index(page))
        self._show_state()
        self._search()

    def header_widgets(self) -> list[QWidget]:
        return [self._page_choice]

    def picture_image(self) -> QImage | None:
        if self._made is None:
            return None
        if self.page != VERDICTS:
            self._made.two.settled()
        return self._canvas().picture_image()

    @property
    def picture_words(self) -> str:
        """Which encoding has these properties."""
        encoding, preset = self.model.encoding, self.model.preset
        values = {name: encoding.parameters[name] for name in SIZES if name in encoding.parameters}
        sizes = ", ".join(f"{SIZES[name]} = {number_text.plain(float(value))}" for name, value in values.items())
        return f"{encoding.title if preset is None else preset.title}, {sizes}"

    def readout(self) -> str:
        measured = () if self.model.analysis is None else self.model.analysis.measurements
        known = {one.key: one for one in measured}
        return "\n".join(
            f"{name}\t{words.verdict_text(known[key])}\t{known[key].number!r}\t{words.sentence(known[key])}"
            for key, name in PROPERTY_NAMES.items()
            if key in known
        )

    @property
    def pages(self) -> "PropertiesPages":
        """The three pages; made when the panel is first seen, for they have much to load."""
        if self._made is None:
            from pe_desktop.panels.properties_pages import PropertiesPages  # noqa: PLC0415 - loads the rest

            self._made = PropertiesPages(self.model)
            for page in self._canvases():
                area = scrolled(page)
                area.viewport().installEventFilter(self)
                self._stack.addWidget(area)
                if self._theme is not None:
                    page.show_theme(self._theme)
            self._stack.setCurrentIndex((VERDICTS, COLLISIONS, DISTANCE).index(self._page))
        return self._made

    @property
    def is_settled(self) -> bool:
        return not self._worker.is_busy and (self._made is None or self._made.two.is_settled)

    def catch_up(self) -> None:
        assert self.pages is not None
        super().catch_up()

    def show_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._made is not None:
            for canvas in self._canvases():
                canvas.show_theme(theme)

    def show_encoding(self, encoding: Encoding) -> None:
        if self._found_for != encoding:
            self._worker.forget()
            self._found_for, self._searched = encoding, None
            self._row.hide()
            self.pages.collisions.close_offsets, self.pages.distance.law = None, None
        self._measuring_since = time.monotonic()
        self._redraw()
        self._search()

    def show_cursor(self, cursor: Cursor) -> None:
        if self.page == COLLISIONS:
            self.pages.collisions.fit()
        if self.page != VERDICTS:
            self._canvas().update()

    def show_analysis(self, analysis: Analysis | None) -> None:
        self.pages.verdicts.analysis = analysis
        measured = () if analysis is None else analysis.measurements
        n_holding = sum(one.verdict != FAILS for one in measured)
        self.set_subtitle(f"{n_holding} of {len(measured)} hold" if measured else "not measured yet")
        self.pages.verdicts.redraw()
        self._show_state()

    def close_down(self) -> None:
        self._worker.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.pages.verdicts.fit()
            self.pages.collisions.fit()
            self.pages.distance.fit()
        return super().eventFilter(watched, event)

    def _canvases(self) -> tuple[PictureCanvas, ...]:
        return self.pages.verdicts, self.pages.collisions, self.pages.distance

    def _canvas(self) -> PictureCanvas:
        return self._canvases()[self._stack.currentIndex()]

    def _redraw(self) -> None:
        self.pages.collisions.fit()
        self.pages.distance.fit()
        for canvas in self._canvases():
            canvas.redraw()

    def _search(self) -> None:
        """Compute what the page needs, once for each encoding."""
        encoding, page = self.model.encoding, self.page
        if self._made is None or page == VERDICTS or self._searched == (page, encoding) or self._is_known(page):
            return
        if not encoding.is_shift_invariant or encoding.n_positions < 2:
            reason = (
                f"Dot products of {encoding.title} depend on more than the offset: the verdicts compare its positions."
            )
            self._tell_page(reason if encoding.n_positions > 1 else "One position has no distance to another.")
            return
        from pe_desktop.core.measure import collisions, distance_law  # noqa: PLC0415 - loaded with the pages

        self._searched = (page, encoding)
        self._tell_page("")
        started = time.monotonic()

        def compute(task: Task) -> "CloseOffsets | DistanceLaw | None":
            def report(done: int, total: int) -> None:
                if time.monotonic() - started > QUIET_SECONDS:
                    task.tell(done / max(total, 1))

            if page == COLLISIONS:
                return collisions.close_offsets(encoding, report, task)
            return distance_law.distance_law(encoding, None, report, task)

        self._worker.ask(compute)

    def _is_known(self, page: str) -> bool:
        pages = self.pages
        return (pages.collisions.close_offsets if page == COLLISIONS else pages.distance.law) is not None

    def _tell_page(self, sentence: str) -> None:
        self.pages.collisions.progress = self.pages.distance.progress = sentence
        self._redraw()

    def _on_progress(self, share: float) -> None:
        self._row.show_share("Searching", share)

    def _on_found(self, found: "CloseOffsets | DistanceLaw | None") -> None:
        self.pages.take(found)
        self._redraw()
        self._show_state()

    def _on_failed(self, error: Exception) -> None:
        """The program's hook is told; the panel keeps what it shows."""
        self._row.hide()
        raise error

    def _on_stop_or_go(self) -> None:
        if self.page == VERDICTS:
            if self.model.is_measuring:
                self.model.stop_measuring()
            else:
                self._measuring_since = time.monotonic()
                self.model.measure()
        elif self._worker.is_busy:
            self._worker.forget()
            self._searched = None
            self._row.show_state("Not searched to the end", "Search")
        else:
            self._row.hide()
            self._search()

    def _show_state(self) -> None:
        """Progress and a way to stop, only where the eye would wait."""
        analysis = self.model.analysis
        is_complete = analysis is not None and analysis.is_complete
        if self.page != VERDICTS:
            # A search speaks for itself.
            self._row.setVisible(self._row.isVisible() and self._worker.is_busy)
        elif is_complete:
            self._row.hide()
        elif not self.model.is_measuring:
            self._row.show_state("Stopped", "Measure")
        elif time.monotonic() - self._measuring_since > QUIET_SECONDS:
            share = 0.0 if analysis is None else analysis.share
            self._row.show_share("Measuring", share)
