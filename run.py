"""Open PE Desktop, run its tests or its checks; the first start makes the environment that they need.

python3 run.py               open the application
python3 run.py test [...]    run the tests; what follows goes to pytest
python3 run.py check         run the linters, the type checker, the checks of layers, unused names and conflict markers
python3 run.py build [...]   make the executables of this system: docs/packaging.md
python3 run.py WORD [...]    everything else goes to the application: export, self-test, --version, ...
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
OLDEST_PYTHON, NEWEST_PYTHON = (3, 11), (3, 14)

# The locks that each command needs, in the order of their installation; None is the application.
GROUPS = {None: ("app",), "test": ("app", "test"), "check": ("app", "test", "check"), "build": ("app", "build")}

# The libraries that Qt needs for a purpose: soname to Debian package. The application reads the same table.
LIBRARIES = ROOT / "resources" / "system_libraries.json"
# The tests bring their own screen: a program to Debian packages (Mesa's drivers are no library that one could ask for).
SCREEN_PROGRAMS = {"Xvfb": ("xvfb", "libgl1-mesa-dri"), "xauth": ("xauth",)}
# Files of tests run side by side, but for --pdb; at most four, for each process holds half a gigabyte and more.
# One that crashes ends the run: with another in its place pytest-xdist may wait for ever, or fail within itself.
SIDE_BY_SIDE = ("-n", "auto", "--maxprocesses", "4", "--dist", "loadfile", "--max-worker-restart=0")

# How pip's own words show that no index could be reached.
NETWORK_SIGNS = ("NewConnectionError", "NameResolutionError", "TimeoutError", "ProxyError", "Network is unreachable")

CHECKS = (
    ("-m", "ruff", "check", "."),
    ("-m", "ruff", "format", "--check", "."),
    ("-m", "mypy"),
    ("-c", "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"),
    ("-m", "vulture"),
)


class SetUpError(Exception):
    """One sentence for the user about what stands in the way."""


def say(text: str) -> None:
    """Speak on stderr, so that stdout carries the application's words alone."""
    print(f"run.py: {text}", file=sys.stderr, flush=True)


def complaint_about_python(version: Sequence[int]) -> str | None:
    """Return the sentence for a Python that is too old or too new, None for one that will do."""
    if OLDEST_PYTHON <= tuple(version[:2]) <= NEWEST_PYTHON:
        return None
    oldest, newest, this = (".".join(map(str, numbers[:2])) for numbers in (OLDEST_PYTHON, NEWEST_PYTHON, version))
    return (
        f"PE Desktop runs on Python {oldest} to {newest}; this is Python {this}. "
        f"Start run.py with another one, for instance: python{newest} run.py (Windows: py -{newest} run.py)"
    )


