"""What a screen reader finds in the window: Qt's accessibility tree, walked with each dock and each dialog open."""

from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.window.application import wait_until_measured
from pe_desktop.window.focus import tab_bar
from pe_desktop.window.settings import SETTING_ROWS

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


def test_nothing_in_the_first_window_has_to_be_guessed(instrument):
    nodes = tree_of(instrument.window)
    assert len(nodes) > 150
    assert faults_of(nodes) == []


@pytest.mark.parametrize("workspace", ["", "compare", "facts", *WORKSPACES])
def test_nothing_in_any_dock_has_to_be_guessed(open_instrument, workspace):
    instrument = open_instrument(**({f"{workspace}__is_open": True} if workspace else {}))
    window = instrument.window
    faults, seen = [], set()
    for key, dock in list(window.docks.items()):
        if dock.isHidden():
            continue
        dock.bring_forward()
        wait_until_measured(instrument)
        seen.add(key)
        nodes = tree_of(dock)
        if not any(node.role() in USED for node in nodes):
            faults.append(f"{key}: nothing to use")
        faults += faults_of(nodes)
    assert len(seen) >= 3
    assert sorted(set(faults)) == []


def test_what_a_tab_is_in_front_of_is_not_read(instrument):
    docks = instrument.window.docks
    assert docks["rotation"].is_behind
    assert len(tree_of(docks["rotation"])) == 1
    docks["rotation"].bring_forward()
    wait_until_measured(instrument)
    assert len(tree_of(docks["rotation"])) > 10


def faults_of_the_dialog(qtbot, open_it) -> list[str]:
    """What is to be guessed in a dialog that waits for its end."""
    found: list[list[str]] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        found.append(["no dialog"] if dialog is None else faults_of(tree_of(dialog)))
        if dialog is not None:
            dialog.close()

    QTimer.singleShot(100, look)
    open_it()
    qtbot.waitUntil(lambda: bool(found))
    return found[0]


@pytest.mark.parametrize("action", ["export", "show_about"])
def test_the_dialogs_have_nothing_to_be_guessed(instrument, qtbot, action):
    assert faults_of_the_dialog(qtbot, lambda: instrument.window.action_set.trigger(action)) == []


@pytest.mark.parametrize("action", ["open_settings", "show_steps", "show_keys", "report_problem"])
def test_what_stays_open_beside_the_window_has_nothing_to_be_guessed(instrument, action):
    instrument.window.action_set.trigger(action)
    dialog = instrument.window.findChild(QDialog)
    assert faults_of(tree_of(dialog)) == []
    dialog.close()


def test_every_setting_is_named_and_tells_its_value(instrument):
    instrument.window.action_set.trigger("open_settings")
    told = {node.text(NAME): node for node in tree_of(instrument.window.findChild(QDialog))}
    for row in SETTING_ROWS:
        control = told[row.title]
        assert control.role() == (ROLE.ComboBox if row.choices else ROLE.CheckBox), row.name
        assert control.text(VALUE) in row.choices.values() if row.choices else control.state().checkable, row.name


def test_a_panel_that_floats_has_nothing_to_be_guessed(instrument):
    dock = instrument.window.docks["similarity"]
    dock.pop_out_or_in()
    wait_until_measured(instrument)
    assert dock.isFloating()
    nodes = tree_of(dock)
    assert faults_of(nodes) == []
    assert len(nodes) > 10


def test_a_refusal_is_read(instrument, qtbot):
    window = instrument.window
    assert faults_of_the_dialog(qtbot, lambda: window.show_refusal("Open session", "It is gone.")) == []


def test_a_list_is_named_by_its_label_and_tells_its_choice(instrument):
    spacing = find(instrument.window, ROLE.ComboBox, "Spacing")
    assert spacing.text(VALUE) == "Geometric"
    assert spacing.text(DESCRIPTION).startswith("Geometric; ")
    entries = spacing.child(0)
    names = [entries.child(number).text(NAME) for number in range(entries.childCount())]
    assert names == ["Geometric", "Inclusive", "Linear", "Single"]
    assert [entries.child(number).state().selected for number in range(4)] == [True, False, False, False]
    instrument.model.set(spacing="linear")
    assert spacing.text(VALUE) == "Linear"


def test_sliders_tell_their_values_and_move_by_a_reader(instrument):
    model = instrument.model
    width = find(instrument.window, ROLE.Slider, "d_model")
    assert (width.text(VALUE), model.encoding.d_model) == ("32", 32)
    width.actionInterface().doAction("Increase")
    assert model.encoding.d_model > 32
    assert width.text(VALUE) == str(model.encoding.d_model)
    position = find(instrument.window, ROLE.Slider, "Position")
    assert position.text(VALUE) == "t 37, k 8"
    position.actionInterface().doAction("Decrease")
    assert position.text(VALUE) == "t 36, k 8"
    pair = find(instrument.window, ROLE.Slider, "Frequency pair")
    pair.actionInterface().doAction("Increase")
    assert (model.cursor.pair, pair.text(VALUE)[:2]) == (5, "5,")


