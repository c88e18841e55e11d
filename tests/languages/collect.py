"""What the window says that a catalogue lacks or has no room for: python -m tests.languages.collect es [WIDTH HEIGHT]

Every state of the golden pictures, every step of the lessons and every preset is shown; places tell their names, values
and tooltips. A line each, as Python writes it, numbers as #. What has no entry first; then what is cut or covered.
"""

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from pe_desktop.draw.canvas import Canvas


def main(code: str, width: str = "1600", height: str = "1000") -> int:
    """Print what has no entry and what does not fit, each once; 0 where there is nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "missing.txt"
        os.environ["PE_DESKTOP_UNTRANSLATED"] = str(file)
        cut = _show_all(code, int(width), int(height))
        lines = [*(file.read_text("utf-8").splitlines() if file.exists() else ()), *cut]
    sys.stdout.writelines(f"{line}\n" for line in dict.fromkeys(lines))
    return int(bool(lines))


def _show_all(code: str, width: int, height: int) -> list[str]:
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
    cut: list[str] = []
    for state in states:
        instrument.model.set_state(state, "state")
        wait_until_measured(instrument)
        instrument.window.grab()
        for canvas in instrument.window.findChildren(Canvas):
            if canvas.isVisible():
                cut += _cut_in(canvas)
                for place in canvas.places():
                    is_code = re.search(r"line \d+$", place.name) is not None
                    for text in (place.name, "" if is_code else place.value, place.tooltip):
                        languages.told(text)
        cut += _cut_widgets(instrument.window)
    instrument.close()
    return cut


def _cut_in(canvas: "Canvas") -> list[str]:
    """Texts of a scene that touch each other or leave their canvas."""
    from tests.pictures import covered_texts, text_frames  # noqa: PLC0415

    scene = canvas.scene()
    picture = (*scene.still(), *scene.moving)
    name, right = canvas.accessibleName(), canvas.width() + 0.5
    outside = [text for left, _, end, _, text in text_frames(picture) if left < -0.5 or end > right]
    return [f"cut in {name}: {text!r}" for text in outside] + [
        f"covered in {name}: {one!r} {other!r}" for one, other in covered_texts(picture)
    ]


def _cut_widgets(window: "QWidget") -> list[str]:
    """Words of labels and buttons that are wider than these."""
    from PySide6.QtWidgets import QAbstractButton, QLabel  # noqa: PLC0415

    shown: list[QLabel | QAbstractButton] = [*window.findChildren(QLabel), *window.findChildren(QAbstractButton)]
    found = []
    for one in shown:
        words = one.text().replace("&", "")
        wraps = isinstance(one, QLabel) and (one.wordWrap() or "<" in words)
        if one.isVisible() and words and not wraps and one.fontMetrics().horizontalAdvance(words) > one.width() + 1:
            found.append(f"cut: {words!r} in {one.width()} pixels")
    return found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
