"""A thousand random actions in the window raise nothing, and undo leads back to the first state, redo to the last."""

import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QTabBar, QToolButton, QWidget

from pe_desktop.core.presets import PRESETS
from pe_desktop.core.state import State
from pe_desktop.draw import number_text
from pe_desktop.panels.controls.parameter_rows import NumberRow, WordRow
from pe_desktop.panels.controls.step_slider import StepSlider
from pe_desktop.window.application import Instrument, make_application
from pe_desktop.window.main_window import PLOTS, MainWindow
from pe_desktop.window.settings import Settings

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


def test_random_actions_are_undone_to_the_start_and_redone_to_the_end(
    instrument: Instrument, luck: random.Random
) -> None:
    model = instrument.model
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


def n_objects(instrument: Instrument) -> int:
    """The objects of Qt in the window, after all that is to be deleted has been."""
    for _ in range(5):
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QTest.qWait(300)
    return len(instrument.window.findChildren(QObject))


def test_the_same_actions_once_more_leave_no_more_objects_in_the_window(instrument: Instrument) -> None:
    first, counts = instrument.model.state, []
    for _ in range(3):
        luck = random.Random(3)
        for _ in range(80):
            act(instrument, luck)
            QApplication.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        instrument.model.set_state(first, "again")
        counts.append(n_objects(instrument))
    # The first time panels are made that are wanted late.
    assert counts[2] <= counts[1]


# They open dialogs, write files, or end the window.
NOT_TRIGGERED = re.compile(
    "session|recent|export|close|copy|settings|about|report|check|steps|keys|log|info|theme|full_screen|issue"
)
ENTERED = {
    "d_model": ("4", "7", "64", "512", "x"), "n_positions": ("10", "300", "1e99"), "base": ("2", "500.25", "1e8", "-1"),
    "seed": ("8", "-3"), "start": ("0.1", "nothing"), "position": ("5", "12.25", "1e9"), "offset": ("-4", "0.1", "?"),
    "pair": ("1", "99"),
}  # fmt: skip


def type_into_a_field(instrument: Instrument, luck: random.Random) -> None:
    """As a person does: press, type, then Enter, Tab, or a press on a plot; or nothing yet."""
    window, name = instrument.window, luck.choice([*ENTERED])
    # A dock that floats may be the active one.
    window.activateWindow()
    QApplication.processEvents()
    edit = {"position": window.transport.position, "offset": window.transport.offset, "pair": window.transport.pair}
    row = window.parameters.form.number_row(name)
    if name in edit:
        QTest.mouseClick(edit[name], Qt.MouseButton.LeftButton)
        field = edit[name].field
    elif row is not None and row.field.isVisible():
        field = row.field
        QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    else:
        return
    field.selectAll()
    QTest.keyClicks(field, luck.choice(ENTERED[name]))
    match luck.randrange(4):
        case 0:
            QTest.keyClick(field, Qt.Key.Key_Return)
        case 1:
            QTest.keyClick(field, Qt.Key.Key_Tab)
        case 2:
            window.clock.face.setFocus()


def click_a_control(instrument: Instrument, luck: random.Random) -> None:
    """A segment, a switch or an entry of a list of some panel, or a stop of a slider."""
    window = instrument.window
    panels = [dock.panel for dock in window.docks.values() if dock.panel.isVisible() and not dock.is_behind]
    panel = luck.choice(panels)
    controls = [widget for widget in panel.findChildren(QWidget) if widget.isVisible() and widget.isEnabled()]
    buttons = [widget for widget in controls if isinstance(widget, QAbstractButton) and widget.isCheckable()]
    sliders = [widget for widget in controls if isinstance(widget, StepSlider)]
    if buttons and luck.random() < 0.6:
        luck.choice(buttons).click()
    elif sliders:
        slider = luck.choice(sliders)
        QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(luck.randrange(slider.width()), 14))


def trigger_an_action(instrument: Instrument, luck: random.Random) -> None:
    window = instrument.window
    ids = [name for name in window.action_set.rows if not NOT_TRIGGERED.search(name)]
    if luck.random() < 0.7:
        window.action_set.trigger(luck.choice(ids))
        return
    dock = window.docks[luck.choice([key for key in PLOTS if key in window.docks])]
    luck.choice([dock.choose, dock.close, dock.bring_forward, lambda: dock.setFloating(not dock.isFloating())])()


def disagreements(instrument: Instrument) -> list[str]:
    """Every field, list, segment and menu entry that shows something else than the state."""
    window, model, found = instrument.window, instrument.model, []
    parameters, cursor = model.encoding.parameters, model.cursor
    shown = {name: row for name, row in window.parameters.form.rows.items() if name in parameters}
    if window.parameters.isVisible():
        for name, row in shown.items():
            value = parameters[name]
            if isinstance(row, NumberRow):
                field, expected = row.field, number_text.exact(float(value))
                is_typed = field.isModified() or field.is_refused
                found += [] if is_typed or field.text() == expected else [f"{name} {field.text()} for {expected}"]
                found += [f"{name}: sentence"] if bool(row.refusal.sentence) != field.is_refused else []
            elif isinstance(row, WordRow) and name != "map":
                buttons = row.findChildren(QToolButton)
                words = [button.text() for button in buttons if button.isChecked()]
                words += [] if row.box is None else [row.box.currentText()]
                found += [] if [word.lower() for word in words] == [value] else [f"{name} {words} for {value}"]
    transport = window.transport
    for edit, value in (
        (transport.position, cursor.position), (transport.offset, cursor.offset), (transport.pair, cursor.pair),
    ):  # fmt: skip
        field = edit.field
        is_closed = not field.isVisible() and field.text() != number_text.exact(float(value))
        found += [f"{edit.accessibleName()} {field.text()} for {value}"] if is_closed else []
        found += (
            [f"{edit.accessibleName()} open without the focus"]
            if field.isVisible() and field is not window.focusWidget()
            else []
        )
    for name, action in window.action_set.rows.items():
        if action.is_checked is not None and window.action_set.entries[name].isChecked() != action.is_checked():
            found.append(f"menu {name}: {window.action_set.entries[name].isChecked()}")
    return found


