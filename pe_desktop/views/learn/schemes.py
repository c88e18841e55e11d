"""The task on words of a sentence, the schemes that are trained, and their accuracies on longer sentences."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from pe_desktop.core.learning.run import TRAINABLE, WORDS, Run, held_out
from pe_desktop.core.learning.shown import scheme_title
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Grid, Ground, Layers, Named, Space, Words, in_row
from pe_desktop.draw.number_text import fixed, whole
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers
from pe_desktop.views.films import Seen, percent, removed_questions
from pe_desktop.views.learn.plots import ringed

_ROW, _TICK, _PERCENT = 21.0, 14.0, 46.0
# Chips of the task: their height, the room of the arrow above and of the numbers below them.
_CHIP, _ARROW, _BELOW = 22.0, 22.0, 16.0
_MOST_CHIPS: Final = 7
_PAD, _BETWEEN = 7.0, 3.0


def schemes_block(state: State, shown: Mapping[str, Seen]) -> Block:
    """A row for each scheme: whether it is trained, how far it is, how many seconds it took."""
    rows = [_scheme(state, scheme, shown.get(scheme)) for scheme in TRAINABLE]
    seconds = sum(seen.film.seconds for seen in shown.values())
    in_all = flow.small(f"{fixed(seconds, 1)} s in all" if shown else "none is trained", "", across=1.0)
    return Column((in_row((FIT, GROW), Words("Schemes", "strong"), in_all), *rows))


def _scheme(state: State, scheme: str, seen: Seen | None) -> Block:
    view = state.views.learn
    is_ticked = scheme in view.schemes
    is_chosen = scheme == view.scheme
    title = scheme_title(scheme)
    others = tuple(one for one in TRAINABLE if (one in view.schemes) != (one == scheme))
    tick = Named(
        *(f"train {title}", Drawn(_tick, (is_ticked,), _ROW, wide=_TICK), "trained" if is_ticked else "left out"),
        *({"learn.schemes": others}, "Train it with the others, or leave it out"),
    )
    share = 0.0
    value = "not trained"
    says = "waits" if is_ticked and view.trains else ""
    if seen is not None:
        share = seen.film.n_done / seen.run.n_total
        value = f"accuracy {percent(seen.accuracy)} after step {seen.step}"
        says = f"{fixed(seen.film.seconds, 1)} s" if seen.film.is_whole else f"step {whole(seen.film.n_done)}"
    words = Words(title, "flag" if is_chosen else "caption", "text" if is_ticked else "text3")
    cells = _middle(words), Drawn(_line, (round(share, 3), is_chosen), _ROW), _middle(flow.small(says, across=1.0))
    row = in_row((62.0, GROW, 50.0), *cells, gap=6.0)
    block = Layers((Ground() if is_chosen else Space(0.0), ringed(row, GROW)))
    tooltip = f"{'Random vectors are added. ' if scheme == 'random' else ''}Show it in every plot"
    named = Named(f"scheme {title}", block, value, {"learn.scheme": scheme}, tooltip, is_chosen)
    return in_row((_TICK, GROW), tick, named, gap=8.0)


def _middle(words: Words) -> Block:
    return Column((Space((_ROW - words.height(0.0)) / 2), words))


def _tick(area: Area, theme: Theme, is_ticked: bool) -> marks.Picture:
    box = Area(area.x + 0.5, area.middle[1] - 6.5, 13.0, 13.0)
    if not is_ticked:
        return (marks.Rectangle(*box, theme.panel, theme.axis, 3.0),)
    x, y = box.middle
    hook = np.array([[x - 3.5, y], [x - 1.0, y + 3.0], [x + 4.0, y - 3.5]])
    return marks.Rectangle(*box, theme.ink, theme.ink, 3.0), marks.Polyline(hook, theme.ink_on, 1.6)


def _line(area: Area, theme: Theme, share: float, is_chosen: bool) -> marks.Picture:
    """How much of the steps is done."""
    y = area.middle[1]
    ink = theme.ink if is_chosen else theme.axis
    done = (marks.lines((area.x, y, area.x + share * area.width, y), ink, 3.0),) if share else ()
    return (marks.lines((area.x, y, area.right, y), theme.line, 3.0), *done)


def lengths_block(state: State, shown: Sequence[Seen], run: Run, answers: Answers) -> Block:
    """The accuracy at the trained length and at two longer ones, in the order of the schemes."""
    titles = [whole(length) for length in run.lengths]
    heads = [flow.small(f"{title}, trained" if place == 0 else title, title) for place, title in enumerate(titles)]
    rows: list[tuple[Block, ...]] = [(Space(0.0), *heads)]
    places: list[Named | None] = [None]
    unknown = dict.fromkeys(run.lengths)
    for seen in shown:
        is_chosen = seen.run.scheme == run.scheme
        by_length = {**unknown, run.n_words: float(seen.film.accuracy[-1]), **seen.film.by_length}
        sets = {"learn.scheme": seen.run.scheme}
        places.append(Named(f"accuracy of {seen.title}", value=_told(by_length), sets=sets, is_chosen=is_chosen))
        rows.append(_bars(Words(seen.title, "flag" if is_chosen else "caption"), by_length, is_chosen=is_chosen))
        for removed in removed_questions(state) if is_chosen and seen.film.is_whole else ():
            without = answers.answer(removed) or unknown
            tooltip = "The same trained head, from which positions are taken away now"
            name = f"{seen.title}, positions taken away"
            places.append(Named(name, value=_told(without), tooltip=tooltip))
            rows.append(_bars(Column((flow.small(f"{seen.title},"), flow.small("taken away"))), without))
    note = f"accuracy after step {run.n_total}"
    says = flow.small(f"{note}, on sentences of so many words", note, note.removeprefix("accuracy "), "")
    head = in_row((FIT, GROW), Words("Longer than trained", "strong"), says)
    return Column((head, Grid((FIT, GROW, GROW, GROW), tuple(rows), tuple(places), gap=10.0, between=3.0)), gap=6.0)


def _percent(share: float | None) -> str:
    return "…" if share is None else percent(share)


def _told(by_length: Mapping[int, float | None]) -> str:
    return ", ".join(f"{length} words {_percent(share)}" for length, share in by_length.items())


def _bars(title: Block, by_length: Mapping[int, float | None], *, is_chosen: bool = False) -> tuple[Block, ...]:
    cells: list[Block] = [title]
    for share, ink in zip(by_length.values(), ("text2", "text3", "axis"), strict=True):
        text = Words(_percent(share), "flag" if is_chosen else "tick", "text" if is_chosen else "text2")
        bar = Drawn(_bar, (share or 0.0, "ink" if is_chosen else ink), 18.0)
        cells.append(in_row((GROW, _PERCENT), bar, text, gap=6.0))
    return tuple(cells)


def _bar(area: Area, theme: Theme, share: float, ink: str) -> marks.Picture:
    wide = (area.width, theme.sunken), (max(share * area.width, 1.0), getattr(theme, ink))
    top = area.middle[1] - 5.0
    return tuple(marks.Rectangle(area.x, top, width, 10.0, fill, radius=2.0) for width, fill in wide)


def task_block(run: Run) -> Named:
    """Words of a sentence that it is tested on: the one that asks, and an arrow to the right answer."""
    tested = held_out(run, run.n_words)
    # The sentence where the question comes first.
    words = tested.words[int(tested.is_asked.argmax(axis=1).argmin())]
    if run.task == "first":
        source, second = sorted(int(np.flatnonzero(words == word)[0]) for word in (0, 1))
        asked = second + 1
        places = sorted({source, source + 1, second - 1, second, asked})
    else:
        back = run.back if run.task == "copy" else _MOST_CHIPS - 1
        asked = max(back, _MOST_CHIPS - 1)
        source = asked - back
        places = [*range(asked + 1)]
    chips = tuple((place, WORDS[words[place]]) for place in places)
    says = f"At place {asked} the right answer is “{WORDS[words[source]]}”, the word of place {source}."
    return Named("task", Drawn(_task, (chips, asked, source), _ARROW + _CHIP + _BELOW, _wide_of(chips)), says)


def _wide(word: str) -> float:
    return text_width("caption", word) + 2 * _PAD


def _wide_of(chips: Sequence[tuple[int, str]]) -> float:
    return sum(_wide(word) for _, word in chips) + _BETWEEN * (len(chips) - 1)


def _task(area: Area, theme: Theme, chips: tuple[tuple[int, str], ...], asked: int, source: int) -> marks.Picture:
    picture: marks.Marks = []
    others = [place for place, _ in chips if place not in (asked, source)]
    while others and _wide_of(chips) > area.width:
        # From the left, where no word is asked for.
        left_out = others.pop(0)
        chips = tuple(chip for chip in chips if chip[0] != left_out)
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
