"""Lessons beside their views, what is covered until an answer, a lecture over the screen, palette, gallery."""

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QWidget

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.presets import PRESETS
from pe_desktop.core.state import with_name
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.marks import Text
from pe_desktop.lessons.numbers import numbers_of, right_answer
from pe_desktop.lessons.shelf import KEPT_IN, LESSONS, OWN, SHIPPED, talk_named
from pe_desktop.lessons.shown import answer_of, open_talk, with_step
from pe_desktop.lessons.talks import LETTERS, Step, Talk
from pe_desktop.lessons.writing import EMPTY
from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.views.facts.words import filled
from pe_desktop.views.lessons.questions import asked_at, by_key
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.card import SubtitleLabel
from pe_desktop.window.gallery import Gallery
from pe_desktop.window.gallery_rows import gallery_rows
from pe_desktop.window.palette import Palette
from pe_desktop.window.presenter import Presenter, SpeakerView
from pe_desktop.window.stage import ZOOM, Foot
from pe_desktop.window.talk_editor import TalkEditor
from tests.core.exact import omega
from tests.languages.strings import question_texts
from tests.tables import table
from tests.window.acting import BY_TAB, press, press_place, resize, settle, show, trigger
from tests.window.conftest import frames, panel_of, seen

MANY = SHIPPED["many-hands"]


def open_step(instrument: Instrument, key: str, place: int) -> Any:
    """Show a step of a lesson as the command line does; the panel."""
    instrument.model.set_state(with_step(instrument.model.state, SHIPPED[key], place), "lessons.step")
    wait_until_measured(instrument)
    settle()
    return panel_of(instrument, "lessons")


def open_lecture(instrument: Instrument, key: str, place: int) -> Any:
    """Present a lesson from a step on; what covers the screen."""
    open_step(instrument, key, place)
    return opened(instrument, "present", Presenter)


def opened(instrument: Instrument, action: str, kind: type[QWidget]) -> Any:
    """What an entry of the menus opens."""
    trigger(instrument, action)
    return instrument.window.findChild(kind)


def answered(instrument: Instrument, step: int) -> str:
    """What was answered in a step of the talk that is open, counted from 1."""
    talk = open_talk(instrument.model.state)
    return "" if talk is None else answer_of(instrument.model.state, talk, step - 1)


def veils(instrument: Instrument) -> set[str]:
    """The panels that are covered."""
    return {key for key, dock in instrument.window.docks.items() if dock.veil is not None}


def test_lessons_are_listed_and_a_press_shows_the_first_step_beside_its_views(instrument: Instrument) -> None:
    resize(instrument, 1600, 1000)
    trigger(instrument, "toggle_lessons")
    canvas = panel_of(instrument, "lessons").canvas
    names = [place.name for place in canvas.places()]
    assert names[:9] == [SHIPPED[key].title for key in LESSONS]
    assert names[-1] == "Quiz"
    press_place(canvas, MANY.title)
    assert instrument.model.state.views.lessons.talk == "many-hands"
    assert {"clock", "waves", "lessons"} <= seen(instrument)
    assert not {"matrix", "similarity"} & seen(instrument)
    stood = frames(instrument, "clock", "waves", "lessons")
    # Beside each other, the lesson at the right.
    assert stood["clock"][0] + stood["clock"][2] <= stood["waves"][0]
    assert stood["waves"][0] + stood["waves"][2] <= stood["lessons"][0]
    instrument.model.undo()
    settle()
    assert {"clock", "waves", "matrix"} <= seen(instrument)


def test_what_is_asked_is_covered_until_an_answer_which_a_letter_gives_too(instrument: Instrument) -> None:
    resize(instrument, 1600, 1000)
    panel = open_step(instrument, "many-hands", 1)
    assert veils(instrument) == {"properties"}
    assert not panel.following.isEnabled()
    assert [place.name[0] for place in panel.canvas.places() if ": " in place.name] == ["A", "B", "C", "D"]
    panel.canvas.setFocus()
    QTest.keyClick(panel.canvas, Qt.Key.Key_C)
    wait_until_measured(instrument)
    assert answered(instrument, 2) == "c"
    assert veils(instrument) == set()
    assert panel.following.isEnabled()
    # Another letter changes nothing then, here or elsewhere.
    QTest.keyClick(panel.canvas, Qt.Key.Key_D)
    assert (answered(instrument, 2), instrument.model.state.views.workspace) == ("c", "")
    # What moves once it is answered has come to its end.
    instrument.playback.set("motion", "reduced")
    panel.following.click()
    settle()
    assert instrument.model.state.views.lessons.step == 3
    # Exploring leaves the state and lifts what is covered.
    assert veils(instrument) == {"decoder"}
    press_place(panel.canvas, "Explore from here")
    assert veils(instrument) == set()
    assert instrument.model.state.views.decoder.n_hands == 2
    instrument.model.undo()
    assert instrument.model.state.views.lessons.is_open


def words_in(canvas: Canvas) -> str:
    """All that stands on a canvas."""
    scene = canvas.scene()
    return " ".join(mark.text for mark in (*scene.still(), *scene.moving) if isinstance(mark, Text))


def told_in(instrument: Instrument, key: str = "lessons") -> str:
    """All that stands in a panel."""
    return words_in(panel_of(instrument, key).canvas)


# Lesson, step, and the numbers of the step that its views show beside it.
BESIDE = table("window/numbers_of_steps")


@pytest.mark.parametrize(("key", "number", "told"), BESIDE)
def test_numbers_of_a_step_are_those_of_the_views_beside_it(instrument: Instrument, key, number, told) -> None:
    """Once it is answered, and what moves has moved."""
    instrument.playback.set("motion", "reduced")
    resize(instrument, 1600, 1000)
    talk, place = SHIPPED[key], number - 1
    step, numbers = talk.steps[place], numbers_of(talk, place)
    asked = () if step.question is None else question_texts(step.question)
    words = " ".join((step.words, *asked, *(one.text for one in step.tries)))
    open_step(instrument, key, place)
    if step.question is not None:
        right = right_answer(step.question, numbers) if step.question.kind == "choose" else None
        answer = f"{numbers[step.question.key]:.6g}" if right is None else LETTERS[right]
        show(instrument, lessons__answers=f"{number}:{answer}", **{move.name: move.to for move in step.moves})
    wait_until_measured(instrument)
    beside = " | ".join(told_in(instrument, view) for view in step.views)
    for one in told.split():
        assert one in words
        assert re.search(rf"(?<![\d.]){re.escape(filled(one, numbers))}(?![.\d])", beside), one


