"""A sweep as one page that opens anywhere: what it comes to, and every row, in colours by value."""

from __future__ import annotations

import json
from html import escape

from ruse.core.game import display_name
from ruse.studio.rows import cell
from ruse.studio.sweep import Sweep
from ruse.studio.words import summary

SHADES = ("#1d3557", "#275d75", "#2f6f63", "#9cc98a", "#d3e08a", "#fbe87c")  # from little to much
LIGHT = 3  # the first shade on which text is dark
BEGIN, END = '<script type="application/json" id="sweep">', "</script>"
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid #ddd; }
thead th { position: sticky; top: 0; background: #fff; }
"""


def page(sweep: Sweep) -> str:
    """The page; its rows are in it once more as JSON, for programs."""
    rows = list(sweep)
    least, most = (min(row.measure for row in rows), max(row.measure for row in rows)) if rows else (0, 0)
    side = display_name(sweep.variants.found[0].game.sides[0])
    measured = f"{side} wins" if rows and rows[0].wins else f"worth to {side}"
    names = list(rows[0].parameters) if rows else []
    heads = "".join(f'<th scope="col">{escape(name.replace("_", " "))}</th>' for name in [*names, measured, "lines"])
    lines = []
    for row in rows:
        share = (row.measure - least) / (most - least) if most > least else 0
        cells = "".join(f"<td>{escape(str(cell(value)))}</td>" for value in row.parameters.values())
        counted = "" if row.lines is None else row.lines
        worth = f'<td class="shade-{round(5 * share)}">{escape(row.told())}</td>'
        lines.append(f"<tr>{cells}{worth}<td>{counted}</td></tr>")
    shades = "\n".join(
        f".shade-{number} {{ background: {shade}; color: {'#111' if number >= LIGHT else '#fff'}; }}"
        for number, shade in enumerate(SHADES)
    )
    kept = json.dumps(sweep.to_json(), ensure_ascii=False).replace("</", "<\\/")
    told = "\n".join(f"<p>{escape(line)}</p>" for line in summary(sweep))
    title = escape(f"{sweep.name}: {len(rows):,} variants")
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>\n'
        f"<style>{STYLE}{shades}\n</style></head>\n<body>\n<main>\n<h1>{title}</h1>\n{told}\n"
        f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody>\n</table>\n</main>\n"
        f"{BEGIN}{kept}{END}\n</body>\n</html>\n"
    )


def rows_in(text: str) -> str:
    """The JSON of a sweep that was written as a page. Raises ValueError of any other page."""
    _, found, rest = text.partition(BEGIN)
    if not found:
        raise ValueError("no sweep")
    return rest.partition(END)[0]
