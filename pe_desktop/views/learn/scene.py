"""Learn: one head learns a task under each scheme of positions; its film is seen step by step."""

from dataclasses import replace
from typing import Final

from pe_desktop.core.learning.readings import losses_at_change
from pe_desktop.core.learning.run import BACK, BATCH, CHANGES, HELD_OUT, TASKS, Run, learning_refusal
from pe_desktop.core.learning.shown import WHAT_IS_DRAWN, WHAT_IT_SHOWS, run_of, scheme_title, what_is_learned
from pe_desktop.core.learning.training import accuracies_by_seed
from pe_desktop.core.scores.schemes import SCHEMES
from pe_desktop.core.state import State
from pe_desktop.draw import flow
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Fits, Named, Rule, Space, Words, in_row
from pe_desktop.draw.number_text import fixed, whole
from pe_desktop.model.findings import Answers, Questions
from pe_desktop.views import films
from pe_desktop.views.controls import Choice, Declared, Number, Press
from pe_desktop.views.learn import plots
from pe_desktop.views.learn.schemes import lengths_block, schemes_block, task_block
from pe_desktop.views.learn.turns import turns_block
from pe_desktop.views.paged import Page, PagedView

# From these widths on three columns stand beside each other, or two.
_WIDE, _MIDDLE = 1150.0, 700.0
_SCHEMES: Final = 214.0
_TASKS: Final = {"copy": "Copy, places back:", "first": "Which came first", "repeat": "Repeat the first"}
_CHANGES: Final = {"none": "stay", "removed": "taken away after", "added": "added after"}
_EXPLANATION: Final = (
    "One causal head is trained under each scheme: accuracy on sentences that it never saw, loss, where it looks. "
    "Hands of the dial are the turns in W_Q W_Kᵀ, hollow ones those of M_-n. "
)


def questions(state: State) -> Questions:
    """The films, and what is left of the head that is seen without its positions."""
    return (*films.film_questions(state), *films.removed_questions(state))


def page(state: State, answers: Answers) -> Block:
    """What was learned in a sentence, curves, longer sentences, turns, weights and scores."""
    if refusal := learning_refusal(state.encoding):
        return flow.paragraph(refusal, "label")
    run = run_of(state)
    step = films.step_now(state, answers)
    every = films.every_seen(state, answers)
    seen = every.get(run.scheme)
    found = tuple(every.values())
    accuracy, loss = plots.curves(found, run, step)
    task = task_block(run)
    schemes = schemes_block(state, every)
    sentence = replace(flow.paragraph(_sentence(state, answers), "message", "text"), is_for_screen=True)
    caption = flow.paragraph(_caption(run, seen))
    # The page doesn't jump when a longer sentence says what was learned.
    below = replace(caption, text="", n_lines=1 if run.change == "none" else 2)
    room = replace(sentence, text="", n_lines=2), below
    says = Column(
        (
            flow.Layers((Column(room, 3.0, is_for_screen=True), Column((sentence, caption), 3.0))),
            flow.paragraph(task.value),
            Column((_changes(run),), is_for_screen=True),
        ),
        gap=3.0,
    )
    lengths = lengths_block(state, found, run, answers)
    turns = turns_block(state, run, seen)
    looks = Column((plots.looks_block(found, run, step), *_way_to_maps(run, seen)), gap=6.0)
    scores = plots.scores_block(found, run)
    what = tuple(flow.paragraph(words) for words in (what_is_learned(run), WHAT_IS_DRAWN, WHAT_IT_SHOWS))
    wide = in_row(
        (_SCHEMES + 60.0, GROW, 0.33),
        Column((task, Rule(), schemes, Rule(), *what), gap=4.0),
        Column((says, accuracy, loss, Rule(), looks), gap=4.0),
        Column((lengths, Rule(), turns, Rule(), scores), gap=4.0),
        gap=24.0,
    )
    middle = (
        in_row((GROW, 300.0), says, task, gap=18.0),
        in_row((_SCHEMES, GROW), Column((Space(8.0), schemes)), accuracy, gap=18.0),
        Rule(9.0),
        in_row((0.42, GROW), lengths, turns, gap=24.0),
        Rule(9.0),
        in_row((0.5, GROW), loss, scores, gap=12.0),
        *(looks, Rule(9.0), *what),
    )
    narrow = says, task, accuracy, turns, lengths, schemes, loss, looks, scores, *what
    screen = Fits((wide, Column(middle, gap=4.0), Column(narrow, gap=8.0)), (_WIDE, _MIDDLE, 0.0))
    # Without what is pressed, on a slide in two columns; turns and scores are a figure of their own.
    curves = says, accuracy, loss
    beside = in_row((GROW, GROW), Column(curves, gap=6.0), Column((lengths, looks), gap=6.0), gap=28.0)
    paper = Fits((beside, Column((*curves, lengths, looks), gap=6.0)), (_MIDDLE, 0.0))
    return flow.OnPaper((screen,), paper=paper)


def _turns_page(state: State, answers: Answers) -> Block:
    """The turns and the score of the scheme that is seen."""
    if refusal := learning_refusal(state.encoding):
        return flow.paragraph(refusal, "label")
    run = run_of(state)
    every = films.every_seen(state, answers)
    turns = turns_block(state, run, every.get(run.scheme))
    scores = plots.scores_block(tuple(every.values()), run)
    beside = in_row((GROW, GROW), turns, scores, gap=28.0)
    return Fits((beside, Column((turns, Rule(), scores), gap=4.0)), (_MIDDLE, 0.0))


