"""Reports as files: one self-contained HTML page per paper, also as Markdown, with its numbers as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from ruse.core import atomic_files
from ruse.reproduce import drawing
from ruse.reproduce.report import Item, Outcome, Paper, lasting, listed

STYLE = Path(__file__).parent / "style.css"
SLIPS = "docs/explanation/slips.md"
VERDICTS = {
    "agrees": "agrees",
    "alike": "agrees on our own example",
    "differs": "differs",
    "shown": "nothing to compare with",
    "missing": "missing",
    "waiting": "not computed yet",
}
ORDER = ("agrees", "alike", "differs", "shown", "missing", "waiting")
Outcomes = Mapping[str, Outcome]  # by number; what is not there was not computed yet


def write(folder: Path, paper: Paper, outcomes: Outcomes, full: bool, slips: str) -> Path:
    """Write all files of a paper and return its page. `slips` is the address of the list of disagreements."""
    page = folder / f"{paper.name}.html"
    atomic_files.replace(page, html(paper, outcomes, full, slips).encode())
    atomic_files.replace(folder / f"{paper.name}.md", markdown(paper, outcomes, full, slips).encode())
    atomic_files.replace(folder / f"{paper.name}.csv", numbers(paper, outcomes).encode())
    return page


def verdicts(paper: Paper, outcomes: Outcomes) -> Counter[str]:
    return Counter(outcomes[item.number].verdict if item.number in outcomes else "waiting" for item in paper.items)


def counted(counts: Counter[str]) -> str:
    """How many items agree, differ and so on."""
    words = {
        "agrees": ("agrees", "agree"),
        "alike": ("agrees on our own example", "agree on our own examples"),
        "differs": ("differs somewhere", "differ somewhere"),
        "shown": ("has nothing to compare with", "have nothing to compare with"),
        "missing": ("is missing", "are missing"),
        "waiting": ("is not computed yet", "are not computed yet"),
    }
    return ", ".join(f"{counts[kind]} {words[kind][counts[kind] > 1]}" for kind in ORDER if counts[kind])


def command(paper: Paper, item: Item, full: bool) -> str:
    """Return the command that computes one item."""
    number = item.number if re.fullmatch(r"[\w.§/-]+", item.number) else f'"{item.number}"'
    return f"ruse reproduce {paper.name} --item {number}{' --full' if full else ''}"


# HTML.


def html(paper: Paper, outcomes: Outcomes, full: bool, slips: str) -> str:
    known = [item for item in paper.items if item.number in outcomes]
    seconds = sum(outcomes[item.number].seconds for item in known)
    contents = "".join(
        f'<li><a href="#{_anchor(item)}">{escape(item.number)}: {escape(item.title)}</a></li>' for item in paper.items
    )
    body = [
        '<p class="small"><a href="index.html">All papers</a></p>',
        f"<h1>{escape(paper.title)}</h1>",
        f'<p class="quiet">{escape(paper.authors)}, {escape(paper.source)}</p>',
        f'<p class="lead">{len(paper.items)} items: {counted(verdicts(paper, outcomes))}. '
        f"ruse computed its values for this page, in {lasting(seconds)} ({'full' if full else 'quick'}).</p>",
        f"<section><nav aria-label='Items'><ul>{contents}</ul></nav></section>",
        *(_section(paper, item, outcomes.get(item.number), full, slips) for item in paper.items),
        f'<p class="foot">This page as <a href="{paper.name}.md">Markdown</a>, the numbers as '
        f'<a href="{paper.name}.csv">CSV</a>. {_slip_line(slips)}</p>',
    ]
    return _page(f"{paper.authors}: {paper.title}", body)


def index(papers: Sequence[Paper], outcomes: Mapping[str, Outcomes], full: bool, slips: str) -> str:
    """The page that leads to the reports."""
    rows = []
    met = sum((verdicts(paper, outcomes[paper.name]) for paper in papers), Counter[str]())
    kinds = [kind for kind in ORDER if met[kind]]
    for paper in papers:
        counts = verdicts(paper, outcomes[paper.name])
        seconds = sum(outcome.seconds for outcome in outcomes[paper.name].values())
        rows.append(
            f'<tr><th scope="row"><a href="{paper.name}.html">{escape(paper.authors)}</a><br>'
            f'<span class="small">{escape(paper.title)}</span></th>'
            + "".join(_cell_of(VERDICTS[kind], str(counts[kind] or "")) for kind in kinds)
            + f"{_cell_of('computed in', lasting(seconds))}</tr>"
        )
    heads = "".join(f'<th scope="col">{VERDICTS[kind]}</th>' for kind in kinds)
    others = [name for name in listed() if name not in {paper.name for paper in papers}]
    body = [
        "<h1>Reproduced papers</h1>",
        '<p class="lead">Every numbered table, figure, worked example and claim: what the paper prints (theirs), what '
        "ruse computes (ours), and the difference. "
        f"To compute it again, run <code>ruse reproduce{' --full' if full else ''}</code>.</p>",
        '<section><div class="scroll" tabindex="0" role="region" aria-label="Papers"><table class="compared">'
        f'<thead><tr><th scope="col">paper</th>{heads}<th scope="col">computed in</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div></section>",
        *([f'<p class="small">Not in this folder yet: {", ".join(others)}.</p>'] if others else []),
        f'<p class="foot">{_slip_line(slips)}</p>',
    ]
    return _page("Reproduced papers", body)


def _page(title: str, body: Sequence[str]) -> str:
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{STYLE.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n<main>",
            *body,
            "</main>\n</body>\n</html>\n",
        ]
    )


def _anchor(item: Item) -> str:
    return re.sub(r"[^a-z0-9]+", "-", item.number.lower().replace("§", "s")).strip("-")


def _slip_line(slips: str) -> str:
    return f"{_slips(slips)} lists where papers and ruse disagree, and what is right."


def _slips(slips: str) -> str:
    return f'<a href="{escape(slips, quote=True)}">{SLIPS}</a>' if slips else f"{SLIPS} of ruse's sources"


def _section(paper: Paper, item: Item, outcome: Outcome | None, full: bool, slips: str) -> str:
    verdict = "waiting" if outcome is None else outcome.verdict
    parts = [
        f'<section id="{_anchor(item)}"><div class="head"><h2>{escape(item.number)}: {escape(item.title)}</h2>'
        f'<span class="verdict {verdict}">{VERDICTS[verdict]}</span></div>'
    ]
    if outcome is not None:
        if outcome.failed:
            parts.append(f"<p><strong>{escape(outcome.failed)}</strong></p>")
        parts += [_scrolled(picture, f"{item.number}, redrawn") for picture in outcome.pictures]
        parts += [
            f"<figure><figcaption>{escape(chart.title)}</figcaption>{drawing.chart(chart)}</figure>"
            for chart in outcome.charts
        ]
        if outcome.comparisons:
            parts.append(_table(item, outcome))
        parts += [f"<p>{_linked(line)}</p>" for line in outcome.note.split("\n") if line]
        if outcome.hidden:
            parts.append(f'<p class="hidden">{_linked(outcome.hidden)}</p>')
        if outcome.slip:
            parts.append(f"<p>See {_slips(slips)}, “{escape(outcome.slip)}”.</p>")
        for chart in outcome.charts:
            parts.append(_points(chart.title, drawing_rows(outcome, chart.title)))
    commands = [command(paper, item, full), *(() if outcome is None else outcome.commands)]
    took = [] if outcome is None else [f"<span>{lasting(outcome.seconds)}</span>"]
    parts.append(f'<p class="small commands">{" · ".join([*map(_command, commands), *took])}</p></section>')
    return "\n".join(parts)


def _command(text: str) -> str:
    """A command that is broken between words, not at the dashes of an option."""
    return f"<code>{' '.join(f'<span>{escape(word)}</span>' for word in text.split(' '))}</code>"


def _scrolled(inside: str, name: str) -> str:
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(name, quote=True)}">{inside}</div>'


def _linked(text: str) -> str:
    """Text with `code` in it; a number stays with how far it may be off."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)).replace(" ± ", "&nbsp;±&nbsp;")


