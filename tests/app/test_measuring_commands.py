"""What the commands measure, facts and learn print: lines for people, JSON for programs."""

import itertools
import json
import math
import os
import re
import signal

import numpy as np
import pytest

from pe_desktop.app import main
from pe_desktop.app.measure_command import measure_command
from pe_desktop.core import SCHEMES, PositionMapEncoding, analyse, state_of
from pe_desktop.core.facts.cards import CARDS
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES


@pytest.fixture
def measured(answer):
    """What the command says as JSON."""
    return lambda *arguments: json.loads(answer("measure", "--json", *arguments))


def test_table_has_a_line_with_room_for_the_longest_verdict_and_a_sentence_for_each_property(answer):
    lines = answer("measure", "--set", "spacing=linear", "--set", "d_model=64", "--set", "n_positions=512").splitlines()
    assert lines[0].startswith("Sinusoidal: n_positions 512, d_model 64, ")
    table = lines[lines.index("") + 1 :]
    assert [line[:16].strip() for line in table if line[0] != " "] == list(PROPERTY_NAMES.values())
    unique = next(index for index, line in enumerate(lines) if line.startswith("Unique"))
    assert lines[unique].split() == ["Unique", "Holds", "0.76013", "smallest", "distance"]
    assert lines[unique + 1].startswith("  Positions 0 and 195 are nearest, 0.7601 apart")
    assert max(map(len, lines)) <= 100
    # At 50 positions there is one tenfold of wavelength alone, with all of 16 hands in it.
    lines = answer("measure", "--set", "spacing=single", "--set", "n_positions=50").splitlines()
    assert "; the exact table, in float64" in " ".join(lines[: lines.index("")])
    assert "to tell  16 " in next(line for line in lines if line.startswith("Many scales"))


def test_json_says_the_same_with_all_digits_and_holds_the_residual_of_every_hand(measured):
    encoding = PositionMapEncoding(map="square")
    everything = measured("--set", "kind=position-map", "--set", "map=square")
    assert (everything["version"], everything["measured_in"]) == (2, "float64")
    assert everything["encoding"] == json.loads(json.dumps(encoding.parameters))
    for one, told in zip(analyse(encoding).measurements, everything["measurements"], strict=True):
        assert set(told) == {
            "key", "name", "verdict", "holds_up_to", "number", "meaning", "sentence", "measured_on", "numbers",
            "series", "wish",
        }  # fmt: skip
        assert [told[name] for name in ("key", "number", "numbers")] == [one.key, one.number, one.numbers]
        assert [told["series"][name] for name in ("x", "y")] == [one.evidence.x.tolist(), one.evidence.y.tolist()]
        assert told["verdict"] == words.VERDICTS[one.verdict]
        assert told["sentence"] == words.sentence(one).replace("\u2009", " ")
    assert sum(one["wish"] is not None for one in everything["measurements"]) == 8
    series = next(one["series"] for one in everything["measurements"] if one["key"] == "linear_shift")
    assert (series["x_name"], series["y_name"], len(series["x"])) == ("pair", "error / length", 16)


def test_schemes_are_told_when_they_are_asked_for(measured):
    assert measured("--set", "d_model=16")["schemes"] == []
    chosen = measured("--set", "d_model=16", "--set", "scheme=alibi", "--set", "slope=0.25")["schemes"]
    assert [(one["scheme"], one["parameters"]["slope"]) for one in chosen] == [("alibi", 0.25)]
    bounded = next(one for one in chosen[0]["measurements"] if one["key"] == "bounded")
    assert (bounded["verdict"], bounded["number"]) == ("Fails", pytest.approx(127 * 0.25))
    every = measured("--schemes", "--set", "preset=dog")["schemes"]
    assert [one["scheme"] for one in every] == [*SCHEMES]
    assert [[one["key"] for one in some["measurements"]] for some in every] == [
        ["shift_invariant", "bounded", "decay", "permutation"]
    ] * len(SCHEMES)
    wide = measured("--set", "preset=drope", "--set", "d_model=4098")["schemes"]
    assert (wide[0]["scheme"], wide[0]["measurements"]) == ("rope", [])
    assert wide[0]["refusal"] == "A head is computed for d_model up to 4 096: 4 098 is wider."


