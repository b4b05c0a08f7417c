"""Sweeps and searches on the screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from ruse.core import rationals
from ruse.core.game import called
from ruse.studio.balance import Balance
from ruse.studio.rows import Row
from ruse.studio.sweep import Sweep

MOST_ROWS = 30  # on the screen


def told(sweep: Sweep) -> str:
    """The rows, or the most telling of many, and what they come to."""
    blocks = ["\n".join(_table(sweep))]
    blocks.append("\n".join(summary(sweep)))
    return "\n\n".join(blocks)


def _table(sweep: Sweep) -> list[str]:
    """What varies, and what each variant is worth."""
    axes, rows = sweep.variants.axes, list(sweep.rows.items())
    side = called(sweep.variants.found[0].game.sides[0])
    measured = f"{side} wins" if next(iter(sweep)).wins else f"worth to {side}"
    grouped: dict[str, list[int]] = {}  # parameters that vary, and their axes
    for number, axis in enumerate(axes):
        grouped.setdefault(axis.parameter, []).append(number)
    names = list(grouped)
    cells = [[*names, measured, "simple rules", "lines"]]
    shown = rows if len(rows) <= MOST_ROWS else _extremes(rows)
    for number, row in shown:
        parameters = sweep.variants.found[number].game.parameters
        given = [_written(parameters.get(name.replace("-", "_"))) for name in names]
        simple = {True: "optimal", False: "not optimal", None: ""}[row.simple]
        cells.append([*given, row.told(), simple, "" if row.lines is None else str(row.lines)])
    kept = [column for column in range(len(cells[0])) if any(line[column] for line in cells[1:])]
    widths = {column: max(len(line[column]) for line in cells) for column in kept}
    lines = ["  ".join(f"{line[column]:<{widths[column]}}" for column in kept).rstrip() for line in cells]
    if len(shown) < len(rows):
        lines.insert(1 + len(shown) // 2, f"… {len(rows) - len(shown):,} more between: --out FILE.csv has them all …")
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
    if len(rows) > 1:
        least, most = min(rows, key=lambda row: row.measure), max(rows, key=lambda row: row.measure)
        values = len({row.measure for row in rows})
        lines.append(f"From {least.told()} to {most.told()}; {values:,} different value{'s' * (values != 1)}.")
    if rows and rows[0].wins:
        even = min(rows, key=lambda row: abs(row.measure - Fraction(1, 2)))
        if len(rows) > 1:
            lines.append(f"Nearest to even: {even.told()}, {_parameters(even)}.")
    if (tried := [row for row in rows if row.simple is not None]) and len(rows) > 1:
        simple = sum(bool(row.simple) for row in tried)
        lines.append(f"Simple rules are optimal in {simple:,} ({rationals.percent(Fraction(simple, len(tried)))}).")
    late = Counter(row.note for row in rows if not row.exact)
    lines += [f"{many:,} only bounded: {why or 'the bounds did not meet'}." for why, many in late.items()]
    lines += [f"{one}." for one in sweep.variants.left_out()]
    if sweep.failed:
        which, why = next(iter(sweep.failed.items()))
        lines.append(f"{len(sweep.failed):,} without an answer, such as {which}: {why}.")
    once = len({one.key for one in sweep.variants})
    alike = f" of {once:,} that differ," if once < len(sweep.variants) else ""
    known = f", {sweep.known:,} known before" if sweep.known else ""
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
        lines.append(f"{one.row.told()}, {apart} from the target{changed}: {_parameters(one.row)}")
    if len(found.best) > MOST_ROWS:
        lines.append(f"… and {len(found.best) - MOST_ROWS:,} as good: --json has them")
    lines.append("")
    many = f"{found.considered:,} variant{'s' * (found.considered != 1)}"
    if found.proved:
        lines.append(f"Proved: none of {many} is nearer. Others that were not solved may be as near.")
    else:
        lines.append(f"Not proved: of {many}, some may be nearer.")
    lines.append(
        f"Solved {found.solved:,} of {found.distinct:,} that differ; {rationals.percent(found.pruned)} were ruled out "
        f"unsolved, in {found.seconds:.1f} s."
    )
    if found.refused:
        lines.append(f"{found.refused:,} were as near or nearer but did not meet --free or --lines.")
    lines += [f"{one}." for one in found.left_out]
    return "\n".join(lines)
