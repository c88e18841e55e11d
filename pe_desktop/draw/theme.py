"""Colours and sizes of both themes, colour maps as images, icons in a theme's colours."""

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from pe_desktop.core.encoding import Floats
from pe_desktop.core.record import record
from pe_desktop.resources import resource_json, resource_path

THEME_NAMES = ("light", "dark")


@record
class Theme:
    """One theme: greys for the chrome, the pair ramp for the data."""

    name: str
    canvas: QColor
    panel: QColor
    sunken: QColor
    raised: QColor
    line: QColor
    grid: QColor
    axis: QColor
    text: QColor
    text2: QColor
    text3: QColor
    ink: QColor
    ink_on: QColor
    focus: QColor
    ok: QColor
    warn: QColor
    bad: QColor
    bad_ground: QColor
    ok_ground: QColor
    warn_ground: QColor
    # The grounds under the pointer or a press, and of the chosen entry of a list.
    wash: QColor
    highlight: QColor
    pair_ramp: NDArray[np.uint8] = field(repr=False, compare=False)
    # Colour maps, red green blue: from -1 (red) over 0 to +1 (blue), shape (257, 3), and from 0 up, shape (256, 3).
    diverging: NDArray[np.uint8] = field(repr=False, compare=False)
    sequential: NDArray[np.uint8] = field(repr=False, compare=False)
    wave_width: float
    has_high_contrast: bool

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def base(self) -> str:
        """The name of the theme that this one is made of: light or dark."""
        return self.name.partition(",")[0]

    def pair_colors(self, n_pairs: int) -> NDArray[np.uint8]:
        """Red, green, blue of every pair, shape (n_pairs, 3), read-only: pair i is i / (n_pairs - 1) along the ramp."""
        return _pair_colors(self, n_pairs)

    def diverging_color(self, value: float) -> QColor:
        """The colour of a value from -1 to +1."""
        place = (min(max(value, -1.0), 1.0) + 1.0) / 2.0 * (len(self.diverging) - 1)
        return QColor(*self.diverging[round(place)].tolist())

    def pair_color(self, pair: int, n_pairs: int) -> QColor:
        """The colour of one pair."""
        return QColor(*self.pair_colors(n_pairs)[pair].tolist())

    @property
    def still_color(self) -> QColor:
        """The grey of hands that don't turn, and of those that no head reads."""
        return mixed(self.text3, self.panel, 0.7)

    @property
    def veil(self) -> QColor:
        """What lies over positions of a map that training never had: their colours stay readable."""
        return with_alpha(self.panel, 0.45)

    @property
    def ghost(self) -> QColor:
        """The ink of what is named under the mouse, in whichever view it is."""
        return with_alpha(self.text3, 0.75)


class Themed:
    """A mix-in for a QWidget that draws itself: in the light theme until it is given another."""

    @cached_property
    def theme(self) -> Theme:
        return themes()["light"]

    def show_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.update()  # type: ignore[attr-defined] # the widget's


@cache
def themes() -> Mapping[str, Theme]:
    """Both themes by name."""
    tokens = resource_json("tokens.json")["themes"]
    return {name: _theme(name, tokens[name]) for name in THEME_NAMES}


@lru_cache(maxsize=8)
def printed_theme(theme: Theme) -> Theme:
    """The theme with the full RdBu and PuRd, light ones in a dark theme too.

    It has a name of its own, as themes are equal whatever their maps.
    """
    tokens = resource_json("tokens.json")["printed"]
    diverging, sequential = (blended(_map(tokens[f"{name}_control"]), 257) for name in ("diverging", "sequential"))
    return replace(theme, name=f"{theme.name}, printed", diverging=diverging, sequential=sequential)


@lru_cache(maxsize=8)
def white_centred_theme(theme: Theme) -> Theme:
    """The theme with the colour maps of the light one, in which 0 is almost white."""
    light = themes()["light"]
    return replace(theme, name=f"{theme.name}, white-centred", diverging=light.diverging, sequential=light.sequential)


@lru_cache(maxsize=8)
def high_contrast_theme(theme: Theme) -> Theme:
    """The theme with lines, grid and axes in the colour of captions, thicker waves, and edges around fields."""
    return replace(
        theme,
        name=f"{theme.name}, high contrast",
        line=theme.text3,
        axis=theme.text3,
        grid=mixed(theme.text3, theme.panel, 0.5),
        wave_width=3.0,
        has_high_contrast=True,
    )


def theme_named(name: str) -> Theme:
    """The theme of a name, with the changes that the name lists: "dark", "dark, white-centred"."""
    base, *changes = name.split(", ")
    made = {"printed": printed_theme, "white-centred": white_centred_theme, "high contrast": high_contrast_theme}
    theme = themes()[base]
    for change in changes:
        theme = made[change](theme)
    return theme


def blended(colors: NDArray[np.uint8], count: int) -> NDArray[np.uint8]:
    """So many equal steps from the first of some colours to the last, linear in red, green, blue; shape (count, 3)."""
    steps = np.linspace(0.0, len(colors) - 1.0, count)
    below = np.minimum(steps.astype(np.intp), len(colors) - 2)
    share = (steps - below)[:, None]
    return np.asarray(np.rint(colors[below] * (1 - share) + colors[below + 1] * share), dtype=np.uint8)


# Used in each frame, by a window whose views differ in their theme.
@lru_cache(maxsize=4)
def _pair_colors(theme: Theme, n_pairs: int) -> NDArray[np.uint8]:
    colors = blended(theme.pair_ramp, n_pairs)
    colors.flags.writeable = False
    return colors


def with_alpha(color: QColor, alpha: float) -> QColor:
    """The same colour, alpha 0 (clear) to 1 (solid)."""
    clear = QColor(color)
    clear.setAlphaF(alpha)
    return clear