def test_a_wrong_answer_is_explained_and_told_at_the_end_and_the_next_lesson_opens(instrument: Instrument) -> None:
    resize(instrument, 1600, 1000)
    panel = open_step(instrument, "many-hands", 1)
    for place, answer in ((1, "2:a"), (2, "3:c"), (3, "4:d")):
        open_step(instrument, "many-hands", place)
        show(instrument, lessons__answers=(*instrument.model.state.views.lessons.answers, answer))
        wait_until_measured(instrument)
        if place == 1:
            told = told_in(instrument)
            # The chosen one's misconception, then why the right one is; how far each is from 37.
            assert told.index("Not quite") < told.index("not six") < told.index("7 turns")
            assert all(number in told for number in ("your answer", "0.685 apart", "0.0177 apart"))
            [place_told] = [one for one in panel.canvas.places() if one.name == "what is told"]
            assert place_told.value == "Not quite"
    open_step(instrument, "many-hands", 4)
    told = told_in(instrument)
    assert "Predicted: 1 of 3 right" in told
    assert "Who looks like 37? you said A, right is C" in told
    assert "How many are enough? you said D, right is B" in told
    press_place(panel.canvas, "Next lesson")
    assert instrument.model.state.views.lessons.talk == "fast-and-slow"
    assert not instrument.model.state.views.lessons.answers


def test_a_number_is_typed_and_what_is_none_is_refused_beside_it(instrument: Instrument) -> None:
    panel = open_step(instrument, "counter", 2)
    field = panel.control_set.fields["lessons.guess"]
    field.setText("ten")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "type a number" in panel.refusal.sentence
    assert answered(instrument, 3) == ""
    field.setText("0.1")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert answered(instrument, 3) == "0.1"


def test_what_was_tried_stays_ticked_and_is_no_step_of_undo(instrument: Instrument) -> None:
    open_step(instrument, "many-hands", 0)
    steps = len(instrument.model.done)
    instrument.model.move_cursor(position=40.0)
    settle()
    assert instrument.model.state.views.lessons.ticks == ("1.1",)
    assert len(instrument.model.done) == steps + 1
    instrument.model.move_cursor(position=37.0)
    settle()
    assert instrument.model.state.views.lessons.ticks == ("1.1",)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_a_lecture_shows_two_views_larger_and_first_the_answer_then_the_next_step(instrument: Instrument, size) -> None:
    resize(instrument, *size)
    presenter = open_lecture(instrument, "many-hands", 1)
    assert presenter.isVisible()
    shown = [canvas for canvas in presenter.findChildren(Canvas) if canvas.isVisible() and canvas.zoom != 1.0]
    assert shown
    panels = [dock.panel.canvas for dock in presenter.docks]
    assert all(1.2 <= canvas.zoom <= ZOOM for canvas in panels)
    assert "<i>t</i> = 37" in presenter.foot.cursor_words.text()
    assert "2 of 5" in words_in(presenter._head)
    QTest.keyClick(presenter, Qt.Key.Key_PageDown)
    assert (answered(instrument, 2), instrument.model.state.views.lessons.step) == ("c", 2)
    QTest.keyClick(presenter, Qt.Key.Key_PageDown)
    assert instrument.model.state.views.lessons.step == 3
    # The next question has its own answer.
    QTest.keyClick(presenter, Qt.Key.Key_Space)
    assert answered(instrument, 3) == "c"
    for key, step in ((Qt.Key.Key_PageUp, 2), (Qt.Key.Key_Home, 1)):
        QTest.keyClick(presenter, key)
        assert instrument.model.state.views.lessons.step == step
    QTest.keyClick(presenter, Qt.Key.Key_N)
    assert instrument.window.findChildren(SpeakerView)
    QTest.keyClick(presenter, Qt.Key.Key_Escape)
    settle()
    assert not presenter.isVisible()
    panels = [*map(instrument.window.panel, ("clock", "waves", "properties", "decoder"))]
    assert {panel.canvas.zoom for panel in panels} == {1.0}
    assert {"clock", "waves", "lessons"} <= seen(instrument)


def test_the_question_stands_on_the_veil_and_then_the_right_answer_with_its_reason(instrument: Instrument) -> None:
    resize(instrument, 1600, 900)
    presenter = open_lecture(instrument, "many-hands", 1)
    veil: Any = instrument.window.docks["properties"].veil
    # What is covered is one of the two views.
    assert presenter.isAncestorOf(veil)
    assert "looks most like 37?" in words_in(veil)
    assert "81, 44 later" in words_in(veil)
    QTest.keyClick(presenter, Qt.Key.Key_B)
    # What is black is seen again first.
    QTest.keyClick(presenter, Qt.Key.Key_Space)
    assert answered(instrument, 2) == ""
    QTest.keyClick(presenter, Qt.Key.Key_Space)
    settle()
    assert "✓ C" in words_in(presenter._words)
    assert "7 turns" in words_in(presenter._words)
    QTest.keyClick(presenter, Qt.Key.Key_Escape)
    open_step(instrument, "what-distance-knows", 0)
    trigger(instrument, "present")
    # A curve is answered by its own points.
    QTest.keyClick(presenter, Qt.Key.Key_Space)
    assert len(answered(instrument, 1).split()) == 9
    QTest.keyClick(presenter, Qt.Key.Key_Escape)


def test_keys_are_those_of_the_lecture_wherever_the_focus_is_and_the_pointer_leaves(instrument: Instrument) -> None:
    presenter = open_lecture(instrument, "many-hands", 0)
    canvas = panel_of(instrument, "waves").canvas
    canvas.setFocus()
    handle = instrument.window.windowHandle()
    QTest.keyClick(handle, Qt.Key.Key_PageDown)
    assert instrument.model.state.views.lessons.step == 2
    QTest.keyClick(handle, Qt.Key.Key_R)
    QTest.mouseMove(handle, QPoint(300, 200))
    QTest.mouseMove(handle, QPoint(310, 210))
    assert presenter.shade.at == QPointF(310.0, 210.0)
    presenter.hiding.timeout.emit()
    over: Any = QApplication.overrideCursor()
    assert over.shape() == Qt.CursorShape.BlankCursor
    QTest.mouseMove(handle, QPoint(320, 210))
    assert QApplication.overrideCursor() is None
    QTest.keyClick(handle, Qt.Key.Key_Escape)
    assert not presenter.isVisible()


