"""Which back end draws heat maps, why, and what is known of the graphics: one for the whole window."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from pe_desktop.plotting.crash_marker import CrashMarker
from pe_desktop.plotting.gl_probe import Graphics, has_graphics_device, probe

AUTO: Final = "auto"
RASTER: Final = "raster"
OPENGL: Final = "opengl"
RENDERERS: Final = (AUTO, RASTER, OPENGL)

# A second of smooth drawing: a driver that ends the program does so before.
GOOD_FRAMES: Final = 60

_NOT_ASKED: Final = "No heat map has been drawn yet."
_CHOSEN: Final = "Drawing with the CPU was chosen."
_NO_DEVICE: Final = "No graphics device was found."
_LATCHED: Final = "OpenGL ended the program when it was last tried."
_COMPLAINT: Final = (
    "The program ended when it last drew with the GPU, so the CPU draws. The chip beside a matrix's title tries again."
)


class Renderer(QObject):
    """Chooses between raster and OpenGL; whatever goes wrong with OpenGL ends with raster.

    A marker file stands from before the first OpenGL frame until some good ones have been drawn. Found at the start, it
    says that the program ended in between, unless the one that wrote it still runs: OpenGL stays off until a person
    chooses it again.
    """

    changed = Signal()

    def __init__(
        self,
        choice: str = AUTO,
        marker: Path | None = None,
        parent: QObject | None = None,
        had_gpu: bool = False,
        ask: Callable[[], Graphics] = probe,
    ) -> None:
        super().__init__(parent)
        self._choice = choice
        self._marker = None if marker is None else CrashMarker(marker)
        self._had_gpu = had_gpu
        self._ask = ask
        self._has_marked = False
        self._n_good_frames = 0
        self._checked: set[str] = set()
        self._is_decided = False
        self._graphics: Graphics | None = None
        self._is_latched = self._marker is not None and self._marker.tells_of_a_crash
        self.is_opengl = False
        self.why = _NOT_ASKED

    @property
    def choice(self) -> str:
        """auto, raster or opengl."""
        return self._choice

    @property
    def is_latched(self) -> bool:
        """Whether OpenGL is off because the program ended when it was last tried."""
        return self._is_latched and self._choice != RASTER

    @property
    def complaint(self) -> str:
        """A sentence for the window about a start that went wrong, or nothing."""
        return _COMPLAINT if self.is_latched else ""

    @property
    def expects_opengl(self) -> bool:
        """Whether OpenGL will probably draw: a window can be made for it before it is first seen."""
        may_draw = self._choice == OPENGL or (self._choice == AUTO and self._had_gpu and has_graphics_device())
        return may_draw and not self._is_latched

    @property
    def has_gpu(self) -> bool:
        """Whether a GPU draws; as long as none was looked for, whether one did when the program was last left."""
        if not self._is_decided:
            return self._had_gpu
        return self.is_opengl and self._graphics is not None and self._graphics.is_gpu

    @property
    def details(self) -> str:
        """What a person copies into a report."""
        if self._graphics is None:
            self._graphics = self._ask()
        drawing = "OpenGL" if self.is_opengl else "CPU"
        return f"Heat maps are drawn with: {drawing} (choice: {self._choice})\n{self.why}\n{self._graphics.details}"

    def decide(self) -> None:
        """Look what there is, once; a probe takes some 0.1 s."""
        if self._is_decided:
            return
        self._is_decided = True
        if self._choice == RASTER:
            self._take(False, _CHOSEN)
        elif self._is_latched:
            self._take(False, _LATCHED)
        elif self._choice == AUTO and self._graphics is None and not has_graphics_device():
            self._take(False, _NO_DEVICE)
        else:
            self._graphics = self._graphics or self._ask()
            is_wanted = self._graphics.has_opengl if self._choice == OPENGL else self._graphics.is_gpu
            self._take(is_wanted, self._graphics.why)

    def set_choice(self, choice: str) -> None:
        """Decide anew; a person who chooses ends the latch."""
        self._choice = choice
        self._is_latched = False
        self._has_marked = False
        if self._marker is not None:
            self._marker.forget()
        self._is_decided = False
        self._checked.clear()
        self._n_good_frames = 0
        self.decide()

    def is_checked(self, program: str) -> bool:
        """Whether a first picture of a shader has been found right."""
        return program in self._checked

    def note_check(self, program: str) -> None:
        """The first picture of a shader is right."""
        self._checked.add(program)

    def begin_frame(self) -> None:
        """OpenGL is about to draw."""
        if self._marker is not None and not self._has_marked and self._n_good_frames < GOOD_FRAMES:
            self._has_marked = self._marker.note()

    def end_frame(self) -> None:
        """It drew, and the program is still there."""
        self._n_good_frames += 1
        if self._n_good_frames == GOOD_FRAMES:
            self._unmark()

    def fail(self, sentence: str) -> None:
        """OpenGL did not do what it should: raster draws from now on."""
        self._unmark()
        self._take(False, sentence)

    def close(self) -> None:
        """An orderly end is no crash."""
        self._unmark()

    def _take(self, is_opengl: bool, why: str) -> None:
        self.is_opengl, self.why = is_opengl, why
        self.changed.emit()

    def _unmark(self) -> None:
        if self._marker is not None and self._has_marked:
            self._marker.take_back()
        self._has_marked = False
