"""Learn: what it says is what the films say, and Attention shows the weights of the trained head."""

import math

import numpy as np
import pytest

from pe_desktop.core.learning.run import TRAINABLE, Run, held_out, word_vectors
from pe_desktop.core.learning.shown import scheme_title
from pe_desktop.core.learning.training import train
from pe_desktop.core.state import state_of, value_of
from pe_desktop.draw.scene import Box
from pe_desktop.views.films import Seen, _right_from, percent
from pe_desktop.views.learn.scene import page
from pe_desktop.views.table import FIGURES, VIEWS
from tests.pictures import covered_texts, text_frames, touching_texts
from tests.tables import table
from tests.views.seen import ANSWERS, drawn, places_of, rows_of, scene_of, texts_of

# Two schemes whose results don't depend on the seed, of the model's own size.
TRAINED = {"front": "learn", "learn.trains": "true", "learn.schemes": "additive alibi"}
SHORT = {"front": "learn", "learn.trains": "true", "learn.steps": "10", "learn.schemes": " ".join(TRAINABLE)}


def film(scheme: str, **fields):
    return train(Run(scheme=scheme, **fields))


def weights(inputs, learned, slope=0.0):
    """A plain loop: how much of the words up to it each word of a sentence reads, shape (n_words, n_words)."""
    queries, keys = inputs @ learned["queries"], inputs @ learned["keys"]
    found = np.zeros((len(inputs), len(inputs)))
    for t, query in enumerate(queries):
        scores = [query @ keys[s] / math.sqrt(32) - slope * (t - s) for s in range(t + 1)]
        powers = [math.exp(score - max(scores)) for score in scores]
        found[t, : t + 1] = [power / sum(powers) for power in powers]
    return found


def test_the_sentence_says_who_learns_and_never_who_cannot() -> None:
    first, *others = texts_of("learn", TRAINED, 1000.0)
    assert first == "Look 3 back: learned by Added; not learned by ALiBi."
    assert "cannot" not in " ".join(others)
    assert film("additive").accuracy[-1] > 0.99
    assert film("alibi").accuracy[-1] < 0.25
    assert VIEWS["learn"].module().sentence(state_of(TRAINED), ANSWERS) == first


@pytest.mark.parametrize(("schemes", "given", "says"), table("views/words")["what was learned"])
def test_what_is_said_of_learning_is_true_of_what_was_learned(schemes, given, says) -> None:
    shown = {**TRAINED, "learn.schemes": schemes, "learn.scheme": schemes.split()[-1], **given}
    assert says in " ".join(texts_of("learn", shown, 1300.0))


def test_rows_of_schemes_have_the_accuracies_of_the_three_lengths() -> None:
    places = places_of("learn", TRAINED)
    for scheme in ("additive", "alibi"):
        told = places[f"scheme {scheme_title(scheme)}"].value.partition("; ")[2]
        assert told == ", ".join(f"{n} words {percent(share)}" for n, share in film(scheme).by_length.items())


def test_positions_that_are_taken_away_leave_the_head_no_better_than_none() -> None:
    told = places_of("learn", TRAINED)["Added, positions taken away"].value
    # The weights of the same W_Q and W_K over words alone.
    run, learned = Run(), film("additive").at(-1)
    tested, words = held_out(run, 48), word_vectors(32)
    said = np.array([(weights(x, learned) @ x @ words.T).argmax(axis=1) for x in words[tested.words]])
    right = (said == tested.answers)[tested.is_asked].mean()
    assert told.startswith(f"48 words {percent(right)}, ")
    assert right < 0.25


def angles_of(given: dict[str, str], pair: int) -> list[float]:
    """Where a hand learned to turn and where M_-n turns it, in degrees, as the table tells them."""
    told = places_of("learn", given)[f"hand {pair}"].value.split(", ")[:2]
    return [float(part.split("°")[0].split()[-1].replace("−", "-")) for part in told]


def test_the_dial_tells_the_turns_beside_those_of_m_back_at_most_half_a_turn_away() -> None:
    for pair, learned in enumerate((-176.6, -98.1, -51.8, -25.3)):
        # The paper's hands turn by -3 omega_i.
        ideal = math.degrees(math.remainder(-3 * 10_000 ** (-2 * pair / 32), math.tau))
        # One machine rounds otherwise than another, and so do 400 steps.
        assert angles_of(TRAINED, pair) == [pytest.approx(learned, abs=3.0), pytest.approx(ideal, abs=0.05)]
        for back in "358":
            given = {**SHORT, "learn.schemes": "rope", "learn.scheme": "rope", "offset": f"-{back}"}
            one, other = angles_of(given, pair)
            assert abs(one - other) <= 180.1


