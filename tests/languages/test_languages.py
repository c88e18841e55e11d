"""How texts are told: whole, by their numbers, by texts within, in parts; and what the shipped catalogues hold."""

import re
from collections.abc import Callable, Iterator

import pytest

from pe_desktop import languages
from pe_desktop.core.state import State, with_name
from pe_desktop.draw.typefaces import wrapped
from pe_desktop.export.figure_files import figure_caption
from pe_desktop.export.figure_sheet import Finish
from pe_desktop.resources import resource_json
from pe_desktop.views.table import FIGURES

Use = Callable[..., None]
_OTHERS = [code for code in languages.LANGUAGES if code != languages.ENGLISH]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """Tell by a catalogue of these entries alone."""

    def use(code: str, **entries: str) -> None:
        texts = {english.replace("_", " "): other for english, other in entries.items()}
        files = {f"languages/{code}/window.json": texts, "languages/names.json": ["RoPE", "sin"]}
        monkeypatch.setattr(languages, "resource_json", lambda name: files.get(name, {}))
        languages.use(code)

    yield use
    monkeypatch.undo()
    languages.use(languages.ENGLISH)


def test_numbers_go_where_they_belong(use: Use) -> None:
    """A text stands for all with other numbers, whole, with decimals, in groups or with a power of ten."""
    use("es", **{"Hand # of #": "De {1}, la aguja {0}", "off by #": "desvío #", "41 is near 44": "44 está cerca de 41"})
    assert languages.told("Hand 3 of 16") == "De 16, la aguja 3"
    assert languages.told("off by −1.25×10⁻¹⁶") == "desvío −1,25×10⁻¹⁶"
    assert languages.told("off by 10\u2009000.5") == "desvío 10\u2009000,5"
    # An entry with numbers of its own stands for others, too.
    assert languages.told("41 is near 44") == "44 está cerca de 41"
    assert languages.told("5 is near 9") == "9 está cerca de 5"


def test_texts_within_and_parts_are_told(use: Use) -> None:
    """{name} is any text, told by itself; a text is a known beginning and a known rest, at any seam."""
    use(
        "es",
        **{"row #: {what}": "fila #: {what}", "a turn": "un giro", "{what}: more": "{what}: más", "Holds.": "Vale."},
    )
    assert languages.told("row 4: a turn") == "fila 4: un giro"
    assert languages.told("A turn: more") == "Un giro: más"
    assert languages.told("a turn: holds") == "un giro: vale"
    assert languages.told("a turn, row 2: a turn. Holds.") == "un giro, fila 2: un giro. Vale."
    assert languages.told("a turn\nA turn.\nunknown") == "un giro\nUn giro.\nunknown"
    # What is within stays as it is where it is not known; a part does not.
    assert languages.told("chef: more") == "chef: más"
    assert languages.told("a turn; chef") == "a turn; chef"


def test_names_and_quotations_and_what_was_told_stay(use: Use) -> None:
    """Names, formulas and quotations need no entry; what was told, a line of it, or a word of a sentence stays."""
    use("es", **{"on": "sí", "Base": "sin base", "sin base": "twice"})
    assert languages.told("RoPE, sin(1.5 ω_it)") == "RoPE, sin(1,5 ω_it)"
    assert languages.told("“the 1.5 of a text”") == "“the 1,5 of a text”"
    assert languages.told(languages.told("Base")) == "sin base"
    assert languages.told("on") == "sí"
    languages.leave(("on", "chef"))
    assert languages.told("on") == "on"
    assert languages.told("chef: Base") == "chef: sin base"


def test_formulas_and_short_forms(use: Use) -> None:
    """Formulas have the decimals of the language; a row of segments takes the short form of a word."""
    use("es", **{"Checks": "Comprobaciones", "Checks (short)": "Comprob."})
    assert languages.briefly("Checks") == "Comprob."
    assert languages.told("Checks") == "Comprobaciones"
    assert languages.local_formula("10^{0.5} p_{1}") == "10^{0,5} p_{1}"


def test_chinese_has_its_signs_and_lines(use: Use, qapp: object) -> None:
    """Parts are joined by Chinese signs, points stay in numbers, and lines end after any sign but before no comma."""
    use("zh-Hans", **{"hands": "指针很多", "Turns of #": "转动{0}圈", "All": "全部"})
    assert languages.told("All: hands, turns of 1.5. Hands.") == "全部：指针很多，转动1.5圈。指针很多。"
    lines = wrapped("label", "hands, hands, hands, hands", 60.0, 9)
    assert "".join(lines) == "，".join(["指针很多"] * 4)
    assert len(lines) > 2
    assert not any(line.startswith("，") for line in lines)


def test_moving_numbers_cost_one_look_up(use: Use) -> None:
    """Texts that differ in their numbers alone are looked up once."""
    use("es", **{f"{word} {{a}} of {{b}}": "x {a} {b}" for word in ("One", "Two", "Three")})
    for number in range(50):
        languages.told(f"Two a {number} of hands {number}.5")
    assert languages._now.found.cache_info().misses < 20


@pytest.mark.parametrize("code", _OTHERS)
def test_entries_keep_their_places(code: str) -> None:
    """All of {name} and # stand in what is told as in English, and no entry is empty."""
    for english, other in resource_json(f"languages/{code}/window.json").items():
        names = [sorted(re.findall(r"\{[A-Za-z]\w*\}", text)) for text in (english, other)]
        assert names[0] == names[1], english
        assert english.count("#") >= other.count("#") + len(re.findall(r"\{\d\}", other)), english
        assert other.strip(), english


@pytest.mark.parametrize("code", _OTHERS)
def test_captions_of_figures_are_told_but_names_and_values_stay_as_they_are_typed(code: str) -> None:
    languages.use(code)
    for what in FIGURES:
        caption = figure_caption(what, State(), Finish())
        assert "kind = sinusoidal, n_positions = " in caption
        assert re.findall(r" (?:the|and|with|of) ", caption) == [], caption
    languages.use(languages.ENGLISH)


def test_a_list_that_is_typed_with_decimal_commas_is_read_as_it_was_meant() -> None:
    languages.use("es")
    try:
        for typed in ("6,5 700,25", "6,5; 700,25", "6,5, 700,25"):
            given = with_name(State(), "wavelengths", typed).encoding.parameters["wavelengths"]
            assert given == pytest.approx((6.5, 700.25), rel=1e-12)
        assert with_name(State(), "pinned_pairs", "0,4,8").cursor.pinned_pairs == (0, 4, 8)
    finally:
        languages.use("en")
