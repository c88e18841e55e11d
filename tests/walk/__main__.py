"""Walks a real window with pointer and keys, and writes what was seen: every menu entry, every key, every dock.

    python -m tests.walk FOLDER [--theme dark] [--size 1280x720] [--only menus|keys|docks|panels]

It starts an X server and openbox of its own and needs xdotool and ImageMagick's `import`. Each step leaves a picture
NNN-name.png in the folder where the screen looks otherwise than before; log.txt has a line for each step and what the
window has written since. The exit code is 1 if the window wrote anything, closed, or left a menu or dialog that
Escape doesn't close.
"""

import argparse
import contextlib
import hashlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from benchmarks.screen import PATIENCE_SECONDS

PARTS = ("menus", "keys", "docks", "panels")
_REST_SECONDS = 0.15
_MOST_TRIES = 20
# What leaves the window or its theme, which the walk is given.
_LEFT_OUT = ("use_light_theme", "use_dark_theme", "use_system_theme", "toggle_theme", "close")
# Entries that show no check and are chosen a second time, too, so that the next finds what they found.
_SWITCHES = ("toggle_", "transpose_", "fold_")
# Room on the screen for the frame that the window manager draws.
_FRAME = (8, 40)


class Walk:
    """One window on one screen, and what it has said and shown so far."""

    def __init__(self, folder: Path, display: str, theme: str, size: tuple[int, int], home: Path) -> None:
        self.folder = folder
        self.faults: list[str] = []
        self._n = 0
        self._last = ""
        self._log = (folder / "log.txt").open("w", encoding="utf-8")
        self._errors_path = folder / "stderr.txt"
        self._errors = self._errors_path.open("w", encoding="utf-8")
        self._n_read = 0
        self._environment = os.environ | {
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "XDG_CONFIG_HOME": str(home),
            "XDG_DATA_HOME": str(home),
            "XDG_STATE_HOME": str(home),
            "HOME": str(home),
            "BROWSER": "true",
        }
        self._manager = subprocess.Popen(
            ["openbox"], env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._window = subprocess.Popen(
            [sys.executable, "-m", "tests.walk.window", "--fresh", "--theme", theme],
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        self._size = size

    def start(self) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS * 4
        while self.ask("place") is None and time.monotonic() < deadline:
            time.sleep(0.2)
        name = self.do("search", "--sync", "--onlyvisible", "--name", "PE Desktop|pe_desktop").split()[-1]
        self.do("windowmove", name, "0", "0", "windowsize", name, *map(str, self._size), "windowactivate", name)
        time.sleep(1.0)
        self.step("start")

    def close(self) -> None:
        self._window.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._window.wait(15)
        self._window.kill()
        self._manager.terminate()
        self._manager.wait()
        self._log.close()
        self._errors.close()

    def ask(self, *question: str) -> Any:
        pipe_in, pipe_out = self._window.stdin, self._window.stdout
        assert pipe_in is not None
        assert pipe_out is not None
        pipe_in.write(json.dumps(question) + "\n")
        pipe_in.flush()
        line = pipe_out.readline()
        if not line:
            raise SystemExit(self._gone())
        return json.loads(line)

    def do(self, *words: str) -> str:
        """One call of xdotool."""
        done = subprocess.run(["xdotool", *words], env=self._environment, capture_output=True, text=True, check=False)
        return done.stdout

    def press(self, place: list[int], button: int = 1, *, is_double: bool = False) -> None:
        x, y = place[0] + place[2] // 2, place[1] + place[3] // 2
        repeat = ["--repeat", "2", "--delay", "60"] if is_double else []
        self.do("mousemove", str(x), str(y), "sleep", "0.05", "click", *repeat, str(button))
        time.sleep(_REST_SECONDS)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        self.do("mousemove", str(start[0]), str(start[1]), "sleep", "0.05", "mousedown", "1")
        for share in (0.1, 0.3, 0.6, 0.9, 1.0):
            place = [str(round(a + (b - a) * share)) for a, b in zip(start, end, strict=True)]
            self.do("mousemove", *place)
            time.sleep(0.05)
        self.do("mouseup", "1")
        time.sleep(_REST_SECONDS)

    def key(self, *names: str) -> None:
        self.do("key", "--clearmodifiers", *names)
        time.sleep(_REST_SECONDS)

    def step(self, name: str) -> None:
        """Wait until the window rests, then note what it wrote and how it looks."""
        deadline = time.monotonic() + 20.0
        while not self.ask("is_quiet") and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(_REST_SECONDS)
        self._n += 1
        label = f"{self._n:03d}-{name}".replace(" ", "-").replace("/", "-")[:80]
        grab = ["import", "-window", "root", "-depth", "8", "rgb:-"]
        pixels = subprocess.run(grab, env=self._environment, capture_output=True, check=True).stdout
        looks = hashlib.sha256(pixels).hexdigest()
        changed = looks != self._last
        self._last = looks
        if changed:
            size = f"{self._size[0] + _FRAME[0]}x{self._size[1] + _FRAME[1]}"
            path = self.folder / f"{label}.png"
            subprocess.run(["convert", "-size", size, "-depth", "8", "rgb:-", str(path)], input=pixels, check=True)
        said = self._said()
        if said:
            self.faults.append(f"{label}: the window wrote: {said}")
        self._write(f"{label}{'' if changed else ' (looks the same)'}{': ' + said if said else ''}")

    def clear(self, name: str) -> None:
        """Close what stands above the window with Escape; a fault where that takes more than four presses."""
        for _ in range(4):
            above = self.ask("windows")
            if not above:
                # A menu leaves its title with the keyboard.
                if (self.ask("focus") or {}).get("name") == "QMenuBar":
                    self.key("Escape")
                return
            self.key("Escape")
            if above[0]["kind"] == "full screen":
                # The window manager gives the window its size again.
                time.sleep(_REST_SECONDS * 4)
        above = self.ask("windows")
        if above:
            self.faults.append(f"{name}: Escape doesn't close {above}")
            self._write(f"{name}: Escape doesn't close {above}")

    def _said(self) -> str:
        text = self._errors_path.read_text(encoding="utf-8")
        new, self._n_read = text[self._n_read :], len(text)
        return new.strip()

    def _gone(self) -> str:
        self._window.wait(10)
        self._write(f"the window has closed, exit code {self._window.returncode}: {self._said()}")
        return f"the window has closed, exit code {self._window.returncode}; see {self._errors_path}"

    def _write(self, line: str) -> None:
        print(line, file=self._log, flush=True)


def walk_menus(walk: Walk) -> None:
    """Every entry of every menu, chosen with arrows and Enter."""
    for row in walk.ask("rows"):
        if not row["menu"] or row["id"] in _LEFT_OUT:
            continue
        rows = {now["id"]: now for now in walk.ask("rows")}
        if not rows[row["id"]]["is_enabled"]:
            continue
        name = f"menu {row['id']}"
        if not _open_menu(walk, row["menu"]) or not _mark(walk, row["menu"][-1], row["id"]):
            walk.faults.append(f"{name}: the keyboard doesn't reach this entry")
            walk.clear(name)
            continue
        if row["id"] in ("new_session", "undo", "choose base-100", "show_about", "slower"):
            walk.step(f"{name} open")
        walk.key("Return")
        walk.step(name)
        walk.clear(name)
        if row["is_switch"] or row["id"].startswith(_SWITCHES):
            _open_menu(walk, row["menu"])
            _mark(walk, row["menu"][-1], row["id"])
            walk.key("Return")
            walk.step(f"{name} again")
            walk.clear(name)


def _open_menu(walk: Walk, way: list[str]) -> bool:
    walk.press(walk.ask("title", way[0]))
    for menu, name in itertools.pairwise(way):
        if not _mark(walk, menu, name):
            return False
        walk.key("Right")
    return bool(walk.ask("active", way[-1], way[-1])["is_open"])


def _mark(walk: Walk, menu: str, name: str) -> bool:
    """Bring the mark of an open menu to an entry; entries that can't be chosen are passed over, so look again."""
    for _ in range(_MOST_TRIES):
        active = walk.ask("active", menu, name)
        n_down = active["n_down"]
        if n_down is None or not active["is_open"]:
            return False
        if n_down == 0:
            return True
        walk.do("key", "--delay", "8", "--repeat", str(abs(n_down)), "Down" if n_down > 0 else "Up")
        time.sleep(0.02)
    return False


def walk_keys(walk: Walk) -> None:
    """Every key of every action, pressed while a plot has the focus; the keys of the menus; Tab and F6."""
    names = {"Left": "Left", "Right": "Right", "[": "bracketleft", "]": "bracketright", ",": "comma", ".": "period"}
    names |= {"+": "plus", "-": "minus", "=": "equal", "?": "question"}
    for row in walk.ask("rows"):
        if row["id"] in _LEFT_OUT:
            continue
        for key in filter(None, (row["key"], row["other_key"])):
            *modifiers, last = key.replace("++", "+plus").split("+") if len(key) > 1 else [key]
            last = names.get(last, last.lower() if len(last) == 1 else last)
            last = {"PgUp": "Prior", "PgDown": "Next", "Space": "space", "Esc": "Escape"}.get(last, last)
            pressed = "+".join([modifier.lower() for modifier in modifiers] + [last])
            walk.key(pressed)
            walk.step(f"key {key} {row['id']}")
            walk.clear(f"key {key}")
            if row["is_switch"] or row["id"].startswith(_SWITCHES):
                walk.key(pressed)
                walk.step(f"key {key} {row['id']} again")
                walk.clear(f"key {key} again")
    _walk_menu_keys(walk)
    _walk_focus(walk)


def _walk_menu_keys(walk: Walk) -> None:
    """Alt with the letter of each menu."""
    for menu in ("File", "Edit", "View", "Go", "Help"):
        walk.key(f"alt+{menu[0].lower()}")
        walk.step(f"key Alt+{menu[0]}")
        if not walk.ask("active", menu, menu)["is_open"]:
            walk.faults.append(f"key Alt+{menu[0]}: the menu {menu} doesn't open")
        walk.clear(f"key Alt+{menu[0]}")


def _walk_focus(walk: Walk) -> None:
    """Tab and F6, all the way round."""
    for number in range(40):
        walk.key("Tab")
        focus = walk.ask("focus")
        if focus is None or not focus["is_seen"]:
            walk.faults.append(f"Tab {number + 1}: the focus is at {focus}")
        if number % 8 == 7:
            walk.step(f"Tab {number + 1} {'' if focus is None else focus['words']}")
    for number in range(9):
        walk.key("F6")
        walk.step(f"F6 {number + 1}")


def walk_docks(walk: Walk) -> None:
    """Every dock: floated, resized, moved, docked again, closed and brought back, its title pressed twice."""
    for key, dock in walk.ask("docks").items():
        if not dock["is_movable"] or not dock["is_open"]:
            continue
        _bring_forward(walk, key)
        if not _choose_in_menu(walk, key, "Pop out"):
            walk.faults.append(f"dock {key}: its menu has no Pop out")
            continue
        walk.step(f"dock {key} floats")
        left, top, width, height = walk.ask("docks")[key]["place"]
        walk.drag((left + width - 2, top + height - 2), (left + width + 60, top + height + 40))
        walk.step(f"dock {key} resized")
        _choose_in_menu(walk, key, "Dock")
        walk.step(f"dock {key} docked")
        if not walk.ask("docks")[key]["is_seen"]:
            walk.faults.append(f"dock {key}: docked again it is behind a tab")
        _choose_in_menu(walk, key, "Close")
        walk.step(f"dock {key} closed")
        walk.key("ctrl+z") if walk.ask("docks")[key]["is_open"] else None
        _choose_row(walk, f"show {key}")
        walk.step(f"dock {key} back")
        title = walk.ask("docks")[key]["title"]
        if title is not None and title[2] > 0:
            walk.press(title, is_double=True)
            walk.step(f"dock {key} title pressed twice")
            walk.clear(f"dock {key} title")
            walk.step(f"dock {key} title Escape")
    for number in range(len(walk.ask("tabs"))):
        tabs = walk.ask("tabs")
        if number < len(tabs):
            walk.press(tabs[number]["place"])
            walk.step(f"tab {tabs[number]['words']}")
    _choose_row(walk, "reset_layout")
    walk.step("layout reset")


def walk_panels(walk: Walk) -> None:
    """The menu of every panel that can be opened, each entry of it."""
    walked: set[str] = set()
    for opener in ("", "toggle_attention", "toggle_study", "toggle_compare", "toggle_facts"):
        if opener:
            _choose_row(walk, opener)
            walk.step(f"panels of {opener}")
        for key, dock in walk.ask("docks").items():
            if dock["more"] is not None and dock["is_open"] and key not in walked:
                _bring_forward(walk, key)
                if walk.ask("docks")[key]["is_seen"]:
                    walked.add(key)
                    _walk_panel(walk, key)
        if opener:
            _choose_row(walk, opener)
            walk.step(f"panels of {opener} closed")


def _walk_panel(walk: Walk, key: str) -> None:
    """Every entry of one panel's menu, but those that move the dock."""
    walk.press(walk.ask("docks")[key]["more"])
    walk.step(f"panel {key} menu")
    n_entries = len(walk.ask("menu"))
    walk.clear(f"panel {key}")
    for number in range(n_entries):
        walk.press(walk.ask("docks")[key]["more"])
        entry = walk.ask("menu")[number]
        if entry["words"] not in ("Close", "Pop out", "Dock"):
            walk.press(entry["place"])
            walk.step(f"panel {key} {entry['words']}")
        walk.clear(f"panel {key} {entry['words']}")


def _bring_forward(walk: Walk, key: str) -> None:
    dock = walk.ask("docks")[key]
    if dock["is_open"] and not dock["is_seen"]:
        _choose_row(walk, f"show {key}")
        for tab in walk.ask("tabs"):
            if tab["words"].lower().replace(" ", "-") == key:
                walk.press(tab["place"])


def _choose_row(walk: Walk, action_id: str) -> None:
    row = next((row for row in walk.ask("rows") if row["id"] == action_id), None)
    if row is not None and row["menu"] and _open_menu(walk, row["menu"]) and _mark(walk, row["menu"][-1], action_id):
        walk.key("Return")
    walk.clear(action_id)


def _choose_in_menu(walk: Walk, key: str, words: str) -> bool:
    walk.press(walk.ask("docks")[key]["more"])
    for entry in walk.ask("menu"):
        if entry["words"] == words:
            walk.press(entry["place"])
            time.sleep(_REST_SECONDS)
            return True
    walk.clear(words)
    return False


@contextlib.contextmanager
def _server(size: tuple[int, int], errors: TextIO) -> Iterator[str]:
    """An X server of this size; its name."""
    readable, writable = os.pipe()
    words = ["Xvfb", "-screen", "0", f"{size[0]}x{size[1]}x24", "+extension", "GLX", "-noreset", "-nolisten", "tcp"]
    server = subprocess.Popen([*words, "-displayfd", str(writable)], pass_fds=[writable], stdout=errors, stderr=errors)
    os.close(writable)
    try:
        yield f":{os.read(readable, 16).decode('ascii').strip()}"
    finally:
        server.terminate()
        server.wait()
        os.close(readable)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.walk")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--size", default="1600x1000")
    parser.add_argument("--only", choices=PARTS, action="append")
    options = parser.parse_args()
    width, height = (int(part) for part in options.size.split("x"))
    options.folder.mkdir(parents=True, exist_ok=True)
    parts = {"menus": walk_menus, "keys": walk_keys, "docks": walk_docks, "panels": walk_panels}
    faults: list[str] = []
    for part in options.only or PARTS:
        folder = options.folder / part
        folder.mkdir(exist_ok=True)
        with (
            tempfile.TemporaryDirectory() as home,
            _server((width + _FRAME[0], height + _FRAME[1]), sys.stderr) as display,
        ):
            walk = Walk(folder, display, options.theme, (width, height), Path(home))
            try:
                walk.start()
                parts[part](walk)
            except SystemExit as error:
                walk.faults.append(str(error))
            finally:
                walk.close()
            faults += [f"{part}: {fault}" for fault in walk.faults]
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults; pictures and logs in {options.folder}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
