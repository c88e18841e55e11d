"""Short formulas in one line: variables italic, sub- and superscripts at 72 %."""

import re
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter

from pe_desktop.plotting.typefaces import formula_font, formula_width

SCRIPT_SCALE = 0.72
SUBSCRIPT_DROP = 0.20
SUPERSCRIPT_RISE = 0.36
# Half the height of a small x above the baseline, as a share of the type size.
MIDDLE = 0.24

# Words of several Latin letters (sin, cos, PE) stand upright, single and Greek letters are variables; _x, _{..}, ^{..}
# are scripts.
_TOKEN = re.compile(r"(?P<script>[_^])(?:\{(?P<long>[^}]*)\}|(?P<one>.))|[^_^]+")
_PART = re.compile(r"[A-Za-z]+|[^\W\d_]|[\d.,\u2009]+|\W+|_")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of a formula in one style, at its place from the left end and the baseline."""

    text: str
    is_italic: bool
    pixels: int
    x: float
    rise: float


@lru_cache(maxsize=2048)
def formula_runs(formula: str, pixels: int) -> tuple[tuple[Run, ...], float]:
    """The runs of a formula and its width in pixels."""
    runs: list[Run] = []
    x = 0.0
    for text, is_italic, script in _pieces(formula):
        size = pixels if script == "" else round(pixels * SCRIPT_SCALE)
        rise = {"": 0.0, "_": -SUBSCRIPT_DROP, "^": SUPERSCRIPT_RISE}[script] * pixels
        runs.append(Run(text, is_italic, size, x, rise))
        x += formula_width(size, text, italic=is_italic)
    return tuple(runs), x


def draw_formula(
    painter: QPainter, x: float, y: float, formula: str, pixels: int, color: QColor, across: float
) -> None:
    """Draw a formula whose small letters have their middle at y."""
    runs, width = formula_runs(formula, pixels)
    left, baseline = x - across * width, y + MIDDLE * pixels
    painter.setPen(color)
    for run in runs:
        painter.setFont(formula_font(run.pixels, italic=run.is_italic))
        painter.drawText(QPointF(left + run.x, baseline - run.rise), run.text)


def plain_formula(formula: str) -> str:
    """The formula as plain text for tooltips and screen readers."""
    return re.sub(r"[{}]", "", formula)


def _pieces(formula: str) -> list[tuple[str, bool, str]]:
    pieces: list[tuple[str, bool, str]] = []
    for match in _TOKEN.finditer(formula):
        script = match["script"] or ""
        inner = (match["long"] if match["long"] is not None else match["one"]) if script else match[0]
        pieces += [(part, len(part) == 1 and part.isalpha(), script) for part in _PART.findall(inner)]
    return pieces
