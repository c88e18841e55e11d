"""What a bundle has to show before it becomes a download: it starts, it is whole, it writes what the source writes."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from build import elf, licences, product, sizes

PATIENCE: Final = 300.0  # seconds for one run of the frozen program
DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM", "PYTHONPATH", "PYTHONHOME")
# A folder as people have them: a space, an umlaut, a letter that needs more than one byte in every encoding.
_AWKWARD: Final = "Übung 1 – Gerät"
STATE: Final = ("--set", "d_model=64", "--set", "n_positions=300", "--set", "position=37", "--set", "offset=8")


def complaints(bundle: Path) -> list[str]:
    """Everything that keeps a bundle from becoming a download, each in one sentence."""
    found = [*_size(bundle), *_licences(bundle), *_libraries(bundle), *_replaceable(bundle)]
    with _copied(bundle) as (program, folder):
        found += [*_version(program, folder), *_self_test(program, folder), *_exports(program, folder)]
    return found


def _size(bundle: Path) -> Iterator[str]:
    total = sum(sizes.sizes(bundle).values())
    if total > product.LARGEST_BUNDLE:
        yield f"The bundle has {total} bytes, more than the bar of {product.LARGEST_BUNDLE}."


def _licences(bundle: Path) -> Iterator[str]:
    folder = product.contents(bundle).joinpath(*licences.FOLDER.split("/"))
    names = [path.relative_to(product.contents(bundle)).as_posix() for path in product.contents(bundle).rglob("*")]
    listed = (folder / licences.INDEX).read_text(encoding="utf-8") if (folder / licences.INDEX).is_file() else ""
    for package in licences.packages_in(names, licences.installed_packages()):
        if f"{package.name} {package.version}:" not in listed:
            yield f"{package.name} is in the bundle and not in its {licences.INDEX}."
        if not any((folder / package.name).glob("*")) and package.name not in licences.TEXTS_OF_PACKAGES:
            yield f"{package.name} is in the bundle without its licence."
    needed = {*licences.QT_TEXTS, "Python.txt", *(text for text in map(licences.text_of_library, names) if text)}
    for text in sorted(needed):
        if not (folder / text).is_file():
            yield f"The licence text {text} is not in the bundle."
    if sys.platform == "linux":
        yield from _strays(product.contents(bundle), folder)


def _strays(contents: Path, folder: Path) -> Iterator[str]:
    """Libraries of the building system without a text of their own."""
    for path in contents.glob("*.so*"):
        if path.is_symlink():
            continue
        text = licences.text_of_library(path.name)
        if text is None or not (folder / text).is_file():
            yield f"{path.name} comes from the building system and has no licence text."


def _libraries(bundle: Path) -> Iterator[str]:
    floor = ".".join(map(str, product.GLIBC_FLOOR))
    for path, version in elf.glibc_demands(bundle).items():
        if version > product.GLIBC_FLOOR:
            needed = ".".join(map(str, version))
            yield f"{path.relative_to(bundle)} needs GLIBC {needed}; the documented floor is {floor}."


def _replaceable(bundle: Path) -> Iterator[str]:
    """The LGPL: Qt must lie in files of its own that a person can exchange."""
    names = [path.name for path in bundle.rglob("*") if path.is_file()]
    for part in ("Core", "Gui", "Widgets"):
        if not any(name in {f"libQt6{part}.so.6", f"Qt6{part}.dll", f"Qt{part}"} for name in names):
            yield f"Qt's {part} is no file of its own in the bundle."


@contextlib.contextmanager
def _copied(bundle: Path) -> Iterator[tuple[Path, Path]]:
    """The program of a copy of the bundle in an awkward folder, and an empty folder to work in."""
    with tempfile.TemporaryDirectory(prefix="pe_desktop_") as base:
        place = Path(base) / _AWKWARD
        copy = place / bundle.name
        shutil.copytree(bundle, copy, symlinks=True)
        work = place / "work"
        work.mkdir()
        yield product.executable(copy), work


def _run_frozen(program: Path, folder: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run the frozen program without a screen and without anything of this Python's environment."""
    kept = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    return subprocess.run(
        [str(program), *arguments],
        cwd=folder,
        env={**kept, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


def _version(program: Path, folder: Path) -> Iterator[str]:
    done = _run_frozen(program, folder, ["--version"])
    if done.returncode or not done.stdout.startswith(f"{product.COMMAND} {product.version()} ") or done.stderr:
        yield f"--version answers {done.returncode}: {done.stdout}{done.stderr}"


def _self_test(program: Path, folder: Path) -> Iterator[str]:
    done = _run_frozen(program, folder, ["self-test"])
    if done.returncode:
        yield f"The self-test answers {done.returncode}:\n{done.stdout}{done.stderr}"
    elif done.stderr:
        yield f"The self-test passes with a warning:\n{done.stderr}"


def exports() -> list[tuple[str, str]]:
    """What is exported twice, and the ending of its file: each array, each figure, and one figure in every format."""
    from pe_desktop.export.arrays import ARRAYS  # noqa: PLC0415 - the checkout's own lists, whatever they hold
    from pe_desktop.export.figures import FIGURE_SUFFIXES, PDF  # noqa: PLC0415
    from pe_desktop.views.table import FIGURES  # noqa: PLC0415

    # Pages of cards are more than an image holds.
    figures = [
        (name, PDF if row.fewer else FIGURE_SUFFIXES[number % len(FIGURE_SUFFIXES)])
        for number, (name, row) in enumerate(FIGURES.items())
    ]
    all_formats = [(next(iter(FIGURES)), suffix) for suffix in FIGURE_SUFFIXES]
    return list(dict.fromkeys([*((name, ".npy") for name in ARRAYS), ("encoding", ".csv"), *figures, *all_formats]))


def _exports(program: Path, folder: Path) -> Iterator[str]:
    """Byte for byte: what the frozen program writes is what the source writes."""
    (folder / "source").mkdir()
    (folder / "frozen").mkdir()
    for what, suffix in exports():
        command = ["export", what, "-o", f"{what.replace(':', '-')}{suffix}", *STATE]
        source = subprocess.run(
            [sys.executable, "-P", "-m", "pe_desktop", *command],
            cwd=folder / "source",
            env={**os.environ, "PYTHONPATH": str(product.ROOT), "QT_QPA_PLATFORM": "offscreen"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        frozen = _run_frozen(program, folder / "frozen", command)
        if (frozen.returncode, frozen.stdout, frozen.stderr) != (0, source.stdout, "") or source.returncode:
            yield f"export {what}{suffix}: the source says {source.stdout}{source.stderr}, the bundle {frozen.stderr}"
            continue
        if (folder / "source" / command[3]).read_bytes() != (folder / "frozen" / command[3]).read_bytes():
            yield f"export {what}{suffix}: the bundle writes other bytes than the source."
