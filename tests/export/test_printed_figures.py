"""Figures of the texts as files: their sizes, their words, their colours and their values."""

import math
import re

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_desktop.core.presets import PRESETS
from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.export.figure_files import figure_preview, write_figure
from pe_desktop.export.figure_sheet import Finish
from pe_desktop.views.table import FIGURES, figure_of
from tests.export.conftest import page_of, texts_of
from tests.pictures import of_kind, pixels

SIZE = re.compile('<svg width="(\\S+)in" height="(\\S+)in"')
LETTERINGS = {name: row.lettering for name, row in FIGURES.items() if row.lettering is not None}
# Inches, title, names of the axes, label of the colour bar: listings 2, 3 and 4 of the first text.
DISTANCES = "Euclidean Distances Between Different Position Sinusoidal Embeddings"
LISTINGS = {
    "printed-waves": ((14, 8), {"SE(pos, 2i)", "pos", "Value"}),
    "printed-matrix": ((16, 6), {"SE(pos, 2i)", "2i", "pos"}),
    "printed-distances": ((8, 6), {DISTANCES, "pos", "L2 Norm (Euclidean Distance)"}),
}


def picture_of(name, state=None):
    return [mark for _, _, picture in page_of(name, state or State()).parts for mark in picture]


def numbers_of(name, digits):
    """The numbers of four decimals that a figure prints."""
    return [text for text in texts_of(page_of(name, State())) if re.fullmatch(rf"−?{digits}\.\d{{4}}", text)]


@pytest.mark.parametrize("name", LISTINGS)
def test_a_figure_has_the_size_and_the_words_of_its_listing(qapp, tmp_path, name):
    inches, words = LISTINGS[name]
    assert words <= {*texts_of(page_of(name, State()))}
    assert figure_preview(name, State(), Finish("paper"), (90.0, 90.0))[1].inches == pytest.approx(inches)
    assert figure_preview(name, State(), Finish("paper"), (90.0, 90.0))[1].dots == tuple(600 * side for side in inches)
    svg = write_figure(name, State(), tmp_path / "figure.svg").path.read_text(encoding="utf-8")
    assert SIZE.findall(svg) == [tuple(map(str, inches))]
    assert f"<title>{LETTERINGS[name].title}</title>" in svg


