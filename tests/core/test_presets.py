"""Presets and lists of them: the file, the assignments they stand for, what they leave as it is, how they are told."""

import json
import math

import pytest

from pe_desktop.core import KINDS, Cursor, Encoding, SinusoidalEncoding, kind_rules, moved, presets
from pe_desktop.core.state import STATE_NAMES, State, state_of, value_of, with_name, with_preset
from pe_desktop.resources import resource_path
from tests.tables import table

TABLES = table("core/presets")
ENCODINGS = [preset_id for preset_id, preset in presets.PRESETS.items() if preset.has_encoding]
SCENES = [preset_id for preset_id in presets.PRESETS if preset_id not in ENCODINGS]
STATE = {"n_positions": "200", "d_model": "24", "base": "500"}
# Figures that draw something else than the paper's encoding.
OTHER_FIGURES = {"share-10", "share-1000", "aliasing-128", "aliasing-512"}
FIGURES = [preset.id for preset in presets.PRESETS.values() if preset.is_figure and preset.id not in OTHER_FIGURES]


def declared(**assignments: str) -> Encoding:
    return state_of(assignments).encoding


def after(encoding: Encoding, *ids: str) -> presets.Sizes:
    state = presets.Sizes(encoding)
    for preset_id in ids:
        state = presets.sizes_with(state, state.encoding, preset_id)
    return state


def without_repetition(items: list[tuple[str, object]]) -> dict[str, object]:
    assert len(dict(items)) == len(items)
    return dict(items)


def test_the_file_names_every_group_and_preset_once_and_its_lists_have_all_but_figures_the_paper_first():
    text = resource_path("presets.json").read_text(encoding="utf-8")
    data = json.loads(text, object_pairs_hook=without_repetition)
    assert [group["id"] for group in data["groups"]] == [
        *dict.fromkeys(one.group.id for one in presets.PRESETS.values())
    ]
    assert [row["id"] for group in data["groups"] for row in group["presets"]] == list(presets.PRESETS)
    assert set(data["overview"]) < set(presets.PRESETS)
    ids = {preset_id for name, some in presets.COMPARISONS.items() if name != "lengths" for preset_id in some}
    assert ids - {*presets.COMPARISONS["lengths"]} == {one for one in ENCODINGS if not presets.PRESETS[one].is_figure}
    assert {some[0] for name, some in presets.COMPARISONS.items() if name != "lengths"} == {"paper"}


