"""A dialog with a text that is made to be copied: the report of an error, what a problem report needs to know."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from pe_desktop.draw.typefaces import CODE, text_font
from pe_desktop.panels.controls.buttons import DialogButton


class ReportDialog(QDialog):
    """A heading, what it means, the text, and Copy; it stays open beside the window."""

    def __init__(self, parent: QWidget, title: str, heading: str, words: str, report: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        above, self.words = QLabel(heading, wordWrap=True), QLabel(words, wordWrap=True)
        above.setProperty("role", "message")
        self.words.setProperty("role", "note")
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.report = QPlainTextEdit(report, readOnly=True, tabChangesFocus=True)
        self.report.setAccessibleName("Report")
        self.report.setFont(text_font(CODE))
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.copy = DialogButton("Copy", autoDefault=False)
        self.copy.clicked.connect(self._on_copy)
        close = DialogButton("Close", default=True)
        close.clicked.connect(self.close)
        self.buttons = QHBoxLayout()
        self.buttons.addWidget(self.copy)
        self.buttons.addStretch(1)
        self.buttons.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        for part in (above, self.words):
            column.addWidget(part)
        column.addWidget(self.report, 1)
        column.addLayout(self.buttons)
        self.resize(680, 460)
        close.setFocus()

    def add(self, report: str) -> None:
        """Show another report under those that are there."""
        self.report.appendPlainText(f"\n{report}")

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self.copy.setText("Copied")
