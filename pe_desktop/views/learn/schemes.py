"""The schemes that are trained with their accuracies on longer sentences, and the task on words of a sentence."""

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from pe_desktop.core.learning.run import TRAINABLE, WORDS, Run, held_out
from pe_desktop.core.learning.shown import scheme_title
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import GROW, Block, Column, Drawn, Named, Row, Space, Table, in_row
from pe_desktop.draw.number_text import fixed, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers
from pe_desktop.views.films import Seen, percent, removed_questions

# A tick, its place with the ring of the focus, and a row of the table.
_TICK, _TICKED, _ROW = 13.0, 20.0, 21.0
# Chips of the task: their height, the room of the arrow above and of the numbers below them.
_CHIP, _ARROW, _BELOW = 22.0, 22.0, 16.0
_FIRST_ASKED: Final = 4
_PAD, _BETWEEN = 7.0, 3.0


def schemes_block(
    state: State, shown: Mapping[str, Seen], run: Run, answers: Answers, schemes: Iterable[str] = TRAINABLE
) -> Block:
    """A row for each scheme: whether it is trained, its accuracy at three lengths, how many seconds it took."""
    rows = [_scheme(state, scheme, shown.get(scheme)) for scheme in schemes]
    seen = shown.get(run.scheme)
    for removed in removed_questions(state) if seen is not None and seen.film.is_whole else ():
        without: Mapping[int, float | None] = answers.answer(removed) or dict.fromkeys(run.lengths)
        title = scheme_title(run.scheme)
        tooltip = "The same head, from which positions are taken away now"
        name = f"{title}, positions taken away"
        rows.append(
            Row((f"{title}, taken away", *_told(without), ""), tooltip=tooltip, name=name, value=_value(without))
        )
    seconds = sum(seen.film.seconds for seen in shown.values())
    titles = "Schemes", *map(whole, run.lengths), f"{fixed(seconds, 1)} s" if shown else ""
    ticks = Column((Space(Table.HEAD), *(_tick_of(state, scheme) for scheme in TRAINABLE)), is_for_screen=True)
    table = in_row((_TICKED, GROW), ticks, Table(titles, tuple(rows), gap=12.0, row_height=_ROW), gap=2.0)
    says = "accuracy after the last step, by words of a sentence"
    return Column((table, flow.small(says, "accuracy, by words of a sentence", "accuracy by words", "")), gap=4.0)


def _scheme(state: State, scheme: str, seen: Seen | None) -> Row:
    """What is known of a scheme; a press shows it."""
    view = state.views.learn
    title = scheme_title(scheme)
    by_length: Mapping[int, float | None] = {}
    value = "not trained"
    says = "waits" if scheme in view.schemes and view.trains else ""
    if seen is not None:
        film = seen.film
        known = {seen.run.n_words: float(film.accuracy[-1]), **film.by_length}
        by_length = {**dict.fromkeys(seen.run.lengths), **known}
        value = f"accuracy {percent(seen.accuracy)} after step {seen.step}; {_value(by_length)}"
        says = f"{fixed(film.seconds, 1)} s" if film.is_whole else f"step {whole(film.n_done)}"
    tooltip = f"{'Random vectors are added. ' if scheme == 'random' else ''}Show it in every plot"
    cells = title, *(_told(by_length) or ("",) * 3), says
    return Row(cells, {"learn.scheme": scheme}, scheme == view.scheme, (), tooltip, f"scheme {title}", value)


def _told(by_length: Mapping[int, float | None]) -> tuple[str, ...]:
    return tuple("…" if share is None else percent(share) for share in by_length.values())


def _value(by_length: Mapping[int, float | None]) -> str:
    return ", ".join(f"{length} words {share}" for length, share in zip(by_length, _told(by_length), strict=True))


def _tick_of(state: State, scheme: str) -> Named:
    """Whether a scheme is trained with the others; a press adds it or leaves it out."""
    chosen = state.views.learn.schemes
    is_ticked = scheme in chosen
    others = tuple(one for one in TRAINABLE if (one in chosen) != (one == scheme))
    value = "trained" if is_ticked else "left out"
    tooltip = "Train it with the others, or leave it out"
    return Named(
        f"train {scheme_title(scheme)}", Drawn(_tick, (is_ticked,), _ROW), value, {"learn.schemes": others}, tooltip
    )


def _tick(area: Area, theme: Theme, is_ticked: bool) -> marks.Picture:
    box = Area(area.x + 3.5, area.middle[1] - _TICK / 2, _TICK, _TICK)
    if not is_ticked:
        return (marks.Rectangle(*box, theme.panel, theme.axis, 3.0),)
    x, y = box.middle
    hook = np.array([[x - 3.5, y], [x - 1.0, y + 3.0], [x + 4.0, y - 3.5]])
    return marks.Rectangle(*box, theme.ink, theme.ink, 3.0), marks.Polyline(hook, theme.ink_on, 1.6)


def task_block(run: Run) -> Named:
    """Words of a sentence that it is tested on: the one that asks, and an arrow to the right answer."""
    tested = held_out(run, run.n_words)
    # The sentence where the question comes first.
    number = int(tested.is_asked.argmax(axis=1).argmin())
    words = tested.words[number]
    asked = max(int(tested.is_asked[number].argmax()), _FIRST_ASKED)
    same = np.flatnonzero(words == tested.answers[number, asked])
    source = asked - run.back if run.task == "copy" else int(same[0])
    # Few enough for the narrowest page.
    places = sorted({source, source + 1, asked - 2, asked - 1, asked})
    chips = tuple((place, WORDS[words[place]]) for place in places)
    says = f"At place {asked} the right answer is “{WORDS[words[source]]}”, the word of place {source}."
    wide = sum(_wide(word) + _BETWEEN for _, word in chips)
    return Named("task", Drawn(_task, (chips, asked, source), _ARROW + _CHIP + _BELOW, wide), says)


def _wide(word: str) -> float:
    return text_width("caption", word) + 2 * _PAD


def _task(area: Area, theme: Theme, chips: tuple[tuple[int, str], ...], asked: int, source: int) -> marks.Picture:
    picture: marks.Marks = []
    middles = dict[int, float]()
    x, top = area.x, area.y + _ARROW
    for place, word in chips:
        wide = _wide(word)
        fill, edge, ink = (theme.sunken, None, theme.text)
        if place == asked:
            fill, ink = theme.ink, theme.ink_on
        elif place == source:
            fill, edge = theme.panel, theme.ink
        middle = middles[place] = x + wide / 2
        picture.append(marks.Rectangle(x, top, wide, _CHIP, fill, edge, _CHIP / 2))
        picture.append(marks.centered(middle, top + _CHIP / 2, word, "caption", ink))
        picture.append(marks.centered(middle, top + _CHIP + 9.0, whole(place), "tick", theme.text3))
        x += wide + _BETWEEN
    # An arc from one chip to the other, with a head.
    end = middles[source]
    foot = top - 2.0
    turn = np.linspace(0.0, np.pi, 24)
    reach = (middles[asked] - end) / 2
    arc = np.column_stack((end + reach * (1.0 + np.cos(turn)), foot - (_ARROW - 6.0) * np.sin(turn)))
    head = np.array([[end - 3.0, foot - 5.0], [end, foot], [end + 5.0, foot - 3.5]])
    return (*picture, marks.Polyline(arc, theme.ink, 1.3), marks.Polyline(head, theme.ink, 1.6))
