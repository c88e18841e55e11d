"""The transport: play, step, speed, loop, the position, offset and pair, the scrubber and the strip of all pairs."""

from functools import cached_property, partial

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from pe_desktop.core.cursor import hand_places, n_hands
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw import number_text
from pe_desktop.draw.canvas import Canvas
from pe_desktop.languages import told
from pe_desktop.model.encoding_model import analysis_of
from pe_desktop.panels.controls.buttons import IconButton, acting
from pe_desktop.panels.controls.layouts import BARE, filled
from pe_desktop.panels.controls.parameter_rows import ParameterStrip
from pe_desktop.panels.controls.popups import ChoiceBox, Menu
from pe_desktop.panels.controls.value_edit import VALUE_PIXELS, ValueEdit
from pe_desktop.panels.scene_panel import Panel, dress
from pe_desktop.panels.sliders import LEAST_SCRUBBER, PairStrip, Scrubber, film_seen
from pe_desktop.resources import resource_json
from pe_desktop.views.controls import WORDS
from pe_desktop.views.transport.scene import FACT_WIDTH, film_words

SPEED_NAMES: dict[float, str] = dict(resource_json("settings.json")["speed"]["choices"])
_WORDS = WORDS["transport"]
_SPACING = 8
# Below this the strip of pairs gives way to a badge.
_WIDE_ENOUGH_FOR_STRIP = 1340
# Below this the badge leaves, too.
_WIDE_ENOUGH_FOR_BADGE = 700
# From here on a film has its read-outs beside its step.
_WIDE_ENOUGH_FOR_FACTS, _N_FACTS = 900, 3
HEIGHT = 68
_PARAMETERS_HEIGHT = 38
# The list of speeds, of factors and of words a second.
_SPEED, _WIDE_SPEED = 66, 118
# Numbers are set smaller, then buttons leave, where the scrubber would be shorter than it is wanted: a track of 140
# pixels and its margins.
_WANTED_SCRUBBER = 196


