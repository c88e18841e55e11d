"""The table of actions: each entry with its menu, title, key and what it calls."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.core.cursor import Span, full_span
from pe_desktop.core.digits import digits_of
from pe_desktop.core.state import step_title, stepped, value_of
from pe_desktop.lessons.shelf import SHIPPED
from pe_desktop.lessons.shown import step_of, with_step
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import SPEEDS, Playback
from pe_desktop.panels.gestures import Gestures
from pe_desktop.panels.scene_panel import DeclaredPanel, ScenePanel
from pe_desktop.resources import project_page
from pe_desktop.views.table import VIEWS
from pe_desktop.window.actions import Action
from pe_desktop.window.folding import IN_WORKSPACES
from pe_desktop.window.main_window import PLOTS, MainWindow
from pe_desktop.window.panel_menu import copy_actions, open_export, save_program, save_sheet
from pe_desktop.window.session_files import MOST_RECENT, SessionFiles
from pe_desktop.window.settings import SETTING_ROWS, LiveSettings

_LEAP = 10
_LONGEST_FOLDER = 40
# Positions to each side of t.
_NEAR = 32
# Arrow keys, and where they look: to the right, and down.
_WAYS = (("Left", -1, 0), ("Right", 1, 0), ("Up", 0, -1), ("Down", 0, 1))


def action_table(
    window: MainWindow,
    sessions: SessionFiles,
    settings: LiveSettings,
    settings_path: Path | None,
    quit_program: Callable[[], None],
) -> list[Action]:
    """Every action of a window but those of the Help menu, in the order of the menus."""
    open_settings = partial(_open_settings, window, settings, settings_path)
    return [
        *_sessions(sessions),
        Action(
            "export", "File", "Export…", lambda: open_export(window, window.focused_plot()), "Ctrl+E", starts_group=True
        ),
        Action("save_program", "File", "Save program…", partial(save_program, window)),
        Action("close", "File", "Quit", quit_program, "Ctrl+Q", starts_group=True),
        *_history(window.model, window.playback),
        *copy_actions(window),
        Action("open_settings", "Edit", "Settings…", open_settings, "Ctrl+,", starts_group=True),
        *_views(window),
        *_zooming(window),
        *_themes(window, settings),
        *_sizes(settings),
        *_playing(window.playback),
        *_moving(window.model, window.playback),
        *_going(window),
        *_teaching(window, settings),
    ]


def _open_settings(window: MainWindow, settings: LiveSettings, settings_path: Path | None) -> None:
    from pe_desktop.window.dialogs import SettingsDialog, bring_up  # noqa: PLC0415 - the first frame needs no dialog

    bring_up(window.findChild(SettingsDialog) or SettingsDialog(settings, window, window.theme, settings_path))


def help_actions(window: MainWindow, system_info: Callable[[], str]) -> list[Action]:
    """The entries of the Help menu; those that open a page are hidden as long as the project has none."""

    def show(key: str) -> None:
        from pe_desktop.window.dialogs import show_help  # noqa: PLC0415 - the first frame needs none

        show_help(window, key, system_info())

    def show_steps() -> None:
        window.model.set_state(with_step(window.model.state, SHIPPED["ten-minutes"], 0), "lessons.step")

    def newer_title() -> str:
        return "Check for a newer version" if project_page() else ""

    return [
        Action("show_steps", "Help", "In ten minutes", show_steps),
        Action("show_keys", "Help", "Keys", partial(show, "keys"), "F1"),
        Action("report_problem", "Help", "Report a problem…", partial(show, "report"), starts_group=True),
        Action("open_releases", "Help", newer_title, partial(show, "releases")),
        Action("show_about", "Help", "About", partial(show, "about"), starts_group=True),
    ]


def _sessions(sessions: SessionFiles) -> list[Action]:
    """New, Open, Recent and Save of the File menu."""

    def recent_title(place: int) -> str:
        if place >= len(sessions.recent):
            return ""
        path = Path(sessions.recent[place])
        folder = str(path.parent)
        shown = folder if len(folder) <= _LONGEST_FOLDER else f"…{folder[-_LONGEST_FOLDER:]}"
        return f"{path.name} – {shown}".replace("&", "&&")

    def recent(place: int) -> Action:
        show = partial(sessions.open_recent, place)
        return Action(f"recent_{place}", "File > Recent", partial(recent_title, place), show)

    def none_title() -> str:
        return "" if sessions.recent else "No recent sessions"

    return [
        Action("new_session", "File", "New", sessions.new, "Ctrl+N"),
        Action("open_session", "File", "Open…", sessions.ask_to_open, "Ctrl+O"),
        *(recent(place) for place in range(MOST_RECENT)),
        Action("recent_none", "File > Recent", none_title, sessions.ask_to_open, is_enabled=lambda: False),
        Action("save_session", "File", "Save", sessions.save, "Ctrl+S"),
        Action("save_session_as", "File", "Save as…", sessions.ask_to_save, "Ctrl+Shift+S"),
    ]


def _history(model: EncodingModel, playback: Playback) -> list[Action]:
    def go(step: Callable[[], None]) -> None:
        playback.pause()
        step()

    def title(word: str, names: tuple[str, ...]) -> str:
        return f"{word} {step_title(names)}".rstrip()

    undo, redo = partial(go, model.undo), partial(go, model.redo)
    undo_title, redo_title = lambda: title("Undo", model.undo_names), lambda: title("Redo", model.redo_names)
    return [
        Action("undo", "Edit", undo_title, undo, "Ctrl+Z", is_enabled=lambda: bool(model.undo_names)),
        Action("redo", "Edit", redo_title, redo, "Ctrl+Shift+Z", "Ctrl+Y", is_enabled=lambda: bool(model.redo_names)),
    ]


def _views(window: MainWindow) -> list[Action]:
    model = window.model

    def reset_layout() -> None:
        model.set(**{f"{name}.is_open": False for name in ("compare", "facts", "lessons", *WORKSPACES)})
        window.reset_layout()

    def show_near() -> None:
        t = model.cursor.position
        model.set(span=Span(t - _NEAR, t + _NEAR).within(full_span(model.encoding.n_positions)))

    def is_full() -> bool:
        return any(dock.is_full_screen for dock in window.docks.values())

    def side(name: str, title: str, key: str) -> Action:
        """What opens beside the plots; its keys act at once."""

        def focus() -> None:
            if value_of(model.state, f"{name}.is_open") and name in window.docks:
                window.docks[name].take_focus()

        return _then(_switch(model, f"toggle_{name}", title, key, f"{name}.is_open"), focus)

    compare = _switch(model, "toggle_compare", "Compare encodings", "M", "compare.is_open")
    is_unfolded = window.parameters.isVisible
    return [
        *(_panel(key, window) for key in (*PLOTS, *IN_WORKSPACES)),
        _then(_workspace(window, "attention", "Attention", "W"), window.focus_plot),
        _then(_workspace(window, "study", "Study", "D"), window.focus_plot),
        side("facts", "Facts", "Ctrl+Shift+F"),
        side("lessons", "Lessons", "Ctrl+L"),
        _then(compare, window.focus_plot),
        _switch(model, "transpose_matrix", "Transpose the matrix", "V", "matrix.is_transposed"),
        _of_clock(model, "toggle_clock_mode", "Clock: a dial for each pair", "C", "clock.mode", "each", "one"),
        _of_clock(model, "toggle_clock_binary", "Clock: binary code beside it", "B", "clock.shows_bits"),
        _of_clock(model, "toggle_clock_digits", "Clock: digits of t beside it", "Shift+B", "clock.shows_digits"),
        Action("fold_encoding", "View", "Encoding", window.toggle_encoding, "Ctrl+B", is_checked=is_unfolded),
        Action("show_all_positions", "View", "Show all positions", partial(model.set, span=None), "A"),
        Action("show_near", "View", "Show positions around t", show_near, "Z"),
        Action("full_screen", "View", "Panel in full screen", window.toggle_full_screen, "F11", is_checked=is_full),
        Action("reset_layout", "View", "Reset layout", reset_layout),
    ]


def _teaching(window: MainWindow, settings: LiveSettings) -> list[Action]:
    """What finds things, shows pictures of all, and lets a person teach with it; each is loaded when it is wanted."""

    def show_palette() -> None:
        from pe_desktop.window.palette import Palette  # noqa: PLC0415 - the first frame needs none

        (window.findChild(Palette) or Palette(window)).open()

    def add_to_talk() -> None:
        from pe_desktop.window.talk_editor import add_view  # noqa: PLC0415 - the first frame needs none

        add_view(window)

    def edit_talk() -> None:
        from pe_desktop.window.talk_editor import TalkEditor  # noqa: PLC0415 - the first frame needs none

        TalkEditor(window).open()

    def show_start_row() -> None:
        from pe_desktop.window.start_row import StartRow  # noqa: PLC0415 - most starts have none

        window.header.offer(StartRow(window, settings))
        settings.set(shows_start=True)

    def show_gallery() -> None:
        from pe_desktop.window.gallery import Gallery  # noqa: PLC0415 - the first frame needs none

        (window.findChild(Gallery) or Gallery(window)).open()

    return [
        Action("gallery", "File", "Gallery…", show_gallery, "Ctrl+G"),
        Action("add_view", "File > Talk", "Add this view", add_to_talk, "Ctrl+Shift+A"),
        Action("edit_talk", "File > Talk", "Steps and words…", edit_talk),
        Action("save_sheet", "File > Talk", "Save sheet…", partial(save_sheet, window)),
        Action("palette", "Go", "Search commands…", show_palette, "Ctrl+K"),
        Action("start_row", "View", "Start row", show_start_row),
        Action("present", "View", "Present", window.present_asked.emit, "F5"),
    ]


def _zooming(window: MainWindow) -> list[Action]:
    """Zoom and pan by keys; with Alt of the profile beside a map, or of the positions of a table alone."""

    def row(action_id: str, title: str, run: Callable[[Gestures], bool], key: str, other_key: str = "") -> Action:
        def act() -> None:
            # The panel with the keyboard, else the waves.
            for panel in (window.focused_plot(), window.waves):
                if isinstance(panel, ScenePanel) and panel.isVisible() and run(panel.gestures):
                    return

        return Action(action_id, "View > Zoom", title, act, key, other_key)

    rows = []
    for is_second, alt, where in ((False, "", ""), (True, "Alt+", " (profile, or positions alone)")):
        for sign, notches, name in (("+", 1, "in"), ("-", -1, "out")):
            zoom = partial(Gestures.zoom_by_key, notches=notches, is_second=is_second)
            other = f"{alt}=" if sign == "+" else ""
            rows.append(row(f"zoom_{name} {alt}", f"Zoom {name}{where}", zoom, f"{alt}{sign}", other))
        for name, right, down in _WAYS[: 2 if is_second else 4]:
            pan = partial(Gestures.pan_by_key, right=right, down=down, is_second=is_second)
            key = f"{alt or 'Ctrl+'}{name}"
            rows.append(row(f"pan_{name.lower()} {alt}", f"Look further {name.lower()}{where}", pan, key))
    return [*rows, row("fit", "All of the plot", Gestures.fit_by_key, "F")]


def _workspace(window: MainWindow, name: str, title: str, key: str) -> Action:
    """The entry that opens one of WORKSPACES, also from behind Compare, at the panel that was left, and closes it."""
    model = window.model

    def is_seen() -> bool:
        views = model.state.views
        return views.workspace == name and not views.compare.is_open

    def toggle() -> None:
        closes = {"compare.is_open": False} if model.state.views.compare.is_open else {}
        first = WORKSPACES[name][0]
        left = window.left_in_front.get(name, first)
        front = {"front": (left,)} if left != first and model.state.views.workspace != name else {}
        model.set(**closes, **{f"{name}.is_open": not is_seen()}, **front)

    return Action(f"toggle_{name}", "View", title, toggle, key, is_checked=is_seen)


def _then(switch: Action, bring_keyboard: Callable[[], None]) -> Action:
    """The same, which brings the keyboard to what stands in the place of the plots, or beside them, then."""

    def toggle() -> None:
        switch.run()
        bring_keyboard()

    return replace(switch, run=toggle)


def _switch(model: EncodingModel, action_id: str, title: str, key: str, name: str, *pair: object) -> Action:
    """An entry that gives a name of the state one of two values, those of a flag where none are given."""
    on, off = pair or (True, False)

    def is_on() -> bool:
        return bool(value_of(model.state, name) == on)

    def toggle() -> None:
        model.set(**{name: off if is_on() else on})

    return Action(action_id, "View", title, toggle, key, is_checked=is_on)


def _of_clock(model: EncodingModel, action_id: str, title: str, key: str, name: str, *values: object) -> Action:
    """The same where hands turn: columns have one face only, without a code beside it; not all hands have digits."""
    switch = _switch(model, action_id, title, key, name, *values)

    def toggle() -> None:
        pairs = model.encoding.pairs
        if pairs is not None and (name != "clock.shows_digits" or digits_of(pairs, 1) is not None):
            switch.run()

    return replace(switch, run=toggle)


def _closed(key: str, window: MainWindow) -> dict[str, object]:
    """The names of the state that close what stands in the place of a panel: Compare, a lesson, a workspace."""
    views, step = window.model.state.views, step_of(window.model.state)
    hiding = ["compare"] if views.compare.is_open else []
    hiding += ["lessons"] if step is not None and step.views else []
    hiding += [views.workspace] if views.workspace and key in window.gives_place else []
    return {f"{name}.is_open": False for name in hiding}


def _panel(key: str, window: MainWindow) -> Action:
    is_of_workspace = key in IN_WORKSPACES

    def is_open() -> bool:
        return key in window.docks and not window.docks[key].isHidden()

    def choose() -> None:
        """Open it, bring it to the front, or close it where it is seen; what is hidden by others comes back."""
        hiding = _closed(key, window)
        if (hiding or is_of_workspace) and not is_open():
            window.model.set(**hiding, **({"front": (key,)} if is_of_workspace else {}))
            # During a lecture a panel waits until it has its place.
            if key in window.docks:
                window.docks[key].bring_forward()
                window.docks[key].take_focus()
        else:
            window.docks[key].choose()

    starts_group = key in (keys[0] for keys in WORKSPACES.values())
    return Action(
        f"show {key}", "View > Panels", VIEWS[key].title, choose, starts_group=starts_group, is_checked=is_open
    )


def _themes(window: MainWindow, settings: LiveSettings) -> list[Action]:
    def row(name: str, *, is_first: bool = False) -> Action:
        choose, is_chosen = partial(settings.set, theme=name), lambda: settings.now.theme == name
        row_id, title = f"use_{name}_theme", SETTING_ROWS["theme"].choices[name]
        return Action(row_id, "View > Theme", title, choose, starts_group=is_first, is_checked=is_chosen)

    def toggle() -> None:
        settings.set(theme="dark" if window.theme.base == "light" else "light")

    other = Action("toggle_theme", "", "Other theme", toggle)
    return [row("light", is_first=True), row("dark"), row("system"), other]


def _sizes(settings: LiveSettings) -> list[Action]:
    """Larger, smaller and usual letters, buttons and plots."""

    def change(steps: int) -> None:
        settings.set(scale=stepped([*SETTING_ROWS["scale"].choices], settings.now.scale, steps))

    return [
        Action("larger", "View > Size", "Larger", partial(change, 1), "Ctrl++", "Ctrl+="),
        Action("smaller", "View > Size", "Smaller", partial(change, -1), "Ctrl+-"),
        Action("usual_size", "View > Size", "100 %", partial(settings.set, scale=100), "Ctrl+0"),
    ]


def _playing(playback: Playback) -> list[Action]:
    def change_speed(steps: int) -> None:
        playback.set_speed(stepped(SPEEDS, playback.speed, steps))

    return [
        Action("toggle_playing", "Go", "Play or pause", playback.toggle, "Space"),
        Action("slower", "Go", "Slower", partial(change_speed, -1), ","),
        Action("faster", "Go", "Faster", partial(change_speed, 1), "."),
    ]


def _moving(model: EncodingModel, playback: Playback) -> list[Action]:
    move, step = model.move_cursor, playback.step

    def go_to_last() -> None:
        model.move_along(model.state.track.last)

    def change_offset(by: int) -> None:
        move(offset=round(model.cursor.offset) + float(by))

    def change_pair(by: int) -> None:
        move(pair=model.cursor.pair + by)

    def toggle_pin() -> None:
        move(pinned_pairs=tuple(sorted({*model.cursor.pinned_pairs} ^ {model.cursor.pair})))

    return [
        Action("step_back", "Go", "One position back", partial(step, -1), "Left", starts_group=True),
        Action("step_on", "Go", "One position on", partial(step, 1), "Right"),
        Action("leap_back", "Go", "Ten positions back", partial(step, -_LEAP), "Shift+Left"),
        Action("leap_on", "Go", "Ten positions on", partial(step, _LEAP), "Shift+Right"),
        Action("go_to_first", "Go", "First position", partial(model.move_along, 0.0), "Home"),
        Action("go_to_last", "Go", "Last position", go_to_last, "End"),
        Action("smaller_offset", "Go", "Offset smaller by one", partial(change_offset, -1), "[", starts_group=True),
        Action("larger_offset", "Go", "Offset larger by one", partial(change_offset, 1), "]"),
        Action("faster_pair", "Go", "Previous pair (faster)", partial(change_pair, -1), "Up"),
        Action("slower_pair", "Go", "Next pair (slower)", partial(change_pair, 1), "Down"),
        Action("toggle_pin", "Go", "Pin or unpin the pair", toggle_pin, "P"),
    ]


def _going(window: MainWindow) -> list[Action]:
    def show_page(page: str) -> None:
        """Bring a page of Properties to the front, out from under an overlay."""
        window.overlay.fold()
        window.model.set(**_closed("properties", window), **{"properties.page": page})
        window.docks["properties"].bring_forward()
        panel = window.panel("properties")
        assert isinstance(panel, DeclaredPanel)
        panel.show_chosen()

    return [
        Action("show_properties", "Go", "Properties: checks", partial(show_page, "verdicts"), starts_group=True),
        Action("show_collisions", "Go", "Properties: collisions", partial(show_page, "collisions")),
        Action("show_distance", "Go", "Properties: distance", partial(show_page, "distance")),
        Action("show_scales", "Go", "Properties: scales", partial(show_page, "scales")),
        Action("next_panel", "Go", "Next panel", window.focus_next_panel, "F6"),
        Action("previous_panel", "Go", "Previous panel", partial(window.focus_next_panel, -1), "Shift+F6"),
    ]
