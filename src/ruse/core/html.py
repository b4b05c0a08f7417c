"""Small HTML tables, which notebooks show for games, solutions, strategies, forms, sweeps and insight."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def facts_table(caption: str, facts: Iterable[tuple[str, str]]) -> str:
    """A table with one fact per row; facts without a text are left out."""
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts if text)
    return f"<table><caption>{escape(caption)}</caption>{rows}</table>"


def grid_table(caption: str, names: Sequence[str], rows: Iterable[Sequence[str]], more: int = 0) -> str:
    """A table with named columns, and a last line that says how many rows are not shown."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    last = f'<tr><td colspan="{len(names)}">… and {more:,} more</td></tr>' if more > 0 else ""
    return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{body}{last}</table>"