def mixed(color: QColor, ground: QColor, alpha: float) -> QColor:
    """The solid colour that one of this alpha gives on a ground: solid lines are drawn far faster."""
    rest = 1 - alpha
    return QColor(
        round(color.red() * alpha + ground.red() * rest),
        round(color.green() * alpha + ground.green() * rest),
        round(color.blue() * alpha + ground.blue() * rest),
    )


def rgb(color: QColor) -> NDArray[np.uint8]:
    """Red, green and blue of a colour, shape (3,)."""
    return np.array([color.red(), color.green(), color.blue()], dtype=np.uint8)


def badge_text_color(ground: QColor) -> QColor:
    """Black or white, whichever contrasts more with the ground (relative luminance of WCAG 2)."""
    return _kept_text_color(ground.rgba())


@lru_cache(maxsize=4096)
def _kept_text_color(rgba: int) -> QColor:
    ground = QColor.fromRgba(rgba)
    shares = (ground.redF(), ground.greenF(), ground.blueF())
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    white_contrast = 1.05 / (luminance + 0.05)
    black_contrast = (luminance + 0.05) / 0.05
    return QColor("white") if white_contrast > black_contrast else QColor("black")


def _theme(name: str, tokens: dict[str, Any]) -> Theme:
    colors = {key: QColor(value) for key, value in tokens["colors"].items()}
    # The table has an even number of colours; its middle control point, between the two halves, is the colour of 0.
    halves = _map(tokens["diverging256"])
    control = _map(tokens["diverging_control"])
    return Theme(
        name=name,
        wash=colors["line"],
        # Dark menus are raised almost to the colour of lines.
        highlight=colors["sunken" if name == "light" else "axis"],
        pair_ramp=_map(tokens["pair64"]),
        diverging=np.insert(halves, len(halves) // 2, control[len(control) // 2], axis=0),
        sequential=_map(tokens["sequential256"]),
        wave_width=2.0,
        has_high_contrast=False,
        **colors,
    )


def _map(colors: list[str]) -> NDArray[np.uint8]:
    digits = "".join(color.removeprefix("#") for color in colors)
    return np.frombuffer(bytes.fromhex(digits), dtype=np.uint8).reshape(-1, 3)


def map_colors(theme: Theme, limits: tuple[float, float], *, is_diverging: bool) -> NDArray[np.uint8]:
    """The colours of a map between two values, shape (n, 3): of a diverging one on one side of 0 the half for it."""
    if not is_diverging:
        return theme.sequential
    (low, high), middle = limits, len(theme.diverging) // 2
    return theme.diverging if low < 0 < high else theme.diverging[middle:] if high > 0 else theme.diverging[:middle]


def colors_at(values: Floats, limits: tuple[float, float], colors: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The colours of values of any shape between those of the first and the last of a map, shape (n, 3)."""
    low, high = limits
    steps = np.clip((np.nan_to_num(values) - low) / (high - low), 0.0, 1.0) * (len(colors) - 1)
    return colors[np.rint(steps).astype(np.intp)]


def color_image(colors: NDArray[np.uint8]) -> QImage:
    """An image of colours, shape (height, width, 3)."""
    height, width = colors.shape[:2]
    return QImage(inks(colors).tobytes(), width, height, width * 4, QImage.Format.Format_RGB32).copy()


def inks(colors: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Colours, shape (..., 3), as 0xffrrggbb, shape (...)."""
    red, green, blue = np.moveaxis(colors, -1, 0).astype(np.uint32)
    return np.asarray(np.uint32(0xFF000000) | (red << 16) | (green << 8) | blue)


ICON_SIZE = 16
_DISABLED_ALPHA = 0.35


class _IconEngine(QIconEngine):
    """Draws an icon when it is first shown: few are ever shown disabled, or on screens of two ratios."""

    def __init__(self, name: str, ink: QColor) -> None:
        super().__init__()
        self._name, self._ink = name, ink
        self._kept: dict[tuple[int, float, bool], QPixmap] = {}

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        painter.drawPixmap(rect, self.scaledPixmap(rect.size(), mode, state, painter.device().devicePixelRatio()))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(  # noqa: N802 - Qt's name
        self, size: QSize, mode: QIcon.Mode, _state: QIcon.State, ratio: float
    ) -> QPixmap:
        side = round(min(size.width(), size.height(), ICON_SIZE) * ratio)
        is_disabled = mode == QIcon.Mode.Disabled
        kept = self._kept.get((side, ratio, is_disabled))
        if kept is None:
            kept = self._kept[side, ratio, is_disabled] = self._drawn(side, is_disabled)
            kept.setDevicePixelRatio(ratio)
        return kept

    def clone(self) -> QIconEngine:
        return _IconEngine(self._name, self._ink)

    def _drawn(self, side: int, is_disabled: bool) -> QPixmap:
        pixmap = QPixmap(side, side)
        pixmap.fill(Qt.GlobalColor.transparent)
        source = resource_path("icons", f"{self._name}.svg").read_text(encoding="utf-8")
        renderer = QSvgRenderer(QByteArray(source.replace("currentColor", self._ink.name()).encode("utf-8")))
        with QPainter(pixmap) as painter:
            painter.setOpacity(_DISABLED_ALPHA if is_disabled else self._ink.alphaF())
            renderer.render(painter, QRectF(pixmap.rect()))
        return pixmap


def themed_icon(name: str, theme: Theme, color: QColor | None = None) -> QIcon:
    """An icon of resources/icons in the theme's text colour or another one."""
    return _kept_icon(name, (color or theme.text2).rgba())


@lru_cache(maxsize=256)
def _kept_icon(name: str, rgba: int) -> QIcon:
    return QIcon(_IconEngine(name, QColor.fromRgba(rgba)))
