"""What every view promises: one scene for panel, clipboard and figure, whatever the state, the kind and the size."""

import math
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from PySide6.QtGui import QImage, QPainter

from pe_desktop.core import KINDS, PRESETS, SinusoidalEncoding, switched
from pe_desktop.core.cursor import Preview
from pe_desktop.core.rules import WordRule
from pe_desktop.core.state import _RULES, State, state_of, value_of, with_encoding, with_name, with_preset
from pe_desktop.draw import marks
from pe_desktop.draw.painter import paint_marks
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.export.figure_files import figure_copy
from pe_desktop.export.figure_page import drawn
from pe_desktop.export.figure_sheet import picture_sheet
from pe_desktop.model.findings import Answers, Computed, Question
from pe_desktop.views.paged import PagedView
from pe_desktop.views.table import FIGURES, VIEWS, figure_of
from tests.golden.states import STATES
from tests.pictures import covered_texts, text_frames, touching_texts
from tests.tables import table
from tests.views import seen

TABLES = table("views/every_view")

# Choices that change what a view shows: a picture that leaves one out is a picture of something else.
CHOICES = TABLES["choices"]
WORDS = {name: rule for name, rule in _RULES.items() if isinstance(rule, WordRule)}
# All pages of views, and their switches: what stands in a picture, and where.
PAGES = (
    *TABLES["pages"],
    *((name, page) for name, rule in WORDS.items() if name.endswith(".page") for page in rule.words),
)
# Of ten, in each run others.
N_KINDS = 2
SIZES = ((280.0, 150.0), (520.0, 420.0), (1600.0, 1000.0))


@cache
def quick_answer(question: Question) -> Any:
    """The same each time it is read, as findings keep it."""
    return question.computed(Computed())


class Unknown(Answers):
    """Answers of which only quick ones are known yet; it notes what is read."""

    def __init__(self) -> None:
        self.read: set[Question] = set()

    def answer(self, question: Question) -> Any:
        self.read.add(question)
        return quick_answer(question) if question.is_quick else None

    def share(self, question: Question) -> float:
        self.read.add(question)
        return 0.0

    def is_stopped(self, question: Question) -> bool:
        self.read.add(question)
        return False


