"""Numbers of the documents stand in the window after two presses at most, from where a new user begins."""

import re
import time
from collections.abc import Iterable
from typing import TypeAlias

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from pe_desktop.draw import marks
from pe_desktop.draw.canvas import Canvas
from pe_desktop.panels.scene_panel import ScenePanel
from pe_desktop.views.clock.scene import spoken
from pe_desktop.views.derivations.scene import CHAPTERS
from pe_desktop.window.application import Instrument
from tests.panels.test_parameters_panel import choose, type_into
from tests.window.conftest import LEFT, press_place, tab_of

# Where to look, and the way to it in the window: what is printed, by the number of the field guide.
Rows: TypeAlias = dict[tuple[str, ...], dict[str, str]]
COLLISIONS, DISTANCE, VERDICTS = "Go > Properties: collisions", "Go > Properties: distance", "Go > Properties: checks"
SCALES = "Go > Properties: scales"

# "List > ..." is an entry of the list on top of the Encoding dock, "Go > ..." one of the menu, "Tab > ..." and
# "Switch > ..." a press on a tab or a switch, "Type > ..." one into a field of the dock or the transport, and a number.
NUMBERS: Rows = {
    ("waves", "Type > d_model 64"): {"S4-10 d = 64, i = 4": "19.9", "S4-10 i = 8": "62.8"},
    ("waves", "List > Four waves"): {f"S0-17 {dim}": f"Dim {dim} (i = {dim // 2})" for dim in range(4)},
    ("waves", "List > Four waves", "Switch > Apart"): {
        "S0-17 wavelength of dims 0, 1": "6.28", "S0-17 of dims 2, 3": "628", "S0-8 ratio for d = 4": "ω_{1} = 0.01",
    },
    ("dock", "List > Four waves"): {
        "S0-18 turns of dims 0, 1": "15.8 times", "S0-18 who repeats": "1 of 2 turn within N",
    },
    ("collisions", "List > Four waves", COLLISIONS): {"S3-15 chord of 0 and 99": "pair 0: 1.386"},
    ("dock", "List > Matrix 100 × 128"): {
        "S0-21 pairs with λ <= 100": "20 of 64 turn within N", "S0-21 last λ": "6.28 – 54 410",
    },
    ("verdicts", "List > Matrix 100 × 128", VERDICTS): {"S0-16 smallest distance": "1.953"},
    ("distance", "List > Matrix 100 × 128", DISTANCE): {"S1-14 d = 128": "the first from 11 to 12"},
    ("distance", "List > Distances 1 000 × 1 000", DISTANCE): {
        "S0-4 between the vectors": "are 22.7423 apart", "S0-26 steps down": "425 of 999", "the first": "from 68 to 69",
        "largest": "28.9542 at k = 994", "law": "root-of-log law √(c (ln k + γ)), R² 0.992",
        "k = 10": "10 17.8726 61.7 %", "D(999), and the law": "999 28.3428 97.9 % 803.313 812.562",
    },
    ("similarity", "List > Distances 1 000 × 1 000", "Switch > Dist"): {
        "S0-4": "distance of 100 and 105 16.08560605136…", "S0-25": "distance of 0 and 5 16.08560605136…",
    },
    ("similarity", "List > First 8 positions"): {"S1-3": "dot of 1 and 2 249.10209782736…"},
    ("similarity", "List > Toeplitz, larger"): {"S1-10, S1-12, S1-6": "dot of 1 and 80 117.529000072020…"},
    ("dock", "List > Toeplitz, larger"): {"S3-17 last λ": "6.28 – 60 611", "S4-8": "141 of 256"},
    ("scales", "List > Resolution of three ranges"): {
        "S3-19 1 to 10": "1–10 64 18–180 58.3 % 30–93", "100 to 200": "100–200 64 200–2 000 30.9 % 97–160",
        "600 to 700": "600–700 64 200–2 000 30.9 % 97–160",
    },
    # 6.525 turns are 2 349.1 degrees.
    ("clock", "List > Sequence of 50"): {"S2-7 turn over 41": "k: 6 turns + 189.1°"},
    ("matrix", "List > Sequence of 50"): {
        "S2-7 sin 41": "0 0.0 -0.15862266880470…", "S2-8 dim 4": "4 0.0 0.39860…", "dim 5": "5 1.0 0.91712…",
        "dim 6": "6 0.0 0.04098…", "dim 7": "7 1.0 0.99915…",
    },
    ("collisions", "List > Sequence of 50", COLLISIONS): {
        "1.7 after 710": "710 113 0.0035 6.03×10⁻⁵", "1.7 after 103993": "103 993 16 551 −0.0011",
    },
    ("matrix", "List > Table 5 × 4"): {"S3-5 sin": "0 0.8414709848078965 0.90929742682568…"},
    ("waves", "List > Odometer"): {"S0-8 ratio 0.1": "ω_{1} = 0.1", "S4-6 last ω": "ω_{3} = 0.001"},
    ("similarity", "List > Dot product to 100 000"): {"S1-14 lowest": "dot of 0 and 18469 -37.90298871921…"},
    ("similarity", "List > First 8 positions", "Type > offset 3"): {"S1-3": "dot of 0 and 3 211.7494434…"},
    ("matrix", "List > Sequence of 50", "Type > offset 22"): {"S2-7 nearest": "0 0.0 -0.00885130929…"},
    ("matrix", "List > Table 5 × 4", "Type > offset 2"): {"S3-5 row 3": "0.141120008059…"},
    ("similarity", "List > One frequency: 1 and 711"): {"S3-15": "distance of 1 and 711 6.0288…"},
    ("waves", "List > Table of ablations 512 × 64", "List > tensor2tensor"): {"S4-6 exactly": "ω_{31} = 1×10⁻⁴"},
    ("distance", "List > Table of ablations 512 × 64", DISTANCE): {"S1-14 d = 64": "the first from 5 to 6"},
    ("collisions", "List > Neighbours in 128 dimensions", COLLISIONS): {
        "S3-18 no revival": "6 5.81951", "1.7 after 312689": "312 689 49 766", "1.7 after 6": "6 1 −16",
    },
    ("collisions", "List > Reach of 2 dimensions", COLLISIONS): {"1.7 d = 2": "710 6.02887×10⁻⁵"},
    ("collisions", "List > Reach of 8 dimensions", COLLISIONS): {
        "1.7 d = 8": "69 115 0.0385700", "n = 10 000": "6 283 0.185977",
    },
    ("scales", "List > Base 8 192 at 512 dimensions", SCALES): {"S3-17": "65.4 to each tenfold"},
    ("collisions", "List > Aliasing at 128 dimensions", COLLISIONS): {"S3-18 d = 128": "396 0.843263"},
    # The last one: the strip stays so.
    ("matrix", "List > First 8 positions", "Switch > Terms"): {
        "S1-7, S3-21 sum of cosines": "sum 249.102097827…", "Similarity": "dot of the table 249.102097827…",
    },
    ("code", "List > A module that runs"): {
        "S0-15 wrong": "import pytorch.nn as nn", "S0-15 undefined": "Nothing is called time_steps",
    },
    ("code", "List > All distances at once"): {
        "S0-24 differences": "4.0 GB", "S0-24 angles": "4.0 MB", "S0-24 one row": "8.0 kB",
    },
    ("code", "List > A table step by step"): {"S3-5 row 4": "-0.7568 -0.6536 0.0400 0.9992"},
    ("code", "List > A table step by step", "Press > step 4: frequencies"): {"S3-5": "1.0000 0.0100"},
    ("code", "List > Timesteps of a U-Net"): {"S0-15 forward": "a number for each channel"},
}  # fmt: skip

