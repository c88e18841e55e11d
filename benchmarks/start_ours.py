"""Starts the application as its command does; benchmarks/watched.py looks on, says when what was there, and ends it."""

import sys

from pe_desktop.app import command_line


def start() -> int:
    """Load what the command loads, in its order, NumPy before Qt; only then what watches, which needs Qt."""
    command_line.check_qt()
    from benchmarks import watched  # noqa: PLC0415 - Qt must not come before what the command loads first

    watched.room.Instrument = watched.WatchedInstrument  # type: ignore[misc]
    return command_line.main([])


if __name__ == "__main__":
    sys.exit(start())