@pytest.mark.parametrize("key", LESSONS)
def test_no_step_of_a_lesson_scrolls_or_is_cut_where_it_is_presented(instrument: Instrument, key) -> None:
    instrument.playback.set("motion", "reduced")
    resize(instrument, 1280, 720)
    presenter = open_lecture(instrument, key, 0)
    # The screen of the test is smaller.
    resize(instrument, 1280, 720)
    for place in range(len(SHIPPED[key].steps)):
        open_step(instrument, key, place)
        if SHIPPED[key].steps[place].question is not None:
            presenter.go_on()
            wait_until_measured(instrument)
            settle()
        for dock in presenter.docks:
            canvas = dock.panel.canvas
            scene = canvas.scene()
            lowest = max(mark.y for mark in (*scene.still(), *scene.moving) if isinstance(mark, Text))
            assert (canvas.zoom >= 1.2, canvas.height() <= dock.panel.height()) == (True, True), place
            assert lowest <= canvas.height() / canvas.zoom, (place, dock.kind.key)
    presenter.leave()


def test_what_is_larger_leaves_labels_of_plots_as_large_and_letters_go_on_growing(instrument: Instrument) -> None:
    resize(instrument, 1280, 720)
    presenter = open_lecture(instrument, "many-hands", 0)
    resize(instrument, 1280, 720)
    settle()
    canvases = [dock.panel.canvas for dock in presenter.docks]
    before = [canvas.zoom for canvas in canvases]
    for _ in range(5):
        QTest.keyClick(instrument.window.windowHandle(), Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert presenter._head.zoom > 2.5
    assert all(canvas.zoom >= zoom for canvas, zoom in zip(canvases, before, strict=True))
    for _ in range(5):
        QTest.keyClick(instrument.window.windowHandle(), Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    presenter.leave()


def test_controls_of_a_panel_over_the_screen_are_larger_and_as_before_afterwards(instrument: Instrument) -> None:
    show(instrument, attention__is_open="true", front="learn")
    resize(instrument, 1280, 720)
    panel: Any = instrument.window.panel("learn")
    train = panel.control_set.widgets["Train"]
    before = train.fontInfo().pixelSize(), train.minimumSize(), train.maximumSize()
    full: Any = instrument.window.full_screen
    full.toggle(instrument.window.docks["learn"], instrument.window.saved_docks())
    full.fit()
    assert train.fontInfo().pixelSize() >= 16
    full.leave()
    settle()
    assert (train.fontInfo().pixelSize(), train.minimumSize(), train.maximumSize()) == before


def test_one_panel_over_the_screen_is_as_large_and_shows_t_and_k(instrument: Instrument) -> None:
    show(instrument, position="20", offset="5")
    instrument.window.panel("clock").take_focus()
    settle()
    trigger(instrument, "full_screen")
    settle()
    canvas = panel_of(instrument, "clock").canvas
    foot: Any = instrument.window.full_screen.findChild(Foot)
    assert (canvas.zoom > 1.2, foot.isVisible()) == (True, True)
    assert all(words in foot.cursor_words.text() for words in ("= 20", "= 5"))
    trigger(instrument, "full_screen")
    assert canvas.zoom == 1.0


def test_what_moves_lands_exactly_and_is_taken_back_with_its_answer(instrument: Instrument) -> None:
    instrument.playback.set("motion", "normal")
    panel = open_step(instrument, "many-hands", 1)
    steps = len(instrument.model.done)
    panel.canvas.setFocus()
    seen_offsets = []
    instrument.model.state_changed.connect(lambda state: seen_offsets.append(state.cursor.offset))
    QTest.keyClick(panel.canvas, Qt.Key.Key_C)
    for _ in range(200):
        if instrument.model.cursor.offset == 44.0 and len(seen_offsets) > 3:
            break
        QTest.qWait(20)
    QTest.qWait(100)
    assert seen_offsets == sorted(seen_offsets)
    assert instrument.model.cursor.offset == 44.0
    assert len(instrument.model.done) == steps + 1
    instrument.model.undo()
    assert (instrument.model.cursor.offset, answered(instrument, 2)) == (0.0, "")
    # Undone on the way, it stays where it was.
    QTest.keyClick(panel.canvas, Qt.Key.Key_C)
    QTest.qWait(100)
    instrument.model.undo()
    QTest.qWait(300)
    assert (instrument.model.cursor.offset, answered(instrument, 2)) == (0.0, "")


def test_a_lesson_has_its_room_in_small_windows_and_can_be_folded_over_its_views(instrument: Instrument) -> None:
    resize(instrument, 910, 480)
    open_step(instrument, "bag-of-words", 0)
    QTest.qWait(50)
    stood = frames(instrument, "attention", "lessons")
    assert stood["attention"][0] + stood["attention"][2] <= stood["lessons"][0]
    assert stood["lessons"][2] == 320
    resize(instrument, 640, 360)
    panel: Any = instrument.window.panel("lessons")
    assert panel.isVisible()
    fold: Any = next(
        one
        for one in instrument.window.findChildren(IconButton)
        if one.accessibleName() == "Fold or unfold" and one.isVisible()
    )
    fold.click()
    assert not panel.isVisible()
    assert fold.parentWidget().width() < 80
    assert instrument.model.state.views.lessons.is_open
    fold.click()
    assert panel.isVisible()
    # From its first step the list is reached.
    panel.back.click()
    assert instrument.model.state.views.lessons.talk == ""


def test_without_a_talk_the_view_with_the_keyboard_is_presented(instrument: Instrument) -> None:
    presenter = opened(instrument, "present", Presenter)
    assert presenter.isVisible()
    assert instrument.window.panel("clock").window() is instrument.window
    assert presenter.isAncestorOf(instrument.window.panel("clock"))
    QTest.keyClick(presenter, Qt.Key.Key_Escape)
    assert instrument.window.docks["clock"].isAncestorOf(instrument.window.panel("clock"))


def test_the_palette_finds_what_can_be_done_and_sets_names(instrument: Instrument) -> None:
    palette = opened(instrument, "palette", Palette)
    for typed, words in (
        ("step is a turn", "A step is a turn"),
        ("export", "Export"),
        ("rotary posit", "Rotary positions"),
    ):
        palette.field.setText(typed)
        assert words in palette.rows.topLevelItem(0).text(0)
    # What is refused stands behind what is found.
    palette.field.setText("position is a hand")
    assert palette.rows.topLevelItem(0).text(0) == SHIPPED["one-hand"].title
    palette.field.setText("talk")
    found = [palette.rows.topLevelItem(row).text(0) for row in range(palette.rows.topLevelItemCount())]
    assert {"Add this view", "Steps and words…"} <= {*found}
    palette.field.setText("base 500000")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert instrument.model.encoding.parameters["base"] == 500_000.0
    assert not palette.isVisible()
    trigger(instrument, "palette")
    palette.field.setText("base none")
    assert "base must be" in palette.rows.topLevelItem(0).text(0)
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_the_gallery_shows_what_a_preset_sets_and_uses_it(instrument: Instrument) -> None:
    gallery = opened(instrument, "gallery", Gallery)
    assert gallery.isVisible()
    assert gallery.pictures.count() == len(gallery_rows()) > 60
    assert not {"sinusoidal", "conventions", "ablations", "naive"} & {row.preset.group.id for row in gallery_rows()}
    gallery.field.setText("one hand alone")
    found = [row for row in range(gallery.pictures.count()) if not gallery.pictures.item(row).isHidden()]
    assert [gallery.pictures.item(row).text() for row in found] == [PRESETS["one-hand"].title]
    assert gallery.pictures.currentRow() == found[0]
    gallery.field.setText("no such picture")
    QTest.keyClick(gallery, Qt.Key.Key_Return)
    assert gallery.isVisible()
    assert gallery._words.text() == "Nothing found"
    gallery.field.setText("one hand alone")
    QTest.keyClick(gallery, Qt.Key.Key_Return)
    settle()
    assert not gallery.isVisible()
    assert instrument.model.state.views.decoder.n_hands == 1


def test_the_gallery_puts_back_what_stood_there_before_all_that_it_showed(instrument: Instrument) -> None:
    before, header = instrument.model.state, instrument.window.header
    gallery = opened(instrument, "gallery", Gallery)
    gallery.field.clear()
    assert not gallery._back.isEnabled()
    for preset in ("one-hand", "park"):
        trigger(instrument, "gallery")
        gallery.pictures.setCurrentItem(gallery._items[preset])
        QTest.keyClick(gallery, Qt.Key.Key_Return)
        settle()
        [words] = [one for one in header.findChildren(SubtitleLabel) if one.isVisible()]
        assert words.full_text == PRESETS[preset].sentence
    trigger(instrument, "gallery")
    gallery._back.click()
    settle()
    assert (instrument.model.state, gallery.isVisible()) == (before, False)
    trigger(instrument, "gallery")
    assert not gallery._back.isEnabled()


def press_link(gallery: Any, preset: str, title: str) -> None:
    """Press what goes with a preset."""
    gallery.pictures.setCurrentItem(gallery._items[preset])
    [name] = [one.name for one in gallery.page.places() if one.name.endswith(f": {title}")]
    press_place(gallery.page, name)


def test_the_gallery_says_in_words_what_is_set_and_opens_what_goes_with_it(instrument: Instrument) -> None:
    gallery = opened(instrument, "gallery", Gallery)
    gallery.pictures.setCurrentItem(gallery._items["dog"])
    settle()
    words = words_in(gallery.page)
    assert all(one in words for one in ("Shows", "Attention", "Sentence", "dog bites man"))
    assert not any(one in words for one in ("front", "order of the words", "2 1 0"))
    press_link(gallery, "dog", SHIPPED["bag-of-words"].title)
    assert (instrument.model.state.views.lessons.talk, gallery.isVisible()) == ("bag-of-words", False)
    trigger(instrument, "gallery")
    press_link(gallery, "share-10", CARDS["normalised-counter"].claim)
    assert instrument.model.state.views.facts.shown == "normalised-counter"
    trigger(instrument, "gallery")
    press_link(gallery, "dog", PRESETS["positions-off"].title)
    assert gallery.pictures.currentItem() is gallery._items["positions-off"]
    gallery.leave()


def test_views_in_talks_of_ones_own_stand_in_the_gallery_as_yours(instrument: Instrument) -> None:
    gallery = opened(instrument, "gallery", Gallery)

    def counts() -> dict[str, str]:
        rows = map(gallery.groups.topLevelItem, range(gallery.groups.topLevelItemCount()))
        return {row.text(0): row.text(1) for row in rows}

    assert "Yours" not in counts()
    gallery.leave()
    steps = (Step("Small base", state={"base": "500"}, views=("matrix",)), Step("Later", state={"position": "45"}))
    OWN["mine"] = Talk("mine", "Mine", steps)
    try:
        trigger(instrument, "gallery")
        assert counts()["Yours"] == "2"
        gallery.pictures.setCurrentItem(gallery._items["mine 0"])
        QTest.keyClick(gallery, Qt.Key.Key_Return)
        assert instrument.model.encoding.parameters["base"] == 500.0
        assert instrument.model.state.views.lessons.talk == "mine"
    finally:
        del OWN["mine"]
    trigger(instrument, "gallery")
    assert "Yours" not in counts()
    gallery.leave()


@pytest.mark.parametrize(("size", "n_across"), [((1600, 1000), 4), ((1280, 720), 3), ((910, 480), 4), ((640, 360), 2)])
def test_tiles_of_the_gallery_are_of_one_size_and_its_detail_has_room(instrument: Instrument, size, n_across) -> None:
    window = instrument.window
    window.resize(*size)
    trigger(instrument, "gallery")
    gallery: Any = window.findChild(Gallery)
    QTest.qWait(50)
    gallery.groups.setCurrentItem(gallery.groups.topLevelItem(0))
    tiles = [gallery.pictures.visualItemRect(gallery.pictures.item(row)) for row in range(12)]
    assert len({tile.size().toTuple() for tile in tiles}) == 1
    assert len({tile.x() for tile in tiles}) == n_across
    assert all(tile.left() >= 0 and tile.right() <= gallery.pictures.viewport().width() for tile in tiles)
    is_narrow = size[0] < 1000
    assert (gallery.detail.isVisible(), gallery.groups.isVisible(), gallery.group.isVisible()) == (
        not is_narrow, not is_narrow, is_narrow,
    )  # fmt: skip
    gallery.pictures.itemClicked.emit(gallery.pictures.item(3))
    assert gallery.detail.isVisible()
    assert gallery.rect().contains(gallery.detail.geometry())
    QTest.keyClick(gallery, Qt.Key.Key_Escape)
    assert (gallery.isVisible(), gallery.detail.isVisible()) == (is_narrow, False)
    gallery.leave()


def test_views_are_collected_into_a_talk(instrument: Instrument, monkeypatch, tmp_path) -> None:
    OWN.pop(EMPTY.key, None)
    trigger(instrument, "add_view")
    show(instrument, base="500")
    trigger(instrument, "add_view")
    talk = OWN[EMPTY.key]
    assert [dict(step.state) for step in talk.steps] == [{}, {"base": "500.0"}]
    editor = TalkEditor(instrument.window)
    editor.steps.setCurrentRow(1)
    editor.title.setText("Small base")
    editor.title.textEdited.emit("Small base")
    editor.buttons["Earlier"].click()
    assert OWN[EMPTY.key].steps[0].title == "Small base"
    editor.name.setText("Bases")
    editor.name.textEdited.emit("Bases")
    assert OWN[EMPTY.key].title == "Bases"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "bases.petalk"), ""))
    editor.buttons["Save…"].click()
    assert editor.message.text().startswith("Saved bases")
    editor.close()
    OWN.pop(EMPTY.key)


