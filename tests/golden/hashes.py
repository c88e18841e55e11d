"""Hashes of pictures with the system that they hold for, and what differs between two pictures."""

import hashlib
import platform
import sys
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import qVersion
from PySide6.QtGui import QColor, QImage, QPainter

PATH: Final = Path(__file__).with_name("hashes.json")


def system() -> list[str]:
    """What letters and rounding errors follow from beside the packages: pictures of one system hold for no other."""
    return [sys.platform, platform.machine(), *platform.libc_ver()]


def versions() -> dict[str, str]:
    """The packages that pixels follow from."""
    return {"Qt": qVersion(), "NumPy": np.__version__}


def fault_of_versions(accepted: dict[str, str]) -> str:
    """A sentence where hashes were accepted with other packages, else nothing."""
    if accepted == versions():
        return ""
    one, other = (" and ".join(f"{name} {version}" for name, version in of.items()) for of in (accepted, versions()))
    return (
        f"The pictures were accepted with {one}, this is {other}: write those of this checkout with both, look at"
        " `python -m tests.golden compare`, and accept the new ones: python -m tests.golden accept"
    )


def hash_of(image: QImage) -> str:
    """16 digits that are others where one pixel is."""
    return hashlib.sha256(_pixels(image).tobytes()).hexdigest()[:16]


def difference(one: QImage, other: QImage) -> NDArray[np.bool_]:
    """Which pixels differ, shape (height, width); those that only one of them has do."""
    first, second = _pixels(one), _pixels(other)
    changed = np.ones(np.maximum(first.shape, second.shape), bool)
    height, width = np.minimum(first.shape, second.shape)
    changed[:height, :width] = first[:height, :width] != second[:height, :width]
    return changed


def side_by_side(one: QImage, other: QImage, changed: NDArray[np.bool_]) -> QImage:
    """Both pictures, and the second one faded with what differs in red."""
    height, width = changed.shape
    sheet = QImage(3 * width, height, QImage.Format.Format_RGB32)
    sheet.fill(QColor("white"))
    marks = np.where(changed, np.uint32(0xFFFF0000), np.uint32(0))
    with QPainter(sheet) as painter:
        painter.drawImage(0, 0, one)
        painter.drawImage(width, 0, other)
        painter.setOpacity(0.35)
        painter.drawImage(2 * width, 0, other)
        painter.setOpacity(1.0)
        mask = QImage(marks.tobytes(), width, height, 4 * width, QImage.Format.Format_ARGB32)
        painter.drawImage(2 * width, 0, mask)
    return sheet


def _pixels(image: QImage) -> NDArray[np.uint32]:
    held = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(held.constBits(), np.uint32).reshape(held.height(), held.width())
    # The uppermost byte means nothing.
    return pixels & np.uint32(0xFFFFFF)