def _changes(run: Run) -> Block:
    """What happens to positions after the steps; a press chooses it."""
    cells = list[Block]()
    for change, word in _CHANGES.items():
        is_chosen = change == run.change
        padded = plots.ringed(Words(word, "segment", "text" if is_chosen else "text3"))
        block = flow.Layers((flow.Ground() if is_chosen else Space(0.0), padded))
        sets = {"learn.change": change, "learn.step": -1}
        cells.append(Named(f"positions: {word}", block, sets=sets, tooltip=CHANGES[change], is_chosen=is_chosen))
    alone = in_row((FIT,) * len(cells), *cells, gap=4.0)
    named = in_row((FIT, FIT), flow.small("Positions:"), alone, gap=4.0)
    tooltip = "Other first matrices, other sentences of each step"
    words = plots.ringed(flow.small("another seed"))
    seed = Named("another seed", words, sets={"learn.seed": run.seed + 1}, tooltip=tooltip)
    return Fits((in_row((FIT, FIT), named, seed, gap=20.0), named, alone))


def _way_to_maps(run: Run, seen: films.Seen | None) -> tuple[Block, ...]:
    """What shows the weights of the head that is seen over the sentence of Attention."""
    if seen is None or run.scheme not in SCHEMES:
        return ()
    shorter = "Its weights in Attention ›", "In Attention ›"
    words = Words("Weights of this head over the sentence in Attention ›", "flag", "focus", 0.0, shorter)
    sets = {"attention.back": run.back, "scheme": run.scheme, "front": ("attention",)}
    return (Column((Named("weights in Attention", words, sets=sets),), is_for_screen=True),)


def _readout(state: State, answers: Answers) -> str:
    """What the page says, and both curves of all that is trained."""
    every = films.every_seen(state, answers)
    curves = plots.copied_curves([every[run.scheme] for run in films.runs_of(state) if run.scheme in every])
    return "\n".join((flow.page_text(page(state, answers)), *curves))


def _caption(run: Run, seen: films.Seen | None) -> str:
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
    least, most = (films.percent(end(found.values())) for end in (min, max))
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


def _result(found: list[films.Seen]) -> str:
    """How many schemes learn the task, which do in part, and which do not."""
    run = found[0].run
    task = plots.task_words(run)
    count = len(found)
    if run.change != "none":
        before, after = (
            sum(one.film.accuracy[one.film.place_of(step)] >= films.LEARNED[run.task] for one in found)
            for step in (run.n_steps, run.n_total)
        )
        when = ("with", "without") if run.change == "removed" else ("without", "with")
        return f"Positions {run.change}: {when[0]} them {before} of {count} could {task}, {when[1]} them {after} can."
    shares = {one.title: float(one.film.accuracy[-1]) for one in found}
    well = [title for title, share in shares.items() if share >= films.LEARNED_WELL]
    failed = [title for title, share in shares.items() if share < films.LEARNED[run.task]]
    partly = [f"{title} {films.percent(share)}" for title, share in shares.items() if title not in (*well, *failed)]
    in_part = f"In part: {', '.join(partly)}." if partly else ""
    if count == 1:
        verb = "does not learn" if failed else "learns in part" if partly else "learns"
        return f"{found[0].title} {verb} to {task}{f': {films.percent(*shares.values())}' if partly else ''}."
    every, learned = (plots.NUMBERS[number] for number in (count, len(well)))
    if len(well) == count:
        return f"{'Both' if count == 2 else f'All {every}'} learn to {task}."
    verb = "learns to" if len(well) == 1 else "learn to"
    *others, last = failed or ("",)
    names = f"{', '.join(others)} and {last} do not." if others else f"{last} does not." if last else ""
    says = f"{learned.capitalize()} of {every} {verb} {task}." if well else f"No scheme of {every} learns to {task}."
    return " ".join(filter(None, (says, in_part, names if well else "")))


def _forms(state: State, answers: Answers) -> tuple[str, ...]:
    seen = films.seen_of(state, answers)
    word = "Untrained" if seen is None else f"Trained {whole(seen.film.n_done)} steps"
    return f"{word}: one head, {whole(state.encoding.d_model)} numbers a word", word


def _explanation(state: State) -> str:
    learned = "" if learning_refusal(state.encoding) else f"{what_is_learned(run_of(state))} "
    return _EXPLANATION + learned + WHAT_IT_SHOWS


_CONTROLS: Final = (
    Choice(name="learn.task", label="Task", words=_TASKS, tooltips=TASKS, is_in_title=False, is_list=True),
    Number(
        name="offset",
        label="Places back",
        tooltip="How far back the word stands that is copied: n = −k",
        width=44,
        shown=lambda state: float(BACK.nearest(abs(round(state.cursor.offset)))),
        read=lambda _state, text: -BACK.read(text),
        is_shown=lambda state: state.views.learn.task == "copy",
        has_label=False,
    ),
    Press(text="Train", tooltip="Train all ticked schemes, one after another"),
    Press(text="Stop", tooltip="Stop and keep what is there; Go on continues"),
    Press(text="Reset", tooltip="Forget what was learned: step 0"),
)

_PAGE: Final = Page(page, _sentence, _explanation, questions, _readout, is_wide=True)

VIEW = PagedView(
    "",
    {"": _PAGE},
    _forms,
    Declared(controls=_CONTROLS, smallest=(420, 60), accessible_name="A head that learns", describes_cursor=False),
    parts={"turns": replace(_PAGE, block=_turns_page)},
)
