"""The C library that a file needs is read from the file itself."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from build.elf import glibc_demands, highest_glibc, required_versions


def test_versions_compare_as_numbers_and_not_as_text() -> None:
    assert highest_glibc(["GLIBC_2.4", "GLIBC_2.34", "GLIBC_2.9", "GLIBCXX_3.4.30", "GLIBC_PRIVATE"]) == (2, 34)


def test_a_file_without_demands_has_no_version(tmp_path) -> None:
    (tmp_path / "text.so").write_text("no library")
    (tmp_path / "empty.so").touch()
    assert glibc_demands(tmp_path) == {}
    assert highest_glibc(["Qt_6.11"]) is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has ELF files")
def test_the_needs_of_a_library_are_those_that_objdump_prints() -> None:
    objdump = shutil.which("objdump")
    if objdump is None:
        pytest.skip("objdump is not installed")
    library = next(Path(np.__file__).parent.glob("_core/_multiarray_umath*.so"))
    printed = subprocess.run([objdump, "-p", str(library)], capture_output=True, text=True, check=True).stdout
    needs = printed.partition("Version References:")[2]
    wanted = {words[3] for words in map(str.split, needs.splitlines()) if len(words) == 4}
    assert any(name.startswith("GLIBC_") for name in wanted)
    assert set(required_versions(library)) == wanted
