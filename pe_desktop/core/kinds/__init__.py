"""The kinds of encodings by their ids on the command line, and how one becomes another."""

from collections.abc import Mapping
from typing import Any, Final

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.kinds import ablations, naive, sinusoidal
from pe_desktop.core.rules import Rules, rules_of

# The classes themselves: each takes its parameters by name.
KINDS: Final[Mapping[str, type[Any]]] = {
    kind.kind: kind
    for kind in (
        sinusoidal.SinusoidalEncoding,
        sinusoidal.PaddedEncoding,
        ablations.PositionMapEncoding,
        ablations.OneWaveEncoding,
        ablations.OddWidthEncoding,
        ablations.DoubledExponentEncoding,
        ablations.FadingEncoding,
        naive.CounterEncoding,
        naive.NormalisedCounterEncoding,
        naive.BitsEncoding,
        naive.RandomEncoding,
    )
}


def kind_rules(kind: str) -> Rules:
    """The parameters of a kind of encoding, each with the rule that it obeys, in the order of the command line."""
    return rules_of(KINDS[kind])


def nearest_parameters(kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the given parameters that a kind has, each moved to the nearest value that it takes.

    So an odd width becomes the next even one, and bits are enough to tell all positions apart.
    """
    nearest = {name: rule.nearest(given[name]) for name, rule in kind_rules(kind).items() if name in given}
    least = KINDS[kind].least_width(nearest["n_positions"])
    if least is not None:
        nearest["d_model"] = max(nearest.get("d_model", least), least)
    return nearest


def switched(encoding: Encoding, kind: str) -> Encoding:
    """An encoding of another kind with the parameters that both have, as nearest_parameters."""
    if kind == encoding.kind:
        return encoding
    other: Encoding = KINDS[kind](**nearest_parameters(kind, encoding.parameters))
    return other