class Environment:
    """The virtual environment in .venv, with a record, written around each step, of the locks installed into it."""

    def __init__(self, folder: Path, locks: Path) -> None:
        self.folder = folder
        self.locks = locks
        self.python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        self.record_file = folder / "run-py.json"

    def is_whole(self) -> bool:
        """Whether it was made by this Python, nothing broke off, and its interpreter still exists."""
        record = self._record()
        is_finished = record.get("python") == interpreter_name() and "unfinished" not in record.values()
        return is_finished and self.python.exists()

    def prepare(self, groups: Sequence[str]) -> None:
        """Make the environment and install the locks that changed since. Raises SetUpError."""
        if not self.is_whole():
            self._make()
        for group in groups:
            if self._record().get(group) != self._lock_hash(group):
                self._install(group)
                # Of packages pip has done so; without it the first start of the application takes half as long again.
                outcome([str(self.python), "-m", "compileall", "-q", str(self.locks.parent / "pe_desktop")])

    def _make(self) -> None:
        if self.folder.exists() and not self.record_file.exists():
            raise SetUpError(f"{self.folder} was not made by run.py: rename or remove it, then start again.")
        say(f"Making the environment in {self.folder}; the first start takes a minute or two.")
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.folder.mkdir()
        self._write_record({})
        # Not sys.executable: it may be the Python of the very environment that was just removed.
        interpreter = getattr(sys, "_base_executable", None) or sys.executable
        status, words = outcome([interpreter, "-m", "venv", str(self.folder)])
        if status:
            raise SetUpError(f"Python could not make the environment {self.folder}. {words}")
        self._write_record({"python": interpreter_name()})

    def _install(self, group: str) -> None:
        lock = self.locks / f"{group}.txt"
        say(f"Installing the packages locked in {lock.name} ...")
        before = self._record()
        self._write_record({**before, group: "unfinished"})
        status, words = outcome(pip_install(self.python, lock))
        if status:
            self._write_record(before)
            raise SetUpError(complaint_about_pip(lock, words))
        self._write_record({**before, group: self._lock_hash(group)})

    def _lock_hash(self, group: str) -> str:
        # Line endings may differ between checkouts of the same lock.
        return hashlib.sha256((self.locks / f"{group}.txt").read_bytes().replace(b"\r\n", b"\n")).hexdigest()

    def _record(self) -> dict[str, str]:
        try:
            record = json.loads(self.record_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return record if isinstance(record, dict) else {}

    def _write_record(self, record: Mapping[str, str]) -> None:
        new = self.record_file.with_suffix(".new")
        new.write_text(json.dumps(record), encoding="utf-8")
        new.replace(self.record_file)


def interpreter_name() -> str:
    """Return what an environment is bound to, for instance "cpython-311 linux-x86_64"."""
    return f"{sys.implementation.cache_tag} {sysconfig.get_platform()}"


def pip_install(python: Path, lock: Path) -> list[str]:
    """Return the command that installs a lock: only what it names, only with the hashes it names, no build scripts."""
    options = ["--require-hashes", "--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check"]
    return [str(python), "-m", "pip", "install", *options, "-r", str(lock)]


def complaint_about_pip(lock: Path, words: str) -> str:
    """Return one sentence if the network is missing, else pip's own words after ours."""
    if any(sign in words for sign in NETWORK_SIGNS):
        return "The packages can't be fetched: connect to the network and start again (later starts need no network)."
    return f"pip could not install {lock.name}. {words}"


def outcome(command: Sequence[str]) -> tuple[int, str]:
    """Run a step of the set-up, its progress shown on a terminal only. Return its status and its errors."""
    progress = sys.stderr if sys.stderr.isatty() else subprocess.DEVNULL
    step = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=progress, stderr=subprocess.PIPE)
    errors = step.communicate()[1]
    return step.returncode, errors.decode(errors="replace").strip()


def missing_packages(libraries: Mapping[str, str]) -> list[str]:
    """Return the Debian packages of the libraries that the dynamic linker can't load with all that they need."""
    missing = []
    for soname, package in libraries.items():
        try:
            ctypes.CDLL(soname)
        except OSError:
            missing.append(package)
    return list(dict.fromkeys(missing))


def libraries_for(*purposes: str) -> dict[str, str]:
    """Return the libraries for drawing, for a screen (x11, wayland), or of a purpose of the build."""
    table = json.loads(LIBRARIES.read_text(encoding="utf-8"))
    return {soname: package for purpose in purposes for soname, package in table[purpose].items()}


def needed_packages(word: str | None, environment: Environment) -> list[str]:
    """Return the missing packages without which the command can't run at all."""
    packages = [] if word == "check" else missing_packages(libraries_for("drawing"))
    if word == "build":
        python = {sysconfig.get_config_var("INSTSONAME"): "libpython{}.{}".format(*sys.version_info)}
        packages += missing_packages({**python, **libraries_for("x11", "wayland", "wayland_graphics")})
        packages += [] if shutil.which("objdump") else ["binutils"]
    if not environment.is_whole() and importlib.util.find_spec("ensurepip") is None:
        packages.append("python{}.{}-venv".format(*sys.version_info))
    return packages


def wished_packages(word: str | None) -> list[str]:
    """Return the missing packages without which a window, or a test that needs one, has no screen."""
    has_x11_alone = "DISPLAY" in os.environ and "WAYLAND_DISPLAY" not in os.environ
    if word in ("check", "build") or not (word == "test" or has_x11_alone):
        return []
    packages = missing_packages(libraries_for("x11"))
    if word == "test":
        packages += [name for program, parts in SCREEN_PROGRAMS.items() if not shutil.which(program) for name in parts]
    return packages


