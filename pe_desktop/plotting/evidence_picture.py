"""The small picture beside a measurement: what was measured, as lines, a band or points."""

import math

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.measurement import Evidence
from pe_desktop.plotting import marks
from pe_desktop.plotting.rotation_layout import Area
from pe_desktop.plotting.theme import Theme, with_alpha

# What is zero has no logarithm: it stands on the foot of the picture.
LEAST_POWER = -17.0
# A line without height still lies in the middle of something.
LEAST_HEIGHT = 1e-300


def evidence_picture(area: Area, evidence: Evidence, theme: Theme) -> marks.Picture:
    """The evidence within an area; nothing where there is nothing to draw."""
    if evidence.x.size == 0:
        return ()
    low, high = _limits(evidence)
    x = _across(area, evidence.x, evidence.x)
    y = _down(area, _shown(evidence.y, is_logarithmic=evidence.is_logarithmic), low, high)
    return (
        *_levels(area, evidence, low, high, theme),
        *_data(evidence.kind, x, y, theme),
        *_places(area, evidence, theme),
    )


def _data(kind: str, x: Floats, y: Floats, theme: Theme) -> tuple[marks.Mark, ...]:
    if kind == "band":
        lines = tuple(marks.Polyline(np.column_stack((x, line)), theme.ink, 1.0) for line in y)
        return (marks.Band(x, y.min(axis=0), y.max(axis=0), with_alpha(theme.ink, 0.25)), *lines)
    if kind == "points":
        ink = theme.ink
        centers = np.column_stack((np.tile(x, len(y)), y.ravel()))
        colors = np.tile(np.array([ink.red(), ink.green(), ink.blue()], dtype=np.uint8), (len(centers), 1))
        return (marks.DotCloud(centers, colors, 2.6),)
    colors_of = [theme.pair_color(line, len(y)) for line in range(len(y))] if len(y) > 1 else [theme.ink]
    return tuple(
        marks.Polyline(np.column_stack((x, line)), color, 1.4) for line, color in zip(y, colors_of, strict=True)
    )


def _levels(area: Area, evidence: Evidence, low: float, high: float, theme: Theme) -> tuple[marks.Mark, ...]:
    heights = _shown(np.array(evidence.levels), is_logarithmic=evidence.is_logarithmic)
    y = _down(area, heights[(heights >= low) & (heights <= high)], low, high)
    if not y.size:
        return ()
    ends = np.column_stack((np.full(len(y), area.x), y, np.full(len(y), area.x + area.width), y))
    return (marks.Segments(ends, theme.axis),)


def _places(area: Area, evidence: Evidence, theme: Theme) -> tuple[marks.Mark, ...]:
    if not evidence.marks:
        return ()
    x = _across(area, np.array(evidence.marks), evidence.x)
    foot = area.y + area.height
    ends = np.column_stack((x, np.full(len(x), area.y), x, np.full(len(x), foot)))
    return (marks.Segments(ends, theme.text3, 1.2, (2.0, 2.0)),)


def _limits(evidence: Evidence) -> tuple[float, float]:
    shown = _shown(evidence.y, is_logarithmic=evidence.is_logarithmic)
    levels = _shown(np.array(evidence.levels), is_logarithmic=evidence.is_logarithmic)
    everything = np.concatenate((shown[np.isfinite(shown)], levels[np.isfinite(levels)]))
    if not everything.size:
        return 0.0, 1.0
    low, high = float(everything.min()), float(everything.max())
    return (low, high) if high - low > LEAST_HEIGHT else (low - 0.5, high + 0.5)


def _shown(values: Floats, *, is_logarithmic: bool) -> Floats:
    if not is_logarithmic:
        return values
    powers: Floats = np.log10(np.maximum(values, 10.0**LEAST_POWER))
    return powers


def _across(area: Area, places: Floats, axis: Floats) -> Floats:
    width = float(axis.max() - axis.min())
    share = (places - axis.min()) / width if width > 0 else np.full(len(places), 0.5)
    return np.asarray(area.x + share * area.width)


def _down(area: Area, values: Floats, low: float, high: float) -> Floats:
    if not math.isfinite(high - low):
        return np.full(values.shape, area.y + area.height / 2)
    return np.asarray(area.y + area.height * (1.0 - (values - low) / (high - low)))
