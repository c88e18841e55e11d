"""The command that lists fact cards, measured now: lines for people, or JSON for programs."""

import argparse
import json
from typing import Any

from pe_desktop.app.console import say, wrapped
from pe_desktop.core.facts.cards import TEXTS, Card
from pe_desktop.core.facts.measures import measured
from pe_desktop.core.facts.shown import matching
from pe_desktop.core.state import state_of
from pe_desktop.views.facts import words

_WIDTH = 80
_LABEL_WIDTH = 38


def list_cards(options: argparse.Namespace) -> int:
    """List the cards that were asked for."""
    cards = matching(state_of({"facts.verdict": options.verdict, "facts.text": options.text}))
    if options.json:
        rows = {"cards": [_row(card) for card in cards]}
        lines = json.dumps(rows, ensure_ascii=False, indent=1).splitlines()
    else:
        end = words.NOTHING_MATCHES if not cards else "1 card" if len(cards) == 1 else f"{len(cards)} cards"
        lines = [*(line for card in cards for line in _lines(card)), end]
    say(*lines)
    return 0


def _row(card: Card) -> dict[str, Any]:
    text = TEXTS[card.text]
    lines = zip(card.lines, measured(card.key), strict=True)
    return {
        "key": card.key,
        "source": {"author": text.author, "text": text.title, "section": card.section},
        "quotation": card.quotation,
        "claim": card.claim,
        "verdict": card.verdict,
        "measured": [
            {
                "label": line.label,
                "text": words.line_text(line, numbers),
                "measure": line.measure,
                "numbers": list(numbers),
                "parameters": {**line.parameters, **line.assignments},
            }
            for line, numbers in lines
        ],
        "parameters": dict(card.assignments),
        "answers": list(card.answers),
        "explanation": card.explanation,
    }


def _lines(card: Card) -> list[str]:
    found = zip(card.lines, measured(card.key), strict=True)
    paragraphs = (
        f"“{card.quotation}”",
        card.source,
        *(f"{line.label:{_LABEL_WIDTH}}{words.line_text(line, numbers)}" for line, numbers in found),
        *(f"- {answer}" for answer in card.answers),
        card.explanation,
        f"{card.key}: {words.parameters_text(card)}",
    )
    claim = wrapped(f"{words.VERDICTS[card.verdict]}: {card.claim}", _WIDTH, "")
    return [*claim, *(line for paragraph in paragraphs for line in wrapped(paragraph, _WIDTH)), ""]
