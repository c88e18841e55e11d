"""What a .pdf says about itself: title, subject and program, without the date that would make each file differ."""

import re
from typing import Final
from xml.sax.saxutils import escape

from PySide6.QtCore import QUuid

from pe_desktop.export.captions import PROGRAM

# Every figure has the same identity: it is fully described by its subject.
PDF_ID: Final = QUuid("{3f2c64a1-5d0b-4f0e-9a55-7e1f5c0de001}")

_TABLE_ENTRY: Final = re.compile(rb"(\d{10})( \d{5} n)")


def xmp_packet(title: str, subject: str) -> bytes:
    """The XMP packet of a figure (ISO 16684-1), with neither date nor identity."""
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(title)}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{escape(subject)}</rdf:li></rdf:Alt></dc:description>
<xmp:CreatorTool>{escape(PROGRAM)}</xmp:CreatorTool>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>""".encode()


def stamped(document: bytes, title: str, subject: str) -> bytes:
    """A document of QPdfWriter's with an information dictionary of ours in the place of Qt's, which holds the time.

    Qt writes the time with the zone's offset, so that even its length differs; objects behind it move, and the table of
    their places (ISO 32000-1, section 7.5.4) is written anew.
    """
    table_at = int(_found(rb"startxref\s+(\d+)", document))
    number = int(_found(rb"/Info (\d+) 0 R", document[table_at:]))
    start = document.index(b"\n%d 0 obj" % number) + 1
    end = document.index(b"endobj", start)
    ours = b"%d 0 obj\n<<\n/Title %s\n/Subject %s\n/Creator %s\n>>\n" % (
        number, _text(title), _text(subject), _text(PROGRAM),
    )  # fmt: skip
    moved = len(ours) - (end - start)

    def place(entry: re.Match[bytes]) -> bytes:
        offset = int(entry[1])
        return b"%010d%s" % (offset + moved if offset > start else offset, entry[2])

    table = _TABLE_ENTRY.sub(place, document[table_at:])
    table = table.replace(b"startxref\n%d" % table_at, b"startxref\n%d" % (table_at + moved))
    return document[:start] + ours + document[end:table_at] + table


def _found(pattern: bytes, text: bytes) -> bytes:
    # The last one: bytes of an image may look like anything.
    return re.findall(pattern, text)[-1]  # type: ignore[no-any-return]


def _text(words: str) -> bytes:
    return b"<FEFF" + words.encode("utf-16-be").hex().upper().encode() + b">"