def test_a_curve_is_typed_by_the_keyboard_alone_and_its_gap_is_told_at_the_end(instrument: Instrument) -> None:
    instrument.playback.set("motion", "reduced")
    panel = open_step(instrument, "what-distance-knows", 0)
    field = panel.control_set.fields["lessons.guess"]
    panel.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(6):
        if not field.hasFocus():
            QTest.keyClick(panel.window().focusWidget(), Qt.Key.Key_Tab)
    assert field.hasFocus()
    QTest.keyClicks(field, "0 20 22 24 25 26 27")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "9 numbers" in panel.refusal.sentence
    field.setText("0 23 25 26 27 27 28 28 28")
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle()
    assert answered(instrument, 1).startswith("0 23 25")
    # What moves has moved, the keyboard stays, and Enter goes on.
    assert instrument.model.cursor.offset == 300.0
    assert panel.canvas.hasFocus()
    QTest.keyClick(panel.canvas, Qt.Key.Key_Return)
    assert instrument.model.state.views.lessons.step == 2
    answers = instrument.model.state.views.lessons.answers
    last = len(SHIPPED["what-distance-knows"].steps)
    open_step(instrument, "what-distance-knows", last - 1)
    assert instrument.model.state.views.lessons.answers == answers
    assert "off on average" in panel.readout()


