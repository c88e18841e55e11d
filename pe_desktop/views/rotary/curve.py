"""The score of the same two vectors at other distances, under other schemes, and at every t under each pairing."""

from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.lags import Progression
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.rotation import DiagonalSpread
from pe_desktop.core.scores.attention import Head
from pe_desktop.core.scores.rotary import QueryAndKey, added_of, places_of, rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import diagonal_positions, score_at, scores_along, scores_around, spread_of
from pe_desktop.core.scores.schemes import PAIRINGS, SCHEMES, Rotary, Scheme
from pe_desktop.core.state import State
from pe_desktop.draw import flow
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import FIT, Block, Column, Drawn, Live, Named, Row, Table, Words, in_row
from pe_desktop.draw.number_text import copied, fixed, position, short
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.resources import resource_json
from pe_desktop.views.controls import WORDS
from pe_desktop.views.map_and_profile import half_text
from pe_desktop.views.rotary.terms import score_text

# Offsets to either side; the score is read between whole ones, too.
_REACH, _STEPS = 32.0, 4
_TALL: Final = 112.0
_WORDS: Final = resource_json("help.json")["views"]["rotary"]
_DASHES: Final = {name: tuple(dash) for name, dash in _WORDS["dashes"].items()}
# So many toggles stand in a row.
_ACROSS: Final = 5
# What falls below all others runs along the edge of the plot.
_DEEP: Final = ("alibi", "kerple", "fox")
_TITLE: Final = "The same two words at another distance"
_SHORT: Final = "Score against offset"


def added_question(state: State) -> Question:
    """The scores of added positions: another t through the matrices of a wide head takes longer than a frame."""
    of = (added_of(state), vectors_of(state), _reach(state), places_of(state)[0])
    head = Head(state.encoding.d_model)
    return Question("added scores", _scores, of, rank=1, is_quick=head.is_kept, takes="nothing")


def curve_block(state: State, answers: Answers) -> Block:
    """The score against the offset, and what is laid over it; a press or drag sets k."""
    vectors = vectors_of(state)
    rotary = rotary_of(state)
    overlays = tuple(name for name in state.views.rotary.overlays if name != rotary.id)
    t = places_of(state)[0]
    reach = _reach(state)
    follows = not rotary.is_shift_invariant
    ours = _scores(rotary, vectors, reach, t if follows else 0.0)
    laid = {name: scores for name in overlays if (scores := _laid(state, answers, name)) is not None}
    shown = np.concatenate([ours, *(laid[name] for name in laid if name not in _DEEP), np.zeros(1)])
    low = float(shown.min())
    high = float(shown.max())
    room = 0.06 * ((high - low) or 1.0)
    low, high = low - room, high + room
    curves = [_curve(name, one, reach, low) for name, one in laid.items()]
    curves.append(Curve(rotary.title, np.linspace(-reach, reach, len(ours)), ours, is_chosen=True))
    k = state.cursor.offset
    n_words = len(state.attention.words)
    value = score_at(rotary, vectors, t, t + k)
    here = state.attention.place_of(state.cursor.position)
    band = (-float(here), n_words - 1.0 - here) if vectors.words and state.views.attention.is_open else None
    note = f"k = {position(k)}: {score_text(value, 3)}{'' if len(laid) == len(overlays) else '; Added: measuring…'}"
    title = "" if band is None else "grey: offsets of words"
    x = Scale("offset k = s − t", -reach, reach, ticks="offsets", sets="offset", within=band)
    how: dict[str, Any] = {"band": band, "trained_length": state.trained_length, "grows": True, "is_on_paper": True}
    y, dots = Scale("", low, high), (value,)
    chart = Chart(title, x, y, tuple(curves), k, note, _TALL, name="score against offset", dots=dots, **how)
    head = Words(_TITLE if vectors.words else _SHORT, "title", shorter=(_SHORT,))
    is_live = follows or not {"additive", "fox"}.isdisjoint(overlays)
    return Column((head, _toggles(rotary.id, overlays), Live(chart) if is_live else chart), gap=4.0)


