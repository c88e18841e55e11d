"""What a measured program says of itself: moments, memory, numbers; light, because starting it is measured too."""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from PySide6.QtGui import QGuiApplication

Answer: TypeAlias = dict[str, float]


def answer(numbers: Answer) -> None:
    """Say what was measured, as one line of JSON."""
    sys.stdout.write(json.dumps(numbers) + "\n")
    sys.stdout.flush()


def answer_or_reason(measured: Callable[[], Answer]) -> None:
    """Say what was measured, or in a line why it can't be: whatever a peer fails with is its answer."""
    try:
        numbers = measured()
    except Exception as error:  # noqa: BLE001 See above.
        reason = next((line for line in str(error).splitlines()[::-1] if line.strip()), "")
        sys.stdout.write(f"{type(error).__name__}: {reason.strip()}\n")
        sys.stdout.flush()
    else:
        answer(numbers)


def round_trip() -> None:
    """Wait until the screen has done what it was asked for: fetch one of its pixels."""
    QGuiApplication.primaryScreen().grabWindow(0, 0, 0, 1, 1)


def moment_on_screen() -> float:
    """Now, once the screen shows it: seconds of the clock that all processes of a machine share."""
    round_trip()
    return time.monotonic()


def resident_megabytes() -> Answer:
    """Memory of this process now and at its highest, in MB (10^6 bytes); empty where the system doesn't say."""
    status = Path("/proc/self/status")
    if not status.exists():
        return {}
    fields = dict(line.split(":", 1) for line in status.read_text(encoding="ascii", errors="replace").splitlines())
    names = {"resident": "VmRSS", "highest": "VmHWM"}
    return {name: int(fields[field].split()[0]) * 1024 / 1e6 for name, field in names.items()}
