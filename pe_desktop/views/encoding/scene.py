"""The wavelengths of all pairs beside the number of positions, the chosen one ringed."""

import math

import numpy as np

from pe_desktop.core.cursor import visible_pins
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.periodic import reach, turning_within
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import hand_name
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.plot import paragraph
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.encoding.picture import MOST_STEMS, Spectrum, chosen_picture, spectrum_picture

# Room for the name of the values, which a file needs.
_NAME_HEIGHT = 20.0


def spectrum_in(encoding: Encoding, box: Box) -> Spectrum | None:
    """Where each pair's dot stands; None where nothing turns."""
    pairs = encoding.pairs
    if pairs is None:
        return None
    above = _NAME_HEIGHT if box.is_paper else 0.0
    return Spectrum(box.width, box.height, pairs.wavelengths, reach(encoding, pairs), not pairs.turns_evenly, above)


def questions(state: State) -> tuple[Question, ...]:
    return ()


def height(state: State, answers: Answers, width: float, theme: Theme) -> None:
    """It takes whatever room there is."""


def scene(state: State, answers: Answers, box: Box) -> Scene:
    encoding, pairs = state.encoding, state.encoding.pairs
    spectrum = spectrum_in(encoding, box)
    if spectrum is None or pairs is None:
        return Scene(still=Part(_without_pairs, encoding, box))
    return Scene(
        chosen_picture(spectrum, state.cursor.pair, pairs, box.theme),
        Part(_still, encoding, box),
        places=Part(_places, encoding, state.cursor.pair, visible_pins(state.cursor, encoding), box),
    )


def subtitle(state: State, answers: Answers, room: float = math.inf) -> str:
    """How many pairs complete a turn within the table."""
    pairs = state.encoding.pairs
    if pairs is None:
        return ""
    count = f"{whole(turning_within(state.encoding, pairs))} of {whole(pairs.count)}"
    return fitting("caption", (f"{count} turn within N", f"{count} turn"), room)


def readout(state: State, answers: Answers) -> str:
    pairs = state.encoding.pairs
    wavelengths = [] if pairs is None else pairs.wavelengths.tolist()
    return "\n".join(f"{pair}\t{wavelength!r}" for pair, wavelength in enumerate(wavelengths))


def sentence(state: State, answers: Answers) -> str:
    encoding, pairs = state.encoding, state.encoding.pairs
    if pairs is None:
        return _no_pairs(encoding)
    turning = f"{whole(turning_within(encoding, pairs))} of {whole(pairs.count)} pairs"
    return f"{encoding.title}: {turning} turn once within {whole(encoding.n_positions)} positions"


def explanation(state: State) -> str:
    pairs = state.encoding.pairs
    if pairs is None:
        return "Wavelengths are those of pairs of dimensions that turn with the position."
    if pairs.turns_evenly:
        return (
            "The wavelength of each pair, in positions per turn, on a logarithmic axis; the dashed line is the number "
            "of positions N, the ring the chosen pair."
        )
    return (
        "The wavelength of each pair, in mapped positions f(t) per turn, on a logarithmic axis; the dashed line is how "
        "far f goes over N, the ring the chosen pair."
    )


def _still(encoding: Encoding, box: Box) -> marks.Picture:
    spectrum = spectrum_in(encoding, box)
    if spectrum is None:
        return ()
    picture = spectrum_picture(spectrum, box.theme)
    if not box.is_paper:
        return picture
    unit = "mapped positions" if spectrum.is_mapped else "positions"
    return (*picture, marks.Text(0.0, 6.0, f"wavelength, {unit} per turn", "tick", box.theme.text3))


def _without_pairs(encoding: Encoding, box: Box) -> marks.Picture:
    return paragraph(0.0, 12.0, f"{_no_pairs(encoding)}.", box.theme.text2, box.width, 3)


def _no_pairs(encoding: Encoding) -> str:
    return f"{encoding.title}: no pair turns, so there are no wavelengths"


def _places(encoding: Encoding, chosen: int, pins: tuple[int, ...], box: Box) -> tuple[Place, ...]:
    """A column for each pair, of many for the chosen and the pinned ones."""
    spectrum = spectrum_in(encoding, box)
    if spectrum is None:
        return ()
    n_pairs, area = len(spectrum.wavelengths), spectrum.area
    shown = range(n_pairs) if n_pairs <= MOST_STEMS else sorted({*pins, chosen})
    wide = max(min(float(np.diff(spectrum.pairs.place(np.array([0.0, 1.0])))[0]), 16.0), 4.0)
    return tuple(
        Place(
            hand_name(encoding, pair),
            Area(spectrum.pairs.place(float(pair)) - wide / 2, area.y, wide, area.height),
            short(float(spectrum.wavelengths[pair]), 4),
            is_chosen=pair == chosen,
        )
        for pair in shown
    )
