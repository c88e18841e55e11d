"""The table of views and the table of figures: panels, docks, menus, exports and tests follow from them. Without Qt."""

from collections.abc import Mapping
from dataclasses import field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Final

from pe_desktop.core.record import record
from pe_desktop.core.rules import names_for, shown
from pe_desktop.core.state import State, state_of, value_of, with_name
from pe_desktop.draw.lettering import Lettering

if TYPE_CHECKING:  # The tables are read by the command line, which must not load Qt.
    from pe_desktop.views.paged import PagedView


@record
class _ViewRow:
    """One view: the folder views/<key> (hyphens become underscores) with its scene.py, the value VIEW there.

    without_cursor: what is the title of its figure without the cursor, "sentence" or "subtitle"; "" where the cursor is
    what it shows. least_size: in pixels, what its dock needs behind another tab while nobody has seen it.
    """

    key: str
    title: str
    without_cursor: str = ""
    least_size: tuple[int, int] = (0, 0)

    def module(self) -> "PagedView":
        view: PagedView = import_module(f"pe_desktop.views.{self.key.replace('-', '_')}.scene").VIEW
        return view


@record
class FigureRow:
    """One figure: a view with some names of the state set, which otherwise is as it is.

    paper_height is in inches, for a width of 6.75; a view that tells its height is as high as it needs, and no lower
    than the paper where it fills it. With a lettering it is the figure of a text: the view of a preset in the text's
    size and with its words. fewer: names of the state that leave less of it, where it goes on from page to page. part:
    the plot or block of the view that is drawn alone.
    """

    view: str
    title: str
    paper_height: float
    assignments: Mapping[str, str] = field(default_factory=dict)
    lettering: Lettering | None = None
    fills_paper: bool = False
    fewer: tuple[str, ...] = ()
    part: str = ""

    def module(self) -> "PagedView":
        """The view on paper, or its part alone."""
        return VIEWS[self.view].module().part(self.part)

    def state(self, state: State) -> State:
        """The state that the figure shows."""
        for name, text in self.assignments.items():
            state = with_name(state, name, text)
        return state

    def agrees(self, state: State) -> bool:
        return all(value_of(state, name) == value_of(self.state(state), name) for name in self.assignments)


_ROWS: Final = (
    _ViewRow("encoding", "Wavelengths"),
    _ViewRow("clock", "Clock"),
    _ViewRow("waves", "Waves", without_cursor="sentence"),
    _ViewRow("similarity", "Similarity", without_cursor="subtitle"),
    _ViewRow("matrix", "Encoding matrix", without_cursor="sentence"),
    _ViewRow("rotation", "Rotation", least_size=(282, 106)),
    _ViewRow("properties", "Properties", least_size=(324, 106)),
    _ViewRow("compare", "Compare"),
    _ViewRow("four-terms", "Four terms", least_size=(282, 115)),
    _ViewRow("attention", "Attention", least_size=(452, 115)),
    _ViewRow("look-back", "Look back", least_size=(383, 115)),
    _ViewRow("rotary", "Rotary", least_size=(455, 115)),
    _ViewRow("learn", "Learn", least_size=(455, 115)),
    _ViewRow("derivations", "Derivations", least_size=(452, 105)),
    _ViewRow("code", "Code", least_size=(452, 105)),
    _ViewRow("precision", "Precision", least_size=(440, 105)),
    _ViewRow("decoder", "Decoder", least_size=(452, 105)),
    _ViewRow("facts", "Facts"),
    _ViewRow("lessons", "Lessons"),
)

VIEWS: Final[Mapping[str, _ViewRow]] = {row.key: row for row in _ROWS}

