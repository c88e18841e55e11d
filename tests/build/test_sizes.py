"""The report says which part of the bundle takes how much."""

import sys

import pytest

from build import sizes


def test_a_file_belongs_to_its_share() -> None:
    shares = {
        "_internal/PySide6/Qt/lib/libicudata.so.73": "ICU in Qt",
        "_internal/PySide6/Qt/plugins/platforms/libqxcb.so": "Qt's plugins",
        "_internal/PySide6/Qt/lib/libQt6Gui.so.6": "Qt's libraries",
        "_internal/PySide6/Qt6Gui.dll": "Qt's libraries",
        "_internal/PySide6/QtGui.abi3.so": "PySide6's bindings",
        "_internal/numpy.libs/libscipy_openblas64_.so": "OpenBLAS and its Fortran",
        "_internal/numpy/_core/_multiarray_umath.so": "NumPy",
        "_internal/resources/fonts/Inter-Regular.ttf": "typefaces",
        "pe-desktop": "the program and all Python code",
        "_internal/anything": sizes.OTHER,
    }
    assert {path: sizes.share_of(path) for path in shares} == shares


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_what_is_linked_is_counted_once(tmp_path) -> None:
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "core.so").write_bytes(bytes(3000))
    (tmp_path / "pe-desktop").write_bytes(bytes(1000))
    (tmp_path / "core.so").symlink_to("numpy/core.so")
    assert sizes.sizes(tmp_path) == {"NumPy": 3000, "the program and all Python code": 1000}


def test_the_table_ends_with_the_sum_in_millions_of_bytes() -> None:
    lines = sizes.table({"NumPy": 14_200_000, "other": 800_000}).splitlines()
    assert lines[2] == "| NumPy | 14.2 |"
    assert lines[-1] == "| **everything** | **15.0** |"
