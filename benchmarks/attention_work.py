"""One case of the panels of attention: the first picture of a map of scores, or a step of t in the whole window."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from PySide6.QtWidgets import QWidget

from benchmarks.answers import Answer, answer
from benchmarks.measure import MOST_WARM_UP_STEPS, MeasurementError, ink_share, settle, timed_steps
from benchmarks.work import PICTURE_SIZE, WINDOW_SIZE, NothingKnown
from pe_desktop.core.state import state_of, with_name
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import themes
from pe_desktop.heat.heat_canvas import HeatCanvas
from pe_desktop.heat.raster import HeatLayer
from pe_desktop.views.table import VIEWS
from pe_desktop.window.application import Instrument, make_application, wait_until_measured
from pe_desktop.window.settings import Settings
from pe_desktop.window.start import _collect_from_first_frame

# As wide and as high as the panel in the window.
PANEL_SIZE = (860.0, 850.0)


@dataclass(frozen=True, slots=True)
class AttentionWork:
    """A task, the view that is seen, the state, and how many steps are timed."""

    task: str
    view: str
    given: Mapping[str, str]
    n_steps: int

    def word(self) -> str:
        """As an argument of a program."""
        return json.dumps(asdict(self))


def map_pictures(work: AttentionWork) -> Answer:
    """The map of a view alone on 1000 x 800 pixels, each time of an encoding that was not seen before."""
    layers = {number: _layer(work, number) for number in range(-MOST_WARM_UP_STEPS, work.n_steps)}
    shown = layers[0]

    def composed(box: Box) -> Scene:
        return Scene(heat=replace(shown, area=Area(0.0, 0.0, box.width, box.height)))

    canvas = HeatCanvas(composed)
    canvas.show_theme(themes()["light"])
    canvas.resize(*PICTURE_SIZE)
    canvas.show()
    settle()

    def step(number: int) -> None:
        nonlocal shown
        shown = layers[number]
        canvas.update()

    result = timed_steps(step, [canvas], [], work.n_steps)
    result["ink"] = ink_share(canvas, 1, 1)
    canvas.close()
    return result


def _layer(work: AttentionWork, number: int) -> HeatLayer:
    base = float(work.given.get("base", "10000")) - (number + 10) / 10
    # Schemes that read no hands are of another query and key.
    state = with_name(with_name(state_of(work.given), "base", base), "word_seed", number + 10)
    layer: HeatLayer | None = (
        VIEWS[work.view].module().scene(state, NothingKnown(), Box(*PANEL_SIZE, 1.0, themes()["light"])).heat
    )
    if layer is None:
        raise MeasurementError(f"{work.view} shows no map")
    return layer


def steps_of_t(work: AttentionWork) -> Answer:
    """Move t by one position with a view in front; every panel that is seen follows."""
    state = state_of({**work.given, "attention.is_open": "true", "front": work.view})
    instrument = Instrument(state, Settings(theme="light"))
    _collect_from_first_frame(instrument)
    window = instrument.window
    window.resize(*WINDOW_SIZE)
    window.show()
    wait_until_measured(instrument)
    settle()
    counted = [widget for widget in window.findChildren(QWidget) if hasattr(widget, "n_frames") and widget.isVisible()]

    def step(number: int) -> None:
        state = instrument.model.state
        # While a sentence leads, t is one of its words.
        instrument.model.move_cursor(
            position=number % len(state.attention.words) if state.leads else 101 + number % 200
        )

    # What one step paints is what each step has to paint.
    before = [widget.n_frames for widget in counted]
    step(0)
    settle()
    must = [widget for widget, count in zip(counted, before, strict=True) if widget.n_frames > count]
    result = timed_steps(step, must, [widget for widget in counted if widget not in must], work.n_steps)
    instrument.close()
    return result


if __name__ == "__main__":
    make_application()
    described = AttentionWork(**json.loads(sys.argv[1]))
    answer({"map": map_pictures, "step": steps_of_t}[described.task](described))
