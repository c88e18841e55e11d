"""What the view rotary shows: terms, curve, map, pairings, decay and reasons."""

import numpy as np
import pytest

from pe_desktop.core import SCHEMES, state_of
from pe_desktop.core.cursor import Preview
from pe_desktop.core.scores.attention import word_vectors
from pe_desktop.core.scores.rotary import vectors_of
from pe_desktop.core.source.drawn import head_matrix
from pe_desktop.draw import marks, plot
from pe_desktop.draw.chart import Chart
from pe_desktop.draw.flow import all_blocks
from pe_desktop.draw.number_text import short
from pe_desktop.draw.scene import Box, Scene
from pe_desktop.views.rotary import reasons
from pe_desktop.views.rotary.curve import curve_block
from pe_desktop.views.rotary.scene import VIEW
from pe_desktop.views.rotary.terms import DIAL, dial_of
from tests.core.scores.loops import cell, dot, turned
from tests.pictures import of_kind, rings_of
from tests.views import seen
from tests.views.seen import ANSWERS, beside, drawn, texts_in
from tests.views.test_every_view import Unknown

AT_EIGHT_BACK = {"offset": "-8"}
CELL = {"attention.is_open": "true", "scheme": "rope", "position": "4", "offset": "-3"}


def scene_of(state, height: float = 740.0, width: float = 842.0, **given) -> Scene:
    return seen.scene_of("rotary", state, width, height, **given)


def texts(state, **given) -> list[str]:
    return texts_in(scene_of(state, **given))


@pytest.mark.parametrize("position", ["37", "100", "12.5"])
def test_the_score_at_the_end_of_the_sum_is_that_of_turned_complex_numbers(position: str) -> None:
    state = state_of({**AT_EIGHT_BACK, "position": position})
    values = {place.name: place.value.replace("−", "-") for place in scene_of(state).places()}
    bars = [float(value) for name, value in values.items() if name.startswith("pair ")]
    both = zip(vectors_of(state).both, state.cursor.both, strict=True)
    score = dot(*(turned(vector, place, "interleaved", 16) for vector, place in both)) / 32**0.5
    assert f"{score:.4f}".replace("-", "−") in texts(state)
    assert float(values["score"]) == pytest.approx(score, abs=5e-4)
    assert len(bars) == 16
    assert sum(bars) == pytest.approx(score, abs=16 * 5e-5)


@pytest.mark.parametrize(("width", "n_dials"), [(648.0, 16), (312.0, 0)])
def test_in_a_column_of_print_the_numbers_of_the_pairs_stand_alone(width: float, n_dials: int, light) -> None:
    scene = VIEW.part("terms").scene(state_of(CELL), ANSWERS, Box(width, 300.0, 1.0, light, is_paper=True))
    assert len(rings_of(drawn(scene))) == len(of_kind(scene.moving, marks.Segments)) == n_dials
    assert {"pair i", "0"} <= {*texts_in(scene)}
    # Of what is laid over the score the names of curves are left on paper, of the words that lay it there nothing.
    names = {scheme.title for scheme in SCHEMES.values()} - {"RoPE"}
    on_paper = texts(CELL | {"rotary.overlays": "t5"}, width=width, is_paper=True)
    assert (names & {*on_paper}, names & {*texts(CELL, width=width)}) == ({"T5"}, names)


def test_the_page_of_sleep_that_reads_park_has_the_numbers_of_their_cell() -> None:
    found = texts(CELL | {"pair": "3"}, width=870.0)
    assert {"sleep", "park", "1.5473", "0.595"} <= {*found}
    assert "query q of “sleep” at t = 4, key k of “park” at s = t + offset = 1" in found
    # Of pair 3: the angle between q and k, both turns, and the product.
    assert {"turned by tω = 40.8°, sω = 10.2°", "|q| |k| cos(113.9°) / √d"} <= {*found}
    assert "0.971 · 0.856 · −0.405 / 5.657 = −0.0596" in found
    assert {"✓ 1.5473", "✓ 0.8142", "✗ 1.9162", "0.12 to 2.56"} <= {*found}
    assert "no word there" in texts(CELL | {"offset": "1"})
    assert "–" in texts(CELL | {"rotary.vectors": "seeded"})


@pytest.mark.parametrize("pair", [None, 7])
def test_the_dial_shows_lightly_where_a_press_on_what_is_named_would_turn_both(pair, light) -> None:
    there = state_of(CELL | {"position": "3", "offset": "-1", "pair": str(pair or 4)})
    dial = next(place for place in scene_of(CELL).places() if place.name == DIAL)
    tips = [mark.centers[0] for mark in of_kind(drawn(scene_of(there)), marks.Dots) if mark.radius == 5.0]
    ghosts = of_kind(dial.ghosts(dial.area, Preview(3.0, -1.0, pair), light), marks.Dots)
    assert np.array([mark.centers[0] for mark in ghosts]) == pytest.approx(np.array(tips[:2]))
    assert dial.ghosts(dial.area, Preview(4.0, -3.0), light) == ()


