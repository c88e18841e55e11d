"""Another language in the same process: every text, and all else stays as it was."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QRect
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QTabBar, QWidget

from pe_desktop import languages
from pe_desktop.core.state import State
from pe_desktop.draw.canvas import Canvas
from pe_desktop.export.figure_files import write_figure
from pe_desktop.heat.renderer import RASTER
from pe_desktop.lessons.shelf import OWN
from pe_desktop.lessons.writing import EMPTY, with_view
from pe_desktop.resources import resource_json
from pe_desktop.views.table import state_of_views
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.dock import dock_around
from pe_desktop.window.settings import Settings
from tests.golden.states import STATES

TELLS = ("text", "toolTip", "accessibleName", "accessibleDescription", "placeholderText", "windowTitle")
SEEN = ("start", "verdicts", "compare", "facts-open", "derivation-dot", "attention", "precision-printed", "code")


def let_take_place(instrument: Instrument) -> None:
    while instrument._telling.isActive() or instrument._before is not None:
        QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def instrument(qapp: QApplication) -> Iterator[Instrument]:
    make_application()
    one = Instrument(State(), Settings(theme="light", renderer=RASTER, language="en"))
    one.window.resize(1600, 1000)
    one.window.show()
    wait_until_measured(one)
    yield one
    one.close()
    languages.use("en")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def use(instrument: Instrument, code: str, *, waits: bool = True) -> None:
    instrument.live_settings.set(language=code)
    let_take_place(instrument)
    if waits:
        wait_until_measured(instrument)
    assert languages.current() == code


def texts(instrument: Instrument) -> list[str]:
    """What the widgets that are seen, the pictures and all menus say."""
    window = instrument.window
    found = []
    # What lies behind other tabs is visible for Qt.
    seen = [one for one in window.findChildren(QWidget) if not one.visibleRegion().isEmpty()]
    for widget in (window, *seen):
        typed = ("text",) if isinstance(widget, QLineEdit) else ()
        found += [str(getattr(widget, name)()) for name in TELLS if hasattr(widget, name) and name not in typed]
        if isinstance(widget, QComboBox | QTabBar):
            label = widget.itemText if isinstance(widget, QComboBox) else widget.tabText
            found += map(label, range(widget.count()))
        if isinstance(widget, Canvas):
            scene = widget.scene()
            drawn = [str(mark.text) for mark in (*scene.still(), *scene.moving) if hasattr(mark, "text")]
            said = [text for place in widget.places() for text in (place.name, place.value, place.tooltip)]
            found += map(languages.told, (*drawn, *said))
    return sorted((*found, *(action.text() for action in window.findChildren(QAction))))


def catalogue(code: str) -> dict[str, str]:
    parts = ("lessons", "cards", "presets", "window") if code != "en" else ()
    return {key: text for part in parts for key, text in resource_json(f"languages/{code}/{part}.json").items()}


def strange(code: str) -> set[str]:
    """What other languages say, and this one doesn't."""
    told = {other: {*catalogue(other).values()} for other in languages.LANGUAGES}
    told["en"] = {text for text in catalogue("es") if not re.search(r"[#{(]", text)}
    names = {text for other in languages.LANGUAGES for key, text in catalogue(other).items() if key == text}
    own = told[code] | names | {*languages.LANGUAGES.values()}
    return {text for other, some in told.items() if other != code for text in some - own if len(text) > 3}


def show(instrument: Instrument, name: str) -> None:
    instrument.model.set_state(state_of_views({"front": "similarity"} | STATES[name]), "state")
    wait_until_measured(instrument)


def test_every_text_follows_the_language_and_comes_back(instrument: Instrument) -> None:
    for name in ("verdicts", "start"):
        show(instrument, name)
    before = texts(instrument)
    for code, undo in (("es", "Deshacer"), ("zh-Hans", "撤消")):
        use(instrument, code)
        # In the menus of fields, too.
        assert QCoreApplication.translate("QWidgetTextControl", "&Undo").strip("&").startswith(undo)
        alien = strange(code)
        for name in SEEN:
            show(instrument, name)
            assert {text for text in texts(instrument) if text in alien} == set(), name
    show(instrument, "start")
    use(instrument, "en")
    assert texts(instrument) == before
    assert not {*before} & strange("en")


