"""The measures of the source count what their definitions say."""

from pathlib import Path

from benchmarks.house import longest_chain, static_measures
from tests.tables import table

# BASE, Rules, kind and State are public; FIRST and LAST by unpacking. app imports model.state, core.kinds, core.rules
# through functions, never for type checkers.
HOUSE = table("benchmarks/house")


def test_lines_and_files_public_names_and_the_chain_of_imports_are_counted(tmp_path: Path) -> None:
    for name, source in HOUSE["sources"].items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
    measures = static_measures(tmp_path)
    assert {name: measures[name] for name in HOUSE["counted"]} == HOUSE["counted"]


def test_longest_chain_ends_at_a_cycle():
    assert longest_chain({"a": {"b"}, "b": {"a", "c"}, "c": set()}) == ["a", "b", "c"]