class TransportPanel(Panel):
    """One row under everything else, and above it, while the Encoding dock is away, the first parameters."""

    key = "transport"
    title = "Transport"
    is_movable = False
    has_title = False

    def make(self) -> None:
        self._reserved: tuple[object, ...] = ()
        self._is_led = self._has_film = False
        # Tab goes from widget to widget as they are made.
        self._make_buttons()
        self.position = ValueEdit("Position", "t", "Type a position", self)
        self.offset = ValueEdit("Offset", "k", "Type an offset ([ and ] change it by one)", self)
        self.pair = ValueEdit("Frequency pair", "i", _WORDS["pair"], self)
        self._edits = {"position": self.position, "offset": self.offset, "pair": self.pair}
        for name, edit in self._edits.items():
            edit.submitted.connect(partial(self._submit, edit, name))
        self.pair.badge = self._badge
        self.step = ValueEdit("Step", "", "Type a step", self)
        self.step.submitted.connect(partial(self._submit, self.step, "learn.step"))
        self.facts = Canvas(lambda box: film_words(film_seen(self.model)[2], box), self)
        self.facts.setFixedSize(round(_N_FACTS * FACT_WIDTH), HEIGHT - 14)
        self.step.hide()
        self.facts.hide()
        self.strip = PairStrip(self.model, self)
        self.scrubber = Scrubber(self.model, self)
        self._make_menus()
        self._lay_out()
        self.playback.changed.connect(self._on_playback_changed)
        self._on_playback_changed()
        self.setFixedHeight(HEIGHT)

    def _make_buttons(self) -> None:
        go_to_start = partial(self.model.move_along, 0.0)
        step_back, step_on = (partial(self.playback.step, by) for by in (-1, 1))
        self.to_start = acting(IconButton("start", "First position", self, key="Home"), go_to_start)
        self.back = acting(IconButton("prev", "One position back", self, key="Left"), step_back)
        self.play = acting(IconButton("play", "Play", self, key="Space", side=38), self.playback.toggle)
        self.play.setProperty("primary", True)
        self.forward = acting(IconButton("next", "One position on", self, key="Right"), step_on)
        self.loop = IconButton("loop", "Loop: start over after the last position", self)
        self.loop.setCheckable(True)
        self.loop.toggled.connect(partial(self.playback.set, "loops"))
        self._buttons = (self.to_start, self.back, self.play, self.forward, self.loop)

    def _make_menus(self) -> None:
        self.speed = ChoiceBox(self)
        self.speed.offer("Speed", SPEED_NAMES, {})
        self.speed.setToolTip("Speed (, and .)")
        self.speed.setFixedWidth(_SPEED)
        self.speed.chosen.connect(partial(self.playback.set, "speed"))
        self.more = acting(IconButton("more", "How playing moves", self), self._on_more)
        self._menu = Menu(self)
        self._rates = self._menu.add_choices(_WORDS["rates"], partial(self.playback.set, "rate"))
        self._menu.addSeparator()
        self._reduced = self._menu.add("Reduced motion: whole positions only, two a second at most")
        self._reduced.setCheckable(True)
        # What was chosen when the menu last reduced motion.
        self._motion = self.playback.motion
        self._reduced.triggered.connect(self._reduce)

    def _reduce(self, is_on: bool) -> None:
        """Reduce motion, or have it as before that; as the system has it only where that reduces none."""
        before, self._motion = self._motion, self.playback.motion
        off = "normal" if before == "reduced" or self.playback.system_reduces else before
        self.playback.set("motion", "reduced" if is_on else off)

    def _lay_out(self) -> None:
        # Room for the ring of the focus above and below.
        self.scrubber.setFixedHeight(HEIGHT - 12)
        # What has a key, or stands in the settings, leaves where its room is short, the last first.
        self._leaving = (self.forward, self.back, self.speed, self.loop, self.to_start, self.more, self.strip)
        values = self.position, self.offset, self.pair, self.step, self.facts
        items = (*self._buttons, 16, *values, self.strip, 8, self.scrubber)
        self._row = filled(QHBoxLayout(), *items, margins=(20, 0, 12, 0), spacing=_SPACING, wide=self.scrubber)
        filled(self._row, self.speed, self.more)
        self._column = filled(QVBoxLayout(self), self._row, margins=BARE, spacing=0)

    @cached_property
    def parameters(self) -> ParameterStrip:
        """Made when there is first no room for the Encoding dock."""
        strip = ParameterStrip(self.model, self)
        strip.asked.connect(self.asked)
        strip.setFixedHeight(_PARAMETERS_HEIGHT)
        dress(strip, self.scrubber.theme)
        self._column.insertWidget(0, strip)
        return strip

    def show_parameters(self, *, is_shown: bool) -> None:
        """Let the first parameters stand above the row, or take them away."""
        self.setFixedHeight(HEIGHT + _PARAMETERS_HEIGHT * is_shown)
        if is_shown or "parameters" in vars(self):
            self.parameters.show_choices()
            self.parameters.setVisible(is_shown)
            self._on_changed()

    def show_choices(self) -> None:
        if self._has_parameters:
            self.parameters.show_choices()

    @property
    def _has_parameters(self) -> bool:
        return self.maximumHeight() > HEIGHT

    def refresh(self) -> None:
        encoding, cursor = self.model.encoding, self.model.cursor
        asked = [analysis_of(encoding)] if self._has_parameters else []
        if self.model.state.plays_film:
            from pe_desktop.views.films import film_questions  # noqa: PLC0415 - the first frame has no film

            # The one that is seen changes with k.
            asked += film_questions(self.model.state)[:1]
        self.model.findings.ask(self.key, tuple(asked))
        for name, edit in self._edits.items():
            value = getattr(cursor, name)
            edit.show_value(number_text.position(value), number_text.exact(value))
        words = self.model.state.attention.words if self.model.state.leads else None
        if (words is not None) != self._is_led:
            self._show_rates(is_led=words is not None)
        self._show_film()
        of_table = encoding.n_positions, n_hands(encoding), encoding.pairs is None, hand_places(encoding)
        needs = *of_table, self._is_led, self._has_film and self.model.state.track.last
        if needs != self._reserved:
            self._reserved = needs
            self._name_pairs(encoding)
            self._reserve()
        track = encoding.n_positions, self.model.span, self.model.state.trained_length
        steps = (*film_seen(self.model)[:2], self.model.state.track.last) if self._has_film else ()
        self.scrubber.show_what(*track, cursor.position, cursor.offset, words, steps)
        for canvas in (self.strip, self.pair):
            canvas.show_what(n_hands(encoding), cursor.pair)

    def _show_film(self) -> None:
        """With Learn in front the step of its film stands where t, k and i stand else."""
        state = self.model.state
        if state.plays_film != self._has_film:
            self._has_film = state.plays_film
            for edit in self._edits.values():
                edit.setVisible(not self._has_film)
            self.step.setVisible(self._has_film)
            noun = "step" if self._has_film else "position"
            self.to_start.set_words(f"First {noun}")
            self.back.set_words(f"One {noun} back")
            self.forward.set_words(f"One {noun} on")
            self.scrubber.setAccessibleName(noun.capitalize())
        if self._has_film:
            now, _, facts = film_seen(self.model)
            self.step.show_value(f"{now} / {state.views.learn.n_total}", str(now))
            self.facts.show_what(facts)

    def _show_rates(self, *, is_led: bool) -> None:
        """Name the speeds by words a second while a sentence leads, else by factors."""
        self._is_led = is_led
        for place, (speed, factor) in enumerate(SPEED_NAMES.items()):
            words = f"{factor.removesuffix('×')} word{'s' if speed > 1 else ''} / s"
            self.speed.setItemText(place, told(words) if is_led else factor)
        # The row needs no more room than before: that would move the docks above it.
        wide = _WIDE_SPEED if is_led else _SPEED
        self.scrubber.setMinimumWidth(LEAST_SCRUBBER + _SPEED - wide)
        self.speed.setFixedWidth(wide)

    def _name_pairs(self, encoding: Encoding) -> None:
        """Name the pairs or columns."""
        has_pairs, places = encoding.pairs is not None, hand_places(encoding)
        columns = _WORDS["columns"].format(*places)
        self.pair.show_caption("Frequency pair" if has_pairs else f"Columns {', '.join(places)}")
        self.pair.setToolTip(_WORDS["pair"] if has_pairs else columns)
        self.strip.setToolTip("" if has_pairs else columns)

    def minimumSizeHint(self) -> QSize:
        """Without what a narrower panel doesn't show."""
        parts = [part.minimumWidth() + _SPACING for part in self._leaving if not part.isHidden()]
        return super().minimumSizeHint() - QSize(sum(parts), 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._reserve()

    def _reserve(self) -> None:
        """Make room for the widest numbers of this encoding, and show the buttons that leave the scrubber its own."""
        n_positions = self.model.encoding.n_positions
        n_pairs = n_hands(self.model.encoding)
        badge = "000" + "0" * len(str(n_pairs)) if self._has_badge else ""
        pair, offset = (number_text.whole(most) for most in (max(n_pairs - 1, 10), max(n_positions, 100)))
        widest = f"{number_text.whole(n_positions)}.9", f"−{offset}", pair + badge
        takes = [part.minimumWidth() + _SPACING for part in self._leaving]
        self.facts.setVisible(self._has_film and self.width() >= _WIDE_ENOUGH_FOR_FACTS)
        for pixels in VALUE_PIXELS:
            for edit, text in zip(self._edits.values(), widest, strict=True):
                edit.reserve(text, pixels)
            last = self.model.state.views.learn.n_total
            self.step.reserve(f"{last} / {last}", pixels)
            # A widget that becomes wider tells the outer layout alone.
            self._row.invalidate()
            self._column.invalidate()
            needed = self.minimumSizeHint().width() - self.scrubber.minimumWidth() + _WANTED_SCRUBBER
            if needed + sum(takes[:-1]) <= self.width():
                break
        for part, taken in zip(self._leaving, takes, strict=True):
            needed += taken
            least = max(needed, _WIDE_ENOUGH_FOR_STRIP) if part is self.strip else needed
            part.setVisible(least <= self.width() and not (self._has_film and part is self.strip))

    @property
    def _has_badge(self) -> bool:
        return _WIDE_ENOUGH_FOR_BADGE <= self.width() < _WIDE_ENOUGH_FOR_STRIP

    def _badge(self) -> tuple[str, QColor] | None:
        pair = self.model.cursor.pair
        if not self._has_badge:
            return None
        return str(pair), self.pair.theme.pair_color(pair, n_hands(self.model.encoding))

    def _on_more(self) -> None:
        corner = self.more.mapToGlobal(QPoint(self.more.width(), 0))
        self._menu.popup(corner - QPoint(self._menu.sizeHint().width(), self._menu.sizeHint().height() + 4))

    def _on_playback_changed(self) -> None:
        playback = self.playback
        self.play.set_icon("pause" if playback.is_playing else "play")
        self.play.set_words("Pause" if playback.is_playing else "Play")
        self.loop.setChecked(playback.loops)
        self.speed.show_choice(playback.speed)
        self._rates[playback.rate].setChecked(True)
        self._reduced.setChecked(playback.is_reduced)

    def _submit(self, edit: ValueEdit, name: str, text: str) -> None:
        edit.show_answer(self.model.set_parameter(name, text))
