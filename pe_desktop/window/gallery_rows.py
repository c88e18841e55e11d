"""What the gallery has: presets and a person's own views, what each of them sets, and what goes with it."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Final

from pe_desktop.core.facts.cards import CARDS
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
_MOST_ALIKE: Final = 3
# Views that wait for what is measured or learned, or have words alone.
_NO_PICTURES: Final = ("compare", "learn", "facts", "lessons")


def shown_presets() -> list[Preset]:
    """Those that the gallery has, and the views that a person has collected into talks."""
    own = []
    for talk in OWN.values():
        for place, step in enumerate(talk.steps):
            front = {"front": ",".join(step.views)} if step.views else {}
            sets = {**talk.state, **step.state, **front}
            own.append(Preset(f"{talk.key} {place}", _YOURS, step.title, step.words or talk.title, sets))
    return [*(preset for preset in PRESETS.values() if preset.is_in_gallery), *own]


def state_with(preset: Preset) -> State:
    """What it shows, from a first start."""
    return state_of(preset.assignments) if preset.group is _YOURS else with_preset(State(), preset.id)


def show(window: MainWindow, preset: Preset) -> None:
    """Set the whole program."""
    if preset.group is _YOURS:
        key, place = preset.id.split()
        show_step(window, OWN[key], int(place))
        return
    window.model.begin_step()
    window.model.choose(preset.id)
    # The panels of a lesson would stay in its place.
    window.model.set(**{"lessons.is_open": False})
    window.model.end_step()


def loudest_view(preset: Preset) -> str:
    """The view that it brings to the front, or of which it sets something."""
    named = (name.partition(".")[0] for name in preset.assignments if "." in name)
    views = (*preset.assignments.get("front", "").split(","), *named)
    return next((view for view in views if view in VIEWS and view not in _NO_PICTURES), "waves")


def settings_of(preset: Preset, state: State) -> Iterator[tuple[str, str]]:
    """What it sets and to what, in words, in its state."""
    said = {
        "front": ", ".join(told(VIEWS[key].title) for key in state.views.front),
        "scheme": told(SCHEMES[state.attention.scheme].title),
        "sentence": state.attention.sentence,
    }
    for name, title in _TOLD.items():
        if name in preset.assignments:
            yield title, said[name] if name in said else exact(value_of(state, name))


@record(eq=False)
class Companion:
    """What goes with a preset: what it is, its title, what it shows in which views, and how it is opened."""

    kind: str
    title: str
    state: State
    views: tuple[str, ...]
    show: Callable[[MainWindow], None]

    def goes_with(self, preset: Preset, state: State) -> bool:
        """Whether it shows the same words and table at the same t and k, where it matters in the same view."""
        mine, other = self.state, state.cursor.both
        is_same = (mine.encoding, mine.attention, mine.cursor.both) == (state.encoding, state.attention, other)
        return is_same and ("front" not in preset.assignments or state.views.front[0] in self.views)


@cache
def _companions() -> tuple[Companion, ...]:
    """All facts, and the steps of all lessons."""
    found = []
    for key, card in CARDS.items():
        state = state_of(card.assignments)
        found.append(Companion("Fact", card.claim, state, state.views.front, partial(show_card, key=key)))
    for number, key in enumerate(LESSONS, start=1):
        talk = SHIPPED[key]
        for place, step in enumerate(talk.steps):
            show_it = partial(show_step, talk=talk, place=place)
            found.append(Companion(f"Lesson {number}", talk.title, talk.states[place], step.views, show_it))
    return tuple(found)


def companions_of(preset: Preset, state: State) -> list[Companion]:
    """Facts and lessons of the same state, of a lesson its first such step."""
    alike = [one for one in reversed(_companions()) if one.goes_with(preset, state)]
    return [*{one.title: one for one in alike}.values()][: -_MOST_ALIKE - 1 : -1]