def type_at_step(instrument: Instrument, key: str, number: int, *keys: Any) -> Any:
    """Show a step, then press keys, each where the keyboard is; the panel."""
    instrument.playback.set("motion", "reduced")
    panel = open_step(instrument, key, number - 1)
    panel.canvas.setFocus(BY_TAB)
    press(*keys)
    wait_until_measured(instrument)
    return panel


def test_gaps_of_predictions_by_choice_number_hand_and_curve_made_by_keys_are_told_at_the_end(
    instrument: Instrument,
) -> None:
    key = Qt.Key
    # A digit goes to the field at once.
    panel = type_at_step(instrument, "counter", 3, key.Key_2, key.Key_Return)
    assert answered(instrument, 3) == "2"
    assert panel.canvas.hasFocus()
    type_at_step(instrument, "counter", 2, key.Key_D)
    type_at_step(instrument, "counter", len(SHIPPED["counter"].steps))
    for gap in ("Divide by the length\nit is 0.1, you said 2", "Far out\nyou said D, right is C", "0 of 2 right"):
        assert gap in panel.readout()
    # Three quarters of a turn back and a degree; then 258 degrees are a little further.
    type_at_step(instrument, "one-hand", 2, *(key.Key_Down,) * 6, key.Key_Left, key.Key_Return)
    assert answered(instrument, 2) == "269"
    type_at_step(instrument, "one-hand", len(SHIPPED["one-hand"].steps))
    assert "Where is it at 45?\nit is 257.8°, you said 269°" in panel.readout()
    # A straight line: each point one press higher than the one before, the first at 0.
    drawn = (key.Key_Right, key.Key_Up) * 8
    type_at_step(instrument, "what-distance-knows", 1, *drawn[:-2], key.Key_Return)
    assert answered(instrument, 1) == ""
    press(*drawn[-2:], key.Key_Left, *drawn[-2:], key.Key_Return)
    wait_until_measured(instrument)
    heights = [float(one) for one in answered(instrument, 1).split()]
    true = [2 * math.sqrt(math.fsum(math.sin(k * w / 2) ** 2 for w in omega(1000))) for k in np.linspace(0, 999, 9)]
    assert heights[0] == 0
    assert np.diff(heights) == pytest.approx([0.07 * max(true)] * 8, rel=0.02)
    missed = math.fsum(abs(one - other) for one, other in zip(heights, true, strict=True)) / 9
    type_at_step(instrument, "what-distance-knows", len(SHIPPED["what-distance-knows"].steps))
    [told] = re.findall(r"Draw it\n([\d.]+) off on average", panel.readout())
    assert float(told) == pytest.approx(missed, rel=0.01)


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_ends_with_a_line_two_clicker_questions_and_a_way_to_explore(instrument: Instrument, key: str) -> None:
    """A wrong answer to a clicker question has its reason; Enter does what the button does, and the keyboard stays."""
    talk = SHIPPED[key]
    n_steps = len(talk.steps)
    numbers = numbers_of(talk, n_steps - 1)
    right = [right_answer(question, numbers) for question in talk.clicker]
    wrong = [next(place for place in range(4) if place != one) for one in right]
    panel = type_at_step(instrument, key, n_steps, *(getattr(Qt.Key, f"Key_{place + 1}") for place in wrong))
    assert [answered(instrument, n_steps + number) for number in (1, 2)] == [LETTERS[place] for place in wrong]
    names = [place.name for place in panel.canvas.places()]
    assert len({*names}) == len(names)
    assert "Explore from here" in names
    told = " ".join(told_in(instrument).split())
    assert talk.line in told
    for question, place in zip(talk.clicker, wrong, strict=True):
        assert " ".join(filled(question.answers[place].why, numbers).split()) in told
    press(Qt.Key.Key_Return)
    settle()
    assert instrument.model.state.views.lessons.talk == ""
    assert panel.canvas.hasFocus()
    assert panel.canvas.marked.name == talk.title


