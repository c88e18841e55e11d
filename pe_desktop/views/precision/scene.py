"""Precision: what float32, float16 and bfloat16 do to the table, to its frequencies, and to printed numbers."""

from collections.abc import Callable
from typing import TypeVar

from pe_desktop.core.precision.formats import FORMATS
from pe_desktop.core.precision.measured import Roundings, roundings
from pe_desktop.core.precision.tables import has_forms
from pe_desktop.core.state import State
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.controls import Choice, Declared
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.precision import errors, forms, printed, words

_Told = TypeVar("_Told")


def _questions(state: State) -> tuple[Question, ...]:
    return (Question("precision", roundings, (state.encoding, state.precision), 1, "Comparing formats"),)


def _measured(tell: Callable[[State, Roundings | None], _Told]) -> Callable[[State, Answers], _Told]:
    """What is told of a state and of what has been measured of it."""

    def told(state: State, answers: Answers) -> _Told:
        return tell(state, answers.answer(_questions(state)[0]))

    return told


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    shown = words.shown_precision(state.precision)
    name = words.name_of(shown, has_forms=has_forms(state.encoding))
    return f"{name} beside the exact table", name


VIEW = PagedView(
    "precision.page",
    {
        "errors": Page(_measured(errors.page), _measured(errors.sentence), errors.EXPLANATION, _questions),
        "forms": Page(_measured(forms.page), forms.sentence, forms.EXPLANATION, _questions),
        "printed": Page(printed.page, printed.sentence, printed.EXPLANATION),
    },
    _forms,
    Declared(
        page="precision.page",
        accessible_name="Errors of the table in smaller formats",
        smallest=(280, 150),
        controls=(
            Choice(
                name="precision.page",
                label="Precision shows",
                words={"errors": "Errors", "forms": "Forms", "printed": "Printed"},
                tooltips={
                    "errors": "The largest error by position, and which rows differ",
                    "forms": "Frequencies by exp and by power: is log space more stable?",
                    "printed": "Numbers of the texts, bit for bit",
                },
            ),
            Choice(
                name="dtype",
                label="Format of the table",
                words={name: name for name in FORMATS},
                tooltips={
                    "float64": "The exact table alone",
                    "float32": "24 significant bits: what frameworks compute in",
                    "float16": "11 significant bits, position ids up to 65 519",
                    "bfloat16": "8 significant bits: the upper half of float32",
                },
                also={"position_ids": "float64"},
            ),
        ),
    ),
)
