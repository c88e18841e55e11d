"""What the window says in other languages: all of it is told and has its room; talks have the same numbers."""

import re
import subprocess
import sys
from collections import Counter

import pytest

from pe_desktop import languages
from pe_desktop.resources import resource_json
from tests.languages.strings import data_strings

OTHERS = [code for code in languages.LANGUAGES if code != languages.ENGLISH]
PLACE = re.compile(r"\{[^}]*\}")
# A group of three digits stands behind a thin, a narrow or a fixed blank.
GROUPS = re.compile("(?<=\\d)[\u2009\u202f\u00a0 ](?=\\d{3}(?!\\d))")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def numbers(text: str) -> Counter[str]:
    """The numbers that stand in a text itself, each as often as it does, with points as decimal signs."""
    return Counter(one.replace(",", ".") for one in NUMBER.findall(GROUPS.sub("", PLACE.sub(" ", text))))


@pytest.mark.parametrize("code", [*languages.LANGUAGES])
def test_the_window_tells_everything_and_cuts_nothing_at_1280_by_720(code: str) -> None:
    """Every state of the golden pictures, step of a lesson and preset, in a process of its own."""
    collected = [sys.executable, "-m", "tests.languages.collect", code, "1280", "720"]
    found = subprocess.run(collected, capture_output=True, text=True, timeout=900, check=False)
    assert (found.stdout, found.returncode) == ("", 0), found.stderr[-2000:]


@pytest.mark.parametrize("code", OTHERS)
def test_data_that_a_student_reads_is_whole_and_has_the_same_numbers(code: str) -> None:
    """Lessons, cards and presets: an entry for each text, with each measured number and each printed one."""
    for part, texts in data_strings().items():
        told = resource_json(f"languages/{code}/{part}.json")
        assert {*texts} <= {*told}, part
        for text in texts:
            assert Counter(PLACE.findall(text)) == Counter(PLACE.findall(told[text])), text
            assert numbers(text) == numbers(told[text]), (text, told[text])
