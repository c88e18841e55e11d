"""The waves: sine and cosine of every pinned pair against the position, with the cursors at t and t + k."""

from pe_desktop.core.cursor import hand_values
from pe_desktop.draw.dial import part_names, value_text
from pe_desktop.draw.number_text import whole
from pe_desktop.draw.scene import Place
from pe_desktop.panels.gestures import Changes, Drag, Zoomed, pressed
from pe_desktop.panels.scene_panel import ScenePanel
from pe_desktop.views.controls import WORDS, Choice
from pe_desktop.views.waves import scene as view
from pe_desktop.views.waves.layout import WavesLayout

# How near to a cursor's line a press takes it, in pixels.
_REACH = 5.0


class WavesPanel(ScenePanel):
    """A row of waves for each pinned pair. Drag moves t, Shift-drag k, middle-drag pans, the wheel zooms.

    Rows that are higher than the panel are scrolled by the wheel, with Ctrl it zooms.
    """

    key = "waves"
    controls = (Choice(**WORDS["waves"]["mode"]),)
    has_buttons = False
    wheel_steps = True

    def layout_now(self) -> WavesLayout:
        """Where everything stands on the canvas."""
        return view.layout_of(self.model.state, self.canvas.box())

    def named_at(self, x: float, y: float) -> Changes:
        return pressed(self.changes_of, x, y)

    def changes_of(self, drag: Drag) -> Changes:
        layout, x = self.layout_now(), drag.now[0]
        if x < layout.area.x - 20.0:
            return super().changes_of(drag)
        position = float(round(layout.positions.value(min(max(x, layout.area.x), layout.area.right))))
        return {"offset": position - self.model.cursor.position} if drag.moves_offset else {"position": position}

    def takes_offset(self, x: float, y: float) -> bool:
        # The hollow cursor can be dragged by itself where it doesn't lie on the solid one.
        layout, cursor = self.layout_now(), self.model.cursor
        to_later = abs(layout.positions.place(cursor.position + cursor.offset) - x)
        return to_later <= _REACH and to_later < abs(layout.positions.place(cursor.position) - x)

    def plots(self) -> tuple[Zoomed]:
        layout = self.layout_now()
        key_point = layout.positions.place_within(self.model.cursor.position), layout.area.bottom
        return (Zoomed(layout.area, {"span": layout.positions}, key_point),)

    def tooltip_at(self, place: Place | None, x: float, y: float) -> str:
        named = self.named_at(x, y)
        return _values_at(self.layout_now(), named["position"]) if "position" in named else ""


def _values_at(layout: WavesLayout, position: float) -> str:
    """The values of the shown pairs at a position, a line each."""
    encoding, hands = layout.encoding, layout.hands[:8]
    limit, lines = encoding.value_limit, [f"position {whole(position)}"]
    for hand, values in zip(hands, hand_values(encoding, [position], hands)[0].tolist(), strict=True):
        names = part_names(encoding, hand)
        words = [f"{name} {value_text(value, limit, 4)}" for name, value in zip(names, values, strict=True) if name]
        lines.append((f"pair {hand}: " if encoding.pairs is not None else "") + ", ".join(words))
    return "\n".join(lines)
