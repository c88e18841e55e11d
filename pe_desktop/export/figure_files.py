"""Figures as .png, .svg and .pdf, and as images; the same figure gives the same bytes."""

import math
import re
import struct
import zlib
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from string import Template
from typing import Final
from xml.sax.saxutils import escape

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QHashSeed, QMarginsF, QMimeData, QRectF, QSize, QSizeF, Qt, QUuid
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.painter import paint_marks, with_lines
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.draw.theme import Theme, theme_named
from pe_desktop.draw.typefaces import load_typefaces, text_font
from pe_desktop.export.arrays import Written
from pe_desktop.export.figure_page import PROGRAM, Page, drawn, panels_page, scene_page
from pe_desktop.export.figure_sheet import POINTS, PURPOSES, Finish, Sheet, sheet_of
from pe_desktop.export.figures import figure_rows, pages_refusal
from pe_desktop.files import ExportError, check_free_space, whole_file, writable_target
from pe_desktop.model.findings import Answers, Computed
from pe_desktop.resources import resource_path
from pe_desktop.views.table import FIGURES

# Every figure has the same identity: it is fully described by its subject.
_PDF_ID: Final = QUuid("{3f2c64a1-5d0b-4f0e-9a55-7e1f5c0de001}")

_TABLE_ENTRY: Final = re.compile(rb"(\d{10})( \d{5} n)")


def _stamped(document: bytes, title: str, subject: str) -> bytes:
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


# Letters of fewer points can't be read on paper.
_SMALLEST_POINTS: Final = 6
# On paper: rings, zero lines and frames in a grey that prints; every letter and every axis in black.
_PAPER_AXIS = "#7a7a7a"
_PAPER_GRID = "#dedede"
_INCHES_PER_METRE: Final = 1 / 0.0254

# A .png begins with its signature and the header chunk: 8 bytes, and 4 + 4 + 13 + 4 more.
_AFTER_PNG_HEADER: Final = 33
# More dots than this hide each other, and would make a file of many megabytes: they become an image.
MOST_VECTOR_DOTS: Final = 4096
_SVG_SIZE: Final = re.compile(rb'<svg width="[^"]*" height="[^"]*"')


def make_ready() -> None:
    """Make a QGuiApplication where there is none, with the bundled typefaces.

    Nothing is shown: it needs no screen, and draws the same picture with and without one.
    """
    if QGuiApplication.instance() is None:
        QGuiApplication(["pe_desktop", "-platform", "offscreen"])
        load_typefaces()


def _page_image(page: Page) -> QImage:
    """The page as an image with title and caption in its texts; ExportError where memory is short."""
    image = _drawn(page)
    for keyword, text in _texts(page).items():
        image.setText(keyword, text)
    return image


def scene_image(scene: Scene, box: Box, ratio: float = 1.0) -> QImage:
    """A scene as an image of so many pixels for each logical one: drawn, not grabbed, by shapes for any device."""
    parts = ((0.0, 0.0, drawn(scene, box)),)
    return _page_image(Page(Sheet(box.width, box.height, ratio), box.theme.panel, parts, "", ""))


def _png_file(page: Page) -> tuple[bytes, str]:
    """The page as .png with its texts as plain chunks, and its size in words."""
    content = png_content(_drawn(page))
    # Qt would compress long texts, which simpler readers then don't show.
    chunks = b"".join(_text_chunk(keyword, text) for keyword, text in _texts(page).items())
    width, height = page.sheet.dots
    return content[:_AFTER_PNG_HEADER] + chunks + content[_AFTER_PNG_HEADER:], f"{width} x {height} pixels"


