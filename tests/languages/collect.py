"""What the window says that a catalogue lacks: python -m tests.languages.collect es [WIDTH HEIGHT] > missing.txt

Every state of the golden pictures, every step of the lessons and every preset is shown; places tell their names, values
and tooltips. A line each, as Python writes it, numbers as #.
"""

import os
import re
import sys
import tempfile
from pathlib import Path


def main(code: str, width: str = "1600", height: str = "1000") -> int:
    """Print what has no entry, each once."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "missing.txt"
        os.environ["PE_DESKTOP_UNTRANSLATED"] = str(file)
        _show_all(code, int(width), int(height))
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
    sys.stdout.writelines(f"{line}\n" for line in dict.fromkeys(lines))
    return int(bool(lines))


def _show_all(code: str, width: int, height: int) -> None:
    from pe_desktop import languages  # noqa: PLC0415 - after its variable is set

    languages.use(code)
    from pe_desktop.core.presets import PRESETS  # noqa: PLC0415
    from pe_desktop.core.state import State, with_name, with_preset  # noqa: PLC0415
    from pe_desktop.draw.canvas import Canvas  # noqa: PLC0415
    from pe_desktop.heat.renderer import RASTER  # noqa: PLC0415
    from pe_desktop.lessons.shelf import SHIPPED  # noqa: PLC0415
    from pe_desktop.lessons.shown import with_answer, with_step  # noqa: PLC0415
    from pe_desktop.views.table import state_of_views  # noqa: PLC0415
    from pe_desktop.window.application import Instrument, make_application, wait_until_measured  # noqa: PLC0415
    from pe_desktop.window.settings import Settings  # noqa: PLC0415
    from tests.golden.states import STATES  # noqa: PLC0415

    make_application()
    instrument = Instrument(State(), Settings(theme="light", renderer=RASTER))
    instrument.window.resize(width, height)
    instrument.window.show()
    states = [state_of_views(names) for names in STATES.values()]
    states += [with_preset(State(), preset) for preset in PRESETS]
    for talk in SHIPPED.values():
        for index, step in enumerate(talk.steps):
            asked = with_step(State(), talk, index)
            states.append(asked)
            if step.question is not None and step.question.kind == "choose":
                states.append(with_name(asked, "lessons.answers", with_answer(asked, index + 1, "a")))
    for state in states:
        instrument.model.set_state(state, "state")
        wait_until_measured(instrument)
        instrument.window.grab()
        for canvas in instrument.window.findChildren(Canvas):
            if canvas.isVisible():
                for place in canvas.places():
                    is_code = re.search(r"line \d+$", place.name) is not None
                    for text in (place.name, "" if is_code else place.value, place.tooltip):
                        languages.told(text)
    instrument.close()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
