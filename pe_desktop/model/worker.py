"""One background thread in which only the newest request counts."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QObject, Signal

IsCancelled = Callable[[], bool]


class Worker(QObject):
    """Runs one computation at a time; an answer to anything but the newest request is never seen.

    A computation takes one argument, a function that says whether it has been overtaken. At most one computation runs
    and one waits. `answered` and `failed` are emitted on the thread that owns the worker.
    """

    answered = Signal(object)
    failed = Signal(object)
    _arrived = Signal(int, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="analysis")
        self._generation = 0
        self._newest: Future[None] | None = None
        self._is_closed = False
        self._arrived.connect(self._on_arrived)

    def ask(self, compute: Callable[[IsCancelled], object]) -> None:
        """Start a computation and overtake every earlier one."""
        if self._is_closed:
            return
        self.forget()
        self._newest = self._pool.submit(self._run, self._generation, compute)

    def forget(self) -> None:
        """Cancel what runs or waits: its answer will not be announced."""
        self._generation += 1
        if self._newest is not None:
            self._newest.cancel()

    def close(self) -> None:
        """Cancel everything and join the thread."""
        self._is_closed = True
        self.forget()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _run(self, generation: int, compute: Callable[[IsCancelled], object]) -> None:
        def is_overtaken() -> bool:
            return generation != self._generation

        if is_overtaken():
            return
        answer, error = None, None
        try:
            answer = compute(is_overtaken)
        except Exception as raised:  # noqa: BLE001 - every error is carried to the GUI thread; none may die with a pool thread
            error = raised
        if not is_overtaken():
            self._arrived.emit(generation, answer, error)

    def _on_arrived(self, generation: int, answer: Any, error: Exception | None) -> None:
        if generation != self._generation:
            return
        if error is not None:
            self.failed.emit(error)
        else:
            self.answered.emit(answer)