def png_content(image: QImage) -> bytes:
    """An image as the content of a .png file."""
    buffer = _buffer()
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def _svg_file(page: Page) -> tuple[bytes, str]:
    """The page as .svg in logical pixels, caption as <desc>; and its size in words.

    Its letters are outlines, or text that names typefaces for programs that lack ours.
    """
    sheet = page.sheet
    buffer = _buffer()
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(round(sheet.width), round(sheet.height)))
    generator.setViewBox(QRectF(0.0, 0.0, sheet.width, sheet.height))
    generator.setTitle(page.title)
    generator.setDescription(page.caption)
    with QPainter(generator) as painter:
        _paint_page(painter, page)
    # Qt knows millimetres only, and rounds the size to whole units first.
    (width, height), unit = (sheet.dots, "") if sheet.is_in_dots else (sheet.inches, "in")
    size = f'<svg width="{width:.6g}{unit}" height="{height:.6g}{unit}"'.encode()
    content = _SVG_SIZE.sub(size, buffer.data().data(), count=1)
    return with_lines(content), f"{width:.4g} x {height:.4g} {'pixels' if sheet.is_in_dots else 'inches'}"


def pdf_file(page: Page, *others: Page) -> tuple[bytes, str]:
    """Pages of one size as .pdf with embedded typefaces, the caption as its subject; and their size in words."""
    width, height = page.sheet.inches
    buffer = _buffer()
    writer = QPdfWriter(buffer)
    # One unit is one logical pixel: no scale stands between a mark and the page.
    writer.setResolution(page.sheet.pixels_per_inch)
    points = QSizeF(width * POINTS, height * POINTS)
    writer.setPageSize(QPageSize(points, QPageSize.Unit.Point, "figure", QPageSize.SizeMatchPolicy.ExactMatch))
    writer.setPageMargins(QMarginsF(0.0, 0.0, 0.0, 0.0))
    writer.setDocumentId(_PDF_ID)
    # The XMP packet of a figure (ISO 16684-1), with neither date nor identity.
    packet = Template(resource_path("figure.xmp").read_text(encoding="utf-8"))
    words = {"title": page.title, "subject": page.caption, "program": PROGRAM}
    told = packet.substitute({name: escape(text) for name, text in words.items()})
    writer.setDocumentXmpMetadata(QByteArray(told.encode()))
    # Qt writes its typefaces in the order of a hash table, which by default is another one in every process.
    QHashSeed.setDeterministicGlobalSeed()
    try:
        with QPainter(writer) as painter:
            _paint_page(painter, page)
            for other in others:
                writer.newPage()
                _paint_page(painter, other)
    finally:
        QHashSeed.resetRandomGlobalSeed()
    more = f", {len(others) + 1} pages" if others else ""
    return _stamped(bytes(buffer.data().data()), page.title, page.caption), f"{width:.4g} x {height:.4g} inches{more}"


def _drawn(page: Page) -> QImage:
    is_opaque = page.ground is not None
    kind = QImage.Format.Format_RGB32 if is_opaque else QImage.Format.Format_ARGB32_Premultiplied
    image = QImage(*page.sheet.dots, kind)
    if image.isNull():
        width, height = page.sheet.dots
        raise ExportError(f"There is not enough memory for a figure of {width} x {height} pixels.")
    image.fill(Qt.GlobalColor.transparent)
    image.setDevicePixelRatio(page.sheet.pixel_ratio)
    per_metre = round(page.sheet.pixels_per_inch * page.sheet.pixel_ratio * _INCHES_PER_METRE)
    image.setDotsPerMeterX(per_metre)
    image.setDotsPerMeterY(per_metre)
    with QPainter(image) as painter:
        _paint_page(painter, page)
    return image


def _texts(page: Page) -> dict[str, str]:
    """Keywords that the standard of .png names."""
    return {"Title": page.title, "Description": page.caption, "Software": PROGRAM}


def _text_chunk(keyword: str, text: str) -> bytes:
    """An uncompressed tEXt chunk, or iTXt where a letter is not in Latin-1 (PNG, third edition, section 11.3.3)."""
    try:
        kind = b"tEXt"
        body = keyword.encode("latin-1") + b"\0" + text.encode("latin-1")
    except UnicodeEncodeError:
        kind = b"iTXt"
        body = keyword.encode("latin-1") + b"\0\0\0\0\0" + text.encode()
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _buffer() -> QBuffer:
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    return buffer


