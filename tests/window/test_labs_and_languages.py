"""Labs, whose starts are as the first; languages, which every start takes from Settings; talks of one's own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QLabel

from pe_desktop import languages
from pe_desktop.core.state import State, state_of, with_name
from pe_desktop.lessons.shelf import OWN, SHIPPED, SUFFIX, TALKS_FOLDER
from pe_desktop.lessons.shown import with_step
from pe_desktop.views.lessons.questions import read_guess
from pe_desktop.window.application import Instrument
from pe_desktop.window.settings import SETTING_ROWS, Settings, read_settings
from pe_desktop.window.start_row import StartRow
from tests.window.acting import resize, trigger
from tests.window.conftest import Opened


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    languages.use("en")
    OWN.clear()


def changed(instrument: Instrument) -> None:
    instrument.model.set(d_model=64)
    instrument.live_settings.set(theme="dark", speed=4.0)


def test_a_lab_starts_as_at_first_and_writes_nothing(opened: Opened, tmp_path: Path) -> None:
    opened(use=changed, is_lab=True)
    assert [*tmp_path.iterdir()] == []
    assert opened(is_lab=True)[1].encoding == State().encoding


def test_a_lab_of_the_settings_shows_its_lesson_at_every_start_and_keeps_that_setting_alone(
    opened: Opened, tmp_path: Path
) -> None:
    path = tmp_path / "settings.json"
    opened(use=lambda instrument: instrument.live_settings.set(lab="many-hands"))
    assert read_settings(path)[0].lab == "many-hands"
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for _ in range(2):
        state = opened(use=changed)[1]
        assert (state.views.lessons.talk, state.views.lessons.step) == ("many-hands", 1)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    # Switched off in a lab, it is off at the next start.
    opened(use=lambda instrument: instrument.live_settings.set(lab="", theme="dark"))
    left = read_settings(path)[0]
    assert (left.lab, left.theme) == ("", "light")
    assert opened()[1].views.lessons.talk == ""
    assert {*SETTING_ROWS["lab"].choices} >= {"", "plots", *list(SHIPPED)[:9]}


def test_a_start_takes_the_language_of_the_settings_or_that_of_the_system(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[str] = []

    def look(instrument: Instrument) -> None:
        titles.append(instrument.window.docks["clock"].windowTitle())

    Settings(language="es").write(tmp_path / "settings.json")
    opened(use=look)
    languages.use("en")
    Settings().write(tmp_path / "settings.json")
    for name, code in (("zh_CN", "zh-Hans"), ("es_MX", "es"), ("en_GB", "en"), ("de_DE", "en")):
        monkeypatch.setattr(QLocale, "system", lambda name=name: QLocale(name))
        opened(use=look)
        assert languages.current() == code
        languages.use("en")
    assert titles == ["Reloj", "时钟", "Reloj", "Clock", "Clock"]


def test_numbers_are_written_as_qt_writes_them_in_the_language() -> None:
    for code in languages.LANGUAGES:
        languages.use(code)
        assert languages.local_number("0.5") == f"0{QLocale(code).decimalPoint()}5"


def test_talks_in_the_folder_are_there_and_a_broken_one_is_one_sentence(opened: Opened, tmp_path: Path) -> None:
    folder = tmp_path / TALKS_FOLDER
    folder.mkdir()
    talk = {"pe_desktop_talk": 1, "key": "mine", "title": "Mine", "steps": [{"title": "One", "state": {"base": "500"}}]}
    (folder / f"mine{SUFFIX}").write_text(json.dumps(talk))
    (folder / f"broken{SUFFIX}").write_text("{")
    message = opened()[2]
    assert message.startswith("broken.pe_talk.json can't be opened")
    assert OWN["mine"].title == "Mine"
    dropped = tmp_path / f"dropped{SUFFIX}"
    dropped.write_text(json.dumps(talk | {"key": "other"}))
    state = opened(use=lambda instrument: instrument.sessions.open(str(dropped)))[1]
    assert state.views.lessons.talk == "other"
    assert state.encoding.parameters["base"] == 500.0


def test_decimals_are_typed_as_they_are_shown() -> None:
    with pytest.raises(ValueError, match="without the comma"):
        state_of({"base": "2,5"})
    languages.use("es")
    assert state_of({"base": "2,5"}).encoding.parameters["base"] == 2.5
    assert with_name(State(), "lessons.guess", "257,8").views.lessons.guess == "257.8"
    assert read_guess(with_step(State(), SHIPPED["one-hand"], 1), "257,8°") == "257.8"


@pytest.mark.parametrize(("width", "n_seen"), [(1600, 5), (900, 2), (640, 1)])
def test_words_beside_the_first_steps_stand_where_all_of_them_are_whole(
    instrument: Instrument, width: int, n_seen: int
) -> None:
    languages.use("es")
    try:
        trigger(instrument, "start_row")
        resize(instrument, width, 600)
        row: Any = instrument.window.findChild(StartRow)
        seen = [label for label in row.findChildren(QLabel) if label.isVisible()]
        assert all(label.width() >= label.sizeHint().width() for label in seen)
        assert len(seen) <= n_seen
        row.close()
    finally:
        languages.use("en")