def _table(item: Item, outcome: Outcome) -> str:
    """Make a table; on a phone each row is a block, and each cell has a label."""
    names = ("theirs", "ours", "difference")
    lines = []
    for comparison in outcome.comparisons:
        kind = "" if comparison.agrees is None else ' class="agrees"' if comparison.agrees else ' class="differs"'
        texts = zip(names, (comparison.theirs, comparison.ours, comparison.difference), strict=True)
        cells = "".join(_cell_of(name, text) for name, text in texts)
        lines.append(f'<tr{kind}><th scope="row">{_linked(comparison.label)}</th>{cells}</tr>')
    head = "".join(f'<th scope="col">{name}</th>' for name in ("what", *names))
    table = f'<table class="compared"><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table>'
    return _scrolled(table, f"{item.number}: theirs and ours")


def _cell_of(name: str, text: str) -> str:
    """Make a cell with a label for phones."""
    kind = "" if text else " empty"
    return f'<td class="{name.replace(" ", "-")}{kind}" data-name="{name}">{_linked(text) or "–"}</td>'


def drawing_rows(outcome: Outcome, title: str) -> list[tuple[str, str, str]]:
    """The points of a chart: series, x, y."""
    chart = next(chart for chart in outcome.charts if chart.title == title)
    rows = [(name, _cell(x), _cell(y)) for name, line in chart.series.items() for x, y in line]
    return rows + [(name, _cell(x), _cell(y)) for name, (x, y) in chart.marks.items()]


