"""The one application object, which the system may hand a file to."""

import sys

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from pe_desktop.draw.accessible import show_places_to_screen_readers
from pe_desktop.draw.typefaces import load_typefaces
from pe_desktop.resources import resource_path


class Application(QApplication):
    """macOS tells a program by an event which file was clicked, before or after its window is there."""

    file_asked = Signal(str)

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self.asked_file = ""

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent):
            self.asked_file = event.file()
            self.file_asked.emit(self.asked_file)
            return True
        return super().event(event)


def make_application() -> QApplication:
    """The one application object, with its typefaces loaded."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = Application(sys.argv[:1])
    application.setApplicationName("pe_desktop")
    application.setStyle("Fusion")
    application.setWindowIcon(QIcon(str(resource_path("icons", "app.svg"))))
    load_typefaces()
    show_places_to_screen_readers()
    return application
