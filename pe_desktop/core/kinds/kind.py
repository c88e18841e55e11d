"""What encodings that a few rules declare have in common: checked fields, a word, parameters by name."""

from typing import ClassVar

from pe_desktop.core.rules import Rules, check_fields


class Declared:
    """Base of frozen dataclasses whose fields are the parameters of RULES; ValueError for a value that breaks one."""

    __slots__ = ()

    KIND: ClassVar[str]
    RULES: ClassVar[Rules]

    def __post_init__(self) -> None:
        check_fields(self, self.RULES)

    @property
    def kind(self) -> str:
        return self.KIND

    @property
    def parameters(self) -> dict[str, int | float | str]:
        return {"kind": self.KIND} | {name: getattr(self, name) for name in self.RULES}
