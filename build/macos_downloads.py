"""The download for macOS: a disk image with the application and a link to where it goes. Never run here yet."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from build import product
from build.product import DIST, WORK

_ROOT_OF_IMAGE: Final = WORK / "dmg"


def make(bundle: Path, name: str, _appimage_runtime: Path | None) -> list[Path]:
    """Make the disk image of a bundle, for the one kind of processor it was built on, and return it."""
    if _ROOT_OF_IMAGE.exists():
        shutil.rmtree(_ROOT_OF_IMAGE)
    _ROOT_OF_IMAGE.mkdir(parents=True)
    # ditto keeps links, attributes and the signature.
    subprocess.run(["ditto", str(bundle), str(_ROOT_OF_IMAGE / bundle.name)], check=True)  # noqa: S607
    (_ROOT_OF_IMAGE / "Applications").symlink_to("/Applications")
    image = DIST / f"{name}.dmg"
    subprocess.run(command(image), check=True)
    return [image]


def command(image: Path) -> list[str]:
    """The command that packs the folder into a compressed image."""
    source = ["-volname", product.NAME, "-srcfolder", str(_ROOT_OF_IMAGE)]
    return ["hdiutil", "create", *source, "-ov", "-format", "ULMO", str(image)]
