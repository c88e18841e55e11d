"""All texts of the data files that a person reads, in English: what a catalogue must have."""

from collections.abc import Iterator

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.presets import PRESETS
from pe_desktop.lessons.shelf import SHIPPED, talk_named
from pe_desktop.lessons.talks import Question
from pe_desktop.resources import resource_json


def data_strings() -> dict[str, list[str]]:
    """Those of each file of a catalogue, each once, in the order in which they stand; quotations stay as they are."""
    parts = {"lessons": (_talks, _quiz), "cards": (_cards,), "presets": (_presets, _help)}
    return {
        part: [*dict.fromkeys(text for read in reads for text in read() if any(map(str.isalpha, text)))]
        for part, reads in parts.items()
    }


def _talks() -> Iterator[str]:
    for talk in SHIPPED.values():
        yield from (talk.title, talk.claim, talk.line)
        for step in talk.steps:
            yield from (step.title, *step.words.split("\n"), step.notes, *(one.text for one in step.tries))
            if step.question is not None:
                yield from question_texts(step.question)
        for question in talk.clicker:
            yield from question_texts(question)


def question_texts(question: Question) -> Iterator[str]:
    """All that a question says."""
    yield from (question.text, question.why, question.unit)
    for one in question.answers:
        yield from (one.text, one.why, one.after)


def _quiz() -> Iterator[str]:
    """What questions that are drawn say; answers with numbers are told by their templates."""
    for seed in range(3):
        talk = talk_named(f"quiz-{seed}")
        assert talk is not None
        yield talk.claim
        for step in talk.steps:
            assert step.question is not None
            yield from (step.title, *(one.text for one in step.tries))
            if step.title != "True or false?":
                yield from (step.question.text, step.question.why)
    yield from ("Quiz #", "pair #", "row #", "A text says: {claim}", "True", "Nearly: not exact", "False")


def _cards() -> Iterator[str]:
    for card in CARDS.values():
        yield from (card.claim, card.explanation, *card.answers)
        for line in card.lines:
            yield from (line.label, line.text)


def _presets() -> Iterator[str]:
    for preset in PRESETS.values():
        yield from (preset.group.title, preset.title, preset.sentence)


def _help() -> Iterator[str]:
    yield from resource_json("help.json")["panels"].values()
