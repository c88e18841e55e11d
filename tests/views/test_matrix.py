"""The scene of the encoding matrix, on the screen and on paper: true colours, strip, titles, places, room for texts."""

import math

import numpy as np
import pytest

from pe_desktop.core import BitsEncoding, CounterEncoding, Cursor, OddWidthEncoding, RandomEncoding, SinusoidalEncoding
from pe_desktop.core.state import State, state_of, with_name
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.model.findings import Computed
from pe_desktop.views.matrix import scene as view
from pe_desktop.views.matrix.layout import sum_sentences
from pe_desktop.views.similarity import scene as similarity
from tests.pictures import of_kind
from tests.tables import table
from tests.views.seen import box_of, scene_of, texts_in
from tests.views.test_every_view import picture_of

TURNED = {"span": "9.5..40.5", "matrix.rows": "4..8", "matrix.is_transposed": "true"}


def composed(state: State, box: Box) -> Scene:
    return view.VIEW.scene(state, Computed(), box)


def bars_of(state: State, box: Box) -> list[marks.Rectangle]:
    """The rectangles beside the plot."""
    edge = view.layout_of(state, box).area.right + 20.0
    return [mark for mark in of_kind(composed(state, box).moving, marks.Rectangle) if mark.x > edge]


@pytest.mark.parametrize("is_paper", [False, True])
@pytest.mark.parametrize("is_transposed", [False, True])
def test_cells_have_the_colours_of_their_values(theme, is_transposed, is_paper):
    state = state_of({**TURNED, "matrix.is_transposed": str(is_transposed).lower(), "position": "100", "pair": "9"})
    box = box_of(theme, is_paper=is_paper)
    image, layout = picture_of("matrix", state, box), view.layout_of(state, box)
    for position in range(10, 41, 3):
        for dimension in range(4, 8):
            angle = position * 10_000 ** (-(dimension // 2) / 16)
            wanted = theme.diverging_color(math.cos(angle) if dimension % 2 else math.sin(angle))
            x, y = layout.position_axis.place(position), layout.row_axis.place(dimension + 0.5)
            seen = image.pixelColor(int(y), int(x)) if is_transposed else image.pixelColor(int(x), int(y))
            gaps = seen.red() - wanted.red(), seen.green() - wanted.green(), seen.blue() - wanted.blue()
            assert max(map(abs, gaps)) <= 12, (position, dimension)


def test_pins_beside_the_chosen_pair_keep_their_badges_and_none_covers_another(light):
    # A pair is 140 / 16 pixels high: badges of 4 and 5 overlap in one column.
    state = state_of({"pair": "5", "pinned_pairs": "0 4 10 14"})
    badges = of_kind(composed(state, box_of(light, 640.0, 200.0)).still(), marks.Badge)
    assert {mark.label for mark in badges} == {"0", "4", "5", "10", "14"}
    assert min(math.dist((a.x, a.y), (b.x, b.y)) for place, a in enumerate(badges) for b in badges[:place]) >= 19.0
    assert min(mark.x for mark in badges) > 46.0 + 9.0


@pytest.mark.parametrize(
    ("layout", "rows"), [("interleaved", "0..4096"), ("half-split", "1000..3000"), ("interleaved", "2040..2060")]
)
def test_pairs_of_4096_dimensions_are_numbered_at_every_zoom(light, rows, layout):
    state, box = state_of({"d_model": "4096", "layout": layout, "matrix.rows": rows}), box_of(light, 900.0, 420.0)
    placed, order = view.arranged(state, box)
    numbers = [
        mark
        for mark in of_kind(composed(state, box).still(), marks.Text)
        if mark.text.replace("\u2009", "").isdigit() and 60.0 < mark.x < placed.area.x and mark.y > placed.area.y
    ]
    assert len(numbers) >= 3
    owners = order.owners
    for mark in numbers:
        row = int(placed.cell_at(placed.area.x + 1, mark.y)[1])
        # A number stands in the middle of the two rows of its pair, or of its one row.
        assert int(mark.text.replace("\u2009", "")) in owners[max(row - 1, 0) : row + 2]


@pytest.mark.parametrize(
    "encoding",
    [CounterEncoding(512, 8), SinusoidalEncoding(128, 8, amplitude=3.0), BitsEncoding(128, 9), RandomEncoding(64, 7)],
    ids=lambda encoding: encoding.kind,
)
def test_bars_of_the_strip_are_as_long_as_the_share_of_the_limit(light, encoding):
    box = box_of(light)
    bars = bars_of(State(encoding, Cursor(40.0, 8.0, 0)), box)
    half = (640.0 - 14.0 - (640.0 - 128.0) - 34.0) / 2
    values = encoding.values([40])[0]
    for bar, value in zip(bars, values.tolist(), strict=True):
        assert bar.width == pytest.approx(min(abs(value) / encoding.value_limit, 1.0) * half)


def test_under_every_row_lies_the_sum_of_the_embedding_and_the_encoding(light):
    state = with_name(State(CounterEncoding(100, 6), Cursor(50.0, 8.0, 0)), "matrix.adds_embedding", True)
    x = np.random.default_rng(0).normal(size=6)
    half, limit = (128.0 - 14.0 - 34.0) / 2, math.ceil(99 + max(abs(x)))
    assert f"+{limit}" in texts_in(composed(state, box_of(light)))
    bars = bars_of(state, box_of(light))
    for row, (plain, added) in enumerate(zip(bars[:6], bars[6:], strict=True)):
        assert plain.width == pytest.approx(half * abs(x[row]) / limit)
        assert added.width == pytest.approx(half * abs(x[row] + (50 if row == 0 else 0)) / limit)
        assert added.y == pytest.approx(plain.y + plain.height)


@pytest.mark.parametrize(("choices", "caption"), table("views/words")["strip of the matrix"])
def test_the_strip_says_what_its_marks_are(light, choices, caption):
    share = f"{100 * 4 / (np.linalg.norm(np.random.default_rng(0).normal(size=32)) + 4):.1f}"
    scene = composed(state_of(choices), box_of(light))
    assert caption.format(share) in texts_in(scene)
    [strip] = [place for place in scene.places() if place.name in ("strip", "running sum")]
    assert strip.tooltip
    assert strip.area == view.layout_of(state_of(choices), box_of(light)).strip.area


def test_sentences_say_how_much_longer_than_the_embedding_a_counter_is_and_copied_columns_where_they_are():
    seeded = np.random.default_rng(0).normal(size=128)
    x = np.linalg.norm(seeded)
    sentences = sum_sentences(CounterEncoding(512, 128), Cursor(100.0, 8.0))
    turned = []
    for u in (seeded, seeded / math.sqrt(128)):
        v = u + np.eye(128)[0] * 100
        turned.append(math.degrees(math.acos(np.dot(u, v) / np.linalg.norm(u) / np.linalg.norm(v))))
    assert sentences[0] == (
        f"PE is {100 / x:.1f} times as long as x at t = 100, {511 / x:.0f} times at t = 511; "
        f"|x| = {x:.1f}, |PE| = 100, {100 * 100 / (x + 100):.1f} % of |x| + |PE|; "
        f"adding PE turns this random word x by {turned[0]:.1f}°, without the usual √d by {turned[1]:.1f}°"
    )
    state = state_of({"n_positions": "10000000", "position": "1234567.25", "offset": "5000000"})
    assert view.VIEW.readout(state, Computed()).splitlines()[0] == "dim\tt = 1234567.25\tt + k = 6234567.25"


def test_two_columns_are_outlined_together_and_the_last_one_of_an_odd_width_alone(light):
    encoding, box = OddWidthEncoding(64, 9), box_of(light)
    for hand, first, n_rows in ((1, 2, 2), (4, 8, 1)):
        state = State(encoding, Cursor(pair=hand))
        layout = view.layout_of(state, box)
        outline = of_kind(composed(state, box).moving, marks.Rectangle)[0]
        top = layout.area.y + first * layout.row_pixels
        assert (outline.y + 1, outline.height - 2) == pytest.approx((top, n_rows * layout.row_pixels))
        assert outline.outline == light.pair_color(hand, 5)


@pytest.mark.parametrize("is_transposed", [False, True])
def test_places_are_the_rows_of_the_pair_the_cursors_and_the_cells_between_them(light, is_transposed):
    state, box = with_name(State(), "matrix.is_transposed", is_transposed), box_of(light)
    places = {place.name: place for place in composed(state, box).places()}
    layout = view.layout_of(state, box)
    assert [*places] == [
        "pair 4", "cursor t + k", "cursor t", "cell 45, 8", "cell 45, 9", "cell 37, 8", "cell 37, 9",
        *(() if is_transposed else ("strip",)), "colours",
    ]  # fmt: skip
    assert [name for name, place in places.items() if place.is_chosen] == ["pair 4"]
    assert (places["cursor t"].value, places["cursor t + k"].value) == ("37", "45")
    assert float(places["cell 37, 8"].value.replace("−", "-")) == pytest.approx(math.sin(3.7), rel=1e-15)
    along, across = layout.position_axis.place(37.0), layout.row_axis.place(8.5)
    x, y = (across, along) if is_transposed else (along, across)
    for name in ("pair 4", "cursor t", "cell 37, 8"):
        assert places[name].area.holds(x, y)
    assert not places["cell 45, 8"].area.holds(x, y)
    # Out of view there are none.
    state = state_of({"span": "60..80", "matrix.rows": "20..30", "pair": "0"})
    assert {place.name for place in composed(state, box_of(light)).places()} <= {"strip", "colours"}


def dimension_ticks(state: State, box: Box) -> dict[float, str]:
    """The numbers of the dimensions by the row in whose middle they stand."""
    layout = view.layout_of(state, box)
    edge = layout.area.bottom + 14.0 if layout.is_transposed else 46.0
    ticks: dict[float, str] = {}
    for mark in of_kind(composed(state, box).still(), marks.Text):
        across, along = (mark.y, mark.x) if layout.is_transposed else (mark.x, mark.y)
        if across == edge and mark.text != "dimension":
            ticks[round(layout.row_axis.value(along), 6)] = mark.text.replace("\u2009", "")
    return ticks


def test_dimensions_of_4096_are_those_of_the_halves_that_are_seen(light):
    state = state_of({"d_model": "4096"})
    ticks = dimension_ticks(state, box_of(light, 900.0, 420.0))
    numbers = {row: int(text.removeprefix("dim ")) for row, text in ticks.items()}
    assert len(numbers) > 8
    # Sine rows come first: row r is dimension 2 r, row 2048 + r is 2 r + 1.
    for row, number in numbers.items():
        r = round(row - 0.5)
        assert number == (2 * r if r < 2048 else 2 * (r - 2048) + 1)
    assert max(numbers.values()) == 4095


@pytest.mark.parametrize("is_transposed", [False, True])
@pytest.mark.parametrize(("rows", "is_marked"), [("0..1000", True), ("0..500", False)])
def test_a_line_marks_where_the_cosines_begin(light, is_transposed, rows, is_marked):
    names = {"d_model": "1000", "matrix.rows": rows, "matrix.is_transposed": str(is_transposed).lower()}
    state, box = state_of(names), box_of(light, 900.0, 330.0)
    layout = view.layout_of(state, box)
    at, across = layout.row_axis.place(500.0), 0 if is_transposed else 1
    ends = np.concatenate([line.ends for line in of_kind(composed(state, box).moving, marks.Segments)])
    assert bool((ends[:, [across, across + 2]] == at).all(axis=1).any()) == is_marked


def test_colours_reach_over_what_is_seen_to_both_sides_where_both_signs_are_seen_or_over_what_is_typed(light):
    state = state_of({"matrix.range": "seen", "matrix.rows": "4..5", "span": "-0.5..15.5"})
    limits = composed(state, box_of(light)).heat.field.limits
    greatest = max(abs(math.sin(t * 10_000 ** (-4 / 32))) for t in range(16))
    assert limits == pytest.approx((-greatest, greatest), rel=1e-5)
    assert limits[0] == -limits[1]
    state = state_of({"matrix.range": "seen", "matrix.rows": "30..31", "span": "-0.5..9.5"})
    limits = composed(state, box_of(light)).heat.field.limits
    assert limits == pytest.approx((0.0, math.sin(9 * 10_000 ** (-30 / 32))), rel=1e-5)
    transposed = with_name(state, "matrix.is_transposed", True)
    assert composed(transposed, box_of(light)).heat.field.limits == pytest.approx(limits)
    assert composed(with_name(state, "matrix.range", "whole"), box_of(light)).heat.field.limits == (-1.0, 1.0)
    shown = composed(state_of({"matrix.range": "0..0.5"}), box_of(light, is_paper=True))
    assert shown.heat.field.limits == (0.0, 0.5)
    assert {"≤ 0", "≥ 0.5"} <= set(texts_in(shown))
    assert "from 0 to 0.5;" in view.VIEW.explanation(state_of({"matrix.range": "0..0.5"}))


@pytest.mark.parametrize("layout", ["interleaved", "half-split", "cosine-first"])
@pytest.mark.parametrize(("amplitude", "start"), [("1", "0"), ("3", "1000.75")])
def test_terms_of_the_strip_are_cosines_whose_sum_is_the_dot_product(light, layout, amplitude, start):
    given = {"layout": layout, "amplitude": amplitude, "start": start, "d_model": "16", "offset": "-5.5"}
    state = state_of({**given, "matrix.shows_terms": "true"})
    square = float(amplitude) ** 2
    plain = [square * math.cos(-5.5 / 10_000 ** (i / 8)) for i in range(8)]
    lines = dict(line.split("\t") for line in view.VIEW.readout(state, Computed()).splitlines())
    assert [float(lines[f"hand {hand}"]) for hand in range(8)] == pytest.approx(plain, abs=1e-12 * square)
    assert float(lines["sum"]) == pytest.approx(math.fsum(plain), rel=1e-13)
    copied = similarity.VIEW.readout(with_name(state, "similarity.measure", "dot"), Computed()).splitlines()[0]
    assert lines["dot of the table"] == copied.split("\t")[1]
    assert abs(float(lines["difference"])) <= 1e-13 * 8 * square
    box = box_of(light)
    half = (128.0 - 14.0 - 34.0) / 2
    assert [bar.width for bar in bars_of(state, box)] == pytest.approx([abs(term) / square * half for term in plain])
    [line] = of_kind(composed(state, box).moving, marks.Polyline)
    middle = view.layout_of(state, box).strip.place(0.0)
    steps = np.diff(line.points[::2, 0]) / half * 8 * square
    assert steps == pytest.approx(plain, abs=1e-9)
    assert line.points[-1, 0] == pytest.approx(middle + math.fsum(plain) / (8 * square) * half)


def test_the_running_sum_is_the_number_of_the_text_and_of_columns_that_do_not_turn_that_of_their_products(light):
    state = state_of({"preset": "first-8", "position": "1", "offset": "1", "matrix.shows_terms": "true"})
    words = " ".join(texts_in(composed(state, box_of(light, 900.0))))
    assert "The 256 bars add up to 249.10210, the dot product of 1 and 2" in words
    assert "line: Σ, to ±256" in words
    assert not bars_of(state, box_of(light))
    state = state_of({"kind": "counter", "d_model": "4", "matrix.shows_terms": "true", "position": "50"})
    lines = dict(line.split("\t") for line in view.VIEW.readout(state, Computed()).splitlines())
    assert (lines["hand 0"], lines["sum"], lines["difference"]) == ("2900.0", "2900.0", "0.0")
    words = " ".join(texts_in(composed(state, box_of(light, 900.0))))
    assert "The 2 bars add up to 2 900, the dot product of 50 and 58" in words


@pytest.mark.parametrize(("n_positions", "told"), [(128, []), (1_000_000, ["1 845 positions"])])
def test_a_pixel_says_of_how_many_positions_it_is_the_mean(n_positions, told):
    # The plot is 542 pixels wide.
    texts = texts_in(scene_of("matrix", {"n_positions": str(n_positions)}, 790.0, 300.0))
    assert [text.split("mean of ")[1].split(":")[0] for text in texts if "mean of" in text] == told
