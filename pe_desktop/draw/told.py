"""Widgets whose words are told in the language in use."""

from typing import Any

from PySide6.QtWidgets import QLabel

from pe_desktop.languages import told


def _telling(name: str) -> Any:
    """A method of Qt that is given the text as it is told."""

    def pass_on(self: Any, text: str) -> None:
        getattr(super(Told, self), name)(told(text))

    return pass_on


class Told:
    """A mix-in before a QWidget: what it is called, says and explains is told in the language in use.

    What it has been given in English comes back from Qt as it is shown.
    """

    setText = _telling("setText")  # noqa: N815 - Qt's name, as all of these
    setToolTip = _telling("setToolTip")  # noqa: N815
    setAccessibleName = _telling("setAccessibleName")  # noqa: N815
    setAccessibleDescription = _telling("setAccessibleDescription")  # noqa: N815
    setPlaceholderText = _telling("setPlaceholderText")  # noqa: N815
    setWindowTitle = _telling("setWindowTitle")  # noqa: N815


class Label(Told, QLabel):
    """Words."""

    def __init__(self, text: str = "", *arguments: Any, **given: Any) -> None:
        super().__init__(told(text), *arguments, **given)
