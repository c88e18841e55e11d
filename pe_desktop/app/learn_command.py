"""The command that trains a head: a short table for people, one JSON object for programs."""

import argparse
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, Final

import numpy as np

from pe_desktop.app.assignments import add_settings, declared_state
from pe_desktop.app.console import CommandLineError, ProgressLine, say, wrapped
from pe_desktop.core.learning.readings import Turns, own_learned, turns
from pe_desktop.core.learning.run import CHANGES, N_WORDS, TASKS, TRAINABLE, Run
from pe_desktop.core.learning.shown import WHAT_IS_DRAWN, WHAT_IT_SHOWS, run_of, scheme_title, what_is_learned
from pe_desktop.core.learning.training import Film, Unwatched, train
from pe_desktop.core.record import record
from pe_desktop.core.rules import rules_of
from pe_desktop.core.state import State
from pe_desktop.draw.number_text import counted, whole

_WIDTH: Final = 100
# Hands that the table lists; JSON has all.
_MOST_HANDS: Final = 8
# The fields of a Run by the options that set them, and what these say.
_OPTIONS: Final[Mapping[str, tuple[str, str]]] = {
    "scheme": ("scheme", f"how positions enter: {', '.join(TRAINABLE)}"),
    "task": ("task", f"what is asked: {', '.join(TASKS)}"),
    "back": ("back", "how many places back the word stands that is copied, 1 to 8"),
    "steps": ("n_steps", "steps of training, 1 to 2000, as many before a change as after it"),
    "rate": ("rate", "the rate of Adam, 0.000001 to 1"),
    "seed": ("seed", "of the first matrices and of the sentences"),
    "length": ("n_words", "words of a sentence, 12 to 128; tested with twice and four times as many, too"),
    "change": ("change", f"of positions after these steps, then as many follow: {', '.join(CHANGES)}"),
}
# Which steps have positions.
_STEPS: Final = {
    "none": "{0}",
    "removed": "{0} with positions, then {1} without them",
    "added": "{0} without positions, then {1} with them",
}
# What stands before the value that an option has where nothing is given.
_SET: Final = {"scheme": "that of --set scheme, or ", "length": "the trained_length of --set, or "}


@record
class _Watched(Unwatched):
    """Shows how far a training is."""

    line: ProgressLine = field(default_factory=lambda: ProgressLine(sys.stderr))

    def tell(self, answer: object, share: float = 0.0) -> None:
        assert isinstance(answer, Film)
        self.line.show_share(share, f"{answer.n_done} of {counted(answer.run.n_total, 'step')}")


def add_learn(parser: argparse.ArgumentParser) -> None:
    """Let a parser take what this command needs."""
    parser.add_argument("--json", action="store_true", help="JSON instead of a table, numbers with all their digits")
    parser.description = f"{WHAT_IS_DRAWN} {WHAT_IT_SHOWS}"
    usual = Run()
    group = parser.add_argument_group("what is trained")
    for option, (name, words) in _OPTIONS.items():
        unless = f"{_SET.get(option, '')}{getattr(usual, name)} if not given"
        group.add_argument(f"--{option}", metavar=option.upper(), help=f"{words}; {unless}")
    add_settings(parser)
    parser.set_defaults(obey=_learn, takes=())


def _learn(options: argparse.Namespace) -> int:
    """Train what was described and say what was learned."""
    state = declared_state(options.given)
    run = _run(options, state)
    watched = _Watched()
    try:
        film = train(run, watched)
    finally:
        watched.line.clear()
    # A head whose positions were taken away reads no hands.
    found = turns(film, -1) if film.scheme_at(-1) == run.scheme else None
    lines = _table(film, found)
    if state.trained_length not in (0, run.n_words) and options.length is None:
        limits = f"not on {state.trained_length}: a head is trained on {N_WORDS.lowest} to {N_WORDS.highest} words"
        lines.insert(1, f"  Trained on {run.n_words} words, {limits}.")
    if options.json:
        lines = [json.dumps(_json(film, found), allow_nan=False)]
    for text in lines:
        say(text)
    return 0


