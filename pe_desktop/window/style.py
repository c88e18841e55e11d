"""The style sheet, which lies in resources/style.qss, and the palette of a theme."""

from dataclasses import fields
from string import Template

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from pe_desktop.draw.theme import Theme, themed_icon
from pe_desktop.draw.typefaces import families, text_font
from pe_desktop.resources import resource_json, resource_path


def apply_ground(theme: Theme) -> None:
    """Give every widget the font of labels and the palette of a theme."""
    palette = QPalette()
    for role, color in resource_json("tokens.json")["palette"].items():
        palette.setColor(QPalette.ColorRole[role], getattr(theme, color))
    # Under the edge of popups.
    palette.setColor(QPalette.ColorRole.Mid, _edge(theme))
    QApplication.setPalette(palette)
    QApplication.setFont(text_font("label"))


def apply_sheet(theme: Theme, icon_folder: str, window: QWidget) -> None:
    """Dress a window and its dialogs; the icons that style sheets need are drawn into a folder of the session.

    Not by the application: for a sheet of its own it dresses each widget as often as there are widgets around it.
    """
    values = {field.name: getattr(theme, field.name) for field in fields(theme)}
    colors = {name: value for name, value in values.items() if isinstance(value, QColor)}
    colors["segment"] = theme.panel if theme.base == "light" else theme.raised
    colors["field_edge"] = theme.line if theme.has_high_contrast else theme.sunken
    colors |= {"wash": theme.wash, "highlight": theme.highlight, "edge": _edge(theme)}
    icons = {f"{name}_icon": _icon_file(name, theme, icon_folder) for name in ("down", "check")}
    sheet = Template(resource_path("style.qss").read_text(encoding="utf-8"))
    values = {name: color.name() for name, color in colors.items()}
    values["family"] = ", ".join(f'"{family}"' for family in families("Inter"))
    window.setStyleSheet(sheet.substitute(values, **icons))


def _edge(theme: Theme) -> QColor:
    """The edge of what lies over the window."""
    return theme.line if theme.base == "light" else theme.axis


def _icon_file(name: str, theme: Theme, folder: str) -> str:
    path = f"{folder}/{name}-{theme.name}.png"
    themed_icon(name, theme).pixmap(32, 32).save(path)
    return path.replace("\\", "/")
