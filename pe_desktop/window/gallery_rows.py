"""What the gallery has: presets and a person's own views, what each of them sets, and what goes with it."""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Final

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.shown import state_of_card
from pe_desktop.core.presets import PRESETS, Group, Preset
from pe_desktop.core.record import record
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State, state_of, value_of, with_preset
from pe_desktop.draw.number_text import exact
from pe_desktop.languages import told
from pe_desktop.lessons.shelf import LESSONS, OWN, SHIPPED
from pe_desktop.views.table import VIEWS
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.palette import show_card, show_step

_YOURS: Final = Group("yours", "Yours")
# Of what a preset sets these are told, of the others its sentence speaks.
_TOLD: Final = {
    "front": "Shows", "scheme": "Scheme", "sentence": "Sentence", "n_positions": "Positions N", "d_model": "d_model",
    "base": "Base", "trained_length": "Trained length", "position": "Position t", "offset": "Offset k",
}  # fmt: skip
# Views that wait for what is measured or learned, or have words alone.
_NO_PICTURES: Final = ("compare", "learn", "facts", "lessons")


@record
class GalleryRow:
    """A preset, or a view that a person has collected into a talk."""

    preset: Preset

    @cached_property
    def state(self) -> State:
        """What it shows, from a first start."""
        preset = self.preset
        return state_of(preset.assignments) if preset.group is _YOURS else with_preset(State(), preset.id)

    @property
    def view(self) -> str:
        """The loudest: that which it brings to the front, or of which it sets something."""
        named = (name.partition(".")[0] for name in self.preset.assignments if "." in name)
        views = (*self.preset.assignments.get("front", "").split(","), *named)
        return next((view for view in views if view in VIEWS and view not in _NO_PICTURES), "waves")

    def show(self, window: MainWindow) -> None:
        """Set the whole program."""
        if self.preset.group is _YOURS:
            key, place = self.preset.id.split()
            show_step(window, OWN[key], int(place))
            return
        window.model.begin_step()
        window.model.set(preset=self.preset.id)
        # The panels of a lesson would stay in its place.
        window.model.set(**{"lessons.is_open": False})
        window.model.end_step()

    def settings(self) -> Iterator[tuple[str, str]]:
        """What it sets and to what, in words."""
        state = self.state
        said = {
            "front": ", ".join(told(VIEWS[key].title) for key in state.views.front),
            "scheme": told(SCHEMES[state.attention.scheme].title),
            "sentence": state.attention.sentence,
        }
        for name, title in _TOLD.items():
            if name in self.preset.assignments:
                yield title, said[name] if name in said else exact(value_of(state, name))

    def companions(self) -> Iterator[tuple[str, str, Callable[[MainWindow], None]]]:
        """Lessons and facts with its words and its table, at its t and k: their kind, title and opening."""
        for number, talk in enumerate(map(SHIPPED.__getitem__, LESSONS), start=1):
            alike = [place for place, step in enumerate(talk.steps) if self._is_alike(talk.states[place], step.views)]
            if alike:
                yield f"Lesson {number}", talk.title, partial(show_step, talk=talk, place=alike[0])
        for key, card in CARDS.items():
            shown = state_of_card(key)
            if self._is_alike(shown, shown.views.front):
                yield "Fact", card.claim, partial(show_card, key=key)

    def _is_alike(self, other: State, views: tuple[str, ...]) -> bool:
        """Whether another state shows the same, where it brings a view to the front in that view, too."""
        mine, theirs = ((one.encoding, one.attention, one.cursor.both) for one in (self.state, other))
        return mine == theirs and ("front" not in self.preset.assignments or self.state.views.front[0] in views)


def gallery_rows() -> list[GalleryRow]:
    """All presets that show more than an encoding, and the views of one's own talks."""
    own = []
    for talk in OWN.values():
        for place, step in enumerate(talk.steps):
            front = {"front": ",".join(step.views)} if step.views else {}
            sets = {**talk.state, **step.state, **front}
            own.append(Preset(f"{talk.key} {place}", _YOURS, step.title, step.words or talk.title, sets))
    return [*map(GalleryRow, (*(preset for preset in PRESETS.values() if preset.is_in_gallery), *own))]
