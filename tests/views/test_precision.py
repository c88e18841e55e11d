"""What the view precision shows: formats, printed numbers, and what is said about them."""

import math
import re
from collections.abc import Mapping

import numpy as np
import pytest

from pe_desktop.core import Precision, State, state_of
from pe_desktop.draw.chart import Chart, Scale
from pe_desktop.draw.flow import all_blocks
from pe_desktop.draw.plot import Axis
from pe_desktop.draw.scene import Area
from pe_desktop.model.findings import Answers
from pe_desktop.views.clock.scene import spoken
from pe_desktop.views.precision import scene, words
from pe_desktop.views.table import VIEWS
from tests.tables import table
from tests.views.seen import ANSWERS, places_of, rows_of, scene_of, texts_in, texts_of
from tests.views.test_every_view import Unknown

PRECISION = VIEWS["precision"].module()
PRINTED, FORMS = {"precision.page": "printed"}, {"precision.page": "forms"}


def texts(assignments: Mapping[str, str], *, answers: Answers = ANSWERS) -> list[str]:
    return texts_of("precision", assignments, answers=answers)


def values(state: State) -> dict[str, str]:
    return {name: place.value.replace("\u2009", " ") for name, place in places_of("precision", state).items()}


def pressed(state: State, name: str) -> Mapping[str, object]:
    """What a press in the middle of a place sets."""
    place = places_of("precision", state)[name]
    return place.changes(*place.area.middle)


def test_ids_in_smaller_formats_leave_so_many_rows_apart() -> None:
    given = {"n_positions": "2048", "position_ids": "bfloat16", "dtype": "float32"}
    assert "distinct rows 641 of 2 048," in values(state_of(given))["positions stored in bfloat16"]
    assert "256, 257 · 259, 260, 261" in texts(given)
    # Those in float16 are exact to 2048 and end at 65 520.
    assert "all 2 048" in values(state_of({"n_positions": "2048"}))["positions stored in float16"]
    assert "4 097 of 8 192" in values(state_of({"n_positions": "8192"}))["positions stored in float16"]
    overflowing = state_of({"n_positions": "70000", "d_model": "8", "dtype": "float32", "position_ids": "float16"})
    assert values(overflowing)["positions stored in float16"].startswith("largest error ∞ from 65 520")
    # Whole numbers are apart in float16 up to 2^11, in bfloat16, which is told where none is chosen, up to 2^8.
    exact = state_of({"n_positions": "3000", "d_model": "8"})
    for state, ids, first in ((overflowing, "float16", "2 048"), (exact, "bfloat16", "256")):
        said = " ".join(texts_of("precision", state, 1200.0))
        assert f"Grey: positions stored in {ids} share rows from t = {first} on." in said
        assert ("∞ where ids overflow" in said) == (state is overflowing)
    # Of a long table it is told for as many as were compared.
    state = state_of({"n_positions": "200000", "d_model": "16"})
    assert re.search("at most on 65\u2009[67].. of 200\u2009000 positions, ", PRECISION.sentence(state, ANSWERS))
    assert "distinct rows all of the first 131 072," in values(state)["float32, by exp"]


def test_the_printed_numbers_stand_beside_the_exact_ones() -> None:
    found = texts(PRINTED)
    names = [row[0] for row in rows_of("precision", PRINTED)]
    assert names.index("PE(1) · PE(80)") == names.index("PE(80) · PE(81)") + 1
    for number in ("249.10211181640625", "249.1020965576172", "117.52901458740234", "117.52900695800781"):
        # What the text prints, and what float32 gives.
        assert found.count(number) >= 2
    assert "249.10209782736297" in found
    assert {"0.9999", "0.9999499917030334", "0.9999500004166653"} <= {*found}


def numbers(assignments: Mapping[str, str]) -> dict[str, float]:
    """The named numbers of the page of printed numbers, as they are copied."""
    rows = rows_of("precision", {**assignments, **PRINTED})
    return {row[0]: float(row[1]) for row in rows if len(row) == 2 and row[1]}


