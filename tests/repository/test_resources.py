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


def test_a_checkout_has_its_data_files_beside_the_package() -> None:
    assert resources.resource_path("tokens.json") == Path(__file__).resolve().parents[2] / "resources" / "tokens.json"


def test_an_installed_wheel_has_its_data_files_inside_the_package(tmp_path, monkeypatch) -> None:
    icon = tmp_path / "pe_desktop" / "_resources" / "icons" / "play.svg"
    icon.parent.mkdir(parents=True)
    icon.touch()
    monkeypatch.setattr(resources, "PACKAGE", tmp_path / "pe_desktop")
    assert resources.resource_path("icons", "play.svg") == icon


def test_a_frozen_application_has_its_data_files_in_its_bundle(tmp_path, monkeypatch) -> None:
    tokens = tmp_path / "resources" / "tokens.json"
    tokens.parent.mkdir()
    tokens.touch()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resources.resource_path("tokens.json") == tokens


def test_a_missing_data_file_is_named_in_the_message() -> None:
    with pytest.raises(
        FileNotFoundError, match=r"icons/no-such-icon\.svg is not in .*: install the application again\."
    ):
        resources.resource_path("icons", "no-such-icon.svg")


@pytest.mark.parametrize("icon", CONTROL_ICONS, ids=lambda icon: icon.stem)
def test_icons_of_controls_take_the_colour_of_the_text(icon) -> None:
    picture = ET.parse(icon).getroot()
    colours = {part.get(name) for part in picture.iter() for name in ("stroke", "fill")} - {None}
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert "currentColor" in colours
    assert colours <= {"currentColor", "none"}


@pytest.mark.parametrize("family", ["Inter", "STIXTwoText"])
def test_bundled_fonts_come_with_their_licence(family) -> None:
    fonts = resources.resource_path("fonts")
    assert list(fonts.glob(f"{family}-*.ttf"))
    licence = (fonts / f"{family}-OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
