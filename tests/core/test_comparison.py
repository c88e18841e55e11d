"""Encodings side by side: which stand in a list, and in which sizes."""

from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.presets import COMPARISONS, OVERVIEW, PRESETS, chosen, common_sizes, comparison, wanted


def test_every_preset_that_is_no_figure_stands_in_a_list_and_the_paper_first_in_each():
    ids = {preset_id for some in COMPARISONS.values() for preset_id in some}
    assert ids == {preset_id for preset_id, preset in PRESETS.items() if not preset.is_figure}
    assert {some[0] for some in COMPARISONS.values()} == {"paper"}


def test_all_rows_have_the_sizes_of_the_window_but_for_half_and_odd_widths_and_bits():
    state = wanted(SinusoidalEncoding(100, 20, 500.0))
    for name in COMPARISONS:
        for row in comparison(state, state.encoding, PRESETS["paper"], name):
            own = {"Binary code": 7, "Gray code": 7, "Odd width": 21}
            width = 10 if row.title.endswith("d/2 frequencies") else own.get(row.title, 20)
            assert (row.encoding.n_positions, row.encoding.d_model) == (100, width), row.title
            base = float(row.title[5:].replace(" ", "")) if row.title.startswith("Base ") else 500.0
            assert row.encoding.parameters.get("base", base) == base


def test_an_encoding_that_no_list_holds_comes_first_and_is_told_by_what_is_its_own():
    own = SinusoidalEncoding(64, 16, 777.0, start=5.0)
    rows = comparison(wanted(own), own, None, OVERVIEW)
    assert rows[0].encoding == own
    assert rows[0].preset is None
    assert rows[0].formulas == ("PE(t, 2i) = sin((t + 5) ω_i)", "PE(t, 2i + 1) = cos((t + 5) ω_i)")
    assert rows[1].title == "Sinusoidal (paper)"
    assert len(rows) == len(COMPARISONS[OVERVIEW]) + 1
    assert rows[2].formulas == ("ω_i = 1 − i(1 − 1/777)/7",)


def test_sizes_are_those_that_a_press_on_a_row_leads_to_whatever_the_own_row_has():
    before = wanted(SinusoidalEncoding(100, 20))
    for preset_id, n_positions in (("binary", 100), ("odd-width", 100), ("distances-1000", 1000)):
        after = chosen(before, before.encoding, preset_id)
        rows = comparison(after, after.encoding, PRESETS[preset_id], "conventions")
        assert rows[0].encoding.n_positions == n_positions
        assert common_sizes(rows) == (100, 20)
