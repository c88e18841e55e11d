"""Wavelength of every pair on a logarithmic axis against the number of positions."""

import numpy as np
from numpy.typing import NDArray

from pe_desktop.core.encoding import Pairs
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.plot import Axis, label_on_ground
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme, with_alpha

_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 8.0, 8.0, 22.0
# More pairs than this are dots without stems.
MOST_STEMS = 64


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
    if n_pairs > MOST_STEMS:
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
