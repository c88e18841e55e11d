"""Precision: what float32, float16 and bfloat16 do to the table, to its frequencies, and to printed numbers."""

from collections.abc import Callable
from types import ModuleType

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.precision.formats import FORMATS, Precision
from pe_desktop.core.precision.measured import Roundings, roundings
from pe_desktop.core.precision.tables import has_forms
from pe_desktop.core.state import State
from pe_desktop.draw.flow import Block
from pe_desktop.model.findings import Answers, Question, Task
from pe_desktop.views.controls import Choice, Declared
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.precision import errors, forms, printed, words


def _roundings(encoding: Encoding, chosen: Precision, task: Task) -> Roundings | None:
    return roundings(encoding, chosen, task)


def _question(state: State) -> Question:
    return Question("precision", _roundings, (state.encoding, state.precision), 1, "Comparing formats")


def _questions(state: State) -> tuple[Question, ...]:
    return (_question(state),)


def _measured_page(module: ModuleType, sentence: Callable[[State, Roundings | None], str]) -> Page:
    def block(state: State, answers: Answers) -> Block:
        page: Block = module.page(state, answers.answer(_question(state)))
        return page

    def title(state: State, answers: Answers) -> str:
        return sentence(state, answers.answer(_question(state)))

    return Page(block, title, module.EXPLANATION, _questions)


def _errors_sentence(state: State, known: Roundings | None) -> str:
    return words.sentence(state.encoding, state.precision, known)


def _forms_sentence(state: State, _known: Roundings | None) -> str:
    return words.forms_heading(state.encoding)


def _printed_page(state: State, _answers: Answers) -> Block:
    return printed.page(state, None)


def _printed_sentence(_state: State, _answers: Answers) -> str:
    return words.PRINTED


def _forms(state: State, _answers: Answers) -> tuple[str, ...]:
    shown = words.shown_precision(state.precision)
    name = words.name_of(shown, has_forms=has_forms(state.encoding))
    return f"{name} beside the exact table", name


VIEW = PagedView(
    "precision.page",
    {
        "errors": _measured_page(errors, _errors_sentence),
        "forms": _measured_page(forms, _forms_sentence),
        "printed": Page(_printed_page, _printed_sentence, printed.EXPLANATION),
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
