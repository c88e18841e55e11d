"""What well-known libraries compute, as parameters of the sinusoidal encoding."""

import math
from collections.abc import Mapping
from typing import Any, Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import kind_rules, switched
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.core.preset_data import LazyMapping, preset_data
from pe_desktop.core.record import record


@record
class Convention:
    """One library's sinusoidal encoding.

    assignments are the parameters that it fixes, by name and text; n_positions, d_model and base stay free.
    has_unit_rows: whether its vectors have length 1. needs_two_pairs: whether it divides by h - 1, which is 0 for one
    pair. formulas are its own lines, with h = d/2; B is the base.
    """

    id: str
    title: str
    sentence: str
    assignments: Mapping[str, str]
    formulas: tuple[str, ...]
    has_unit_rows: bool = False
    needs_two_pairs: bool = False

    def parameters(self, d_model: int) -> dict[str, Any]:
        """The values that it fixes at a width."""
        rules = kind_rules("sinusoidal")
        fixed: dict[str, Any] = {name: rules[name].read(text) for name, text in self.assignments.items()}
        if self.has_unit_rows:
            fixed["amplitude"] = math.sqrt(2 / d_model)
        return fixed


def _read_conventions() -> dict[str, Convention]:
    conventions = {}
    for group in preset_data()["groups"]:
        for row in group["presets"]:
            if "convention" in row:
                own = row["convention"] | {"formulas": tuple(row["convention"]["formulas"])}
                conventions[row["id"]] = Convention(row["id"], row["title"], row["sentence"], **own)
    return conventions


CONVENTIONS: Final[Mapping[str, Convention]] = LazyMapping(_read_conventions)


def with_convention(encoding: Encoding, convention_id: str) -> SinusoidalEncoding:
    """The sinusoidal encoding of one of CONVENTIONS, with the n_positions, d_model and base of another encoding."""
    kept: Any = switched(encoding, "sinusoidal").parameters
    sizes = {name: kept[name] for name in ("n_positions", "d_model", "base")}
    return SinusoidalEncoding(**sizes, **CONVENTIONS[convention_id].parameters(kept["d_model"]))
