"""Findings: what takes longer than a frame, computed once in one background thread."""

import threading
import time
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
from PySide6.QtCore import QObject, Signal

from pe_desktop.core.lags import CancelledError
from pe_desktop.core.record import record

# Seconds between two reports of progress: often enough for the eye, too seldom to cost anything.
_NEWS_SECONDS: Final = 0.1
# So many answers that are no longer needed are kept, unless their arrays are large, one of them or all together.
_MOST_KEPT: Final = 256
_LARGEST_KEPT: Final = 2**20  # bytes
_MOST_BYTES_KEPT: Final = 2**25
# Answers of quick questions are kept, so many: those of the steps before.
_MOST_QUICK: Final = 64
# A question of rank n starts when nothing else has been asked for n times as long: a slider asks at each step.
REST_SECONDS: Final = 0.12

_Made = TypeVar("_Made")


class Task:
    """The handle of a computation: called, it says whether the answer is no longer needed; here it always is needed."""

    def __call__(self) -> bool:
        return False

    def report(self, done: int, total: int) -> None:
        """Report that so many of all steps are done."""

    def tell(self, answer: object, share: float = 0.0) -> None:
        """Give an answer that is not complete yet, and how much of the work is done, 0 to 1."""


@record
class Question:
    """A pure function of its arguments that may take long: compute(*arguments, task) gives the answer.

    Equal functions of equal arguments are one question. topic: of its questions one is shown at a time; rank: 0 for
    pictures that a person waits for, higher for later ones; title: its name in the progress row. One that is_quick
    takes less than a frame: it is computed where it is first read, and kept. takes: what compute
    gets after its arguments, a task, its report and the task, or nothing where it is always computed to its end.
    """

    topic: str = field(compare=False)
    compute: Callable[..., Any]
    arguments: tuple[Hashable, ...]
    rank: int = field(default=0, compare=False)
    title: str = field(default="", compare=False)
    is_quick: bool = field(default=False, compare=False)
    takes: Literal["task", "report and task", "nothing"] = field(default="task", compare=False)

    def computed(self, task: Task) -> Any:
        """The answer, computed now."""
        if self.takes == "nothing":
            return self.compute(*self.arguments)
        return self.compute(*self.arguments, *((task.report,) if self.takes == "report and task" else ()), task)


Questions: TypeAlias = tuple[Question, ...]


class Answers(Protocol):
    """The answers that a scene reads, if they are known."""

    def answer(self, question: Question) -> Any:
        """The answer, perhaps not complete yet; None while nothing is known."""

    def latest(self, question: Question) -> Any:
        """The answer, or, while it isn't known, the last one of its topic."""
        return self.answer(question)

    def read_by(self, make: Callable[[Any, "Answers"], _Made], state: object) -> _Made:
        """make(state, self), the same object as long as neither the state nor an answer changes, where that is kept."""
        return make(state, self)

    def share(self, question: Question) -> float | None:
        """How much of it is done, 0 to 1; None for a known answer, and for one that is not being computed."""
        return None

    def is_stopped(self, question: Question) -> bool:
        """Whether a person stopped the computation before its end."""
        return False


class Computed(Answers, Task):
    """Answers for a figure: each that isn't known is computed when it is asked for, however long that takes."""

    def __init__(self, findings: "Findings | None" = None) -> None:
        self._findings = findings
        self._answers: dict[Question, Any] = {}

    def answer(self, question: Question) -> Any:
        if question not in self._answers:
            if self._findings is not None and self._findings.is_known(question):
                return self._findings.answer(question)
            self._answers[question] = question.computed(self)
        return self._answers[question]


_quick_answer: Final = lru_cache(maxsize=_MOST_QUICK)(lambda question: question.computed(Task()))


@dataclass(slots=True, eq=False, repr=False)
class _Result:
    """What the thread has found of a question so far; was_overtaken, error: how it came to an end without an answer."""

    answer: Any = None
    share: float = 0.0
    is_known: bool = False
    was_overtaken: bool = False
    error: Exception | None = None
    is_stopped: bool = False
    # Bytes of the arrays of a known answer.
    n_bytes: int = 0

    @property
    def is_settled(self) -> bool:
        return self.is_known or self.is_stopped


_NOTHING: Final = _Result()


