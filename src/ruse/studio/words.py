"""Sweeps, searches and comparisons on the screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from ruse.core import rationals
from ruse.core.game import display_name
from ruse.insight.model import Range
from ruse.present.report import short
from ruse.present.rules import headed
from ruse.solution.strategy import Solution
from ruse.studio import polynomials
from ruse.studio.around import Sensitivity
from ruse.studio.balance import Balance
from ruse.studio.bases import NARROW
from ruse.studio.compare import Comparison
from ruse.studio.crossings import CONDITION, Crossings
from ruse.studio.polynomials import Root
from ruse.studio.rows import Row
from ruse.studio.sweep import Sweep

MOST_ROWS = 30  # on the screen
MOST_MOVES = 8  # at a position, and facts


def told(sweep: Sweep) -> str:
    """The rows, or the most telling of many, and what they come to."""
    blocks = ["\n".join(_table(sweep))]
    blocks.append("\n".join(summary(sweep)))
    return "\n\n".join(blocks)


def _table(sweep: Sweep) -> list[str]:
    """What varies, and what each variant is worth."""
    axes, rows = sweep.variants.axes, list(sweep.rows.items())
    side = display_name(sweep.variants.found[0].game.sides[0])
    measured = f"{side} wins" if next(iter(sweep)).wins else f"worth to {side}"
    grouped: dict[str, list[int]] = {}  # parameters that vary, and their axes
    for number, axis in enumerate(axes):
        grouped.setdefault(axis.parameter, []).append(number)
    names = list(grouped)
    cells = [[*names, measured, "simple rules", "lines"]]
    shown = rows if len(rows) <= MOST_ROWS else _extremes(rows)
    for number, row in shown:
        parameters = sweep.variants.found[number].parameters
        given = [_written(parameters.get(name.replace("-", "_"))) for name in names]
        simple = {True: "optimal", False: "not optimal", None: ""}[row.simple]
        cells.append([*given, row.told(), simple, "" if row.lines is None else str(row.lines)])
    kept = [column for column in range(len(cells[0])) if any(line[column] for line in cells[1:])]
    widths = {column: max(len(line[column]) for line in cells) for column in kept}
    lines = ["  ".join(f"{line[column]:<{widths[column]}}" for column in kept).rstrip() for line in cells]
    if len(shown) < len(rows):
        lines.insert(
            1 + len(shown) // 2,
            f"… {len(rows) - len(shown):,} more in between; write all of them with --out FILE.csv …",
        )
    return lines


def _extremes(rows: Sequence[tuple[int, Row]]) -> list[tuple[int, Row]]:
    """The least and the greatest of many."""
    ordered = sorted(rows, key=lambda pair: (pair[1].measure, pair[0]))
    return [*ordered[: MOST_ROWS // 2], *ordered[-MOST_ROWS // 2 :]]


def _written(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def summary(sweep: Sweep) -> list[str]:
    """How many, how different, how sure."""
    rows = list(sweep)
    exact = sum(row.exact for row in rows)
    all_of = f"{len(rows):,} of {len(sweep.variants):,}" if not sweep.complete else f"{len(rows):,}"
    lines = [f"{all_of} variant{'s' * (len(rows) != 1)}, {'all' if exact == len(rows) else f'{exact:,}'} exact."]
    solved = [row for row in rows if row.exact]  # a row with bounds has no value that could be the least or nearest
    if len(solved) > 1:
        least, most = min(solved, key=lambda row: row.measure), max(solved, key=lambda row: row.measure)
        values = len({row.measure for row in solved})
        lines.append(f"From {least.told()} to {most.told()}; {values:,} different value{'s' * (values != 1)}.")
        if solved[0].wins:
            even = min(solved, key=lambda row: abs(row.measure - Fraction(1, 2)))
            unsolved = " among those solved" if len(solved) < len(sweep.variants) else ""
            lines.append(f"Closest to even{unsolved}: {even.told()}, {_parameters(even)}.")
    if (tried := [row for row in rows if row.simple is not None]) and len(rows) > 1:
        simple = sum(bool(row.simple) for row in tried)
        lines.append(f"Simple rules are optimal in {simple:,} ({rationals.percent(Fraction(simple, len(tried)))}).")
    late = Counter(row.note for row in rows if not row.exact)
    lines += [f"{many:,} with bounds only: {why or 'the bounds are not equal'}." for why, many in late.items()]
    lines += [f"{one}." for one in sweep.variants.left_out()]
    if sweep.failed:
        which, why = next(iter(sweep.failed.items()))
        lines.append(f"{len(sweep.failed):,} could not be solved, such as {which}: {why}.")
    once = len({one.key for one in sweep.variants})
    alike = f" of {once:,} that differ," if once < len(sweep.variants) else ""
    known = f", {sweep.known:,} from earlier sweeps" if sweep.known else ""
    lines.append(f"Solved {sweep.solved:,}{alike}{known} in {sweep.seconds:.1f} s.".replace(",,", ","))
    return lines


def _parameters(row: Row) -> str:
    return ", ".join(f"{name.replace('_', '-')} {_written(value)}" for name, value in row.parameters.items())


def told_balance(found: Balance) -> str:
    """What a search found, and what that proves."""
    lines = []
    for one in found.best[:MOST_ROWS]:
        changed = (
            f", {one.changes} change{'s' * (one.changes != 1)}" if any(other.changes for other in found.best) else ""
        )
        apart = rationals.points(one.distance) if one.row.wins else rationals.short(one.distance)
        which = f": {_parameters(one.row)}" if one.row.parameters else ""
        lines.append(f"{one.row.told()}, {apart} from the target{changed}{which}")
    if len(found.best) > MOST_ROWS:
        lines.append(f"… and {len(found.best) - MOST_ROWS:,} equally good; list them with --json")
    lines.append("")
    many = f"{found.considered:,} variant{'s' * (found.considered != 1)}"
    if found.proved:
        proved = f"Proved, if {found.condition}" if found.condition else "Proved"
        others = " Other variants that were not solved may be equally close." if found.solved < found.distinct else ""
        lines.append(f"{proved}: none of {many} is closer.{others}")
    else:
        lines.append(f"Not proved: some of {many} may be closer.")
    lines.append(
        f"Solved {found.solved:,} of {found.distinct:,} that differ; {rationals.percent(found.pruned)} were ruled out "
        f"without being solved, in {found.seconds:.1f} s."
    )
    if found.refused:
        lines.append(
            f"{found.refused:,} variant{'s were' if found.refused != 1 else ' was'} as close or closer, "
            "but failed --free or --lines."
        )
    lines += [f"{one}." for one in found.left_out]
    return "\n".join(lines)


def told_around(found: Sensitivity) -> str:
    """What each change does, and which entries decide most."""
    won = bool(found.base.wins)
    side = display_name(found.sweep.variants.found[0].game.sides[0])
    lines = [f"{found.sweep.variants.found[0].game.title}: {side} {'wins' if won else 'gets'} {found.base.told()}", ""]
    width = max((len(one.change) for one in found.effects), default=0)
    for one in found.effects:
        worth = f"{_signed(one.difference, won):>10}  {one.row.told()}{_rule(one.rule, won)}"
        lines.append(f"  {one.change:<{width}}  {worth}")
    if found.rule is not None:
        lines += ["", f"In this variant, the simple rule of the other side costs it {_amount(found.rule, won)}."]
    idle = sorted({one.entry for one in found.effects} - {one.entry for one in found.effects if one.difference})
    if idle:
        lines.append(f"These single changes have no effect: {', '.join(idle)}.")
    lines += [f"{one}." for one in found.sweep.variants.left_out()]
    return "\n".join(lines)


def _signed(difference: Fraction, won: bool) -> str:
    """A difference in a column: "+4.2 pp", in points where it is one of win rates."""
    if not difference:
        return "0"
    amount = f"{rationals.near(100 * abs(difference), 3)} pp" if won else rationals.short(abs(difference))
    return f"{'+' if difference > 0 else '−'}{amount}"


def _amount(amount: Fraction, won: bool) -> str:
    return rationals.points(amount) if won else rationals.short(amount)


def _rule(price: Fraction | None, won: bool) -> str:
    return f", simple rule costs {_amount(price, won)}" if price else ""


def told_comparison(found: Comparison) -> str:
    """Values, rules and positions, side by side."""
    first = found.variants[0].solution
    won = len(first.game.wins) == 2
    width = max(map(len, found.names))
    lines = []
    for number, one in enumerate(found.variants, 1):
        told = one.solution.headline().partition(": ")[2]
        change = f"  {_signed(one.difference, won)}" if number > 1 else ""
        lines.append(f"{number}  {one.solution.game.title:<{width}}  {told}{change}")
    for side, rules in found.words.items():
        lines += [
            "",
            f"{headed(side)} (a number before a rule names the variants that have it; the others are in all):",
        ]
        for line in rules:
            held = "" if all(line.held) else " ".join(str(place) for place, has in enumerate(line.held, 1) if has)
            lines.append(f"  {held:<{2 * len(found.variants) - 1}}  {short(line.text)}")
    for steps, insights in found.positions.items():
        lines += ["", f"At {steps or 'the start'}:"]
        for number, (one, seen) in enumerate(zip(found.variants, insights, strict=True), 1):
            if seen is None:
                lines.append(f"  {number}  no such position")
                continue
            moves = [f"{move.move} {_range(move.range)}{_cost(one.solution, move.price)}" for move in seen.moves]
            beliefs = [f"{belief.fact} {_share(belief.stored)}" for belief in seen.beliefs if belief.stored is not None]
            lines.append(f"  {number}  {'; '.join(moves[:MOST_MOVES])}" + (" …" if len(moves) > MOST_MOVES else ""))
            if beliefs:
                more = " …" if len(beliefs) > MOST_MOVES else ""
                lines.append(f"     beliefs: {', '.join(beliefs[:MOST_MOVES])}{more}")
    return "\n".join(lines)


def told_crossings(found: Crossings) -> str:
    """Where the value is the target, and what it is between."""
    goal, lines = rationals.short(found.target), []
    for one in found.crossings:
        first, last = _root(one.first), _root(one.last)
        if one.first == one.last:
            lines.append(f"The value is {goal} where {found.parameter} is {first}.")
        else:
            lines.append(f"The value is {goal} for every {found.parameter} from {first} to {last}.")
    low, high = found.value
    if not lines and found.gaps:
        lines.append(f"The value is not {goal} in any part of the interval that there was time for.")
    elif not lines and low is not None and high is not None:
        lines.append(f"The value is never {goal}; it ranges from {rationals.short(low)} to {rationals.short(high)}.")
    if found.gaps:
        left = ", ".join(f"from {_root(start)} to {_root(end)}" for start, end in found.gaps)
        lines.append(f"Stopped before these parts of the interval were traced: {left}.")
    if found.pieces:
        lines += ["", f"Traced exactly, with t for {found.parameter}, if {CONDITION}; payoffs to side 0:"]
    for piece in found.pieces:
        top, bottom = polynomials.told(piece.top), polynomials.told(piece.bottom)
        worth = top if bottom == "1" else f"({top}) / ({bottom})"
        lines.append(f"  from {_root(piece.first)} to {_root(piece.last)}: {worth}")
    return "\n".join(lines)


def _root(root: Root) -> str:
    if root.rational is not None:
        return rationals.short(root.rational)
    narrow = root.within(NARROW)
    low, high = rationals.outward(narrow.low, narrow.high)
    return f"{rationals.near(narrow.near, 8)} (the root of {polynomials.told(root.of)} between {low} and {high})"


def _range(found: Range | None) -> str:
    if found is None:
        return "(never reached)"
    least, greatest = rationals.short(found.least.value), rationals.short(found.greatest.value)
    return least if least == greatest else f"{least} to {greatest}"


def _cost(solution: Solution, price: Fraction | None) -> str:
    won = len(solution.game.wins) == 2
    return f", costs {_amount(price / (2 if won else 1), won)}" if price else ""


def _share(share: Fraction | None) -> str:
    return "" if share is None else rationals.percent(share)
