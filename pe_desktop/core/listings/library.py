"""The array libraries that listings are written for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final

from pe_desktop.core.record import record


@record
class Library:
    """How lines with NumPy's names are written for another library.

    name: in a program; imports and settings: its first lines; words: its own for some of NumPy's; module: what must be
    installed to run it.
    """

    title: str
    module: str
    name: str
    imports: tuple[str, ...]
    settings: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)


_NUMPY: Final = "import numpy as np"
# What NumPy has drawn is no array of another library yet.
_FROM_NUMPY: Final = re.compile(r"^(.*(?:=|return) )np\.asarray\((.*)\)$")
_TORCH_WORDS: Final = {
    "torch.concatenate(": "torch.cat(",
    "torch.repeat(": "torch.repeat_interleave(",
    "torch.max(": "torch.amax(",
    "torch.min(": "torch.amin(",
    "torch.take_along_axis(": "torch.take_along_dim(",
    "axis=": "dim=",
    "keepdims=": "keepdim=",
    "dtype=int": "dtype=torch.int64",
}
LIBRARIES: Final[Mapping[str, Library]] = {
    "numpy": Library("NumPy", "numpy", "np", (_NUMPY,)),
    # Both compute in float32 unless they are told otherwise.
    "torch": Library(
        "PyTorch", "torch", "torch", ("import torch",), ("torch.set_default_dtype(torch.float64)",), _TORCH_WORDS
    ),
    "jax": Library(
        "JAX",
        "jax",
        "jnp",
        ("import jax", "import jax.numpy as jnp"),
        ('jax.config.update("jax_enable_x64", True)',),
    ),
}


def program(heading: Sequence[str], lines: Sequence[str], library: str) -> str:
    """The program of some lines in a library, with a heading as comments and its imports, ready to be run.

    In the lines `np.` is that library, `numpy.` is NumPy itself: what is drawn from a seed is drawn by NumPy.
    """
    chosen = LIBRARIES[library]
    text = "\n".join(_translated(line, chosen) for line in lines)
    imports = {*chosen.imports, *([_NUMPY] if any("numpy." in line for line in lines) else [])}
    standard = ["import hashlib\n"] if "hashlib." in text else []
    settings = ["", *chosen.settings] if chosen.settings else []
    gap = ["", ""] if text.startswith("def ") else [""]
    return "\n".join([*(f"# {line}" for line in heading), *standard, *sorted(imports), *settings, *gap, text, ""])


def _translated(line: str, library: Library) -> str:
    is_drawn = "numpy." in line
    if is_drawn and library.name == "np":
        line = _FROM_NUMPY.sub(r"\1\2", line)
    line = re.sub(r"\bnp\.", f"{library.name}.", line).replace("numpy.", "np.")
    for word, own in ({} if is_drawn else library.words).items():
        line = line.replace(word, own)
    return line
