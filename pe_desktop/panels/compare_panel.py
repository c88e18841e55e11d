"""Compare: several encodings in the same sizes, measured alike, a row each."""

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QHideEvent, QImage
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import Analysis, analyse
from pe_desktop.core.presets import OVERVIEW, Compared, common_sizes, list_of
from pe_desktop.draw import number_text
from pe_desktop.draw.theme import Theme
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.model.worker import Task, Worker
from pe_desktop.panels.compare_pages import CompareHeader, CompareRows, stacked
from pe_desktop.panels.controls.buttons import Segments
from pe_desktop.panels.controls.paged import scrolled
from pe_desktop.panels.controls.progress_row import ToldRow
from pe_desktop.panels.panel import Panel
from pe_desktop.views.compare.picture import narrowest_width, table_image
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES

LISTS = {OVERVIEW: "Overview", "conventions": "Conventions", "ablations": "Ablations", "naive": "Naive"}
TOOLTIPS = {
    OVERVIEW: "One of each idea",
    "conventions": "What libraries compute",
    "ablations": "What breaks the encoding",
    "naive": "What people try before it",
}
# A slider that is dragged asks for other encodings with every step.
REST_MILLISECONDS = 120
# What is had sooner needs no word and no button.
QUIET_MILLISECONDS = 300
# Analyses that are kept: all lists in some sizes.
MOST_KEPT = 128


