"""Makes the application that starts with a double click, for the system this runs on, and proves that it works.

python3 run.py build                          everything: bundle, gate, downloads, checksums
python3 run.py build --only-bundle            the bundle and its gate, no downloads
python3 run.py build --appimage-runtime FILE  an AppImage in addition (Linux; docs/packaging.md says where it is from)
"""

import argparse
import importlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from build import archives, gate, product, sbom, sizes
from build.product import BUILD, DIST, MEGABYTE, ROOT, WORK
from build.selection import is_dropped

_SPEC: Final = BUILD / "pe_desktop.spec"
FAILED: Final = 1


class _BuildError(Exception):
    """Why there is no application; the message says it in one sentence or a few lines."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, prove, pack; 0 if everything is as it should be, else 1."""
    parser = argparse.ArgumentParser(prog="python3 run.py build", description=__doc__.partition("\n")[0])
    parser.add_argument("--only-bundle", action="store_true", help="the bundle and its gate, no downloads")
    parser.add_argument("--appimage-runtime", metavar="FILE", type=Path, help="make an AppImage with this runtime")
    options = parser.parse_args(arguments)
    try:
        bundle = _make_bundle()
        _prove(bundle)
        if not options.only_bundle:
            _make_downloads(bundle, options.appimage_runtime)
    except (_BuildError, OSError, subprocess.SubprocessError) as error:
        print(f"build: {error}", file=sys.stderr)
        return FAILED
    return 0


def _make_bundle() -> Path:
    """Let PyInstaller make the bundle in dist/. Raises BuildError."""
    _say("Freezing the application ...")
    bundle = product.bundle_folder()
    for left_over in (bundle, DIST / product.COMMAND):
        if left_over.exists():
            shutil.rmtree(left_over)
    WORK.mkdir(exist_ok=True)
    command = ["-P", "-m", "PyInstaller", "--noconfirm", f"--workpath={WORK}", f"--distpath={DIST}", str(_SPEC)]
    # Same hashes of names, same order of modules, same bundle.
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "QT_QPA_PLATFORM": "offscreen"}
    log = WORK / "pyinstaller.log"
    with log.open("w", encoding="utf-8") as file:
        status = subprocess.run(
            [sys.executable, *command], stderr=file, env=variables, cwd=ROOT, check=False
        ).returncode
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    if status:
        raise _BuildError("\n".join(["PyInstaller ended with an error:", *lines[-15:]]))
    trouble = warnings_of(lines)
    trouble += _missing_modules((WORK / _SPEC.stem / f"warn-{_SPEC.stem}.txt").read_text(encoding="utf-8"))
    if trouble:
        raise _BuildError("\n".join(["PyInstaller warns:", *trouble]))
    return bundle


def warnings_of(lines: Iterable[str]) -> list[str]:
    """The warnings among PyInstaller's lines, without those of libraries that only dropped files need."""
    warnings = [line for line in lines if re.search(r"\b(WARNING|ERROR|CRITICAL)\b", line)]
    needs = [re.search(r"could not resolve .+, dependency of '(.+)'", line) for line in warnings]
    return [line for line, need in zip(warnings, needs, strict=True) if need is None or not is_dropped(need[1])]


def _missing_modules(warnings: str) -> Iterator[str]:
    """The lines of PyInstaller's list that name a module which the application itself imports and the bundle lacks.

    What others import and lack shows in the self-test: most of it they try only, or name in files for type checkers.
    """
    for line in warnings.splitlines():
        if re.search(r"imported by .*\bpe_desktop\b", line):
            yield line


def _prove(bundle: Path) -> None:
    """Run the gate, print the sizes. Raises BuildError with every complaint."""
    found = sizes.sizes(bundle)
    report = sizes.table(found)
    (WORK / "sizes.md").write_text(report + "\n", encoding="utf-8")
    print(report)
    _say("Proving it: licences, libraries, self-test, exports against those of the source ...")
    complaints = gate.complaints(bundle)
    if complaints:
        raise _BuildError("\n".join(["The bundle does not pass:", *complaints]))


def _make_downloads(bundle: Path, appimage_runtime: Path | None) -> None:
    """Pack the bundle for this system, with its bill of materials and checksums. Raises BuildError."""
    _say("Packing the downloads ...")
    machine = product.machine_name(sys.platform, platform.machine())
    name = f"{product.COMMAND}-{product.version()}-{machine}"
    for old in DIST.glob(f"{product.COMMAND}-*"):
        old.unlink()
    bill = sbom.write(bundle, DIST / f"{name}.cdx.json")
    # Each system's recipe needs tools that only it has.
    recipes = importlib.import_module(f"build.{machine.partition('-')[0]}_downloads")
    made: list[Path] = recipes.make(bundle, name, appimage_runtime)
    (DIST / "SHA256SUMS").write_text("".join(map(archives.checksum_line, [*made, bill])), encoding="utf-8")
    for path in made:
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / MEGABYTE:.1f} MB")
    too_large = [path.name for path in made if path.stat().st_size > product.LARGEST_DOWNLOAD]
    if too_large:
        raise _BuildError(f"Larger than the bar of {product.LARGEST_DOWNLOAD} bytes: {', '.join(too_large)}")


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