def test_the_first_figure_names_four_curves_and_joins_the_values_at_whole_positions(qapp):
    picture = picture_of("printed-waves")
    names = [mark.text for mark in of_kind(picture, marks.Text) if mark.text.startswith("Dim")]
    assert names == ["Dim 0 (i = 0)", "Dim 1 (i = 0)", "Dim 2 (i = 1)", "Dim 3 (i = 1)"]
    curves = [mark.points for mark in of_kind(picture, marks.Polyline) if len(mark.points) == 100]
    assert len(curves) == 4
    # Heights of 0 and 1 are those of sin 0 and cos 0.
    zero, one = curves[0][0, 1], curves[1][0, 1]
    for place, points in enumerate(curves):
        wave = (math.sin, math.cos)[place % 2]
        values = [wave(t * (1.0, 0.01)[place // 2]) for t in range(100)]
        assert np.abs((points[:, 1] - zero) / (one - zero) - values).max() < 1e-9
        assert np.ptp(np.diff(points[:, 0])) < 1e-9


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_reach_the_published_ends_of_rdbu_and_purd(qapp, tmp_path, theme):
    # matplotlib: RdBu from #67001f to #053061, PuRd from #f7f4f9 to #67001f.
    images = {}
    for name, size in (("printed-matrix", (1600, 600)), ("printed-distances", (1600, 1200))):
        path = tmp_path / f"{name}.png"
        write_figure(name, State(), path, Finish(size=size, theme=theme))
        images[name] = {f"#{color & 0xFFFFFF:06x}" for color in np.unique(pixels(QImage(str(path)))).tolist()}
    assert {"#67001f", "#053061"} <= images["printed-matrix"]
    assert {"#f7f4f9", "#67001f"} <= images["printed-distances"]


def test_low_is_red_and_high_is_blue_and_positions_run_downwards(qapp, tmp_path):
    path = tmp_path / "figure.png"
    write_figure("printed-matrix", State(), path, Finish(size=(1600, 600)))
    image, scale = QImage(str(path)), 1600 / (LETTERINGS["printed-matrix"].size[0] * 99)
    [heat] = of_kind(picture_of("printed-matrix"), marks.Raster)
    for position, dimension in ((0, 1), (3, 1), (11, 0), (50, 5), (99, 64)):
        value = (math.sin, math.cos)[dimension % 2](position * 10_000 ** (-(dimension // 2) / 64))
        x = 4 + heat.x + (dimension + 0.5) / 128 * heat.width
        y = 4 + heat.y + (position + 0.5) / 100 * heat.height
        seen = image.pixelColor(int(x * scale), int(y * scale))
        assert (seen.blue() > seen.red()) == (value > 0), (position, dimension, value)


def test_cells_have_the_numbers_of_the_text_or_exact_ones(qapp):
    # Field guide S3-5, in float32: cos 0.01 is 0.9999.
    rows = [
        ["0.0000", "1.0000", "0.0000", "1.0000"], ["0.8415", "0.5403", "0.0100", "0.9999"],
        ["0.9093", "−0.4161", "0.0200", "0.9998"], ["0.1411", "−0.9900", "0.0300", "0.9996"],
        ["−0.7568", "−0.6536", "0.0400", "0.9992"],
    ]  # fmt: skip
    assert numbers_of("printed-table", r"\d") == [number for row in rows for number in row]
    state = state_of({"preset": "sequence-10"})
    table = [
        [wave(t * 10_000.0 ** (-2 * i / state.encoding.d_model)) for i in range(state.encoding.d_model // 2)
         for wave in (math.sin, math.cos)] for t in range(10)
    ]  # fmt: skip
    wanted = [f"{value:.4f}".replace("-", "−") for row in table for value in row]
    assert [number.replace("−0.0000", "0.0000") for number in numbers_of("printed-sequence-10", r"\d")] == wanted
    dots = [math.fsum(math.cos(k * 10_000 ** (-i / 256)) for i in range(256)) for k in range(8)]
    wanted = [f"{dots[abs(row - column)]:.4f}" for row in range(8) for column in range(8)]
    assert numbers_of("printed-dot-8", r"\d{3}") == wanted


@pytest.mark.parametrize("name", LETTERINGS)
def test_a_figure_of_a_text_is_that_of_its_preset_whatever_is_seen_and_panels_offer_their_own(qapp, name):
    row = FIGURES[name]
    other = state_of({"d_model": "16", "matrix.range": "seen", "similarity.measure": "cosine", "span": "3..9"})
    assert row.state(other).encoding == row.state(State()).encoding
    assert [repr(mark) for mark in of_kind(picture_of(name, other), marks.Text)] == [
        repr(mark) for mark in of_kind(picture_of(name), marks.Text)
    ]
    assert PRESETS[row.assignments["preset"]].is_figure
    assert figure_of(row.view, row.state(State())) not in LETTERINGS


def test_three_hands_stand_at_their_angles_under_the_words_of_the_text(qapp):
    picture = picture_of("printed-hands")
    words = [mark.text for mark in of_kind(picture, marks.Text)]
    assert [word for word in words if word.startswith("i =")] == ["i = 0", "i = 4", "i = 8"]
    assert {"POSITION t", "FAST DIMENSIONS RESOLVE NEIGHBOURS · SLOW ONES ENCODE REGION"} <= {*words}
    [position] = [float(word.removeprefix("t = ")) for word in words if word.startswith("t = ")]
    for omega, hand in zip((1.0, 0.1, 0.01), of_kind(picture, marks.Segments), strict=True):
        x0, y0, x, y = hand.ends[0]
        length, angle = math.hypot(x - x0, y - y0), position * omega
        assert (x - x0, y0 - y) == pytest.approx((length * math.sin(angle), length * math.cos(angle)))