def test_the_keyboard_stays_in_lessons_whichever_way_leads_to_all_of_them(instrument: Instrument) -> None:
    for way in ("button", "title"):
        panel = type_at_step(instrument, "counter", 1)
        if way == "button":
            panel.back.setFocus(BY_TAB)
            press(Qt.Key.Key_Space)
        else:
            panel.control_set.widgets["All lessons"].click()
        settle()
        assert panel.canvas.hasFocus()
        assert panel.canvas.marked.name == SHIPPED["counter"].title
    # So it does where the next step waits for an answer.
    panel = type_at_step(instrument, "counter", 1)
    panel.following.setFocus(BY_TAB)
    press(Qt.Key.Key_Space)
    settle()
    assert instrument.model.state.views.lessons.step == 2
    assert panel.canvas.hasFocus()


@pytest.mark.parametrize("width", [1280, 1920])
def test_words_of_the_button_to_the_next_step_are_whole(instrument: Instrument, width: int) -> None:
    resize(instrument, width, 1000)
    for key, place in ((one, place) for one in LESSONS for place in range(len(SHIPPED[one].steps) - 1)):
        given = with_step(instrument.model.state, SHIPPED[key], place)
        question = SHIPPED[key].steps[place].question
        answer = "a" if question is None or question.kind == "choose" else "1"
        instrument.model.set_state(with_name(given, "lessons.answers", (f"{place + 1}:{answer}",)), "lessons.step")
        settle()
        panel: Any = instrument.window.panel("lessons")
        button = panel.following
        title = SHIPPED[key].steps[place + 1].title
        assert button.text() in (f"Next: {title}", title, "Next")
        assert button.fontMetrics().horizontalAdvance(button.text()) <= button.width() - 20
        assert button.accessibleName() == f"Next: {title}"


def test_the_transport_tells_nothing_of_a_head_that_is_covered(instrument: Instrument) -> None:
    resize(instrument, 1280, 720)
    open_step(instrument, "three-back", 3)
    transport: Any = instrument.window.panel("transport")
    assert veils(instrument) == {"learn"}
    assert transport.facts.scene().moving == ()
    show(instrument, lessons__answers="4:a")
    wait_until_measured(instrument)
    assert len(transport.facts.scene().moving) == 6


def test_what_a_step_points_at_has_a_ring_until_something_changes(instrument: Instrument) -> None:
    open_step(instrument, "step-is-a-turn", 0)
    canvas = panel_of(instrument, "clock").canvas
    assert canvas.pointed_at() == ("hand 4",)
    assert "hand 4" in {place.name for place in canvas.places()}
    with_ring = canvas.grab().toImage()
    show(instrument, lessons__is_open=False)
    open_step(instrument, "step-is-a-turn", 0)
    canvas.pointed_at = tuple
    canvas.update()
    settle()
    assert canvas.grab().toImage() != with_ring


def test_a_wrong_answer_of_a_quiz_has_its_reason(instrument: Instrument) -> None:
    quiz: Any = talk_named("quiz-17")
    instrument.model.set_state(with_step(instrument.model.state, quiz, 0), "lessons.step")
    question = quiz.steps[0].question
    wrong = [one.is_right for one in question.answers].index(False)
    show(instrument, lessons__answers=f"1:{LETTERS[wrong]}")
    wait_until_measured(instrument)
    assert question.why
    assert question.why in told_in(instrument)


def test_a_quiz_has_a_score_that_all_quizzes_share_and_another_one(instrument: Instrument) -> None:
    assert not instrument.live_settings.now.quizzes
    quiz: Any = talk_named("quiz-17")
    instrument.model.set_state(with_step(instrument.model.state, quiz, 9), "lessons.step")
    right = [[one.is_right for one in step.question.answers].index(True) for step in quiz.steps]
    answers = ", ".join(f"{step}:{LETTERS[letter]}" for step, letter in enumerate(right, start=1))
    show(instrument, lessons__answers=answers)
    wait_until_measured(instrument)
    panel: Any = instrument.window.panel("lessons")
    assert "10 of 10" in panel.readout()
    assert instrument.live_settings.now.quizzes == ("17.10.10",)
    instrument.model.undo()
    settle()
    assert instrument.live_settings.now.quizzes == ("17.0.0",)
    instrument.model.redo()
    settle()
    press_place(panel.canvas, "Another quiz")
    assert instrument.model.state.views.lessons.talk.startswith("quiz-")
    assert not instrument.model.state.views.lessons.answers
    show(instrument, lessons__talk="")
    assert "10 of 10" in panel.readout()
    instrument.live_settings.set(quizzes=())


def test_a_lesson_that_was_gone_through_is_marked_in_the_list(instrument: Instrument) -> None:
    def is_marked() -> bool:
        show(instrument, lessons__talk="")
        settle()
        panel = panel_of(instrument, "lessons")
        [place] = (one for one in panel.canvas.places() if one.name == MANY.title)
        return bool(place.value.endswith("Done."))

    last = len(MANY.steps) - 1
    open_step(instrument, "many-hands", last - 1)
    assert not is_marked()
    open_step(instrument, "many-hands", last)
    show(instrument, lessons__answers=f"{last + 1}:a")
    assert is_marked()
    assert instrument.live_settings.now.quizzes == ("many-hands",)
    instrument.live_settings.set(quizzes=())
    open_step(instrument, "many-hands", 0)
    assert not is_marked()


def test_after_a_start_in_a_lesson_the_plots_have_the_columns_that_were_left(open_instrument, tmp_path) -> None:
    first = open_instrument(path=tmp_path / "settings.json")
    stood = frames(first, "clock", "waves", "similarity", "matrix")
    open_step(first, "one-hand", 0)
    settings = first.settings
    first.window.close()
    given = {"lessons__is_open": True, "lessons__talk": "one-hand", "lessons__step": 1}
    again = open_instrument(settings=settings, path=tmp_path / "settings.json", **given)
    assert {"clock", "waves", "lessons"} <= seen(again)
    show(again, lessons__is_open=False)
    settle()
    now = frames(again, *stood)
    assert all(abs(one - other) <= 2 for key in stood for one, other in zip(stood[key], now[key], strict=True))


def test_steps_are_reached_in_motion_from_wherever_t_and_k_stand(instrument: Instrument) -> None:
    instrument.playback.set("motion", "normal")
    panel = open_step(instrument, "many-hands", 0)
    # Of words there are few places, and whole ones: what can't stand between moves at once.
    for key, place in (("many-hands", 0), ("bag-of-words", 0), ("bag-of-words", 1), ("three-back", 0), ("counter", 0)):
        wanted = with_step(instrument.model.state, SHIPPED[key], place)
        panel.show_step(wanted)
        QTest.qWait(400)
        cursor = instrument.model.cursor
        assert (cursor.position, cursor.offset) == (wanted.cursor.position, wanted.cursor.offset), key
        # Nothing that moved by itself was tried.
        assert not instrument.model.state.views.lessons.ticks, key


