"""What libraries compute, each by a loop of its own, against the convention of its name."""

import math
from contextlib import nullcontext

import numpy as np
import pytest

from pe_desktop.core import CONVENTIONS, RandomEncoding, SinusoidalEncoding, presets_of, with_convention
from pe_desktop.core.listings.program import by_name
from pe_desktop.core.presets import PRESETS, formulas_of
from pe_desktop.core.state import state_of, with_preset

N, D, H = 40, 16, 8
ERROR = 2e-14  # of the loops, whose angles are rounded products


def paper(t, c):
    return (math.cos if c % 2 else math.sin)(t / 10000 ** (2 * (c // 2) / D))


def tensor2tensor(t, c):
    rate = math.exp(-(c % H) * math.log(10000.0 / 1.0) / max(H - 1, 1))
    return math.sin(t * rate) if c < H else math.cos(t * rate)


def fairseq(t, c):
    rate = math.exp((c % H) * -(math.log(10000) / (H - 1)))
    padding_idx = 1
    angle = (padding_idx + 1 + t) * rate
    return math.sin(angle) if c < H else math.cos(angle)


def marian(t, c):
    # A table by j // 2 whose even columns become the sines, then its odd ones the cosines.
    sentinel = D // 2
    source = 2 * c if c < sentinel else 2 * (c - sentinel) + 1
    angle = t / 10000 ** (2 * (source // 2) / D)
    return math.sin(angle) if c < sentinel else math.cos(angle)


def whisper(t, c):
    inverse = math.exp(-(math.log(10000) / (D // 2 - 1)) * (c % H))
    return math.sin(t * inverse) if c < H else math.cos(t * inverse)


def diffusers(t, c, *, flip_sin_to_cos=True, downscale_freq_shift=0.0, scale=1.0):
    angle = scale * t * math.exp(-math.log(10000) * (c % H) / (H - downscale_freq_shift))
    is_sine = (c < H) != flip_sin_to_cos
    return math.sin(angle) if is_sine else math.cos(angle)


def diffusers_function(t, c):
    return diffusers(t, c, flip_sin_to_cos=False, downscale_freq_shift=1.0)


def mlx(t, c, *, min_freq=1e-4, max_freq=1.0, full_turns=False, cos_first=False):
    one_zero = 1 - (c % H) / (H - 1)
    sigma = math.exp(one_zero * (math.log(max_freq) - math.log(min_freq)) + math.log(min_freq))
    angle = t * sigma * (2 * math.pi if full_turns else 1)
    return (2 / D) ** 0.5 * (math.sin(angle) if (c < H) != cos_first else math.cos(angle))


def musicgen(t, c):
    angle = t * math.exp((c % H) * -(math.log(10000) / (H - 1)))
    return math.cos(angle) if c < H else math.sin(angle)


def keras(t, c):
    angle = t * (1 / 10000) ** (2 * (c // 2) / D)
    return math.sin(angle) * (1 - c % 2) + math.cos(angle) * (c % 2)


LOOPS = by_name((paper, tensor2tensor, fairseq, marian, whisper, diffusers, diffusers_function, musicgen, mlx, keras))


def largest_error(encoding, loop, **options):
    table = np.array([[loop(t, c, **options) for c in range(D)] for t in range(N)])
    return np.abs(encoding.values(range(N)) - table).max()


@pytest.mark.parametrize("word", CONVENTIONS)
def test_a_convention_is_the_table_of_its_library(word):
    encoding = with_convention(SinusoidalEncoding(N, D), word)
    assert largest_error(encoding, LOOPS[word]) < ERROR
    assert PRESETS[word] in presets_of(encoding)
    assert CONVENTIONS[word].formulas


@pytest.mark.parametrize("word", CONVENTIONS)
def test_a_library_that_divides_by_zero_has_no_table_of_one_pair(word):
    divides = word in ("fairseq", "whisper", "diffusers-function", "musicgen", "mlx")
    assert (PRESETS[word] not in presets_of(with_convention(SinusoidalEncoding(N, 2), word))) == divides
    # Chosen at this width, it takes the least that it has; asked for at this width, it is refused.
    chosen = with_preset(state_of({"d_model": "2"}), word)
    assert chosen.encoding.d_model == (4 if divides else 2)
    for name in ("preset", "convention"):
        with pytest.raises(ValueError, match="no table at d_model 2") if divides else nullcontext():
            state_of({name: word, "d_model": "2"})


@pytest.mark.parametrize("shift", [0.0, 1.0, 0.5, -1.5])
@pytest.mark.parametrize("flip", [True, False])
def test_every_option_of_diffusers_acts_on_fractional_timesteps(flip, shift):
    options = {"flip_sin_to_cos": flip, "downscale_freq_shift": shift, "scale": 1000.0}
    layout = "cosine-first" if flip else "half-split"
    assignments = {"convention": "diffusers", "d_model": str(D), "scale": "1000", "shift": str(shift), "layout": layout}
    encoding = state_of(assignments).encoding
    timesteps = [0.0, 0.001, 0.25, 0.5, 0.7295, 1.0]
    table = [[diffusers(t, c, **options) for c in range(D)] for t in timesteps]
    assert np.abs(encoding.values(timesteps) - table).max() < 1e-12


def test_a_shift_of_one_goes_by_the_names_of_inclusive_spacing():
    shifted = SinusoidalEncoding(10, 8, layout="half-split", shift=1.0)
    assert [preset.id for preset in presets_of(shifted)] == ["tensor2tensor", "whisper", "diffusers-function"]
    assert presets_of(SinusoidalEncoding(10, 8, layout="half-split", shift=0.5)) == ()
    assert formulas_of(shifted, PRESETS["diffusers-function"])[-1] == "ω_i = 10\u2009000^{−i/(4 − 1)}"
    flipped = state_of({"convention": "diffusers", "d_model": "8"}).encoding
    assert formulas_of(flipped, PRESETS["diffusers"])[-1] == "ω_i = 10\u2009000^{−i/(4 − 0)}"
    assert SinusoidalEncoding(10, 8, shift=-0.5, scale=2.0).formulas[-1] == "ω_i = 2 · 10\u2009000^{−i/(4 + 0.5)}"


@pytest.mark.parametrize("layout", ["half-split", "cosine-first"])
def test_full_turns_and_frequency_limits_of_mlx_are_scale_and_base(layout):
    amplitude = math.sqrt(2 / D)
    options = {"min_freq": 0.05, "max_freq": 0.4, "full_turns": True, "cos_first": layout == "cosine-first"}
    encoding = SinusoidalEncoding(N, D, 8.0, "inclusive", layout, 0.0, amplitude, 2 * math.pi * 0.4)
    assert largest_error(encoding, mlx, **options) < 1e-12


def test_a_convention_keeps_size_and_base_and_is_declared_with_what_changes_it():
    given = SinusoidalEncoding(77, 24, 500.0, "linear", "cosine-first", 9.0, 3.0, 2.0)
    assert with_convention(given, "paper") == SinusoidalEncoding(77, 24, 500.0)
    assert with_convention(RandomEncoding(77, 25), "paper") == SinusoidalEncoding(77, 26)
    encoding = state_of({"start": "5", "convention": " MLX ", "d_model": "50", "base": "100"}).encoding
    assert encoding == SinusoidalEncoding(128, 50, 100.0, "inclusive", "half-split", 5.0, 0.2)
