"""Properties: what the encoding has and lacks, measured; where positions come too near; what distance knows; scales."""

import math
from functools import lru_cache, partial
from typing import Any, Final

import numpy as np

from pe_desktop.core.cursor import Preview, face_hands_of, n_hands
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measuring import periodic
from pe_desktop.core.measuring.periodic import RANGES, hands_per_decade, resolution, turning_wavelengths
from pe_desktop.core.record import kept
from pe_desktop.core.rotation import rotating_pairs, rotation_refusal
from pe_desktop.core.source.checks import fewest_in_tenfold, hands_by_tenfold
from pe_desktop.core.state import State
from pe_desktop.draw import flow, marks
from pe_desktop.draw.flow import FIT, GROW, Block, Column, Drawn, Fits, Live, Named, Row, Space, Table, Words
from pe_desktop.draw.number_text import short, whole
from pe_desktop.draw.plot import Axis, Tick
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width
from pe_desktop.model.findings import Answers
from pe_desktop.views.controls import WORDS, Choice
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.properties import offsets, verdicts, words
from pe_desktop.views.properties.words import SAID

_TITLE: Final = "Hands for each tenfold of wavelength"
_BARS: Final = 56.0
# Steps of the logarithms of wavelengths that differ by more aren't those of an even spread.
_UNEVEN: Final = 1e-9
# The row of counts over the lines.
_COUNT: Final = 16.0
# The numbers under the bars.
_NUMBERS: Final = 22.0
# Lines at N and at the trained length: what is said of each, and its dash.
_LENGTHS: Final = (("Dashed: N = {}", (4.0, 3.0)), ("Dotted: trained on {}", (1.6, 3.2)))
_TITLES: Final = ("positions", "hands", "wavelengths", "share of distance²", "pair i")
# Widths of two rows of a table may be read within a frame; of wider ones the live range is left out.
_MOST_DIMENSIONS: Final = 2**16
_resolution: Final = lru_cache(maxsize=16)(resolution)


def _scales_page(state: State, _answers: Answers) -> Block:
    encoding = state.encoding
    cursor = state.cursor
    bars, rest = _still(encoding, state.trained_length)
    if rotating_pairs(encoding) is None:
        return Column((bars, rest))
    first, last = sorted(cursor.both)
    chosen = (first, last) if cursor.offset >= 0 else None
    rows = [_row(encoding, *ends, is_chosen=ends == chosen) for ends in RANGES]
    live = ("",) * (len(_TITLES) - 1)
    if first != last and encoding.d_model <= _MOST_DIMENSIONS:
        live = _cells(encoding, first, last)
    rows.append(Row(("your t to t + k", *live), name="from t to t + k"))
    title = Words("Which hands tell these positions apart", "strong")
    table = Table(_TITLES, tuple(rows), 16.0)
    return Column((bars, title, Space(4.0), Live(table), Space(10.0), rest))


def _scales_sentence(state: State, _answers: Answers) -> str:
    """How many hands tell the positions of each range apart."""
    pairs = rotating_pairs(state.encoding)
    if pairs is None:
        return f"{state.encoding.title}: ranges are not told apart by hands"
    counts = [whole(len(_resolution(state.encoding, first, last)[0])) for first, last in RANGES]
    first, last = RANGES[0]
    others = "".join(f", {a} to {b} by {n}" for (a, b), n in zip(RANGES[1:], counts[1:], strict=True))
    return f"Positions {first} to {last} are told apart by {counts[0]} of {whole(pairs.count)} hands{others}"


@kept
def _still(encoding: Encoding, trained_length: int) -> tuple[Block, Block]:
    """The bars with their title, and the paragraph at the end: what a range is, or why no pair serves one."""
    turning = turning_wavelengths(encoding)
    per_decade = hands_per_decade(turning)
    rate = f"{short(per_decade, 3)} to each tenfold" if math.isfinite(per_decade) and per_decade else ""
    if rate and np.ptp(np.diff(np.log(turning))) > _UNEVEN:
        # Where they are unevenly spread a mean says little: the check of many scales counts the fewest.
        rate = f"at least {fewest_in_tenfold(turning, encoding.n_positions)} up to N"
    title = Words(_TITLE, "strong")
    head = Fits((flow.in_row((GROW, FIT), title, Words(rate, "tick", "text2")), title))
    bars = Drawn(_bars, (encoding, trained_length), _BARS) if len(turning) else Space(0.0)
    shown = _lengths(encoding, trained_length)
    said = ". ".join(form.format(whole(length)) for length, (form, _) in shown)
    below = Space(_NUMBERS if len(turning) else 0.0), flow.paragraph(said, "tick"), Space(6.0 if said else 0.0)
    refusal = rotation_refusal(encoding)
    rest = flow.paragraph(
        f"Only hands that turn evenly in pairs tell ranges apart. {refusal}" if refusal else SAID["definition"]
    )
    ghosts = partial(_ghost_hand, encoding) if len(turning) else None
    return Column((head, Space(6.0), Named(_TITLE, bars, rate, ghosts=ghosts), *below)), rest


