"""Captions: what a figure shows and every parameter it was drawn from, as text for its file and for the clipboard."""

from pe_desktop import __version__
from pe_desktop.core.cursor import visible_pins
from pe_desktop.core.state import State, assignments_of, text_of

PROGRAM = f"PE Desktop {__version__}"


def caption(sentence: str, explanation: str, state: State, *views: str) -> str:
    """A sentence, its explanation and all parameters by their names on the command line, digits that read back.

    Of the views' own names, and of the visible range, those are told that are not as at the first start.
    """
    encoding, cursor = state.encoding, state.cursor
    parameters = dict(encoding.parameters)
    parameters |= {"position": cursor.position, "offset": cursor.offset, "pair": cursor.pair}
    listed = ", ".join(f"{name} = {_exact(value)}" for name, value in parameters.items())
    pins = ", ".join(map(str, visible_pins(cursor, encoding)))
    usual, shown = assignments_of(State(encoding)), []
    for name, value in assignments_of(state).items():
        if (name == "span" or name.partition(".")[0] in views) and value != usual[name]:
            shown.append(f"{name} = {text_of(name, value)}")
    seen = f" Shown: {', '.join(shown)}." if shown else ""
    return f"{sentence}. {explanation} Parameters: {listed}; pinned pairs: {pins}.{seen} Drawn by {PROGRAM}."


def _exact(value: float | str) -> str:
    is_whole = isinstance(value, float) and value == int(value)
    return str(int(value)) if is_whole else str(value)