def test_curves_are_copied_with_all_digits() -> None:
    rows = rows_of("learn", TRAINED)
    head = next(place for place, row in enumerate(rows) if row[0] == "step")
    assert rows[head] == ["step", "loss Added", "accuracy Added", "loss ALiBi", "accuracy ALiBi"]
    own = film("additive")
    for step in (0, 1, 5, 400):
        row = rows[head + 1 + step]
        assert row[:2] == [str(step), repr(float(own.loss[step - 1])) if step else ""]
        assert row[2] == (repr(float(own.accuracy[step // 5])) if step % 5 == 0 else "")


def test_a_step_of_the_film_moves_what_is_read_and_not_what_was_learned_in_the_end() -> None:
    places = places_of("learn", {**TRAINED, "learn.step": "30"})
    own = film("additive")
    assert places["scheme Added"].value.startswith(f"accuracy {percent(float(own.accuracy[6]))} after step 30; ")
    assert "70 %" in places["scheme Added"].value
    # Names at the ends of the curves have the values of the ends, the notes those of the step.
    assert places["accuracy"].value == f"step 30: Added {percent(float(own.accuracy[6]))}"
    assert places["loss"].value == f"step 30: Added {own.loss[29]:.2f}"
    assert f"Added {percent(own.accuracy[-1])}" in texts_of("learn", {**TRAINED, "learn.step": "30"}, 1300.0)
    first = _right_from(own)
    assert first is not None
    assert own.accuracy[first // 5] >= 0.5 > own.accuracy[first // 5 - 1]


def test_a_scheme_that_was_trained_with_two_seeds_says_how_far_they_differ() -> None:
    given = {**TRAINED, "learn.schemes": "rope", "learn.scheme": "rope", "learn.steps": "35"}
    one, two = (film("rope", n_steps=35, seed=seed).accuracy[-1] for seed in (5, 6))
    joined = " ".join(texts_of("learn", {**given, "learn.seed": "6"}, 1000.0))
    assert f"RoPE with seeds 5, 6: {percent(min(one, two))} to {percent(max(one, two))}." in joined


@pytest.mark.parametrize("change", ["removed", "added"])
def test_after_a_change_of_positions_the_loss_is_told_before_at_and_long_after_it(change) -> None:
    given = {**TRAINED, "learn.schemes": "additive", "learn.steps": "60", "learn.change": change}
    loss = film("additive", n_steps=60, change=change).loss
    joined = " ".join(texts_of("learn", given, 1000.0))
    before, peak, after = loss[50:60].mean(), loss[60:80].max(), loss[-10:].mean()
    assert f"from {before:.2f} to {peak:.2f}" in joined
    assert f"it is {after:.2f}" in joined
    assert peak > before if change == "removed" else after < before


@pytest.mark.parametrize(("given", "words"), table("views/words")["nothing is trained"])
def test_where_nothing_is_trained_a_sentence_says_why(given, words) -> None:
    assert any(words in text for text in texts_of("learn", {"front": "learn", **given}))
    assert VIEWS["learn"].module().questions(state_of({"front": "learn", **given})) == ()


@pytest.mark.parametrize(("scheme", "task"), [*zip(TRAINABLE, 4 * ("copy", "first", "repeat"), strict=True)])
def test_every_scheme_and_task_is_shown_at_every_width(scheme, task, light) -> None:
    state = state_of({**SHORT, "learn.scheme": scheme, "learn.task": task, "offset": "-8"})
    module = VIEWS["learn"].module()
    for width in (250.0, 520.0, 840.0, 1300.0):
        for is_paper in (False, True):
            height = module.height(state, ANSWERS, width, light) or 0.0
            scene = module.scene(state, ANSWERS, Box(width, height, 1.0, light, is_paper=is_paper))
            picture = drawn(scene)
            assert covered_texts(picture) == touching_texts(picture) == [], (width, is_paper)
            assert all(left >= -0.5 and right <= width + 0.5 for left, _, right, _, _ in text_frames(picture))
            names = [place.name for place in scene.places()]
            assert len(names) == len({*names})


@pytest.mark.parametrize(
    "given",
    [{"d_model": "2"}, {"n_positions": "2"}, {"kind": "counter"}, {"learn.steps": "1"}, {"trained_length": "16"}],
)
def test_small_and_unlike_tables_are_trained_too(given) -> None:
    assert " learn" in texts_of("learn", {**SHORT, "learn.schemes": "additive rope", **given}, 1000.0)[0]


def test_equal_films_make_an_equal_page_and_another_step_another_one() -> None:
    state = state_of(TRAINED)
    assert page(state, ANSWERS) == page(state, ANSWERS)
    own = film("additive")
    assert Seen(own.run, 3, own) == Seen(own.run, 3, train(own.run)) != Seen(own.run, 4, own)


def test_figures_train_before_they_are_drawn() -> None:
    for figure in ("learning", "learned-turns"):
        assert value_of(FIGURES[figure].state(state_of({})), "learn.trains")


@pytest.mark.parametrize(("scheme", "is_off"), [("additive", False), ("alibi", False), ("additive", True)])
def test_attention_shows_the_weights_of_the_trained_head_over_the_sentence(scheme, is_off) -> None:
    given = {**TRAINED, "front": "attention", "attention.back": "3", "sentence": "a b c d e f a", "scheme": scheme}
    rows = rows_of("attention", {**given, "order": "", "drops_positions": str(is_off).lower()})
    shown = np.array([[float(cell) for cell in row[1:]] for row in rows[1:8]])
    learned, table = film(scheme).at(-1), Run().encoding.values(range(7))
    x = word_vectors(32)[[0, 1, 2, 3, 4, 5, 0]]
    inputs = x + table if scheme == "additive" and not is_off else x
    assert shown == pytest.approx(weights(inputs, learned, learned.get("slope", 0.0)), abs=1e-12)
    assert not np.triu(shown, 1).any()
    if scheme == "additive" and not is_off:
        assert all(shown[t].argmax() == t - 3 for t in range(3, 7))


def test_attention_says_that_nothing_is_trained_or_after_how_many_steps() -> None:
    trained = {**TRAINED, "front": "attention", "attention.back": "3"}
    view = VIEWS["attention"].module()
    assert view.subtitle(state_of(trained), ANSWERS).startswith("Trained 400 steps to look 3 back")
    assert any("No head is trained under RoPE" in text for text in texts_of("attention", {**trained, "scheme": "rope"}))
    names = [place.name for place in scene_of("attention", trained).places()]
    assert "back to the seeded head" in names
    assert "open the sum of this score" not in names
