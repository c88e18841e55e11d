"""Whether Qt may be loaded is decided from versions and libraries, before Qt is touched."""

import ctypes
import importlib
import importlib.metadata
import json
import sys

import pytest

from pe_desktop import guard
from pe_desktop.app import main
from pe_desktop.guard import _import_refusal, _libraries_advice, _version_refusal, installed
from pe_desktop.resources import resource_path


def test_the_pyside_that_loses_references_is_refused_with_the_pythons_that_it_crashes_and_no_other():
    for minor in (10, 11):
        assert f"PySide6 6.12.0 crashes Python 3.{minor} " in str(_version_refusal((3, minor), "6.12.0"))
    for minor in (12, 14):
        assert _version_refusal((3, minor), "6.12.0") is None
    for pyside in ("6.11.3", "6.12.1", "16.12.0", "6.1.20", "unknown", None):
        assert _version_refusal((3, 11), pyside) is None


@pytest.mark.parametrize("name", ["pyside6_essentials", "PySide6_Essentials"])
def test_version_comes_from_the_notes_of_the_installation_and_without_them_there_is_none(monkeypatch, tmp_path, name):
    assert installed("pyside6_essentials") == importlib.metadata.version("PySide6-Essentials")
    (tmp_path / f"{name}-6.10.9.dist-info").mkdir()
    (tmp_path / "PySide6_Essentials_stubs-1.0.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", ["", str(tmp_path / "absent"), str(tmp_path), *sys.path])
    assert installed("pyside6_essentials") == "6.10.9"
    monkeypatch.setattr(sys, "path", [str(tmp_path / "absent")])
    assert installed("pyside6_essentials") is None


def test_refused_version_ends_the_start_before_qt_is_loaded(monkeypatch, capsys):
    monkeypatch.setattr(guard, "installed", lambda package: "6.12.0")
    monkeypatch.setattr(sys, "version_info", (3, 11, 7, "final", 0))
    monkeypatch.setattr(importlib, "import_module", lambda name: pytest.fail(f"{name} was imported"))
    assert main([]) == 3
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err.startswith("pe-desktop: PySide6 6.12.0 crashes Python 3.11 ")) == ("", 1, True)


def test_missing_pyside_ends_the_start_with_one_line(monkeypatch, capsys):
    def absent(name):
        raise ModuleNotFoundError(f"No module named {name!r}", name="PySide6")

    monkeypatch.setattr(importlib, "import_module", absent)
    assert main([]) == 3
    err = capsys.readouterr().err
    assert err.startswith("pe-desktop: The Python package PySide6 is missing: ")
    assert err.count("\n") == 1
    assert "run.py" in err
    assert '"pe-desktop[app]"' in err


@pytest.fixture
def absent(monkeypatch):
    """Sonames that the dynamic linker doesn't find; all others it does."""
    sonames: set[str] = set()

    def load(soname):
        if soname in sonames:
            raise OSError(f"{soname}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", load)
    return sonames


def test_every_missing_library_of_the_table_is_named_with_the_line_that_installs_it(absent):
    absent.update(("libEGL.so.1", "libglib-2.0.so.0", "libgthread-2.0.so.0", "libxcb-cursor.so.0"))
    error = ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")
    assert _import_refusal(error, _libraries_advice("drawing")) == (
        "Qt can't be loaded: libEGL.so.1, libglib-2.0.so.0, libgthread-2.0.so.0 are missing "
        "(on Debian and Ubuntu: apt install libegl1 libglib2.0-0)."
    )
    # Other trouble is told in the words of the system.
    absent.clear()
    error = ImportError("libodd.so.9: wrong ELF class")
    assert _import_refusal(error, _libraries_advice("drawing")) == "Qt can't be loaded: libodd.so.9: wrong ELF class"
    table = json.loads(resource_path("system_libraries.json").read_text(encoding="utf-8"))
    for purpose, libraries in table.items():
        assert _libraries_advice(purpose) is None
        for soname, package in libraries.items():
            absent.clear()
            absent.add(soname)
            assert _libraries_advice(purpose) == f"{soname} is missing (on Debian and Ubuntu: apt install {package})"