def test_dot_products_at_t_and_k_and_distances_are_told_in_float32_and_how_far_they_spread() -> None:
    found = numbers({"d_model": "512", "n_positions": "82", "position": "1", "offset": "79"})
    exact = found["PE(t) · PE(t + k), exact"]
    assert exact == pytest.approx(math.fsum(math.cos(79 * 10_000 ** (-i / 256)) for i in range(256)), abs=1e-12)
    assert found["in float32, 64 sums"] == pytest.approx(exact, abs=1e-4)
    assert [found[f"the float32 {side}"] for side in ("below", "above")] == [117.52899932861328, 117.52900695800781]
    found = numbers({"d_model": "64", "n_positions": "200", "position": "1", "offset": "3"})
    exact = 2 * math.sqrt(math.fsum(math.sin(1.5 * 10_000 ** (-i / 32)) ** 2 for i in range(32)))
    assert found["distance, exact"] == pytest.approx(exact, rel=1e-14)
    # Toeplitz in exact arithmetic; in float32 a few units of the last of 24 bits.
    assert 1e-6 < found["spread over 128 t"] < 1e-4
    assert "bfloat16 entries, 64 float32 sums" in numbers({"dtype": "bfloat16"})
    for name in ("float32, differences", "float32, dot products"):
        assert found[name] == pytest.approx(exact, rel=1e-5)


def test_log_space_is_answered_and_its_numbers_stand_in_the_table() -> None:
    told = texts({"d_model": "512", "n_positions": "512", **FORMS})
    assert "1 to 9 646.6. In float32 the frequencies by exp are less accurate than those by a power" in " ".join(told)
    assert places_of("precision", FORMS)["error by pair"].area.height > 500.0
    # Rounded correctly, whatever the processor: 5.66e-7 and 8.21e-8 by mpmath in tests/core/precision.
    assert {"5.66×10⁻⁷", "8.21×10⁻⁸", "5.58×10⁻⁸"} <= {*told}


def test_curves_that_coincide_are_one_with_one_name_and_the_map_has_the_error_of_each_pair() -> None:
    state = state_of({"n_positions": "718", "dtype": "float32", "position_ids": "bfloat16"})
    chart, errors = (one for one in all_blocks(scene._errors_page(state, ANSWERS)) if isinstance(one, Chart))
    assert len({curve.y.tobytes() for curve in chart.curves}) == len(chart.curves) < 8
    assert next(curve.name for curve in chart.curves if curve.is_chosen) == "t in bfloat16"
    assert chart.band == (256.0, 718.0)
    # Every third position has a column; 261 is cast to 260.
    found = scene._pair_errors(state.encoding, Precision("float32", position_ids="bfloat16"))
    off = max(abs(wave(260.0) - wave(261.0)) for wave in (math.sin, math.cos))
    assert found[0, 87] == pytest.approx(off, abs=1e-4)
    assert errors.y.last == 15.0


def test_a_row_that_is_pressed_chooses_its_formats_and_the_plots_move_t_and_pair() -> None:
    state = state_of({"n_positions": "512"})
    assert pressed(state, "bfloat16") == {"dtype": "bfloat16", "form": "exp", "position_ids": "float64"}
    assert pressed(state, "positions stored in float16")["position_ids"] == "float16"
    assert pressed(state, "float32, by a power")["form"] == "power"
    # Half of the way along a logarithmic axis from 1 to 512.
    assert pressed(state, "error by position")["position"] == pytest.approx(math.sqrt(512), abs=1)
    # A narrow axis has three powers, too.
    scale = Scale("", 1.0, 1e6, is_logarithmic=True)
    numbers = scale.numbers(Axis(Area(0.0, 0.0, 110.0, 9.0), scale.first, scale.last, is_logarithmic=True))
    assert [tick.value for tick in numbers] == [1.0, 1e3, 1e6]
    # The error of a pair is told, and the plot of forms chooses one.
    state = state_of({"d_model": "64", "pair": "20", **FORMS})
    omega = np.float32(1) / np.power(np.float32(10_000), np.float32(20) / np.float32(32))
    error = abs(float(omega) * 10_000 ** (20 / 32) - 1)
    assert f"by a power {words.error_text(error)}" in values(state)["error by pair"]
    assert pressed(state, "error by pair") == {"pair": 16}
    assert pressed(state, "rounded at the end") == {"form": "rounded"}
    assert places_of("precision", state)["by exp"].is_chosen


@pytest.mark.parametrize(("kind", "told", "axis"), table("views/words")["precision of kinds"])
def test_other_kinds_say_what_is_compared_and_frequencies_are_those_of_pairs_or_of_columns(kind, told, axis) -> None:
    found = texts({"kind": kind, **FORMS})
    assert told in " ".join(found)
    assert {"pair i", "column"} & {*found} == {axis} - {""}
    assert not axis or bool(pressed(state_of({"kind": kind, **FORMS}), "error by pair")) == (axis == "pair i")
    # The table's own error is known in each form.
    assert "…" not in found


