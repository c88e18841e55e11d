"""What a screen reader finds in the window: Qt's accessibility tree, walked with each dock and each dialog open."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.window.application import wait_until_measured
from pe_desktop.window.dock import tab_bar
from pe_desktop.window.settings import SETTING_ROWS
from tests.window.acting import resize, settle, show
from tests.window.conftest import panel_of, title_row

NAME, VALUE, DESCRIPTION = QAccessible.Text.Name, QAccessible.Text.Value, QAccessible.Text.Description
ROLE = QAccessible.Role
VALUED = (ROLE.Slider, ROLE.ComboBox, ROLE.ProgressBar, ROLE.SpinBox)
USED = (*VALUED, ROLE.Button, ROLE.CheckBox, ROLE.RadioButton, ROLE.EditableText, ROLE.Canvas, ROLE.PageTab)
WITHOUT_MEANING = (ROLE.NoRole, ROLE.Client, ROLE.Border)


def tree_of(widget: QWidget) -> list[QAccessibleInterface]:
    """Everything on show in a widget, itself first."""
    return list(_below(QAccessible.queryAccessibleInterface(widget)))


def _below(node: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    yield node
    for number in range(node.childCount()):
        child = node.child(number)
        if not child.state().invisible:
            yield from _below(child)


def faults_of(nodes: list[QAccessibleInterface]) -> list[str]:
    """What a reader would have to guess."""
    faults = []
    for node in nodes:
        name, role, owner = node.text(NAME), node.role(), type(node.object()).__name__
        is_used = role in USED or (node.state().focusable and role != ROLE.Window)
        wrong = {
            "no name": is_used and not name,
            "no role": is_used and role in WITHOUT_MEANING,
            "no value": role in VALUED and not node.text(VALUE),
            "named by its value": role == ROLE.ComboBox and name == node.text(VALUE),
            "nothing told of it": role == ROLE.Canvas and node.state().focusable and not node.text(DESCRIPTION),
        }
        faults += [f"{owner} {name!r} ({role.name}): {fault}" for fault, is_there in wrong.items() if is_there]
        if role == ROLE.Canvas:
            places = Counter(node.child(number).text(NAME) for number in range(node.childCount()))
            faults += [f"{name}: {count} places are {twice!r}" for twice, count in places.items() if count > 1]
    return faults


def find(widget: QWidget, role: QAccessible.Role, name: str) -> QAccessibleInterface:
    found = [node for node in tree_of(widget) if (node.role(), node.text(NAME)) == (role, name)]
    assert len(found) == 1
    return found[0]


def test_nothing_in_the_window_and_in_any_dock_has_to_be_guessed(instrument):
    window, seen = instrument.window, set()
    nodes = tree_of(window)
    assert len(nodes) > 150
    faults = faults_of(nodes)
    for workspace in ("", "compare", "facts", *WORKSPACES):
        show(instrument, **({f"{workspace}.is_open": True} if workspace else {}))
        for key, dock in [*window.docks.items()]:
            if dock.isHidden() or key in seen:
                continue
            dock.bring_forward()
            wait_until_measured(instrument)
            seen.add(key)
            nodes = tree_of(dock)
            faults += faults_of(nodes)
            faults += [] if any(node.role() in USED for node in nodes) else [f"{key}: nothing to use"]
        show(instrument, **({f"{workspace}.is_open": False} if workspace else {}))
    assert seen >= {"compare", "facts", *(key for workspace in WORKSPACES.values() for key in workspace)}
    assert sorted(set(faults)) == []


def test_what_a_tab_is_in_front_of_is_not_read_and_a_panel_that_floats_is(instrument):
    dock = instrument.window.docks["rotation"]
    assert dock.is_behind
    assert len(tree_of(dock)) == 1
    for act in (dock.bring_forward, dock.pop_out_or_in):
        act()
        wait_until_measured(instrument)
        nodes = tree_of(dock)
        assert faults_of(nodes) == []
        assert len(nodes) > 10
    assert dock.isFloating()


@pytest.mark.parametrize("action", ["export", "show_about", "refuse"])
def test_dialogs_that_wait_for_their_end_have_nothing_to_be_guessed(instrument, qtbot, action):
    window, found = instrument.window, []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        found.append(["no dialog"] if dialog is None else faults_of(tree_of(dialog)))
        if dialog is not None:
            dialog.close()

    QTimer.singleShot(100, look)
    if action == "refuse":
        window.show_refusal("Open session", "It is gone.")
    else:
        window.action_set.trigger(action)
    qtbot.waitUntil(lambda: bool(found))
    assert found == [[]]


@pytest.mark.parametrize("action", ["open_settings", "show_steps", "show_keys", "report_problem"])
def test_what_stays_open_beside_the_window_has_nothing_to_be_guessed(window, action):
    window.action_set.trigger(action)
    settle()
    nodes = tree_of(window.docks["lessons"] if action == "show_steps" else window.findChild(QDialog))
    assert faults_of(nodes) == []
    # Every setting is named and tells its value.
    named = {node.text(NAME): node for node in nodes}
    for row in SETTING_ROWS.values() if action == "open_settings" else ():
        control = named[row.title]
        assert control.role() == (ROLE.ComboBox if row.choices else ROLE.CheckBox), row.name
        assert control.text(VALUE) in row.choices.values() if row.choices else control.state().checkable, row.name


def test_a_list_is_named_by_its_label_and_tells_its_choice_and_words_are_radio_buttons(instrument):
    spacing = find(instrument.window, ROLE.ComboBox, "Spacing")
    assert spacing.text(VALUE) == "Geometric"
    assert spacing.text(DESCRIPTION).startswith("Geometric; ")
    entries = [spacing.child(0).child(number) for number in range(spacing.child(0).childCount())]
    assert [entry.text(NAME) for entry in entries] == ["Geometric", "Inclusive", "Linear", "Single", "Given"]
    assert [entry.state().selected for entry in entries] == [True, False, False, False, False]
    instrument.model.set(spacing="linear")
    assert spacing.text(VALUE) == "Linear"
    cosine = find(instrument.window, ROLE.RadioButton, "Similarity: Cos")
    assert (cosine.state().checkable, cosine.state().checked) == (True, False)
    cosine.actionInterface().doAction("Press")
    assert instrument.model.state.views.similarity.measure == "cosine"
    assert cosine.state().checked
    assert find(instrument.window, ROLE.Grouping, "Similarity").text(VALUE) == "Cos"


def test_sliders_tell_their_values_in_words_and_numbers_and_move_by_a_reader(instrument, model) -> None:
    names = ("d_model", "Position", "Frequency pair")
    width, position, pair = sliders = [find(instrument.window, ROLE.Slider, name) for name in names]
    numbers = [slider.valueInterface() for slider in sliders]
    assert [(one.minimumValue(), one.currentValue(), one.maximumValue()) for one in numbers[1:]] == [
        (0.0, 37.0, 127.0), (0.0, 4.0, 15.0),
    ]  # fmt: skip
    assert (width.text(VALUE), position.text(VALUE), numbers[0].currentValue()) == ("32", "t 37, k 8", 32.0)
    for slider, action in ((width, "Increase"), (position, "Decrease"), (pair, "Increase")):
        slider.actionInterface().doAction(action)
    assert model.encoding.d_model > 32
    assert width.text(VALUE) == str(model.encoding.d_model)
    assert (position.text(VALUE), model.cursor.pair, pair.text(VALUE)[:2]) == ("t 36, k 8", 5, "5,")
    for number, value in zip(numbers, (64.0, 40.2, 6), strict=True):
        number.setCurrentValue(value)
    assert (model.encoding.d_model, model.cursor.position, model.cursor.pair) == (64, 40.0, 6)
    assert [number.currentValue() for number in numbers] == [64.0, 40.0, 6.0]


def test_plots_say_where_t_is_and_what_stands_there_and_a_subtitle_that_is_cut(instrument, window):
    waves = find(instrument.window, ROLE.Canvas, "Waves of the pinned pairs")
    assert waves.text(DESCRIPTION).startswith("t 37, k 8, pair 4; ")
    similarity = find(instrument.window, ROLE.Canvas, "Similarity of every two positions")
    assert similarity.text(DESCRIPTION).endswith("; cell t, t + k 10.5221")
    instrument.model.move_cursor(position=90.0)
    instrument.window.waves.canvas.repaint()
    assert waves.text(DESCRIPTION).startswith("t 90, k 8, pair 4; ")
    resize(instrument, 1100, 680)
    nodes = tree_of(title_row(window.docks["matrix"]))
    assert window.panel("matrix").subtitle in [node.text(NAME) for node in nodes if node.role() == ROLE.StaticText]


class Told(NamedTuple):
    """What a reader hears of: what happened, to whom or to which child of it, and words that are announced."""

    kind: QAccessible.Event
    owner: QObject
    child: int
    words: str


@pytest.fixture
def told(monkeypatch) -> list[Told]:
    """Everything that is told to a reader, who listens from now on."""
    events: list[Told] = []

    def note(event: QAccessibleEvent) -> None:
        words = event.message() if isinstance(event, QAccessibleAnnouncementEvent) else ""
        events.append(Told(event.type(), event.object(), event.child(), words))

    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(QAccessible, "updateAccessibility", note)
    return events


def test_what_has_the_focus_is_told_once_it_rests(instrument, qtbot, told):
    canvas, model = instrument.window.waves.canvas, instrument.model
    canvas.setFocus()
    told.clear()
    for position in range(50, 60):
        model.move_cursor(position=float(position))
        QTest.qWait(16)
    spoken = QAccessible.Event.Announcement
    assert not told
    # Each owner has a timer of its own; which one comes first is not said.
    owners = {canvas, instrument.window.clock.canvas, instrument.window.transport.position}

    def all_have_told() -> bool:
        changed = {event.owner for event in told if event.kind == QAccessible.Event.DescriptionChanged}
        return owners <= changed and any(event.kind == spoken for event in told)

    qtbot.waitUntil(all_have_told)
    assert [(event.owner, event.words[:5]) for event in told if event.kind == spoken] == [(canvas, "t 59,")]


def test_a_row_of_tabs_tells_the_tab_that_has_the_focus(instrument, qtbot, told):
    bar: Any = tab_bar(instrument.window.docks["similarity"])
    bar.setFocus()
    qtbot.waitUntil(lambda: (QAccessible.Event.Focus, bar, bar.currentIndex(), "") in told)
    told.clear()
    bar.setCurrentIndex(2)
    assert (QAccessible.Event.NameChanged, bar, -1, "") in told
    assert (QAccessible.Event.Focus, bar, 2, "") in told


def test_a_place_that_tab_comes_to_is_told_with_its_value(instrument, told):
    show(instrument, front="decoder")
    canvas = panel_of(instrument, "decoder").canvas
    canvas.setFocus()
    told.clear()
    QTest.keyClick(canvas, Qt.Key.Key_Tab)
    [child] = [event.child for event in told if event[:2] == (QAccessible.Event.Focus, canvas)]
    place = QAccessible.queryAccessibleInterface(canvas).child(child)
    assert (place.text(NAME), place.text(DESCRIPTION), place.state().focused) == ("hand 0", "319.9°", True)
    QTest.keyClick(canvas, Qt.Key.Key_Backtab)
    assert told[-1] == (QAccessible.Event.Focus, canvas, -1, "")
    assert not place.state().focused


def test_a_list_tells_its_name_when_it_is_shown_as_its_entries_came_before_it(instrument, told):
    instrument.window.action_set.trigger("open_settings")
    lists = {row.title for row in SETTING_ROWS.values() if row.choices}
    changed = [event.owner for event in told if event.kind == QAccessible.Event.NameChanged]
    assert lists <= {owner.accessibleName() for owner in changed if isinstance(owner, QWidget)}