def test_the_table_of_schemes_follows_the_properties(answer):
    plain, out = answer("measure"), answer("measure", "--schemes", "--set", "sentence=dog")
    assert out.startswith(plain)
    lines = out.removeprefix(plain).splitlines()
    assert max(map(len, lines)) <= 100
    assert {
        "Scores, None: word_seed 0", "Scores, RoPE: pairing interleaved, rotary_share 1.0, word_seed 0",
        "Scores, T5: causal false, word_seed 0", "Scores, Shaw: clip 16, word_seed 0",
    } <= {*lines}  # fmt: skip
    assert sum(line.startswith("Order is seen") and line.endswith("Not measured") for line in lines) == len(SCHEMES)
    assert sum(line.startswith("Bounded          Fails ") for line in lines) == 3
    wide = answer("measure", "--set", "d_model=4098", "--set", "scheme=rope")
    assert "Not measured. A head is computed for d_model up to 4 096" in wide


def test_measuring_needs_no_qt_no_screen_and_only_plain_letters(command):
    program = (
        "import sys; from pe_desktop.app import main; code = main(['measure', '--json']);"
        "sys.exit(code or any(name.partition('.')[0] in {'PySide6', 'pyqtgraph'} for name in sys.modules))"
    )
    done = command(program=("-c", program), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    measurements = json.loads(done.stdout)["measurements"]
    assert len(measurements) == len(PROPERTY_NAMES)
    assert "±1" in measurements[6]["sentence"]


@pytest.mark.skipif(os.name != "posix", reason="signals of this kind are POSIX's")
@pytest.mark.usefixtures("heeded_signals")
def test_an_interrupted_measurement_ends_with_one_line(monkeypatch, capsys):
    def interrupted(encoding, report):
        def press(analysis):
            report(analysis)
            os.kill(os.getpid(), signal.SIGINT)

        return analyse(encoding, report=press)

    monkeypatch.setattr(f"{measure_command.__module__}.analyse", interrupted)
    assert main(["measure", "--set", "n_positions=10000000"]) == 130
    assert capsys.readouterr() == ("", "pe-desktop: Interrupted.\n")


def test_number_formats_are_measured_on_request_and_numbers_that_there_are_not_are_null(measured):
    assert measured()["precision"] == []
    rows = measured("--precision", "--set", "n_positions=512")["precision"]
    found = {(row["dtype"], row["form"], row["position_ids"]): row for row in rows}
    assert len(found) == len(rows) == 7
    cast = found["float32", "exp", "bfloat16"]
    assert (cast["rows_that_differ"], cast["rows_compared"]) == (385, 512)
    assert cast["first_to_share_a_row"][:2] == [[256, 257], [259, 260, 261]]
    rounded = found["bfloat16", "exp", "float64"]
    # Half a unit of the last of 8 bits below 1, and a little that float32 adds.
    assert rounded["largest_error"] == pytest.approx(2**-9, rel=0.01) == max(rounded["series"]["y"][0])
    assert rounded["rows_measured"] == 512
    assert found["float32", "rounded", "float64"]["frequency_error"] < 2**-24
    one_row = {one["key"]: one["number"] for one in measured("--set", "n_positions=1")["measurements"]}
    assert (one_row["unique"], one_row["far"], one_row["linear_shift"]) == (None, None, None)
    given = ("--set", "n_positions=65600", "--set", "d_model=4", "--set", "position_ids=float16")
    row = measured(*given)["precision"][-1]
    assert (row["largest_error"], row["overflows_from"]) == (None, 65_520)
    errors = dict(zip(row["series"]["x"], row["series"]["y"][0], strict=True))
    assert all((error is None) == (position >= 65_520) for position, error in errors.items())


def test_table_tells_number_formats_in_lines_and_a_paragraph(answer):
    text = answer("measure", "--set", "dtype=float16", "--set", "n_positions=8192")
    lines = text.replace("\u2009", " ").splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("Precision: float16: off by"))
    ids = next(line for line in lines[start:] if line.startswith("positions stored in bfloat16"))
    assert ids.split()[3:8] == ["bfloat16", "2.0", "897", "of", "8"]
    assert ids.endswith("256, 257")
    assert any("Nothing overflows" in line for line in lines)
    assert max(map(len, lines)) <= 100


