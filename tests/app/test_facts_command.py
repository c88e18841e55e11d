"""What a person and a program learn from `pe-desktop facts`."""

import itertools
import json
import re

import pytest

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.state import state_of


def test_json_holds_every_card_with_source_verdict_numbers_and_parameters(answer):
    cards = json.loads(answer("facts", "--json"))["cards"]
    assert [card["key"] for card in cards] == [*sorted(CARDS, key=lambda key: CARDS[key].kind != "sinusoidal")]
    for card in cards:
        assert {"key", "source", "claim", "verdict", "measured", "parameters"} <= {*card}
        assert card["source"]["text"]
        assert card["source"]["section"]
        assert state_of(card["parameters"]).encoding.n_positions
    wu = next(card for card in cards if card["key"] == "identical-at-41")
    assert wu["verdict"] == "false"
    assert wu["source"] == {"author": "Wu", "text": "A graphical interpretation", "section": "heat map of 50"}
    assert [line["text"] for line in wu["measured"]] == [
        "0 and −0.1586", "6.525 turns: nearly opposite", "44, chord 0.0177",
    ]  # fmt: skip
    assert wu["quotation"] == CARDS[wu["key"]].quotation
    assert wu["measured"][0]["numbers"] == pytest.approx([0.0, -0.158622668804709], abs=1e-15)


def test_lines_fit_a_terminal_and_say_claim_source_and_numbers(answer):
    lines = answer("facts").splitlines()
    assert max(map(len, lines)) <= 80
    assert f"{len(CARDS)} cards" == lines[-1]
    here = lines.index("False: Distance decreases smoothly and linearly with separation.")
    assert lines[here + 1].startswith("  “the distance between")
    assert lines[here + 3 : here + 7] == [
        "  Tavares, Transformers Breakdown, 3.4 and figure 3",
        "  distance at 1 and 999                 5.15 and 28.34: it grows",
        "  steps that go down                    425 of 999",
        "  a straight line explains              66.1 %",
    ]
    assert "  - It learns positions themselves." in lines
    # "from 1 000 to 10 000" stays whole where a line ends beside it.
    broken = [pair for pair in itertools.pairwise(lines) if pair[0][-1:].isdigit() and re.match(r" +\d{3}\b", pair[1])]
    assert broken == []


def test_filters_leave_the_cards_of_a_verdict_and_of_a_text(answer):
    cards = json.loads(answer("facts", "--json", "--verdict", "open", "--text", "notes"))["cards"]
    assert [card["key"] for card in cards] == ["model-uses-positions", "endless-context"]
    assert answer("facts", "--verdict", "false", "--text", "wu").splitlines()[-1] == "1 card"
    assert answer("facts", "--verdict", "open", "--text", "wu") == "No card with these filters\n"
