"""Where the data files lie: in a checkout, in an installed wheel, in a frozen application."""

import sys
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent


def resource_path(*parts: str) -> Path:
    """Return the path of a data file or folder, given by its parts: "icons", "play.svg".

    Raises FileNotFoundError with one sentence if it does not lie in the resources of this installation.
    """
    root = _root()
    path = root.joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"The data file {'/'.join(parts)} is not in {root}: install the application again.")
    return path


def _root() -> Path:
    """Return the folder of the resources: beside the frozen program, inside the wheel, or beside the package."""
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        return Path(bundle, "resources")
    installed = PACKAGE / "_resources"
    return installed if installed.is_dir() else PACKAGE.parent / "resources"
