"""The kinds of encodings by their words on the command line, and how one becomes another."""

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds.ablations import (
    DoubledExponentEncoding,
    OddWidthEncoding,
    OneWaveEncoding,
    PositionMapEncoding,
)
from pe_desktop.core.kinds.naive import (
    BitsEncoding,
    CounterEncoding,
    NormalisedCounterEncoding,
    RandomEncoding,
    least_bits,
)
from pe_desktop.core.kinds.sinusoidal import PaddedEncoding, SinusoidalEncoding
from pe_desktop.core.rules import Rules

KINDS: Final[Mapping[str, Callable[..., Encoding]]] = {
    "sinusoidal": SinusoidalEncoding,
    "padded": PaddedEncoding,
    "position-map": PositionMapEncoding,
    "one-wave": OneWaveEncoding,
    "odd-width": OddWidthEncoding,
    "doubled-exponent": DoubledExponentEncoding,
    "counter": CounterEncoding,
    "normalised-counter": NormalisedCounterEncoding,
    "bits": BitsEncoding,
    "random": RandomEncoding,
}


def kind_rules(kind: str) -> Rules:
    """The parameters of a kind of encoding, each with the rule that it obeys, in the order of the command line."""
    return cast("Any", KINDS[kind]).RULES  # type: ignore[no-any-return] # every kind has them


def switched(encoding: Encoding, kind: str) -> Encoding:
    """An encoding of another kind with the parameters that both have; a value that it can't take moves to the nearest.

    So an odd width becomes the next even one, and bits are enough to tell all positions apart.
    """
    if kind == encoding.kind:
        return encoding
    given = encoding.parameters
    kept: dict[str, Any] = {
        name: rule.nearest(cast("Any", given[name])) for name, rule in kind_rules(kind).items() if name in given
    }
    if KINDS[kind] is BitsEncoding:
        kept["d_model"] = max(kept["d_model"], least_bits(kept["n_positions"]))
    return KINDS[kind](**kept)
