"""What goes into the bundle and what stays out, how large its parts are, which C library they need."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from build import sizes
from build.elf import glibc_demands, highest_glibc, required_versions
from build.make import warnings_of
from build.selection import is_wanted, selected, without_dangling_links

PACKAGES = ["/venv/lib/python3.13/site-packages"]
QT = "/venv/lib/python3.13/site-packages/PySide6/Qt"


def system_library(soname):
    return (soname, f"/usr/lib/x86_64-linux-gnu/{soname}", "BINARY")


def plugin(path):
    return (f"PySide6/Qt/plugins/{path}", f"{QT}/plugins/{path}", "BINARY")


def names_of(entries: list[tuple[str, str, str]], system: str) -> set[str]:
    return {re.split(r"[/\\]", entry[0])[-1] for entry in entries if is_wanted(entry, system, PACKAGES)}


def test_what_graphics_drivers_load_anew_stays_out_and_what_desktops_lack_and_ways_to_a_screen_stay() -> None:
    anew = ("libstdc++.so.6", "libgcc_s.so.1", "libxkbcommon.so.0", "libxkbcommon-x11.so.0", "libz.so.1")
    lacking = ("libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-keysyms.so.1", "libpython3.13.so.1.0")
    assert names_of([*map(system_library, (*anew, *lacking))], "linux") == {*lacking}
    screens = ("libqxcb.so", "libqwayland.so", "libqoffscreen.so", "libqminimal.so")
    embedded = ("libqeglfs.so", "libqlinuxfb.so", "libqvnc.so", "libqminimalegl.so")
    assert names_of([plugin(f"platforms/{name}") for name in (*screens, *embedded)], "linux") == {*screens}
    # Libraries that a package brought are kept whatever their names, and on Windows those that the system gave.
    inside = f"{PACKAGES[0]}/numpy.libs/libgfortran-0352e75f.so.5"
    assert is_wanted(("numpy.libs/libgfortran-0352e75f.so.5", inside, "BINARY"), "linux", PACKAGES)
    kept = ("VCRUNTIME140.dll", r"PySide6\plugins\platforms\qwindows.dll", r"PySide6\plugins\platforms\qoffscreen.dll")
    assert len(names_of([(name, rf"C:\Windows\{name}", "BINARY") for name in kept], "win32")) == len(kept)
    assert is_wanted(plugin("platforms/libqcocoa.dylib"), "darwin", PACKAGES)


def test_network_and_languages_of_qt_that_are_none_of_ours_go_on_every_system() -> None:
    for code in ("es", "zh_CN"):
        name = f"PySide6/Qt/translations/qtbase_{code}.qm"
        assert len(names_of([(name, f"{PACKAGES[0]}/{name}", "DATA")], "linux")) == 1
    for name in ("PySide6/Qt/lib/libQt6Network.so.6", "PySide6/Qt/translations/qt_de.qm"):
        assert selected([(name, f"{PACKAGES[0]}/{name}", "BINARY")], "linux", PACKAGES) == []
    for name in (r"PySide6\Qt6Network.dll", r"PySide6\translations\qt_de.qm"):
        assert selected([(name, f"{PACKAGES[0]}/{name}", "BINARY")], "win32", PACKAGES) == []


def test_a_link_goes_with_its_goal() -> None:
    library = ("PySide6/Qt/lib/libQt6Core.so.6", f"{QT}/lib/libQt6Core.so.6", "BINARY")
    good = ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK")
    to_folder = ("Qt", "PySide6/Qt", "SYMLINK")
    dangling = ("libQt6Network.so.6", "PySide6/Qt/lib/libQt6Network.so.6", "SYMLINK")
    assert without_dangling_links([library, good, to_folder, dangling]) == [library, good, to_folder]


def test_libraries_that_only_dropped_files_need_are_no_warning() -> None:
    def missing(file: str) -> str:
        return f"4 WARNING: Library not found: could not resolve 'libgtk-3.so.0', dependency of '{file}'."

    plugins = "/any/where/PySide6/Qt/plugins"
    needed = missing(f"{plugins}/platforms/libqxcb.so")
    lines = ["1 INFO: all is well", missing(f"{plugins}/platformthemes/libqgtk3.so"), needed, "9 ERROR: no room"]
    assert warnings_of(lines) == [needed, "9 ERROR: no room"]


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
def test_what_is_linked_is_counted_once_and_the_table_ends_with_the_sum_in_millions(tmp_path) -> None:
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "core.so").write_bytes(bytes(3000))
    (tmp_path / "pe-desktop").write_bytes(bytes(1000))
    (tmp_path / "core.so").symlink_to("numpy/core.so")
    assert sizes.sizes(tmp_path) == {"NumPy": 3000, "the program and all Python code": 1000}
    lines = sizes.table({"NumPy": 14_200_000, "other": 800_000}).splitlines()
    assert lines[2] == "| NumPy | 14.2 |"
    assert lines[-1] == "| **everything** | **15.0** |"


def test_versions_compare_as_numbers_and_a_file_without_demands_has_none(tmp_path) -> None:
    assert highest_glibc(["GLIBC_2.4", "GLIBC_2.34", "GLIBC_2.9", "GLIBCXX_3.4.30", "GLIBC_PRIVATE"]) == (2, 34)
    (tmp_path / "text.so").write_text("no library")
    (tmp_path / "empty.so").touch()
    assert glibc_demands(tmp_path) == {}
    assert highest_glibc(["Qt_6.11"]) is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has ELF files")
def test_the_needs_of_a_library_are_those_that_objdump_prints() -> None:
    objdump = shutil.which("objdump")
    if objdump is None:
        pytest.skip("objdump is not installed")
    library = next(Path(np.__file__).parent.glob("_core/_multiarray_umath*.so"))
    printed = subprocess.run([objdump, "-p", str(library)], capture_output=True, text=True, check=True).stdout
    needs = printed.partition("Version References:")[2]
    wanted = {words[3] for words in map(str.split, needs.splitlines()) if len(words) == 4}
    assert any(name.startswith("GLIBC_") for name in wanted)
    assert set(required_versions(library)) == wanted
