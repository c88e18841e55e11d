"""Which back end draws: what counts as a GPU, what a person chose, and what a crash leaves behind."""

import os
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from pe_desktop.heat import renderer as room
from tests.heat.trials import living_trial
from tests.tables import table

GPU = room._judged("Mesa Intel(R) Graphics (ADL GT2)", (4, 6), False)
SOFTWARE = room._judged("llvmpipe (LLVM 15.0.6, 256 bits)", (4, 5), False)
NOTHING = room._Graphics(False, "No OpenGL context could be made.")


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Says whether there is a device file of a GPU."""

    def there(is_there: bool) -> None:
        monkeypatch.setattr(room, "_has_graphics_device", lambda: is_there)

    there(True)
    return there


def notes(path: Path) -> int:
    """How many processes have noted that they try."""
    return sum(file.name.startswith(path.name) for file in path.parent.iterdir()) if path.parent.exists() else 0


def decided(choice: str, graphics: room._Graphics, marker: Path | None = None) -> room.Renderer:
    renderer = room.Renderer(choice, marker, ask=lambda: graphics)
    renderer.decide()
    return renderer


PROGRAMS = (
    *("llvmpipe (LLVM 15.0.6, 256 bits)", "softpipe", "Google SwiftShader", "Software Rasterizer"),
    *("GDI Generic", "Microsoft Basic Render Driver", "Apple Software Renderer"),
)
# What OpenGL draws with, its version, whether that is OpenGL ES; whether it is a GPU, and whether the shaders run.
JUDGED = [
    *((name, (4, 5), False, False, True) for name in PROGRAMS),
    ("NVIDIA GeForce", (3, 3), False, True, True),
    ("NVIDIA GeForce", (3, 2), False, False, False),
    ("NVIDIA GeForce", (2, 1), False, False, False),
    ("NVIDIA GeForce", (3, 0), True, True, True),
    ("NVIDIA GeForce", (2, 0), True, False, False),
]


@pytest.mark.parametrize(("name", "number", "is_es", "is_gpu", "has_opengl"), JUDGED)
def test_a_gpu_speaks_opengl_3_3_or_es_3_0_and_is_no_program_that_draws_with_the_processor(
    name: str, number: tuple[int, int], is_es: bool, is_gpu: bool, has_opengl: bool
) -> None:
    found = room._judged(name, number, is_es)
    assert (found.is_gpu, bool(found.renderer)) == (is_gpu, has_opengl)
    assert name in found.why


def test_a_probe_without_a_screen_finds_no_gpu_and_says_why(qapp: object, capfd: pytest.CaptureFixture[str]) -> None:
    found = room._probe()
    assert not found.is_gpu
    assert "without a screen" in found.why
    assert capfd.readouterr() == ("", "")


def test_linux_shows_a_gpu_as_a_device_file(tmp_path: Path) -> None:
    assert not room._has_graphics_device(tmp_path, "linux")
    assert room._has_graphics_device(tmp_path, "darwin")
    (tmp_path / "dri").mkdir()
    (tmp_path / "dri" / "renderD128").touch()
    assert room._has_graphics_device(tmp_path, "linux")


@pytest.mark.parametrize(("choice", "graphics", "is_opengl"), table("heat/renderers")["chosen"])
def test_a_gpu_draws_unless_the_cpu_was_chosen(device, choice, graphics, is_opengl) -> None:
    renderer = decided(choice, {"GPU": GPU, "SOFTWARE": SOFTWARE, "NOTHING": NOTHING}[graphics])
    assert renderer.is_opengl == is_opengl
    assert renderer.has_gpu == (is_opengl and graphics == "GPU")


def test_nothing_is_asked_before_a_heat_map_or_a_person_needs_it(device: Callable[[bool], None]) -> None:
    device(False)
    for choice, n_asked in (("auto", 0), ("opengl", 1)):
        ask = Mock(return_value=SOFTWARE)
        renderer = room.Renderer(choice, ask=ask)
        ask.assert_not_called()
        renderer.decide()
        renderer.decide()
        assert (renderer.is_opengl, ask.call_count) == (choice == "opengl", n_asked)


def test_a_failure_leaves_the_cpu_drawing_and_says_so(device: object) -> None:
    renderer = decided("auto", GPU)
    changes = []
    renderer.changed.connect(lambda: changes.append(renderer.is_opengl))
    renderer.fail("The driver answered with OpenGL error 0x0505.")
    assert (renderer.is_opengl, renderer.has_gpu, changes) == (False, False, [False])
    assert "0x0505" in renderer.why


def test_the_marker_stands_while_opengl_is_young(device: object, path: Path) -> None:
    renderer = decided("auto", GPU, path)
    assert notes(path) == 0
    for number in range(room.GOOD_FRAMES):
        renderer.begin_frame()
        assert notes(path) == 1, number
        renderer.end_frame()
    assert notes(path) == 0
    renderer.begin_frame()
    assert notes(path) == 0


@pytest.mark.parametrize(
    "end",
    [room.Renderer.close, lambda renderer: renderer.fail("It drew nothing."), lambda one: one.set_choice("raster")],
)
def test_an_orderly_end_takes_the_marker_away(device: object, path: Path, end: Callable[[room.Renderer], None]) -> None:
    renderer = decided("auto", GPU, path)
    renderer.begin_frame()
    assert notes(path) == 1
    end(renderer)
    assert notes(path) == 0


@pytest.mark.parametrize("choice", ["auto", "opengl", "raster"])
def test_after_a_crash_opengl_stays_off_until_a_person_chooses_it(device: object, tmp_path: Path, choice: str) -> None:
    marker = tmp_path / room.MARKER_NAME
    marker.touch()
    for _ in range(2):
        after = decided(choice, GPU, marker)
        assert (after.is_opengl, after.expects_opengl) == (False, False)
        # Who chose the CPU is not told.
        assert bool(after.complaint) == ("tries again" in after.complaint) == (choice != "raster")
        after.close()
    after.set_choice("auto")
    assert (after.is_opengl, after.complaint, marker.exists()) == (True, "", False)


def test_a_marker_that_cannot_be_written_stops_nothing(device: object, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    renderer = decided("auto", GPU, tmp_path / "file" / room.MARKER_NAME)
    renderer.begin_frame()
    renderer.end_frame()
    renderer.close()
    assert renderer.is_opengl


@pytest.mark.parametrize(("choice", "had_gpu", "is_there", "is_expected"), table("heat/renderers")["last time"])
def test_a_window_is_made_for_opengl_where_a_gpu_drew_last_time(device, choice, had_gpu, is_there, is_expected) -> None:
    device(is_there)
    renderer = room.Renderer(choice, had_gpu=had_gpu, ask=lambda: GPU)
    assert renderer.expects_opengl == is_expected
    assert renderer.has_gpu == had_gpu


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings" / room.MARKER_NAME


def test_no_trial_is_no_crash_and_neither_is_one_as_long_as_its_program_lives(path: Path) -> None:
    marker = room.CrashMarker(path)
    assert not marker.tells_of_a_crash
    marker.take_back()
    marker.forget()
    assert notes(path) == 0
    with living_trial(path) as trial:
        assert not marker.tells_of_a_crash
        trial.kill()
        if hasattr(os, "waitid"):
            # Nobody has asked how it ended: the system still lists it.
            os.waitid(os.P_PID, trial.pid, os.WEXITED | os.WNOWAIT)
            assert marker.tells_of_a_crash
    assert marker.tells_of_a_crash


def test_two_programs_try_and_one_crashes(path: Path) -> None:
    marker = room.CrashMarker(path)
    with living_trial(path):
        with living_trial(path):
            assert notes(path) == 2
            assert not marker.tells_of_a_crash
        assert room.CrashMarker(path).tells_of_a_crash
        marker.forget()
        assert not room.CrashMarker(path).tells_of_a_crash
        assert notes(path) == 1


def test_what_was_noted_is_taken_back_once_and_alone(path: Path) -> None:
    marker = room.CrashMarker(path)
    with living_trial(path):
        assert marker.note()
        assert (notes(path), marker.tells_of_a_crash) == (2, False)
        for _ in range(2):
            marker.take_back()
            assert (notes(path), room.CrashMarker(path).tells_of_a_crash) == (1, False)


def test_what_is_made_or_removed_just_now_is_no_crash(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()
    made = path.with_name(f"{path.name}-1")
    made.touch()
    monkeypatch.setattr("time.sleep", lambda _seconds: made.unlink())
    assert not room.CrashMarker(path).tells_of_a_crash


def test_where_no_file_can_be_held_nothing_is_noted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "hold", Mock(side_effect=OSError))
    assert not room.CrashMarker(path).note()
    assert notes(path) == 0
