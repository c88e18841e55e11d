"""The door for Python: states by names, arrays, figures, measurements, programs, and the window beside it."""

import json
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pe_desktop as pe
from pe_desktop import notebook
from pe_desktop.core import state_of
from pe_desktop.guard import CannotStartError


@pytest.fixture
def python(command):
    """The lines that a fresh Python prints, which has no screen."""
    return lambda program: command(program=("-W", "error", "-c", program)).stdout.splitlines()


def test_importing_the_package_loads_nothing_and_the_door_no_qt(python):
    line = "print([name for name in ('numpy', 'PySide6', 'pyqtgraph') if name in sys.modules])"
    program = f"import sys, pe_desktop as pe; {line}; pe.array('encoding', pe.State(d_model=8)); {line}"
    assert python(program) == ["[]", "['numpy']"]


def test_every_name_is_there_and_explains_itself_and_a_star_leaves_pythons_own_open(python):
    assert {"State", "array", "code", "figure", "measure", "open"} <= {*dir(pe)}
    assert all(getattr(pe, name).__doc__ for name in (*pe.__all__, "open"))
    assert python(
        "from pe_desktop import *; import builtins; print(open is builtins.open, State(d_model=6).shown_rows)"
    ) == ["True Span(first=0.0, last=6.0)"]
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        getattr(pe, "no" + "pe")


def test_values_are_read_as_texts_of_the_command_line_are():
    given = {"d_model": np.int64(64), "base": 500.0, "position": "12.5", "pinned_pairs": (0, 3), "span": [3, 20]}
    typed = {"d_model": "64", "base": "500", "position": "12.5", "pinned_pairs": "0 3", "span": "3..20"}
    state = pe.State(**given, order=range(5), seed=None, front=None, **{"clock.mode": "each"})
    assert state == state_of({**typed, "order": "0 1 2 3 4", "clock.mode": "each"})
    for wrong in ({"d_model": 7}, {"nope": 1}, {"front": "nowhere"}, {"d_model": [1, 2]}, {"position": (1, 2)}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            pe.State(**wrong)


@pytest.mark.parametrize(
    ("what", "names"), [("encoding", {"dtype": "float16"}), ("hands", {}), ("weights", {}), ("dot", {})]
)
def test_an_array_is_what_the_export_writes(what, names, tmp_path):
    state = pe.State(n_positions=20, d_model=8, **names)
    path = tmp_path / "array.npy"
    notebook_array = pe.array(what, state)
    from pe_desktop.export.arrays import write_array  # noqa: PLC0415

    write_array(what, state, path)
    written = np.load(path)
    assert notebook_array.dtype == written.dtype
    np.testing.assert_array_equal(notebook_array, written)
    notebook_array[...] = 0  # It is the caller's own: the next one is as before.
    np.testing.assert_array_equal(pe.array(what, state), written)
    with pytest.raises(ValueError, match="GiB that are held at once; the command export writes it as a file"):
        pe.array("dot", pe.State(n_positions=10_000_000))
    # Nothing would have been written.
    with pytest.raises(ValueError, match=r"^The sentence has no words\.$"):
        pe.array("scores", pe.State(sentence=""))


def test_measurements_are_one_line_and_a_table_in_a_notebook():
    found = pe.measure(pe.State(n_positions=60, d_model=8))
    assert len(found) == 10
    assert "\n" not in repr(found)
    assert repr(found).startswith("Measurements(of the exact table: ")
    assert len(repr(found)) < 400
    html = found._repr_html_()
    assert (html.count("<tr>"), html.count("<th>"), html.count("<td>")) == (11, 4, 40)
    assert pe.measure(pe.State(n_positions=60, d_model=8).encoding)[0].key == found[0].key


def test_a_figure_is_drawn_without_a_screen_and_without_qt_in_this_process(tmp_path, python):
    program = f"""
import sys, json, pe_desktop as pe
figure = pe.figure("matrix", pe.State(d_model=16), width=5.5, title="Eight hands", text=7, caption=True, no_cursor=True)
svg, png = figure._repr_svg_(), figure._repr_png_()
files = [str(figure.save({str(tmp_path)!r} + "/" + name)) for name in ("a.svg", "b.pdf")]
print(json.dumps([svg[:300], "Eight hands" in svg, png[:4].hex(), files, "PySide6" in sys.modules]))
"""
    head, is_titled, magic, files, has_qt = json.loads(python(program)[0])
    assert "<svg" in head
    assert 'width="5.5in"' in head
    assert (is_titled, magic, has_qt) == (True, "89504e47", False)
    assert [Path(file).read_bytes()[:5] for file in files] == [b"<?xml", b"%PDF-"]
    assert "cursors at t and t + k are left out" in (tmp_path / "a.txt").read_text(encoding="utf-8")
    for name in ("a.svg", "a.pdf"):
        with pytest.raises(ValueError, match="exists"):
            pe.figure("clock", pe.State(), caption=True).save(tmp_path / name)


def test_what_cannot_be_drawn_is_one_sentence_and_ends_nothing():
    for what, looks, words in (("nope", {}, "no figure nope"), ("clock", {"widht": 3}, "widht: did you mean width?")):
        with pytest.raises(ValueError, match=re.escape(words)):
            pe.figure(what, pe.State(), **dict[str, Any](looks))
    for nothing in (partial(pe.code, "nope", pe.State()), partial(pe.figure, "nope", pe.State())):
        with pytest.raises(ValueError, match=r"^There is no .* nope: export --list names all\.$"):
            nothing()
    no_name: Any = None
    for given, sentence in (
        ("numpyy", "library can't be numpyy: did you mean numpy?"),
        (no_name, "library can't be None"),
    ):
        with pytest.raises(ValueError, match=re.escape(sentence)):
            pe.code("scores", pe.State(), library=given)
    with pytest.raises(ValueError, match=r"^There is no figure None: "):
        pe.figure(no_name, pe.State())
    no_state: Any = {"d_model": 8}
    for call in (partial(pe.array, "dot"), partial(pe.code, "clock"), partial(pe.figure, "clock"), pe.measure, pe.open):
        with pytest.raises(TypeError, match=r"A State is wanted, as State\(d_model=8\): {'d_model': 8} is none"):
            call(no_state)
    # Neither dashes of the command line nor a file that nobody asked for.
    nope: dict[str, Any] = {"nope": 1}
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"width": "5.5 ells"}, "A length is a number with in, cm, mm or pt, as 5.5in: '5.5 ells' is not."),
        ({"size": (5, 5)}, "A figure has sides from 160 to 32 767 pixels: 5 x 5 has not."),
        ({"size": "wide"}, "size takes WxH in pixels, for instance 1280x720: 'wide' is not"),
        ({"theme": "blue"}, "theme can't be blue: choose from light, dark"),
    )
    for chosen, words in wrong:
        with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
            pe.figure("clock", pe.State(), **chosen)._repr_svg_()
    with pytest.raises(ValueError, match=r"choose from .*, caption$"):
        pe.figure("clock", pe.State(), **nope)


