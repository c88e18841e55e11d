"""What a view shows of a state: its texts, its places, its rows of numbers."""

from collections.abc import Mapping
from typing import Any

from pe_desktop.core.state import State, state_of
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box, Place, Scene
from pe_desktop.draw.theme import Theme, themes
from pe_desktop.model.findings import Answers, Computed
from pe_desktop.views.table import VIEWS

# An answer of each state is computed once for all tests.
ANSWERS = Computed()


def box_of(theme: Theme, width: float = 640.0, height: float = 400.0, **given: Any) -> Box:
    """A box of one pixel to each of the screen."""
    return Box(width, height, 1.0, theme, **given)


def beside(found: list[str], name: str) -> str:
    """The text after a name."""
    return found[found.index(name) + 1]


def scene_of(
    key: str,
    state: State | Mapping[str, str],
    width: float = 790.0,
    height: float = 1100.0,
    answers: Answers = ANSWERS,
    **given: Any,
) -> Scene:
    """The scene of a view in a light box, of which more may be given."""
    shown = state if isinstance(state, State) else state_of(state)
    return VIEWS[key].module().scene(shown, answers, box_of(themes()["light"], width, height, **given))


def drawn(scene: Scene) -> marks.Picture:
    """All marks of a scene."""
    return (*scene.still(), *scene.moving)


def texts_of(key: str, state: State | Mapping[str, str], width: float = 790.0, answers: Answers = ANSWERS) -> list[str]:
    """All its texts, thin spaces as blanks."""
    return texts_in(scene_of(key, state, width, answers=answers))


def texts_in(scene: Scene) -> list[str]:
    """All texts of a scene, thin spaces as blanks."""
    return [mark.text.replace("\u2009", " ") for mark in drawn(scene) if isinstance(mark, marks.Text)]


def places_of(key: str, state: State | Mapping[str, str], width: float = 790.0) -> dict[str, Place]:
    """Its places by their names."""
    return {place.name: place for place in scene_of(key, state, width).places()}


def rows_of(key: str, state: State | Mapping[str, str]) -> list[list[str]]:
    """The copied text, cell by cell."""
    shown = state if isinstance(state, State) else state_of(state)
    return [line.split("\t") for line in VIEWS[key].module().readout(shown, ANSWERS).splitlines()]


def omega(pair: int, d_model: int = 32) -> float:
    """The angular frequency of a pair in the paper, radians per position."""
    return float(10000 ** (-2 * pair / d_model))
