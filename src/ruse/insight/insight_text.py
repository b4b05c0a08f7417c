"""Insight as text: a few lines for a game, and tables for a position."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ruse.core import rationals
from ruse.core.game import Game, display_name, with_article
from ruse.insight.costs import PositionCosts
from ruse.insight.model import (
    MUST,
    NEVER,
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


def format_game(game: Game, insight: Insight) -> str:
    """Format the value, whether each side's optimal strategy is unique, and how many decisions are forced."""
    lines = [f"{game.title}: worth {worths(game, insight.value)}"]
    for unique in insight.unique():
        side = with_article(game.sides[unique.side])
        lines.append(f"{side[:1].upper()}{side[1:]}: {_unique(unique)}. {_decisions(insight, unique.side)}.")
    return "\n".join(lines)


def _unique(unique: Unique) -> str:
    if unique.unique:
        return "one optimal strategy, except at positions that it never reaches"
    if unique.unique is None:
        return "not proved whether there is only one optimal strategy"
    if unique.freedom is None:
        return "many optimal strategies"
    at_most = "at most " * (unique.freedom > 1)  # for dimension 1, two strategies prove it
    return f"many optimal strategies (a family of dimension {at_most}{unique.freedom})"


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
    listed = [f"{count:,} {words}" for count, words in parts if count]
    total = forced + free + unseen
    return f"{total:,} {_plural(total, 'decision')}: {', '.join(listed)}"


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"


def format_position(game: Game, there: PositionInsight, value: Fraction, costs: PositionCosts | None = None) -> str:
    """Format the moves and beliefs at a position as tables, and the other readings of cost below them."""
    parts = [
        f"{there.position}, as seen by {with_article(game.sides[there.side])}; the game is worth {worths(game, value)}"
    ]
    if there.moves:
        condition = f" {costs.condition}" if costs is not None and costs.moves else ""
        heads = ["move", "in optimal play", "odds", f"cost{condition}"]
        parts.append(_grid([heads, *(_move(move, costs) for move in there.moves)]))
        heads = ["other readings of cost", "as a fixed habit from the start", "against the stored opponent"]
        parts.append(_grid([heads, *(_other_costs(move) for move in there.moves)]))
    if there.beliefs:
        heads = ["hidden", "if the other side plays optimally", "against this opponent"]
        slips = there.slip not in (0, 1)
        if slips:
            heads.append(f"if it slips {rationals.percent(there.slip)} of the time")
        heads.append("by the facts alone")
        parts.append(_grid([heads, *(_belief(belief, slips) for belief in there.beliefs)]))
    parts.extend(there.notes)
    return "\n\n".join(parts)


def format_coming(coming: Coming) -> str:
    """Format the best strategies that always reach a position, if no optimal strategy reaches it."""
    head = f"Strategies that always reach this position cost {_cost(coming.price)}. The best of them then play:"
    return "\n".join([head, *(f"{move}  {_range(odds)}" for move, odds in coming.moves.items())])


def _move(move: MoveInsight, costs: PositionCosts | None) -> list[str]:
    never = "never reached by optimal strategies"
    cost = None if costs is None else costs.cost(move.move)
    text = "not known" if cost is None else rationals.short(cost) if cost or move.kind == NEVER else "nothing"
    return [move.move, move.kind or (never if move.range is None else "not proved"), _range(move.range), text]


def _other_costs(move: MoveInsight) -> list[str]:
    price = "not found in time"
    if move.price is not None:
        price = rationals.short(move.price)
        if move.guarantee is not None and not move.guarantee.exact:
            price = f"{rationals.short(move.price_at_least or Fraction(0))} to {price}"
    return [move.move, price, "never reached" if move.loss is None else rationals.short(move.loss)]


def _belief(belief: BeliefInsight, slips: bool) -> list[str]:
    shares = [belief.stored, *([belief.slip] if slips else []), belief.facts]
    texts = ["never reached" if share is None else rationals.short(share) for share in shares]
    return [belief.fact, _range(belief.range) or "never reached by optimal strategies", *texts]


def _range(odds: Range | None) -> str:
    if odds is None:
        return ""
    least, greatest = rationals.short(odds.least.value), rationals.short(odds.greatest.value)
    text = least if odds.least.value == odds.greatest.value else f"{least} to {greatest}"
    return text if odds.exact else f"{text} (bounds)"


def _cost(number: Fraction) -> str:
    return rationals.short(number) if number else "nothing"


def _grid(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return "\n".join(
        "  ".join(entry.ljust(width) for entry, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def format_simplest(game: Game, simplest: Simplest) -> str:
    """Format the simplest strategy as rules, with bounds on how simple any optimal strategy can be."""
    lines = [f"# mixes at {simplest.mixed} {_plural(simplest.mixed, 'position')}; no optimal strategy mixes at fewer"]
    if simplest.mixed != simplest.at_least:
        lines = [
            f"# mixes at {simplest.mixed} {_plural(simplest.mixed, 'position')}; every optimal strategy mixes "
            f"at {simplest.at_least} of them or more"
        ]
    if simplest.denominator > 1:
        needed = "no optimal strategy needs less"
        if simplest.denominator_at_least < simplest.denominator:
            needed = f"every optimal strategy needs at least {simplest.denominator_at_least}"
        lines.append(f"# the largest denominator of its odds is {simplest.denominator}; {needed}")
    lines.append(f"# {simplest.words} {_plural(simplest.words, 'word')} of positions, moves and odds")
    lines.append(f"side: {game.sides[simplest.side]}")
    for position, odds in simplest.strategy.items():
        kept = [(move, share) for move, share in odds.items() if share]
        odds_text = (
            kept[0][0] if len(kept) == 1 else " or ".join(f"{move} {rationals.write(share)}" for move, share in kept)
        )
        lines.append(f"{position}: {odds_text}")
    return "\n".join(lines)


def format_rule(game: Game, rule: RuleInsight) -> str:
    """Format what a rule costs, and what it guarantees by itself."""
    side = display_name(game.sides[rule.side])
    cost = "costs nothing" if not rule.price else f"costs {rationals.short(rule.price)}"
    lines = [
        f"{side}: following the rules {cost}; the best strategy that follows them guarantees it "
        f"{rationals.brief(rule.guarantee.value)}"
    ]
    if rule.alone is not None:
        lines.append(f"{side}: as they stand, the rules guarantee it {rationals.brief(rule.alone)}")
    return "\n".join(lines)
