"""Pages of code: what they show is what runs, and numbers are those of the texts."""

import builtins
from importlib.util import find_spec
from symtable import symtable
from typing import Any

import numpy as np
import pytest

from pe_desktop.core.listings.texts import broadcast_agreement, distance_costs, module_listing, session
from pe_desktop.core.state import state_of
from pe_desktop.draw.marks import Rectangle, Text
from pe_desktop.draw.scene import Area
from pe_desktop.views.code.page import Program, _rows_of
from pe_desktop.views.table import VIEWS
from tests.views.seen import ANSWERS, places_of, scene_of, texts_of

PAGES = ("now", "listing-1", "listing-4", "repl", "forward")
# What "Sinusoidal Embeddings (notes)" prints for 5 tokens and 4 dimensions.
PRINTED = [
    ["0.0000", "1.0000", "0.0000", "1.0000"],
    ["0.8415", "0.5403", "0.0100", "0.9999"],
    ["0.9093", "-0.4161", "0.0200", "0.9998"],
    ["0.1411", "-0.9900", "0.0300", "0.9996"],
    ["-0.7568", "-0.6536", "0.0400", "0.9992"],
]


def program_of(**given: str) -> str:
    """What a page of a state gives away."""
    state = state_of({name.replace("__", "."): text for name, text in given.items()})
    return VIEWS["code"].module().readout(state, ANSWERS)


def unknown_names(program: str) -> set[str]:
    """Global names that are read and nowhere made."""
    tables = [symtable(program, "", "exec")]
    made = {one.get_name() for one in tables[0].get_symbols() if one.is_assigned() or one.is_imported()}
    for table in tables:
        tables += table.get_children()
    read = {
        one.get_name() for table in tables for one in table.get_symbols() if one.is_global() and one.is_referenced()
    }
    return read - made - {*dir(builtins)}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("kind", ["sinusoidal", "random", "bits"])
def test_the_program_that_a_page_gives_away_knows_all_its_names(name, kind):
    program = program_of(code__page=name, kind=kind)
    assert unknown_names(program) == set()


@pytest.mark.parametrize("name", ["now", "listing-4", "forward"])
def test_programs_of_numpy_run(name):
    names: dict[str, np.ndarray] = {}
    state = state_of({"code.page": name, "n_positions": "20", "d_model": "6"})
    exec(VIEWS["code"].module().readout(state, ANSWERS), names)
    table = state.encoding.values(range(20))
    if name == "now":
        np.testing.assert_allclose(names["encoding"], table, atol=1e-13)
    elif name == "listing-4":
        distances = np.linalg.norm(table[:, None] - table, axis=2)
        np.testing.assert_allclose(names["distance"], distances, atol=1e-12)
    else:
        assert names["forward"].shape == (3, 6, 8, 8)
        np.testing.assert_allclose(names["forward"][1, :, 5, 2], table[10], atol=1e-13)
        np.testing.assert_allclose(names["forward"][2, :, 0, 0], table[19], atol=1e-13)


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
def test_the_module_of_listing_1_runs_and_gives_a_vector_for_each_image():
    state = state_of({"n_positions": "100", "d_model": "4"})
    names: dict[str, Any] = {}
    exec(module_listing(state.encoding), names)
    np.testing.assert_allclose(names["listing_1"].numpy(), state.encoding.values(range(100)), atol=1e-5)
    assert tuple(names["module"](names["torch"].tensor([3, 7])).shape) == (2, 4, 1, 1)


def test_every_step_has_the_shape_and_the_columns_that_it_makes_and_ends_in_what_the_text_prints():
    steps = session(4, 10_000.0)
    assert [step.shape for step in steps] == [(5, 4), (5,), (5, 1), (2,), (5, 4), (5, 4), (1, 5, 4)]
    assert [step.new for step in steps[4:6]] == [(0, 2), (1, 3)]
    assert np.count_nonzero(steps[4].values[:, 1::2]) == 0
    assert steps[3].values.tolist() == [[1.0, pytest.approx(0.01, rel=1e-6)]]
    assert [[f"{value:.4f}" for value in row] for row in steps[5].values.tolist()] == PRINTED


