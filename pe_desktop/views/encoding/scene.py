"""The wavelengths of all pairs beside the number of positions, the chosen one ringed."""

from collections.abc import Iterator

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.encoding import Encoding, Pairs
from pe_desktop.core.measuring.periodic import reach, turning_within
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.dial import hand_name
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.plot import Axis, Plot, Slide, label_on_ground, paragraph
from pe_desktop.draw.scene import Area, Box, Part, Place, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.model.findings import Answers
from pe_desktop.views.paged import PagedView, ScenePage

_LEFT, _RIGHT, _TOP, _BOTTOM = 44.0, 8.0, 8.0, 22.0
# More pairs than this are dots without stems.
_MOST_STEMS = 64
# Two fifths of 255: stems are paler than their dots.
_STEM_ALPHA = 102
# Room for the name of the values, which a file needs.
_NAME_HEIGHT = 20.0


def _spectrum_in(encoding: Encoding, pairs: Pairs, box: Box) -> Plot:
    """Pairs from fast to slow over the plot, wavelengths upwards."""
    top = _TOP + (_NAME_HEIGHT if box.is_paper else 0.0)
    area = Area(_LEFT, top, max(box.width - _LEFT - _RIGHT, 1.0), max(box.height - top - _BOTTOM, 1.0))
    inner = area._replace(x=area.x + 8.0, width=max(area.width - 12.0, 1.0))
    lengths, end = pairs.wavelengths, reach(encoding, pairs)
    ends = min(float(lengths.min()), end) * 0.55, max(float(lengths.max()), end) * 1.5
    return Plot(Axis(inner, 0.0, pairs.count - 1.0), Axis(area, *ends, "left", is_logarithmic=True))


def scene(state: State, answers: Answers, box: Box) -> Scene:
    encoding = state.encoding
    pairs = state.encoding.turning_pairs
    pair = state.cursor.pair
    if pairs is None:
        return Scene(paragraph(0.0, 12.0, f"{_no_pairs(encoding)}.", box.theme.text2, box.width))
    plot = _spectrum_in(encoding, pairs, box)
    center = plot.points(np.array([float(pair)]), pairs.wavelengths[pair : pair + 1])
    chosen = marks.Dots(center, 5.2, box.theme.pair_color(pair, pairs.count), box.theme.ink, 1.8)
    places = Part(_places, encoding, pairs, pair, state.cursor.visible_pins(encoding), box)
    return Scene((chosen,), Part(_spectrum_picture, encoding, pairs, state.trained_length, box), places=places)


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    """How many pairs complete a turn within the table."""
    pairs = state.encoding.turning_pairs
    if pairs is None:
        return ("",)
    count = f"{whole(turning_within(state.encoding, pairs))} of {whole(pairs.count)}"
    return f"{count} turn within N", f"{count} turn"


def _readout(state: State, answers: Answers) -> str:
    pairs = state.encoding.turning_pairs
    wavelengths = [] if pairs is None else pairs.wavelengths.tolist()
    return "\n".join(f"{pair}\t{wavelength!r}" for pair, wavelength in enumerate(wavelengths))


def _sentence(state: State, answers: Answers) -> str:
    encoding, pairs = state.encoding, state.encoding.turning_pairs
    if pairs is None:
        return _no_pairs(encoding)
    turning = f"{whole(turning_within(encoding, pairs))} of {whole(pairs.count)} pairs"
    return f"{encoding.title}: {turning} turn once within {whole(encoding.n_positions)} positions"


def explanation(state: State) -> str:
    pairs = state.encoding.turning_pairs
    if pairs is None:
        return "Wavelengths are those of pairs of dimensions that turn with the position."
    mapped = "mapped positions f(t)", "how far f goes over N"
    unit, end = ("positions", "the number of positions N") if pairs.turns_evenly else mapped
    each = f"The wavelength of each pair, in {unit} per turn, on a logarithmic axis"
    trained = ", the dotted one the trained length" if state.trained_length else ""
    return f"{each}; the dashed line is {end}{trained}, the ring the chosen pair."


def _no_pairs(encoding: Encoding) -> str:
    return f"{encoding.title}: no pair turns, so there are no wavelengths"


