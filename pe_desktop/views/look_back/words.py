"""What the head computes and what other positions can do, in sentences."""

from pe_desktop.core.encoding import Encoding
from pe_desktop.core.number_text import MINUS
from pe_desktop.core.rotation import has_rotation, rotation_refusal
from pe_desktop.core.scores.look_back import Peaks
from pe_desktop.core.scores.look_back_rows import Memorised, weighs_rows
from pe_desktop.draw.number_text import fixed, short, whole

_SHARP = "Positions give the offset of the peak; learned weights must supply the gain."
_SHARP_ANYWHERE = "A larger gain sharpens each row at its own peak, wherever that is."
# Smaller weights are nothing to the eye.
_LEAST_PERCENT = 0.001
ITSELF = "Each query looks at its own position."


def too_many(encoding: Encoding) -> str:
    """Why no weights are shown."""
    return f"Weights add up all keys of a row: at N = {whole(encoding.n_positions)} these are too many."


def offset_text(places: int) -> str:
    """The offset that a head looks at: −3."""
    return f"{MINUS}{whole(places)}" if places else "0"


def place_text(places: int) -> str:
    """The key that a query at t looks for: t − 3, or t."""
    return f"t {MINUS} {whole(places)}" if places else "t"


def computed(encoding: Encoding, places: int) -> tuple[str, ...]:
    """What the head does, at length and in short."""
    if not places:
        return (ITSELF,)
    refusal, back = rotation_refusal(encoding), f"{whole(places)} position{'' if places == 1 else 's'}"
    if refusal is not None:
        return (
            f"{refusal} The best 2 × 2 matrix of every pair of columns, A, takes its place.",
            "A: the best 2 × 2 matrix of every pair.",
        )
    there = f"the key {back} before it"
    turns = f"One fixed matrix turns every hand back by {back}"
    return f"{turns}, so for every query {there} scores highest.", f"{turns}."


def meaning(encoding: Encoding) -> str:
    """What the weights say, or why there are none."""
    if not weighs_rows(encoding):
        return too_many(encoding)
    return _SHARP if has_rotation(encoding) else _SHARP_ANYWHERE


def peaks_text(peaks: Peaks) -> str:
    """125 of 125 rows."""
    sample = " sampled" if peaks.is_sample else ""
    return f"{whole(peaks.n_peaking)} of {whole(peaks.n_rows)}{sample} rows"


def reach_text(peaks: Peaks | None) -> str:
    """Among which keys, where these are not all: , within ± 1 048 575 keys."""
    return "" if peaks is None or peaks.reach is None else f", within ± {whole(peaks.reach)} keys"


def weight_text(weight: float) -> str:
    """2.6 %."""
    percent = 100 * weight
    if percent < _LEAST_PERCENT:
        return f"< {short(_LEAST_PERCENT)} %"
    return f"{fixed(percent, 1)} %" if percent >= 0.1 else f"{short(percent, 2)} %"


def memorised_text(found: Memorised, places: int) -> str:
    """What an unrestricted matrix does with random vectors."""
    d, fitted, new = whole(found.d_model), found.fitted, found.new
    known = f"of the {whole(fitted.n_rows)} it was fitted to, {whole(fitted.n_peaking)} peak at {offset_text(places)}"
    others = f"of the next {whole(new.n_rows)}, {whole(new.n_peaking) if new.n_peaking else 'none'}"
    return f"An unrestricted {d} × {d} matrix memorises random rows: {known}; {others}."
