"""The typefaces, the widths of texts, and formulas with sub- and superscripts."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

from pe_desktop.caches import told_cache
from pe_desktop.core.number_text import NO_BREAK, held_together
from pe_desktop.languages import current, keep, local_formula, told
from pe_desktop.resources import resource_json, resource_path

# What has the signs that the typefaces of Latin letters lack, by language: its family and its files.
_SIGNS: Final = {"zh-Hans": ("Noto Sans SC Subset", "NotoSansSC-Regular.otf", "NotoSansSC-Bold.otf")}

# The role of programs, in a face of letters of one width.
CODE = "code"
# Role: pixel size at 100 %, weight. Whole pixels: points would follow the dots per inch that X11 claims.
ROLES: Final[dict[str, tuple[int, QFont.Weight]]] = {
    role: (size, QFont.Weight(weight)) for role, (size, weight) in resource_json("tokens.json")["roles"].items()
}

# Figures are of equal width in both typefaces: a number that changes is measured once.
_ALIKE = str.maketrans("123456789", "000000000")


def load_typefaces() -> None:
    """Load the bundled typefaces of the language in use into Qt; where one can't be loaded, Qt takes the system's."""
    _, *signs = _SIGNS.get(current(), ("",))
    for name in (*(f"{name}.ttf" for name in resource_json("tokens.json")["font_files"]), *signs):
        _load(name)


@cache
def _load(name: str) -> None:
    """Give Qt its bytes: with files, the order of fonts in a PDF would follow the folder of the installation."""
    QFontDatabase.addApplicationFontFromData(resource_path("fonts", name).read_bytes())


def families(*latin: str) -> list[str]:
    """The typefaces of a text: those of Latin letters, and after them that of the signs of the language in use."""
    return [*latin, *_SIGNS.get(current(), ())[:1]]


@told_cache()
def text_font(role: str) -> QFont:
    """The font of a role of ROLES, with figures of equal width."""
    size, weight = ROLES[role]
    if role == CODE:
        # No first frame needs it.
        _load("JetBrainsMono-Regular.ttf")
    font = QFont(families("JetBrains Mono" if role == CODE else "Inter"))
    font.setPixelSize(size)
    font.setWeight(weight)
    # Without ligatures: a program is read letter by letter.
    font.setFeature(QFont.Tag("calt" if role == CODE else "tnum"), 0 if role == CODE else 1)
    return font


# A role of ROLES, or the pixels of a formula's font and whether it is italic.
Face: TypeAlias = str | tuple[int, bool]


@told_cache()
def face_font(face: Face) -> QFont:
    """The font of a role, or the serif font of formulas."""
    if isinstance(face, str):
        return text_font(face)
    # The second has the signs that the first lacks.
    font = QFont(families("STIX Two Text", "STIX Two Math"))
    font.setPixelSize(face[0])
    font.setItalic(face[1])
    return font


def badge_half_width(radius: float, label: str) -> float:
    """Half the width of a badge: a disc for one or two digits, a pill for more."""
    return radius if len(label) <= 2 else max(text_width("badge", label) / 2 + 5.0, radius)


def text_width(role: str, text: str) -> float:
    """How wide a line of text is in the language in use, in pixels at 100 %."""
    return _told_width(role, text if role == CODE else told(text))


@told_cache(4096)
def _told_width(role: str, text: str) -> float:
    return _width(role, text.translate(_ALIKE))


@told_cache(8192)
def _width(face: Face, text: str) -> float:
    return QFontMetricsF(face_font(face)).horizontalAdvance(text)


def fitting(role: str, forms: Sequence[str], room: float) -> str:
    """The first of some forms of a text that is no wider than a room in pixels, else the last one."""
    for form in forms:
        if text_width(role, form) <= room:
            return form
    return forms[-1]


# With the blanks after it, and with the commas and brackets that belong to it.
_SIGN: Final = r"\u3000-\u9fff\uff00-\uffef"
_WORD: Final = re.compile(rf"[（《“]*(?:[{_SIGN}]|[^ {_SIGN}]+)[，。、；：？！）》”]* *")


def _line(words: Sequence[str]) -> str:
    return "".join(words).rstrip(" ")


def wrapped(role: str, text: str, width: float, most_lines: int) -> list[str]:
    """The text in lines no wider than that; a cut text ends in an ellipsis, and 0 lines hold nothing.

    Lines end at blanks alone, and not within a number; in Chinese after any sign, but not before a comma.
    """
    text = told(text)
    lines: list[str] = []
    words = [word.replace(NO_BREAK, " ") for word in _WORD.findall(re.sub(" +", " ", held_together(text)))]
    while words and len(lines) < most_lines:
        count = len(words)
        if _told_width(role, _line(words)) > width:
            count = 1 + bisect_right(range(2, count), width, key=lambda some: _told_width(role, _line(words[:some])))
        lines.append(_line(words[:count]))
        words = words[count:]
    if lines and (words or _told_width(role, lines[-1]) > width):
        line = f"{lines[-1]} {_line(words)}"
        metrics = QFontMetricsF(text_font(role))
        lines[-1] = metrics.elidedText(line, Qt.TextElideMode.ElideRight, width)
    return [keep(line) for line in lines] if lines != [text] else lines


_SCRIPT_SCALE = 0.72
# Half the height of a small x above the baseline, as a share of the type size.
FORMULA_MIDDLE = 0.24

# Words of several Latin letters (sin, cos, PE) and the signs of sums and products stand upright, single and Greek
# letters are variables; _x, _{..}, ^{..} are scripts.
_TOKEN = re.compile(r"(?P<script>[_^])(?:\{(?P<long>[^}]*)\}|(?P<one>.))|[^_^]+")
# Scripts, and signs that join several terms: read aloud, these need parentheses.
_BRACED, _TERMS = r"\{([^{}]*)\}", r"(?<=.)[ +/·−]"
_PART = re.compile(r"[A-Za-zÀ-ÖØ-öø-ɏ\u3400-\u9fff]+|[^\W\d_]|[\d.,\u2009]+|\W+|_")


class _Run(NamedTuple):
    """A stretch of a formula in one style, at its place from the left end and the baseline."""

    text: str
    is_italic: bool
    pixels: int
    x: float
    rise: float


def formula_runs(formula: str, pixels: int) -> tuple[tuple[_Run, ...], float]:
    """The runs of a formula, its numbers as the language in use writes them, and its width in pixels."""
    return _local_runs(local_formula(formula), pixels)


@told_cache(2048)
def _local_runs(formula: str, pixels: int) -> tuple[tuple[_Run, ...], float]:
    runs: list[_Run] = []
    x = 0.0
    for text, is_italic, script in _pieces(formula):
        size = pixels if script == "" else round(pixels * _SCRIPT_SCALE)
        rise = {"": 0.0, "_": -0.20, "^": 0.36}[script] * pixels
        runs.append(_Run(text, is_italic, size, x, rise))
        x += _width((size, is_italic), text.translate(_ALIKE))
    return tuple(runs), x


def plain_formula(formula: str) -> str:
    """The formula as plain text for tooltips and screen readers: t^2, 10^(−2i/32)."""
    return re.sub(_BRACED, lambda braced: f"({braced[1]})" if re.search(_TERMS, braced[1]) else braced[1], formula)


def _pieces(formula: str) -> Iterator[tuple[str, bool, str]]:
    """The parts of a formula of one style, whether they are italic, and of which kind of script."""
    for match in _TOKEN.finditer(formula):
        script = match["script"] or ""
        inner = (match["long"] if match["long"] is not None else match["one"]) if script else match[0]
        for part in _PART.findall(inner):
            is_italic = len(part) == 1 and part.isalpha() and part not in "ΣΠ" and part < "\u3400"
            yield part, is_italic, script
