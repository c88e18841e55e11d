"""A start that went wrong before goes well now: damaged layouts, safe mode, settings that are reset."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QApplication

from pe_desktop.core.state import State, state_of
from pe_desktop.heat.renderer import RASTER, CrashMarker
from pe_desktop.window.application import RESTORING_NAME, Instrument
from pe_desktop.window.settings import Settings, decoded, encoded, read_settings
from tests.window.conftest import Opened, finish

WIDE = state_of({"d_model": "64", "position": "5"})


@pytest.fixture(scope="module")
def left(qapp: QApplication) -> Settings:
    """The settings of a window that was left with Rotation afloat, the Encoding dock folded and a speed of its own."""
    instrument = Instrument(State(), Settings(theme="dark", speed=2.0))
    instrument.window.resize(1600, 1000)
    instrument.window.show()
    instrument.window.docks["rotation"].setFloating(True)
    instrument.window.set_folded(True)
    QApplication.processEvents()
    settings = instrument.settings
    finish(instrument)
    return settings


def afloat(instrument: Instrument) -> bool:
    return instrument.window.docks["rotation"].isFloating()


def test_a_layout_is_what_was_written_or_nothing_whichever_bit_of_it_is_flipped(left: Settings) -> None:
    whole = decoded(left.docks)
    assert (whole.isEmpty(), encoded(whole)) == (False, left.docks)
    letters = left.docks.encode("ascii")
    for place in range(8 * len(letters)):
        flipped = bytearray(letters)
        flipped[place // 8] ^= 1 << place % 8
        found = decoded(flipped.decode("latin-1"))
        assert found.isEmpty() or found == whole, place
    assert decoded("").isEmpty()
    # What JSON allows and no encoding knows.
    assert decoded(f"{left.docks}\ud800\u00e9") in (whole, QByteArray())
    assert decoded(encoded(QByteArray())).isEmpty()


def test_a_window_opens_whichever_bit_of_the_settings_file_is_flipped(left: Settings, tmp_path: Path) -> None:
    path, luck = tmp_path / "settings.json", random.Random(1)
    assert left.write(path)
    content = path.read_bytes()
    for number in range(300):
        flipped = bytearray(content)
        flipped[luck.randrange(len(content))] ^= 1 << luck.randrange(8)
        path.write_bytes(flipped)
        settings, complaint = read_settings(path)
        assert isinstance(settings, Settings)
        assert complaint == "" or "start anew" in complaint
        if number % 100 == 0:
            instrument = Instrument(State(), settings, path)
            instrument.window.show()
            QApplication.processEvents()
            assert instrument.window.isVisible()
            finish(instrument)


def test_a_layout_that_is_damaged_or_ended_the_program_is_left_alone_and_said(left, opened, tmp_path) -> None:
    were_afloat: list[bool] = []
    look = {"use": lambda instrument: were_afloat.append(afloat(instrument))}
    assert left.write(tmp_path / "settings.json")
    assert opened(**look)[2] == ""
    assert replace(left, docks=left.docks[:-8] + "AAAAAAAA").write(tmp_path / "settings.json")
    assert "layout is damaged" in opened(**look)[2]
    assert opened(**look)[2] == ""
    assert left.write(tmp_path / "settings.json")
    # A process that is there no more: its number and its start.
    (tmp_path / RESTORING_NAME).write_text("999999999 1\n", encoding="utf-8")
    assert "last restored its layout" in opened(**look)[2]
    assert were_afloat == [True, False, False, False]
    assert not (tmp_path / RESTORING_NAME).exists()


def test_a_note_stands_beside_the_settings_while_a_layout_is_restored(left, tmp_path, monkeypatch) -> None:
    path, noted = tmp_path / "settings.json", []
    marker = CrashMarker(tmp_path / RESTORING_NAME)
    restore = Instrument._restore

    def watched(instrument: Instrument) -> None:
        restore(instrument)
        noted.append((tmp_path / RESTORING_NAME).exists())

    monkeypatch.setattr(Instrument, "_restore", watched)
    assert left.write(path)
    instrument = Instrument(State(), left, path)
    # Another window that opens meanwhile sees that this one lives.
    assert not marker.tells_of_a_crash
    instrument.window.show()
    finish(instrument)
    assert noted == [True]
    assert not (tmp_path / RESTORING_NAME).exists()


def test_safe_mode_restores_and_writes_nothing_and_the_cpu_draws(left, opened, tmp_path) -> None:
    opened(WIDE)
    left.write(tmp_path / "settings.json")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    seen: list[tuple[bool, str, float]] = []

    def look(instrument: Instrument) -> None:
        seen.append((afloat(instrument), instrument.renderer.choice, instrument.playback.speed))
        instrument.model.set_parameter("d_model", "16")

    _, state, message = opened(use=look, is_safe=True)
    assert seen == [(False, RASTER, 1.0)]
    assert state.encoding.n_positions == State().encoding.n_positions
    assert message.startswith("Safe mode")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_settings_are_reset_and_the_old_ones_kept(left: Settings, opened: Opened, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    left.write(path)
    old = path.read_bytes()
    (tmp_path / RESTORING_NAME).write_text("999999999 1\n", encoding="utf-8")
    seen: list[tuple[bool, float]] = []
    _, _, message = opened(
        use=lambda instrument: seen.append((afloat(instrument), instrument.playback.speed)), resets=True
    )
    assert seen == [(False, 1.0)]
    assert "settings.before-reset.json" in message
    assert (tmp_path / "settings.before-reset.json").read_bytes() == old
    assert json.loads(path.read_text(encoding="utf-8"))["speed"] == 1.0
