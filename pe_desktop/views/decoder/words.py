"""What is said of the positions that hands read."""

import math

from pe_desktop.core.decoder import Hands, Row
from pe_desktop.draw.number_text import scientific, short, significant, whole

# A best score that is lower by this share is not just rounded.
_SAME = 1e-9
# Margins that are told without a power of ten.
_LEAST, _MOST = 5e-4, 1e3
# So many pinned hands are named one by one.
_MOST_NAMED = 6


def margin_text(row: Row) -> str:
    """By how much the best dot product leads, always in three digits; "none" where that is rounding."""
    margin = row.by_dot.margin
    if math.isnan(margin) or not row.is_decided:
        return "–" if math.isnan(margin) else "none"
    return significant(margin, 3) if _LEAST <= margin < _MOST else scientific(margin, 2, keeps_zeros=True)


def count_texts(hands: Hands, count: int, row: Row | None) -> tuple[str, ...]:
    """The line of the table of what fewer hands read."""
    encoding = hands.encoding
    number = whole(count if encoding.pairs is not None else min(2 * count, encoding.d_model))
    if row is None:
        return (number, *("…",) * (3 if hands.are_even else 4))
    best, *others = (whole(t) for t in row.by_dot.positions)
    near = "–" if row.n_near is None else whole(row.n_near)
    if hands.are_even:
        return number, others[0] if others else "–", margin_text(row), near
    nearest, *further = (whole(t) for t in row.by_distance.positions)
    return number, best, near, nearest, further[0] if further else "–"


def _hands_text(hands: Hands, count: int) -> str:
    """The subject of a sentence: "All 16 hands"."""
    total, has_pairs = hands.total, hands.encoding.pairs is not None
    noun, plural = ("hand", "hands") if has_pairs else ("pair of columns", "pairs of columns")
    if hands.order:
        named = ", ".join(map(whole, hands.order[: min(count, _MOST_NAMED)]))
        rest = f" and {whole(count - _MOST_NAMED)} more" if count > _MOST_NAMED else ""
        return f"{noun.capitalize() if count == 1 else plural.capitalize()} {named}{rest}"
    if total == 1:
        return f"The only {noun}"
    if count == 1:
        return f"The first {noun} alone"
    if count == total == 2:
        return f"Both {plural}"
    return f"All {whole(total)} {plural}" if count == total else f"The first {whole(count)} {plural}"


def answer(hands: Hands, row: Row) -> str:
    """Which t the hands say, in one line."""
    subject = _hands_text(hands, row.n_hands)
    verb = "read" if row.n_hands > 1 else "reads"
    best, nearest = row.by_dot.positions[0], row.by_distance.positions[0]
    if not hands.are_even and best != nearest:
        return f"Nearest row: t = {whole(nearest)}; largest dot product: t = {whole(best)}"
    if not row.is_decided and len(row.by_dot.positions) > 1 and hands.are_even:
        return f"{subject} can't tell t = {whole(best)} from {whole(row.by_dot.positions[1])}"
    return f"{subject} {verb} t = {whole(nearest)}"


def lines(hands: Hands, row: Row) -> str:
    """How sure that is, and what it is measured by."""
    sentences = [] if hands.are_even else [_of_rows(row)]
    sentences += [_lead(hands, row), _fit(hands, row)]
    t = row.by_distance.positions[0]
    return " ".join([*filter(None, sentences), f"Counted from 0; counted from 1 it is position {whole(t + 1)}."])


def _of_rows(row: Row) -> str:
    best, nearest = row.by_dot.positions[0], row.by_distance.positions[0]
    if row.best_length > row.nearest_length * (1 + _SAME) and best != nearest:
        return (
            f"The largest dot product is that of a longer row, |p| = {short(row.best_length)} against "
            f"{short(row.nearest_length)}: here the distance is the right measure."
        )
    if not row.is_decided:
        return "Several rows share the largest dot product: the distance decides."
    return "" if best == nearest else "The largest dot product is that of another row: the distance decides."


def _lead(hands: Hands, row: Row) -> str:
    found = row.by_dot if hands.are_even else row.by_distance
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


def _fit(hands: Hands, row: Row) -> str:
    """Whether any position has just these hands."""
    most = hands.largest_score(row.n_hands)
    best = row.by_dot.values[0]
    if math.isnan(most) or most - best <= _SAME * most:
        return ""
    return f"No position has just these hands: the best scores {short(best, 4)} of {short(most, 4)}."