def look(instrument: Instrument) -> dict[str, Any]:
    window, model = instrument.window, instrument.model
    docks = {key: (dock.geometry(), dock.is_in_front) for key, dock in window.docks.items()}
    history = [(step.before, step.names) for step in (*model.done, *model.undone)]
    return {
        "state": model.state,
        "history": history,
        "place": window.geometry(),
        "docks": docks,
        "focus": window.focused_panel().key,
        "recent": instrument.sessions.recent,
    }


def test_state_history_layout_and_focus_stay_and_it_goes_on_playing(instrument: Instrument) -> None:
    model = instrument.model
    model.set(d_model=64, **{"similarity.measure": "cosine"})
    model.set(**{"facts.is_open": True})
    model.move_cursor(position=9.5)
    model.undo()
    instrument.window.docks["matrix"].take_focus()
    wait_until_measured(instrument)
    before = look(instrument)
    for code in ("es", "zh-Hans", "en"):
        use(instrument, code)
        assert look(instrument) == before
    model.redo()
    assert model.cursor.position == 9.5
    instrument.playback.play()
    use(instrument, "es")
    at = model.cursor.position
    QApplication.processEvents()
    wait_until_measured(instrument)
    assert instrument.playback.is_playing
    assert model.cursor.position > at


def test_a_choice_in_the_dialog_acts_there_and_what_is_open_stays_open(instrument: Instrument) -> None:
    OWN[EMPTY.key] = with_view(EMPTY, State(), "Mine", "Words of mine", ("clock",))
    instrument.window.docks["matrix"].take_focus()
    wait_until_measured(instrument)
    for name in ("start_row", "show_keys", "edit_talk", "open_settings"):
        instrument.window.action_set.trigger(name)
    dialog: Any = instrument.window.findChild(QWidget, "open_settings")
    place = QRect(40, 50, 630, 600)
    dialog.setGeometry(place)
    dialog.activateWindow()
    dialog.settings["language"].control.setFocus()
    before = instrument.window
    dialog.settings["language"].control.chosen.emit("es")
    let_take_place(instrument)
    assert instrument.window is not before
    dialog = instrument.window.findChild(QWidget, "open_settings")
    assert (dialog.windowTitle(), dialog.geometry()) == ("Ajustes", place)
    assert dialog.focusWidget() is dialog.settings["language"].control
    held = dock_around(instrument.window.focusWidget())
    assert held is instrument.window.docks["matrix"]
    dialog.search.setText("idioma")
    assert [name for name, row in dialog.settings.items() if row.isVisible()] == ["language"]
    opened = [instrument.window.findChild(QWidget, name) for name in ("start_row", "show_keys", "edit_talk")]
    assert all(one is not None and one.isVisible() for one in opened)
    editor: Any = opened[-1]
    assert (editor.title.text(), editor.words.toPlainText()) == ("Mine", "Words of mine")
    OWN.clear()


def test_a_lecture_and_a_panel_over_the_screen_go_on(instrument: Instrument) -> None:
    instrument.window.action_set.trigger("full_screen")
    use(instrument, "es", waits=False)
    whole = instrument.window.full_screen.dock
    assert whole is not None
    assert whole.kind.key == "clock"
    instrument.window.toggle_full_screen()
    instrument.window.action_set.trigger("present")
    use(instrument, "zh-Hans", waits=False)
    assert instrument.window.is_presented
    instrument.window.present_asked.emit()


def test_figures_are_told_in_the_language_as_by_a_process_of_its_own(instrument: Instrument, tmp_path: Path) -> None:
    def written(code: str) -> bytes:
        use(instrument, code)
        file = tmp_path / f"{code}.svg"
        write_figure("waves", State(), file, overwrite=True)
        return file.read_bytes()

    first = written("en")
    file = tmp_path / "own.svg"
    for code in ("es", "zh-Hans"):
        words = ["-m", "pe_desktop", "--language", code, "export", "waves", "-o", str(file), "--force"]
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        subprocess.run([sys.executable, *words], env=environment, check=True, capture_output=True, timeout=100)
        assert written(code) == file.read_bytes() != first
    assert written("en") == first
