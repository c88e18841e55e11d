"""The workflows: every action pinned by commit, every system built, proved and started on a clean machine."""

import json
import re
from pathlib import Path

import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
TEXT = WORKFLOW.read_text(encoding="utf-8")
CHECK = WORKFLOW.with_name("check.yml").read_text(encoding="utf-8")
MACHINES = ["linux-aarch64", "linux-x86_64", "macos-arm64", "macos-x86_64", "windows-x86_64"]


JOBS = yaml.safe_load(TEXT)["jobs"]


def script(name, system=None):
    """What a job runs, of a system's steps only if there is one."""
    steps = [step for step in JOBS[name]["steps"] if system is None or f"'{system}'" in step.get("if", "")]
    return "\n".join(step.get("run", "") for step in steps)


def test_every_action_is_pinned_by_a_full_commit_and_says_which_version_that_is() -> None:
    used = re.findall(r"uses: *(.*)", TEXT + CHECK)
    assert used
    assert [line for line in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []
    assert len({line.partition("@")[0] for line in used}) == len({*used})


def test_every_system_is_built_tested_and_started_and_windows_gets_the_compiler_of_its_installer_before() -> None:
    for name in ("build", "clean-start"):
        assert sorted(machine["name"] for machine in JOBS[name]["strategy"]["matrix"]["include"]) == MACHINES
    steps = script("build")
    assert re.search(r"^choco install innosetup --version \d+\.\d+\.\d+ ", script("build", "Windows"), re.MULTILINE)
    for before in ("python run.py test", "innosetup"):
        assert steps.index(before) < steps.index("python run.py build")


def test_a_download_becomes_an_attested_draft_only_after_it_started_on_a_clean_machine() -> None:
    assert (JOBS["clean-start"]["needs"], JOBS["draft"]["needs"]) == ("build", "clean-start")
    assert not [step for step in JOBS["clean-start"]["steps"] if "actions/checkout" in step.get("uses", "")]
    assert script("clean-start").count("self-test") >= 5
    assert "--draft" in script("draft")
    steps = JOBS["draft"]["steps"]
    [place] = [place for place, step in enumerate(steps) if "actions/attest-build-provenance" in step.get("uses", "")]
    assert steps[place]["with"] == {"subject-path": "release/*"}
    assert "release/SHA256SUMS" in steps[place - 1]["run"]
    assert "gh release create" in steps[place + 1]["run"]
    for system, word in (("Linux", "sha256sum"), ("macOS", "shasum"), ("Windows", "Get-FileHash")):
        steps = script("clean-start", system)
        assert "SHA256SUMS" in steps
        assert 0 <= steps.index(word) < steps.index("self-test")


def test_only_the_draft_may_write_to_the_repository_and_a_pull_request_is_checked() -> None:
    assert all(yaml.safe_load(text)["permissions"] == {"contents": "read"} for text in (TEXT, CHECK))
    assert {name: job["permissions"] for name, job in JOBS.items() if "permissions" in job} == {
        "draft": {"contents": "write", "attestations": "write", "id-token": "write"}
    }
    # A pull request runs what a change has to pass.
    [job] = yaml.safe_load(CHECK)["jobs"].values()
    assert job["steps"][-1] == {"run": ".ci/run"}
    assert "\n  pull_request:\n" in CHECK


def test_linux_gets_the_libraries_of_the_table_that_run_py_reads() -> None:
    steps = script("build", "Linux")
    assert "jq --raw-output '.[][]' resources/system_libraries.json" in steps
    table = json.loads((ROOT / "resources" / "system_libraries.json").read_text(encoding="utf-8"))
    packages = {package for libraries in table.values() for package in libraries.values()}
    assert all(re.fullmatch(r"lib[a-z0-9.-]+", package) for package in packages)
    assert not packages & set(steps.split())