def test_beyond_both_ends_of_a_talk_stands_the_list(instrument: Instrument) -> None:
    panel = open_step(instrument, "counter", 0)
    # A talk that has become shorter shows its last step.
    show(instrument, lessons__step="50")
    panel.back.click()
    settle()
    assert instrument.model.state.views.lessons.step == len(SHIPPED["counter"].steps) - 1
    open_step(instrument, "counter", 0)
    panel.back.click()
    assert instrument.model.state.views.lessons.talk == ""


def test_a_panel_that_is_asked_for_takes_the_place_of_a_lesson(instrument: Instrument) -> None:
    for key in ("learn", "rotation"):
        open_step(instrument, "one-hand", 0)
        trigger(instrument, f"show {key}")
        settle()
        assert not instrument.model.state.views.lessons.is_open
        assert instrument.window.docks[key].is_in_front


def test_one_of_facts_and_lessons_is_open_and_a_lesson_that_is_opened_again_shows_its_step(instrument: Instrument):
    model = instrument.model
    open_step(instrument, "one-hand", 1)
    trigger(instrument, "toggle_facts")
    assert (model.state.views.facts.is_open, model.state.views.lessons.is_open) == (True, False)
    model.set(d_model=64, position=3)
    trigger(instrument, "toggle_lessons")
    QTest.qWait(400)
    assert (model.state.views.facts.is_open, model.state.views.lessons.is_open) == (False, True)
    asked = SHIPPED["one-hand"].states[1]
    assert (model.encoding, model.cursor.position) == (asked.encoding, asked.cursor.position)


@pytest.mark.parametrize("name", ["attention", "study"])
def test_a_workspace_takes_the_place_of_a_lesson(instrument: Instrument, name: str) -> None:
    open_step(instrument, "step-is-a-turn", 1)
    trigger(instrument, f"toggle_{name}")
    views = instrument.model.state.views
    assert (views.workspace, views.lessons.is_open, views.lessons.ticks) == (name, False, ())


def test_the_palette_opens_facts_lessons_and_a_quiz_with_the_keyboard_and_says_that_it_finds_nothing(
    instrument: Instrument,
) -> None:
    palette = opened(instrument, "palette", Palette)
    palette.field.setText("zzzz")
    assert palette.rows.topLevelItem(0).text(0) == "Nothing found"
    card = next(iter(CARDS.values()))
    for typed, side, is_shown in (
        (card.claim, "facts", lambda views: views.facts.card == card.key),
        ("what distance knows", "lessons", lambda views: views.lessons.talk == "what-distance-knows"),
        ("quiz", "lessons", lambda views: views.lessons.talk.startswith("quiz-")),
    ):
        trigger(instrument, "palette")
        palette.field.setText(typed)
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
        settle()
        assert is_shown(instrument.model.state.views), typed
        assert instrument.window.focused_panel().key == side


def test_compare_is_added_to_a_talk_alone_and_another_talk_leaves_this_one_among_the_lessons(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in [key for key in OWN if key.startswith(EMPTY.key)]:
        monkeypatch.delitem(OWN, key)
    instrument.model.set(**{"compare.is_open": True})
    trigger(instrument, "add_view")
    assert [step.views for step in OWN[EMPTY.key].steps] == [("compare",)]
    assert instrument.window.header.message == "Added to the talk as step 1: Compare"
    trigger(instrument, "edit_talk")
    editor: Any = instrument.window.findChild(QDialog, "edit_talk")
    editor.name.setText("Codes")
    editor.name.textEdited.emit("Codes")
    editor.buttons["New"].click()
    assert (OWN[EMPTY.key], OWN[f"{EMPTY.key}-2"].title) == (EMPTY, "Codes")
    assert (editor.name.text(), editor.steps.count()) == (EMPTY.title, 0)
    # What has no step yet can't be opened.
    instrument.model.set(**{"lessons.is_open": True, "lessons.talk": ""})
    names = {place.name for place in panel_of(instrument, "lessons").canvas.places()}
    assert "Codes" in names
    assert EMPTY.title not in names
    assert talk_named(EMPTY.key) is None
    editor.close()
    for key in (EMPTY.key, f"{EMPTY.key}-2"):
        del OWN[key]


def test_a_curve_is_drawn_by_presses_and_a_drag_in_its_axes(instrument: Instrument) -> None:
    canvas = open_step(instrument, "what-distance-knows", 0).canvas
    area = next(place.area for place in canvas.places() if place.name == "your curve")
    left, right = (QPoint(round(area.x + share * area.width), round(area.middle[1])) for share in (0.2, 0.95))
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=left)
    drawn = instrument.model.state.views.lessons.guess.split()
    assert len(drawn) == 9
    assert len({*drawn}) == 1
    QTest.mouseMove(canvas, right + QPoint(0, 20))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=right + QPoint(0, 20))
    assert float(instrument.model.state.views.lessons.guess.split()[-1]) < float(drawn[-1])


def test_answers_of_a_lecture_are_not_those_of_the_person(instrument: Instrument) -> None:
    open_step(instrument, "many-hands", 1)
    show(instrument, lessons__answers="2:a")
    presenter = opened(instrument, "present", Presenter)
    presenter.go_on()
    wait_until_measured(instrument)
    presenter.go_on()
    assert answered(instrument, 3) == "c"
    assert instrument.model.cursor != MANY.states[2].cursor or presenter.asked.step.moves == ()
    presenter.leave()
    assert instrument.model.state.views.lessons.answers == ("2:a",)
    # Nor is it seen from what the answer moved.
    assert instrument.model.cursor == MANY.states[2].cursor


def test_a_press_while_a_step_is_measured_shows_its_answer_once_it_is(instrument: Instrument, monkeypatch) -> None:
    presenter = open_lecture(instrument, "many-hands", 1)
    with monkeypatch.context() as patch:
        patch.setattr("pe_desktop.window.presenter.asked_at", lambda *place: replace(asked_at(*place), numbers=None))
        presenter.go_on()
        settle()
        assert "Measuring…" in words_in(presenter._head)
    assert answered(instrument, 2) == ""
    instrument.model.findings.changed.emit(frozenset())
    settle()
    assert answered(instrument, 2) == "c"
    assert "2 of 5" in words_in(presenter._head)
    presenter.leave()