def _cells(encoding: Encoding, first: float, last: float) -> tuple[str, ...]:
    """Hands, their wavelengths, their share of the squared distance between both ends, their numbers."""
    hands, share = _resolution(encoding, first, last)
    width = last - first
    numbers = "none" if not len(hands) else f"{hands[0]}–{hands[-1]}" if len(hands) > 1 else f"{hands[0]}"
    part = "–" if math.isnan(share) else f"{short(100 * share, 3)} %"
    return whole(len(hands)), f"{short(2 * width)}–{short(20 * width)}", part, numbers


def _row(encoding: Encoding, first: int, last: int, *, is_chosen: bool) -> Row:
    cells = _cells(encoding, first, last)
    value = f"{cells[0]} pairs, wavelengths {cells[1]}, {cells[2]} of the squared distance"
    return Row((f"{first}–{last}", *cells), _sets(encoding, first, last), is_chosen, value=value)


def _sets(encoding: Encoding, first: int, last: int) -> dict[str, Any] | None:
    """The first position, the offset of the last, the middle one of the pairs; nothing beyond the table."""
    if last >= encoding.n_positions:
        return None
    hands, _ = _resolution(encoding, first, last)
    pair = {"pair": int(hands[len(hands) // 2])} if len(hands) else {}
    return {"position": float(first), "offset": float(last - first)} | pair


def _lengths(encoding: Encoding, trained_length: int) -> list[tuple[int, tuple[str, tuple[float, ...]]]]:
    """N and the trained length where they lie among the wavelengths, and how each is drawn."""
    edges = hands_by_tenfold(turning_wavelengths(encoding))["edges"]
    pairs = zip((encoding.n_positions, trained_length), _LENGTHS, strict=True)
    return [one for one in pairs if len(edges) and edges[0] <= one[0] <= edges[-1]]


def _axis(area: Area, encoding: Encoding) -> Axis:
    """Whole tenfolds of wavelengths, below the row of counts."""
    edges = hands_by_tenfold(turning_wavelengths(encoding))["edges"].tolist()
    plot = area._replace(y=area.y + _COUNT, height=area.height - _COUNT)
    return Axis(plot, edges[0], edges[-1], is_logarithmic=True)


def _ghost_hand(encoding: Encoding, area: Area, preview: Preview, theme: Theme) -> marks.Picture:
    """Light lines at the hands of the pair that is named under the pointer."""
    if preview.pair is None or preview.pair >= n_hands(encoding):
        return ()
    wavelengths = periodic.hand_wavelengths(encoding).tolist()
    named = [wavelengths[hand] for hand in face_hands_of(encoding, preview.pair) if hand < len(wavelengths)]
    return _axis(area, encoding).ghosts([(wavelength, True) for wavelength in named], theme)


def _bars(area: Area, theme: Theme, encoding: Encoding, trained_length: int) -> marks.Picture:
    """A line for each hand at the logarithm of its wavelength, how many each tenfold has, where N and L lie."""
    turning = turning_wavelengths(encoding)
    found = hands_by_tenfold(turning)
    counts = found["hands"].tolist()
    edges = found["edges"].tolist()
    axis = _axis(area, encoding)
    plot = axis.area
    wide = area.width / len(counts)
    fields = [
        marks.Rectangle(area.x + bar * wide + 1.0, plot.y, wide - 2.0, plot.height, theme.sunken)
        for bar in range(len(counts))
    ]
    middles = [Tick(math.sqrt(10.0) * edge, whole(count)) for edge, count in zip(edges, counts, strict=False)]
    # Of hands that share a pixel one is drawn.
    drawn = np.unique(np.rint(axis.place(turning)), return_index=True)[1].tolist()
    labels = [Tick(edge, short(edge)) for edge in edges]
    step = max(math.ceil((1.5 * max(text_width("tick", label.text) for label in labels) + 6.0) / wide), 1)
    return (
        *fields,
        *axis.labels(middles, theme, 7.0 - area.height, color=theme.text2),
        *(axis.line(turning[hand], theme.pair_color(hand, len(turning)), 2.0, beyond=-6.0) for hand in drawn),
        axis.edge(theme.axis),
        *axis.labels(labels[::step], theme, before=0.0, after=0.0),
        *(axis.line(length, theme.ink, 1.4, dash) for length, (_, dash) in _lengths(encoding, trained_length)),
    )


def _forms(state: State, answers: Answers) -> tuple[str, ...]:
    return words.count_texts(verdicts.measured_of(state, answers), state.precision)


_EXPLANATION: Final = f"{SAID['scales']} {SAID['definition']}"
VIEW = PagedView(
    "properties.page",
    {
        "verdicts": verdicts.PAGE,
        "collisions": offsets.COLLISIONS,
        "distance": offsets.DISTANCE,
        "scales": Page(_scales_page, _scales_sentence, _EXPLANATION, verdicts.PAGE.questions, verdicts.PAGE.text),
    },
    _forms,
    controls=(Choice(**WORDS["properties"]["page"]),),
    shades_unseen=True,
)
