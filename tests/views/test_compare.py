"""The picture of encodings side by side: what stands in its cells, and that nothing is cut."""

from itertools import pairwise

import numpy as np
import pytest

from pe_desktop.core.measuring.measurements import analyse
from pe_desktop.core.state import state_of, with_name
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.typefaces import formula_runs, text_width
from pe_desktop.views.compare.measured import NARROWEST, cells_left, lines_of, tables
from pe_desktop.views.properties.words import PROPERTY_NAMES
from tests.pictures import covered_texts, of_kind, text_frames
from tests.tables import table
from tests.views.seen import scene_of, texts_in, texts_of
from tests.views.test_properties import Known

# Field guide, table 1.8 (d = 64, n = 512): smallest distance, deviation of the Gram matrix, shift residual, where they
# are far from rounding, to the digits that a cell shows.
ABLATIONS = table("views/compare")


def state_with(name, **changes):
    return state_of({"n_positions": "512", "d_model": "64", "compare.list": name, **changes})


def rows_of(state):
    return [line.row for line in lines_of(state)]


def agrees(text, printed):
    """Whether a cell shows what is printed with fewer digits."""
    if "×" in printed:
        return text == printed
    digits = len(printed.split(".")[1])
    return f"{round(float(text), digits):.{digits}f}" == printed


def test_ablations_show_the_numbers_of_the_table_of_ablations():
    # On paper every row has its numbers.
    scene, found = scene_of("compare", state_with("ablations"), 1300.0, is_paper=True), set()
    numbers = [mark for mark in of_kind(scene.still(), marks.Text) if mark.role == "tick"]
    cells = {place.name: place.area for place in scene.places()}
    for number, row in enumerate(rows_of(state_with("ablations")), 1):
        shown = {
            key: next(mark.text for mark in numbers if cells[f"{name} in row {number}"].holds(mark.x, mark.y))
            for key, name in PROPERTY_NAMES.items()
        }
        printed = ABLATIONS.get(row.title, ())
        found |= {row.title} if printed else set()
        for key, text in zip(("unique", "shift_invariant", "linear_shift"), printed, strict=False):
            assert text is None or agrees(shown[key], text), (row.title, key, shown[key])
    assert found == {*ABLATIONS}


@pytest.mark.parametrize("width", [0.0, 990.0, 1180.0, 1900.0])
@pytest.mark.parametrize("name", ["ablations", "naive", "conventions"])
def test_no_text_is_cut_or_reaches_into_the_next_column(name, width):
    width, state = width or NARROWEST, state_with(name)
    for shows in ("measurements", "difference"):
        scene = scene_of("compare", state_with(name, **{"compare.shows": shows}), width, 700.0)
        assert covered_texts(scene.still()) == []
        # Left, top, right and foot: of two texts in one line the next begins 4 pixels after the first.
        frames = text_frames(of_kind(scene.still(), marks.Text))
        lines = sorted(frames, key=lambda frame: (frame[1], frame[0]))
        assert all(b[0] - a[2] >= 4.0 for a, b in pairwise(lines) if a[1] == b[1]), shows
        assert all(right <= width + 0.5 and "…" not in text for *_, right, _, text in text_frames(scene.still()))
    left = cells_left(width)
    for formula in of_kind(scene_of("compare", state, width, 700.0).still(), marks.FormulaText):
        assert formula.x + formula_runs(formula.formula, formula.pixels)[1] * (1.0 - formula.across) <= left


def test_what_is_not_measured_yet_shows_three_dots_and_the_chosen_row_has_a_ground():
    state = state_of({"compare.list": "naive", "kind": "bits"})
    scene = scene_of("compare", state, 1200.0, answers=Known())
    dots = [mark for mark in of_kind(scene.still(), marks.Text) if (mark.text, mark.role) == ("…", "caption")]
    assert len(dots) == len(rows_of(state)) * len(PROPERTY_NAMES)
    ground = of_kind(scene.still(), marks.Rectangle)[0]
    head, chosen = (place for place in scene.places() if place.is_chosen)
    assert (head.name, head.value) == ("sort by hold", "the most first")
    assert "Binary code" in chosen.name
    assert chosen.area.holds(ground.x + 1.0, ground.y + 1.0)


