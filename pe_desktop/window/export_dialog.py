"""The dialog that takes an array away: what, where, how large, and what went wrong in place."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.export.arrays import ARRAYS, WrittenArray, array_bytes, write_array
from pe_desktop.model.worker import IsCancelled, Worker
from pe_desktop.panels.controls.labels import RefusalLabel
from pe_desktop.plotting import number_text
from pe_desktop.plotting.theme import Theme

FORMATS = {".npy": "NumPy array (.npy)", ".csv": "Table as text (.csv)"}
BYTES_NAMES = ("bytes", "kB", "MB", "GB", "TB")
STEPS = 1000


class ExportDialog(QDialog):
    """Chooses an array, a format and a file, and writes it on a thread of its own with progress and Cancel."""

    _progressed = Signal(int)

    def __init__(self, encoding: Encoding, cursor: Cursor, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._encoding = encoding
        self._cursor = cursor
        self._worker = Worker(self)
        self._worker.answered.connect(self._on_written)
        self._worker.failed.connect(self._on_failed)
        self._progressed.connect(self._on_progressed)
        self.setWindowTitle("Export")
        self._make_form()
        self.refusal = RefusalLabel(self)
        self.refusal.show_theme(theme)
        self.done_note = QLabel()
        self.done_note.setProperty("role", "note")
        self.done_note.setWordWrap(True)
        self.progress = QProgressBar(textVisible=False, maximum=STEPS)
        self.progress.hide()
        self._lay_out()
        self._describe()

    def _make_form(self) -> None:
        self.what = QComboBox()
        for what, array in ARRAYS.items():
            self.what.addItem(array.title, what)
        self.format = QComboBox()
        for suffix, name in FORMATS.items():
            self.format.addItem(name, suffix)
        self.estimate = QLabel()
        self.estimate.setProperty("role", "note")
        self.what.currentIndexChanged.connect(self._describe)
        self.format.currentIndexChanged.connect(self._describe)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        form.addRow("Array", self.what)
        form.addRow("Format", self.format)
        form.addRow("Size", self.estimate)
        self.save = QPushButton("Choose a file…", default=True)
        self.save.clicked.connect(self._on_save)
        self.stop = QPushButton("Close")
        self.stop.clicked.connect(self._on_stop)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.stop)
        buttons.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addLayout(form)
        column.addWidget(self.progress)
        column.addWidget(self.refusal)
        column.addWidget(self.done_note)
        column.addStretch(1)
        column.addLayout(buttons)
        self.setMinimumSize(440, 260)

    def write_to(self, path: Path) -> None:
        """Write the chosen array; an existing file has been agreed to by whoever chose it."""
        self.refusal.show_sentence("")
        self.done_note.setText("")
        self.progress.setValue(0)
        self.progress.show()
        self.save.setEnabled(False)
        self.stop.setText("Cancel")
        what, encoding, cursor, progressed = self.what.currentData(), self._encoding, self._cursor, self._progressed

        def report(done: int, total: int) -> None:
            progressed.emit(done * STEPS // max(total, 1))

        def write(is_cancelled: IsCancelled) -> WrittenArray:
            return write_array(what, encoding, cursor, path, overwrite=True, progress=report, is_cancelled=is_cancelled)

        self._worker.ask(write)

    def done(self, result: int) -> None:
        """Closing cancels what is being written and joins its thread."""
        self._worker.close()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        """The same for the window's own button."""
        self._worker.close()
        super().closeEvent(event)

    def _describe(self) -> None:
        what, suffix = self.what.currentData(), self.format.currentData()
        shape = " × ".join(number_text.whole(side) for side in ARRAYS[what].shape(self._encoding))
        about = "" if suffix == ".npy" else "about "
        size = file_size(array_bytes(what, self._encoding, suffix))
        self.estimate.setText(f"{shape} numbers (float64), {about}{size}")

    def _on_save(self) -> None:
        suffix = self.format.currentData()
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        proposal = str(Path(folder) / f"{self.what.currentData()}{suffix}")
        chosen, _ = QFileDialog.getSaveFileName(self, "Export", proposal, f"{FORMATS[suffix]} (*{suffix})")
        if chosen:
            path = Path(chosen)
            self.write_to(path if path.suffix.lower() == suffix else path.with_name(path.name + suffix))

    def _on_stop(self) -> None:
        if self.save.isEnabled():
            self.reject()
            return
        self._worker.forget()
        self._rest()
        self.done_note.setText("Cancelled. Nothing was written.")

    def _on_progressed(self, steps: int) -> None:
        self.progress.setValue(steps)

    def _on_written(self, written: WrittenArray) -> None:
        self._rest()
        self.done_note.setText(f"Written: {written.path} ({file_size(written.n_bytes)})")

    def _on_failed(self, error: Exception) -> None:
        self._rest()
        self.refusal.show_sentence(str(error) or type(error).__name__)

    def _rest(self) -> None:
        self.progress.hide()
        self.save.setEnabled(True)
        self.stop.setText("Close")


def file_size(n_bytes: float) -> str:
    """A size as people read it: 32.9 kB."""
    step = 0
    while n_bytes >= 1000 and step < len(BYTES_NAMES) - 1:
        n_bytes /= 1000
        step += 1
    return f"{number_text.short(n_bytes)} {BYTES_NAMES[step]}"
