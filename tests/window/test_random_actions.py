"""A thousand random actions in the window raise nothing, and undo leads back to the first state, redo to the last."""

import random
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.presets import PRESETS
from pe_desktop.core.state import State
from pe_desktop.window.application import Instrument
from pe_desktop.window.main_window import PLOTS

KEYS = [
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight, Qt.Key.Key_P, Qt.Key.Key_V, Qt.Key.Key_B, Qt.Key.Key_C,
    Qt.Key.Key_A, Qt.Key.Key_M, Qt.Key.Key_F6, Qt.Key.Key_Escape,
]  # fmt: skip
TYPED = {
    "d_model": ("2", "7", "64", "200", "x"), "n_positions": ("1", "10", "300", "1e9"), "base": ("2", "500", "-1"),
    "position": ("0", "3.5", "1e9"), "offset": ("-4", "0.25"), "pair": ("1", "99"), "spacing": ("linear", "single"),
}  # fmt: skip
VIEWED = {
    "similarity.measure": ("dot", "cosine", "distance"), "rotation.page": ("matrix", "algebra"),
    "properties.page": ("verdicts", "collisions", "distance", "scales"), "clock.mode": ("one", "each"),
    "derivations.page": ("log", "system", "unique"), "study.is_open": ("true", "false"),
    "compare.list": ("overview", "naive"), "compare.shows": ("measurements", "difference"),
    "matrix.adds_embedding": ("true", "false"), "matrix.shows_terms": ("true", "false"),
    "decoder.page": ("read", "before"), "decoder.reads": ("fastest", "pinned"), "decoder.n_hands": ("1", "9"),
}  # fmt: skip


def act(instrument: Instrument, luck: random.Random) -> None:
    """One of the things a person can do to what is seen."""
    window, model = instrument.window, instrument.model
    match luck.randrange(8):
        case 0:
            model.choose(luck.choice([*PRESETS]))
        case 1:
            name = luck.choice([*TYPED])
            model.set_parameter(name, luck.choice(TYPED[name]))
        case 2:
            name = luck.choice([*VIEWED])
            model.set_parameter(name, luck.choice(VIEWED[name]))
        case 3:
            QTest.keyClick(window, luck.choice(KEYS))
        case 4:
            window.docks[luck.choice(PLOTS)].raise_()
        case 5:
            panel = window.docks[luck.choice([*window.docks])].panel
            if panel.isVisible():
                place = QPoint(luck.randrange(max(panel.width(), 1)), luck.randrange(max(panel.height(), 1)))
                widget = panel.childAt(place) or panel
                if "Canvas" in {base.__name__ for base in type(widget).__mro__}:
                    at = widget.mapFrom(panel, place)
                    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=at)
                    QTest.mouseMove(widget, at + QPoint(luck.randrange(-60, 60), luck.randrange(-20, 20)))
                    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=at)
        case 6:
            window.resize(luck.choice([1100, 1300, 1600]), luck.choice([680, 720, 1000]))
        case _:
            (model.undo if luck.random() < 0.7 else model.redo)()


def without_front(state: State) -> State:
    """Which tabs stand in front is no step of undo."""
    return replace(state, views=replace(state.views, front=()))


@pytest.mark.parametrize("seed", [1, 2])
def test_random_actions_are_undone_to_the_start_and_redone_to_the_end(instrument: Instrument, seed: int) -> None:
    luck, model = random.Random(seed), instrument.model
    first = model.state
    for number in range(500):
        act(instrument, luck)
        if number % 10 == 0:
            QApplication.processEvents()
    model.set(**{"compare.is_open": False})
    while model.redo_names:
        model.redo()
    QApplication.processEvents()
    last = model.state
    while model.undo_names:
        model.undo()
    assert without_front(model.state) == without_front(first)
    while model.redo_names:
        model.redo()
    assert without_front(model.state) == without_front(last)
