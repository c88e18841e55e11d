"""Files that are written whole or not at all: the target is the old file or the new one, never half of one."""

import contextlib
import errno
import functools
import os
import platform
import shutil
import stat
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

SESSION_SUFFIX = ".pesession"
_NOTHING_WRITTEN = "Nothing was written."

_NEW_FILE_MODE = 0o666

# So many seconds after its last change an unfinished file that nobody holds is left over.
_RESTS = 60.0

_DISK_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}


class ExportError(ValueError):
    """A file could not be written; the target is as it was. The message is for the user; `sentence` is why."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence if sentence.endswith((".", "?")) else f"{sentence}."
        super().__init__(f"{self.sentence} {_NOTHING_WRITTEN}")


class UnreadableError(ValueError):
    """A file can't be read; the message is why, as the end of a sentence."""


class TargetExistsError(ExportError):
    """The file is there already, and replacing it was not asked for."""


def writable_target(path: Path, *, overwrite: bool) -> Path:
    """The file that a write to path will make or replace, links followed; ExportError if it can't or must not.

    Its folder loses what ended programs of this person left there unfinished.
    """
    try:
        target = Path(os.path.realpath(path))
        found = _status(target)
        folder = _status(target.parent)
    except OSError as error:
        raise ExportError(f"{path} can't be written: {_reason(error)}.") from error
    except ValueError as error:  # A zero byte, or letters that this system can't put into a name.
        raise ExportError(f"{str(path)!r} can't be the name of a file.") from error
    if folder is None:
        raise ExportError(f"The folder {target.parent} doesn't exist.")
    if not stat.S_ISDIR(folder.st_mode):
        raise ExportError(f"{target.parent} is not a folder.")
    if found is not None:
        _check_existing(path, target, found, overwrite=overwrite)
    _remove_unfinished(target.parent)
    return target


def check_free_space(target: Path, n_bytes: int, need: str) -> None:
    """ExportError if n_bytes don't fit beside what the target's folder holds; need says what needs them, in words."""
    try:
        free = shutil.disk_usage(target.parent).free
    except OSError:
        return  # Some network folders don't answer; a disk that is full later is still reported as full.
    if n_bytes > free:
        raise ExportError(f"{need} {bytes_in_words(n_bytes)} and {bytes_in_words(free)} are free in {target.parent}.")


