"""Rows and columns of widgets, and labels, each said in one call."""

from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QLabel, QLayout, QWidget

_Layout = TypeVar("_Layout", bound=QBoxLayout)


def filled(
    layout: _Layout,
    *items: QWidget | QLayout | int | None,
    margins: tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
    wide: QWidget | QLayout | None = None,
) -> _Layout:
    """A row or column of these: a number is room of so many pixels, None takes what is left, or wide does."""
    if margins is not None:
        layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(item)
        elif isinstance(item, QLayout):
            layout.addLayout(item, int(item is wide))
        else:
            layout.addWidget(item, int(item is wide))
    return layout


def label(text: str, role: str, *, wraps: bool = False) -> QLabel:
    """Words in the look of a role of the style sheet."""
    words = QLabel(text, wordWrap=wraps)
    words.setProperty("role", role)
    return words
