"""The commands of talks: what they list, open, print and refuse."""

import json
from dataclasses import replace

from pe_desktop import languages
from pe_desktop.lessons.shelf import LESSONS, OWN
from pe_desktop.lessons.talks import Step
from pe_desktop.lessons.writing import EMPTY, write_talk
from pe_desktop.window import start


def test_lessons_are_listed_with_the_count_of_their_steps_and_their_languages(answer) -> None:
    rows = {row["key"]: row for row in json.loads(answer("lessons", "--json"))}
    assert [*rows][:9] == [*LESSONS]
    assert set(map(frozenset, rows.values())) == {frozenset(("key", "title", "steps", "languages"))}
    assert all(4 <= rows[key]["steps"] <= 8 for key in LESSONS)
    assert rows["one-hand"]["languages"] == ["en", "es", "zh-Hans"]
    lines = answer("lessons").splitlines()
    assert [line.split()[0] for line in lines] == [*rows]
    assert lines[2].endswith(f"{rows['one-hand']['steps']} steps")


def test_a_sheet_is_written_in_any_language_over_another_one_only_when_told(answer, refusal, tmp_path) -> None:
    path = tmp_path / "sheet.pdf"
    try:
        said = answer("talk", "counter", "--handout", str(path), "--language", "es")
        assert "pages, the last with the key" in said
    finally:
        languages.use("en")
    before = path.read_bytes()
    assert "Add --force to replace it" in refusal("talk", "counter", "--handout", str(path))[1]
    answer("talk", "counter", "--handout", str(path), "--force")
    assert path.read_bytes() != before


def test_a_talk_of_ones_own_is_known_by_its_key(answer, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(start, "_default_settings_path", lambda: tmp_path / "settings.json")
    (tmp_path / "talks").mkdir()
    mine = replace(EMPTY, steps=(Step("One", "Words", {"position": "3"}, ("clock",)),))
    write_talk(tmp_path / "talks" / "any.pe_talk.json", mine, overwrite=False)
    try:
        assert "a.pdf: 1 page, " in answer("talk", EMPTY.key, "--handout", str(tmp_path / "a.pdf"))
    finally:
        OWN.clear()


def test_a_step_is_shown_in_a_picture_of_the_window(command, tmp_path) -> None:
    words = "--screenshot", "a.png", "--size", "700x400", "talk", "one-hand", "--step", "2"
    done = command(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "a.png").stat().st_size > 10_000
