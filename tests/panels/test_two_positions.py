"""The comparison of t with t + k: how often the table is asked while the cursor moves, and what is shown meanwhile."""

import math
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.measure.distance_law import distance_law
from pe_desktop.core.state import State
from pe_desktop.draw.marks import Text
from pe_desktop.draw.theme import themes
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels import two_positions
from pe_desktop.panels.properties_pages import PropertiesPages

NARROW, WIDE = 32, two_positions.MOST_VALUES_PER_FRAME // two_positions.N_ROWS + 2
WIDTH, HEIGHT = 640.0, 900.0


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[float]]:
    """The rows of the table that the window's thread has asked for, call by call."""
    calls: list[list[float]] = []
    values = SinusoidalEncoding.values

    def counted(self, positions, dimensions=None):
        # The model measures beside it, on its own thread.
        if threading.current_thread() is threading.main_thread():
            calls.append(np.atleast_1d(positions).tolist())
        return values(self, positions, dimensions)

    monkeypatch.setattr(SinusoidalEncoding, "values", counted)
    return calls


@pytest.fixture
def open_pages(qapp: QApplication) -> Iterator[Callable[[int], tuple[EncodingModel, PropertiesPages]]]:
    """Both pages of a table of some width that compare t with t + k."""
    models: list[EncodingModel] = []

    def open_now(d_model: int) -> tuple[EncodingModel, PropertiesPages]:
        model = EncodingModel(State(SinusoidalEncoding(128, d_model)))
        models.append(model)
        pages = PropertiesPages(model)
        pages.distance.law = distance_law(SinusoidalEncoding(128, 8))
        for page in (pages.collisions, pages.distance):
            page.resize(int(WIDTH), int(HEIGHT))
            page.show_theme(themes()["light"])
        return model, pages

    yield open_now
    for model in models:
        model.close()


def said(pages: PropertiesPages) -> str:
    """What both pages say when they are painted."""
    pictures = (*pages.collisions.moving_picture(WIDTH, HEIGHT), *pages.distance.moving_picture(WIDTH, HEIGHT))
    return " ".join(mark.text for mark in pictures if isinstance(mark, Text))


def test_ten_frames_of_both_pages_evaluate_each_row_once(open_pages, asked) -> None:
    model, pages = open_pages(NARROW)
    asked.clear()
    for step in range(10):
        model.move_cursor(position=float(step))
        said(pages)
        said(pages)
    # Rows 0 and k are kept as long as k stays.
    assert asked == [[0.0, 8.0, 0.0, 8.0], *([float(t), t + 8.0] for t in range(1, 10))]
    model.move_cursor(offset=9.0)
    said(pages)
    assert asked[10:] == [[9.0, 18.0, 0.0, 9.0]]


def test_a_wide_table_is_not_evaluated_while_the_cursor_moves_and_once_when_it_rests(open_pages, asked, qtbot) -> None:
    model, pages = open_pages(WIDE)
    assert "What tells 37 from 45" in said(pages)
    asked.clear()
    for step in range(10):
        model.move_cursor(position=40.0 + step)
        text = said(pages)
        assert "What tells 37 from 45" in text
        assert "Share in the distance 37 to 45" in text
    assert asked == []
    assert not pages.two.is_settled
    with qtbot.waitSignal(pages.two.changed):
        pass
    assert "What tells 49 from 57" in said(pages)
    assert asked == [[49.0, 57.0]]
    assert pages.two.is_settled


def test_a_wide_table_is_compared_at_once_for_who_asks_for_the_cursor_as_it_is(open_pages) -> None:
    model, pages = open_pages(WIDE)
    said(pages)
    model.move_cursor(position=50.0, offset=3.0)
    said(pages)
    distance = math.sqrt(sum(4 * math.sin(1.5 * 10000 ** (-2 * i / WIDE)) ** 2 for i in range(WIDE // 2)))
    found = pages.two.settled()
    assert found.apart.distance == pytest.approx(distance, rel=1e-12)
    assert (found.turn.length, found.turn.other_length) == pytest.approx((distance, distance), rel=1e-12)
    assert "Share in the distance 50 to 53" in said(pages)


def test_another_encoding_is_compared_at_once(open_pages) -> None:
    model, pages = open_pages(WIDE)
    said(pages)
    model.set_encoding(SinusoidalEncoding(128, WIDE, base=50.0))
    chord = abs(2 * math.sin(8 * 50.0 ** (-2 / WIDE) / 2))
    assert pages.two.comparison().apart.chords[1] == pytest.approx(chord, rel=1e-12)
