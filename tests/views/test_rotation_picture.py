"""The picture of M_k in panels of every size: its numbers can be read."""

import pytest
from PySide6.QtGui import QImage

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.kinds.sinusoidal import SinusoidalEncoding
from pe_desktop.views.rotation.layout import rotation_layout
from pe_desktop.views.rotation.picture import rotation_picture
from tests.pictures import covered_texts, text_frames


@pytest.mark.parametrize("size", [(330.0, 150.0), (400.0, 170.0), (450.0, 300.0), (900.0, 600.0)])
def test_no_number_of_the_lens_covers_another_or_leaves_it(light, size):
    layout, lens = rotation_layout(*size), rotation_layout(*size).lens
    picture = rotation_picture(layout, SinusoidalEncoding(), Cursor(37.0, 8.0, 4), QImage(), light)
    assert covered_texts(picture) == []
    numbers = [frame for frame in text_frames(picture) if lens.x <= frame[0] <= lens.x + lens.width]
    inside = [frame for frame in numbers if lens.y <= frame[1] <= frame[3] <= lens.y + lens.height]
    assert len(inside) >= 4
    assert all(right <= lens.x + lens.width for _, _, right, _, _ in inside)
