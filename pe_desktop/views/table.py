"""The views and the figures of figures.json: panels, docks, menus, exports and tests follow from them. Without Qt."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from pe_desktop.core.record import record
from pe_desktop.core.rules import names_for, shown
from pe_desktop.core.state import State, state_of, value_of, with_name
from pe_desktop.draw.lettering import Lettering
from pe_desktop.resources import resource_json

if TYPE_CHECKING:  # The tables are read by the command line, which must not load Qt.
    from pe_desktop.views.paged import PagedView


@record
class _ViewRow:
    """One view: the folder views/<key> (hyphens become underscores) with its scene.py, the value VIEW there.

    without_cursor: what is the title of its figure without the cursor, "sentence" or "subtitle"; "" where the cursor is
    what it shows. panel: what the class of its panel has of its own, by name.
    """

    key: str
    title: str
    without_cursor: str = ""
    panel: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def module(self) -> "PagedView":
        view: PagedView = import_module(f"pe_desktop.views.{self.key.replace('-', '_')}.scene").VIEW
        return view


@record
class FigureRow:
    """One figure: a view with some names of the state set, which otherwise is as it is.

    paper_height is in inches, for a width of 6.75; a view that tells its height is as high as it needs, and no lower
    than the paper where it fills it. With a lettering it is the figure of a text: the view of a preset in the text's
    size and with its words. fewer: names of the state that leave less of it, where it goes on from page to page. part:
    the plot or block of the view that is drawn alone.
    """

    view: str
    title: str
    paper_height: float
    assignments: Mapping[str, str] = field(default_factory=dict)
    lettering: Lettering | None = None
    fills_paper: bool = False
    fewer: Sequence[str] = ()
    part: str = ""

    def module(self) -> "PagedView":
        """The view on paper, or its part alone."""
        return VIEWS[self.view].module().part(self.part)

    def state(self, state: State) -> State:
        """The state that the figure shows."""
        for name, text in self.assignments.items():
            state = with_name(state, name, text)
        return state

    def agrees(self, state: State) -> bool:
        return all(value_of(state, name) == value_of(self.state(state), name) for name in self.assignments)


_DATA: Final[Mapping[str, Mapping[str, Any]]] = resource_json("figures.json")
VIEWS: Final[Mapping[str, _ViewRow]] = {key: _ViewRow(key, **row) for key, row in _DATA["views"].items()}
_VIEWED: Final = {name: FigureRow(**row) for name, row in _DATA["figures"].items()}


def state_of_views(texts: Mapping[str, str]) -> State:
    """The state that texts describe by name; ValueError with a sentence too where `front` names what is no view."""
    state = state_of(texts)
    for key in state.views.front:
        if key not in VIEWS:
            raise ValueError(f"front can't be {shown(key)}: {names_for(key, VIEWS)}")
    return state


def _part(name: str, title: str, part: str) -> FigureRow:
    """A part of the figure that its name begins with."""
    of = _VIEWED[name.partition(":")[0]]
    return replace(of, title=f"{of.title}: {title}", part=part, fills_paper=False)


def _printed(view: str, name: str, preset: str, size: Sequence[float], **words: Any) -> FigureRow:
    """A figure of a text, in its size and with its words."""
    width, height = size
    return FigureRow(view, f"{name}, as printed", height, {"preset": preset}, Lettering((width, height), **words))


FIGURES: Final[Mapping[str, FigureRow]] = {
    **_VIEWED,
    **{name: _part(name, **row) for name, row in _DATA["parts"].items()},
    **{name: _printed(**row) for name, row in _DATA["printed"].items()},
}


def figure_of(view: str, state: State) -> str | None:
    """The figure that shows a view as it is in a state: of those that agree, the one that says most."""
    agreeing = [name for name, row in _VIEWED.items() if row.view == view and row.agrees(state)]
    return max(agreeing, key=lambda name: len(FIGURES[name].assignments), default=None)
