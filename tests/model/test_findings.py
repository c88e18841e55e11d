"""Findings: each question is computed once, on one thread; what nobody wants any more is cancelled and never told."""

import threading
from dataclasses import dataclass
from unittest.mock import Mock

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication

from pe_desktop.model.findings import REST_SECONDS, Computed, Findings, Question


@pytest.fixture
def findings(qapp):
    findings = Findings()
    yield findings
    findings.close()


class Computation:
    """A function that notes its calls, waits until it is let go, and answers, tells or fails."""

    def __init__(
        self, answer: object = None, *, error: Exception | None = None, is_held: bool = False, is_deaf: bool = False
    ) -> None:
        self.answer, self.error, self.is_deaf = answer, error, is_deaf
        self.calls: list[tuple[object, ...]] = []
        self.threads: set[str] = set()
        self.has_begun, self.may_end, self.saw_cancel = threading.Event(), threading.Event(), threading.Event()
        if not is_held:
            self.may_end.set()

    def __call__(self, *arguments):
        *values, task = arguments
        self.calls.append(tuple(values))
        self.threads.add(threading.current_thread().name)
        self.has_begun.set()
        while not self.may_end.wait(0.002):
            if not self.is_deaf and task():
                self.saw_cancel.set()
                return None
        if self.error is not None:
            raise self.error
        return self.answer if self.answer is not None else values


def question(computation: Computation, *arguments: object, rank: int = 0) -> Question:
    return Question("topic", computation, arguments, rank)


@pytest.fixture
def begin(findings, qtbot):
    """Asks for a computation and waits until it has begun; its question."""

    def ask(computation: Computation, asker: str = "a", rank: int = 0) -> Question:
        asked = question(computation, rank=rank)
        findings.ask(asker, [asked])
        qtbot.waitUntil(computation.has_begun.is_set)
        return asked

    return ask


def test_a_question_that_several_ask_is_computed_once_on_the_one_thread_and_announced_on_the_owners(findings, qtbot):
    computation, threads = Computation("answer"), []
    findings.changed.connect(lambda: threads.append(threading.current_thread()))
    asked = question(computation, 1)
    for asker in ("a", "b", "c"):
        findings.ask(asker, [asked])
    qtbot.waitUntil(lambda: bool(threads))
    assert {*threads} == {threading.main_thread()}
    assert (findings.answer(asked), findings.is_known(asked)) == ("answer", True)
    findings.ask("d", [asked])
    qtbot.waitUntil(lambda: not findings.is_busy())
    assert (computation.calls, computation.threads) == ([(1,)], {"findings"})


def test_a_thousand_questions_behind_a_running_one_cost_one_more_computation(findings, begin, qtbot):
    first, later = Computation(is_held=True, is_deaf=True), Computation()
    begin(first)
    for number in range(1000):
        findings.ask("a", [question(later, number)])
    first.may_end.set()
    qtbot.waitUntil(lambda: findings.is_known(question(later, 999)))
    assert later.calls == [(999,)]
    assert findings.answer(question(later, 500)) is None


def test_what_is_no_longer_wanted_is_cancelled_never_seen_and_computed_anew_when_wanted_again(findings, begin, qtbot):
    computation = Computation("late", is_held=True)
    asked = begin(computation)
    findings.ask("a", ())
    assert computation.saw_cancel.wait(5)
    QCoreApplication.processEvents()
    assert (findings.answer(asked), findings.is_busy()) == (None, False)
    findings.ask("a", [asked])
    findings.ask("a", ())
    findings.ask("a", [asked])
    computation.may_end.set()
    qtbot.waitUntil(lambda: findings.is_known(asked))
    assert findings.answer(asked) == "late"


def test_an_urgent_question_is_answered_while_a_long_one_goes_on(findings, begin, qtbot):
    long, urgent = Computation("long", is_held=True), Computation("urgent")
    begin(long, "checks", rank=2)
    findings.ask("panel", [question(urgent)])
    qtbot.waitUntil(lambda: findings.is_known(question(urgent)))
    assert not findings.is_known(question(long))
    long.may_end.set()
    qtbot.waitUntil(lambda: findings.is_known(question(long)))
    assert (len(long.calls), len(urgent.calls)) == (1, 1)