def test_a_trained_length_is_read_against_the_turns_of_the_hands_and_the_base_bound(answer, measured):
    given = "--set", "d_model=128", "--set", "n_positions=16", "--set", "trained_length=4096"
    never = sum(math.tau * 10_000 ** (2 * pair / 128) > 4096 for pair in range(64))
    assert measured(*given)["trained"] == {"length": 4096, "hands": 64, "never_turned": never, "base_bound": 1707}
    line = f"Trained on 4 096 positions: {never} of 64 hands never turned once. Base bound: k = 1 707."
    assert line in answer("measure", *given).splitlines()
    fading = line.replace("Base bound", "Base bound of the turns alone")
    assert fading in answer("measure", *given, "--set", "kind=fading").splitlines()
    assert "trained" not in measured(*given[:-2])


def test_json_holds_every_card_with_source_verdict_numbers_and_parameters(answer):
    cards = json.loads(answer("facts", "--json"))["cards"]
    assert [card["key"] for card in cards] == [*sorted(CARDS, key=lambda key: CARDS[key].kind != "sinusoidal")]
    for card in cards:
        assert {"key", "source", "claim", "verdict", "measured", "parameters"} <= {*card}
        assert card["source"]["text"]
        assert card["source"]["section"]
        assert state_of(card["parameters"]).encoding.n_positions
    wu = next(card for card in cards if card["key"] == "identical-at-41")
    assert wu["verdict"] == "false"
    assert wu["source"] == {"author": "Wu", "text": "A graphical interpretation", "section": "heat map of 50"}
    assert [line["text"] for line in wu["measured"]] == [
        "0 and −0.1586", "6.525 turns: nearly opposite", "44, chord 0.0177",
    ]  # fmt: skip
    assert wu["quotation"] == CARDS[wu["key"]].quotation
    assert wu["measured"][0]["numbers"] == pytest.approx([0.0, -0.158622668804709], abs=1e-15)


def test_lines_fit_a_terminal_and_say_claim_source_and_numbers(answer):
    lines = answer("facts").splitlines()
    assert max(map(len, lines)) <= 80
    assert f"{len(CARDS)} cards" == lines[-1]
    here = lines.index("False: Distance decreases smoothly and linearly with separation.")
    assert lines[here + 1].startswith("  “the distance between")
    assert lines[here + 3 : here + 7] == [
        "  Tavares, Transformers Breakdown, 3.4 and figure 3",
        "  distance at 1 and 999                 5.15 and 28.34: it grows",
        "  steps that go down                    425 of 999",
        "  a straight line explains              66.1 %",
    ]
    assert "  - It learns positions themselves." in lines
    # "from 1 000 to 10 000" stays whole where a line ends beside it.
    broken = [pair for pair in itertools.pairwise(lines) if pair[0][-1:].isdigit() and re.match(r" +\d{3}\b", pair[1])]
    assert broken == []


def test_filters_leave_the_cards_of_a_verdict_and_of_a_text(answer):
    cards = json.loads(answer("facts", "--json", "--verdict", "open", "--text", "notes"))["cards"]
    assert [card["key"] for card in cards] == ["model-uses-positions", "endless-context"]
    assert answer("facts", "--verdict", "false", "--text", "wu").splitlines()[-1] == "1 card"
    assert answer("facts", "--verdict", "open", "--text", "wu") == "No card with these filters\n"


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