@pytest.mark.parametrize("pair", [0, 3, 9, 15])
def test_the_angle_between_the_turned_vectors_stands_at_its_arc(pair: int, light) -> None:
    scene = scene_of(state := state_of(CELL | {"pair": str(pair)}), 900.0)
    both = zip(vectors_of(state).both, state.cursor.both, strict=True)
    query, key = (turned(vector, place, "interleaved", 16)[2 * pair :][:2] for vector, place in both)
    between = float(np.degrees(np.arccos(np.dot(query, key) / np.linalg.norm(query) / np.linalg.norm(key))))
    [name] = [mark for mark in of_kind(scene.moving, marks.Text) if mark.text == f"{between:.1f}°"]
    [arc] = [mark for mark in of_kind(scene.moving, marks.Arc) if mark.color == light.ink]
    assert abs(np.degrees(arc.turn)) == pytest.approx(between)
    assert arc.radius < np.hypot(name.x - arc.x, name.y - arc.y) < arc.radius + 45.0


@pytest.mark.parametrize("given", [{"pair": "3"}, {"pair": "250", "d_model": "512"}])
def test_a_line_leads_from_the_dial_to_the_tinted_column_of_its_pair(given, light) -> None:
    scene = scene_of(CELL | given)
    places = {place.name: place.area for place in scene.places()}
    column, dial = places[f"pair {given['pair']}"], dial_of(places[DIAL])
    *_, tint = [mark for mark in of_kind(scene.still(), marks.Rectangle) if column.holds(mark.x, mark.y)]
    [line] = [mark for mark in of_kind(scene.still(), marks.Polyline) if mark.points[-1][0] == column.middle[0]]
    assert tint.y + tint.height == pytest.approx(column.bottom)
    assert np.hypot(*(line.points[0] - (dial.x, dial.y))) == pytest.approx(dial.radius)
    assert tint.y <= line.points[-1][1] < tint.y + 5.0


@pytest.mark.parametrize(("first", "named"), [(0, Preview(50.0)), (40, Preview(50.0)), (0, Preview(None, None, 5))])
def test_the_page_of_reasons_shows_the_t_and_the_pair_under_the_pointer(first: int, named: Preview, light) -> None:
    state = state_of(CELL | {"rotary.page": "reasons", "first_position": str(first)})
    places = {place.name: place for place in scene_of(state).places()}
    shown = [*plot.ghosts(places.values(), named, light)]
    chart, ring = places["score at one offset"], places["ring 5"]
    assert ring.changes(0.0, 0.0) == {"pair": 5}
    assert ring.value == "1 turn + 49.2°"
    if named.pair is None:
        [line] = of_kind(shown, marks.Segments)
        assert chart.changes(x := line.ends[0][0], 0.0)["position"] == 50.0
        # The curve at t has the score of the words there: its axis counts as the cursor does.
        assert x == pytest.approx(chart.area.x + chart.area.width * (50.0 + first) / 127)
    else:
        [frame] = of_kind(shown, marks.Rectangle)
        assert (frame.x, frame.y) == ring.area[:2]
        chosen = [place.name for place in places.values() if place.is_chosen]
        assert chosen == ["ring 4"]


@pytest.mark.parametrize("given", [{"rotary.query": " ".join(["1"] * 32)}, {"rotary.vectors": "seeded"}])
def test_vectors_that_are_no_words_have_no_cell_and_are_of_no_word(given) -> None:
    shown = texts({**CELL, **given})
    assert {"park", "sleep"}.isdisjoint(" ".join(shown).replace(",", "").split())
    assert ("the cell" in shown, "the cell" in texts(CELL)) == (False, True)


def test_of_many_pairs_those_that_are_drawn_are_told_in_the_page_and_in_captions() -> None:
    said, given = "Drawn: pairs 0 to 23 of 257, and their part of the running sum.", CELL | {"d_model": "514"}
    assert said in " ".join(texts(given, width=330.0))
    assert all(view.explanation(state_of(given)).endswith(f". {said}") for view in (VIEW, VIEW.part("terms")))
    assert texts(given, answers=Unknown()) == ["W_Q and W_K of this wide head are read …"]