class ComparePanel(Panel):
    """The seven measurements of each encoding of a list, in the sizes of the window's encoding. A press chooses one."""

    key = "compare"
    title = "Compare"
    area = Qt.DockWidgetArea.LeftDockWidgetArea
    is_workspace: ClassVar[bool] = True

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self._theme: Theme | None = None
        self._list = OVERVIEW
        self._analyses: dict[Encoding, Analysis] = {}
        self._tables: dict[Encoding, QImage] = {}
        # What the tables were drawn for: device pixels and theme.
        self._drawn_for: tuple[tuple[int, int], str] | None = None
        self._is_stopped = False
        self._worker = Worker(self)
        self._worker.told.connect(self._on_told)
        self._worker.answered.connect(self._on_answered)
        self._worker.failed.connect(self._on_failed)
        self._rest = QTimer(self, interval=REST_MILLISECONDS, singleShot=True)
        self._rest.timeout.connect(self._ask)
        self._quiet = QTimer(self, interval=QUIET_MILLISECONDS, singleShot=True)
        self._quiet.timeout.connect(self._show_progress)
        self.header, self.rows = CompareHeader(), CompareRows()
        self.rows.chosen.connect(model.choose)
        self._scroll = scrolled(self.rows)
        self._scroll.viewport().installEventFilter(self)
        self.progress = ToldRow()
        self.progress.pressed.connect(self._on_stop_or_go)
        # It has its room also while it is hidden: rows that made place for it would want other tables, and begin anew.
        policy = self.progress.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(policy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.header, self._scroll, self.progress):
            column.addWidget(widget)
        self._lists = Segments(LISTS, "Compare shows", self)
        self._lists.set_tooltips(TOOLTIPS)
        self._lists.show_choice(OVERVIEW)
        self._lists.chosen.connect(self.set_list)
        model.preset_changed.connect(self._on_preset_changed)
        self.setMinimumSize(int(narrowest_width()), 220)

    def set_list(self, name: str) -> None:
        """Show another of COMPARISONS; KeyError for a name that isn't one."""
        self._show_rows(self.model.comparison(name))
        self._list = name
        self._lists.show_choice(name)
        self._scroll.verticalScrollBar().setValue(0)
        self._ask()

    def header_widgets(self) -> list[QWidget]:
        return [self._lists]

    def picture_image(self) -> QImage:
        return stacked(self.header, self.rows)

    def readout(self) -> str:
        heads = [head for name in PROPERTY_NAMES.values() for head in (name, f"{name}, number")]
        lines = ["\t".join(("Encoding", *heads))]
        for row in self.rows.rows:
            known, cells = self.rows.measured(row), [row.title]
            for key in PROPERTY_NAMES:
                one = known.get(key)
                number = None if one is None else one.number
                cells += ["" if one is None else words.verdict_text(one), "" if number is None else repr(number)]
            lines.append("\t".join(cells))
        return "\n".join(lines)

    @property
    def is_settled(self) -> bool:
        return not (self._worker.is_busy or self._rest.isActive())

    def catch_up(self) -> None:
        self._list = list_of(self.model.preset) or self._list
        self._lists.show_choice(self._list)
        super().catch_up()
        self._ask()

    def show_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.header.show_theme(theme)
        self.rows.show_theme(theme)
        self._ask_soon()

    def show_encoding(self, encoding: Encoding) -> None:
        before = [row.encoding for row in self.rows.rows]
        self._show_rows(self.model.comparison(self._list))
        if before != [row.encoding for row in self.rows.rows]:
            self._worker.forget()
            self._is_stopped = False
            self._show_progress()
            self._ask_soon()

    def show_analysis(self, analysis: Analysis | None) -> None:
        if analysis is not None and analysis.is_complete:
            self._keep(analysis)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._rest.stop()
        self._worker.forget()

    def close_down(self) -> None:
        self._rest.stop()
        self._worker.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.header.show_width(self._scroll.viewport().width())
            self.rows.fit(self._scroll.viewport().height())
            self._ask_soon()
        return super().eventFilter(watched, event)

    def _show_rows(self, rows: Sequence[Compared]) -> None:
        encoding, first = self.model.encoding, rows[0].encoding
        sizes, own = common_sizes(rows), (first.n_positions, first.d_model)
        # A figure of a text has sizes of its own, to which no press on another row leads.
        but = "" if own == sizes else f"; in the first row {_sizes_text(own)}"
        self.set_subtitle(f"the same seven measurements for each, {_sizes_text(sizes)}{but}")
        self.rows.show_rows(tuple(rows), encoding, self.model.preset)

    def _keep(self, analysis: Analysis) -> None:
        self._analyses.pop(analysis.encoding, None)
        self._analyses[analysis.encoding] = analysis
        while len(self._analyses) > MOST_KEPT:
            del self._analyses[next(iter(self._analyses))]
        self.rows.show_analyses(self._analyses)

    def _unknown(self) -> list[Encoding]:
        """The encodings of the rows that aren't measured to the end, each once."""
        encodings = dict.fromkeys(row.encoding for row in self.rows.rows)
        return [some for some in encodings if some not in self._analyses or not self._analyses[some].is_complete]

    def _ask_soon(self) -> None:
        if self.isVisible():
            self._rest.start()

    def _ask(self) -> None:
        """Draw the tables that are missing, then measure what is not known, in the order of the rows."""
        self._rest.stop()
        if self._theme is None:
            return
        wanted = (self.rows.table_size, self._theme.name)
        if wanted != self._drawn_for:
            self._drawn_for, self._tables = wanted, {}
        shown = dict.fromkeys(row.encoding for row in self.rows.rows)
        self._tables = {encoding: image for encoding, image in self._tables.items() if encoding in shown}
        undrawn = [] if 0 in wanted[0] else [encoding for encoding in shown if encoding not in self._tables]
        unknown = [] if self._is_stopped else self._unknown()
        # What was asked for another list is not waited for.
        self._worker.forget()
        self._quiet.start()
        self._show_progress()
        if undrawn or unknown:
            self._draw_and_measure(undrawn, unknown, self._theme)

    def _draw_and_measure(self, undrawn: Sequence[Encoding], unknown: Sequence[Encoding], theme: Theme) -> None:
        size, colors = self.rows.table_size, theme.diverging

        def compute(task: Task) -> None:
            for encoding in undrawn:
                if task():
                    return
                task.tell((encoding, table_image(encoding, size, colors)))
            for encoding in unknown:
                _measure(encoding, task)

        self._worker.ask(compute)

    def _on_told(self, news: Analysis | tuple[Encoding, QImage]) -> None:
        if isinstance(news, Analysis):
            self._keep(news)
            self._show_progress()
        else:
            encoding, image = news
            self._tables[encoding] = image
            self.rows.show_tables(self._tables)

    def _show_progress(self) -> None:
        """How far it is, or that it was stopped; nothing where nothing is left, or for a moment."""
        unknown, rows = self._unknown(), self.rows.rows
        if unknown and self._is_stopped:
            self.progress.show_state("Not measured to the end", "Measure")
        elif unknown and self._worker.is_busy and not self._quiet.isActive():
            n_known = sum(row.encoding not in unknown for row in rows)
            self.progress.show_state(f"Measuring, {n_known} of {len(rows)} encodings", "Cancel")
        else:
            self.progress.hide()

    def _on_answered(self) -> None:
        self._show_progress()

    def _on_failed(self, error: Exception) -> None:
        """The program's hook is told; the panel keeps what it shows."""
        self.progress.hide()
        raise error

    def _on_stop_or_go(self) -> None:
        self._is_stopped = not self._is_stopped
        self._ask()

    def _on_preset_changed(self) -> None:
        if self.isVisible():
            self._show_rows(self.model.comparison(self._list))


def _sizes_text(sizes: tuple[int, int]) -> str:
    return "N = {}, d_model = {}".format(*(number_text.whole(size) for size in sizes))


def _measure(encoding: Encoding, task: Task) -> None:
    """Tell each measurement of an encoding when it is known."""
    n_told = 0

    def report(analysis: Analysis) -> None:
        nonlocal n_told
        if len(analysis.measurements) > n_told:
            n_told = len(analysis.measurements)
            task.tell(analysis)

    analyse(encoding, task, report)
