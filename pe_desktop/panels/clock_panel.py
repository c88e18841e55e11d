"""The clock: every pair of dimensions as a hand at its true angle."""

import math
from typing import TypeAlias

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pe_desktop.core.bit_hands import code_beside
from pe_desktop.core.columns import hand_values, n_hands
from pe_desktop.core.cursor import Cursor
from pe_desktop.core.encoding import Encoding
from pe_desktop.draw import marks, number_text
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.hand_text import hand_name, part_names, value_text
from pe_desktop.draw.theme import Theme
from pe_desktop.draw.typefaces import badge_half_width, text_width
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.clock_faces import ClockFaces
from pe_desktop.panels.controls.buttons import IconButton, Segments
from pe_desktop.panels.panel import Panel
from pe_desktop.views.clock.picture import MOST_HANDS, cursor_turns
from pe_desktop.views.clock.small import columns_sentence

ONE_DIAL, EACH = "one dial", "each"
READOUT_HEIGHT = 32
REST_MILLISECONDS = 250
BADGE_RADIUS = 9.5
NAME_GAP = 5.0
BINARY = "The binary code of t beside the clock: fast and slow dials (B)"
UNEVEN = "Hands turn unevenly: how far they turn by k differs from t to t"
Number: TypeAlias = tuple[str, str, str]


class ReadoutCanvas(PictureCanvas):
    """The chosen hand's numbers in one row."""

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setFixedHeight(READOUT_HEIGHT)

    def numbers(self) -> list[Number]:
        """What is shown, each with its name and the widest it gets: a hand's angle, sine, cosine and turn by k.

        Where nothing turns: the values of the chosen columns at t, and at t + k.
        """
        pairs, cursor = self._model.encoding.pairs, self._model.cursor
        if pairs is None:
            return self._values()
        angle = float(pairs.angles([cursor.position], [cursor.pair])[0, 0])
        sine, cosine = math.sin(angle), math.cos(angle)
        turn = math.degrees(float(cursor_turns(pairs, cursor)[cursor.pair]))
        return [
            ("angle", f"{number_text.fixed(math.degrees(angle) % 360, 1)}°", "000.0°"),
            ("sin", number_text.fixed(sine, 3), "−0.000"),
            ("cos", number_text.fixed(cosine, 3), "−0.000"),
            (
                "turn by k" if pairs.turns_evenly else "turn here",
                f"{number_text.fixed(turn, 1)}°" if abs(turn) < 1e6 else f"{number_text.short(turn / 360)} turns",
                "−00.0°",
            ),
        ]

    def _values(self) -> list[Number]:
        encoding, cursor = self._model.encoding, self._model.cursor
        limit = encoding.value_limit
        values = hand_values(encoding, [cursor.position, cursor.position + cursor.offset], [cursor.pair])[:, 0]
        widest = value_text(-limit, limit, 3)
        names = [name for name in part_names(encoding, cursor.pair) if name]
        now, later = ([value_text(value, limit, 3) for value in row[: len(names)]] for row in values.tolist())
        return [
            *((name, text, widest) for name, text in zip(names, now, strict=True)),
            ("at t + k", ", ".join(later), ", ".join([widest] * len(names))),
        ]

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        encoding, cursor = self._model.encoding, self._model.cursor
        label = str(cursor.pair)
        half = badge_half_width(BADGE_RADIUS, label)
        middle = height / 2
        color = self.theme.pair_color(cursor.pair, n_hands(encoding))
        picture: list[marks.Mark] = [marks.Badge(half, middle, BADGE_RADIUS, label, color)]
        numbers = self.numbers()
        # What finds no room is left out: half a number would be a wrong one.
        while len(numbers) > 1 and _numbers_width(numbers) + 5.0 * len(numbers) + 2 * half > width:
            numbers = numbers[:-1]
        # Columns as wide as their widest number, so that nothing jumps while the hands turn.
        widths = [max(text_width("value", widest), text_width("value", value)) for _, value, widest in numbers]
        text = sum(text_width("caption", name) + NAME_GAP for name, _, _ in numbers) + sum(widths)
        gap = min(max((width - 2 * half - text) / len(numbers), 5.0), 22.0)
        x = 2 * half + gap
        for (name, value, _), wide in zip(numbers, widths, strict=True):
            picture.append(marks.Text(x, middle, name, "caption", self.theme.text2))
            x += text_width("caption", name) + NAME_GAP
            picture.append(marks.Text(x + wide, middle, value, "value", self.theme.text, across=1.0))
            x += wide + gap
        return tuple(picture)


def _numbers_width(numbers: list[Number]) -> float:
    """What names and numbers take without the gaps between them."""
    return sum(
        text_width("caption", name) + NAME_GAP + max(text_width("value", widest), text_width("value", value))
        for name, value, widest in numbers
    )


