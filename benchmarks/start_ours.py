"""Starts the application as its command does; benchmarks/watched.py looks on, says when what was there, and ends it."""

import importlib
import sys

from pe_desktop.app import main
from pe_desktop.app.guard import check_qt


def start() -> int:
    """Load what the command loads, in its order, NumPy before Qt; only then what watches, which needs Qt."""
    check_qt()
    importlib.import_module("benchmarks.watched")
    return main(["--fresh"])


if __name__ == "__main__":
    sys.exit(start())
