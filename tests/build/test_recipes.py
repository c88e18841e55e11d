"""The recipes for systems that this one is not: evaluated with the platform changed, read as their systems do."""

import ast
import plistlib
import re
import shutil
import subprocess
import sys
import types
import xml.etree.ElementTree as ET
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest

from build import linux_downloads, macos_plist, product, version_resource, windows_downloads
from pe_desktop.files import SESSION_SUFFIX

BUILD = product.BUILD


class Recipe:
    """PyInstaller's words, which only note what they were given."""

    def __init__(self, monkeypatch, tmp_path, system) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        monkeypatch.setattr(sys, "platform", system)
        monkeypatch.setattr("build.product.WORK", tmp_path)
        hooks = types.ModuleType("PyInstaller.utils.hooks")
        vars(hooks).update(collect_submodules=lambda name: [f"{name}.app"], copy_metadata=lambda name: [(name, ".")])
        for name in ("PyInstaller", "PyInstaller.utils"):
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        monkeypatch.setitem(sys.modules, hooks.__name__, hooks)
        words = ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")
        source = (BUILD / "pe_desktop.spec").read_text(encoding="utf-8")
        exec(compile(source, "pe_desktop.spec", "exec"), {word: self.word(word) for word in words})

    def word(self, name):
        def call(*arguments, **options):
            self.calls.append((name, arguments, options))
            pure = [("numpy", "numpy/__init__.py", "PYMODULE"), ("PySide6", "PySide6/__init__.py", "PYMODULE")]
            return types.SimpleNamespace(name=name, binaries=[], datas=[], pure=pure, scripts=[])

        return call

    def options(self, name):
        return [options for word, _, options in self.calls if word == name]


def test_every_system_gets_its_programs_with_icon_and_identity(monkeypatch, tmp_path) -> None:
    linux, windows, macos = (Recipe(monkeypatch, tmp_path, system) for system in ("linux", "win32", "darwin"))
    [program] = linux.options("EXE")
    assert (program["name"], program["console"], program["upx"]) == ("pe-desktop", True, False)
    assert linux.options("BUNDLE") == []
    assert linux.options("COLLECT")[0]["name"] == "pe-desktop"
    # A program without a console, and its twin with one.
    programs = {options["name"]: options for options in windows.options("EXE")}
    assert {name: options["console"] for name, options in programs.items()} == {"pe-desktop": True, "PE Desktop": False}
    for options in programs.values():
        assert Path(options["icon"]).read_bytes().startswith(b"\x00\x00\x01\x00")
        assert "PE Desktop" in Path(options["version"]).read_text(encoding="utf-8")
    [application] = macos.options("BUNDLE")
    assert application["name"] == "PE Desktop.app"
    assert application["bundle_identifier"] == product.IDENTIFIER
    assert Path(application["icon"]).read_bytes().startswith(b"icns")
    assert application["version"] == product.version()
    # The installer starts the programs that the recipe makes.
    started = re.findall(r'"\{app\}\\([^"\\]+)\.exe"', windows_downloads.SCRIPT.read_text(encoding="utf-8"))
    assert started
    assert {*started} <= {*programs}


@pytest.mark.parametrize("system", ["linux", "win32", "darwin"])
def test_every_bundle_carries_the_data_files_and_the_licences(monkeypatch, tmp_path, system) -> None:
    recipe = Recipe(monkeypatch, tmp_path, system)
    [analysis] = recipe.options("Analysis")
    assert (str(product.ROOT / "resources"), "resources") in analysis["datas"]
    assert "pe_desktop.app" in analysis["hiddenimports"]
    packed = [name for name, _, _ in next(arguments for word, arguments, _ in recipe.calls if word == "COLLECT")[-1]]
    assert "resources/licences/INDEX.txt" in packed