# Pages of derivations and their titles in lists.
_DERIVATIONS: Final = {
    "log": "log space", "entries": "from row k", "system": "d × d system", "turns": "only turns", "dot": "dot product",
    "distance": "distance", "length": "length", "unique": "unique", "toeplitz": "Toeplitz", "relative": "relative",
}  # fmt: skip
_VIEWED: Final = {
    "clock": FigureRow("clock", "Clock", 5.75, fills_paper=True),
    "clock-binary": FigureRow(
        "clock", "Clock beside the binary code", 4.5, {"clock.mode": "one", "clock.shows_bits": "true"}
    ),
    "clock-digits": FigureRow(
        "clock", "Clock beside the digits of t", 4.5, {"clock.mode": "one", "clock.shows_digits": "true"}
    ),
    "dials": FigureRow("clock", "Clock, one dial for each pair", 4.5, {"clock.mode": "each"}, fills_paper=True),
    "waves": FigureRow("waves", "Waves", 3.5, fills_paper=True),
    "matrix": FigureRow("matrix", "Encoding matrix", 3.75),
    "similarity": FigureRow("similarity", "Similarity", 5.0),
    "similarity-cosine": FigureRow("similarity", "Similarity: cosine", 5.0, {"similarity.measure": "cosine"}),
    "similarity-distance": FigureRow("similarity", "Similarity: distance", 5.0, {"similarity.measure": "distance"}),
    "rotation": FigureRow("rotation", "Rotation", 4.4, {"rotation.page": "matrix"}, fills_paper=True),
    "rotation-algebra": FigureRow("rotation", "Rotation: algebra", 7.2, {"rotation.page": "algebra"}),
    "derivations": FigureRow("derivations", "Derivations", 8.0),
    "rotation-steps": FigureRow("derivations", "Derivations: angle sum", 8.0, {"derivations.page": "block"}),
    **{
        f"derivation-{page}": FigureRow("derivations", f"Derivations: {title}", 8.0, {"derivations.page": page})
        for page, title in _DERIVATIONS.items()
    },
    "compare": FigureRow("compare", "Compare", 6.0, {"compare.shows": "measurements"}),
    "compare-difference": FigureRow("compare", "Difference of encodings", 6.0, {"compare.shows": "difference"}),
    "code": FigureRow("code", "Code of the table", 4.0, {"code.page": "now"}),
    "listing-1": FigureRow("code", "Code: a module that runs", 5.0, {"code.page": "listing-1"}),
    "listing-4": FigureRow("code", "Code: all distances at once", 5.0, {"code.page": "listing-4"}),
    "repl": FigureRow("code", "Code: a table step by step", 4.0, {"code.page": "repl"}),
    "forward": FigureRow("code", "Code: a row for each image", 5.0, {"code.page": "forward"}),
    "look-back": FigureRow("look-back", "Look back", 8.6),
    "spectrum": FigureRow("encoding", "Wavelengths", 2.6, fills_paper=True),
    "properties": FigureRow("properties", "Properties: checks", 5.0, {"properties.page": "verdicts"}),
    "collisions": FigureRow("properties", "Properties: collisions", 8.0, {"properties.page": "collisions"}),
    "rotary": FigureRow("rotary", "Rotary", 7.2, {"rotary.page": "score"}),
    "rotary-decay": FigureRow("rotary", "Rotary: decay", 5.0, {"rotary.page": "decay"}),
    "rotary-reasons": FigureRow("rotary", "Rotary: why turned, not added", 5.0, {"rotary.page": "reasons"}),
    "decoder": FigureRow("decoder", "Decoder", 6.0, {"decoder.page": "read"}, part="read"),
    "decoder-before": FigureRow("decoder", "Is n three before m?", 4.0, {"decoder.page": "before"}, part="before"),
    "four-terms": FigureRow("four-terms", "Four terms of a score", 3.8, {"four-terms.page": "terms"}),
    "inputs": FigureRow("four-terms", "Words with positions, X + PE", 4.0, {"four-terms.page": "inputs"}),
    "precision": FigureRow("precision", "Precision: errors", 6.0, {"precision.page": "errors"}),
    "precision-forms": FigureRow("precision", "Precision: forms", 5.0, {"precision.page": "forms"}),
    "precision-printed": FigureRow("precision", "Precision: as printed", 4.0, {"precision.page": "printed"}),
    "facts": FigureRow("facts", "Facts", 9.0, fewer=("facts.text", "facts.verdict", "facts.card")),
    "attention": FigureRow("attention", "Attention", 8.0),
    "scales": FigureRow("properties", "Properties: scales", 4.4, {"properties.page": "scales"}),
    "distance-law": FigureRow("properties", "Properties: distance", 6.0, {"properties.page": "distance"}),
    "learning": FigureRow("learn", "A head learns", 8.0, {"learn.trains": "true"}),
    "learned-turns": FigureRow("learn", "Learned turns", 3.4, {"learn.trains": "true"}, part="turns"),
}


