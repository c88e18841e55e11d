"""The locks hold what pyproject.toml asks for, by hash, and say nothing of where it is fetched."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
APP = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["app"]]
ASKED = {"app": APP, **PROJECT["dependency-groups"]}
LOCKS = {group: (ROOT / "requirements" / f"{group}.txt").read_text(encoding="utf-8") for group in ASKED}


def pins(lock: str) -> list[tuple[str, str, int]]:
    """Name, version and number of hashes of every package in a lock."""
    entries = re.split(r"^(?=\w)", lock, flags=re.MULTILINE)[1:]
    heads = [re.match(r"([\w.-]+)==([\w.]+)", entry) for entry in entries]
    assert all(heads), "a lock has only pins"
    return [
        (head[1], head[2], entry.count("--hash=sha256:"))
        for head, entry in zip(heads, entries, strict=True)
        if head is not None
    ]


@pytest.mark.parametrize("group", ASKED)
def test_a_lock_holds_what_the_project_asks_for_by_hashes_without_address_or_option(group) -> None:
    locked = {name: version for name, version, _ in pins(LOCKS[group])}
    assert locked
    assert [name for name, _, hashes in pins(LOCKS[group]) if hashes == 0] == []
    assert "://" not in LOCKS[group]
    assert re.findall(r"^-.*", LOCKS[group], flags=re.MULTILINE) == []
    for requirement in map(Requirement, ASKED[group]):
        assert requirement.specifier.contains(locked[requirement.name.lower()]), requirement
    # All locks agree on the packages that they share.
    everything = [(name, version) for lock in LOCKS.values() for name, version, _ in pins(lock)]
    assert len(dict(everything)) == len(set(everything))
