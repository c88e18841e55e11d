"""Gives a window's heat maps their renderer."""

from pe_desktop.heat.renderer import Renderer
from pe_desktop.panels.heat_base import HeatPanel
from pe_desktop.window.dock import PanelDock
from pe_desktop.window.main_window import MainWindow


def draw_with(renderer: Renderer, dock: PanelDock) -> None:
    """Let a dock's heat map, if it has one, be drawn by whatever the renderer chooses."""
    if issubclass(dock.kind, HeatPanel) and isinstance(dock.panel, HeatPanel):
        dock.panel.use_renderer(renderer)


def use_renderer(window: MainWindow, renderer: Renderer) -> None:
    """Let the window's heat maps be drawn by whatever it chooses; before the window is first seen."""
    for dock in window.docks.values():
        draw_with(renderer, dock)
    if renderer.expects_opengl:
        # The driver is loaded for the window anyway; a window made for an OpenGL that fails would stay empty.
        renderer.decide()
    if renderer.is_opengl:
        from PySide6.QtOpenGLWidgets import QOpenGLWidget  # noqa: PLC0415 - nobody else needs it before the first frame

        # When its first OpenGL widget comes later, Qt takes a window down and makes it anew.
        QOpenGLWidget(window).hide()
    else:
        renderer.keep_window()
