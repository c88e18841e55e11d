"""Data files are found in a checkout, in an installed wheel and in a frozen application."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from pe_desktop import resources

# The application's own icon has its own colours.
CONTROL_ICONS = sorted(
    set(resources.resource_path("icons").glob("*.svg")) - {resources.resource_path("icons") / "app.svg"}
)


def test_data_files_lie_beside_a_checkout_inside_a_wheel_and_in_a_frozen_bundle(tmp_path, monkeypatch) -> None:
    assert resources.resource_path("tokens.json") == Path(__file__).resolve().parents[2] / "resources" / "tokens.json"
    wheel, bundle = tmp_path / "pe_desktop" / "_resources", tmp_path / "resources"
    for folder in (wheel, bundle):
        folder.mkdir(parents=True)
        (folder / "tokens.json").touch()
    with monkeypatch.context() as patch:
        patch.setattr(resources, "PACKAGE", tmp_path / "pe_desktop")
        assert resources.resource_path("tokens.json") == wheel / "tokens.json"
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resources.resource_path("tokens.json") == bundle / "tokens.json"
    with pytest.raises(FileNotFoundError, match=r"no-such-icon\.svg is not in .*: install the application again\."):
        resources.resource_path("icons", "no-such-icon.svg")


def test_icons_of_controls_take_the_colour_of_the_text() -> None:
    assert CONTROL_ICONS
    for icon in CONTROL_ICONS:
        picture = ET.parse(icon).getroot()
        colours = {part.get(name) for part in picture.iter() for name in ("stroke", "fill")} - {None}
        assert picture.tag == "{http://www.w3.org/2000/svg}svg"
        assert {"currentColor"} <= colours <= {"currentColor", "none"}, icon.stem


def test_bundled_fonts_come_with_their_licence() -> None:
    fonts = resources.resource_path("fonts")
    for family in ("Inter", "STIXTwoText", "JetBrainsMono"):
        assert list(fonts.glob(f"{family}-*.ttf"))
        licence = (fonts / f"{family}-OFL.txt").read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence


@pytest.fixture
def frozen_program(tmp_path, monkeypatch):
    """A frozen program in a folder of its own."""
    program = tmp_path / "stick" / "pe-desktop" / "pe-desktop"
    program.parent.mkdir(parents=True)
    monkeypatch.setattr(sys, "_MEIPASS", str(program.parent / "_internal"), raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    return program


def test_settings_travel_with_the_program_where_a_folder_for_them_lies_beside_it(frozen_program) -> None:
    assert resources.portable_folder({}) is None
    folder = frozen_program.parent / "settings"
    folder.mkdir()
    assert resources.portable_folder({}) == folder


def test_settings_travel_beside_an_application_of_macos(tmp_path, monkeypatch) -> None:
    program = tmp_path / "PE Desktop.app" / "Contents" / "MacOS" / "pe-desktop"
    monkeypatch.setattr(sys, "_MEIPASS", str(program.parents[1] / "Frameworks"), raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    (tmp_path / "settings").mkdir()
    assert resources.portable_folder({}) == tmp_path / "settings"


def test_settings_travel_beside_an_appimage_and_not_in_the_folder_it_runs_from(frozen_program, tmp_path) -> None:
    (frozen_program.parent / "settings").mkdir()
    beside = tmp_path / "downloads"
    (beside / "settings").mkdir(parents=True)
    environment = {"APPIMAGE": str(beside / "pe-desktop.AppImage")}
    assert resources.portable_folder(environment) == beside / "settings"


def test_the_variable_names_the_folder_of_settings_in_a_checkout_too(tmp_path) -> None:
    assert resources.portable_folder({}) is None
    assert resources.portable_folder({"PE_DESKTOP_SETTINGS": str(tmp_path)}) == tmp_path


def test_the_page_of_the_project_is_that_from_which_a_checkout_was_cloned(tmp_path) -> None:
    config = tmp_path / "config"
    assert resources.cloned_from(config) == ""
    for origin, page in (
        ("https://example.org/owner/name.git", "https://example.org/owner/name"),
        ("https://person:secret@example.org/owner/name", "https://example.org/owner/name"),
        ("git@example.org:owner/name.git", "https://example.org/owner/name"),
        ("/somewhere/name", ""),
        ("file:///somewhere/name", ""),
    ):
        text = f'[core]\n\tbare = false\n[remote "origin"]\n\tfetch = +refs\n\turl = {origin}\n'
        config.write_text(text, encoding="utf-8")
        assert resources.cloned_from(config) == page
    config.write_text("no [section", encoding="utf-8")
    assert resources.cloned_from(config) == ""
