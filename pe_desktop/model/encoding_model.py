"""The one mutable object: the state on show, the states before it, and the findings about it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce
from math import inf
from time import monotonic
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal

from pe_desktop.core.cursor import Cursor, Preview, Span, full_span
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measuring.measurement import Analysis
from pe_desktop.core.presets import Preset, Sizes
from pe_desktop.core.record import record
from pe_desktop.core.state import State, fitted, with_name
from pe_desktop.model.findings import Findings, Question, Task


class Turns(QObject):
    """Calls the added functions, one in a turn of the event loop, in their order.

    Before each of them, and after the last one, Qt has a turn to paint what has changed.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Callable[[], object]] = []
        self._is_painted = False
        self._timer = QTimer(self, interval=0, singleShot=True)
        self._timer.timeout.connect(self._on_turn)

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be called, or to be painted."""
        return self._timer.isActive()

    def add(self, work: Callable[[], object]) -> None:
        """Add a function to be called once; one that waits already keeps its place."""
        if work not in self._waiting:
            self._waiting.append(work)
        if not self._timer.isActive():
            self._is_painted = False
            self._timer.start()

    def clear(self) -> None:
        """Drop all that waits."""
        self._waiting.clear()
        self._timer.stop()

    def _on_turn(self) -> None:
        if self._is_painted:
            self._is_painted = False
            self._timer.start()
            self._waiting.pop(0)()
        elif self._waiting:
            self._is_painted = True
            self._timer.start()


# Distance of a position from the edge after the span has followed it.
_PAGE_MARGIN: Final = 0.1
MOST_STEPS: Final = 1000
# Changes of the same names that follow each other sooner are one step of undo: a wheel, a key that repeats.
MERGE_SECONDS: Final = 1.0


@record
class Step:
    """One entry of the history: the state before a change, the names that changed, whether other panels were raised.

    document is what the state before belongs to.
    """

    before: State
    document: Any
    names: tuple[str, ...]
    raises: bool


def analysis_of(encoding: Encoding) -> Question:
    """The measurements of an encoding, as an Analysis that grows."""
    return Question("analysis", _analysis, (encoding,), rank=1, title="Measuring")


def _analysis(encoding: Encoding, task: Task) -> Analysis:
    from pe_desktop.core.measuring.measurements import analyse  # noqa: PLC0415 - a worker loads it, the first frame doesn't wait

    n_told = 0

    def report(analysis: Analysis) -> None:
        nonlocal n_told
        if len(analysis.measurements) > n_told:
            n_told = len(analysis.measurements)
            task.tell(analysis, analysis.share)
        else:
            task.report(round(analysis.share * 1000), 1000)

    return analyse(encoding, task, report)


class EncodingModel(QObject):
    """Holds a State and announces each change of it once; equal ones are not announced.

    Every change of the state can be undone. Changes while something is held, within `begin_step` and `end_step`, or in
    quick succession to the same names are one step. A model that `waits` computes no findings before `begin`.
    """

    # The same encoding under another name: two libraries may compute the same table.
    preset_changed = Signal(object)
    views_changed = Signal(object)
    preview_changed = Signal(object)
    # Once for every change of the state, after those of its parts.
    state_changed = Signal(object)
    # The steps to undo or redo have changed.
    history_changed = Signal()
    # What was held is let go: nothing that follows makes out of date what is shown.
    settled = Signal()

    def __init__(
        self,
        state: State | None = None,
        *,
        clock: Callable[[], float] = monotonic,
        waits: bool = False,
    ) -> None:
        super().__init__()
        state = fitted(State() if state is None else state)
        self._state = state if state.sizes is not None else replace(state, sizes=Sizes(state.encoding))
        # What the state belongs to, for instance a file; undo and redo of `set_state` change it, too.
        self.document: Any = None
        # The position or the two under the pointer, shown lightly everywhere; None while the pointer is elsewhere.
        self.preview: Preview | None = None
        # Whether a cursor, a knob or a hand of the clock is held: playing waits.
        self.is_held = False
        self._clock = clock
        # The steps to redo and to undo, the next one last.
        self.undone: list[Step] = []
        self.done: list[Step] = []
        self._changed_at = -inf
        self._n_open = 0
        self._is_merging = False
        # Where a change takes long to follow, those who follow it do so one after the other.
        self.turns = Turns(self)
        self.findings = Findings(self, waits=waits)
        self.findings.ask("model", (analysis_of(self.encoding),))

    @property
    def state(self) -> State:
        return self._state

    @property
    def encoding(self) -> Encoding:
        return self._state.encoding

    @property
    def preset(self) -> Preset | None:
        """The preset that gives the encoding, None where none does."""
        return self._state.preset

    @property
    def cursor(self) -> Cursor:
        return self._state.cursor

    @property
    def span(self) -> Span:
        """The visible positions."""
        return self._state.shown_span

    @property
    def analysis(self) -> Analysis | None:
        """The measurements of the encoding so far; None before the first."""
        answer: Analysis | None = self.findings.answer(analysis_of(self.encoding))
        return answer

    @property
    def is_measuring(self) -> bool:
        """Whether more measurements of the encoding are to come."""
        return self.findings.is_busy("model")

    def set(self, **changes: object) -> None:
        """Change names of the state (`STATE_NAMES`), each to a value or to what was typed for it; together one step.

        A name with a dot is given as set(**{"similarity.measure": "cosine"}). ValueError with a sentence for a refused
        value: nothing is changed then.
        """
        self._take(self._with(changes), *changes)

    def set_parameter(self, name: str, typed: str, read: Callable[[str], Any] = str) -> str:
        """Set a name of the state to what typed text says; "", or the sentence of a refusal, which changes nothing."""
        try:
            self.set(**{name: read(typed)})
        except ValueError as error:
            return str(error)
        return ""

    def set_state(self, state: State, title: str, document: object = None) -> None:
        """Show another state, for instance one of a session; title names the step.

        document is what the state belongs to from now on; None leaves it as it is.
        """
        self._take(state, title, document=document)
        self._changed_at = -inf

    def move_cursor(self, **changes: Any) -> None:
        """Move some of position, offset, pair, pinned_pairs; values outside the table are moved to its edge.

        A position that leaves the visible range moves the range too.
        """
        state = self._state.with_cursor(replace(self.cursor, **changes))
        before = self.cursor.position
        position = state.cursor.position
        span = state.shown_span
        if span.first <= before <= span.last and not span.first <= position <= span.last:
            margin = _PAGE_MARGIN * span.width
            edge = span.first + margin if position > span.last else span.last - margin
            state = replace(state, span=span.moved(position - edge).within(full_span(state.encoding.n_positions)))
        self._take(state, *changes)

    def move_along(self, value: float) -> None:
        """Move what the transport moves, the position or the step of a film, to its ends at most."""
        track = self._state.track
        if track.name == "position":
            self.move_cursor(position=value)
        else:
            self.set(**{track.name: round(min(max(value, 0.0), track.last))})

    def set_held(self, is_held: bool) -> None:
        """Begin or end holding; changes in between are one step of undo."""
        if is_held != self.is_held:
            self.is_held = is_held
            (self.begin_step if is_held else self.end_step)()

    def begin_step(self) -> None:
        """All changes until `end_step` are one step of undo; such steps may lie within each other.

        Slow questions wait until then.
        """
        self._n_open += 1
        if self._n_open == 1:
            self._is_merging = False
            self.findings.set_held(True)

    def end_step(self) -> None:
        self._n_open = max(self._n_open - 1, 0)
        self.findings.set_held(self._n_open > 0)
        self._changed_at = -inf
        if not self._n_open:
            self.settled.emit()

    def set_preview(self, preview: Preview | None) -> None:
        """Show lightly what a press here would choose."""
        if preview != self.preview:
            self.preview = preview
            self.preview_changed.emit(preview)

    @property
    def undo_names(self) -> tuple[str, ...]:
        """The names that the next undo changes back; empty where there is nothing to undo."""
        return self.done[-1].names if self.done else ()

    @property
    def redo_names(self) -> tuple[str, ...]:
        return self.undone[-1].names if self.undone else ()

    def undo(self) -> None:
        """Show the state before the last step."""
        self._go(self.done, self.undone)

    def redo(self) -> None:
        """Show the state after the step that was undone last."""
        self._go(self.undone, self.done)

    def note(self, **changes: object) -> None:
        """Change names of the state by themselves: no step of undo."""
        state = self._with(changes)
        if state != self._state:
            self._show(state)

    def _with(self, changes: Mapping[str, object]) -> State:
        return reduce(lambda state, change: with_name(state, *change), changes.items(), self._state)

    def close(self) -> None:
        """Cancel what is being computed and join its thread."""
        self.turns.clear()
        self.findings.close()

    def _go(self, source: list[Step], target: list[Step]) -> None:
        if source:
            step = source.pop()
            target.append(Step(self._state, self.document, step.names, step.raises))
            self.document = step.document
            self._changed_at, self._is_merging = -inf, False
            # A tab that was pressed meanwhile is no step and stays in front, but behind a workspace that opens again.
            before = step.before.views
            now = self._state.views
            front = before.front if step.raises or before.workspace != now.workspace else now.front
            self._show(step.before.with_views(replace(before, front=front)))
            self.history_changed.emit()

    def _take(self, state: State, *names: str, document: object = None) -> None:
        """Show another state and remember the one before."""
        if state == self._state and document in (None, self.document):
            # The sizes that the next preset keeps may differ, and the name of the encoding.
            before, self._state = self.preset, state
            if self.preset is not before:
                self.preset_changed.emit(self.preset)
            return
        now = self._clock()
        is_new = not self._merges(names, now)
        raises = state.views.front != self._state.views.front
        if is_new:
            self.done.append(Step(self._state, self.document, names, raises))
            del self.done[:-MOST_STEPS]
        else:
            last = self.done[-1]
            names = tuple(dict.fromkeys((*last.names, *names)))
            self.done[-1] = Step(last.before, last.document, names, last.raises or raises)
        self.document = self.document if document is None else document
        self._changed_at, self._is_merging = now, True
        had_redo = bool(self.undone)
        self.undone.clear()
        self._show(state)
        if is_new or had_redo:
            self.history_changed.emit()

    def _merges(self, names: tuple[str, ...], now: float) -> bool:
        if self._n_open:
            return bool(self.done) and self._is_merging
        return names == self.undo_names and now - self._changed_at <= MERGE_SECONDS

    def _show(self, state: State) -> None:
        before, self._state = self._state, state
        if state.encoding != before.encoding:
            self.preview = None
            self.findings.ask("model", (analysis_of(state.encoding),))
        if state.views != before.views:
            self.views_changed.emit(state.views)
        self.state_changed.emit(state)