@pytest.mark.parametrize("preset_id", presets.PRESETS)
def test_a_preset_of_the_file_assigns_texts_that_are_read_to_what_its_kind_the_cursor_and_the_views_have(preset_id):
    preset = presets.PRESETS[preset_id]
    assert preset.title.strip()
    assert len(preset.sentence) > 20
    seen = set(STATE_NAMES) - set(presets.ENCODING_PARAMETERS)
    assert preset.assignments.keys() <= {"kind", "convention", *kind_rules(preset.kind), *seen}
    # Only figures and sentences move the cursor, and only within the table.
    before = Cursor(3.0, -2.0, 0, (0,))
    state = with_preset(State(cursor=before), preset_id)
    cursor, encoding = state.cursor, state.encoding
    moves = {"position", "offset", "pinned_pairs"} & preset.assignments.keys()
    assert (cursor != before) == (preset.is_figure or bool(moves) or state.leads)
    assert 0 <= cursor.position < encoding.n_positions
    assert preset_id not in FIGURES or cursor.position + cursor.offset < encoding.n_positions
    assert all(pair < encoding.d_model // 2 for pair in (cursor.pair, *cursor.pinned_pairs))
    # It can be chosen where bits are as many as positions need, too.
    chosen = with_preset(state_of({"kind": "bits", "n_positions": "100", "d_model": "7"}), preset_id)
    assert chosen.preset is not None
    assert chosen.encoding.kind == "bits" or chosen.encoding.d_model == with_preset(State(), preset_id).encoding.d_model


@pytest.mark.parametrize("preset_id", TABLES["shown by texts"])
def test_a_preset_brings_what_its_text_shows(preset_id):
    """N and d as printed, the nearest two positions of the field guide 1.1 (S0-23), 1.4 (S3-18) and 1.7."""
    state = with_preset(State(), preset_id)
    for name, value in TABLES["shown by texts"][preset_id].items():
        assert value_of(state, name) == (tuple(value) if isinstance(value, list) else value)


@pytest.mark.parametrize("preset_id", [preset.id for preset in presets.PRESETS.values() if preset.is_figure])
def test_a_figure_of_a_text_shows_the_same_plots_whatever_was_seen_before(preset_id):
    changed = {
        "waves.mode": "overlay", "matrix.is_transposed": "true", "matrix.rows": "2..4", "matrix.colors": "printed",
        "matrix.adds_embedding": "true", "similarity.measure": "cosine", "similarity.rows": "2..9", "span": "3..20",
        "similarity.range": "seen", "attention.is_open": "true", "compare.is_open": "true", "scheme": "rope",
        "drops_positions": "true", "sentence": "dog bites man",
    }  # fmt: skip
    before, after = with_preset(State(), preset_id), with_preset(state_of(changed), preset_id)
    for view in ("waves", "matrix", "similarity", "attention"):
        assert getattr(after.views, view) == getattr(before.views, view)
    assert (after.span, after.encoding, after.cursor) == (None, before.encoding, before.cursor)
    assert after.views.compare.is_open == ("compare.list" in presets.PRESETS[preset_id].assignments)
    # A text shows hands that are read, though positions were off before.
    sentence = presets.PRESETS[preset_id].assignments.get("sentence", "dog bites man")
    assert (after.scheme_at_work, after.attention.sentence) == ("additive", sentence)


@pytest.mark.parametrize("preset_id", ENCODINGS)
def test_a_preset_is_what_its_assignments_give_on_the_command_line(preset_id):
    preset = presets.PRESETS[preset_id]
    # 200 positions take 8 bits.
    width = "12" if preset_id.endswith("half") else {"odd-width": "25", "binary": "8", "gray": "8"}.get(preset_id, "24")
    own = {name: text for name, text in preset.assignments.items() if name in presets.ENCODING_PARAMETERS}
    given = {"n_positions": "200", "d_model": width, **own}
    if "base" in KINDS[preset.kind]().parameters:
        given.setdefault("base", "500")
    before = declared(**STATE, convention="fairseq", start="7", scale="3")
    assert after(before, preset_id).encoding == declared(**given)
    if preset_id != "table-of-ablations":
        # After it the paper brings back the encoding with its sizes.
        paper = declared(**STATE)
        assert after(paper, preset_id, "paper").encoding == paper
        assert after(paper, preset_id, "random", "four-waves", "paper").encoding == paper


def test_bits_are_as_many_as_positions_need_and_leave_no_wish_behind():
    paper = declared(**STATE)
    bits = after(paper, "binary")
    assert (bits.encoding.d_model, bits.encoding.n_filled) == (8, 8)
    # More positions take more bits; fewer leave them, as zeros.
    longer = presets.with_parameter(bits.encoding, "n_positions", "1000")
    assert longer.d_model == 10
    assert presets.with_parameter(longer, "n_positions", "200").d_model == 10
    back = presets.sizes_with(bits, longer, "paper").encoding
    assert (back.d_model, back.n_positions) == (24, 1000)
    # Who asks for a width gets it, with its name.
    wider = presets.with_parameter(bits.encoding, "d_model", "16")
    assert bits.shown_preset(wider) is presets.PRESETS["binary"]
    assert presets.sizes_with(bits, wider, "paper").encoding.d_model == 16


@pytest.mark.parametrize("typed", ["binary", "Gray ", "tensor2tensor"])
def test_a_kind_that_is_called_by_the_id_of_a_preset_is_told_where_it_is_found(typed):
    preset_id = typed.strip().lower()
    with pytest.raises(ValueError, match=f"set preset to {preset_id}$"):
        state_of({"kind": typed})
    with pytest.raises(ValueError, match="which is a preset"):
        with_name(State(), "kind", typed)
    assert state_of({"preset": preset_id}).encoding.kind in KINDS


@pytest.mark.parametrize(("given", "ids"), TABLES["names of an encoding"])
def test_an_encoding_goes_by_every_name_that_computes_its_table(given, ids):
    assert [preset.id for preset in presets.presets_of(declared(**given))] == ids


def test_the_name_that_was_chosen_stays_while_it_computes_the_table():
    state = after(declared(), "whisper")
    for encoding in (state.encoding, presets.with_parameter(state.encoding, "n_positions", "1500")):
        assert state.shown_preset(encoding) is presets.PRESETS["whisper"]
    assert state.shown_preset(presets.with_parameter(state.encoding, "start", "1")) is None


def test_a_convention_is_written_in_its_own_form_with_the_numbers_put_in():
    mlx = declared(convention="mlx", d_model="8", base="500")
    lines = ("PE(t, i) = √(2/8) sin(t ω_i)", "PE(t, 4 + i) = √(2/8) cos(t ω_i)", "ω_i = 500^{−i/(4 − 1)}")
    assert presets.formulas_of(mlx, presets.PRESETS["mlx"]) == lines
    # Vectors of length 1 stay so at another width.
    for wide in (declared(preset="mlx", d_model="64"), presets.with_parameter(mlx, "d_model", "64")):
        assert (wide.parameters["amplitude"], presets.presets_of(wide)[0].id) == (math.sqrt(2 / 64), "mlx")
    moved = presets.with_parameter(presets.with_parameter(mlx, "start", "3"), "d_model", "64")
    assert moved.parameters["amplitude"] == math.sqrt(2 / 64)
    # With one pair no formula divides by zero.
    one = declared(d_model="2", convention="tensor2tensor")
    assert presets.formulas_of(one, presets.PRESETS["tensor2tensor"])[-1] == "ω_0 = 1"


@pytest.mark.parametrize("preset_id", SCENES)
@pytest.mark.parametrize(
    "given",
    [{}, {"n_positions": "1"}, {"kind": "odd-width", "d_model": "33"}, {"preset": "whisper"}, {"amplitude": "2"}],
)
def test_a_preset_without_an_encoding_shows_something_of_the_one_that_stands(preset_id, given):
    before = state_of(given)
    state = with_preset(before, preset_id)
    assert (state.encoding, state.sizes, state.preset) == (before.encoding, before.sizes, before.preset)
    assert state.views.workspace == ("attention" if presets.PRESETS[preset_id].group.id == "attention" else "study")
    assert state.views.front
    assert value_of(state, "scheme") == presets.PRESETS[preset_id].assignments.get("scheme", value_of(before, "scheme"))
    # A figure shows the plots again, whose hands are read; what is told of the words stays, as do t and k.
    figure = with_preset(state, "four-waves")
    assert not figure.views.workspace
    assert (figure.attention, figure.scheme_at_work) == (state.attention, "additive")


UNCHANGED = ("park", "dog", "positions-off", "three-back")


@pytest.mark.parametrize(
    "preset_id", [preset_id for preset_id in SCENES if "order" in presets.PRESETS[preset_id].assignments]
)
def test_the_moved_words_of_a_text_are_its_other_sentence_and_outputs_differ_where_it_says_so(preset_id):
    attention = with_preset(State(), preset_id).attention
    assert " ".join(attention.words[place] for place in attention.places) == TABLES["moved words"][preset_id]
    difference = moved(attention, declared()).difference
    assert (difference < 1e-12) == (preset_id in UNCHANGED)
    assert difference > 0.1 or preset_id not in ("chef", "drope")


def test_all_rows_have_the_sizes_of_the_window_but_for_half_and_odd_widths_and_bits():
    state = presets.Sizes(SinusoidalEncoding(100, 20, 500.0))
    for name in set(presets.COMPARISONS) - {"lengths"}:
        for row in presets.comparison(state, state.encoding, presets.PRESETS["paper"], name):
            own = {"Binary code": 7, "Gray code": 7, "Odd width": 21}
            title = row.title.removesuffix(", base 500")
            width = 10 if title.endswith("d/2 frequencies") else own.get(title, 20)
            assert (row.encoding.n_positions, row.encoding.d_model) == (100, width), row.title
            base = float(title[5:].replace(" ", "")) if title.startswith("Base ") else 500.0
            assert row.encoding.parameters.get("base", base) == base
            # A base that isn't the paper's is told where the name says none.
            assert (title != row.title) == (base == 500.0 and "base" in row.encoding.parameters)


def test_an_encoding_that_no_list_holds_comes_first_and_is_told_by_what_is_its_own():
    own = SinusoidalEncoding(64, 16, 777.0, start=5.0)
    rows = presets.comparison(presets.Sizes(own), own, None, presets.OVERVIEW)
    assert rows[0].encoding == own
    assert rows[0].preset is None
    assert rows[0].formulas == ("PE(t, 2i) = sin((t + 5) ω_i)", "PE(t, 2i + 1) = cos((t + 5) ω_i)")
    assert rows[1].title == "Sinusoidal (paper), base 777"
    assert len(rows) == len(presets.COMPARISONS[presets.OVERVIEW]) + 1
    assert rows[2].formulas == ("ω_i = 1 − i(1 − 1/777)/7",)