def test_fields_and_menus_agree_with_the_state_after_every_action(instrument: Instrument, luck: random.Random) -> None:
    others = (act, type_into_a_field, click_a_control, trigger_an_action)
    told: list[str] = []
    for number in range(200):
        action = luck.choice(others)
        action(instrument, luck)
        QApplication.processEvents()
        told.append(action.__name__)
        assert disagreements(instrument) == [], (number, told[-4:])


DONE_AT_RANDOM = """
import sys
from tests.window import test_random_actions
test_random_actions.do_at_random(sys.argv[1], int(sys.argv[2]))
"""


def do_at_random(name: str, seed: int) -> None:
    """One of what follows, in a window of its own."""
    make_application()
    instrument = Instrument(State(), Settings(theme="light", renderer="raster"))
    instrument.window.resize(1600, 1000)
    instrument.window.show()
    {"drag docks": drag_docks, "hold a plot": hold_plots}[name](instrument, random.Random(seed))
    instrument.close()


def hold_plots(instrument: Instrument, luck: random.Random) -> None:
    """Press plots, sliders and buttons, with other actions before the release; then undo all of it."""
    model, left, none = instrument.model, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    first = model.state
    for number in range(40):
        QTest.qWait(luck.choice([0, 5]))
        panels = [dock.panel for dock in instrument.window.docks.values() if dock.panel.isVisible()]
        panel = luck.choice(panels)
        place = QPoint(luck.randrange(max(panel.width(), 1)), luck.randrange(max(panel.height(), 1)))
        held = panel.childAt(place) or panel
        at = held.mapFrom(panel, place)
        # A menu or list that opens takes the pointer and waits.
        if "Canvas" not in {base.__name__ for base in type(held).__mro__} and not isinstance(held, StepSlider):
            continue
        QTest.mousePress(held, left, none, at)
        for _ in range(luck.randrange(1, 4)):
            QTest.mouseMove(held, at + QPoint(luck.randrange(-80, 80), luck.randrange(-80, 80)))
            act(instrument, luck)
            QTest.qWait(luck.choice([0, 5]))
        QTest.mouseRelease(held, left, none, at)
        QApplication.processEvents()
        assert disagreements(instrument) == [], number
    model.set(**{"compare.is_open": False})
    while model.undo_names:
        model.undo()
    assert without_front(model.state) == without_front(first)


def drag_docks(instrument: Instrument, luck: random.Random) -> None:
    """Drag title rows, tabs and the edge between columns, with keys, presets and other sizes before the release."""
    window, left, none = instrument.window, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for _ in range(12):
        QTest.qWait(luck.choice([5, 20]))
        handle, place = window.windowHandle(), dragged_place(window, luck)
        QTest.mousePress(handle, left, none, place)
        for _ in range(luck.randrange(2, 6)):
            place += QPoint(luck.randrange(-300, 300), luck.randrange(-200, 200))
            QTest.mouseMove(handle, place)
            QTest.qWait(luck.choice([0, 5, 20]))
            rearrange(instrument, luck)
        QTest.mouseRelease(handle, left, none, place)


def dragged_place(window: MainWindow, luck: random.Random) -> QPoint:
    """In a title row, on a tab, or between the columns."""
    rows = [dock.title_row for dock in window.docks.values() if dock.kind.is_movable and not dock.isFloating()]
    seen = [row.mapTo(window, QPoint(60, 20)) for row in rows if row is not None and not row.visibleRegion().isEmpty()]
    bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible() and bar.count()]
    tabs = [bar.mapTo(window, bar.tabRect(luck.randrange(bar.count())).center()) for bar in bars]
    column = window.docks["clock"].geometry()
    return luck.choice([*seen, *tabs, QPoint(column.right() + 4, column.center().y())])


def rearrange(instrument: Instrument, luck: random.Random) -> None:
    """By a key, a menu, a preset, another size; now and then by nothing."""
    window, ids = instrument.window, instrument.window.action_set.rows
    docks = [name for name in ids if name.startswith(("show ", "toggle_", "full", "reset", "undo", "redo", "fold"))]
    match luck.randrange(6):
        case 0:
            instrument.model.choose(luck.choice([*PRESETS]))
        case 1:
            window.resize(luck.choice([1000, 1100, 1300, 1600]), luck.choice([680, 1000]))
        case 2 | 3 | 4:
            window.action_set.trigger(luck.choice(docks))
    QTest.qWait(luck.choice([0, 5, 20]))


@pytest.mark.parametrize("name", ["drag docks", "hold a plot"])
def test_what_happens_between_press_and_release_does_not_end_the_program(name: str, luck: random.Random) -> None:
    seed = luck.randrange(10**6)
    command = [sys.executable, "-X", "faulthandler", "-c", DONE_AT_RANDOM, name, str(seed)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, (seed, done.stderr[-4000:])
    assert "Traceback" not in done.stderr, (seed, done.stderr[-4000:])