def test_nothing_with_a_rank_begins_or_goes_on_while_something_is_held(findings, begin, qtbot):
    running, later, urgent = Computation("running", is_held=True), Computation("later"), Computation("urgent")
    begin(running, "checks", rank=1)
    findings.set_held(True)
    running.may_end.set()
    findings.ask("panel", [question(later, rank=1), question(urgent)])
    qtbot.waitUntil(lambda: findings.is_known(question(urgent)))
    qtbot.wait(round(3000 * REST_SECONDS))
    assert (later.calls, findings.is_busy("panel")) == ([], True)
    findings.set_held(False)
    qtbot.waitUntil(lambda: findings.is_known(question(later)))


def test_the_thread_is_woken_while_something_is_held_only_for_what_need_not_wait(findings, begin, qtbot, monkeypatch):
    first, urgent, notify = Computation("first"), Computation("urgent"), Mock(wraps=findings._lock.notify)
    begin(first, "checks")
    qtbot.waitUntil(lambda: not findings.is_busy())
    findings.set_held(True)
    monkeypatch.setattr(findings._lock, "notify", notify)
    findings.ask("panel", [question(Computation("later"), rank=1)])
    assert not notify.called
    findings.ask("panel", [question(urgent)])
    qtbot.waitUntil(lambda: findings.is_known(question(urgent)))


def test_what_rests_while_something_is_held_can_be_dropped_and_closed(findings, begin):
    running, other = Computation(is_held=True), Computation(is_held=True)
    begin(running, "checks", rank=1)
    findings.set_held(True)
    findings.ask("checks", ())
    assert running.saw_cancel.wait(5)
    findings.set_held(False)
    begin(other, "checks", rank=1)
    findings.set_held(True)
    findings.close()
    assert other.saw_cancel.is_set()


def test_what_has_been_computed_is_busy_and_unknown_until_it_is_told_to_those_who_asked_for_it(findings, begin, qtbot):
    first, second, heard = Computation("first", is_held=True), Computation(is_held=True), []
    findings.changed.connect(lambda askers: heard.append((askers, findings.is_busy("a"), findings.is_busy("c"))))
    for asker in ("a", "b"):
        begin(first, asker)
    findings.ask("c", [question(second)])
    first.may_end.set()
    # The thread is done with the first; no event has been handled meanwhile.
    assert second.has_begun.wait(5)
    assert (findings.is_busy("a"), findings.is_known(question(first)), heard) == (True, False, [])
    QCoreApplication.processEvents()
    assert (findings.is_busy("a"), findings.answer(question(first))) == (False, "first")
    assert heard == [({"a", "b"}, False, True)]
    second.may_end.set()
    qtbot.waitUntil(lambda: not findings.is_busy())
    assert heard[1:] == [({"c"}, False, False)]


def test_the_last_answer_of_a_topic_stands_until_the_next_is_known(findings, qtbot):
    first, may_end = Computation("first"), threading.Event()

    def second(task):
        task.tell(None, 0.5)
        may_end.wait(5)
        return "second"

    asked = Question("topic", second, ())
    findings.ask("a", [question(first)])
    qtbot.waitUntil(lambda: findings.is_known(question(first)))
    findings.ask("a", [asked])
    assert (findings.answer(asked), findings.latest(asked)) == (None, "first")
    qtbot.waitUntil(lambda: findings.share(asked) == 0.5)
    assert (findings.answer(asked), findings.latest(asked)) == (None, "first")
    may_end.set()
    qtbot.waitUntil(lambda: findings.latest(asked) == "second")


def test_partial_answers_and_progress_are_told(findings, qtbot):
    def tell(task):
        task.tell("half", 0.5)
        while not task():
            pass

    asked = Question("topic", tell, ())
    findings.ask("a", [asked])
    qtbot.waitUntil(lambda: findings.answer(asked) == "half")
    assert (findings.share(asked), findings.is_known(asked), findings.is_busy("a")) == (0.5, False, True)
    findings.set_stopped([asked], is_stopped=True)
    assert (findings.is_stopped(asked), findings.is_busy("a"), findings.answer(asked)) == (True, False, "half")


