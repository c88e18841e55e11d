"""Languages: what is told in English, told in another language, by whole texts and by texts with numbers in them.

A catalogue has English texts and what stands for them. A text with other numbers than its own, written as #, or with
other texts within, written as {name}, stands for all such texts; what has no entry is told line by line and sentence by
sentence, and stays English where nothing is known. Numbers go where # stands, or {0}, {1} in another order.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import count
from pathlib import Path
from typing import Any, Final, cast

from pe_desktop.caches import forget_told, told_cache
from pe_desktop.resources import resource_json

# By code: what a language calls itself.
LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "es": "Español", "zh-Hans": "简体中文"}
ENGLISH: Final = "en"
# The files of a catalogue.
_PARTS: Final = ("lessons", "cards", "presets", "window")
# Languages that write a comma before decimals.
_WITH_COMMA: Final = ("es",)
# What a language writes at seams and at the end of a sentence.
_SIGNS: Final[Mapping[str, Mapping[str, str]]] = {
    "zh-Hans": {". ": "。", "; ": "；", ": ": "：", ", ": "，", ".": "。"}
}
_NUMBER: Final = re.compile(
    # Those of sections and of texts stay.
    r"(?<!Breakdown, )(?<!Need, )(?<!section )(?<!arXiv )(?<!Breakdown, \d\.\d and )"
    r"(?<![\w.])[−-]?\d+(?:[\u2009\u00a0 ]\d{3}(?!\d))*(?:\.\d+)?(?:×10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?(?:e-?\d+)?(?![\w]*[A-Za-z])"
)
_SLOT: Final = re.compile(f"#|{_NUMBER.pattern}")
# What stands for a number while a text is looked up, from the first on: of Unicode's letters for private use.
_FIRST_SIGN: Final = 0xE000
_SIGN: Final = re.compile("[#\ue000-\uf8ff]")
# A number that stands in what is told, # or {0}.
_LOCAL: Final = re.compile(
    r"\{(\d+)\}|#|(?<![\w.,{])[−-]?\d+(?:[\u2009\u00a0 ]\d{3}(?!\d))*(?:[.,]\d+)?(?![\w]*[A-Za-z}])"
)
_NO_BREAK: Final = "\u00a0"
_GIVEN: Final = re.compile(r"\{([A-Za-z]\w*)\}")
# Not an index, as of ω_it.
_WORD: Final = re.compile(r"(?<![\w^])[A-Za-z]{2,}")
# Where a text that has no entry is taken apart, the first of them that gives known parts.
_SEAMS: Final = (". ", "; ", ": ", ", ", " · ")
# A file to which what has no entry is written, a line each; for who translates.
_MISSING: Final = os.environ.get("PE_DESKTOP_UNTRANSLATED", "")


class _Catalogue:
    """The texts of one language. A text is looked up with signs for its numbers: moving numbers cost nothing."""

    def __init__(self, code: str) -> None:
        self.code = code
        texts: dict[str, str] = {}
        for part in () if code == ENGLISH else _PARTS:
            texts |= resource_json(f"languages/{code}/{part}.json")
        self.texts = texts
        self._signs = _SIGNS.get(code, {})
        self._stop = self._signs.get(".", ".")
        # Words that are the same in every language.
        self._names = frozenset(resource_json("languages/names.json") if texts else ())
        # By texts with # for their numbers: the English ones.
        self._templates: dict[str, str] = {}
        # Those with texts within, the longest first, by their first word or else their last one.
        self._patterns: dict[str, list[tuple[str, str]]] = {}
        for english in sorted(texts, key=len, reverse=True):
            template = _NUMBER.sub("#", english)
            if _GIVEN.search(template) is not None:
                form = template.removesuffix(".")
                key = next((key for key in _keys(form) if "{" not in key), "…")
                self._patterns.setdefault(key, []).append((form, english))
            elif template == english or template not in self._templates:
                self._templates[template] = english
        self.found = lru_cache(maxsize=65_536)(self._found)

    def told(self, text: str) -> str | None:
        """What stands for a text, None where nothing does."""
        found = self.texts.get(text)
        if found is not None:
            return found
        if "\n" in text:
            return "\n".join(map(told, text.split("\n")))
        signs = count(_FIRST_SIGN)
        template = _NUMBER.sub(lambda _number: chr(next(signs)), text)
        found = self.found(template) or self.found(template, is_nearly=True)
        numbers = enumerate(map(self.number, _NUMBER.findall(text)), _FIRST_SIGN)
        return found and found.translate(dict(numbers))

    def number(self, text: str) -> str:
        """A number as the language writes it."""
        return text.replace(".", ",") if self.code in _WITH_COMMA else text

    def _found(self, template: str, *, is_nearly: bool = False) -> str | None:
        """What stands for a text with signs for its numbers, with the same signs in their places.

        Nearly: texts within that are not known stay as they are.
        """
        plain = _SIGN.sub("#", template)
        found = self._entry(template, plain)
        if found is not None:
            return found
        if self._needs_none(template, plain):
            return template
        if template.endswith("."):
            found = self.found(template[:-1], is_nearly=is_nearly)
            return found and found + self._stop
        if _NO_BREAK in template:
            found = self.found(template.replace(_NO_BREAK, " "), is_nearly=is_nearly)
            return found if found is None or " " in template else found.replace(" ", _NO_BREAK)
        return self._by_pattern(template, plain, is_nearly) or self._by_parts(template, is_nearly)

    def _needs_none(self, template: str, plain: str) -> bool:
        """Whether it is told already, a quotation, or has no words but names."""
        is_quoted = template.startswith("“") and template.endswith("”") and template.count("“") == 1
        is_named = plain in self._names or all(word in self._names for word in _WORD.findall(template))
        return plain in _known or is_quoted or is_named

    def _entry(self, template: str, plain: str) -> str | None:
        """That of the text itself, of the text with a full stop, or with another first letter."""
        for text in (plain, plain[:1].swapcase() + plain[1:]):
            english = self._templates.get(text) or self._templates.get(text + ".")
            if english is not None:
                found = self._with_numbers(english, _SIGN.findall(template))
                found = found if not english.endswith(".") or text.endswith(".") else found.removesuffix(self._stop)
                return found if text is plain else _with_case(found, plain)
        return None

    def _with_numbers(self, english: str, signs: Sequence[str]) -> str:
        """What stands for an entry, with signs for the numbers of the English text; its own {0} counts # alone."""
        left = [(self.number(slot), sign) for slot, sign in zip(_SLOT.findall(english), signs, strict=False)]
        own = [sign for slot, sign in left if slot == "#"]

        def place(number: re.Match[str]) -> str:
            if number[1]:
                return dict(enumerate(own)).get(int(number[1]), number[0])
            same = next((one for one in left if one[0] == number[0]), ("", number[0]))
            if same in left:
                left.remove(same)
            return same[1]

        return _LOCAL.sub(place, self.texts[english])

    def _by_pattern(self, template: str, plain: str, is_nearly: bool) -> str | None:
        """By texts with texts within, where those are known."""
        for key in (*_keys(plain), "…"):
            for form, english in self._patterns.get(key, ()):
                if (match := _pattern(form).fullmatch(template)) is not None:
                    leaves = is_nearly and _WORD.search(_GIVEN.sub("", form)) is not None
                    if (told := self._with_inner(match.groupdict(), english, leaves)) is not None:
                        return told
        return None

    def _with_inner(self, given: dict[str, str], english: str, leaves: bool) -> str | None:
        """A text with what it has within; None where that is not known, unless it may be left as it is."""
        for name, text in given.items():
            if name[0] != "_":
                told = self.found(text, is_nearly=leaves)
                if told is None and not leaves:
                    return None
                given[name] = told or text
        other = self._with_numbers(english, [text for name, text in given.items() if name[0] == "_"])
        other = other.removesuffix(self._stop) if english.endswith(".") else other
        return _GIVEN.sub(lambda place: given[place[1]], other)

    def _by_parts(self, template: str, is_nearly: bool) -> str | None:
        """What stands for a beginning and for the rest, where both are known; the longest beginning first."""
        for seam in _SEAMS:
            end = template.rfind(seam)
            while end >= 0:
                rest = self.found(template[end + len(seam) :], is_nearly=is_nearly)
                head = rest and self.found(template[:end], is_nearly=is_nearly)
                if rest and head:
                    return f"{head}{self._signs.get(seam, seam)}{rest}"
                end = template.rfind(seam, 0, end)
        return None


