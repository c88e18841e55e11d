r"""Formulas of more than one line: fractions, roots and matrices, broken where a panel is narrow.

\frac{a}{b}, \sqrt{a} and \matrix{a & b \\ c & d} may be mixed with the words and scripts of `typefaces.formula_runs`;
what a sum is over, Σ_i or Σ_{n=0}^{15}, stands below and above it.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from PySide6.QtGui import QColor

from pe_desktop.caches import told_cache
from pe_desktop.core.record import record
from pe_desktop.draw import marks
from pe_desktop.draw.typefaces import formula_runs, plain_formula
from pe_desktop.languages import told

_COMMAND: Final = re.compile(r"\\(?:frac|sqrt|matrix)|Σ_(?:\{([^{}]*)\}|(.))(?:\^\{([^{}]*)\})?")
# A line may end before these signs between blanks, but not within "for t = 37", and after a comma; scripts hold none.
_BREAK: Final = r"(?<![a-z]{2} [a-z])(?<!，[a-z]) (?=[=≠<>+−] )|(?<=[,;]) +"
_N_ARGUMENTS: Final = {"frac": 2, "sqrt": 1, "matrix": 1}
_SMALLEST: Final = 7
# Shares of the size of the letters: room above and below the middle of small ones, insides of fractions, gaps.
_ABOVE, _BELOW, _INSIDE = 0.62, 0.6, 0.88
_ROW_GAP, _COLUMN_GAP, _LINE_GAP = 0.12, 0.7, 0.2
_SUM, _LIMITS = 1.3, 0.72
_INDENT: Final = 18.0


@record
class _Command:
    name: str
    arguments: tuple[str, ...]


# Words, or a command.
_Atom: TypeAlias = str | _Command
# Point at the middle of the small ones, text, size, and the share of the width that lies before the point, which stays
# there in letters of another width.
_Letters: TypeAlias = tuple[float, float, str, int, float]


class _Laid(NamedTuple):
    """Letters and lines of a part, from its left end and the middle of its small letters."""

    width: float
    above: float
    below: float
    letters: tuple[_Letters, ...] = ()
    lines: tuple[tuple[tuple[float, float], ...], ...] = ()


_NOTHING: Final = _Laid(0.0, 0.0, 0.0)


def formula_block(x: float, y: float, formula: str, pixels: int, width: float, color: QColor) -> marks.Picture:
    """The marks of a formula no wider than that, y its upper edge.

    A line that is too long is broken before a sign; what can't be broken is set smaller.
    """
    laid = _block(formula, pixels, width)
    letters = [
        marks.FormulaText(x + across, y + laid.above + middle, text, size, color, share)
        for across, middle, text, size, share in laid.letters
    ]
    corner = np.array((x, y + laid.above))
    lines = [marks.Polyline(np.array(points) + corner, color, 1.2) for points in laid.lines]
    return (*letters, *lines)


def formula_height(formula: str, pixels: int, width: float) -> float:
    """The height of a formula that is no wider than that."""
    laid = _block(formula, pixels, width)
    return laid.above + laid.below


@told_cache(512)
def formula_width_of(formula: str, pixels: int) -> float:
    """How wide a formula is on one line."""
    return _row(_atoms(told(formula)), pixels).width


def plain_block(formula: str) -> str:
    """The formula as plain text: (a)/(b), √(a), [a b; c d]."""
    words = []
    for atom in _atoms(formula):
        if isinstance(atom, str):
            words.append(plain_formula(atom))
        elif atom.name == "sum":
            below, above = atom.arguments
            words.append(plain_formula(f"Σ_{{{below}}}{f'^{{{above}}}' if above else ''}"))
        elif atom.name == "matrix":
            rows = [" ".join(map(plain_block, row)) for row in _cells(atom)]
            words.append(f"[{'; '.join(rows)}]")
        else:
            inner = "/".join(f"({plain_block(argument)})" for argument in atom.arguments)
            words.append(inner if atom.name == "frac" else f"√{inner}")
    return "".join(words)


@told_cache(512)
def _block(formula: str, pixels: int, width: float) -> _Laid:
    """All lines below each other in the largest letters that fit; above is the room over the first one's middle."""
    for size in range(pixels, _SMALLEST - 1, -1):
        chunks = _chunks(told(formula))
        widest = max(_row(chunk, size).width for chunk in chunks)
        if size == _SMALLEST or widest <= width - (_INDENT if len(chunks) > 1 else 0.0):
            break
    result, *lines = _filled(_held(chunks, size, width - _INDENT), size, width)
    for line in lines:
        result = _beside(result, line, _INDENT, result.below + (line.above + _LINE_GAP * size))
    return result


