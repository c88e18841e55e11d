"""What a window as small as it gets shows: every part whole, in every workspace, and plots before words."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.draw.dial import dial_in
from pe_desktop.window.application import Instrument, wait_until_measured
from pe_desktop.window.card import SubtitleLabel
from pe_desktop.window.main_window import PLOTS, SMALLEST, MainWindow

OpenInstrument = Callable[..., Instrument]


def seen(window: MainWindow) -> dict[str, QRect]:
    """Where the docks stand that are in front."""
    return {
        key: dock.geometry()
        for key, dock in window.docks.items()
        if dock.panel.isVisible() and dock.window() is window and not dock.is_behind
    }


def show(instrument: Instrument, **names: object) -> None:
    instrument.model.set(**{name.replace("__", "."): value for name, value in names.items()})
    wait_until_measured(instrument)
    QTest.qWait(20)


def assert_whole(window: MainWindow) -> None:
    places = seen(window)
    for key, place in places.items():
        assert window.rect().contains(place), (key, place)
        others = [other for name, other in places.items() if name != key]
        assert not any(place.intersects(other) for other in others), key
        row = window.docks[key].title_row
        # A title row is as wide as its dock: what stands in it isn't cut.
        assert row is None or row.minimumSizeHint().width() <= row.width(), key
        labels = [] if row is None else row.findChildren(SubtitleLabel)
        shown = [(text.text(), label.width()) for label in labels for text in label.findChildren(QLabel)]
        assert not any(words.endswith("…") for words, _ in shown), (key, shown)


# Screens of 1920 x 1200 and 1920 x 1080 at 200 % leave less height than the smallest window has elsewhere.
@pytest.mark.parametrize("height", [SMALLEST[1], 560, 500])
@pytest.mark.parametrize("workspace", [*WORKSPACES, ""])
def test_every_panel_is_whole_in_the_smallest_window(
    open_instrument: OpenInstrument, workspace: str, height: int
) -> None:
    instrument = open_instrument()
    window = instrument.window
    window.setMinimumSize(1, 1)
    window.resize(SMALLEST[0], height)
    QTest.qWait(50)
    if workspace:
        show(instrument, **{f"{workspace}.is_open": True})
    for key in WORKSPACES[workspace] if workspace else ("similarity", "rotation", "properties"):
        show(instrument, front=(key,))
        assert key in seen(window)
        assert_whole(window)


def test_compare_and_facts_are_whole_in_the_smallest_window(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(width=SMALLEST[0], height=SMALLEST[1])
    show(instrument, compare__is_open=True)
    assert_whole(instrument.window)
    show(instrument, compare__is_open=False, facts__is_open=True)
    panel = instrument.window.panel("facts")
    assert instrument.window.rect().contains(QRect(panel.mapTo(instrument.window, QPoint(0, 0)), panel.size()))


def test_workspace_takes_all_room_of_a_small_window_and_shares_it_in_a_larger_one(
    open_instrument: OpenInstrument,
) -> None:
    instrument = open_instrument(width=1600)
    window = instrument.window
    before = seen(window)
    show(instrument, attention__is_open=True)
    assert "clock" in seen(window)
    window.resize(*SMALLEST)
    QTest.qWait(50)
    assert set(seen(window)) == {"attention", "transport"}
    window.resize(1600, 1000)
    QTest.qWait(50)
    assert {"attention", "clock", "similarity"} <= set(seen(window))
    show(instrument, attention__is_open=False)
    assert set(seen(window)) == set(before)
    assert {key for key in PLOTS if window.docks[key].isHidden()} == set()


@pytest.mark.parametrize(("size", "least"), [((1280, 720), 98.0), ((1100, 680), 80.0), ((960, 600), 62.0)])
def test_dial_takes_the_height_of_its_panel_and_numbers_stand_beside_it(
    open_instrument: OpenInstrument, size: tuple[int, int], least: float
) -> None:
    instrument = open_instrument(width=size[0], height=size[1])
    clock = instrument.window.clock
    assert not clock.numbers.isVisible()
    assert dial_in(clock.canvas.width(), clock.canvas.height()).radius >= least
    instrument.window.resize(1600, 1000)
    QTest.qWait(30)
    assert clock.numbers.isVisible()


SCALED = """
import sys
from dataclasses import replace
from PySide6.QtCore import QTimer
from pe_desktop.window import start
from pe_desktop.window.settings import default_settings_path, read_settings, write_settings
from pe_desktop.window.main_window import MainWindow
from PySide6.QtWidgets import QApplication

