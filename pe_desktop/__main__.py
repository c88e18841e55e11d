"""Runs the application by `python -m pe_desktop`."""

import sys

from pe_desktop.app import main

if __name__ == "__main__":
    sys.exit(main())
