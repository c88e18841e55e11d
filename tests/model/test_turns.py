"""Work in turns: one piece in every second turn of the event loop."""

from functools import partial

from PySide6.QtCore import QCoreApplication

from pe_desktop.model.encoding_model import Turns


def test_every_second_turn_of_the_event_loop_does_one_piece_in_order_and_each_once(qapp: QCoreApplication) -> None:
    called: list[str] = []
    turns = Turns(qapp)
    pieces = [partial(called.append, name) for name in ("first", "second", "third")]
    # One that waits already keeps its place; a piece may add another, and itself.
    for piece in (pieces[0], partial(turns.add, pieces[2]), pieces[1], pieces[0]):
        turns.add(piece)
    assert called == []
    after_each = []
    while turns.is_busy:
        QCoreApplication.processEvents()
        after_each.append(len(called))
    assert called == ["first", "second", "third"]
    assert all(later - sooner <= 1 for sooner, later in zip([0, 0, *after_each], after_each, strict=False))


def test_cleared_turns_do_nothing(qapp: QCoreApplication) -> None:
    called: list[str] = []
    turns = Turns(qapp)
    turns.add(partial(called.append, "first"))
    turns.clear()
    for _ in range(3):
        QCoreApplication.processEvents()
    assert (turns.is_busy, called) == (False, [])
