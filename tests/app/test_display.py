"""Whether a window can appear is found out by asking the displays, never by letting Qt abort."""

import ctypes
import socket
import struct
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pe_desktop import guard
from pe_desktop.guard import CannotStartError, _libraries_advice, _wayland_refusal, _x11_refusal, check_display
from tests.tables import table

UNIX_ONLY = pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="there is always a display here")
NEEDS_XCB = pytest.mark.skipif(_libraries_advice("x11") is not None, reason="the libraries of X11 are not installed")


def works(_environment):
    return None


def fails(_environment):
    return "it is broken"


def never(_environment):
    pytest.fail("this display was not to be asked")


@pytest.fixture
def refusal(monkeypatch):
    """What is told in an environment whose displays answer so, None where a window can appear."""

    def told(environment, x11, wayland, system="linux"):
        monkeypatch.setattr(guard, "_x11_refusal", x11)
        monkeypatch.setattr(guard, "_wayland_refusal", wayland)
        monkeypatch.setattr(sys, "platform", system)
        try:
            check_display(environment)
        except CannotStartError as error:
            return str(error)
        return None

    return told


def test_windows_macos_and_a_platform_that_a_person_chose_are_never_asked(refusal):
    for system in ("win32", "darwin"):
        assert refusal({}, never, never, system) is None
    for chosen in ("offscreen", "minimal", "vnc:size=800x600", "xcb;offscreen"):
        assert refusal({"QT_QPA_PLATFORM": chosen, "DISPLAY": ":0"}, never, never) is None


@pytest.mark.parametrize(("environment", "x11", "wayland", "can"), table("app/displays"))
def test_window_appears_where_one_display_answers(refusal, environment, x11, wayland, can):
    asked = {"works": works, "fails": fails, "never": never}
    assert (refusal(environment, asked[x11], asked[wayland]) is None) == can


def test_refusal_names_the_reason_and_what_works_without_a_screen(refusal):
    assert refusal({}, never, never) == (
        "No window can appear here: neither DISPLAY nor WAYLAND_DISPLAY is set; "
        "without a screen these work: pe-desktop export, pe-desktop self-test, pe-desktop --screenshot."
    )
    assert "it is broken" in str(refusal({"DISPLAY": ":0"}, fails, never))


def test_missing_library_of_the_xcb_plugin_is_named_with_its_package(monkeypatch):
    def load(soname):
        if soname == "libxcb-cursor.so.0":
            raise OSError(f"{soname}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", load)
    assert _x11_refusal({"DISPLAY": ":0"}) == (
        "libxcb-cursor.so.0 is missing (on Debian and Ubuntu: apt install libxcb-cursor0)"
    )


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder with a path that fits into the address of a socket."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture
def every_library(monkeypatch):
    monkeypatch.setattr(guard, "_libraries_advice", lambda _: None)


@UNIX_ONLY
def test_wayland_answers_through_its_socket(short_folder, every_library):
    environment = {"XDG_RUNTIME_DIR": str(short_folder), "WAYLAND_DISPLAY": "wayland-7"}
    assert _wayland_refusal(environment) == "the Wayland display 'wayland-7' does not answer"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(short_folder / "wayland-7"))
        assert _wayland_refusal(environment) is not None  # a socket that nobody listens to
        server.listen()
        assert _wayland_refusal(environment) is None
        assert _wayland_refusal({"WAYLAND_DISPLAY": str(short_folder / "wayland-7")}) is None
    assert _wayland_refusal(environment) is not None  # the compositor has died


def test_wayland_needs_a_place_for_sockets_and_a_connection_that_was_handed_over_is_not_used_up(every_library):
    assert _wayland_refusal({"WAYLAND_DISPLAY": "wayland-0"}) == "XDG_RUNTIME_DIR is not set"
    assert _wayland_refusal({"WAYLAND_SOCKET": "5"}) is None


@UNIX_ONLY
@NEEDS_XCB
@pytest.mark.parametrize("name", [":4711", "nonsense", "no/such/place:0"])
def test_x_server_that_is_not_there_is_refused(every_library, name):
    assert _x11_refusal({"DISPLAY": name}) == f"the display {name!r} does not answer"


@UNIX_ONLY
@NEEDS_XCB
@pytest.mark.parametrize("is_welcome", [True, False])
def test_x_server_decides_whether_we_may_connect(every_library, is_welcome):
    # The X protocol's answer to a client: success with an empty set-up, or failure with no reason given.
    # 8 bytes: code, length of the reason, version 11.0, length of what follows in words of four bytes.
    answer = struct.pack("=BBHHH", int(is_welcome), 0, 11, 0, 8) + bytes(32)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(10)
        listener = threading.Thread(target=_answer_once, args=(server, answer))
        listener.start()
        port = server.getsockname()[1]
        refusal = _x11_refusal({"DISPLAY": f"127.0.0.1:{port - 6000}"})  # display 0 listens at port 6000
        listener.join()
    assert (refusal is None) == is_welcome


def _answer_once(server: socket.socket, answer: bytes) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(12)
        connection.sendall(answer)
