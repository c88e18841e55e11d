"""Names and values of a file in JSON, read from any bytes without harm; what readers take otherwise is refused."""

import json
import re
from math import isfinite
from typing import Any, Final, NoReturn

from pe_desktop.core.rules import shown

_DEEPEST: Final = 20
_LARGEST_INTEGER: Final = 2**53  # beyond, other readers of JSON lose digits
# A string, ended or not, hides what looks like a bracket in it.
_STRING_OR_BRACKET: Final = r'"(?:[^"\\]|\\.)*"?|[\[{\]}]'


def names_in(content: bytes, what: str, key: str) -> dict[str, Any]:
    """The names and values of a session or a talk, among them a key; ValueError with the end of a sentence."""
    try:
        # Some editors put a byte order mark before the text.
        text = content.decode("utf-8-sig")
        _check_depth(text)
        stored = json.loads(
            text,
            object_pairs_hook=_without_twins,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_moderate,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not a {what}, for it is no text in UTF-8") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"it is damaged or not a {what} ({where}: {error.msg.lower()})") from error
    if not isinstance(stored, dict) or key not in stored:
        raise ValueError(f"it is not a {what}, for it has no {key}")
    return stored


def _check_depth(text: str) -> None:
    depth = 0
    for token in re.finditer(_STRING_OR_BRACKET, text, re.DOTALL):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > _DEEPEST:
            raise ValueError(f"it is nested more than {_DEEPEST} deep")


def _without_twins(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    stored: dict[str, Any] = {}
    for key, value in entries:
        if key in stored:
            raise ValueError(f"{shown(key)} stands in it twice")
        stored[key] = value
    return stored


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number that a file may hold")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(f"{shown(digits)} is too large")
    return number


def _moderate(digits: str) -> int:
    # The length comes first: Python refuses thousands of digits in words of its own.
    if len(digits) > len(str(_LARGEST_INTEGER)) + 1 or abs(int(digits)) > _LARGEST_INTEGER:
        raise ValueError(f"{shown(digits)} is too large")
    return int(digits)
