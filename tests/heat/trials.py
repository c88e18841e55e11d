"""Processes that try OpenGL, as far as a marker is concerned."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

TRIAL = """
import sys
from pathlib import Path
from pe_desktop.heat.renderer import CrashMarker
marker = CrashMarker(Path(sys.argv[1]))
print(marker.note(), flush=True)
sys.stdin.read()
"""
ROOT = Path(__file__).resolve().parents[2]


@contextlib.contextmanager
def living_trial(marker: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has noted itself and lives; killed at the end, as a driver would end it."""
    command = [sys.executable, "-c", TRIAL, str(marker)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "True"
        try:
            yield process
        finally:
            process.kill()
