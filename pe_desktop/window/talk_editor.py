"""The talk that a person makes: views that were added, their order and words, and its file."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QVBoxLayout,
)

from pe_desktop.files import ExportError
from pe_desktop.languages import told
from pe_desktop.lessons.shelf import OWN, SUFFIX
from pe_desktop.lessons.shown import with_step
from pe_desktop.lessons.talks import Step, Talk
from pe_desktop.lessons.writing import EMPTY, keep_talk, moved, with_view, without, write_talk
from pe_desktop.panels.controls.buttons import DialogButton, acting
from pe_desktop.panels.controls.layouts import RefusalLabel, filled, label
from pe_desktop.panels.scene_panel import dress
from pe_desktop.views.table import VIEWS
from pe_desktop.window.main_window import MainWindow
from pe_desktop.window.panel_menu import save_as

_SIZE = (720, 460)


def add_view(window: MainWindow) -> None:
    """Add what the window shows to the talk, with the sentence of its view as words, and say so."""
    talk = OWN.get(EMPTY.key, EMPTY)
    state = window.model.state
    front = ["compare"] if state.views.compare.is_open else [window.focused_plot().key, *state.views.front]
    views = tuple(dict.fromkeys(key for key in front if key in VIEWS and key != "lessons"))[:2]
    words = VIEWS[views[0]].module().sentence(state, window.model.findings).splitlines()[0] if views else ""
    try:
        keep_talk(with_view(talk, state, window.focused_plot().title, words, views))
    except ValueError as error:
        window.header.show_message(str(error))
        return
    titles = ", ".join(VIEWS[key].title for key in views)
    window.header.show_message(f"Added to the talk as step {len(OWN[EMPTY.key].steps)}: {titles}")


class TalkEditor(QDialog):
    """Steps in their order, the words of the one that is chosen; what is changed counts at once."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setObjectName("edit_talk")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window = window
        self.setWindowTitle(told("My talk"))
        self.resize(*_SIZE)
        self.steps = QListWidget()
        self.steps.setAccessibleName(told("Steps"))
        self.name, self.title = QLineEdit(self.talk.title), QLineEdit()
        self.words, self.notes = QPlainTextEdit(), QPlainTextEdit()
        form = QFormLayout()
        named = ("Title of the talk", self.name), ("Title", self.title), ("Words", self.words), ("Notes", self.notes)
        for words, field in named:
            form.addRow(told(words), field)
        self.name.textEdited.connect(self._take_name)
        self.steps.currentRowChanged.connect(self._show_step)
        self.title.textEdited.connect(self._take_words)
        for field in (self.words, self.notes):
            field.textChanged.connect(self._take_words)
        acts: dict[str, Callable[[], object]] = {
            "Earlier": partial(self._move, -1),
            "Later": partial(self._move, 1),
            "Remove": self._remove,
            "Show": self._show,
            "Save…": self._save,
            "New": self._begin,
        }
        self.buttons = {name: acting(DialogButton(told(name), autoDefault=False), act) for name, act in acts.items()}
        body = filled(QHBoxLayout(), self.steps, form, wide=form)
        self.refusal, self.message = RefusalLabel(self), label("", "note")
        foot = filled(QHBoxLayout(), *self.buttons.values(), self.message, None)
        filled(QVBoxLayout(self), body, self.refusal, foot, wide=body)
        dress(self, window.theme)
        self._list(0)

    @property
    def talk(self) -> Talk:
        return OWN.get(EMPTY.key, EMPTY)

    def _keep(self, talk: Talk) -> bool:
        """Have another talk, and say why its file could not be kept; whether it was."""
        try:
            keep_talk(talk)
        except ExportError as error:
            self.refusal.show_sentence(error.sentence)
            return False
        self.refusal.show_sentence("")
        return True

    def _list(self, place: int) -> None:
        """Show the steps as they are, with one of them chosen."""
        self.steps.blockSignals(True)
        self.steps.clear()
        self.steps.addItems([f"{number}  {step.title}" for number, step in enumerate(self.talk.steps, start=1)])
        self.steps.blockSignals(False)
        self.steps.setCurrentRow(min(max(place, 0), self.steps.count() - 1))
        self._show_step(self.steps.currentRow())

    def _show_step(self, place: int) -> None:
        step = self.talk.steps[place] if 0 <= place < len(self.talk.steps) else Step("")
        for field, text in ((self.words, step.words), (self.notes, step.notes)):
            field.blockSignals(True)
            field.setPlainText(text)
            field.blockSignals(False)
        self.title.setText(step.title)
        for button in self.buttons.values():
            button.setEnabled(bool(self.talk.steps))

    def _take_name(self, title: str) -> None:
        self._keep(replace(self.talk, title=title))

    def _take_words(self) -> None:
        place, steps = self.steps.currentRow(), [*self.talk.steps]
        if 0 <= place < len(steps):
            words, notes = self.words.toPlainText(), self.notes.toPlainText()
            steps[place] = replace(steps[place], title=self.title.text(), words=words, notes=notes)
            self._keep(replace(self.talk, steps=tuple(steps)))
            self.steps.item(place).setText(f"{place + 1}  {self.title.text()}")

    def _move(self, by: int) -> None:
        place = self.steps.currentRow()
        self._keep(moved(self.talk, place, by))
        self._list(place + by)

    def _remove(self) -> None:
        place = self.steps.currentRow()
        self._keep(without(self.talk, place))
        self._list(place)

    def _show(self) -> None:
        model = self._window.model
        model.set_state(with_step(model.state, self.talk, self.steps.currentRow()), "lessons.step")

    def _begin(self) -> None:
        """Begin another talk; this one stays among the lessons."""
        key = next(key for key in map(f"{EMPTY.key}-{{}}".format, count(2)) if key not in OWN)
        if not self._keep(replace(self.talk, key=key)):
            # Its file would be gone with the next one.
            del OWN[key]
            return
        self.message.setText(f"{self.talk.title} stays among the lessons")
        self._keep(EMPTY)
        self.name.setText(EMPTY.title)
        self._list(0)

    def _save(self) -> None:
        name = "-".join(re.findall(r"\w+", self.talk.title.lower())) or EMPTY.key

        def write(path: Path, overwrite: bool) -> None:
            write_talk(path, self.talk, overwrite=overwrite)
            self.message.setText(f"Saved {path.name}")

        save_as(self._window, "Save talk", name, "Talk", SUFFIX, write, parent=self)