path = default_settings_path()
write_settings(replace(read_settings(path)[0], scale=int(sys.argv[1])), path)

def look():
    window = next(some for some in QApplication.topLevelWidgets() if isinstance(some, MainWindow))
    room = window.screen().availableGeometry()
    print(window.devicePixelRatioF(), window.width() <= room.width(), window.height() <= room.height())
    window.close()

made = start.make_application
def make():
    application = made()
    QTimer.singleShot(1500, look)
    return application
start.make_application = make
sys.exit(start.open_window(None))
"""


def started(folder: Path, percent: int, given: str | None = None) -> list[str]:
    """The device pixels to a logical one at a size of everything, and whether the window fits the screen."""
    environment = {name: value for name, value in os.environ.items() if name != "QT_SCALE_FACTOR"}
    environment |= {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(folder), "TMPDIR": str(folder)}
    if given is not None:
        environment["QT_SCALE_FACTOR"] = given
    command = [sys.executable, "-c", SCALED, str(percent)]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=60, check=True
    ).stdout.split()


@pytest.mark.parametrize(
    ("percent", "given", "ratio"), [(200, None, 2.0), (90, None, 0.9), (100, None, 1.0), (200, "1.5", 1.5)]
)
def test_the_size_of_everything_follows_the_setting_from_the_start_on_and_the_window_fits_the_screen(
    tmp_path: Path, percent: int, given: str | None, ratio: float
) -> None:
    assert started(tmp_path, percent, given) == [str(ratio), "True", "True"]


def test_a_window_fits_the_screen_after_the_size_of_everything_was_doubled(tmp_path: Path) -> None:
    assert started(tmp_path, 100) == ["1.0", "True", "True"]
    assert started(tmp_path, 200) == ["2.0", "True", "True"]


def test_ten_million_positions_and_the_widest_pair_leave_the_transport_whole(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(width=SMALLEST[0], height=SMALLEST[1])
    instrument.model.set(n_positions=10_000_000, d_model=65_536)
    QTest.qWait(30)
    window = instrument.window
    assert window.transport.minimumSizeHint().width() <= window.transport.width()
    assert window.rect().contains(window.docks["transport"].geometry())


def test_long_numbers_beside_the_colours_of_the_matrix_push_no_column(open_instrument: OpenInstrument) -> None:
    instrument = open_instrument(width=SMALLEST[0], height=SMALLEST[1])
    window = instrument.window
    widths = []
    for shown in ("whole", "most", "whole"):
        show(instrument, matrix__range=shown)
        widths.append((window.docks["clock"].width(), window.docks["matrix"].width()))
    assert widths[0] == widths[1] == widths[2]


def test_chip_without_room_for_its_words_is_no_wider_than_its_icon(open_instrument: OpenInstrument) -> None:
    window = open_instrument(width=SMALLEST[0], height=SMALLEST[1]).window
    chip, row = window.matrix.chip, window.docks["matrix"].title_row
    assert row is not None
    room = chip.minimumSizeHint().width() + 30
    chip.resize(room, chip.height())
    image = row.grab().toImage()
    beside, before_icon = (image.pixelColor(chip.mapTo(row, QPoint(x, 12))) for x in (15, room - 30))
    assert beside == window.theme.panel
    assert before_icon != window.theme.panel
