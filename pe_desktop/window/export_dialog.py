"""The dialog that takes an array or a figure away: what, where, how large, and what went wrong in place."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QImage, QResizeEvent, QStandardItemModel
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QProgressBar, QVBoxLayout, QWidget

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.core.state import State
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.canvas import Canvas
from pe_desktop.draw.scene import Area, Box, Scene
from pe_desktop.draw.theme import Theme
from pe_desktop.export.arrays import ARRAYS, NPY, SUFFIXES, array_bytes, array_of, array_refusal, write_array
from pe_desktop.export.figure_files import figure_preview, write_figure
from pe_desktop.export.figure_sheet import LETTERS, PANEL_LETTERS, POINTS, PURPOSES, Finish, Sheet, inches_of
from pe_desktop.export.figures import PANELS, PDF, PNG, SVG, figure_rows, file_name, pages_refusal
from pe_desktop.files import ExportError, bytes_in_words
from pe_desktop.languages import told
from pe_desktop.model.findings import Computed, Findings, Question, Task
from pe_desktop.panels.controls.buttons import DialogButton, Switch, acting
from pe_desktop.panels.controls.layouts import RefusalLabel, filled, label
from pe_desktop.panels.controls.popups import ChoiceBox, chosen_file
from pe_desktop.panels.scene_panel import PageArea, dress
from pe_desktop.resources import resource_json
from pe_desktop.views.table import FIGURES, VIEWS
from pe_desktop.window.main_window import FRAME

FORMATS, _THEMES, _LETTERS = (resource_json("figures.json")[part] for part in ("formats", "themes", "letters"))
_FIGURE_FORMATS = (PDF, SVG, PNG)
# As shown is the theme of the window.
_SHOWN = "shown"
_CURSOR_NOTE = "The lines, columns and numbers that say where t and t + k are"
_STEPS = 1000
# The room of a scroll bar beside the fields.
_BAR = 10
_FIELD_WIDTH = 320
# Entries of the longest list at once.
_MOST_SEEN = 16


class ExportDialog(QDialog):
    """Chooses what, a format and a file. An array is written on a thread of its own, with progress and Cancel.

    A figure is seen as it will be written; its caption goes to the clipboard.
    """

    def __init__(
        self,
        state: State,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        figure: str | None = None,
        measured: Findings | None = None,
    ) -> None:
        super().__init__(parent)
        self._state = state
        self._theme = theme
        self._findings = Findings(self)
        self._findings.changed.connect(self._on_findings_changed)
        self._findings.failed.connect(self._on_failed)
        # Until a person chooses: light on paper, as shown on a slide.
        self._is_theme_chosen = False
        self.preview = _FigurePreview(state, measured or self._findings, self)
        self.preview.drawn.connect(self._on_drawn)
        self.preview.refused.connect(self._refuse)
        self.preview.hide()
        self.setWindowTitle(told("Export"))
        self._make_form()
        self.refusal = RefusalLabel(self)
        self.done_note = label("", "note", wraps=True)
        self.progress = QProgressBar(textVisible=False, maximum=_STEPS)
        self._lay_out()
        self._set_writing(None)
        dress(self, theme)
        self.choose(figure, is_figure=figure is not None)
        self._on_chosen()

    def choose(self, what: str | None, *, is_figure: bool) -> None:
        """Choose an array or a figure; None leaves the choice."""
        for place in range(self.what.count()):
            if self.what.itemData(place) == (what, is_figure):
                self.what.setCurrentIndex(place)

    def _fill_list(self) -> None:
        """List arrays, figures, and figures as panels of a page."""
        self.what = ChoiceBox()
        self.what.setMaxVisibleItems(_MOST_SEEN)
        items = self.what.model()
        assert isinstance(items, QStandardItemModel)
        for place, (what, array) in enumerate(ARRAYS.items()):
            self.what.addItem(told(array.title), (what, False))
            reason = array_refusal(what, self._state)
            if reason:
                items.item(place).setEnabled(False)
                items.item(place).setToolTip(told(reason))
        self.what.insertSeparator(self.what.count())
        for what, figure in FIGURES.items():
            self.what.addItem(told(f"{figure.title} (figure)"), (what, True))
        self.what.insertSeparator(self.what.count())
        for what in PANELS:
            titles = [row.title for row in figure_rows(what)]
            letters = ", ".join(PANEL_LETTERS[: len(titles)])
            self.what.addItem(f"{', '.join(map(told, titles))} ({letters})", (what, True))

    def _make_form(self) -> None:
        self._fill_list()
        self.format = ChoiceBox()
        self.purpose = _choices({name: purpose.words for name, purpose in PURPOSES.items()}, self._on_purpose)
        self.theme = _choices(_THEMES, self._describe)
        self.letters = _choices(_LETTERS, self._describe)
        self.title = QLineEdit(placeholderText="What is seen; your own, or none")
        self.paper_width = QLineEdit(placeholderText="Width: 5.5in, 14cm")
        self.points = QLineEdit(placeholderText="Smallest letters: 8pt")
        for edit, name in ((self.title, "Title"), (self.paper_width, "Width"), (self.points, "Smallest letters")):
            edit.setAccessibleName(told(name))
            edit.setPlaceholderText(told(edit.placeholderText()))
            edit.textChanged.connect(self._describe)
        self.is_transparent = Switch("Transparent ground", "The figure stands on whatever lies under it")
        self.shows_cursor = Switch("Cursors at t and t + k", _CURSOR_NOTE)
        self.shows_cursor.setChecked(True)
        self.estimate = label("", "note")
        self.what.currentIndexChanged.connect(self._on_chosen)
        self.format.currentIndexChanged.connect(self._describe)
        self.theme.activated.connect(self._on_theme_chosen)
        for switch in (self.is_transparent, self.shows_cursor):
            switch.toggled.connect(self._describe)
        self._on_purpose()

    def _lay_out(self) -> None:
        self._form = form = QFormLayout()
        form.setContentsMargins(0, 0, _BAR, 0)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(10)
        fields = self.what, self.format, self.purpose, self.theme, self.letters, self.title
        for words, field in zip(("What", "Format", "For", "Colours", "Letters", "Title"), fields, strict=True):
            # A sentence that wraps must not move what stands beside it.
            field.setFixedWidth(_FIELD_WIDTH)
            form.addRow(told(words), field)
        self.sizes = filled(QHBoxLayout(), self.paper_width, self.points, spacing=8)
        form.addRow(told("On paper"), self.sizes)
        form.addRow("", self.is_transparent)
        form.addRow("", self.shows_cursor)
        form.addRow(told("Size"), self.estimate)
        self.save = acting(DialogButton("Choose a file…", default=True), self._on_save)
        self.stop = acting(DialogButton(), self._on_stop)
        buttons = filled(QHBoxLayout(), None, self.stop, self.save)
        self.fields = _FormArea(form)
        parts = (self.fields, self.progress, self.refusal, self.done_note, buttons)
        column = filled(QVBoxLayout(), *parts, spacing=12, wide=self.fields)
        margins = (20, 18, 20, 16)
        filled(QHBoxLayout(self), column, self.preview, margins=margins, spacing=12, wide=self.preview)

    def write_to(self, path: Path, *, overwrite: bool = True) -> None:
        """Write what was chosen; that an existing file is replaced has been agreed to by whoever chose it."""
        self.refusal.show_sentence("")
        self.done_note.setText("")
        what, is_figure = self.what.currentData()
        write = self._write_figure if is_figure else self._write_array
        write(what, path, overwrite=overwrite)

    def _write_figure(self, what: str, path: Path, *, overwrite: bool) -> None:
        try:
            finish, answers = self.finish(), self.preview.answers
            written = write_figure(
                what, _state_for(what, self._state), path, finish, overwrite=overwrite, answers=answers
            )
        except (ExportError, MemoryError) as error:
            self.refusal.show_sentence(str(error) or "There is not enough memory. Nothing was written.")
            return
        QGuiApplication.clipboard().setText(written.told)
        size = bytes_in_words(written.n_bytes)
        self.done_note.setText(f"Written: {written.path} ({size}). Its caption is on the clipboard.")

    def finish(self) -> Finish:
        """How the figure is drawn, as it is chosen now. ExportError where a length is not understood."""
        width, points = (
            inches_of(edit.text()) if edit.text().strip() and edit.isEnabled() else None
            for edit in (self.paper_width, self.points)
        )
        title = self.title.text().strip() if self.title.isEnabled() else ""
        theme = self.theme.currentData()
        is_svg = self.format.currentData() == SVG
        return Finish(
            purpose=self.purpose.currentData(),
            theme=self._theme.name if theme == _SHOWN else theme,
            is_transparent=self.is_transparent.isChecked(),
            shows_cursor=self.shows_cursor.isChecked() or not self.shows_cursor.isEnabled(),
            letters=self.letters.currentData() if is_svg else "outlines",
            width=width,
            text=None if points is None else points * POINTS,
            title="" if title == "none" else title or None,
        )

    def _write_array(self, what: str, path: Path, *, overwrite: bool) -> None:
        writing = Question("export", _written, (what, self._state, path, overwrite))
        # The same array may have been written there already.
        self._findings.forget((writing,))
        self._set_writing(writing)
        self._findings.ask("export", (writing,))

    def event(self, event: QEvent) -> bool:
        is_taken = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            # As large as what it says asks for, as far as the screen has room.
            room = self.screen().availableSize() - FRAME
            self.resize(self.size().expandedTo(self.sizeHint()).boundedTo(room))
        return is_taken

    def done(self, result: int) -> None:
        """Closing cancels what is being written and joins its thread."""
        self.preview.close_findings()
        self._findings.close()
        super().done(result)

    def _on_chosen(self) -> None:
        what, is_figure = self.what.currentData()
        formats = _FIGURE_FORMATS if is_figure else SUFFIXES
        if self.format.findData(formats[0]) < 0:
            with QSignalBlocker(self.format):
                self.format.clear()
                for suffix in formats:
                    self.format.addItem(told(FORMATS[suffix]), suffix)
        for choice in (self.purpose, self.theme, self.title, self.sizes, self.is_transparent, self.shows_cursor):
            self._form.setRowVisible(choice, is_figure)
        self.fields.updateGeometry()
        if self.preview.isHidden() == is_figure:
            self.preview.setVisible(is_figure)
            self.adjustSize()
        self._show_paper_sizes()
        rows = figure_rows(what) if is_figure else ()
        can_hide = any(VIEWS[row.view].without_cursor and row.lettering is None for row in rows)
        self.shows_cursor.setEnabled(can_hide)
        self.shows_cursor.setToolTip(_CURSOR_NOTE if can_hide else "This figure is about t and t + k, or shows neither")
        self._describe()

    def _show_paper_sizes(self) -> None:
        """How large the figure is on paper: one of a text as it is there, in no other width."""
        what, is_figure = self.what.currentData()
        lettering = figure_rows(what)[0].lettering if is_figure else None
        items = self.purpose.model()
        assert isinstance(items, QStandardItemModel)
        words = PURPOSES["paper"].words
        if lettering is not None:
            words = f"Paper, {lettering.size[0]:g} × {lettering.size[1]:g} inches as in the text"
            if self.purpose.currentData() == "column":
                self.purpose.setCurrentIndex(self.purpose.findData("paper"))
        self.purpose.setItemText(self.purpose.findData("paper"), told(words))
        items.item(self.purpose.findData("column")).setEnabled(lettering is None)
        is_paper = PURPOSES[self.purpose.currentData()].is_paper
        self.title.setEnabled("+" not in what)
        self.paper_width.setEnabled(lettering is None and is_paper)
        self.points.setEnabled(lettering is None)

    def _on_purpose(self) -> None:
        self._show_paper_sizes()
        if not self._is_theme_chosen:
            is_paper = PURPOSES[self.purpose.currentData()].is_paper
            self.theme.setCurrentIndex(self.theme.findData("light" if is_paper else _SHOWN))
        self._describe()

    def _on_theme_chosen(self) -> None:
        self._is_theme_chosen = True

    def _describe(self) -> None:
        if self.format.currentData() is None:
            return
        what, is_figure = self.what.currentData()
        self._form.setRowVisible(self.letters, is_figure and self.format.currentData() == SVG)
        self.fields.updateGeometry()
        self.refusal.show_sentence("")
        self.done_note.setText("")
        self.estimate.setText("")
        self.save.setEnabled(True)
        try:
            if is_figure:
                self.preview.show_figure(what, self.finish())
                self.save.setEnabled(self.preview.is_measured() and not self.refusal.sentence)
            else:
                suffix = self.format.currentData()
                sides = " × ".join(number_text.whole(side) for side in array_of(what, self._state).shape)
                size = bytes_in_words(array_bytes(what, self._state, suffix))
                numbers = f"{sides} numbers ({self._state.precision.dtype})"
                self.estimate.setText(f"{numbers}, {'' if suffix == NPY else 'about '}{size}")
        except ExportError as error:
            self._refuse(error.sentence)

    def _refuse(self, sentence: str) -> None:
        self.refusal.show_sentence(sentence)
        self.save.setEnabled(False)

    def _on_drawn(self, sheet: Sheet) -> None:
        if self.format.currentData() == PNG or (self.format.currentData() == SVG and sheet.is_in_dots):
            sides, unit = [number_text.whole(side) for side in sheet.dots], "pixels"
        else:
            sides, unit = [number_text.short(side) for side in sheet.inches], "inches"
        pages = f", {sheet.n_pages} pages" if sheet.n_pages > 1 else ""
        self.estimate.setText(f"{' × '.join(sides)} {unit}{pages}, letters of {sheet.letters} points")
        self.points.setPlaceholderText(told(f"Smallest letters: {sheet.letters}pt"))
        self.save.setEnabled(True)
        what, _ = self.what.currentData()
        refusal = pages_refusal(what, sheet.n_pages, self.format.currentData())
        if refusal:
            self._refuse(refusal)

    def _on_save(self) -> None:
        suffix = self.format.currentData()
        what, _ = self.what.currentData()
        chosen = chosen_file(self, "Export", file_name(what), FORMATS[suffix], suffix)
        if chosen is None:
            return
        path, is_typed = chosen
        typed = Path(path.stem)
        if not is_typed and typed.suffix.lower() in FORMATS:
            # The ending of another format gives way; any other belongs to the name.
            path = path.with_name(typed.stem + suffix)
        self.write_to(path, overwrite=is_typed)

    def _on_stop(self) -> None:
        if self.save.isEnabled():
            self.reject()
            return
        self._findings.ask("export", ())
        self._set_writing(None)
        self.done_note.setText("Cancelled. Nothing was written.")

    def _on_findings_changed(self) -> None:
        if self._writing is None:
            return
        written = self._findings.answer(self._writing)
        if written is None:
            self.progress.setValue(round((self._findings.share(self._writing) or 0.0) * _STEPS))
        else:
            self._set_writing(None)
            self.done_note.setText(f"Written: {written.path} ({bytes_in_words(written.n_bytes)})")

    def _on_failed(self, error: Exception) -> None:
        self._set_writing(None)
        self.refusal.show_sentence(str(error) or type(error).__name__)

    def _set_writing(self, writing: Question | None) -> None:
        self._writing = writing
        self.progress.setValue(0)
        self.progress.setVisible(writing is not None)
        for choice in (self.what, self.format, self.save):
            choice.setEnabled(writing is None)
        self.stop.setText("Close" if writing is None else "Cancel")


class _FormArea(PageArea):
    """The fields as high as they are, or scrolled where the screen leaves less room."""

    def __init__(self, form: QFormLayout) -> None:
        self._page = QWidget()
        self._page.setLayout(form)
        super().__init__(self._page)

    def sizeHint(self) -> QSize:
        return self._page.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.sizeHint().width(), 120)


def _written(what: str, state: State, path: Path, overwrite: bool, task: Task) -> Any:
    return write_array(what, state, path, overwrite=overwrite, progress=task.report, is_cancelled=task)


def _choices(words: Mapping[str, str], act: Callable[[], None]) -> ChoiceBox:
    """A list of choices by name, a change of which acts."""
    field = ChoiceBox()
    field.offer("", words, {})
    field.currentIndexChanged.connect(act)
    return field


_ASKER = "figure preview"
_MARGIN = 12
# What the dialog has beside it, and the system around.
_BESIDE = QSize(470, 120)


def _state_for(what: str, state: State) -> State:
    """The state of a figure: those of the workspace Attention have its own t and k, also while it isn't open."""
    views = {row.view for row in figure_rows(what)}
    if state.views.attention.is_open or not views <= {*WORKSPACES["attention"]}:
        return state
    return state.with_views(replace(state.views.with_workspace("attention"), front=(*views,)))


