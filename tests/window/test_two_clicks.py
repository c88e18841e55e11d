"""Numbers of the documents stand in the window after two presses at most, from where a new user begins."""

import re
import time
from collections.abc import Iterable
from typing import Any, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from pe_desktop.core.presets import PRESETS
from pe_desktop.draw import marks
from pe_desktop.draw.canvas import Canvas
from pe_desktop.panels.scene_panel import ScenePanel
from pe_desktop.views.clock.scene import spoken
from pe_desktop.views.derivations.scene import CHAPTERS
from pe_desktop.window.application import Instrument
from pe_desktop.window.gallery import Gallery
from tests.panels.test_parameters_panel import choose, type_into
from tests.tables import table
from tests.window.acting import LEFT, press_place, tab_of

# By the number of the field guide what is printed, by where to look and the way to it in the window. "List > ..." is an
# entry of the list on top of the Encoding dock or a picture of the gallery, "Go > ..." one of the menu, "Tab > ..." and
# "Switch > ..." a press on a tab or a switch, "Type > ..." one into a field of the dock or the transport, and a number.
# The last rows of numbers and sentences change what stays. tests/views/test_derivations.py has the other numbers of
# derivations.
Rows: TypeAlias = dict[tuple[str, ...], dict[str, str]]


def rows_of(kind: str) -> Rows:
    """The rows of a table of two_clicks.json."""
    return {tuple(way.split(" | ")): texts for way, texts in table("window/two_clicks")[kind].items()}


def press(instrument: Instrument, way: str) -> None:
    """One press, or one entry of a list or a menu."""
    where, words = way.split(" > ")
    window = instrument.window
    pictured = next((one.id for one in PRESETS.values() if one.title == words and one.is_in_gallery), None)
    if where == "List" and pictured is not None:
        window.action_set.trigger("gallery")
        gallery: Any = window.findChild(Gallery)
        gallery.pictures.setCurrentItem(gallery._items[pictured])
        QTest.keyClick(gallery, Qt.Key.Key_Return)
    elif where == "List":
        choose(window.parameters, words)
    elif where == "Go":
        next(action for action in window.header.menus["Go"].actions() if action.text() == words).trigger()
    elif where == "Type":
        name, text = words.split()
        if name == "offset":
            window.transport.offset.submitted.emit(text)
        else:
            type_into(window.parameters, name, text)
    elif where == "Tab":
        bar, place = tab_of(window, words)
        QTest.mouseClick(bar, LEFT, pos=place)
    elif where == "Press":
        panel = window.panel("code" if window.docks["derivations"].is_behind else "derivations")
        [canvas] = panel.findChildren(Canvas)
        press_place(canvas, words)
    else:
        # What lies behind another tab counts as visible for Qt.
        switches = [one for one in window.findChildren(QToolButton) if one.text() == words and one.isVisible()]
        switch = next(one for one in switches if not one.visibleRegion().isEmpty())
        QTest.mouseClick(switch, LEFT)
    QApplication.processEvents()


def drawn(canvas: Canvas) -> str:
    canvas.repaint()
    picture = (*canvas.scene().still(), *canvas.scene().moving)
    texts = [
        mark.text if isinstance(mark, marks.Text) else mark.formula
        for mark in picture
        if isinstance(mark, marks.Text | marks.FormulaText)
    ]
    return " ".join(texts)


def said(instrument: Instrument, place: str) -> str:
    """What a panel that is in front says; thin spaces and tabs as plain ones."""
    window, state = instrument.window, instrument.model.state
    if place == "dock":
        labels = [label.text() for label in window.parameters.findChildren(QLabel) if label.isVisible()]
        text = " ".join([*labels, *(f"{place.name}: {place.value}" for place in window.parameters.checks.places())])
    else:
        panel = window.panel("properties" if place in ("verdicts", "collisions", "distance", "scales") else place)
        assert panel.isVisible()
        assert not window.docks[panel.key].is_behind
        assert panel.key != "properties" or state.views.properties.page == place
        text = spoken(state, instrument.model.findings) if place == "clock" else panel.readout()
        # The copied numbers are not all that a panel says.
        if isinstance(panel, ScenePanel):
            text = f"{drawn(panel.canvas)} {text}"
    return text.replace("\u2009", " ").replace("\t", " ")


def missing(texts: Iterable[str], words: str) -> list[str]:
    """What is not said: whole numbers and words, or what "…" leaves open."""
    ends = {text: "" if text.endswith("…") else r"(?!\w|\.\d)" for text in texts}
    return [
        text for text, end in ends.items() if not re.search(rf"(?<![\w.−-]){re.escape(text.rstrip('…'))}{end}", words)
    ]


def assert_said(instrument: Instrument, place: str, texts: Iterable[str]) -> None:
    """What is measured or searched for comes a moment later."""
    deadline = time.monotonic() + 20.0
    while missing(texts, said(instrument, place)) and time.monotonic() < deadline:
        QApplication.processEvents()
        time.sleep(0.005)
    words = said(instrument, place)
    assert missing(texts, words) == [], words


def assert_near(instrument: Instrument, rows: Rows) -> None:
    """Each row two presses away, one after the other in one window."""
    for (place, *presses), texts in rows.items():
        assert len(presses) <= 2
        for way in presses:
            press(instrument, way)
        assert_said(instrument, place, texts.values())


def test_a_number_of_a_text_is_two_presses_away(instrument: Instrument) -> None:
    # An entry of the list brings its sizes and places, what is typed comes first, and Similarity is in front until
    # Properties is asked for.
    def is_late(row: tuple[str, ...]) -> tuple[bool, bool]:
        ways = " ".join(row)
        return "Go > " in ways or row[0] == "scales", "Switch > " in ways

    numbers = rows_of("numbers")
    assert_near(instrument, {row: numbers[row] for row in sorted(numbers, key=is_late)})


def test_what_a_text_says_of_words_is_two_presses_away(instrument: Instrument) -> None:
    assert_near(instrument, rows_of("sentences"))
    # A figure of a text speaks of the plots, which stand there again.
    press(instrument, "List > Four waves")
    assert_said(instrument, "waves", ("Dim 3 (i = 1)",))


def test_each_derivation_is_one_press_away_and_its_page_two(instrument: Instrument) -> None:
    assert_near(instrument, rows_of("derivations"))
    press(instrument, "List > Sinusoidal (paper)")
    instrument.model.set(**{"study.is_open": False})
    QTest.mouseClick(instrument.window.header.buttons["toggle_study"], LEFT)
    QApplication.processEvents()
    for page, chapter in CHAPTERS.items():
        press(instrument, f"Press > {chapter.title}")
        assert instrument.model.state.views.derivations.page == page
        assert instrument.window.panel("derivations").isVisible()


def test_numbers_of_the_rotation_are_one_press_away(instrument: Instrument) -> None:
    press(instrument, "Tab > Rotation")
    assert_said(instrument, "rotation", ("length 1.000000000000", "det M_8 = 1 1"))  # S0-13


def test_rows_of_the_table_of_ablations_are_two_presses_away_and_all_of_it_in_compare(instrument: Instrument) -> None:
    assert_near(instrument, rows_of("ablations"))
    assert instrument.model.encoding.n_positions == 512
    QTest.mouseClick(instrument.window.header.buttons["toggle_compare"], LEFT)
    assert instrument.model.state.views.compare.list == "ablations"
    # With more digits than in the dock.
    assert_said(instrument, "compare", ("1.4718…", "0.002955…"))