def test_a_lecture_ends_with_the_questions_for_the_room_over_all_of_it(instrument: Instrument) -> None:
    n_steps = len(MANY.steps)
    presenter = open_lecture(instrument, "many-hands", n_steps - 1)
    while presenter.asked.waits:
        presenter.go_on()
    for number, question in enumerate(MANY.clicker, start=1):
        presenter.go_on()
        settle()
        assert presenter.docks == []
        assert f"{number} of {len(MANY.clicker)}" in words_in(presenter._head)
        assert filled(question.text, presenter.asked.numbers) in words_in(presenter._large)
        presenter.go_on()
        settle()
        right: Any = right_answer(question, numbers_of(MANY, n_steps - 1))
        assert answered(instrument, n_steps + number) == LETTERS[right]
        assert filled(question.answers[right].why, presenter.asked.numbers) in words_in(presenter._large)
        assert "your answer" not in words_in(presenter._large)
    presenter.go_on()
    settle()
    assert "The last step" in words_in(presenter._head)
    for _ in MANY.clicker:
        QTest.keyClick(presenter, Qt.Key.Key_PageUp)
    settle()
    assert f"{n_steps} of {n_steps}" in words_in(presenter._head)
    assert presenter.docks
    presenter.leave()
    assert not instrument.model.state.views.lessons.answers


def test_the_track_stands_under_the_waves_after_a_lecture_as_before(instrument: Instrument) -> None:
    resize(instrument, 1280, 720)
    open_step(instrument, "many-hands", 0)
    before = instrument.window.transport.scrubber.track()
    presenter = opened(instrument, "present", Presenter)
    resize(instrument, 1280, 720)
    QTest.qWait(100)
    presenter.leave()
    resize(instrument, 1280, 720)
    QTest.qWait(100)
    assert instrument.window.transport.scrubber.track() == before


def test_a_talk_whose_file_cannot_be_kept_is_not_left_for_another_one(instrument: Instrument, tmp_path):
    KEPT_IN[:] = [tmp_path]
    try:
        trigger(instrument, "add_view")
        editor = TalkEditor(instrument.window)
        (tmp_path / "my-talk-2.pe_talk.json").mkdir()
        editor.buttons["New"].click()
        assert len(OWN[EMPTY.key].steps) == 1
        assert "my-talk-2" not in OWN
        assert editor.refusal.isVisibleTo(editor)
        assert (tmp_path / "my-talk.pe_talk.json").is_file()
        editor.close()
    finally:
        KEPT_IN[:] = []
        OWN.pop(EMPTY.key, None)


def test_the_palette_opens_a_lesson_also_in_a_lecture(instrument: Instrument) -> None:
    trigger(instrument, "present")
    palette = opened(instrument, "palette", Palette)
    palette.field.setText("what distance knows")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert instrument.model.state.views.lessons.talk == "what-distance-knows"
    trigger(instrument, "present")


def test_a_key_without_a_name_answers_nothing(instrument: Instrument) -> None:
    open_step(instrument, "many-hands", 1)
    assert by_key(instrument.model.state, "") is None
    assert by_key(instrument.model.state, "1") is not None


def test_notes_tell_the_room_what_comes_next_and_the_time_and_lead_to_each_step(instrument: Instrument) -> None:
    presenter = open_lecture(instrument, "many-hands", 1)
    QTest.keyClick(presenter, Qt.Key.Key_N)
    notes: Any = presenter.speaker
    assert isinstance(notes, SpeakerView)
    assert notes.isVisible()
    assert not notes.isWindow()
    told = words_in(notes)
    assert MANY.title in told
    assert "Next: the answer, C" in told
    assert "Since the start 0:0" in told
    assert filled(MANY.steps[1].notes or MANY.steps[1].words, presenter.asked.numbers).split("\n")[0] in told
    presenter.go_on()
    settle()
    assert f"Next: {MANY.steps[2].title}" in words_in(notes)
    press_place(notes, "step 4")
    assert instrument.model.state.views.lessons.step == 4
    QTest.qWait(400)
    assert notes.caption == "What the room sees"
    assert notes.picture.width() == round(0.5 * notes.width())
    QTest.keyClick(notes, Qt.Key.Key_B)
    assert notes.caption == "Black: the room sees nothing"
    QTest.keyClick(notes, Qt.Key.Key_B)
    for place in (len(MANY.steps) - 1, len(MANY.steps) + 1):
        presenter.go_to(place)
    settle()
    assert "2 of 2: To discuss" in words_in(notes)
    assert MANY.steps[-1].words.split(".")[0] not in words_in(notes)
    QTest.keyClick(notes, Qt.Key.Key_N)
    assert presenter.speaker is None
    assert presenter.isVisible()
    presenter.leave()


def test_what_a_second_screen_has_frozen_stays_while_the_speaker_goes_on(instrument: Instrument) -> None:
    presenter = open_lecture(instrument, "many-hands", 0)
    QTest.keyClick(presenter, Qt.Key.Key_F)
    assert presenter.shade.frozen is None
    presenter._show_speaker(instrument.window.screen().geometry())
    settle()
    before = presenter.grab().toImage()
    QTest.keyClick(presenter, Qt.Key.Key_F)
    presenter.go_to(3)
    QTest.qWait(400)
    assert presenter.grab().toImage() == before
    assert presenter.speaker.caption.startswith("Frozen")
    QTest.keyClick(presenter, Qt.Key.Key_F)
    settle()
    assert presenter.grab().toImage() != before
    notes = presenter.speaker
    presenter.leave()
    assert presenter.speaker is None
    assert not notes.isVisible()


def test_steps_of_a_talk_are_shown_and_taken_away(instrument: Instrument, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OWN, EMPTY.key, EMPTY)
    for base in ("500", "700"):
        show(instrument, base=base)
        trigger(instrument, "add_view")
    show(instrument, base="900")
    editor = TalkEditor(instrument.window)
    editor.steps.setCurrentRow(0)
    editor.buttons["Show"].click()
    assert instrument.model.state.encoding.parameters["base"] == 500.0
    editor.buttons["Remove"].click()
    assert [step.state["base"] for step in OWN[EMPTY.key].steps] == ["700.0"]
    editor.buttons["Remove"].click()
    assert OWN[EMPTY.key].steps == ()
    assert not editor.buttons["Show"].isEnabled()
    editor.close()
