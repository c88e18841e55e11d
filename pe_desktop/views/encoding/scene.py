"""The wavelengths of all pairs beside the number of positions, the chosen one ringed."""

import math

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.cursor import visible_pins
from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.measure.periodic import reach, turning_within
from pe_desktop.core.record import record
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.hand_text import hand_name
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.plot import Axis, label_on_ground, paragraph
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme, with_alpha
from pe_desktop.draw.typefaces import fitting
from pe_desktop.model.findings import Answers, Question

_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 8.0, 8.0, 22.0
# More pairs than this are dots without stems.
_MOST_STEMS = 64
# Room for the name of the values, which a file needs.
_NAME_HEIGHT = 20.0


@record(eq=False)
class Spectrum:
    """Where each pair's dot stands; reach: N, or how far a map of positions goes over N; above: pixels left free."""

    width: float
    height: float
    wavelengths: NDArray[np.float64]
    reach: float
    is_mapped: bool = False
    above: float = 0.0

    @property
    def area(self) -> Area:
        """The plot, in pixels."""
        top = _TOP + self.above
        return Area(_LEFT, top, max(self.width - _LEFT - _RIGHT, 1.0), max(self.height - top - _BOTTOM, 1.0))

    @property
    def pairs(self) -> Axis:
        """Pairs run from fast to slow."""
        area = self.area
        inner = Area(area.x + 8.0, area.y, max(area.width - 12.0, 1.0), area.height)
        return Axis(inner, 0.0, max(len(self.wavelengths) - 1, 1))

    @property
    def lengths(self) -> Axis:
        """Wavelengths run upwards."""
        lowest = min(float(self.wavelengths.min()), self.reach) * 0.55
        highest = max(float(self.wavelengths.max()), self.reach) * 1.5
        return Axis(self.area, lowest, highest, "left", is_logarithmic=True)

    def pair_at(self, x: float) -> int:
        """The pair nearest to a pixel."""
        return min(max(round(self.pairs.value(x)), 0), len(self.wavelengths) - 1)


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
    shown = range(n_pairs) if n_pairs <= _MOST_STEMS else sorted({*pins, chosen})
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


def spectrum_picture(spectrum: Spectrum, theme: Theme) -> marks.Picture:
    """Axis, line at N, a stem and a dot for each pair."""
    axis, area = spectrum.lengths, spectrum.area
    ticks, below = axis.power_ticks(), spectrum.height - 9.0
    return (
        axis.grid(ticks, theme),
        *axis.labels(ticks, theme),
        axis.line(axis.first, theme.axis),
        *_pairs(spectrum, theme),
        axis.line(spectrum.reach, theme.text2, 1.0, (4.0, 3.0)),
        *_length_label(spectrum, theme),
        marks.Text(area.x, below, "fast", "tick", theme.text3),
        marks.Text(area.middle[0], below, "pair i", "tick", theme.text3, across=0.5),
        marks.Text(area.right, below, "slow", "tick", theme.text3, across=1.0),
    )


def chosen_picture(spectrum: Spectrum, pair: int, pairs: Pairs, theme: Theme) -> marks.Picture:
    """A ring around the chosen pair's dot."""
    center = np.array([[spectrum.pairs.place(pair), spectrum.lengths.place(float(spectrum.wavelengths[pair]))]])
    return (marks.Dots(center, 5.2, theme.pair_color(pair, pairs.count), theme.ink, 1.8),)


def _pairs(spectrum: Spectrum, theme: Theme) -> list[marks.Mark]:
    n_pairs = len(spectrum.wavelengths)
    x, y = spectrum.pairs.place(np.arange(n_pairs, dtype=np.float64)), spectrum.lengths.place(spectrum.wavelengths)
    centers = np.column_stack((x, y))
    if n_pairs > _MOST_STEMS:
        return [marks.DotCloud(centers, theme.pair_colors(n_pairs), 3.0)]
    picture: list[marks.Mark] = []
    foot = spectrum.area.bottom
    for pair in range(n_pairs):
        color = theme.pair_color(pair, n_pairs)
        picture.append(marks.Segments(np.array([[x[pair], foot, x[pair], y[pair]]]), with_alpha(color, 0.4)))
        picture.append(marks.Dots(centers[pair : pair + 1], 2.7, color))
    return picture


def _length_label(spectrum: Spectrum, theme: Theme) -> marks.Picture:
    area, axis = spectrum.area, spectrum.lengths
    y = axis.place(spectrum.reach)
    above = y - 8.0 if y - 16.0 > spectrum.above else y + 9.0
    text = f"f over N: {short(spectrum.reach)}" if spectrum.is_mapped else f"N = {whole(spectrum.reach)}"
    # At the fast end the label would cover dots that lie near the line.
    dots = axis.place(spectrum.wavelengths[: max(len(spectrum.wavelengths) // 3, 1)])
    hides_dots = bool((np.abs(dots - above) < 9.0).any())
    left, across = (area.right - 1.0, 1.0) if hides_dots else (area.x + 1.0, 0.0)
    return label_on_ground(left, above, text, theme, across)