def _laid(state: State, answers: Answers, name: str) -> Floats | None:
    """The scores of another scheme, with its positions on; None while those of added positions are measured."""
    if name == "additive":
        added: Floats | None = answers.answer(added_question(state))
        return added
    scheme = replace(state.attention, scheme=name, drops_positions=False).made(state.encoding)
    t = 0.0 if scheme.is_shift_invariant else places_of(state)[0]
    return _scores(scheme, vectors_of(state), _reach(state), t)


def _reach(state: State) -> float:
    return min(_REACH, max(state.encoding.n_positions - 1.0, 1.0))


@lru_cache(maxsize=16)
def _scores(scheme: Scheme, vectors: QueryAndKey, reach: float, t: float) -> Floats:
    """The scores at t and t + k: of RoPE between whole offsets, too, of others at whole ones."""
    steps = _STEPS if isinstance(scheme, Rotary) else 1
    shown = Progression(-reach, 1 / steps, round(2 * reach) * steps + 1)
    if isinstance(scheme, Rotary) and scheme.is_shift_invariant:
        return scores_around(scheme, vectors, shown)
    return np.asarray(scheme.between(*vectors.both, np.array([t]), t + shown.values)[0])


def _curve(name: str, scores: Floats, reach: float, low: float) -> Curve:
    """The curve of another scheme: dots where each t has its own; what is below the plot runs along its edge."""
    title = SCHEMES[name].title
    last = float(scores[-1])
    said = f"{title}, to {short(last)} at {short(reach)}" if last < low else title
    x = np.linspace(-reach, reach, len(scores))
    style = "dots" if name == "additive" else "line"
    if name in ("t5", "shaw", "fox"):
        # What is added belongs to one whole offset: it changes half-way to the next.
        middles = np.repeat((x[1:] + x[:-1]) / 2, 2)
        x, scores = np.concatenate([x[:1], middles, x[-1:]]), np.repeat(scores, 2)
    return Curve(said, x, np.maximum(scores, low), "text2", 1.2, _DASHES[name], style=style)  # type: ignore[arg-type]


def _toggles(own: str, overlays: tuple[str, ...]) -> Block:
    """Words for all schemes but its own: on paper each curve has its name beside it, and nobody can press."""
    toggles = [_toggle(name, overlays) for name in _DASHES if name != own]
    rows = (in_row((FIT,) * len(part), *part, gap=4.0) for part in (toggles[:_ACROSS], toggles[_ACROSS:]))
    return Column(tuple(rows), gap=4.0, is_for_screen=True)


def _toggle(name: str, overlays: tuple[str, ...]) -> Block:
    """A word that lays its scheme over the curve, or takes it away."""
    title = SCHEMES[name].title
    is_on = name in overlays
    others = tuple(one for one in _DASHES if (one in overlays) != (one == name))
    drawn = Drawn(flow.framed_word, (title, is_on), 22.0, text_width("segment", title) + 18.0)
    return Named(title, drawn, "on" if is_on else "off", {"rotary.overlays": others}, SCHEMES[name].tooltip, is_on)


_NAMES: Final = WORDS["attention"]["pairing"]["words"]
_VERDICTS: Final = {None: ("", ""), True: ("✓ ", "Shift-invariant"), False: ("✗ ", "Depends on t")}
# The scores of a pairing over the t with t + k in the table, or an even sample of them, and their spread once measured.
_Along: TypeAlias = tuple[Floats, DiagonalSpread | None]
_MATTER, _OVER_T, _LINE_TALL = "Does the pairing matter?", "pairings over t", 60.0


def pairings_question(state: State) -> Question:
    """The scores along the diagonal of k under each pairing."""
    arguments = (rotary_of(state), vectors_of(state), state.cursor.offset)
    return Question("rotary pairings", _find_pairings, arguments)


def _find_pairings(rotary: Rotary, vectors: QueryAndKey, offset: float, task: Task) -> dict[str, _Along]:
    every = {name: scores_along(replace(rotary, pairing=name), vectors, offset) for name in PAIRINGS}
    return {name: (scores, spread_of(scores, rotary.encoding, offset)) for name, scores in every.items()}