def _run(options: argparse.Namespace, state: State) -> Run:
    """The run of the state that was set, with what the options say; 3 places back where neither says it."""
    names = {setting.partition("=")[0].strip() for setting in options.given}
    if "causal" in names and not state.attention.causal:
        raise CommandLineError("causal can't be false here: a head is trained with a causal mask")
    rules = rules_of(Run)
    given = {
        name: replace(rules[name], name=f"--{option}").read(getattr(options, option))
        for option, (name, _) in _OPTIONS.items()
        if getattr(options, option) is not None
    }
    if "offset" not in names:
        given.setdefault("back", Run().back)
    if "scheme" in names and "learn.scheme" not in names:
        given.setdefault("scheme", state.attention.scheme)
    run = replace(run_of(state, given.get("scheme", "")), **given)
    if run.scheme == "none" and run.change != "none":
        raise CommandLineError(f"--change can't be {run.change} with the scheme none, which has no positions")
    return run


def _json(film: Film, found: Turns | None) -> dict[str, Any]:
    return {
        **{option: getattr(film.run, name) for option, (name, _) in _OPTIONS.items()},
        "encoding": dict(film.run.encoding.parameters),
        "loss": film.loss.tolist(),
        "accuracy": {str(n_words): share for n_words, share in film.by_length.items()},
        "turns": [] if found is None else _turns_json(found),
        "learned": {name: values.tolist() for name, values in own_learned(film, -1).items()},
        "seconds": film.seconds,
    }


def _turns_json(found: Turns) -> list[dict[str, Any]]:
    ideal = [None] * len(found.learned) if found.ideal is None else np.degrees(found.ideal).tolist()
    rows = zip(np.degrees(found.learned).tolist(), ideal, found.shares.tolist(), strict=True)
    return [
        {"pair": pair, "learned": learned, "ideal": goal, "share": share}
        for pair, (learned, goal, share) in enumerate(rows)
    ]


def _table(film: Film, found: Turns | None) -> list[str]:
    run = film.run
    task = f"copy the word {run.back} back" if run.task == "copy" else TASKS[run.task].lower()
    steps = _STEPS[run.change].format(counted(run.n_steps, "step"), whole(run.n_steps))
    title = f"{scheme_title(run.scheme)}: {task}, {steps}, seed {run.seed}, {film.seconds:.1f} s"
    accuracies = [f"{100 * share:.1f} % of {n_words}" for n_words, share in film.by_length.items()]
    lines = [title, *wrapped(what_is_learned(run), _WIDTH), ""]
    lines += [f"Accuracy     {', '.join(accuracies)} words, never trained on"]
    lines += [f"Loss         {film.loss[0]:.3f} at first, {film.loss[-1]:.3f} at the end"]
    if found is not None:
        return [*lines, "", *_turns_table(film, found)]
    return [*lines, "Hands        none are read: positions are taken away"] if run.change == "removed" else lines


def _turns_table(film: Film, found: Turns) -> list[str]:
    """The most used hands, the first of them first."""
    rows: list[tuple[str, ...]] = [("Hand", "learned", f"M_-{film.run.back}", "share of turn")]
    ideal = found.learned if found.ideal is None else found.ideal
    for pair in found.shares.argsort(kind="stable")[::-1][:_MOST_HANDS]:
        learned = f"{math.degrees(found.learned[pair]):.1f}°"
        goal = f"{math.degrees(ideal[pair]):.1f}°"
        rows.append((str(pair), learned, goal, f"{100 * found.shares[pair]:.1f} %"))
    line = "{0:10}{1:>10}{3:>16}" if found.ideal is None else "{0:10}{1:>10}{2:>10}{3:>16}"
    return [line.format(*row) for row in rows]
