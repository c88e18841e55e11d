"""Every action of the window in one table: its menu, its words, its key, the command it calls."""

from dataclasses import dataclass

from pe_desktop.core.presets import PRESETS


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One entry.

    command is the name of one of the commands, perhaps with a word that it takes; menu is the way to the entry. A key
    without Ctrl acts only while no field has the focus, so it is looked up by the window instead of being a shortcut of
    Qt's.
    """

    command: str
    menu: str
    words: str
    key: str = ""
    starts_group: bool = False

    @property
    def menu_path(self) -> tuple[str, ...]:
        """The menu and the menus within it."""
        return tuple(self.menu.split(" > "))

    @property
    def is_plain_key(self) -> bool:
        """Whether the key would be typed into a field."""
        return bool(self.key) and "Ctrl" not in self.key and not self.key.startswith("F")


def _presets() -> tuple[ActionRow, ...]:
    rows = []
    for preset in PRESETS.values():
        menu = "Edit > Encoding" if preset.group.id == "sinusoidal" else f"Edit > Encoding > {preset.group.title}"
        rows.append(ActionRow(f"choose_encoding {preset.id}", menu, preset.title))
    return tuple(rows)


MENUS = ("File", "Edit", "View", "Go", "Help")

ACTIONS = (
    ActionRow("open_session", "File", "Open session…", "Ctrl+O"),
    ActionRow("save_session", "File", "Save session…", "Ctrl+S"),
    ActionRow("export", "File", "Export…", "Ctrl+E", starts_group=True),
    ActionRow("close", "File", "Quit", "Ctrl+Q", starts_group=True),
    ActionRow("copy_readout", "Edit", "Copy read-out", "Ctrl+C"),
    ActionRow("copy_picture", "Edit", "Copy picture", "Ctrl+Shift+C"),
    *_presets(),
    ActionRow("toggle_compare", "View", "Compare encodings", "M"),
    ActionRow("transpose_matrix", "View", "Transpose the matrix", "V"),
    ActionRow("toggle_clock_mode", "View", "Clock: one dial or each", "C"),
    ActionRow("toggle_clock_binary", "View", "Clock: binary code beside it", "B"),
    ActionRow("fold_encoding", "View", "Fold or open Encoding", "Ctrl+B"),
    ActionRow("show_all_positions", "View", "Show all positions", "A"),
    ActionRow("reset_layout", "View", "Reset layout"),
    ActionRow("use_light_theme", "View", "Light theme", starts_group=True),
    ActionRow("use_dark_theme", "View", "Dark theme"),
    ActionRow("use_system_theme", "View", "Theme of the system"),
    ActionRow("toggle_playing", "Go", "Play or pause", "Space"),
    ActionRow("slower", "Go", "Slower", ","),
    ActionRow("faster", "Go", "Faster", "."),
    ActionRow("step_back", "Go", "One position back", "Left", starts_group=True),
    ActionRow("step_on", "Go", "One position on", "Right"),
    ActionRow("leap_back", "Go", "Ten positions back", "Shift+Left"),
    ActionRow("leap_on", "Go", "Ten positions on", "Shift+Right"),
    ActionRow("go_to_first", "Go", "First position", "Home"),
    ActionRow("go_to_last", "Go", "Last position", "End"),
    ActionRow("smaller_offset", "Go", "Offset smaller by one", "[", starts_group=True),
    ActionRow("larger_offset", "Go", "Offset larger by one", "]"),
    ActionRow("faster_pair", "Go", "Previous pair (faster)", "Up"),
    ActionRow("slower_pair", "Go", "Next pair (slower)", "Down"),
    ActionRow("toggle_pin", "Go", "Pin or unpin the pair", "P"),
    ActionRow("show_properties", "Go", "Properties of the encoding", starts_group=True),
    ActionRow("show_properties collisions", "Go", "Near collisions"),
    ActionRow("show_properties distance", "Go", "What distance knows"),
    ActionRow("next_panel", "Go", "Next panel", "F6"),
    ActionRow("show_about", "Help", "About"),
)