# The rows of the texts that speak of words: order that is seen or not, and what a head can make of positions. The
# numbers are those of the seeded head.
SENTENCES: Rows = {
    ("decoder", "List > What is the 50th token?"): {
        "S3-2 the 50th": "All 16 hands read t = 49", "from 1": "counted from 1 it is position 50.",
    },
    ("decoder", "List > One hand alone"): {"S0-10 one hand": "6 of 128 positions fit within 1 %."},
    ("decoder", "List > Reading three hands"): {"S4-10 three hands name t": "Hands 0, 4, 8 read t = …"},
    ("decoder", "List > Is n three before m?"): {
        "S3-2 three before": "Is n 3 before m? Yes", "S4-13 and the hands": "It is largest at j = 3",
    },
    ("attention", "List > The chef or the guests"): {
        "S0-1 the clause": "who reads chef: 0.1507 before, 0.0940 moved", "S0-1 what it reads": "Order is seen",
    },
    ("attention", "List > I park in my sleep"): {
        "S1-1 which words": "Rounding only", "S1-1 not where": "sleep reads park: 0.5446 before, 0.5446 moved, 0.0000",
    },
    ("attention", "List > Dog bites man"): {
        "S3-1, S4-1 who bites": "Rounding only", "equivariant": "The words move and their outputs move with them.",
    },
    ("attention", "List > Dog bites man", "Switch > Added"): {"S4-1 with positions": "Order is seen"},
    ("attention", "List > RoPE as training wheels"): {
        "S3-24 without RoPE": "The causal mask alone shows the order.", "difference": "1.693",
    },
    ("four-terms", "List > What added positions become"): {
        "S1-8, S1-9 content": "content · content, x W y -0.47545646714…", "their sum": "score -1.2022440515…",
    },
    ("rotary", "List > Rotary positions"): {"S3-23 R_p^T R_q": "Shift-invariant", "4.5": "Depends on t"},
    ("clock", "List > Rotary positions"): {"S3-23 q and k on the dials": "pair 4, q"},
    ("rotary", "List > Why positions are turned"): {
        "S3-22 first": "Injected early", "second": "Relative only implicitly", "third": "Periods and scale",
    },
    ("rotary", "List > Available if learned, or enforced"): {"S4-14 enforced": "Shift-invariant"},
    ("four-terms", "List > Available if learned, or enforced", "Tab > Four terms"): {
        "S4-14 its four terms": "position · position",
    },
    ("rotary", "List > All about offsets"): {"S4-15 relative offsets": "ALiBi, to"},
    ("look-back", "List > What was three tokens back?"): {
        "S4-13 a single matrix": "rows that peak at t - n 125 of 125 rows", "a counter": "Counter t 0 of 125",
    },
    # Numbers of formats stand in tests/views/test_precision.py.
    ("precision", "List > Five printed products"): {"S1-10 1 · 2 and 2 · 1": "249.10211181640625"},
    ("precision", "List > Position ids in bfloat16"): {"1.6 ids": "385 of 512", "S4-9 values": "all 512"},
    # The last one: the counter stays.
    ("decoder", "List > What is the 50th token?", "List > Counter t"): {
        "S4-2 drowns": "Nearest row: t = 49; largest dot product: t = 127",
    },
}  # fmt: skip