def state_of_views(texts: Mapping[str, str]) -> State:
    """The state that texts describe by name; ValueError with a sentence too where `front` names what is no view."""
    state = state_of(texts)
    for key in state.views.front:
        if key not in VIEWS:
            raise ValueError(f"front can't be {shown(key)}: {names_for(key, VIEWS)}")
    return state


def _part(of: str, title: str, part: str) -> FigureRow:
    """A part of one of the figures."""
    return replace(_VIEWED[of], title=f"{_VIEWED[of].title}: {title}", part=part, fills_paper=False)


_PARTS: Final = {
    "attention:weights": _part("attention", "the weights", "weights"),
    "look-back:map": _part("look-back", "the map", "map"),
    "rotary:terms": _part("rotary", "terms of the score", "terms"),
    "rotary-decay:curves": _part("rotary-decay", "the curves", "plot"),
    "derivations:step": _part("derivations", "the chosen step", "step"),
    "decoder:curve": _part("decoder", "the curve", "curve"),
    "decoder-before:products": _part("decoder-before", "the products", "products"),
    "precision:curves": _part("precision", "the curves", "error by position"),
}


def _printed(view: str, title: str, preset: str, lettering: Lettering) -> FigureRow:
    return FigureRow(view, f"{title}, as printed", lettering.size[1], {"preset": preset}, lettering)


_DISTANCES: Final = "Euclidean Distances Between Different Position Sinusoidal Embeddings"
# Where a text tells no size, that which matplotlib takes.
_USUAL: Final = (6.4, 4.8)

FIGURES: Final[Mapping[str, FigureRow]] = _VIEWED | _PARTS | {
    "printed-waves": _printed(
        "waves", "Four waves", "four-waves", Lettering((14.0, 8.0), "SE(pos, 2i)", "pos", "Value")
    ),
    "printed-matrix": _printed(
        "matrix", "Matrix 100 × 128", "matrix-100", Lettering((16.0, 6.0), "SE(pos, 2i)", "2i", "pos")
    ),
    "printed-distances": _printed(
        "similarity", "Distances 1 000 × 1 000", "distances-1000",
        Lettering((8.0, 6.0), _DISTANCES, "pos", "pos", "L2 Norm (Euclidean Distance)"),
    ),
    "printed-dot-8": _printed(
        "similarity", "First 8 positions", "first-8",
        Lettering(_USUAL, "Dot products of the first 8 positions", "position", "position"),
    ),
    "printed-dot-1000": _printed(
        "similarity", "Toeplitz, larger", "toeplitz-1000",
        Lettering(_USUAL, "Dot products of 1 000 positions", "position", "position"),
    ),
    "printed-sequence-10": _printed(
        "matrix", "Sequence of 10", "sequence-10", Lettering(_USUAL, "Sequence length 10", "dimension", "position")
    ),
    "printed-sequence-50": _printed(
        "matrix", "Sequence of 50", "sequence-50", Lettering(_USUAL, "Sequence length 50", "dimension", "position")
    ),
    "printed-hands": _printed(
        "clock", "Three hands", "three-hands",
        Lettering((6.4, 2.8), "POSITION t", "FAST DIMENSIONS RESOLVE NEIGHBOURS · SLOW ONES ENCODE REGION", ""),
    ),
    "printed-table": _printed(
        "matrix", "Table 5 × 4", "table-5",
        Lettering(_USUAL, "5 tokens, 4 dimensions per token", "dimension", "pos", is_float32=True),
    ),
}  # fmt: skip


def figure_of(view: str, state: State) -> str | None:
    """The figure that shows a view as it is in a state: of those that agree, the one that says most."""
    agreeing = [name for name, row in _VIEWED.items() if row.view == view and row.agrees(state)]
    return max(agreeing, key=lambda name: len(FIGURES[name].assignments), default=None)
