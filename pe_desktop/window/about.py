"""What About says."""

from pe_desktop import __version__


def about_text() -> str:
    """Version, licence, and where Qt's licence and source are."""
    return (
        f"<b>pe_desktop {__version__}</b><br>Positional encodings, visible and exact.<br><br>"
        "MIT licence. Drawn with Qt (PySide6), used under the LGPL 3; its source is at "
        "<a href='https://code.qt.io'>code.qt.io</a>. Numbers by NumPy (BSD licence). "
        "Typefaces Inter and STIX Two (SIL Open Font License 1.1)."
    )
