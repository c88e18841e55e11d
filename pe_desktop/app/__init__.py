"""The composition root: the command line, and what must be true before NumPy and Qt are loaded."""

import gc
import os
from collections.abc import Sequence

# One thread for matrix products, unless a person has chosen another number: docs/decisions.md.
if not {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"} & {*os.environ}:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks for; the exit code.

    Garbage is collected from the first frame of a window on, or from the start of a command: while modules are loaded
    each search finds next to none, and all of them take a twelfth of the start.
    """
    gc.disable()
    try:
        from pe_desktop.app.command_line import main as obey  # noqa: PLC0415 - it is loaded without collections

        return obey(arguments)
    except KeyboardInterrupt:
        # While modules are loaded: afterwards the command line answers.
        os.write(2, b"pe-desktop: Interrupted.\n")
        return 130
    finally:
        gc.enable()
