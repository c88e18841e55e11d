"""The score of the same two vectors at other distances, with other schemes laid over it."""

from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from pe_desktop.core.encoding import Floats
from pe_desktop.core.lags import Progression
from pe_desktop.core.scores.attention import Head
from pe_desktop.core.scores.rotary import QueryAndKey, added_of, places_of, rotary_of, vectors_of
from pe_desktop.core.scores.rotary_scores import score_at, scores_around
from pe_desktop.core.scores.schemes import SCHEMES, Rotary, Scheme
from pe_desktop.core.state import State
from pe_desktop.draw.chart import Chart, Curve, Scale
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Live, Named, Space, Words, framed_word, in_row
from pe_desktop.draw.number_text import position, short
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.rotary.terms import score_text

# Offsets to either side; the score is read between whole ones, too.
_REACH, _STEPS = 32.0, 4
_TALL: Final = 112.0
_DASHES: Final = {
    "none": (2.0, 2.0), "additive": (), "rope": (), "alibi": (7.0, 4.0), "t5": (), "shaw": (4.0, 2.0, 1.0, 2.0),
    "p-rope": (5.0, 2.0), "pope": (9.0, 2.0), "rope-pp": (1.0, 2.0), "kerple": (7.0, 2.0, 2.0, 2.0), "fox": (3.0, 5.0),
}  # fmt: skip
# So many toggles stand in a row where one has no room for all.
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
    t, reach = places_of(state)[0], _reach(state)
    follows = not rotary.is_shift_invariant
    ours = _scores(rotary, vectors, reach, t if follows else 0.0)
    laid = {name: scores for name in overlays if (scores := _laid(state, answers, name)) is not None}
    shown = np.concatenate([ours, *(laid[name] for name in laid if name not in _DEEP), np.zeros(1)])
    low, high = float(shown.min()), float(shown.max())
    room = 0.06 * ((high - low) or 1.0)
    low, high = low - room, high + room
    curves = [_curve(name, one, reach, low) for name, one in laid.items()]
    curves.append(Curve(rotary.title, np.linspace(-reach, reach, len(ours)), ours, is_chosen=True))
    k, n_words = state.cursor.offset, len(state.attention.words)
    value = score_at(rotary, vectors, t, t + k)
    here = state.attention.place_of(state.cursor.position)
    band = (-float(here), n_words - 1.0 - here) if vectors.words and state.views.attention.is_open else None
    note = f"k = {position(k)}: {score_text(value, 3)}{'' if len(laid) == len(overlays) else '; Added: measuring…'}"
    chart = Chart(
        "" if band is None else "grey: offsets of words",
        Scale("offset k = s − t", -reach, reach, ticks="offsets", sets="offset"),
        Scale("", low, high),
        tuple(curves),
        k,
        note,
        tall=_TALL,
        name="score against offset",
        dots=(value,),
        grows=True,
        is_on_paper=True,
        trained_length=state.trained_length,
        band=band,
    )
    toggles = [_toggle(name, overlays) for name in _DASHES if name != rotary.id]
    one_row = in_row((FIT,) * len(toggles), *toggles, gap=4.0)
    rows_of_five = (in_row((FIT,) * len(part), *part, gap=4.0) for part in (toggles[:_ACROSS], toggles[_ACROSS:]))
    # On paper each curve has its name beside it, and nobody can press.
    chips = Column((Fits((one_row, Column(tuple(rows_of_five), gap=4.0))),), is_for_screen=True)
    titles = [Words(title, "title") for title in ((_TITLE, _SHORT) if vectors.words else (_SHORT,))]
    rows = (in_row((FIT, GROW, FIT), title, Space(0.0), chips) for title in titles)
    head = Fits((*rows, Column((titles[0], chips), gap=4.0)))
    return Column((head, Live(chart) if follows or not {"additive", "fox"}.isdisjoint(overlays) else chart))


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
    title, last = SCHEMES[name].title, float(scores[-1])
    said = f"{title}, to {short(last)} at {short(reach)}" if last < low else title
    x = np.linspace(-reach, reach, len(scores))
    style = "dots" if name == "additive" else "line"
    if name in ("t5", "shaw", "fox"):
        # What is added belongs to one whole offset: it changes half-way to the next.
        middles = np.repeat((x[1:] + x[:-1]) / 2, 2)
        x, scores = np.concatenate([x[:1], middles, x[-1:]]), np.repeat(scores, 2)
    return Curve(said, x, np.maximum(scores, low), "text2", 1.2, _DASHES[name], style=style)  # type: ignore[arg-type]


def _toggle(name: str, overlays: tuple[str, ...]) -> Block:
    """A word that lays its scheme over the curve, or takes it away."""
    title, is_on = SCHEMES[name].title, name in overlays
    others = tuple(one for one in _DASHES if (one in overlays) != (one == name))
    wide = text_width("segment", title) + 18.0
    drawn = Drawn(framed_word, (title, is_on), 22.0, wide)
    return Named(title, drawn, "on" if is_on else "off", {"rotary.overlays": others}, SCHEMES[name].tooltip, is_on)
