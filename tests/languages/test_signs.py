"""Chinese signs: the bundled typeface has those of the catalogues, and lines break between them."""

from itertools import pairwise

import pytest
from PySide6.QtGui import QFontDatabase, QFontMetricsF, QRawFont
from PySide6.QtWidgets import QLineEdit, QMessageBox

from pe_desktop import languages
from pe_desktop.draw import typefaces
from pe_desktop.draw.told import tell_words_of_qt
from pe_desktop.resources import resource_json, resource_path
from pe_desktop.window.application import make_application

FILES = [resource_path("fonts", f"NotoSansSC-{weight}.otf") for weight in ("Regular", "Bold")]
PARTS = ("lessons", "cards", "presets", "window")


@pytest.fixture
def chinese(qapp):
    languages.use("zh-Hans")
    yield
    languages.use("en")


def menu_of_a_field() -> list[str]:
    field = QLineEdit()
    menu = field.createStandardContextMenu()
    return [action.text() for action in menu.actions()]


def is_chinese(sign: str) -> bool:
    return "\u2e80" <= sign <= "\u9fff" or "\uff00" <= sign <= "\uffef"


def test_the_typeface_has_all_chinese_signs_of_the_catalogues_and_is_small(qapp):
    said = "".join("".join(resource_json(f"languages/zh-Hans/{part}.json").values()) for part in PARTS)
    for file in FILES:
        font = QRawFont(file.read_bytes(), 13.0)
        missing = {sign for sign in said if is_chinese(sign) and not font.supportsCharacter(ord(sign))}
        assert not missing, "remake the files, see docs/development.md"
        assert font.supportsCharacter(ord("编"))
        assert not font.supportsCharacter(ord("龘"))
    assert sum(file.stat().st_size for file in FILES) <= 500_000


def test_menus_of_fields_and_buttons_of_qt_are_told_with_signs_of_the_typeface_and_keys_keep_their_names(chinese):
    make_application()
    # A program that has words of its own loads those of Qt when its window is made.
    tell_words_of_qt()
    try:
        box = QMessageBox(QMessageBox.Icon.NoIcon, "", "", QMessageBox.StandardButton.Save)
        said = [*menu_of_a_field(), *(button.text() for button in box.buttons())]
    finally:
        languages.use("en")
        tell_words_of_qt()
    assert "复制(&C)\tCtrl+C" in said
    assert "保存" in said
    font = QRawFont(FILES[0].read_bytes(), 13.0)
    assert not {sign for sign in "".join(said) if is_chinese(sign) and not font.supportsCharacter(ord(sign))}
    assert "&Copy\tCtrl+C" in menu_of_a_field()


def test_latin_letters_stay_in_inter_and_chinese_signs_come_after_it_without_moving_it(chinese):
    data = [file.read_bytes() for file in FILES]
    [family] = {QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFontFromData(one))[0] for one in data}
    assert typefaces.families("Inter") == ["Inter", family]
    font = typefaces.text_font("label")
    assert font.families() == ["Inter", family]
    assert QFontMetricsF(font).ascent() > QRawFont(data[0], font.pixelSize()).ascent()
    languages.use("en")
    assert typefaces.families("Inter") == ["Inter"]


@pytest.mark.parametrize("width", [60.0, 97.0, 150.0])
def test_lines_break_between_chinese_signs_but_not_before_a_comma_or_within_a_word(chinese, monkeypatch, width):
    monkeypatch.setattr(typefaces, "told", lambda text: text)
    text = "位置编码，每一对都是一根指针；d = 32，RoPE（旋转）转动查询和键。"
    lines = typefaces.wrapped("label", text, width, 40)
    assert len(lines) > 2
    assert all(typefaces.text_width("label", line) <= width for line in lines)
    assert not [line for line in lines if line[0] in "，；。）" or line[-1] == "（"]
    assert sum("RoPE" in line for line in lines) == 1
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    # Lines are filled: the next word would not fit.
    assert all(typefaces.text_width("label", line + following[:5]) > width for line, following in pairwise(lines))
