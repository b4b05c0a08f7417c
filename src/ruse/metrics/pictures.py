"""Pictures of metrics: lengths, drama and moves as bars, and what each change of the rules does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruse.core import rationals
from ruse.metrics.metric import Number
from ruse.present import svg

FRAME = svg.Frame(640, 280, 64, 16, 16, 52)
ROW, LEFT, RIGHT, EDGE = 26, 200, 120, 12  # of bars that lie: pixels
WIDE = 680
MOST_BARS = 14
MOST_LETTERS = 24


def lengths_svg(distribution: Mapping[int, Number]) -> str:
    """Draw how many games have each length, as bars."""
    lengths = list(range(min(distribution), max(distribution) + 1))
    shares = [100 * float(distribution.get(length, 0)) for length in lengths]
    return _standing("How long games are: the share of games by their number of moves", lengths, shares, "moves", "%")


def drama_svg(curve: Sequence[Number]) -> str:
    """Draw how far the winning chance moves on average at each move, as bars."""
    points = [100 * float(swing) for swing in curve]
    name = "Drama: by how many percentage points the winning chance moves on average, after each move of the game"
    return _standing(name, list(range(len(points))), points, "moves made", "pp")


def _standing(name: str, places: Sequence[int], amounts: Sequence[float], across: str, unit: str) -> str:
    up = FRAME.up([0.0, max([*amounts, 1e-9])])
    width = (FRAME.width - FRAME.left - FRAME.right) / max(1, len(places))
    parts = FRAME.levels(up)
    every = max(1, len(places) // 20)
    for number, (place, amount) in enumerate(zip(places, amounts, strict=True)):
        left = FRAME.left + number * width
        title = svg.title(f"{place} {across}: {rationals.near(amount, 3)} {unit}")
        parts.append(svg.bar(left + 0.1 * width, 0.8 * width, up.at(amount), up.at(0.0), title, class_="filled"))
        if number % every == 0:
            parts.append(
                svg.label(str(place), left + width / 2, FRAME.height - FRAME.bottom + 18, text_anchor="middle")
            )
    parts += FRAME.names(across, "percent of games" if unit == "%" else "percentage points")
    return svg.picture(FRAME.size, name, parts, class_="plot")


def moves_svg(shares: Mapping[str, Number], side: str) -> str:
    """Draw the most frequent moves of a side as bars."""
    listed = sorted(shares.items(), key=lambda item: -item[1])[:MOST_BARS]
    bars = [(move, 100 * float(share), f"{rationals.near(100 * share, 3)}%") for move, share in listed]
    return _lying(f"The moves of {side}, by how often each is made", bars)


def changes_svg(effects: Sequence[tuple[str, float, str]]) -> str:
    """Draw what each change of the rules does, largest first: its name, how far it goes, and that in words."""
    return _lying("What each single change of the rules does to the value, largest first", list(effects)[:MOST_BARS])


def _lying(name: str, bars: Sequence[tuple[str, float, str]]) -> str:
    """Draw bars that lie, with words on both ends; those below 0 go to the left of a line."""
    least, most = min([0.0, *(amount for _, amount, _ in bars)]), max([0.0, *(amount for _, amount, _ in bars)])
    room = WIDE - LEFT - RIGHT
    scale = room / ((most - least) or 1.0)
    zero = LEFT - least * scale
    height = EDGE + ROW * len(bars) + EDGE
    parts = []
    for number, (words, amount, label) in enumerate(bars):
        top = EDGE + ROW * number
        start = zero + min(0.0, amount) * scale
        kind = "filled" if amount >= 0 else "filled below"
        parts.append(svg.box((start, top + 4), (max(1.0, abs(amount) * scale), ROW - 8), class_=kind))
        short = words if len(words) <= MOST_LETTERS else f"{words[: MOST_LETTERS - 1]}…"
        parts.append(svg.label(short, LEFT - 8, top + ROW / 2 + 4, text_anchor="end"))
        parts.append(svg.label(label, WIDE - RIGHT + 8, top + ROW / 2 + 4))
    parts.append(svg.straight((zero, EDGE), (zero, height - EDGE), class_="grid", stroke="#cccccc"))
    return svg.picture((WIDE, height), name, parts, class_="plot")
