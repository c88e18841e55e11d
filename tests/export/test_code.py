"""A printed program is run by itself, and gives the numbers of the export."""

import re
from importlib.util import find_spec
from typing import Any

import mpmath  # type: ignore[import-untyped]
import numpy as np
import pytest

from pe_desktop.core import KINDS, SCHEMES, State, kind_rules, state_of
from pe_desktop.core.listings.arrays import ARRAY_CALLS
from pe_desktop.core.listings.program import LIBRARIES, largest_angle
from pe_desktop.core.rules import WordRule
from pe_desktop.core.source import arrays, cards, checks, drawn, formats, head, panels, tables, vectors
from pe_desktop.export.arrays import array_refusal, write_array
from pe_desktop.export.figures import code
from pe_desktop.files import ExportError
from tests.tables import table

OF_SENTENCE = ("inputs", "scores", "weights", "outputs", "rotated")
OF_ENCODING = tuple(what for what in ARRAY_CALLS if what not in OF_SENTENCE)
SOURCE_FILES = (arrays, cards, checks, drawn, formats, head, panels, tables, vectors)
# Encodings, number formats and schemes whose programs are run: names of the state and their values.
CHOICES = table("export/choices")
KIND_CHOICES, FORMAT_CHOICES, SCHEME_CHOICES = CHOICES["kinds"], CHOICES["formats"], CHOICES["schemes"]
SENTENCE = "the chef who had prepared the meal with great care served The dish to the guests at the long table"


def chosen_state(choice: dict[str, str]) -> State:
    return state_of({"n_positions": "40", "d_model": "12", "sentence": SENTENCE, **choice})


def result(what: str, text: str) -> Any:
    """What a program leaves in the variable of its name."""
    names: dict[str, Any] = {}
    exec(compile(text, what, "exec"), names)
    return names[what.replace("-", "_").replace(":", "_")]


def check(what: str, state: State, folder) -> None:
    refusal = array_refusal(what, state)
    if refusal:
        with pytest.raises(ExportError) as refused:
            code(what, state)
        assert refused.value.sentence == refusal
        return
    write_array(what, state, folder / f"{what}.npy", overwrite=True)
    exported = np.load(folder / f"{what}.npy")
    found = np.asarray(result(what, code(what, state)))
    assert (found.shape, str(found.dtype)) == (exported.shape, str(exported.dtype))
    np.testing.assert_allclose(found, exported, rtol=1e-12, atol=1e-12)


def test_every_kind_and_every_scheme_is_among_the_choices():
    assert {choice["kind"] for choice in KIND_CHOICES} == {*KINDS}
    assert {choice["scheme"] for choice in SCHEME_CHOICES} == {*SCHEMES}
    assert {choice.get("kind") for choice in FORMAT_CHOICES} >= {*KINDS}


PROGRAMS = [(KIND_CHOICES, OF_ENCODING), (FORMAT_CHOICES, ("encoding",)), (SCHEME_CHOICES, OF_SENTENCE)]


@pytest.mark.parametrize(
    ("choice", "given"),
    [(choice, given) for choices, given in PROGRAMS for choice in choices],
    ids=lambda value: " ".join(value.values()) if isinstance(value, dict) else value[0],
)
def test_a_program_gives_the_arrays_of_every_kind_number_format_and_scheme(choice, given, tmp_path):
    for what in given:
        check(what, chosen_state(choice), tmp_path)


@pytest.mark.parametrize("what", ARRAY_CALLS)
def test_a_program_of_the_default_state_is_short_and_imports_numpy_alone(what):
    lines = code(what, State()).splitlines()
    assert {line for line in lines if line.startswith("import ")} == {"import numpy as np"}
    assert len(lines) < 70
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("library", ["torch", "jax"])
@pytest.mark.parametrize("choice", [KIND_CHOICES[3], {"scheme": "t5"}, {"kind": "random", "scheme": "shaw"}], ids=str)
def test_programs_of_arrays_are_written_for_other_libraries(choice, library):
    chosen, state = LIBRARIES[library], chosen_state(choice)
    for what in ARRAY_CALLS:
        if not array_refusal(what, state):
            text = code(what, state, library)
            compile(text, what, "exec")
            is_missing = find_spec(chosen.module) is None
            assert text.startswith(f"# Compiled, not run: {chosen.title} is not installed here.\n") == is_missing
            assert chosen.imports[-1] in text.splitlines()
            assert set(re.findall(r"\bnp\.\w+", text)) <= {f"np.{name}" for name in dir(np)}
    with pytest.raises(ExportError, match=f"The program of the figure clock is NumPy's: {chosen.title} has those of"):
        code("clock", state, library)


