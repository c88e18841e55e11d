"""Work in turns: one piece in every second turn of the event loop."""

from functools import partial

import pytest
from PySide6.QtCore import QCoreApplication

from pe_desktop.model.encoding_model import Turns


@pytest.fixture
def called() -> list[str]:
    return []


@pytest.fixture
def turns(qapp: QCoreApplication) -> Turns:
    return Turns(qapp)


def test_every_second_turn_of_the_event_loop_does_one_piece_in_order(turns: Turns, called: list[str]) -> None:
    for name in ("first", "second", "third"):
        turns.add(partial(called.append, name))
    assert called == []
    after_each = []
    while turns.is_busy:
        QCoreApplication.processEvents()
        after_each.append(len(called))
    assert called == ["first", "second", "third"]
    assert all(later - sooner <= 1 for sooner, later in zip([0, 0, *after_each], after_each, strict=False))


def test_what_waits_already_keeps_its_place_and_is_done_once(turns: Turns, called: list[str]) -> None:
    first, second = partial(called.append, "first"), partial(called.append, "second")
    for work in (first, second, first):
        turns.add(work)
    while turns.is_busy:
        QCoreApplication.processEvents()
    assert called == ["first", "second"]


def test_a_piece_may_add_another_and_be_added_again(turns: Turns, called: list[str]) -> None:
    def work() -> None:
        called.append("work")
        if len(called) < 3:
            turns.add(work)

    turns.add(work)
    while turns.is_busy:
        QCoreApplication.processEvents()
    assert called == ["work"] * 3


def test_cleared_turns_do_nothing(turns: Turns, called: list[str]) -> None:
    turns.add(partial(called.append, "first"))
    turns.clear()
    for _ in range(3):
        QCoreApplication.processEvents()
    assert not turns.is_busy
    assert called == []
