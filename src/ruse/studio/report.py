"""Reports to share: one HTML file per sweep, search or comparison, with everything in it and nothing from elsewhere.

A report has what was found in a few lines, a picture, tables that sort and filter (they are plain tables without its
script), the rules of the game, what is proved, and the command that makes it again. `ruse explore` shows the same body
on a page of its own.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from ruse.core import atomic_files, rationals, registry
from ruse.core.certificate import DECLARED, NONE, PROOFS
from ruse.core.game import Game, RuseError, display_name
from ruse.core.parameters import Parameter
from ruse.present import svg
from ruse.present.card import how_it_is_played
from ruse.present.site import PAGE, STYLES
from ruse.studio import words
from ruse.studio.around import Sensitivity
from ruse.studio.balance import BalanceResult
from ruse.studio.compare import Comparison, measure
from ruse.studio.ranges import ParameterAxis
from ruse.studio.rows import VariantRow, cell
from ruse.studio.sweep import Sweep

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
FRAME = svg.Frame(760, 340, 80, 30, 18, 58)
REPEATED = ("where", "metric", "at")  # options that may come several times
MOST_TICKS = 12  # labels below a plot
MOST_ACROSS, MOST_CELLS = 24, 600  # of a map
MOST_BARS = 24
BAR = 22  # pixels
STEPS = 3  # of colour on each side of the target
EVEN = Fraction(1, 2)
PROVED = (
    "A value is exact if the strategy that ruse found for one side guarantees at least as much as the other side's "
    "concedes at most. ruse computes both by a best response in exact fractions, whatever found the strategies."
)


class ReportError(RuseError):
    """A report that cannot be written."""


@dataclass(frozen=True)
class TableCell:
    text: str
    key: float | None = None  # what it is sorted by, if not its text


@dataclass(frozen=True)
class ReportTable:
    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[TableCell]]
    official: frozenset[int] = frozenset()  # numbers of rows
    mark: str = ""  # what those are called


@dataclass(frozen=True)
class StudioReport:
    """What a report holds, before it is a page."""

    title: str
    lead: Sequence[str]  # what was found, in a few lines
    rules: Sequence[str]  # how the game is played, in paragraphs
    proof: Sequence[str]
    command: str
    data: Mapping[str, Any]  # what the command prints with --json
    pictures: Sequence[str] = ()  # HTML
    tables: Sequence[ReportTable] = ()
    details: Sequence[tuple[str, str]] = field(default=())  # a heading and a text, folded

    def body(self) -> str:
        """Return the report as HTML, without a page around it."""
        parts = [f'<div class="lead-lines">{_paragraphs(self.lead)}</div>', *self.pictures]
        parts += [_table(table) for table in self.tables]
        parts += [
            f"<details><summary>{escape(heading)}</summary><pre>{escape(text)}</pre></details>"
            for heading, text in self.details
        ]
        if self.rules:
            parts.append(f"<h2>The rules</h2>{_paragraphs(self.rules)}")
        parts.append(f"<h2>What is proved</h2><p>{' '.join(map(escape, self.proof))}</p>")
        parts.append(
            f'<h2>Make it again</h2><p class="command"><code>{escape(self.command)}</code></p>'
            f'<p class="soft">ruse {escape(_version())}</p>'
        )
        return "\n".join(parts)

    def html(self) -> str:
        """Return the page, which needs no other file."""
        style = "".join((PAGE / name).read_text(encoding="utf-8") for name in STYLES)
        script = (PAGE / "report.js").read_text(encoding="utf-8")
        data = json.dumps(self.data, ensure_ascii=False).replace("</", "<\\/")
        title = escape(self.title)
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
            f'<main class="report">\n<h1>{title}</h1>\n{self.body()}\n</main>\n'
            f'<script type="application/json" id="data">{data}</script>\n'
            f"<script>\n{script}</script>\n</body>\n</html>\n"
        )

    def write(self, path: str | Path) -> Path:
        """Write the page, all of it or nothing."""
        path = Path(path)
        check_name(path)
        try:
            atomic_files.replace(path, self.html().encode())
        except OSError as error:
            raise ReportError(f"cannot write to {path}: {atomic_files.reason(error)}") from error
        return path


def check_name(path: Path) -> None:
    """Raise ReportError unless a report can have that name."""
    if path.suffix.lower() != ".html":
        raise ReportError(f"expected a report to be a file ending in .html, got {str(path)!r}")


def command_line(verb: str, games: Sequence[str], options: Mapping[str, Any]) -> str:
    """Return the command that does the same; options that are empty are left out."""
    given: list[str] = []
    for name, value in options.items():
        if value in (None, False, "", [], ()):
            continue
        for each in value if name in REPEATED and isinstance(value, list | tuple) else [value]:
            given += [f"--{name.replace('_', '-')}"] + ([] if each is True else [_typed(each)])
    return shlex.join(["ruse", verb, *games, *given])


def _typed(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def official_parameters(name: str, parameters: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return all parameters of the official variant, for the first one given where others follow from it."""
    asked = registry.parameters_of(name)
    known = {key.replace("_", "-"): value for key, value in parameters.items()}
    derived = any(parameter.default is None for parameter in asked)
    needed = [parameter.name for parameter in asked if _is_needed(parameter)]
    if derived and asked[0].name not in needed:
        needed.append(asked[0].name)
    try:
        return registry.make(name, {key: known[key] for key in needed if key in known}).parameters
    except RuseError:
        return None


