"""Arrays and figures of every kind of encoding: each is written right, or refused in one sentence."""

import numpy as np
import pytest

from pe_desktop.core.cursor import Cursor, fitted_cursor
from pe_desktop.core.kinds import KINDS, switched
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import themes
from pe_desktop.export.arrays import ARRAYS, write_array
from pe_desktop.export.figure_page import drawn
from pe_desktop.export.figure_sheet import PURPOSES, sheet_for
from pe_desktop.export.figures import write_figure
from pe_desktop.files import ExportError
from pe_desktop.model.findings import Computed
from pe_desktop.views.clock.scene import scene, sentence
from pe_desktop.views.table import FIGURES

OTHERS = [kind for kind in KINDS if kind != "sinusoidal"]
NEED_A_SHIFT_MATRIX = {"rotation", "lags"}
NEED_PAIRS = {"hands", "frequencies", "wavelengths"} | NEED_A_SHIFT_MATRIX


def encoding_of(kind):
    return switched(SinusoidalEncoding(30, 8), kind)


def is_refused(what, encoding):
    return what in NEED_A_SHIFT_MATRIX or (what in NEED_PAIRS and encoding.pairs is None)


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("what", ARRAYS)
def test_arrays_of_every_kind_are_written_or_refused(tmp_path, kind, what):
    encoding, path = encoding_of(kind), tmp_path / "a.npy"
    if is_refused(what, encoding):
        with pytest.raises(ExportError, match=r"^The .* Nothing was written\.$"):
            write_array(what, encoding, Cursor(), path)
        assert list(tmp_path.iterdir()) == []
        return
    write_array(what, encoding, Cursor(), path)
    written, table = np.load(path), encoding.values(range(30))
    if what == "encoding":
        np.testing.assert_array_equal(written, table)
    elif what == "hands":
        np.testing.assert_array_equal(written, table[:, encoding.pairs.columns])
    elif what == "distance":
        wanted = [[np.sqrt(((row - other) ** 2).sum()) for other in table] for row in table]
        np.testing.assert_allclose(written, wanted, atol=1e-12)
    elif what in ("dot", "cosine"):
        lengths = np.sqrt((table**2).sum(axis=1))
        with np.errstate(invalid="ignore"):
            wanted = table @ table.T / (np.outer(lengths, lengths) if what == "cosine" else 1)
        np.testing.assert_allclose(written, wanted, atol=1e-12)
    else:
        omegas = 10000.0 ** (-np.arange(4) / 4)
        np.testing.assert_allclose(written, omegas if what == "frequencies" else 2 * np.pi / omegas)


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("what", FIGURES)
def test_figures_of_every_kind_are_drawn(qapp, tmp_path, kind, what):
    encoding, path = encoding_of(kind), tmp_path / "f.svg"
    cursor = fitted_cursor(Cursor(), encoding)
    assert write_figure(what, State(encoding, cursor), path, size=(400, 300)).n_bytes > 1000
    text = path.read_text(encoding="utf-8")
    assert f"kind = {kind}" in text


def test_the_clock_of_32_bits_and_of_32_numbers_has_all_its_columns_on_paper_and_on_a_slide(qapp):
    for kind, figure, words in (("bits", "clock", "bit"), ("bits", "dials", "bit"), ("random", "clock", "dim")):
        for purpose in PURPOSES:
            sheet = sheet_for(purpose, FIGURES[figure].paper_height)
            height = sheet.height - 2 * sheet.margin - sheet.title_height
            box = Box(sheet.width - 2 * sheet.margin, height, 1.0, themes()["light"], is_paper=True)
            shown = drawn(scene(State(KINDS[kind](128, 32)), Computed(), box), box)
            texts = [mark.text for mark in shown if isinstance(mark, marks.Text)]
            named = [text.split(" = ")[0] for text in texts if text.startswith(words)]
            assert named == [f"{words} {column}" for column in range(32)]
            assert not any("no room" in text for text in texts)


def test_the_clock_beside_the_binary_code_says_what_it_shows():
    for encoding, position, words in (
        (SinusoidalEncoding(), 37.0, "16 hands and 7 bits show position 37"),
        (SinusoidalEncoding(2, 2), 0.0, "1 hand and 1 bit show position 0"),
        (KINDS["bits"](128, 32), 37.0, "Binary code: 32 columns show position 37"),
    ):
        assert sentence(FIGURES["clock-binary"].state(State(encoding, Cursor(position))), Computed()) == words


def test_units_of_a_position_map_are_mapped_positions(tmp_path):
    for what, unit in (("frequencies", "radians per mapped position"), ("wavelengths", "mapped positions")):
        write_array(what, encoding_of("position-map"), Cursor(), tmp_path / f"{what}.csv")
        assert f"({unit})" in (tmp_path / f"{what}.csv").read_text().splitlines()[0]


def test_lags_of_longer_hands_hold_their_squares(tmp_path):
    encoding = SinusoidalEncoding(20, 8, start=3.0, amplitude=2.0)
    write_array("lags", encoding, Cursor(), tmp_path / "l.npy")
    table = encoding.values(range(20))
    dots = table[0] @ table.T
    wanted = np.stack([dots, dots / 16, np.linalg.norm(table - table[0], axis=1)], axis=1)
    np.testing.assert_allclose(np.load(tmp_path / "l.npy"), wanted, atol=1e-12)
