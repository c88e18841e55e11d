"""The command that trains a head: a short table for people, one JSON object for programs."""

import argparse
import json
import sys
from contextlib import closing
from dataclasses import replace
from operator import itemgetter
from typing import Any, Final

import numpy as np

from pe_desktop.app.assignments import declared_state, given_names
from pe_desktop.app.console import CommandLineError, ProgressLine, say, wrapped
from pe_desktop.core.learning.run import CHANGES, N_WORDS, TASKS, Run
from pe_desktop.core.learning.shown import run_of, scheme_title, what_is_learned
from pe_desktop.core.learning.training import Film, own_learned, train, turns
from pe_desktop.core.rules import rules_of
from pe_desktop.core.state import State
from pe_desktop.draw.number_text import counted

_WIDTH: Final = 100
# Hands that the table lists; JSON has all.
_MOST_HANDS: Final = 8
_OPTIONS: Final = ("scheme", "task", "back", "steps", "rate", "seed", "length", "change")
# The fields of a Run that options of another name set.
_FIELDS: Final = {"steps": "n_steps", "length": "n_words"}


def learn(options: argparse.Namespace) -> int:
    """Train what was described and say what was learned."""
    state = declared_state(options.given)
    run = _run(options, state)
    with closing(ProgressLine(sys.stderr)) as line:
        film = train(
            run, tell=lambda film, share: line.show_share(share, f"{film.n_done} of {counted(run.n_total, 'step')}")
        )
    lines = [json.dumps(_json(film), allow_nan=False)] if options.json else _table(film)
    if state.trained_length not in (0, run.n_words) and options.length is None and not options.json:
        limits = f"not on {state.trained_length}: a head is trained on {N_WORDS.lowest} to {N_WORDS.highest} words"
        lines.insert(1, f"  Trained on {run.n_words} words, {limits}.")
    say(*lines)
    return 0


def _run(options: argparse.Namespace, state: State) -> Run:
    """The run of the state that was set, with what the options say; 3 places back where neither says it."""
    names = given_names(options)
    if "causal" in names and not state.attention.causal:
        raise CommandLineError("causal can't be false here: a head is trained with a causal mask")
    rules = rules_of(Run)
    given = {}
    for option in _OPTIONS:
        name = _FIELDS.get(option, option)
        typed = getattr(options, option)
        if typed is not None:
            given[name] = replace(rules[name], name=f"--{option}").read(typed)
    if "offset" not in names:
        given.setdefault("back", Run().back)
    if "scheme" in names and "learn.scheme" not in names:
        given.setdefault("scheme", state.attention.scheme)
    run = replace(run_of(state, given.get("scheme", "")), **given)
    if run.scheme == "none" and run.change != "none":
        raise CommandLineError(f"--change can't be {run.change} with the scheme none, which has no positions")
    return run


def _json(film: Film) -> dict[str, Any]:
    return {
        **{option: getattr(film.run, _FIELDS.get(option, option)) for option in _OPTIONS},
        "encoding": dict(film.run.encoding.parameters),
        "loss": film.loss.tolist(),
        "accuracy": {str(n_words): share for n_words, share in film.by_length.items()},
        "turns": _hands(film),
        "learned": {name: values.tolist() for name, values in own_learned(film, -1).items()},
        "seconds": film.seconds,
    }


def _hands(film: Film) -> list[dict[str, Any]]:
    """What each hand has learned, angles in degrees; nothing of a head whose positions were taken away."""
    found = turns(film, -1) if film.scheme_at(-1) == film.run.scheme else None
    if found is None:
        return []
    ideal = [None] * len(found.learned) if found.ideal is None else np.degrees(found.ideal).tolist()
    rows = zip(np.degrees(found.learned).tolist(), ideal, found.shares.tolist(), strict=True)
    names = "pair", "learned", "ideal", "share"
    return [dict(zip(names, (pair, *row), strict=True)) for pair, row in enumerate(rows)]


def _table(film: Film) -> list[str]:
    """What a person reads, at the end the most used hands, the first of them first."""
    run = film.run
    task = f"copy the word {run.back} back" if run.task == "copy" else TASKS[run.task].lower()
    steps = counted(run.n_steps, "step")
    steps += "" if run.change == "none" else f", {CHANGES[run.change].lower()}"
    title = f"{scheme_title(run.scheme)}: {task}, {steps}, seed {run.seed}, {film.seconds:.1f} s"
    accuracies = [f"{100 * share:.1f} % of {n_words}" for n_words, share in film.by_length.items()]
    lines = [title, *wrapped(what_is_learned(run), _WIDTH), ""]
    lines += [f"Accuracy     {', '.join(accuracies)} words, never trained on"]
    lines += [f"Loss         {film.loss[0]:.3f} at first, {film.loss[-1]:.3f} at the end"]
    hands = sorted(_hands(film), key=itemgetter("share"), reverse=True)[:_MOST_HANDS]
    if hands:
        lines += ["", f"Hand         learned{f'M_-{run.back}':>10}   share of turn"]
    elif run.change == "removed":
        lines += ["Hands        none are read: positions are taken away"]
    for hand in hands:
        goal = "–" if hand["ideal"] is None else f"{hand['ideal']:.1f}°"
        share = f"{100 * hand['share']:.1f} %"
        lines += [f"{hand['pair']:<10}{hand['learned']:>9.1f}°{goal:>10}{share:>16}"]
    return lines