def _is_needed(parameter: Parameter) -> bool:
    return "empty" in repr(parameter.default)


# Sweeps.


def of_sweep(sweep: Sweep, command: str) -> StudioReport:
    rows, axes = list(sweep), sweep.variants.axes
    game = sweep.variants.items[0].game
    varied = list(dict.fromkeys(axis.parameter.replace("-", "_") for axis in axes))
    target = EVEN if rows and rows[0].wins else Fraction(0)
    official = official_rows(sweep.name, rows)
    labels = [_choice(sweep, number, row) for number, row in sweep.rows.items()]
    pictures = [_plot(game, rows, labels, target, official, sort=len(axes) > 1)] if len(rows) > 1 else []
    if (drawn := _map(sweep, target, official)) is not None:
        pictures.append(drawn)
    return StudioReport(
        f"{sweep.name}: {len(rows):,} variant{'s' * (len(rows) != 1)}",
        words.summary(sweep),
        how_it_is_played(game),
        _proof_sentences([row for row in rows if row.exact]),
        command,
        sweep.to_json(),
        pictures,
        [_rows_table("Variants", game, rows, varied, target, official)],
    )


def official_rows(name: str, rows: Sequence[VariantRow]) -> frozenset[int]:
    """Return the numbers of rows that are official variants."""
    known: dict[str, Mapping[str, Any] | None] = {}
    numbers = []
    for number, row in enumerate(rows):
        first = str(next(iter(row.parameters.values()), ""))
        if first not in known:
            known[first] = official_parameters(name, row.parameters)
        if known[first] is not None and dict(known[first] or {}) == dict(row.parameters):
            numbers.append(number)
    return frozenset(numbers)


def _choice(sweep: Sweep, number: int, row: VariantRow) -> str:
    names = dict.fromkeys(axis.parameter.replace("-", "_") for axis in sweep.variants.axes)
    values = [_written(row.parameters.get(name)) for name in names]
    return ", ".join(values) or "this one"


def _rows_table(
    caption: str,
    game: Game,
    rows: Sequence[VariantRow],
    varied: Sequence[str],
    target: Fraction,
    official: frozenset[int],
    changes: Sequence[int] | None = None,
) -> ReportTable:
    won = bool(rows and rows[0].wins)
    side = display_name(game.sides[0])
    metrics = list(dict.fromkeys(name for row in rows for name in _metrics(row)))
    columns = [*(name.replace("_", " ") for name in varied), f"{side} wins" if won else f"{side} gets"]
    columns += ["from the target", *(["changes"] if changes is not None else []), "simple rules", "lines", *metrics]
    columns += ["proof", "note"]
    lines = []
    for number, row in enumerate(rows):
        distance = row.measure - target
        simple = {True: "optimal", False: "not optimal", None: ""}[row.simple]
        line = [TableCell(_written(row.parameters.get(name)), _key(row.parameters.get(name))) for name in varied]
        line.append(TableCell(row.format_value(), float(row.measure)))
        line.append(TableCell(_signed(distance, won), float(abs(distance))))
        if changes is not None:
            line.append(TableCell(str(changes[number]), changes[number]))
        line += [TableCell(simple), TableCell("" if row.lines is None else str(row.lines), row.lines)]
        line += [TableCell(*_metrics(row).get(name, ("", None))) for name in metrics]
        line += [TableCell(row.certificate.proof if row.exact else "bounds only"), TableCell(_note(row))]
        lines.append(line)
    kept = [column for column in range(len(columns)) if any(line[column].text for line in lines)]
    return ReportTable(
        caption,
        [columns[column] for column in kept],
        [[line[column] for column in kept] for line in lines],
        official,
        f"{_article(game)} variant",
    )