def test_pairs_that_a_partial_rotation_leaves_are_grey_and_said_to_be(light) -> None:
    scene = scene_of({"rotary_share": "0.5"})
    assert len([mark for mark in of_kind(drawn(scene), marks.Rectangle) if mark.fill == light.axis]) == 8
    assert any(text.endswith("grey: not turned") for text in texts_in(scene))


@pytest.mark.parametrize(
    ("d_model", "pair", "first", "last"),
    [("32", "0", 0, 15), ("512", "0", 0, 23), ("512", "100", 88, 111), ("512", "255", 232, 255)],
)
def test_pairs_around_the_chosen_one_have_columns_and_a_staircase_of_sums(d_model, pair, first: int, last: int) -> None:
    scene, count = scene_of({"d_model": d_model, "pair": pair, **AT_EIGHT_BACK}), last + 1 - first
    columns = [place.name for place in scene.places() if place.name.startswith("pair ")]
    assert (len(columns), columns[0], columns[-1]) == (count, f"pair {first}", f"pair {last}")
    lines = of_kind(drawn(scene), marks.Polyline)
    steps = np.abs(np.diff(next(line.points for line in lines if len(line.points) == 2 * count + 1), axis=0))
    assert (steps[::2, 0] < 1e-9).all()
    assert (steps[1::2, 1] < 1e-9).all()


def test_the_curve_over_offsets_moves_k_among_the_words_alone(light) -> None:
    """From the last of five words k goes to -4 at most; with two vectors that are no words anywhere."""
    names = {"scheme": "rope", "attention.is_open": "true", "position": "4", "offset": "-3"}
    for vectors, at_ten in (("words", {}), ("seeded", {"offset": 10.0})):
        scene = scene_of(state_of({**names, "rotary.vectors": vectors}))
        place = next(one for one in scene.places() if one.name == "score against offset")
        at = [place.area.x + (k + 32) / 64 * place.area.width for k in (-2, 10)]
        assert [place.changes(x, 0.0) for x in at] == [{"offset": -2.0}, at_ten]


def test_only_the_mixed_pairing_depends_on_where_it_is_measured(light) -> None:
    scene = scene_of(AT_EIGHT_BACK)
    assert [text[0] for text in texts_in(scene) if text[:1] in {*"✓✗"}] == ["✓", "✓", "✗"]
    assert len([mark for mark in of_kind(drawn(scene), marks.Polyline) if mark.color == light.bad]) == 1
    assert [text[0] for text in texts({"rotary_share": "0"}) if text[:1] in {*"✓✗"}] == ["✓"] * 3
    assert "nothing is mixed up" in " ".join(texts({"d_model": "2"}))
    assert all(map(texts, ({"kind": "random", "d_model": "1"}, {"n_positions": "1"}, {"sentence": ""})))


@pytest.mark.parametrize("pairing", ["interleaved", "half-split", "mixed"])
@pytest.mark.parametrize("n_positions", ["128", "16384"])
def test_only_mixed_up_terms_are_drawn_anew_where_t_moves(pairing: str, n_positions: str) -> None:
    given = {"pairing": pairing, "n_positions": n_positions, "offset": "-8"}
    scenes = [scene_of({**given, "position": t}) for t in ("40", "41", "42.25")]
    assert scenes[0].still == scenes[1].still == scenes[2].still
    bars = [mark for mark in of_kind(scenes[0].moving, marks.Rectangle) if mark.width < 25 and mark.radius == 0]
    assert (len(bars) >= 16) == (pairing == "mixed")
    assert scenes[0].still != scene_of({**given, "position": "40", "offset": "-9"}).still


