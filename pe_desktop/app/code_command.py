"""The command that prints the program of an array or a figure."""

import argparse

from pe_desktop.app.arguments import add_settings, declared_state
from pe_desktop.app.console import say
from pe_desktop.core.listings.library import LIBRARIES
from pe_desktop.export.arrays import ARRAYS
from pe_desktop.export.code import code
from pe_desktop.views.table import FIGURES


def add_code(parser: argparse.ArgumentParser) -> None:
    """Let a parser take what this command needs."""
    words = f"an array ({', '.join(ARRAYS)}) or the data of a figure ({', '.join(FIGURES)})"
    parser.add_argument("what", metavar="WHAT", help=words)
    libraries = tuple(LIBRARIES)
    parser.add_argument("--library", choices=libraries, default=libraries[0], help="numpy if not given")
    add_settings(parser, "code_settings")


def code_command(options: argparse.Namespace) -> int:
    """Print the program of what was asked for."""
    for line in code(options.what, declared_state(options.code_settings), options.library).splitlines():
        say(line)
    return 0
