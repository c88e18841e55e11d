"""What is known of an encoding, and how it becomes known."""

from pe_desktop.core import SinusoidalEncoding
from pe_desktop.core.measure.measurement import Analysis, analyse
from pe_desktop.views.properties import words
from pe_desktop.views.properties.words import PROPERTY_NAMES


def test_an_analysis_tells_its_measurements_one_by_one_and_ends_with_all_of_them():
    encoding = SinusoidalEncoding(77, 6)
    told: list[Analysis] = []
    analysis = analyse(encoding, report=told.append)
    assert analysis is not None
    counts = [len(some.measurements) for some in told]
    assert counts == sorted(counts)
    assert set(counts) >= {1, 2, 3, 4, 5, 6, 7}
    assert [one.key for one in analysis.measurements] == list(PROPERTY_NAMES)
    assert (analysis.encoding, analysis.is_complete, analysis.share) == (encoding, True, 1.0)
    assert not told[0].is_complete
    assert told[0].measurement("unique") is None
    unique = analysis.measurement("unique")
    assert unique is not None
    assert words.name(unique) == "Unique"


def test_a_cancelled_analysis_has_no_result():
    assert analyse(SinusoidalEncoding(10_000_000, 512), lambda: True) is None