def _note(row: VariantRow) -> str:
    return " ".join(filter(None, (row.note, *(row.metrics.warnings if row.metrics else ()))))


def _metrics(row: VariantRow) -> dict[str, tuple[str, float | None]]:
    """Return the metrics of a row, if it has any: texts and numbers by name."""
    if row.metrics is None:
        return {}
    return {
        name: ("", None) if number is None else (rationals.near(float(number), 4), float(number))
        for name, number in row.metrics.figures.items()
    }


def _proof_sentences(rows: Sequence[VariantRow]) -> list[str]:
    """Say what exact values rest on."""
    counted = Counter(row.certificate.proof for row in rows)
    sentences = []
    for proof, many in counted.most_common():
        if proof == NONE:
            continue
        of = f"{many:,} exact value{'s rest' if many != 1 else ' rests'} on"
        basis = "what the game declares about itself" if proof == DECLARED else PROOFS[proof]
        sentences.append(f"{of} {basis}.")
    if {*counted} - {NONE, DECLARED}:
        sentences.append(PROVED)
    return sentences or ["No value is proved to be exact."]


# Pictures.


def _plot(
    game: Game,
    rows: Sequence[VariantRow],
    labels: Sequence[str],
    target: Fraction,
    official: frozenset[int],
    sort: bool,
) -> str:
    """Plot values around the target; each variant is a dot, or a line between its bounds."""
    won = bool(rows[0].wins)
    numbers = sorted(range(len(rows)), key=lambda number: rows[number].measure) if sort else list(range(len(rows)))
    bounds = [_bounds(row) for row in rows]
    reach = max([abs(end - float(target)) for pair in bounds for end in pair]) or (0.5 if won else 1.0)
    up = FRAME.up([float(target) - 1.08 * reach, float(target) + 1.08 * reach])
    across = FRAME.across([-0.5, len(rows) - 0.5])
    ticks = [
        (level, rationals.percent(Fraction(level).limit_denominator(1000)) if won else text)
        for level, text in up.ticks()
    ]
    level = up.at(float(target))
    goal = rationals.percent(target) if won else rationals.short(target)
    parts = FRAME.levels(up, ticks)
    parts.append(svg.straight((FRAME.left, level), (FRAME.width - FRAME.right, level), class_="target"))
    every = -(-len(rows) // MOST_TICKS)
    if not sort:
        parts += FRAME.columns(across, [(place, labels[number]) for place, number in enumerate(numbers)][::every])
    radius = 5 if len(rows) <= 60 else 2.5
    for place, number in enumerate(numbers):
        x, (low, high) = across.at(place), bounds[number]
        shown = svg.title(f"{labels[number]}: {rows[number].format_value()}")
        if low < high:
            parts.append(svg.straight((x, up.at(low)), (x, up.at(high)), class_="bounds"))
        parts.append(svg.dot((x, up.at((low + high) / 2)), radius, shown, class_="dot"))
        if number in official:
            parts.append(svg.dot((x, up.at((low + high) / 2)), radius + 4, class_="ring"))
            if len(official) <= MOST_TICKS:
                y = up.at((low + high) / 2)
                parts.append(
                    svg.label(
                        _article(game).partition(" ")[2], x, y - radius - 8, class_="official", text_anchor="middle"
                    )
                )
    measured = f"{display_name(game.sides[0])} {'wins' if won else 'gets'}"
    parts += FRAME.names("variants, sorted by value" if sort else "", measured)
    name = f"{measured}, by variant, around the target {goal}"
    ringed = f" A ring marks {_article(game)} variant." if official else ""
    return _figure(svg.picture(FRAME.size, name, parts), f"{measured}; the dashed line is the target, {goal}.{ringed}")


def _bounds(row: VariantRow) -> tuple[float, float]:
    low, high = row.certificate.lower, row.certificate.upper
    return (float((1 + low) / 2), float((1 + high) / 2)) if row.wins else (float(low), float(high))


def _map(sweep: Sweep, target: Fraction, official: frozenset[int]) -> str | None:
    """Write a table of colours over two groups of parameters; None if there are not two, or too many cells."""
    axes = sweep.variants.axes
    places = [place for place in range(1, len(axes)) if axes[place].parameter != axes[place - 1].parameter]
    cut = min(places or range(1, len(axes)), key=lambda place: _uneven(axes, place), default=0)
    if not cut:
        return None
    down, across = (list(product(*(axis.options for axis in part))) for part in (axes[:cut], axes[cut:]))
    if len(across) > MOST_ACROSS or len(across) * len(down) > MOST_CELLS:
        return None
    rows = {sweep.variants.items[number].choice: (place, row) for place, (number, row) in enumerate(sweep.rows.items())}
    reach = max((abs(row.measure - target) for _, row in rows.values()), default=Fraction(0)) or Fraction(1)
    head = "".join(f'<th scope="col">{escape(" ".join(option))}</th>' for option in across)
    lines = []
    for below in down:
        cells = "".join(_cell(rows.get((*below, *beside)), target, reach, official) for beside in across)
        lines.append(f'<tr><th scope="row">{escape(" ".join(below))}</th>{cells}</tr>')
    goal = rationals.percent(target) if rows and next(iter(rows.values()))[1].wins else rationals.short(target)
    names = [", ".join(dict.fromkeys(axis.name for axis in part)) for part in (axes[cut:], axes[:cut])]
    text = f"{names[0]} across, {names[1]} down. White is the target, {goal}; green is more, brown is less."
    text += f" A frame marks {_article(sweep.variants.items[0].game)} variant." if official else ""
    table = f'<table class="map"><thead><tr><td></td>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table>'
    return _figure(table, text)


def _cell(numbered: tuple[int, VariantRow] | None, target: Fraction, reach: Fraction, official: frozenset[int]) -> str:
    """Write a variant as a cell, coloured by how far it is from the target; empty if it was left out."""
    if numbered is None:
        return "<td></td>"
    place, row = numbered
    step = STEPS + round(STEPS * (row.measure - target) / reach)
    marked = " is-official" if place in official else ""
    return f'<td class="heat-{step}{marked}">{escape(row.format_value())}</td>'


def _uneven(axes: Sequence[ParameterAxis], place: int) -> float:
    down, across = (prod(len(axis.options) for axis in part) for part in (axes[:place], axes[place:]))
    return max(down / across, across / down)


def _bars(effects: Sequence[tuple[str, Fraction, str]], name: str) -> str:
    """Draw the effect of each change as a bar to the left or right of nothing, the largest first."""
    reach = max((abs(float(effect)) for _, effect, _ in effects), default=0.0) or 1.0
    frame = svg.Frame(760, 30 + BAR * len(effects), 250, 90, 10, 20)
    across = frame.across([-reach, reach])
    parts = []
    for place, (change, effect, text) in enumerate(effects):
        y = frame.top + BAR * (place + 0.5)
        start, end = sorted((across.at(0), across.at(float(effect))))
        kind = "more" if effect > 0 else "less"
        parts.append(svg.label(change, frame.left - 12, y + 4, text_anchor="end"))
        parts.append(svg.box((start, y - 7), (max(end - start, 1), 14), class_=kind))
        anchor = "start" if effect >= 0 else "end"
        parts.append(svg.label(text, end + 6 if effect >= 0 else start - 6, y + 4, text_anchor=anchor))
    parts.append(svg.straight((across.at(0), frame.top), (across.at(0), frame.height - frame.bottom), class_="target"))
    return _figure(svg.picture(frame.size, name, parts), name)


def _figure(drawn: str, caption: str) -> str:
    box = f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">{drawn}</div>'
    return f"<figure>{box}<figcaption>{escape(caption)}</figcaption></figure>"


# Single changes, searches and comparisons.


def of_sensitivity(sensitivity: Sensitivity, command: str) -> StudioReport:
    game, base = sensitivity.sweep.variants.items[0].game, sensitivity.base
    won = bool(base.wins)
    side = display_name(game.sides[0])
    shown = [effect for effect in sensitivity.effects if effect.difference][:MOST_BARS]
    bars = [(effect.change, effect.difference, words.signed(effect.difference, won)) for effect in shown]
    rows = [
        [
            TableCell(effect.change),
            TableCell(words.signed(effect.difference, won), float(effect.difference)),
            TableCell(effect.row.format_value(), float(effect.row.measure)),
            TableCell("" if not effect.rule else words.amount(effect.rule, won), float(effect.rule or 0)),
            TableCell(effect.row.certificate.proof if effect.row.exact else "bounds only"),
        ]
        for effect in sensitivity.effects
    ]
    columns = ["change", "effect", f"{side} {'wins' if won else 'gets'}", "simple rule costs", "proof"]
    text = words.format_sensitivity(sensitivity).splitlines()
    lead = [text[0], *(line for line in text[2 + len(sensitivity.effects) :] if line)]
    exact = [row for row in (base, *(effect.row for effect in sensitivity.effects)) if row.exact]
    return StudioReport(
        f"{game.title}: what each single change does",
        lead,
        how_it_is_played(game),
        _proof_sentences(exact),
        command,
        sensitivity.to_json(),
        [_bars(bars, f"What each change does to {side}: the largest effects first")] if bars else [],
        [ReportTable("Changes", columns, rows)],
    )


def of_balance(balance: BalanceResult, command: str) -> StudioReport:
    rows = [candidate.row for candidate in balance.best]
    game = registry.make(balance.name, rows[0].parameters)
    official, names = official_rows(balance.name, rows), list(rows[0].parameters)
    labels = [", ".join(_written(value) for value in row.parameters.values()) for row in rows]
    text = [line for line in words.format_balance(balance).splitlines() if line]
    counted = [candidate.changes for candidate in balance.best]
    table = _rows_table("Best variants", game, rows, names, balance.target, official, counted if any(counted) else None)
    claims = text[-_claims(balance, text) :]
    return StudioReport(
        f"{balance.name}: closest to {rationals.short(balance.target)}",
        text[: len(text) - len(claims)][:10],
        how_it_is_played(game),
        [*claims, *_proof_sentences(rows)],
        command,
        balance.to_json(),
        [_plot(game, rows, labels, balance.target, official, sort=True)] if len(rows) > 1 else [],
        [table],
    )


def _claims(balance: BalanceResult, text: Sequence[str]) -> int:
    """Count the lines of the text that say what is proved."""
    first = next(number for number, line in enumerate(text) if line.startswith(("Proved", "Not proved")))
    return len(text) - first


def of_comparison(comparison: Comparison, command: str) -> StudioReport:
    solutions = [variant.solution for variant in comparison.variants]
    game, won = solutions[0].game, len(solutions[0].game.wins) == 2
    side = display_name(game.sides[0])
    parameters = list(dict.fromkeys(name for solution in solutions for name in solution.game.parameters))
    lines = []
    for number, (variant, solution) in enumerate(zip(comparison.variants, solutions, strict=True), 1):
        value = solution.headline().partition(": ")[2]
        line = [TableCell(str(number), number), TableCell(solution.game.title)]
        line += [TableCell(_written(solution.game.parameters.get(name))) for name in parameters]
        line += [TableCell(value, float(measure(solution))), TableCell(words.signed(variant.difference, won))]
        lines.append([*line, TableCell(solution.certificate.proof)])
    rows = [
        VariantRow(
            solution.game.parameters, game.wins if won else (), solution.certificate, solution.solver, 0, None, None
        )
        for solution in solutions
    ]
    target = EVEN if won else Fraction(0)
    columns = ["", "variant", *(name.replace("_", " ") for name in parameters), f"{side} {'wins' if won else 'gets'}"]
    table = ReportTable("Variants", [*columns, "difference", "proof"], lines)
    full = words.format_comparison(comparison, full=True)
    return StudioReport(
        " and ".join(comparison.names),
        words.format_comparison(comparison).splitlines()[:-1],
        how_it_is_played(game),
        _proof_sentences([row for row in rows if row.exact]),
        command,
        comparison.to_json(),
        [_plot(game, rows, comparison.names, target, frozenset(), sort=False)],
        [table],
        [("Both strategies in words, and positions that the variants share", full)],
    )


# HTML.


def _paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _table(table: ReportTable) -> str:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.columns)
    lines = []
    for number, row in enumerate(table.rows):
        kind = ' class="is-official"' if number in table.official else ""
        cells = "".join(f"<td{_data(cell.key)}>{escape(cell.text)}</td>" for cell in row)
        lines.append(f"<tr{kind}>{cells}</tr>")
    marked = f'<p class="soft">◆ is {table.mark}.</p>' if table.official else ""
    return (
        f"<h2>{escape(table.caption)}</h2>\n"
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.caption)}">'
        f'<table class="sortable"><thead><tr>{heads}</tr></thead>\n<tbody>\n'
        + "\n".join(lines)
        + f"\n</tbody></table></div>{marked}"
    )


def _data(key: float | None) -> str:
    return "" if key is None else f' data-key="{key:.12g}"'


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return "" if value is None else str(cell(value))


def _key(value: Any) -> float | None:
    try:
        return float(Fraction(str(value)))
    except (ValueError, ZeroDivisionError):
        return None


def _article(game: Game) -> str:
    """Return what people call the variant that a game fills in by default."""
    return "the official" if game.name in registry.games() else "the default"


def _signed(difference: Fraction, won: bool) -> str:
    return words.signed(difference, won)


def _version() -> str:
    from ruse import __version__

    return __version__