def _paint_page(painter: QPainter, page: Page) -> None:
    """Draw a page in logical pixels: the ground, then each picture at its place."""
    painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
    # A painter begins with the application's font, and formats that write fonts write it down.
    painter.setFont(text_font("label"))
    if page.ground is not None:
        # A little over the edges: sizes that are no whole number must leave no hairline.
        painter.fillRect(QRectF(-1.0, -1.0, page.sheet.width + 2.0, page.sheet.height + 2.0), page.ground)
    for x, y, picture in page.parts:
        painter.save()
        painter.translate(x, y)
        for mark in picture:
            if isinstance(mark, marks.DotCloud):
                _paint_cloud(painter, mark, page.sheet.pixel_ratio)
            else:
                shown = _enlarged(mark, page.sheet.pixel_ratio) if isinstance(mark, marks.Raster) else mark
                paint_marks(painter, (shown,), keeps_text=page.keeps_text)
        painter.restore()


def _paint_cloud(painter: QPainter, cloud: marks.DotCloud, pixel_ratio: float) -> None:
    if len(cloud.centers) <= MOST_VECTOR_DOTS:
        paint_marks(painter, _dots(cloud))
        return
    left, top = cloud.centers.min(axis=0) - cloud.diameter
    width, height = np.ptp(cloud.centers, axis=0) + 2 * cloud.diameter
    frame = QRectF(left, top, width, height)
    image = QImage((frame.size() * pixel_ratio).toSize(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(QColor(0, 0, 0, 0))
    image.setDevicePixelRatio(pixel_ratio)
    with QPainter(image) as stamper:
        shifted = marks.DotCloud(cloud.centers - (left, top), cloud.colors, cloud.diameter)
        paint_marks(stamper, (shifted,))
    painter.drawImage(frame, image)


def _enlarged(mark: marks.Raster, pixel_ratio: float) -> marks.Raster:
    """The same image in whole multiples of its pixels: programs that smooth what they enlarge can't blur its cells."""
    image = mark.image
    across, down = (
        max(math.ceil(length * pixel_ratio / max(pixels, 1)), 1)
        for length, pixels in ((mark.width, image.width()), (mark.height, image.height()))
    )
    if across == down == 1:
        return mark
    return replace(mark, image=image.scaled(image.width() * across, image.height() * down))


def _dots(cloud: marks.DotCloud) -> marks.Picture:
    """The same dots as discs, those of one colour together, in the order in which the colours first appear."""
    groups: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for place, color in enumerate(cloud.colors.tolist()):
        groups[tuple(color)].append(place)
    return tuple(
        marks.Dots(cloud.centers[places], cloud.diameter / 2, QColor(*color)) for color, places in groups.items()
    )


FORMATS: Final[Mapping[str, Callable[..., tuple[bytes, str]]]] = {
    ".png": _png_file,
    ".svg": _svg_file,
    ".pdf": pdf_file,
}

_USUAL: Final = Finish()


def write_figure(
    what: str,
    state: State,
    path: Path,
    finish: Finish = _USUAL,
    *,
    overwrite: bool = False,
    answers: Answers | None = None,
) -> Written:
    """Writes one of FIGURES, or panels of them; the suffix of path chooses the format of FORMATS.

    The file appears whole or not at all. answers hold what need not be computed again. The same arguments give the
    same bytes. Must run on the thread of the QGuiApplication, which is made where there is none. Raises ExportError
    with one sentence; an existing file is then as it was.
    """
    suffix = path.suffix.lower()
    sheet = sheet_of(figure_rows(what)[0], finish)
    target = writable_target(path, overwrite=overwrite)
    answers = answers or Computed()
    make_ready()
    page = _page(what, state, sheet, finish, answers)
    refusal = pages_refusal(what, page.sheet.n_pages, suffix)
    if refusal:
        raise ExportError(refusal)
    others = [_page(what, state, sheet, finish, answers, number) for number in range(1, page.sheet.n_pages)]
    content, in_words = FORMATS[suffix](page, *others)
    check_free_space(target, len(content), "The figure needs")
    with whole_file(target, overwrite=overwrite) as file:
        file.write(content)
    if page.sheet.pixels_per_inch > sheet.pixels_per_inch:
        in_words += f", letters of {page.sheet.letters} points"
    return Written(path, in_words, len(content), page.caption)


def figure_caption(what: str, state: State, finish: Finish) -> str:
    """What a figure shows, how it is read, and every parameter, as one paragraph. Raises ExportError."""
    make_ready()
    return _page(what, state, sheet_of(figure_rows(what)[0], finish), finish, Computed()).caption


def figure_copy(what: str, state: State, sheet: Sheet, theme: Theme, answers: Answers | None = None) -> QMimeData:
    """One of FIGURES for the clipboard: an image with its caption in its texts, SVG and PDF. Raises ExportError."""
    page = scene_page(figure_rows(what)[0], state, sheet, theme, answers or Computed())
    data = QMimeData()
    data.setImageData(_page_image(page))
    data.setData("image/svg+xml", _svg_file(page)[0])
    data.setData("application/pdf", pdf_file(page)[0])
    return data


def figure_preview(
    what: str, state: State, finish: Finish, room: tuple[float, float], answers: Answers | None = None
) -> tuple[QImage, Sheet]:
    """The first page of a figure, no larger than a room in dots, and the sheet that it fills. Raises ExportError."""
    sheet = sheet_of(figure_rows(what)[0], finish)
    # Heat maps are computed for the dots of the preview alone.
    share = min(room[0] / sheet.width, room[1] / sheet.height) / sheet.pixel_ratio
    page = _page(what, state, replace(sheet, pixel_ratio=sheet.pixel_ratio * share), finish, answers or Computed())
    whole = replace(page.sheet, pixel_ratio=page.sheet.pixel_ratio / share)
    ratio = min(room[0] / whole.width, room[1] / whole.height)
    return _page_image(replace(page, sheet=replace(whole, pixel_ratio=ratio))), whole


def _page(what: str, state: State, sheet: Sheet, finish: Finish, answers: Answers, number: int = 0) -> Page:
    """One page, the first if no other one is asked for."""
    rows = figure_rows(what)
    theme = theme_named(finish.theme)
    shows_cursor = finish.shows_cursor
    title = finish.title
    if theme.base == "light" and PURPOSES[finish.purpose].is_paper:
        theme = printed_theme(theme)
    if len(rows) == 1:
        page = scene_page(rows[0], state, sheet, theme, answers, shows_cursor=shows_cursor, number=number, title=title)
    elif title:
        raise ExportError("A page of panels has letters, and no title.")
    else:
        page = panels_page(rows, state, sheet, theme, answers, shows_cursor=shows_cursor)
    least = finish.text or (0.0 if page.sheet.is_in_dots else _SMALLEST_POINTS)
    # A scene that needs more width than its paper has would be too small to be read.
    if page.sheet.points < least:
        inches = page.sheet.inches[0]
        width = math.ceil(10 * inches * least / page.sheet.points) / 10
        # The width of a slide is given.
        needed = f"with letters of {page.sheet.letters}" if page.sheet.is_in_dots else f"in {width:g} inches"
        room = f"{inches:.3g} inches with letters of {least:g} points"
        parts = "".join(f", or as its part {name}" for name in FIGURES if name.startswith(f"{what}:"))
        raise ExportError(f"{rows[0].title} has no room in {room}; it has {needed}{parts}.")
    ground = None if finish.is_transparent else page.ground
    return replace(page, ground=ground, keeps_text=finish.letters == "text")


def printed_theme(theme: Theme) -> Theme:
    """A light theme in print: white ground, black letters."""
    black = QColor("black")
    white = QColor("white")
    return replace(
        theme, panel=white, text=black, text2=black, text3=black, ink=black,
        axis=QColor(_PAPER_AXIS), grid=QColor(_PAPER_GRID),
    )  # fmt: skip