class ClockPanel(Panel):
    """One dial with all d/2 hands, or one dial for each pair; beside either, at will, the bits of t as dials."""

    key = "clock"
    title = "Clock"
    area = Qt.DockWidgetArea.LeftDockWidgetArea

    def __init__(self, model: EncodingModel, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(model, playback, parent)
        self.faces = ClockFaces(model, self)
        self.dial, self.dials, self.bits = self.faces.dial, self.faces.dials, self.faces.bits
        self.readout_row = ReadoutCanvas(model)
        self._seen_pair: int | None = None
        # A screen reader can't follow a moving hand: it is told where the hand has come to rest.
        self._rest = QTimer(self, interval=REST_MILLISECONDS, singleShot=True)
        self._rest.timeout.connect(self._describe_hand)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.faces, 1)
        column.addWidget(self.readout_row)
        self._mode = Segments({ONE_DIAL: "One dial", EACH: "Each"}, "Clock shows", self)
        self._mode.set_tooltips({ONE_DIAL: "All hands on one dial (C)", EACH: "One dial for each pair (C)"})
        self._mode.show_choice(ONE_DIAL)
        self._chosen = ONE_DIAL
        self._mode.chosen.connect(self.set_mode)
        self._binary = IconButton("binary", BINARY, self)
        self._binary.setCheckable(True)
        self._binary.toggled.connect(self.set_binary)
        self.setMinimumSize(280, 150)

    @property
    def mode(self) -> str:
        """ONE_DIAL or EACH."""
        return EACH if self.faces.shows_each else ONE_DIAL

    @property
    def chosen_mode(self) -> str:
        """What was chosen, be there one face only at the moment."""
        return self._chosen

    def set_mode(self, mode: str) -> None:
        """Show one dial or one for each pair; columns that don't turn have one face only."""
        self._chosen = mode
        self._show_faces()
        if self.isVisible():
            self.faces.face.setFocus(Qt.FocusReason.OtherFocusReason)

    def toggle_mode(self) -> None:
        """The other one, where there are two."""
        if self.model.encoding.pairs is not None:
            self.set_mode(ONE_DIAL if self.mode == EACH else EACH)

    @property
    def wants_binary(self) -> bool:
        """Whether the binary code was chosen, be there no hands to stand beside at the moment."""
        return self._binary.isChecked()

    @property
    def shows_binary(self) -> bool:
        """Whether it is seen."""
        return self.faces.shows_bits and self.model.encoding.pairs is not None

    def set_binary(self, is_shown: bool) -> None:
        """Show the binary code of t beside the hands, or leave them the whole room."""
        self._binary.setChecked(is_shown)
        self._show_faces()

    def toggle_binary(self) -> None:
        """The other one, where there are hands that it can stand beside."""
        if self.model.encoding.pairs is not None:
            self._binary.toggle()

    def _show_faces(self) -> None:
        encoding = self.model.encoding
        has_pairs = encoding.pairs is not None
        code = code_beside(encoding)
        self._mode.show_choice(self._chosen)
        self._mode.setVisible(has_pairs)
        self._binary.setVisible(has_pairs)
        # Bits always stand beside their own hands; gauges stand alone.
        shows_code = self.wants_binary or not has_pairs
        each = code is None or (has_pairs and self._chosen == EACH)
        self.faces.show_faces(each=each, code=code if shows_code else None)
        self.faces.keep_pair_in_view()
        self._describe(encoding)

    def header_widgets(self) -> list[QWidget]:
        return [self._binary, self._mode]

    def picture_image(self) -> QImage:
        if self.mode == EACH or self.faces.shows_bits:
            return self.faces.grab().toImage()
        return self.dial.picture_image()

    def readout(self) -> str:
        encoding = self.model.encoding
        numbers = ", ".join(f"{name} {value}" for name, value, _ in self.readout_row.numbers())
        uneven = f". {UNEVEN}" if encoding.pairs is not None and not encoding.pairs.turns_evenly else ""
        code = f", {self.bits.code.title} {self.bits.bits}" if self.faces.shows_bits else ""
        return f"{hand_name(encoding, self.model.cursor.pair)}, {numbers}{code}{uneven}"

    def show_theme(self, theme: Theme) -> None:
        for canvas in (*self.faces.canvases, self.readout_row):
            canvas.show_theme(theme)

    def show_encoding(self, encoding: Encoding) -> None:
        self._show_faces()
        is_uneven = encoding.pairs is not None and not encoding.pairs.turns_evenly
        self.readout_row.setToolTip(UNEVEN if is_uneven else "")
        self._seen_pair = self.model.cursor.pair
        for canvas in (*self.faces.canvases, self.readout_row):
            canvas.redraw()

    def show_cursor(self, cursor: Cursor) -> None:
        self.dial.show_cursor(cursor)
        self.dials.update()
        self.bits.update()
        if cursor.pair != self._seen_pair:
            self._seen_pair = cursor.pair
            self.faces.follow_pair()
        self.readout_row.update()
        self._rest.start()

    def show_preview(self, position: float | None) -> None:
        self.dial.update()

    def _describe_hand(self) -> None:
        words = f"t {number_text.position(self.model.cursor.position)}, {self.readout()}"
        self.faces.face.setAccessibleDescription(words)

    def _describe(self, encoding: Encoding) -> None:
        count = encoding.pairs.count if encoding.pairs else encoding.d_model
        self.dial.setAccessibleName(f"Clock, {count} hands")
        self.dials.setAccessibleName(f"Clock, {count} dials")
        self.bits.setAccessibleName(f"{self.bits.code.title}, {self.bits.code.d_model} dials")
        self.set_subtitle(self._sentence(encoding))

    def _sentence(self, encoding: Encoding) -> str:
        if encoding.pairs is None:
            return columns_sentence(encoding)
        count, is_even = encoding.pairs.count, encoding.pairs.turns_evenly
        if self.mode == EACH:
            return "wavelength in positions" if is_even else "wavelength in mapped positions"
        if count == 1:
            return "1 hand, one pair" if is_even else "1 hand, turning unevenly"
        if count <= MOST_HANDS and is_even and self.shows_binary:
            return f"{count} hands, bits of t"
        if count <= MOST_HANDS:
            return f"{count} hands, one per pair" if is_even else f"{count} hands, turning unevenly"
        return f"{number_text.whole(count)} dots, hands for pins"
