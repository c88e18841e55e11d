"""One background thread in which only the newest request counts."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QObject, Signal

IsCancelled = Callable[[], bool]


class Task:
    """What a computation is given: called, it says whether it was overtaken; `tell` passes on what is known so far."""

    __slots__ = ("_generation", "_worker")

    def __init__(self, worker: "Worker", generation: int) -> None:
        self._worker = worker
        self._generation = generation

    def __call__(self) -> bool:
        """Whether a newer request, or nobody, waits for the answer."""
        return not self._worker.is_newest(self._generation)

    def tell(self, news: object) -> None:
        """Announce something before the answer, unless overtaken."""
        self._worker.pass_on(self._generation, news)


class Worker(QObject):
    """Runs one computation at a time; an answer to anything but the newest request is never seen.

    A computation takes one argument, its task. At most one computation runs and one waits. `told`, `answered` and
    `failed` are emitted on the thread that owns the worker.
    """

    told = Signal(object)
    answered = Signal(object)
    failed = Signal(object)
    _passed_on = Signal(int, object)
    _arrived = Signal(int, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="analysis")
        self._generation = 0
        self._newest: Future[None] | None = None
        self._is_busy = False
        self._is_closed = False
        self._passed_on.connect(self._on_passed_on)
        self._arrived.connect(self._on_arrived)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._is_busy

    def is_newest(self, generation: int) -> bool:
        """Whether nothing has overtaken a request."""
        return generation == self._generation

    def pass_on(self, generation: int, news: object) -> None:
        """Bring news of a computation to the worker's thread."""
        if self.is_newest(generation):
            self._passed_on.emit(generation, news)

    def ask(self, compute: Callable[[Task], object]) -> None:
        """Start a computation and overtake every earlier one."""
        if self._is_closed:
            return
        self.forget()
        self._is_busy = True
        self._newest = self._pool.submit(self._run, self._generation, compute)

    def forget(self) -> None:
        """Cancel what runs or waits: its answer will not be announced."""
        self._generation += 1
        if self._newest is not None:
            self._newest.cancel()
        self._is_busy = False

    def close(self) -> None:
        """Cancel everything and join the thread."""
        self._is_closed = True
        self.forget()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, generation: int, compute: Callable[[Task], object]) -> None:
        task = Task(self, generation)
        if task():
            return
        answer, error = None, None
        try:
            answer = compute(task)
        except Exception as raised:  # noqa: BLE001 - every error is carried to the GUI thread; none may die with a pool thread
            error = raised
        if not task():
            self._arrived.emit(generation, answer, error)

    def _on_passed_on(self, generation: int, news: object) -> None:
        if self.is_newest(generation):
            self.told.emit(news)

    def _on_arrived(self, generation: int, answer: Any, error: Exception | None) -> None:
        if not self.is_newest(generation):
            return
        self._is_busy = False
        if error is not None:
            self.failed.emit(error)
        else:
            self.answered.emit(answer)