@contextlib.contextmanager
def whole_file(target: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """A file to write into, which takes the target's place when the block ends well and vanishes when it doesn't.

    target is what writable_target returned. Raises ExportError for every failure of the disk, and for a target that
    appeared in the meantime unless overwrite.
    """
    # A short name of its own: a long target name plus an ending could exceed what the file system takes.
    temporary = target.with_name(f".pe-desktop-{_machine()}-{os.urandom(4).hex()}.part")
    try:
        yield from _write_and_publish(temporary, target, overwrite=overwrite)
    except OSError as error:
        raise ExportError(_sentence(error, target)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_small_file(path: Path, text: str) -> bool:
    """Write a text of the program's own, its folder made where it lacks; False where that is impossible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(writable_target(path, overwrite=True), overwrite=True) as file:
            file.write(text.encode("utf-8"))
    except (ExportError, OSError):
        return False
    return True


def file_content(path: Path, most: int) -> bytes:
    """The content of an ordinary file of at most so many bytes; UnreadableError for a pipe, a device and all others."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UnreadableError("it is not an ordinary file")
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise UnreadableError(_reason(error)) from error
    except UnreadableError:
        raise
    except ValueError as error:  # A zero byte, or letters that this system can't put into a name.
        raise UnreadableError("no file can have this name") from error
    if len(content) > most:
        raise UnreadableError(f"it is larger than {bytes_in_words(most)}")
    return content


def bytes_in_words(n_bytes: int) -> str:
    """A size with the unit a person would choose: 512 bytes, 32.9 kB, 41.0 GB (powers of ten)."""
    if n_bytes < 1000:
        return f"{n_bytes} bytes"
    size = float(n_bytes)
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if size < 999.95:
            return f"{size:.1f} {unit}"
    return f"{size / 1000:.1f} TB"


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _check_existing(path: Path, target: Path, found: os.stat_result, *, overwrite: bool) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise ExportError(f"{path} is a folder.")
    if not stat.S_ISREG(found.st_mode):  # Replacing a device such as /dev/null would take it from the whole system.
        raise ExportError(f"{path} is not an ordinary file.")
    if not overwrite:
        raise TargetExistsError(f"{path} exists already and stays as it is.")
    if not os.access(target, os.W_OK):
        raise ExportError(f"{path} is read-only.")


if sys.platform == "win32":
    import msvcrt

    def hold(file: BinaryIO) -> None:
        """Let `is_held` be true of a file until this process closes it, or ends in whatever way. Raises OSError."""
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def hold(file: BinaryIO) -> None:
        """Let `is_held` be true of a file until this process closes it, or ends in whatever way. Raises OSError."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_held(path: Path) -> bool:
    """Whether a living process holds a file; true where that can't be found out."""
    try:
        with path.open("rb+") as file:
            hold(file)
    except OSError:
        return True
    return False


@functools.cache
def _machine() -> str:
    """This machine, as it stands in the name of an unfinished file: not all that share a folder see who holds one."""
    name = platform.node()
    with contextlib.suppress(OSError):
        name += Path("/etc/machine-id").read_text(encoding="utf-8")
    return f"{zlib.crc32(name.encode()):08x}"


def _remove_unfinished(folder: Path) -> None:
    """Remove unfinished files of this machine and person that no process holds; in doubt a file stays."""
    for file in folder.glob(f".pe-desktop-{_machine()}-*.part"):
        with contextlib.suppress(OSError):  # Windows keeps a file that is open.
            found = file.lstat()
            is_ours = os.name != "posix" or found.st_uid == os.getuid()
            # One that was just made, or is about to get its name, isn't held.
            if is_ours and found.st_mtime < time.time() - _RESTS and not is_held(file):
                file.unlink()


def _write_and_publish(temporary: Path, target: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    old = _status(target) if overwrite else None
    mode = _NEW_FILE_MODE if old is None else stat.S_IMODE(old.st_mode) & 0o777
    # O_EXCL: the random name must not exist, not even as a link. The system takes the umask off the mode.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(temporary, flags, mode), "wb")
    try:
        with contextlib.suppress(OSError):  # Some network folders know no locks.
            hold(file)
        yield file
        file.flush()
        if old is not None:
            temporary.chmod(mode)  # What the umask took off, the old file had.
        os.fsync(file.fileno())
        file.close()
    except BaseException:
        with contextlib.suppress(OSError):  # Closing flushes, which fails again on a full disk.
            file.close()
        raise
    if overwrite:
        temporary.replace(target)
    else:
        _publish_new(temporary, target)
    _keep_folder_entry(target.parent)


def _publish_new(temporary: Path, target: Path) -> None:
    """Gives the finished file its name without ever replacing another file."""
    if os.name == "nt":
        temporary.rename(target)  # Refuses an existing target by itself.
        return
    try:
        target.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:  # FAT and some network folders know no hard links: look again, then rename.
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        temporary.rename(target)


def _keep_folder_entry(folder: Path) -> None:
    """Asks the disk to remember the new name through a power failure, where the system can do that."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):  # The file is complete and in place; some file systems refuse this request.
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _sentence(error: OSError, target: Path) -> str:
    if error.errno in _DISK_FULL:
        return f"The disk is full: {target.name} doesn't fit into {target.parent}."
    if isinstance(error, FileExistsError):
        return f"{target} appeared while the export ran and stays as it is."
    if isinstance(error, PermissionError) or error.errno == errno.EROFS:
        return f"The folder {target.parent} doesn't let {target.name} be written: {_reason(error)}."
    return f"{target} can't be written: {_reason(error)}."


def _reason(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
