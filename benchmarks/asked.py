"""Asks a tool for its numbers, in a process of its own, and keeps what it answered or why it could not."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.rounds import Numbers


@dataclass(slots=True)
class Found:
    """What a case answered in every round, or why it could not."""

    rounds: list[Numbers]
    reason: str = ""


def ask(found: Found, module: str, word: str, variables: Mapping[str, str], longest_seconds: float) -> None:
    """Run a module of benchmarks with one word and add its numbers, or its reason, to what was found."""
    command = [sys.executable, "-m", f"benchmarks.{module}", word]
    try:
        done = subprocess.run(
            command, env=dict(variables), capture_output=True, text=True, timeout=longest_seconds, check=False
        )
    except subprocess.TimeoutExpired:
        found.reason = f"longer than {longest_seconds:g} s"
        return
    # Some peers write to the standard output as well; the answer is the last line.
    lines = done.stdout.strip().splitlines()
    if lines and lines[-1].startswith("{"):
        found.rounds.append(json.loads(lines[-1]))
    else:
        found.reason = lines[-1] if lines else f"ended with code {done.returncode}"
