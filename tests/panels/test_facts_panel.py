"""The Facts panel without a window: what is measured when, what a press, the filters and the keys do."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pe_desktop.core.facts.cards import CARDS
from pe_desktop.core.facts.shown import shown_card
from pe_desktop.core.state import state_of
from pe_desktop.draw.scene import Box
from pe_desktop.draw.theme import themes
from pe_desktop.draw.typefaces import text_width
from pe_desktop.panels.facts_panel import FactsPanel
from pe_desktop.views.facts import scene as view
from tests.panels.conftest import LEFT, middle, place_of, texts

IDENTICAL, SHIFT = CARDS["identical-at-41"].claim, CARDS["shift-is-phase"].claim


@pytest.fixture
def panel(open_settled):
    return open_settled(FactsPanel, 344, 800)


def press(panel: FactsPanel, name: str) -> None:
    # In the middle of a card may stand its button.
    above = QPoint(0, 0 if name.startswith(("Show", "Put", "Clear")) else 20)
    QTest.mouseClick(panel.canvas, LEFT, pos=middle(panel, name) - above)
    QApplication.processEvents()


def test_cards_are_measured_when_a_taller_panel_or_the_bar_uncovers_them(panel: FactsPanel, qtbot) -> None:
    def known(key: str) -> bool:
        return all(map(panel.model.findings.is_known, view.questions_of((CARDS[key],))))

    assert known("identical-at-41")
    assert {"0 and −0.1586", "6.525 turns: nearly opposite", "44, chord 0.0177"} <= {*texts(panel)}
    areas = view.card_areas(panel.model.state, float(panel.canvas.width()))
    uncovered, last = next(key for key, area in areas.items() if area.y > 1000 and CARDS[key].lines), [*areas][-1]
    assert (known(uncovered), known(last)) == (False, False)
    panel.resize(344, 1500)
    qtbot.waitUntil(lambda: known(uncovered))
    assert not known(last)
    bar = panel.page_area.verticalScrollBar()
    bar.setValue(bar.maximum())
    qtbot.waitUntil(lambda: known(last))


def test_numbers_that_are_not_known_yet_say_so(panel: FactsPanel, monkeypatch) -> None:
    monkeypatch.setattr(panel.model.findings, "answer", lambda question: None)
    assert texts(panel).count("measuring") >= 3


def test_a_press_opens_a_short_card_and_closes_it_again(panel: FactsPanel) -> None:
    assert "pair 4 turns by 8 ω" not in texts(panel)
    press(panel, f"True: {SHIFT}")
    assert panel.model.state.views.facts.card == "shift-is-phase"
    assert "pair 4 turns by 8 ω" in texts(panel)
    press(panel, f"True: {SHIFT}")
    assert "pair 4 turns by 8 ω" not in texts(panel)


def test_show_it_is_one_step_and_put_back_restores_what_stood_before(panel: FactsPanel) -> None:
    model = panel.model
    model.set(d_model=64, position=5, **{"matrix.is_transposed": True})
    before = model.state
    pressed = place_of(panel, f"Show it: {IDENTICAL}").area
    press(panel, f"Show it: {IDENTICAL}")
    # The card opens, and its button stays under the pointer.
    assert place_of(panel, f"Put back: {IDENTICAL}").area == pressed
    assert (model.encoding.n_positions, model.encoding.d_model, model.cursor.offset) == (50, 8, 41)
    assert place_of(panel, f"False: {IDENTICAL}").is_chosen
    assert "shown in the plots" in texts(panel)
    model.undo()
    assert model.state == before
    model.redo()
    press(panel, f"Put back: {IDENTICAL}")
    assert (model.state.encoding, model.state.cursor, model.state.views.front) == (before.encoding, before.cursor, ())
    assert shown_card(model.state) is None
    assert "shown in the plots" not in texts(panel)
    for change in ({"position": 3}, {"offset": 4}, {"d_model": 16}, {"base": 500}):
        press(panel, f"Show it: {IDENTICAL}")
        assert "shown in the plots" in texts(panel)
        model.set(**change)
        assert "shown in the plots" not in texts(panel)
        assert "0 and −0.1586" in texts(panel)


def test_from_one_card_to_the_next_nothing_of_the_first_stays_and_put_back_leads_before_both(panel: FactsPanel) -> None:
    before = panel.model.state
    shown_bits = []
    for key in ("binary-counting", "identical-at-41"):
        panel.show_card(CARDS[key])
        shown_bits.append(panel.model.state.views.clock.shows_bits)
    assert shown_bits == [True, False]
    panel.model.undo()
    assert shown_card(panel.model.state) is CARDS["binary-counting"]
    panel.model.redo()
    press(panel, f"Put back: {IDENTICAL}")
    assert (panel.model.encoding, panel.model.cursor) == (before.encoding, before.cursor)
    assert panel.model.state.views.clock == before.views.clock


def test_in_a_session_whose_plots_show_a_card_nothing_is_offered_that_could_not_be_put_back(open_panel) -> None:
    panel = open_panel(FactsPanel, 344, 800, **CARDS["identical-at-41"].assignments, facts__shown="identical-at-41")
    assert "shown in the plots" in texts(panel)
    assert not any(place.name == f"Put back: {IDENTICAL}" for place in panel.canvas.places())


def test_the_lists_grow_to_their_longest_entry_and_no_further(panel):
    panel.resize(1560, 800)
    QApplication.processEvents()
    verdicts, titles = panel.widgets["facts.verdict"], panel.widgets["facts.text"]
    longest = max(text_width("label", titles.itemText(place)) for place in range(titles.count()))
    assert all(longest + 40 < box.width() < 400 for box in (verdicts, titles))
    panel.resize(344, 800)
    QApplication.processEvents()
    assert panel.width() - verdicts.width() - titles.width() <= 12


def test_filters_leave_cards_and_clear_brings_all_back(panel):
    verdicts = panel.widgets["facts.verdict"]
    verdicts.setCurrentIndex(verdicts.findData("open"))
    verdicts.activated.emit(verdicts.currentIndex())
    assert [place.name for place in panel.canvas.places() if "Show it" not in place.name] == [
        f"Open: {CARDS[key].claim}" for key in ("model-uses-positions", "endless-context")
    ]
    panel.model.set(**{"facts.text": "wu"})
    assert texts(panel) == ["No card with these filters", "Clear"]
    press(panel, "Clear")
    assert panel.model.state.views.facts.verdict == panel.model.state.views.facts.text == "all"
    assert verdicts.currentText() == "All verdicts"
    assert IDENTICAL.split(" identical")[0] in texts(panel)[1]
    # Those about the kind on show come first.
    panel.model.set_state(state_of({"kind": "counter"}), "")
    first, *_ = view.card_areas(panel.model.state, 344.0)
    assert CARDS[first].kind == "counter"
    panel.model.set(**{"facts.verdict": "open", "facts.card": "model-uses-positions"})
    said = " ".join(texts(panel))
    assert all(answer in said for answer in CARDS["model-uses-positions"].answers)


@pytest.mark.parametrize("key", ["counter", "squared-position", "one-over-position"])
def test_a_card_stays_in_view_while_its_kind_changes_the_order(panel: FactsPanel, key) -> None:
    panel.model.set(**{"facts.card": key})
    QApplication.processEvents()
    for name, other in (("Show it", "Put back"), ("Put back", "Show it")):
        bar, room = panel.page_area.verticalScrollBar(), panel.page_area.viewport().height()
        top = place_of(panel, f"{name}: {CARDS[key].claim}").area.y - bar.value()
        press(panel, f"{name}: {CARDS[key].claim}")
        area = place_of(panel, f"{other}: {CARDS[key].claim}").area
        assert bar.value() <= area.y
        assert area.bottom <= bar.value() + room
        # Its button stays under the pointer, unless the page ends before.
        assert area.y - bar.value() == pytest.approx(top, abs=1.5) or bar.value() in (bar.minimum(), bar.maximum())


def test_the_figure_of_an_open_card_is_that_card_alone(panel: FactsPanel) -> None:
    # The filter would leave it out.
    state, answers = state_of({"facts.card": "distance-falls", "facts.text": "wu"}), panel.model.findings
    assert view.VIEW.sentence(state, answers) == "Tavares, Transformers Breakdown, 3.4 and figure 3: false"
    box = Box(700.0, 400.0, 1.0, themes()["light"], is_paper=True)
    (card,) = view.scene(state, answers, box).places()
    assert (card.name, card.area.width) == (f"False: {CARDS['distance-falls'].claim}", 700.0)
    assert len(view.scene(state_of({"facts.text": "wu"}), answers, box).places()) > 1


def test_arrows_choose_a_card_enter_shows_it_and_escape_puts_back(panel: FactsPanel) -> None:
    model, canvas = panel.model, panel.canvas
    canvas.setFocus()
    before = model.state
    QTest.keyClick(canvas, Qt.Key.Key_Down)
    QTest.keyClick(canvas, Qt.Key.Key_Down)
    QTest.keyClick(canvas, Qt.Key.Key_Up)
    assert model.state.views.facts.card == "identical-at-41"
    QTest.keyClick(canvas, Qt.Key.Key_Return)
    assert shown_card(model.state) is CARDS["identical-at-41"]
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert model.state.encoding == before.encoding
    assert model.cursor == before.cursor
    for _ in range(len(CARDS) + 3):
        QTest.keyClick(canvas, Qt.Key.Key_Down)
    QApplication.processEvents()
    bar = panel.page_area.verticalScrollBar()
    assert bar.value() >= bar.maximum() - 2


def test_a_screen_reader_finds_claim_source_and_numbers_and_a_moved_cursor_draws_no_card_anew(panel) -> None:
    frames = panel.canvas.n_frames
    panel.model.move_cursor(position=12.0)
    QApplication.processEvents()
    assert panel.canvas.n_frames == frames
    value = place_of(panel, f"False: {IDENTICAL}").value.replace("\u2009", " ")
    assert value.startswith("Wu, A graphical interpretation, heat map of 50; sin 0 and sin 41: 0 and −0.1586; ")
    assert panel.readout().splitlines()[1].startswith(f"False\t{IDENTICAL}\tWu, A graphical")


def test_a_page_is_laid_out_at_the_width_that_it_has_alone(open_panel, monkeypatch) -> None:
    widths, laid_out = dict[float, float](), view.card_areas
    monkeypatch.setattr(view, "card_areas", lambda state, width: laid_out(state, widths.setdefault(width, width)))
    panel = open_panel(FactsPanel, 344, 800)
    assert {*widths} == {float(panel.canvas.width())}
