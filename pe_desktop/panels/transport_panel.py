"""The transport: play, step, speed, loop, the position, offset and pair, and the scrubber."""

from itertools import pairwise

from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QAction, QActionGroup, QColor, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from pe_desktop.core.columns import hand_places, n_hands
from pe_desktop.core.cursor import Preview
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw import number_text
from pe_desktop.model.encoding_model import EncodingModel, Refusal
from pe_desktop.model.playback import POSITIONS, SHARE_OF_VIEW, SPEEDS, Playback
from pe_desktop.panels.controls.buttons import IconButton
from pe_desktop.panels.controls.popups import ChoiceBox, Menu
from pe_desktop.panels.controls.value_edit import ValueEdit
from pe_desktop.panels.panel import Panel
from pe_desktop.panels.scrubber import PairStrip, Scrubber

SPEED_NAMES = {0.25: "¼×", 0.5: "½×", 1.0: "1×", 2.0: "2×", 4.0: "4×", 8.0: "8×", 16.0: "16×"}
_RATE_NAMES = {
    POSITIONS: "4 positions per second × speed",
    SHARE_OF_VIEW: "1/16 of the visible range per second × speed",
}
_PAIR_TOOLTIP = "Type a pair (Up and Down change it by one)"
_COLUMNS_TOOLTIP = "No hands turn here: i chooses the columns {} and {} (Up and Down change it by one)"
_SPACING = 8
# Below this the strip of pairs gives way to a badge.
_WIDE_ENOUGH_FOR_STRIP = 1340
HEIGHT = 68