def test_columns_and_rows_stand_by_how_many_hold_and_the_first_is_the_windows_own():
    state = state_of({"preset": "paper"})
    places, found = list(scene_of("compare", state, 1300.0).places()), {}
    for row in rows_of(state):
        for one in analyse(row.encoding).measurements:
            found[row.title, one.key] = {"holds": 1.0, "holds_up_to": 0.5}.get(one.verdict, 0.0)
    by_row = {title: sum(share for (name, _), share in found.items() if name == title) for title, _ in found}
    by_key = {key: sum(share for (_, name), share in found.items() if name == key) for key in PROPERTY_NAMES}
    heads = [place.name[8:] for place in places if place.name.startswith("sort by ") and place.name != "sort by hold"]
    shown = [by_key[next(key for key, name in PROPERTY_NAMES.items() if name == head)] for head in heads]
    assert shown == sorted(by_key.values(), reverse=True) == [8, 7, 7, 5, 4, 3.5, 3, 2, 2, 2]
    titles = [place.name.partition(": ")[2] for place in places if place.name.startswith("row ")]
    assert titles[0] == "Sinusoidal (paper)"
    assert [by_row[title] for title in titles] == [10, 9.5, 5, 5, 4, 4, 4, 2]
    assert {"3 of 8", "10", "9"} <= {*texts_of("compare", state, 1300.0)}


@pytest.mark.parametrize("key", ["unique", "norm", "bounded"])
def test_a_press_on_a_head_sorts_the_rows_by_it_and_a_second_one_turns_the_order(key):
    state, name, ranks = state_of({"preset": "paper"}), PROPERTY_NAMES[key], {}
    for row in rows_of(state):
        one = next(one for one in analyse(row.encoding).measurements if one.key == key)
        ranks[row.title] = {"holds": 1.0, "holds_up_to": 0.5}.get(one.verdict, 0.0), one.number
    for is_reversed in (False, True, False):
        head = next(place for place in scene_of("compare", state, 1300.0).places() if place.name == f"sort by {name}")
        for changed, value in head.changes(0.0, 0.0).items():
            state = with_name(state, changed, value)
        places = scene_of("compare", state, 1300.0).places()
        first, *others = [place.name.partition(": ")[2] for place in places if place.name.startswith("row ")]
        assert first == "Sinusoidal (paper)"
        heads = [(place.name, place.value) for place in places if place.is_chosen and place.name.startswith("sort by ")]
        assert heads == [(f"sort by {name}", "the least first" if is_reversed else "the most first")]
        assert [ranks[title] for title in others] == sorted((ranks[title] for title in others), reverse=not is_reversed)
        assert f"{name} {'↑' if is_reversed else '↓'}" in texts_of("compare", state, 1300.0)


def test_the_chosen_cell_is_read_over_the_rows_with_its_number_and_below_where_it_leads():
    state = state_of({"preset": "paper", "compare.row": "2", "compare.check": "far"})
    scene = scene_of("compare", state, 1300.0)
    text = " ".join(texts_in(scene))
    # Distances by plain differences of rows of both tables.
    near = rows_of(state)[1].encoding.values([0, 1, 94])
    lengths = np.linalg.norm(near[[2, 1]] - near[0], axis=1)
    assert [f"{length:.4g}" for length in lengths] == ["0.5711", "2.286"]
    assert all(f"{length:.4g}" in text for length in lengths)
    places = {place.name: place for place in scene.places()}
    assert places["reading"].value.startswith("Linear spacing, Far stays far: Holds up to N = 94. Positions 0 and 94")
    assert places["reading"].area.bottom <= places["row 1: Sinusoidal (paper)"].area.y
    assert places["Use this encoding"].changes(0.0, 0.0)["preset"] == "linear-spacing"
    assert places["Go to 0, 94"].changes(0.0, 0.0)["offset"] == 94.0


def test_turned_heads_stay_apart_and_within_the_narrowest_picture():
    width = NARROWEST
    scene = scene_of("compare", state_with("overview"), width, 700.0)
    heads = [mark for mark in of_kind(scene.still(), marks.Text) if mark.turned]
    assert len(heads) == 10
    slope = np.radians(-heads[0].turned)
    # Lines of 12 pixels stand at least so far apart across their direction.
    assert all((b.x - a.x) * np.sin(slope) > 16.0 for a, b in pairwise(heads))
    assert max(mark.x + text_width(mark.role, mark.text) * np.cos(slope) for mark in heads) < width
    assert min(mark.y - text_width(mark.role, mark.text) * np.sin(slope) for mark in heads) > 6.0


def test_the_small_table_of_a_counter_is_one_line_over_its_zero_rows(light):
    counter = state_of({"kind": "counter", "n_positions": "64", "d_model": "16"})
    question = tables(counter, Box(1300.0, 700.0, 1.0, light))[6]
    image = question.compute(counter.encoding, (64, 16), *question.arguments[2:])
    shown = [[image.pixelColor(x, y) for x in (0, 63)] for y in (0, 1, 15)]
    colors = np.array([[[color.red(), color.green(), color.blue()] for color in row] for row in shown])
    zero, most = light.diverging[[128, 256]].astype(int)
    assert np.abs(colors - [[zero, most], [zero, zero], [zero, zero]]).max() <= 2
