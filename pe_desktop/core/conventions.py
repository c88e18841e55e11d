"""What well-known libraries compute, as choices of the parameters of the sinusoidal encoding."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import switched
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding


@dataclass(frozen=True, slots=True)
class Convention:
    """One library's sinusoidal encoding.

    assignments are the parameters that it fixes; n_positions, d_model and, unless it is among them, base stay free.
    has_unit_rows: whether its vectors have length 1. formulas are its own lines, with h = d/2; B is the base.
    """

    word: str
    name: str
    assignments: Mapping[str, float | str]
    formulas: tuple[str, ...]
    sentence: str
    has_unit_rows: bool = False


_SPLIT_SINES: Final = ("PE(t, i) = sin(t ω_i)", "PE(t, h + i) = cos(t ω_i)")

_ALL: Final = (
    Convention(
        "paper",
        "Paper",
        {"spacing": "geometric", "layout": "interleaved"},
        ("PE(t, 2i) = sin(t ω_i)", "PE(t, 2i + 1) = cos(t ω_i)", "ω_i = B^{−2i/d}"),
        "Attention Is All You Need, section 3.5: sine and cosine of a pair stand side by side",
    ),
    Convention(
        "tensor2tensor",
        "tensor2tensor",
        {"spacing": "inclusive", "layout": "half-split"},
        (*_SPLIT_SINES, "ω_i = B^{−i/(h − 1)}"),
        "The authors' own program: all sines before all cosines, and the last hand turns at exactly 1/B",
    ),
    Convention(
        "fairseq",
        "fairseq",
        {"spacing": "inclusive", "layout": "half-split", "start": 2.0},
        ("PE(t, i) = sin((t + 2) ω_i)", "PE(t, h + i) = cos((t + 2) ω_i)", "ω_i = B^{−i/(h − 1)}"),
        "What tokens get: as tensor2tensor, but token t reads row t + padding_idx + 1; Start is this offset, 2 for "
        "padding_idx 1",
    ),
    Convention(
        "marian",
        "Marian (transformers)",
        {"spacing": "geometric", "layout": "half-split"},
        (*_SPLIT_SINES, "ω_i = B^{−2i/d}"),
        "The paper's frequencies with all sines before all cosines",
    ),
    Convention(
        "whisper",
        "Whisper",
        {"spacing": "inclusive", "layout": "half-split"},
        (*_SPLIT_SINES, "ω_i = exp(−i ln(B)/(h − 1))"),
        "The audio encoder's fixed table of 1500 positions; the same numbers as tensor2tensor's",
    ),
    Convention(
        "diffusers",
        "diffusers",
        {"spacing": "geometric", "layout": "cosine-first"},
        ("PE(t, i) = cos(s t ω_i)", "PE(t, h + i) = sin(s t ω_i)", "ω_i = B^{−i/(h − 0)}"),
        "Timesteps of most image models: flip_sin_to_cos, and downscale_freq_shift 0, that is the paper's frequencies; "
        "its scale s multiplies the angle",
    ),
    Convention(
        "diffusers-function",
        "diffusers, bare function",
        {"spacing": "inclusive", "layout": "half-split"},
        ("PE(t, i) = sin(s t ω_i)", "PE(t, h + i) = cos(s t ω_i)", "ω_i = B^{−i/(h − 1)}"),
        "get_timestep_embedding without options: sines first, and downscale_freq_shift 1, tensor2tensor's frequencies",
    ),
    Convention(
        "mlx",
        "MLX",
        {"spacing": "inclusive", "layout": "half-split"},
        ("PE(t, i) = √(2/d) sin(t ω_i)", "PE(t, h + i) = √(2/d) cos(t ω_i)", "ω_i = B^{−i/(h − 1)}"),
        "Frequencies from max_freq 1 to min_freq 1/B, and an amplitude that gives every vector length 1",
        has_unit_rows=True,
    ),
    Convention(
        "keras",
        "Keras",
        {"spacing": "geometric", "layout": "interleaved"},
        ("PE(t, c) = sin(t ω_i), c even", "PE(t, c) = cos(t ω_i), c odd", "ω_i = B^{−2i/d}, i = c // 2"),
        "The paper's table; its max_wavelength is the base, not a wavelength",
    ),
)

CONVENTIONS: Final[Mapping[str, Convention]] = {convention.word: convention for convention in _ALL}


def with_convention(encoding: Encoding, word: str) -> SinusoidalEncoding:
    """The sinusoidal encoding of one of CONVENTIONS, with the n_positions, d_model and base of another encoding."""
    convention = CONVENTIONS[word]
    kept = switched(encoding, "sinusoidal").parameters
    d_model = int(kept["d_model"])
    fixed = {"n_positions": kept["n_positions"], "d_model": d_model, "base": kept["base"], **convention.assignments}
    if convention.has_unit_rows:
        fixed["amplitude"] = math.sqrt(2 / d_model)
    return SinusoidalEncoding(**fixed)  # type: ignore[arg-type] # names and values of its own parameters


def conventions_of(encoding: Encoding) -> tuple[Convention, ...]:
    """The conventions that compute just this table, in the order of CONVENTIONS."""
    named = by_its_word(encoding)
    return tuple(some for some in _ALL if with_convention(encoding, some.word) == named)


def by_its_word(encoding: Encoding) -> Encoding:
    """The encoding with inclusive spacing for a shift of 1, which is the same table: so two of them can be compared."""
    if isinstance(encoding, SinusoidalEncoding) and encoding.shift == 1:
        return replace(encoding, spacing="inclusive", shift=0.0)
    return encoding
