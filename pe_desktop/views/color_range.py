"""What a caption says about the range of the colours of a map, and about pixels that cover many cells."""

from pe_desktop.core.fields.field import Field
from pe_desktop.core.fields.seen import ColorScale
from pe_desktop.draw.number_text import alike


def range_sentence(scale: ColorScale) -> str:
    """A sentence with a blank before it, nothing where the colours reach over the whole scale."""
    low, high = alike(scale.limits)
    if scale.is_seen:
        return f" The colours reach over the values that are seen, from {low} to {high}."
    if any(scale.is_cut):
        return f" The colours reach from {low} to {high}; values beyond have the colour of that end."
    return ""


def averages_words(field: Field) -> str:
    """What a pixel that covers several cells shows of them."""
    averages = field.averages
    return f"the {averages} out of them" if averages.endswith("samples") else f"their exact {averages}"
