"""Widgets whose words are told in the language in use."""

from typing import Any

from PySide6.QtWidgets import QLabel

from pe_desktop.languages import told


class Told:
    """A mix-in before a QWidget: what it is called, says and explains is told in the language in use.

    What it has been given in English comes back from Qt as it is shown.
    """

    def setText(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._pass_on("setText", text)

    def setToolTip(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._pass_on("setToolTip", text)

    def setAccessibleName(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._pass_on("setAccessibleName", text)

    def setAccessibleDescription(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._pass_on("setAccessibleDescription", text)

    def setPlaceholderText(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._pass_on("setPlaceholderText", text)

    def setWindowTitle(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._pass_on("setWindowTitle", text)

    def _pass_on(self, name: str, text: str) -> None:
        base: Any = super()
        getattr(base, name)(told(text))


class Label(Told, QLabel):
    """Words."""

    def __init__(self, text: str = "", *arguments: Any, **given: Any) -> None:
        super().__init__(told(text), *arguments, **given)
