"""The composition root: the command line, and what must be true before NumPy and Qt are loaded."""

import os

# One thread for matrix products, unless a person has chosen another number: docs/decisions.md.
if not {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"} & {*os.environ}:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"

from pe_desktop.app.command_line import main

__all__ = ["main"]