# Each derivation, by the list and by key D and its page; tests/views/test_derivations.py has their other numbers.
DERIVATIONS: Rows = {
    ("derivations", "List > Log space"): {"S3-7 misprint": "ends with ln 100000 for ln 10000", "so": "0.0031622776…"},
    ("derivations", "List > Sine and cosine of a sum"): {"S4-12": "0.6967067093…", "sine": "-0.977530117…"},
    ("derivations", "List > The matrix made of PE(k)"): {"S2-3 cos 0.3": "0.9553364891…"},
    ("derivations", "List > All d × d equations"): {"S0-12 entries": "the other 6 are 0", "rank": "8 of 8"},
    ("derivations", "List > A dot product is a sum of cosines"): {"S1-6 counted from 1": "249.5617955164…"},
    ("derivations", "List > A distance from half the turns"): {"S0-4 direction": "22.74229157…"},
    ("derivations", "List > No two positions are the same"): {"S0-11 left after 710": "6.0288706…"},
}

# Field guide 1.8, d = 64 and n = 512: largest |x|, smallest distance, deviation of the Gram matrix, shift residual.
# All rows stand in Compare, and in its tests.
ABLATIONS = {
    "": ("largest 1", "nearest 1.47"),
    "Position map 1/(1 + t)": ("nearest 5.8×10⁻⁶", "by 0.00213", "by 0.00248"),
    "Counter t": ("largest 511", "nearest 1", "by 0.626", "by 0.00169"),
    "Binary code": ("nearest 1", "Shift-invariant: Fails, off by 0.458", "Linear shift: Fails, misses by 0.493"),
}


def press(instrument: Instrument, way: str) -> None:
    """One press, or one entry of a list or a menu."""
    where, words = way.split(" > ")
    window = instrument.window
    if where == "List":
        choose(window.parameters, words)
    elif where == "Go":
        next(action for action in window.header.menus["Go"].actions() if action.text() == words).trigger()
    elif where == "Type":
        name, text = words.split()
        if name == "offset":
            window.transport.offset.submitted.emit(text)
        else:
            type_into(window.parameters, name, text)
    elif where == "Tab":
        bar, place = tab_of(window, words)
        QTest.mouseClick(bar, LEFT, pos=place)
    elif where == "Press":
        panel = window.panel("code" if window.docks["derivations"].is_behind else "derivations")
        [canvas] = panel.findChildren(Canvas)
        press_place(canvas, words)
    else:
        # What lies behind another tab counts as visible for Qt.
        switches = [one for one in window.findChildren(QToolButton) if one.text() == words and one.isVisible()]
        switch = next(one for one in switches if not one.visibleRegion().isEmpty())
        QTest.mouseClick(switch, LEFT)
    QApplication.processEvents()


def drawn(canvas: Canvas) -> str:
    canvas.repaint()
    picture = (*canvas.scene().still(), *canvas.scene().moving)
    texts = [
        mark.text if isinstance(mark, marks.Text) else mark.formula
        for mark in picture
        if isinstance(mark, marks.Text | marks.FormulaText)
    ]
    return " ".join(texts)


