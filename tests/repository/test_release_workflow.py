"""The release workflow: every action pinned by commit, every system built, proved and started on a clean machine."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
TEXT = WORKFLOW.read_text(encoding="utf-8")
MACHINES = ["linux-aarch64", "linux-x86_64", "macos-arm64", "macos-x86_64", "windows-x86_64"]


def job(name):
    """The lines of one job."""
    found = re.search(rf"^  {name}:\n((?:    .*\n|\n)+)", TEXT, re.MULTILINE)
    assert found is not None
    return found[1]


def test_every_action_is_pinned_by_a_full_commit_and_says_which_version_that_is() -> None:
    used = re.findall(r"uses: *(.*)", TEXT)
    assert used
    assert [line for line in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []


def test_one_action_has_one_commit() -> None:
    assert len({line.partition("@")[0] for line in re.findall(r"uses: *(.*)", TEXT)}) == len(
        set(re.findall(r"uses: *(.*)", TEXT))
    )


@pytest.mark.parametrize("name", ["build", "clean-start"])
def test_every_system_is_built_and_started(name) -> None:
    assert sorted(re.findall(r"\{ name: ([\w-]+),", job(name))) == MACHINES


def test_a_build_is_tested_with_the_commands_of_the_readme() -> None:
    steps = job("build")
    assert steps.index("python run.py test") < steps.index("python run.py build")


def test_a_download_becomes_a_draft_only_after_it_started_on_a_clean_machine() -> None:
    assert "needs: build\n" in job("clean-start")
    assert "needs: clean-start\n" in job("draft")
    assert "actions/checkout" not in job("clean-start")
    assert job("clean-start").count("self-test") >= 5
    assert "gh release create" in job("draft")
    assert "--draft" in job("draft")


def test_only_the_draft_may_write_to_the_repository() -> None:
    assert re.search(r"^permissions:\n  contents: read$", TEXT, re.MULTILINE)
    assert "contents: write" in job("draft")
    assert TEXT.count("write") == 1


def test_the_workflow_has_no_tabs_and_its_indentation_is_even() -> None:
    assert "\t" not in TEXT
    assert [line for line in TEXT.splitlines() if (len(line) - len(line.lstrip(" "))) % 2] == []