def _held(chunks: Sequence[list[_Atom]], pixels: int, room: float) -> list[list[_Atom]]:
    """The same, those within brackets in one where they have room: else a line ends within them, as late as it may."""
    held = list[list[_Atom]]()
    depth = 0
    for chunk in chunks:
        if depth > 0 and _row(longer := _with_blank(held[-1], chunk), pixels).width <= room:
            held[-1] = longer
        else:
            held.append(chunk)
        depth += sum(atom.count("(") - atom.count(")") for atom in chunk if isinstance(atom, str))
    return held


def _filled(chunks: Sequence[list[_Atom]], pixels: int, width: float) -> list[_Laid]:
    lines: list[list[_Atom]] = []
    for chunk in chunks:
        room = width - (_INDENT if len(lines) > 1 else 0.0)
        longer = _with_blank(lines[-1], chunk) if lines else chunk
        if lines and _row(longer, pixels).width <= room:
            lines[-1] = longer
        else:
            lines.append(chunk)
    return [_row(line, pixels) for line in lines]


def _with_blank(one: list[_Atom], other: list[_Atom]) -> list[_Atom]:
    """Parts beside each other; words that meet are one text, which holds together in any typeface."""
    last = one[-1]
    first = other[0]
    if isinstance(last, str) and isinstance(first, str):
        return [*one[:-1], f"{last} {first}", *other[1:]]
    return [*one, " ", *other]


def _chunks(formula: str) -> list[list[_Atom]]:
    """The parts between which a line may end."""
    chunks: list[list[_Atom]] = [[]]
    for atom in _atoms(formula):
        if isinstance(atom, _Command):
            chunks[-1].append(atom)
            continue
        first, *others = re.split(_BREAK, atom)
        if first.strip() or (first and chunks[-1]):
            chunks[-1].append(first)
        chunks += [[other] if other.strip() else [] for other in others]
    return [chunk for chunk in chunks if chunk]


@told_cache(1024)
def _atoms(formula: str) -> tuple[_Atom, ...]:
    atoms: list[_Atom] = []
    place = 0
    while place < len(formula):
        found = _COMMAND.search(formula, place)
        end = found.start() if found else len(formula)
        if end > place:
            atoms.append(formula[place:end])
        place = end
        if found:
            place = found.end()
            if found[0].startswith("Σ"):
                atoms.append(_Command("sum", (found[1] or found[2], found[3] or "")))
                continue
            arguments: list[str] = []
            for _ in range(_N_ARGUMENTS[found[0].lstrip("\\")]):
                argument, place = _argument(formula, place)
                arguments.append(argument)
            atoms.append(_Command(found[0].lstrip("\\"), tuple(arguments)))
    return tuple(atoms)


def _argument(formula: str, start: int) -> tuple[str, int]:
    """The text in the braces that open at start, and where they end."""
    depth = 0
    for place in range(start, len(formula)):
        depth += {"{": 1, "}": -1}.get(formula[place], 0)
        if depth == 0:
            return formula[start + 1 : place], place + 1
    raise ValueError(f"{formula} has a brace that is not closed")


def _cells(command: _Command) -> list[list[str]]:
    return [[cell.strip() for cell in row.split("&")] for row in command.arguments[0].split("\\\\")]


def _row(atoms: Sequence[_Atom], pixels: int, share: float = 0.0) -> _Laid:
    """Parts beside each other; share: of words alone, how much of their width lies before their point.

    Words that meet a fraction, a root or a matrix have their point there.
    """
    result = _Laid(0.0, _ABOVE * pixels, _BELOW * pixels)
    for place, atom in enumerate(atoms):
        if len(atoms) > 1:
            share = 0.0 if place == len(atoms) - 1 else 0.5 if place else 1.0
        laid = _words(atom, pixels, share) if isinstance(atom, str) else _laid(atom, pixels)
        result = _beside(result, laid, result.width)
    return result


