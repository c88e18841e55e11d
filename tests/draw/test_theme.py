"""Colours: those of the tokens, readable by the contrast that WCAG 2 defines; icons in them, sharp at every ratio."""

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage

from pe_desktop.draw.theme import badge_text_color, high_contrast_theme, printed_theme, themed_icon, white_centred_theme

TOKENS = json.loads((Path(__file__).parents[2] / "resources" / "tokens.json").read_text(encoding="utf-8"))["themes"]
READABLE = 4.5
# Of what is no text, WCAG 2.2, 1.4.11.
DISCERNIBLE = 3.0


def channels(color: str) -> list[int]:
    return [int(color[place : place + 2], 16) for place in (1, 3, 5)]


def luminance(color: str) -> float:
    """Relative luminance of #rrggbb, WCAG 2.2, section "relative luminance"."""
    linear = []
    for channel in channels(color):
        share = channel / 255
        linear.append(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    low, high = sorted((luminance(one.name()), luminance(other.name())))
    return (high + 0.05) / (low + 0.05)


def test_sixteen_pairs_have_the_sixteen_printed_colours(theme):
    printed = np.array([channels(color) for color in TOKENS[theme.name]["pair16"]])
    single = [channels(theme.pair_color(pair, 16).name()) for pair in range(16)]
    assert np.abs(np.array(single) - printed).max() <= 2
    assert np.abs(theme.pair_colors(16).astype(int) - printed).max() <= 2


def test_printed_maps_are_the_full_rdbu_and_purd_from_end_to_end_whatever_the_theme(theme):
    printed = printed_theme(theme)
    # Published: ColorBrewer's eleven classes of RdBu and nine of PuRd, https://colorbrewer2.org.
    ends = [printed.diverging[place].tolist() for place in (0, 128, -1)]
    assert ends == [channels("#67001f"), channels("#f7f7f7"), channels("#053061")]
    assert [printed.sequential[place].tolist() for place in (0, 128, -1)] == [
        channels("#f7f4f9"), channels("#df65b0"), channels("#67001f"),
    ]  # fmt: skip
    assert printed != theme


@pytest.mark.parametrize("n_pairs", [1, 2, 3, 16, 33, 64, 32_768])
def test_the_fastest_pair_begins_the_ramp_and_the_slowest_ends_it(theme, n_pairs):
    colors = theme.pair_colors(n_pairs)
    ramp = TOKENS[theme.name]["pair64"]
    assert colors.shape == (n_pairs, 3)
    assert n_pairs != 64 or colors.tolist() == [channels(color) for color in ramp]
    assert colors[0].tolist() == channels(ramp[0])
    assert n_pairs == 1 or colors[-1].tolist() == channels(ramp[-1])
    for pair in {0, n_pairs // 3, n_pairs - 1}:
        assert np.abs(colors[pair].astype(int) - channels(theme.pair_color(pair, n_pairs).name())).max() <= 1


def test_text_is_readable_on_every_surface(theme):
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21.0)
    for surface in (theme.canvas, theme.panel, theme.sunken, theme.raised):
        for text in (theme.text, theme.text2, theme.text3, theme.ok, theme.warn, theme.bad):
            assert contrast(text, surface) >= READABLE
    assert contrast(theme.ink_on, theme.ink) >= READABLE
    assert contrast(theme.bad, theme.bad_ground) >= READABLE


@pytest.mark.parametrize("n_pairs", [16, 64, 1000])
def test_every_pair_stands_out_from_the_panel_and_the_number_on_its_badge_is_readable(theme, n_pairs):
    for pair in range(n_pairs):
        ground = theme.pair_color(pair, n_pairs)
        assert contrast(badge_text_color(ground), ground) >= READABLE
        assert contrast(ground, theme.panel) >= DISCERNIBLE


def test_high_contrast_makes_lines_and_axes_discernible_and_keeps_texts_readable_where_the_pointer_is(theme):
    high = high_contrast_theme(theme)
    for ground in (high.canvas, high.panel, high.sunken, high.raised):
        assert min(contrast(high.line, ground), contrast(high.axis, ground)) > DISCERNIBLE
    assert contrast(theme.line, theme.panel) < DISCERNIBLE
    for ground in (high.wash, high.highlight):
        assert contrast(high.text, ground) > READABLE
    assert (high.base, high == theme) == (theme.name, False)
    assert high_contrast_theme(white_centred_theme(theme)).base == theme.name


ICONS = sorted((Path(__file__).parents[2] / "resources" / "icons").glob("*.svg"))
# The application's own icon has its own colours.
PLAIN = [path.stem for path in ICONS if path.stem != "app"]


def pixels(icon, ratio=2.0, mode=QIcon.Mode.Normal):
    """Red, green, blue and alpha of the icon at 16 logical pixels, shape (side, side, 4)."""
    image = icon.pixmap(QSize(16, 16), ratio, mode).toImage().convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.width(), 4).astype(int)


@pytest.mark.parametrize("name", PLAIN)
def test_an_icon_is_drawn_in_the_colour_it_is_asked_for(theme, name):
    for color, icon in ((theme.text2, themed_icon(name, theme)), (QColor("#c01020"), None)):
        drawn = pixels(icon or themed_icon(name, theme, color))
        solid = drawn[drawn[:, :, 3] == 255][:, :3]
        assert ((drawn[:, :, 3] > 200).sum() >= 20, (drawn[:, :, 3] == 0).sum() >= 20) == (True, True)
        assert np.abs(solid - [color.red(), color.green(), color.blue()]).max() <= 3


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0, 3.0])
def test_an_icon_has_a_pixel_for_every_pixel_of_the_screen(theme, ratio):
    pixmap = themed_icon("play", theme).pixmap(QSize(16, 16), ratio)
    assert (pixmap.width(), pixmap.devicePixelRatio()) == (round(16 * ratio), ratio)


def test_a_disabled_icon_is_faint(theme):
    icon = themed_icon("play", theme)
    enabled, disabled = (pixels(icon, mode=mode)[:, :, 3].max() for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled))
    assert enabled == 255
    assert disabled == pytest.approx(0.35 * 255, abs=2)