def test_a_state_shows_what_is_in_front_of_it_or_else_the_plots(monkeypatch):
    drawn = []
    monkeypatch.setattr(notebook.Figure, "_repr_svg_", lambda figure: drawn.append(figure.what))
    for names in ({}, {"front": "rotary", "rotary.page": "decay"}, {"front": "clock"}):
        pe.State(**names)._repr_svg_()
    assert drawn == ["clock+waves+matrix", "rotary-decay", "clock"]


def test_without_qt_figures_and_window_are_one_sentence_and_a_state_is_text(monkeypatch):
    monkeypatch.setattr(notebook, "find_spec", lambda _: None)
    for call in (lambda: pe.figure("clock", pe.State()), lambda: pe.open(pe.State())):
        with pytest.raises(CannotStartError, match=r'PySide6 is missing.*"pe-desktop\[app\]"'):
            call()
    assert pe.State()._repr_svg_() is None


def test_the_window_opens_with_the_state_in_a_process_of_its_own(monkeypatch):
    monkeypatch.setattr(
        notebook, "_PROGRAM", (sys.executable, "-c", "import sys, time; print(sys.argv); time.sleep(9)")
    )
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    with pe.open(pe.State(d_model=64)) as process:
        assert process.poll() is None
        words: Any = process.args
        assert "--set=d_model=64" in words
        process.kill()
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.setenv("DISPLAY", "")
    if sys.platform.startswith("linux"):
        with pytest.raises(CannotStartError, match="No window can appear here"):
            pe.open(pe.State())