class Findings(QObject):
    """Computes questions one at a time, lowest rank first, and cancels those that are no longer needed.

    `changed` and `failed` are emitted on the thread that owns the object; answers change only then, and until then a
    computation that has ended counts as busy. A question of a lower rank that comes while one of a higher rank is
    computed is answered first, within the other's own calls of its task: nothing is lost. While something is
    held only questions of rank 0 are computed. One that `waits` computes nothing before `begin`.
    """

    # New answers for these askers, a frozenset of their names.
    changed = Signal(object)
    failed = Signal(object)
    _arrived = Signal()

    def __init__(self, parent: QObject | None = None, *, waits: bool = False) -> None:
        super().__init__(parent)
        # Guards all below it; held for moments only.
        self._lock = threading.Condition()
        self._wanted: dict[str, Questions] = {}
        self._queue: list[Question] = []
        self._entries: dict[Question, _Result] = {}
        self._latest: dict[str, Any] = {}
        # What was made of a state and of the answers as they are now, by what has made it.
        self._made: dict[Callable[..., Any], tuple[object, Any]] = {}
        # Being computed, or computed and not yet announced.
        self._running: list[Question] = []
        self._arrivals: dict[Question, _Result] = {}
        self._asked_at = 0.0
        # Whether a pointer holds something, a slider for instance.
        self.is_held = False
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._arrived.connect(self._on_arrived)
        self._waits = waits

    def ask(self, asker: str, questions: Sequence[Question]) -> None:
        """Replace the questions of an asker by these, which may be none."""
        questions = tuple(questions)
        with self._lock:
            if self._is_closed or self._wanted.get(asker, ()) == questions:
                return
            before = self._wanted.get(asker, ())
            self._made.clear()
            self._wanted[asker] = questions
            self._asked_at = time.monotonic()
            self._fill_queue()
            self._drop(before)
            # Woken for nothing the thread would take the interpreter from a drag.
            if self._running or self._seconds_to_next() is not None:
                self._lock.notify()
        self._start_thread()

    def begin(self) -> None:
        """Start computing, with what has been asked so far."""
        self._waits = False
        self._start_thread()

    def answer(self, question: Question) -> Any:
        if question.is_quick:
            return _quick_answer(question)
        return self._entry(question).answer

    def latest(self, question: Question) -> Any:
        answer = self.answer(question)
        return self._latest.get(question.topic) if answer is None else answer

    def read_by(self, make: Callable[[Any, Answers], _Made], state: object) -> _Made:
        if make not in self._made or self._made[make][0] is not state:
            self._made[make] = state, make(state, self)
        made: _Made = self._made[make][1]
        return made

    def share(self, question: Question) -> float | None:
        entry = self._entry(question)
        is_asked = entry is not _NOTHING or question in self._queue or question in self._running
        return entry.share if is_asked and not entry.is_settled else None

    def is_known(self, question: Question) -> bool:
        """Whether the whole answer is there."""
        return question.is_quick or self._entry(question).is_known

    def is_stopped(self, question: Question) -> bool:
        return self._entry(question).is_stopped

    def is_busy(self, asker: str | None = None) -> bool:
        """Whether an answer is still to come, for this asker or for any."""
        with self._lock:
            running = {one for one in self._running if self._is_wanted(one) and not self.is_stopped(one)}
            pending = set() if self._is_closed else running | {*self._queue}
            return bool(pending if asker is None else pending & {*self._wanted.get(asker, ())})

    def set_stopped(self, questions: Sequence[Question], *, is_stopped: bool) -> None:
        """Stop computing these questions and keep what is known; or go on with what was stopped, from the beginning."""
        with self._lock:
            for question in filter(self._is_wanted, questions):
                entry = self._entries.setdefault(question, _Result())
                if not entry.is_known:
                    entry.is_stopped = is_stopped
        self._follow(questions)

    def forget(self, questions: Sequence[Question]) -> None:
        """Know nothing of these questions any more; those that are asked are computed again."""
        with self._lock:
            for question in questions:
                self._entries.pop(question, None)
        self._follow(questions)

    def _follow(self, questions: Sequence[Question]) -> None:
        """Compute what is still to be computed, now that other things are known of these questions."""
        self._made.clear()
        with self._lock:
            self._fill_queue()
            self._lock.notify()
        self._start_thread()
        self._announce(questions)

    def set_held(self, is_held: bool) -> None:
        """Hold back questions with a rank, or let them go on."""
        with self._lock:
            self.is_held = is_held
            self._lock.notify()

    def close(self) -> None:
        """Cancel everything and join the thread."""
        with self._lock:
            self._is_closed = True
            self._queue.clear()
            self._lock.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _announce(self, questions: Collection[Question]) -> None:
        askers = frozenset(asker for asker, wanted in self._wanted.items() if not {*wanted}.isdisjoint(questions))
        if askers:
            self.changed.emit(askers)

    def _fill_queue(self) -> None:
        """Everything wanted that is neither known, stopped nor running, the lowest rank first."""
        wanted = dict.fromkeys(chain.from_iterable(self._wanted.values()))
        slow = [question for question in wanted if not question.is_quick]
        waiting = [one for one in slow if one not in self._running and not self._entry(one).is_settled]
        self._queue = sorted(waiting, key=lambda question: question.rank)

    def _drop(self, questions: Sequence[Question]) -> None:
        """Keep no large answers, and none that are incomplete, of what is no longer wanted."""
        for question in questions:
            entry = self._entries.get(question)
            if entry is None or self._is_wanted(question):
                continue
            if not entry.is_known or entry.n_bytes > _LARGEST_KEPT:
                del self._entries[question]
        n_bytes = sum([entry.n_bytes for entry in self._entries.values()])
        for oldest in list(self._entries):
            if len(self._entries) <= _MOST_KEPT and n_bytes <= _MOST_BYTES_KEPT:
                return
            if not self._is_wanted(oldest):
                n_bytes -= self._entries.pop(oldest).n_bytes

    def _is_wanted(self, question: Question) -> bool:
        return question in chain.from_iterable(self._wanted.values())

    def _entry(self, question: Question) -> _Result:
        return self._entries.get(question, _NOTHING)

    def _start_thread(self) -> None:
        """Where there is work, no thread yet, and nothing waits for `begin`."""
        if self._queue and self._thread is None and not self._waits:
            self._thread = threading.Thread(target=self._work, name="findings", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            with self._lock:
                while not self._is_closed and self._seconds_to_next() != 0:
                    self._lock.wait(self._seconds_to_next())
                if self._is_closed:
                    return
                question = self._queue.pop(0)
                self._running.append(question)
            self._compute(question)

    def _seconds_to_next(self) -> float | None:
        """How long the first of the queue still has to wait; None for an empty queue, and where it is not known."""
        if not self._queue or (self.is_held and self._queue[0].rank):
            return None
        return max(self._asked_at + self._queue[0].rank * REST_SECONDS - time.monotonic(), 0.0)

    def _compute(self, question: Question) -> None:
        answer = None
        error = None
        task = _Running(self, question)
        try:
            answer = question.computed(task)
        except CancelledError:
            task.was_overtaken = True
        except Exception as raised:  # noqa: BLE001 - every error is passed to the GUI thread; none may end this one
            error = raised
        self._bring(question, _Result(answer, 1.0, is_known=True, was_overtaken=task.was_overtaken, error=error))

    def _bring(self, question: Question, arrival: _Result) -> None:
        """Queue it for the thread that owns the object, over what is queued already."""
        with self._lock:
            is_first = not self._arrivals
            before = self._arrivals.get(question)
            if before is not None and arrival.answer is None:
                arrival.answer = before.answer
            self._arrivals[question] = arrival
        if is_first:
            self._arrived.emit()

    def _on_arrived(self) -> None:
        self._made.clear()
        with self._lock:
            arrivals, self._arrivals = self._arrivals, {}
            for question, arrival in arrivals.items():
                if arrival.is_known:
                    self._running.remove(question)
            news = {question: one for question, one in arrivals.items() if self._is_news(question, one)}
            for question, arrival in news.items():
                self._take(question, arrival)
            # A dropped question may have been asked again meanwhile.
            self._fill_queue()
            self._lock.notify()
        for arrival in news.values():
            if arrival.error is not None:
                self.failed.emit(arrival.error)
        self._announce(news)

    def _is_news(self, question: Question, arrival: _Result) -> bool:
        is_over = self._is_closed or arrival.was_overtaken
        return not is_over and self._is_wanted(question) and not self.is_stopped(question)

    def _take(self, question: Question, news: _Result) -> None:
        # A cancelled function gives None or CancelledError; one without a final answer keeps its last report.
        news.answer = self._entry(question).answer if news.answer is None else news.answer
        news.n_bytes = _bytes_of(news.answer) if news.is_known else 0
        # The latest one stands last.
        self._entries.pop(question, None)
        self._entries[question] = news
        if news.is_known or news.answer is not None:
            self._latest[question.topic] = news.answer

    def _is_overtaken(self, question: Question) -> bool:
        """Whether the answer is no longer needed; computes questions of lower rank first, within this call.

        Waits while something is held, where the question has a rank.
        """
        while True:
            with self._lock:
                if self._is_closed or not self._is_wanted(question) or self.is_stopped(question):
                    return True
                if self._queue and self._queue[0].rank < question.rank and self._seconds_to_next() == 0:
                    urgent = self._queue.pop(0)
                    self._running.append(urgent)
                elif self.is_held and question.rank:
                    self._lock.wait()
                    continue
                else:
                    return False
            self._compute(urgent)


def _bytes_of(answer: object) -> int:
    """The bytes of the arrays in an answer: in its fields, its elements and theirs."""
    if isinstance(answer, np.ndarray):
        return answer.nbytes
    if isinstance(answer, Mapping):
        return sum(map(_bytes_of, answer.values()))
    if isinstance(answer, tuple | list):
        return sum(map(_bytes_of, answer))
    return sum([_bytes_of(getattr(answer, one.name)) for one in fields(answer)]) if is_dataclass(answer) else 0


class _Running(Task):
    """The task of one computation."""

    def __init__(self, findings: Findings, question: Question) -> None:
        self._findings, self._question = findings, question
        self._reported_at = time.monotonic()
        self.was_overtaken = False

    def __call__(self) -> bool:
        self.was_overtaken = self.was_overtaken or self._findings._is_overtaken(self._question)  # noqa: SLF001 - one thing in two classes
        return self.was_overtaken

    def report(self, done: int, total: int) -> None:
        if time.monotonic() - self._reported_at >= _NEWS_SECONDS:
            self.tell(None, done / max(total, 1))

    def tell(self, answer: object, share: float = 0.0) -> None:
        self._reported_at = time.monotonic()
        self._findings._bring(self._question, _Result(answer, share))  # noqa: SLF001 - one thing in two classes
