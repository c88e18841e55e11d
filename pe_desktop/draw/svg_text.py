"""Lines of text in an .svg, which hold together and stand at their anchor in any typeface.

Qt's generator breaks a line where the script of its letters changes and gives each part a place of its own, where
letters of another width overlap. So lines are packed, and each becomes one <text> whose parts follow each
other.
"""

import json
import re
from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

# The bundled typefaces, and what stands in for them where they are not installed: first the widths of which differ
# least, then those that a system calls its own.
_FAMILIES: Final = {
    "Inter": "Inter, 'Helvetica Neue', Arial, 'Liberation Sans', 'Nimbus Sans', sans-serif",
    "STIX Two Text": "'STIX Two Text', STIXGeneral, 'Times New Roman', 'Liberation Serif', 'Nimbus Roman', serif",
    "JetBrains Mono": "'JetBrains Mono', Menlo, Consolas, 'Liberation Mono', monospace",
}
_FAMILY: Final = re.compile(rb'font-family="([^"]*)"')
# One script throughout, and no text of a figure.
_PACKED: Final = "packedline"
_LINE: Final = re.compile(
    rb'font-size="\d+" (font-weight="\d+") font-style="[a-z]+"\s*>' + _PACKED.encode() + rb"([0-9a-f]+)<"
)
_ANCHORS: Final = ("start", "middle", "end")


class Piece(NamedTuple):
    """Letters of one style, rise above the baseline of their line."""

    text: str
    is_italic: bool
    pixels: int
    rise: float = 0.0


def packed_line(pieces: Sequence[Piece], anchor: int) -> str:
    """The packed form of a line for Qt's generator; anchor: 0 at its start, 1 in its middle, 2 at its end."""
    return _PACKED + json.dumps([anchor, *pieces]).encode().hex()


def with_lines(drawing: bytes) -> bytes:
    """A drawing of Qt's generator with its lines unpacked and its typefaces named with what may stand in for them."""
    named = _FAMILY.sub(lambda found: b'font-family="%s"' % _FAMILIES[found[1].decode()].encode(), drawing)
    return _LINE.sub(_unpacked, named)


def _unpacked(found: re.Match[bytes]) -> bytes:
    anchor, *listed = json.loads(bytes.fromhex(found[2].decode()))
    pieces = [Piece(*piece) for piece in listed]
    first = pieces[0]
    parts, rise = [], 0.0
    for (is_italic, pixels, above), alike in groupby(pieces, key=lambda piece: piece[1:]):
        text = _escaped("".join(piece.text for piece in alike))
        style = ""
        if is_italic != first.is_italic:
            style += f' font-style="{_style(is_italic)}"'
        if pixels != first.pixels:
            style += f' font-size="{pixels}"'
        if above != rise:
            style += f' dy="{rise - above:.4g}"'
        parts.append(f"<tspan{style}>{text}</tspan>" if style else text)
        rise = above
    style = f'font-size="{first.pixels}" {found[1].decode()} font-style="{_style(first.is_italic)}"'
    return f'{style} text-anchor="{_ANCHORS[anchor]}">{"".join(parts)}<'.encode()


def _escaped(text: str) -> str:
    # Not by the module html, which loads the names of all its characters.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _style(is_italic: bool) -> str:
    return "italic" if is_italic else "normal"