def _keys(template: str) -> tuple[str, str]:
    """Under which a pattern of such a text stands: its first word, or its last one."""
    words = template.split(" ")
    return words[0], f"… {words[-1]}"


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """What a text must be to have others in the places {name}; its own numbers are _0, _1."""
    numbers, known = count(), set[str]()
    pieces: list[str] = []
    for place, piece in enumerate(_GIVEN.split(template)):
        if place % 2:
            pieces.append(f"(?P={piece})" if piece in known else f"(?P<{piece}>.+?)")
            known.add(piece)
        else:
            pieces.append(re.sub(r"\\#", lambda _sign: f"(?P<_{next(numbers)}>{_SIGN.pattern})", re.escape(piece)))
    return re.compile("".join(pieces))


def _with_case(text: str, example: str) -> str:
    return (text[0].upper() if example[0].isupper() else text[0].lower()) + text[1:]


# What has been told already, which stays as it is when it is told again, also with other numbers.
_known: set[str] = set()
_now = _Catalogue(ENGLISH)


def use(code: str) -> None:
    """Tell everything in one of LANGUAGES from now on; what widgets show was told before, and stays."""
    global _now  # noqa: PLW0603 - the one language of the process
    _now = _Catalogue(code)
    _known.clear()
    forget_told()