def prepare_system(word: str | None, environment: Environment) -> None:
    """Install missing system packages where we may, else name the one line that does. Raises SetUpError."""
    if sys.platform != "linux":
        return
    needed, wished = needed_packages(word, environment), wished_packages(word)
    if not (needed or wished):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        apt_install(needed + wished)
        importlib.invalidate_caches()
        needed, wished = needed_packages(word, environment), wished_packages(word)
    if needed:
        raise SetUpError(f"This system lacks what Qt or Python needs. {install_line(needed + wished)}")
    if wished:
        say(f"Windows on an X11 screen, and the tests that need one, can't run here. {install_line(wished)}")


def apt_install(packages: Sequence[str]) -> None:
    """Install Debian packages as root, with fresh package lists if the first try fails."""
    say(f"Installing the system packages {' '.join(packages)} ...")
    install = ["apt-get", "-q", "install", "--yes", "--no-install-recommends", *packages]
    os.environ.setdefault("DEBIAN_FRONTEND", "noninteractive")
    if outcome(install)[0]:
        outcome(["apt-get", "-q", "update"])
        status, words = outcome(install)
        if status:
            say(f"apt-get could not install them. {words}")


def install_line(packages: Sequence[str]) -> str:
    """Return the sentence with the one line that installs the packages."""
    way = "it with:\n    sudo apt-get install --yes" if shutil.which("apt-get") else "the packages that Debian calls:"
    return f"Install {way} {' '.join(packages)}"


def command_word(arguments: Sequence[str]) -> str | None:
    """Return the command that is ours, None for what goes to the application."""
    return arguments[0] if arguments and arguments[0] in GROUPS else None


def programs(arguments: Sequence[str], python: Path) -> list[list[str]]:
    """Return the programs to run, one after the other."""
    word = command_word(arguments)
    # -P keeps the folder where the user stands off the module path: a numpy.py may lie there.
    start = [str(python), "-P"]
    if word == "check":
        return [[*start, *check] for check in CHECKS]
    modules = {None: ("pe_desktop",), "test": ("pytest", *SIDE_BY_SIDE), "build": ("build.make",)}
    return [[*start, "-m", *modules[word], *(arguments[1:] if word else arguments)]]


def variables(word: str | None) -> dict[str, str]:
    """Return the environment variables of the programs: the checkout on the module path, tests without a screen."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    screen = {"QT_QPA_PLATFORM": "offscreen"} if word == "test" else {}
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path), **screen}


def conflict_markers(folder: Path) -> list[str]:
    """Return where tracked files hold markers of an unfinished merge, for instance "docs/a.md:12"."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=folder, stdout=subprocess.PIPE, check=True).stdout
    found = []
    for name in filter(None, os.fsdecode(tracked).split("\0")):
        path = folder / name
        lines = path.read_bytes().splitlines() if path.is_file() else []
        # Seven equals signs alone may underline a heading.
        found += [f"{name}:{number}" for number, line in enumerate(lines, 1) if re.match(rb"([<>|])\1{6}( |$)", line)]
    return found


def checked_markers(folder: Path) -> int:
    """Return the status of the check for conflict markers, having named each."""
    if not (folder / ".git").exists() or not shutil.which("git"):
        say("Without git it is not known which files to search for conflict markers.")
        return 0
    found = conflict_markers(folder)
    for place in found:
        say(f"Conflict marker in {place}")
    return min(len(found), 1)


def run_all(commands: list[list[str]], changed: dict[str, str]) -> int:
    """Run every command; return the status of the first that failed, else 0."""
    if len(commands) == 1 and os.name == "posix":
        # The program takes our place, so that signals and its status need no relay.
        os.execve(commands[0][0], commands[0], changed)  # noqa: S606 - no shell is wanted
    statuses = [subprocess.call(command, env=changed) for command in commands]
    return next((status for status in statuses if status), 0)


def main(arguments: Sequence[str]) -> int:
    """Prepare what the command needs, then run it. Return its exit status; 1 if the preparation failed."""
    complaint = complaint_about_python(sys.version_info[:2])
    if complaint:
        sys.exit(f"run.py: {complaint}")
    word = command_word(arguments)
    environment = Environment(ROOT / ".venv", ROOT / "requirements")
    try:
        prepare_system(word, environment)
        environment.prepare(GROUPS[word])
        if word:
            os.chdir(ROOT)
        markers = checked_markers(ROOT) if word == "check" else 0
        return run_all(programs(arguments, environment.python), variables(word)) or markers
    except (SetUpError, OSError) as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