def _found(state: State, answers: Answers) -> dict[str, _Along]:
    """What is known of each pairing."""
    return answers.answer(pairings_question(state)) or dict.fromkeys(PAIRINGS, (np.empty(0), None))


def _is_invariant(spread: DiagonalSpread | None) -> bool | None:
    """Whether a pairing keeps to the offset; None until it is measured, and where no t has t + k in the table."""
    return spread.is_rounding if spread is not None and spread.n_measured else None


def pairings_block(state: State, answers: Answers) -> Block:
    """A curve for each pairing over t, and its numbers; a press on them puts it in force."""
    found = _found(state, answers)
    at = state.cursor.position
    # t counts from the first word, which may stand elsewhere in the table.
    positions = np.asarray(diagonal_positions(state.encoding, state.cursor.offset), dtype=np.float64)
    positions -= places_of(state)[0] - at
    last = max([1.0, *positions[-1:].tolist()])
    curves = tuple(_diagonal_curve(state, name, along, positions) for name, along in found.items())
    scores = tuple(_score(state, name) for name in found)
    ends = np.concatenate([[0.0], *(along for along, _ in found.values())])
    low = float(ends.min())
    k = f"k = {position(state.cursor.offset)}, every t"
    rows = (_row(state, name, along, score) for (name, along), score in zip(found.items(), scores, strict=True))
    x = Scale("position t", min(0.0, last), last, ticks="positions", sets="position")
    y = Scale("", low, max(float(ends.max()), low + 1e-9))
    dots = tuple(np.clip(scores, y.first, y.last).tolist())
    chart = Chart(_MATTER, x, y, curves, at, k, _LINE_TALL, name=_OVER_T, dots=dots, grows=True, names_from=0.0)
    note = "" if rotary_of(state).n_turning > 1 else _WORDS["one pair"]
    table = Table(("", "score at t", "over t"), tuple(rows), 20.0)
    return Column((chart, Live(table), flow.paragraph(note)), gap=6.0)


def _diagonal_curve(state: State, name: str, along: _Along, positions: Floats) -> Curve:
    """The scores of a pairing over t, in red where they depend on it."""
    scores, spread = along
    ink = "bad" if _is_invariant(spread) is False else "text3"
    is_chosen = name == state.attention.pairing
    return Curve(_NAMES[name], positions[: len(scores)], scores, ink, 1.5, is_chosen=is_chosen)


def _row(state: State, name: str, along: _Along, score: float) -> Row:
    """The name of a pairing, its score at t, and how far its scores spread."""
    (mark, verdict), spread = _VERDICTS[_is_invariant(along[1])], _spread(along[1])
    value = ", ".join(filter(None, (verdict, spread))).replace(MINUS, "-")
    texts = _NAMES[name], f"{mark}{score_text(score, 4)}", spread
    is_chosen = name == state.attention.pairing
    return Row(texts, {"pairing": name}, is_chosen, tooltip=_WORDS["hints"][name], name=_NAMES[name], value=value)


def pairings_text(state: State, answers: Answers) -> str:
    """Each pairing with its score at t, its spread and what that says, tabs between."""
    lines = []
    for name, (_, spread) in _found(state, answers).items():
        numbers = _score(state, name), None if spread is None else spread.spread
        lines.append("\t".join([_NAMES[name], *map(copied, numbers), _VERDICTS[_is_invariant(spread)][1]]).rstrip())
    return "\n".join(lines)


def is_invariant(state: State, answers: Answers) -> bool | None:
    """Whether the score keeps to the offset under the pairing in force; None until it is measured."""
    return _is_invariant(_found(state, answers)[state.attention.pairing][1])


def _score(state: State, pairing: str) -> float:
    return score_at(replace(rotary_of(state), pairing=pairing), vectors_of(state), *places_of(state))


def _spread(spread: DiagonalSpread | None) -> str:
    """Half the spread where it is rounding, else the least and the greatest score."""
    if spread is None:
        return "measuring…"
    if not spread.n_measured:
        return "no t with t + k in N"
    if spread.is_rounding:
        return half_text(spread.spread / 2)
    return f"{fixed(spread.lowest, 2)} to {fixed(spread.highest, 2)}"