def test_sliders_tell_their_values_as_numbers_and_take_them(instrument):
    model = instrument.model
    pair, position = (
        find(instrument.window, ROLE.Slider, name).valueInterface() for name in ("Frequency pair", "Position")
    )
    width = find(instrument.window, ROLE.Slider, "d_model").valueInterface()
    told = [(one.minimumValue(), one.currentValue(), one.maximumValue()) for one in (pair, position)]
    assert told == [(0.0, 4.0, 15.0), (0.0, 37.0, 127.0)]
    assert width.currentValue() == 32.0
    pair.setCurrentValue(6)
    position.setCurrentValue(40.2)
    width.setCurrentValue(64.0)
    assert (model.cursor.pair, model.cursor.position, model.encoding.d_model) == (6, 40.0, 64)
    assert [one.currentValue() for one in (pair, position, width)] == [6.0, 40.0, 64.0]


def test_of_some_words_one_is_chosen_as_among_radio_buttons(instrument):
    cosine = find(instrument.window, ROLE.RadioButton, "Similarity: Cos")
    assert (cosine.state().checkable, cosine.state().checked) == (True, False)
    cosine.actionInterface().doAction("Press")
    assert instrument.model.state.views.similarity.measure == "cosine"
    assert cosine.state().checked
    assert find(instrument.window, ROLE.Grouping, "Similarity").text(VALUE) == "Cos"


def test_a_subtitle_that_is_cut_is_read_whole(instrument):
    window = instrument.window
    window.resize(1100, 680)
    QTest.qWait(50)
    row = window.docks["matrix"].title_row
    shown = [node.text(NAME) for node in tree_of(row) if node.role() == ROLE.StaticText]
    assert window.panel("matrix").subtitle in shown


def test_plots_say_where_t_is_and_what_stands_there(instrument):
    waves = find(instrument.window, ROLE.Canvas, "Waves of the pinned pairs")
    assert waves.text(DESCRIPTION).startswith("t 37, k 8, pair 4; ")
    similarity = find(instrument.window, ROLE.Canvas, "Similarity of every two positions")
    assert similarity.text(DESCRIPTION).endswith("; cell t, t + k 10.5221")
    instrument.model.move_cursor(position=90.0)
    instrument.window.waves.canvas.repaint()
    assert waves.text(DESCRIPTION).startswith("t 90, k 8, pair 4; ")


def test_what_has_the_focus_is_told_once_it_rests(instrument, qtbot, monkeypatch):
    told: list[tuple[QAccessible.Event, object, str]] = []

    def note(event: QAccessibleEvent) -> None:
        words = event.message() if isinstance(event, QAccessibleAnnouncementEvent) else ""
        told.append((event.type(), event.object(), words))

    monkeypatch.setattr("pe_desktop.draw.spoken.QAccessible.updateAccessibility", note)
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    canvas, model = instrument.window.waves.canvas, instrument.model
    canvas.setFocus()
    for position in range(50, 60):
        model.move_cursor(position=float(position))
        QTest.qWait(16)
    spoken = QAccessible.Event.Announcement
    assert not told
    # Each owner has a timer of its own; which one comes first is not said.
    owners = {canvas, instrument.window.clock.canvas, instrument.window.transport.position}

    def all_have_told() -> bool:
        changed = {owner for event, owner, _ in told if event == QAccessible.Event.DescriptionChanged}
        return owners <= changed and any(event == spoken for event, _, _ in told)

    qtbot.waitUntil(all_have_told)
    assert [(owner, words[:5]) for event, owner, words in told if event == spoken] == [(canvas, "t 59,")]


def test_a_row_of_tabs_tells_the_tab_that_has_the_focus(instrument, qtbot, monkeypatch):
    window, told = instrument.window, []
    bar = tab_bar(window.docks["similarity"], window)
    assert bar is not None
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: told.append((event.type(), event.object(), event.child()))
    )
    bar.setFocus()
    qtbot.waitUntil(lambda: (QAccessible.Event.Focus, bar, bar.currentIndex()) in told)
    told.clear()
    bar.setCurrentIndex(2)
    assert (QAccessible.Event.NameChanged, bar, -1) in told
    assert (QAccessible.Event.Focus, bar, 2) in told


def test_a_place_that_tab_comes_to_is_told_with_its_value(open_instrument, monkeypatch):
    instrument, told = open_instrument(study__is_open=True), []
    dock = instrument.window.docks["decoder"]
    dock.bring_forward()
    wait_until_measured(instrument)
    canvas = dock.panel.canvas
    canvas.setFocus()
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: told.append((event.type(), event.object(), event.child()))
    )
    QTest.keyClick(canvas, Qt.Key.Key_Tab)
    focused = [child for event, owner, child in told if (event, owner) == (QAccessible.Event.Focus, canvas)]
    assert len(focused) == 1
    place = QAccessible.queryAccessibleInterface(canvas).child(focused[0])
    assert (place.text(NAME), place.text(DESCRIPTION), place.state().focused) == ("hand 0", "319.9°", True)
    QTest.keyClick(canvas, Qt.Key.Key_Backtab)
    assert told[-1] == (QAccessible.Event.Focus, canvas, -1)
    assert not place.state().focused


def test_a_list_tells_its_name_when_it_is_shown_as_its_entries_came_before_it(instrument, monkeypatch):
    told = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(
        QAccessible,
        "updateAccessibility",
        lambda event: told.append((event.type(), event.object() and event.object().accessibleName())),
    )
    instrument.window.action_set.trigger("open_settings")
    lists = {row.title for row in SETTING_ROWS if row.choices}
    assert lists <= {name for kind, name in told if kind == QAccessible.Event.NameChanged}
    instrument.window.findChild(QDialog).close()