def _cell(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.10g}"


MOST_POINTS = 60  # in a page; the CSV has all


def _points(title: str, rows: Sequence[tuple[str, str, str]]) -> str:
    step = max(1, -(-len(rows) // MOST_POINTS))
    kept = [row for place, row in enumerate(rows) if place % step == 0 or place == len(rows) - 1]
    lines = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in kept)
    shown = f", {len(kept)} of {len(rows)}; the CSV has all" if step > 1 else ""
    return (
        f"<details><summary>Data points of “{escape(title)}”{shown}</summary>"
        + _scrolled(
            f"<table><thead><tr><th>line</th><th>x</th><th>y</th></tr></thead><tbody>{lines}</tbody></table>", title
        )
        + "</details>"
    )


# Markdown and CSV.


def markdown(paper: Paper, outcomes: Outcomes, full: bool, slips: str) -> str:
    blocks = [
        f"# {paper.title}",
        f"{paper.authors}, {paper.source}. {len(paper.items)} items: {counted(verdicts(paper, outcomes))}.",
    ]
    blocks += [item_markdown(paper, item, outcomes.get(item.number), full, slips) for item in paper.items]
    return "\n\n".join(blocks) + "\n"


def item_markdown(paper: Paper, item: Item, outcome: Outcome | None, full: bool, slips: str) -> str:
    verdict = VERDICTS["waiting" if outcome is None else outcome.verdict]
    blocks = [f"## {item.number}: {item.title}", f"*{verdict}* · `{command(paper, item, full)}`"]
    if outcome is not None:
        if outcome.failed:
            blocks.append(f"**{outcome.failed}**")
        if outcome.comparisons:
            lines = ["| | theirs | ours | difference |", "|---|---|---|---|"]
            for comparison in outcome.comparisons:
                cells = (comparison.label, comparison.theirs or "–", comparison.ours, comparison.difference or "–")
                lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
            blocks.append("\n".join(lines))
        blocks += [text for text in (outcome.note.replace("\n", "\n\n"), outcome.hidden) if text]
        if outcome.slip:
            link = f"[{SLIPS}]({slips})" if slips else SLIPS
            blocks.append(f"See {link}, “{outcome.slip}”.")
        blocks.append(" · ".join([*(f"`{line}`" for line in outcome.commands), lasting(outcome.seconds)]))
    return "\n\n".join(blocks)


def numbers(paper: Paper, outcomes: Outcomes) -> str:
    """Return one row per comparison and per point of a figure."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["item", "what", "x", "theirs", "ours", "difference", "agrees"])
    for item in paper.items:
        outcome = outcomes.get(item.number, Outcome())
        for comparison in outcome.comparisons:
            agrees = "" if comparison.agrees is None else str(comparison.agrees).lower()
            rows.writerow(
                [item.number, comparison.label, "", comparison.theirs, comparison.ours, comparison.difference, agrees]
            )
        for chart in outcome.charts:
            rows.writerows(
                [item.number, name, _cell(x), "", _cell(y), "", ""]
                for name, line in chart.series.items()
                for x, y in line
            )
            rows.writerows([item.number, name, _cell(x), _cell(y), "", "", ""] for name, (x, y) in chart.marks.items())
    return text.getvalue()
