"""What goes into the bundle: Qt's platforms and the small xcb libraries do, what would stop newer drivers does not."""

from build.make import warnings_of
from build.selection import is_wanted, selected, without_dangling_links

PACKAGES = ["/venv/lib/python3.13/site-packages"]
QT = "/venv/lib/python3.13/site-packages/PySide6/Qt"


def system_library(soname):
    return (soname, f"/usr/lib/x86_64-linux-gnu/{soname}", "BINARY")


def plugin(path):
    return (f"PySide6/Qt/plugins/{path}", f"{QT}/plugins/{path}", "BINARY")


def test_what_graphics_drivers_load_anew_stays_out_on_linux_and_what_desktops_lack_is_carried_along() -> None:
    for soname in ("libstdc++.so.6", "libgcc_s.so.1", "libxkbcommon.so.0", "libxkbcommon-x11.so.0", "libz.so.1"):
        assert not is_wanted(system_library(soname), "linux", PACKAGES)
    for soname in ("libxcb-cursor.so.0", "libxcb-icccm.so.4", "libxcb-keysyms.so.1", "libpython3.13.so.1.0"):
        assert is_wanted(system_library(soname), "linux", PACKAGES)
    # Libraries that a package brought are kept whatever their names, and on Windows those that the system gave.
    inside = f"{PACKAGES[0]}/numpy.libs/libgfortran-0352e75f.so.5"
    assert is_wanted(("numpy.libs/libgfortran-0352e75f.so.5", inside, "BINARY"), "linux", PACKAGES)
    assert is_wanted(("VCRUNTIME140.dll", r"C:\Windows\System32\VCRUNTIME140.dll", "BINARY"), "win32", PACKAGES)


def test_every_way_to_a_screen_stays_and_embedded_ones_go() -> None:
    for name in ("libqxcb.so", "libqwayland.so", "libqoffscreen.so", "libqminimal.so"):
        assert is_wanted(plugin(f"platforms/{name}"), "linux", PACKAGES)
    for name in ("libqeglfs.so", "libqlinuxfb.so", "libqvnc.so", "libqminimalegl.so"):
        assert not is_wanted(plugin(f"platforms/{name}"), "linux", PACKAGES)
    for name in ("qwindows.dll", "qoffscreen.dll"):
        assert is_wanted((rf"PySide6\plugins\platforms\{name}", "", "BINARY"), "win32", PACKAGES)
    assert is_wanted(plugin("platforms/libqcocoa.dylib"), "darwin", PACKAGES)


def test_network_and_translations_of_qt_go_on_every_system() -> None:
    for system, name in (
        ("linux", "PySide6/Qt/lib/libQt6Network.so.6"),
        ("win32", r"PySide6\Qt6Network.dll"),
        ("linux", "PySide6/Qt/translations/qt_de.qm"),
        ("win32", r"PySide6\translations\qt_de.qm"),
    ):
        assert selected([(name, f"{PACKAGES[0]}/{name}", "BINARY")], system, PACKAGES) == []


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
