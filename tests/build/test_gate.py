"""What the gate exports from bundle and source can be exported at all."""

import pytest

from build import gate
from pe_desktop.app import main
from pe_desktop.views.table import FIGURES

PAGED = [(what, suffix) for what, suffix in gate.exports() if what in FIGURES and FIGURES[what].fewer]


def test_every_figure_is_exported():
    assert {what for what, _ in gate.exports()} >= FIGURES.keys()
    assert PAGED


@pytest.mark.parametrize(("what", "suffix"), PAGED)
def test_a_figure_of_many_pages_is_asked_for_in_a_file_that_holds_them(qapp, tmp_path, what, suffix):
    target = tmp_path / f"{what}{suffix}"
    assert main(["export", what, "-o", str(target), *gate.STATE]) == 0
    assert target.stat().st_size > 0