def local_number(text: str) -> str:
    """A number as the language in use writes it."""
    return _now.number(text)


def read_number(text: str) -> str:
    """A number, or a list of them, that was typed as the language in use writes it, with points."""
    return re.sub(r"(?<=\d),(?=\d)", ".", text) if _now.code in _WITH_COMMA else text


def local_formula(text: str) -> str:
    """A formula or a part of one with its decimals as the language in use writes them."""
    return re.sub(r"(?<=\d)\.(?=\d)", ",", text) if _now.code in _WITH_COMMA else text


def current() -> str:
    """The code of the language in use."""
    return _now.code


def keep(text: str) -> str:
    """Leave a text as it is from now on: a line of a text that has been told. Return it."""
    if _now.code != ENGLISH:
        if len(_known) > 65_536:
            _known.clear()
        _known.update((text, _NUMBER.sub("#", text)))
    return text


def briefly(text: str) -> str:
    """The text in the language in use, in the shorter form that the catalogue has for narrow places, if any."""
    return keep(_now.texts.get(f"{text} (short)") or told(text))


def leave(words: Iterable[str]) -> None:
    """Leave words as they are from now on, also within texts: those of a sentence, which are in its own language."""
    if new := [word for word in words if word not in _known]:
        for word in new:
            keep(word)
        # What had no entry is looked up anew.
        _now.found.cache_clear()
        cast("Any", told).cache_clear()


@told_cache(16_384)
def told(text: str) -> str:
    """The text in the language in use; English itself where there is no entry."""
    if _now.code == ENGLISH or not text or text in _known:
        return text
    found = _now.told(text)
    if found is None and _MISSING:
        with Path(_MISSING).open("a", encoding="utf-8") as file:
            file.write(repr(_NUMBER.sub("#", text)) + "\n")
    return text if found is None else keep(found)
