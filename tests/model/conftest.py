"""What the tests of the model listen with and play by."""

from collections.abc import Callable
from functools import partial

import pytest

from pe_desktop.model.encoding_model import EncodingModel

# What a model announced, in order: the signal's name and its value.
Heard = list[tuple[str, object]]
SIGNALS = ("state_changed", "preview_changed")


@pytest.fixture
def measured(qtbot) -> Callable[[EncodingModel], Heard]:
    """Waits until a model's analysis has come and listens from then on."""

    def wait(model: EncodingModel) -> Heard:
        qtbot.waitUntil(lambda: not model.is_measuring)
        heard: Heard = []

        def note(name: str, value: object) -> None:
            heard.append((name, value))

        for name in SIGNALS:
            getattr(model, name).connect(partial(note, name))
        return heard

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
