"""What the gallery has: presets and a person's own views, what each of them sets, and what goes with it."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.shown import state_of_card
from pe_desktop.core.presets import PRESETS, Group, Preset
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


def companions_of(preset: Preset, state: State) -> Iterator[tuple[str, str, Callable[[MainWindow], None]]]:
    """Lessons and facts with the words and the table of its state, at its t and k: their kind, title and opening.

    Where it brings a view to the front, they show that view, too.
    """
    view = preset.assignments.get("front", "").split(",")[0]

    def is_alike(other: State, views: tuple[str, ...]) -> bool:
        mine, theirs = ((one.encoding, one.attention, one.cursor.both) for one in (state, other))
        return mine == theirs and (not view or view in views)

    for number, talk in enumerate(map(SHIPPED.__getitem__, LESSONS), start=1):
        alike = [place for place, step in enumerate(talk.steps) if is_alike(talk.states[place], step.views)]
        if alike:
            yield f"Lesson {number}", talk.title, partial(show_step, talk=talk, place=alike[0])
    for key, card in CARDS.items():
        shown = state_of_card(key)
        if is_alike(shown, shown.views.front):
            yield "Fact", card.claim, partial(show_card, key=key)
