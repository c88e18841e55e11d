"""Data files are found in a checkout, in an installed wheel and in a frozen application."""

import sys
from pathlib import Path

import pytest

from pe_desktop import resources


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


def test_bundled_fonts_come_with_their_licence() -> None:
    fonts = resources.resource_path("fonts")
    for family in ("Inter", "STIXTwoText", "JetBrainsMono", "NotoSansSC"):
        assert list(fonts.glob(f"{family}-*.[ot]tf"))
        licence = (fonts / f"{family}-OFL.txt").read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence


@pytest.mark.parametrize(
    ("program", "beside", "is_appimage"),
    [
        ("stick/pe-desktop/pe-desktop", "stick/pe-desktop", False),
        ("PE Desktop.app/Contents/MacOS/pe-desktop", "", False),
        # Not the folder that an AppImage runs from.
        ("mounted/pe-desktop", "downloads", True),
    ],
)
def test_settings_lie_beside_a_program_or_where_a_variable_says(tmp_path, monkeypatch, program, beside, is_appimage):
    assert resources.portable_folder({}) is None
    assert resources.portable_folder({"PE_DESKTOP_SETTINGS": str(tmp_path)}) == tmp_path
    monkeypatch.setattr(sys, "_MEIPASS", str((tmp_path / program).parent / "_internal"), raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / program))
    environment = {"APPIMAGE": str(tmp_path / beside / "pe-desktop.AppImage")} if is_appimage else {}
    if is_appimage:
        (tmp_path / "mounted" / "settings").mkdir(parents=True)
    assert resources.portable_folder(environment) is None
    folder = tmp_path / beside / "settings"
    folder.mkdir(parents=True)
    assert resources.portable_folder(environment) == folder


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
