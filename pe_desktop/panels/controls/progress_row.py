"""A row that says how far a computation is, with a button that stops it or goes on with it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pe_desktop.draw.scene import Area
from pe_desktop.model.findings import REST_SECONDS, Findings, Question, Questions
from pe_desktop.panels.controls.buttons import PushButton, acting
from pe_desktop.panels.controls.layouts import filled, label, paint_ground

# What is known sooner needs no words and no button.
_QUIET_SECONDS = 0.15


class ProgressRow(QWidget):
    """Follows questions: "title, 42 %" with Cancel while they are computed, "title: stopped" with Compute after that.

    It shows itself when the wait has lasted 0.15 seconds and nothing is held, and hides when all is known. Whoever
    asked has it follow them again whenever there is news.
    """

    def __init__(self, findings: Findings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._findings = findings
        self._title = ""
        self._questions: Questions = ()
        self._area: Area | None = None
        # It fills itself: no percent paints what lies under it anew.
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        # What it says.
        self.words = label("", "caption")
        self.button = acting(PushButton("Cancel"), self._on_pressed)
        filled(QHBoxLayout(self), self.words, self.button, margins=(0, 4, 0, 4), wide=self.words)
        self.hide()
        self._quiet = QTimer(self, singleShot=True)
        self._quiet.timeout.connect(self._refresh)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_ground(self)

    def follow(self, questions: Sequence[Question], title: str = "", area: Area | None = None) -> None:
        """Tell of these from now on, stop them and go on with them; the title is that of the first one by default.

        With an area it stands over its siblings, in the middle of that, with as many words as it has room for; else in
        a layout.
        """
        questions = tuple(questions)
        is_other = questions != self._questions
        self._questions, self._area = questions, area
        self._title = title or next((question.title for question in questions), "")
        if is_other:
            rest = max((question.rank for question in questions), default=0) * REST_SECONDS
            self._quiet.start(round(1000 * (_QUIET_SECONDS + rest)))
        self._refresh()

    @property
    def _is_stopped(self) -> bool:
        return any(map(self._findings.is_stopped, self._questions))

    def _refresh(self) -> None:
        if self._is_stopped:
            self._say((f"{self._title}: stopped", "stopped", ""), "Compute")
        elif all(self._findings.share(question) is None for question in self._questions) or self._quiet.isActive():
            self.hide()
        elif self._findings.is_held and self.isHidden():
            return
        else:
            share = f"{100 * self._share():.0f} %"
            self._say((f"{self._title}, {share}", share, ""), "Cancel")

    def _say(self, choices: tuple[str, ...], way_on: str) -> None:
        """Say the longest words that have room, the first ones where it stands in a layout."""
        self.button.setText(way_on)
        self.button.setToolTip(choices[0])
        for words in choices:
            self.words.setText(words)
            if self._area is None or self.sizeHint().width() <= self._area.width:
                break
        if self._area is not None:
            x, y = self._area.middle
            self.adjustSize()
            self.move(round(x - self.width() / 2), round(y - self.height() / 2))
            self.raise_()
        self.show()

    def _share(self) -> float:
        """How much is done of all, 0 to 1."""
        is_known, share = self._findings.is_known, self._findings.share
        shares = [1.0 if is_known(question) else share(question) or 0.0 for question in self._questions]
        return sum(shares) / len(shares)

    def _on_pressed(self) -> None:
        is_stopped = self._is_stopped
        if is_stopped:
            self._quiet.start()
        self._findings.set_stopped(self._questions, is_stopped=not is_stopped)
