"""What the tests of the model listen with and play by."""

from collections.abc import Callable

import pytest

from pe_desktop.model.encoding_model import EncodingModel

SIGNALS = (
    "encoding_changed",
    "cursor_changed",
    "span_changed",
    "preview_changed",
    "refused",
)


class Heard(list[tuple[str, object]]):
    """What a model announced, in order: the signal's name and its value."""

    def __init__(self, model: EncodingModel) -> None:
        super().__init__()
        for name in SIGNALS:
            self._listen(model, name)

    def _listen(self, model: EncodingModel, name: str) -> None:
        def note(value: object) -> None:
            self.append((name, value))

        getattr(model, name).connect(note)

    def names(self) -> list[str]:
        """The signals alone."""
        return [name for name, _ in self]

    def values(self, wanted: str) -> list[object]:
        """The values of one signal."""
        return [value for name, value in self if name == wanted]


@pytest.fixture
def measured(qtbot) -> Callable[[EncodingModel], Heard]:
    """Waits until a model's analysis has come and listens from then on."""

    def wait(model: EncodingModel) -> Heard:
        qtbot.waitUntil(lambda: not model.is_measuring)
        return Heard(model)

    return wait


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> FakeClock:
    """Time as the test wants it, in seconds."""
    return FakeClock()