def test_a_chosen_step_shows_its_line_and_a_press_on_a_chip_leads_there():
    given = {"code.page": "repl", "code.step": "5"}
    assert any(text.startswith(session(4, 10_000.0)[5].line[:8]) for text in texts_of("code", given, 760.0))
    chips = [place for name, place in places_of("code", given).items() if name.startswith("step ") and place.sets]
    assert [(place.sets, place.is_chosen) for place in chips] == [({"code.step": n}, n == 5) for n in range(7)]


def test_the_broadcast_of_the_text_takes_four_gigabytes_and_the_offsets_take_a_thousandth():
    assert distance_costs(1000, 1000) == (4_000_000_000, 4_000_000, 8_000)
    assert {"4.0 GB", "4.0 MB", "2.1 MB"} <= {*texts_of("code", {"code.page": "listing-4"}, 760.0)}


@pytest.mark.parametrize("kind", ["sinusoidal", "bits", "position-map"])
def test_broadcast_and_the_other_way_agree_to_rounding(kind):
    n_compared, apart = broadcast_agreement(state_of({"kind": kind}).encoding)
    assert n_compared == 64
    assert apart < 1e-13


def test_three_defects_are_marked_and_told(light):
    scene = scene_of("code", {"code.page": "listing-1"}, 760.0)
    red = [mark for mark in scene.still() if isinstance(mark, Rectangle) and mark.fill == light.bad]
    told = " ".join(texts_of("code", {"code.page": "listing-1"}))
    assert len(red) == 4
    assert all(name in told for name in ("ModuleNotFoundError", "time_steps", "Neither torch nor math"))
    # Lines that replace a defect have a tooltip that says what it was.
    marked = [place.value for place in scene.places() if place.tooltip.startswith("In place of")]
    assert marked[:3] == ["import math", "import torch", "from torch import nn"]


@pytest.mark.parametrize("kind", ["sinusoidal", "random", "bits"])
def test_what_the_program_computes_stands_beside_it(kind):
    given = {"kind": kind, "n_positions": "100000", "d_model": "32"}
    place = places_of("code", given)["row 3 of the first rows"]
    row = state_of(given).encoding.values([3])[0].tolist()
    assert place.value.split() == [f"{value:.4f}" for value in row[:16]]
    assert "in the first 2 048 rows" in " ".join(texts_of("code", given))


def test_every_line_of_a_program_is_a_place_with_its_text():
    places = places_of("code", {})
    for number, line in enumerate(program_of().splitlines(), 1):
        assert not line or places[f"program, line {number}"].value == line.strip()


@pytest.mark.parametrize("width", [280.0, 500.0, 900.0])
def test_wrapped_rows_lose_no_letter(width):
    program = program_of(kind="random")
    whole = "".join(program.split())
    assert "".join("".join(row.text.split()) for row in _rows_of(program, width)) == whole


def test_wrapped_comments_and_strings_keep_their_colour(light):
    program = "# one two three four five six\ntotal = 1  # seven eight nine ten eleven twelve\nother = 2"
    program += '\n"""thirteen fourteen fifteen sixteen\nseventeen"""\nlast = 3'
    drawn = [mark for mark in Program("", program).draw(Area(0.0, 0.0, 230.0, 0.0), light) if isinstance(mark, Text)]
    said = {word: mark.color.name() for mark in drawn for word in mark.text.split()}
    assert len(_rows_of(program, 230.0)) > 5
    assert {said[word] for word in ("one", "six", "seven", "nine", "twelve")} == {light.text3.name()}
    assert {said[word] for word in ('"""thirteen', "sixteen", 'seventeen"""')} == {light.ok.name()}
    assert {said[word] for word in ("total", "other", "last")} == {light.text.name()}


def test_forward_gives_every_cell_of_a_plane_the_value_of_its_channel():
    values = places_of("code", {"code.page": "forward"})["image 1, t = 10"].value
    assert float(values.split(", ")[1]) == pytest.approx(np.cos(10.0), abs=1e-15)
