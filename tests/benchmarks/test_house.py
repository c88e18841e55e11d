"""The measures of the source count what their definitions say."""

from pathlib import Path

from benchmarks.house import longest_chain, static_measures

SOURCES = {
    "pe_desktop/__init__.py": "",
    "pe_desktop/core/__init__.py": "",
    "pe_desktop/core/rules.py": "BASE = 1.0\nFIRST, LAST = 1, 2\n_HIDDEN = 3\nRules: TypeAlias = dict\n",
    "pe_desktop/core/kinds.py": "from pe_desktop.core.rules import BASE\n\ndef kind():\n    inner = BASE\n",
    "pe_desktop/model/__init__.py": "",
    "pe_desktop/model/state.py": (
        "if TYPE_CHECKING:\n    from pe_desktop.app import main\n"
        "class State:\n    def load(self):\n        import pe_desktop.core.kinds\n"
    ),
    "pe_desktop/app.py": "from pe_desktop.model import state\n\ndef _main():\n    pass\n",
    "tests/test_state.py": "def test_state():\n    pass\n",
}


def test_lines_and_files_public_names_and_the_chain_of_imports_are_counted(tmp_path: Path) -> None:
    for name, source in SOURCES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, encoding="utf-8")
    measures = static_measures(tmp_path)
    assert measures["lines, core"] == 8
    assert measures["lines, model"] == 5
    assert measures["lines, outside rooms"] == 4
    assert measures["lines, pe_desktop"] == 17
    assert measures["lines, tests"] == 2
    assert measures["files, pe_desktop"] == 7
    # BASE, Rules, kind, State; FIRST and LAST by unpacking.
    assert measures["public names"] == 4
    assert measures["public constants"] == 1
    assert measures["public names bound by unpacking"] == 2
    # app, model.state, core.kinds, core.rules: through functions, never for type checkers.
    assert measures["longest import chain"] == 4
    assert measures["longest import chain, without imports in functions"] == 2


def test_longest_chain_ends_at_a_cycle():
    assert longest_chain({"a": {"b"}, "b": {"a", "c"}, "c": set()}) == ["a", "b", "c"]
