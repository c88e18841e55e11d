"""Learn: one head learns a task under each scheme of positions; its film is seen step by step."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from pe_desktop.core.learning import run as learning
from pe_desktop.core.learning.run import BACK, BATCH, CHANGES, HELD_OUT, TASKS, TRAINABLE, WORDS, Run, learning_refusal
from pe_desktop.core.learning.shown import run_of, said_of_learning, scheme_title, what_is_learned
from pe_desktop.core.learning.training import accuracies_by_seed, losses_at_change
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.draw import flow
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Named, Row, Space, Table, Words, in_row
from pe_desktop.draw.number_text import fixed, whole
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views import controls, films
from pe_desktop.views.controls import CAPTIONS, Choice, Number, Press
from pe_desktop.views.films import Seen, percent
from pe_desktop.views.learn import plots
from pe_desktop.views.paged import Page, PagedView

# From this width on two columns stand beside each other, the first of which has the schemes.
_WIDE, _SCHEMES = 700.0, 350.0
# A tick and a row of the table.
_TICK, _ROW = 17.0, 21.0
# A word of the task: its height, the room beside it, and up to it at least a question stands.
_CHIP, _PAD, _FIRST_ASKED = 22.0, 9.0, 4


def _questions(state: State) -> Questions:
    """The films, and what is left of the head that is seen without its positions."""
    return (*films.film_questions(state), *films.removed_questions(state))


def page(state: State, answers: Answers) -> Block:
    """What was learned in a sentence, curves, schemes with their accuracies, turns, weights and scores."""
    if refusal := learning_refusal(state.encoding):
        return flow.paragraph(refusal, "label")
    run = run_of(state)
    every = films.every_seen(state, answers)
    seen = every.get(run.scheme)
    found = tuple(every.values())
    accuracy, loss = plots.curves(found, run, films.film_now(state, answers)[0])
    looks, scores = plots.looks_charts(found, run)
    task = _task_block(run)
    sentence = replace(flow.paragraph(_sentence(state, answers), "message", "text"), is_for_screen=True)
    seed = flow.button("Another seed", {"learn.seed": run.seed + 1})
    caption = in_row((GROW, FIT), flow.paragraph(_caption(run, seen)), Column((seed,), is_for_screen=True))
    schemes = _schemes_block(state, answers)
    turns = plots.turns_block(state, answers)
    maps = _way_to_maps(run, seen)
    what = Column(tuple(flow.paragraph(words) for words in (what_is_learned(run), *said_of_learning().values())))
    says = Column((sentence, caption), gap=3.0)
    asked = Column((task, flow.paragraph(task.value)), gap=3.0)
    wide = (
        in_row((GROW, 300.0), says, asked, gap=18.0),
        in_row((_SCHEMES, GROW), schemes, accuracy, gap=18.0),
        in_row((0.54, GROW), turns, Column((scores, *maps)), gap=20.0),
        in_row((0.5, GROW), looks, loss, gap=20.0),
        what,
    )
    narrow = says, asked, accuracy, schemes, turns, scores, *maps, looks, loss, what
    screen = Fits((Column(wide, gap=8.0), Column(narrow, gap=8.0)), (_WIDE, 0.0))
    # Without what is pressed, on a slide in two columns; turns are a figure of their own.
    halves = Column((says, accuracy, loss), gap=6.0), Column((schemes, looks), gap=6.0)
    paper = Fits((in_row((GROW, GROW), *halves, gap=28.0), Column(halves, gap=6.0)), (_WIDE, 0.0))
    bare = in_row((GROW, GROW), halves[0], Column((schemes, turns, looks), gap=6.0), gap=28.0)
    return flow.OnPaper((screen,), paper=paper, bare=bare)


def _way_to_maps(run: Run, seen: Seen | None) -> tuple[Block, ...]:
    """What shows the weights of the head that is seen over the sentence of Attention."""
    if seen is None or run.scheme not in SCHEMES:
        return ()
    words = Words("Its weights in Attention ›", "flag", "focus")
    sets = {"attention.back": run.back, "scheme": run.scheme, "front": ("attention",)}
    return (Column((Named("weights in Attention", words, sets=sets),), is_for_screen=True),)


def _readout(state: State, answers: Answers) -> str:
    """What the page says, and both curves of all that is trained."""
    every = films.every_seen(state, answers)
    curves = plots.copied_curves([every[run.scheme] for run in films.runs_of(state) if run.scheme in every])
    return "\n".join((flow.page_text(page(state, answers)), *curves))


def _caption(run: Run, seen: Seen | None) -> str:
    """What is trained and tested; after a change of positions, what the loss did."""
    if run.change != "none" and seen is not None and seen.film.is_whole:
        at = run.n_steps
        before, peak, after = (fixed(loss, 2) for loss in losses_at_change(seen.film))
        what = "taken away" if run.change == "removed" else "added"
        fell = f"the loss goes from {before} to {peak}, and after {at} more steps it is {after}"
        return f"{seen.title}: positions are {what} after step {at}, {fell}; seed {run.seed}."
    given = f"{whole(run.n_total)} steps of {BATCH} sentences, tested on {HELD_OUT} unseen ones; seed {run.seed}."
    return f"One causal head, {given}{_seeds(run)}"


def _seeds(run: Run) -> str:
    """How the accuracy depends on the seed, once the scheme that is seen was trained with two."""
    found = accuracies_by_seed(run)
    if len(found) < 2:
        return ""
    seeds = ", ".join(map(str, found))
    least, most = (percent(end(found.values())) for end in (min, max))
    return f" {scheme_title(run.scheme)} with seeds {seeds}: {least} to {most}."


def _sentence(state: State, answers: Answers) -> str:
    """What was learned, written from the results."""
    if refusal := learning_refusal(state.encoding):
        return refusal
    runs = films.runs_of(state)
    if not runs:
        return "Nothing is trained yet: press Train"
    every = films.every_seen(state, answers)
    for run in runs:
        one = every.get(run.scheme)
        if one is None or not one.film.is_whole:
            n_done = 0 if one is None else one.film.n_done
            word = "Stopped" if answers.is_stopped(films.film_question(run)) else "Training"
            return f"{word}: {scheme_title(run.scheme)}, step {whole(n_done)} of {whole(run.n_total)}"
    return _result([*every.values()])


def _result(found: list[Seen]) -> str:
    """Which schemes learn the task, which do in part, and which do not."""
    run = found[0].run
    task = plots.task_words(run)
    if run.change != "none":
        before, after = (
            sum(one.film.accuracy[one.film.place_of(step)] >= films.LEARNED[run.task] for one in found)
            for step in (run.n_steps, run.n_total)
        )
        when = ("with", "without") if run.change == "removed" else ("without", "with")
        count = f"{before} of {len(found)}"
        return f"Positions {run.change}: {when[0]} them {count} could {task}, {when[1]} them {after} can."
    named: dict[str, list[str]] = {"learned by": [], "in part by": [], "not learned by": []}
    for one in found:
        share = float(one.film.accuracy[-1])
        if share >= films.LEARNED_WELL:
            named["learned by"].append(one.title)
        elif share < films.LEARNED[run.task]:
            named["not learned by"].append(one.title)
        else:
            named["in part by"].append(f"{one.title} {percent(share)}")
    says = "; ".join(f"{how} {', '.join(titles)}" for how, titles in named.items() if titles)
    return f"{task.capitalize()}: {says}."


def _forms(state: State, answers: Answers) -> tuple[str, ...]:
    seen = films.seen_of(state, answers)
    word = "Untrained" if seen is None else f"Trained {whole(seen.film.n_done)} steps"
    return f"{word}: one head, {whole(state.encoding.d_model)} numbers a word", word


def _explanation(state: State) -> str:
    learned = "" if learning_refusal(state.encoding) else f"{what_is_learned(run_of(state))} "
    return f"{CAPTIONS['learn']}{learned}{said_of_learning()['shows']}"


def _schemes_block(state: State, answers: Answers) -> Block:
    """A row for each scheme, on paper for each that is trained: its accuracy at three lengths, how long it took."""
    run, shown = run_of(state), films.every_seen(state, answers)
    seen, title = shown.get(run.scheme), scheme_title(run.scheme)
    taken = list[Row]()
    for removed in films.removed_questions(state) if seen is not None and seen.film.is_whole else ():
        without: Mapping[int, float | None] = answers.answer(removed) or dict.fromkeys(run.lengths)
        tooltip = "The same head, from which positions are taken away now"
        cells, name = (f"{title}, taken away", *_told(without), ""), f"{title}, positions taken away"
        taken.append(Row(cells, tooltip=tooltip, name=name, value=_value(without)))
    seconds = sum(seen.film.seconds for seen in shown.values())
    titles = "Schemes", *map(whole, run.lengths), f"{fixed(seconds, 1)} s" if shown else ""
    every, trained = ([*(_scheme(state, one, shown.get(one)) for one in some), *taken] for some in (TRAINABLE, shown))
    # How long it took is no part of a figure, which is the same each time.
    paper = Table(titles[:-1], tuple(replace(row, cells=row.cells[:-1]) for row in trained), 12.0, _ROW)
    ticks = Column((Space(Table.HEAD), *(_tick_of(state, scheme) for scheme in TRAINABLE)))
    screen = in_row((_TICK, GROW), ticks, Table(titles, tuple(every), 12.0, _ROW), gap=5.0)
    says = "accuracy after the last step, by words of a sentence"
    below = flow.small(says, "accuracy, by words of a sentence", "accuracy by words", "")
    return Column((flow.OnPaper((screen,), paper=paper), below), gap=4.0)


def _scheme(state: State, scheme: str, seen: Seen | None) -> Row:
    """What is known of a scheme; a press shows it."""
    view, title, value = state.views.learn, scheme_title(scheme), "not trained"
    by_length: Mapping[int, float | None] = {}
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
    chosen, tooltip = state.views.learn.schemes, "Train it with the others, or leave it out"
    is_ticked = scheme in chosen
    others = tuple(one for one in TRAINABLE if (one in chosen) != (one == scheme))
    value = "trained" if is_ticked else "left out"
    box = Drawn(flow.framed_word, ("✓" if is_ticked else "", is_ticked), _TICK)
    room = Space((_ROW - _TICK) / 2)
    return Named(f"train {scheme_title(scheme)}", Column((room, box, room)), value, {"learn.schemes": others}, tooltip)


def _task_block(run: Run) -> Named:
    """Words of a sentence that it is tested on, darker the one that asks and the one that answers."""
    tested = learning.held_out(run, run.n_words)
    # The sentence where the question comes first.
    number = int(tested.is_asked.argmax(axis=1).argmin())
    words = tested.words[number]
    asked = max(int(tested.is_asked[number].argmax()), _FIRST_ASKED)
    answer = words.tolist().index(tested.answers[number, asked])
    source = asked - run.back if run.task == "copy" else answer
    says = f"At place {asked} the right answer is “{WORDS[words[source]]}”, the word of place {source}."
    chips = list[Block]()
    # Few enough for the narrowest page.
    for place in sorted({source, source + 1, asked - 2, asked - 1, asked}):
        word = WORDS[words[place]]
        wide = text_width("segment", word) + 2 * _PAD
        chip = Drawn(flow.framed_word, (word, place in (source, asked)), _CHIP, wide)
        chips.append(Column((chip, flow.small(whole(place), across=0.5)), gap=2.0))
    return Named("task", in_row((FIT,) * len(chips), *chips, gap=4.0), says)


_TOLD: Final = controls.WORDS["learn"]
_CONTROLS: Final = (
    Choice(**_TOLD["task"], tooltips=TASKS),
    Number(
        **_TOLD["back"],
        shown=lambda state: float(BACK.nearest(abs(round(state.cursor.offset)))),
        read=lambda _state, text: -BACK.read(text),
        is_shown=lambda state: state.views.learn.task == "copy",
    ),
    # A change shows the last step.
    Choice(**_TOLD["change"], tooltips=CHANGES, also={"learn.step": -1}),
    *(Press(**_TOLD[name]) for name in ("train", "stop", "reset")),
)

_PAGE: Final = Page(page, _sentence, _explanation, _questions, _readout, is_wide=True)

VIEW = PagedView("", {"": _PAGE}, _forms, _CONTROLS, parts={"turns": replace(_PAGE, block=plots.turns_block)})