def test_what_is_chosen_has_a_row_of_its_own_and_float32_is_told_beside_the_exact_table() -> None:
    state = state_of({"dtype": "bfloat16", "position_ids": "bfloat16", "n_positions": "300"})
    chosen = [place.name for place in scene_of("precision", state).places() if place.is_chosen]
    assert chosen == ["bfloat16, positions stored in bfloat16"]
    # The row that is marked is in the format of the button that is pressed.
    assert [place.name for place in places_of("precision", State()).values() if place.is_chosen] == ["float64"]
    assert pressed(state, "float64") == {"dtype": "float64", "form": "exp", "position_ids": "float64"}
    # Rows are named before they are measured.
    found = texts({}, answers=Unknown())
    assert {"This table is float64, exact; float32, by exp: measuring…", "positions stored in bfloat16"} <= {*found}


def test_the_readout_has_all_digits_and_errors_in_a_column_one_number_of_them() -> None:
    rows = {line[0]: line[1:] for line in rows_of("precision", {"n_positions": "512"})}
    assert rows["positions stored in bfloat16"][1] == "385 of 512"
    assert float(rows["bfloat16"][0]) == pytest.approx(2**-9, rel=0.1)
    rows = {line[0]: line[1:] for line in rows_of("precision", PRINTED)}
    assert rows["PE(1) · PE(80)"][:2] == ["117.52901458740234", "117.52901458740234"]
    found = values(State()).items()
    errors = [text.split(", ")[0].removeprefix("largest error ") for name, text in found if "float" in name]
    assert (len(errors), errors[0]) == (8, "exact")
    assert all(re.fullmatch(r"\d\.\d×10⁻.", error) for error in errors[1:])


def test_read_outs_have_the_chosen_format_beside_the_exact_values() -> None:
    given = {"dtype": "float32", "d_model": "4", "position": "1", "offset": "1", "pinned_pairs": "1", "pair": "1"}
    titles, *rows = rows_of("matrix", given)
    assert titles == ["dim", "t = 1", "t + k = 2", "t = 1, float32", "t + k = 2, float32"]
    assert rows[3][1:4:2] == ["0.9999500004166653", "0.9999499917030334"]
    assert rows[2][4] == repr(float(np.float32(np.sin(np.float32(2) * np.exp(np.float32(-math.log(10_000) / 2))))))
    for view in ("waves", "clock"):
        titles, row = rows_of(view, given)
        assert titles[5:9] == ["sin t, float32", "cos t, float32", "sin t+k, float32", "cos t+k, float32"]
        assert row[2:7:4] == ["0.9999500004166653", "0.9999499917030334"]
    assert "float32 off by 8.7×10⁻⁹" in spoken(state_of(given), ANSWERS)

    # The exact table and factors of RoPE have no such column.
    for exact in ({"form": "power"}, {"attention.is_open": "true", "scheme": "rope", "dtype": "float32"}):
        assert len(rows_of("waves", exact)[0]) == 5
        assert not any("float" in title for title in rows_of("clock", exact)[0])
    assert rows_of("matrix", {"form": "power"}) == rows_of("matrix", {})


def test_a_column_alone_and_ids_without_a_number_are_told() -> None:
    row = rows_of("waves", {"kind": "odd-width", "d_model": "5", "dtype": "bfloat16", "pinned_pairs": "2"})[-1]
    assert row[2::2] == ["", "", "", ""]
    lost = {"n_positions": "70000", "position": "65520", "position_ids": "float16", "d_model": "4"}
    states = state_of(lost), state_of({**lost, "position": "0"})
    infinite, exact = (spoken(state, ANSWERS) for state in states)
    assert "float64, positions stored in float16 off by ∞" in infinite
    assert "off by 0" in exact
    assert "0×10" not in exact
    assert rows_of("matrix", lost)[1][3] == "nan"
    # A cell under the pointer, too.
    small = {"dtype": "float32", "d_model": "4", "n_positions": "5"}
    lines = texts_in(scene_of("matrix", small, 600.0, 400.0, pointer=(300.0, 100.0)))
    assert any(text.startswith("float32: ") and len(text) > 20 for text in lines)