def test_what_was_stopped_goes_on_when_it_is_resumed(findings, begin, qtbot):
    computation = Computation("done", is_held=True)
    asked = begin(computation)
    findings.set_stopped([asked], is_stopped=True)
    assert computation.saw_cancel.wait(5)
    computation.may_end.set()
    assert findings.share(asked) is None
    findings.set_stopped([asked], is_stopped=False)
    qtbot.waitUntil(lambda: findings.is_known(asked))
    assert not findings.is_stopped(asked)


def test_an_error_is_announced_and_the_next_question_answered(findings, qtbot):
    broken = Computation(error=RuntimeError("no room"))
    with qtbot.waitSignal(findings.failed) as failure:
        findings.ask("a", [question(broken)])
    assert str(failure.args[0]) == "no room"
    findings.ask("a", [question(Computation("fine"), 2)])
    qtbot.waitUntil(lambda: not findings.is_busy())
    assert len(broken.calls) == 1


def test_closing_joins_the_thread_announces_nothing_and_computes_nothing_again(findings, begin, make_model, qtbot):
    computation, heard = Computation(is_held=True), []
    begin(computation)
    findings.changed.connect(lambda: heard.append(True))
    findings.close()
    QCoreApplication.processEvents()
    assert (heard, computation.saw_cancel.is_set()) == ([], True)
    assert not [thread for thread in threading.enumerate() if thread.name == "findings"]
    findings.close()
    late = Computation()
    findings.ask("a", [question(late, 3)])
    # A model that is closed before its thread has begun.
    model = make_model()
    assert model.is_measuring
    model.close()
    qtbot.wait(120)
    assert (findings.is_busy(), model.is_measuring, model.analysis, late.calls) == (False, False, None, [])
    assert not [thread for thread in threading.enumerate() if thread.name == "findings"]


def test_a_figure_gets_its_answers_at_once():
    computation, computed = Computation(), Computed()
    assert [computed.answer(question(computation, 4)), computed.latest(question(computation, 4))] == [[4], [4]]
    assert len(computation.calls) == 1


@dataclass(frozen=True)
class Nested:
    """An answer that holds its array as the answers of the views do."""

    parts: tuple[dict[str, np.ndarray], ...]


def test_answers_that_nobody_wants_are_kept_up_to_thirty_two_mebibytes_the_latest_first(findings, qtbot):
    asked = [question(Computation(Nested(({"x": np.zeros(100_000)},))), number) for number in range(60)]
    for one in asked:
        findings.ask("a", [one])
        qtbot.waitUntil(lambda one=one: findings.is_known(one))
    findings.ask("a", ())
    known = [findings.is_known(one) for one in asked]
    # 41 answers of 800 000 bytes are the most that 2**25 bytes hold.
    assert known == [False] * 19 + [True] * 41


def test_a_quick_question_is_computed_where_it_is_first_read_and_once(findings) -> None:
    computation = Computation("quick")
    quick = Question("topic", computation, (7,), is_quick=True)
    findings.ask("a panel", [quick])
    assert not findings.is_busy()
    assert [findings.answer(quick), findings.latest(quick), findings.answer(quick)] == ["quick"] * 3
    assert (findings.is_known(quick), findings.share(quick)) == (True, None)
    assert (computation.calls, computation.threads) == ([(7,)], {threading.main_thread().name})


def test_what_is_read_of_a_state_and_the_answers_is_made_anew_where_one_of_them_changes(findings, qtbot) -> None:
    asked, states = question(Computation(7), 1), []

    def read(state, answers):
        states.append(state)
        return answers.answer(asked)

    assert [findings.read_by(read, state) for state in ("one", "one", "other", "other")] == [None] * 4
    assert states == ["one", "other"]
    findings.ask("a", [asked])
    qtbot.waitUntil(lambda: findings.is_known(asked))
    assert findings.read_by(read, "other") == 7
