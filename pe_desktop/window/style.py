"""The style sheet and palette of a theme."""

from dataclasses import fields
from typing import Any

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QProxyStyle, QWidget

from pe_desktop.draw.theme import Theme, themed_icon
from pe_desktop.draw.typefaces import text_font
from pe_desktop.panels.controls.popups import round_off

_TOOLTIP_RADIUS = 6.0
# Qt counts the padding of a tooltip twice.
_SHEET = """
QWidget {{ color: {text}; font-family: "Inter"; font-size: 13px; }}
QMainWindow {{ background: {canvas}; }}
QDialog, QMessageBox {{ background: {panel}; }}
QMainWindow::separator {{ background: transparent; width: 8px; height: 8px; }}
QMainWindow::separator:hover {{ background: {focus}; margin: 3px; }}
QDockWidget {{ border: 5px solid {axis}; }}
*[role="panel"], QScrollArea {{ background: {panel}; border: none; }}
QScrollArea[role="page"] {{ border: 2px solid {panel}; }}
QScrollArea[role="page"]:focus {{ border: 2px solid {focus}; }}
*[role="ground"] {{ background: {canvas}; }}
*[role="card"] {{ background: transparent; border: 1px solid {line}; border-radius: 6px; }}
*[role="line"] {{ background: {line}; }}
*[role="heading"] {{ font-size: 12px; font-weight: 600; }}
*[role="caption"] {{ font-size: 11px; color: {text3}; }}
*[role="title"] {{ font-size: 13px; font-weight: 600; }}
*[role="message"] {{ font-size: 17px; font-weight: 600; }}
*[role="refusal"] {{ font-size: 12px; color: {bad}; }}
*[role="note"] {{ font-size: 12px; color: {text2}; }}
*[role="bubble"] {{ background: {bad_ground}; border: 1px solid {bad}; border-radius: 8px; }}
*[role="overlay"] {{ background: {panel}; border: 1px solid {edge}; border-radius: 10px; }}
*[role="segments"] {{ background: {sunken}; border: 1px solid {field_edge}; border-radius: 6px; }}
QToolButton {{ background: transparent; border: none; border-radius: 6px; padding: 0; }}
QToolButton:hover {{ background: {sunken}; }}
QToolButton:pressed, QToolButton:checked {{ background: {wash}; }}
QToolButton:focus {{ border: 2px solid {focus}; }}
QToolButton[primary="true"] {{ background: {ink}; border-radius: 19px; }}
QToolButton[primary="true"]:hover {{ background: {text2}; }}
QToolButton[role="segment"] {{ font-size: 12px; font-weight: 500; color: {text2}; padding: 0 8px; border-radius: 5px; }}
QToolButton[role="segment"][is_close="true"] {{ padding: 0 3px; }}
QToolButton[role="segment"]:hover {{ color: {text}; background: transparent; }}
QToolButton[role="segment"]:checked {{ background: {segment}; color: {text}; border: 1px solid {line}; }}
QToolButton[role="segment"]:disabled {{ color: {axis}; }}
QToolButton[role="segment"]:focus {{ border: 2px solid {focus}; }}
QToolButton[role="chip"] {{ background: {sunken}; color: {text2}; font-size: 12px; font-weight: 500; padding: 0 8px;
    border-radius: 12px; }}
QToolButton[role="chip"]:hover {{ background: {wash}; }}
QToolButton[role="file"] {{ background: {panel}; color: {text2}; border: 1px solid {line}; font-size: 12px;
    padding: 0 8px; border-radius: 12px; }}
QToolButton[role="file"]:hover {{ background: {wash}; color: {text}; }}
QToolButton[role="file"]:focus {{ border: 2px solid {focus}; padding: 0 7px; }}
QToolButton[role="fold"] {{ font-size: 12px; color: {text2}; padding: 3px 8px 3px 0; }}
QLineEdit, QComboBox {{ background: {sunken}; border: 1px solid {field_edge}; border-radius: 6px; padding: 0 8px;
    min-height: 26px; }}
QLineEdit {{ selection-background-color: {focus}; selection-color: {canvas}; }}
QLineEdit:hover, QComboBox:hover {{ border: 1px solid {line}; }}
QLineEdit:focus, QComboBox:focus {{ border: 2px solid {focus}; padding: 0 7px; min-height: 24px; }}
QLineEdit:focus {{ background: {panel}; }}
QLineEdit[refused="true"] {{ border: 1px solid {bad}; background: {panel}; }}
QPlainTextEdit {{ background: {sunken}; border: 1px solid {line}; border-radius: 6px; padding: 4px;
    font-family: "JetBrains Mono"; font-size: 12px; }}
QPlainTextEdit:focus {{ border: 2px solid {focus}; padding: 3px; }}
QDialog QComboBox, QDialog QLineEdit {{ background: {panel}; border: 1px solid {axis}; }}
QComboBox::drop-down {{ border: none; width: 22px; }}
QComboBox::down-arrow {{ image: url("{down_icon}"); width: 12px; height: 12px; }}
QComboBox {{ combobox-popup: 0; }}
QComboBox::item:disabled {{ color: {text3}; }}
QComboBox QAbstractItemView {{ background: {raised}; border: 1px solid {edge}; border-radius: 8px; padding: 4px;
    outline: none; selection-background-color: {highlight}; selection-color: {text}; }}
QComboBox QAbstractItemView::item {{ min-height: 25px; padding: 0 6px; border-radius: 5px; }}
KindChooser QAbstractItemView::item:disabled {{ color: {text3}; border-top: 1px solid {axis}; margin: 4px 6px 0 6px;
    padding: 0; border-radius: 0; }}
QComboBox QAbstractItemView::item:selected {{ background: {highlight}; color: {text}; }}
QDialogButtonBox, QMessageBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QPushButton {{ outline: none; background: {sunken}; border: 1px solid {line}; border-radius: 6px; padding: 0 14px;
    min-height: 28px; font-weight: 500; }}
QPushButton:hover {{ background: {wash}; }}
QPushButton:focus {{ border: 2px solid {focus}; }}
QPushButton:default {{ background: {ink}; color: {ink_on}; border: 1px solid {ink}; }}
QPushButton:default:focus {{ border: 2px solid {focus}; }}
QPushButton:disabled {{ color: {text3}; }}
QMenuBar {{ background: transparent; spacing: 2px; }}
QMenuBar::item {{ background: transparent; padding: 5px 9px; border-radius: 6px; color: {text2}; }}
QMenuBar::item:selected {{ background: {wash}; color: {text}; }}
QMenu {{ background: {raised}; border: 1px solid {edge}; border-radius: 8px; padding: 5px; }}
QMenu::item {{ padding: 6px 24px 6px 28px; border-radius: 5px; }}
QMenu::item:selected {{ background: {highlight}; }}
QMenu::item:disabled {{ color: {text3}; }}
QMenu::separator {{ height: 1px; background: {edge}; margin: 5px 8px; }}
QMenu::indicator {{ left: 8px; width: 14px; height: 14px; }}
QMenu::indicator:checked {{ image: url("{check_icon}"); }}
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {edge}; border-radius: 6px; padding: 2px 4px;
    font-size: 12px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {axis}; border-radius: 3px; min-height: 28px; margin: 2px; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle:horizontal {{ background: {axis}; border-radius: 3px; min-width: 28px; margin: 2px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QTabBar {{ background: {panel}; border: 1px solid {line}; border-bottom: none; qproperty-drawBase: 0; outline: none;
    border-top-left-radius: 10px; border-top-right-radius: 10px; }}
QTabBar::tab {{ color: {text2}; padding: 9px 0 5px 0; margin-left: 16px; border: none;
    border-bottom: 2px solid transparent; font-size: 13px; }}
QTabBar::tab:selected {{ color: {text}; border-bottom: 2px solid {ink}; font-weight: 600; }}
QTabBar::tab:selected:focus {{ border: 2px solid {focus}; border-radius: 5px; padding: 4px 4px 5px 4px;
    margin: 3px -6px 0 10px; }}
QProgressBar {{ background: {line}; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; }}
QProgressBar::chunk {{ background: {ink}; border-radius: 2px; }}
"""