def said(instrument: Instrument, place: str) -> str:
    """What a panel that is in front says; thin spaces and tabs as plain ones."""
    window, state = instrument.window, instrument.model.state
    if place == "dock":
        labels = [label.text() for label in window.parameters.findChildren(QLabel) if label.isVisible()]
        text = " ".join([*labels, *(f"{place.name}: {place.value}" for place in window.parameters.checks.places())])
    else:
        panel = window.panel("properties" if place in ("verdicts", "collisions", "distance", "scales") else place)
        assert panel.isVisible()
        assert not window.docks[panel.key].is_behind
        assert panel.key != "properties" or state.views.properties.page == place
        text = spoken(state, instrument.model.findings) if place == "clock" else panel.readout()
        # The copied numbers are not all that a panel says.
        if isinstance(panel, ScenePanel):
            text = f"{drawn(panel.canvas)} {text}"
    return text.replace("\u2009", " ").replace("\t", " ")


def missing(texts: Iterable[str], words: str) -> list[str]:
    """What is not said: whole numbers and words, or what "…" leaves open."""
    ends = {text: "" if text.endswith("…") else r"(?!\w|\.\d)" for text in texts}
    return [
        text for text, end in ends.items() if not re.search(rf"(?<![\w.−-]){re.escape(text.rstrip('…'))}{end}", words)
    ]


def assert_said(instrument: Instrument, place: str, texts: Iterable[str]) -> None:
    """What is measured or searched for comes a moment later."""
    deadline = time.monotonic() + 20.0
    while missing(texts, said(instrument, place)) and time.monotonic() < deadline:
        QApplication.processEvents()
        time.sleep(0.005)
    words = said(instrument, place)
    assert missing(texts, words) == [], words


def assert_near(instrument: Instrument, rows: Rows) -> None:
    """Each row two presses away, one after the other in one window."""
    for (place, *presses), texts in rows.items():
        assert len(presses) <= 2
        for way in presses:
            press(instrument, way)
        assert_said(instrument, place, texts.values())


def test_a_number_of_a_text_is_two_presses_away(instrument: Instrument) -> None:
    # An entry of the list brings its sizes and places, what is typed comes first, and Similarity is in front until
    # Properties is asked for.
    def is_late(row: tuple[str, ...]) -> tuple[bool, bool]:
        ways = " ".join(row)
        return "Go > " in ways or row[0] == "scales", "Switch > " in ways

    assert_near(instrument, {row: NUMBERS[row] for row in sorted(NUMBERS, key=is_late)})


def test_what_a_text_says_of_words_is_two_presses_away(instrument: Instrument) -> None:
    assert_near(instrument, SENTENCES)
    # A figure of a text speaks of the plots, which stand there again.
    press(instrument, "List > Four waves")
    assert_said(instrument, "waves", ("Dim 3 (i = 1)",))


def test_each_derivation_is_one_press_away_and_its_page_two(instrument: Instrument) -> None:
    assert_near(instrument, DERIVATIONS)
    press(instrument, "List > Sinusoidal (paper)")
    instrument.model.set(**{"study.is_open": False})
    QTest.mouseClick(instrument.window.header.buttons["toggle_study"], LEFT)
    QApplication.processEvents()
    for page, chapter in CHAPTERS.items():
        press(instrument, f"Press > {chapter.title}")
        assert instrument.model.state.views.derivations.page == page
        assert instrument.window.panel("derivations").isVisible()


def test_numbers_of_the_rotation_are_one_press_away(instrument: Instrument) -> None:
    press(instrument, "Tab > Rotation")
    assert_said(instrument, "rotation", ("length 1.000000000000", "det M_8 = 1 1"))  # S0-13


def test_rows_of_the_table_of_ablations_are_two_presses_away_and_all_of_it_in_compare(instrument: Instrument) -> None:
    # The first press is the same for all: the sizes stay, so each row that follows is one press more.
    press(instrument, "List > Table of ablations 512 × 64")
    for title, texts in ABLATIONS.items():
        if title:
            press(instrument, f"List > {title}")
        assert_said(instrument, "dock", texts)
        assert instrument.model.encoding.n_positions == 512
    press(instrument, "List > Table of ablations 512 × 64")
    QTest.mouseClick(instrument.window.header.buttons["toggle_compare"], LEFT)
    assert instrument.model.state.views.compare.list == "ablations"
    # With more digits than in the dock.
    assert_said(instrument, "compare", ("1.4718…", "0.002955…"))
