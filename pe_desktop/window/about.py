"""What About says."""

from html import escape

from pe_desktop import __version__
from pe_desktop.resources import resource_path


def about_text() -> str:
    """Version, licence, where Qt's licence and source are, and the licences of everything else."""
    licences = resource_path("licences")
    return (
        f"<span style='font-size: 17px; font-weight: 600'>PE Desktop {__version__}</span><br>"
        "Positional encodings, visible and exact.<br><br>"
        "MIT licence. Drawn with Qt (PySide6), used under the LGPL 3; its source is at "
        "<a href='https://code.qt.io'>code.qt.io</a>, and its files may be replaced by your own. "
        "Numbers by NumPy (BSD licence). "
        "Typefaces Inter, STIX Two and JetBrains Mono (SIL Open Font License 1.1).<br><br>"
        f"The licences of all parts: <a href='{licences.as_uri()}'>{escape(str(licences))}</a>"
    )