def _places(encoding: Encoding, pairs: Pairs, chosen: int, pins: tuple[int, ...], box: Box) -> tuple[Place, ...]:
    """All of it, where a press and a drag choose a pair; a column for each, of many for the chosen and pinned ones."""
    plot = _spectrum_in(encoding, pairs, box)
    shown = range(pairs.count) if pairs.count <= _MOST_STEMS else sorted({*pins, chosen})
    wide = max(min(plot.x.place(1.0) - plot.x.place(0.0), 16.0), 4.0)
    column = plot.y.area._replace(width=wide)
    sets = Slide(plot.x, "pair", is_whole=True)
    columns = (
        Place(
            hand_name(encoding, pair),
            column._replace(x=plot.x.place(float(pair)) - wide / 2),
            short(float(pairs.wavelengths[pair]), 4),
            pair == chosen,
            sets,
        )
        for pair in shown
    )
    return Place("wavelengths", box.area, sets=sets), *columns


def _spectrum_picture(encoding: Encoding, pairs: Pairs, trained_length: int, box: Box) -> marks.Picture:
    """Axis, lines at N and at the trained length, a stem and a dot for each pair, on paper what the values are."""
    plot, theme = _spectrum_in(encoding, pairs, box), box.theme
    axis, area = plot.y, plot.y.area
    ticks, below = axis.power_ticks(), box.height - 9.0
    unit = "positions" if pairs.turns_evenly else "mapped positions"
    name = marks.Text(0.0, 6.0, f"wavelength, {unit} per turn", "tick", theme.text3)
    return (
        axis.grid(ticks, theme),
        *axis.labels(ticks, theme),
        axis.line(axis.first, theme.axis),
        *_dots(plot, pairs, theme),
        *_lines(plot, encoding, pairs, trained_length, theme),
        marks.Text(area.x, below, "fast", "tick", theme.text3),
        marks.centered(area.middle[0], below, "pair i", "tick", theme.text3),
        marks.right_aligned(area.right, below, "slow", "tick", theme.text3),
        *((name,) if box.is_paper else ()),
    )


def _dots(plot: Plot, pairs: Pairs, theme: Theme) -> marks.Marks:
    centers = plot.points(np.arange(float(pairs.count)), pairs.wavelengths)
    if pairs.count > _MOST_STEMS:
        return [marks.DotCloud(centers, theme.pair_colors(pairs.count), 3.0)]
    picture, bottom = marks.Marks(), plot.y.area.bottom
    for pair, ((x, y), (red, green, blue)) in enumerate(
        zip(centers.tolist(), theme.pair_colors(pairs.count).tolist(), strict=True)
    ):
        picture.append(marks.lines((x, bottom, x, y), QColor(red, green, blue, _STEM_ALPHA)))
        picture.append(marks.Dots(centers[pair : pair + 1], 2.7, QColor(red, green, blue)))
    return picture


def _lines(plot: Plot, encoding: Encoding, pairs: Pairs, trained_length: int, theme: Theme) -> Iterator[marks.Mark]:
    """Dashed at N, or at how far a map goes over N, dotted at the trained length, with names that face away."""
    axis, end = plot.y, reach(encoding, pairs)
    text = f"N = {whole(end)}" if pairs.turns_evenly else f"f over N: {short(end)}"
    lines = [(end, text, theme.text2, (4.0, 3.0))]
    if trained_length and pairs.turns_evenly and axis.shows(trained_length):
        lines.append((trained_length, f"trained {whole(trained_length)}", theme.text, (1.6, 3.2)))
    for value, words, ink, dash in lines:
        y = axis.place(value)
        is_above = value == max(one[0] for one in lines) and y - 16.0 > axis.area.y - _TOP
        beside = y - 8.0 if is_above else min(y + 9.0, axis.area.bottom - 7.0)
        # Dots rise to the slow end: there is room at the left of the upper half, and at the right of the lower one.
        is_high = y < axis.area.middle[1]
        left, across = (axis.area.x + 1.0, 0.0) if is_high else (axis.area.right - 1.0, 1.0)
        yield axis.line(value, ink, 1.0, dash)
        yield from label_on_ground(left, beside, words, theme, across)


VIEW = PagedView("", {"": ScenePage(scene, _sentence, explanation, _readout)}, _forms)
