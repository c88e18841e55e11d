"""What is said of the positions that hands read."""

import math

from pe_desktop.core.decoder import Hands, Nearest, Reading
from pe_desktop.draw.number_text import scientific, short, significant, whole

# A best score that is lower by this share is not just rounded.
_SAME = 1e-9
# Margins that are told without a power of ten.
_LEAST, _MOST = 5e-4, 1e3
# So many pinned hands are named one by one.
_MOST_NAMED = 6


def read_by(hands: Hands, row: Reading) -> Nearest:
    """The positions that are read: by the dot product where hands turn evenly, else by the distance."""
    return row.by_dot if hands.are_even else row.by_distance


def count_texts(hands: Hands, count: int, row: Reading | None) -> tuple[str, ...]:
    """What so many hands read: how many values, the best position, the next, the lead of the best, how many are near.

    The lead has always three digits, and is "none" where it is rounding.
    """
    encoding = hands.encoding
    number = whole(count if encoding.pairs is not None else min(2 * count, encoding.d_model))
    if row is None:
        return (number, *("…",) * 4)
    found = read_by(hands, row)
    best, *others = map(whole, found.positions)
    lead = "none"
    if others and (row.is_decided or not hands.are_even):
        is_plain = _LEAST <= found.margin < _MOST
        lead = significant(found.margin, 3) if is_plain else scientific(found.margin, 2, keeps_zeros=True)
    near = "–" if row.n_near is None or not hands.are_even else whole(row.n_near)
    return (number, best, others[0], lead, near) if others else (number, best, "–", "–", near)


def _hands_text(hands: Hands, count: int) -> str:
    """The subject of a sentence: "All 16 hands"."""
    noun, plural = ("pair of columns", "pairs of columns") if hands.encoding.pairs is None else ("hand", "hands")
    if hands.order:
        named = ", ".join(map(whole, hands.order[: min(count, _MOST_NAMED)]))
        rest = f" and {whole(count - _MOST_NAMED)} more" if count > _MOST_NAMED else ""
        return f"{(noun if count == 1 else plural).capitalize()} {named}{rest}"
    if count == 1:
        return f"The only {noun}" if hands.total == 1 else f"The first {noun} alone"
    return f"{'All' if count == hands.total else 'The first'} {whole(count)} {plural}"


def answer(hands: Hands, row: Reading) -> str:
    """Which t the hands say, in one line."""
    subject = _hands_text(hands, row.n_hands)
    verb = "read" if row.n_hands > 1 else "reads"
    best, nearest = row.by_dot.positions[0], row.by_distance.positions[0]
    if not hands.are_even and best != nearest:
        return f"Nearest row: t = {whole(nearest)}; largest dot product: t = {whole(best)}"
    if not row.is_decided and len(row.by_dot.positions) > 1 and hands.are_even:
        return f"{subject} can't tell t = {whole(best)} from {whole(row.by_dot.positions[1])}"
    return f"{subject} {verb} t = {whole(nearest)}"


def lines(hands: Hands, row: Reading) -> str:
    """How sure that is, and what it is measured by."""
    sentences = [] if hands.are_even else [_of_rows(row)]
    sentences += [_lead(hands, row), _fit(hands, row)]
    t = row.by_distance.positions[0]
    return " ".join([*filter(None, sentences), f"Counted from 0; counted from 1 it is position {whole(t + 1)}."])


def _of_rows(row: Reading) -> str:
    best, nearest = row.by_dot.positions[0], row.by_distance.positions[0]
    if row.best_length > row.nearest_length * (1 + _SAME) and best != nearest:
        return (
            f"The largest dot product is that of a longer row, |p| = {short(row.best_length)} against "
            f"{short(row.nearest_length)}: here the distance is the right measure."
        )
    if not row.is_decided:
        return "Several rows share the largest dot product: the distance decides."
    return "" if best == nearest else "The largest dot product is that of another row: the distance decides."


def _lead(hands: Hands, row: Reading) -> str:
    found = read_by(hands, row)
    if len(found.positions) < 2:
        return "There is no other position."
    second = f"t = {whole(found.positions[1])}"
    if not hands.are_even:
        return f"Next is {second}, {short(found.margin)} further away."
    after = f"Next best is {second}, {short(found.margin)} lower" if row.is_decided else f"{second} scores the same"
    if row.n_near is None:
        return f"{after}."
    n = hands.encoding.n_positions
    fit = "Only this position fits" if row.n_near == 1 else f"{whole(row.n_near)} of {whole(n)} positions fit"
    return f"{after}. {fit} within 1 %."


def _fit(hands: Hands, row: Reading) -> str:
    """Whether any position has just these hands."""
    most = hands.largest_score(row.n_hands)
    best = row.by_dot.values[0]
    if math.isnan(most) or most - best <= _SAME * most:
        return ""
    return f"No position has just these hands: the best scores {short(best, 4)} of {short(most, 4)}."
