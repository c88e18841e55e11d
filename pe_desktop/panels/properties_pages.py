"""The pages of the properties: verdicts with evidence, near collisions, what distance knows; each a tall canvas."""

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from pe_desktop.core.columns import n_hands
from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.collisions import Alias, CloseOffsets, Decades, alias, hands_per_decade
from pe_desktop.core.measure.distance_law import DistanceLaw
from pe_desktop.core.measure.measurement import Analysis
from pe_desktop.core.measure.periodic import NearReturn, near_returns
from pe_desktop.draw import marks
from pe_desktop.draw.canvas import PictureCanvas
from pe_desktop.draw.typefaces import wrapped
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.panels.two_positions import TwoPositions
from pe_desktop.views.properties import words
from pe_desktop.views.properties.collisions import (
    MOST_OFFSETS,
    MOST_RETURNS,
    CollisionsLayout,
    alias_picture,
    decades_picture,
    hands_picture,
    offsets_picture,
    returns_picture,
)
from pe_desktop.views.properties.distance import (
    distance_comparison_picture,
    distance_cursor_picture,
    distance_height,
    distance_picture,
    distance_plots,
    told_offset_at,
)
from pe_desktop.views.properties.verdicts import PropertiesLayout, properties_picture
from pe_desktop.views.properties.words import PROPERTY_NAMES

MARGIN = 4


class VerdictsPage(PictureCanvas):
    """A row for each property. A press on a row that names two positions takes t and k there."""

    def __init__(self, model: EncodingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.analysis: Analysis | None = None
        self.fit()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Measured properties")

    def fit(self) -> None:
        """As high as its rows are at its width."""
        self.setFixedHeight(int(len(PROPERTY_NAMES) * self._row_height()) + MARGIN)

    def still_picture(self, width: float, height: float) -> marks.Picture:
        measured = () if self.analysis is None else self.analysis.measurements
        return properties_picture(width, measured, self.theme, is_measuring=self._model.is_measuring)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.sentence_at(event.pos()), self)
            return True
        return super().event(event)

    def sentence_at(self, place: QPoint) -> str:
        """What the row under a point says in full."""
        measurement = None if self.analysis is None else self.analysis.measurement(self._key_at(place))
        return "" if measurement is None else f"{words.sentence(measurement)}\nMeasured: {words.basis(measurement)}."

    def mousePressEvent(self, event: QMouseEvent) -> None:
        two = self._positions_at(event.position().toPoint())
        if two is not None:
            self._model.move_cursor(position=two[0], offset=two[1] - two[0])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        leads = self._positions_at(event.position().toPoint()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)

    def _row_height(self) -> float:
        return PropertiesLayout(float(self.width())).row_height

    def _key_at(self, place: QPoint) -> str:
        keys = list(PROPERTY_NAMES)
        return keys[min(max(int(place.y() / self._row_height()), 0), len(keys) - 1)]

    def _positions_at(self, place: QPoint) -> tuple[float, float] | None:
        measurement = None if self.analysis is None else self.analysis.measurement(self._key_at(place))
        if measurement is None:
            return None
        first, second = measurement.numbers.get("position"), measurement.numbers.get("other")
        return None if first is None or second is None else (float(first), float(second))


