"""The shaders' source, put together from the files in resources/shaders; the same for a window and for a benchmark."""

from pe_desktop.resources import resource_path

# GLSL 1.40 is what OpenGL 3.1 speaks and every later one understands, the core profile of macOS among them.
_HEADERS = {False: "#version 140\n", True: "#version 300 es\n"}


def vertex_source(is_es: bool) -> str:
    """The one vertex shader: a triangle over everything."""
    return _HEADERS[is_es] + _text("triangle.vert")


def fragment_source(program: str, is_es: bool) -> str:
    """The fragment shader "encoding" or "lags", for OpenGL or for OpenGL ES 3.0."""
    return _HEADERS[is_es] + _text("tables.glsl") + _text(f"{program}.frag")


def _text(name: str) -> str:
    return resource_path("shaders", name).read_text(encoding="utf-8")
