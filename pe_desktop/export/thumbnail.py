"""The loudest picture of a view, without prose, in a few dots."""

from dataclasses import replace
from typing import Final

from PySide6.QtGui import QImage

from pe_desktop.core.state import State
from pe_desktop.draw import flow
from pe_desktop.draw.chart import Chart
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import Theme
from pe_desktop.export.figure_files import scene_image
from pe_desktop.model.findings import Computed
from pe_desktop.views.paged import Page
from pe_desktop.views.table import VIEWS

# Logical pixels for each dot of a block, more and more where it is higher than its room, and of a scene with axes.
_PIXELS, _MOST_PIXELS, _MORE, _PIXELS_OF_A_SCENE = 1.5, 2.5, 0.2, 2.0
# In a width that pages usually have a picture is so high, and a high one.
_WIDTH, _LEAST, _TALL = 400.0, 50.0, 140.0
_QUIET: Final = (flow.Words, flow.Formula, flow.Space, flow.Rule, flow.Ground, flow.Live, flow.Table)


def thumbnail(view: str, state: State, size: tuple[int, int], theme: Theme) -> QImage:
    """A picture of a view, no larger than a size. ValueError, also as ExportError, where there is nothing to see."""
    page, pixels = VIEWS[view].module().page(state), _PIXELS
    wide, tall = size
    if isinstance(page, Page):
        block = _loudest(page.block(state, Computed()).on_paper())
        while (height := block.height_at(pixels * wide)) > pixels * tall and pixels < _MOST_PIXELS:
            pixels += _MORE
        box = Box(pixels * wide, min(height, pixels * tall), 1 / pixels, theme, is_paper=True)
        scene = flow.page_scene(block, box, is_wide=True)
    else:
        pixels = _PIXELS_OF_A_SCENE
        box = Box(pixels * wide, pixels * tall, 1 / pixels, theme, is_paper=True)
        scene = page.scene(state, Computed(), box)
    image = scene_image(scene, box, 1 / pixels)
    image.setDevicePixelRatio(1.0)
    return image


def _loudest(page: flow.Block) -> flow.Block:
    """The largest picture of a page, a high map or dial before a chart; without pictures its first table, or all."""
    blocks = [*flow.all_blocks(page)]
    quiet = next((one for one in blocks if isinstance(one, flow.Table)), page)
    found = max(filter(_is_picture, blocks), key=_loudness, default=quiet)
    return replace(found, title="", note="", shorter=(), grows=True) if isinstance(found, Chart) else found


def _loudness(block: flow.Block) -> tuple[bool, float]:
    height = block.height_at(_WIDTH)
    return not isinstance(block, Chart) and height >= _TALL, height


def _is_picture(block: flow.Block) -> bool:
    if isinstance(block, flow.Layers):
        return _is_picture(block.blocks[0])
    return not (isinstance(block, _QUIET) or block.children()) and block.height_at(_WIDTH) >= _LEAST
