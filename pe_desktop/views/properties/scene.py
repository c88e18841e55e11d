"""Properties: what the encoding has and lacks, measured; where positions come too near; what distance knows."""

from collections.abc import Callable
from types import ModuleType

from pe_desktop.core.state import State
from pe_desktop.draw.number_text import copied
from pe_desktop.model.findings import Answers, Question
from pe_desktop.views.controls import Choice, Declared
from pe_desktop.views.paged import Page, PagedView
from pe_desktop.views.properties import collisions, distance, scales, verdicts, words


def _with_verdicts(questions: Callable[[State], tuple[Question, ...]]) -> Callable[[State], tuple[Question, ...]]:
    # The words beside the title count the verdicts on every page.
    def all_questions(state: State) -> tuple[Question, ...]:
        return *questions(state), *verdicts.questions(state)

    return all_questions


def _page(module: ModuleType) -> Page:
    questions = _with_verdicts(module.questions)
    return Page(module.page, module.sentence, module.explanation, questions, _readout)


def _readout(state: State, answers: Answers) -> str:
    """The verdicts, whichever page is seen."""
    measured = verdicts.measured_of(state, answers)
    return "\n".join(
        f"{words.name(one)}\t{words.verdict_text(one)}\t{copied(one.number)}\t{words.sentence(one)}"
        for one in sorted(measured, key=lambda one: [*words.PROPERTY_NAMES].index(one.key))
    )


def _forms(state: State, answers: Answers) -> tuple[str, ...]:
    measured = verdicts.measured_of(state, answers)
    return words.count_texts(measured, len(measured))


VIEW = PagedView(
    "properties.page",
    {
        "verdicts": Page(verdicts.page, verdicts.sentence, verdicts.EXPLANATION, verdicts.questions, _readout),
        "collisions": _page(collisions),
        "distance": _page(distance),
        "scales": Page(scales.page, scales.sentence, scales.EXPLANATION, verdicts.questions, _readout),
    },
    _forms,
    Declared(
        page="properties.page",
        marked="properties.check",
        accessible_name="Measured properties",
        controls=(
            Choice(
                name="properties.page",
                label="Properties shows",
                words={"verdicts": "Checks", "collisions": "Collisions", "distance": "Distance", "scales": "Scales"},
                tooltips={
                    "verdicts": "Ten properties, measured on values of the table",
                    "collisions": "Where positions come too near, and which hands tell them apart",
                    "distance": "How the distance grows with the offset, and what it comes from",
                    "scales": "Which pairs serve a range of positions, and how many each tenfold of wavelength has",
                },
            ),
        ),
    ),
)