class _FigurePreview(Canvas):
    """Draws a figure as large as fits; `drawn` tells its sheet, `refused` why there is none."""

    drawn = Signal(Sheet)
    refused = Signal(str)

    def __init__(self, state: State, findings: Findings, parent: QWidget) -> None:
        super().__init__(self._scene_in, parent)
        self._state, self._findings = state, findings
        self.answers = Computed(findings)
        self._shown: tuple[str, Finish] | None = None
        self._sheet: Sheet | None = None
        self._stopped: list[Question] = []
        self.image: QImage | None = None
        # One picture for any number of changes, and for all steps of a resize.
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._draw)
        self.describe = lambda: "" if self.image is None else self.image.text("Title")
        findings.changed.connect(self._on_findings_changed)
        self.setAccessibleName("Preview")
        self.setMinimumSize(QSize(480, 340).boundedTo(self.screen().availableSize() - _BESIDE))

    def show_figure(self, what: str, finish: Finish) -> None:
        """Draw a figure soon, or when it has been measured; a change that isn't seen draws nothing anew."""
        shown = what, replace(finish, letters=LETTERS[0])
        is_drawn = shown == self._shown and self.image is not None and not self._soon.isActive()
        if is_drawn and self._sheet is not None:
            self.drawn.emit(self._sheet)
            return
        self._shown = shown
        state = _state_for(what, self._state)
        rows = figure_rows(what)
        questions = tuple(question for row in rows for question in row.module().questions(row.state(state)))
        self._stopped += [question for question in questions if self._findings.is_stopped(question)]
        self._findings.ask(_ASKER, questions)
        self._findings.set_stopped(questions, is_stopped=False)
        self._soon.start()

    def is_measured(self) -> bool:
        """Whether nothing of the figure has to be computed that may take long."""
        return not self._findings.is_busy(_ASKER)

    def close_findings(self) -> None:
        """Want nothing any more, and leave at rest what a person had stopped."""
        self._soon.stop()
        self._findings.ask(_ASKER, ())
        self._findings.set_stopped(self._stopped, is_stopped=True)

    def _on_findings_changed(self, askers: frozenset[str]) -> None:
        if _ASKER in askers:
            self._soon.start()

    def _draw(self) -> None:
        if self._shown is None:
            return
        self.image = self._drawn(*self._shown) if self.is_measured() else None
        self.update()

    def _drawn(self, what: str, finish: Finish) -> QImage | None:
        ratio = self.devicePixelRatioF()
        room = max(self.width() - 2 * _MARGIN, 1) * ratio, max(self.height() - 2 * _MARGIN, 1) * ratio
        try:
            image, self._sheet = figure_preview(what, _state_for(what, self._state), finish, room, self.answers)
        except ExportError as error:
            self.refused.emit(error.sentence)
            return None
        image.setDevicePixelRatio(ratio)
        self.drawn.emit(self._sheet)
        return image

    def _scene_in(self, box: Box) -> Scene:
        """The page in the middle of a darker ground, or that its figure is measured."""
        theme = box.theme
        ground = marks.Rectangle(*box.area.grown(-0.5, -0.5), theme.sunken, theme.line, 8.0)
        if self.image is None:
            words = "" if self._shown is None or self.is_measured() else "Measuring…"
            return Scene((ground, marks.centered(*box.area.middle, words, "caption", theme.text2)))
        wide, tall = self.image.deviceIndependentSize().toTuple()
        page = Area(round((box.width - wide) / 2), round((box.height - tall) / 2), wide, tall)
        edge = marks.Rectangle(*page.grown(0.5, 0.5), outline=theme.axis)
        return Scene((ground, marks.Raster(*page, self.image), edge))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._soon.start()
