"""The composition root: the command line, and what must be true before Qt is loaded."""

from pe_desktop.app.command_line import main

__all__ = ["main"]
