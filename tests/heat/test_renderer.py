"""Which back end draws: what counts as a GPU, what a person chose, and what a crash leaves behind."""

import os
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from pe_desktop import files
from pe_desktop.files import started
from pe_desktop.heat import renderer as room
from tests.heat.trials import ended_process, living_trial

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


@pytest.mark.parametrize(
    ("choice", "graphics", "is_opengl"),
    [
        ("auto", GPU, True),
        ("auto", SOFTWARE, False),
        ("auto", NOTHING, False),
        ("raster", GPU, False),
        ("opengl", GPU, True),
        ("opengl", SOFTWARE, True),
        ("opengl", NOTHING, False),
    ],
)
def test_a_gpu_draws_unless_the_cpu_was_chosen(device, choice, graphics, is_opengl) -> None:
    renderer = decided(choice, graphics)
    assert renderer.is_opengl == is_opengl
    assert renderer.has_gpu == (is_opengl and graphics is GPU)


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
    assert not path.exists()
    for number in range(room.GOOD_FRAMES):
        renderer.begin_frame()
        assert path.exists(), number
        renderer.end_frame()
    assert not path.exists()
    renderer.begin_frame()
    assert not path.exists()


@pytest.mark.parametrize("end", [room.Renderer.close, lambda renderer: renderer.fail("It drew nothing.")])
def test_an_orderly_end_takes_the_marker_away(device: object, path: Path, end: Callable[[room.Renderer], None]) -> None:
    renderer = decided("auto", GPU, path)
    renderer.begin_frame()
    assert path.exists()
    end(renderer)
    assert not path.exists()


@pytest.mark.parametrize("choice", ["auto", "opengl", "raster"])
def test_after_a_crash_opengl_stays_off_until_a_person_chooses_it(device: object, tmp_path: Path, choice: str) -> None:
    marker = tmp_path / room.MARKER_NAME
    marker.write_text(f"{ended_process()} 1\n", encoding="utf-8")
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


@pytest.mark.parametrize(
    ("choice", "had_gpu", "is_there", "is_expected"),
    [
        ("auto", True, True, True),
        ("auto", True, False, False),
        ("auto", False, True, False),
        ("raster", True, True, False),
        ("opengl", False, False, True),
    ],
)
def test_a_window_is_made_for_opengl_where_a_gpu_drew_last_time(device, choice, had_gpu, is_there, is_expected) -> None:
    device(is_there)
    renderer = room.Renderer(choice, had_gpu=had_gpu, ask=lambda: GPU)
    assert renderer.expects_opengl == is_expected
    assert renderer.has_gpu == had_gpu


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings" / room.MARKER_NAME


def test_no_trial_is_no_crash_and_neither_is_one_as_long_as_its_program_lives(path: Path) -> None:
    assert not room.CrashMarker(path).tells_of_a_crash
    room.CrashMarker(path).take_back()
    room.CrashMarker(path).forget()
    assert not path.exists()
    with living_trial(path) as trial:
        assert not room.CrashMarker(path).tells_of_a_crash
        trial.kill()
        if hasattr(os, "waitid"):
            # Nobody has asked how it ended: the system still lists it.
            os.waitid(os.P_PID, trial.pid, os.WEXITED | os.WNOWAIT)
            assert room.CrashMarker(path).tells_of_a_crash
    assert room.CrashMarker(path).tells_of_a_crash


def test_two_programs_try_and_one_crashes(path: Path) -> None:
    with living_trial(path):
        with living_trial(path):
            assert len(path.read_text(encoding="utf-8").splitlines()) == 2
            assert not room.CrashMarker(path).tells_of_a_crash
        assert room.CrashMarker(path).tells_of_a_crash
        room.CrashMarker(path).forget()
        assert not room.CrashMarker(path).tells_of_a_crash
        assert path.exists()


def test_what_was_noted_is_taken_back_once_and_alone(path: Path) -> None:
    with living_trial(path):
        others = path.read_text(encoding="utf-8")
        for _ in range(2):
            assert room.CrashMarker(path).note()
        assert len(path.read_text(encoding="utf-8").splitlines()) == 2
        room.CrashMarker(path).take_back()
        assert path.read_text(encoding="utf-8") == others


# The names stay the same in every process that collects them: OWN is the number of the one that runs the test.
@pytest.mark.parametrize("words", [b"", b"?", b"-1 5", b"0 0", b"\x00", b"OWN", b"OWN ", b"OWN 1", b"\xff\xfe"])
def test_words_that_name_no_living_program_are_a_crash(path: Path, words: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(words.replace(b"OWN", str(os.getpid()).encode()))
    assert room.CrashMarker(path).tells_of_a_crash
    room.CrashMarker(path).forget()
    assert not room.CrashMarker(path).tells_of_a_crash


@pytest.mark.skipif(not Path("/bin/ps").exists(), reason="there is no ps here: a start asked of it was not tested")
def test_where_there_is_no_proc_ps_is_asked(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "_PROC", tmp_path)
    assert room.CrashMarker(path).note()
    assert not room.CrashMarker(path).tells_of_a_crash
    assert started(os.getpid()) == started(os.getpid()) != ""
    assert started(ended_process()) == ""


def test_in_doubt_about_ones_own_start_a_trial_counts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "started", lambda _process: "")
    assert room.CrashMarker(path).note()
    assert room.CrashMarker(path).tells_of_a_crash
