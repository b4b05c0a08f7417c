"""Insight for people: a few lines for a game, a table for a position."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ruse.core import rationals
from ruse.core.game import Game, display_name
from ruse.insight.model import (
    MUST,
    BeliefInsight,
    Coming,
    Insight,
    MoveInsight,
    PositionInsight,
    Range,
    RuleInsight,
    Simplest,
    Unique,
)
from ruse.solution.headline import worths


def told_game(game: Game, insight: Insight) -> str:
    """The value, whether each side's optimal strategy is the only one, and how many of its decisions are forced."""
    lines = [f"{game.title}: worth {worths(game, insight.value)}"]
    for unique in insight.unique():
        lines.append(f"{display_name(game.sides[unique.side])}: {_unique(unique)}. {_decisions(insight, unique.side)}.")
    return "\n".join(lines)


def _unique(found: Unique) -> str:
    if found.unique:
        return "one optimal strategy, except at positions that it never reaches"
    if found.unique is None:
        return "not proved whether there is only one optimal strategy"
    if found.freedom is None:
        return "many optimal strategies"
    at_most = "at most " * (found.freedom > 1)  # of one there are two that differ
    return f"many optimal strategies (a family of dimension {at_most}{found.freedom})"


def _decisions(insight: Insight, side: int) -> str:
    forced = free = unseen = 0
    for own, position in insight.positions():
        if own != side:
            continue
        kinds = insight.kinds(position, side)
        if all(kind is None for kind in kinds.values()):
            unseen += 1
        elif MUST in kinds.values():
            forced += 1
        else:
            free += 1
    parts = [(forced, "with a single optimal move"), (free, "with several"), (unseen, "never reached in optimal play")]
    told = [f"{count:,} {words}" for count, words in parts if count]
    total = forced + free + unseen
    return f"{total:,} {_plural(total, 'decision')}: {', '.join(told)}"


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"


def told_position(game: Game, there: PositionInsight, value: Fraction) -> str:
    """Moves and beliefs as tables."""
    parts = [
        f"{there.position}, as {display_name(game.sides[there.side])} knows it; the game is worth {worths(game, value)}"
    ]
    if there.moves:
        heads = ["move", "in optimal play", "odds", "cost as a fixed habit", "cost against this opponent"]
        parts.append(_grid([heads, *(_move(one) for one in there.moves)]))
    if there.beliefs:
        heads = ["hidden", "if the other side plays optimally", "against this opponent"]
        slips = there.slip not in (0, 1)
        if slips:
            heads.append(f"if it slips {rationals.percent(there.slip)} of the time")
        heads.append("by the facts alone")
        parts.append(_grid([heads, *(_belief(one, slips) for one in there.beliefs)]))
    parts.extend(there.notes)
    return "\n\n".join(parts)


def told_coming(found: Coming) -> str:
    """What the best strategies do that always come to a position that no optimal one comes to."""
    head = f"Strategies that always reach this position cost {_cost(found.price)}. The best of them then play:"
    return "\n".join([head, *(f"{move}  {_range(odds)}" for move, odds in found.moves.items())])


def _move(one: MoveInsight) -> list[str]:
    never = "never reached by optimal strategies"
    price = "not found in time"
    if one.price is not None:
        price = _cost(one.price)
        if one.guarantee is not None and not one.guarantee.exact:
            price = f"{_cost(one.price_at_least or Fraction(0))} to {price}"
    loss = "never reached" if one.loss is None else _cost(one.loss)
    return [one.move, one.kind or (never if one.range is None else "not proved"), _range(one.range), price, loss]


def _belief(one: BeliefInsight, slips: bool) -> list[str]:
    shares = [one.stored, *([one.slip] if slips else []), one.facts]
    told = ["never reached" if share is None else rationals.short(share) for share in shares]
    return [one.fact, _range(one.range) or "never reached by optimal strategies", *told]


def _range(found: Range | None) -> str:
    if found is None:
        return ""
    least, greatest = rationals.short(found.least.value), rationals.short(found.greatest.value)
    text = least if found.least.value == found.greatest.value else f"{least} to {greatest}"
    return text if found.exact else f"{text} (bounds)"


def _cost(number: Fraction) -> str:
    return rationals.short(number) if number else "nothing"


def _grid(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return "\n".join(
        "  ".join(entry.ljust(width) for entry, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def told_simplest(game: Game, found: Simplest) -> str:
    """The strategy as rules, and how near it is to the simplest there is."""
    lines = [f"# mixes at {found.mixed} {_plural(found.mixed, 'position')}; no optimal strategy mixes at fewer"]
    if found.mixed != found.at_least:
        lines = [
            f"# mixes at {found.mixed} {_plural(found.mixed, 'position')}; every optimal strategy mixes "
            f"at {found.at_least} of them or more"
        ]
    if found.denominator > 1:
        needed = "no optimal strategy needs less"
        if found.denominator_at_least < found.denominator:
            needed = f"every optimal strategy needs at least {found.denominator_at_least}"
        lines.append(f"# the largest denominator of its odds is {found.denominator}; {needed}")
    lines.append(f"# {found.words} {_plural(found.words, 'word')} of positions, moves and odds")
    lines.append(f"side: {game.sides[found.side]}")
    for position, odds in found.strategy.items():
        kept = [(move, share) for move, share in odds.items() if share]
        told = kept[0][0] if len(kept) == 1 else " or ".join(f"{move} {rationals.write(share)}" for move, share in kept)
        lines.append(f"{position}: {told}")
    return "\n".join(lines)


def told_rule(game: Game, found: RuleInsight) -> str:
    """What a rule costs, and what it guarantees as it stands."""
    side = display_name(game.sides[found.side])
    cost = "costs nothing" if not found.price else f"costs {rationals.short(found.price)}"
    lines = [
        f"{side}: following the rules {cost}; the best strategy that follows them guarantees it "
        f"{rationals.brief(found.guarantee.value)}"
    ]
    if found.alone is not None:
        lines.append(f"{side}: as they stand, the rules guarantee it {rationals.brief(found.alone)}")
    return "\n".join(lines)
