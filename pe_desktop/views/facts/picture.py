"""A card as marks."""

from collections.abc import Mapping
from typing import Final

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.core.measure.measurement import FAILS, HOLDS
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Area
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import text_width, wrapped
from pe_desktop.views.facts import words
from pe_desktop.views.facts.layout import CLAIM_STEP, GAP, PILL_HEIGHT, SMALL_STEP, CardLayout, Row
from pe_desktop.views.properties.verdicts import verdict_mark

_SHOWN: Final = "shown in the plots"
_RADIUS: Final = 8.0


@record
class Look:
    """How a card is drawn; values: what its lines say, is_known: of numbers; button: its words, "" for none."""

    values: tuple[str, ...]
    is_known: bool
    is_shown: bool
    is_chosen: bool
    button: str


def card_picture(layout: CardLayout, look: Look, theme: Theme) -> list[marks.Mark]:
    """A card, in a ring where the plots show it."""
    x, y, width, height = layout.area
    outline = theme.ink if look.is_shown else theme.axis if look.is_chosen else theme.line
    line = 2.0 if look.is_shown else 1.0
    frame = (x + line / 2, y + line / 2, width - line, height - line)
    picture: list[marks.Mark] = [
        marks.Rectangle(*frame, theme.panel, outline, _RADIUS, line),
        *_pill(layout.left, y + 12.0, layout.card.verdict, theme),
        *_corner(layout, look, theme),
        *_paragraph(layout, layout.claim_y, layout.claim, CLAIM_STEP, "strong", theme.text),
    ]
    if not layout.is_whole:
        return picture
    picture += _paragraph(layout, layout.source_y, layout.source, SMALL_STEP, "tick", theme.text3)
    for row, value in zip(layout.rows, look.values, strict=True):
        picture += _measured_line(layout, row, value, look, theme)
    for area, answer in zip(layout.answer_areas, layout.answers, strict=True):
        picture += _answer(area, answer, theme)
    picture += _paragraph(layout, layout.explanation_y, layout.explanation, 17.0, "caption", theme.text2)
    parameters_y = layout.button.middle[1] - y - SMALL_STEP * (len(layout.parameters) - 1) / 2
    picture += _paragraph(layout, parameters_y, layout.parameters, SMALL_STEP, "tick", theme.text3)
    return [*picture, *(_button(layout.button, look.button, theme) if look.button else ())]


def _measured_line(layout: CardLayout, row: Row, value: str, look: Look, theme: Theme) -> list[marks.Mark]:
    """A label at the left, its value at the right, in a line of its own where both have no room."""
    y, room, role = layout.area.y, layout.right - layout.left, "flag" if look.is_known else "tick"
    label_room = room if row.value_y > row.label_y else room - text_width(role, value) - GAP
    label = wrapped("caption", row.line.label, label_room, 1)[0]
    ink = theme.text if look.is_known else theme.text3
    texts = [
        marks.Text(layout.right, y + row.value_y, text, role, ink, across=1.0) for text in wrapped(role, value, room, 1)
    ]
    return [marks.Text(layout.left, y + row.label_y, label, "caption", theme.text2), *texts]


def nothing_picture(width: float, clear: Area, theme: Theme) -> marks.Picture:
    """What stands where no card matches, and the button that clears the filters."""
    words_mark = marks.Text(width / 2, clear.y - 22.0, words.NOTHING_MATCHES, "label", theme.text2, across=0.5)
    return (words_mark, *_button(clear, "Clear", theme))


def _corner(layout: CardLayout, look: Look, theme: Theme) -> list[marks.Mark]:
    """At the right of the verdict: that the plots show it, or the number of a card that isn't opened."""
    y, right = layout.area.y + 12.0 + PILL_HEIGHT / 2, layout.right
    if look.is_shown:
        return [marks.Text(right, y, _SHOWN, "tick", theme.text3, across=1.0)]
    if layout.is_whole:
        return []
    chevron = np.array([[right - 6.0, y - 4.0], [right - 2.0, y], [right - 6.0, y + 4.0]])
    room = right - 18.0 - layout.left - _pill_width(layout.card.verdict) - GAP
    has_number = look.is_known and not layout.card.answers
    role, ink = ("flag", theme.text) if has_number else ("tick", theme.text3)
    lines = wrapped(role, words.NO_NUMBER if layout.card.answers else look.values[0], room, 1)
    number = [marks.Text(right - 16.0, y, line, role, ink, across=1.0) for line in lines]
    return [*number, marks.Polyline(chevron, theme.text2, 1.5)]


def _paragraph(
    layout: CardLayout, first: float, lines: tuple[str, ...], step: float, role: str, color: QColor
) -> list[marks.Mark]:
    top = layout.area.y + first
    return [marks.Text(layout.left, top + step * place, line, role, color) for place, line in enumerate(lines)]


def _answer(area: Area, lines: tuple[str, ...], theme: Theme) -> list[marks.Mark]:
    ground = marks.Rectangle(*area, theme.sunken, radius=6.0)
    texts = [
        marks.Text(area.x + 8.0, area.y + 8.0 + SMALL_STEP * (place + 0.5), line, "tick", theme.text)
        for place, line in enumerate(lines)
    ]
    return [ground, *texts]


def _button(area: Area, text: str, theme: Theme) -> tuple[marks.Mark, ...]:
    x, y = area.middle
    return (
        marks.Rectangle(*area, theme.sunken, theme.line, 6.0),
        marks.Text(x, y, text, "segment", theme.text, across=0.5),
    )


def _pill_width(verdict: str) -> float:
    return 28.0 + text_width("segment", words.VERDICTS[verdict]) + 10.0


def _pill(x: float, y: float, verdict: str, theme: Theme) -> list[marks.Mark]:
    """Icon and word on the tint of a verdict."""
    inks: Mapping[str, tuple[QColor, QColor]] = {
        "true": (theme.ok, theme.ok_ground),
        "not-exact": (theme.warn, theme.warn_ground),
        "false": (theme.bad, theme.bad_ground),
        "open": (theme.text2, theme.sunken),
    }
    ink, ground = inks[verdict]
    middle = y + PILL_HEIGHT / 2
    return [
        marks.Rectangle(x, y, _pill_width(verdict), PILL_HEIGHT, ground, radius=PILL_HEIGHT / 2),
        *_icon(x + 15.0, middle, verdict, ink),
        marks.Text(x + 28.0, middle, words.VERDICTS[verdict], "segment", ink),
    ]


def _icon(x: float, y: float, verdict: str, ink: QColor) -> list[marks.Mark]:
    """A check, a wave, a cross, or an i in a ring."""
    if verdict == "not-exact":
        across = np.linspace(-5.0, 5.0, 17)
        return [marks.Polyline(np.column_stack((x + across, y - 2.5 * np.sin(across * np.pi / 5.0))), ink, 1.7)]
    if verdict == "open":
        stem = np.array([[x, y - 0.5, x, y + 3.5], [x, y - 3.4, x, y - 2.4]])
        return [marks.Rings(x, y, np.array([6.0]), ink, 1.4), marks.Segments(stem, ink, 1.5)]
    return [verdict_mark(x, y, HOLDS if verdict == "true" else FAILS, ink)]
