"""The downloads for Windows: a .zip that runs where it is unpacked, and an installer. Never run here yet."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from build import archives, product
from build.product import BUILD, DIST, ROOT, WORK

SCRIPT: Final = BUILD / "windows" / "pe_desktop.iss"
_COMPILER: Final = "iscc"


def make(bundle: Path, name: str, _appimage_runtime: Path | None) -> list[Path]:
    """Make the downloads of a bundle and return them.

    Without Inno Setup's compiler there is no installer; where CI is set, that is an OSError before anything is made.
    """
    compiler = shutil.which(_COMPILER)
    if compiler is None and os.environ.get("CI"):
        raise FileNotFoundError(f"{_COMPILER} is missing: a release without an installer is not whole.")
    made = [archives.zip_file(bundle, DIST / f"{name}.zip", name)]
    if compiler is not None:
        subprocess.run([compiler, *definitions(bundle, name), str(SCRIPT)], check=True)
        made.append(DIST / f"{name}-setup.exe")
    return made


def definitions(bundle: Path, name: str) -> list[str]:
    """What the installer's script is told."""
    facts = {
        "Version": product.version(),
        "Name": name,
        "Source": bundle,
        "Output": DIST,
        "Icon": WORK / "icons" / "pe_desktop.ico",
        "License": ROOT / "LICENSE",
        "SessionSuffix": product.SESSION_SUFFIX,
        "SessionName": product.SESSION_NAME,
    }
    return [f"/D{key}={value}" for key, value in facts.items()]
