"""The worker: only the newest request counts, on one thread that ends with it."""

import concurrent.futures
import threading
import time

import pytest
from PySide6.QtCore import QCoreApplication, Qt

from pe_desktop.model.worker import Worker


@pytest.fixture
def worker(qapp):
    worker = Worker()
    yield worker
    worker.close()


@pytest.fixture
def heard(worker):
    """What was announced, in order: signal, value, and the thread on which it was announced."""
    heard = []

    def on_answered(answer):
        heard.append(("answered", answer, threading.current_thread()))

    def on_failed(error):
        heard.append(("failed", error, threading.current_thread()))

    # Direct: called where the signal is emitted, so that a signal from the wrong thread can't hide.
    worker.answered.connect(on_answered, Qt.ConnectionType.DirectConnection)
    worker.failed.connect(on_failed, Qt.ConnectionType.DirectConnection)
    return heard


class Computation:
    """A request that notes when it begins, waits until it is let go, and answers; or fails."""

    def __init__(self, answer: object = None, error: Exception | None = None, is_held: bool = False) -> None:
        self.answer = answer
        self.error = error
        self.has_begun = threading.Event()
        self.may_end = threading.Event()
        self.has_ended = threading.Event()
        if not is_held:
            self.may_end.set()

    def __call__(self, is_cancelled):
        self.has_begun.set()
        self.may_end.wait(20)
        self.has_ended.set()
        if self.error is not None:
            raise self.error
        return self.answer


class Endless:
    """A request that ends only when it is told that it has been overtaken."""

    def __init__(self) -> None:
        self.has_begun = threading.Event()
        self.was_told = threading.Event()

    def __call__(self, is_cancelled):
        self.has_begun.set()
        while not is_cancelled():
            time.sleep(0.001)
        self.was_told.set()
        return "too late"


def finish(worker):
    """Wait until the thread has posted what it has to say, without letting it be heard."""
    concurrent.futures.wait([worker._newest], 20)


def test_an_answer_is_announced_on_the_thread_that_owns_the_worker(worker, heard, qtbot):
    computed_on = []

    def compute(is_cancelled):
        computed_on.append(threading.current_thread())
        return 42

    worker.ask(compute)
    qtbot.waitUntil(lambda: heard != [])
    assert heard == [("answered", 42, threading.main_thread())]
    assert threading.main_thread() not in computed_on
    assert len(computed_on) == 1


def test_a_thousand_asks_behind_a_running_one_cost_one_more_computation(worker, heard, qtbot):
    first, later = Computation(0, is_held=True), [Computation(number) for number in range(1, 1000)]
    worker.ask(first)
    assert first.has_begun.wait(20)
    for computation in later:
        worker.ask(computation)
    first.may_end.set()
    qtbot.waitUntil(lambda: heard != [])
    assert [computation.answer for computation in later if computation.has_begun.is_set()] == [999]
    finish(worker)
    QCoreApplication.processEvents()
    assert [value for _, value, _ in heard] == [999]


def test_no_answer_older_than_the_newest_request_is_announced_in_a_storm(worker, qtbot):
    asked: list[int] = []
    announced = []

    def on_answered(answer):
        announced.append((answer, asked[-1]))

    worker.answered.connect(on_answered)
    for number in range(1000):
        asked.append(number)
        worker.ask(Computation(number))
        if number % 7 == 0:
            QCoreApplication.processEvents()
    qtbot.waitUntil(lambda: announced != [] and announced[-1][0] == 999)
    assert all(answer == newest for answer, newest in announced)
    assert announced == sorted(set(announced))


def test_an_answer_that_is_already_on_its_way_is_dropped_when_it_is_overtaken(worker, heard, qtbot):
    worker.ask(Computation("old"))
    finish(worker)
    worker.ask(Computation("new"))
    qtbot.waitUntil(lambda: heard != [])
    finish(worker)
    QCoreApplication.processEvents()
    assert [value for _, value, _ in heard] == ["new"]


def test_a_computation_is_told_that_it_has_been_overtaken(worker, heard, qtbot):
    endless = Endless()
    worker.ask(endless)
    assert endless.has_begun.wait(20)
    worker.ask(Computation("new"))
    qtbot.waitUntil(lambda: heard != [])
    assert endless.was_told.is_set()
    assert [value for _, value, _ in heard] == ["new"]


def test_what_is_forgotten_is_told_and_never_announced(worker, heard):
    endless = Endless()
    worker.ask(endless)
    assert endless.has_begun.wait(20)
    worker.forget()
    assert endless.was_told.wait(20)
    finish(worker)
    QCoreApplication.processEvents()
    assert heard == []


def test_an_error_is_announced_as_failed_and_the_worker_goes_on(worker, heard, qtbot):
    error = ZeroDivisionError("no such table")
    worker.ask(Computation(error=error))
    qtbot.waitUntil(lambda: heard != [])
    worker.ask(Computation("next"))
    qtbot.waitUntil(lambda: len(heard) > 1)
    main = threading.main_thread()
    assert heard == [("failed", error, main), ("answered", "next", main)]


def test_the_error_of_an_overtaken_request_is_not_announced(worker, heard, qtbot):
    failing = Computation(error=ValueError("old"), is_held=True)
    worker.ask(failing)
    assert failing.has_begun.wait(20)
    worker.ask(Computation("new"))
    failing.may_end.set()
    qtbot.waitUntil(lambda: heard != [])
    assert [(signal, value) for signal, value, _ in heard] == [("answered", "new")]


def test_closing_while_computing_joins_the_thread_and_announces_nothing(worker, heard):
    before = set(threading.enumerate())
    running, waiting = Endless(), Computation("waiting")
    worker.ask(running)
    assert running.has_begun.wait(20)
    assert set(threading.enumerate()) - before
    worker.close()
    assert running.was_told.is_set()
    assert set(threading.enumerate()) <= before
    worker.ask(waiting)
    QCoreApplication.processEvents()
    assert heard == []
    assert not waiting.has_begun.is_set()


def test_closing_waits_for_a_computation_that_does_not_listen(worker, heard):
    deaf = Computation("late", is_held=True)
    worker.ask(deaf)
    assert deaf.has_begun.wait(20)
    threading.Timer(0.05, deaf.may_end.set).start()
    worker.close()
    assert deaf.has_ended.is_set()
    QCoreApplication.processEvents()
    assert heard == []


def test_a_closed_worker_may_be_closed_again(worker):
    worker.close()
    worker.close()
    late = Computation()
    worker.ask(late)
    worker.forget()
    assert not late.has_begun.is_set()
