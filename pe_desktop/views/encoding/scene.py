"""The wavelengths of all pairs beside the number of positions, the chosen one ringed."""

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.measure.periodic import reach
from pe_desktop.core.state import State
from pe_desktop.draw import marks
from pe_desktop.draw.scene import Box, Part, Scene
from pe_desktop.views.encoding.picture import Spectrum, chosen_picture, spectrum_picture


def spectrum_in(encoding: Encoding, box: Box) -> Spectrum | None:
    """Where each pair's dot stands; None where nothing turns."""
    pairs = encoding.pairs
    if pairs is None:
        return None
    return Spectrum(box.width, box.height, pairs.wavelengths, reach(encoding, pairs), not pairs.turns_evenly)


def scene(state: State, box: Box) -> Scene:
    encoding, pairs = state.encoding, state.encoding.pairs
    spectrum = spectrum_in(encoding, box)
    if spectrum is None or pairs is None:
        return Scene()
    return Scene(chosen_picture(spectrum, state.cursor.pair, pairs, box.theme), Part(_still, encoding, box))


def _still(encoding: Encoding, box: Box) -> marks.Picture:
    spectrum = spectrum_in(encoding, box)
    return () if spectrum is None else spectrum_picture(spectrum, box.theme)
