"""How far M_k p_t is from p_{t+k}, measured on table values, for every position on a logarithmic axis."""

import math

import numpy as np

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.shift_report import ShiftReport
from pe_desktop.plotting import marks
from pe_desktop.plotting.formula import formula_runs
from pe_desktop.plotting.number_text import SUPERSCRIPTS, position, scientific, whole
from pe_desktop.plotting.rotation_layout import Area
from pe_desktop.plotting.theme import Theme
from pe_desktop.plotting.ticks import position_ticks
from pe_desktop.plotting.typefaces import text_width

ROUNDING = 1e-12
# What is exactly zero stands on the foot of the axis.
LOWEST = -17
TOP_ROOM = 26.0
BOTTOM_ROOM = 20.0


def residual_picture(
    area: Area, report: ShiftReport | None, n_positions: int, cursor: Cursor, theme: Theme
) -> marks.Picture:
    """Heading with the largest residual, dots, and the line of t; a word while it is being measured."""
    if report is None:
        sentence = f"|M_{{{position(cursor.offset)}}} p_t − p_{{t+k}}|"
        return (
            marks.FormulaText(area.x, area.y + 8.0, sentence, 15, theme.text),
            marks.Text(area.x + area.width, area.y + 8.0, "measuring …", "caption", theme.text3, across=1.0),
        )
    highest = max(-12, math.ceil(math.log10(max(report.largest_residual, 1e-300))))
    plot = Area(area.x, area.y + TOP_ROOM, area.width, max(area.height - TOP_ROOM - BOTTOM_ROOM, 20.0))
    return (
        *_heading(area, report, n_positions, theme),
        *_axes(plot, highest, n_positions, theme),
        *_dots(plot, highest, report, n_positions, cursor, theme),
    )


def _heading(area: Area, report: ShiftReport, n_positions: int, theme: Theme) -> list[marks.Mark]:
    formula = f"|M_{{{position(report.offset)}}} p_t − p_{{t+{position(report.offset)}}}|".replace("+−", "−")
    verdict = ", rounding only" if report.largest_residual <= ROUNDING else ""
    largest = "0" if report.largest_residual == 0 else scientific(report.largest_residual)
    sample = "" if len(report.positions) == n_positions else f" at {whole(len(report.positions))} sampled t"
    sentence = f"largest {largest}{sample or verdict}"
    if formula_runs(formula, 15)[1] + text_width("caption", sentence) + 12.0 > area.width:
        sentence = f"largest {largest}"
    return [
        marks.FormulaText(area.x, area.y + 8.0, formula, 15, theme.text),
        marks.Text(area.x + area.width, area.y + 8.0, sentence, "caption", theme.text2, across=1.0),
    ]


def _axes(plot: Area, highest: int, n_positions: int, theme: Theme) -> list[marks.Mark]:
    picture: list[marks.Mark] = []
    step = max(2, math.ceil((highest - LOWEST) / max(plot.height / 22.0, 1.0)))
    for power in range(highest, LOWEST - 1, -step):
        y = _height(plot, highest, float(power))
        picture.append(marks.Segments(np.array([[plot.x, y, plot.x + plot.width, y]]), theme.grid))
        label = f"10{str(power).translate(SUPERSCRIPTS)}"
        picture.append(marks.Text(plot.x - 8.0, y, label, "tick", theme.text3, across=1.0))
    foot = plot.y + plot.height
    picture.append(marks.Segments(np.array([[plot.x, foot, plot.x + plot.width, foot]]), theme.axis))
    for tick in position_ticks(0.0, float(n_positions - 1), max(int(plot.width // 90.0), 1)):
        x = _x(plot, tick, n_positions)
        across = 0.0 if x - plot.x < 6.0 else 0.5
        picture.append(marks.Text(x, foot + 12.0, whole(tick), "tick", theme.text3, across=across))
    return picture


def _dots(
    plot: Area, highest: int, report: ShiftReport, n_positions: int, cursor: Cursor, theme: Theme
) -> list[marks.Mark]:
    powers = np.log10(np.maximum(report.residuals, 10.0**LOWEST))
    share = (powers - LOWEST) / (highest - LOWEST)
    y = plot.y + plot.height * (1.0 - np.clip(share, 0.0, 1.0))
    x = plot.x + report.positions / max(n_positions - 1, 1) * plot.width
    ink = theme.text3
    colors = np.tile(np.array([ink.red(), ink.green(), ink.blue()], dtype=np.uint8), (len(x), 1))
    now = _x(plot, min(max(cursor.position, 0.0), n_positions - 1.0), n_positions)
    nearest = int(np.argmin(np.abs(report.positions - cursor.position)))
    return [
        marks.DotCloud(np.column_stack((x, y)), colors, 3.0),
        marks.Segments(np.array([[now, plot.y, now, plot.y + plot.height]]), theme.ink, 1.6),
        marks.Dots(np.array([[x[nearest], y[nearest]]]), 4.2, theme.ink, theme.panel, 1.5),
    ]


def _height(plot: Area, highest: int, power: float) -> float:
    return plot.y + plot.height * (1.0 - (power - LOWEST) / (highest - LOWEST))


def _x(plot: Area, position_: float, n_positions: int) -> float:
    return plot.x + position_ / max(n_positions - 1, 1) * plot.width
