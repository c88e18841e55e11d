"""Captions: what a figure shows and every parameter it was drawn from, as text for its file and for the clipboard."""

from pe_desktop import __version__
from pe_desktop.core.cursor import Cursor, MatrixSight, Span, full_span, visible_pins
from pe_desktop.core.encoding import Encoding

PROGRAM = f"pe_desktop {__version__}"


def caption(sentence: str, explanation: str, encoding: Encoding, cursor: Cursor, span: Span, sight: MatrixSight) -> str:
    """A sentence, its explanation and all parameters by their names on the command line, digits that read back."""
    parameters = dict(encoding.parameters)
    parameters |= {"position": cursor.position, "offset": cursor.offset, "pair": cursor.pair}
    listed = ", ".join(f"{name} = {_exact(value)}" for name, value in parameters.items())
    pins = ", ".join(map(str, visible_pins(cursor, encoding)))
    shown = "" if span == full_span(encoding.n_positions) else f" Shown: {_exact(span.first)} to {_exact(span.last)}."
    if sight.rows is not None:
        shown += f" Rows shown: {_exact(sight.rows.first)} to {_exact(sight.rows.last)}."
    if sight.is_transposed:
        shown += " Transposed: positions run downwards."
    return f"{sentence}. {explanation} Parameters: {listed}; pinned pairs: {pins}.{shown} Drawn by {PROGRAM}."


def _exact(value: float | str) -> str:
    is_whole = isinstance(value, float) and value == int(value)
    return str(int(value)) if is_whole else str(value)
