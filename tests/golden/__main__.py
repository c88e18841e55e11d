"""Pictures of the whole window in states that show every page of every panel, in both themes and three sizes.

    python -m tests.golden FOLDER    write the pictures of this checkout
    python -m tests.golden compare BEFORE AFTER [--to FOLDER]    list those of two folders that differ
    python -m tests.golden check    compare this checkout with the hashes that were accepted
    python -m tests.golden accept    write the hashes of this checkout, once its pictures have been looked at

--only takes names of states (tests/golden/states.py) or their beginnings: --only precision look-back. compare writes
before, after and what differs beside each other into --to. It ends with 1 where pictures differ, as check does.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

# They count when NumPy is loaded: panels show rounding errors, which wider instructions of a processor change.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OPENBLAS_CORETYPE"] = "Nehalem"
os.environ["NPY_DISABLE_CPU_FEATURES"] = "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"

from tests.golden.hashes import PATH, difference, fault_of_versions, hash_of, side_by_side, system, versions
from tests.golden.states import STATES

if TYPE_CHECKING:
    from PySide6.QtGui import QImage


def pictures(only: list[str]) -> "Iterator[tuple[str, QImage]]":
    """The pictures of the states whose names begin so."""
    from tests.golden.window import taken, use_no_machine  # noqa: PLC0415 - compare needs no window

    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        use_no_machine(Path(folder))
        yield from taken([name for name in STATES if name.startswith(tuple(only))])


def write(folder: Path, only: list[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for name, image in pictures(only):
        if not image.save(str(folder / f"{name}.png"), quality=80):
            raise OSError(f"{folder / name}.png can't be written")
    return 0


def compare(before: Path, after: Path, to: Path | None) -> int:
    """List what differs, with the number of pixels; 0 where nothing does."""
    from PySide6.QtGui import QImage  # noqa: PLC0415

    one, other = ({path.stem: path for path in folder.glob("*.png")} for folder in (before, after))
    n_different = 0
    for name in sorted(one.keys() & other.keys()):
        first, second = QImage(str(one[name])), QImage(str(other[name]))
        changed = difference(first, second)
        if not changed.any():
            continue
        n_different += 1
        rows, columns = changed.nonzero()
        place = f"x {columns.min()} to {columns.max()}, y {rows[0]} to {rows[-1]}"
        print(f"{name}: {int(changed.sum())} pixels differ, {place}")
        if to is not None:
            to.mkdir(parents=True, exist_ok=True)
            side_by_side(first, second, changed).save(str(to / f"{name}.png"), quality=80)
    for folder, names in ((before, one.keys() - other.keys()), (after, other.keys() - one.keys())):
        if names:
            print(f"{len(names)} pictures only in {folder}")
    print(f"{n_different} of {len(one.keys() & other.keys())} pictures differ")
    return int(n_different > 0)


def accept() -> int:
    taken = {name: hash_of(image) for name, image in pictures([""])}
    PATH.write_text(
        json.dumps({"system": system(), "versions": versions(), "pictures": taken}, indent=0) + "\n", "utf-8"
    )
    print(f"{len(taken)} pictures accepted")
    return 0


def check(only: list[str]) -> int:
    """Say which pictures are others than those that were accepted; 0 where none is."""
    accepted = json.loads(PATH.read_text("utf-8"))
    fault = fault_of_versions(accepted["versions"])
    if fault:
        print(fault)
        return 1
    others = [name for name, image in pictures(only) if accepted["pictures"].get(name) != hash_of(image)]
    if others:
        print(f"Pictures that differ from the accepted ones: {', '.join(others)}.")
        print("Write those of both revisions, look at `python -m tests.golden compare BEFORE AFTER --to FOLDER`,")
        print("and if the new ones are what they should be: python -m tests.golden accept")
    return int(bool(others))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.golden", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("act", help="a folder to write to, or compare, check, accept")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--only", nargs="+", default=[""], metavar="NAME")
    parser.add_argument("--to", type=Path, metavar="FOLDER")
    given = parser.parse_args(arguments)
    match given.act:
        case "compare":
            before, after = given.folders
            return compare(before, after, given.to)
        case "check":
            return check(given.only)
        case "accept":
            return accept()
    return write(Path(given.act), given.only)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
