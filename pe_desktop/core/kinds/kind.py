"""The base of all kinds of encodings."""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from pe_desktop.core.encoding import Bits, ColumnWaves, Encoding, Floats, Numbers, Pairs
from pe_desktop.core.rules import check_fields, rules_of


class Kind(ABC):
    """Base of records whose fields with rules are the parameters.

    Raises ValueError with a sentence where a value breaks a rule. Defaults, unless a kind overrides them: values
    within 1, no hands, and any width.
    """

    __slots__ = ()

    # A frame looks up kept values of an encoding some fifty times.
    keeps_hash: ClassVar[bool] = True

    kind: ClassVar[str]

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    @abstractmethod
    def title(self) -> str: ...

    @property
    @abstractmethod
    def n_positions(self) -> int: ...

    @property
    @abstractmethod
    def d_model(self) -> int: ...

    @property
    def parameters(self) -> dict[str, int | float | str]:
        return {"kind": self.kind} | {name: getattr(self, name) for name in rules_of(type(self))}

    @property
    @abstractmethod
    def formulas(self) -> tuple[str, ...]: ...

    @property
    def pairs(self) -> Pairs | None:
        return None

    @property
    def column_waves(self) -> ColumnWaves | None:
        pairs = self.pairs
        if pairs is None or not pairs.turns_evenly:
            return None
        numbers = np.empty(self.d_model, dtype=np.int64)
        numbers[pairs.columns] = np.arange(pairs.count)[:, np.newaxis]
        is_cosine = np.ones(self.d_model, dtype=np.bool_)
        is_cosine[pairs.columns[:, 0]] = False
        return ColumnWaves(pairs, numbers, is_cosine)

    @property
    def bits(self) -> Bits | None:
        return None

    @property
    def empty_row(self) -> int | None:
        return None

    @property
    def n_filled(self) -> int:
        return self.d_model

    @property
    def is_shift_invariant(self) -> bool:
        return False

    @property
    def value_limit(self) -> float:
        return 1.0

    @property
    def canonical(self) -> Encoding:
        return self

    @property
    def redrawn(self) -> Encoding | None:
        return None

    @classmethod
    def least_width(cls, n_positions: int) -> int | None:
        return None

    @abstractmethod
    def values(self, positions: Numbers, dimensions: Numbers | None = None) -> Floats: ...

    def values_after(self, positions: Numbers, offset: float, dimensions: Numbers | None = None) -> Floats:
        return self.values(np.asarray(positions) + offset, dimensions)