class CollisionsPage(PictureCanvas):
    """Near returns, nearest offsets, who tells t from t + k, hands per decade. A press on a table row takes k there."""

    def __init__(self, model: EncodingModel, two: TwoPositions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._two = two
        self.close_offsets: CloseOffsets | None = None
        self.progress = ""
        self._of_encoding: tuple[Encoding, Alias | None, Decades | None] | None = None
        self._of_pair: tuple[Encoding, int, tuple[NearReturn, ...]] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Near collisions")

    def layout_now(self) -> CollisionsLayout:
        """Where the sections stand."""
        n_offsets = 0 if self.close_offsets is None else min(len(self.close_offsets.offsets), MOST_OFFSETS)
        return CollisionsLayout(float(self.width()), len(self._returns()), n_offsets, self._facts()[0] is not None)

    def fit(self) -> None:
        """As high as its sections need."""
        self.setFixedHeight(int(self.layout_now().height) + MARGIN)

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        encoding, cursor = self._model.encoding, self._model.cursor
        layout, (revival, decades) = self.layout_now(), self._facts()
        n_pairs = n_hands(encoding)
        two = self._two.comparison()
        return (
            *returns_picture(layout, self._returns(), cursor, n_pairs, self.theme),
            *offsets_picture(layout, self.close_offsets, self.progress, cursor, self.theme),
            *alias_picture(layout, revival, self.theme),
            *hands_picture(layout, two.apart, two.cursor, self.theme),
            *(decades_picture(layout, decades, self.theme) if decades is not None else ()),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        layout, place = self.layout_now(), event.position()
        row = layout.returns.row_at(place.x(), place.y())
        if row is not None:
            self._model.move_cursor(offset=float(self._returns()[row].positions))
            return
        row = layout.offsets.row_at(place.x(), place.y())
        if row is not None and self.close_offsets is not None:
            self._model.move_cursor(offset=float(self.close_offsets.offsets[row]))

    def _facts(self) -> tuple[Alias | None, Decades | None]:
        encoding = self._model.encoding
        if self._of_encoding is None or self._of_encoding[0] != encoding:
            revival = alias(encoding) if encoding.is_shift_invariant else None
            decades = hands_per_decade(encoding) if encoding.pairs is not None else None
            self._of_encoding = (encoding, revival, decades)
        return self._of_encoding[1:]

    def _returns(self) -> tuple[NearReturn, ...]:
        encoding, pair = self._model.encoding, self._model.cursor.pair
        if self._of_pair is None or self._of_pair[:2] != (encoding, pair):
            has_hands = encoding.pairs is not None and encoding.is_shift_invariant
            returns = near_returns(encoding, pair)[:MOST_RETURNS] if has_hands else ()
            self._of_pair = (encoding, pair, returns)
        return self._of_pair[2]


class DistancePage(PictureCanvas):
    """D(k) and the dot product beside the law and the straight line, and what two positions differ by.

    A press in a plot or in the table takes k there.
    """

    def __init__(self, model: EncodingModel, two: TwoPositions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._two = two
        self.law: DistanceLaw | None = None
        self.progress = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("What distance knows")

    def fit(self) -> None:
        """As high as its sections, or its words, need at its width."""
        self.setFixedHeight(int(distance_height(float(self.width()), self.law)) + MARGIN)

    def still_picture(self, width: float, height: float) -> marks.Picture:
        if self.law is None:
            lines = wrapped("caption", self.progress, width - 4.0, 5)
            return tuple(
                marks.Text(0.0, 10.0 + 16.0 * place, line, "caption", self.theme.text2)
                for place, line in enumerate(lines)
            )
        return distance_picture(width, self.law, self.theme)

    def moving_picture(self, width: float, height: float) -> marks.Picture:
        if self._model.encoding.n_positions < 2:
            return ()
        two = self._two.comparison()
        compared = distance_comparison_picture(width, self.law, two.bands, two.turn, two.cursor, self.theme)
        if self.law is None:
            return compared
        return (*distance_cursor_picture(width, self.law, self._model.cursor, self.theme), *compared)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.law is None:
            return
        place = event.position()
        for plot in distance_plots(float(self.width()), self.law):
            if plot.x.area.holds(place.x(), place.y()):
                self._model.move_cursor(offset=float(round(plot.x.value(place.x()))))
        told = told_offset_at(float(self.width()), self.law, place.y())
        if told is not None:
            self._model.move_cursor(offset=float(told))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)


class PropertiesPages:
    """All three, and where a finding belongs."""

    def __init__(self, model: EncodingModel) -> None:
        self.two = TwoPositions(model)
        self.verdicts = VerdictsPage(model)
        self.collisions, self.distance = CollisionsPage(model, self.two), DistancePage(model, self.two)
        for page in (self.collisions, self.distance):
            self.two.changed.connect(page.update)

    def take(self, found: CloseOffsets | DistanceLaw | None) -> None:
        """Show what was found."""
        if isinstance(found, CloseOffsets):
            self.collisions.close_offsets = found
        elif found is not None:
            self.distance.law = found
