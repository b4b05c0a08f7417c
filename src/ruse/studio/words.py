"""Text of sweeps, searches and comparisons for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from ruse.core import rationals
from ruse.core.game import display_name, with_article
from ruse.insight.model import Range
from ruse.metrics.metric import METRICS
from ruse.metrics.pair import APPROXIMATE, REFERENCE, STORED
from ruse.present.report import short
from ruse.present.rules import headed
from ruse.solution.strategy import Solution
from ruse.studio.around import Sensitivity
from ruse.studio.balance import BalanceResult
from ruse.studio.bases import NARROW
from ruse.studio.compare import Comparison, SharedRule
from ruse.studio.crossings import CONDITION, Crossings
from ruse.studio.polynomials import Root, format_polynomial
from ruse.studio.rows import VariantRow
from ruse.studio.sweep import Sweep
from ruse.studio.variants import format_choice

MOST_ROWS = 30  # on the screen
MOST_VALUES = 5  # variants of a comparison in ten lines
MOST_MOVES = 8  # at a position, and facts


def format_sweep(sweep: Sweep) -> str:
    """Format the rows, or the extreme ones of many, and a summary."""
    blocks = ["\n".join(_table(sweep))]
    blocks.append("\n".join(summary(sweep)))
    return "\n\n".join(blocks)


def _table(sweep: Sweep) -> list[str]:
    """Format a table of what varies and the value of each variant."""
    axes, rows = sweep.variants.axes, list(sweep.rows.items())
    side = display_name(sweep.variants.items[0].game.sides[0])
    kinds = {bool(row.wins) for row in sweep}
    measured = f"{side} wins" if kinds == {True} else f"payoff to {side}" if kinds == {False} else "value"
    grouped: dict[str, list[int]] = {}  # parameters that vary, and their axes
    for number, axis in enumerate(axes):
        grouped.setdefault(axis.parameter, []).append(number)
    names = list(grouped)
    shown = rows if len(rows) <= MOST_ROWS else _extremes(rows)
    figures = _figures_shown([row for _, row in shown])
    cells = [[*names, measured, "simple rules", "lines", *(name.replace("_", " ") for name in figures)]]
    for number, row in shown:
        parameters = sweep.variants.items[number].parameters
        given = [_written(parameters.get(name.replace("-", "_"))) for name in names]
        simple = {True: "optimal", False: "not optimal", None: ""}[row.simple]
        counted = "" if row.lines is None else str(row.lines)
        cells.append([*given, row.format_value(), simple, counted, *(format_figure(row, name) for name in figures)])
    kept = [column for column in range(len(cells[0])) if any(line[column] for line in cells[1:])]
    widths = {column: max(len(line[column]) for line in cells) for column in kept}
    lines = ["  ".join(f"{line[column]:<{widths[column]}}" for column in kept).rstrip() for line in cells]
    if len(shown) < len(rows):
        lines.insert(
            1 + len(shown) // 2,
            f"… {len(rows) - len(shown):,} more in between; write all of them with --out FILE.csv …",
        )
    return lines


def _figures_shown(rows: Sequence[VariantRow]) -> list[str]:
    """The metrics that have a figure in some row."""
    every = [row.metrics.figures for row in rows if row.metrics is not None]
    return [name for name in (every[0] if every else ()) if any(figures.get(name) is not None for figures in every)]


def format_figure(row: VariantRow, name: str) -> str:
    """Format a metric of a row for a table: shares in percent."""
    number = None if row.metrics is None else row.metrics.figures.get(name)
    if number is None:
        return ""
    spec = METRICS.get(name)
    if spec is not None and spec.share:
        return f"{rationals.near(100 * Fraction(number), 3)}%"
    return rationals.near(Fraction(number), 3)


def _extremes(rows: Sequence[tuple[int, VariantRow]]) -> list[tuple[int, VariantRow]]:
    """Return the rows with the least and the greatest values."""
    ordered = sorted(rows, key=lambda pair: (pair[1].measure, pair[0]))
    return [*ordered[: MOST_ROWS // 2], *ordered[-MOST_ROWS // 2 :]]


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def summary(sweep: Sweep) -> list[str]:
    """Summarise a sweep: how many variants, how different, and how many exact."""
    rows = list(sweep)
    exact = sum(row.exact for row in rows)
    all_of = f"{len(rows):,} of {len(sweep.variants):,}" if not sweep.complete else f"{len(rows):,}"
    lines = [f"{all_of} variant{'s' * (len(rows) != 1)}, {'all' if exact == len(rows) else f'{exact:,}'} exact."]
    lines += _spread([row for row in rows if row.exact], len(sweep.variants))
    if (tried := [row for row in rows if row.simple is not None]) and len(rows) > 1:
        simple = sum(bool(row.simple) for row in tried)
        lines.append(f"Simple rules are optimal in {simple:,} ({rationals.percent(Fraction(simple, len(tried)))}).")
    late = Counter(row.note for row in rows if not row.exact)
    lines += [f"{many:,} with bounds only: {why or 'the bounds are not equal'}." for why, many in late.items()]
    lines += [f"{sentence}." for sentence in sweep.variants.left_out()]
    lines += _without(sweep)
    distinct = len({variant.key for variant in sweep.variants})
    alike = f" of {distinct:,} distinct variants," if distinct < len(sweep.variants) else ""
    known = f", {sweep.known:,} from earlier sweeps" if sweep.known else ""
    lines.append(f"Solved {sweep.solved:,}{alike}{known} in {sweep.seconds:.1f} s.".replace(",,", ","))
    return lines


def _without(sweep: Sweep) -> list[str]:
    """Say which variants are left out, play themselves, or could not be solved."""
    lines: list[str] = []
    if sweep.refused:
        verb = "is" if sweep.refused == 1 else "are"
        lines.append(f"{sweep.refused:,} failed a condition on metrics and {verb} left out.")
    lines += _warned(sweep)
    if sweep.failed:
        which, why = next(iter(sweep.failed.items()))
        lines.append(f"{len(sweep.failed):,} could not be solved, such as {which}: {why}.")
    return lines


def _warned(sweep: Sweep) -> list[str]:
    """Say which variants play themselves, and what the metrics are of."""
    lines: list[str] = []
    measured = [(number, row.metrics) for number, row in sweep.rows.items() if row.metrics is not None]
    dead = [(number, metrics.warnings) for number, metrics in measured if metrics.warnings]
    if dead:
        number, sentences = dead[0]
        which = format_choice(sweep.variants.axes, sweep.variants.items[number].choice)
        many = "1 variant plays itself" if len(dead) == 1 else f"{len(dead):,} variants play themselves"
        lines.append(f"{many}, such as {which}: {sentences[0]}")
    bases = Counter(metrics.basis for _, metrics in measured)
    for basis, count in bases.items():
        lines.append(f"Metrics of {count:,} variant{'s' * (count != 1)} {RESTS[basis]}.")
    return lines


RESTS = {
    REFERENCE: "are of the reference pair of optimal strategies",
    STORED: "are of one pair of optimal strategies; other optimal strategies may have other figures",
    APPROXIMATE: "are of strategies that are not proved optimal",
    "": "could not be measured",
}


def _spread(solved: Sequence[VariantRow], variants: int) -> list[str]:
    """Summarise the values of the rows that are exact: a row with bounds has no value that could be the least."""
    if len(solved) < 2:
        return []
    if len({bool(row.wins) for row in solved}) > 1:
        return ["Some values are win rates and some are payoffs, which do not compare: sweep them one after the other."]
    ordered = sorted(solved, key=lambda row: row.measure)
    values = len({row.measure for row in solved})
    least, most = ordered[0].format_value(), ordered[-1].format_value()
    lines = [f"From {least} to {most}; {values:,} different value{'s' * (values != 1)}."]
    if solved[0].wins:
        even = min(solved, key=lambda row: abs(row.measure - Fraction(1, 2)))
        unsolved = " among those solved" if len(solved) < variants else ""
        lines.append(f"Closest to even{unsolved}: {even.format_value()}, {_parameters(even)}.")
    return lines


def _parameters(row: VariantRow) -> str:
    return ", ".join(f"{name.replace('_', '-')} {_written(value)}" for name, value in row.parameters.items())


def format_balance(balance: BalanceResult) -> str:
    """Format the result of a search, and what it proves."""
    lines, counted = [], any(candidate.changes for candidate in balance.best)
    for candidate in balance.best[:MOST_ROWS]:
        changed = f", {candidate.changes} change{'s' * (candidate.changes != 1)}" if counted else ""
        apart = rationals.points(candidate.distance) if candidate.row.wins else rationals.short(candidate.distance)
        which = f": {_parameters(candidate.row)}" if candidate.row.parameters else ""
        lines.append(f"{candidate.row.format_value()}, {apart} from the target{changed}{which}")
        lines += [f"  Warning: {sentence}" for sentence in candidate.warnings]
        if balance.bases:
            figures = [f"{name} {format_figure(candidate.row, name)}" for name in _figures_shown([candidate.row])]
            lines.append(f"  {', '.join(figures)}".replace("_", " "))
    if len(balance.best) > MOST_ROWS:
        lines.append(f"… and {len(balance.best) - MOST_ROWS:,} equally good; list them with --json")
    lines.append("")
    many = f"{balance.considered:,} variant{'s' * (balance.considered != 1)}"
    if balance.proved:
        proved = f"Proved, if {balance.condition}" if balance.condition else "Proved"
        others = (
            " Other variants that were not solved may be equally close." if balance.solved < balance.distinct else ""
        )
        meets = " and meets the constraints" if balance.bases else ""
        lines.append(f"{proved}: none of {many} is closer{meets}.{others}")
        if balance.bases:
            lines.append("The values are proved for all optimal strategies.")
        lines += [f"The metrics {RESTS[basis]}." for basis in balance.bases]
    else:
        lines.append(f"Not proved: some of {many} may be closer.")
    lines.append(
        f"Solved {balance.solved:,} of {balance.distinct:,} distinct variants; "
        f"{rationals.percent(balance.pruned)} were ruled out without being solved, in {balance.seconds:.1f} s."
    )
    if balance.refused:
        lines.append(
            f"{balance.refused:,} variant{'s were' if balance.refused != 1 else ' was'} as close or closer, "
            "but failed a constraint."
        )
    lines += [f"{sentence}." for sentence in balance.left_out]
    return "\n".join(lines)


def format_sensitivity(sensitivity: Sensitivity) -> str:
    """Format the effect of each change, largest first."""
    won = bool(sensitivity.base.wins)
    game = sensitivity.sweep.variants.items[0].game
    value = sensitivity.base.format_value()
    lines = [f"{game.title}: {display_name(game.sides[0])} {'wins' if won else 'gets'} {value}", ""]
    width = max((len(effect.change) for effect in sensitivity.effects), default=0)
    for effect in sensitivity.effects:
        amounts = f"{signed(effect.difference, won):>10}  {effect.row.format_value()}{_rule(effect.rule, won)}"
        lines.append(f"  {effect.change:<{width}}  {amounts}")
    if sensitivity.rule is not None:
        cost = amount(sensitivity.rule, won) if sensitivity.rule else "nothing"
        lines += ["", f"Without a change, the simple rule costs {with_article(game.sides[1])} {cost}."]
    idle = sorted(
        {effect.entry for effect in sensitivity.effects}
        - {effect.entry for effect in sensitivity.effects if effect.difference}
    )
    if idle:
        lines.append(f"These single changes have no effect: {', '.join(idle)}.")
    lines += [f"{sentence}." for sentence in sensitivity.sweep.variants.left_out()]
    return "\n".join(lines)


def signed(difference: Fraction, won: bool) -> str:
    """Format a difference for a column: "+4.2 pp" for win rates, otherwise a number."""
    if not difference:
        return "0"
    size = f"{rationals.near(100 * abs(difference), 3)} pp" if won else rationals.short(abs(difference))
    sign, about = "+" if difference > 0 else "−", "about " * size.startswith("about ")
    return f"{about}{sign}{size.removeprefix('about ')}"


def amount(share: Fraction, won: bool) -> str:
    return rationals.points(share) if won else rationals.short(share)


def _rule(price: Fraction | None, won: bool) -> str:
    return f", simple rule costs {amount(price, won)}" if price else ""


def format_comparison(comparison: Comparison, full: bool = False) -> str:
    """Format values, rules and positions side by side: in ten lines, or in `full`."""
    values = _values(comparison)
    if full:
        return "\n".join([*values, *_all_rules(comparison), *_all_positions(comparison)])
    if len(values) > MOST_VALUES:
        values = [*values[: MOST_VALUES - 1], f"… and {len(values) - MOST_VALUES + 1} more variants"]
    if changed := _changed(comparison):
        values.append(f"Changed: {changed}.")
    for side, rules in comparison.words.items():
        shared = sum(all(line.held) for line in rules)
        values.append(f"{headed(side)}: {shared:,} of {len(rules):,} rules are the same in all.{_first_change(rules)}")
    if moved := _moved(comparison):
        values.append(moved)
    return "\n".join([*values, "For all rules and positions, add --full."])


def _values(comparison: Comparison) -> list[str]:
    won = len(comparison.variants[0].solution.game.wins) == 2
    width = max(map(len, comparison.names))
    lines = []
    for number, variant in enumerate(comparison.variants, 1):
        headline = variant.solution.headline().partition(": ")[2]
        change = f"  {signed(variant.difference, won)}" if number > 1 else ""
        lines.append(f"{number}  {variant.solution.game.title:<{width}}  {headline}{change}")
    return lines


def _changed(comparison: Comparison) -> str:
    """Return the parameters in which variants differ: "missions 2 3 2 3 3 → 2 2 2 3 3"."""
    games = [variant.solution.game for variant in comparison.variants]
    names = dict.fromkeys(name for game in games for name in game.parameters)
    changes = []
    for name in names:
        values = [_written(game.parameters.get(name)) for game in games]
        if len({*values}) > 1:
            changes.append(f"{name.replace('_', '-')} {' → '.join(values)}")
    return "; ".join(changes)


def _first_change(rules: Sequence[SharedRule]) -> str:
    """Return the first rule that only some variants have."""
    for line in rules:
        if not all(line.held):
            held = " and ".join(str(place) for place, has in enumerate(line.held, 1) if has)
            return f" Only in {held}: {short(line.text)}"
    return ""


def _moved(comparison: Comparison) -> str:
    """Return the shared position and move whose range of odds differs most from the first variant."""
    best, text = Fraction(0), ""
    for steps, insights in comparison.positions.items():
        first = insights[0]
        for number, other in enumerate(insights[1:], 2):
            if first is None or other is None:
                continue
            known = {move.move: move.range for move in first.moves}
            for move in other.moves:
                before = known.get(move.move)
                if before is None or move.range is None:
                    continue
                apart = max(
                    move.range.least.value - before.greatest.value, before.least.value - move.range.greatest.value
                )
                if apart > best:
                    best = apart
                    here = f"{_range(before)} in 1, {_range(move.range)} in {number}"
                    text = f"At {steps or 'the start'}: {move.move} {here}."
    return text


def _all_rules(comparison: Comparison) -> list[str]:
    lines = []
    for side, rules in comparison.words.items():
        lines += [
            "",
            f"{headed(side)} (numbers before a rule say which variants have it; a rule without a number is in all):",
        ]
        for line in rules:
            held = "" if all(line.held) else " ".join(str(place) for place, has in enumerate(line.held, 1) if has)
            lines.append(f"  {held:<{2 * len(comparison.variants) - 1}}  {short(line.text)}")
    return lines


def _all_positions(comparison: Comparison) -> list[str]:
    lines = []
    for steps, insights in comparison.positions.items():
        lines += ["", f"At {steps or 'the start'}:"]
        for number, (variant, seen) in enumerate(zip(comparison.variants, insights, strict=True), 1):
            if seen is None:
                lines.append(f"  {number}  no such position")
                continue
            moves = [f"{move.move} {_range(move.range)}{_cost(variant.solution, move.price)}" for move in seen.moves]
            beliefs = [f"{belief.fact} {_share(belief.stored)}" for belief in seen.beliefs if belief.stored is not None]
            lines.append(f"  {number}  {'; '.join(moves[:MOST_MOVES])}" + (" …" if len(moves) > MOST_MOVES else ""))
            if beliefs:
                more = " …" if len(beliefs) > MOST_MOVES else ""
                lines.append(f"     beliefs: {', '.join(beliefs[:MOST_MOVES])}{more}")
    return lines


def format_crossings(crossings: Crossings) -> str:
    """Format where the value is the target, and the pieces in between."""
    goal, lines = rationals.short(crossings.target), []
    for crossing in crossings.crossings:
        first, last = _root(crossing.first), _root(crossing.last)
        if crossing.first == crossing.last:
            lines.append(f"The value is {goal} where {crossings.parameter} is {first}.")
        else:
            lines.append(f"The value is {goal} for every {crossings.parameter} from {first} to {last}.")
    low, high = crossings.value
    if not lines and crossings.gaps:
        lines.append(f"The value is not {goal} in any part of the interval that there was time for.")
    elif not lines and low is not None and high is not None:
        lines.append(f"The value is never {goal}; it ranges from {rationals.short(low)} to {rationals.short(high)}.")
    if crossings.gaps:
        left = ", ".join(f"from {_root(start)} to {_root(end)}" for start, end in crossings.gaps)
        lines.append(f"Stopped before these parts of the interval were traced: {left}.")
    if crossings.pieces:
        lines += ["", f"Traced exactly, with t for {crossings.parameter}, if {CONDITION}; payoffs to side 0:"]
    for piece in crossings.pieces:
        top, bottom = format_polynomial(piece.top), format_polynomial(piece.bottom)
        quotient = top if bottom == "1" else f"({top}) / ({bottom})"
        lines.append(f"  from {_root(piece.first)} to {_root(piece.last)}: {quotient}")
    return "\n".join(lines)


def _root(root: Root) -> str:
    if root.rational is not None:
        return rationals.short(root.rational)
    narrow = root.within(NARROW)
    low, high = rationals.outward(narrow.low, narrow.high)
    return f"{rationals.near(narrow.near, 8)} (the root of {format_polynomial(root.of)} between {low} and {high})"


def _range(odds: Range | None) -> str:
    if odds is None:
        return "(never reached)"
    least, greatest = rationals.short(odds.least.value), rationals.short(odds.greatest.value)
    return least if least == greatest else f"{least} to {greatest}"


def _cost(solution: Solution, price: Fraction | None) -> str:
    won = len(solution.game.wins) == 2
    return f", costs {amount(price / (2 if won else 1), won)}" if price else ""


def _share(share: Fraction | None) -> str:
    return "" if share is None else rationals.percent(share)