class RoundTooltips(QProxyStyle):
    """Rounds off the tooltips, which Qt makes by itself."""

    def polish(self, polished: Any) -> Any:
        if isinstance(polished, QWidget) and polished.inherits("QTipLabel"):
            round_off(polished, _TOOLTIP_RADIUS)
        return super().polish(polished)


def apply_ground(theme: Theme) -> None:
    """Give every widget the font of labels and the palette of a theme."""
    QApplication.setPalette(_palette(theme))
    QApplication.setFont(text_font("label"))


def apply_sheet(theme: Theme, icon_folder: str) -> None:
    """Dress every widget in a theme; the icons that style sheets need are drawn into a folder of the session."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    values = {field.name: getattr(theme, field.name) for field in fields(theme)}
    colors = {name: value for name, value in values.items() if isinstance(value, QColor)}
    colors["segment"] = theme.panel if theme.base == "light" else theme.raised
    colors["field_edge"] = theme.line if theme.has_high_contrast else theme.sunken
    colors |= {"wash": theme.wash, "highlight": theme.highlight, "edge": _edge(theme)}
    icons = {f"{name}_icon": _icon_file(name, theme, icon_folder) for name in ("down", "check")}
    application.setStyleSheet(_SHEET.format(**{name: color.name() for name, color in colors.items()}, **icons))


def _edge(theme: Theme) -> QColor:
    """The edge of what lies over the window."""
    return theme.line if theme.base == "light" else theme.axis


def _icon_file(name: str, theme: Theme, folder: str) -> str:
    path = f"{folder}/{name}-{theme.name}.png"
    themed_icon(name, theme).pixmap(32, 32).save(path)
    return path.replace("\\", "/")


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    colors = {
        role.Window: theme.canvas,
        role.Base: theme.panel,
        role.AlternateBase: theme.sunken,
        role.Button: theme.sunken,
        role.Text: theme.text,
        role.WindowText: theme.text,
        role.ButtonText: theme.text,
        role.PlaceholderText: theme.text3,
        role.Highlight: theme.focus,
        role.HighlightedText: theme.canvas,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Link: theme.focus,
        # Under the edge of popups.
        role.Mid: _edge(theme),
    }
    for which, color in colors.items():
        palette.setColor(which, color)
    return palette