def test_functions_of_programs_have_names_of_their_own():
    names = [
        name
        for file in SOURCE_FILES
        for name, found in vars(file).items()
        if getattr(found, "__module__", "") == file.__name__
    ]
    assert len(names) == len({*names}) > 90


def test_linear_spacing_loses_no_digits_to_cancellation():
    state = state_of({"spacing": "linear", "base": "1e9", "d_model": "64", "n_positions": "4"})
    with mpmath.workdps(30):
        wanted = [float(2 * mpmath.pi / (1 - i * (1 - mpmath.mpf("1e-9")) / 31)) for i in range(32)]
    np.testing.assert_allclose(result("wavelengths", code("wavelengths", state)), wanted, rtol=1e-15)


def test_the_heading_names_what_was_chosen_and_says_what_float64_loses_far_out():
    text = code("encoding", state_of({"kind": "position-map", "n_positions": "1000"}))
    assert text.startswith("# encoding: kind=position-map n_positions=1000 d_model=32 base=10000.0")
    assert "# Angles reach 998 001 radians: float64 rounds these values by up to about 2e-10." in text
    assert "Angles reach" not in code("encoding", State())
    short = state_of({"kind": "position-map", "n_positions": "4", "d_model": "32"})
    assert "# Angles reach 222 003 radians" in code("properties", short)
    assert "Angles reach" not in code("encoding", short)
    assert "# Angles reach 10 000 000 radians" in code("rotation", state_of({"offset": "1e7"}))
    assert "# Angles reach 1 000 004 radians" in code("rotated", state_of({"first_position": "1e6"}))
    assert "Angles reach" not in code("rotation", state_of({"n_positions": "100000"}))
    # Ids beyond float16 are infinite in the table and left out of the angle that is told.
    beyond = state_of({"position_ids": "float16", "n_positions": "66000", "d_model": "12"})
    assert "# Angles reach 65 504 radians" in code("encoding", beyond)


def drawn_setting(luck) -> dict[str, str]:
    """Any value of every parameter of a kind, and of the cursor and the head."""
    kind = luck.choice([*KINDS])
    setting = {"kind": kind, "n_positions": str(luck.randint(4, 40)), "d_model": str(2 * luck.randint(3, 8))}
    if kind == "odd-width":
        setting["d_model"] = str(int(setting["d_model"]) + 1)
    spread = {"base": (0.1, 9.0), "amplitude": (-5.0, 5.0), "scale": (-3.0, 3.0)}
    for name, rule in kind_rules(kind).items():
        if isinstance(rule, WordRule):
            setting[name] = luck.choice([*rule.words])
        elif name in spread:
            setting[name] = repr(10 ** luck.uniform(*spread[name]))
        elif name == "start":
            setting[name] = repr(luck.uniform(-1e4, 1e4))
        elif name == "shift":
            setting[name] = repr(luck.uniform(-1e4, 0.99 * (int(setting["d_model"]) // 2)))
        elif name in ("seed", "padding_idx"):
            setting[name] = str(luck.randint(0, 3))
    if setting.get("spacing", "geometric") != "geometric":
        setting.pop("shift", None)
    return setting | {
        "offset": repr(luck.uniform(-1e5, 1e5)),
        "scheme": luck.choice([*SCHEMES]),
        "first_position": repr(luck.uniform(0.0, 1e4)),
        "temperature": repr(luck.uniform(0.1, 3.0)),
        "slope": repr(luck.uniform(0.0, 1.0)),
        "clip": str(luck.randint(1, 9)),
        "causal": luck.choice(["true", "false"]),
    }


def test_a_program_gives_the_export_to_a_share_of_its_numbers_at_any_setting(luck, tmp_path):
    for _ in range(12):
        state = chosen_state(drawn_setting(luck))
        for what in ARRAY_CALLS:
            if array_refusal(what, state):
                continue
            write_array(what, state, tmp_path / f"{what}.npy", overwrite=True)
            exported, found = np.load(tmp_path / f"{what}.npy"), np.asarray(result(what, code(what, state)))
            assert found.shape == exported.shape
            assert np.isnan(found).tolist() == np.isnan(exported).tolist()
            found, exported = np.nan_to_num(found), np.nan_to_num(exported)
            # Frequencies and wavelengths have no angle: each is right by itself. Of others the largest one counts.
            size = np.abs(exported) if what in ("frequencies", "wavelengths") else np.abs(exported).max(initial=0.0)
            # The exponential of a score is off by the score's own rounding: that of its largest, as a share.
            scores = np.abs(np.load(tmp_path / "scores.npy")).max() if what in ("weights", "outputs") else 0.0
            rounding = 1e-12 + 8 * np.finfo(float).eps * (largest_angle(ARRAY_CALLS[what](state)) + scores)
            np.testing.assert_array_less(np.abs(found - exported), rounding * size + 1e-300, err_msg=f"{what} {state}")
