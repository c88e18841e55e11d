"""What each format must hold: metadata that others read, letters that stay right, images without loss, no date."""

import base64
import math
import re
import struct
import zlib
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter

from pe_desktop.core import SinusoidalEncoding, State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.theme import themes
from pe_desktop.draw.typefaces import text_font
from pe_desktop.export.figure_files import (
    MOST_VECTOR_DOTS,
    _page_image,
    _png_file,
    _svg_file,
    figure_copy,
    pdf_file,
    write_figure,
)
from pe_desktop.export.figure_page import Page
from pe_desktop.export.figure_sheet import Finish, Sheet
from pe_desktop.views.table import FIGURES

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"


def page_of(*picture: marks.Mark, width: float = 80.0, height: float = 40.0, ratio: float = 4.0) -> Page:
    ground = QColor("white")
    return Page(Sheet(width, height, ratio), ground, ((0.0, 0.0, picture),), "Title −1", "Caption ω")


def png_chunks(content: bytes) -> list[tuple[str, bytes]]:
    """Kind and body of every chunk, each checksum verified."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    place, chunks = 8, []
    while place < len(content):
        (length,) = struct.unpack_from(">I", content, place)
        kind, body = content[place + 4 : place + 8], content[place + 8 : place + 8 + length]
        assert struct.unpack_from(">I", content, place + 8 + length) == (zlib.crc32(kind + body),)
        chunks.append((kind.decode(), body))
        place += 12 + length
    return chunks


def test_png_says_in_plain_text_what_it_shows_in_any_letters_with_600_dots_an_inch_on_paper(qapp, tmp_path):
    written = write_figure("clock", State(), tmp_path / "c.png")
    chunks = png_chunks((tmp_path / "c.png").read_bytes())
    texts = dict(body.split(b"\0", 1) for kind, body in chunks if kind == "tEXt")
    assert next(kind for kind, _ in chunks) == "IHDR"
    assert texts[b"Title"] == b"16 hands show position 37"
    assert texts[b"Description"].decode("latin-1") == written.told
    assert b"d_model = 32" in texts[b"Description"]
    image = QImage(str(tmp_path / "c.png"))
    assert (image.text("Title"), image.text("Description")) == ("16 hands show position 37", written.told)
    content, _ = _png_file(page_of())
    texts = {body.split(b"\0", 1)[0]: body for kind, body in png_chunks(content) if kind == "iTXt"}
    assert texts[b"Title"].endswith("\0Title −1".encode())
    assert QImage.fromData(content).text("Description") == "Caption ω"
    written = write_figure("waves", State(), tmp_path / "w.png")
    image = QImage(str(tmp_path / "w.png"))
    assert (image.width(), image.height()) == (4050, 2100)
    assert written.size == "4050 x 2100 pixels"
    assert image.dotsPerMeterX() == image.dotsPerMeterY() == round(600 / 0.0254)


def test_svg_holds_title_and_caption_and_its_size_on_paper_in_black_letters(qapp, tmp_path):
    written, light = write_figure("waves", State(), tmp_path / "w.svg"), themes()["light"]
    root = ET.fromstring((tmp_path / "w.svg").read_bytes())
    assert (root.get("width"), root.get("height")) == ("6.75in", "3.5in")
    assert [float(number) for number in root.get("viewBox", "").split()] == [0, 0, 668.25, 346.5]
    assert root.findtext(f"{SVG}title") == "Pairs 0, 4 and 8 repeat after 6.28, 62.8 and 628 positions"
    assert root.findtext(f"{SVG}desc") == written.told
    inks = {element.get("fill") for element in root.iter()}
    assert "#000000" in inks
    assert not inks & {light.text.name(), light.text2.name(), light.text3.name()}


@pytest.mark.parametrize("what", [*FIGURES][::3])
def test_svg_needs_no_typeface_and_scales_its_lines(qapp, tmp_path, what):
    write_figure(what, state_of({"facts.verdict": "open"}), tmp_path / "f.svg")
    content = (tmp_path / "f.svg").read_text()
    assert f"{SVG}text" not in {element.tag for element in ET.fromstring(content).iter()}
    assert "non-scaling-stroke" not in content
    # Heads of columns are turned, and nothing is stretched.
    turns = [[float(number) for number in row.split(",")] for row in re.findall(r"matrix\(([^)]*)\)", content)]
    assert turns
    for a, b, c, d, *_ in turns:
        assert (a, b, a * a + b * b) == pytest.approx((d, -c, 1.0), abs=1e-5)


def test_letters_as_text_can_be_read_and_are_held_where_they_belong(qapp, tmp_path):
    write_figure("matrix", State(), tmp_path / "m.svg", Finish(letters="text"))
    texts = [*ET.fromstring((tmp_path / "m.svg").read_text(encoding="utf-8")).iter(f"{SVG}text")]
    assert {"The encoding of 128 positions in 32 dimensions", "127", "−1", "position t"} <= {t.text for t in texts}
    assert {text.get("font-family", "").split(",")[0] for text in texts} == {"Inter", "'STIX Two Text'"}
    assert {text.get("font-weight") for text in texts} <= {"400", "500", "600"}
    # A line is one text whatever its letters, and its parts follow each other.
    page = page_of(
        marks.FormulaText(4.0, 10.0, "ω_4 = 10^{−1} < 2", 16, QColor("black")),
        marks.Text(4.0, 30.0, "8 ω, then Mₖ", "tick", QColor("black")),
    )
    [formula, line] = ET.fromstring(_svg_file(replace(page, keeps_text=True))[0]).iter(f"{SVG}text")
    assert ("".join(formula.itertext()), line.text) == ("ω4 = 10−1 < 2", "8 ω, then Mₖ")
    raised = [(part.text, part.get("font-size"), part.get("dy"), part.get("x")) for part in formula]
    assert raised == [
        ("4", "12", "3.2", None),
        (" = 10", None, "-3.2", None),
        ("−1", "12", "-5.76", None),
        (" < 2", None, "5.76", None),
    ]
    assert (formula.get("font-style"), formula[0].get("font-style")) == ("italic", "normal")
    for across, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        page = page_of(marks.Text(40.0, 20.0, "a line", "tick", QColor("black"), across=across))
        [text] = ET.fromstring(_svg_file(replace(page, keeps_text=True))[0]).iter(f"{SVG}text")
        assert text.get("text-anchor") == anchor
        assert float(text.get("x", "")) == pytest.approx(40.0, abs=0.01)
    # A turned line starts at the same point, turned about it: cos 30 and sin 30 degrees.
    page = page_of(marks.Text(40.0, 20.0, "a line", "tick", QColor("black"), turned=-30.0))
    drawing = ET.fromstring(_svg_file(replace(page, keeps_text=True))[0])
    [group] = [part for part in drawing.iter() if any(child.tag == f"{SVG}text" for child in part)]
    matrix = [float(number) for number in group.get("transform", "").removeprefix("matrix(").rstrip(")").split(",")]
    scale = math.hypot(matrix[0], matrix[1])
    assert [number / scale for number in matrix[:4]] == pytest.approx([0.75**0.5, -0.5, 0.5, 0.75**0.5], abs=1e-4)


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_a_page_without_a_ground_paints_none(qapp, tmp_path, suffix, tool):
    grounds: list[object] = []
    for is_transparent in (False, True):
        path = tmp_path / f"c{is_transparent}.{suffix}"
        write_figure("waves", State(), path, Finish(theme="dark", is_transparent=is_transparent))
        if suffix == "svg":
            tool("rsvg-convert", path, "-o", tmp_path / "c.png")
            grounds.append(QImage(str(tmp_path / "c.png")).pixelColor(3, 3).alpha())
        else:
            tool("pdftoppm", "-png", "-singlefile", "-r", 99, path, tmp_path / "c")
            grounds.append(QImage(str(tmp_path / "c.png")).pixelColor(2, 40).name())
    assert grounds == ([255, 0] if suffix == "svg" else ["#16191f", "#ffffff"])


def test_letters_as_outlines_look_as_qt_draws_them(qapp):
    words, ratio = "4 t + k = 1, −8", 16.0
    page = page_of(marks.Text(4.0, 12.0, words, "strong", QColor("black")), width=110.0, height=24.0, ratio=ratio)
    drawn = _page_image(page)
    plain = QImage(drawn.size(), QImage.Format.Format_RGB32)
    plain.setDevicePixelRatio(ratio)
    plain.fill(QColor("white"))
    with QPainter(plain) as painter:
        painter.setFont(text_font("strong"))
        baseline = 12.0 + 0.5 * 13 * 1490 / 2048  # the middle of Inter's capitals, 1490 units of 2048 high
        painter.drawText(QPointF(4.0, baseline), words)
    ink, expected = (np.frombuffer(image.constBits(), np.uint8).astype(int) for image in (drawn, plain))
    assert np.mean(expected < 128) > 0.02
    assert np.mean(abs(ink - expected) > 128) < 0.002


def test_pdf_holds_title_caption_and_program_and_no_date(qapp, tmp_path, tool):
    written = write_figure("clock", State(), tmp_path / "c.pdf")
    content = (tmp_path / "c.pdf").read_bytes()
    assert not re.search(rb"D:\d{8}|\d{4}-\d\d-\d\dT", content)
    assert b"/Subject <FEFF" + written.told.encode("utf-16-be").hex().upper().encode() + b">" in content
    packet = content[content.index(b"<x:xmpmeta") : content.index(b"</x:xmpmeta>") + 12]
    words = [text.strip() for text in ET.fromstring(packet).itertext() if text.strip()]
    assert words[:2] == ["16 hands show position 37", written.told]
    told = tool("pdfinfo", tmp_path / "c.pdf").decode()
    assert re.search(r"^Title: +16 hands show position 37$", told, re.MULTILINE)
    assert re.search(rf"^Subject: +{re.escape(written.told)}$", told, re.MULTILINE)
    assert re.search(r"^Page size: +486 x 414 pts$", told, re.MULTILINE)


def test_pdf_table_names_the_place_of_every_object(qapp):
    content, _ = pdf_file(page_of(marks.Text(4.0, 12.0, "t", "tick", QColor("black"))))
    table_at = int(content.rsplit(b"startxref\n", 1)[1].split()[0])
    lines = content[table_at:].splitlines()
    assert lines[0].strip() == b"xref"
    count = int(lines[1].split()[1])
    assert count > 10
    for number, line in enumerate(lines[3 : 2 + count], 1):
        assert content[int(line.split()[0]) :].startswith(b"%d 0 obj" % number)


def test_pdf_text_can_be_found_minus_signs_and_formulas_too_and_ticks_are_8_points_high(qapp, tmp_path, tool):
    write_figure("waves", State(), tmp_path / "w.pdf")
    text = tool("pdftotext", "-layout", tmp_path / "w.pdf", "-").decode()
    for words in ("t = 37", "t + k = 45", "−1", "+1", "−0.53", "0.77", "96", "127", "ω4 = 0.1", "position t"):
        assert words in text
    # Nothing but the colour bar of M says where its entries end.
    write_figure("rotation", State(), tmp_path / "r.pdf")
    assert "+1" in tool("pdftotext", "-layout", tmp_path / "r.pdf", "-").decode()
    typefaces = tool("pdffonts", tmp_path / "w.pdf").decode().splitlines()[2:]
    assert {line.split()[0] for line in typefaces} == {
        "Inter-Regular", "Inter-SemiBold", "STIXTwoText-Italic", "STIXTwoText-Regular",
    }  # fmt: skip
    assert all(line.split()[-5] == "yes" for line in typefaces)  # embedded
    boxes = tool("pdftotext", "-bbox", tmp_path / "w.pdf", "-").decode()
    [(top, bottom)] = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">127<', boxes)
    # pdftotext's boxes reach from the ascent to the descent of the typeface: 0.96875 and 0.24121 of its size.
    assert (float(bottom) - float(top)) / (0.96875 + 0.24121) == pytest.approx(8.0, abs=0.05)


def test_many_dots_become_an_image_in_a_drawing_and_few_stay_dots(qapp, tmp_path):
    for d_model, is_image in ((2 * MOST_VECTOR_DOTS, False), (2 * MOST_VECTOR_DOTS + 2, True)):
        path = tmp_path / f"{d_model}.svg"
        write_figure("clock", State(SinusoidalEncoding(d_model=d_model)), path)
        tags = [element.tag for element in ET.parse(path).iter()]
        assert (tags.count(f"{SVG}image") == 1) == is_image
        assert (tags.count(f"{SVG}circle") >= MOST_VECTOR_DOTS) != is_image


def checkered(width: int, height: int) -> QImage:
    """Pixels of many colours, as 32-bit numbers that any loss would change."""
    inks = (np.arange(width * height, dtype=np.uint64) * 2654435761 % 2**24).astype(np.uint32) | np.uint32(0xFF000000)
    return QImage(inks.tobytes(), width, height, width * 4, QImage.Format.Format_RGB32).copy()


def embedded(page: Page) -> QImage:
    """The image in a drawing of a page."""
    [element] = ET.fromstring(_svg_file(page)[0]).iter(f"{SVG}image")
    return QImage.fromData(base64.b64decode(element.get(f"{XLINK}href", "").split(",")[1]))


def test_images_are_embedded_without_loss_and_coarse_ones_stay_sharp_where_drawings_are_smoothed(qapp, tmp_path, tool):
    raster, cells = checkered(40, 20), 8  # each pixel of the image covers 8 x 8 dots of the page
    page = page_of(marks.Raster(0.0, 0.0, 80.0, 40.0, raster))
    coarse = embedded(page_of(marks.Raster(0.0, 0.0, 80.0, 40.0, checkered(3, 2))))
    assert coarse.width() >= 320
    assert coarse.width() % 3 == 0
    (tmp_path / "p.pdf").write_bytes(pdf_file(page)[0])
    tool("pdftoppm", "-png", "-singlefile", "-r", 4 * 96, tmp_path / "p.pdf", tmp_path / "p")
    printed = QImage(str(tmp_path / "p.png"))
    for image in (_page_image(page), embedded(page), printed):
        assert (image.width(), image.height()) == (320, 160)
        for x in range(40):
            for y in range(20):
                assert image.pixel(x * cells + 4, y * cells + 4) == raster.pixel(x, y)


def test_copied_picture_carries_its_caption(qapp):
    image = figure_copy("clock", State(), Sheet(300.0, 330.0, 2.0), themes()["dark"]).imageData()
    assert (image.width(), image.height()) == (600, 660)
    assert "position = 37" in image.text("Description")
