"""Languages: what is told in English, told in another language, by whole texts and by texts with numbers in them.

A catalogue has English texts and what stands for them. A text with other numbers than its own, written as #, or with
other texts within, written as {name}, stands for all such texts; what has no entry is told sentence by sentence, and
stays English where nothing is known.
"""

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from pe_desktop.resources import resource_json

# By code: what a language calls itself.
LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "es": "Español", "zh-Hans": "简体中文"}
ENGLISH: Final = "en"
# The files of a catalogue.
_PARTS: Final = ("lessons", "cards", "presets", "window")
# Languages that write a comma before decimals.
_WITH_COMMA: Final = ("es",)
_NUMBER: Final = re.compile(
    r"(?<![\w.])[−-]?\d+(?:[\u2009\u00a0 ]\d{3}(?!\d))*(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?:e-?\d+)?(?![\w]*[A-Za-z])"
)
_PLACE: Final = re.compile(r"\\{(\w+)\\}|\\?#")
_GIVEN: Final = re.compile(r"\{(\w+)\}")
# Where a text that has no entry is taken apart, the first of them that gives known parts.
_SEAMS: Final = ("\n", ". ", "; ", ": ", ", ", " · ")
# A file to which what has no entry is written, a line each; for who translates.
_MISSING: Final = os.environ.get("PE_DESKTOP_UNTRANSLATED", "")


class _Catalogue:
    """The texts of one language, with those that stand for many sorted by how they begin."""

    def __init__(self, code: str) -> None:
        self.code = code
        texts: dict[str, str] = {}
        for part in () if code == ENGLISH else _PARTS:
            texts |= resource_json(f"languages/{code}/{part}.json")
        self.texts = texts
        self._patterns = [
            (re.compile(_pattern(english), re.DOTALL), other) for english, other in texts.items() if "{" in english
        ]

    def told(self, text: str) -> str | None:
        """What stands for a text, None where nothing does."""
        found = self.texts.get(text)
        if found is not None:
            return found
        numbers = _NUMBER.findall(text)
        template = _NUMBER.sub("#", text)
        if numbers and (found := self.texts.get(template)) is not None:
            return _filled(found, [self.number(one) for one in numbers])
        if not re.search(r"[A-Za-z]{2}", template):
            return _NUMBER.sub(lambda number: self.number(number[0]), text)
        return self._by_pattern(text) or self._by_parts(text)

    def number(self, text: str) -> str:
        """A number as the language writes it."""
        return text.replace(".", ",") if self.code in _WITH_COMMA else text

    def _by_pattern(self, text: str) -> str | None:
        for pattern, other in self._patterns:
            match = pattern.fullmatch(text)
            if match is not None:
                inner = {name: self.told(part) or part for name, part in match.groupdict().items()}
                return _with_parts(other, inner)
        return None

    def _by_parts(self, text: str) -> str | None:
        """Each part by itself, where every one of them is known."""
        for seam in _SEAMS:
            parts = text.split(seam)
            if len(parts) > 1:
                told = [self.told(part) if part else "" for part in parts]
                known = [one for one in told if one is not None]
                if len(known) == len(told):
                    return seam.join(known)
        return None


def _pattern(english: str) -> str:
    return _PLACE.sub(lambda place: f"(?P<{place[1]}>.+?)" if place[1] else r"\S+", re.escape(english))


def _with_parts(text: str, parts: Mapping[str, str]) -> str:
    return _GIVEN.sub(lambda place: parts.get(place[1], place[0]), text)


def _filled(text: str, numbers: list[str]) -> str:
    """A text with its numbers: # one after the other, or {0}, {1} where a language has another order."""
    text = _GIVEN.sub(lambda place: numbers[int(place[1])] if place[1].isdigit() else place[0], text)
    rest = iter(numbers)
    return re.sub("#", lambda _place: next(rest, "#"), text)


_now = _Catalogue(ENGLISH)


def use(code: str) -> None:
    """Tell everything in one of LANGUAGES from now on: before anything is told, for texts are kept where they stand."""
    global _now  # noqa: PLW0603 - the one language of the process
    _now = _Catalogue(code)
    told.cache_clear()


def local_number(text: str) -> str:
    """A number as the language in use writes it."""
    return _now.number(text)


def current() -> str:
    """The code of the language in use."""
    return _now.code


@lru_cache(maxsize=16_384)
def told(text: str) -> str:
    """The text in the language in use; English itself where there is no entry."""
    if _now.code == ENGLISH or not text:
        return text
    found = _now.told(text)
    if found is None and _MISSING:
        with Path(_MISSING).open("a", encoding="utf-8") as file:
            file.write(repr(_NUMBER.sub("#", text)) + "\n")
    return text if found is None else found
