"""The table of actions: what each calls; its menu, title and keys stand in resources/actions.json."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from pe_desktop.core.choices import WORKSPACES
from pe_desktop.core.cursor import Span, full_span
from pe_desktop.core.digits import digits_of
from pe_desktop.core.state import State, step_title, stepped, value_of
from pe_desktop.lessons.shelf import SHIPPED
from pe_desktop.lessons.shown import step_of, with_step
from pe_desktop.model.encoding_model import EncodingModel
from pe_desktop.model.playback import Playback
from pe_desktop.panels.gestures import Gestures
from pe_desktop.panels.scene_panel import DeclaredPanel, ScenePanel
from pe_desktop.resources import project_page, resource_json
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
_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_said = cache(partial(resource_json, "actions.json"))


def _row(action_id: str, run: Callable[[], object], **now: Any) -> Action:
    """An action as the file says it; now: what of it changes."""
    return Action(action_id, run=run, **{**_said()[action_id], **now})


def _rows(**runs: Callable[[], object]) -> list[Action]:
    """Actions of which nothing changes."""
    return [_row(action_id, run) for action_id, run in runs.items()]


def action_table(
    window: MainWindow,
    sessions: SessionFiles,
    settings: LiveSettings,
    settings_path: Path | None,
    quit_program: Callable[[], None],
) -> list[Action]:
    """Every action of a window but those of the Help menu, in the order of the menus."""
    return [
        *_sessions(sessions),
        *_rows(
            export=lambda: open_export(window, window.focused_plot()),
            save_program=partial(save_program, window),
        ),
        *_history(window.model, window.playback),
        *copy_actions(window),
        *_rows(open_settings=partial(_open_settings, window, settings, settings_path)),
        *_views(window),
        *_zooming(window),
        *_themes(window, settings),
        *_sizes(settings),
        *_playing(window.playback),
        *_moving(window.model, window.playback),
        *_going(window),
        *_teaching(window, settings),
        *_rows(close=quit_program),
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
        *_rows(show_steps=show_steps, show_keys=partial(show, "keys"), report_problem=partial(show, "report")),
        _row("open_releases", partial(show, "releases"), title=newer_title),
        *_rows(show_about=partial(show, "about")),
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
        *_rows(new_session=sessions.new, open_session=sessions.ask_to_open),
        *map(recent, range(MOST_RECENT)),
        _row("recent_none", sessions.ask_to_open, title=none_title, is_enabled=lambda: False),
        *_rows(save_session=sessions.save, save_session_as=sessions.ask_to_save),
    ]


def _history(model: EncodingModel, playback: Playback) -> list[Action]:
    def row(action_id: str, word: str, step: Callable[[], None], names: Callable[[], tuple[str, ...]]) -> Action:
        def go() -> None:
            playback.pause()
            step()

        def title() -> str:
            return f"{word} {step_title(names())}".rstrip()

        return _row(action_id, go, title=title, is_enabled=lambda: bool(names()))

    return [
        row("undo", "Undo", model.undo, lambda: model.undo_names),
        row("redo", "Redo", model.redo, lambda: model.redo_names),
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

    def side(name: str) -> Action:
        """What opens beside the plots; its keys act at once."""

        def focus() -> None:
            if value_of(model.state, f"{name}.is_open") and name in window.docks:
                panel = window.panel(name)
                if isinstance(panel, ScenePanel):
                    panel.show_again()
                window.docks[name].take_focus()

        return _then(_switch(model, f"toggle_{name}", f"{name}.is_open"), focus)

    return [
        *(_panel(key, window) for key in (*PLOTS, *IN_WORKSPACES)),
        *(_then(_workspace(window, name), window.focus_plot) for name in ("attention", "study")),
        side("facts"),
        side("lessons"),
        _then(_switch(model, "toggle_compare", "compare.is_open"), window.focus_plot),
        _switch(model, "transpose_matrix", "matrix.is_transposed"),
        _of_clock(model, "toggle_clock_mode", "clock.mode", "each", "one"),
        _of_clock(model, "toggle_clock_binary", "clock.shows_bits"),
        _of_clock(model, "toggle_clock_digits", "clock.shows_digits"),
        _row("fold_encoding", window.toggle_encoding, is_checked=window.parameters.isVisible),
        *_rows(show_all_positions=partial(model.set, span=None), show_near=show_near),
        _row("full_screen", window.toggle_full_screen, is_checked=is_full),
        *_rows(reset_layout=reset_layout),
    ]


def _teaching(window: MainWindow, settings: LiveSettings) -> list[Action]:
    """What finds things, shows pictures of all, and lets a person teach with it; each is loaded when it is wanted."""

    def opened(kind: Any) -> None:
        (window.findChild(kind) or kind(window)).open()

    def show_palette() -> None:
        from pe_desktop.window.palette import Palette  # noqa: PLC0415 - the first frame needs none

        opened(Palette)

    def show_gallery() -> None:
        from pe_desktop.window.gallery import Gallery  # noqa: PLC0415 - the first frame needs none

        opened(Gallery)

    def talk(*, is_edited: bool) -> None:
        from pe_desktop.window.talk_editor import TalkEditor, add_view  # noqa: PLC0415 - the first frame needs none

        opened(TalkEditor) if is_edited else add_view(window)

    def show_start_row() -> None:
        from pe_desktop.window.start_row import StartRow  # noqa: PLC0415 - most starts have none

        window.header.offer(StartRow(window, settings))
        settings.set(shows_start=True)

    return _rows(
        gallery=show_gallery,
        add_view=partial(talk, is_edited=False),
        edit_talk=partial(talk, is_edited=True),
        save_sheet=partial(save_sheet, window),
        palette=show_palette,
        start_row=show_start_row,
        present=window.present_asked.emit,
    )


def _zooming(window: MainWindow) -> list[Action]:
    """Zoom and pan by keys; with Alt of the profile beside a map, or of the positions of a table alone."""

    def act(run: Callable[[Gestures], bool]) -> None:
        # The panel with the keyboard, else the waves.
        for panel in (window.focused_plot(), window.waves):
            if isinstance(panel, ScenePanel) and panel.isVisible() and run(panel.gestures):
                return

    acts: dict[str, Callable[[Gestures], bool]] = {}
    for is_second, alt in ((False, ""), (True, " Alt+")):
        for name, notches in (("in", 1), ("out", -1)):
            acts[f"zoom_{name}{alt}"] = partial(Gestures.zoom_by_key, notches=notches, is_second=is_second)
        for name, (right, down) in [*_WAYS.items()][: 2 if is_second else 4]:
            acts[f"pan_{name}{alt}"] = partial(Gestures.pan_by_key, right=right, down=down, is_second=is_second)
    rows = [_row(action_id, partial(act, run)) for action_id, run in acts.items()]
    return [*rows, _row("fit", partial(act, Gestures.fit_by_key))]


def _workspace(window: MainWindow, name: str) -> Action:
    """The entry that opens one of WORKSPACES, also from behind Compare, at the panel that was left, and closes it."""
    model = window.model

    def is_seen() -> bool:
        return model.state.views.workspace == name and not _hiding(model.state)

    def toggle() -> None:
        closes = {f"{other}.is_open": False for other in _hiding(model.state)}
        first = WORKSPACES[name][0]
        left = window.left_in_front.get(name, first)
        front = {"front": (left,)} if left != first and model.state.views.workspace != name else {}
        model.set(**closes, **{f"{name}.is_open": not is_seen()}, **front)

    return _row(f"toggle_{name}", toggle, is_checked=is_seen)


def _then(switch: Action, bring_keyboard: Callable[[], None]) -> Action:
    """The same, which brings the keyboard to what stands in the place of the plots, or beside them, then."""

    def toggle() -> None:
        switch.run()
        bring_keyboard()

    return replace(switch, run=toggle)


def _switch(model: EncodingModel, action_id: str, name: str, *pair: object) -> Action:
    """An entry that gives a name of the state one of two values, those of a flag where none are given."""
    on, off = pair or (True, False)

    def is_on() -> bool:
        return bool(value_of(model.state, name) == on)

    def toggle() -> None:
        model.set(**{name: off if is_on() else on})

    return _row(action_id, toggle, is_checked=is_on)


def _of_clock(model: EncodingModel, action_id: str, name: str, *values: object) -> Action:
    """The same where hands turn: columns have one face only, without a code beside it; not all hands have digits."""
    switch = _switch(model, action_id, name, *values)

    def toggle() -> None:
        pairs = model.encoding.pairs
        if pairs is not None and (name != "clock.shows_digits" or digits_of(pairs, 1) is not None):
            switch.run()

    return replace(switch, run=toggle)


def _closed(key: str, window: MainWindow) -> dict[str, object]:
    """The names of the state that close what stands in the place of a panel: Compare, a lesson, a workspace."""
    views, hiding = window.model.state.views, _hiding(window.model.state)
    hiding += [views.workspace] if views.workspace and key in window.gives_place else []
    return {f"{name}.is_open": False for name in hiding}


def _hiding(state: State) -> list[str]:
    """What stands in the place of plots and workspaces: Compare, the step of a lesson."""
    step = step_of(state)
    shown = {"compare": state.views.compare.is_open, "lessons": step is not None and bool(step.views)}
    return [name for name, is_shown in shown.items() if is_shown]


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

    return [row("light", is_first=True), row("dark"), row("system"), *_rows(toggle_theme=toggle)]


def _sizes(settings: LiveSettings) -> list[Action]:
    """Larger, smaller and usual letters, buttons and plots."""

    def change(steps: int) -> None:
        settings.set(scale=stepped([*SETTING_ROWS["scale"].choices], settings.now.scale, steps))

    usual = partial(settings.set, scale=100)
    return _rows(larger=partial(change, 1), smaller=partial(change, -1), usual_size=usual)


def _playing(playback: Playback) -> list[Action]:
    def change_speed(steps: int) -> None:
        playback.set("speed", stepped([*SETTING_ROWS["speed"].choices], playback.speed, steps))

    return _rows(toggle_playing=playback.toggle, slower=partial(change_speed, -1), faster=partial(change_speed, 1))


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

    return _rows(
        step_back=partial(step, -1),
        step_on=partial(step, 1),
        leap_back=partial(step, -_LEAP),
        leap_on=partial(step, _LEAP),
        go_to_first=partial(model.move_along, 0.0),
        go_to_last=go_to_last,
        smaller_offset=partial(change_offset, -1),
        larger_offset=partial(change_offset, 1),
        faster_pair=partial(change_pair, -1),
        slower_pair=partial(change_pair, 1),
        toggle_pin=toggle_pin,
    )


def _going(window: MainWindow) -> list[Action]:
    def show_page(page: str) -> None:
        """Bring a page of Properties to the front, out from under an overlay."""
        window.overlay.fold()
        window.model.set(**_closed("properties", window), **{"properties.page": page})
        window.docks["properties"].bring_forward()
        panel = window.panel("properties")
        assert isinstance(panel, DeclaredPanel)
        panel.show_chosen()

    pages = {"properties": "verdicts", "collisions": "collisions", "distance": "distance", "scales": "scales"}
    return [
        *(_row(f"show_{name}", partial(show_page, page)) for name, page in pages.items()),
        *_rows(next_panel=window.focus_next_panel, previous_panel=partial(window.focus_next_panel, -1)),
    ]
