"""The dialog of the settings, in which every row acts at once, and what the system wishes."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QProcess, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from pe_desktop.draw import marks
from pe_desktop.draw.theme import themes
from pe_desktop.model.playback import Playback
from pe_desktop.panels.controls.buttons import Switch
from pe_desktop.window.application import Instrument
from pe_desktop.window.dialogs import SettingsDialog
from pe_desktop.window.settings import SETTING_ROWS, Settings
from pe_desktop.window.system_wishes import ask_about_motion, system_wants_contrast
from tests.window.acting import CONTROL, LEFT, focused, press
from tests.window.conftest import row_of

# What is remembered of the window, of files and of graphics without anybody having chosen it.
REMEMBERED = {"geometry", "docks", "is_folded", "had_gpu", "recent", "shows_start", "quizzes"}


def opened(instrument: Instrument) -> SettingsDialog:
    QTest.keyClick(instrument.window.clock.canvas, Qt.Key.Key_Comma, CONTROL)
    [dialog] = instrument.window.findChildren(SettingsDialog)
    return dialog


def choose(dialog: SettingsDialog, name: str, value: object) -> None:
    """Turn the switch of a row or take an entry of its list, as a key does."""
    control = dialog.settings[name].control
    if isinstance(value, bool):
        QTest.keyClick(control, Qt.Key.Key_Space)
        return
    choices = [*SETTING_ROWS[name].choices]
    for _ in range(len(choices)):
        QTest.keyClick(control, Qt.Key.Key_Up)
    for _ in range(choices.index(value)):
        QTest.keyClick(control, Qt.Key.Key_Down)


def value(dialog: SettingsDialog, name: str) -> str | bool:
    control = dialog.settings[name].control
    return control.isChecked() if isinstance(control, Switch) else control.currentText()


def test_what_needs_another_start_is_off_and_says_why_where_no_settings_are_kept(instrument: Instrument) -> None:
    dialog = SettingsDialog(instrument.live_settings, instrument.window, instrument.window.theme, None)
    off = {name: row for name, row in dialog.settings.items() if not row.isEnabled()}
    assert {*off} == {"scale"}
    for row in off.values():
        assert any("a lab or a safe start" in words.text() for words in row.findChildren(QLabel))
        assert "a lab or a safe start" in row.control.accessibleDescription()


def test_tab_goes_through_the_settings_in_the_order_in_which_they_are_seen(instrument: Instrument) -> None:
    dialog = opened(instrument)
    dialog.resize(620, 400)
    dialog.activateWindow()
    QTest.qWait(50)
    assert focused() is dialog.search
    for control in (*(row.control for row in dialog.settings.values() if row.isEnabled()), dialog.reset_all):
        press(Qt.Key.Key_Tab)
        assert focused() is control, control.accessibleName()
        assert control.visibleRegion().boundingRect() == control.rect()
    press(Qt.Key.Key_Tab, Qt.Key.Key_Tab)
    assert focused() is dialog.search


def test_every_setting_can_be_chosen_in_its_row(instrument: Instrument) -> None:
    assert {*SETTING_ROWS} | REMEMBERED == set(Settings.__dataclass_fields__)
    dialog = opened(instrument)
    # Without a file, from which a start would find what is seen, nothing comes back in another size.
    assert [name for name, row in dialog.settings.items() if not row.isEnabled()] == ["scale"]
    for row in SETTING_ROWS.values():
        default = getattr(Settings(), row.name)
        assert default in row.choices if row.choices else isinstance(default, bool), row.name
        if row.name in ("renderer", "language"):
            continue
        dialog.settings[row.name].setEnabled(True)
        wanted = not default if isinstance(default, bool) else [*row.choices][-1]
        assert wanted != default
        choose(dialog, row.name, wanted)
        assert getattr(instrument.settings, row.name) == wanted, row.name


def test_a_setting_acts_at_once_its_row_follows_changes_elsewhere_and_words_find_it(instrument: Instrument) -> None:
    dialog = opened(instrument)
    choose(dialog, "theme", "dark")
    assert instrument.window.theme.name == "dark"
    choose(dialog, "speed", 4.0)
    assert instrument.playback.speed == 4.0
    instrument.playback.set("speed", 0.5)
    instrument.playback.set("loops", False)
    assert (value(dialog, "speed"), value(dialog, "loops")) == ("½×", False)
    assert opened(instrument) is dialog
    for words, names in (("whole", ["motion"]), ("gpu drawing", ["renderer"]), ("", [*dialog.settings])):
        dialog.search.setText(words)
        assert [name for name, row in dialog.settings.items() if row.isVisible()] == names


def test_maps_of_the_dark_theme_have_the_colours_of_the_light_one_if_chosen(instrument: Instrument) -> None:
    instrument.live_settings.set(theme="dark")
    dialog = opened(instrument)
    choose(dialog, "has_white_maps", True)
    theme = instrument.window.theme
    assert theme.diverging_color(0.0) == themes()["light"].diverging_color(0.0)
    assert theme.panel == themes()["dark"].panel
    image = instrument.window.matrix.canvas.grab().toImage()
    colors = {image.pixelColor(x, image.height() // 2).rgba() for x in range(image.width())}
    assert len(colors & {themes()["light"].diverging_color(value / 100).rgba() for value in range(-100, 101)}) > 5
    choose(dialog, "has_white_maps", False)
    assert instrument.window.theme.name == "dark"


def test_high_contrast_draws_waves_of_three_pixels_and_edges_around_fields(instrument: Instrument) -> None:
    window, dialog = instrument.window, opened(instrument)
    field = row_of(instrument, "d_model").field

    def edge() -> Any:
        return field.grab().toImage().pixelColor(field.width() // 2, 0).name()

    def sine_width() -> float:
        lines = [mark for mark in window.waves.canvas.scene().still() if isinstance(mark, marks.Polyline)]
        return max(line.width for line in lines)

    for contrast, role, width in (("normal", "sunken", 2.0), ("high", "text3", 3.0), ("normal", "sunken", 2.0)):
        choose(dialog, "contrast", contrast)
        QTest.qWait(50)
        assert (edge(), sine_width()) == (getattr(window.theme, role).name(), width)


def test_contrast_follows_the_system_unless_it_is_chosen(open_instrument, monkeypatch) -> None:
    monkeypatch.setattr("pe_desktop.window.application.system_wants_contrast", lambda: True)
    instrument = open_instrument()
    assert instrument.window.theme.has_high_contrast
    instrument.live_settings.set(contrast="normal")
    assert not instrument.window.theme.has_high_contrast


def test_all_settings_are_reset_and_what_is_remembered_stays(instrument: Instrument) -> None:
    dialog = opened(instrument)
    instrument.live_settings.set(theme="dark", speed=2.0, opens_last=False)
    instrument.window.set_folded(True)
    before = instrument.settings
    assert dialog.reset_all.isEnabled()
    QTest.mouseClick(dialog.reset_all, LEFT)
    chosen = {name: getattr(Settings(), name) for name in SETTING_ROWS}
    assert replace(instrument.settings, docks="", geometry="") == replace(before, **chosen, docks="", geometry="")
    assert not dialog.reset_all.isEnabled()


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="gsettings is a program of Linux")


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A desktop whose settings of animations are what is asked for: desktop("false")."""

    def have(answer: str) -> None:
        program = tmp_path / "gsettings"
        program.write_text(f"#!/bin/sh\necho {answer}\n", encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))

    return have


