"""The decoder: which position a vector is nearest to, for all hands and for fewer, and "is n three before m?"."""

from pe_desktop.core.state import State
from pe_desktop.draw.number_text import position
from pe_desktop.model.findings import Answers
from pe_desktop.views.controls import Choice, Declared, Press
from pe_desktop.views.decoder import before, read
from pe_desktop.views.paged import Page, PagedView


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    if state.views.decoder.page == "before":
        m, n = position(state.cursor.position), position(state.cursor.position + state.cursor.offset)
        return f"m = t = {m}, n = t + k = {n}", f"m = {m}, n = {n}"
    is_vector = state.encoding.pairs is None
    if state.views.decoder.vector:
        given, those = ("a vector that was given", "that") if is_vector else ("hands that were set", "those")
        return f"{given}; key 0: {those} of t", given, "given"
    at = f"t = {position(state.cursor.position)}"
    return f"{'row' if is_vector else 'hands'} of {at}", at


def _reads(state: State) -> bool:
    return state.views.decoder.page == "read"


def _hands_of_t(state: State) -> dict[str, object] | None:
    return {"decoder.vector": ()} if state.views.decoder.vector else None


VIEW = PagedView(
    "decoder.page",
    {
        "read": Page(read.page, read.sentence, read.EXPLANATION, read.questions, read.readout),
        "before": Page(before.page, before.sentence, before.EXPLANATION, before.questions, before.readout),
    },
    _forms,
    Declared(
        page="decoder.page",
        accessible_name="Decoder: which t do these hands say?",
        readout_title="Copy as table",
        smallest=(420, 220),
        controls=(
            Choice(
                name="decoder.page",
                label="Decoder shows",
                words={"read": "Read", "before": "n before m"},
                tooltips={
                    "read": "Which t do these hands say?",
                    "before": "Is n three before m? The vector of n against that of m moved back",
                },
            ),
            Press(text="Read t", tooltip="Set all hands to those of t (0)", changes=_hands_of_t, is_shown=_reads),
            Press(
                text="Paste vector",
                tooltip="Read the numbers on the clipboard, one for each dimension (Ctrl+V)",
                is_shown=_reads,
            ),
            Choice(
                name="decoder.reads",
                label="Hands that are read",
                words={"fastest": "Fastest first", "pinned": "Pinned"},
                tooltips={
                    "fastest": "Read hands from the fastest on: 1, 2, 4, … of them",
                    "pinned": "Read the pinned hands alone, one after another",
                },
                is_in_title=False,
                is_shown=_reads,
            ),
        ),
    ),
)
