"""Widgets whose words are told in the language in use, and tooltips that cover no entry below theirs."""

from textwrap import fill
from typing import Any, Final

from PySide6.QtCore import QLibraryInfo, QLocale, QRect, QTranslator
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget

from pe_desktop.languages import ENGLISH, current, told


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


class _WordsOfQt(QTranslator):
    """What Qt says itself, in the menus of fields and in dialogs; keys have the names that the program gives them."""

    def translate(self, context: str, text: str, comment: str | None = None, number: int = -1) -> Any:
        found = "" if context == "QShortcut" else super().translate(context, text, comment, number)
        # An empty text would be shown, in place of the English one.
        return found or None


def tell_words_of_qt() -> None:
    """Let Qt speak the language in use."""
    application: Any = QApplication.instance()
    for before in application.findChildren(_WordsOfQt):
        application.removeTranslator(before)
        before.deleteLater()
    words = _WordsOfQt(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if current() != ENGLISH and words.load(QLocale(current()), "qtbase", "_", folder):
        application.installTranslator(words)


_GAP: Final = 4
# Of an entry that is higher, what lies above the pointer is covered.
_HIGHEST: Final = 48
# Of a line of words beside a list.
_LETTERS: Final = 44


def show_above(entry: QRect, words: str, event: QHelpEvent, widget: QWidget, *, beside: int | None = None) -> None:
    """Show words above an entry of a widget while the pointer is over it; at the pointer where there is no room.

    beside: from this place across the screen on, in lines, where they have room there.
    """
    QToolTip.showText(event.globalPos(), words if beside is None else fill(words, _LETTERS), widget, entry)
    below, room = event.y() - entry.top(), widget.screen().availableGeometry()
    bottom = event.globalPos().y() - (below if below <= _HIGHEST else 0) - _GAP
    for tip in QApplication.topLevelWidgets():
        if tip.inherits("QTipLabel") and beside is not None and beside + _GAP + tip.width() <= room.right():
            tip.move(beside + _GAP, widget.mapToGlobal(entry.topLeft()).y())
        elif tip.inherits("QTipLabel") and bottom - tip.height() >= room.top():
            tip.move(tip.x(), bottom - tip.height())
