"""The words that a text prints around a figure. Without Qt, because the table of figures holds it."""

from pe_desktop.core.record import record


@record
class Lettering:
    """Width and height in inches, the title, the names of both axes, and the label of the colour bar.

    is_float32: the numbers of a table are those that the text prints, which computes in float32.
    """

    size: tuple[float, float]
    title: str
    x: str
    y: str
    bar: str = ""
    is_float32: bool = False