def _words(text: str, pixels: int, share: float) -> _Laid:
    wide = formula_runs(text, pixels)[1]
    return _Laid(wide, _ABOVE * pixels, _BELOW * pixels, ((share * wide, 0.0, text, pixels, share),))


def _laid(atom: _Command, pixels: int) -> _Laid:
    if atom.name == "frac":
        return _fraction(atom.arguments, pixels)
    if atom.name == "sum":
        return _sum(atom.arguments, pixels)
    return _root(atom.arguments[0], pixels) if atom.name == "sqrt" else _matrix(_cells(atom), pixels)


def _sum(limits: tuple[str, ...], pixels: int) -> _Laid:
    """The sign of a sum, larger than letters, with what it is over below and above it."""
    sign = _words("∑", round(_SUM * pixels), 0.5)
    size = max(round(_LIMITS * pixels), _SMALLEST)
    below, above = (_row(_atoms(limit), size, 0.5) for limit in limits)
    width = max(sign.width, below.width, above.width)
    result = _beside(_NOTHING, sign, (width - sign.width) / 2)
    result = _beside(result, below, (width - below.width) / 2, sign.below + below.above)
    return _beside(result, above, (width - above.width) / 2, -sign.above - above.below) if limits[1] else result


def _fraction(parts: tuple[str, ...], pixels: int) -> _Laid:
    size = max(round(_INSIDE * pixels), _SMALLEST)
    over, under = (_row(_atoms(part), size, 0.5) for part in parts)
    width = max(over.width, under.width) + 6.0
    top = _beside(_NOTHING, over, (width - over.width) / 2, -over.below - 1.0)
    both = _beside(top, under, (width - under.width) / 2, under.above + 1.0)
    return _Laid(width, both.above, both.below, both.letters, (*both.lines, ((1.0, 0.0), (width - 1.0, 0.0))))


def _root(inside: str, pixels: int) -> _Laid:
    inner = _row(_atoms(inside), pixels, 0.5)
    sign = 0.6 * pixels
    top = -inner.above - 1.0
    line = ((0.0, 1.0), (0.25 * sign, -1.0), (0.6 * sign, inner.below), (sign, top), (sign + inner.width + 3.0, top))
    moved = _beside(_NOTHING, inner, sign + 1.0)
    return _Laid(sign + inner.width + 4.0, inner.above + 2.0, inner.below, moved.letters, (*moved.lines, line))


def _matrix(cells: Sequence[Sequence[str]], pixels: int) -> _Laid:
    laid = [[_row(_atoms(cell), pixels, 0.5) for cell in row] for row in cells]
    gap = _ROW_GAP * pixels
    between = _COLUMN_GAP * pixels
    widths = [max(cell.width for cell in column) for column in zip(*laid, strict=True)]
    heights = [(max(cell.above for cell in row), max(cell.below for cell in row)) for row in laid]
    tall = sum(above + below for above, below in heights) + gap * (len(laid) - 1)
    result = _Laid(0.0, tall / 2, tall / 2)
    top = -tall / 2
    side = 0.5 * pixels
    for row, (above, below) in zip(laid, heights, strict=True):
        left = side
        for cell, wide in zip(row, widths, strict=True):
            result = _beside(result, cell, left + (wide - cell.width) / 2, top + above)
            left += wide + between
        top += above + below + gap
    width = sum(widths) + between * (len(widths) - 1) + 2 * side
    half = tall / 2 - 1.0
    inward = 0.15 * pixels
    brackets = tuple(
        ((x + turn, -half), (x, -half), (x, half), (x + turn, half))
        for x, turn in ((3.0, inward), (width - 3.0, -inward))
    )
    return _Laid(width, tall / 2, tall / 2, result.letters, (*result.lines, *brackets))


def _beside(laid: _Laid, part: _Laid, x: float, y: float = 0.0) -> _Laid:
    """What is laid, and a part so far to the right and down."""
    letters = [(across + x, middle + y, text, size, share) for across, middle, text, size, share in part.letters]
    lines = [tuple([(across + x, down + y) for across, down in line]) for line in part.lines]
    return _Laid(
        max(laid.width, part.width + x),
        max(laid.above, part.above - y),
        max(laid.below, part.below + y),
        (*laid.letters, *letters),
        (*laid.lines, *lines),
    )
