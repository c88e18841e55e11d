"""Wavelength of every pair on a logarithmic axis against the number of positions."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Pairs
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import scientific, short, whole
from pe_desktop.draw.plot import decades
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width

LEFT, RIGHT, TOP, BOTTOM = 44.0, 8.0, 8.0, 22.0
LABEL_ROOM = 15.0
MOST_STEMS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Spectrum:
    """Where each pair's dot stands; reach: N, or how far a map of positions goes over N."""

    width: float
    height: float
    wavelengths: NDArray[np.float64]
    reach: float
    is_mapped: bool = False

    @property
    def lowest(self) -> float:
        """The wavelength at the foot of the axis."""
        return min(float(self.wavelengths.min()), self.reach) * 0.55

    @property
    def highest(self) -> float:
        """The wavelength at the top of the axis."""
        return max(float(self.wavelengths.max()), self.reach) * 1.5

    def x(self, pairs: NDArray[np.float64]) -> NDArray[np.float64]:
        """The pixels of pairs."""
        room = self.width - LEFT - RIGHT - 12.0
        return LEFT + 8.0 + np.asarray(pairs) / max(len(self.wavelengths) - 1, 1) * room

    def y(self, wavelength: float) -> float:
        """The pixel of a wavelength."""
        return float(self.heights(np.array([wavelength]))[0])

    def heights(self, wavelengths: NDArray[np.float64]) -> NDArray[np.float64]:
        """The pixels of wavelengths."""
        extent = math.log(self.highest / self.lowest)
        share = np.log(wavelengths / self.lowest) / extent
        return np.asarray(self.height - BOTTOM - share * (self.height - TOP - BOTTOM))

    def pair_at(self, x: float) -> int:
        """The pair nearest to a pixel."""
        n_pairs = len(self.wavelengths)
        share = (x - LEFT - 8.0) / max(self.width - LEFT - RIGHT - 12.0, 1.0)
        return min(max(round(share * (n_pairs - 1)), 0), n_pairs - 1)


def spectrum_picture(spectrum: Spectrum, theme: Theme) -> marks.Picture:
    """Axis, line at N, a stem and a dot for each pair."""
    foot = spectrum.height - BOTTOM
    right = spectrum.width - RIGHT
    return (
        *_axis(spectrum, theme),
        marks.Segments(np.array([[LEFT, foot, right, foot]]), theme.axis),
        *_pairs(spectrum, theme),
        marks.Segments(
            np.array([[LEFT, spectrum.y(spectrum.reach), right, spectrum.y(spectrum.reach)]]),
            theme.text2,
            1.0,
            (4.0, 3.0),
        ),
        *_length_label(spectrum, theme),
        marks.Text(LEFT, spectrum.height - 9.0, "fast", "tick", theme.text3),
        marks.Text((LEFT + right) / 2, spectrum.height - 9.0, "pair i", "tick", theme.text3, across=0.5),
        marks.Text(right, spectrum.height - 9.0, "slow", "tick", theme.text3, across=1.0),
    )


def chosen_picture(spectrum: Spectrum, pair: int, pairs: Pairs, theme: Theme) -> marks.Picture:
    """A ring around the chosen pair's dot."""
    x = float(spectrum.x(np.array([pair]))[0])
    center = np.array([[x, spectrum.y(float(spectrum.wavelengths[pair]))]])
    return (marks.Dots(center, 5.2, theme.pair_color(pair, pairs.count), theme.ink, 1.8),)


def _axis(spectrum: Spectrum, theme: Theme) -> list[marks.Mark]:
    room = spectrum.height - TOP - BOTTOM
    picture: list[marks.Mark] = []
    for value in decades(spectrum.lowest, spectrum.highest, int(room // LABEL_ROOM)):
        y = spectrum.y(value)
        picture.append(marks.Segments(np.array([[LEFT, y, spectrum.width - RIGHT, y]]), theme.grid))
        text = whole(value) if value < 1e5 else scientific(value, 0).replace("1×", "")
        picture.append(marks.Text(LEFT - 6.0, y, text, "tick", theme.text3, across=1.0))
    return picture


def _pairs(spectrum: Spectrum, theme: Theme) -> list[marks.Mark]:
    n_pairs = len(spectrum.wavelengths)
    x, y = spectrum.x(np.arange(n_pairs, dtype=np.float64)), spectrum.heights(spectrum.wavelengths)
    centers = np.column_stack((x, y))
    if n_pairs > MOST_STEMS:
        return [marks.DotCloud(centers, theme.pair_colors(n_pairs), 3.0)]
    picture: list[marks.Mark] = []
    foot = spectrum.height - BOTTOM
    for pair in range(n_pairs):
        color = theme.pair_color(pair, n_pairs)
        stem = type(color)(color)
        stem.setAlphaF(0.4)
        picture.append(marks.Segments(np.array([[x[pair], foot, x[pair], y[pair]]]), stem))
        picture.append(marks.Dots(centers[pair : pair + 1], 2.7, color))
    return picture


def _length_label(spectrum: Spectrum, theme: Theme) -> tuple[marks.Mark, ...]:
    y = spectrum.y(spectrum.reach)
    above = y - 8.0 if y - 16.0 > 0 else y + 9.0
    text = f"f over N: {short(spectrum.reach)}" if spectrum.is_mapped else f"N = {whole(spectrum.reach)}"
    # At the fast end the label would cover dots that lie near the line.
    dots = spectrum.heights(spectrum.wavelengths[: max(len(spectrum.wavelengths) // 3, 1)])
    wide = text_width("tick", text)
    hides_dots = bool((np.abs(dots - above) < 9.0).any())
    left = spectrum.width - RIGHT - wide - 4.0 if hides_dots else LEFT + 4.0
    ground = marks.Rectangle(left - 1.0, above - 7.0, text_width("tick", text) + 3.0, 13.0, theme.panel)
    return (ground, marks.Text(left, above, text, "tick", theme.text2))
