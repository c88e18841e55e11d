"""What the actions of the table do."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMessageBox

from pe_desktop.core.cursor import full_span
from pe_desktop.model.playback import SPEEDS
from pe_desktop.panels import Panel
from pe_desktop.panels.clock_panel import EACH
from pe_desktop.panels.properties_panel import VERDICTS, PropertiesPanel
from pe_desktop.window.about import about_text
from pe_desktop.window.session_files import SessionFiles

if TYPE_CHECKING:
    from pe_desktop.window.main_window import MainWindow

LEAP = 10
# Dots for each pixel of the screen in a picture that is copied.
COPY_SCALE = 2.0


class Commands(QObject):
    """One slot for each action; the names are those of the table."""

    theme_asked = Signal(str)

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self.sessions = SessionFiles(window)

    def do(self, command: str) -> None:
        """Carry out an action by its name, as a panel asks for it, perhaps with the word that it takes."""
        name, *words = command.split()
        getattr(self, name)(*words)

    def do_action(self) -> None:
        """Carry out the entry of a menu that has been chosen."""
        action = self.sender()
        assert isinstance(action, QAction)
        self.do(action.data())

    def open_session(self) -> None:
        """Show what was saved."""
        self.sessions.ask_to_open()

    def save_session(self) -> None:
        """Keep what is seen."""
        self.sessions.ask_to_save()

    def export(self) -> None:
        """Take an array or a figure away."""
        self._export(None)

    def export_from(self, panel: Panel) -> None:
        """The same, where the figure of a panel is what was asked for."""
        self._export(self.figure_of(panel))

    def figure_of(self, panel: Panel) -> str | None:
        """The figure that shows what a panel shows, None for a panel that has none."""
        from pe_desktop.export.figures import FIGURES  # noqa: PLC0415 - the first frame needs none

        if panel is self._window.clock and self._window.clock.mode == EACH:
            return "dials"
        if panel is self._window.clock and self._window.clock.shows_binary:
            return "clock-binary"
        return panel.figure if panel.figure in FIGURES else None

    def close(self) -> None:
        """Leave."""
        self._window.close()

    def copy_readout(self) -> None:
        """The numbers of the panel that has the focus."""
        panel = self._window.focused_panel()
        self.copy_readout_of(panel if panel.readout() else self._window.clock)

    def copy_readout_of(self, panel: Panel) -> None:
        """The numbers of a panel."""
        QGuiApplication.clipboard().setText(panel.readout())
        self._window.show_message(f"Copied: the read-out of {panel.title}")

    def copy_picture(self) -> None:
        """The picture of the panel that has the focus."""
        self.copy_picture_of(self._window.focused_panel())

    def copy_picture_of(self, panel: Panel) -> None:
        """The figure of a panel, in the panel's size and theme; what is seen, where the panel has no figure."""
        from pe_desktop.export.figure_sheet import picture_sheet  # noqa: PLC0415 - the first frame needs none
        from pe_desktop.export.figures import figure_image  # noqa: PLC0415 - nor this

        what, window = self.figure_of(panel), self._window
        if what is None:
            from pe_desktop.draw.canvas import headed_image  # noqa: PLC0415 - nor this

            image = panel.picture_image()
            if image is not None:
                image = headed_image(image, panel.title, panel.picture_words, window.theme)
        else:
            sheet = picture_sheet(panel.width(), panel.height(), COPY_SCALE)
            model = window.model
            sight = window.matrix.sight
            image = figure_image(what, model.encoding, model.cursor, sheet, window.theme, model.span, sight)
        if image is not None:
            QGuiApplication.clipboard().setImage(image)
            window.show_message(f"Copied: the picture of {panel.title}")

    def choose_encoding(self, word: str) -> None:
        """Choose one of the presets."""
        self._window.model.choose(word)

    def show_properties(self, page: str = VERDICTS) -> None:
        """Bring a page of Properties to the front, out from under an overlay: what the checks have measured."""
        window = self._window
        window.overlay.fold()
        window.comparing.close()
        panel = window.panel("properties")
        assert isinstance(panel, PropertiesPanel)
        panel.set_page(page)
        window.docks["properties"].bring_forward()

    def choose_panel(self, key: str) -> None:
        """Open a panel, bring it to the front, or close it where it is seen; what Compare hides comes back."""
        dock, comparing = self._window.docks[key], self._window.comparing
        if comparing.is_open and dock.isHidden():
            comparing.close()
            dock.bring_forward()
        else:
            dock.choose()

    def toggle_compare(self) -> None:
        """Encodings side by side in place of the plots, or the plots again."""
        self._window.comparing.set_open(not self._window.comparing.is_open)

    def transpose_matrix(self) -> None:
        """Positions downwards, or across."""
        self._window.matrix.toggle_transposed()

    def toggle_clock_mode(self) -> None:
        """One dial, or one for each pair."""
        self._window.clock.toggle_mode()

    def toggle_clock_binary(self) -> None:
        """The dials of the binary code beside the clock, or not."""
        self._window.clock.toggle_binary()

    def fold_encoding(self) -> None:
        """Fold the Encoding dock or unfold it; where there is room for the rail only, open it as an overlay."""
        window = self._window
        if window.is_compact:
            window.toggle_overlay()
        else:
            window.set_folded(not window.is_folded)

    def show_all_positions(self) -> None:
        """Fit."""
        model = self._window.model
        model.set_span(full_span(model.encoding.n_positions))

    def reset_layout(self) -> None:
        """The docks as at the first start."""
        self._window.reset_layout()

    def use_light_theme(self) -> None:
        """Light."""
        self.theme_asked.emit("light")

    def use_dark_theme(self) -> None:
        """Dark."""
        self.theme_asked.emit("dark")

    def use_system_theme(self) -> None:
        """Whatever the system shows."""
        self.theme_asked.emit("system")

    def toggle_theme(self) -> None:
        """The other one."""
        self.theme_asked.emit("dark" if self._window.theme.name == "light" else "light")

    def toggle_playing(self) -> None:
        """Play or pause."""
        self._window.playback.toggle()

    def slower(self) -> None:
        """The next lower speed."""
        self._change_speed(-1)

    def faster(self) -> None:
        """The next higher speed."""
        self._change_speed(1)

    def step_back(self) -> None:
        """T - 1."""
        self._window.playback.step(-1)

    def step_on(self) -> None:
        """T + 1."""
        self._window.playback.step(1)

    def leap_back(self) -> None:
        """T - 10."""
        self._window.playback.step(-LEAP)

    def leap_on(self) -> None:
        """T + 10."""
        self._window.playback.step(LEAP)

    def go_to_first(self) -> None:
        """The first position."""
        self._window.model.move_cursor(position=0.0)

    def go_to_last(self) -> None:
        """The last position."""
        self._window.model.move_cursor(position=float(self._window.model.encoding.n_positions - 1))

    def smaller_offset(self) -> None:
        """K - 1."""
        self._change_offset(-1)

    def larger_offset(self) -> None:
        """K + 1."""
        self._change_offset(1)

    def faster_pair(self) -> None:
        """I - 1."""
        self._window.model.move_cursor(pair=self._window.model.cursor.pair - 1)

    def slower_pair(self) -> None:
        """I + 1."""
        self._window.model.move_cursor(pair=self._window.model.cursor.pair + 1)

    def toggle_pin(self) -> None:
        """Give the chosen pair a badge and a row of waves, or take them away."""
        cursor = self._window.model.cursor
        pins = set(cursor.pinned_pairs) ^ {cursor.pair}
        self._window.model.move_cursor(pinned_pairs=tuple(sorted(pins)))

    def next_panel(self) -> None:
        """Bring the focus to the next panel, and its tab to the front."""
        window = self._window
        opened = [dock for dock in window.docks.values() if dock.panel.isVisible()]
        if opened:
            panels, here = [dock.panel for dock in opened], window.focused_panel()
            dock = opened[(panels.index(here) + 1) % len(opened) if here in panels else 0]
            if dock.is_behind:
                dock.raise_()
            dock.panel.take_focus()

    def show_about(self) -> None:
        """Version, licences."""
        QMessageBox.about(self._window, "About pe_desktop", about_text())

    def _export(self, figure: str | None) -> None:
        window, model = self._window, self._window.model
        from pe_desktop.window.export_dialog import ExportDialog  # noqa: PLC0415 - the first frame needs none

        dialog = ExportDialog(
            model.encoding, model.cursor, window.theme, window,
            span=model.span, sight=window.matrix.sight, figure=figure,
        )  # fmt: skip
        dialog.exec()
        dialog.deleteLater()

    def _change_speed(self, steps: int) -> None:
        playback = self._window.playback
        place = SPEEDS.index(playback.speed) + steps
        playback.set_speed(SPEEDS[min(max(place, 0), len(SPEEDS) - 1)])

    def _change_offset(self, step: int) -> None:
        self._window.model.move_cursor(offset=round(self._window.model.cursor.offset) + float(step))