def test_the_version_resource_is_one_expression_with_four_numbers() -> None:
    assert version_resource.numbers("0.1.0") == (0, 1, 0, 0)
    assert version_resource.numbers("1.2.3rc4") == (1, 2, 3, 4)
    call = ast.parse(version_resource.text("1.2.3"), mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    assert call.func.id == "VSVersionInfo"
    assert "filevers=(1, 2, 3, 0)" in ast.unparse(call)


def test_a_release_for_windows_fails_without_an_installer_and_a_build_at_home_does_not(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(windows_downloads, "DIST", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(OSError, match="iscc is missing"):
        windows_downloads.make(bundle, "n", None)
    assert list(tmp_path.glob("*.zip")) == []
    monkeypatch.delenv("CI")
    assert [path.name for path in windows_downloads.make(bundle, "n", None)] == ["n.zip"]


def test_shell_scripts_are_understood_by_the_shell() -> None:
    shell = shutil.which("sh")
    if shell is None:
        pytest.skip("there is no shell")
    for script in sorted(BUILD.glob("*/*.sh")):
        assert subprocess.run([shell, "-n", str(script)], capture_output=True, check=False).stderr == b"", script


def test_the_desktop_entry_is_one_group_with_what_a_menu_needs() -> None:
    entry = ConfigParser(interpolation=None, strict=True, delimiters="=")
    entry.optionxform = str  # type: ignore[assignment]
    entry.read(linux_downloads.RECIPES / "pe_desktop.desktop", encoding="utf-8")
    assert entry.sections() == ["Desktop Entry"]
    group = entry["Desktop Entry"]
    assert (group["Type"], group["Exec"], group["Icon"]) == ("Application", f"{product.COMMAND} %f", "pe_desktop")
    assert group["Categories"].endswith(";")
    assert group["MimeType"] == f"{product.SESSION_MIME};"
    validator, file = shutil.which("desktop-file-validate"), str(linux_downloads.RECIPES / "pe_desktop.desktop")
    if validator is not None:
        assert subprocess.run([validator, file], capture_output=True, check=False).stdout == b""


def test_a_double_click_on_linux_knows_saved_files_and_the_metadata_this_version_and_the_entry(tmp_path) -> None:
    linux_downloads.add_share(tmp_path)
    kind = ET.parse(tmp_path / "mime" / "packages" / "pe_desktop.xml").getroot()[0]
    space = {"": "http://www.freedesktop.org/standards/shared-mime-info"}
    assert kind.get("type") == product.SESSION_MIME
    assert [glob.get("pattern") for glob in kind.findall("glob", space)] == [f"*{SESSION_SUFFIX}"]
    if shutil.which("update-mime-database") is not None:
        subprocess.run(["update-mime-database", str(tmp_path / "mime")], capture_output=True, check=True)
        globs = (tmp_path / "mime" / "globs2").read_text(encoding="utf-8")
        assert f"50:{product.SESSION_MIME}:*{SESSION_SUFFIX}\n" in globs
    metadata = ET.parse(tmp_path / "metainfo" / "pe_desktop.metainfo.xml").getroot()
    assert metadata.findtext("id") == product.IDENTIFIER
    assert metadata.findtext("provides/mediatype") == product.SESSION_MIME
    release: Any = metadata.find("releases/release")
    assert release.get("version") == product.version()
    assert (tmp_path / "applications" / str(metadata.findtext("launchable"))).is_file()
    assert (tmp_path / "icons" / "hicolor" / "48x48" / "apps" / "pe_desktop.png").is_file()
    assert "@" not in (tmp_path / "metainfo" / "pe_desktop.metainfo.xml").read_text(encoding="utf-8")


def test_the_plist_can_be_read_and_a_double_click_on_macos_knows_the_files_that_are_saved() -> None:
    entries = plistlib.loads(plistlib.dumps(macos_plist.info()))
    assert entries["CFBundleShortVersionString"] == product.version()
    assert entries["NSHighResolutionCapable"] is True
    [document], [declared] = entries["CFBundleDocumentTypes"], entries["UTExportedTypeDeclarations"]
    assert document["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert declared["UTTypeTagSpecification"]["public.filename-extension"] == [SESSION_SUFFIX.removeprefix(".")]
    # What Apple allows in the name of a type.
    assert re.fullmatch(r"[A-Za-z0-9.-]+", declared["UTTypeIdentifier"])


def test_the_windows_installer_uses_names_that_it_is_told_and_a_double_click_knows_saved_files() -> None:
    script = windows_downloads.SCRIPT.read_text(encoding="utf-8")
    definitions = windows_downloads.definitions(Path(), "n")
    told = {definition.partition("=")[0].removeprefix("/D") for definition in definitions}
    assert set(re.findall(r"\{#(\w+)\}", script)) <= told
    sections = re.findall(r"^\[(\w+)\]", script, re.MULTILINE)
    assert {"Setup", "Files", "Icons"} <= set(sections)
    assert len(sections) == len(set(sections))
    assert f"/DSessionSuffix={SESSION_SUFFIX}" in definitions
    written = re.findall(
        r'^Root: HKA; Subkey: "Software\\Classes\\([^"]+)";.*ValueData: "((?:[^"]|"")*)"', script, re.MULTILINE
    )
    values = {key: value.replace('""', '"') for key, value in written}
    kind = values["{#SessionSuffix}"]
    assert values[f"{kind}\\shell\\open\\command"] == '"{app}\\PE Desktop.exe" "%1"'
    assert "ChangesAssociations=yes" in script


def test_the_debian_package_asks_for_the_documented_libraries() -> None:
    control = linux_downloads.control("x86_64", 1234, (2, 35))
    assert "Architecture: amd64\n" in control
    assert "Depends: libc6 (>= 2.35), " in control
    documented = (product.ROOT / "docs" / "packaging.md").read_text(encoding="utf-8").split()
    for package in product.SYSTEM_PACKAGES:
        assert package in documented
        assert re.search(rf"^Depends: .*\b{re.escape(package)}\b", control, re.MULTILINE)
    assert all(line.startswith(" ") or ": " in line for line in control.splitlines())


def test_the_page_of_a_build_is_that_of_the_repository_that_its_workflow_builds(monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(product, "WORK", tmp_path)
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://example.org")
    monkeypatch.setenv("GITHUB_REPOSITORY", "owner/name")
    [(path, folder)] = product.page_files()
    assert Path(path).read_text(encoding="utf-8") == "https://example.org/owner/name"
    assert folder == "resources"