@on_linux
def test_a_desktop_without_animations_wants_less_motion_and_none_wants_contrast(desktop, make_model, qtbot) -> None:
    for answer, wants_less in (("false", True), ("true", False), ("", False)):
        desktop(answer)
        playback = Playback(make_model())
        playback.set("motion", "system")
        ask_about_motion(playback)
        [asked] = playback.findChildren(QProcess)
        with qtbot.waitSignal(asked.finished):
            pass
        assert (playback.is_reduced, playback.motion) == (wants_less, "system")
    assert not system_wants_contrast()


@on_linux
def test_motion_is_reduced_as_the_system_has_it(desktop, qtbot, tmp_path, monkeypatch, open_instrument) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not open_instrument().playback.is_reduced
    desktop("false")
    instrument = open_instrument()
    playback, live = instrument.playback, instrument.live_settings
    qtbot.waitUntil(lambda: playback.is_reduced)
    assert (live.now.motion, playback.is_reduced) == ("system", True)
    live.set(motion="normal")
    assert (live.now.motion, playback.is_reduced) == ("normal", False)
    live.set(motion="system")
    playback.set("motion", "normal")
    assert (live.now.motion, playback.is_reduced) == ("normal", False)


def test_the_menu_reduces_motion_and_leads_back_to_what_was_chosen(instrument) -> None:
    playback, reduced = instrument.playback, instrument.window.transport._reduced
    for choice, reduces, after in (
        ("system", False, "system"),
        ("normal", False, "normal"),
        ("system", True, "normal"),
    ):
        playback.set("system_reduces", reduces)
        playback.set("motion", choice)
        if not reduces:
            reduced.trigger()
            assert playback.motion == "reduced"
        reduced.trigger()
        assert (playback.motion, playback.is_reduced) == (after, False)