def picture_of(view: str, state: State, box: Box) -> QImage:
    """The scene painted as a figure is."""
    image = QImage(round(box.width * box.pixel_ratio), round(box.height * box.pixel_ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(box.pixel_ratio)
    image.fill(box.theme.panel)
    painter = QPainter(image)
    paint_marks(painter, drawn(VIEWS[view].module().scene(state, Computed(), box), box))
    painter.end()
    return image


def picture_in(view: str, state: State, box: Box, answers: Answers | None = None) -> marks.Picture:
    """All marks of a scene."""
    return seen.drawn(VIEWS[view].module().scene(state, answers or Computed(), box))


def states_of(view: str, kind: str) -> Iterator[State]:
    """Tables of every size in a kind, and each page and switch of a view."""
    state = with_encoding(State(), switched(SinusoidalEncoding(), kind))
    turned = with_encoding(state_of({"scheme": "rope", "rotary_share": "0.5"}), state.encoding)
    yield state
    for name, text in PAGES:
        if name.startswith(f"{view}.") or (view, name) == ("waves", "pinned_pairs"):
            yield with_name(state, name, text)
    for n_positions in (1, 10_000_000):
        yield with_encoding(State(), KINDS[kind](n_positions=n_positions))
    if view in ("clock", "waves"):
        # Hands that turn queries and keys, some of which stay.
        yield from (with_name(turned, "clock.mode", mode) for mode in ("one", "each"))


def boxes_of(module: PagedView, state: State, answers: Answers, theme: Theme) -> Iterator[Box]:
    """Every size that a view can take, on the screen, under the mouse and on paper."""
    for width, height in SIZES:
        needed = module.height(state, answers, width, theme)
        if needed != math.inf:
            box = Box(width, needed or height, 1.0, theme)
            yield from (
                box,
                replace(box, is_paper=True),
                replace(box, pointer=(width / 2, 70.0), preview=Preview(0.0, 3.0)),
            )


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_composes_any_kind_at_every_size_and_no_text_covers_another_or_is_cut(view, light, luck) -> None:
    module = VIEWS[view].module()
    for state in (state for kind in luck.sample([*KINDS], N_KINDS) for state in states_of(view, kind)):
        for answers in (Unknown(), *(() if state.encoding.n_positions > 128 else (Computed(),))):
            for box in boxes_of(module, state, answers, light):
                scene = module.scene(state, answers, box)
                picture = (*scene.still(), *scene.moving)
                assert picture
                names = [place.name for place in scene.places()]
                assert len(names) == len({*names})
                assert names or value_of(state, "scheme") != "rope"
                if box.pointer is None:
                    assert covered_texts(picture) == [], (box.width, box.is_paper)
                    frames = text_frames(picture)
                    assert all(left >= -0.5 and right <= box.width + 0.5 for left, _, right, _, _ in frames)
            assert "\n" not in module.subtitle(state, answers)
            copied = module.readout(state, answers)
            assert copied == module.readout(state, answers)
            # In a program None is a word of Python, in Learn a scheme.
            without = copied.replace("None", "") if view == "learn" else copied
            assert view == "code" or not re.search(r"\b(nan|inf|None|np)\b", without)
            assert module.sentence(state, answers)
            if isinstance(answers, Unknown):
                # Only of these there is news; some panels ask for more in the size of their canvas.
                of_canvas = ("table", "waves", "matrix colours")
                assert {some for some in answers.read if some.topic not in of_canvas} <= {*module.questions(state)}
        assert module.explanation(state).endswith(".")


# View, boxes, what all of its states have, states.
LONG_NUMBERS = TABLES["long numbers"]


def long_numbers() -> Iterator[tuple[str, tuple[float, ...], dict[str, str]]]:
    """Each view in each of its boxes and states."""
    for view, sizes, common, states in LONG_NUMBERS:
        for size, names in product(sizes.split("|"), states.split("|")):
            yield view, tuple(map(float, size.split("x"))), dict(one.split("=") for one in f"{common} {names}".split())


@pytest.mark.parametrize(("view", "size", "given"), [*long_numbers()])
def test_long_numbers_are_neither_cut_nor_over_another(view, size, given, light) -> None:
    picture = picture_in(view, state_of(given), Box(size[0], size[1], 1.0, light))
    assert covered_texts(picture) == []
    assert all(left >= -0.5 and right <= size[0] + 0.5 for left, _, right, _, _ in text_frames(picture))


@pytest.mark.parametrize(("view", "page"), TABLES["rows of text"], ids=str)
@pytest.mark.parametrize("is_paper", [False, True])
def test_text_and_rows_take_no_more_than_840_pixels_of_a_wide_box(view, page, is_paper, light) -> None:
    module, state = VIEWS[view].module(), state_of(page)
    shown = []
    for width in (840.0, 2400.0):
        scene = module.scene(state, Computed(), Box(width, 900.0, 1.0, light, is_paper=is_paper))
        texts = text_frames((*scene.still(), *scene.moving))
        assert texts
        shown.append((texts, scene.places(), module.height(state, Computed(), width, light)))
    assert shown[0] == shown[1]


@pytest.mark.parametrize("view", VIEWS)
def test_the_words_beside_a_title_have_forms_for_narrow_panels(view: str) -> None:
    module = VIEWS[view].module()
    for state in (state for kind in KINDS for state in states_of(view, kind)):
        forms = {room: module.subtitle(state, Unknown(), room) for room in (0.0, 45.0, 90.0, 150.0, 250.0, math.inf)}
        assert forms[math.inf] == module.subtitle(state, Unknown())
        assert text_width("caption", forms[0.0]) <= 110.0, forms[0.0]
        widths = [text_width("caption", form) for form in forms.values()]
        assert widths == sorted(widths)
        assert all(wide <= room or forms[room] == forms[0.0] for room, wide in zip(forms, widths, strict=True))


@pytest.mark.parametrize("encoding", [SinusoidalEncoding(1, 2), SinusoidalEncoding(10_000_000, 4096)], ids=str)
@pytest.mark.parametrize("view", [view for view in VIEWS if view != "compare"])
def test_a_view_composes_the_smallest_and_a_huge_table(view: str, encoding: SinusoidalEncoding, light: Theme) -> None:
    picture = picture_in(view, with_encoding(State(), encoding), Box(700.0, 500.0, 1.0, light), Unknown())
    assert picture
    assert covered_texts(picture) == []


@pytest.mark.parametrize(("view", "name"), [(view, name) for view in VIEWS for name in CHOICES[view]])
def test_each_choice_is_seen_on_the_screen_and_in_the_picture_that_is_taken_away(view, name, light) -> None:
    # Clock and waves wear the scheme while the workspace of the sentence is open.
    given = {"attention.is_open": "true"} if name in ("scheme", "drops_positions") else {}
    if view == "learn" and name != "learn.trains":
        given = {"learn.trains": "true", "learn.steps": "10", "learn.schemes": "additive rope"}
    before, after = state_of(given), state_of({**given, name: CHOICES[view][name]})
    assert value_of(before, name) != value_of(after, name)
    box, sheet = Box(700.0, 420.0, 1.0, light), picture_sheet(700, 420, 1.0)
    assert picture_of(view, before, box) != picture_of(view, after, box)
    if name == "learn.trains":
        assert figure_of(view, before) is None
        return
    images = [figure_copy(figure_of(view, state) or "", state, sheet, light).imageData() for state in (before, after)]
    assert images[0] != images[1]


@pytest.mark.parametrize("view", VIEWS)
def test_equal_states_have_equal_still_parts_and_moving_the_cursor_changes_none(view: str, light: Theme) -> None:
    module, box = VIEWS[view].module(), Box(700.0, 420.0, 1.0, light)
    one, same = (module.scene(state_of({"d_model": "16"}), Unknown(), box) for _ in range(2))
    assert one.still == same.still
    if view != "similarity":
        assert module.scene(state_of({"d_model": "16", "position": "5"}), Unknown(), box).still == one.still


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_names_the_state_that_it_shows(figure: str, light: Theme) -> None:
    row = FIGURES[figure]
    for name, text in row.assignments.items():
        assert str(value_of(row.state(State()), name)).lower() == text
    # Derivations are the chapter that is seen, which has a figure of its own; turns are a part of what is seen.
    is_whole = row.lettering is None and ":" not in figure and figure not in ("derivations", "learned-turns")
    assert (figure_of(row.view, row.state(State())) == figure) == is_whole


N_BOXES = 12
N_SMALL_BOXES = 20
# Wider than any panel gets narrow: the docks keep so much.
NARROWEST, WIDEST = 250, 1900
# Of a table so large, nothing is asked here.
TOO_LARGE = {"largest"}


def some_state(luck: random.Random) -> tuple[str, State]:
    """One of the states whose pictures are kept, or its encoding's size in another kind."""
    name = luck.choice([name for name in STATES if name not in TOO_LARGE])
    state, kind = state_of(STATES[name]), luck.choice([*KINDS])
    if luck.random() < 0.5:
        return name, state
    return f"{name} {kind}", with_encoding(state, switched(SinusoidalEncoding(), kind))


@pytest.mark.parametrize("view", VIEWS)
def test_texts_stand_four_pixels_apart_at_any_width(view: str, light: Theme, luck: random.Random) -> None:
    module = VIEWS[view].module()
    for _ in range(N_BOXES):
        name, state = some_state(luck)
        width, height = luck.uniform(NARROWEST, WIDEST), luck.uniform(150.0, 1100.0)
        needed = module.height(state, Computed(), width, light)
        if needed == math.inf:
            continue
        box = Box(width, needed or height, 1.0, light, is_paper=luck.random() < 0.3)
        assert touching_texts(picture_in(view, state, box)) == [], (name, box.width, box.height, box.is_paper)


@pytest.mark.parametrize("view", VIEWS)
def test_a_page_is_drawn_in_any_box_from_one_pixel_to_three_hundred(view, light, luck, painted) -> None:
    module = VIEWS[view].module()
    for _ in range(N_SMALL_BOXES):
        name, state = some_state(luck)
        width, height = luck.choice([luck.randint(1, 300), luck.randint(NARROWEST, WIDEST)]), luck.randint(1, 300)
        scene = module.scene(state, Computed(), Box(float(width), float(height), 1.0, light))
        picture = (*scene.still(), *scene.moving)
        places = [place.area for place in scene.places()]
        frames = [mark for mark in picture if isinstance(mark, marks.Rectangle)]
        is_narrow = width < NARROWEST
        assert is_narrow or all(one.width >= 0.0 <= one.height for one in [*places, *frames]), (name, width, height)
        painted(picture, width=width, height=height)


# One for each kind without pairs: the similarity of its rows is no function of the offset, and there is no M_k.
BEFORE = ("sine-only", "odd-width", "counter", "normalised-counter", "binary", "gray", "random")
# Of its four parts the last is about M_k: after these kinds it says why there is none, the others stay.
WITHOUT_ROTATION = "reasons"


def n_drawn(state: State, key: str, theme: Theme) -> int:
    """How many marks of a view are no text."""
    picture = picture_in(key, state, Box(900.0, 650.0, 1.0, theme))
    return sum(not isinstance(mark, marks.Text | marks.FormulaText) for mark in picture)


@pytest.mark.parametrize("before", BEFORE)
def test_a_preset_of_an_encoding_shows_what_it_shows_after_the_first_start(before: str) -> None:
    start = with_preset(State(), before)
    assert start.encoding.pairs is None
    for preset in PRESETS.values():
        if preset.has_encoding:
            after, first = with_preset(start, preset.id), with_preset(State(), preset.id)
            assert after.encoding == first.encoding, preset.id
            assert after.views == first.views, preset.id
            if {"position", "pair"} <= {*preset.assignments}:
                assert after.cursor == first.cursor, preset.id


@pytest.mark.parametrize("id_", [preset.id for preset in PRESETS.values() if not preset.has_encoding])
def test_a_preset_that_keeps_the_encoding_draws_its_picture_whichever_that_is(id_, light, luck) -> None:
    first = with_preset(State(), id_)
    usual = {key: n_drawn(first, key, light) for key in first.views.front}
    assert usual
    for before in luck.sample(BEFORE, 2):
        after = with_preset(with_preset(State(), before), id_)
        assert after.views.front == first.views.front
        for key, count in usual.items():
            # Bits of a short table are 4 pairs of the 16 that a strip or bars show.
            least = 0.2 if id_ == WITHOUT_ROTATION else 0.4
            assert n_drawn(after, key, light) >= max(least * count, 1), (before, key)
