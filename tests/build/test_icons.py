"""One drawing becomes the icons that Linux, Windows and macOS read."""

import struct
from pathlib import Path

import pytest
from PySide6.QtGui import QImage, QImageReader

from build import icons

DRAWING = Path(__file__).resolve().parents[2] / "resources" / "icons" / "app.svg"


def test_a_png_has_its_size_and_transparent_corners() -> None:
    image = QImage.fromData(icons.png(DRAWING, 48))
    assert (image.width(), image.height()) == (48, 48)
    assert image.pixelColor(0, 0).alpha() == 0
    # The middle of the picture is the hub of the hands.
    assert image.pixelColor(24, 24).name() == "#16191f"


def test_what_is_no_drawing_is_refused(tmp_path, qtlog) -> None:
    (tmp_path / "text.svg").write_text("no drawing")
    with qtlog.disabled(), pytest.raises(ValueError, match="is no picture"):
        icons.png(tmp_path / "text.svg", 16)


def test_qt_reads_an_ico_apple_a_chain_of_pngs_and_linux_a_picture_for_every_size_of_a_menu(tmp_path) -> None:
    icons.write_all(DRAWING, tmp_path)
    reader = QImageReader(str(tmp_path / "pe_desktop.ico"))
    sides = []
    for number in range(reader.imageCount()):
        reader.jumpToImage(number)
        sides.append(reader.read().width())
    assert sides == list(icons.ICO_SIDES)
    assert 256 in sides
    data = (tmp_path / "pe_desktop.icns").read_bytes()
    assert struct.unpack(">4sI", data[:8]) == (b"icns", len(data))
    at, found = 8, {}
    while at < len(data):
        name, length = struct.unpack(">4sI", data[at : at + 8])
        found[name] = QImage.fromData(data[at + 8 : at + length]).width()
        at += length
    assert found[b"ic10"] == 1024
    assert found == icons.ICNS_SIDES
    assert {16, 32, 48, 128, 256} <= {int(path.stem.partition("-")[2]) for path in tmp_path.glob("pe_desktop-*.png")}