class TransportPanel(Panel):
    """One row under everything else."""

    key = "transport"
    title = "Transport"
    is_movable = False
    has_title = False

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.scrubber = Scrubber(model, self)
        self.strip = PairStrip(model, self)
        self.position = ValueEdit("Position", "t", "Type a position", self)
        self.offset = ValueEdit("Offset", "k", "Type an offset ([ and ] change it by one)", self)
        self.pair = ValueEdit("Frequency pair", "i", _PAIR_TOOLTIP, self)
        self._shown: tuple[object, ...] = ()
        self._make_buttons()
        self._make_menus()
        self._lay_out()
        self._edits = {"position": self.position, "offset": self.offset, "pair": self.pair}
        self.position.submitted.connect(self._on_position_typed)
        self.offset.submitted.connect(self._on_offset_typed)
        self.pair.submitted.connect(self._on_pair_typed)
        self.pair.badge = self._badge
        model.refused.connect(self._on_refused)
        playback.changed.connect(self._on_playback_changed)
        self._on_playback_changed()
        self.setFixedHeight(HEIGHT)

    def _make_buttons(self) -> None:
        self.to_start = IconButton("start", "First position", self, key="Home")
        self.back = IconButton("prev", "One position back", self, key="Left")
        self.play = IconButton("play", "Play", self, key="Space", side=38)
        self.play.setProperty("primary", True)
        self.forward = IconButton("next", "One position on", self, key="Right")
        self.loop = IconButton("loop", "Loop: start over after the last position", self)
        self.loop.setCheckable(True)
        self.to_start.clicked.connect(self._on_to_start)
        self.back.clicked.connect(self._on_back)
        self.play.clicked.connect(self.playback.toggle)
        self.forward.clicked.connect(self._on_forward)
        self.loop.toggled.connect(self.playback.set_loops)

    def _make_menus(self) -> None:
        self.speed = ChoiceBox(self)
        self.speed.addItems([SPEED_NAMES[speed] for speed in SPEEDS])
        self.speed.setToolTip("Speed (, and .)")
        self.speed.setAccessibleName("Speed")
        self.speed.setFixedWidth(66)
        self.speed.activated.connect(self._on_speed_chosen)
        self.more = IconButton("more", "How playing moves", self)
        menu = Menu(self)
        group = QActionGroup(menu)
        self._rates: dict[str, QAction] = {}
        for rate, name in _RATE_NAMES.items():
            action = menu.addAction(name)
            action.setCheckable(True)
            action.setData(rate)
            group.addAction(action)
            self._rates[rate] = action
        group.triggered.connect(self._on_rate_chosen)
        menu.addSeparator()
        self._reduced = menu.addAction("Reduced motion: whole positions only, two a second at most")
        self._reduced.setCheckable(True)
        self._reduced.triggered.connect(self.playback.set_reduced)
        self._menu = menu
        self.more.clicked.connect(self._on_more)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 12, 0)
        row.setSpacing(_SPACING)
        for button in (self.to_start, self.back, self.play, self.forward, self.loop):
            row.addWidget(button)
        row.addSpacing(16)
        for edit in (self.position, self.offset, self.pair):
            row.addWidget(edit)
        row.addWidget(self.strip)
        row.addSpacing(8)
        # Room for the ring of the focus above and below.
        self.scrubber.setFixedHeight(HEIGHT - 12)
        row.addWidget(self.scrubber, 1)
        row.addWidget(self.speed)
        row.addWidget(self.more)
        self._order_tabs()

    def _order_tabs(self) -> None:
        buttons = (self.to_start, self.back, self.play, self.forward, self.loop)
        values = [part for edit in (self.position, self.offset, self.pair) for part in (edit, edit.field)]
        order: list[QWidget] = [*buttons, *values, self.strip, self.scrubber, self.speed, self.more]
        for before, after in pairwise(order):
            self.setTabOrder(before, after)

    def refresh(self) -> None:
        encoding, cursor = self.model.encoding, self.model.cursor
        shown = encoding.n_positions, n_hands(encoding), encoding.pairs is not None, hand_places(encoding)
        if shown != self._shown:
            self._shown = shown
            self._reserve(encoding)
        self.position.show_value(number_text.position(cursor.position), number_text.exact(cursor.position))
        self.offset.show_value(number_text.position(cursor.offset), number_text.exact(cursor.offset))
        self.pair.show_value(number_text.whole(cursor.pair), number_text.whole(cursor.pair))
        self.scrubber.show_what(encoding.n_positions, self.model.span, cursor.position, cursor.offset)
        for canvas in (self.strip, self.pair):
            canvas.show_what(n_hands(encoding), cursor.pair)

    def _reserve(self, encoding: Encoding) -> None:
        """Name the pairs or columns, and make room for the widest numbers of this encoding."""
        has_pairs, places = encoding.pairs is not None, hand_places(encoding)
        columns = _COLUMNS_TOOLTIP.format(*places)
        self.pair.show_caption("Frequency pair" if has_pairs else f"Columns {', '.join(places)}")
        self.pair.setToolTip(_PAIR_TOOLTIP if has_pairs else columns)
        self.strip.setToolTip("" if has_pairs else columns)
        self.position.reserve(f"{number_text.whole(encoding.n_positions)}.9")
        self.offset.reserve(f"−{number_text.whole(max(encoding.n_positions, 100))}")
        self._reserve_pair()

    def show_preview(self, preview: Preview | None) -> None:
        self.scrubber.update()

    def minimumSizeHint(self) -> QSize:
        """Without the strip, which a narrower panel doesn't show."""
        hint = super().minimumSizeHint()
        strip = self.strip.minimumWidth() + _SPACING if not self.strip.isHidden() else 0
        return QSize(hint.width() - strip, hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.strip.setVisible(self.width() >= _WIDE_ENOUGH_FOR_STRIP)
        self._reserve_pair()

    def _reserve_pair(self) -> None:
        n_pairs = n_hands(self.model.encoding)
        badge = "" if self.width() >= _WIDE_ENOUGH_FOR_STRIP else "000" + "0" * len(str(n_pairs))
        self.pair.reserve(number_text.whole(max(n_pairs - 1, 10)) + badge)

    def _badge(self) -> tuple[str, QColor] | None:
        pair = self.model.cursor.pair
        if self.width() >= _WIDE_ENOUGH_FOR_STRIP:
            return None
        return str(pair), self.pair.theme.pair_color(pair, n_hands(self.model.encoding))

    def _on_to_start(self) -> None:
        self.model.move_cursor(position=0.0)

    def _on_back(self) -> None:
        self.playback.step(-1)

    def _on_forward(self) -> None:
        self.playback.step(1)

    def _on_more(self) -> None:
        corner = self.more.mapToGlobal(QPoint(self.more.width(), 0))
        self._menu.popup(corner - QPoint(self._menu.sizeHint().width(), self._menu.sizeHint().height() + 4))

    def _on_speed_chosen(self, place: int) -> None:
        self.playback.set_speed(SPEEDS[place])

    def _on_rate_chosen(self, action: QAction) -> None:
        self.playback.set_rate(action.data())

    def _on_playback_changed(self) -> None:
        playback = self.playback
        self.play.set_icon("pause" if playback.is_playing else "play")
        self.play.set_words("Pause" if playback.is_playing else "Play")
        self.loop.setChecked(playback.loops)
        self.speed.setCurrentIndex(SPEEDS.index(playback.speed))
        self._rates[playback.rate].setChecked(True)
        self._reduced.setChecked(playback.is_reduced)

    def _on_position_typed(self, text: str) -> None:
        self._submit("position", text)

    def _on_offset_typed(self, text: str) -> None:
        self._submit("offset", text)

    def _on_pair_typed(self, text: str) -> None:
        self._submit("pair", text)

    def _submit(self, name: str, text: str) -> None:
        if self.model.set_parameter(name, text):
            self._edits[name].show_taken()

    def _on_refused(self, refusal: Refusal) -> None:
        if refusal.parameter in self._edits:
            self._edits[refusal.parameter].show_refusal(refusal.sentence)
