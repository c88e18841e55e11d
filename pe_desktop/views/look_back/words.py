"""What the head computes and what other positions can do, in sentences."""

from pe_desktop.core.number_text import MINUS
from pe_desktop.core.scores.look_back import Memorised, Peaks
from pe_desktop.draw.number_text import fixed, short, whole

HOW_SHARP = "Positions offer the direction; learned weights must supply the gain."
ITSELF = "This head looks at itself."


def offset_text(places: int) -> str:
    """The offset that a head looks at: −3."""
    return f"{MINUS}{whole(places)}" if places else "0"


def place_text(places: int) -> str:
    """The key that a query at t looks for: t − 3, or t."""
    return f"t {MINUS} {whole(places)}" if places else "t"


def computed(places: int, *, turns: bool) -> str:
    """What the head does, in a sentence."""
    if not places:
        return ITSELF
    back = f"{whole(places)} position{'' if places == 1 else 's'}"
    there = place_text(places)
    if turns:
        turned = f"One fixed matrix turns every hand back by {back}"
        return f"{turned}, so the dot product is largest at s = {there}, for every t."
    return f"No fixed matrix moves every position back by {back}: the best 2 × 2 of every pair, A, stands for it."


def peaks_text(peaks: Peaks) -> str:
    """125 of 125 rows."""
    sample = " sampled" if peaks.is_sample else ""
    return f"{whole(peaks.n_peaking)} of {whole(peaks.n_rows)}{sample} rows"


def weight_text(weight: float) -> str:
    """2.6 %."""
    percent = 100 * weight
    return f"{fixed(percent, 1)} %" if percent >= 0.1 or percent == 0 else f"{short(percent, 2)} %"


def memorised_text(found: Memorised, places: int) -> str:
    """What an unrestricted matrix does with random vectors."""
    d, fitted, new = whole(found.d_model), found.fitted, found.new
    return (
        f"An unrestricted {d} × {d} matrix learns random rows by heart: fitted to {whole(fitted.n_rows)} of them, "
        f"{whole(fitted.n_peaking)} of these peak at {offset_text(places)}, of the next {whole(new.n_rows)} only "
        f"{whole(new.n_peaking)}."
    )