@pytest.mark.parametrize("d_model", ["32", "516"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_curve_has_the_scores_of_the_cells_of_its_scheme(scheme: str, d_model: str) -> None:
    given = CELL | {"scheme": scheme, "rotary_share": "0.5", "d_model": d_model}
    state = state_of(given | {"rotary.overlays": "" if scheme == "rope" else scheme})
    (chart,) = (block for block in all_blocks(curve_block(state, ANSWERS)) if isinstance(block, Chart))
    curve = next(one for one in chart.curves if one.name.startswith(SCHEMES[scheme].title))
    wanted = cell(state_of(given).attention, state.encoding, 4, 1)
    # What lies below the plot runs along its edge.
    assert np.interp(-3.0, curve.x, curve.y) == pytest.approx(max(wanted, curve.y.min()), abs=1e-12)
    # The matrices of a wide head are read outside a frame: until then its curve is left out.
    (chart,) = (block for block in all_blocks(curve_block(state, Unknown())) if isinstance(block, Chart))
    assert (curve.name in [one.name for one in chart.curves]) == (scheme != "additive" or d_model == "32")
    assert ("Added: measuring…" in chart.note) == (scheme == "additive" and d_model == "516")


def test_the_title_of_a_figure_says_no_more_than_was_measured() -> None:
    for assignments, sentence in (
        ({}, "Turned by their positions, q and k score 1.473 at offset 8 wherever they stand"),
        ({"pairing": "mixed"}, "q and k score 0.344 at t = 37 and offset 8; elsewhere it differs"),
        ({"n_positions": "1"}, "q and k score 1.473 at t = 0 and offset 8"),
    ):
        assert VIEW.sentence(state_of(assignments | {"rotary.vectors": "seeded"}), ANSWERS) == sentence


def test_the_page_of_decay_tells_bound_and_means_at_the_distance() -> None:
    found = texts({"rotary.page": "decay", "offset": "-100"})
    assert "At distance 100" in found
    bound, alike = (
        float(beside(found, f"{name}, relative")) for name in ("bound of the paper", "mean |score|, key = query")
    )
    assert 0.1 < bound < 0.7 > alike > 0.1
    assert float(beside(found, "mean |score|, independent q, k, relative")) == pytest.approx(1.0, abs=0.1)
    score, limit = beside(found, "this |score| ≤ its bound").split(" ≤ ")
    assert float(score) <= float(limit.replace(" ", ""))
    query, key = vectors_of(cell := state_of(CELL | {"rotary.page": "decay"})).both
    assert f"|score| of {abs(query @ key) / 32**0.5:.2f}" in " ".join(texts(cell))
    zero = texts(CELL | {"rotary.page": "decay", "d_model": "2", "rotary.vectors": "typed", "rotary.query": "0 0"})
    assert "of this q and k is 0.00, their |score| 0:" in " ".join(zero)
    # The bound is the formula's, with the dimensions that stand still: here all but two pairs.
    part = state_of(CELL | {"rotary.page": "decay", "rotary_share": "0.125"})
    h = np.append(np.conj(key[:4:2] + 1j * key[1:4:2]) * (query[:4:2] + 1j * query[1:4:2]), 0.0)
    sums = [abs(sum(np.exp(3j * 10_000.0 ** (-j / 2)) for j in range(n))) for n in (1, 2)]
    limit = (np.abs(np.diff(h)).max() * sum(sums) + abs(query[4:] @ key[4:])) / 32**0.5
    assert beside(texts(part), "this |score| ≤ its bound").endswith(f" ≤ {limit:.2f}")
    for state, is_said in ((part, True), (cell, False)):
        assert ("The last sum is over the dimensions c" in " ".join(texts(state))) == is_said
    still = state_of({"rotary.page": "decay", "rotary_share": "0"})
    assert VIEW.sentence(still, ANSWERS) == "Nothing turns: a score is the same at every distance"


@pytest.mark.parametrize("d", [32, 516])
def test_the_page_of_reasons_has_numbers_for_both_and_of_added_positions_those_of_the_head(d) -> None:
    # The scores of the two words at their offset and half their range, by all pairs of places.
    state = state_of(CELL | {"n_positions": "12", "rotary.page": "reasons", "d_model": str(d)})
    places = state.encoding.values(range(12))
    w_q, w_k = (head_matrix(which, d, state.attention.word_seed) for which in (0, 1))
    x, y = word_vectors(("sleep", "park"), d, state.attention.word_seed)[:, np.newaxis]
    scores = (x + places) @ w_q @ ((y + places) @ w_k).T / d**0.5
    half = np.ptp(np.diagonal(scores, -3)) / 2
    # Pictures take the height that is left: the last words stand at the foot.
    assert max(mark.y for mark in of_kind(drawn(scene_of(state, 900.0)), marks.Text)) > 860.0
    chart = next(one for one in all_blocks(reasons.page(state, ANSWERS)) if isinstance(one, Chart))
    assert chart.curves[0].y == pytest.approx(np.diagonal(scores, -3), abs=1e-12)
    assert any(text == f"Added: the score varies by ± {short(half, 2)} along t" for text in texts(state))
    told = [getattr(block, "text", "") for block in all_blocks(reasons.page(state, Unknown()))]
    assert ("Added: measuring…" in told) == (d == 516)
    found = texts({"rotary.page": "reasons", "offset": "-8", "rotary.vectors": "seeded"})
    for start in ("Added: 38.5 % of a query is", "Added: 10 of 16 hands", "RoPE turns back: M(k)"):
        assert any(text.startswith(start) for text in found)
    random = texts({"rotary.page": "reasons", "kind": "random"})
    assert any(text.startswith("No rotation moves every position") for text in random)
