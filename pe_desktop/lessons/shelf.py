"""The talks that there are: those that are shipped, and those that a person has put into a folder."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from pe_desktop.core.rules import shown
from pe_desktop.core.strict_json import names_in
from pe_desktop.files import file_content
from pe_desktop.lessons.talks import SCHEMA_KEY, Talk, talk_of
from pe_desktop.resources import LazyMapping, resource_path

LARGEST_FILE: Final = 1_000_000  # bytes
SUFFIX: Final = ".pe_talk.json"
# The nine lessons in their order, and what else is shipped.
LESSONS: Final = (
    "bag-of-words", "counter", "one-hand", "many-hands", "fast-and-slow",
    "step-is-a-turn", "what-distance-knows", "three-back", "added-or-turned",
)  # fmt: skip
OTHERS: Final = ("ten-minutes",)


class TalkError(ValueError):
    """A talk can't be opened; the message says which, and why, in one sentence."""


def read_talk(path: Path) -> Talk:
    """The talk in a file; TalkError with a sentence for whatever isn't one."""
    name = shown(path.name or path)
    try:
        return talk_of(names_in(file_content(path, LARGEST_FILE), "talk", SCHEMA_KEY))
    except ValueError as error:
        raise TalkError(f"{name} can't be opened: {str(error).removesuffix('.')}.") from error


@cache
def _shipped(key: str) -> Talk:
    return read_talk(resource_path("talks", f"{key}.json"))


def talks_in(folder: Path) -> Iterator[Talk | TalkError]:
    """The talks of a folder in the order of their names; an error for each file that is none. Nothing without it."""
    for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
        try:
            yield read_talk(path)
        except TalkError as error:
            yield error


SHIPPED: Final[Mapping[str, Talk]] = LazyMapping(lambda: {key: _shipped(key) for key in (*LESSONS, *OTHERS)})
# Those of a person, by their keys, as the window has found them beside its settings.
OWN: Final[dict[str, Talk]] = {}
TALKS_FOLDER: Final = "talks"
# Where they are kept, as the window was started; nowhere in a lab.
KEPT_IN: Final[list[Path]] = []


def take_own(folder: Path, *, keeps: bool) -> list[str]:
    """Add the talks of a folder to OWN, and let new ones be kept there; a sentence for each file that is none."""
    KEPT_IN[:] = [folder] if keeps else []
    found = [*talks_in(folder)]
    OWN.update({talk.key: talk for talk in found if isinstance(talk, Talk)})
    return [str(error) for error in found if isinstance(error, TalkError)]


def talk_named(key: str) -> Talk | None:
    """The talk of a key; of two with one key a person's own; None for one that there isn't, or that has no steps."""
    from pe_desktop.lessons.quiz import quiz_named  # noqa: PLC0415 - measures, which the first frame does not wait for

    found = OWN.get(key) or SHIPPED.get(key) or quiz_named(key)
    return found if found is not None and found.steps else None
