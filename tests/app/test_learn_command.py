"""What a person and a program learn from `pe-desktop learn`, and the matrices that are exported."""

import json

import numpy as np
import pytest

SMALL = ("--steps", "20", "--length", "12", "--set", "d_model=8")


def test_json_is_one_object_with_the_loss_of_each_step_and_the_turn_of_each_hand(answer):
    [line] = answer("learn", "--json", "--scheme", "rope", "--back", "2", "--seed", "11", *SMALL).splitlines()
    told = json.loads(line)
    keys = ("scheme", "back", "seed", "steps", "loss", "accuracy", "turns", "seconds")
    assert {*keys} <= {*told}
    assert [told[key] for key in keys[:4]] == ["rope", 2, 11, 20]
    assert len(told["loss"]) == 20
    assert [*told["accuracy"]] == ["12", "24", "48"]
    assert all(0 <= share <= 1 for share in told["accuracy"].values())
    assert [turn["pair"] for turn in told["turns"]] == [0, 1, 2, 3]
    # M_-2 turns hand i back by 2 / 10^i radians.
    ideal = [-np.degrees(2 * 10.0**-pair) for pair in range(4)]
    assert [turn["ideal"] for turn in told["turns"]] == pytest.approx(ideal, rel=1e-12)
    assert sum(turn["share"] for turn in told["turns"]) == pytest.approx(1)
    assert all(-180 <= turn["learned"] <= 180 for turn in told["turns"])
    again = json.loads(answer("learn", "--json", "--scheme", "rope", "--back", "2", "--seed", "11", *SMALL))
    assert again["loss"] == told["loss"]


def test_a_table_tells_what_is_learned_accuracies_and_the_most_used_hands(answer):
    lines = answer("learn", "--task", "repeat", "--change", "added", *SMALL).splitlines()
    assert lines[0].startswith("Added: repeat the first word, 20 steps, then positions are added, seed 0, ")
    assert lines[1] == "  Learned: W_Q and W_K, 2 × 8 × 8 numbers."
    assert [line.split()[0] for line in (*lines[3:5], lines[6])] == ["Accuracy", "Loss", "Hand"]
    assert sorted(line.split()[0] for line in lines[7:]) == ["0", "1", "2", "3"]
    assert max(map(len, lines)) <= 100
    slope = json.loads(answer("learn", "--json", "--scheme", "alibi", *SMALL))
    assert slope["turns"] == []
    assert 0 < slope["learned"]["slope"] < 0.5


def test_a_head_without_positions_at_the_end_has_no_hands_to_list(answer):
    given = ("--change", "removed", "--steps", "1", "--set", "trained_length=5", "--set", "d_model=8")
    lines = answer("learn", *given).splitlines()
    assert lines[0].startswith("Added: copy the word 3 back, 1 step, then positions are taken away, seed 0, ")
    assert lines[1] == "  Trained on 12 words, not on 5: a head is trained on 12 to 128 words."
    assert lines[-1] == "Hands        none are read: positions are taken away"
    assert json.loads(answer("learn", "--json", *given))["turns"] == []


def test_names_of_the_state_say_what_options_do_not(answer):
    told = json.loads(answer("learn", "--json", "--set", "learn.scheme=t5", "--set", "offset=-4", *SMALL))
    assert (told["scheme"], told["back"], told["encoding"]["d_model"]) == ("t5", 4, 8)
    given = ("--steps", "1", "--set", "scheme=rope")
    assert answer("learn", *given).startswith("RoPE: ")
    assert answer("learn", *given, "--set", "learn.scheme=alibi").startswith("ALiBi: ")
    assert answer("learn", *given, "--scheme", "none").startswith("None: ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--steps", "0"], "--steps must be a whole number from 1 to 2 000: 0 is not"),
        (["--scheme", "RoPE++"], "--scheme can't be rope++: did you mean rope-pp?"),
        (["--scheme", "none", "--change", "added"], "--change can't be added with the scheme none, which has no "),
        (["--set", "causal=false"], "causal can't be false here: a head is trained with a causal mask"),
        (["--set", "d_model=256"], "A head is trained where d_model is even and at most 128: 256 is not."),
        (["--length", "12.5"], "--length must be a whole number from 12 to 128: 12.5 is not"),
    ],
)
def test_bad_input_is_one_sentence(refusal, arguments, sentence):
    code, said = refusal("learn", *arguments)
    assert code == 2
    assert said.startswith(sentence)


def test_matrices_of_a_head_are_those_of_the_step_that_is_seen(tmp_path, answer, refusal):
    setting = ["learn.scheme=t5", "learn.steps=15", "d_model=8", "offset=-3"]
    given = [word for one in setting for word in ("--set", one)]
    for step, name, kept in (("0", "first", 0), ("-1", "last", 15), ("9", "before", 5)):
        for what in ("query-weights", "key-weights"):
            path = tmp_path / f"{name}-{what}.npy"
            said = answer("export", what, "-o", str(path), *given, "--set", f"learn.step={step}")
            assert f": {what}, after step {kept} of 15, 8 x 8, " in said
    generator = np.random.default_rng(0)
    for what in ("query-weights", "key-weights"):
        first, before, last = (np.load(tmp_path / f"{name}-{what}.npy") for name in ("first", "before", "last"))
        assert np.array_equal(first, generator.standard_normal((8, 8)) / np.sqrt(8))
        # After steps 5 and 15 of Adam, each at most some 0.01 long.
        assert 0.02 < np.abs(before - first).max() < 0.09
        assert 0.06 < np.abs(last - first).max() < 0.25
    for what in ("key-weights", "learning", "learned-turns", "attention"):
        assert refusal("code", what, "--set", "attention.back=3") == (
            2,
            f"{what} has no program: a training is more than a call. The command learn trains a head.",
        )
    code, said = refusal("export", "key-weights", "-o", "k.npy", "--set", "kind=odd-width", "--set", "d_model=9")
    assert (code, said.split(":")[0]) == (2, "A head is trained where d_model is even and at most 128")
