"""The icon of the application for every system, drawn from its one SVG: PNGs, an .ico and an .icns."""

import struct
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

PNG_SIDES: Final = (16, 24, 32, 48, 64, 128, 256, 512)
ICO_SIDES: Final = (16, 20, 24, 32, 40, 48, 64, 128, 256)
# Apple's names of the entries and their sides; the second row is of screens with two pixels for a point.
ICNS_SIDES: Final = {
    b"icp4": 16,
    b"icp5": 32,
    b"ic07": 128,
    b"ic08": 256,
    b"ic09": 512,
    b"ic11": 32,
    b"ic12": 64,
    b"ic13": 256,
    b"ic14": 512,
    b"ic10": 1024,
}


def png(svg: Path, side: int) -> bytes:
    """The picture as a PNG of side x side pixels with transparent corners. Raises ValueError if it is no SVG."""
    renderer = QSvgRenderer(str(svg))
    if not renderer.isValid():
        raise ValueError(f"{svg} is no picture that Qt can draw")
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    buffer.close()
    return bytes(content.data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """A Windows icon of PNGs, which are given by their sides: header, one entry of 16 bytes each, then the PNGs."""
    header = struct.pack("<HHH", 0, 1, len(pictures))
    entries, offset = b"", len(header) + 16 * len(pictures)
    for side, content in pictures.items():
        # A byte has no room for 256, which is written as 0.
        entries += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(content), offset)
        offset += len(content)
    return header + entries + b"".join(pictures.values())


def icns(pictures: dict[bytes, bytes]) -> bytes:
    """A macOS icon of PNGs, which are given by Apple's names: each behind its name and the length of both."""
    entries = b"".join(name + struct.pack(">I", len(content) + 8) + content for name, content in pictures.items())
    return b"icns" + struct.pack(">I", len(entries) + 8) + entries


def write_all(svg: Path, folder: Path) -> Path:
    """Write pe_desktop-SIDE.png, pe_desktop.ico and pe_desktop.icns into a folder, which is returned."""
    folder.mkdir(parents=True, exist_ok=True)
    for side in PNG_SIDES:
        (folder / f"pe_desktop-{side}.png").write_bytes(png(svg, side))
    (folder / "pe_desktop.ico").write_bytes(ico({side: png(svg, side) for side in ICO_SIDES}))
    (folder / "pe_desktop.icns").write_bytes(icns({name: png(svg, side) for name, side in ICNS_SIDES.items()}))
    return folder
