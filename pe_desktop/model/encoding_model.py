"""The one mutable object: which encoding is chosen, what is known of it, where the cursor stands."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from pe_desktop.core.columns import has_values, n_hands
from pe_desktop.core.cursor import Cursor, Span, fitted_cursor, full_span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.measurement import Analysis, analyse
from pe_desktop.core.parameters import CURSOR_PARAMETERS, cursor_with_parameter, with_parameter
from pe_desktop.core.presets import PRESETS, Compared, Preset, chosen, comparison, cursor_of, shown_preset, wanted
from pe_desktop.core.rules import MAX_POSITIONS
from pe_desktop.model.worker import Task, Worker

# How far from the edge a position stands when the span has followed it.
PAGE_MARGIN = 0.1
# Progress is told this often: fast enough for the eye, too seldom to be felt.
NEWS_SECONDS = 0.1
# After the first frame of a window that opens with the model.
FIRST_MEASURED_MS = 60


@dataclass(frozen=True, slots=True)
class Refusal:
    """A value that was not taken: which parameter, what was typed, and the sentence that says why."""

    parameter: str
    typed: str
    sentence: str


class EncodingModel(QObject):
    """Holds frozen values and announces each change of one of them once; equal values are not announced."""

    encoding_changed = Signal(object)
    # The same encoding under another name: two libraries may compute the same table.
    preset_changed = Signal(object)
    analysis_changed = Signal(object)
    cursor_changed = Signal(object)
    span_changed = Signal(object)
    preview_changed = Signal(object)
    refused = Signal(object)

    def __init__(self, encoding: Encoding, cursor: Cursor | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._encoding = encoding
        self._wanted = wanted(encoding)
        self._cursor = fitted_cursor(cursor or Cursor(), encoding)
        self._span = full_span(encoding.n_positions)
        self._preview: float | None = None
        # The pair that was left because its columns are zero throughout.
        self._left_pair: int | None = None
        self._is_held = False
        self._analysis: Analysis | None = None
        self._worker = Worker(self)
        self._worker.told.connect(self._on_told)
        self._worker.answered.connect(self._on_answered)
        self._worker.failed.connect(self._on_failed)
        # Measuring would take half of the interpreter from whoever draws the first frame.
        self._first = QTimer(self)
        self._first.setSingleShot(True)
        self._first.timeout.connect(self._ask_for_analysis)
        self._first.start(FIRST_MEASURED_MS)

    @property
    def encoding(self) -> Encoding:
        """The chosen encoding."""
        return self._encoding

    @property
    def preset(self) -> Preset | None:
        """Which of PRESETS the encoding is, None where it is none of them."""
        return shown_preset(self._wanted, self._encoding)

    @property
    def analysis(self) -> Analysis | None:
        """What has been measured of the chosen encoding so far; None while nothing is known."""
        return self._analysis

    @property
    def is_measuring(self) -> bool:
        """Whether more measurements are to come."""
        return self._worker.is_busy or self._first.isActive()

    @property
    def cursor(self) -> Cursor:
        """Position, offset, pair and pins."""
        return self._cursor

    @property
    def span(self) -> Span:
        """The positions that the plots show."""
        return self._span

    @property
    def preview(self) -> float | None:
        """The position under the pointer, shown lightly everywhere; None while the pointer is elsewhere."""
        return self._preview

    def set_encoding(self, encoding: Encoding) -> None:
        """Choose another encoding; cursor and span are fitted to it, the analysis starts anew."""
        if encoding == self._encoding:
            return
        showed_everything = self._span == full_span(self._encoding.n_positions)
        self._encoding = encoding
        self._analysis = None
        self._preview = None
        self._cursor, old_cursor = fitted_cursor(self._cursor, encoding), self._cursor
        self._span, old_span = self._fitted_span(showed_everything), self._span
        self._ask_for_analysis()
        self.encoding_changed.emit(encoding)
        self.analysis_changed.emit(None)
        if self._span != old_span:
            self.span_changed.emit(self._span)
        if self._cursor != old_cursor:
            self.cursor_changed.emit(self._cursor)

    def choose(self, preset_id: str) -> None:
        """Take one of PRESETS; n_positions, d_model and base stay as a person wants them.

        i stays, too, unless its columns are zero throughout: then it is 0 until a preset has values there.

        A figure of a text comes with its own and with its cursor, and all its positions are seen.
        """
        preset = PRESETS[preset_id]
        self._wanted = chosen(self._wanted, self._encoding, preset_id)
        if self._wanted.encoding != self._encoding:
            self.set_encoding(self._wanted.encoding)
        else:
            self.preset_changed.emit(self.preset)
        self._move_to_values()
        if preset.is_figure:
            self.set_span(full_span(self._encoding.n_positions))
            self.set_cursor(cursor_of(preset, self._cursor, self._encoding))

    def comparison(self, name: str) -> tuple[Compared, ...]:
        """The rows of one of COMPARISONS in the sizes that `choose` would give; KeyError for another name."""
        return comparison(self._wanted, self._encoding, self.preset, name)

    def set_parameter(self, name: str, typed: str) -> bool:
        """Take one parameter as a person typed it; what can't be taken is announced and changes nothing."""
        try:
            if name in CURSOR_PARAMETERS:
                self.set_cursor(cursor_with_parameter(self._cursor, self._encoding, name, typed))
            else:
                self.set_encoding(with_parameter(self._encoding, name, typed))
        except ValueError as error:
            self.refused.emit(Refusal(name, typed, str(error)))
            return False
        return True

    def move_cursor(self, **changes: Any) -> None:
        """Move some of position, offset, pair, pinned_pairs; what lies outside the table stops at its edge."""
        cursor = replace(self._cursor, **changes)
        offset = min(max(cursor.offset, -float(MAX_POSITIONS)), float(MAX_POSITIONS))
        self.set_cursor(fitted_cursor(replace(cursor, offset=offset), self._encoding))

    def set_cursor(self, cursor: Cursor) -> None:
        """Show another cursor, one that fits the encoding; a position that leaves the span takes the span along."""
        if cursor == self._cursor:
            return
        was_seen = self._span.first <= self._cursor.position <= self._span.last
        self._cursor = cursor
        self.cursor_changed.emit(cursor)
        if was_seen:
            self._follow(cursor.position)

    def set_span(self, span: Span) -> None:
        """Show other positions; a span that leaves the table is moved back into it."""
        span = span.within(self._encoding.n_positions)
        if span != self._span:
            self._span = span
            self.span_changed.emit(span)

    @property
    def is_held(self) -> bool:
        """Whether somebody holds a hand, a cursor or a knob: playing waits."""
        return self._is_held

    def set_held(self, is_held: bool) -> None:
        """A pointer takes hold, or lets go."""
        self._is_held = is_held

    def set_preview(self, position: float | None) -> None:
        """Show lightly what pressing here would choose."""
        if position != self._preview:
            self._preview = position
            self.preview_changed.emit(position)

    def stop_measuring(self) -> None:
        """Leave it at what is known."""
        if self.is_measuring:
            self._first.stop()
            self._worker.forget()
            self.analysis_changed.emit(self._analysis)

    def measure(self) -> None:
        """Measure what was left, from the beginning."""
        if not self.is_measuring:
            self._ask_for_analysis()
            self.analysis_changed.emit(self._analysis)

    def close(self) -> None:
        """Cancel the analysis and join its thread."""
        self._first.stop()
        self._worker.close()

    def _move_to_values(self) -> None:
        """Leave a pair whose columns are zero throughout, and return where it has values, unless another was chosen."""
        pair, left, encoding = self._cursor.pair, self._left_pair, self._encoding
        if not has_values(encoding, pair):
            self._left_pair = pair
            self.move_cursor(pair=0)
        elif left is not None and (pair or (left < n_hands(encoding) and has_values(encoding, left))):
            self._left_pair = None
            self.move_cursor(pair=pair or left)

    def _fitted_span(self, showed_everything: bool) -> Span:
        n_positions = self._encoding.n_positions
        return full_span(n_positions) if showed_everything else self._span.within(n_positions)

    def _follow(self, position: float) -> None:
        span = self._span
        if position > span.last:
            self.set_span(span.moved(position - span.first - PAGE_MARGIN * span.width))
        elif position < span.first:
            self.set_span(span.moved(position - span.last + PAGE_MARGIN * span.width))

    def _ask_for_analysis(self) -> None:
        encoding = self._encoding
        self._first.stop()

        def compute(task: Task) -> Analysis | None:
            return analyse(encoding, task, _seldom(task))

        self._worker.ask(compute)

    def _on_told(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self.analysis_changed.emit(analysis)

    def _on_answered(self, analysis: Analysis | None) -> None:
        if analysis is not None:
            self._on_told(analysis)

    def _on_failed(self, error: Exception) -> None:
        self.refused.emit(Refusal("analysis", "", f"The measurements stopped: {error}"))


def _seldom(task: Task) -> Callable[[Analysis], None]:
    """Pass on each new measurement, and the progress between them at most some times a second."""
    last_count, last_time = 0, time.monotonic()

    def report(analysis: Analysis) -> None:
        nonlocal last_count, last_time
        now = time.monotonic()
        if len(analysis.measurements) > last_count or now - last_time >= NEWS_SECONDS:
            last_count, last_time = len(analysis.measurements), now
            task.tell(analysis)

    return report
